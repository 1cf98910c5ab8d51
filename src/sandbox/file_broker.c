// SPDX-License-Identifier: MIT
#include "sandbox/file_broker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file_calls.h"
#include "sandbox/file_grants.h"

/* A packet of FILE_CALL_JOIN: the call, then for each rule a byte of access, its path and its
 * names, both with a NUL; "" for all names. */
enum { MAX_JOIN = 128 * 1024 };

/* Brokers that one may have started: more than there can be workers (render.workers). */
enum { MAX_JOINED = 512 };

/* ---- rules ---- */

/* Whether the path is neither a file nor a directory: no name is created, renamed or removed. */
static bool is_written_directly(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

static bool is_for_broker(const SandboxRule *rule)
{
    return (rule->access & FILE_GRANTS_WRITES) && !is_written_directly(rule->path);
}

bool file_broker_is_needed(const SandboxRules *rules)
{
    for (size_t i = 0; i < rules->count; i++)
        if (is_for_broker(&rules->items[i]))
            return true;
    return false;
}

SandboxRules file_broker_remaining(const SandboxRules *rules, Arena *arena)
{
    SandboxRules remaining = {0};
    for (size_t i = 0; i < rules->count; i++) {
        const SandboxRule *rule = &rules->items[i];
        const unsigned access =
            is_for_broker(rule) ? rule->access & ~(unsigned)FILE_GRANTS_WRITES : rule->access;
        sandbox_allow(&remaining, rule->path, access, arena);
        remaining.items[remaining.count - 1].within = rule->within;
    }
    return remaining;
}

/* ---- the broker: no allocation, no contents of files ---- */

/* Answers one call. */
static bool answer(int client, const FileGrants *grants, const FileCall *call, int passed)
{
    int opened = -1;
    const int32_t error =
        passed == FILE_CALLS_LOST ? EMFILE : file_grants_call(grants, call, passed, &opened);
    const bool sent = file_calls_send(client, &error, sizeof error, opened);
    if (opened >= 0)
        close(opened);
    return sent;
}

/* Gives up everything else.  The rules of the system are not needed: nothing is loaded any more. */
static bool confine(const FileGrants *grants, Diag *diag)
{
    SandboxRule items[FILE_GRANTS_MAX];
    for (size_t i = 0; i < grants->count; i++) {
        const FileGrant *grant = &grants->items[i];
        items[i] = (SandboxRule){.path = *grant->path ? grant->path : "/",
                                 .access = grant->access,
                                 .within = grant->within};
    }
    const SandboxRules rules = {.items = items, .count = grants->count};
    return sandbox_restrict_files(&rules, SANDBOX_REQUIRE, diag);
}

/* The text after a NUL, which is before `end`; NULL if there is none. */
static const char *next_text(const char *text, const char *end)
{
    const char *nul = memchr(text, '\0', (size_t)(end - text));
    return nul ? nul + 1 : NULL;
}

/* Tells the client that its calls are answered from now on, or why not: 0 or an errno. */
static void report_start(int client, bool started)
{
    const int32_t error = started ? 0 : errno ? errno : EPERM;
    if (!file_calls_send(client, &error, sizeof error, -1) || error)
        _exit(1);
}

static bool read_rules(FileGrants *grants, const char *at, const char *end)
{
    errno = EINVAL;
    while (at < end) {
        const char *path = at + 1;
        const char *names = next_text(path, end);
        const char *next = names ? next_text(names, end) : NULL;
        const SandboxRule rule = {
            .path = path, .access = (unsigned)(unsigned char)*at, .names = names};
        if (!next || !file_grants_add(grants, &rule))
            return false;
        at = next;
    }
    return true;
}

/* A broker of fewer rights, whose calls are restricted further because it starts no other. */
static _Noreturn void serve_joined(int client, const FileGrants *grants)
{
    static FileCall call;
    int passed;
    while (file_calls_receive(client, &call, sizeof call, &passed) == sizeof call) {
        const bool sent = answer(client, grants, &call, passed);
        if (passed >= 0)
            close(passed);
        if (!sent)
            break;
    }
    _exit(0);
}

/* The rules are the client's word: what its own broker refuses, this one refuses, too.  True if a
 * process was started. */
static bool start_joined(int own_client, const FileGrants *own, int client, const char *text,
                         size_t size)
{
    static FileGrants grants;
    Diag diag = diag_quiet();
    const pid_t pid = client < 0 ? -1 : fork();
    if (pid != 0)
        return pid > 0;
    close(own_client);
    grants.above = own;
    report_start(client, read_rules(&grants, text, text + size) && confine(&grants, &diag) &&
                             sandbox_restrict_calls(SANDBOX_ENCODER, SANDBOX_AUTO, &diag));
    serve_joined(client, &grants);
}

/* Ends after those that it started, so that no process of a run outlives it. */
static _Noreturn void serve(int client, const FileGrants *grants)
{
    static union {
        FileCall call;
        char bytes[sizeof(FileCall) + MAX_JOIN];
    } packet;
    int passed, joined = 0;
    for (size_t n; (n = file_calls_receive(client, &packet, sizeof packet, &passed)) != 0;) {
        while (waitpid(-1, NULL, WNOHANG) > 0)
            joined--;
        if (n >= sizeof packet.call && packet.call.kind == FILE_CALL_JOIN)
            joined += joined < MAX_JOINED &&
                      start_joined(client, grants, passed, packet.bytes + sizeof packet.call,
                                   n - sizeof packet.call);
        else if (n != sizeof packet.call || !answer(client, grants, &packet.call, passed))
            break;
        if (passed >= 0)
            close(passed);
    }
    while (wait(NULL) > 0 || errno == EINTR)
        ;
    _exit(0);
}

_Noreturn void file_broker_become(const SandboxRules *rules, int client)
{
    static FileGrants grants;
    Diag diag = diag_quiet();
    prctl(PR_SET_NAME, "odori-files");
    /* Its copies of these descriptors would keep pipes open. */
    static const int ignored[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT,
                                  SIGALRM, SIGUSR1, SIGPIPE, SIGXCPU};
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        signal(ignored[i], SIG_IGN);
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; null >= 0 && fd < 3; fd++)
        dup2(null, fd);
    bool added = true;
    for (size_t i = 0; i < rules->count && added; i++)
        added = !is_for_broker(&rules->items[i]) || file_grants_add(&grants, &rules->items[i]);
    report_start(client, added && confine(&grants, &diag));
    serve(client, &grants);
}

