#include "job/farm.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "job/farm_process.h"

enum {
    WORKER_DEPTH = 2, /* frames handed to a worker: one in drawing, one waiting, so it never idles */
    MAX_ATTEMPTS = 2,
    GRACE_MS = 2000
};

typedef enum SlotState { SLOT_FREE, SLOT_WAITING, SLOT_DRAWING, SLOT_DRAWN, SLOT_ENCODING } SlotState;

typedef struct Slot {
    SlotState state;
    int64_t frame, order; /* order: 0, 1, 2, ... as submitted */
    int attempts;
    double times[FARM_TIMES];
    _Alignas(8) uint8_t note[FARM_NOTE_SIZE];
} Slot;

typedef struct Worker {
    int fd;
    pid_t pid;
    int slots[WORKER_DEPTH]; /* in the order they are drawn */
    int count;
    double since_s; /* when slots[0] was begun */
} Worker;

struct Farm {
    FarmSpec spec;
    FarmRing ring;
    const volatile sig_atomic_t *stop;
    sigset_t old_mask;
    pid_t spawner, encoder;
    int spawner_fd, encoder_fd;
    Worker *workers;
    Slot *slots;
    int taken;          /* slot given by farm_begin, or -1 */
    int64_t submitted;  /* frames so far */
    int64_t to_encode;  /* order of the next frame for the encoder */
    int respawned;
    double encoder_cpu_s;
    bool encoder_finished;
};

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- making the children ---- */

