#include "inspect/status.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/json.h"
#include "film/frame_ranges.h"
#include "job/option_text.h"
#include "checkpoint/checkpoint_files.h"
#include "checkpoint/checkpoint_read.h"

typedef struct OutputStatus {
    const char *file;
    const char *sort;
    int64_t taken, done; /* pictures */
    JobFrames missing;
    bool whole;     /* under its final name, as large as the report says; or all stills are there */
    uint64_t bytes; /* of what is done */
} OutputStatus;

typedef struct Status {
    const CheckpointContent *look;
    OutputStatus *outputs;
    JobFrames missing;   /* that some output lacks */
    const char *word;    /* "finished", "running", ... */
    const char *changed; /* what the job says otherwise than the folder; NULL: nothing */
    int64_t now;
} Status;

static int64_t size_of(const char *file)
{
    struct stat st;
    return stat(file, &st) == 0 && S_ISREG(st.st_mode) ? (int64_t)st.st_size : -1;
}

/* ---- pictures ---- */

static bool is_still_there(const FilmOutput *out, int64_t frame, const CompletedRecord *record)
{
    char name[4096];
    return record && sink_png_name(name, sizeof name, out->options.file, frame) &&
           size_of(name) == (int64_t)record->record.bytes;
}

/* A piece is a file larger than the pictures that it holds. */
static bool is_piece_there(const CheckpointContent *look, size_t output, int64_t piece,
                           Arena *arena)
{
    const FilmSpan places = film_segment(&look->film, piece);
    const char *extension = look->film.outputs[output].kind->pieces->extension;
    int64_t sum = 0;
    for (int64_t p = places.first; p < places.end; p++) {
        const CompletedRecord *record = completed_set_find(&look->done[output], p);
        if (!record)
            return false;
        sum += (int64_t)record->record.bytes;
    }
    return size_of(arena_printf(arena, "%s/piece/%s", look->folder,
                                checkpoint_segment_name(output, piece, extension, arena))) >= sum;
}

static bool is_whole_there(const CheckpointContent *look, size_t output)
{
    const int64_t size = size_of(look->film.outputs[output].options.file);
    return look->has_report && size >= 0 &&
           (uint64_t)size == look->report.outputs.items[output].bytes;
}

static bool is_picture_there(const CheckpointContent *look, size_t output, int64_t place)
{
    const FilmOutput *out = &look->film.outputs[output];
    return checkpoint_kind(out) == CHECKPOINT_STILLS &&
           is_still_there(out, film_frame_at(&look->film, place),
                          completed_set_find(&look->done[output], place));
}

static const char *sort_name(CheckpointKind sort)
{
    static const char *const names[] = {[CHECKPOINT_SEGMENTS] = "pieces",
                                        [CHECKPOINT_STILLS] = "pictures",
                                        [CHECKPOINT_WHOLE] = "one file",
                                        [CHECKPOINT_NOTHING] = "nothing"};
    return names[sort];
}

/* Piece by piece, since pictures of a piece are there together. */
static void look_at_output(OutputStatus *out, const CheckpointContent *look, size_t index,
                           Arena *arena)
{
    const Film *film = &look->film;
    const CheckpointKind sort = checkpoint_kind(&film->outputs[index]);
    const bool whole =
        sort == CHECKPOINT_NOTHING || (sort != CHECKPOINT_STILLS && is_whole_there(look, index));
    FrameRangeList missing = {0};
    Arena *scratch = arena_create();
    *out = (OutputStatus){.file = film->outputs[index].options.file,
                          .sort = sort_name(sort),
                          .taken = film->frame_count};
    for (int64_t piece = 0; piece < film_segment_count(film); piece++) {
        const FilmSpan places = film_segment(film, piece);
        const bool there =
            whole || (sort == CHECKPOINT_SEGMENTS && is_piece_there(look, index, piece, scratch));
        for (int64_t p = places.first; p < places.end; p++) {
            const int64_t frame = film_frame_at(film, p);
            const CompletedRecord *record = completed_set_find(&look->done[index], p);
            if (there || is_picture_there(look, index, p)) {
                out->done++;
                out->bytes += record ? record->record.bytes : 0;
            } else {
                frame_ranges_add(&missing, (JobRange){frame, frame}, arena);
            }
        }
        arena_reset(scratch);
    }
    arena_destroy(scratch);
    out->missing = (JobFrames){missing.items, missing.count};
    out->whole = whole || (sort == CHECKPOINT_STILLS && out->done == out->taken);
    if (whole && sort != CHECKPOINT_NOTHING)
        out->bytes = look->report.outputs.items[index].bytes;
}

/* ---- of all outputs ---- */

static bool lacks(const JobFrames *missing, int64_t frame, size_t *at)
{
    while (*at < missing->count && missing->items[*at].last < frame)
        ++*at;
    return *at < missing->count && missing->items[*at].first <= frame;
}