/* ---- its clients ---- */

static pid_t own_broker; /* the broker of this process; 0: none */

static bool fail(const char *reason, Diag *diag)
{
    return diag_fail(diag, DIAG_RESOURCE, "cannot start the process that writes files: %s", reason);
}

/* Uses a broker that was started, unless it cannot serve.  That it was killed is reported by the
 * first call. */
static bool connect_started(int socket, FileCallsLoss loss, Diag *diag)
{
    int32_t error = 0;
    int passed;
    if (file_calls_receive(socket, &error, sizeof error, &passed) && error) {
        close(socket);
        return fail(error == E2BIG ? "too many outputs" : strerror(error), diag);
    }
    file_calls_connect(socket, loss);
    return true;
}

bool file_broker_connect(int socket, Diag *diag)
{
    return connect_started(socket, FILE_CALLS_EXIT, diag);
}

bool file_broker_start(const SandboxRules *rules, Diag *diag)
{
    int pair[2];
    if (!sandbox_support().landlock || !file_broker_is_needed(rules))
        return true;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return fail(strerror(errno), diag);
    const pid_t pid = fork();
    if (pid == 0) {
        close(pair[0]);
        file_broker_become(rules, pair[1]);
    }
    const int error = errno;
    close(pair[1]);
    if (pid < 0) {
        close(pair[0]);
        return fail(strerror(error), diag);
    }
    own_broker = pid;
    return file_broker_connect(pair[0], diag);
}

void file_broker_stop(void)
{
    if (own_broker <= 0)
        return;
    file_calls_connect(-1, FILE_CALLS_EXIT);
    while (waitpid(own_broker, NULL, 0) < 0 && errno == EINTR)
        ;
    own_broker = 0;
}

static size_t add_text(char *packet, size_t size, const char *text)
{
    memcpy(packet + size, text, strlen(text) + 1);
    return size + strlen(text) + 1;
}

/* The size of the packet, 0 if the rules are too many. */
static size_t write_join(char packet[sizeof(FileCall) + MAX_JOIN], const SandboxRules *rules)
{
    const FileCall call = {.kind = FILE_CALL_JOIN};
    size_t size = sizeof call;
    memcpy(packet, &call, sizeof call);
    for (size_t i = 0; i < rules->count; i++) {
        const SandboxRule *rule = &rules->items[i];
        const char *names = rule->names ? rule->names : "";
        if (!is_for_broker(rule))
            continue;
        if (strlen(rule->path) + strlen(names) + 3 > sizeof call + MAX_JOIN - size)
            return 0;
        packet[size++] = (char)rule->access;
        size = add_text(packet, size, rule->path);
        size = add_text(packet, size, names);
    }
    return size;
}

static bool send_join(int client, const SandboxRules *rules, Diag *diag)
{
    static char packet[sizeof(FileCall) + MAX_JOIN];
    const size_t size = write_join(packet, rules);
    return (size && file_calls_send(file_calls_socket(), packet, size, client)) ||
           fail(size ? strerror(errno) : "too many outputs", diag);
}

bool file_broker_join(const SandboxRules *rules, Diag *diag)
{
    int pair[2];
    if (file_calls_socket() < 0)
        return true;
    if (file_broker_is_needed(rules)) {
        if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
            return fail(strerror(errno), diag);
        const bool sent = send_join(pair[1], rules, diag);
        close(pair[1]);
        if (!sent) {
            close(pair[0]);
            return false;
        }
        return connect_started(pair[0], FILE_CALLS_DIE, diag);
    }
    file_calls_connect(-1, FILE_CALLS_DIE);
    return true;
}
