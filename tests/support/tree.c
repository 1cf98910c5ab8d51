// SPDX-License-Identifier: MIT
#include "tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void add_content(Hash *hash, const char *path, const struct stat *st)
{
    char block[4096];
    ssize_t n = S_ISLNK(st->st_mode) ? readlink(path, block, sizeof block) : 0;
    const int fd = S_ISREG(st->st_mode) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    do
        hash_add(hash, block, n > 0 ? (size_t)n : 0);
    while (fd >= 0 && (n = read(fd, block, sizeof block)) > 0);
    if (fd >= 0)
        close(fd);
}

static void add_directory(Hash *hash, const char *directory, bool (*skip)(const char *name))
{
    struct dirent **entries;
    const int count = scandir(directory, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        char path[4096];
        struct stat st;
        snprintf(path, sizeof path, "%s/%s", directory, name);
        if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && !(skip && skip(name)) &&
            lstat(path, &st) == 0) {
            hash_add(hash, path, strlen(path) + 1);
            hash_add(hash, &st.st_mode, sizeof st.st_mode);
            add_content(hash, path, &st);
            if (S_ISDIR(st.st_mode))
                add_directory(hash, path, NULL);
        }
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

Digest tree_digest(const char *directory, bool (*skip)(const char *name))
{
    Hash *hash = hash_create();
    add_directory(hash, directory, skip);
    return hash_finish(hash);
}
