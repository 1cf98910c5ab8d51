#include "run/checkpoint/checkpoint.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "film/film.h"
#include "film/frame_ranges.h"
#include "render/gl/gl_probe.h"
#include "run/checkpoint/checkpoint_clean.h"
#include "run/checkpoint/checkpoint_files.h"
#include "run/checkpoint/checkpoint_job.h"
#include "run/checkpoint/checkpoint_outputs.h"
#include "run/checkpoint/checkpoint_report.h"
#include "run/checkpoint/completed_set.h"
#include "run/checkpoint/ledger.h"
#include "run/checkpoint/lock.h"
#include "run/checkpoint/output_lock.h"
#include "run/checkpoint/renderer_record.h"
#include "run/checkpoint/written_files.h"

enum { LOCK_WAIT_MS = 2000 };

struct Checkpoint {
    const Film *film;
    CheckpointOptions options;
    const char *directory;      /* without a slash at its end */
    FilmSpan segments, indices; /* of the shard */
    Fingerprint fingerprint;
    int lock;
    OutputLocks *output_locks;
    Ledger ledger;
    LedgerTail tail;         /* of this shard's ledger */
    CompletedSet *completed; /* [output_count] */
    CheckpointReport report;
    bool leaves_no_file;       /* the film: see checkpoint_leaves_no_file */
    bool has_report, finished; /* has_report: of this job */
    bool resumed;              /* the directory belonged to this job before */
    const char *edited;        /* how the job differs from the finished one that it replaces */
    WrittenFiles *written;     /* NULL if only read */
    bool renders;              /* this run renders frames, with `gl` */
    GlProbe gl;
    Arena *arena, *scratch;
};

/* ---- names ---- */

const char *checkpoint_segment_file(const Checkpoint *checkpoint, size_t output, int64_t segment,
                                    Arena *arena)
{
    const char *extension = checkpoint->film->outputs[output].kind->segments->extension;
    return checkpoint_segment_path(checkpoint->directory, output, segment, extension, arena);
}

const char *checkpoint_bake_file(const Checkpoint *checkpoint, const Digest *digest, Arena *arena)
{
    char text[DIGEST_TEXT_SIZE];
    digest_text(text, digest);
    return arena_printf(arena, "%s/bake/%s.bake", checkpoint->directory, text);
}

const GlProbe *checkpoint_gl(const Checkpoint *checkpoint)
{
    return checkpoint->renders ? &checkpoint->gl : NULL;
}

const Fingerprint *checkpoint_fingerprint(const Checkpoint *checkpoint)
{
    return &checkpoint->fingerprint;
}

const char *checkpoint_directory_of(const Checkpoint *checkpoint)
{
    return checkpoint->directory;
}

WrittenFiles *checkpoint_written(const Checkpoint *checkpoint)
{
    return checkpoint->written;
}

static bool is_stopped(const Checkpoint *checkpoint)
{
    return checkpoint->options.stop && *checkpoint->options.stop;
}

/* ---- ledgers ---- */

static void add_entry(void *user, const LedgerEntry *entry)
{
    Checkpoint *checkpoint = user;
    const int64_t index = film_index_of(checkpoint->film, entry->frame);
    if (index < 0 || entry->output >= checkpoint->film->output_count)
        return;
    completed_set_claim(&checkpoint->completed[entry->output], index, &entry->record);
    if (checkpoint->leaves_no_file) /* to compare the record with */
        completed_set_find(&checkpoint->completed[entry->output], index)->verified = true;
}

static bool read_ledgers(Checkpoint *checkpoint, Diag *diag)
{
    const char *own = checkpoint_shard_name(checkpoint->options.shard, checkpoint->scratch);
    LedgerList ledgers = {0};
    const bool ok = ledger_read_all(&ledgers, checkpoint->directory, add_entry, checkpoint,
                                    checkpoint->options.stop, checkpoint->scratch, diag);
    for (size_t i = 0; i < ledgers.count; i++)
        if (!strcmp(ledgers.items[i].name, own))
            checkpoint->tail = ledgers.items[i].tail;
    return ok;
}

/* ---- comparison with files ---- */

static bool records_equal(const SinkRecord *a, const SinkRecord *b)
{
    return a->bytes == b->bytes && digest_equal(&a->digest, &b->digest);
}

