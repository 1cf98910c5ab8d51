// SPDX-License-Identifier: MIT
#include "base/cpu_quota.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/scheduler.h"
#include "base/text.h"

static int clamp_cores(int cores, double limit)
{
    if (!(limit > 0))
        return cores;
    const int whole = limit < 4096 ? (int)limit + ((double)(int)limit < limit) : 4096;
    return whole < cores ? whole : cores;
}

static double read_number(const char *path)
{
    FILE *in = fopen(path, "re");
    double value = 0;
    if (!in)
        return 0;
    if (fscanf(in, "%lf", &value) != 1)
        value = 0;
    fclose(in);
    return value;
}

/* Quota divided by period, from cgroup version 2 ("max 100000" or "150000 100000"), else version 1;
 * 0 if there is none. */
static double cgroup_quota(void)
{
    FILE *in = fopen("/sys/fs/cgroup/cpu.max", "re");
    if (in) {
        double quota = 0, period = 0;
        const int read = fscanf(in, "%lf %lf", &quota, &period);
        fclose(in);
        return read == 2 && period > 0 ? quota / period : 0;
    }
    const double quota = read_number("/sys/fs/cgroup/cpu/cpu.cfs_quota_us");
    const double period = read_number("/sys/fs/cgroup/cpu/cpu.cfs_period_us");
    return quota > 0 && period > 0 ? quota / period : 0;
}

/* The value of a variable of a scheduler; 0 if it is not set. */
static int64_t read_variable(const char *name)
{
    const char *text = name ? getenv(name) : NULL;
    int64_t value;
    return text && text_to_int64(&value, text) ? value : 0;
}

int cpu_quota_cores_and_source(const char **source)
{
    cpu_set_t set;
    int cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set)
                                                            : (int)sysconf(_SC_NPROCESSORS_ONLN);
    *source = "CPU affinity";
    for (const Scheduler *row = schedulers; row->name; row++) {
        const int64_t granted = read_variable(row->cores);
        if (granted > 0 && granted <= cores) {
            *source = row->cores;
            cores = (int)granted;
        }
    }
    const int whole = clamp_cores(cores, cgroup_quota());
    if (whole < cores)
        *source = "cgroup quota";
    return whole < 1 ? 1 : whole;
}

int cpu_quota_cores(void)
{
    const char *source;
    return cpu_quota_cores_and_source(&source);
}

/* MiB; 0 if unknown */
static double system_memory(void)
{
    FILE *in = fopen("/proc/meminfo", "re");
    char line[128];
    double kib = 0;
    while (in && fgets(line, sizeof line, in))
        if (sscanf(line, "MemAvailable: %lf", &kib) == 1)
            break;
    if (in)
        fclose(in);
    return kib / 1024;
}

/* MiB; 0 if there is no limit.  Version 1 reports 2^63 bytes then. */
static double cgroup_memory(void)
{
    const double v2 = read_number("/sys/fs/cgroup/memory.max");
    const double bytes = v2 > 0 ? v2 : read_number("/sys/fs/cgroup/memory/memory.limit_in_bytes");
    return bytes / (1 << 20);
}

int64_t cpu_quota_memory_mib(void)
{
    double limit_mib = system_memory();
    const double limit = cgroup_memory();
    if (limit > 0 && (limit_mib <= 0 || limit < limit_mib))
        limit_mib = limit;
    for (const Scheduler *row = schedulers; row->name; row++) {
        const int64_t granted = read_variable(row->memory_mib);
        if (granted > 0 && (double)granted < limit_mib)
            limit_mib = (double)granted;
    }
    return limit_mib < 1 ? 1 : (int64_t)limit_mib;
}
