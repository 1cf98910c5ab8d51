// SPDX-License-Identifier: MIT
/*
 * program.h - the file that starts this program again
 *
 * In a bundle (configs/packaging/bundle.sh) the loader of the bundle's C library runs the program,
 * so that /proc/self/exe is that loader, lib/odori-ld.so below the directory of the bundle.
 */
#pragma once

#include <stdbool.h>

enum { PROGRAM_PATH_SIZE = 4096 };

/* Its absolute path; in a bundle, that of the launcher.  False: too long, or there is no /proc. */
bool program_path(char path[PROGRAM_PATH_SIZE]);

/* The directory of the bundle that this program belongs to.  False: it belongs to none. */
bool program_bundle(char path[PROGRAM_PATH_SIZE]);

/* Becomes this program with the words as its arguments; words[0] is not used.  Returns on failure,
 * with errno. */
void program_become(char *const *words);