static void verify_stills(Checkpoint *checkpoint, size_t output, FilmSpan indices)
{
    const FilmOutput *out = &checkpoint->film->outputs[output];
    for (int64_t p = indices.first; p < indices.end && !is_stopped(checkpoint); p++) {
        CompletedRecord *claimed = completed_set_find(&checkpoint->completed[output], p);
        SinkRecord on_disk;
        if (claimed && !claimed->verified)
            claimed->verified =
                out->kind->inspect(&on_disk, &out->options, film_frame_at(checkpoint->film, p)) &&
                records_equal(&on_disk, &claimed->record);
    }
}

static bool is_claimed(const CompletedSet *completed, FilmSpan indices)
{
    for (int64_t p = indices.first; p < indices.end; p++)
        if (!completed_set_find(completed, p))
            return false;
    return true;
}

/* The records of a segment file, in the scratch arena; NULL if it is missing or incomplete. */
static const SinkRecord *inspect_segment(const Checkpoint *checkpoint, size_t output,
                                         int64_t segment)
{
    const FilmSpan indices = film_segment(checkpoint->film, segment);
    const size_t count = (size_t)(indices.end - indices.first);
    SinkRecord *on_disk = arena_array(checkpoint->scratch, SinkRecord, count);
    const char *file = checkpoint_segment_file(checkpoint, output, segment, checkpoint->scratch);
    return checkpoint->film->outputs[output].kind->segments->inspect(on_disk, count, file) ? on_disk
                                                                                           : NULL;
}

static void verify_segment(Checkpoint *checkpoint, size_t output, int64_t segment)
{
    CompletedSet *completed = &checkpoint->completed[output];
    const FilmSpan indices = film_segment(checkpoint->film, segment);
    const SinkRecord *on_disk =
        is_claimed(completed, indices) ? inspect_segment(checkpoint, output, segment) : NULL;
    bool same = on_disk != NULL;
    for (int64_t p = indices.first; same && p < indices.end; p++)
        same =
            records_equal(&on_disk[p - indices.first], &completed_set_find(completed, p)->record);
    for (int64_t p = indices.first; same && p < indices.end; p++)
        completed_set_find(completed, p)->verified = true;
}

static void verify_files(Checkpoint *checkpoint)
{
    for (size_t i = 0; i < checkpoint->film->output_count; i++) {
        const CheckpointKind kind = checkpoint_kind(&checkpoint->film->outputs[i]);
        if (kind == CHECKPOINT_STILLS)
            verify_stills(checkpoint, i, checkpoint->indices);
        for (int64_t p = checkpoint->segments.first;
             kind == CHECKPOINT_SEGMENTS && p < checkpoint->segments.end; p++) {
            arena_reset(checkpoint->scratch);
            if (!is_stopped(checkpoint))
                verify_segment(checkpoint, i, p);
        }
    }
}

/* ---- finished films ---- */

static bool are_frames_complete(const Checkpoint *checkpoint, size_t output)
{
    const FilmOutput *out = &checkpoint->film->outputs[output];
    for (int64_t p = 0; p < checkpoint->film->frame_count; p++)
        if (!completed_set_is_verified(&checkpoint->completed[output], p) &&
            film_output_has_frame(out, film_frame_at(checkpoint->film, p)))
            return false;
    return true;
}

static bool is_output_complete(Checkpoint *checkpoint, size_t output)
{
    const FilmOutput *out = &checkpoint->film->outputs[output];
    switch (checkpoint_kind(out)) {
    case CHECKPOINT_NOTHING:
        return !checkpoint->leaves_no_file || are_frames_complete(checkpoint, output);
    case CHECKPOINT_STILLS:
        verify_stills(checkpoint, output, (FilmSpan){0, checkpoint->film->frame_count});
        return are_frames_complete(checkpoint, output);
    case CHECKPOINT_SEGMENTS:
    case CHECKPOINT_WHOLE:
        break;
    }
    return (checkpoint->report.same_tags || out->kind == &sink_hash) &&
           file_record_confirms(&checkpoint->report.outputs.items[output], out->options.file,
                                checkpoint->options.stop);
}

