// SPDX-License-Identifier: MIT
#include "run/workers/worker_pool.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/process_memory.h"
#include "run/workers/worker_process.h"

enum {
    WORKER_DEPTH =
        2, /* frames assigned to a worker: it renders one, and never waits for the next */
    MAX_ATTEMPTS = 2
};

/* Children may clean up for GRACE_S.  After a stop everything must end within 2 s: DRAIN_S is the
 * time for frames in progress, STOP_LIMIT_S for the children, KILLED_S for children that were
 * killed. */
static const double GRACE_S = 2, DRAIN_S = 1.1, STOP_LIMIT_S = 1.5, KILLED_S = 0.3;

static const double CHECK_INTERVAL_S = 1; /* at most, between two checks of the children */

typedef enum SlotState {
    SLOT_FREE,
    SLOT_WAITING,
    SLOT_RENDERING,
    SLOT_RENDERED,
    SLOT_ENCODING
} SlotState;

typedef struct Slot {
    SlotState state;
    int64_t frame, order; /* order: 0, 1, 2, ... as submitted */
    int worker;           /* that renders it; -1: any */
    bool is_prior;
    int attempts;
    FrameTimes times;
    _Alignas(8) uint8_t receipt[WORKER_RECEIPT_SIZE];
} Slot;

typedef struct Child {
    int fd;             /* -1: there is none, or it was told to end */
    pid_t pid;          /* 0: there is none, or it has ended and was waited for */
    double since_s;     /* when its work began; the encoder's begins again with each answer */
    int64_t memory_mib; /* private memory */
    /* only workers have these: */
    int slots[WORKER_DEPTH]; /* in the order in which they are rendered */
    int count;
    bool has_rendered;
} Child;

struct WorkerPool {
    WorkerPoolSpec spec;
    WorkerRing ring;
    const volatile sig_atomic_t *stop;
    Diag *diag;
    sigset_t old_mask;
    Child children[WORKER_POOL_MAX_WORKERS + 2]; /* encoder, spawner, workers */
    int child_count;
    Child *encoder, *spawner, *workers;
    bool ready; /* the spawner can fork workers, and has been asked for them */
    Slot *slots;
    int open_slot;      /* slot given by worker_pool_begin, or -1 */
    bool is_bound;      /* frames were submitted for one worker */
    int64_t submitted;  /* frames so far */
    int64_t to_encode;  /* order of the next frame for the encoder */
    double ended_cpu_s; /* CPU time of workers that have ended */
    bool workers_stopped, finishing, encoder_finished, created;
    WorkerPoolResult result;
    WorkerPoolStatus status;
    double checked_s, measured_s; /* the last check of the children, and of their memory */
    int64_t kills;                /* process_memory_oom_kills at the start */
    double end_s;                 /* after a stop: when the children are killed; else 0 */
};

/* ---- child processes ---- */

static bool create_ring(WorkerPool *pool, Diag *diag)
{
    WorkerRing *ring = &pool->ring;
    const size_t page = 4096;
    ring->slots = WORKER_DEPTH * pool->spec.workers + 2;
    ring->state_bytes = (pool->spec.state_bytes + page - 1) / page * page;
    ring->slot_bytes = ring->state_bytes + (pool->spec.pixel_bytes + page - 1) / page * page;
    ring->bytes = page + ring->slot_bytes * (size_t)ring->slots;
    void *memory =
        mmap(NULL, ring->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return diag_fail(diag, DIAG_RESOURCE,
                         "cannot allocate %d frames of %zu bytes in shared memory", ring->slots,
                         pool->spec.pixel_bytes);
    ring->stopping = memory;
    ring->memory = (uint8_t *)memory + page;
    return true;
}

static void close_sockets(const WorkerPool *pool)
{
    for (int i = 0; i < pool->child_count; i++)
        if (pool->children[i].fd >= 0)
            close(pool->children[i].fd);
}

typedef void ChildMain(int fd, const WorkerPoolSpec *spec, const WorkerRing *ring);

static bool fork_child(Child *child, const WorkerPool *pool, ChildMain *child_main, Diag *diag)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return diag_fail(diag, DIAG_RESOURCE, "cannot create a socket pair: %s", strerror(errno));
    fflush(NULL);
    const pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, 0); /* both end when main closes their sockets */
        if (getppid() != parent)
            _exit(1);
        close(pair[0]);
        close_sockets(pool);
        child_main(pair[1], &pool->spec, &pool->ring);
    }
    close(pair[1]);
    if (pid < 0) {
        close(pair[0]);
        return diag_fail(diag, DIAG_RESOURCE, "cannot start a process: %s", strerror(errno));
    }
    *child = (Child){.fd = pair[0], .pid = pid, .since_s = clock_monotonic_s()};
    return true;
}

