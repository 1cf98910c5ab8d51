// SPDX-License-Identifier: MIT
/*
 * file_grants.h - what a file broker may change, and the calls that change it
 *
 * A grant is a directory, which is opened when the grant is added, and the names below it that may
 * be created, written, renamed or removed (file_names.h).  A call names a path as its client sees
 * it.  The real path of its directory decides which grant holds; then this directory is opened from
 * the one of the grant, name by name, without following a link, and the call is made relative to
 * it.  So the call acts where it was checked, whatever becomes of the path meanwhile: this is what
 * openat2 does with RESOLVE_BENEATH and RESOLVE_NO_SYMLINKS, which the filters of system calls
 * refuse because they cannot see its arguments.
 *
 * Nothing here allocates memory or reads contents of files.
 */
#pragma once

#include <limits.h>

#include "base/file_calls.h"
#include "sandbox/sandbox.h"

enum { FILE_GRANTS_MAX = 256, FILE_GRANTS_WRITES = SANDBOX_WRITE | SANDBOX_RMDIR };

typedef struct FileGrant {
    int directory;       /* O_PATH; grants of one directory share it */
    unsigned access;     /* SandboxAccess bits */
    const char *names;   /* "": all */
    const char *within;  /* SandboxRule.within */
    char path[PATH_MAX]; /* the real path of the directory, "" for the root */
} FileGrant;

typedef struct FileGrants {
    FileGrant items[FILE_GRANTS_MAX];
    size_t count;
    const struct FileGrants *above; /* a call needs a grant of these, too; NULL: of none */
} FileGrants;

/* Adds a rule, whose names stay in use; nothing for a path that is no directory.  False
 * with errno set if there are too many (E2BIG) or no descriptor is left. */
bool file_grants_add(FileGrants *grants, const SandboxRule *rule);

/*
 * Makes a call.
 *
 * call       any bytes
 * directory  the directory that was passed with it: `path` and `to` are then names in it; negative:
 *            paths are absolute or relative to the working directory
 * *opened    the file of FILE_CALL_OPEN, a regular one; unchanged otherwise
 * returns    0 or an errno; EACCES if no grant allows the call
 */
int file_grants_call(const FileGrants *grants, const FileCall *call, int directory, int *opened);