/* Compares video files first, which is faster than many stills. */
static bool verify_outputs(Checkpoint *checkpoint)
{
    const size_t count = checkpoint->film->output_count;
    bool complete = checkpoint->has_report && checkpoint->report.outputs.count == count;
    for (int stills = 0; stills < 2; stills++)
        for (size_t i = 0; complete && i < count; i++)
            if ((checkpoint_kind(&checkpoint->film->outputs[i]) == CHECKPOINT_STILLS) ==
                (stills == 1))
                complete = is_output_complete(checkpoint, i);
    return complete && !is_stopped(checkpoint);
}

bool checkpoint_is_finished(const Checkpoint *checkpoint)
{
    return checkpoint->finished;
}

bool checkpoint_has_previews(const Checkpoint *checkpoint)
{
    const Film *film = checkpoint->film;
    const CheckpointReport *report = &checkpoint->report;
    bool complete = checkpoint->has_report && report->previews.count == film->preview_count &&
                    digest_equal(&report->previews_digest, &checkpoint->fingerprint.previews);
    for (size_t i = 0; complete && i < film->preview_count; i++)
        complete =
            file_record_confirms(&report->previews.items[i], film->previews[i].output.options.file,
                                 checkpoint->options.stop);
    return complete;
}

/* ---- completed and missing frames ---- */

bool checkpoint_has(const Checkpoint *checkpoint, size_t output, int64_t index)
{
    const FilmOutput *out = &checkpoint->film->outputs[output];
    const CheckpointKind kind = checkpoint_kind(out);
    return checkpoint->finished || (kind == CHECKPOINT_NOTHING && !checkpoint->leaves_no_file) ||
           completed_set_is_verified(&checkpoint->completed[output], index) ||
           !film_output_has_frame(out, film_frame_at(checkpoint->film, index));
}

static bool is_frame_missing(const Checkpoint *checkpoint, int64_t index)
{
    for (size_t i = 0; i < checkpoint->film->output_count; i++)
        if (checkpoint_kind(&checkpoint->film->outputs[i]) != CHECKPOINT_WHOLE &&
            !checkpoint_has(checkpoint, i, index))
            return true;
    return false;
}

static bool is_any_frame_missing(const Checkpoint *checkpoint)
{
    for (int64_t p = checkpoint->indices.first; p < checkpoint->indices.end; p++)
        if (is_frame_missing(checkpoint, p))
            return true;
    return false;
}

JobFrames checkpoint_missing(const Checkpoint *checkpoint, Arena *arena)
{
    FrameRangeList missing = {0};
    for (int64_t p = checkpoint->indices.first; p < checkpoint->indices.end; p++) {
        const int64_t frame = film_frame_at(checkpoint->film, p);
        if (is_frame_missing(checkpoint, p))
            frame_ranges_add(&missing, (JobRange){frame, frame}, arena);
    }
    return (JobFrames){missing.items, missing.count};
}

/* ---- opening ---- */

static Checkpoint *create(const Film *film, const CheckpointOptions *options)
{
    Arena *arena = arena_create();
    Checkpoint *checkpoint = arena_array(arena, Checkpoint, 1);
    *checkpoint = (Checkpoint){
        .film = film,
        .options = *options,
        .directory = options->directory ? checkpoint_without_slash(options->directory, arena)
                                        : checkpoint_directory(film, arena),
        .segments = film_shard_segments(film, options->shard),
        .indices = film_shard_span(film, options->shard),
        .leaves_no_file = checkpoint_leaves_no_file(film),
        .lock = -1,
        .ledger = {.fd = -1},
        .completed = arena_array(arena, CompletedSet, film->output_count),
        .arena = arena,
        .scratch = arena_create()};
    for (size_t i = 0; i < film->output_count; i++)
        checkpoint->completed[i] = completed_set_init(film->frame_count, arena);
    return checkpoint;
}

/* A single shard must not remove the results of the others. */
static bool check_shard_overwrite(const Checkpoint *checkpoint, Diag *diag)
{
    Diag trial = diag_quiet();
    bool exists;
    return checkpoint_job_check(&exists, checkpoint->directory, &checkpoint->fingerprint, &trial) ||
           diag_fail(diag, DIAG_USAGE,
                     "'%s' belongs to another job; --overwrite does not work with --shard, remove "
                     "it first",
                     checkpoint->directory);
}