static JobFrames missing_of_all(const Status *status, Arena *arena)
{
    const Film *film = &status->look->film;
    size_t *at = arena_array(arena, size_t, film->output_count);
    FrameRangeList set = {0};
    for (int64_t p = 0; p < film->frame_count; p++) {
        const int64_t frame = film_frame_at(film, p);
        bool any = false;
        for (size_t i = 0; i < film->output_count; i++)
            any |= lacks(&status->outputs[i].missing, frame, &at[i]);
        if (any)
            frame_ranges_add(&set, (JobRange){frame, frame}, arena);
    }
    return (JobFrames){set.items, set.count};
}

static bool are_outputs_whole(const Status *status)
{
    for (size_t i = 0; i < status->look->film.output_count; i++)
        if (!status->outputs[i].whole)
            return false;
    return status->look->has_report;
}

static const char *word_of(const Status *status)
{
    const CheckpointContent *look = status->look;
    if (are_outputs_whole(status))
        return "finished";
    if (look->held.count)
        return "running";
    if (!status->missing.count)
        return "drawn, not joined";
    return look->shards.count ? "stopped" : "not begun";
}

/* ---- has the job changed since ---- */

typedef struct Comparing {
    const CheckpointContent *look;
    const char *first; /* that differs */
    size_t count;
    Arena *arena;
} Comparing;

static void compare_option(void *user, const char *key, const char *value, OptionAffects reach)
{
    Comparing *c = user;
    const CheckpointContent *look = c->look;
    if (reach != AFFECTS_PICTURE)
        return;
    for (size_t i = 0; i < look->covered; i++)
        if (!strcmp(look->facts.items[i].key, key)) {
            if (!strcmp(look->facts.items[i].value, value))
                return;
            if (!c->count++)
                c->first = arena_printf(c->arena, "%s: %s there, %s here", key,
                                        look->facts.items[i].value, value);
            return;
        }
    if (!c->count++)
        c->first = arena_printf(c->arena, "%s: %s here", key, value);
}

static void compare_inputs(Comparing *c)
{
    for (size_t i = 0; i < c->look->inputs.count; i++) {
        const CheckpointInput *input = &c->look->inputs.items[i];
        const int64_t size = size_of(input->file);
        if (size >= 0 && (uint64_t)size == input->bytes)
            continue;
        if (!c->count++)
            c->first = arena_printf(c->arena, "'%s' is %s", input->file,
                                    size < 0 ? "gone" : "of another size");
    }
}

static const char *changes(const CheckpointContent *look, const Job *job, Arena *arena)
{
    Comparing c = {.look = look, .arena = arena};
    option_each(job, compare_option, &c);
    compare_inputs(&c);
    return c.count > 1 ? arena_printf(arena, "%s; %zu more", c.first, c.count - 1) : c.first;
}

/* ---- as text ---- */

static void put_output(FILE *out, const OutputStatus *o)
{
    fprintf(out, "  output   %s (%s): ", o->file, o->sort);
    if (o->whole)
        fprintf(out, "whole, %" PRIu64 " bytes\n", o->bytes);
    else
        fprintf(out, "%" PRId64 " of %" PRId64 " pictures, %" PRIu64 " bytes\n", o->done, o->taken,
                o->bytes);
}

static void put_shard(FILE *out, const CheckpointShard *shard, int64_t now)
{
    fprintf(out, "  shard    %s: %" PRId64 " pictures", shard->name, shard->tail.pictures);
    if (shard->tail.run[0])
        fprintf(out, ", last run %s", shard->tail.run);
    if (shard->tail.runs > 1)
        fprintf(out, ", %d runs without a new one", shard->tail.runs);
    fprintf(out, ", written %" PRId64 " s ago\n", now > shard->changed ? now - shard->changed : 0);
}

static void put_frames(FILE *out, const char *what, const JobFrames *frames)
{
    fprintf(out, "  %s ", what);
    frame_ranges_write(out, frames);
    fputc('\n', out);
}

static void put_text(FILE *out, const Status *status)
{
    const CheckpointContent *look = status->look;
    const Film *film = &look->film;
    const int64_t lacking = film_frame_count(&status->missing);
    fprintf(out, "%s: %s, %" PRId64 " of %" PRId64 " frames in %s\n", film->job->name, status->word,
            film->frame_count - lacking, film->frame_count, look->folder);
    if (lacking)
        put_frames(out, "missing ", &status->missing);
    if (look->held.count)
        put_frames(out, "at work ", &look->held);
    for (size_t i = 0; i < film->output_count; i++)
        put_output(out, &status->outputs[i]);
    for (size_t i = 0; i < look->shards.count; i++)
        put_shard(out, &look->shards.items[i], status->now);
    if (status->changed)
        fprintf(out, "  changed  %s\n", status->changed);
}

/* ---- as JSON ---- */

