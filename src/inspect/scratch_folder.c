#include "inspect/scratch_folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

bool scratch_folder_make(ScratchFolder *folder, Diag *diag)
{
    const char *parent = getenv("TMPDIR");
    snprintf(folder->path, sizeof folder->path, "%s/odori-XXXXXX",
             parent && *parent ? parent : "/tmp");
    if (mkdtemp(folder->path))
        return true;
    diag_fail(diag, file_error_kind(errno, DIAG_CREATE), "cannot create '%s': %s", folder->path,
              strerror(errno));
    folder->path[0] = '\0';
    return false;
}

void scratch_folder_remove(const ScratchFolder *folder)
{
    DIR *list = folder->path[0] ? file_open_folder(folder->path) : NULL;
    for (const struct dirent *entry; list && (entry = readdir(list)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlinkat(dirfd(list), entry->d_name, 0);
    if (list)
        closedir(list);
    if (folder->path[0])
        rmdir(folder->path);
}