/* ---- children that ended ---- */

/* The encoder, the spawner or a worker whose frames no other one can render has ended. */
static bool report_loss(WorkerPool *pool, Diag *diag, const char *subject, int status)
{
    const bool short_of_memory = WIFSIGNALED(status) && process_memory_oom_kills() > pool->kills;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE)
        return false; /* the reader of its output has exited, which is no error */
    if (!pool->created || !pool->spec.restartable || !WIFSIGNALED(status) || short_of_memory)
        return worker_report_death(&pool->spec, pool->kills, subject, status, diag);
    pool->result.lost_child =
        diag_warn(diag, WARN_WORKER, "%s was killed by signal %d (%s); it is started again",
                  subject, WTERMSIG(status), strsignal(WTERMSIG(status)));
    return false;
}

/* Waits for a child that has closed its socket. */
static int wait_for_exit(Child *child)
{
    int status = 0;
    while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
        ;
    child->pid = 0;
    return status;
}

static bool report_spawner_death(WorkerPool *pool, Diag *diag)
{
    return report_loss(pool, diag, "the process that starts workers", wait_for_exit(pool->spawner));
}

/* ---- starting ---- */

/* Only the first error: other processes often fail for the same reason. */
static void forward_diagnostic(const WorkerMessage *m, Diag *diag)
{
    if (m->level == DIAG_ERROR && diag->errors)
        return;
    if (m->level == DIAG_ERROR)
        diag_fail(diag, (DiagKind)m->problem, "%s", m->text);
    else if (m->level == DIAG_WARNING)
        diag_warn(diag, WARN_WORKER, "%s", m->text);
    else
        diag_note(diag, "%s", m->text);
}

static bool spawn(WorkerPool *pool, Child *worker, Diag *diag)
{
    WorkerMessage m = {.kind = WORKER_SPAWN};
    int fd = -1;
    worker_send(pool->spawner->fd, &m); /* if it has ended, what it has sent can be received */
    if (!worker_receive_fd(pool->spawner->fd, &m, &fd))
        return report_spawner_death(pool, diag);
    if (m.kind == WORKER_DIAGNOSTIC) {
        forward_diagnostic(&m, diag);
        return false;
    }
    if (fd < 0)
        return diag_fail(
            diag, DIAG_RESOURCE, "cannot start a worker process: %s",
            strerror(m.pid < 0 ? m.slot : EMFILE)); /* it was started, but its socket was lost */
    *worker = (Child){.fd = fd, .pid = (pid_t)m.pid};
    return true;
}

static bool spawn_workers(WorkerPool *pool, Diag *diag)
{
    pool->ready = true;
    for (int i = 0; i < pool->spec.workers; i++)
        if (!spawn(pool, &pool->workers[i], diag))
            return false;
    return true;
}

/* The spawner could not prepare a renderer: another one forks workers that open their own. */
static bool replace_spawner(WorkerPool *pool, Diag *diag)
{
    wait_for_exit(pool->spawner);
    close(pool->spawner->fd);
    *pool->spawner = (Child){.fd = -1};
    pool->spec.prepare = NULL;
    return fork_child(pool->spawner, pool, worker_spawner_main, diag) && spawn_workers(pool, diag);
}

