// SPDX-License-Identifier: MIT
#include "inspect/status.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/archive_path.h"
#include "base/json.h"
#include "base/name_pattern.h"
#include "base/text_escape.h"
#include "film/frame_ranges.h"
#include "job/job_visit.h"
#include "run/checkpoint/checkpoint_files.h"
#include "run/checkpoint/checkpoint_read.h"

typedef struct OutputStatus {
    const char *file;
    CheckpointKind kind;
    int64_t expected, done; /* frames */
    FrameRanges missing;
    bool complete;  /* the file exists with the size in the report, or all stills exist */
    uint64_t bytes; /* size of the completed frames */
} OutputStatus;

typedef enum JobState { FINISHED, RUNNING, NOT_JOINED, STOPPED, NOT_STARTED } JobState;

static const char *const state_texts[] = {"finished", "running", "rendered, not joined", "stopped",
                                          "not started"};
static const char *const state_json[] = {"finished", "running", "rendered", "stopped",
                                         "not started"};

static const char *const kind_texts[] = {[CHECKPOINT_SEGMENTS] = "segments",
                                         [CHECKPOINT_STILLS] = "stills",
                                         [CHECKPOINT_WHOLE] = "single file",
                                         [CHECKPOINT_NOTHING] = "no file"};
static const char *const kind_json[] = {[CHECKPOINT_SEGMENTS] = "segments",
                                        [CHECKPOINT_STILLS] = "frames",
                                        [CHECKPOINT_WHOLE] = "one file",
                                        [CHECKPOINT_NOTHING] = "none"};

typedef struct Status {
    const CheckpointContent *content;
    OutputStatus *outputs;
    FrameRanges missing; /* frames that at least one output lacks */
    JobState state;
    const char *changed; /* differences between the job and the directory, or NULL */
    int64_t now;
} Status;

static int64_t size_of(const char *file)
{
    struct stat st;
    return stat(file, &st) == 0 && S_ISREG(st.st_mode) ? (int64_t)st.st_size : -1;
}

/* An input may be in an archive. */
static int64_t size_of_input(const char *file)
{
    struct stat st;
    Diag quiet = diag_quiet();
    const int fd =
        archive_path_kind(file) == ARCHIVE_PATH_FILE ? archive_path_open(file, &quiet) : -1;
    if (fd < 0)
        return size_of(file);
    const int64_t size = fstat(fd, &st) == 0 ? (int64_t)st.st_size : -1;
    close(fd);
    return size;
}

/* ---- one output ---- */

/* A segment file is larger than the sum of its frames. */
static bool is_segment_present(const CheckpointContent *content, size_t output, int64_t segment,
                               Arena *arena)
{
    const FilmSpan span = film_segment(&content->film, segment);
    const char *extension = content->film.outputs[output].kind->segments->extension;
    int64_t sum = 0;
    for (int64_t p = span.first; p < span.end; p++) {
        const CompletedRecord *record = completed_set_find(&content->completed[output], p);
        if (!record)
            return false;
        sum += (int64_t)record->record.bytes;
    }
    return size_of(checkpoint_segment_path(content->directory, output, segment, extension,
                                           arena)) >= sum;
}

/* A frame that no file holds is present if it is recorded. */
static bool is_frame_present(const FilmOutput *out, int64_t frame, const CompletedRecord *record)
{
    const CheckpointKind kind = checkpoint_kind(out);
    char name[4096];
    return record && (kind == CHECKPOINT_NOTHING ||
                      (kind == CHECKPOINT_STILLS &&
                       name_pattern_file(name, sizeof name, out->options.file, frame) &&
                       size_of(name) == (int64_t)record->record.bytes));
}

/* Segment by segment, since the frames of a segment are complete together. */
static void inspect_output(OutputStatus *out, const CheckpointContent *content, size_t index,
                           Arena *arena)
{
    const Film *film = &content->film;
    const FilmOutput *output = &film->outputs[index];
    const char *file = output->options.file;
    const CheckpointKind kind = checkpoint_kind(output);
    const bool has_file = kind == CHECKPOINT_SEGMENTS || kind == CHECKPOINT_WHOLE;
    bool complete = kind == CHECKPOINT_NOTHING && !checkpoint_leaves_no_file(film);
    if (has_file) {
        const int64_t size = size_of(file);
        const uint64_t bytes = content->has_report ? content->report.outputs.items[index].bytes : 0;
        complete =
            content->has_report && ((size >= 0 && (uint64_t)size == bytes) || file_is_stream(file));
    }

    FrameRangeList missing = {0};
    Arena *scratch = arena_create();
    *out = (OutputStatus){.file = file, .kind = kind, .expected = film->frame_count};
    for (int64_t segment = 0; segment < film_segment_count(film); segment++) {
        const FilmSpan span = film_segment(film, segment);
        const bool present = complete || (kind == CHECKPOINT_SEGMENTS &&
                                          is_segment_present(content, index, segment, scratch));
        for (int64_t p = span.first; p < span.end; p++) {
            const int64_t frame = film_frame_at(film, p);
            const CompletedRecord *record = completed_set_find(&content->completed[index], p);
            if (present || is_frame_present(output, frame, record)) {
                out->done++;
                out->bytes += record ? record->record.bytes : 0;
            } else {
                frame_ranges_add(&missing, (FrameRange){frame, frame}, arena);
            }
        }
        arena_reset(scratch);
    }
    arena_destroy(scratch);
    out->missing = (FrameRanges){missing.items, missing.count};
    out->complete = complete || (!has_file && out->done == out->expected);
    if (complete && has_file)
        out->bytes = content->report.outputs.items[index].bytes;
}

