// SPDX-License-Identifier: MIT
/*
 * cpu_quota.h - how many cores and how much memory this process may use
 */
#pragma once

#include <stdint.h>

/* The minimum of what a scheduler grants (base/scheduler.h), the affinity mask and the cgroup
 * quota; at least 1. */
int cpu_quota_cores(void);

/* Also sets *source to a static text that names the limit. */
int cpu_quota_cores_and_source(const char **source);

/* The minimum of what a scheduler grants, the available memory and the cgroup limit; at least 1. */
int64_t cpu_quota_memory_mib(void);
