// SPDX-License-Identifier: MIT
/*
 * assets.h - the shared models and motions, found by digest or by name
 */
#ifndef ORACLE_ASSETS_H
#define ORACLE_ASSETS_H

#include <stddef.h>

#include "base/arena.h"

typedef struct Asset {
    const char *path, *name;
    char digest[65];
} Asset;

typedef struct Assets {
    Asset *items;
    size_t count, capacity;
} Assets;

/* Adds all files below a directory. */
void assets_add(Assets *assets, const char *directory, Arena *arena);

/* By SHA-256 in hex or by file name; NULL if there is none. */
const char *assets_find(const Assets *assets, const char *digest_or_name);

#endif