/* It has prepared what the workers share, or it has ended. */
static bool handle_spawner_message(WorkerPool *pool, Diag *diag)
{
    WorkerMessage m;
    if (!worker_receive(pool->spawner->fd, &m))
        return replace_spawner(pool, diag);
    if (m.kind == WORKER_DIAGNOSTIC) {
        forward_diagnostic(&m, diag);
        return false;
    }
    if (pool->spec.prepared)
        pool->spec.prepared(pool->spec.user);
    return spawn_workers(pool, diag);
}

static void block_signals(sigset_t *old_mask)
{
    sigset_t ours;
    sigemptyset(&ours);
    sigaddset(&ours, SIGINT);
    sigaddset(&ours, SIGTERM);
    sigaddset(&ours, SIGHUP);
    sigaddset(&ours, SIGALRM);
    sigaddset(&ours, SIGUSR1);
    sigprocmask(SIG_BLOCK, &ours, old_mask);
}

WorkerPool *worker_pool_create(const WorkerPoolSpec *spec, const volatile sig_atomic_t *stop,
                               Diag *diag)
{
    if (*stop)
        return NULL;
    WorkerPool *pool = memory_alloc(1, sizeof *pool);
    pool->spec = *spec;
    if (!spec->frame_origin)
        pool->spec.frame_origin = "limits.frame_timeout_s";
    if (!spec->memory_origin)
        pool->spec.memory_origin = "limits.memory_mib";
    pool->stop = stop;
    pool->diag = diag;
    pool->checked_s = clock_monotonic_s();
    pool->kills = process_memory_oom_kills();
    pool->open_slot = -1;
    pool->encoder = pool->children;
    pool->spawner = pool->children + 1;
    pool->workers = pool->children + 2;
    pool->child_count = spec->workers + 2;
    for (int i = 0; i < pool->child_count; i++)
        pool->children[i].fd = -1;

    prctl(PR_SET_CHILD_SUBREAPER, 1); /* reap the workers of a spawner that died */
    block_signals(&pool->old_mask);   /* inherited: main alone handles signals */

    if (!create_ring(pool, diag))
        goto fail;
    pool->slots = memory_alloc((size_t)pool->ring.slots, sizeof *pool->slots);
    if (!fork_child(pool->spawner, pool, worker_spawner_main, diag) ||
        (spec->encoder_open && !fork_child(pool->encoder, pool, worker_encoder_main, diag)) ||
        (!spec->prepare && !spawn_workers(pool, diag)))
        goto fail;
    sigprocmask(SIG_SETMASK, &pool->old_mask, NULL);
    pool->created = true;
    return pool;
fail:
    worker_pool_destroy(pool);
    return NULL;
}

/* ---- assigning work ---- */

static int find_slot(const WorkerPool *pool, SlotState state)
{
    int best = -1; /* the first in order */
    for (int i = 0; i < pool->ring.slots; i++)
        if (pool->slots[i].state == state &&
            (best < 0 || pool->slots[i].order < pool->slots[best].order))
            best = i;
    return best;
}

/* The worker for a slot: the least busy one that may render it; NULL if none has room. */
static Child *find_worker(const WorkerPool *pool, const Slot *slot)
{
    Child *best = NULL;
    for (int i = 0; i < pool->spec.workers; i++) {
        Child *w = &pool->workers[i];
        if (w->fd >= 0 && w->count < WORKER_DEPTH && (slot->worker < 0 || slot->worker == i) &&
            (!best || w->count < best->count))
            best = w;
    }
    return best;
}

/* The first waiting slot that a worker has room for; -1: none. */
static int find_assignable(const WorkerPool *pool)
{
    int best = -1;
    for (int i = 0; i < pool->ring.slots; i++)
        if (pool->slots[i].state == SLOT_WAITING &&
            (best < 0 || pool->slots[i].order < pool->slots[best].order) &&
            find_worker(pool, &pool->slots[i]))
            best = i;
    return best;
}

