/*
 * process_memory.h - how much memory a process has, and may have
 *
 * "Private" memory is what a process has for itself: its heap and stacks, with what it still shares
 * with the process that it was forked from; not files, and not memory that processes share on
 * purpose. All sizes are in MiB.  Linux only: the numbers come from /proc.
 */
#ifndef BASE_PROCESS_MEMORY_H
#define BASE_PROCESS_MEMORY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Private memory of a process; 0 if it is gone. */
int64_t process_memory_usage(pid_t pid);

/*
 * From now on this process and those that it forks get no private memory beyond a bound, which lies
 * above `mib`: there a look with process_memory_usage comes first, this is for what grows too fast.
 * Does nothing if the process is beyond it already (as under a sanitizer), or has a lower bound.
 */
void process_memory_set_limit(int64_t mib);

/* The least bound that is set, by process_memory_set_limit or from outside (ulimit -v); 0: none. */
int64_t process_memory_limit(void);

/* How many processes the system, or a container's limit, has killed for want of memory since it
 * began. */
int64_t process_memory_oom_kills(void);

/* Would the system refuse more?  Only a try can tell; so ask after something has failed. */
bool process_memory_is_short(void);

/* For a child process: a library that crashes on a failed allocation ends it with MEMORY_EXIT. */
void process_memory_guard_crashes(void);

#endif
