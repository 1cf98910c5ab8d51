// SPDX-License-Identifier: MIT
#include "sandbox/isolated.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/encoding.h"
#include "base/memory.h"
#include "base/process_memory.h"
#include "base/text_stream.h"

enum { MAX_RESULT = 64 << 20, POLL_MS = 100 };

/* The child sends this, then its messages, each a level and a terminated text, then its result. */
typedef struct Header {
    int64_t kind; /* DiagKind of the first error */
    uint64_t message_size;
} Header;

/* ---- the child ---- */

static void keep_message(void *user, const DiagMessage *message)
{
    FILE *out = user;
    fputc((int)message->level, out);
    fputs(message->shown, out);
    fputc(0, out);
}

static void write_all(int fd, const void *data, size_t size)
{
    const char *at = data;
    while (size) {
        const ssize_t n = write(fd, at, size);
        if (n < 0 && errno != EINTR)
            _exit(1);
        at += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
}

static _Noreturn void child_main(int fd, IsolatedWork *work, void *user,
                                 const IsolatedLimits *limits, const DiagRules *rules)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGALRM, SIGXCPU};
    const int no_output = open("/dev/null", O_WRONLY); /* libraries report what main must judge */
    TextStream result_stream, message_stream;
    SandboxRules all = {0};
    Diag diag;

    prctl(PR_SET_NAME, "odori-loader");
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], SIG_DFL);
    if (no_output >= 0)
        dup2(no_output, STDERR_FILENO);
    Arena *arena = arena_create(); /* main reports that there is no memory for it */
    if (limits->memory_mib > 0)
        process_memory_set_limit((int64_t)limits->memory_mib);
    process_memory_guard_crashes();
    diag_init(&diag, keep_message, text_stream_open(&message_stream, arena));
    diag.rules = *rules;
    FILE *out = text_stream_open(&result_stream, arena);
    sandbox_allow(&all, "/", SANDBOX_READ, arena);
    const bool good =
        sandbox_restrict_files(limits->files ? limits->files : &all, limits->sandbox, &diag) &&
        sandbox_restrict_calls(SANDBOX_ENCODER, limits->sandbox, &diag) && work(out, user, &diag);
    diag_flush(&diag);
    const char *result = text_stream_close(&result_stream);
    const char *messages = text_stream_close(&message_stream);
    const Header header = {good                     ? DIAG_NONE
                           : diag.kind == DIAG_NONE ? DIAG_INTERNAL
                                                    : (int)diag.kind,
                           message_stream.size};
    write_all(fd, &header, sizeof header);
    write_all(fd, messages, message_stream.size);
    if (good)
        write_all(fd, result, result_stream.size);
    _exit(0);
}

/* ---- the parent ---- */

typedef struct Child {
    pid_t pid;
    int fd;
    double end_s; /* 0: no limit */
    const volatile sig_atomic_t *stop;
} Child;

static bool start(Child *child, IsolatedWork *work, void *user, const IsolatedLimits *limits,
                  Diag *diag)
{
    int pipes[2];
    if (pipe2(pipes, O_CLOEXEC) != 0)
        return diag_fail(diag, DIAG_RESOURCE, "cannot create a pipe: %s", strerror(errno));
    const pid_t parent = getpid();
    fflush(NULL);
    *child = (Child){.pid = fork(),
                     .fd = pipes[0],
                     .end_s = limits->wall_s > 0 ? clock_monotonic_s() + limits->wall_s : 0,
                     .stop = limits->stop};
    if (child->pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            _exit(1);
        close(pipes[0]);
        child_main(pipes[1], work, user, limits, &diag->rules);
    }
    const int reason = errno;
    close(pipes[1]);
    if (child->pid > 0)
        return true;
    close(pipes[0]);
    return diag_fail(diag, DIAG_RESOURCE, "cannot start a process: %s", strerror(reason));
}

typedef enum Reading { READ_ALL, READ_STOPPED, READ_TIMEOUT, READ_TOO_MUCH } Reading;

