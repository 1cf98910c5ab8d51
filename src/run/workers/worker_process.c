// SPDX-License-Identifier: MIT
#include "run/workers/worker_process.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file_calls.h"
#include "base/memory.h"
#include "base/process_memory.h"

uint8_t *worker_ring_state(const WorkerRing *ring, int slot)
{
    return ring->memory + (size_t)slot * ring->slot_bytes;
}

uint8_t *worker_ring_pixels(const WorkerRing *ring, int slot)
{
    return worker_ring_state(ring, slot) + ring->state_bytes;
}

/* ---- packets ---- */

bool worker_send(int fd, const WorkerMessage *message)
{
    return file_calls_send(fd, message, sizeof *message, -1);
}

bool worker_receive_fd(int fd, WorkerMessage *message, int *passed)
{
    return file_calls_receive(fd, message, sizeof *message, passed) == sizeof *message;
}

bool worker_receive(int fd, WorkerMessage *message)
{
    int none;
    return worker_receive_fd(fd, message, &none);
}

/* ---- the Diag of a child sends everything to main ---- */

typedef struct Reporter {
    int fd;
    const Diag *diag;
    const char *process;
} Reporter;

static void format_shortage(char *out, size_t size, const char *process, const char *text)
{
    char bound[64] = "";
    if (process_memory_limit())
        snprintf(bound, sizeof bound, ", at a limit of %" PRId64 " MiB", process_memory_limit());
    snprintf(out, size, "%s ran out of memory%s: %s", process, bound, text);
}

/* A library that lacks memory may report any other cause. */
static void send_diagnostic(void *user, const DiagMessage *message)
{
    const Reporter *reporter = user;
    const char *text = message->shown;
    WorkerMessage m = {.kind = WORKER_DIAGNOSTIC,
                       .level = (int32_t)message->level,
                       .problem = (int32_t)reporter->diag->kind};
    if (message->level == DIAG_ERROR && process_memory_is_short()) {
        m.problem = DIAG_RESOURCE;
        format_shortage(m.text, sizeof m.text, reporter->process, text);
    } else {
        snprintf(m.text, sizeof m.text, "%s", text);
    }
    worker_send(reporter->fd, &m);
}

static _Noreturn void fail(int fd)
{
    const WorkerMessage m = {.kind = WORKER_FAILED};
    worker_send(fd, &m);
    _exit(1);
}

/* ---- worker ---- */

/* After the first frames the heap has some 70 MiB of free pages at 1080p. */
static void trim_memory(int64_t rendered)
{
    enum { FIRST_FRAMES = 2, INTERVAL = 32 };
    if (rendered == FIRST_FRAMES || rendered % INTERVAL == 0)
        memory_trim();
}

static _Noreturn void worker_main(int fd, const WorkerPoolSpec *spec, const WorkerRing *ring,
                                  void *shared)
{
    prctl(PR_SET_NAME, "odori-worker");
    process_memory_guard_crashes();
    Diag diag;
    Reporter reporter = {fd, &diag, "a worker"};
    diag_init(&diag, send_diagnostic, &reporter);

    void *worker = spec->open(spec->user, shared, &diag);
    if (!worker)
        fail(fd);
    WorkerMessage m;
    int64_t rendered = 0;
    while (worker_receive(fd, &m) && m.kind == WORKER_RENDER && !atomic_load(ring->stopping)) {
        WorkerMessage answer = {.kind = WORKER_RENDERED, .slot = m.slot, .frame = m.frame};
        if (!spec->render(worker, worker_ring_pixels(ring, m.slot), &answer.times,
                          (void *)answer.receipt, worker_ring_state(ring, m.slot), m.frame, &diag))
            fail(fd);
        trim_memory(++rendered);
        if (!worker_send(fd, &answer))
            break;
    }
    spec->close(worker);
    _exit(0);
}

/* ---- spawner ---- */

/* The workers that have not been reaped. */
typedef struct WorkerList {
    pid_t pids[WORKER_POOL_MAX_WORKERS];
    int count;
} WorkerList;

static void forget(WorkerList *list, pid_t pid)
{
    for (int i = 0; i < list->count; i++)
        if (list->pids[i] == pid)
            list->pids[i] = list->pids[--list->count];
}

/* Main has died: only the spawner can end a hung worker and remove unfinished files. */
static void clean_up_for_main(const WorkerList *list, pid_t main_pid, const WorkerPoolSpec *spec)
{
    for (int i = 0; i < list->count; i++)
        kill(list->pids[i], SIGKILL);
    while (wait(NULL) > 0 || errno == EINTR)
        ;
    for (int i = 0; spec->child_exited && i < list->count; i++)
        spec->child_exited(spec->user, list->pids[i]);
    if (spec->child_exited)
        spec->child_exited(spec->user, main_pid);
}

/* Workers end when main closes their sockets.  False: main has died. */
static bool await_workers(pid_t main_pid)
{
    const struct timespec pause = {0, 5 * 1000 * 1000};
    while (getppid() == main_pid) {
        if (waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD)
            return true;
        nanosleep(&pause, NULL);
    }
    return false;
}

static void spawn_worker(int fd, WorkerList *list, const WorkerPoolSpec *spec,
                         const WorkerRing *ring, void *shared)
{
    int pair[2];
    WorkerMessage answer = {.kind = WORKER_SPAWNED, .pid = -1};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
        answer.slot = errno;
        worker_send(fd, &answer);
        return;
    }
    const pid_t spawner = getpid();
    const pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != spawner)
            _exit(1);
        close(fd);
        close(pair[0]);
        worker_main(pair[1], spec, ring, shared);
    }
    answer.slot = errno;
    answer.pid = pid;
    close(pair[1]);
    if (pid > 0 && list->count < WORKER_POOL_MAX_WORKERS)
        list->pids[list->count++] = pid;
    if (pid > 0)
        file_calls_send(fd, &answer, sizeof answer, pair[0]);
    else
        worker_send(fd, &answer);
    close(pair[0]);
}

