// SPDX-License-Identifier: MIT
/*
 * file_broker.h - a process that creates, renames and removes files for confined processes
 *
 * The processes that handle files of strangers have no right to write.  What they write goes to
 * files that a broker opened for them (base/file_calls.h).  A broker reads no contents of files and
 * is confined itself, to the directories of its rules: Landlock checks each path, so that links and
 * ".." lead nowhere else.  Of the names below them it writes those of the rules (file_names.h), so
 * that a process that was taken over cannot touch other files beside the outputs.  It opens regular
 * files only.
 *
 * A broker ends with the last process that has its socket.  Signals that stop a run are ignored, so
 * that temporary files can be removed after them.
 */
#pragma once

#include "sandbox/sandbox.h"

/* Whether rules contain something to write, apart from FIFOs and devices. */
bool file_broker_is_needed(const SandboxRules *rules);

/* The rules without what a broker does: FIFOs and devices are still written to directly. */
SandboxRules file_broker_remaining(const SandboxRules *rules, Arena *arena);

/*
 * Starts the broker of this process, which has the rights to write of the rules.  Call it before
 * the process confines itself and starts threads.  Does nothing where the kernel has no Landlock:
 * then each process writes by itself.  False after an error (DIAG_RESOURCE).
 */
bool file_broker_start(const SandboxRules *rules, Diag *diag);

/*
 * The same in two processes that know each other: one becomes the broker of the process at the
 * other end of a socket (SOCK_SEQPACKET) and ends with it; that one connects itself.  It needs a
 * kernel with Landlock.
 */
_Noreturn void file_broker_become(const SandboxRules *rules, int socket);
bool file_broker_connect(int socket, Diag *diag);

/* Waits for the end of the broker that this process started, after all its children.  Does nothing
 * without one. */
void file_broker_stop(void);

/* In a child process: a broker of its own with fewer rights, instead of that of its parent; none if
 * the rules contain nothing to write.  Does nothing if its parent has no broker. */
bool file_broker_join(const SandboxRules *rules, Diag *diag);
