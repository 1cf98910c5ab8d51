#include "format/model/xfile_inflate.h"

#include <inttypes.h>
#include <string.h>

#define ZLIB_CONST /* next_in points to const */
#include <zlib.h>

#include "base/reader.h"

enum { HEADER_SIZE = 16, WINDOW_SIZE = 32 * 1024 };

typedef struct Inflater {
    Reader r;
    z_stream stream;
    uint8_t *out;
    size_t size, at;
} Inflater;

/* Inflates the data of a block, which must result in exactly `size` bytes. */
static bool inflate_block(Inflater *u, const uint8_t *data, size_t compressed, size_t size)
{
    const size_t window = u->at < WINDOW_SIZE ? u->at : WINDOW_SIZE;

    if (inflateReset(&u->stream) != Z_OK ||
        (window && inflateSetDictionary(&u->stream, u->out + u->at - window, (uInt)window) != Z_OK))
        return false;
    u->stream.next_in = data;
    u->stream.avail_in = (uInt)compressed;
    u->stream.next_out = u->out + u->at;
    u->stream.avail_out = (uInt)size;
    if (inflate(&u->stream, Z_FINISH) != Z_STREAM_END || u->stream.avail_out)
        return false;
    u->at += size;
    return true;
}

static bool read_block(Inflater *u)
{
    enum { MAGIC_SIZE = 2 };
    const size_t size = read_u16(&u->r), compressed = read_u16(&u->r);
    const uint8_t *data = read_bytes(&u->r, compressed);

    return data && compressed > MAGIC_SIZE && !memcmp(data, "CK", MAGIC_SIZE) &&
           size <= u->size - u->at &&
           inflate_block(u, data + MAGIC_SIZE, compressed - MAGIC_SIZE, size);
}

static bool read_blocks(Inflater *u, Diag *diag)
{
    for (unsigned i = 0; u->at < u->size; i++) {
        if (read_block(u))
            continue;
        diag_item(diag, "compressed block", i);
        return diag_error(diag, "is damaged or incomplete");
    }
    return true;
}

bool xfile_inflate(Bytes *out, Bytes compressed, Arena *arena, Diag *diag)
{
    Inflater u = {.r = reader_init(compressed.data, compressed.size)};
    const uint32_t total = read_u32(&u.r);

    if (u.r.failed || total < HEADER_SIZE || total / XFILE_MAX_INFLATE_RATIO > compressed.size)
        return diag_error(diag,
                          "inflated size %" PRIu32 " does not fit %zu bytes of compressed data",
                          total, compressed.size);
    u.size = total - HEADER_SIZE;
    u.out = arena_alloc(arena, u.size);
    if (inflateInit2(&u.stream, -MAX_WBITS) != Z_OK)
        return diag_fail(diag, DIAG_RESOURCE, "out of memory for zlib");
    const bool good = read_blocks(&u, diag);
    inflateEnd(&u.stream);
    *out = (Bytes){u.out, u.size};
    return good;
}
