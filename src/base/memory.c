// SPDX-License-Identifier: MIT
#include "base/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/process_memory.h"

static void report(size_t size)
{
    char requested[64] = "", limit[64] = "", message[192];
    const int64_t limit_mib = process_memory_limit();
    if (size)
        snprintf(requested, sizeof requested, ": %zu bytes requested", size);
    if (limit_mib)
        snprintf(limit, sizeof limit, "; the limit of this process is %" PRId64 " MiB", limit_mib);
    const int length =
        snprintf(message, sizeof message, "odori: error: out of memory%s%s\n", requested, limit);
    const ssize_t written = write(STDERR_FILENO, message, (size_t)length);
    (void)written;
}

void memory_refuse(const char *format, ...)
{
    char message[512];
    va_list args;

    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    if (!process_is_child())
        dprintf(STDERR_FILENO, "odori: error: %s\n", message);
    _exit(MEMORY_EXIT);
}

void memory_exhausted(size_t size)
{
    if (!process_is_child())
        report(size);
    _exit(MEMORY_EXIT);
}

/* Where the heap cannot grow by brk, as under qemu-user, malloc succeeds with mmap and leaves
 * ENOMEM in errno.  Tried before there are threads. */
static bool heap_grows;

__attribute__((constructor)) static void try_heap(void)
{
    enum { STEP = 1 << 20 };
    const int error = errno;
    heap_grows = sbrk(STEP) != (void *)-1 && sbrk(-STEP) != (void *)-1;
    errno = error;
}

bool memory_has_failed(void)
{
    return errno == ENOMEM && (heap_grows || process_memory_is_short());
}

void *memory_alloc(size_t count, size_t size)
{
    const int error = errno;
    void *memory = calloc(count ? count : 1, size ? size : 1);
    if (!memory)
        memory_exhausted(size && count > SIZE_MAX / size ? SIZE_MAX : count * size);
    errno = error; /* set to ENOMEM if brk failed and mmap did not */
    return memory;
}

void *memory_resize(void *memory, size_t size)
{
    const int error = errno;
    void *resized = realloc(memory, size ? size : 1);
    if (!resized)
        memory_exhausted(size);
    errno = error;
    return resized;
}

void memory_free(void *memory)
{
    free(memory);
}

void memory_trim(void)
{
    malloc_trim(0);
}

void memory_discard(void *memory, size_t size)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = (uintptr_t)memory;
    const uintptr_t first = (start + page - 1) / page * page, end = (start + size) / page * page;
    if (first < end)
        madvise((char *)memory + (first - start), end - first, MADV_DONTNEED);
}
