#include "workers/worker_pool.h"

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
#include "workers/worker_process.h"

enum {
    WORKER_DEPTH =
        2, /* frames handed to a worker: one in drawing, one waiting, so it never idles */
    MAX_ATTEMPTS = 2
};

/* Children may clean up for GRACE_S.  After a stop all must be over in 2 s: so long is waited for
 * pictures, so long for children, and so long after killing them. */
static const double GRACE_S = 2, DRAIN_S = 1.1, STOP_S = 1.5, DYING_S = 0.3;

static const double BEAT_S = 1; /* the longest that main listens without a look around */

typedef enum SlotState {
    SLOT_FREE,
    SLOT_WAITING,
    SLOT_DRAWING,
    SLOT_DRAWN,
    SLOT_ENCODING
} SlotState;

typedef struct Slot {
    SlotState state;
    int64_t frame, order; /* order: 0, 1, 2, ... as submitted */
    int attempts;
    double times[WORKER_TIMES];
    _Alignas(8) uint8_t note[WORKER_RECEIPT_SIZE];
} Slot;

typedef struct Worker {
    int fd;
    pid_t pid;
    int slots[WORKER_DEPTH]; /* in the order they are drawn */
    int count;
    double since_s; /* when slots[0] was begun */
    int64_t memory_mib;
} Worker;

struct WorkerPool {
    WorkerPoolSpec spec;
    WorkerRing ring;
    const volatile sig_atomic_t *stop;
    Diag *diag;
    sigset_t old_mask;
    pid_t spawner, encoder;
    int spawner_fd, encoder_fd;
    Worker *workers;
    Slot *slots;
    int taken;         /* slot given by worker_pool_begin, or -1 */
    int64_t submitted; /* frames so far */
    int64_t to_encode; /* order of the next frame for the encoder */
    int respawned;
    double encoder_cpu_s;
    double encoder_since_s; /* its last answer, or when it got something to do */
    int64_t encoder_mib;
    bool finishing, encoder_finished;
    WorkerPoolStatus life;
    double looked_s, counted_s; /* main's last look at the children, and at their memory */
    int64_t kills;              /* process_memory_kills when it began */
    double end_s;               /* not 0: stopped; when the children are killed */
};

/* ---- making the children ---- */

static bool make_ring(WorkerPool *farm, Diag *diag)
{
    WorkerRing *ring = &farm->ring;
    const size_t page = 4096;
    ring->slots = WORKER_DEPTH * farm->spec.workers + 2;
    ring->state_bytes = (farm->spec.state_bytes + page - 1) / page * page;
    ring->slot_bytes = ring->state_bytes + (farm->spec.picture_bytes + page - 1) / page * page;
    ring->bytes = page + ring->slot_bytes * (size_t)ring->slots;
    void *memory =
        mmap(NULL, ring->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return diag_fail(diag, DIAG_RESOURCE, "no memory for %d pictures of %zu bytes in flight",
                         ring->slots, farm->spec.picture_bytes);
    ring->leaving = memory;
    ring->memory = (uint8_t *)memory + page;
    return true;
}

typedef void ChildMain(int fd, const WorkerPoolSpec *spec, const WorkerRing *ring);

static bool fork_child(pid_t *pid, int *fd, const WorkerPool *farm, ChildMain *child_main,
                       Diag *diag)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return diag_fail(diag, DIAG_RESOURCE, "cannot make a socket pair: %s", strerror(errno));
    fflush(NULL);
    const pid_t parent = getpid();
    *pid = fork();
    if (*pid == 0) {
        prctl(PR_SET_PDEATHSIG, child_main == worker_spawner_main ? SIGKILL : 0);
        if (getppid() != parent)
            _exit(1);
        close(pair[0]);
        if (farm->spawner_fd >= 0)
            close(farm->spawner_fd);
        child_main(pair[1], &farm->spec, &farm->ring);
    }
    close(pair[1]);
    *fd = pair[0];
    if (*pid < 0) {
        close(pair[0]);
        *fd = -1;
        return diag_fail(diag, DIAG_RESOURCE, "cannot start a process: %s", strerror(errno));
    }
    return true;
}

/* ---- what a death is told as ---- */

