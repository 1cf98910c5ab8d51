// SPDX-License-Identifier: MIT
#include "inspect/status.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/archive_path.h"
#include "base/name_pattern.h"
#include "base/text_escape.h"
#include "film/frame_ranges.h"
#include "job/job_visit.h"
#include "run/checkpoint/checkpoint_files.h"
#include "run/checkpoint/checkpoint_read.h"

/* ---- the results ---- */

static const char *const kind_words[] = {[CHECKPOINT_SEGMENTS] = "segments",
                                         [CHECKPOINT_STILLS] = "stills",
                                         [CHECKPOINT_WHOLE] = "single file",
                                         [CHECKPOINT_NOTHING] = "no file",
                                         NULL};

typedef struct OutputStatus {
    const char *file;
    CheckpointKind kind;
    bool complete;
    int64_t frames, done;
    uint64_t bytes;
    FrameRanges missing;
} OutputStatus;

static const ResultField OutputStatus_fields[] = {
    MEMBER(OutputStatus, file, "file, or a pattern for a file per frame"),
    MEMBER_WORD(OutputStatus, kind, kind_words,
                "form in which frames are stored until all are rendered"),
    MEMBER(OutputStatus, complete, "the file has the size in the report, or all stills exist"),
    MEMBER(OutputStatus, frames, "frames of the output"),
    MEMBER(OutputStatus, done, "completed frames"),
    MEMBER(OutputStatus, bytes, "size of the completed frames", .unit = "bytes"),
    MEMBER(OutputStatus, missing, "frames that are not completed"),
};
RESULT(OutputStatus, "an output");

typedef struct ShardStatus {
    const char *shard, *run;
    int64_t frames, changed;
    int stalled_runs;
} ShardStatus;

static const ResultField ShardStatus_fields[] = {
    MEMBER(ShardStatus, shard, "number of the shard, and of all shards: 0002-of-0003"),
    MEMBER(ShardStatus, frames, "completed frames"),
    MEMBER(ShardStatus, run, "host and process of the last run", .nullable = true),
    MEMBER(ShardStatus, stalled_runs, "runs since the last completed frame"),
    MEMBER(ShardStatus, changed, "time of the last write", .unit = "seconds since 1970 in UTC"),
};
RESULT(ShardStatus, "a shard, or a run without shards");

typedef struct CheckpointStatus {
    int64_t frames, done;
    FrameRanges missing, running;
    const char *changed;
    Digest digest;
    OutputStatus *outputs;
    ShardStatus *shards;
    size_t output_count, shard_count;
    const RunRecord *runs;
    size_t run_count;
} CheckpointStatus;

static const ResultField CheckpointStatus_fields[] = {
    MEMBER(CheckpointStatus, frames, "frames of the film"),
    MEMBER(CheckpointStatus, done, "frames that are completed in all outputs"),
    MEMBER(CheckpointStatus, missing, "frames that at least one output lacks"),
    MEMBER(CheckpointStatus, running, "frames of segments that a process renders now"),
    MEMBER(CheckpointStatus, changed, "difference between the job and the checkpoint directory",
           .nullable = true),
    MEMBER(CheckpointStatus, digest, "fingerprint of the job that the directory belongs to"),
    MEMBER_LIST(CheckpointStatus, outputs, output_count, OutputStatus, "outputs of the job"),
    MEMBER_LIST(CheckpointStatus, shards, shard_count, ShardStatus,
                "shards that have rendered frames"),
    MEMBER_LIST(CheckpointStatus, runs, run_count, RunRecord,
                "what this version of the job drew, and what the one before it did"),
};
RESULT(CheckpointStatus, "a checkpoint directory");

typedef enum JobState { FINISHED, RUNNING, NOT_JOINED, STOPPED, NOT_STARTED } JobState;

static const char *const state_words[] = {"finished", "running",     "rendered",
                                          "stopped",  "not started", NULL};

typedef struct Status {
    const char *job, *directory;
    JobState status;
    const CheckpointStatus *checkpoint;
} Status;

