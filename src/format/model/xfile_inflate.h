/*
 * xfile_inflate.h - the compressed kinds of DirectX files (tzip, bzip)
 *
 * Behind the 16 bytes of header: u32 size of the file unpacked, header included; then blocks of at
 * most 32 KiB:  u16 size unpacked, u16 size compressed, "CK", deflate data.  A block may refer to
 * what the blocks before it held (MSZIP).
 */
#ifndef FORMAT_MODEL_XFILE_INFLATE_H
#define FORMAT_MODEL_XFILE_INFLATE_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"

/* No mesh shrinks to less than a part in so many: a file that says so is out for our memory. */
enum { XFILE_MAX_INFLATE_RATIO = 128 };

/* `compressed` and `out` are without the header. */
bool xfile_inflate(Bytes *out, Bytes compressed, Arena *arena, Diag *diag);

#endif
