// SPDX-License-Identifier: MIT
#include "dispatch/starter.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file_calls.h"
#include "base/memory.h"
#include "base/program.h"

/* A packet; with RUN, the words follow, each with a NUL. */
typedef enum RequestKind { REQUEST_RUN, REQUEST_QUEUE, REQUEST_HOLD, REQUEST_SIGNAL } RequestKind;

typedef struct Request {
    int32_t kind, number;
} Request;

enum { MAX_COMMAND = 128 * 1024, MAX_WORDS = 4096, MAX_PROGRAMS = 1024 };

typedef enum AnswerKind { ANSWER_STARTED, ANSWER_ENDED } AnswerKind;

typedef struct Answer {
    int32_t kind, error, process, status;
} Answer;

const char *const *starter_words(const StarterVerb *verbs, const char *verb)
{
    for (; verbs->verb; verbs++)
        if (!strcmp(verbs->verb, verb))
            return verbs->words;
    return NULL;
}

/* ---- the starter: which commands are allowed ---- */

typedef struct Starter {
    const StarterRules *rules;
    int socket;
    pid_t programs[MAX_PROGRAMS];
    size_t count;
} Starter;

static bool is_bake_of_batch(const StarterRules *rules, const char *file)
{
    return rules->bakes && !strncmp(file, rules->bakes, strlen(rules->bakes)) &&
           !strchr(file + strlen(rules->bakes), '/');
}

/* Whether the words after those of the host are of the kinds that a batch uses. */
static bool are_of_batch(const StarterRules *rules, const char *verb, const char *const *words)
{
    static const struct {
        const char *name;
        bool has_value;
    } flags[] = {{"--set", true},       {"-o", true},        {"--previews", false},
                 {"--shards", true},    {"--submit", false}, {"--progress", true},
                 {"--overwrite", false}};
    enum { COUNT = sizeof flags / sizeof *flags };
    bool overwrites = false, is_own = false;
    for (; *words && strcmp(*words, "--") != 0; words++) {
        size_t i = 0;
        while (i < COUNT && strcmp(*words, flags[i].name) != 0)
            i++;
        if (i == COUNT || (flags[i].has_value && !words[1]))
            return false;
        overwrites |= !strcmp(*words, "--overwrite");
        is_own |= !strcmp(*words, "-o") && is_bake_of_batch(rules, words[1]);
        words += flags[i].has_value;
    }
    return *words && words[1] && !words[2] &&
           (!overwrites || rules->overwrite || (is_own && !strcmp(verb, "bake")));
}

static bool is_allowed(const StarterRules *rules, const char *const *command)
{
    if (!command[0] || strcmp(command[0], "odori") != 0 || !command[1])
        return false;
    const char *const *words = starter_words(rules->verbs, command[1]);
    const char *const *rest = command + 2;
    if (!words)
        return false;
    for (; *words; words++, rest++)
        if (!*rest || strcmp(*words, *rest) != 0)
            return false;
    return are_of_batch(rules, command[1], rest);
}

/* ---- the starter: programs ---- */

/* In the child process. */
static _Noreturn void become(const char *const *command, int output, bool is_queue, pid_t parent)
{
    char *const *words; /* execv() does not modify its arguments, but lacks const */
    memcpy(&words, &command, sizeof words);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) /* the parent died before prctl() */
        _exit(70);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (dup2(output, STDOUT_FILENO) < 0 || (!is_queue && dup2(output, STDERR_FILENO) < 0))
        _exit(70);
    if (is_queue)
        execvp(command[0], words);
    else
        program_become(words);
    dprintf(output, "odori: error: cannot start: %s\n", strerror(errno));
    _exit(70);
}

