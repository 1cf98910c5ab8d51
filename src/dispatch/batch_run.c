// SPDX-License-Identifier: MIT
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
#include "base/cpu_quota.h"
#include "base/file.h"
#include "base/file_calls.h"
#include "base/path.h"
#include "dispatch/subprocess.h"

static const double LOCK_TIMEOUT_S = 2; /* the children of a killed batch end within this time */
static const double DELAY_S = 1, MAX_DELAY_S = 60; /* delay before a retry: 1, 2, 4, ... */
enum { POLL_MS = 100 };                            /* interval of checks of the stop signal */

/* ---- number of parallel jobs ---- */

/* Estimated peak memory of the largest job. */
static int64_t largest_memory_mib(const BatchPlan *plan, int workers)
{
    int64_t largest = 0;
    for (size_t i = 0; i < plan->batch->job_count; i++) {
        const BatchItem *item = &plan->items[i];
        const int more = (item->workers ? item->workers : workers) - 1;
        const int64_t memory = item->memory_mib + (int64_t)item->worker_mib * more;
        if (memory > largest)
            largest = memory;
    }
    return largest;
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
        capacity.memory_mib = capacity.parallel_jobs * largest_memory_mib(plan, capacity.workers);
        if (capacity.parallel_jobs == 1 || capacity.memory_mib <= capacity.available_mib)
            return capacity;
    }
}

/* ---- tasks ---- */

typedef struct Task { /* a bake or a job */
    const BatchItem *item;
    const BatchBake *bake; /* NULL for a job */
    BatchResult *result;
    Subprocess child; /* pid 0 if not running */
    double start_s, due_s;
} Task;

typedef struct Runner {
    const BatchPlan *plan;
    BatchCapacity capacity;
    const BatchOptions *options;
    Task *tasks; /* bakes, then jobs */
    size_t count;
    size_t *bake_users; /* [bake_count] unfinished jobs that use it */
    size_t running;
    int results;   /* file descriptor */
    bool stopping; /* no task is started any more */
    bool signal_forwarded;
    bool failed; /* a reported error ends the batch */
    Progress *progress;
    Arena *arena, *scratch;
    Diag *diag;
} Runner;

static bool is_finished(const Task *task)
{
    return task->result->state != BATCH_WAITING && task->result->state != BATCH_RUNNING;
}

static const char *task_name(const Task *task)
{
    return task->bake ? task->bake->name : task->item->job->name;
}

static void report_task(const Runner *runner, const Task *task, const char *event, double took_s,
                        const char *message)
{
    char name[BATCH_NAME_SIZE + 8];
    snprintf(name, sizeof name, "%s%s", task->bake ? "bake " : "", task_name(task));
    progress_job(runner->progress, name, event, took_s, task->result->exit_status, message);
}

static Task *task_bake(const Runner *runner, const Task *task)
{
    return task->bake || task->item->bake < 0 ? NULL : &runner->tasks[task->item->bake];
}

/* ---- start of a task ---- */

typedef ARENA_LIST(const char *) Command;

static void add(Command *command, const char *word, Arena *arena)
{
    *arena_push(arena, command) = word;
}

static void add_pair(Command *command, const char *flag, const char *value, Arena *arena)
{
    add(command, flag, arena);
    add(command, value, arena);
}

/* "odori VERB --limits FILE OPTION... --set KEY=VALUE... -- BASE", ended by NULL; what comes before
 * --set is of the host (starter.h). */
