// SPDX-License-Identifier: MIT
#include "dispatch/batch_result.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/file_calls.h"
#include "base/json.h"
#include "base/text.h"
#include "base/text_stream.h"
#include "dispatch/starter.h"
#include "inspect/status.h"
#include "record/yaml.h"

enum { MAX_FILE_SIZE = 256 << 20, MAX_LINE_SIZE = 16384 };

const char *const batch_state_names[] = {"waiting", "running",   "done", "failed",
                                         "stopped", "submitted", NULL};

static const char *results_path(const BatchPlan *plan, Arena *arena)
{
    return arena_printf(arena, "%sresults.jsonl", plan->directory);
}

/* ---- reading ---- */

static const char *text_field(const YamlNode *line, const char *key)
{
    const YamlNode *node = yaml_find(line, key);
    return node && node->kind == YAML_SCALAR && !yaml_is_null(node) ? node->text : NULL;
}

static double number_field(const YamlNode *line, const char *key, double min, double max)
{
    const char *text = text_field(line, key);
    double value;
    return text && text_to_double(&value, text) && value >= min && value <= max ? value : min;
}

static int compare_items(const void *a, const void *b)
{
    const BatchItem *const *x = a, *const *y = b;
    return strcmp((*x)->job->name, (*y)->job->name);
}

static int compare_name(const void *name, const void *item)
{
    const BatchItem *const *x = item;
    return strcmp(name, (*x)->job->name);
}

typedef struct Index {
    const BatchPlan *plan;
    const BatchItem **items; /* the items of the plan, sorted by name */
    BatchResult *results;
    Arena *arena;
} Index;

static void apply_line(const Index *index, const YamlNode *line)
{
    const char *name = text_field(line, "job"), *key = text_field(line, "key");
    const char *state = text_field(line, "state"), *message = text_field(line, "message");
    char expected[DIGEST_TEXT_SIZE];
    if (!name || !key || !state)
        return;
    const BatchItem *const *found = bsearch(name, index->items, index->plan->batch->job_count,
                                            sizeof *index->items, compare_name);
    if (!found)
        return;
    digest_text(expected, &(*found)->key);
    if (strcmp(key, expected) != 0)
        return;
    BatchResult *result = &index->results[*found - index->plan->items];
    const int32_t found_state = text_find(text_choices(batch_state_names), state);
    if (found_state >= 0)
        result->state = (BatchState)found_state;
    result->tries = (int)number_field(line, "tries", 0, 1e6);
    result->exit_status = (int)number_field(line, "exit", 0, 255);
    result->frames = (int64_t)number_field(line, "frames", -1, 1e8);
    result->wall_s = number_field(line, "wall_s", 0, 1e9);
    result->message = message ? arena_strdup(index->arena, message) : NULL;
}

/* JSON is a subset of YAML. */
static bool read_line(const Index *index, const char *text, size_t size)
{
    Arena *arena = arena_create();
    const YamlSource source = {"results.jsonl", text, size, 0};
    YamlNode *line;
    Diag silent = diag_quiet();
    const bool good = size < MAX_LINE_SIZE && yaml_load(&line, &source, arena, &silent);
    if (good)
        apply_line(index, line);
    arena_destroy(arena);
    return good;
}

bool batch_results_load(BatchResult *results, const BatchPlan *plan, Arena *arena, Diag *diag)
{
    const char *path = results_path(plan, arena);
    const size_t count = plan->batch->job_count;
    Index index = {plan, arena_array(arena, const BatchItem *, count), results, arena};
    size_t damaged = 0;
    Bytes bytes;
    for (size_t i = 0; i < count; i++) {
        results[i] = (BatchResult){.frames = plan->items[i].frames, .rendered = -1};
        index.items[i] = &plan->items[i];
    }
    qsort(index.items, count, sizeof *index.items, compare_items);
    if (access(path, F_OK) != 0 && errno == ENOENT)
        return true;
    diag_file(diag, path);
    if (!file_load(&bytes, path, MAX_FILE_SIZE, arena, diag))
        return false;

    const char *at = (const char *)bytes.data, *end = at + bytes.size, *next;
    /* The last line is incomplete if the program was killed while it wrote. */
    while (at < end && (next = memchr(at, '\n', (size_t)(end - at))) != NULL) {
        damaged += !read_line(&index, at, (size_t)(next - at));
        at = next + 1;
    }
    if (damaged)
        diag_warn(diag, WARN_CHECKPOINT, "%zu damaged line%s ignored", damaged,
                  damaged == 1 ? "" : "s");
    diag_file(diag, NULL);
    return true;
}

/* ---- writing ---- */

static void write_line(FILE *out, const BatchItem *item, const BatchResult *result)
{
    char key[DIGEST_TEXT_SIZE];
    Json json = json_init(out);
    digest_text(key, &item->key);
    json_print(&json, "{job:%s key:%s state:%s tries:%d exit:%d frames:%jd wall_s:%g message:%s}\n",
               item->job->name, key, batch_state_names[result->state], result->tries,
               result->exit_status, result->frames, round(result->wall_s * 1000) / 1000,
               result->message);
}

static bool fail_write(const char *path, Diag *diag)
{
    return diag_fail(diag, DIAG_IO, "cannot write '%s': %s", path, strerror(errno));
}