static void assign_slots(WorkerPool *pool)
{
    for (int slot; (slot = find_assignable(pool)) >= 0;) {
        Child *worker = find_worker(pool, &pool->slots[slot]);
        if (!worker->count)
            worker->since_s = clock_monotonic_s();
        worker->slots[worker->count++] = slot;
        pool->slots[slot].state = SLOT_RENDERING;
        const WorkerMessage m = {
            .kind = WORKER_RENDER, .slot = slot, .frame = pool->slots[slot].frame};
        worker_send(worker->fd, &m); /* a closed socket is found by the next wait */
    }
}

static bool finish_slot(WorkerPool *pool, int index, Diag *diag)
{
    Slot *slot = &pool->slots[index];
    slot->state = SLOT_FREE;
    return !pool->spec.done || slot->is_prior ||
           pool->spec.done(pool->spec.user, slot->frame, worker_ring_pixels(&pool->ring, index),
                           &slot->times, (const void *)slot->receipt, diag);
}

static bool feed_encoder(WorkerPool *pool, Diag *diag)
{
    for (int i = 0; i < pool->ring.slots; i++) {
        Slot *slot = &pool->slots[i];
        if (slot->state != SLOT_RENDERED)
            continue;
        if (pool->encoder->fd < 0) {
            if (!finish_slot(pool, i, diag))
                return false;
        } else if (slot->order == pool->to_encode && slot->is_prior) {
            slot->state = SLOT_FREE;
            pool->to_encode++;
            i = -1;
        } else if (slot->order == pool->to_encode) {
            const WorkerMessage m = {.kind = WORKER_ENCODE, .slot = i, .frame = slot->frame};
            if (find_slot(pool, SLOT_ENCODING) < 0)
                pool->encoder->since_s = clock_monotonic_s();
            slot->state = SLOT_ENCODING;
            pool->to_encode++;
            worker_send(pool->encoder->fd, &m);
            i = -1; /* the next in order may be in any slot */
        }
    }
    return true;
}

/* ---- messages ---- */

static void on_child_exit(const WorkerPool *pool, pid_t pid)
{
    if (pool->spec.child_exited && pid > 0)
        pool->spec.child_exited(pool->spec.user, pid);
}

/* False, after an error: the end of this worker ends the run. */
static bool accept_death(WorkerPool *pool, const Child *worker, int status, Diag *diag)
{
    const int number = (int)(worker - pool->workers) + 1;
    char subject[96];
    if (!worker->count && !worker->has_rendered) {
        snprintf(subject, sizeof subject, "worker %d, before its first frame,", number);
        return worker_report_death(&pool->spec, pool->kills, subject, status, diag);
    }
    Slot *slot = worker->count ? &pool->slots[worker->slots[0]] : NULL;
    if (slot && ++slot->attempts >= MAX_ATTEMPTS) {
        snprintf(subject, sizeof subject, "frame %" PRId64 ": the second worker that rendered it",
                 slot->frame);
        return worker_report_death(&pool->spec, pool->kills, subject, status, diag);
    }
    diag_warn(diag, WARN_WORKER, "a worker died (%s); %s",
              WIFSIGNALED(status)                  ? strsignal(WTERMSIG(status))
              : WEXITSTATUS(status) == MEMORY_EXIT ? "out of memory"
                                                   : "it exited",
              slot ? "its frame is rendered again" : "it is started again");
    return true;
}

static bool replace_worker(WorkerPool *pool, Child *worker, Diag *diag)
{
    WorkerMessage m = {.kind = WORKER_REAP, .pid = worker->pid};
    pool->ended_cpu_s += clock_cpu_s_of(worker->pid);
    /* The frames of a worker that ended wait for another one. */
    close(worker->fd);
    worker->fd = -1;
    for (int i = 0; i < worker->count; i++)
        pool->slots[worker->slots[i]].state = SLOT_WAITING;
    if (pool->end_s > 0)
        return true;
    if (!worker_send(pool->spawner->fd, &m) || !worker_receive(pool->spawner->fd, &m))
        return report_spawner_death(pool, diag);
    on_child_exit(pool, worker->pid);
    if (pool->is_bound)
        return report_loss(pool, diag, "a worker", m.slot);
    if (!accept_death(pool, worker, m.slot, diag))
        return false;
    pool->result.respawned++;
    return spawn(pool, worker, diag);
}

