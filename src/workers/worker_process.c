#include "workers/worker_process.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/process_memory.h"

uint8_t *worker_ring_state(const WorkerRing *ring, int slot)
{
    return ring->memory + (size_t)slot * ring->slot_bytes;
}

uint8_t *worker_ring_picture(const WorkerRing *ring, int slot)
{
    return worker_ring_state(ring, slot) + ring->state_bytes;
}

/* ---- packets ---- */

bool worker_send(int fd, const WorkerMessage *message)
{
    ssize_t n;
    do
        n = send(fd, message, sizeof *message, MSG_NOSIGNAL);
    while (n < 0 && errno == EINTR);
    return n == (ssize_t)sizeof *message;
}

/* ECONNRESET comes once, ahead of what is still to be read, when the other side ended with packets
 * of ours unread: its last words come after it. */
bool worker_receive(int fd, WorkerMessage *message)
{
    ssize_t n;
    do
        n = recv(fd, message, sizeof *message, 0);
    while (n < 0 && (errno == EINTR || errno == ECONNRESET));
    return n == (ssize_t)sizeof *message;
}

typedef union FdControl { /* aligned room for one passed descriptor */
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
} FdControl;

static bool send_fd(int fd, const WorkerMessage *message, int passed)
{
    FdControl control = {0};
    WorkerMessage copy = *message;
    struct iovec part = {&copy, sizeof copy};
    struct msghdr head = {.msg_iov = &part,
                          .msg_iovlen = 1,
                          .msg_control = control.bytes,
                          .msg_controllen = sizeof control.bytes};
    struct cmsghdr *c = CMSG_FIRSTHDR(&head);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(c), &passed, sizeof passed);
    ssize_t n;
    do
        n = sendmsg(fd, &head, MSG_NOSIGNAL);
    while (n < 0 && errno == EINTR);
    return n == (ssize_t)sizeof *message;
}

bool worker_receive_fd(int fd, WorkerMessage *message, int *passed)
{
    FdControl control = {0};
    struct iovec part = {message, sizeof *message};
    struct msghdr head = {.msg_iov = &part,
                          .msg_iovlen = 1,
                          .msg_control = control.bytes,
                          .msg_controllen = sizeof control.bytes};
    ssize_t n;
    do
        n = recvmsg(fd, &head, MSG_CMSG_CLOEXEC);
    while (n < 0 && (errno == EINTR || errno == ECONNRESET));
    if (n != (ssize_t)sizeof *message)
        return false;
    const struct cmsghdr *c = CMSG_FIRSTHDR(&head);
    *passed = -1;
    if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS)
        memcpy(passed, CMSG_DATA(c), sizeof *passed);
    return true;
}

/* ---- a child's Diag says everything to main ---- */

typedef struct Mouth {
    int fd;
    const Diag *diag;
    const char *who;
} Mouth;

static void put_shortage(char *out, size_t size, const char *who, const char *text)
{
    char bound[64] = "";
    if (process_memory_is_bounded())
        snprintf(bound, sizeof bound, ", at a limit of %" PRId64 " MiB",
                 process_memory_is_bounded());
    snprintf(out, size, "%s is out of memory%s: %s", who, bound, text);
}

/* Libraries that lack memory tell all sorts of things. */
static void say(void *user, DiagLevel level, const char *text)
{
    const Mouth *mouth = user;
    WorkerMessage m = {
        .kind = WORKER_DIAGNOSTIC, .level = level, .problem = (int32_t)mouth->diag->kind};
    if (level == DIAG_ERROR && process_memory_is_short()) {
        m.problem = DIAG_RESOURCE;
        put_shortage(m.text, sizeof m.text, mouth->who, text);
    } else {
        snprintf(m.text, sizeof m.text, "%s", text);
    }
    worker_send(mouth->fd, &m);
}

static _Noreturn void end_failed(int fd)
{
    const WorkerMessage m = {.kind = WORKER_FAILED};
    worker_send(fd, &m);
    _exit(1);
}

/* ---- worker ---- */

static _Noreturn void worker_main(int fd, const WorkerPoolSpec *spec, const WorkerRing *ring)
{
    prctl(PR_SET_NAME, "odori-worker");
    process_memory_guard();
    Diag diag;
    Mouth mouth = {fd, &diag, "a worker"};
    diag_init(&diag, say, &mouth);

    void *worker = spec->open(spec->user, &diag);
    if (!worker)
        end_failed(fd);
    WorkerMessage m;
    while (worker_receive(fd, &m) && m.kind == WORKER_DRAW && !atomic_load(ring->leaving)) {
        WorkerMessage answer = {.kind = WORKER_DRAWN, .slot = m.slot, .frame = m.frame};
        if (!spec->draw(worker, worker_ring_picture(ring, m.slot), answer.times, answer.note,
                        worker_ring_state(ring, m.slot), m.frame, &diag))
            end_failed(fd);
        answer.memory_mib = process_memory_usage(getpid());
        if (!worker_send(fd, &answer))
            break;
    }
    spec->close(worker);
    _exit(0);
}

/* ---- spawner ---- */

static void spawn_worker(int fd, const WorkerPoolSpec *spec, const WorkerRing *ring)
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
        worker_main(pair[1], spec, ring);
    }
    answer.slot = errno;
    answer.pid = pid;
    close(pair[1]);
    if (pid > 0)
        send_fd(fd, &answer, pair[0]);
    else
        worker_send(fd, &answer);
    close(pair[0]);
}

void worker_spawner_main(int fd, const WorkerPoolSpec *spec, const WorkerRing *ring)
{
    prctl(PR_SET_NAME, "odori-spawner");
    WorkerMessage m;
    while (worker_receive(fd, &m)) {
        if (m.kind == WORKER_SPAWN) {
            spawn_worker(fd, spec, ring);
        } else if (m.kind == WORKER_REAP) {
            WorkerMessage answer = {.kind = WORKER_REAPED, .pid = m.pid};
            int status = 0;
            while (waitpid((pid_t)m.pid, &status, 0) < 0 && errno == EINTR)
                ;
            answer.slot = status;
            worker_send(fd, &answer);
        }
    }
    while (wait(NULL) > 0 || errno == EINTR) /* workers end when main closes their sockets */
        ;
    _exit(0);
}

/* ---- encoder ---- */

void worker_encoder_main(int fd, const WorkerPoolSpec *spec, const WorkerRing *ring)
{
    prctl(PR_SET_NAME, "odori-encoder");
    process_memory_guard();
    Diag diag;
    Mouth mouth = {fd, &diag, "the encoder"};
    diag_init(&diag, say, &mouth);

    void *encoder = spec->encoder_open(spec->user, &diag);
    if (!encoder)
        end_failed(fd);
    bool ok = true;
    WorkerMessage m;
    while (ok && worker_receive(fd, &m)) {
        WorkerMessage answer = {.kind = WORKER_ENCODED, .slot = m.slot, .frame = m.frame};
        if (m.kind == WORKER_FINISH) {
            answer.kind = WORKER_FINISHED;
            ok = spec->encoder_finish(encoder, &diag);
        } else {
            ok = spec->encoder_write(encoder, worker_ring_picture(ring, m.slot), m.frame, &diag);
        }
        answer.times[0] = clock_process_cpu_s();
        answer.memory_mib = process_memory_usage(getpid());
        if (!ok || !worker_send(fd, &answer) || m.kind == WORKER_FINISH)
            break;
    }
    spec->encoder_close(encoder);
    if (!ok)
        end_failed(fd);
    _exit(0);
}
