// SPDX-License-Identifier: MIT
#include "base/program.h"

#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static const char EXE[] = "/proc/self/exe";
/* Below the directory of a bundle; the second name is the shorter. */
static const char LOADER[] = "/lib/odori-ld.so", LAUNCHER[] = "/odori";

static bool read_exe(char path[PROGRAM_PATH_SIZE])
{
    const ssize_t size = readlink(EXE, path, PROGRAM_PATH_SIZE);
    if (size <= 0 || size == PROGRAM_PATH_SIZE)
        return false;
    path[size] = '\0';
    return true;
}

bool program_bundle(char path[PROGRAM_PATH_SIZE])
{
    if (!read_exe(path))
        return false;
    const size_t size = strlen(path), end = sizeof LOADER - 1;
    if (size <= end || strcmp(path + size - end, LOADER) != 0)
        return false;
    path[size - end] = '\0';
    return true;
}

bool program_path(char path[PROGRAM_PATH_SIZE])
{
    if (!program_bundle(path))
        return read_exe(path);
    memcpy(path + strlen(path), LAUNCHER, sizeof LAUNCHER);
    return true;
}

void program_become(char *const *words)
{
    char path[PROGRAM_PATH_SIZE];
    const bool is_bundled = program_bundle(path) && program_path(path);
    execv(is_bundled ? path : EXE, words);
}
