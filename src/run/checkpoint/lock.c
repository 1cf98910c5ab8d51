#include "run/checkpoint/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "run/checkpoint/checkpoint_files.h"

enum { STEP_MS = 10 };

typedef enum LockResult { LOCK_ACQUIRED, LOCK_BUSY, LOCK_UNSUPPORTED, LOCK_FAILED } LockResult;

static LockResult try_lock(int fd, FilmSpan bytes)
{
    struct flock lock = {.l_type = F_WRLCK,
                         .l_whence = SEEK_SET,
                         .l_start = bytes.first,
                         .l_len = bytes.end == LOCK_TO_END ? 0 : bytes.end - bytes.first};
    if (bytes.first == bytes.end || fcntl(fd, F_OFD_SETLK, &lock) == 0)
        return LOCK_ACQUIRED;
    if (errno == EAGAIN || errno == EACCES || errno == EINTR)
        return LOCK_BUSY;
    return errno == ENOLCK || errno == ENOSYS || errno == EOPNOTSUPP || errno == EINVAL
               ? LOCK_UNSUPPORTED
               : LOCK_FAILED;
}

static LockResult wait_for_lock(int fd, FilmSpan bytes, int wait_ms,
                                const volatile sig_atomic_t *stop)
{
    const struct timespec step = {.tv_nsec = STEP_MS * 1000000L};
    LockResult result = try_lock(fd, bytes);
    for (int ms = 0; result == LOCK_BUSY && ms < wait_ms && !(stop && *stop); ms += STEP_MS) {
        nanosleep(&step, NULL);
        result = try_lock(fd, bytes);
    }
    return result;
}

/* Reports why the lock was not acquired; true if the caller can go on without it. */
static bool report(LockResult result, const char *file, const char *holder,
                   const volatile sig_atomic_t *stop, Diag *diag)
{
    const char *last = *holder ? "; last run: " : "";
    switch (result) {
    case LOCK_ACQUIRED:
        return true;
    case LOCK_BUSY:
        if (!(stop && *stop))
            diag_fail(diag, DIAG_INCOMPLETE,
                      "another process renders this job or its outputs ('%s' is locked%s%s)", file,
                      last, holder);
        return false;
    case LOCK_UNSUPPORTED:
        return diag_warn(diag, WARN_CHECKPOINT,
                         "'%s' cannot be locked (%s); a second process would not be detected", file,
                         strerror(errno));
    case LOCK_FAILED:
        break;
    }
    return diag_fail(diag, DIAG_IO, "cannot lock '%s': %s", file, strerror(errno));
}

bool lock_acquire(int *fd, const char *file, FilmSpan bytes, int wait_ms, const char *holder,
                  const volatile sig_atomic_t *stop, Diag *diag)
{
    *fd = -1;
    if (!file_make_parent_dirs(file, diag))
        return false;
    *fd = checkpoint_open_file(file, O_RDWR | O_CREAT);
    if (*fd < 0)
        return diag_fail(diag, diag_errno_kind(errno, DIAG_CREATE), "cannot create '%s': %s", file,
                         strerror(errno));
    if (report(wait_for_lock(*fd, bytes, wait_ms, stop), file, holder, stop, diag))
        return true;
    close(*fd);
    *fd = -1;
    return false;
}

void lock_release(int *fd)
{
    struct flock all = {.l_type = F_UNLCK, .l_whence = SEEK_SET};
    if (*fd < 0)
        return;
    fcntl(*fd, F_OFD_SETLK, &all);
    close(*fd);
    *fd = -1;
}
