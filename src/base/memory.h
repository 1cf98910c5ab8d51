// SPDX-License-Identifier: MIT
/*
 * memory.h - allocation, and the one policy for running out of memory
 *
 * Nothing else calls malloc and its relatives.  None of these functions returns NULL: when the
 * system has no memory left, memory_exhausted ends the process.  Nothing is unwound and no exit
 * handler runs, so a child never runs those of its parent.  Main reports one error and ends with
 * status 69.  A worker or the encoder ends silently with the same status: main sees it and reports
 * it, or starts another worker.  What a process had begun to write is a temporary file, which its
 * parent or the next run removes.  Ending the process is safe because a loader checks each count
 * against the bytes left in its file before it allocates.
 *
 * Libraries allocate by themselves.  base/README.md 2 lists what each does without memory.
 *
 * Thread-safe.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { MEMORY_EXIT = 69 }; /* exit status of a process that ran out of memory */

/* Zeroed memory for `count` items of `size` bytes each.  The product is checked. */
void *memory_alloc(size_t count, size_t size);

/* As realloc: the bytes that are added are not initialized.  size 0 gives a valid pointer. */
void *memory_resize(void *memory, size_t size);

void memory_free(void *memory); /* NULL is fine */

/* Returns the free pages of the heap to the system; without it a process keeps what it had once
 * (main sets malloc so).  Costs the time to get them again. */
void memory_trim(void);

/* Returns the whole pages of a block to the system.  The block stays allocated; its contents are
 * lost: those of the pages become zero. */
void memory_discard(void *memory, size_t size);

/* Ends the process with a message before it would use too much memory. */
_Noreturn void memory_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Ends the process: an allocation of `size` bytes (0: unknown) failed. */
_Noreturn void memory_exhausted(size_t size);

/*
 * Whether errno says that an allocation failed, for callers of libraries that report it in another
 * way or not at all.  Where the heap cannot grow by brk, malloc leaves ENOMEM in errno and succeeds
 * with mmap; there the process must also be unable to map memory.
 */
bool memory_has_failed(void);