static bool handle_worker_message(WorkerPool *pool, Child *worker, Diag *diag)
{
    WorkerMessage m;
    if (!worker_receive(worker->fd, &m))
        return replace_worker(pool, worker, diag);
    if (m.kind == WORKER_DIAGNOSTIC) {
        forward_diagnostic(&m, diag);
        return true;
    }
    if (m.kind != WORKER_RENDERED) {
        if (!diag->errors)
            diag_fail(diag, DIAG_INTERNAL, "a worker failed without an error message");
        return false;
    }
    Slot *slot = &pool->slots[m.slot];
    slot->times = m.times;
    memcpy(slot->receipt, m.receipt, sizeof slot->receipt);
    slot->state = SLOT_RENDERED;
    memmove(worker->slots, worker->slots + 1, sizeof worker->slots - sizeof worker->slots[0]);
    worker->count--;
    worker->has_rendered = true;
    worker->since_s = clock_monotonic_s();
    worker->memory_mib = process_memory_usage(worker->pid);
    return true;
}

static bool handle_encoder_message(WorkerPool *pool, Diag *diag)
{
    WorkerMessage m;
    if (!worker_receive(pool->encoder->fd, &m)) {
        const pid_t pid = pool->encoder->pid;
        const int status = wait_for_exit(pool->encoder);
        on_child_exit(pool, pid);
        return report_loss(pool, diag, "the encoder", status);
    }
    if (m.kind == WORKER_DIAGNOSTIC) {
        forward_diagnostic(&m, diag);
        return true;
    }
    if (m.kind == WORKER_FAILED) {
        if (!diag->errors)
            diag_fail(diag, DIAG_INTERNAL, "the encoder failed without an error message");
        return false;
    }
    pool->result.encoder_cpu_s = m.cpu_s;
    pool->encoder->memory_mib = m.memory_mib;
    pool->encoder->since_s = clock_monotonic_s();
    if (m.kind == WORKER_FINISHED)
        pool->encoder_finished = true;
    else
        return finish_slot(pool, m.slot, diag);
    return true;
}

/* ---- limits ---- */

/* Short compared with the time limit of a frame, because this much counts while main is busy. */
static double check_interval_s(const WorkerPool *pool)
{
    return fmin(CHECK_INTERVAL_S, pool->spec.frame_timeout_s / 4);
}

/* While main was busy, or all processes were stopped, no message could arrive: the time beyond one
 * check interval does not count against the limits of the children. */
static void extend_deadlines(WorkerPool *pool)
{
    const double now = clock_monotonic_s(), missed = now - pool->checked_s - check_interval_s(pool);
    pool->checked_s = now;
    if (missed <= 0)
        return;
    for (int i = 0; i < pool->child_count; i++)
        pool->children[i].since_s += missed;
}

static int count_slots(const WorkerPool *pool, SlotState state)
{
    int count = 0;
    for (int i = 0; i < pool->ring.slots; i++)
        count += pool->slots[i].state == state;
    return count;
}

/* Committing may last as long as a full ring. */
static bool check_encoder_time(WorkerPool *pool, Diag *diag)
{
    const int waiting = pool->finishing ? pool->ring.slots : count_slots(pool, SLOT_ENCODING);
    const double limit_s = waiting * pool->spec.frame_timeout_s;
    if (pool->encoder->fd < 0 || !waiting ||
        clock_monotonic_s() - pool->encoder->since_s <= limit_s)
        return true;
    kill(pool->encoder->pid, SIGKILL);
    return diag_fail(
        diag, DIAG_INCOMPLETE, "frame %" PRId64 ": the encoder did not respond within %g s (%s)",
        pool->to_encode - (pool->finishing ? 0 : waiting), limit_s, pool->spec.frame_origin);
}

