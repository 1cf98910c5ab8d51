// SPDX-License-Identifier: MIT
#include "base/write_limit.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>

/* The run has one sum, as it has one disk. */
static struct {
    _Atomic int64_t *bytes; /* shared with children; NULL: no limit */
    Limit mib;
} written;

bool write_limit_set(const Limit *mib, Diag *diag)
{
    if (mib->max <= 0 || written.bytes)
        return true;
    void *shared = mmap(NULL, sizeof *written.bytes, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return diag_fail(diag, DIAG_RESOURCE, "out of memory for the limit %s", mib->name);
    written.mib = *mib;
    written.bytes = shared;
    return true;
}

void write_limit_clear(void)
{
    if (written.bytes)
        munmap(written.bytes, sizeof *written.bytes);
    written.bytes = NULL;
}

static double to_mib(int64_t bytes)
{
    return (double)bytes / (1 << 20);
}

bool write_limit_add(int64_t bytes)
{
    if (!written.bytes)
        return true;
    const int64_t sum = atomic_fetch_add(written.bytes, bytes) + bytes;
    if (!limit_exceeded(&written.mib, to_mib(sum)))
        return true;
    errno = EDQUOT;
    return false;
}

bool write_limit_check(Diag *diag)
{
    return !written.bytes ||
           limit_check(&written.mib, to_mib(atomic_load(written.bytes)), " MiB", diag);
}
