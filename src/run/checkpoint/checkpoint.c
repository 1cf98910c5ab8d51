// SPDX-License-Identifier: MIT
#include "run/checkpoint/checkpoint.h"

#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/file_calls.h"
#include "base/name_pattern.h"
#include "base/path.h"
#include "base/text.h"
#include "base/write_root.h"
#include "film/film.h"
#include "film/frame_ranges.h"
#include "render/gl/gl_probe.h"
#include "run/checkpoint/checkpoint_clean.h"
#include "run/checkpoint/checkpoint_files.h"
#include "run/checkpoint/checkpoint_job.h"
#include "run/checkpoint/checkpoint_outputs.h"
#include "run/checkpoint/checkpoint_read.h"
#include "run/checkpoint/checkpoint_report.h"
#include "run/checkpoint/checkpoint_reuse.h"
#include "run/checkpoint/completed_set.h"
#include "run/checkpoint/ledger.h"
#include "run/checkpoint/lock.h"
#include "run/checkpoint/renderer_record.h"
#include "run/checkpoint/run_record.h"
#include "run/checkpoint/written_files.h"

/* SWITCH_WAIT_MS: for another shard, which compares the edited job with the film that is there. */
enum { LOCK_WAIT_MS = 2000, SWITCH_WAIT_MS = 3600000, PICTURES_OF_BLOCK = 1024 };

struct Checkpoint {
    const Film *film;
    CheckpointOptions options;
    const char *directory;      /* without a slash at its end */
    FilmSpan segments, indices; /* those of the shard */
    Fingerprint fingerprint;
    int lock;
    OutputLocks *output_locks;
    Ledger ledger;
    LedgerTail tail;         /* the end of this shard's ledger */
    CompletedSet *completed; /* [output_count] */
    CheckpointReport report;
    bool leaves_no_file;       /* the film: see checkpoint_leaves_no_file */
    bool has_report, finished; /* has_report: of this job */
    const char *edited;        /* how the job differs from the one that it replaces */
    JobChanges changes;        /* all of that */
    Reuse reuse;               /* what of that one stays */
    RunRecords runs;           /* of this job and the one before; count 0: not recorded */
    double start_s;            /* of this process */
    bool timed;                /* its time is added to runs.items[0] */
    WrittenFiles *written;     /* NULL if only read */
    bool renders;              /* this run renders frames, with `gl` */
    bool probed;               /* `gl` is set */
    GlProbe gl;
    PictureDigest **pictures; /* blocks by frame index: what the frames of this run show */
    Digest *settings;         /* [output_count] checkpoint_output_digest */
    Arena *arena, *scratch;
};

/* ---- names ---- */

const char *checkpoint_segment_file(const Checkpoint *c, size_t output, int64_t segment,
                                    Arena *arena)
{
    const char *extension = c->film->outputs[output].kind->segments->extension;
    return checkpoint_segment_path(c->directory, output, segment, extension, arena);
}

const char *checkpoint_bake_file(const Checkpoint *c, const Digest *digest, Arena *arena)
{
    char text[DIGEST_TEXT_SIZE];
    digest_text(text, digest);
    return arena_printf(arena, "%s/bake/%s.bake", c->directory, text);
}

const GlProbe *checkpoint_gl(const Checkpoint *c)
{
    return c->renders ? &c->gl : NULL;
}

const char *checkpoint_directory_of(const Checkpoint *c)
{
    return c->directory;
}

WrittenFiles *checkpoint_written(const Checkpoint *c)
{
    return c->written;
}

static bool is_stopped(const Checkpoint *c)
{
    return c->options.stop && *c->options.stop;
}

/* ---- ledgers ---- */

static void add_entry(void *user, const LedgerEntry *entry)
{
    Checkpoint *c = user;
    const int64_t index = film_index_of(c->film, entry->frame);
    if (index < 0 || entry->output >= c->film->output_count)
        return;
    CompletedRecord *claimed =
        completed_set_claim(&c->completed[entry->output], index, &entry->record, &entry->identity);
    claimed->verified = c->leaves_no_file; /* there is nothing to compare the record with */
}

static bool read_ledgers(Checkpoint *c, Diag *diag)
{
    const char *own = checkpoint_shard_name(c->options.shard, c->scratch);
    LedgerList ledgers = {0};
    const bool ok =
        ledger_read_all(&ledgers, c->directory, add_entry, c, c->options.stop, c->scratch, diag);
    for (size_t i = 0; i < ledgers.count; i++)
        if (!strcmp(ledgers.items[i].name, own))
            c->tail = ledgers.items[i].tail;
    return ok;
}

