// SPDX-License-Identifier: MIT
/*
 * text_stream.h - a FILE that collects what is written to it as text in an arena
 *
 *     TextStream stream;
 *     FILE *out = text_stream_open(&stream, arena);
 *     fprintf(out, ...);
 *     const char *text = text_stream_close(&stream);
 *
 * Writing to `out` never fails: without memory the process ends (base/memory.h).  A TextStream must
 * neither move nor lose its arena while it is open.  Not thread-safe.
 */
#pragma once

#include <stdio.h>

#include "base/arena.h"

typedef struct TextStream {
    FILE *out;
    Arena *arena;
    char *text;
    size_t size, capacity; /* size: without the terminator; valid after text_stream_close */
    char buffer[1024];     /* the buffer of `out`, so that stdio allocates none */
} TextStream;

/* Returns stream->out. */
FILE *text_stream_open(TextStream *stream, Arena *arena);

/* Returns the text of stream->size bytes and a terminator, which lives as long as the arena. */
char *text_stream_close(TextStream *stream);
