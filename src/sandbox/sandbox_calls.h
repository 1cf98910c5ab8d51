// SPDX-License-Identifier: MIT
/*
 * sandbox_calls.h - seccomp filters, for sandbox.c
 */
#pragma once

#include "sandbox/sandbox.h"

/* Whether this processor has a table here and the kernel has filters. */
bool sandbox_calls_supported(void);

/* Adds the filter of a profile to all threads of this process.  Requires PR_SET_NO_NEW_PRIVS.  0 or
 * an errno. */
int sandbox_calls_restrict(SandboxProfile profile);