/* ---- comparison with files ---- */

static void verify_stills(Checkpoint *c, size_t output, FilmSpan indices)
{
    const FilmOutput *out = &c->film->outputs[output];
    for (int64_t p = indices.first; p < indices.end && !is_stopped(c); p++) {
        CompletedRecord *claimed = completed_set_find(&c->completed[output], p);
        SinkRecord on_disk;
        if (claimed && !claimed->verified)
            claimed->verified =
                out->kind->inspect(&on_disk, &out->options, film_frame_at(c->film, p)) &&
                sink_records_equal(&on_disk, &claimed->record);
    }
}

static void verify_segment(Checkpoint *c, size_t output, int64_t segment)
{
    CompletedSet *completed = &c->completed[output];
    const FilmSpan indices = film_segment(c->film, segment);
    bool recorded;
    const bool same = completed_set_has_segment(
        &recorded, completed, indices, c->film->outputs[output].kind->segments,
        checkpoint_segment_file(c, output, segment, c->scratch), c->scratch);
    for (int64_t p = indices.first; same && p < indices.end; p++)
        completed_set_find(completed, p)->verified = true;
}

static void verify_files(Checkpoint *c)
{
    for (size_t i = 0; i < c->film->output_count; i++) {
        const CheckpointKind kind = checkpoint_kind(&c->film->outputs[i]);
        if (kind == CHECKPOINT_STILLS)
            verify_stills(c, i, c->indices);
        for (int64_t p = c->segments.first; kind == CHECKPOINT_SEGMENTS && p < c->segments.end;
             p++) {
            arena_reset(c->scratch);
            if (!is_stopped(c))
                verify_segment(c, i, p);
        }
    }
}

/* ---- finished films ---- */

static bool are_frames_complete(const Checkpoint *c, size_t output)
{
    const FilmOutput *out = &c->film->outputs[output];
    for (int64_t p = 0; p < c->film->frame_count; p++)
        if (!completed_set_is_verified(&c->completed[output], p) &&
            film_output_has_frame(out, film_frame_at(c->film, p)))
            return false;
    return true;
}

static bool is_output_complete(Checkpoint *c, size_t output)
{
    const FilmOutput *out = &c->film->outputs[output];
    switch (checkpoint_kind(out)) {
    case CHECKPOINT_NOTHING:
        return !c->leaves_no_file || are_frames_complete(c, output);
    case CHECKPOINT_STILLS:
        verify_stills(c, output, (FilmSpan){0, c->film->frame_count});
        return are_frames_complete(c, output);
    case CHECKPOINT_SEGMENTS:
    case CHECKPOINT_WHOLE:
        break;
    }
    return (c->report.same_tags || !sink_is_video(out->kind)) &&
           file_record_confirms(&c->report.outputs.items[output], out->options.file,
                                c->options.stop);
}

/* Compares video files first, which is faster than many stills. */
static bool verify_outputs(Checkpoint *c)
{
    const size_t count = c->film->output_count;
    bool complete = c->has_report && c->report.outputs.count == count;
    for (int stills = 0; stills < 2; stills++)
        for (size_t i = 0; complete && i < count; i++)
            if ((checkpoint_kind(&c->film->outputs[i]) == CHECKPOINT_STILLS) == (stills == 1))
                complete = is_output_complete(c, i);
    return complete && !is_stopped(c);
}

bool checkpoint_is_finished(const Checkpoint *c)
{
    return c->finished;
}

bool checkpoint_has_previews(const Checkpoint *c)
{
    const Film *film = c->film;
    const CheckpointReport *report = &c->report;
    bool complete = c->has_report && report->previews.count == film->preview_count &&
                    digest_equal(&report->previews_digest, &c->fingerprint.previews);
    for (size_t i = 0; complete && i < film->preview_count; i++)
        complete = file_record_confirms(&report->previews.items[i],
                                        film->previews[i].output.options.file, c->options.stop);
    return complete;
}

/* ---- completed and missing frames ---- */

bool checkpoint_has(const Checkpoint *c, size_t output, int64_t index)
{
    const FilmOutput *out = &c->film->outputs[output];
    const CheckpointKind kind = checkpoint_kind(out);
    return c->finished || (kind == CHECKPOINT_NOTHING && !c->leaves_no_file) ||
           completed_set_is_verified(&c->completed[output], index) ||
           !film_output_has_frame(out, film_frame_at(c->film, index));
}

