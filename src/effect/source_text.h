// SPDX-License-Identifier: MIT
/*
 * source_text.h - the paths by which files of effects include each other
 */
#pragma once

#include "base/arena.h"

/*
 * The path of a file beside another one: '/' for '\', without "." and with ".." only at the start.
 * "pack/ray.fx" and "Shader\..\a.fxsub" give "pack/a.fxsub".
 */
const char *source_text_path(const char *beside, const char *path, Arena *arena);
