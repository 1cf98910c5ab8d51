// SPDX-License-Identifier: MIT
/*
 * write_root.h - the directory that files of strangers may not lead out of (the limit paths:
 * job_directory)
 *
 * A path that enters this directory must stay in it: its owner may have put a symbolic link, a pipe
 * or a device in place of any file or directory that a run writes, also where the host named the
 * output.  Names that follow from that of an output, such as its record directory, may nowhere be a
 * link to another place.  In a sandbox the kernel and the file broker enforce the same
 * (SandboxRule.within); this check gives the message, and works without a sandbox.
 *
 * The directory belongs to the process like its working directory; child processes inherit it.
 */
#pragma once

#include <limits.h>

#include "base/diag.h"

/* directory: its real path; NULL: there is none.  source: what set it, for messages. */
void write_root_set(const char *directory, const char *source);

/* A directory that the host alone chose, by --state: what is named below it may lead anywhere.
 * NULL: none; the text must remain valid. */
void write_root_follow(const char *directory);

/* The directory if the path enters it before its last name: then nothing but ".." may lead out of
 * it.  Else NULL, also below that of write_root_follow. */
const char *write_root_of(const char *path);

/*
 * The real path of the directory that a directory beside a written file may not lead out of: the
 * root if the path enters it, else that which contains it.  False without a root.
 */
bool write_root_beside(char out[PATH_MAX], const char *directory);

/* Checks a file that is about to be written; of a pattern, its directory.  False
 * after an error (DIAG_CREATE) if it leads out of the directory, or is not a regular file. */
bool write_root_check(const char *path, Diag *diag);

/* The same for a directory beside a written file, which `write_root_beside` restricts. */
bool write_root_check_beside(const char *directory, Diag *diag);
