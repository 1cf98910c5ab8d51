#include "checkpoint/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"

enum { STEP_MS = 10 };

typedef enum Try { TRY_TAKEN, TRY_HELD, TRY_IMPOSSIBLE, TRY_FAILED } Try;

static Try try_lock(int fd, FilmSpan bytes)
{
    struct flock lock = {.l_type = F_WRLCK,
                         .l_whence = SEEK_SET,
                         .l_start = bytes.first,
                         .l_len = bytes.end == LOCK_TO_END ? 0 : bytes.end - bytes.first};
    if (bytes.first == bytes.end || fcntl(fd, F_OFD_SETLK, &lock) == 0)
        return TRY_TAKEN;
    if (errno == EAGAIN || errno == EACCES || errno == EINTR)
        return TRY_HELD;
    return errno == ENOLCK || errno == ENOSYS || errno == EOPNOTSUPP || errno == EINVAL
               ? TRY_IMPOSSIBLE
               : TRY_FAILED;
}

static Try wait_for_lock(int fd, FilmSpan bytes, int wait_ms, const volatile sig_atomic_t *stop)
{
    const struct timespec step = {.tv_nsec = STEP_MS * 1000000L};
    Try got = try_lock(fd, bytes);
    for (int ms = 0; got == TRY_HELD && ms < wait_ms && !(stop && *stop); ms += STEP_MS) {
        nanosleep(&step, NULL);
        got = try_lock(fd, bytes);
    }
    return got;
}

/* Says why; true if it is only a warning. */
static bool tell(Try got, const char *file, const char *holder, const volatile sig_atomic_t *stop,
                 Diag *diag)
{
    const char *last = *holder ? "; the last to begin was " : "";
    switch (got) {
    case TRY_TAKEN:
        return true;
    case TRY_HELD:
        if (!(stop && *stop))
            diag_fail(diag, DIAG_INCOMPLETE, "another odori works on it ('%s' is locked%s%s)", file,
                      last, holder);
        return false;
    case TRY_IMPOSSIBLE:
        return diag_warn(diag, "'%s' cannot be locked here (%s): nothing keeps a second odori away",
                         file, strerror(errno));
    case TRY_FAILED:
        break;
    }
    return diag_fail(diag, DIAG_IO, "cannot lock '%s': %s", file, strerror(errno));
}

bool lock_take(int *fd, const char *file, FilmSpan bytes, int wait_ms, const char *holder,
               const volatile sig_atomic_t *stop, Diag *diag)
{
    *fd = -1;
    if (!file_make_parent_dirs(file, diag))
        return false;
    *fd = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (*fd < 0)
        return diag_fail(diag, file_error_kind(errno, DIAG_CREATE), "cannot create '%s': %s", file,
                         strerror(errno));
    if (tell(wait_for_lock(*fd, bytes, wait_ms, stop), file, holder, stop, diag))
        return true;
    close(*fd);
    *fd = -1;
    return false;
}
