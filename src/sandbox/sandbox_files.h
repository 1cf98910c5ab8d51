/*
 * sandbox_files.h - Landlock, for sandbox.c
 */
#ifndef SANDBOX_SANDBOX_FILES_H
#define SANDBOX_SANDBOX_FILES_H

#include "sandbox/sandbox.h"

/* The version of the interface, 0 if the kernel has none. */
int sandbox_files_version(void);

/* Restricts this thread to the rules.  Requires PR_SET_NO_NEW_PRIVS.  0 or an errno. */
int sandbox_files_restrict(const SandboxRules *rules);

#endif