static bool is_frame_missing(const Checkpoint *c, int64_t index)
{
    for (size_t i = 0; i < c->film->output_count; i++)
        if (checkpoint_kind(&c->film->outputs[i]) != CHECKPOINT_WHOLE &&
            !checkpoint_has(c, i, index))
            return true;
    return false;
}

static bool is_any_frame_missing(const Checkpoint *c)
{
    for (int64_t p = c->indices.first; p < c->indices.end; p++)
        if (is_frame_missing(c, p))
            return true;
    return false;
}

FrameRanges checkpoint_missing(const Checkpoint *c, Arena *arena)
{
    FrameRangeList missing = {0};
    for (int64_t p = c->indices.first; p < c->indices.end; p++) {
        const int64_t frame = film_frame_at(c->film, p);
        if (is_frame_missing(c, p))
            frame_ranges_add(&missing, (FrameRange){frame, frame}, arena);
    }
    return (FrameRanges){missing.items, missing.count};
}

/* The frames that this shard draws: all for an output that cannot be resumed. */
static FrameRanges drawn_frames(const Checkpoint *c, Arena *arena)
{
    for (size_t i = 0; !c->finished && i < c->film->output_count; i++)
        if (checkpoint_kind(&c->film->outputs[i]) == CHECKPOINT_WHOLE)
            return frame_ranges_of_span(c->film, c->indices, arena);
    return checkpoint_missing(c, arena);
}

/* ---- opening ---- */

static Checkpoint *create(const Film *film, const CheckpointOptions *options)
{
    Arena *arena = arena_create();
    Checkpoint *c = arena_array(arena, Checkpoint, 1);
    *c = (Checkpoint){.film = film,
                      .start_s = clock_monotonic_s(),
                      .options = *options,
                      .directory = options->directory
                                       ? checkpoint_without_slash(options->directory, arena)
                                       : checkpoint_directory(film, arena),
                      .segments = film_shard_segments(film, options->shard),
                      .indices = film_shard_span(film, options->shard),
                      .leaves_no_file = checkpoint_leaves_no_file(film),
                      .lock = -1,
                      .ledger = {.fd = -1},
                      .completed = arena_array(arena, CompletedSet, film->output_count),
                      .pictures = arena_array(arena, PictureDigest *,
                                              (size_t)(film->frame_count / PICTURES_OF_BLOCK) + 1),
                      .settings = arena_array(arena, Digest, film->output_count),
                      .arena = arena,
                      .scratch = arena_create()};
    for (size_t i = 0; i < film->output_count; i++)
        c->completed[i] = completed_set_init(film->frame_count, arena);
    return c;
}

/* Files that exist and that this run will replace must be our own. */
static bool check_outputs(Checkpoint *c, Diag *diag)
{
    const OutputRecords records = {
        .completed = c->completed,
        .report = c->has_report ? &c->report : NULL,
    };
    if (c->options.mode == CHECKPOINT_READ_ONLY || !c->options.shard.count ||
        (c->finished && checkpoint_has_previews(c)))
        return true;
    return checkpoint_outputs_check(c->written, c->film, c->indices, &records, diag);
}

/* Whether this is a run of an edited job on the outputs of an earlier version of it. */
static bool is_edited(Checkpoint *c)
{
    const CheckpointOptions *options = &c->options;
    const bool fresh = options->mode == CHECKPOINT_FRESH;
    if ((options->mode != CHECKPOINT_RESUME && !fresh) || !options->shard.count ||
        options->max_stalled_runs < 0)
        return false;
    c->edited = checkpoint_job_difference(&c->changes, c->directory, &c->fingerprint, c->arena);
    if (!c->edited && fresh && checkpoint_read_is_directory(c->directory))
        c->edited = "it is the same";
    if (c->edited && !checkpoint_outputs_take_over(c->written, c->directory,
                                                   options->shard.count > 1, c->scratch))
        c->edited = NULL;
    return c->edited != NULL;
}