static bool tell_shortage(const WorkerPool *farm, Diag *diag, const char *what)
{
    char limit[96] = "";
    if (farm->spec.memory_mib)
        snprintf(limit, sizeof limit, "; limits.memory_mib is %" PRId64, farm->spec.memory_mib);
    if (process_memory_is_bounded())
        return diag_fail(diag, DIAG_RESOURCE,
                         "%s was out of memory, at a limit of %" PRId64 " MiB%s", what,
                         process_memory_is_bounded(), limit);
    return diag_fail(diag, DIAG_RESOURCE, "%s was out of memory%s", what, limit);
}

static bool tell_death(const WorkerPool *farm, Diag *diag, const char *what, int status)
{
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && process_memory_kills() > farm->kills)
        return diag_fail(diag, DIAG_RESOURCE,
                         "%s was killed by the system, which had no memory left", what);
    if (WIFSIGNALED(status))
        return diag_fail(diag, DIAG_INTERNAL, "%s was ended by signal %d (%s)", what,
                         WTERMSIG(status), strsignal(WTERMSIG(status)));
    if (WEXITSTATUS(status) == MEMORY_EXIT)
        return tell_shortage(farm, diag, what);
    return diag_fail(diag, DIAG_INTERNAL, "%s ended with status %d", what, WEXITSTATUS(status));
}