static Answer run(Starter *s, const char *const *command, int output, bool is_queue)
{
    Answer answer = {.kind = ANSWER_STARTED};
    const pid_t parent = getpid();
    if (output < 0 || s->count == MAX_PROGRAMS || (!is_queue && !is_allowed(s->rules, command))) {
        answer.error = s->count == MAX_PROGRAMS ? EAGAIN : EPERM;
        return answer;
    }
    const pid_t pid = fork();
    if (pid == 0)
        become(command, output, is_queue, parent);
    if (pid < 0)
        answer.error = errno;
    else
        s->programs[s->count++] = pid;
    answer.process = (int32_t)pid;
    return answer;
}

/* The words of a packet, or NULL. */
static const char *const *read_words(const char *at, const char *end)
{
    static const char *words[MAX_WORDS + 1];
    size_t count = 0;
    while (at < end && count < MAX_WORDS) {
        const char *nul = memchr(at, '\0', (size_t)(end - at));
        if (!nul)
            return NULL;
        words[count++] = at;
        at = nul + 1;
    }
    words[count] = NULL;
    return at == end ? words : NULL;
}

static bool report_ends(Starter *s)
{
    int status;
    for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;) {
        const Answer answer = {ANSWER_ENDED, 0, (int32_t)pid, (int32_t)status};
        for (size_t i = 0; i < s->count; i++)
            if (s->programs[i] == pid)
                s->programs[i] = s->programs[--s->count];
        if (!file_calls_send(s->socket, &answer, sizeof answer, -1))
            return false;
    }
    return true;
}

/* False at the end of the process that asks. */
static bool answer_request(Starter *s)
{
    static union {
        Request request;
        char bytes[sizeof(Request) + MAX_COMMAND];
    } packet;
    static const char *const queue[] = {"squeue", "--noheader", "--format=%i", NULL};
    static const char *const none[] = {NULL};
    int passed;
    const size_t size = file_calls_receive(s->socket, &packet, sizeof packet, &passed);
    const Request *request = &packet.request;
    if (size < sizeof *request)
        return false;
    bool good = true;
    if (request->kind == REQUEST_RUN || request->kind == REQUEST_QUEUE) {
        const bool is_queue = request->kind == REQUEST_QUEUE;
        const char *const *words = read_words(packet.bytes + sizeof *request, packet.bytes + size);
        const Answer answer = run(s, is_queue ? queue : words ? words : none, passed, is_queue);
        good = file_calls_send(s->socket, &answer, sizeof answer, -1);
    } else if (request->kind == REQUEST_HOLD && passed >= 0) {
        const int held = dup(passed); /* inherited by programs */
        good = held >= 0;
    } else if (request->kind == REQUEST_SIGNAL) {
        for (size_t i = 0; i < s->count; i++)
            kill(s->programs[i], request->number);
    }
    if (passed >= 0)
        close(passed);
    return good;
}

/* Signals that stop a batch are for its own process, which decides what its programs get. */
static int block_signals(void)
{
    static const int blocked[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1};
    sigset_t children, all;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    all = children;
    for (size_t i = 0; i < sizeof blocked / sizeof *blocked; i++)
        sigaddset(&all, blocked[i]);
    sigprocmask(SIG_BLOCK, &all, NULL);
    return signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
}

static _Noreturn void serve(int socket, const StarterRules *rules)
{
    static Starter starter;
    struct signalfd_siginfo ended;
    prctl(PR_SET_NAME, "odori-starter");
    /* Its copies of these descriptors would keep pipes open. */
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; null >= 0 && fd < 3; fd++)
        dup2(null, fd);
    starter = (Starter){.rules = rules, .socket = socket};
    struct pollfd events[] = {{socket, POLLIN, 0}, {block_signals(), POLLIN, 0}};
    for (bool good = true; good;) {
        if (poll(events, 2, -1) < 0)
            continue;
        while (read(events[1].fd, &ended, sizeof ended) > 0)
            ;
        good = report_ends(&starter) && (!events[0].revents || answer_request(&starter));
    }
    _exit(0);
}

/* ---- the process of the batch ---- */