/* ---- all outputs ---- */

static FrameRanges missing_in_any(const Status *status, Arena *arena)
{
    const Film *film = &status->content->film;
    size_t *at = arena_array(arena, size_t, film->output_count); /* range of each output */
    FrameRangeList set = {0};
    for (int64_t p = 0; p < film->frame_count; p++) {
        const int64_t frame = film_frame_at(film, p);
        bool any = false;
        for (size_t i = 0; i < film->output_count; i++) {
            const FrameRanges *missing = &status->outputs[i].missing;
            while (at[i] < missing->count && missing->items[at[i]].last < frame)
                at[i]++;
            any |= at[i] < missing->count && missing->items[at[i]].first <= frame;
        }
        if (any)
            frame_ranges_add(&set, (FrameRange){frame, frame}, arena);
    }
    return (FrameRanges){set.items, set.count};
}

static bool are_outputs_complete(const Status *status)
{
    for (size_t i = 0; i < status->content->film.output_count; i++)
        if (!status->outputs[i].complete)
            return false;
    return status->content->has_report;
}

/* ---- changes of the job since the last run ---- */

typedef struct JobComparison {
    const CheckpointContent *content;
    const char *first; /* difference */
    size_t count;
    Arena *arena;
} JobComparison;

static void compare_key(void *user, const char *key, const char *value, const Option *option)
{
    JobComparison *c = user;
    const CheckpointContent *content = c->content;
    if (!option_affects_film(option))
        return;
    for (size_t i = 0; i < content->record.covered; i++)
        if (!strcmp(content->record.facts.items[i].key, key)) {
            if (!strcmp(content->record.facts.items[i].value, value))
                return;
            if (!c->count++)
                c->first =
                    arena_printf(c->arena, "%s: %s in the checkpoint directory, %s in the job", key,
                                 content->record.facts.items[i].value, value);
            return;
        }
    if (!c->count++)
        c->first = arena_printf(c->arena, "%s: %s in the job only", key, value);
}

static const char *describe_changes(const CheckpointContent *content, const Job *job, Arena *arena)
{
    JobComparison c = {.content = content, .arena = arena};
    job_visit_keys(job, compare_key, &c);
    for (size_t i = 0; i < content->record.inputs.count; i++) {
        const FileRecord *input = &content->record.inputs.items[i];
        const int64_t size = size_of_input(input->file);
        if (size >= 0 && (uint64_t)size == input->bytes)
            continue;
        if (!c.count++)
            c.first = arena_printf(arena, "'%s' %s", input->file,
                                   size < 0 ? "is missing" : "has another size");
    }
    return c.count > 1 ? arena_printf(arena, "%s; and %zu more", c.first, c.count - 1) : c.first;
}

/* ---- as text ---- */

static void write_frames(FILE *out, const char *label, const FrameRanges *frames)
{
    fprintf(out, "  %s ", label);
    frame_ranges_write(out, frames);
    fputc('\n', out);
}

static void write_text(FILE *out, const Status *status)
{
    const CheckpointContent *content = status->content;
    const Film *film = &content->film;
    const int64_t missing = film_frame_count(&status->missing);
    text_printf(out, "%s: %s, %" PRId64 " of %s in %s\n", film->job->name,
                state_texts[status->state], film->frame_count - missing,
                text_frames(film->frame_count).text, content->directory);
    if (missing)
        write_frames(out, "missing ", &status->missing);
    if (content->locked.count)
        write_frames(out, "running ", &content->locked);
    for (size_t i = 0; i < film->output_count; i++) {
        const OutputStatus *o = &status->outputs[i];
        text_printf(out, "  output   %s (%s): ", o->file, kind_texts[o->kind]);
        if (o->complete)
            fputs("complete", out);
        else
            fprintf(out, "%" PRId64 " of %s", o->done, text_frames(o->expected).text);
        fprintf(out, ", %" PRIu64 " bytes\n", o->bytes);
    }
    for (size_t i = 0; i < content->shards.count; i++) {
        const LedgerFile *shard = &content->shards.items[i];
        text_printf(out, "  shard    %s: %s", shard->name, text_frames(shard->tail.frames).text);
        if (shard->tail.run[0])
            text_printf(out, ", last run %s", shard->tail.run);
        if (shard->tail.runs > 1)
            fprintf(out, ", %d runs without a new frame", shard->tail.runs);
        fprintf(out, ", last write %" PRId64 " s ago\n",
                status->now > shard->changed.tv_sec ? status->now - shard->changed.tv_sec : 0);
    }
    if (status->changed)
        text_printf(out, "  changed  %s\n", status->changed);
}

