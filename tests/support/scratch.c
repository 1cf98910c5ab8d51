// SPDX-License-Identifier: MIT
#include "scratch.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void scratch_make(Scratch *scratch)
{
    const char *top = getenv("TMPDIR");
    snprintf(scratch->directory, sizeof scratch->directory - 1, "%s/odori-test-XXXXXX",
             top ? top : "/tmp");
    if (!mkdtemp(scratch->directory)) {
        perror(scratch->directory);
        abort();
    }
    strcat(scratch->directory, "/");
}

/* Counts the files below a directory and optionally removes them. */
static size_t walk(const char *directory, int remove_all)
{
    size_t count = 0;
    DIR *dir = opendir(directory);
    const struct dirent *entry;

    while (dir && (entry = readdir(dir))) {
        char path[4096];
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        snprintf(path, sizeof path, "%s%s%s", directory, entry->d_name,
                 entry->d_type == DT_DIR ? "/" : "");
        count += entry->d_type == DT_DIR ? walk(path, remove_all) : 1;
        if (remove_all)
            remove(path);
    }
    if (dir)
        closedir(dir);
    return count;
}

void scratch_remove(const Scratch *scratch)
{
    walk(scratch->directory, 1);
    rmdir(scratch->directory);
}

const char *scratch_path(Scratch *scratch, const char *name)
{
    snprintf(scratch->path, sizeof scratch->path, "%s%s", scratch->directory, name);
    return scratch->path;
}

size_t scratch_count(const Scratch *scratch)
{
    return walk(scratch->directory, 0);
}