static const char *const *task_command(const Runner *runner, const Task *task)
{
    const BatchPlan *plan = runner->plan;
    const BatchOptions *options = runner->options;
    const BatchItem *item = task->item;
    const Task *bake = task_bake(runner, task);
    const bool renders = !task->bake && !options->slurm;
    const char *verb = task->bake ? "bake" : renders ? "render" : "submit";
    Arena *arena = runner->scratch;
    Command command = {0};

    add_pair(&command, "odori", verb, arena);
    for (const char *const *word = starter_words(options->verbs, verb); word && *word; word++)
        add(&command, *word, arena);
    for (size_t i = 0; i < item->set_count; i++)
        add_pair(&command, "--set", item->sets[i], arena);
    if (renders && !item->workers)
        add_pair(&command, "--set",
                 arena_printf(arena, "render.workers=%d", runner->capacity.workers), arena);
    if (renders && bake && bake->result->state == BATCH_DONE)
        add_pair(&command, "--set", bake->bake->set, arena);

    if (task->bake) { /* a file in the directory of the batch */
        add_pair(&command, "-o", task->bake->file, arena);
        add(&command, "--overwrite", arena);
    } else if (item->output) {
        add_pair(&command, "-o", item->output, arena);
        add(&command, "--previews", arena);
    }
    if (renders && options->overwrite && !task->result->tries)
        add(&command, "--overwrite", arena);

    if (task->bake || renders) {
        add_pair(&command, "--progress", "plain", arena);
    } else {
        add_pair(&command, "--shards", arena_printf(arena, "%d", plan->batch->rules.shards), arena);
        add(&command, "--submit", arena);
    }
    add_pair(&command, "--", plan->batch->base, arena);
    add(&command, NULL, arena);
    return command.items;
}

static void record_result(Runner *runner, const Task *task)
{
    if (!task->bake &&
        !batch_results_append(runner->results, task->item, task->result, runner->diag))
        runner->stopping = runner->failed = true;
}

static void start_task(Runner *runner, Task *task)
{
    const char *log = arena_printf(runner->arena, "%s%s%s.log", runner->plan->directory,
                                   task->bake ? "bake/" : "", task_name(task));
    if (!subprocess_start(&task->child, task_command(runner, task), log, runner->diag)) {
        task->child.pid = 0;
        runner->stopping = runner->failed = true;
        return;
    }
    task->start_s = clock_monotonic_s();
    task->result->state = BATCH_RUNNING;
    task->result->tries++;
    runner->running++;
    report_task(runner, task, "started", -1, NULL);
    record_result(runner, task);
    arena_reset(runner->scratch);
}

/* In the order of the manifest, except for jobs that wait for a bake or a retry. */
static void start_ready_tasks(Runner *runner)
{
    const double now = clock_monotonic_s();
    for (size_t i = 0; i < runner->count && !runner->stopping; i++) {
        Task *task = &runner->tasks[i];
        const Task *bake = task_bake(runner, task);
        if (runner->running >= (size_t)runner->capacity.parallel_jobs)
            return;
        if (task->result->state == BATCH_WAITING && !task->child.pid && task->due_s <= now &&
            (!bake || is_finished(bake)))
            start_task(runner, task);
    }
}

/* ---- end of a task ---- */

static void handle_failure(Runner *runner, Task *task, int wait_status)
{
    BatchResult *result = task->result;
    const BatchRules *rules = &runner->plan->batch->rules;
    const int status = result->exit_status;
    const bool temporary = status == 69 || status == 74 || status == 75; /* resources, I/O, part */
    const bool retry = temporary && result->tries <= rules->retries && !runner->stopping;
    result->message = arena_strdup(
        runner->arena, subprocess_error_text(&task->child, wait_status, runner->scratch));
    if (retry) {
        const double delay = DELAY_S * (double)(1u << (result->tries < 7 ? result->tries - 1 : 6));
        task->due_s = clock_monotonic_s() + (delay < MAX_DELAY_S ? delay : MAX_DELAY_S);
    }
    result->state = retry ? BATCH_WAITING : BATCH_FAILED;
    report_task(runner, task, retry ? "failed, will be retried" : "failed",
                clock_monotonic_s() - task->start_s, result->message);
    if (!retry && !task->bake && rules->on_failure == BATCH_STOP)
        runner->stopping = true;
}

/* "bake 12, shards 13, join 14": the lines of the output except messages. */
static const char *join_lines(const char *output, Arena *arena)
{
    char *out = arena_alloc(arena, 2 * strlen(output) + 1), *end = out;
    for (const char *at = output; *at; at += *at == '\n') {
        const size_t size = strcspn(at, "\n");
        if (size && at[0] != ' ' && strncmp(at, "odori: ", 7) != 0)
            end += sprintf(end, "%s%.*s", end > out ? ", " : "", (int)size, at);
        at += size;
    }
    return out;
}

