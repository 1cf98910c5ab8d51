/*
 * cores.h - how many cores and how much memory this process may use
 */
#ifndef JOB_CORES_H
#define JOB_CORES_H

#include <stdint.h>

/* At least 1: the least of SLURM_CPUS_PER_TASK, the affinity mask and the control group's quota. */
int cores_available(void);

/* The same, and which of them it is, in words. */
int cores_find(const char **source);

/* At least 1: the least of SLURM_MEM_PER_NODE, what the system calls available, the control group's limit. */
int64_t memory_available_mib(void);

#endif