/* Checks the owner of the directory before anything is changed. */
static bool check_directory(Checkpoint *c, Diag *diag)
{
    CheckpointMode *mode = &c->options.mode;
    if (*mode == CHECKPOINT_OVERWRITE && c->options.shard.count > 1) {
        *mode = CHECKPOINT_RESUME;
        /* A single shard must not remove the results of the others. */
        Diag trial = diag_quiet();
        bool exists;
        return checkpoint_job_check(&exists, c->directory, &c->fingerprint, &trial) ||
               diag_fail(
                   diag, DIAG_USAGE,
                   "'%s' belongs to another job; --overwrite does not work with --shard, remove "
                   "it first",
                   c->directory);
    }
    if (*mode == CHECKPOINT_OVERWRITE)
        return true;
    if (is_edited(c))
        return check_outputs(c, diag);
    if (*mode == CHECKPOINT_FRESH && checkpoint_read_is_directory(c->directory))
        return diag_fail(diag, DIAG_CREATE,
                         "'%s' was begun in shards or by another version of odori; --overwrite "
                         "starts again",
                         c->directory);
    bool resumed;
    return checkpoint_job_check(&resumed, c->directory, &c->fingerprint, diag) &&
           (resumed || check_outputs(c, diag));
}

/* The last run of this shard, which probably holds the lock. */
static const char *last_run(const Checkpoint *c)
{
    LedgerTail tail;
    Diag trial = diag_quiet();
    const char *file = checkpoint_ledger_path(c->directory, c->options.shard, c->scratch);
    ledger_read(file, NULL, NULL, &tail, &trial);
    return arena_strdup(c->scratch, tail.run);
}

static bool lock_span(Checkpoint *c, FilmSpan span, int wait_ms, Diag *diag)
{
    const CheckpointOptions *options = &c->options;
    const char *file = arena_printf(c->scratch, "%s/lock", c->directory);
    if (!lock_acquire(&c->lock, file, span, wait_ms, last_run(c), options->stop, diag))
        return false;
    if (!options->shard.count) /* a bake */
        return true;
    c->output_locks = output_locks_acquire(c->film, span, options->stop, c->arena, diag);
    return c->output_locks != NULL;
}

static bool lock_segments(Checkpoint *c, Diag *diag)
{
    const FilmSpan whole = {0, LOCK_TO_END};
    return lock_span(c, c->options.shard.count == 1 ? whole : c->segments, LOCK_WAIT_MS, diag);
}

static bool probe_gl(Checkpoint *c, Diag *diag)
{
    if (!c->probed)
        c->probed = gl_probe(&c->gl, c->film->render.backend, diag);
    return c->probed;
}

/* Finds what stays of an earlier version of the job. */
static bool find_reuse(Checkpoint *c, Diag *diag)
{
    Diag trial = diag_quiet();
    c->reuse.why_nothing = "--fresh";
    if (c->options.mode == CHECKPOINT_FRESH)
        return true;
    const ReuseJob job = {.film = c->film,
                          .fingerprint = &c->fingerprint,
                          .options = &c->options,
                          .directory = c->directory,
                          .renderer = probe_gl(c, &trial) ? c->gl.renderer : "none"};
    return checkpoint_reuse(&c->reuse, &job, c->arena, diag);
}

/* Replaces the ledgers by one with the frames that stay, which are those of both versions: so
 * whichever of them job.json names, the ledger is true. */
static bool keep_frames(const Checkpoint *c, Diag *diag)
{
    const FilmShard whole = {1, 1};
    const char *name =
        arena_printf(c->scratch, "%s.jsonl", checkpoint_shard_name(whole, c->scratch));
    if (!ledger_replace(checkpoint_ledger_path(c->directory, whole, c->scratch),
                        c->reuse.entries.items, c->reuse.entries.count, diag))
        return false;
    checkpoint_clean_ledgers(c->directory, name);
    return true;
}

/* Removes the results of another job, but those that stay.  Without job.json, which is removed
 * first, they belong to no job, so that a run that is killed meanwhile is followed by one that
 * removes the rest. */
static bool restart_directory(Checkpoint *c, Diag *diag)
{
    if (c->edited && !find_reuse(c, diag))
        return false;
    if (!c->edited)
        checkpoint_outputs_allow(c->written, c->film);
    if (!written_files_flush(c->written, diag))
        return false;
    if (c->reuse.entries.count)
        return keep_frames(c, diag);
    if (!checkpoint_job_remove(c->directory, diag))
        return false;
    checkpoint_clean_all(c->directory);
    return true;
}

/* ---- runs.json ---- */

/* The first output of which no frame can stay; NULL if there is none. */
static const char *whole_output(const Film *film)
{
    for (size_t i = 0; i < film->output_count; i++) {
        const FilmOutput *out = &film->outputs[i];
        const CheckpointKind kind = checkpoint_kind(out);
        if (kind == CHECKPOINT_WHOLE ||
            (kind == CHECKPOINT_SEGMENTS && !out->kind->segments->restore))
            return out->options.file;
    }
    return NULL;
}

