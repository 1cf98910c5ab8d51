// SPDX-License-Identifier: MIT
/*
 * shim.c - a world that gives less than was asked, by LD_PRELOAD
 *
 *   ODORI_FAULT=short:SEED   reads and writes of files under ODORI_FAULT_UNDER do a part of the
 * work, or none of it (EINTR); fsync and close are interrupted; by chance, from SEED
 *   ODORI_FAULT=rename:0     no file under ODORI_FAULT_UNDER can be renamed (ENOSYS)
 *   ODORI_FAULT=malloc:N     the N-th allocation of all processes together fails
 *   ODORI_FAULT=own:NAME:N   the N-th allocation fails that the program itself, not a library,
 * makes in processes of this name (odori, odori-worker, odori-encoder); its number does not depend
 * on the libraries of the machine
 *   ODORI_FAULT=lib:NAME:N   the N-th allocation fails that a library makes whose file name begins
 * with NAME
 *   ODORI_FAULT=...N+        so does every later one
 *   ODORI_FAULT_COUNT=FILE   a u64 in which all processes count the allocations; 0 at first
 *   ODORI_FAULT_LOG=FILE     gets a line "NAME OBJECT" for each failed allocation: the process and
 * the file that contains the caller
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
#include <link.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What glibc calls its own; dlsym would allocate. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t align, size_t size);

static struct {
    bool shorten, keep_names, from_then_on;
    uint64_t seed, fail_at;
    _Atomic uint64_t *count; /* shared by all processes, or NULL */
    const char *under;
    char process[16];             /* the name of "own", or "" */
    char library[16];             /* the name of "lib", or "" */
    uintptr_t own_start, own_end; /* code of the program itself */
    int log;                      /* descriptor, or -1 */
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

/* The first object that dl_iterate_phdr visits is the program; SHARED_LIB=1 puts its code into a
 * library. */
static int find_own_code(struct dl_phdr_info *info, size_t size, void *user)
{
    const char *file = strrchr(info->dlpi_name, '/');
    (void)size;
    (void)user;
    if (shim.own_end && !(file && strcmp(file, "/libodori.so") == 0))
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_X) {
            shim.own_start = (uintptr_t)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
            shim.own_end = shim.own_start + (uintptr_t)info->dlpi_phdr[i].p_memsz;
        }
    return 0;
}

static void set_up_allocations(const char *number)
{
    const char *log = getenv("ODORI_FAULT_LOG");
    char *end;
    shim.fail_at = strtoull(number, &end, 10);
    shim.from_then_on = *end == '+';
    shim.log = log ? open(log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666) : -1;
    shim.count = open_count(getenv("ODORI_FAULT_COUNT"));
}

/* "own:NAME:N" or "lib:NAME:N" */
static void copy_name(char out[16], const char *name, const char *end)
{
    const size_t size = (size_t)(end - name);
    memcpy(out, name, size < 15 ? size : 15);
}

static void set_up(void)
{
    const char *fault = getenv("ODORI_FAULT");
    const char *colon = fault ? strrchr(fault, ':') : NULL;
    if (!colon)
        return;
    shim.under = getenv("ODORI_FAULT_UNDER");
    if (strncmp(fault, "short:", 6) == 0) {
        shim.shorten = shim.under != NULL;
        shim.seed = strtoull(fault + 6, NULL, 10) * 0x9E3779B97F4A7C15u + 1;
    } else if (strncmp(fault, "rename:", 7) == 0) {
        shim.keep_names = shim.under != NULL;
    } else if (strncmp(fault, "own:", 4) == 0 && colon > fault + 4) {
        copy_name(shim.process, fault + 4, colon);
        dl_iterate_phdr(find_own_code, NULL);
        set_up_allocations(colon + 1);
    } else if (strncmp(fault, "lib:", 4) == 0 && colon > fault + 4) {
        copy_name(shim.library, fault + 4, colon);
        set_up_allocations(colon + 1);
    } else if (strncmp(fault, "malloc:", 7) == 0) {
        set_up_allocations(colon + 1);
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

/* Paths are absolute where this is used. */
static bool refuses_rename(int directory, const char *to)
{
    char link[64], name[4096] = "";
    snprintf(link, sizeof link, "/proc/self/fd/%d", directory);
    const bool is_path = directory == AT_FDCWD || *to == '/';
    return shim.keep_names && (is_path || readlink(link, name, sizeof name - 1) > 0) &&
           strncmp(is_path ? to : name, shim.under, strlen(shim.under)) == 0;
}

/* By the file broker, in an open directory. */
int renameat(int from_directory, const char *from, int to_directory, const char *to)
{
    typedef int RenameCall(int from_directory, const char *from, int to_directory, const char *to);
    NEXT(RenameCall, "renameat");
    if (!refuses_rename(to_directory, to))
        return next(from_directory, from, to_directory, to);
    errno = ENOSYS;
    return -1;
}

int renameat2(int from_directory, const char *from, int to_directory, const char *to,
              unsigned flags)
{
    typedef int RenameCall(int from_directory, const char *from, int to_directory, const char *to,
                           unsigned flags);
    NEXT(RenameCall, "renameat2");
    if (!refuses_rename(to_directory, to))
        return next(from_directory, from, to_directory, to, flags);
    errno = ENOSYS;
    return -1;
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

/* The name of the file that contains the code, without its directory. */
static const char *object_name(const void *code)
{
    Dl_info info = {0};
    const char *file = dladdr(code, &info) && info.dli_fname ? info.dli_fname : "?";
    const char *slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

/* Is the allocation one of those that are counted? */
static bool is_counted(const void *caller)
{
    char name[16] = "";
    if (shim.library[0])
        return shim.count && !strncmp(object_name(caller), shim.library, strlen(shim.library));
    if (!shim.count || !shim.process[0])
        return shim.count != NULL;
    if ((uintptr_t)caller < shim.own_start || (uintptr_t)caller >= shim.own_end)
        return false;
    prctl(PR_GET_NAME, name);
    return !strcmp(name, shim.process);
}

/* A system call, since write is one of ours, and nothing that allocates. */
static void log_failure(const void *caller)
{
    char line[512] = "";
    prctl(PR_GET_NAME, line);
    const size_t named = strlen(line);
    const char *object = object_name(caller);
    const size_t size = strnlen(object, sizeof line - 32);
    line[named] = ' ';
    memcpy(line + named + 1, object, size);
    line[named + 1 + size] = '\n';
    syscall(SYS_write, shim.log, line, named + 2 + size);
}

static bool is_denied(void *caller)
{
    if (!is_counted(caller))
        return false;
    const uint64_t n = atomic_fetch_add(shim.count, 1) + 1;
    if (shim.fail_at == 0 || n < shim.fail_at || (n > shim.fail_at && !shim.from_then_on))
        return false;
    if (shim.log > 0)
        log_failure(caller);
    errno = ENOMEM;
    return true;
}

#define IS_DENIED is_denied(__builtin_return_address(0))

void *malloc(size_t size)
{
    return IS_DENIED ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return IS_DENIED ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return IS_DENIED ? NULL : __libc_realloc(old, size);
}

void *memalign(size_t align, size_t size)
{
    return IS_DENIED ? NULL : __libc_memalign(align, size);
}

void *aligned_alloc(size_t align, size_t size)
{
    return IS_DENIED ? NULL : __libc_memalign(align, size);
}

int posix_memalign(void **out, size_t align, size_t size)
{
    void *found = IS_DENIED ? NULL : __libc_memalign(align, size);
    if (!found)
        return ENOMEM;
    *out = found;
    return 0;
}
