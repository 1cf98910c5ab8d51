#include "job/cores.h"

#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/text.h"

static int at_most(int cores, double limit)
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

/* Quota over period, of version 2 ("max 100000" or "150000 100000"), else of version 1; 0: none. */
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

int cores_find(const char **source)
{
    cpu_set_t set;
    int cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set)
                                                            : (int)sysconf(_SC_NPROCESSORS_ONLN);
    const char *slurm = getenv("SLURM_CPUS_PER_TASK");
    int64_t asked;
    *source = "cores this process may run on";
    if (slurm && text_to_int64(&asked, slurm) && asked > 0 && asked <= cores) {
        *source = "SLURM_CPUS_PER_TASK";
        cores = (int)asked;
    }
    const int whole = at_most(cores, cgroup_quota());
    if (whole < cores)
        *source = "the control group's quota";
    return whole < 1 ? 1 : whole;
}

int cores_available(void)
{
    const char *source;
    return cores_find(&source);
}