/* Files that exist and that this run will replace must be our own. */
static bool check_outputs(Checkpoint *checkpoint, Diag *diag)
{
    const OutputRecords records = {
        .completed = checkpoint->completed,
        .report = checkpoint->has_report ? &checkpoint->report : NULL,
        .resumed = checkpoint->resumed,
    };
    if (checkpoint->options.mode == CHECKPOINT_READ_ONLY || !checkpoint->options.shard.count ||
        (checkpoint->finished && checkpoint_has_previews(checkpoint)))
        return true;
    return checkpoint_outputs_check(checkpoint->written, checkpoint->film, checkpoint->indices,
                                    &records, diag);
}

/* Whether this is a run of an edited job on the finished outputs of an earlier version of it. */
static bool is_edited(Checkpoint *checkpoint)
{
    const CheckpointOptions *options = &checkpoint->options;
    if (options->mode != CHECKPOINT_RESUME || options->shard.count != 1 ||
        options->max_stalled_runs < 0)
        return false;
    checkpoint->edited = checkpoint_job_difference(checkpoint->directory, &checkpoint->fingerprint,
                                                   checkpoint->arena);
    if (checkpoint->edited && !checkpoint_outputs_take_over(
                                  checkpoint->written, checkpoint->directory, checkpoint->scratch))
        checkpoint->edited = NULL;
    return checkpoint->edited != NULL;
}

/* Checks the owner of the directory before anything is changed. */
static bool check_directory(Checkpoint *checkpoint, Diag *diag)
{
    CheckpointMode *mode = &checkpoint->options.mode;
    if (*mode == CHECKPOINT_OVERWRITE && checkpoint->options.shard.count > 1) {
        *mode = CHECKPOINT_RESUME;
        return check_shard_overwrite(checkpoint, diag);
    }
    if (*mode == CHECKPOINT_OVERWRITE)
        return true;
    if (is_edited(checkpoint))
        return check_outputs(checkpoint, diag);
    return checkpoint_job_check(&checkpoint->resumed, checkpoint->directory,
                                &checkpoint->fingerprint, diag) &&
           (checkpoint->resumed || check_outputs(checkpoint, diag));
}

static void ignore_entry(void *user, const LedgerEntry *entry)
{
    (void)user;
    (void)entry;
}

/* The last run of this shard, which probably holds the lock. */
static const char *last_run(const Checkpoint *checkpoint)
{
    LedgerTail tail;
    Diag trial = diag_quiet();
    const char *file = checkpoint_ledger_path(checkpoint->directory, checkpoint->options.shard,
                                              checkpoint->scratch);
    ledger_read(file, ignore_entry, NULL, &tail, &trial);
    return arena_strdup(checkpoint->scratch, tail.run);
}

static bool lock_segments(Checkpoint *checkpoint, Diag *diag)
{
    const CheckpointOptions *options = &checkpoint->options;
    const FilmSpan span =
        options->shard.count == 1 ? (FilmSpan){0, LOCK_TO_END} : checkpoint->segments;
    const char *file = arena_printf(checkpoint->scratch, "%s/lock", checkpoint->directory);
    if (!lock_acquire(&checkpoint->lock, file, span, LOCK_WAIT_MS, last_run(checkpoint),
                      options->stop, diag))
        return false;
    if (!options->shard.count) /* a bake */
        return true;
    checkpoint->output_locks =
        output_locks_acquire(checkpoint->film, span, options->stop, checkpoint->arena, diag);
    return checkpoint->output_locks != NULL;
}

/* Removes the results of another job.  Without job.json, which is removed first, they belong to
 * no job, so that a run that is killed meanwhile is followed by one that removes the rest. */
static bool restart_directory(Checkpoint *checkpoint, Diag *diag)
{
    const Film *film = checkpoint->film;
    if (checkpoint->edited)
        diag_note(diag, "replaces '%s', rendered by an earlier version of this job (%s)",
                  film->outputs[0].options.file, checkpoint->edited);
    else
        checkpoint_outputs_allow(checkpoint->written, film);
    if (!written_files_flush(checkpoint->written, diag) ||
        !checkpoint_job_remove(checkpoint->directory, diag))
        return false;
    checkpoint_clean_all(checkpoint->directory);
    return true;
}

