// SPDX-License-Identifier: MIT
/*
 * probe.c - what a process can do to files while it parses
 *
 * Linked with the program in place of base/parser_entry.c.  When a process first enters a parser,
 * it tries all attempts below, as code would that a damaged file has put there, and writes a line
 * for each to descriptor 9: parser, process, attempt, "refused" or "possible".  PROBE_OUTSIDE is a
 * directory which no job names, with the files `secret`, `old` and `victim`.
 *
 * PROBE_LIES names a parser.  In the process that finds the files of a job it answers, instead of
 * what it finds, that the job reads `secret` and writes `old`.
 *
 * The process that forks the workers enters no parser, but has the memory of one that does: it
 * tries the same as "fork" when it makes the sockets of a worker.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/file_calls.h"
#include "base/parser_entry.h"

enum { LOG = 9, MAX_PARSERS = 64, PATH_SIZE = 4096 };

static const char *outside(const char *name)
{
    static char paths[2][PATH_SIZE];
    static unsigned next;
    const char *directory = getenv("PROBE_OUTSIDE");
    next = !next;
    snprintf(paths[next], PATH_SIZE, "%s/%s", directory ? directory : "/nonexistent", name);
    return paths[next];
}

static int opened(const char *path, int flags)
{
    const int fd = open(path, flags | O_CLOEXEC, 0600);
    if (fd >= 0)
        close(fd);
    return fd;
}

static int create(void)
{
    const int rc = opened(outside("new"), O_WRONLY | O_CREAT);
    unlink(outside("new"));
    return rc;
}
static int create_here(void)
{
    const int rc = opened(".probe.new", O_WRONLY | O_CREAT);
    unlink(".probe.new");
    return rc;
}
static int overwrite(void)
{
    return opened(outside("old"), O_WRONLY);
}
static int overwrite_by_broker(void)
{
    const int fd = file_calls_open(AT_FDCWD, outside("old"), O_WRONLY | O_CREAT, 0600);
    if (fd >= 0)
        close(fd);
    return fd;
}
static int move(void)
{
    const int rc = rename(outside("old"), outside("moved"));
    rename(outside("moved"), outside("old"));
    return rc;
}
static int erase(void)
{
    const int rc = unlink(outside("victim"));
    if (rc == 0)
        opened(outside("victim"), O_WRONLY | O_CREAT);
    return rc;
}
static int make_directory(void)
{
    const int rc = mkdir(outside("directory"), 0700);
    rmdir(outside("directory"));
    return rc;
}
static int make_link(void)
{
    const int rc = symlink("old", outside("link"));
    unlink(outside("link"));
    return rc;
}
static int change_mode(void)
{
    return chmod(outside("old"), 0600);
}
static int read_secret(void)
{
    return opened(outside("secret"), O_RDONLY);
}
static int read_passwords(void)
{
    return opened("/etc/passwd", O_RDONLY);
}
static int read_parent(void)
{
    char name[64];
    snprintf(name, sizeof name, "/proc/%ld/environ", (long)getppid());
    return opened(name, O_RDONLY);
}
static int read_variable(void)
{
    return getenv("SECRET") ? 0 : -1;
}
static int run_program(void)
{
    char *const words[] = {NULL};
    execve("/nonexistent/program", words, words); /* ENOENT: it may run those that exist */
    return errno == ENOENT ? 0 : -1;
}
static int connect_out(void)
{
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (fd >= 0)
        close(fd);
    return fd;
}

static const struct {
    const char *name;
    int (*make)(void);
} attempts[] = {
    {"create", create},
    {"create-here", create_here},
    {"write", overwrite},
    {"write-by-broker", overwrite_by_broker},
    {"rename", move},
    {"remove", erase},
    {"mkdir", make_directory},
    {"link", make_link},
    {"chmod", change_mode},
    {"read", read_secret},
    {"read-etc", read_passwords},

    {"read-parent", read_parent},
    {"variable", read_variable},
    {"execute", run_program},
    {"socket", connect_out},
};

/* Whether this process has entered the parser before. */
static int is_known(const char *parser)
{
    static const char *known[MAX_PARSERS];
    static int count;
    static pid_t process;
    if (process != getpid()) {
        process = getpid();
        count = 0;
    }
    for (int i = 0; i < count; i++)
        if (!strcmp(known[i], parser))
            return 1;
    if (count < MAX_PARSERS)
        known[count++] = parser;
    return 0;
}

/* The pipe to the process that asks: sandbox/isolated.c. */
static int find_pipe(void)
{
    struct stat st;
    for (int fd = 3; fd < 64; fd++)
        if (fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode) &&
            (fcntl(fd, F_GETFL) & O_ACCMODE) == O_WRONLY)
            return fd;
    return -1;
}

/* The answer is a header of two words that are 0, then kinds and paths: cli/found_files.h. */
static void lie(void)
{
    char answer[2 * PATH_SIZE + 32] = "";
    size_t size = 16;
    size += (size_t)snprintf(answer + size, PATH_SIZE + 2, "i%s", outside("secret")) + 1;
    size += (size_t)snprintf(answer + size, PATH_SIZE + 2, "o%s", outside("old")) + 1;
    const ssize_t written = write(find_pipe(), answer, size);
    _exit(written == (ssize_t)size ? 0 : 1);
}

static void try_all(const char *parser, const char *process)
{
    char line[200];
    for (size_t i = 0; i < sizeof attempts / sizeof *attempts; i++) {
        const int possible = attempts[i].make() >= 0;
        const int size = snprintf(line, sizeof line, "%s %s %s %s\n", parser, process,
                                  attempts[i].name, possible ? "possible" : "refused");
        const ssize_t written = write(LOG, line, (size_t)size);
        (void)written;
    }
}

void parser_enter(const char *parser)
{
    const int before = errno;
    char process[16] = "";
    const char *liar = getenv("PROBE_LIES");
    if (is_known(parser))
        return;
    prctl(PR_GET_NAME, process);
    try_all(parser, process);
    if (liar && !strcmp(liar, parser) && !strcmp(process, "odori-loader"))
        lie();
    errno = before;
}

int socketpair(int domain, int type, int protocol, int pair[2])
{
    char process[16] = "";
    prctl(PR_GET_NAME, process);
    if (!strcmp(process, "odori-spawner") && !is_known("fork"))
        try_all("fork", process);
    return (int)syscall(SYS_socketpair, domain, type, protocol, pair);
}
