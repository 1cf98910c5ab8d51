/*
 * shim.c - a world that gives less than was asked, by LD_PRELOAD
 *
 *   ODORI_FAULT=short:SEED   reads and writes of files under ODORI_FAULT_UNDER do a part of the
 * work, or none of it (EINTR); fsync and close are interrupted; by chance, from SEED
 *   ODORI_FAULT=malloc:N     the N-th allocation of all processes together finds no memory
 *   ODORI_FAULT=malloc:N+    nor does any later one
 *   ODORI_FAULT_COUNT=FILE   where the processes count together: a u64; 0 at first
 *
 * Allocations before main are not counted: the libraries' own set-up cannot go without memory.
 *
 * strace can make calls fail, but a short write that it reports has written nothing: the contents
 * of files are looked at with this.  Not for threads that start together: the first call sets all
 * up.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* What glibc calls its own; dlsym would allocate. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t align, size_t size);

static struct {
    bool shorten, from_then_on;
    uint64_t seed, fail_at;
    _Atomic uint64_t *count; /* shared by all processes, or NULL */
    const char *under;
} shim;

/* ---- set-up ---- */

static _Atomic uint64_t *open_count(const char *path)
{
    const int fd = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
    void *page = MAP_FAILED;
    if (fd >= 0 && ftruncate(fd, sizeof *shim.count) == 0)
        page = mmap(NULL, sizeof *shim.count, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return page == MAP_FAILED ? NULL : page; /* the descriptor stays open: close is one of ours */
}

static void set_up(void)
{
    const char *fault = getenv("ODORI_FAULT");
    if (!fault)
        return;
    shim.under = getenv("ODORI_FAULT_UNDER");
    if (strncmp(fault, "short:", 6) == 0) {
        shim.shorten = shim.under != NULL;
        shim.seed = strtoull(fault + 6, NULL, 10) * 0x9E3779B97F4A7C15u + 1;
    } else if (strncmp(fault, "malloc:", 7) == 0) {
        char *end;
        shim.fail_at = strtoull(fault + 7, &end, 10);
        shim.from_then_on = *end == '+';
        shim.count = open_count(getenv("ODORI_FAULT_COUNT"));
    }
}

/* ---- less than was asked ---- */

static uint64_t chance(uint64_t below)
{
    shim.seed ^= shim.seed << 13;
    shim.seed ^= shim.seed >> 7;
    shim.seed ^= shim.seed << 17;
    return (shim.seed >> 11) % below;
}

static bool is_ours(int fd)
{
    char link[64] = "/proc/self/fd/", digits[12], path[4096];
    size_t n = 0, at = strlen(link);
    for (int left = fd; n < sizeof digits && (left > 0 || n == 0); left /= 10)
        digits[n++] = (char)('0' + left % 10);
    while (n)
        link[at++] = digits[--n];
    link[at] = '\0';
    const ssize_t size = readlink(link, path, sizeof path - 1);
    const size_t under = strlen(shim.under);
    return size > (ssize_t)under && memcmp(path, shim.under, under) == 0;
}

static bool is_hit(int fd)
{
    const int before = errno;
    const bool hit = shim.shorten && fd > STDERR_FILENO && is_ours(fd);
    errno = before;
    return hit;
}

/* How much of `size` is done: 1..size, or 0 for an interrupt. */
static size_t part_of(int fd, size_t size)
{
    if (size == 0 || !is_hit(fd))
        return size;
    const size_t part = chance(4) ? 1 + (size_t)chance(size) : 0;
    errno = EINTR;
    return part;
}

static void *next_of(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (!found)
        abort();
    return found;
}

#define NEXT(type, name) \
    static type *next;   \
    if (!next)           \
    *(void **)&next = next_of(name)

typedef ssize_t WriteCall(int fd, const void *data, size_t size);
typedef ssize_t ReadCall(int fd, void *data, size_t size);
typedef ssize_t PwriteCall(int fd, const void *data, size_t size, off_t at);
typedef ssize_t PreadCall(int fd, void *data, size_t size, off_t at);
typedef int DescriptorCall(int fd);

ssize_t write(int fd, const void *data, size_t size)
{
    NEXT(WriteCall, "write");
    const size_t part = part_of(fd, size);
    return size && !part ? -1 : next(fd, data, part);
}

ssize_t read(int fd, void *data, size_t size)
{
    NEXT(ReadCall, "read");
    const size_t part = part_of(fd, size);
    return size && !part ? -1 : next(fd, data, part);
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t at)
{
    NEXT(PwriteCall, "pwrite");
    const size_t part = part_of(fd, size);
    return size && !part ? -1 : next(fd, data, part, at);
}

ssize_t pread(int fd, void *data, size_t size, off_t at)
{
    NEXT(PreadCall, "pread");
    const size_t part = part_of(fd, size);
    return size && !part ? -1 : next(fd, data, part, at);
}

int fsync(int fd)
{
    NEXT(DescriptorCall, "fsync");
    return is_hit(fd) && part_of(fd, 2) == 0 ? -1 : next(fd);
}

/* Linux has closed it even then. */
int close(int fd)
{
    NEXT(DescriptorCall, "close");
    const bool interrupted = is_hit(fd) && part_of(fd, 2) == 0;
    const int rc = next(fd);
    if (interrupted)
        errno = EINTR;
    return interrupted ? -1 : rc;
}

/* ---- no memory ---- */

typedef int Main(int argc, char **argv, char **environment);
typedef int StartCall(Main *main, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*end)(void), void *stack);
StartCall __libc_start_main;

int __libc_start_main(Main *main, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*end)(void), void *stack)
{
    NEXT(StartCall, "__libc_start_main");
    set_up();
    return next(main, argc, argv, init, fini, end, stack);
}

static bool is_denied(void)
{
    if (!shim.count)
        return false;
    const uint64_t n = atomic_fetch_add(shim.count, 1) + 1;
    if (shim.fail_at == 0 || n < shim.fail_at || (n > shim.fail_at && !shim.from_then_on))
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return is_denied() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return is_denied() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return is_denied() ? NULL : __libc_realloc(old, size);
}

void *memalign(size_t align, size_t size)
{
    return is_denied() ? NULL : __libc_memalign(align, size);
}

void *aligned_alloc(size_t align, size_t size)
{
    return is_denied() ? NULL : __libc_memalign(align, size);
}

int posix_memalign(void **out, size_t align, size_t size)
{
    void *found = is_denied() ? NULL : __libc_memalign(align, size);
    if (!found)
        return ENOMEM;
    *out = found;
    return 0;
}
