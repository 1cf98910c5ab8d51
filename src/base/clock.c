// SPDX-License-Identifier: MIT
#include "base/clock.h"

#include <time.h>

static double read_clock(clockid_t clock)
{
    struct timespec t = {0};
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double clock_monotonic_s(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

double clock_thread_cpu_s(void)
{
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

double clock_process_cpu_s(void)
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

double clock_cpu_s_of(pid_t pid)
{
    clockid_t clock;
    return pid > 0 && clock_getcpuclockid(pid, &clock) == 0 ? read_clock(clock) : 0;
}
