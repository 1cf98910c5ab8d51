// SPDX-License-Identifier: MIT
/*
 * shader_cache.h - compiled shaders that confined workers may read, but not write
 *
 * Mesa keeps the machine code of shaders on disk, where all programs of the user find it; a process
 * that a stranger's file has taken over must not be able to change it.  So there is a cache of this
 * program's own, in $XDG_CACHE_HOME/odori or ~/.cache/odori.  It is filled by a process that has
 * read nothing but the built-in demo, when this version of the program first draws on a system or
 * after libraries were installed, which takes a few seconds.  Without it (no writable home
 * directory; Landlock below 3, which cannot prevent that the index is cut) every worker compiles
 * its shaders.  What a run with --sandbox off compiles is kept there, too, such as the effects of a
 * job that the user trusts: such a run has all rights of the user anyway.
 */
#pragma once

#include <stdbool.h>

#include "base/arena.h"

/* The directory of a complete cache, or NULL.  Call it before this process reads anything of a job.
 */
const char *shader_cache_prepare(Arena *arena);

/* For a process that is not confined: what it compiles is kept, unless the environment says where
 * or whether Mesa does so. */
void shader_cache_keep(Arena *arena);

/* What the cache is, for people: its directory, NULL if there can be none, and whether it is full.
 */
typedef struct ShaderCacheState {
    const char *directory;
    bool complete, confined; /* confined: the kernel can keep workers from changing it */
} ShaderCacheState;

ShaderCacheState shader_cache_state(Arena *arena);
