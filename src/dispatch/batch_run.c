#include "dispatch/batch_run.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/path.h"
#include "dispatch/batch_status.h"
#include "dispatch/batch_commands.h"
#include "dispatch/subprocess.h"
#include "base/cpu_quota.h"

static const double LOCK_S = 2;                  /* children of a killed batch end in that time */
static const double DELAY_S = 1, LONGEST_S = 60; /* before another try: 1, 2, 4, ... */
static const long STEP_NS = 100000000;           /* between two looks at the stop signal */

/* ---- how much at once ---- */

/* Of the job that takes most. */
static int64_t memory_of_one(const BatchPlan *plan, int workers)
{
    int64_t most = 0;
    for (size_t i = 0; i < plan->batch->job_count; i++) {
        const BatchItem *item = &plan->items[i];
        const int more = (item->workers ? item->workers : workers) - 1;
        const int64_t memory = item->memory_mib + (int64_t)item->worker_mib * more;
        if (memory > most)
            most = memory;
    }
    return most;
}

BatchCapacity batch_capacity(const BatchPlan *plan)
{
    const int cores = cpu_quota_cores(), asked = plan->batch->rules.jobs;
    const size_t jobs = plan->batch->job_count;
    BatchCapacity capacity = {.parallel_jobs = asked && asked < cores ? asked : cores,
                              .available_mib = cpu_quota_memory_mib()};
    if ((size_t)capacity.parallel_jobs > jobs)
        capacity.parallel_jobs = (int)jobs;
    for (;; capacity.parallel_jobs--) {
        capacity.workers = cores / capacity.parallel_jobs;
        capacity.memory_mib = capacity.parallel_jobs * memory_of_one(plan, capacity.workers);
        if (capacity.parallel_jobs == 1 || capacity.memory_mib <= capacity.available_mib)
            return capacity;
    }
}

/* ---- what there is to do ---- */

typedef struct Task { /* a bake or a job */
    const BatchItem *item;
    const BatchBake *bake; /* NULL: it is a job */
    BatchResult *result;
    Subprocess child; /* pid 0: not running */
    double start_s, due_s;
} Task;

typedef struct Runner {
    const BatchPlan *plan;
    BatchCapacity capacity;
    const BatchOptions *options;
    Task *tasks; /* bakes, then jobs */
    size_t count;
    size_t *bake_users; /* [bake_count] jobs that are not over */
    size_t running;
    int results; /* file */
    bool over;   /* nothing new is begun */
    bool handed_on;
    bool broken; /* an error was told that ends the batch */
    Progress *progress;
    Arena *arena, *scratch;
    Diag *diag;
} Runner;

static bool is_over(const Task *task)
{
    return task->result->state != BATCH_WAITING && task->result->state != BATCH_RUNNING;
}

static const char *name_of(const Task *task)
{
    return task->bake ? task->bake->name : task->item->job->name;
}

static void tell(const Runner *runner, const Task *task, const char *what, double took_s,
                 const char *message)
{
    char name[BATCH_NAME_SIZE + 8];
    snprintf(name, sizeof name, "%s%s", task->bake ? "bake " : "", name_of(task));
    progress_job(runner->progress, name, what, took_s, task->result->exit_status, message);
}

static Task *bake_of(const Runner *runner, const Task *task)
{
    return task->bake || task->item->bake < 0 ? NULL : &runner->tasks[task->item->bake];
}

static bool is_ready(const Runner *runner, const Task *task, double now)
{
    const Task *bake = bake_of(runner, task);
    return task->result->state == BATCH_WAITING && !task->child.pid && task->due_s <= now &&
           (!bake || is_over(bake));
}

/* ---- beginning one ---- */

static const char *const *words_of(const Runner *runner, const Task *task)
{
    const BatchPlan *plan = runner->plan;
    const BatchOptions *options = runner->options;
    const Task *bake = bake_of(runner, task);
    const BatchRenderOptions how = {.workers = runner->capacity.workers,
                                    .bake = bake && bake->result->state == BATCH_DONE ? bake->bake
                                                                                      : NULL,
                                    .strict = options->strict,
                                    .overwrite = options->overwrite && !task->result->tries,
                                    .no_clobber = options->no_clobber};
    if (task->bake)
        return batch_bake_command(plan, task->bake, runner->scratch);
    if (options->slurm)
        return batch_slurm_command(plan, task->item, options->sbatch, options->strict,
                                   runner->scratch);
    return batch_render_command(plan, task->item, &how, runner->scratch);
}