static int wait_for(pid_t pid)
{
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

static bool tell_spawner_death(WorkerPool *farm, Diag *diag)
{
    const int status = wait_for(farm->spawner);
    farm->spawner = 0;
    return tell_death(farm, diag, "the process that starts workers", status);
}

/* ---- starting ---- */

static bool spawn(WorkerPool *farm, Worker *worker, Diag *diag)
{
    WorkerMessage m = {.kind = WORKER_SPAWN};
    int fd = -1;
    if (!worker_send(farm->spawner_fd, &m) || !worker_receive_fd(farm->spawner_fd, &m, &fd))
        return tell_spawner_death(farm, diag);
    if (fd < 0)
        return diag_fail(
            diag, DIAG_RESOURCE, "cannot start a worker process: %s",
            strerror(m.pid < 0 ? m.slot : EMFILE)); /* started, but no room for its socket */
    *worker = (Worker){.fd = fd, .pid = (pid_t)m.pid};
    return true;
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
    WorkerPool *farm = memory_alloc(1, sizeof *farm);
    farm->spec = *spec;
    farm->stop = stop;
    farm->diag = diag;
    farm->looked_s = clock_monotonic_s();
    farm->kills = process_memory_kills();
    farm->spawner_fd = farm->encoder_fd = farm->taken = -1;

    prctl(PR_SET_CHILD_SUBREAPER, 1); /* workers whose spawner died are ours to wait for */
    block_signals(&farm->old_mask);   /* the children keep it so, and leave signals to main */

    if (!make_ring(farm, diag))
        goto fail;
    farm->workers = memory_alloc((size_t)spec->workers, sizeof *farm->workers);
    farm->slots = memory_alloc((size_t)farm->ring.slots, sizeof *farm->slots);
    for (int i = 0; i < spec->workers; i++)
        farm->workers[i].fd = -1;
    if (!fork_child(&farm->spawner, &farm->spawner_fd, farm, worker_spawner_main, diag))
        goto fail;
    if (spec->encoder_open &&
        !fork_child(&farm->encoder, &farm->encoder_fd, farm, worker_encoder_main, diag))
        goto fail;
    for (int i = 0; i < spec->workers; i++)
        if (!spawn(farm, &farm->workers[i], diag))
            goto fail;
    sigprocmask(SIG_SETMASK, &farm->old_mask, NULL);
    return farm;
fail:
    worker_pool_destroy(farm);
    return NULL;
}

/* ---- handing out work ---- */

static int find_slot(const WorkerPool *farm, SlotState state)
{
    int best = -1; /* the earliest in order */
    for (int i = 0; i < farm->ring.slots; i++)
        if (farm->slots[i].state == state &&
            (best < 0 || farm->slots[i].order < farm->slots[best].order))
            best = i;
    return best;
}

static Worker *least_busy(const WorkerPool *farm)
{
    Worker *best = NULL;
    for (int i = 0; i < farm->spec.workers; i++) {
        Worker *w = &farm->workers[i];
        if (w->fd >= 0 && w->count < WORKER_DEPTH && (!best || w->count < best->count))
            best = w;
    }
    return best;
}

static void hand_out(WorkerPool *farm)
{
    for (;;) {
        const int slot = find_slot(farm, SLOT_WAITING);
        Worker *worker = least_busy(farm);
        if (slot < 0 || !worker)
            return;
        if (!worker->count)
            worker->since_s = clock_monotonic_s();
        worker->slots[worker->count++] = slot;
        farm->slots[slot].state = SLOT_DRAWING;
        const WorkerMessage m = {
            .kind = WORKER_DRAW, .slot = slot, .frame = farm->slots[slot].frame};
        worker_send(worker->fd, &m); /* if it is gone, its closed socket wakes the next wait */
    }
}

static bool finish_slot(WorkerPool *farm, int index, Diag *diag)
{
    Slot *slot = &farm->slots[index];
    slot->state = SLOT_FREE;
    return !farm->spec.done ||
           farm->spec.done(farm->spec.user, slot->frame, slot->times, slot->note, diag);
}

static bool feed_encoder(WorkerPool *farm, Diag *diag)
{
    for (int i = 0; i < farm->ring.slots; i++) {
        Slot *slot = &farm->slots[i];
        if (slot->state != SLOT_DRAWN)
            continue;
        if (farm->encoder_fd < 0) {
            if (!finish_slot(farm, i, diag))
                return false;
        } else if (slot->order == farm->to_encode) {
            const WorkerMessage m = {.kind = WORKER_ENCODE, .slot = i, .frame = slot->frame};
            if (find_slot(farm, SLOT_ENCODING) < 0)
                farm->encoder_since_s = clock_monotonic_s();
            slot->state = SLOT_ENCODING;
            farm->to_encode++;
            worker_send(farm->encoder_fd, &m);
            i = -1; /* the next in order may stand anywhere */
        }
    }
    return true;
}

/* ---- listening ---- */

/* One error is enough: what lacks to one process, others lack too. */
static void repeat_said(const WorkerMessage *m, Diag *diag)
{
    if (m->level == DIAG_ERROR && diag->errors)
        return;
    if (m->level == DIAG_ERROR)
        diag_fail(diag, (DiagKind)m->problem, "%s", m->text);
    else if (m->level == DIAG_WARNING)
        diag_warn(diag, "%s", m->text);
    else
        diag_note(diag, "%s", m->text);
}

static void tell_gone(const WorkerPool *farm, pid_t pid)
{
    if (farm->spec.gone && pid > 0)
        farm->spec.gone(farm->spec.user, pid);
}

/* Takes back what a worker had to draw. */
static void leave_worker(WorkerPool *farm, Worker *worker)
{
    close(worker->fd);
    worker->fd = -1;
    for (int i = 0; i < worker->count; i++)
        farm->slots[worker->slots[i]].state = SLOT_WAITING;
}

/* False, after an error: this death ends the run. */
static bool forgive_death(WorkerPool *farm, const Worker *worker, int status, Diag *diag)
{
    const int number = (int)(worker - farm->workers) + 1;
    char what[96];
    if (!worker->count) {
        snprintf(what, sizeof what, "worker %d, before its first frame,", number);
        return tell_death(farm, diag, what, status);
    }
    Slot *slot = &farm->slots[worker->slots[0]];
    if (++slot->attempts >= MAX_ATTEMPTS) {
        snprintf(what, sizeof what, "frame %" PRId64 ": the second worker that drew it",
                 slot->frame);
        return tell_death(farm, diag, what, status);
    }
    diag_warn(diag, "a worker died (%s); its frame is drawn again",
              WIFSIGNALED(status)                  ? strsignal(WTERMSIG(status))
              : WEXITSTATUS(status) == MEMORY_EXIT ? "out of memory"
                                                   : "it ended by itself");
    return true;
}

static bool replace_worker(WorkerPool *farm, Worker *worker, Diag *diag)
{
    WorkerMessage m = {.kind = WORKER_REAP, .pid = worker->pid};
    leave_worker(farm, worker);
    if (farm->end_s > 0)
        return true;
    if (!worker_send(farm->spawner_fd, &m) || !worker_receive(farm->spawner_fd, &m))
        return tell_spawner_death(farm, diag);
    tell_gone(farm, worker->pid);
    if (!forgive_death(farm, worker, m.slot, diag))
        return false;
    farm->respawned++;
    return spawn(farm, worker, diag);
}

static bool take_from_worker(WorkerPool *farm, Worker *worker, Diag *diag)
{
    WorkerMessage m;
    if (!worker_receive(worker->fd, &m))
        return replace_worker(farm, worker, diag);
    if (m.kind == WORKER_DIAGNOSTIC) {
        repeat_said(&m, diag);
        return true;
    }
    if (m.kind != WORKER_DRAWN) {
        if (!diag->errors)
            diag_fail(diag, DIAG_INTERNAL, "a worker failed without saying why");
        return false;
    }
    Slot *slot = &farm->slots[m.slot];
    memcpy(slot->times, m.times, sizeof slot->times);
    memcpy(slot->note, m.note, sizeof slot->note);
    slot->state = SLOT_DRAWN;
    memmove(worker->slots, worker->slots + 1, sizeof worker->slots - sizeof worker->slots[0]);
    worker->count--;
    worker->since_s = clock_monotonic_s();
    worker->memory_mib = m.memory_mib;
    return true;
}

static bool take_from_encoder(WorkerPool *farm, Diag *diag)
{
    WorkerMessage m;
    if (!worker_receive(farm->encoder_fd, &m)) {
        const int status = wait_for(farm->encoder);
        tell_gone(farm, farm->encoder);
        farm->encoder = 0;
        return tell_death(farm, diag, "the encoder", status);
    }
    if (m.kind == WORKER_DIAGNOSTIC) {
        repeat_said(&m, diag);
        return true;
    }
    if (m.kind == WORKER_FAILED) {
        if (!diag->errors)
            diag_fail(diag, DIAG_INTERNAL, "the encoder failed without saying why");
        return false;
    }
    farm->encoder_cpu_s = m.times[0];
    farm->encoder_mib = m.memory_mib;
    farm->encoder_since_s = clock_monotonic_s();
    if (m.kind == WORKER_FINISHED)
        farm->encoder_finished = true;
    else
        return finish_slot(farm, m.slot, diag);
    return true;
}

/* ---- looking after the children ---- */

/* Short beside the frame's time limit, since all of it counts when main was away. */
static double beat_s(const WorkerPool *farm)
{
    return fmin(BEAT_S, farm->spec.frame_timeout_s / 4);
}

/* Main was away, or all were stopped: what it could not have heard beyond a beat does not count as
 * waiting for the children. */
static void excuse_absence(WorkerPool *farm)
{
    const double now = clock_monotonic_s(), missed = now - farm->looked_s - beat_s(farm);
    farm->looked_s = now;
    if (missed <= 0)
        return;
    farm->encoder_since_s += missed;
    for (int i = 0; i < farm->spec.workers; i++)
        farm->workers[i].since_s += missed;
}

static int count_slots(const WorkerPool *farm, SlotState state)
{
    int count = 0;
    for (int i = 0; i < farm->ring.slots; i++)
        count += farm->slots[i].state == state;
    return count;
}

/* Committing is given the time of a full ring. */
static bool check_encoder_time(WorkerPool *farm, Diag *diag)
{
    const int waiting = farm->finishing ? farm->ring.slots : count_slots(farm, SLOT_ENCODING);
    const double limit_s = waiting * farm->spec.frame_timeout_s;
    if (farm->encoder_fd < 0 || !waiting || clock_monotonic_s() - farm->encoder_since_s <= limit_s)
        return true;
    kill(farm->encoder, SIGKILL);
    return diag_fail(diag, DIAG_INCOMPLETE,
                     "the encoder did not answer within %g s, at its picture %" PRId64, limit_s,
                     farm->to_encode - (farm->finishing ? 0 : waiting));
}

static bool check_times(WorkerPool *farm, Diag *diag)
{
    for (int i = 0; i < farm->spec.workers; i++) {
        const Worker *w = &farm->workers[i];
        if (w->count && clock_monotonic_s() - w->since_s > farm->spec.frame_timeout_s) {
            kill(w->pid, SIGKILL);
            return diag_fail(diag, DIAG_INCOMPLETE, "frame %" PRId64 ": no picture within %g s",
                             farm->slots[w->slots[0]].frame, farm->spec.frame_timeout_s);
        }
    }
    return check_encoder_time(farm, diag);
}

/* What the children told with their last frame is looked at each time; in the midst of one, each
 * second. */
static void count_memory(WorkerPool *farm)
{
    if (clock_monotonic_s() - farm->counted_s < BEAT_S)
        return;
    farm->counted_s = clock_monotonic_s();
    farm->life.main_mib = process_memory_usage(getpid());
    if (farm->encoder > 0)
        farm->encoder_mib = process_memory_usage(farm->encoder);
    for (int i = 0; i < farm->spec.workers; i++)
        if (farm->workers[i].fd >= 0)
            farm->workers[i].memory_mib = process_memory_usage(farm->workers[i].pid);
}

static void take_census(WorkerPool *farm)
{
    WorkerPoolStatus *life = &farm->life;
    count_memory(farm);
    life->workers = farm->spec.workers;
    life->encoder_mib = farm->encoder_mib;
    life->alive = 0;
    life->worker_mib = 0;
    for (int i = 0; i < farm->spec.workers; i++) {
        const Worker *w = &farm->workers[i];
        life->alive += w->fd >= 0;
        if (w->fd >= 0 && w->memory_mib > life->worker_mib)
            life->worker_mib = w->memory_mib;
    }
}

static bool check_memory(const WorkerPool *farm, Diag *diag)
{
    char who[32] = "the main process";
    int64_t most = farm->life.main_mib;
    if (farm->encoder_mib > most) {
        most = farm->encoder_mib;
        snprintf(who, sizeof who, "the encoder");
    }
    for (int i = 0; i < farm->spec.workers; i++)
        if (farm->workers[i].memory_mib > most) {
            most = farm->workers[i].memory_mib;
            snprintf(who, sizeof who, "worker %d", i + 1);
        }
    return !farm->spec.memory_mib || most <= farm->spec.memory_mib ||
           diag_fail(diag, DIAG_RESOURCE,
                     "%s uses %" PRId64 " MiB, more than limits.memory_mib %" PRId64, who, most,
                     farm->spec.memory_mib);
}

static bool look_after(WorkerPool *farm, Diag *diag)
{
    excuse_absence(farm);
    take_census(farm);
    if (farm->spec.tick)
        farm->spec.tick(farm->spec.user, &farm->life);
    return check_times(farm, diag) && check_memory(farm, diag);
}

/* ---- waiting ---- */

/* Takes what the children said, after waiting for it as long as said; a stop wakes it.  False: an
 * error was told. */
static bool listen_for(WorkerPool *farm, double limit_s, bool unless_stopped, Diag *diag)
{
    struct pollfd polls[WORKER_POOL_MAX_WORKERS + 1];
    const nfds_t count = (nfds_t)farm->spec.workers + 1;
    for (int i = 0; i < farm->spec.workers; i++)
        polls[i] = (struct pollfd){.fd = farm->workers[i].fd, .events = POLLIN};
    polls[count - 1] = (struct pollfd){.fd = farm->encoder_fd, .events = POLLIN};

    const struct timespec limit = {(time_t)limit_s, (long)((limit_s - floor(limit_s)) * 1e9)};
    sigset_t outside; /* between the look at `stop` and the wait no signal may come */
    block_signals(&outside);
    const bool skip = unless_stopped && *farm->stop;
    const int ready = skip ? 0 : ppoll(polls, count, &limit, &farm->old_mask);
    const int problem = errno;
    sigprocmask(SIG_SETMASK, &outside, NULL);
    if (ready < 0 && problem != EINTR)
        return diag_fail(diag, DIAG_INTERNAL, "cannot wait for the workers: %s", strerror(problem));
    for (int i = 0; ready > 0 && i < farm->spec.workers; i++)
        if (polls[i].revents && !take_from_worker(farm, &farm->workers[i], diag))
            return false;
    return ready <= 0 || !polls[count - 1].revents || take_from_encoder(farm, diag);
}

static bool is_drawing(const WorkerPool *farm)
{
    for (int i = 0; i < farm->spec.workers; i++)
        if (farm->workers[i].fd >= 0 && farm->workers[i].count)
            return true;
    return false;
}

/* After a stop: takes in what is being drawn.  Only the first call does anything. */
static void drain(WorkerPool *farm, Diag *diag)
{
    if (farm->end_s > 0)
        return;
    const double start_s = clock_monotonic_s();
    farm->end_s = start_s + STOP_S;
    atomic_store(farm->ring.leaving, true);
    while (feed_encoder(farm, diag) && (is_drawing(farm) || count_slots(farm, SLOT_ENCODING))) {
        const double left_s = start_s + DRAIN_S - clock_monotonic_s();
        if (left_s <= 0 || !listen_for(farm, left_s, false, diag))
            return;
    }
}

/* Takes one round of messages, waiting for it if `wait`.  False: an error was told, or stopped. */
static bool pump(WorkerPool *farm, bool wait, Diag *diag)
{
    if (!*farm->stop) {
        hand_out(farm);
        if (!feed_encoder(farm, diag) || !listen_for(farm, wait ? beat_s(farm) : 0, true, diag))
            return false;
    }
    if (*farm->stop) {
        drain(farm, diag);
        return false;
    }
    hand_out(farm);
    return feed_encoder(farm, diag) && look_after(farm, diag);
}

/* ---- what main calls ---- */

void *worker_pool_begin(WorkerPool *farm, Diag *diag)
{
    int slot;
    while ((slot = find_slot(farm, SLOT_FREE)) < 0)
        if (!pump(farm, true, diag))
            return NULL;
    farm->taken = slot;
    return worker_ring_state(&farm->ring, slot);
}

bool worker_pool_submit(WorkerPool *farm, int64_t frame, Diag *diag)
{
    farm->slots[farm->taken] =
        (Slot){.state = SLOT_WAITING, .frame = frame, .order = farm->submitted++};
    farm->taken = -1;
    return pump(farm, false, diag);
}

bool worker_pool_finish(WorkerPool *farm, Diag *diag)
{
    for (int i = 0; i < farm->ring.slots; i++)
        while (farm->slots[i].state != SLOT_FREE)
            if (!pump(farm, true, diag))
                return false;
    if (farm->encoder_fd < 0)
        return true;
    const WorkerMessage m = {.kind = WORKER_FINISH};
    farm->finishing = true;
    farm->encoder_since_s = clock_monotonic_s();
    worker_send(farm->encoder_fd, &m);
    while (!farm->encoder_finished)
        if (!pump(farm, true, diag))
            return false;
    return true;
}

double worker_pool_encoder_cpu_s(const WorkerPool *farm)
{
    return farm->encoder_cpu_s;
}

int worker_pool_respawned(const WorkerPool *farm)
{
    return farm->respawned;
}

/* True once a child is no more.  0: there was none. */
static bool is_over(pid_t *pid)
{
    const pid_t rc = *pid > 0 ? waitpid(*pid, NULL, WNOHANG) : 0;
    if (rc > 0 || (rc < 0 && errno == ECHILD))
        *pid = 0;
    return *pid == 0;
}

static void close_sockets(WorkerPool *farm)
{
    for (int i = 0; farm->workers && i < farm->spec.workers; i++)
        if (farm->workers[i].fd >= 0)
            close(farm->workers[i].fd);
    if (farm->encoder_fd >= 0)
        close(farm->encoder_fd);
    if (farm->spawner_fd >= 0)
        close(farm->spawner_fd);
}

/* Waits until all are over, but not for longer than till then. */
static void wait_until(double end_s, pid_t *pids, int count)
{
    const struct timespec pause = {0, 5 * 1000 * 1000};
    for (int i = 0; i < count; i++)
        while (!is_over(&pids[i]) && clock_monotonic_s() < end_s)
            nanosleep(&pause, NULL);
}

/* With the spawner go its workers, by their parent-death signal; they are ours then, and waited
 * for, so that none makes a file after it was looked for.  One that is killed makes none, but may
 * need a second to give back gigabytes: that is its own affair. */
static void end_children(WorkerPool *farm)
{
    const double end_s = farm->end_s > 0 ? farm->end_s : clock_monotonic_s() + GRACE_S;
    pid_t pids[WORKER_POOL_MAX_WORKERS + 2] = {farm->encoder, farm->spawner};
    int count = 2;
    for (int i = 0; farm->workers && i < farm->spec.workers; i++)
        if (farm->workers[i].pid > 0)
            pids[count++] = farm->workers[i].pid;
    pid_t left[WORKER_POOL_MAX_WORKERS + 2];
    memcpy(left, pids, sizeof left);
    wait_until(end_s, left, 2);
    for (int i = 0; i < 2; i++)
        if (left[i])
            kill(left[i], SIGKILL);
    wait_until(end_s + DYING_S, left, count);
    for (int i = 0; i < count; i++)
        tell_gone(farm, pids[i]);
}

void worker_pool_destroy(WorkerPool *farm)
{
    if (!farm)
        return;
    if (*farm->stop && farm->workers && farm->slots)
        drain(farm, farm->diag);
    if (farm->ring.leaving)
        atomic_store(farm->ring.leaving, true);
    close_sockets(farm);
    end_children(farm);
    if (farm->ring.leaving)
        munmap(farm->ring.leaving, farm->ring.bytes);
    prctl(PR_SET_CHILD_SUBREAPER, 0);
    sigprocmask(SIG_SETMASK, &farm->old_mask, NULL);
    memory_free(farm->workers);
    memory_free(farm->slots);
    memory_free(farm);
}
