// SPDX-License-Identifier: MIT
/*
 * source_text.h - files of effects: their encoding, and the paths by which they include each other
 */
#pragma once

#include "base/arena.h"

/*
 * The text in UTF-8, up to the first NUL: UTF-16 with a byte order mark; UTF-8 if it is valid as
 * such; else cp932 or GBK, of which the one that decodes more of the text to characters that
 * Japanese and Chinese use.
 */
const char *source_text_decode(const void *bytes, size_t size, Arena *arena);

/*
 * The path of a file beside another one: '/' for '\', without "." and with ".." only at the start.
 * "pack/ray.fx" and "Shader\..\a.fxsub" give "pack/a.fxsub".
 */
const char *source_text_path(const char *beside, const char *path, Arena *arena);