static Reading read_all(char **data, size_t *size, size_t capacity, const Child *child)
{
    for (;;) {
        struct pollfd wait = {.fd = child->fd, .events = POLLIN};
        if (child->stop && *child->stop)
            return READ_STOPPED;
        if (child->end_s > 0 && clock_monotonic_s() > child->end_s)
            return READ_TIMEOUT;
        if (poll(&wait, 1, POLL_MS) <= 0)
            continue;
        if (*size == capacity)
            *data = memory_resize(*data, capacity *= 2);
        const ssize_t n = read(child->fd, *data + *size, capacity - *size);
        if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
            return READ_ALL;
        *size += n > 0 ? (size_t)n : 0;
        if (*size > MAX_RESULT)
            return READ_TOO_MUCH;
    }
}

static int end_child(const Child *child, bool must_be_killed)
{
    int status = 0;
    if (must_be_killed)
        kill(child->pid, SIGKILL);
    close(child->fd);
    while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

/* The child ended without a result. */
static bool report_death(int status, Diag *diag)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == MEMORY_EXIT)
        return diag_fail(diag, DIAG_RESOURCE, "loading it needs too much memory");
    if (WIFEXITED(status) && WEXITSTATUS(status) == ENCODING_CONVERTER_EXIT)
        return diag_fail(diag, DIAG_RESOURCE,
                         "this system's iconv cannot convert one of CP932, CP437, GB18030, CP949 "
                         "and BIG5-HKSCS");
    if (WIFSIGNALED(status))
        return diag_fail(diag, DIAG_INTERNAL, "loading it was ended by signal %d (%s)",
                         WTERMSIG(status), strsignal(WTERMSIG(status)));
    return diag_fail(diag, DIAG_INTERNAL, "loading it ended with status %d", WEXITSTATUS(status));
}

/* Reports a message of the child again; the rules of the Diag have been applied to it. */
static void repeat_message(int level, const char *text, DiagKind kind, Diag *diag)
{
    errno = 0; /* the child has judged it */
    if (level == DIAG_WARNING) {
        diag->warnings++;
        diag_forward(diag, DIAG_WARNING, text);
    } else if (level == DIAG_NOTE) {
        diag_note(diag, "%s", text);
    } else if (kind != DIAG_NONE) {
        diag_fail(diag, kind, "%s", text);
    }
}

static bool take_result(Bytes *result, const char *data, size_t size, int status, Arena *arena,
                        Diag *diag)
{
    Header header;
    if (size < sizeof header)
        return report_death(status, diag);
    memcpy(&header, data, sizeof header);
    data += sizeof header;
    size -= sizeof header;
    if (header.message_size > size || header.kind < DIAG_NONE || header.kind > DIAG_JOB)
        return report_death(status, diag);
    const DiagKind kind = (DiagKind)header.kind;
    const unsigned errors = diag->errors;
    const char *end = data + header.message_size;
    for (const char *at = data; at < end && memchr(at + 1, 0, (size_t)(end - at - 1));
         at += 1 + strlen(at + 1) + 1)
        repeat_message(*at, at + 1, kind, diag);
    if (kind != DIAG_NONE)
        return diag->errors == errors && diag_fail(diag, kind, "loading it failed");
    size -= header.message_size;
    uint8_t *bytes = arena_alloc(arena, size + 1);
    memcpy(bytes, data + header.message_size, size);
    *result = (Bytes){bytes, size};
    return true;
}

bool isolated_run(Bytes *result, IsolatedWork *work, void *user, const IsolatedLimits *limits,
                  Arena *arena, Diag *diag)
{
    Child child = {.fd = -1};
    const size_t capacity = 1 << 16;
    size_t size = 0;
    char *data = memory_resize(NULL, capacity); /* before the child can lack memory, too */
    if (!start(&child, work, user, limits, diag)) {
        memory_free(data);
        return false;
    }
    const Reading reading = read_all(&data, &size, capacity, &child);
    const int status = end_child(&child, reading != READ_ALL);
    bool good = false;
    if (reading == READ_TIMEOUT)
        diag_fail(diag, DIAG_INCOMPLETE, "loading it takes longer than %g s", limits->wall_s);
    else if (reading == READ_TOO_MUCH)
        diag_fail(diag, DIAG_DATA, "loading it gave more than %d bytes", MAX_RESULT);
    else if (reading == READ_ALL)
        good = take_result(result, data, size, status, arena, diag);
    memory_free(data);
    return good;
}
