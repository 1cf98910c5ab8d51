#include "checkpoint/checkpoint.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "checkpoint/completed_set.h"
#include "film/frame_ranges.h"
#include "checkpoint/ledger.h"
#include "checkpoint/lock.h"
#include "checkpoint/checkpoint_files.h"
#include "checkpoint/checkpoint_job.h"
#include "checkpoint/checkpoint_report.h"
#include "checkpoint/checkpoint_clean.h"
#include "checkpoint/renderer_record.h"

enum { LOCK_WAIT_MS = 2000 };

struct Checkpoint {
    const Film *film;
    CheckpointOptions options;
    const char *folder;      /* without a slash at its end */
    FilmSpan pieces, places; /* of the shard */
    Fingerprint identity;
    int lock;
    Ledger ledger;
    LedgerTail tail;    /* of this shard's ledger */
    CompletedSet *done; /* [output_count] */
    CheckpointReport report;
    bool draws;         /* this run draws frames, with: */
    GlProbe gl;
    bool has_report, finished; /* has_report: of this job */
    Arena *arena, *scratch;
};

/* ---- names ---- */

/* Where a file is that stands for the output's folder, without folders that are made by a number.
 */
static const char *folder_beside(const char *file, Arena *arena)
{
    const char *name = path_name(file), *percent = strchr(file, '%'), *at = percent;
    size_t length = (size_t)(name - file);
    if (percent && percent < name) {
        while (at > file && at[-1] != '/')
            at--;
        length = (size_t)(at - file);
    }
    return arena_printf(arena, "%.*s.%s.odori", (int)length, file, name);
}

const char *checkpoint_folder(const Film *film, Arena *arena)
{
    for (size_t i = 0; i < film->output_count; i++) {
        const CheckpointKind sort = checkpoint_kind(&film->outputs[i]);
        if (sort == CHECKPOINT_SEGMENTS || sort == CHECKPOINT_STILLS)
            return folder_beside(film->outputs[i].options.file, arena);
    }
    return NULL;
}

const char *checkpoint_segment_file(const Checkpoint *state, size_t output, int64_t piece,
                                    Arena *arena)
{
    const char *extension = state->film->outputs[output].kind->segments->extension;
    return arena_printf(arena, "%s/piece/%s", state->folder,
                        checkpoint_segment_name(output, piece, extension, arena));
}

const char *checkpoint_bake_file(const Checkpoint *state, const Digest *digest, Arena *arena)
{
    char text[DIGEST_TEXT_SIZE];
    digest_text(text, digest);
    return arena_printf(arena, "%s/bake/%s.bake", state->folder, text);
}

const GlProbe *checkpoint_gl(const Checkpoint *state)
{
    return state->draws ? &state->gl : NULL;
}

const Fingerprint *checkpoint_fingerprint(const Checkpoint *state)
{
    return &state->identity;
}

const char *checkpoint_folder_of(const Checkpoint *state)
{
    return state->folder;
}

static bool is_stopped(const Checkpoint *state)
{
    return state->options.stop && *state->options.stop;
}

/* ---- what the ledgers say ---- */

static void take_picture(void *user, const LedgerPicture *picture)
{
    Checkpoint *state = user;
    const int64_t place = film_index_of(state->film, picture->frame);
    if (place >= 0 && picture->output < state->film->output_count)
        completed_set_claim(&state->done[picture->output], place, &picture->record);
}

typedef struct Found {
    const char *name;
    struct timespec changed;
} Found;

typedef struct FoundList {
    Found *items;
    size_t count, capacity;
} FoundList;

/* Where two ledgers speak of one picture the later one is right. */
static int by_change(const void *a, const void *b)
{
    const Found *left = a, *right = b;
    if (left->changed.tv_sec != right->changed.tv_sec)
        return left->changed.tv_sec < right->changed.tv_sec ? -1 : 1;
    if (left->changed.tv_nsec != right->changed.tv_nsec)
        return left->changed.tv_nsec < right->changed.tv_nsec ? -1 : 1;
    return strcmp(left->name, right->name);
}