/* The process has one starter, as it has one working directory. */
static struct {
    pid_t process;
    int socket;
    Answer *ended; /* programs that have ended */
    size_t count, capacity;
} own = {.socket = -1};

bool starter_start(const StarterRules *rules, Diag *diag)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return diag_fail(diag, DIAG_RESOURCE, "cannot start the process that starts jobs: %s",
                         strerror(errno));
    own.process = fork();
    const int error = errno;
    if (own.process == 0) {
        close(pair[0]);
        serve(pair[1], rules);
    }
    close(pair[1]);
    own.socket = pair[0];
    if (own.process > 0)
        return true;
    starter_stop();
    return diag_fail(diag, DIAG_RESOURCE, "cannot start the process that starts jobs: %s",
                     strerror(error));
}

void starter_stop(void)
{
    if (own.socket < 0)
        return;
    shutdown(own.socket, SHUT_RDWR); /* the file broker has a copy */
    close(own.socket);
    while (own.process > 0 && waitpid(own.process, NULL, 0) < 0 && errno == EINTR)
        ;
    memory_free(own.ended);
    memset(&own, 0, sizeof own);
    own.socket = -1;
}

static void keep_end(const Answer *answer)
{
    if (own.count == own.capacity) {
        own.capacity = own.capacity ? 2 * own.capacity : 16;
        own.ended = memory_resize(own.ended, own.capacity * sizeof *own.ended);
    }
    own.ended[own.count++] = *answer;
}

/* False if the starter has been killed: without it no program can be waited for. */
static bool receive(Answer *answer)
{
    int passed;
    const size_t size = file_calls_receive(own.socket, answer, sizeof *answer, &passed);
    if (passed >= 0)
        close(passed);
    return size == sizeof *answer;
}

static pid_t request(RequestKind kind, const char *const *command, int passed)
{
    static union {
        Request request;
        char bytes[sizeof(Request) + MAX_COMMAND];
    } packet;
    size_t size = sizeof packet.request;
    packet.request = (Request){.kind = (int32_t)kind};
    for (size_t i = 0; command && command[i]; i++) {
        const size_t length = strlen(command[i]) + 1;
        if (length > sizeof packet - size || i == MAX_WORDS) {
            errno = E2BIG;
            return -1;
        }
        memcpy(packet.bytes + size, command[i], length);
        size += length;
    }
    Answer answer = {.error = EPIPE};
    if (file_calls_send(own.socket, &packet, size, passed))
        while (receive(&answer) && answer.kind == ANSWER_ENDED)
            keep_end(&answer);
    errno = answer.kind == ANSWER_STARTED ? answer.error : EPIPE;
    return answer.kind == ANSWER_STARTED && !answer.error ? answer.process : -1;
}

pid_t starter_run(const char *const *command, int log)
{
    return request(REQUEST_RUN, command, log);
}

pid_t starter_run_queue(int output)
{
    return request(REQUEST_QUEUE, NULL, output);
}

void starter_hold(int file)
{
    const Request hold = {.kind = REQUEST_HOLD};
    file_calls_send(own.socket, &hold, sizeof hold, file);
}

void starter_signal(int number)
{
    const Request signal = {REQUEST_SIGNAL, number};
    file_calls_send(own.socket, &signal, sizeof signal, -1);
}

void starter_wait(int milliseconds)
{
    struct pollfd event = {own.socket, POLLIN, 0};
    Answer answer;
    if (own.count || poll(&event, 1, milliseconds) <= 0)
        return;
    if (receive(&answer)) {
        keep_end(&answer);
    } else { /* it was killed, and its programs receive SIGTERM */
        static const char text[] = "odori: error: the process that starts jobs was killed\n";
        const ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
        (void)written;
        _exit(70);
    }
}

bool starter_has_ended(pid_t process, int *status)
{
    for (size_t i = 0; i < own.count; i++)
        if (own.ended[i].process == process) {
            *status = own.ended[i].status;
            own.ended[i] = own.ended[--own.count];
            return true;
        }
    return false;
}
