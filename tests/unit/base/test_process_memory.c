// SPDX-License-Identifier: MIT
/* process_memory: memory in use, memory limits, and the exit of a process without memory */
#include <errno.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process_memory.h"
#include "unit_test.h"

enum { MIB = 1 << 20 };

static void *take(int flags, size_t size)
{
    void *taken = mmap(NULL, size, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);
    return taken == MAP_FAILED ? NULL : taken;
}

/* What is asked for does not count, nor what is shared; what is written to does. */
static void test_private_memory(void **state)
{
    (void)state;
    const int64_t before = process_memory_usage(getpid());
    char *shared = take(MAP_SHARED, 32 * MIB), *own = take(MAP_PRIVATE, 32 * MIB);
    assert_non_null(shared);
    assert_non_null(own);
    memset(shared, 1, 32 * MIB);
    assert_true(process_memory_usage(getpid()) >= before &&
                process_memory_usage(getpid()) <= before + 8);
    memset(own, 1, 32 * MIB);
    assert_true(process_memory_usage(getpid()) >= before + 28 &&
                process_memory_usage(getpid()) <= before + 40);
    munmap(shared, 32 * MIB);
    munmap(own, 32 * MIB);
    assert_int_equal(process_memory_usage(999999999), 0);
}

typedef int InChild(void);

static int status_of(InChild *body)
{
    int status = 0;
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        _exit(body());
    waitpid(pid, &status, 0);
    return status;
}

static void limit_data(rlim_t bytes)
{
    const struct rlimit limit = {bytes, bytes};
    setrlimit(RLIMIT_DATA, &limit);
}

static int bound_holds(void)
{
    process_memory_set_limit(64);
    if (process_memory_limit() != 64 + 64 / 4 + 512)
        return process_memory_limit() == 0 ? 0 : 1; /* 0: beyond it already, under a sanitizer */
    if (process_memory_is_short() || !take(MAP_PRIVATE, 300 * MIB) || take(MAP_PRIVATE, 300 * MIB))
        return 2;
    process_memory_set_limit(100000); /* never more than before */
    return process_memory_limit() == 592 ? 0 : 3;
}

/* An emulator such as qemu-user does not enforce limits. */
static int limit_is_enforced(void)
{
    limit_data(MIB);
    return !take(MAP_PRIVATE, 64 * MIB);
}

static int crash_in_need(void)
{
    process_memory_guard_crashes();
    limit_data(MIB);
    raise(SIGABRT);
    return 1;
}

static int crash_after_failure(void)
{
    process_memory_guard_crashes();
    errno = ENOMEM;
    raise(SIGABRT);
    return 1;
}

static int crash_in_plenty(void)
{
    process_memory_guard_crashes();
    errno = 0;
    raise(SIGABRT);
    return 1;
}

static void test_bound(void **state)
{
    (void)state;
    assert_int_equal(status_of(bound_holds), 0);
    if (!status_of(limit_is_enforced))
        skip();
    const int need = status_of(crash_in_need);
    assert_true(WIFEXITED(need));
    assert_int_equal(WEXITSTATUS(need), 69);
    const int after = status_of(crash_after_failure);
    assert_true(WIFEXITED(after));
    assert_int_equal(WEXITSTATUS(after), 69);
    const int plenty = status_of(crash_in_plenty);
    assert_true(WIFSIGNALED(plenty));
    assert_int_equal(WTERMSIG(plenty), SIGABRT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_private_memory),
                                       cmocka_unit_test(test_bound)};
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
