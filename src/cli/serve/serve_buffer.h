// SPDX-License-Identifier: MIT
/*
 * serve_buffer.h - bytes that are added at the end and taken from the begin
 *
 * Its memory is returned when it is empty.  {0} is an empty one.
 */
#pragma once

#include "base/arena.h"

typedef struct ServeBuffer {
    Arena *arena; /* NULL: it has no memory */
    char *bytes;
    size_t size, capacity;
} ServeBuffer;

void serve_buffer_add(ServeBuffer *buffer, const void *bytes, size_t size);
void serve_buffer_drop(ServeBuffer *buffer, size_t size);
void serve_buffer_clear(ServeBuffer *buffer);