static bool find_ledgers(FoundList *found, const Checkpoint *state, const char *folder, Diag *diag)
{
    DIR *list = file_open_folder(folder);
    if (!list)
        return errno == ENOENT || errno == ENOTDIR ||
               diag_fail(diag, DIAG_IO, "cannot read '%s': %s", folder, strerror(errno));
    for (const struct dirent *entry; (entry = readdir(list)) != NULL;) {
        struct stat st;
        if (!checkpoint_is_ledger_name(entry->d_name) ||
            fstatat(dirfd(list), entry->d_name, &st, 0) != 0 || !S_ISREG(st.st_mode))
            continue;
        *arena_push(state->scratch, found) =
            (Found){arena_strdup(state->scratch, entry->d_name), st.st_mtim};
    }
    closedir(list);
    if (found->count)
        qsort(found->items, found->count, sizeof *found->items, by_change);
    return true;
}

static bool read_ledgers(Checkpoint *state, Diag *diag)
{
    const char *folder = arena_printf(state->scratch, "%s/ledger", state->folder);
    const char *own = checkpoint_ledger_name(state->options.shard, state->scratch);
    FoundList found = {0};
    bool ok = find_ledgers(&found, state, folder, diag);
    for (size_t i = 0; ok && i < found.count; i++) {
        LedgerTail tail;
        const char *name = found.items[i].name;
        const char *file = arena_printf(state->scratch, "%s/%s", folder, name);
        ok = ledger_read(file, take_picture, state, &tail, diag) && !is_stopped(state);
        if (!strcmp(name, own))
            state->tail = tail;
    }
    return ok;
}

/* ---- what the files say ---- */

static bool records_equal(const SinkRecord *a, const SinkRecord *b)
{
    return a->bytes == b->bytes && digest_equal(&a->digest, &b->digest);
}

static void look_at_stills(Checkpoint *state, size_t output, FilmSpan places)
{
    const FilmOutput *out = &state->film->outputs[output];
    for (int64_t p = places.first; p < places.end && !is_stopped(state); p++) {
        CompletedRecord *claimed = completed_set_find(&state->done[output], p);
        SinkRecord there;
        if (claimed && !claimed->sure)
            claimed->sure =
                out->kind->inspect(&there, &out->options, film_frame_at(state->film, p)) &&
                records_equal(&there, &claimed->record);
    }
}

static bool is_claimed(const CompletedSet *done, FilmSpan places)
{
    for (int64_t p = places.first; p < places.end; p++)
        if (!completed_set_find(done, p))
            return false;
    return true;
}

/* What a piece holds, in the scratch arena; NULL when it is not there, or not whole. */
static const SinkRecord *inspect_piece(const Checkpoint *state, size_t output, int64_t piece)
{
    const FilmSpan places = film_segment(state->film, piece);
    const size_t count = (size_t)(places.end - places.first);
    SinkRecord *there = arena_array(state->scratch, SinkRecord, count);
    const char *file = checkpoint_segment_file(state, output, piece, state->scratch);
    return state->film->outputs[output].kind->segments->inspect(there, count, file) ? there : NULL;
}

static void look_at_piece(Checkpoint *state, size_t output, int64_t piece)
{
    CompletedSet *done = &state->done[output];
    const FilmSpan places = film_segment(state->film, piece);
    const SinkRecord *there = is_claimed(done, places) ? inspect_piece(state, output, piece) : NULL;
    bool same = there != NULL;
    for (int64_t p = places.first; same && p < places.end; p++)
        same = records_equal(&there[p - places.first], &completed_set_find(done, p)->record);
    for (int64_t p = places.first; same && p < places.end; p++)
        completed_set_find(done, p)->sure = true;
}

