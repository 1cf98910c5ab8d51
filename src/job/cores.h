/*
 * cores.h - how many cores this process may use
 */
#ifndef JOB_CORES_H
#define JOB_CORES_H

/* At least 1: the least of SLURM_CPUS_PER_TASK, the affinity mask and the control group's quota. */
int cores_available(void);

/* The same, and which of them it is, in words. */
int cores_find(const char **source);

#endif
