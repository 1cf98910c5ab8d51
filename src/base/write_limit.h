// SPDX-License-Identifier: MIT
/*
 * write_limit.h - a limit of the bytes that all processes of a run write to files together
 *
 * The sum counts every file that the run creates, also temporary ones and segments, but not the
 * records of frames (160 bytes each).  A part of a file that is written twice counts once, and what
 * is removed still counts.  Pipes and devices do not.  Child processes share the sum.
 */
#pragma once

#include <stdint.h>

#include "base/limit.h"

/* The limit, in MiB, of this process and of those that it forks from now on.  The texts of the
 * limit must remain valid.  A second call has no effect, before write_limit_clear. */
bool write_limit_set(const Limit *mib, Diag *diag);

/* Forgets limit and sum, in a process that begins another run. */
void write_limit_clear(void);

/* Whether this many bytes may be written in addition; they count in any case.  If not, errno is
 * EDQUOT. */
bool write_limit_add(int64_t bytes);

/* Reports that the sum exceeds the limit, if it does, and returns false then. */
bool write_limit_check(Diag *diag);
