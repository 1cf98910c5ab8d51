#include "dispatch/batch_status.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "inspect/status.h"

/* Whether a batch is running on this manifest. */
static bool is_running(const BatchPlan *plan)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    Arena *arena = arena_create();
    const int file = open(arena_printf(arena, "%slock", plan->directory), O_RDWR | O_CLOEXEC);
    const bool locked =
        file >= 0 && fcntl(file, F_OFD_GETLK, &whole) == 0 && whole.l_type != F_UNLCK;
    if (file >= 0)
        close(file);
    arena_destroy(arena);
    return locked;
}

/* The numbers of all queued Slurm jobs, one per line; NULL without Slurm. */
static const char *read_queue(Arena *arena)
{
    ARENA_LIST(char) text = {0};
    FILE *queue = popen("squeue --noheader --format=%i 2>/dev/null", "r");
    if (!queue)
        return NULL;
    *arena_push(arena, &text) = '\n';
    for (int c; (c = fgetc(queue)) != EOF;)
        *arena_push(arena, &text) = (char)c;
    *arena_push(arena, &text) = '\0';
    return pclose(queue) == 0 ? text.items : NULL;
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

static bool is_any_submitted(const BatchResult *results, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (results[i].state == BATCH_SUBMITTED)
            return true;
    return false;
}

/* Whether the process of the job has ended without recording a result. */
static bool is_abandoned(const BatchResult *result, bool running, const char *queue)
{
    return (result->state == BATCH_RUNNING && !running) ||
           (result->state == BATCH_SUBMITTED && has_left_queue(result, queue));
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

bool batch_status(BatchResult *results, const BatchPlan *plan, Arena *arena, Diag *diag)
{
    const bool running = is_running(plan);
    Arena *scratch = arena_create();
    const bool good = batch_results_load(results, plan, arena, diag);
    const size_t count = good ? plan->batch->job_count : 0;
    const char *queue = is_any_submitted(results, count) ? read_queue(arena) : NULL;
    for (size_t i = 0; i < count; i++) {
        StatusSummary summary;
        Job job;
        Diag quiet = diag_quiet(); /* odori status reports damaged directories */
        /* before its directory is read, since the job may just have finished */
        if (is_abandoned(&results[i], running, queue))
            results[i].state = BATCH_STOPPED;
        if (batch_plan_job(&job, plan, &plan->items[i], scratch, &quiet) &&
            status_summarize(&summary, &job, scratch, &quiet))
            apply_summary(&results[i], &summary);
        arena_reset(scratch);
    }
    arena_destroy(scratch);
    return good;
}
