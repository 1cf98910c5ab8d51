// SPDX-License-Identifier: MIT
#include "run/checkpoint/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/file_calls.h"
#include "film/film.h"
#include "run/checkpoint/checkpoint_files.h"
#include "run/checkpoint/ledger.h"

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

/* ---- locks beside the outputs ---- */

enum { WAIT_MS = 2000, MAX_TRIES = 100 };

typedef struct OutputLock {
    const char *file;
    int fd;
} OutputLock;

struct OutputLocks {
    ARENA_LIST(OutputLock) list;
    Arena *arena;
};

/* The run that wrote its name into the lock file; "" if there is none. */
static const char *read_holder(const char *file, Arena *arena)
{
    char text[LEDGER_RUN_SIZE];
    const int fd = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    const ssize_t size = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    text[size > 0 ? size : 0] = '\0';
    return arena_strndup(arena, text, strcspn(text, "\n"));
}

static bool write_holder(int fd, const char *file, Diag *diag)
{
    char run[LEDGER_RUN_SIZE];
    ledger_run_name(run, sizeof run);
    const size_t size = strlen(run);
    run[size] = '\n';
    return (ftruncate(fd, 0) == 0 && lseek(fd, 0, SEEK_SET) == 0 &&
            file_write_synced(fd, run, size + 1)) ||
           diag_fail(diag, DIAG_IO, "cannot write '%s': %s", file, strerror(errno));
}

/* Whether an open file still has its name: another run may have removed it before it was locked. */
static bool is_named(int fd, const char *file)
{
    struct stat own, st;
    return fstat(fd, &own) == 0 && lstat(file, &st) == 0 && own.st_dev == st.st_dev &&
           own.st_ino == st.st_ino;
}

static bool acquire(OutputLock *lock, FilmSpan segments, const volatile sig_atomic_t *stop,
                    Arena *arena, Diag *diag)
{
    for (int i = 0; i < MAX_TRIES; i++) {
        const char *holder = read_holder(lock->file, arena);
        if (!lock_acquire(&lock->fd, lock->file, segments, WAIT_MS, holder, stop, diag))
            return false;
        const bool named = is_named(lock->fd, lock->file);
        if (named && write_holder(lock->fd, lock->file, diag))
            return true;
        if (named)
            file_calls_unlink(AT_FDCWD, lock->file);
        close(lock->fd);
        lock->fd = -1;
        if (named)
            return false;
    }
    return diag_fail(diag, DIAG_INCOMPLETE, "'%s' is removed by other processes", lock->file);
}

static bool add(OutputLocks *locks, const FilmOutput *out, FilmSpan segments,
                const volatile sig_atomic_t *stop, Diag *diag)
{
    const char *file = out->options.file;
    if (!*file || file_is_null(file) || file_is_stream(file))
        return true;
    OutputLock lock = {
        arena_printf(locks->arena, "%s-lock", checkpoint_directory_beside(file, locks->arena)), -1};
    if (!acquire(&lock, segments, stop, locks->arena, diag))
        return false;
    *arena_push(locks->arena, &locks->list) = lock;
    return true;
}

OutputLocks *output_locks_acquire(const Film *film, FilmSpan segments,
                                  const volatile sig_atomic_t *stop, Arena *arena, Diag *diag)
{
    OutputLocks *locks = arena_array(arena, OutputLocks, 1);
    bool ok = true;
    locks->arena = arena;
    for (size_t i = 0; ok && i < film->output_count; i++)
        ok = add(locks, &film->outputs[i], segments, stop, diag);
    for (size_t i = 0; ok && i < film->preview_count; i++)
        ok = add(locks, &film->previews[i].output, segments, stop, diag);
    if (ok)
        return locks;
    output_locks_release(locks);
    return NULL;
}

/* With a lock on all of it no other run has a part of it locked; who opened it meanwhile finds out
 * by is_named. */
static void release(OutputLock *lock)
{
    struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(lock->fd, F_OFD_SETLK, &all) == 0 && is_named(lock->fd, lock->file))
        file_calls_unlink(AT_FDCWD, lock->file);
    lock_release(&lock->fd);
}

void output_locks_release(OutputLocks *locks)
{
    for (size_t i = 0; locks && i < locks->list.count; i++)
        release(&locks->list.items[i]);
    if (locks)
        locks->list.count = 0;
}