/* NULL: the workers share nothing.  If `prepare` does not return, the process ends with main. */
static void *prepare_shared(int fd, pid_t main_pid, const WorkerPoolSpec *spec)
{
    if (!spec->prepare)
        return NULL;
    Diag diag = diag_quiet();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    void *shared = getppid() == main_pid ? spec->prepare(spec->user, &diag) : NULL;
    prctl(PR_SET_PDEATHSIG, 0);
    const WorkerMessage m = {.kind = WORKER_READY};
    if (!shared || !worker_send(fd, &m))
        _exit(0);
    return shared;
}

static bool confine_spawner(int fd, const WorkerPoolSpec *spec)
{
    Diag diag;
    Reporter reporter = {fd, &diag, "the process that starts workers"};
    diag_init(&diag, send_diagnostic, &reporter);
    return !spec->confine || spec->confine(spec->user, &diag);
}

void worker_spawner_main(int fd, const WorkerPoolSpec *spec, const WorkerRing *ring)
{
    prctl(PR_SET_NAME, "odori-spawner");
    const pid_t main_pid = getppid();
    if (!confine_spawner(fd, spec))
        _exit(1);
    void *shared = prepare_shared(fd, main_pid, spec);
    WorkerList workers = {.count = 0};
    WorkerMessage m;
    while (worker_receive(fd, &m)) {
        if (m.kind == WORKER_SPAWN) {
            spawn_worker(fd, &workers, spec, ring, shared);
        } else if (m.kind == WORKER_REAP) {
            WorkerMessage answer = {.kind = WORKER_REAPED, .pid = m.pid};
            int status = 0;
            while (waitpid((pid_t)m.pid, &status, 0) < 0 && errno == EINTR)
                ;
            answer.slot = status;
            forget(&workers, (pid_t)m.pid);
            worker_send(fd, &answer);
        }
    }
    if (!atomic_load(ring->stopping) || !await_workers(main_pid))
        clean_up_for_main(&workers, main_pid, spec);
    _exit(0);
}

/* ---- encoder ---- */

void worker_encoder_main(int fd, const WorkerPoolSpec *spec, const WorkerRing *ring)
{
    prctl(PR_SET_NAME, "odori-encoder");
    process_memory_guard_crashes();
    const int usage = process_memory_open(); /* `encoder_open` may confine the process */
    Diag diag;
    Reporter reporter = {fd, &diag, "the encoder"};
    diag_init(&diag, send_diagnostic, &reporter);

    void *encoder = spec->encoder_open(spec->user, &diag);
    if (!encoder)
        fail(fd);
    bool ok = true;
    WorkerMessage m;
    while (ok && worker_receive(fd, &m)) {
        WorkerMessage answer = {.kind = WORKER_ENCODED, .slot = m.slot, .frame = m.frame};
        if (m.kind == WORKER_FINISH) {
            answer.kind = WORKER_FINISHED;
            ok = spec->encoder_finish(encoder, &diag);
        } else {
            ok = spec->encoder_write(encoder, worker_ring_pixels(ring, m.slot), m.frame, &diag);
        }
        answer.cpu_s = clock_process_cpu_s();
        answer.memory_mib = process_memory_read(usage);
        if (!ok || !worker_send(fd, &answer) || m.kind == WORKER_FINISH)
            break;
    }
    spec->encoder_close(encoder);
    if (!ok)
        fail(fd);
    _exit(0);
}

/* ---- the end of a child, in main ---- */

static bool report_shortage(const WorkerPoolSpec *spec, const char *subject, Diag *diag)
{
    char limit[96] = "";
    if (spec->memory_mib)
        snprintf(limit, sizeof limit, "; %.60s is %" PRId64, spec->memory_origin, spec->memory_mib);
    if (process_memory_limit())
        return diag_fail(diag, DIAG_RESOURCE,
                         "%s ran out of memory, at a limit of %" PRId64 " MiB%s", subject,
                         process_memory_limit(), limit);
    return diag_fail(diag, DIAG_RESOURCE, "%s ran out of memory%s", subject, limit);
}

bool worker_report_death(const WorkerPoolSpec *spec, int64_t kills, const char *subject, int status,
                         Diag *diag)
{
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && process_memory_oom_kills() > kills)
        return diag_fail(diag, DIAG_RESOURCE, "%s was killed by the system for lack of memory",
                         subject);
    if (WIFSIGNALED(status))
        return diag_fail(diag, DIAG_INTERNAL, "%s was killed by signal %d (%s)", subject,
                         WTERMSIG(status), strsignal(WTERMSIG(status)));
    if (WEXITSTATUS(status) == MEMORY_EXIT)
        return report_shortage(spec, subject, diag);
    return diag_fail(diag, DIAG_INTERNAL, "%s ended with status %d", subject, WEXITSTATUS(status));
}

/* Whether a child has ended; *pid becomes 0 then. */
static bool has_ended(pid_t *pid)
{
    const pid_t rc = *pid > 0 ? waitpid(*pid, NULL, WNOHANG) : 0;
    if (rc > 0 || (rc < 0 && errno == ECHILD))
        *pid = 0;
    return *pid == 0;
}

void worker_wait_until_ended(double end_s, pid_t *pids, int count)
{
    const struct timespec pause = {0, 5 * 1000 * 1000};
    for (int i = 0; i < count; i++)
        while (!has_ended(&pids[i]) && clock_monotonic_s() < end_s)
            nanosleep(&pause, NULL);
}
