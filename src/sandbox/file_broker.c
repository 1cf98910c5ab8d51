#include "sandbox/file_broker.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file_calls.h"
#include "sandbox/file_names.h"

enum { WRITES = SANDBOX_WRITE | SANDBOX_RMDIR, MAX_RULES = 256 };

/* A packet of FILE_CALL_JOIN: the call, then for each rule a byte of access, its path and its
 * names, both with a NUL; "" for all names. */
enum { MAX_JOIN = 128 * 1024 };

/* A broker: its rules, and where their directories really are, which links do not change. */
typedef struct Broker {
    int client;
    SandboxRule rules[MAX_RULES];
    char directories[MAX_RULES][PATH_MAX];
    size_t count;
} Broker;

/* ---- rules ---- */

/* Whether the path is neither a file nor a directory: no name is created, renamed or removed. */
static bool is_written_directly(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

static bool is_for_broker(const SandboxRule *rule)
{
    return (rule->access & WRITES) && !is_written_directly(rule->path);
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
            is_for_broker(rule) ? rule->access & ~(unsigned)WRITES : rule->access;
        sandbox_allow(&remaining, rule->path, access, arena);
    }
    return remaining;
}

/* ---- the broker: no allocation, no contents of files ---- */

static bool is_text(const char text[FILE_CALL_PATH_SIZE])
{
    return memchr(text, '\0', FILE_CALL_PATH_SIZE) != NULL;
}

/* A FIFO would block the broker, a device could be anything. */
static int open_regular(int directory, const FileCall *call, int *opened)
{
    enum {
        ALLOWED = O_ACCMODE | O_CREAT | O_EXCL | O_TRUNC | O_APPEND,
        ADDED = O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    };
    struct stat st;
    const int fd =
        openat(directory, call->path, (call->flags & ALLOWED) | ADDED, call->mode & 0666);
    if (fd < 0)
        return errno;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
        close(fd);
        return EPERM;
    }
    fcntl(fd, F_SETFL, call->flags & O_APPEND);
    *opened = fd;
    return 0;
}

/* The real path of a directory, "" for the root; false if it does not exist. */
static bool real_directory(char out[PATH_MAX], const char *path)
{
    if (!realpath(path, out))
        return false;
    if (!strcmp(out, "/"))
        *out = '\0';
    return true;
}

/* The real path of the directory of a path; false without one. */
static bool find_directory(char out[PATH_MAX], int directory, const char *path)
{
    char name[FILE_CALL_PATH_SIZE];
    const char *slash = strrchr(path, '/');
    if (directory == AT_FDCWD) {
        snprintf(name, sizeof name, "%.*s.", slash ? (int)(slash + 1 - path) : 0, path);
        return real_directory(out, name);
    }
    snprintf(name, sizeof name, "/proc/self/fd/%d", directory);
    const ssize_t size = slash ? -1 : readlink(name, out, PATH_MAX - 1);
    out[size > 0 ? size : 0] = '\0';
    return size > 0;
}

/* Whether a rule allows to write a path, links apart: those at its end are not followed. */
static bool is_allowed(const Broker *broker, unsigned access, int directory, const char *path)
{
    char real[PATH_MAX + FILE_CALL_PATH_SIZE];
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (!*name || !strcmp(name, ".") || !strcmp(name, "..") ||
        !find_directory(real, directory, path))
        return false;
    snprintf(real + strlen(real), FILE_CALL_PATH_SIZE, "/%s", name);
    for (size_t i = 0; i < broker->count; i++) {
        const SandboxRule *rule = &broker->rules[i];
        const size_t size = strlen(broker->directories[i]);
        if ((rule->access & access) && !strncmp(real, broker->directories[i], size) &&
            real[size] == '/' && (!*rule->names || file_names_match(rule->names, real + size + 1)))
            return true;
    }
    return false;
}

static unsigned access_of(FileCallKind kind)
{
    return kind == FILE_CALL_RMDIR ? WRITES : SANDBOX_WRITE;
}

/* mkdir -p asks for directories that exist, too. */
static int refuse(const FileCall *call)
{
    struct stat st;
    return call->kind == FILE_CALL_MKDIR && stat(call->path, &st) == 0 ? EEXIST : EACCES;
}

static int make_call(const Broker *broker, const FileCall *call, int directory, int *opened)
{
    const FileCallKind kind = (FileCallKind)call->kind;
    int rc = -1;
    if (!is_text(call->path) || !is_text(call->to))
        return EINVAL;
    if (!is_allowed(broker, access_of(kind), directory, call->path) ||
        (kind == FILE_CALL_RENAME && !is_allowed(broker, SANDBOX_WRITE, directory, call->to)))
        return refuse(call);
    switch (kind) {
    case FILE_CALL_OPEN:
        return open_regular(directory, call, opened);
    case FILE_CALL_UNLINK:
        rc = unlinkat(directory, call->path, 0);
        break;
    case FILE_CALL_RENAME:
        rc = rename(call->path, call->to);
        break;
    case FILE_CALL_MKDIR:
        rc = mkdir(call->path, call->mode & 0777);
        break;
    case FILE_CALL_RMDIR:
        rc = rmdir(call->path);
        break;
    case FILE_CALL_JOIN:
    default:
        errno = EINVAL;
    }
    return rc == 0 ? 0 : errno;
}