static void json_output(Json *json, const OutputStatus *o)
{
    json_newline(json);
    json_open(json, '{');
    json_pair_text(json, "file", o->file);
    json_pair_text(json, "sort", o->sort);
    json_pair_bool(json, "whole", o->whole);
    json_pair_int(json, "pictures", o->taken);
    json_pair_int(json, "done", o->done);
    json_pair_int(json, "bytes", (int64_t)o->bytes);
    frame_ranges_write_json(json, "missing", &o->missing);
    json_close(json, '}');
}

static void json_shard(Json *json, const CheckpointShard *shard)
{
    json_newline(json);
    json_open(json, '{');
    json_pair_text(json, "shard", shard->name);
    json_pair_int(json, "pictures", shard->tail.pictures);
    json_pair_text(json, "run", shard->tail.run[0] ? shard->tail.run : NULL);
    json_pair_int(json, "runs_without", shard->tail.runs);
    json_pair_int(json, "changed", shard->changed);
    json_close(json, '}');
}

static void put_json(FILE *out, const Status *status)
{
    const CheckpointContent *look = status->look;
    const Film *film = &look->film;
    char digest[DIGEST_TEXT_SIZE];
    Json json = json_init(out);
    digest_text(digest, &look->digest);
    json_open(&json, '{');
    json_pair_text(&json, "job", film->job->name);
    json_pair_text(&json, "folder", look->folder);
    json_pair_text(&json, "digest", digest);
    json_pair_text(&json, "status", status->word);
    json_pair_int(&json, "frames", film->frame_count);
    json_pair_int(&json, "done", film->frame_count - film_frame_count(&status->missing));
    frame_ranges_write_json(&json, "missing", &status->missing);
    frame_ranges_write_json(&json, "at_work", &look->held);
    json_pair_text(&json, "changed", status->changed);
    json_newline(&json);
    json_key(&json, "outputs");
    json_open(&json, '[');
    for (size_t i = 0; i < film->output_count; i++)
        json_output(&json, &status->outputs[i]);
    json_close(&json, ']');
    json_newline(&json);
    json_key(&json, "shards");
    json_open(&json, '[');
    for (size_t i = 0; i < look->shards.count; i++)
        json_shard(&json, &look->shards.items[i]);
    json_close(&json, ']');
    json_close(&json, '}');
    json_newline(&json);
}

/* ---- */

static void fill(Status *status, const Job *job, Arena *arena)
{
    const CheckpointContent *look = status->look;
    status->outputs = arena_array(arena, OutputStatus, look->film.output_count);
    for (size_t i = 0; i < look->film.output_count; i++)
        look_at_output(&status->outputs[i], look, i, arena);
    status->missing = missing_of_all(status, arena);
    status->word = word_of(status);
    status->changed = job ? changes(look, job, arena) : NULL;
    status->now = (int64_t)time(NULL);
}

/* A job of which no run has begun. */
static void put_nothing(FILE *out, const Job *job, const char *folder, bool json_wanted)
{
    Json json = json_init(out);
    if (!json_wanted) {
        fprintf(out, "%s: not begun, there is no '%s'\n", job->name, folder);
        return;
    }
    json_open(&json, '{');
    json_pair_text(&json, "job", job->name);
    json_pair_text(&json, "folder", folder);
    json_pair_text(&json, "status", "not begun");
    json_close(&json, '}');
    json_newline(&json);
}

bool status_write(FILE *out, const Job *job, const char *folder, bool json, Diag *diag)
{
    Arena *arena = arena_create();
    CheckpointContent look;
    Status status = {.look = &look};
    bool complete = false, looked = false;
    if (!folder)
        folder = checkpoint_read_folder_of_job(job, arena, diag);
    if (folder && job && !checkpoint_read_is_folder(folder)) {
        put_nothing(out, job, folder, json);
        looked = true;
    } else if (folder && checkpoint_read(&look, folder, arena, diag)) {
        fill(&status, job, arena);
        (json ? put_json : put_text)(out, &status);
        complete = are_outputs_whole(&status) && !status.changed;
        looked = true;
    }
    if (looked && !complete && diag->kind == DIAG_NONE)
        diag->kind = DIAG_INCOMPLETE;
    arena_destroy(arena);
    return complete;
}

bool status_brief(StatusBrief *brief, const Job *job, Arena *arena, Diag *diag)
{
    const char *folder = checkpoint_read_folder_of_job(job, arena, diag);
    CheckpointContent look;
    Status status = {.look = &look};
    *brief = (StatusBrief){.begun = folder && checkpoint_read_is_folder(folder)};
    if (!brief->begun)
        return diag->errors == 0;
    if (!checkpoint_read(&look, folder, arena, diag))
        return false;
    fill(&status, job, arena);
    brief->changed = status.changed != NULL;
    if (brief->changed)
        return true;
    brief->running = look.held.count > 0;
    brief->finished = are_outputs_whole(&status);
    brief->frames = look.film.frame_count;
    brief->done = look.film.frame_count - film_frame_count(&status.missing);
    return true;
}
