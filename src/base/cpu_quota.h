/*
 * cpu_quota.h - how many cores and how much memory this process may use
 */
#ifndef BASE_CPU_QUOTA_H
#define BASE_CPU_QUOTA_H

#include <stdint.h>

/* At least 1: the least of SLURM_CPUS_PER_TASK, the affinity mask and the control group's quota. */
int cpu_quota_cores(void);

/* The same, and which of them it is, in words. */
int cpu_quota_find(const char **source);

/* At least 1: the least of SLURM_MEM_PER_NODE, what the system calls available, the control group's
 * limit. */
int64_t cpu_quota_memory_mib(void);

#endif
