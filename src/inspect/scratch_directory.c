// SPDX-License-Identifier: MIT
#include "inspect/scratch_directory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"

bool scratch_directory_make(ScratchDirectory *directory, Diag *diag)
{
    const char *parent = getenv("TMPDIR");
    snprintf(directory->path, sizeof directory->path, "%s/odori-XXXXXX",
             parent && *parent ? parent : "/tmp");
    if (mkdtemp(directory->path))
        return true;
    diag_fail(diag, diag_errno_kind(errno, DIAG_CREATE), "cannot create '%s': %s", directory->path,
              strerror(errno));
    directory->path[0] = '\0';
    return false;
}

void scratch_directory_remove(const ScratchDirectory *directory)
{
    DIR *list = directory->path[0] ? path_open_directory(directory->path) : NULL;
    for (const struct dirent *entry; list && (entry = readdir(list)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlinkat(dirfd(list), entry->d_name, 0);
    if (list)
        closedir(list);
    if (directory->path[0])
        rmdir(directory->path);
}