int batch_results_open(const BatchResult *results, const BatchPlan *plan, Diag *diag)
{
    Arena *arena = arena_create();
    const char *path = results_path(plan, arena);
    TextStream stream;
    int file = -1;
    FILE *out = text_stream_open(&stream, arena);
    for (size_t i = 0; i < plan->batch->job_count; i++)
        write_line(out, &plan->items[i], &results[i]);
    const char *text = text_stream_close(&stream);
    if (file_save(path, text, stream.size, diag)) {
        file = file_calls_open(AT_FDCWD, path, O_WRONLY | O_APPEND | O_CLOEXEC, 0);
        if (file < 0)
            fail_write(path, diag);
    }
    arena_destroy(arena);
    return file;
}

/* One write() per line, so that a reader sees only complete lines unless the program is killed. */
bool batch_results_append(int file, const BatchItem *item, const BatchResult *result, Diag *diag)
{
    Arena *arena = arena_create();
    TextStream stream;
    write_line(text_stream_open(&stream, arena), item, result);
    const char *text = text_stream_close(&stream);
    bool good = true;
    for (size_t at = 0; good && at < stream.size;) {
        const ssize_t n = write(file, text + at, stream.size - at);
        good = n >= 0 || errno == EINTR;
        at += n > 0 ? (size_t)n : 0;
    }
    arena_destroy(arena);
    return good || fail_write("results.jsonl", diag);
}

/* ---- states now ---- */

/* Whether a batch is running on this manifest. */
static bool is_running(const BatchPlan *plan)
{
    struct flock range = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    Arena *arena = arena_create();
    const int file = open(arena_printf(arena, "%slock", plan->directory), O_RDONLY | O_CLOEXEC);
    const bool locked =
        file >= 0 && fcntl(file, F_OFD_GETLK, &range) == 0 && range.l_type != F_UNLCK;
    if (file >= 0)
        close(file);
    arena_destroy(arena);
    return locked;
}

/* The numbers of all queued Slurm jobs, one per line; NULL without Slurm. */
static const char *read_queue(Arena *arena)
{
    ARENA_LIST(char) text = {0};
    int pipes[2], status = -1;
    if (pipe2(pipes, O_CLOEXEC) != 0)
        return NULL;
    const pid_t squeue = starter_run_queue(pipes[1]);
    close(pipes[1]);
    FILE *queue = fdopen(pipes[0], "r");
    *arena_push(arena, &text) = '\n';
    for (int c; queue && (c = fgetc(queue)) != EOF;)
        *arena_push(arena, &text) = (char)c;
    *arena_push(arena, &text) = '\0';
    if (queue)
        fclose(queue);
    while (squeue > 0 && !starter_has_ended(squeue, &status))
        starter_wait(-1);
    return status == 0 ? text.items : NULL;
}

/* Whether the submitted job, "..., join 14", is not in the queue any more; false if unknown. */
static bool has_left_queue(const BatchResult *result, const char *queue)
{
    const char *join = result->message ? strstr(result->message, "join ") : NULL;
    char line[32];
    long number;
    if (!join || !queue || sscanf(join, "join %9ld", &number) != 1)
        return false;
    snprintf(line, sizeof line, "\n%ld\n", number);
    return !strstr(queue, line);
}

/* A job without checkpoint directory (null:) has only its recorded result. */
static void apply_summary(BatchResult *result, const StatusSummary *summary)
{
    if (!summary->started)
        return;
    if (summary->changed) {
        result->state = result->state == BATCH_DONE ? BATCH_WAITING : result->state;
        return;
    }
    result->frames = summary->frames;
    result->rendered = summary->done;
    if (summary->finished)
        result->state = BATCH_DONE;
    else if (summary->running)
        result->state = BATCH_RUNNING;
    else if (result->state == BATCH_DONE) /* its files have changed */
        result->state = BATCH_WAITING;
}

bool batch_results_update(BatchResult *results, const BatchPlan *plan, Arena *arena, Diag *diag)
{
    const bool running = is_running(plan); /* before the results, to which a run may add */
    bool submitted = false;
    if (!batch_results_load(results, plan, arena, diag))
        return false;
    for (size_t i = 0; i < plan->batch->job_count; i++)
        submitted |= results[i].state == BATCH_SUBMITTED;
    const char *queue = submitted ? read_queue(arena) : NULL;

    Arena *scratch = arena_create();
    for (size_t i = 0; i < plan->batch->job_count; i++) {
        BatchResult *result = &results[i];
        StatusSummary summary;
        Job job;
        Diag quiet = diag_quiet(); /* odori status reports damaged directories */
        /* The process of the job has ended without recording a result.  This is before its
         * directory is read, since the job may just have finished. */
        if ((result->state == BATCH_RUNNING && !running) ||
            (result->state == BATCH_SUBMITTED && has_left_queue(result, queue)))
            result->state = BATCH_STOPPED;
        if (batch_plan_job(&job, plan, &plan->items[i], scratch, &quiet) &&
            status_summarize(&summary, &job, scratch, &quiet))
            apply_summary(result, &summary);
        arena_reset(scratch);
    }
    arena_destroy(scratch);
    return true;
}