static void look_at_files(Checkpoint *state)
{
    for (size_t i = 0; i < state->film->output_count; i++) {
        const CheckpointKind sort = checkpoint_kind(&state->film->outputs[i]);
        if (sort == CHECKPOINT_STILLS)
            look_at_stills(state, i, state->places);
        for (int64_t p = state->pieces.first; sort == CHECKPOINT_SEGMENTS && p < state->pieces.end;
             p++) {
            arena_reset(state->scratch);
            if (!is_stopped(state))
                look_at_piece(state, i, p);
        }
    }
}

/* ---- is it finished ---- */

static bool are_stills_there(Checkpoint *state, size_t output)
{
    const FilmOutput *out = &state->film->outputs[output];
    look_at_stills(state, output, (FilmSpan){0, state->film->frame_count});
    for (int64_t p = 0; p < state->film->frame_count; p++)
        if (!completed_set_is_sure(&state->done[output], p) &&
            film_output_takes(out, film_frame_at(state->film, p)))
            return false;
    return true;
}

static bool is_output_there(Checkpoint *state, size_t output)
{
    const FilmOutput *out = &state->film->outputs[output];
    switch (checkpoint_kind(out)) {
    case CHECKPOINT_NOTHING:
        return true;
    case CHECKPOINT_STILLS:
        return are_stills_there(state, output);
    case CHECKPOINT_SEGMENTS:
    case CHECKPOINT_WHOLE:
        break;
    }
    return (state->report.same_tags || out->kind == &sink_hash) &&
           checkpoint_report_confirms(&state->report.outputs.items[output], out->options.file,
                                      state->options.stop);
}

/* The film's own files first: they are quicker to compare than many stills. */
static bool look_at_outputs(Checkpoint *state)
{
    const size_t count = state->film->output_count;
    bool there = state->has_report && state->report.outputs.count == count;
    for (int stills = 0; stills < 2; stills++)
        for (size_t i = 0; there && i < count; i++)
            if ((checkpoint_kind(&state->film->outputs[i]) == CHECKPOINT_STILLS) == (stills == 1))
                there = is_output_there(state, i);
    return there && !is_stopped(state);
}

bool checkpoint_is_finished(const Checkpoint *state)
{
    return state->finished;
}

bool checkpoint_has_previews(const Checkpoint *state)
{
    const Film *film = state->film;
    const CheckpointReport *report = &state->report;
    bool there = state->has_report && report->previews.count == film->preview_count &&
                 digest_equal(&report->previews_digest, &state->identity.previews);
    for (size_t i = 0; there && i < film->preview_count; i++)
        there = checkpoint_report_confirms(
            &report->previews.items[i], film->previews[i].output.options.file, state->options.stop);
    return there;
}

/* ---- what is there, and what lacks ---- */

bool checkpoint_has(const Checkpoint *state, size_t output, int64_t place)
{
    const FilmOutput *out = &state->film->outputs[output];
    const CheckpointKind sort = checkpoint_kind(out);
    return state->finished || sort == CHECKPOINT_NOTHING ||
           completed_set_is_sure(&state->done[output], place) ||
           !film_output_takes(out, film_frame_at(state->film, place));
}

static bool lacks(const Checkpoint *state, int64_t place)
{
    for (size_t i = 0; i < state->film->output_count; i++)
        if (checkpoint_kind(&state->film->outputs[i]) != CHECKPOINT_WHOLE &&
            !checkpoint_has(state, i, place))
            return true;
    return false;
}

static bool lacks_any(const Checkpoint *state)
{
    for (int64_t p = state->places.first; p < state->places.end; p++)
        if (lacks(state, p))
            return true;
    return false;
}

JobFrames checkpoint_missing(const Checkpoint *state, Arena *arena)
{
    FrameRangeList missing = {0};
    for (int64_t p = state->places.first; p < state->places.end; p++) {
        const int64_t frame = film_frame_at(state->film, p);
        if (lacks(state, p))
            frame_ranges_add(&missing, (JobRange){frame, frame}, arena);
    }
    return (JobFrames){missing.items, missing.count};
}

