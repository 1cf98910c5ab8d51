// SPDX-License-Identifier: MIT
#include "base/process_memory.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/memory.h"

static const int64_t MIB = 1 << 20;

bool process_is_child(void)
{
    char name[32] = "";
    prctl(PR_GET_NAME, name);
    return !strncmp(name, "odori-", 6);
}

typedef struct Pages {
    int64_t resident, shared, data; /* data: private and writable, used or not */
} Pages;

/* fd: an open statm, or -1 */
static Pages read_pages(int fd)
{
    char text[256];
    long long resident = 0, shared = 0, data = 0;
    const ssize_t size = fd >= 0 ? pread(fd, text, sizeof text - 1, 0) : -1;
    if (size <= 0)
        return (Pages){0};
    text[size] = '\0';
    const int read = sscanf(text, "%*d %lld %lld %*d %*d %lld", &resident, &shared, &data);
    return read == 3 ? (Pages){resident, shared, data} : (Pages){0};
}

static Pages pages_of(pid_t pid)
{
    char name[64];
    snprintf(name, sizeof name, "/proc/%ld/statm", (long)pid);
    const int fd = open(name, O_RDONLY | O_CLOEXEC);
    const Pages pages = read_pages(fd);
    if (fd >= 0)
        close(fd);
    return pages;
}

static int64_t pages_to_mib(int64_t pages)
{
    return pages * sysconf(_SC_PAGESIZE) / MIB;
}

int64_t process_memory_usage(pid_t pid)
{
    const Pages p = pages_of(pid);
    return pages_to_mib(p.resident - p.shared);
}

int process_memory_open(void)
{
    return open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
}

int64_t process_memory_read(int fd)
{
    const Pages p = read_pages(fd);
    return pages_to_mib(p.resident - p.shared);
}

int64_t process_memory_oom_kills(void)
{
    char line[128];
    long long kills = 0;
    FILE *file = fopen("/proc/vmstat", "r");
    if (!file)
        return 0;
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "oom_kill %lld", &kills) == 1)
            break;
    fclose(file);
    return kills;
}

/* RLIMIT_DATA, because RLIMIT_AS would count libraries, mapped files and the shared ring in every
 * process.  The margin is for memory that is allocated but not used: 320 MiB by x264 at 3840x2160.
 */
void process_memory_set_limit(int64_t mib)
{
    struct rlimit limit;
    const int64_t limit_mib = mib + mib / 4 + 512;
    if (getrlimit(RLIMIT_DATA, &limit) != 0 || pages_to_mib(pages_of(getpid()).data) >= limit_mib)
        return;
    const rlim_t bytes = (rlim_t)limit_mib * (rlim_t)MIB;
    if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > bytes) {
        limit.rlim_cur = bytes;
        setrlimit(RLIMIT_DATA, &limit);
    }
}

/* The lower of two limits; 0 means no limit. */
static int64_t lower_limit(int64_t mib, const struct rlimit *limit)
{
    if (limit->rlim_cur == RLIM_INFINITY)
        return mib;
    const int64_t other = (int64_t)(limit->rlim_cur / (rlim_t)MIB);
    return mib && mib < other ? mib : other + !other;
}

int64_t process_memory_limit(void)
{
    struct rlimit limit;
    int64_t mib = 0;
    if (getrlimit(RLIMIT_AS, &limit) == 0)
        mib = lower_limit(mib, &limit);
    if (getrlimit(RLIMIT_DATA, &limit) == 0)
        mib = lower_limit(mib, &limit);
    return mib;
}

/* Tries a quarter of the limit, because the allocation that failed may have been large. */
bool process_memory_is_short(void)
{
    const int64_t limit_mib = process_memory_limit();
    const size_t size = (size_t)((limit_mib ? limit_mib / 4 + 1 : 64) * MIB);
    void *probe = mmap(NULL, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (probe == MAP_FAILED)
        return true;
    munmap(probe, size);
    return false;
}

/* In a signal handler.  A library that crashes because an allocation failed has left errno. */
static void handle_crash(int number)
{
    if (memory_has_failed() || process_memory_is_short())
        memory_exhausted(0);
    signal(number, SIG_DFL);
    raise(number);
}

void process_memory_guard_crashes(void)
{
    static const int numbers[] = {SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGTRAP};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction action, old;
        memset(&action, 0, sizeof action);
        action.sa_handler = handle_crash;
        sigemptyset(&action.sa_mask);
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(numbers[i], &action, NULL); /* a sanitizer's own handler stays */
    }
}