static bool make_ring(Farm *farm, Diag *diag)
{
    FarmRing *ring = &farm->ring;
    const size_t page = 4096;
    ring->slots = WORKER_DEPTH * farm->spec.workers + 2;
    ring->state_bytes = (farm->spec.state_bytes + page - 1) / page * page;
    ring->slot_bytes = ring->state_bytes + (farm->spec.picture_bytes + page - 1) / page * page;
    ring->bytes = ring->slot_bytes * (size_t)ring->slots;
    void *memory = mmap(NULL, ring->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return diag_fail(diag, DIAG_RESOURCE, "no memory for %d pictures of %zu bytes in flight",
                         ring->slots, farm->spec.picture_bytes);
    ring->memory = memory;
    return true;
}

typedef void ChildMain(int fd, const FarmSpec *spec, const FarmRing *ring);

static bool fork_child(pid_t *pid, int *fd, const Farm *farm, ChildMain *child_main, Diag *diag)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return diag_fail(diag, DIAG_RESOURCE, "cannot make a socket pair: %s", strerror(errno));
    fflush(NULL);
    const pid_t parent = getpid();
    *pid = fork();
    if (*pid == 0) {
        prctl(PR_SET_PDEATHSIG, child_main == farm_spawner_main ? SIGKILL : 0);
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

static bool spawn(Farm *farm, Worker *worker, Diag *diag)
{
    FarmMessage m = {.kind = FARM_SPAWN};
    int fd = -1;
    if (!farm_send(farm->spawner_fd, &m) || !farm_receive_fd(farm->spawner_fd, &m, &fd))
        return diag_fail(diag, DIAG_INTERNAL, "the process that starts workers is gone");
    if (fd < 0)
        return diag_fail(diag, DIAG_RESOURCE, "cannot start a worker process");
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
    sigprocmask(SIG_BLOCK, &ours, old_mask);
}

Farm *farm_create(const FarmSpec *spec, const volatile sig_atomic_t *stop, Diag *diag)
{
    Farm *farm = calloc(1, sizeof *farm);
    if (!farm) {
        diag_fail(diag, DIAG_RESOURCE, "out of memory");
        return NULL;
    }
    farm->spec = *spec;
    farm->stop = stop;
    farm->spawner_fd = farm->encoder_fd = farm->taken = -1;

    block_signals(&farm->old_mask); /* the children keep it so, and leave signals to main */

    if (!make_ring(farm, diag))
        goto fail;
    farm->workers = calloc((size_t)spec->workers, sizeof *farm->workers);
    farm->slots = calloc((size_t)farm->ring.slots, sizeof *farm->slots);
    if (!farm->workers || !farm->slots) {
        diag_fail(diag, DIAG_RESOURCE, "out of memory");
        goto fail;
    }
    for (int i = 0; i < spec->workers; i++)
        farm->workers[i].fd = -1;
    if (!fork_child(&farm->spawner, &farm->spawner_fd, farm, farm_spawner_main, diag))
        goto fail;
    if (spec->encoder_open &&
        !fork_child(&farm->encoder, &farm->encoder_fd, farm, farm_encoder_main, diag))
        goto fail;
    for (int i = 0; i < spec->workers; i++)
        if (!spawn(farm, &farm->workers[i], diag))
            goto fail;
    sigprocmask(SIG_SETMASK, &farm->old_mask, NULL);
    return farm;
fail:
    farm_destroy(farm);
    return NULL;
}

/* ---- handing out work ---- */

static int find_slot(const Farm *farm, SlotState state)
{
    int best = -1; /* the earliest in order */
    for (int i = 0; i < farm->ring.slots; i++)
        if (farm->slots[i].state == state &&
            (best < 0 || farm->slots[i].order < farm->slots[best].order))
            best = i;
    return best;
}

static Worker *least_busy(const Farm *farm)
{
    Worker *best = NULL;
    for (int i = 0; i < farm->spec.workers; i++) {
        Worker *w = &farm->workers[i];
        if (w->fd >= 0 && w->count < WORKER_DEPTH && (!best || w->count < best->count))
            best = w;
    }
    return best;
}

static void hand_out(Farm *farm)
{
    for (;;) {
        const int slot = find_slot(farm, SLOT_WAITING);
        Worker *worker = least_busy(farm);
        if (slot < 0 || !worker)
            return;
        if (!worker->count)
            worker->since_s = now_s();
        worker->slots[worker->count++] = slot;
        farm->slots[slot].state = SLOT_DRAWING;
        const FarmMessage m = {.kind = FARM_DRAW, .slot = slot, .frame = farm->slots[slot].frame};
        farm_send(worker->fd, &m); /* if it is gone, its closed socket wakes the next wait */
    }
}

static bool finish_slot(Farm *farm, int index, Diag *diag)
{
    Slot *slot = &farm->slots[index];
    slot->state = SLOT_FREE;
    return !farm->spec.done ||
           farm->spec.done(farm->spec.user, slot->frame, slot->times, slot->note, diag);
}

static bool feed_encoder(Farm *farm, Diag *diag)
{
    for (int i = 0; i < farm->ring.slots; i++) {
        Slot *slot = &farm->slots[i];
        if (slot->state != SLOT_DRAWN)
            continue;
        if (farm->encoder_fd < 0) {
            if (!finish_slot(farm, i, diag))
                return false;
        } else if (slot->order == farm->to_encode) {
            const FarmMessage m = {.kind = FARM_ENCODE, .slot = i, .frame = slot->frame};
            slot->state = SLOT_ENCODING;
            farm->to_encode++;
            farm_send(farm->encoder_fd, &m);
            i = -1; /* the next in order may stand anywhere */
        }
    }
    return true;
}

/* ---- listening ---- */

static void repeat_said(const FarmMessage *m, Diag *diag)
{
    if (m->level == DIAG_ERROR)
        diag_fail(diag, (DiagKind)m->problem, "%s", m->text);
    else if (m->level == DIAG_WARNING)
        diag_warn(diag, "%s", m->text);
    else
        diag_note(diag, "%s", m->text);
}

static void tell_death(Diag *diag, const char *what, int status)
{
    if (WIFSIGNALED(status))
        diag_fail(diag, DIAG_INTERNAL, "%s was ended by signal %d (%s)", what, WTERMSIG(status),
                  strsignal(WTERMSIG(status)));
    else
        diag_fail(diag, DIAG_INTERNAL, "%s ended with status %d", what, WEXITSTATUS(status));
}

static void tell_gone(const Farm *farm, pid_t pid)
{
    if (farm->spec.gone && pid > 0)
        farm->spec.gone(farm->spec.user, pid);
}

static bool replace_worker(Farm *farm, Worker *worker, Diag *diag)
{
    FarmMessage m = {.kind = FARM_REAP, .pid = worker->pid};
    close(worker->fd);
    worker->fd = -1;
    if (!farm_send(farm->spawner_fd, &m) || !farm_receive(farm->spawner_fd, &m))
        return diag_fail(diag, DIAG_INTERNAL, "the process that starts workers is gone");
    tell_gone(farm, worker->pid);

    char what[96] = "a worker, before its first frame,";
    bool again = worker->count > 0;
    for (int i = 0; i < worker->count; i++)
        farm->slots[worker->slots[i]].state = SLOT_WAITING;
    if (worker->count) {
        Slot *slot = &farm->slots[worker->slots[0]];
        again = ++slot->attempts < MAX_ATTEMPTS;
        snprintf(what, sizeof what, "frame %" PRId64 ": the second worker that drew it", slot->frame);
    }
    if (!again) {
        tell_death(diag, what, m.slot);
        return false;
    }
    diag_warn(diag, "a worker died (%s); its frame is drawn again",
              WIFSIGNALED(m.slot) ? strsignal(WTERMSIG(m.slot)) : "it ended by itself");
    farm->respawned++;
    return spawn(farm, worker, diag);
}

static bool take_from_worker(Farm *farm, Worker *worker, Diag *diag)
{
    FarmMessage m;
    if (!farm_receive(worker->fd, &m))
        return replace_worker(farm, worker, diag);
    if (m.kind == FARM_SAID) {
        repeat_said(&m, diag);
        return true;
    }
    if (m.kind != FARM_DRAWN) {
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
    worker->since_s = now_s();
    return true;
}

static bool take_from_encoder(Farm *farm, Diag *diag)
{
    FarmMessage m;
    if (!farm_receive(farm->encoder_fd, &m)) {
        int status = 0;
        while (waitpid(farm->encoder, &status, 0) < 0 && errno == EINTR)
            ;
        tell_gone(farm, farm->encoder);
        farm->encoder = 0;
        tell_death(diag, "the encoder", status);
        return false;
    }
    if (m.kind == FARM_SAID) {
        repeat_said(&m, diag);
        return true;
    }
    if (m.kind == FARM_FAILED) {
        if (!diag->errors)
            diag_fail(diag, DIAG_INTERNAL, "the encoder failed without saying why");
        return false;
    }
    farm->encoder_cpu_s = m.times[0];
    if (m.kind == FARM_FINISHED)
        farm->encoder_finished = true;
    else
        return finish_slot(farm, m.slot, diag);
    return true;
}

static bool check_timeouts(Farm *farm, Diag *diag)
{
    for (int i = 0; i < farm->spec.workers; i++) {
        const Worker *w = &farm->workers[i];
        if (w->count && now_s() - w->since_s > farm->spec.frame_timeout_s) {
            kill(w->pid, SIGKILL);
            return diag_fail(diag, DIAG_INCOMPLETE, "frame %" PRId64 ": no picture within %g s",
                             farm->slots[w->slots[0]].frame, farm->spec.frame_timeout_s);
        }
    }
    return true;
}

/* Takes one round of messages, waiting for it if `wait`.  False: an error was told, or stopped. */
static bool pump(Farm *farm, bool wait, Diag *diag)
{
    hand_out(farm);
    if (!feed_encoder(farm, diag))
        return false;
    struct pollfd polls[FARM_MAX_WORKERS + 1];
    const nfds_t count = (nfds_t)farm->spec.workers + 1;
    for (int i = 0; i < farm->spec.workers; i++)
        polls[i] = (struct pollfd){.fd = farm->workers[i].fd, .events = POLLIN};
    polls[count - 1] = (struct pollfd){.fd = farm->encoder_fd, .events = POLLIN};

    const double limit_s = !wait ? 0 : farm->spec.frame_timeout_s < 1 ? farm->spec.frame_timeout_s : 1;
    const struct timespec limit = {(time_t)limit_s, (long)((limit_s - floor(limit_s)) * 1e9)};
    sigset_t outside; /* between the look at `stop` and the wait no signal may come */
    block_signals(&outside);
    const int ready = *farm->stop ? 0 : ppoll(polls, count, &limit, &farm->old_mask);
    sigprocmask(SIG_SETMASK, &outside, NULL);
    if (*farm->stop || (ready < 0 && errno != EINTR))
        return false;
    if (ready <= 0)
        return check_timeouts(farm, diag);
    for (int i = 0; i < farm->spec.workers; i++)
        if (polls[i].revents && !take_from_worker(farm, &farm->workers[i], diag))
            return false;
    if (polls[count - 1].revents && !take_from_encoder(farm, diag))
        return false;
    hand_out(farm);
    return feed_encoder(farm, diag);
}

/* ---- what main calls ---- */

void *farm_begin(Farm *farm, Diag *diag)
{
    int slot;
    while ((slot = find_slot(farm, SLOT_FREE)) < 0)
        if (!pump(farm, true, diag))
            return NULL;
    farm->taken = slot;
    return farm_ring_state(&farm->ring, slot);
}

bool farm_submit(Farm *farm, int64_t frame, Diag *diag)
{
    farm->slots[farm->taken] =
        (Slot){.state = SLOT_WAITING, .frame = frame, .order = farm->submitted++};
    farm->taken = -1;
    return pump(farm, false, diag);
}

bool farm_finish(Farm *farm, Diag *diag)
{
    for (int i = 0; i < farm->ring.slots; i++)
        while (farm->slots[i].state != SLOT_FREE)
            if (!pump(farm, true, diag))
                return false;
    if (farm->encoder_fd < 0)
        return true;
    const FarmMessage m = {.kind = FARM_FINISH};
    farm_send(farm->encoder_fd, &m);
    while (!farm->encoder_finished)
        if (!pump(farm, true, diag))
            return false;
    return true;
}

double farm_encoder_cpu_s(const Farm *farm)
{
    return farm->encoder_cpu_s;
}

int farm_respawned(const Farm *farm)
{
    return farm->respawned;
}

static void wait_or_kill(pid_t pid, int limit_ms)
{
    const struct timespec pause = {0, 5 * 1000 * 1000};
    for (int ms = 0; pid > 0 && ms < limit_ms; ms += 5) {
        const pid_t rc = waitpid(pid, NULL, WNOHANG);
        if (rc == pid || (rc < 0 && errno == ECHILD))
            return;
        nanosleep(&pause, NULL);
    }
    if (pid > 0) {
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
    }
}

void farm_destroy(Farm *farm)
{
    if (!farm)
        return;
    for (int i = 0; farm->workers && i < farm->spec.workers; i++)
        if (farm->workers[i].fd >= 0)
            close(farm->workers[i].fd);
    if (farm->encoder_fd >= 0)
        close(farm->encoder_fd);
    if (farm->spawner_fd >= 0)
        close(farm->spawner_fd);
    wait_or_kill(farm->encoder, GRACE_MS);
    wait_or_kill(farm->spawner, GRACE_MS); /* and with it, by their parent-death signal, its workers */
    tell_gone(farm, farm->encoder);
    for (int i = 0; farm->workers && i < farm->spec.workers; i++)
        tell_gone(farm, farm->workers[i].pid);
    if (farm->ring.memory)
        munmap(farm->ring.memory, farm->ring.bytes);
    sigprocmask(SIG_SETMASK, &farm->old_mask, NULL);
    free(farm->workers);
    free(farm->slots);
    free(farm);
}