/* ---- as JSON ---- */

static void write_json(FILE *out, const Status *status)
{
    const CheckpointContent *content = status->content;
    const Film *film = &content->film;
    char digest[DIGEST_TEXT_SIZE];
    Json json = json_init(out);
    digest_text(digest, &content->record.digest);
    json_print(&json, "{job:%s directory:%s digest:%s status:%s frames:%jd done:%jd",
               film->job->name, content->directory, digest, state_json[status->state],
               film->frame_count, film->frame_count - film_frame_count(&status->missing));
    frame_ranges_write_json(&json, "missing", &status->missing);
    frame_ranges_write_json(&json, "at_work", &content->locked);
    json_print(&json, "changed:%s\noutputs:[", status->changed);
    for (size_t i = 0; i < film->output_count; i++) {
        const OutputStatus *o = &status->outputs[i];
        json_print(&json, "\n{file:%s sort:%s whole:%hhd frames:%jd done:%jd bytes:%ju", o->file,
                   kind_json[o->kind], o->complete, o->expected, o->done, o->bytes);
        frame_ranges_write_json(&json, "missing", &o->missing);
        json_print(&json, "}");
    }
    json_print(&json, "]\nshards:[");
    for (size_t i = 0; i < content->shards.count; i++) {
        const LedgerFile *shard = &content->shards.items[i];
        json_print(&json, "\n{shard:%s frames:%jd run:%s runs_without:%d changed:%jd}", shard->name,
                   shard->tail.frames, shard->tail.run[0] ? shard->tail.run : NULL,
                   shard->tail.runs, (int64_t)shard->changed.tv_sec);
    }
    json_print(&json, "]}\n");
}

/* ---- entry points ---- */

static void fill_status(Status *status, const Job *job, Arena *arena)
{
    const CheckpointContent *content = status->content;
    status->outputs = arena_array(arena, OutputStatus, content->film.output_count);
    for (size_t i = 0; i < content->film.output_count; i++)
        inspect_output(&status->outputs[i], content, i, arena);
    status->missing = missing_in_any(status, arena);
    status->state = are_outputs_complete(status) ? FINISHED
                    : content->locked.count      ? RUNNING
                    : !status->missing.count     ? NOT_JOINED
                    : content->shards.count      ? STOPPED
                                                 : NOT_STARTED;
    status->changed = job ? describe_changes(content, job, arena) : NULL;
    status->now = (int64_t)time(NULL);
}

/* The job has no checkpoint directory yet. */
static void write_not_started(FILE *out, const Job *job, const char *directory, bool as_json)
{
    Json json = json_init(out);
    if (!as_json) {
        text_printf(out, "%s: %s, '%s' does not exist\n", job->name, state_texts[NOT_STARTED],
                    directory);
        return;
    }
    json_print(&json, "{job:%s directory:%s status:%s}\n", job->name, directory,
               state_json[NOT_STARTED]);
}

bool status_write(FILE *out, const Job *job, const char *directory, bool json, Diag *diag)
{
    Arena *arena = arena_create();
    CheckpointContent content;
    Status status = {.content = &content};
    bool complete = false, written = false;
    if (!directory)
        directory = checkpoint_read_directory_of_job(job, arena, diag);
    if (directory && job && !checkpoint_read_is_directory(directory)) {
        write_not_started(out, job, directory, json);
        written = true;
    } else if (directory && checkpoint_read(&content, directory, arena, diag)) {
        fill_status(&status, job, arena);
        (json ? write_json : write_text)(out, &status);
        complete = status.state == FINISHED && !status.changed;
        written = true;
    }
    if (written && !complete && diag->kind == DIAG_NONE)
        diag->kind = DIAG_INCOMPLETE;
    arena_destroy(arena);
    return complete;
}

bool status_summarize(StatusSummary *summary, const Job *job, Arena *arena, Diag *diag)
{
    const char *directory = checkpoint_read_directory_of_job(job, arena, diag);
    CheckpointContent content;
    Status status = {.content = &content};
    *summary = (StatusSummary){.started = directory && checkpoint_read_is_directory(directory)};
    if (!summary->started)
        return diag->errors == 0;
    if (!checkpoint_read(&content, directory, arena, diag))
        return false;
    fill_status(&status, job, arena);
    summary->changed = status.changed != NULL;
    if (summary->changed)
        return true;
    summary->running = content.locked.count > 0;
    summary->finished = status.state == FINISHED;
    summary->frames = content.film.frame_count;
    summary->done = content.film.frame_count - film_frame_count(&status.missing);
    return true;
}