/* Number of frames of this run, from the last line of progress: "40 frames in 0:12". */
static int64_t parse_rendered_frames(const char *output)
{
    int64_t frames = 0;
    for (const char *at = output; at; at = strchr(at, '\n'), at += at != NULL)
        if (strncmp(at + strspn(at, "0123456789"), " frames in ", 11) == 0)
            sscanf(at, "%9" SCNd64, &frames);
    return frames;
}

static void handle_exit(Runner *runner, Task *task, int wait_status)
{
    BatchResult *result = task->result;
    const Task *bake = task_bake(runner, task);
    const char *output = subprocess_output(&task->child, runner->scratch);
    const double duration_s = clock_monotonic_s() - task->start_s;

    task->child.pid = 0;
    runner->running--;
    result->wall_s += duration_s;
    result->exit_status = subprocess_exit_status(wait_status);
    if (result->exit_status == 0 && runner->options->slurm) {
        result->state = BATCH_SUBMITTED;
        result->message = arena_strdup(runner->arena, join_lines(output, runner->scratch));
        report_task(runner, task, "submitted", -1, result->message);
    } else if (result->exit_status == 0) {
        result->state = BATCH_DONE;
        result->message = NULL;
        report_task(runner, task, "done", duration_s, NULL);
        if (!task->bake)
            runner->progress->rendered += parse_rendered_frames(output);
    } else if (runner->signal_forwarded) {
        result->state = BATCH_STOPPED;
        report_task(runner, task, "stopped", duration_s, NULL);
    } else {
        handle_failure(runner, task, wait_status);
    }
    record_result(runner, task);
    if (is_finished(task) && bake && --runner->bake_users[task->item->bake] == 0)
        file_calls_unlink(AT_FDCWD, bake->bake->file);
    arena_reset(runner->scratch);
}

/* ---- main loop ---- */

static bool has_work(const Runner *runner)
{
    if (runner->running || runner->stopping)
        return runner->running > 0;
    for (size_t i = 0; i < runner->count; i++)
        if (!is_finished(&runner->tasks[i]))
            return true;
    return false;
}

static void run_all(Runner *runner, const volatile sig_atomic_t *stop)
{
    progress_stage_of_items(runner->progress, "jobs", (int64_t)runner->plan->batch->job_count);
    while (has_work(runner)) {
        if (*stop && !runner->signal_forwarded) {
            runner->stopping = runner->signal_forwarded = true;
            starter_signal(*stop & 0xFF);
        }
        start_ready_tasks(runner);
        if (has_work(runner))
            starter_wait(POLL_MS);

        int64_t finished = 0; /* jobs */
        for (size_t i = 0; i < runner->count; i++) {
            Task *task = &runner->tasks[i];
            int status;
            if (task->child.pid && starter_has_ended(task->child.pid, &status))
                handle_exit(runner, task, status);
            finished += i >= runner->plan->bake_count && is_finished(task);
        }
        progress_step(runner->progress, finished);
    }
    if (*stop)
        runner->signal_forwarded = true;
}