/* Why all frames of an edited job are drawn; or NULL. */
static const char *why_all(const Checkpoint *c, int64_t drawn, Arena *arena)
{
    const char *whole = whole_output(c->film);
    if (c->reuse.why_nothing || !c->edited || !whole || drawn < c->film->frame_count)
        return c->reuse.why_nothing;
    return arena_printf(arena, "'%s' is drawn as a whole", whole);
}

/* The runs of the job that the directory has now. */
static RunRecords load_runs(const Checkpoint *c, Diag *diag)
{
    RunRecords runs = {.count = 0};
    CheckpointJob job;
    Diag trial = diag_quiet();
    if (checkpoint_job_load(&job, c->directory, c->arena, &trial))
        run_records_load(&runs, c->directory, &job.digest, c->arena, diag);
    return runs;
}

static bool add_run(Checkpoint *c, FrameRanges drawn, Diag *diag)
{
    const RunRecord run = {.digest = c->fingerprint.digest,
                           .tags = checkpoint_tags_digest(c->film->job),
                           .frames = c->film->frame_count,
                           .changes = c->changes,
                           .changed_ranges = c->reuse.changed,
                           .reason = why_all(c, film_frame_count(&drawn), c->arena),
                           .seconds = NAN};
    for (size_t i = 0; i < RUN_PICTURES; i++) {
        const char *file = run_record_picture(c->directory, i, c->scratch);
        if (path_is_file(file))
            file_calls_unlink(AT_FDCWD, file);
    }
    run_records_add(&c->runs, &run);
    run_record_set_drawn(&c->runs.items[0], drawn);
    return run_records_save(c->directory, &c->runs, diag);
}

/* "31 of 720 frames are drawn, 300-330". */
static const char *drawn_text(const Checkpoint *c, Arena *arena)
{
    const FrameRanges drawn = drawn_frames(c, arena);
    const int64_t count = film_frame_count(&drawn), all = c->film->frame_count;
    const char *why = why_all(c, count, arena);
    if (why)
        return arena_printf(arena, "all %s are drawn: %s", text_frames(all).text, why);
    if (!count || count == all)
        return arena_printf(arena, count ? "all %s are drawn" : "none of %s is drawn",
                            text_frames(all).text);
    return arena_printf(arena, "%" PRId64 " of %s %s drawn, %s", count, text_frames(all).text,
                        count == 1 ? "is" : "are", frame_ranges_text(&drawn, arena));
}

/* Whether the finished film of this job gets other tags, which no run has recorded yet. */
static bool has_new_tags(const Checkpoint *c)
{
    const Digest tags = checkpoint_tags_digest(c->film->job);
    return c->has_report && !c->report.same_tags && !c->edited &&
           !(c->runs.count && digest_equal(&c->runs.items[0].tags, &tags));
}

/* job.json gets them, too. */
static bool add_tags_run(Checkpoint *c, FrameRanges drawn, Diag *diag)
{
    c->changes = checkpoint_job_tag_changes(c->directory, &c->fingerprint, c->arena);
    diag_note(diag, "'%s' gets other tags (%s); %s", c->film->outputs[0].options.file,
              job_changes_text(&c->changes, c->arena), drawn_text(c, c->arena));
    return add_run(c, drawn, diag) &&
           checkpoint_job_save(c->directory, &c->fingerprint, c->options.shard, diag);
}

/* Begins the record of a job of which nothing is drawn yet, unless it replaces another one: then
 * claim_directory has done so. */
static bool begin_runs(Checkpoint *c, Diag *diag)
{
    if (c->options.shard.count != 1 || c->options.max_stalled_runs < 0 || c->finished)
        return true;
    if (!c->edited)
        c->runs = load_runs(c, diag);
    c->timed = true;
    const FrameRanges drawn = drawn_frames(c, c->arena);
    if (c->edited && c->runs.count) /* segments that could not be restored count now */
        run_record_set_drawn(&c->runs.items[0], drawn);
    if (has_new_tags(c))
        return add_tags_run(c, drawn, diag);
    return c->runs.count || film_frame_count(&drawn) < c->film->frame_count ||
           add_run(c, drawn, diag);
}

/* Adds the time of this process.  The record is information alone: a failure is no error. */
static void end_runs(Checkpoint *c)
{
    Diag quiet = diag_quiet();
    if (!c->timed || !c->runs.count)
        return;
    double *seconds = &c->runs.items[0].seconds;
    *seconds = (isnan(*seconds) ? 0 : *seconds) + clock_monotonic_s() - c->start_s;
    run_records_save(c->directory, &c->runs, &quiet);
}