/* ---- --no-clobber ---- */

static bool is_later(struct timespec a, struct timespec b)
{
    return a.tv_sec != b.tv_sec ? a.tv_sec > b.tv_sec : a.tv_nsec >= b.tv_nsec;
}

/* Was it there before the folder?  What is younger comes from a run that died before it said so. */
static bool is_older(const Checkpoint *state, const char *file)
{
    char job[4096];
    struct stat record, st;
    snprintf(job, sizeof job, "%s/job.json", state->folder);
    return stat(file, &st) == 0 &&
           (stat(job, &record) != 0 || !is_later(st.st_mtim, record.st_mtim));
}

static bool refuse(const char *file, Diag *diag)
{
    return diag_fail(diag, DIAG_CREATE,
                     "'%s' exists and is not of this job; --overwrite replaces it", file);
}

static bool spare_stills(const Checkpoint *state, size_t output, Diag *diag)
{
    char name[4096];
    for (int64_t p = state->places.first; p < state->places.end; p++)
        if (!checkpoint_has(state, output, p) &&
            sink_png_name(name, sizeof name, state->film->outputs[output].options.file,
                          film_frame_at(state->film, p)) &&
            is_older(state, name))
            return refuse(name, diag);
    return true;
}

static bool spare_outputs(const Checkpoint *state, Diag *diag)
{
    const Film *film = state->film;
    bool ok = true;
    for (size_t i = 0; ok && !state->finished && i < film->output_count; i++) {
        const char *file = film->outputs[i].options.file;
        const CheckpointKind sort = checkpoint_kind(&film->outputs[i]);
        if (sort == CHECKPOINT_STILLS)
            ok = spare_stills(state, i, diag);
        else if (sort != CHECKPOINT_NOTHING && is_older(state, file))
            ok = refuse(file, diag);
    }
    for (size_t i = 0; ok && !state->finished && i < film->preview_count; i++)
        if (is_older(state, film->previews[i].output.options.file))
            ok = refuse(film->previews[i].output.options.file, diag);
    return ok;
}

/* ---- opening ---- */

static void say_nothing(void *user, DiagLevel level, const char *message)
{
    (void)user;
    (void)level;
    (void)message;
}

/* "there/" is "there". */
static const char *without_slash(const char *folder, Arena *arena)
{
    size_t size = folder ? strlen(folder) : 0;
    while (size > 1 && folder[size - 1] == '/')
        size--;
    return folder ? arena_strndup(arena, folder, size) : NULL;
}

static Checkpoint *create(const Film *film, const CheckpointOptions *options)
{
    Arena *arena = arena_create();
    Checkpoint *state = arena_array(arena, Checkpoint, 1);
    *state = (Checkpoint){.film = film,
                          .options = *options,
                          .folder = options->folder ? without_slash(options->folder, arena)
                                                    : checkpoint_folder(film, arena),
                          .pieces = film_shard_segments(film, options->shard),
                          .places = film_shard_span(film, options->shard),
                          .lock = -1,
                          .ledger = {.fd = -1},
                          .done = arena_array(arena, CompletedSet, film->output_count),
                          .arena = arena,
                          .scratch = arena_create()};
    for (size_t i = 0; i < film->output_count; i++)
        state->done[i] = completed_set_init(film->frame_count, arena);
    return state;
}

/* A shard alone may not throw away what the others do. */
static bool may_overwrite(const Checkpoint *state, Diag *diag)
{
    Diag trial;
    bool there;
    diag_init(&trial, say_nothing, NULL);
    return checkpoint_job_check(&there, state->folder, &state->identity, &trial) ||
           diag_fail(diag, DIAG_USAGE,
                     "'%s' is another job's: --overwrite takes no shard, remove the folder first",
                     state->folder);
}

