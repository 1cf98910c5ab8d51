// SPDX-License-Identifier: MIT
#include "cli/serve/serve_socket.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/text.h"

enum { FIRST_PASSED = 3, BACKLOG = 64 };

int serve_socket_passed(void)
{
    const char *pid = getenv("LISTEN_PID"), *count = getenv("LISTEN_FDS");
    int64_t of = 0, files = 0;
    if (!pid || !count || !text_to_int64(&of, pid) || of != getpid() ||
        !text_to_int64(&files, count) || files < 1)
        return -1;
    fcntl(FIRST_PASSED, F_SETFD, FD_CLOEXEC);
    fcntl(FIRST_PASSED, F_SETFL, O_NONBLOCK);
    return FIRST_PASSED;
}

static int fail(const char *path, const char *what, Diag *diag)
{
    diag_fail(diag, DIAG_CREATE, "--socket: '%s': %s", path, what);
    return -1;
}

/* Whether the path is a socket at which nobody listens. */
static bool is_left(const char *path, const struct sockaddr_un *address)
{
    struct stat st;
    if (lstat(path, &st) != 0 || !S_ISSOCK(st.st_mode))
        return false;
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool refused = fd >= 0 &&
                         connect(fd, (const struct sockaddr *)address, sizeof *address) != 0 &&
                         errno == ECONNREFUSED;
    if (fd >= 0)
        close(fd);
    return refused;
}

int serve_socket_open(const char *path, Diag *diag)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path)
        return fail(path, "the path is longer than 107 bytes", diag);
    memcpy(address.sun_path, path, strlen(path) + 1);
    if (is_left(path, &address))
        unlink(path);
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const mode_t mask = umask(0177);
    const bool bound = fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof address) == 0 &&
                       listen(fd, BACKLOG) == 0;
    const int error = errno;
    umask(mask);
    if (bound)
        return fd;
    if (fd >= 0)
        close(fd);
    return fail(path,
                error == EADDRINUSE ? "the file exists; another server listens there, or it is not "
                                      "a socket"
                                    : strerror(error),
                diag);
}

void serve_socket_remove(const char *path)
{
    unlink(path);
}