/* Creates job.json, or checks that it is that of this job; others may do so at the same time. */
static bool claim_directory(Checkpoint *checkpoint, Diag *diag)
{
    const bool restart =
        checkpoint->options.mode == CHECKPOINT_OVERWRITE || checkpoint->edited != NULL;
    bool exists = false;
    checkpoint_clean_temporaries(checkpoint->directory, checkpoint->film,
                                 checkpoint->options.shard);
    if (restart && !restart_directory(checkpoint, diag))
        return false;
    if (!restart &&
        !checkpoint_job_check(&exists, checkpoint->directory, &checkpoint->fingerprint, diag))
        return false;
    if (!restart && !exists && checkpoint->options.shard.count == 1)
        checkpoint_clean_all(checkpoint->directory); /* left by a killed restart */
    return (exists || checkpoint_job_save(checkpoint->directory, &checkpoint->fingerprint,
                                          checkpoint->options.shard, diag)) &&
           checkpoint_job_check(&exists, checkpoint->directory, &checkpoint->fingerprint, diag) &&
           file_make_parent_dirs(
               arena_printf(checkpoint->scratch, "%s/segment/any", checkpoint->directory), diag);
}

static bool load(Checkpoint *checkpoint, Diag *diag)
{
    if (!read_ledgers(checkpoint, diag))
        return false;
    checkpoint->has_report =
        checkpoint_report_load(&checkpoint->report, checkpoint->directory, checkpoint->film,
                               checkpoint->arena, diag) &&
        digest_equal(&checkpoint->report.digest, &checkpoint->fingerprint.digest);
    checkpoint->finished = verify_outputs(checkpoint);
    if (!checkpoint->finished)
        verify_files(checkpoint);
    return !is_stopped(checkpoint);
}

/* With the name of the shard's first still, so that the next run removes what a killed one left. */
static bool can_rename_output(const Checkpoint *checkpoint, const FilmOutput *output, Diag *diag)
{
    char still[CHECKPOINT_CLEAN_NAME_SIZE];
    const int64_t frame = film_frame_at(checkpoint->film, checkpoint->indices.first);
    const char *file = output->options.file;
    if (checkpoint_kind(output) == CHECKPOINT_STILLS &&
        sink_png_name(still, sizeof still, file, frame))
        file = still;
    return file_check_renames(file, diag);
}

static bool can_rename_outputs(const Checkpoint *checkpoint, Diag *diag)
{
    for (size_t i = 0; i < checkpoint->film->output_count; i++)
        if (!can_rename_output(checkpoint, &checkpoint->film->outputs[i], diag))
            return false;
    return true;
}

/* Records the start of this run, if frames are missing; fails after too many runs without progress.
 */
static bool start_run(Checkpoint *checkpoint, Diag *diag)
{
    const CheckpointOptions *options = &checkpoint->options;
    if (checkpoint->finished && options->shard.count == 1)
        checkpoint_clean_work(
            checkpoint->directory); /* left by a run that crashed after its report */
    if (checkpoint->finished || !is_any_frame_missing(checkpoint))
        return true;
    const char *file =
        checkpoint_ledger_path(checkpoint->directory, options->shard, checkpoint->scratch);
    if (options->max_stalled_runs > 0 && checkpoint->tail.runs >= options->max_stalled_runs)
        return diag_fail(diag, DIAG_INTERNAL,
                         "%d runs in a row completed no new frame; '%s' lists them",
                         checkpoint->tail.runs, file);
    checkpoint->renders = options->max_stalled_runs >= 0;
    return !checkpoint->renders ||
           (gl_probe(&checkpoint->gl, checkpoint->film->render.backend, diag) &&
            renderer_record_check(checkpoint->directory, checkpoint->gl.renderer,
                                  options->accept_renderer, diag) &&
            can_rename_outputs(checkpoint, diag) && ledger_open(&checkpoint->ledger, file, diag) &&
            ledger_add_run(&checkpoint->ledger, diag));
}

static bool open_directory(Checkpoint *checkpoint, Diag *diag)
{
    const CheckpointMode mode = checkpoint->options.mode;
    if (!checkpoint->directory)
        return diag_fail(diag, DIAG_INTERNAL, "none of the outputs can be resumed");
    if (!checkpoint_check_links(checkpoint->directory, diag))
        return false;
    checkpoint->written = written_files_load(checkpoint->directory, mode == CHECKPOINT_OVERWRITE,
                                             checkpoint->options.stop, checkpoint->arena);
    if (!fingerprint_make(&checkpoint->fingerprint, checkpoint->film, checkpoint->options.stop,
                          checkpoint->arena, diag) ||
        !check_directory(checkpoint, diag))
        return false;
    if (mode != CHECKPOINT_READ_ONLY &&
        (!lock_segments(checkpoint, diag) || !claim_directory(checkpoint, diag)))
        return false;
    return load(checkpoint, diag) &&
           (mode == CHECKPOINT_READ_ONLY ||
            (check_outputs(checkpoint, diag) && written_files_flush(checkpoint->written, diag) &&
             start_run(checkpoint, diag)));
}

