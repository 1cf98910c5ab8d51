// SPDX-License-Identifier: MIT
/*
 * fuzz_memory_file.h - arbitrary bytes as a file with a path
 */
#ifndef FUZZ_FUZZ_MEMORY_FILE_H
#define FUZZ_FUZZ_MEMORY_FILE_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct MemoryFile {
    int fd;
    char path[64];
} MemoryFile;

static inline void memory_file_open(MemoryFile *file, const void *data, size_t size)
{
    file->fd = memfd_create("fuzz", MFD_CLOEXEC);
    if (file->fd < 0 || write(file->fd, data, size) != (ssize_t)size)
        exit(1);
    snprintf(file->path, sizeof file->path, "/proc/self/fd/%d", file->fd);
}

static inline void memory_file_close(MemoryFile *file)
{
    close(file->fd);
}

#endif