static bool frame_is_late(WorkerPool *pool, int slot, pid_t pid, Diag *diag)
{
    kill(pid, SIGKILL);
    return diag_fail(diag, DIAG_INCOMPLETE, "frame %" PRId64 ": not rendered within %g s (%s)",
                     pool->slots[slot].frame, pool->spec.frame_timeout_s, pool->spec.frame_origin);
}

static bool check_times(WorkerPool *pool, Diag *diag)
{
    const double start_s = clock_monotonic_s() - pool->spec.frame_timeout_s;
    const int first = find_slot(pool, SLOT_WAITING);
    if (!pool->ready && first >= 0 && pool->spawner->since_s < start_s)
        return frame_is_late(pool, first, pool->spawner->pid, diag);
    for (int i = 0; i < pool->spec.workers; i++) {
        const Child *w = &pool->workers[i];
        if (w->count && w->since_s < start_s)
            return frame_is_late(pool, w->slots[0], w->pid, diag);
    }
    return check_encoder_time(pool, diag);
}

/* The encoder's answers report its memory, that of a worker is measured with each frame; all are
 * measured once a second. */
static void measure_memory(WorkerPool *pool)
{
    if (clock_monotonic_s() - pool->measured_s < CHECK_INTERVAL_S)
        return;
    pool->measured_s = clock_monotonic_s();
    pool->status.main_mib = process_memory_usage(getpid());
    for (int i = 0; i < pool->child_count; i++) {
        Child *child = &pool->children[i];
        const bool counts = child != pool->spawner || pool->spec.prepare;
        if (child->fd >= 0 && child->pid > 0 && counts)
            child->memory_mib = process_memory_usage(child->pid);
    }
}

static void update_status(WorkerPool *pool)
{
    WorkerPoolStatus *status = &pool->status;
    measure_memory(pool);
    status->workers = pool->spec.workers;
    status->encoder_mib = pool->encoder->memory_mib;
    status->alive = 0;
    status->worker_mib = 0;
    for (int i = 0; i < pool->spec.workers; i++) {
        const Child *w = &pool->workers[i];
        status->alive += w->fd >= 0 || pool->workers_stopped;
        if (w->fd >= 0 && w->memory_mib > status->worker_mib)
            status->worker_mib = w->memory_mib;
    }
}

static bool check_memory(const WorkerPool *pool, Diag *diag)
{
    char process[32] = "the main process";
    int64_t largest = pool->status.main_mib;
    if (pool->encoder->memory_mib > largest) {
        largest = pool->encoder->memory_mib;
        snprintf(process, sizeof process, "the encoder");
    }
    for (int i = 0; i < pool->spec.workers; i++)
        if (pool->workers[i].memory_mib > largest) {
            largest = pool->workers[i].memory_mib;
            snprintf(process, sizeof process, "worker %d", i + 1);
        }
    return !pool->spec.memory_mib || largest <= pool->spec.memory_mib ||
           diag_fail(diag, DIAG_RESOURCE, "%s uses %" PRId64 " MiB, more than %s %" PRId64, process,
                     largest, pool->spec.memory_origin, pool->spec.memory_mib);
}

static bool check_totals(const WorkerPool *pool, Diag *diag)
{
    int64_t mib = pool->status.main_mib;
    double cpu_s = clock_process_cpu_s() + pool->ended_cpu_s;
    for (int i = 0; i < pool->child_count; i++) {
        const Child *child = &pool->children[i];
        mib += child->fd >= 0 ? child->memory_mib : 0;
        cpu_s += child->fd >= 0 && child->pid > 0 ? clock_cpu_s_of(child->pid) : 0;
    }
    if (limit_exceeded(&pool->spec.cpu_s, cpu_s))
        return diag_fail(
            diag, DIAG_INCOMPLETE, "%s: %.0f s of CPU time exceed the limit of %.10g s (%s)",
            pool->spec.cpu_s.name, cpu_s, pool->spec.cpu_s.max, pool->spec.cpu_s.source);
    return limit_check(&pool->spec.total_mib, (double)mib, " MiB", diag);
}

