#include "base/process_memory.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/memory.h"

static const int64_t MIB = 1 << 20;

typedef struct Pages {
    int64_t resident, shared, data; /* data: private and writable, whether used or only asked for */
} Pages;

static Pages pages_of(pid_t pid)
{
    char name[64];
    long long resident = 0, shared = 0, data = 0;
    snprintf(name, sizeof name, "/proc/%ld/statm", (long)pid);
    FILE *file = fopen(name, "r");
    if (!file)
        return (Pages){0};
    const int read = fscanf(file, "%*d %lld %lld %*d %*d %lld", &resident, &shared, &data);
    fclose(file);
    return read == 3 ? (Pages){resident, shared, data} : (Pages){0};
}

static int64_t mib_of(int64_t pages)
{
    return pages * sysconf(_SC_PAGESIZE) / MIB;
}

int64_t process_memory_usage(pid_t pid)
{
    const Pages p = pages_of(pid);
    return mib_of(p.resident - p.shared);
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

/* RLIMIT_DATA, since RLIMIT_AS would count libraries, files and the pictures in shared memory in
 * every process.  x264 asks for 320 MiB more than it uses, at 3840x2160, which is why there is room
 * above. */
void process_memory_set_limit(int64_t mib)
{
    struct rlimit limit;
    const int64_t bound = mib + mib / 4 + 512;
    if (getrlimit(RLIMIT_DATA, &limit) != 0 || mib_of(pages_of(getpid()).data) >= bound)
        return;
    const rlim_t bytes = (rlim_t)bound * (rlim_t)MIB;
    if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > bytes) {
        limit.rlim_cur = bytes;
        setrlimit(RLIMIT_DATA, &limit);
    }
}

/* The lesser of two bounds, 0 being none. */
static int64_t lesser(int64_t mib, const struct rlimit *limit)
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
        mib = lesser(mib, &limit);
    if (getrlimit(RLIMIT_DATA, &limit) == 0)
        mib = lesser(mib, &limit);
    return mib;
}

/* A quarter of what is allowed: what failed was perhaps large. */
bool process_memory_is_short(void)
{
    const int64_t bound = process_memory_limit();
    const size_t size = (size_t)((bound ? bound / 4 + 1 : 64) * MIB);
    void *taken = mmap(NULL, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (taken == MAP_FAILED)
        return true;
    munmap(taken, size);
    return false;
}

/* In a signal handler: system calls only. */
static void take_crash(int number)
{
    if (process_memory_is_short())
        _exit(MEMORY_EXIT);
    signal(number, SIG_DFL);
    raise(number);
}

void process_memory_guard_crashes(void)
{
    static const int numbers[] = {SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGTRAP};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction action, old;
        memset(&action, 0, sizeof action);
        action.sa_handler = take_crash;
        sigemptyset(&action.sa_mask);
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(numbers[i], &action, NULL); /* a sanitizer's own handler stays */
    }
}