/* Answers one call. */
static bool answer(const Broker *broker, const FileCall *call, int passed)
{
    int opened = -1;
    const int32_t error = make_call(broker, call, passed >= 0 ? passed : AT_FDCWD, &opened);
    const bool sent = file_calls_send(broker->client, &error, sizeof error, opened);
    if (opened >= 0)
        close(opened);
    return sent;
}

/* Adds a rule; false if there are too many. */
static bool add_rule(Broker *broker, const SandboxRule *rule)
{
    char *directory = broker->directories[broker->count];
    if (broker->count == MAX_RULES)
        return false;
    if (!real_directory(directory, rule->path)) /* a directory that does not exist needs no rule */
        return true;
    broker->rules[broker->count++] =
        (SandboxRule){rule->path, rule->access, rule->names ? rule->names : ""};
    return true;
}

/* Gives up everything else.  The rules of the system are not needed: nothing is loaded any more. */
static bool confine(const Broker *broker, Diag *diag)
{
    SandboxRule items[MAX_RULES];
    memcpy(items, broker->rules, broker->count * sizeof *items);
    const SandboxRules rules = {.items = items, .count = broker->count};
    return sandbox_restrict_files(&rules, SANDBOX_REQUIRE, diag);
}

/* The text after a NUL, which is before `end`; NULL if there is none. */
static const char *next_text(const char *text, const char *end)
{
    const char *nul = memchr(text, '\0', (size_t)(end - text));
    return nul ? nul + 1 : NULL;
}

static bool read_rules(Broker *broker, const char *at, const char *end)
{
    broker->count = 0;
    while (at < end) {
        const char *path = at + 1;
        const char *names = next_text(path, end);
        const char *next = names ? next_text(names, end) : NULL;
        if (!next || !add_rule(broker, &(SandboxRule){path, (unsigned)(unsigned char)*at, names}))
            return false;
        at = next;
    }
    return true;
}

/* A broker of fewer rights, whose calls are restricted further because it starts no other. */
static _Noreturn void serve_joined(const Broker *broker)
{
    static FileCall call;
    Diag diag = diag_quiet();
    int passed;
    if (!confine(broker, &diag) || !sandbox_restrict_calls(SANDBOX_ENCODER, SANDBOX_AUTO, &diag))
        _exit(1);
    while (file_calls_receive(broker->client, &call, sizeof call, &passed) == sizeof call) {
        const bool sent = answer(broker, &call, passed);
        if (passed >= 0)
            close(passed);
        if (!sent)
            break;
    }
    _exit(0);
}

/* The process has the memory of its parent, whose rules it replaces. */
static void start_joined(Broker *broker, int client, const char *text, size_t size)
{
    if (client < 0 || fork() != 0)
        return;
    close(broker->client);
    broker->client = client;
    if (read_rules(broker, text, text + size))
        serve_joined(broker);
    _exit(1);
}

/* Its copies of these descriptors would keep pipes open. */
static void leave_terminal(void)
{
    static const int ignored[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT,
                                  SIGALRM, SIGUSR1, SIGPIPE, SIGXCPU};
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        signal(ignored[i], SIG_IGN);
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; null >= 0 && fd < 3; fd++)
        dup2(null, fd);
}

/* Ends after those that it started, so that no process of a run outlives it. */
static _Noreturn void serve(Broker *broker)
{
    static union {
        FileCall call;
        char bytes[sizeof(FileCall) + MAX_JOIN];
    } packet;
    Diag diag = diag_quiet();
    int passed;
    if (!confine(broker, &diag))
        _exit(1);
    for (size_t n;
         (n = file_calls_receive(broker->client, &packet, sizeof packet, &passed)) != 0;) {
        if (n >= sizeof packet.call && packet.call.kind == FILE_CALL_JOIN)
            start_joined(broker, passed, packet.bytes + sizeof packet.call, n - sizeof packet.call);
        else if (n != sizeof packet.call || !answer(broker, &packet.call, passed))
            break;
        if (passed >= 0)
            close(passed);
        while (waitpid(-1, NULL, WNOHANG) > 0)
            ;
    }
    while (wait(NULL) > 0 || errno == EINTR)
        ;
    _exit(0);
}

static _Noreturn void run_broker(int client, const SandboxRules *rules)
{
    static Broker broker;
    prctl(PR_SET_NAME, "odori-files");
    leave_terminal();
    broker.client = client;
    for (size_t i = 0; i < rules->count; i++)
        if (is_for_broker(&rules->items[i]) && !add_rule(&broker, &rules->items[i]))
            _exit(1);
    serve(&broker);
}

/* ---- its clients ---- */

static pid_t own_broker; /* the broker of this process; 0: none */

static bool fail(const char *reason, Diag *diag)
{
    return diag_fail(diag, DIAG_RESOURCE, "cannot start the process that writes files: %s", reason);
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
        run_broker(pair[1], rules);
    }
    const int error = errno;
    close(pair[1]);
    if (pid < 0) {
        close(pair[0]);
        return fail(strerror(error), diag);
    }
    file_calls_connect(pair[0], FILE_CALLS_EXIT);
    own_broker = pid;
    return true;
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
    int pair[2] = {-1, -1};
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
    }
    file_calls_connect(pair[0], FILE_CALLS_DIE);
    return true;
}