/* Creates job.json, or checks that it is that of this job; others may do so at the same time. */
static bool claim_directory(Checkpoint *c, Diag *diag)
{
    const bool restart = c->options.mode == CHECKPOINT_OVERWRITE || c->edited != NULL;
    bool exists = false;
    checkpoint_clean_temporaries(c->directory, c->film, c->options.shard);
    if (c->edited)
        c->runs = load_runs(c, diag);
    if (restart && !restart_directory(c, diag))
        return false;
    if (c->edited && !add_run(c, checkpoint_reuse_drawn(c->film, &c->reuse, c->arena), diag))
        return false;
    if (!restart && !checkpoint_job_check(&exists, c->directory, &c->fingerprint, diag))
        return false;
    if (!restart && !exists && c->options.shard.count == 1)
        checkpoint_clean_all(c->directory); /* left by a killed restart */
    return (exists || checkpoint_job_save(c->directory, &c->fingerprint, c->options.shard, diag)) &&
           checkpoint_job_check(&exists, c->directory, &c->fingerprint, diag) &&
           file_make_parent_dirs(arena_printf(c->scratch, "%s/segment/any", c->directory), diag);
}

/* Whether all frames of a segment are recorded. */
static bool is_recorded(const Checkpoint *c, size_t output, FilmSpan span)
{
    for (int64_t p = span.first; p < span.end; p++)
        if (!completed_set_find(&c->completed[output], p))
            return false;
    return true;
}

/* Restores the segments of an output that is finished, but gets other tags. */
static bool restore_segments(Checkpoint *c, size_t output, Diag *diag)
{
    SinkPart *parts =
        arena_array(c->scratch, SinkPart, (size_t)(c->segments.end - c->segments.first));
    size_t count = 0;
    for (int64_t s = c->segments.first; s < c->segments.end; s++) {
        const FilmSpan span = film_segment(c->film, s);
        const char *file = checkpoint_segment_file(c, output, s, c->scratch);
        if (!is_recorded(c, output, span) || path_is_file(file))
            continue;
        SinkRecord *records = arena_array(c->scratch, SinkRecord, (size_t)(span.end - span.first));
        for (int64_t p = span.first; p < span.end; p++)
            records[p - span.first] = completed_set_find(&c->completed[output], p)->record;
        parts[count++] = (SinkPart){file, span.first, (size_t)(span.end - span.first), records};
    }
    return checkpoint_restore(&c->film->outputs[output], &c->report.outputs.items[output], parts,
                              count, c->options.stop, diag);
}

static bool restore_outputs(Checkpoint *c, Diag *diag)
{
    bool ok = true;
    for (size_t i = 0; ok && i < c->film->output_count; i++)
        ok = checkpoint_kind(&c->film->outputs[i]) != CHECKPOINT_SEGMENTS ||
             restore_segments(c, i, diag);
    return ok;
}

/* The first shard of an edited job continues in the directory for all of them, which wait. */
static bool claim_for_shards(Checkpoint *c, Diag *diag)
{
    if (!lock_span(c, (FilmSpan){0, LOCK_TO_END}, SWITCH_WAIT_MS, diag))
        return false;
    c->edited = checkpoint_job_difference(&c->changes, c->directory, &c->fingerprint, c->arena);
    const bool ok = claim_directory(c, diag);
    output_locks_release(c->output_locks);
    c->output_locks = NULL;
    lock_release(&c->lock);
    return ok && lock_segments(c, diag);
}

static bool load(Checkpoint *c, Diag *diag)
{
    if (!read_ledgers(c, diag))
        return false;
    for (size_t i = 0; i < c->film->output_count; i++)
        c->settings[i] = checkpoint_output_digest(&c->fingerprint, i);
    c->has_report = checkpoint_report_load(&c->report, c->directory, c->film, c->arena, diag) &&
                    digest_equal(&c->report.digest, &c->fingerprint.digest);
    c->finished = verify_outputs(c);
    if (!c->finished && c->has_report && c->options.mode != CHECKPOINT_READ_ONLY &&
        c->report.outputs.count == c->film->output_count && !restore_outputs(c, diag))
        return false;
    if (!c->finished)
        verify_files(c);
    return !is_stopped(c);
}

/* A still stands for its shard: the first one, so that the next run removes what a killed one left.
 */