static void note_result(Runner *runner, const Task *task)
{
    if (!task->bake &&
        !batch_results_append(runner->results, task->item, task->result, runner->diag))
        runner->over = runner->broken = true;
}

static void begin(Runner *runner, Task *task)
{
    Arena *arena = runner->scratch;
    const char *log = arena_printf(runner->arena, "%s%s%s.log", runner->plan->folder,
                                   task->bake ? "bake/" : "", name_of(task));
    const char *const *words = words_of(runner, task);

    if (!subprocess_start(&task->child, words, log, runner->diag)) {
        task->child.pid = 0;
        runner->over = runner->broken = true;
        return;
    }
    task->start_s = clock_monotonic_s();
    task->result->state = BATCH_RUNNING;
    task->result->tries++;
    runner->running++;
    tell(runner, task, "begins", -1, NULL);
    note_result(runner, task);
    arena_reset(arena);
}

/* In the order of the manifest; what waits for a bake lets others pass. */
static void begin_some(Runner *runner)
{
    const double now = clock_monotonic_s();
    for (size_t i = 0; i < runner->count && !runner->over; i++) {
        if (runner->running >= (size_t)runner->capacity.parallel_jobs)
            return;
        if (is_ready(runner, &runner->tasks[i], now))
            begin(runner, &runner->tasks[i]);
    }
}

/* ---- one has ended ---- */

/* A scheduler retries these only: resources lacking, I/O error, incomplete. */
static bool may_pass(int status)
{
    return status == 69 || status == 74 || status == 75;
}

static void leave_bake(Runner *runner, const Task *task)
{
    const Task *bake = bake_of(runner, task);
    if (bake && --runner->bake_users[task->item->bake] == 0)
        unlink(bake->bake->file);
}

static void end_failed(Runner *runner, Task *task, int status, int wait_status)
{
    BatchResult *result = task->result;
    const BatchRules *rules = &runner->plan->batch->rules;
    result->message = arena_strdup(
        runner->arena, subprocess_error_text(&task->child, wait_status, runner->scratch));
    const bool again = may_pass(status) && result->tries <= rules->retries && !runner->over;
    if (again) {
        const double delay = DELAY_S * (double)(1u << (result->tries < 7 ? result->tries - 1 : 6));
        task->due_s = clock_monotonic_s() + (delay < LONGEST_S ? delay : LONGEST_S);
    }
    result->state = again ? BATCH_WAITING : BATCH_FAILED;
    tell(runner, task, again ? "failed, will be tried again" : "failed",
         clock_monotonic_s() - task->start_s, result->message);
    if (!again && !task->bake && rules->on_failure == BATCH_STOP)
        runner->over = true;
}

/* "bake 12, shards 13_[1-4], join 14": the lines that it wrote, but for warnings */
static const char *joined_lines(const char *words, Arena *arena)
{
    char *out = arena_alloc(arena, 2 * strlen(words) + 1), *end = out;
    for (const char *at = words; *at; at += *at == '\n') {
        const size_t size = strcspn(at, "\n");
        if (size && at[0] != ' ' && strncmp(at, "odori: ", 7) != 0)
            end += sprintf(end, "%s%.*s", end > out ? ", " : "", (int)size, at);
        at += size;
    }
    return out;
}

static void end_submitted(Runner *runner, Task *task)
{
    task->result->state = BATCH_SUBMITTED;
    task->result->message =
        joined_lines(subprocess_output(&task->child, runner->scratch), runner->arena);
    tell(runner, task, "submitted", -1, task->result->message);
}

/* As the job says at its end: "40 frames in 0:12"; what was there before is not among them. */
static int64_t frames_drawn(const char *words)
{
    int64_t frames = 0;
    for (const char *at = words; at; at = strchr(at, '\n'), at += at != NULL)
        if (strncmp(at + strspn(at, "0123456789"), " frames in ", 11) == 0)
            sscanf(at, "%9" SCNd64, &frames);
    return frames;
}