static const ResultField Status_fields[] = {
    MEMBER(Status, job, "name of the job"),
    MEMBER(Status, directory, "checkpoint directory"),
    MEMBER_WORD(Status, status, state_words, "state of the job; rendered: not joined yet"),
    MEMBER_OPTIONAL_PART(Status, checkpoint, CheckpointStatus),
};
const ResultTable status_result = RESULT_TABLE(Status, "progress of a job");

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
    *out = (OutputStatus){.file = file, .kind = kind, .frames = film->frame_count};
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
    out->complete = complete || (!has_file && out->done == out->frames);
    if (complete && has_file)
        out->bytes = content->report.outputs.items[index].bytes;
}

/* ---- all outputs ---- */

static FrameRanges missing_in_any(const CheckpointStatus *status, const Film *film, Arena *arena)
{
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

static bool are_outputs_complete(const CheckpointStatus *status)
{
    for (size_t i = 0; i < status->output_count; i++)
        if (!status->outputs[i].complete)
            return false;
    return true;
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

/* "  run      31 of 720 frames drawn, 300-330, in 2.4 s: audio.gain_db: was 0, is now -3" */
static void write_run(FILE *out, const char *label, const RunRecord *run)
{
    Arena *arena = arena_create();
    const char *why = run_record_why_text(run, arena);
    text_printf(out, "  %s %s", label, run_record_drawn_text(run, arena));
    if (!isnan(run->seconds))
        fprintf(out, ", in %.1f s", run->seconds);
    text_printf(out, "%s%s\n", *why ? ": " : "", why);
    const char *pixels = run_record_pixels_text(run, arena);
    if (*pixels)
        text_printf(out, "  pixels   %s\n", pixels);
    arena_destroy(arena);
}

static void write_checkpoint(FILE *out, const CheckpointStatus *status)
{
    const int64_t now = (int64_t)time(NULL);
    if (status->missing.count)
        write_frames(out, "missing ", &status->missing);
    if (status->running.count)
        write_frames(out, "running ", &status->running);
    for (size_t i = 0; i < status->output_count; i++) {
        const OutputStatus *o = &status->outputs[i];
        text_printf(out, "  output   %s (%s): ", o->file, kind_words[o->kind]);
        if (o->complete)
            fputs("complete", out);
        else
            fprintf(out, "%" PRId64 " of %s", o->done, text_frames(o->frames).text);
        fprintf(out, ", %" PRIu64 " bytes\n", o->bytes);
    }
    for (size_t i = 0; i < status->shard_count; i++) {
        const ShardStatus *shard = &status->shards[i];
        text_printf(out, "  shard    %s: %s", shard->shard, text_frames(shard->frames).text);
        if (shard->run)
            text_printf(out, ", last run %s", shard->run);
        if (shard->stalled_runs > 1)
            fprintf(out, ", %d runs without a new frame", shard->stalled_runs);
        fprintf(out, ", last write %" PRId64 " s ago\n",
                now > shard->changed ? now - shard->changed : 0);
    }
    for (size_t i = 0; i < status->run_count; i++)
        write_run(out, i ? "before  " : "run     ", &status->runs[i]);
    if (status->changed)
        text_printf(out, "  changed  %s\n", status->changed);
}

static void write_text(FILE *out, const Status *status)
{
    const CheckpointStatus *checkpoint = status->checkpoint;
    text_printf(out, "%s: %s%s, ", status->job, state_words[status->status],
                status->status == NOT_JOINED ? ", not joined" : "");
    if (checkpoint) {
        text_printf(out, "%" PRId64 " of %s in %s\n", checkpoint->done,
                    text_frames(checkpoint->frames).text, status->directory);
        write_checkpoint(out, checkpoint);
    } else {
        text_printf(out, "'%s' does not exist\n", status->directory);
    }
}

/* ---- entry points ---- */

static ShardStatus shard_status(const LedgerFile *ledger)
{
    return (ShardStatus){.shard = ledger->name,
                         .frames = ledger->tail.frames,
                         .run = ledger->tail.run[0] ? ledger->tail.run : NULL,
                         .stalled_runs = ledger->tail.runs,
                         .changed = (int64_t)ledger->changed.tv_sec};
}

static Status inspect(CheckpointStatus *status, const CheckpointContent *content, const Job *job,
                      Arena *arena)
{
    const Film *film = &content->film;
    *status = (CheckpointStatus){
        .frames = film->frame_count,
        .running = content->locked,
        .changed = job ? describe_changes(content, job, arena) : NULL,
        .digest = content->record.digest,
        .outputs = arena_array(arena, OutputStatus, film->output_count),
        .output_count = film->output_count,
        .shards = arena_array(arena, ShardStatus, content->shards.count),
        .shard_count = content->shards.count,
        .runs = content->runs.items,
        .run_count = content->runs.count,
    };
    for (size_t i = 0; i < status->output_count; i++)
        inspect_output(&status->outputs[i], content, i, arena);
    for (size_t i = 0; i < status->shard_count; i++)
        status->shards[i] = shard_status(&content->shards.items[i]);
    status->missing = missing_in_any(status, film, arena);
    status->done = status->frames - film_frame_count(&status->missing);
    const bool finished = content->has_report && are_outputs_complete(status);
    return (Status){.job = film->job->name,
                    .directory = content->directory,
                    .checkpoint = status,
                    .status = finished                 ? FINISHED
                              : status->running.count  ? RUNNING
                              : !status->missing.count ? NOT_JOINED
                              : content->shards.count  ? STOPPED
                                                       : NOT_STARTED};
}

bool status_write(FILE *out, const Job *job, const char *directory, bool json, Diag *diag)
{
    Arena *arena = arena_create();
    CheckpointContent content;
    CheckpointStatus checkpoint;
    Status status = {.status = NOT_STARTED};
    bool found = false;
    if (!directory)
        directory = checkpoint_read_directory_of_job(job, arena, diag);
    if (directory && job && !checkpoint_read_is_directory(directory)) {
        status.job = job->name;
        status.directory = directory;
        found = true;
    } else if (directory && checkpoint_read(&content, directory, arena, diag)) {
        status = inspect(&checkpoint, &content, job, arena);
        found = true;
    }
    if (found && json)
        result_print(out, &status_result, &status);
    else if (found)
        write_text(out, &status);
    const bool complete = status.status == FINISHED && !status.checkpoint->changed;
    if (found && !complete && diag->kind == DIAG_NONE)
        diag->kind = DIAG_INCOMPLETE;
    arena_destroy(arena);
    return complete;
}

bool status_summarize(StatusSummary *summary, const Job *job, Arena *arena, Diag *diag)
{
    const char *directory = checkpoint_read_directory_of_job(job, arena, diag);
    CheckpointContent content;
    CheckpointStatus checkpoint;
    *summary = (StatusSummary){.started = directory && checkpoint_read_is_directory(directory)};
    if (!summary->started)
        return diag->errors == 0;
    if (!checkpoint_read(&content, directory, arena, diag))
        return false;
    const Status status = inspect(&checkpoint, &content, job, arena);
    summary->changed = checkpoint.changed != NULL;
    if (summary->changed)
        return true;
    summary->running = checkpoint.running.count > 0;
    summary->finished = status.status == FINISHED;
    summary->frames = checkpoint.frames;
    summary->done = checkpoint.done;
    return true;
}

bool status_find_state(RecordState *state, const char *directory, Arena *arena, Diag *diag)
{
    CheckpointContent content;
    CheckpointStatus checkpoint;
    if (!checkpoint_read(&content, directory, arena, diag))
        return false;
    const Status status = inspect(&checkpoint, &content, NULL, arena);
    *state = checkpoint.running.count    ? RECORD_RUNNING
             : status.status == FINISHED ? RECORD_FINISHED
                                         : RECORD_UNFINISHED;
    return true;
}