static bool check_children(WorkerPool *pool, Diag *diag)
{
    extend_deadlines(pool);
    update_status(pool);
    if (pool->spec.tick)
        pool->spec.tick(pool->spec.user, &pool->status);
    return check_times(pool, diag) && check_memory(pool, diag) && check_totals(pool, diag);
}

/* ---- waiting ---- */

/* Handles the messages of the children, after waiting at most limit_s for one; a signal ends the
 * wait. False: an error was reported. */
static bool wait_for_messages(WorkerPool *pool, double limit_s, bool unless_stopped, Diag *diag)
{
    struct pollfd polls[WORKER_POOL_MAX_WORKERS + 2];
    const nfds_t count = (nfds_t)pool->child_count;
    for (nfds_t i = 0; i < count; i++)
        polls[i] = (struct pollfd){.fd = pool->children[i].fd, .events = POLLIN};
    if (pool->ready)
        polls[1].fd = -1; /* the spawner only answers from then on */

    const struct timespec limit = {(time_t)limit_s, (long)((limit_s - floor(limit_s)) * 1e9)};
    sigset_t outside; /* no signal may arrive between the test of `stop` and the wait */
    block_signals(&outside);
    const bool skip = unless_stopped && *pool->stop;
    const int ready = skip ? 0 : ppoll(polls, count, &limit, &pool->old_mask);
    const int problem = errno;
    sigprocmask(SIG_SETMASK, &outside, NULL);
    if (ready < 0 && problem != EINTR)
        return diag_fail(diag, DIAG_INTERNAL, "cannot wait for the workers: %s", strerror(problem));
    if (ready <= 0)
        return true;
    for (int i = 0; i < pool->spec.workers; i++)
        if (polls[i + 2].revents && !handle_worker_message(pool, &pool->workers[i], diag))
            return false;
    return (!polls[1].revents || handle_spawner_message(pool, diag)) &&
           (!polls[0].revents || handle_encoder_message(pool, diag));
}

static bool is_rendering(const WorkerPool *pool)
{
    for (int i = 0; i < pool->spec.workers; i++)
        if (pool->workers[i].fd >= 0 && pool->workers[i].count)
            return true;
    return false;
}

/* After a stop: completes the frames in progress.  Only the first call has an effect. */
static void drain(WorkerPool *pool, Diag *diag)
{
    if (pool->end_s > 0)
        return;
    const double start_s = clock_monotonic_s();
    pool->end_s = start_s + STOP_LIMIT_S;
    atomic_store(pool->ring.stopping, true);
    while (feed_encoder(pool, diag) && (is_rendering(pool) || count_slots(pool, SLOT_ENCODING))) {
        const double left_s = start_s + DRAIN_S - clock_monotonic_s();
        if (left_s <= 0 || !wait_for_messages(pool, left_s, false, diag))
            return;
    }
}

/* One round: assign, wait (if `wait`), handle messages, check.  False: an error was reported, or a
 * stop was requested. */
static bool process_events(WorkerPool *pool, bool wait, Diag *diag)
{
    if (!*pool->stop) {
        assign_slots(pool);
        if (!feed_encoder(pool, diag) ||
            !wait_for_messages(pool, wait ? check_interval_s(pool) : 0, true, diag))
            return false;
    }
    if (*pool->stop) {
        drain(pool, diag);
        return false;
    }
    assign_slots(pool);
    return feed_encoder(pool, diag) && check_children(pool, diag);
}

/* ---- interface ---- */

