// SPDX-License-Identifier: MIT
#include "base/text_stream.h"

#include <string.h>

#include "base/memory.h"

/* A write function of fopencookie. */
static ssize_t append(void *cookie, const char *bytes, size_t size)
{
    TextStream *stream = cookie;
    if (size > stream->capacity - stream->size) {
        stream->capacity = 2 * stream->capacity + size;
        char *grown = arena_alloc(stream->arena, stream->capacity);
        if (stream->size)
            memcpy(grown, stream->text, stream->size);
        stream->text = grown;
    }
    memcpy(stream->text + stream->size, bytes, size);
    stream->size += size;
    return (ssize_t)size;
}

FILE *text_stream_open(TextStream *stream, Arena *arena)
{
    *stream = (TextStream){.arena = arena};
    stream->out = fopencookie(stream, "w", (cookie_io_functions_t){.write = append});
    if (!stream->out)
        memory_exhausted(0);
    setvbuf(stream->out, stream->buffer, _IOFBF, sizeof stream->buffer);
    return stream->out;
}

char *text_stream_close(TextStream *stream)
{
    const int failed = ferror(stream->out);
    if (fclose(stream->out) != 0 || failed) /* printf allocates for some conversions */
        memory_exhausted(0);
    append(stream, "", 1);
    stream->size--;
    return stream->text;
}