static void end(Runner *runner, Task *task, int wait_status)
{
    const int status = subprocess_exit_status(wait_status);
    BatchResult *result = task->result;
    const double took = clock_monotonic_s() - task->start_s;

    task->child.pid = 0;
    runner->running--;
    result->wall_s += took;
    result->exit_status = status;
    if (status == 0 && runner->options->slurm) {
        end_submitted(runner, task);
    } else if (status == 0) {
        result->state = BATCH_DONE;
        result->message = NULL;
        tell(runner, task, "done", took, NULL);
        if (!task->bake)
            runner->progress->rendered +=
                frames_drawn(subprocess_output(&task->child, runner->scratch));
    } else if (runner->handed_on) {
        result->state = BATCH_STOPPED;
        tell(runner, task, "stopped", took, NULL);
    } else {
        end_failed(runner, task, status, wait_status);
    }
    note_result(runner, task);
    if (is_over(task))
        leave_bake(runner, task);
    arena_reset(runner->scratch);
}

static void reap(Runner *runner)
{
    for (size_t i = 0; i < runner->count; i++) {
        Task *task = &runner->tasks[i];
        int status;
        if (task->child.pid && waitpid(task->child.pid, &status, WNOHANG) == task->child.pid)
            end(runner, task, status);
    }
}

/* ---- all of them ---- */

static void hand_on(Runner *runner, int signal_number)
{
    runner->over = runner->handed_on = true;
    for (size_t i = 0; i < runner->count; i++)
        if (runner->tasks[i].child.pid)
            kill(runner->tasks[i].child.pid, signal_number);
}

static bool is_anything_left(const Runner *runner)
{
    if (runner->running || runner->over)
        return runner->running > 0;
    for (size_t i = 0; i < runner->count; i++)
        if (!is_over(&runner->tasks[i]))
            return true;
    return false;
}

static int64_t count_over(const Runner *runner)
{
    int64_t count = 0;
    for (size_t i = runner->plan->bake_count; i < runner->count; i++)
        count += is_over(&runner->tasks[i]);
    return count;
}

/* SIGCHLD is blocked meanwhile, so that no child's end is missed between a look and the wait. */
static void run_all(Runner *runner, const volatile sig_atomic_t *stop)
{
    const struct timespec step = {0, STEP_NS};
    sigset_t child, before;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, &before);
    runner->progress->of_jobs = true;
    progress_stage(runner->progress, "jobs", (int64_t)runner->plan->batch->job_count, 0);
    while (is_anything_left(runner)) {
        if (*stop && !runner->handed_on)
            hand_on(runner, *stop & 0xFF);
        begin_some(runner);
        if (is_anything_left(runner))
            sigtimedwait(&child, NULL, &step);
        reap(runner);
        progress_step(runner->progress, count_over(runner));
    }
    if (*stop)
        runner->handed_on = true;
    sigprocmask(SIG_SETMASK, &before, NULL);
}

/* A bake is made for jobs that were not done in an earlier run; those are only looked at. */
static bool needs_bake(const Runner *runner, const BatchResult *results, int bake)
{
    const BatchPlan *plan = runner->plan;
    size_t count = 0;
    for (size_t i = 0; i < plan->batch->job_count; i++)
        count += plan->items[i].bake == bake &&
                 (results[i].state != BATCH_DONE || runner->options->overwrite);
    return count > 1 && !runner->options->slurm;
}

/* What is not handed over (again): what is done, and what is in the queue. */
static bool is_with_slurm(const BatchResult *result)
{
    return result->state == BATCH_DONE || result->state == BATCH_SUBMITTED;
}

static void make_tasks(Runner *runner, BatchResult *results)
{
    const BatchPlan *plan = runner->plan;
    BatchResult *of_bakes = arena_array(runner->arena, BatchResult, plan->bake_count);
    runner->count = plan->bake_count + plan->batch->job_count;
    runner->tasks = arena_array(runner->arena, Task, runner->count);
    runner->bake_users = arena_array(runner->arena, size_t, plan->bake_count);
    for (size_t i = 0; i < plan->bake_count; i++) {
        const bool needed = needs_bake(runner, results, (int)i);
        const bool there = path_is_file(plan->bakes[i].file);
        runner->bake_users[i] = plan->bakes[i].users;
        /* one that is not made is one that cannot be had: its jobs do without */
        of_bakes[i].state = there ? BATCH_DONE : needed ? BATCH_WAITING : BATCH_FAILED;
        runner->tasks[i] = (Task){.item = &plan->items[plan->bakes[i].first],
                                  .bake = &plan->bakes[i],
                                  .result = &of_bakes[i]};
    }
    for (size_t i = 0; i < plan->batch->job_count; i++) {
        if (!runner->options->slurm || !is_with_slurm(&results[i]))
            results[i] = (BatchResult){.frames = plan->items[i].frames, .drawn = -1};
        runner->tasks[plan->bake_count + i] =
            (Task){.item = &plan->items[i], .result = &results[i]};
    }
}