static bool can_rename_outputs(const Checkpoint *c, Diag *diag)
{
    const int64_t first = film_frame_at(c->film, c->indices.first);
    char still[CHECKPOINT_CLEAN_NAME_SIZE];
    for (size_t i = 0; i < c->film->output_count; i++) {
        const FilmOutput *output = &c->film->outputs[i];
        const bool is_still = checkpoint_kind(output) == CHECKPOINT_STILLS &&
                              name_pattern_file(still, sizeof still, output->options.file, first);
        if (!file_check_renames(is_still ? still : output->options.file, diag))
            return false;
    }
    return true;
}

/* Records the start of this run, if frames are missing; fails after too many runs without progress.
 */
static bool start_run(Checkpoint *c, Diag *diag)
{
    const CheckpointOptions *options = &c->options;
    if (c->finished && options->shard.count == 1)
        checkpoint_clean_work(c->directory); /* left by a run that crashed after its report */
    if (c->finished || !is_any_frame_missing(c))
        return true;
    const char *file = checkpoint_ledger_path(c->directory, options->shard, c->scratch);
    if (options->max_stalled_runs > 0 && c->tail.runs >= options->max_stalled_runs)
        return diag_fail(diag, DIAG_INTERNAL,
                         "%d runs in a row completed no new frame; '%s' lists them", c->tail.runs,
                         file);
    c->renders = options->max_stalled_runs >= 0;
    return !c->renders ||
           (probe_gl(c, diag) &&
            renderer_record_check(c->directory, c->gl.renderer, options->accept_renderer, diag) &&
            can_rename_outputs(c, diag) && ledger_open(&c->ledger, file, diag) &&
            ledger_add_run(&c->ledger, diag));
}

/* What an edited job replaces, what is drawn for it, and why. */
static void report_edit(const Checkpoint *c, Diag *diag)
{
    Arena *arena = arena_create();
    const FrameRanges *changed = &c->reuse.changed;
    diag_note(diag, "replaces '%s', rendered by an earlier version of this job (%s%s%s); %s",
              c->film->outputs[0].options.file, c->edited,
              changed->count ? "; changed in frames " : "",
              changed->count ? frame_ranges_text(changed, arena) : "", drawn_text(c, arena));
    arena_destroy(arena);
}

static bool open_directory(Checkpoint *c, Diag *diag)
{
    const CheckpointMode mode = c->options.mode;
    if (!c->directory)
        return diag_fail(diag, DIAG_INTERNAL, "none of the outputs can be resumed");
    if ((!c->options.directory && !write_root_check_beside(c->directory, diag)) ||
        !checkpoint_check_links(c->directory, diag))
        return false;
    c->written =
        written_files_load(c->directory, mode == CHECKPOINT_OVERWRITE, c->options.stop, c->arena);
    if (!fingerprint_make(&c->fingerprint, c->film, c->options.stop, c->arena, diag) ||
        !check_directory(c, diag))
        return false;
    if (mode != CHECKPOINT_READ_ONLY && c->edited && c->options.shard.count > 1) {
        if (!claim_for_shards(c, diag))
            return false;
    } else if (mode != CHECKPOINT_READ_ONLY &&
               (!lock_segments(c, diag) || !claim_directory(c, diag))) {
        return false;
    }
    if (!load(c, diag))
        return false;
    if (c->edited)
        report_edit(c, diag);
    return mode == CHECKPOINT_READ_ONLY ||
           (check_outputs(c, diag) && written_files_flush(c->written, diag) &&
            begin_runs(c, diag) && start_run(c, diag));
}

Checkpoint *checkpoint_open(const Film *film, const CheckpointOptions *options, Diag *diag)
{
    Checkpoint *c = create(film, options);
    if (open_directory(c, diag))
        return c;
    checkpoint_close(c);
    return NULL;
}

void checkpoint_close(Checkpoint *c)
{
    if (!c)
        return;
    end_runs(c);
    ledger_close(&c->ledger);
    output_locks_release(c->output_locks);
    lock_release(&c->lock);
    arena_destroy(c->scratch);
    arena_destroy(c->arena);
}

/* ---- comparison with the earlier film ---- */

const EarlierFilm *checkpoint_earlier(const Checkpoint *c)
{
    return c->options.shard.count == 1 && c->reuse.earlier.film && c->runs.count ? &c->reuse.earlier
                                                                                 : NULL;
}

