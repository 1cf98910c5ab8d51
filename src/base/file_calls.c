// SPDX-License-Identifier: MIT
#include "base/file_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/process_memory.h"

/* The process has one broker, as it has one working directory. */
static struct {
    int socket;
    FileCallsLoss loss;
} broker = {.socket = -1};

void file_calls_connect(int socket, FileCallsLoss loss)
{
    if (broker.socket >= 0)
        close(broker.socket);
    broker.socket = socket;
    broker.loss = loss;
}

int file_calls_socket(void)
{
    return broker.socket;
}

/* ---- packets ---- */

typedef union Control { /* aligned storage of one descriptor: CMSG_SPACE has room for two */
    struct cmsghdr header;
    char bytes[CMSG_LEN(sizeof(int))];
} Control;

bool file_calls_send(int socket, const void *packet, size_t size, int passed)
{
    Control control = {0};
    struct iovec part = {(void *)(uintptr_t)packet, size};
    struct msghdr head = {.msg_iov = &part, .msg_iovlen = 1};
    if (passed >= 0) {
        head.msg_control = control.bytes;
        head.msg_controllen = sizeof control.bytes;
        struct cmsghdr *c = CMSG_FIRSTHDR(&head);
        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN(sizeof passed);
        memcpy(CMSG_DATA(c), &passed, sizeof passed);
    }
    ssize_t n;
    do
        n = sendmsg(socket, &head, MSG_NOSIGNAL);
    while (n < 0 && errno == EINTR);
    return n == (ssize_t)size;
}

size_t file_calls_receive(int socket, void *packet, size_t capacity, int *passed)
{
    Control control = {0};
    struct iovec part = {packet, capacity};
    struct msghdr head = {.msg_iov = &part,
                          .msg_iovlen = 1,
                          .msg_control = control.bytes,
                          .msg_controllen = sizeof control.bytes};
    ssize_t n;
    do
        n = recvmsg(socket, &head, MSG_CMSG_CLOEXEC);
    while (n < 0 && (errno == EINTR || errno == ECONNRESET));
    *passed = -1;
    if (n <= 0)
        return 0;
    const struct cmsghdr *c = CMSG_FIRSTHDR(&head);
    if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS)
        memcpy(passed, CMSG_DATA(c), sizeof *passed);
    if (head.msg_flags & MSG_CTRUNC) {
        if (*passed >= 0)
            close(*passed);
        *passed = FILE_CALLS_LOST;
    }
    return (size_t)n;
}

/* ---- calls ---- */

static _Noreturn void end_without_broker(void)
{
    static const char text[] =
        "odori: error: the process that writes files was killed; run the same "
        "command again\n";
    if (broker.loss == FILE_CALLS_DIE)
        raise(SIGKILL);
    const ssize_t written = process_is_child() ? 0 : write(STDERR_FILENO, text, sizeof text - 1);
    (void)written;
    _exit(75);
}

/* Without a descriptor although there was no error, this process has too many open. */
static int request(FileCallKind kind, int directory, const char *path, const char *to, int flags,
                   mode_t mode)
{
    FileCall call = {.kind = (int32_t)kind, .flags = flags, .mode = mode};
    int32_t error = 0;
    int passed = -1;
    if (strlen(path) >= sizeof call.path || strlen(to) >= sizeof call.to) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(call.path, path);
    strcpy(call.to, to);
    if (!file_calls_send(broker.socket, &call, sizeof call, directory) ||
        file_calls_receive(broker.socket, &error, sizeof error, &passed) != sizeof error)
        end_without_broker();
    if (!error && kind == FILE_CALL_OPEN && passed < 0)
        error = EMFILE;
    errno = error;
    if (error)
        return -1;
    return kind == FILE_CALL_OPEN ? passed : 0;
}

int file_calls_open_regular(int directory, const char *path, int flags, mode_t mode)
{
    enum {
        ALLOWED = O_ACCMODE | O_CREAT | O_EXCL | O_APPEND,
        ADDED = O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    };
    struct stat st;
    const int fd = openat(directory, path, (flags & ALLOWED) | ADDED, mode);
    if (fd < 0)
        return -1;
    int error = fstat(fd, &st) != 0 ? errno : !S_ISREG(st.st_mode) ? EPERM : 0;
    if (!error && st.st_nlink > 1)
        error = EMLINK;
    if (!error && (flags & O_TRUNC) && st.st_size > 0 && ftruncate(fd, 0) != 0)
        error = errno;
    fcntl(fd, F_SETFL, flags & O_APPEND);
    if (!error)
        return fd;
    close(fd);
    errno = error;
    return -1;
}

int file_calls_open(int directory, const char *path, int flags, mode_t mode)
{
    const bool reads = (flags & O_ACCMODE) == O_RDONLY && !(flags & (O_CREAT | O_TRUNC));
    if (reads)
        return openat(directory, path, flags, mode);
    if (broker.socket < 0)
        return file_calls_open_regular(directory, path, flags, mode);
    return request(FILE_CALL_OPEN, directory, path, "", flags, mode);
}

int file_calls_unlink(int directory, const char *path)
{
    return broker.socket < 0 ? unlinkat(directory, path, 0)
                             : request(FILE_CALL_UNLINK, directory, path, "", 0, 0);
}

int file_calls_rename_at(int from_directory, const char *from, int to_directory, const char *to,
                         int flags)
{
    if (!(flags & RENAME_NOREPLACE))
        return renameat(from_directory, from, to_directory, to);
    const int rc = renameat2(from_directory, from, to_directory, to, RENAME_NOREPLACE);
    return rc == 0 || (errno != EINVAL && errno != ENOSYS)
               ? rc
               : renameat(from_directory, from, to_directory, to);
}

static int rename_with(const char *from, const char *to, int flags)
{
    return broker.socket < 0 ? file_calls_rename_at(AT_FDCWD, from, AT_FDCWD, to, flags)
                             : request(FILE_CALL_RENAME, AT_FDCWD, from, to, flags, 0);
}

int file_calls_rename(const char *from, const char *to)
{
    return rename_with(from, to, 0);
}

int file_calls_rename_new(const char *from, const char *to)
{
    return rename_with(from, to, RENAME_NOREPLACE);
}

int file_calls_mkdir(const char *path, mode_t mode)
{
    return broker.socket < 0 ? mkdir(path, mode)
                             : request(FILE_CALL_MKDIR, AT_FDCWD, path, "", 0, mode);
}

int file_calls_rmdir(const char *path)
{
    return broker.socket < 0 ? rmdir(path) : request(FILE_CALL_RMDIR, AT_FDCWD, path, "", 0, 0);
}