void *worker_pool_begin(WorkerPool *pool, Diag *diag)
{
    int slot;
    while ((slot = find_slot(pool, SLOT_FREE)) < 0)
        if (!process_events(pool, true, diag))
            return NULL;
    pool->open_slot = slot;
    return worker_ring_state(&pool->ring, slot);
}

static bool submit(WorkerPool *pool, Slot slot, Diag *diag)
{
    slot.state = SLOT_WAITING;
    slot.order = pool->submitted++;
    pool->slots[pool->open_slot] = slot;
    pool->open_slot = -1;
    return process_events(pool, false, diag);
}

bool worker_pool_submit(WorkerPool *pool, int64_t frame, Diag *diag)
{
    return submit(pool, (Slot){.frame = frame, .worker = -1}, diag);
}

bool worker_pool_submit_to(WorkerPool *pool, int64_t frame, int worker, bool is_prior, Diag *diag)
{
    pool->is_bound = true;
    return submit(pool, (Slot){.frame = frame, .worker = worker, .is_prior = is_prior}, diag);
}

/* One round after the last frame was submitted.  When all are rendered, workers end and release
 * their memory, while the encoder completes the film. */
static bool complete(WorkerPool *pool, Diag *diag)
{
    pool->workers_stopped |= find_slot(pool, SLOT_WAITING) < 0 && !is_rendering(pool);
    for (int i = 0; pool->workers_stopped && i < pool->spec.workers; i++) {
        Child *worker = &pool->workers[i];
        if (worker->fd < 0)
            continue;
        pool->ended_cpu_s += clock_cpu_s_of(worker->pid);
        close(worker->fd);
        worker->fd = -1;
    }
    return process_events(pool, true, diag);
}

bool worker_pool_finish(WorkerPool *pool, Diag *diag)
{
    for (int i = 0; i < pool->ring.slots; i++)
        while (pool->slots[i].state != SLOT_FREE)
            if (!complete(pool, diag))
                return false;
    if (pool->encoder->fd < 0)
        return true;
    const WorkerMessage m = {.kind = WORKER_FINISH};
    pool->finishing = true;
    pool->encoder->since_s = clock_monotonic_s();
    worker_send(pool->encoder->fd, &m);
    while (!pool->encoder_finished)
        if (!complete(pool, diag))
            return false;
    return true;
}

WorkerPoolResult worker_pool_result(const WorkerPool *pool)
{
    return pool->result;
}

/* The end of the spawner ends its workers by their parent-death signal.  Main, as subreaper, waits
 * for them, so that none creates a file after its files were removed.  A killed one creates no
 * file, but may need a second to release gigabytes of memory; it is not waited for any longer. */
static void end_children(WorkerPool *pool)
{
    const double end_s = pool->end_s > 0 ? pool->end_s : clock_monotonic_s() + GRACE_S;
    if (!pool->ready && pool->spawner->pid > 0)
        kill(pool->spawner->pid, SIGKILL);
    pid_t left[WORKER_POOL_MAX_WORKERS + 2];
    for (int i = 0; i < pool->child_count; i++)
        left[i] = pool->children[i].pid;
    worker_wait_until_ended(end_s, left, 2);
    for (int i = 0; i < 2; i++)
        if (left[i])
            kill(left[i], SIGKILL);
    worker_wait_until_ended(end_s + KILLED_S, left, pool->child_count);
    for (int i = 0; i < pool->child_count; i++)
        on_child_exit(pool, pool->children[i].pid);
}

void worker_pool_destroy(WorkerPool *pool)
{
    if (!pool)
        return;
    if (*pool->stop && pool->slots)
        drain(pool, pool->diag);
    if (pool->ring.stopping)
        atomic_store(pool->ring.stopping, true);
    close_sockets(pool);
    end_children(pool);
    if (pool->ring.stopping)
        munmap(pool->ring.stopping, pool->ring.bytes);
    prctl(PR_SET_CHILD_SUBREAPER, 0);
    sigprocmask(SIG_SETMASK, &pool->old_mask, NULL);
    memory_free(pool->slots);
    memory_free(pool);
}
