#include "job/batch_look.h"

#include <fcntl.h>
#include <unistd.h>

#include "job/status.h"

/* Is a batch running on this manifest now? */
static bool is_running(const BatchPlan *plan)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    Arena *arena = arena_create();
    const int file = open(arena_printf(arena, "%slock", plan->folder), O_RDWR | O_CLOEXEC);
    const bool locked =
        file >= 0 && fcntl(file, F_OFD_GETLK, &whole) == 0 && whole.l_type != F_UNLCK;
    if (file >= 0)
        close(file);
    arena_destroy(arena);
    return locked;
}

static void ignore(void *user, DiagLevel level, const char *message)
{
    (void)user;
    (void)level;
    (void)message;
}

/* Without a folder of its own, as for null:, the results are all there is. */
static void take(BatchResult *result, const StatusBrief *brief)
{
    if (!brief->begun)
        return;
    if (brief->changed) {
        result->state = result->state == BATCH_DONE ? BATCH_WAITING : result->state;
        return;
    }
    result->frames = brief->frames;
    result->drawn = brief->done;
    if (brief->finished)
        result->state = BATCH_DONE;
    else if (brief->running)
        result->state = BATCH_RUNNING;
    else if (result->state == BATCH_DONE) /* its files have changed since */
        result->state = BATCH_WAITING;
}

bool batch_look(BatchResult *results, const BatchPlan *plan, Arena *arena, Diag *diag)
{
    const bool running = is_running(plan);
    Arena *scratch = arena_create();
    const bool good = batch_results_load(results, plan, arena, diag);
    for (size_t i = 0; good && i < plan->batch->job_count; i++) {
        StatusBrief brief;
        Job job;
        Diag quiet; /* a damaged folder is told by odori status; here it is one of many */
        diag_init(&quiet, ignore, NULL);
        if (results[i].state == BATCH_RUNNING && !running) /* its batch was killed */
            results[i].state = BATCH_STOPPED;
        if (batch_plan_job(&job, plan, &plan->items[i], scratch, &quiet) &&
            status_brief(&brief, &job, scratch, &quiet))
            take(&results[i], &brief);
        arena_reset(scratch);
    }
    arena_destroy(scratch);
    return good;
}
