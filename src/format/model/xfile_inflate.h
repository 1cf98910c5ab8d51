/*
 * xfile_inflate.h - the compressed formats of DirectX files (tzip, bzip)
 *
 * After the header of 16 bytes: u32 inflated size of the file, including the header; then blocks of
 * at most 32 KiB:  u16 inflated size, u16 compressed size, "CK", deflate data.  A block may refer
 * to data of the blocks before it (MSZIP).
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"

/* Meshes do not compress better than 1 to 128; a larger ratio is refused, to limit the memory. */
enum { XFILE_MAX_INFLATE_RATIO = 128 };

/* Both exclude the header; *out is in the arena. */
bool xfile_inflate(Bytes *out, Bytes compressed, Arena *arena, Diag *diag);