/* Looks whose the folder is before anything is changed. */
static bool check_folder(Checkpoint *state, Diag *diag)
{
    bool there = false;
    if (state->options.mode == CHECKPOINT_OVERWRITE && state->options.shard.count > 1) {
        state->options.mode = CHECKPOINT_RESUME;
        return may_overwrite(state, diag);
    }
    return state->options.mode == CHECKPOINT_OVERWRITE ||
           (checkpoint_job_check(&there, state->folder, &state->identity, diag) &&
            (there || state->options.mode != CHECKPOINT_NO_CLOBBER || spare_outputs(state, diag)));
}

static void take_nothing(void *user, const LedgerPicture *picture)
{
    (void)user;
    (void)picture;
}

/* Who began last, to say who holds the lock. */
static const char *last_run(const Checkpoint *state)
{
    LedgerTail tail;
    Diag trial;
    diag_init(&trial, say_nothing, NULL);
    const char *file = arena_printf(state->scratch, "%s/ledger/%s", state->folder,
                                    checkpoint_ledger_name(state->options.shard, state->scratch));
    ledger_read(file, take_nothing, NULL, &tail, &trial);
    return arena_strdup(state->scratch, tail.run);
}

static bool lock_pieces(Checkpoint *state, Diag *diag)
{
    const FilmSpan all = {0, LOCK_TO_END};
    const char *file = arena_printf(state->scratch, "%s/lock", state->folder);
    return lock_take(&state->lock, file, state->options.shard.count == 1 ? all : state->pieces,
                     LOCK_WAIT_MS, last_run(state), state->options.stop, diag);
}

/* Makes the folder this job's, or finds that it is: others may do so at the same moment. */
static bool take_folder(Checkpoint *state, Diag *diag)
{
    const bool anew = state->options.mode == CHECKPOINT_OVERWRITE;
    bool there = false;
    checkpoint_clean_temporaries(state->folder, state->film, state->options.shard);
    if (anew)
        checkpoint_clean_all(state->folder);
    else if (!checkpoint_job_check(&there, state->folder, &state->identity, diag))
        return false;
    return (there ||
            checkpoint_job_save(state->folder, &state->identity, state->options.shard, diag)) &&
           checkpoint_job_check(&there, state->folder, &state->identity, diag) &&
           file_make_parent_dirs(arena_printf(state->scratch, "%s/piece/any", state->folder), diag);
}

static bool load(Checkpoint *state, Diag *diag)
{
    if (!read_ledgers(state, diag))
        return false;
    state->has_report =
        checkpoint_report_load(&state->report, state->folder, state->film, state->arena, diag) &&
        digest_equal(&state->report.digest, &state->identity.digest);
    state->finished = look_at_outputs(state);
    if (!state->finished)
        look_at_files(state);
    return !is_stopped(state);
}

/* Counts this run, if it has something to do and is not one too many. */
static bool begin(Checkpoint *state, Diag *diag)
{
    const CheckpointOptions *options = &state->options;
    if (state->finished && options->shard.count == 1)
        checkpoint_clean_work(state->folder); /* a run that died between its report and this */
    if (state->finished || !lacks_any(state))
        return true;
    const char *file = arena_printf(state->scratch, "%s/ledger/%s", state->folder,
                                    checkpoint_ledger_name(options->shard, state->scratch));
    if (options->max_stalled_runs > 0 && state->tail.runs >= options->max_stalled_runs)
        return diag_fail(diag, DIAG_INTERNAL,
                         "%d runs brought no new picture; see '%s' for who ran", state->tail.runs,
                         file);
    state->draws = options->max_stalled_runs >= 0;
    return !state->draws ||
           (film_probe_gl(&state->gl, state->film, diag) &&
            renderer_record_check(state->folder, state->gl.renderer, options->accept_renderer,
                                  diag) &&
            ledger_open(&state->ledger, file, diag) && ledger_add_run(&state->ledger, diag));
}