static void make_tasks(Runner *runner, BatchResult *results)
{
    const BatchPlan *plan = runner->plan;
    const bool slurm = runner->options->slurm;
    BatchResult *bake_results = arena_array(runner->arena, BatchResult, plan->bake_count);
    runner->count = plan->bake_count + plan->batch->job_count;
    runner->tasks = arena_array(runner->arena, Task, runner->count);
    runner->bake_users = arena_array(runner->arena, size_t, plan->bake_count);
    for (size_t i = 0; i < plan->bake_count; i++) {
        size_t users = 0; /* unfinished jobs; the bake is worth its time for at least two */
        for (size_t k = 0; k < plan->batch->job_count; k++)
            users += plan->items[k].bake == (int)i &&
                     (results[k].state != BATCH_DONE || runner->options->overwrite);
        runner->bake_users[i] = plan->bakes[i].users;
        /* without the bake, its jobs simulate physics themselves */
        bake_results[i].state = path_is_file(plan->bakes[i].file) ? BATCH_DONE
                                : users > 1 && !slurm             ? BATCH_WAITING
                                                                  : BATCH_FAILED;
        runner->tasks[i] = (Task){.item = &plan->items[plan->bakes[i].first],
                                  .bake = &plan->bakes[i],
                                  .result = &bake_results[i]};
    }
    for (size_t i = 0; i < plan->batch->job_count; i++) {
        const bool kept = slurm && (results[i].state == BATCH_DONE ||
                                    results[i].state == BATCH_SUBMITTED); /* not submitted again */
        if (!kept)
            results[i] = (BatchResult){.frames = plan->items[i].frames, .rendered = -1};
        runner->tasks[plan->bake_count + i] =
            (Task){.item = &plan->items[i], .result = &results[i]};
    }
}

/* Removes bakes of an earlier run that are not shared any more. */
static void remove_unused_bakes(const BatchPlan *plan, Arena *arena)
{
    const char *directory = arena_printf(arena, "%sbake/", plan->directory);
    DIR *list = path_open_directory(directory);
    for (const struct dirent *entry; list && (entry = readdir(list)) != NULL;) {
        bool used = strcmp(path_extension(entry->d_name), "bake") != 0;
        for (size_t i = 0; i < plan->bake_count && !used; i++)
            used = !strcmp(path_name(plan->bakes[i].file), entry->d_name);
        if (!used)
            file_calls_unlink(AT_FDCWD, arena_printf(arena, "%s%s", directory, entry->d_name));
    }
    if (list)
        closedir(list);
}

/* ---- lock ---- */

/* Programs inherit the lock, so that the next batch waits for those of a killed one. */
static int lock(const BatchPlan *plan, Arena *arena, Diag *diag)
{
    const double until = clock_monotonic_s() + LOCK_TIMEOUT_S;
    const struct timespec step = {0, POLL_MS * 1000000L};
    struct flock range = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (!file_make_parent_dirs(arena_printf(arena, "%sbake/x", plan->directory), diag))
        return -1;
    const int file = file_calls_open(AT_FDCWD, arena_printf(arena, "%slock", plan->directory),
                                     O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0) {
        diag_fail(diag, diag_errno_kind(errno, DIAG_CREATE), "cannot create '%slock': %s",
                  plan->directory, strerror(errno));
        return -1;
    }
    while (fcntl(file, F_OFD_SETLK, &range) != 0) {
        if (clock_monotonic_s() > until) {
            diag_fail(diag, DIAG_INCOMPLETE, "%s: another batch is running on this manifest",
                      plan->batch->file);
            close(file);
            return -1;
        }
        nanosleep(&step, NULL);
    }
    starter_hold(file);
    return file;
}

static bool report_failures(const Runner *runner, const BatchResult *results)
{
    const size_t count = runner->plan->batch->job_count;
    size_t failed = 0, left = 0;
    for (size_t i = 0; i < count; i++) {
        failed += results[i].state == BATCH_FAILED;
        left += results[i].state == BATCH_WAITING;
    }
    if (!failed || runner->failed || runner->signal_forwarded)
        return !failed && !runner->failed && !runner->signal_forwarded;
    if (left)
        return diag_fail(runner->diag, DIAG_FAILED, "%zu of %zu jobs failed, %zu were not started",
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
        (options->slurm ? batch_results_update : batch_results_load)(results, plan, arena, diag)) {
        remove_unused_bakes(plan, runner.scratch);
        make_tasks(&runner, results);
        runner.results = batch_results_open(results, plan, diag);
    }
    if (runner.results >= 0) {
        progress_start(progress, plan->batch->file, frames, 0, 0);
        run_all(&runner, stop);
        close(runner.results);
        good = report_failures(&runner, results);
    }
    if (lock_file >= 0)
        close(lock_file);
    arena_destroy(runner.scratch);
    return good;
}