Checkpoint *checkpoint_open(const Film *film, const CheckpointOptions *options, Diag *diag)
{
    Checkpoint *checkpoint = create(film, options);
    if (open_directory(checkpoint, diag))
        return checkpoint;
    checkpoint_close(checkpoint);
    return NULL;
}

void checkpoint_close(Checkpoint *checkpoint)
{
    if (!checkpoint)
        return;
    ledger_close(&checkpoint->ledger);
    output_locks_release(checkpoint->output_locks);
    lock_release(&checkpoint->lock);
    arena_destroy(checkpoint->scratch);
    arena_destroy(checkpoint->arena);
}

/* ---- adding ---- */

static void add_verified(Checkpoint *checkpoint, const LedgerEntry *entry, int64_t index)
{
    completed_set_claim(&checkpoint->completed[entry->output], index, &entry->record);
    completed_set_find(&checkpoint->completed[entry->output], index)->verified = true;
}

bool checkpoint_add_frame(Checkpoint *checkpoint, size_t output, int64_t index,
                          const SinkRecord *record, Diag *diag)
{
    const LedgerEntry entry = {film_frame_at(checkpoint->film, index), output, *record};
    if (!ledger_add(&checkpoint->ledger, &entry, 1, diag))
        return false;
    add_verified(checkpoint, &entry, index);
    return true;
}

bool checkpoint_add_segment(Checkpoint *checkpoint, size_t output, int64_t segment, Diag *diag)
{
    arena_reset(checkpoint->scratch);
    const FilmSpan indices = film_segment(checkpoint->film, segment);
    const size_t count = (size_t)(indices.end - indices.first);
    const SinkRecord *on_disk = inspect_segment(checkpoint, output, segment);
    if (!on_disk)
        return diag_fail(diag, DIAG_IO, "'%s' is incomplete after it was written",
                         checkpoint_segment_file(checkpoint, output, segment, checkpoint->scratch));
    LedgerEntry *entries = arena_array(checkpoint->scratch, LedgerEntry, count);
    for (size_t i = 0; i < count; i++)
        entries[i] = (LedgerEntry){film_frame_at(checkpoint->film, indices.first + (int64_t)i),
                                   output, on_disk[i]};
    if (!ledger_add(&checkpoint->ledger, entries, count, diag) ||
        !ledger_sync(&checkpoint->ledger, diag))
        return false;
    for (size_t i = 0; i < count; i++)
        add_verified(checkpoint, &entries[i], indices.first + (int64_t)i);
    return true;
}

/* ---- finishing ---- */

/* Number and bytes of the stills of each output. */
static FileRecord *sum_stills(const Checkpoint *checkpoint)
{
    const Film *film = checkpoint->film;
    FileRecord *stills = arena_array(checkpoint->scratch, FileRecord, film->output_count);
    for (size_t i = 0; i < film->output_count; i++) {
        const bool is_stills = checkpoint_kind(&film->outputs[i]) == CHECKPOINT_STILLS;
        for (int64_t p = 0; is_stills && p < film->frame_count; p++) {
            const CompletedRecord *record = completed_set_find(&checkpoint->completed[i], p);
            stills[i].frames += record && record->verified;
            stills[i].bytes += record && record->verified ? record->record.bytes : 0;
        }
    }
    return stills;
}

bool checkpoint_finish(Checkpoint *checkpoint, Diag *diag)
{
    arena_reset(checkpoint->scratch);
    if (checkpoint->ledger.fd >= 0 && !ledger_sync(&checkpoint->ledger, diag))
        return false;
    if (!checkpoint_report_save(checkpoint->directory, checkpoint->film, &checkpoint->fingerprint,
                                sum_stills(checkpoint), checkpoint->options.stop, diag))
        return false;
    checkpoint_clean_work(checkpoint->directory);
    checkpoint->finished = true;
    return written_files_compact(checkpoint->directory, diag);
}