/* Bakes of an earlier run that no job shares any more. */
static void remove_old_bakes(const BatchPlan *plan, Arena *arena)
{
    const char *folder = arena_printf(arena, "%sbake/", plan->folder);
    DIR *list = file_open_folder(folder);
    for (const struct dirent *entry; list && (entry = readdir(list)) != NULL;) {
        bool wanted = strcmp(path_extension(entry->d_name), "bake") != 0;
        for (size_t i = 0; i < plan->bake_count && !wanted; i++)
            wanted = !strcmp(path_name(plan->bakes[i].file), entry->d_name);
        if (!wanted)
            unlinkat(dirfd(list), entry->d_name, 0);
    }
    if (list)
        closedir(list);
}

/* ---- one batch on a manifest ---- */

/* Children inherit it, so that the next batch waits for those of a killed one. */
static int lock(const BatchPlan *plan, Arena *arena, Diag *diag)
{
    const double until = clock_monotonic_s() + LOCK_S;
    const struct timespec step = {0, STEP_NS};
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (!file_make_parent_dirs(arena_printf(arena, "%sbake/x", plan->folder), diag))
        return -1;
    const int file = open(arena_printf(arena, "%slock", plan->folder), O_RDWR | O_CREAT, 0666);
    if (file < 0) {
        diag_fail(diag, file_problem(errno, DIAG_CREATE), "cannot create '%slock': %s",
                  plan->folder, strerror(errno));
        return -1;
    }
    while (fcntl(file, F_OFD_SETLK, &whole) != 0) {
        if (clock_monotonic_s() > until) {
            diag_fail(diag, DIAG_INCOMPLETE, "%s: another batch runs on this manifest",
                      plan->batch->file);
            close(file);
            return -1;
        }
        nanosleep(&step, NULL);
    }
    return file;
}

static bool tell_failures(const Runner *runner, const BatchResult *results)
{
    const size_t count = runner->plan->batch->job_count;
    size_t failed = 0, left = 0;
    for (size_t i = 0; i < count; i++) {
        failed += results[i].state == BATCH_FAILED;
        left += results[i].state == BATCH_WAITING;
    }
    if (!failed || runner->broken || runner->handed_on)
        return !failed && !runner->broken && !runner->handed_on;
    if (left)
        return diag_fail(runner->diag, DIAG_FAILED, "%zu of %zu jobs failed, %zu were not begun",
                         failed, count, left);
    return diag_fail(runner->diag, DIAG_FAILED, "%zu of %zu jobs failed", failed, count);
}

bool batch_run(BatchResult *results, const BatchPlan *plan, const BatchOptions *options,
               Progress *progress, const volatile sig_atomic_t *stop, Arena *arena, Diag *diag)
{
    Runner runner = {.plan = plan,
                     .capacity = batch_capacity(plan),
                     .options = options,
                     .results = -1,
                     .progress = progress,
                     .arena = arena,
                     .scratch = arena_create(),
                     .diag = diag};
    int64_t frames = 0;
    bool good = false;
    const int lock_file = lock(plan, runner.scratch, diag);

    for (size_t i = 0; i < plan->batch->job_count; i++)
        frames += plan->items[i].frames > 0 ? plan->items[i].frames : 0;
    if (lock_file >= 0 &&
        (options->slurm ? batch_status : batch_results_load)(results, plan, arena, diag)) {
        remove_old_bakes(plan, runner.scratch);
        make_tasks(&runner, results);
        runner.results = batch_results_open(results, plan, diag);
    }
    if (runner.results >= 0) {
        progress_start(progress, plan->batch->file, frames, 0, 0);
        run_all(&runner, stop);
        close(runner.results);
        good = tell_failures(&runner, results);
    }
    if (lock_file >= 0)
        close(lock_file);
    arena_destroy(runner.scratch);
    return good;
}