static bool open_folder(Checkpoint *state, Diag *diag)
{
    const CheckpointMode mode = state->options.mode;
    if (!state->folder)
        return diag_fail(diag, DIAG_INTERNAL, "no output of this film can be gone on with");
    if (!fingerprint_make(&state->identity, state->film, state->options.stop, state->arena, diag) ||
        !check_folder(state, diag))
        return false;
    if (mode != CHECKPOINT_READ_ONLY && (!lock_pieces(state, diag) || !take_folder(state, diag)))
        return false;
    return load(state, diag) && (mode != CHECKPOINT_NO_CLOBBER || spare_outputs(state, diag)) &&
           (mode == CHECKPOINT_READ_ONLY || begin(state, diag));
}

Checkpoint *checkpoint_open(const Film *film, const CheckpointOptions *options, Diag *diag)
{
    Checkpoint *state = create(film, options);
    if (open_folder(state, diag))
        return state;
    checkpoint_close(state);
    return NULL;
}

void checkpoint_close(Checkpoint *state)
{
    if (!state)
        return;
    ledger_close(&state->ledger);
    if (state->lock >= 0)
        close(state->lock);
    arena_destroy(state->scratch);
    arena_destroy(state->arena);
}

/* ---- adding ---- */

static void take_sure(Checkpoint *state, const LedgerPicture *picture, int64_t place)
{
    completed_set_claim(&state->done[picture->output], place, &picture->record);
    completed_set_find(&state->done[picture->output], place)->sure = true;
}

bool checkpoint_add_picture(Checkpoint *state, size_t output, int64_t place,
                            const SinkRecord *record, Diag *diag)
{
    const LedgerPicture picture = {film_frame_at(state->film, place), output, *record};
    if (!ledger_add(&state->ledger, &picture, 1, diag))
        return false;
    take_sure(state, &picture, place);
    return true;
}

bool checkpoint_add_segment(Checkpoint *state, size_t output, int64_t piece, Diag *diag)
{
    arena_reset(state->scratch);
    const FilmSpan places = film_segment(state->film, piece);
    const size_t count = (size_t)(places.end - places.first);
    const SinkRecord *there = inspect_piece(state, output, piece);
    if (!there)
        return diag_fail(diag, DIAG_IO, "'%s' is not whole when read back",
                         checkpoint_segment_file(state, output, piece, state->scratch));
    LedgerPicture *pictures = arena_array(state->scratch, LedgerPicture, count);
    for (size_t i = 0; i < count; i++)
        pictures[i] = (LedgerPicture){film_frame_at(state->film, places.first + (int64_t)i), output,
                                      there[i]};
    if (!ledger_add(&state->ledger, pictures, count, diag) || !ledger_sync(&state->ledger, diag))
        return false;
    for (size_t i = 0; i < count; i++)
        take_sure(state, &pictures[i], places.first + (int64_t)i);
    return true;
}

/* ---- the end ---- */

/* Pictures and bytes of each output in stills. */
static ReportFile *sum_stills(const Checkpoint *state)
{
    const Film *film = state->film;
    ReportFile *stills = arena_array(state->scratch, ReportFile, film->output_count);
    for (size_t i = 0; i < film->output_count; i++)
        for (int64_t p = 0;
             checkpoint_kind(&film->outputs[i]) == CHECKPOINT_STILLS && p < film->frame_count;
             p++) {
            const CompletedRecord *record = completed_set_find(&state->done[i], p);
            stills[i].pictures += record && record->sure;
            stills[i].bytes += record && record->sure ? record->record.bytes : 0;
        }
    return stills;
}

bool checkpoint_finish(Checkpoint *state, Diag *diag)
{
    arena_reset(state->scratch);
    if (state->ledger.fd >= 0 && !ledger_sync(&state->ledger, diag))
        return false;
    if (!checkpoint_report_save(state->folder, state->film, &state->identity, sum_stills(state),
                                state->options.stop, diag))
        return false;
    checkpoint_clean_work(state->folder);
    state->finished = true;
    return true;
}
