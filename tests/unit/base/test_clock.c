// SPDX-License-Identifier: MIT
#include "base/clock.h"

#include <time.h>

#include "unit_test.h"

/* Busy for 0.02 s of this thread, then asleep for 0.05 s. */
static void test_cpu_time_excludes_sleep(void **state)
{
    const struct timespec idle = {0, 50000000};
    double slept = 1;
    (void)state;
    /* A virtual machine may count time that its host gives to others: seldom again and again. */
    for (int i = 0; i < 20 && slept >= 0.04; i++) {
        const double now = clock_monotonic_s();
        const double process = clock_process_cpu_s();
        const double thread = clock_thread_cpu_s();
        while (clock_thread_cpu_s() - thread < 0.02)
            continue;
        const double busy = clock_thread_cpu_s();
        nanosleep(&idle, NULL);
        slept = clock_thread_cpu_s() - busy;
        assert_true(clock_monotonic_s() - now >= 0.07);
        assert_true(clock_process_cpu_s() - process >= 0.02);
    }
    assert_true(slept < 0.04);
}

static void test_clocks_never_run_backwards(void **state)
{
    (void)state;
    double (*const clocks[])(void) = {clock_monotonic_s, clock_thread_cpu_s, clock_process_cpu_s};
    for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++) {
        double last = clocks[i]();
        for (int n = 0; n < 1000; n++) {
            const double next = clocks[i]();
            assert_true(next >= last);
            last = next;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cpu_time_excludes_sleep),
        cmocka_unit_test(test_clocks_never_run_backwards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
