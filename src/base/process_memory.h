// SPDX-License-Identifier: MIT
/*
 * process_memory.h - memory usage of processes, and their limits
 *
 * "Private" memory is the heap and the stacks of a process, including copy-on-write pages of its
 * parent; neither mapped files nor shared memory.  All sizes are in MiB.  Linux only: the numbers
 * come from /proc.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Whether this process has a name "odori-...", as those that main forks: main reports for them. */
bool process_is_child(void);

/* Private memory of a process; 0 if it has ended. */
int64_t process_memory_usage(pid_t pid);

/* The same of this process, for one that will not be able to open files: open once (-1 if it cannot
 * be opened), then read at any time.  The descriptor is not meant for children. */
int process_memory_open(void);
int64_t process_memory_read(int fd);

/*
 * Limits the private memory of this process and of those that it forks, to a value above `mib`: the
 * pool checks process_memory_usage against `mib`; this limit stops what grows faster.  No effect if
 * the process exceeds it already (as under a sanitizer) or has a lower limit.
 */
void process_memory_set_limit(int64_t mib);

/* The lowest limit that is set, here or from outside (ulimit -v); 0 if there is none. */
int64_t process_memory_limit(void);

/* Number of processes that the kernel or a cgroup has killed for lack of memory since boot. */
int64_t process_memory_oom_kills(void);

/* Whether the system refuses more memory, found by trying; call it after something has failed. */
bool process_memory_is_short(void);

/* If a library crashes while memory is short or after a failed allocation (errno), the process ends
 * as by memory_exhausted. */
void process_memory_guard_crashes(void);
