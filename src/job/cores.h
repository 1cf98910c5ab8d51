/*
 * cores.h - how many cores this process may use
 */
#ifndef JOB_CORES_H
#define JOB_CORES_H

/* The least of: SLURM_CPUS_PER_TASK, the affinity mask, the cgroup's CPU quota (rounded up); at least 1. */
int cores_available(void);

#endif
