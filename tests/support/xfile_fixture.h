// SPDX-License-Identifier: MIT
/*
 * xfile_fixture.h - builds DirectX files: binary values, and compressed formats with zlib
 */
#ifndef SUPPORT_XFILE_FIXTURE_H
#define SUPPORT_XFILE_FIXTURE_H

#include <stdbool.h>

#include "base/arena.h"
#include "byte_list.h"

/* A text file with two frames, two materials, normals, texture coordinates and ignored objects. */
extern const char xfile_fixture_text[];

/* ---- tokens of a binary file ---- */

void xfile_header(ByteList *b, const char *kind, bool wide); /* "bin " */
void xfile_name(ByteList *b, const char *name);
void xfile_open(ByteList *b, const char *type); /* TYPE { */
void xfile_close(ByteList *b);
void xfile_string(ByteList *b, const char *text); /* and its semicolon */
void xfile_integers(ByteList *b, const uint32_t *values, uint32_t count);
void xfile_floats(ByteList *b, const float *values, uint32_t count, bool wide);

/* A quad with a texture, in binary. */
void xfile_fixture_binary(ByteList *b, bool wide);

/* ---- compressed ---- */

/* `file` with its header, compressed in blocks of `block` bytes that refer to the previous ones. */
Bytes xfile_pack(Bytes file, const char *kind, size_t block, Arena *arena);

#endif