void checkpoint_set_compared(Checkpoint *c, const FrameChange *changes, size_t count,
                             int64_t picture_pixels, const int64_t *shown, size_t shown_count)
{
    RunRecord *run = &c->runs.items[0];
    run->compared = arena_copy(c->arena, changes, count * sizeof *changes);
    run->compared_count = count;
    run->picture_pixels = picture_pixels;
    run->shown = arena_copy(c->arena, shown, shown_count * sizeof *shown);
    run->shown_count = shown_count;
}

/* ---- adding ---- */

const Fingerprint *checkpoint_fingerprint(const Checkpoint *c)
{
    return &c->fingerprint;
}

void checkpoint_set_picture(Checkpoint *c, int64_t index, const PictureDigest *picture)
{
    PictureDigest **block = &c->pictures[index / PICTURES_OF_BLOCK];
    if (!*block)
        *block = arena_array(c->arena, PictureDigest, PICTURES_OF_BLOCK);
    (*block)[index % PICTURES_OF_BLOCK] = *picture;
}

/* Zeros for a frame that this run did not evaluate. */
static PictureDigest picture_at(const Checkpoint *c, int64_t index)
{
    const PictureDigest *block = c->pictures[index / PICTURES_OF_BLOCK];
    return block ? block[index % PICTURES_OF_BLOCK] : (PictureDigest){{0}};
}

static void add_verified(Checkpoint *c, const LedgerEntry *entry, int64_t index)
{
    completed_set_claim(&c->completed[entry->output], index, &entry->record, &entry->identity)
        ->verified = true;
}

bool checkpoint_add_frame(Checkpoint *c, size_t output, int64_t index, const SinkRecord *record,
                          Diag *diag)
{
    const PictureDigest picture = picture_at(c, index);
    const LedgerEntry entry = {film_frame_at(c->film, index), output, *record,
                               frame_identity_make(&c->settings[output], &picture, 1, 0)};
    if (!ledger_add(&c->ledger, &entry, 1, diag))
        return false;
    add_verified(c, &entry, index);
    return true;
}

bool checkpoint_add_segment(Checkpoint *c, size_t output, int64_t segment, Diag *diag)
{
    arena_reset(c->scratch);
    const FilmSpan indices = film_segment(c->film, segment);
    const size_t count = (size_t)(indices.end - indices.first);
    const char *file = checkpoint_segment_file(c, output, segment, c->scratch);
    SinkRecord *on_disk = arena_array(c->scratch, SinkRecord, count);
    if (!c->film->outputs[output].kind->segments->inspect(on_disk, count, file))
        return diag_fail(diag, DIAG_IO, "'%s' cannot be read back as it was written", file);
    LedgerEntry *entries = arena_array(c->scratch, LedgerEntry, count);
    PictureDigest *pictures = arena_array(c->scratch, PictureDigest, count);
    for (size_t i = 0; i < count; i++)
        pictures[i] = picture_at(c, indices.first + (int64_t)i);
    for (size_t i = 0; i < count; i++)
        entries[i] =
            (LedgerEntry){film_frame_at(c->film, indices.first + (int64_t)i), output, on_disk[i],
                          frame_identity_make(&c->settings[output], pictures, count, i)};
    if (!ledger_add(&c->ledger, entries, count, diag) || !ledger_sync(&c->ledger, diag))
        return false;
    for (size_t i = 0; i < count; i++)
        add_verified(c, &entries[i], indices.first + (int64_t)i);
    return true;
}

/* ---- finishing ---- */

/* Number and bytes of the stills of each output. */
static FileRecord *sum_stills(const Checkpoint *c)
{
    const Film *film = c->film;
    FileRecord *stills = arena_array(c->scratch, FileRecord, film->output_count);
    for (size_t i = 0; i < film->output_count; i++) {
        const bool is_stills = checkpoint_kind(&film->outputs[i]) == CHECKPOINT_STILLS;
        for (int64_t p = 0; is_stills && p < film->frame_count; p++) {
            const CompletedRecord *record = completed_set_find(&c->completed[i], p);
            stills[i].frames += record && record->verified;
            stills[i].bytes += record && record->verified ? record->record.bytes : 0;
        }
    }
    return stills;
}

bool checkpoint_finish(Checkpoint *c, Diag *diag)
{
    arena_reset(c->scratch);
    if (c->ledger.fd >= 0 && !ledger_sync(&c->ledger, diag))
        return false;
    if (!checkpoint_report_save(c->directory, c->film, &c->fingerprint, sum_stills(c),
                                c->options.stop, diag))
        return false;
    checkpoint_clean_work(c->directory);
    c->finished = true;
    return written_files_compact(c->directory, diag);
}
