// SPDX-License-Identifier: MIT
#include "cli/serve/serve_buffer.h"

#include <string.h>

void serve_buffer_clear(ServeBuffer *buffer)
{
    arena_destroy(buffer->arena);
    *buffer = (ServeBuffer){0};
}

static void reserve(ServeBuffer *buffer, size_t size)
{
    ServeBuffer larger = {.size = buffer->size, .capacity = buffer->capacity};
    if (size <= buffer->capacity)
        return;
    while (larger.capacity < size)
        larger.capacity = larger.capacity ? larger.capacity * 2 : 4096;
    larger.arena = arena_create();
    larger.bytes = arena_alloc(larger.arena, larger.capacity);
    if (buffer->size)
        memcpy(larger.bytes, buffer->bytes, buffer->size);
    arena_destroy(buffer->arena);
    *buffer = larger;
}

void serve_buffer_add(ServeBuffer *buffer, const void *bytes, size_t size)
{
    reserve(buffer, buffer->size + size);
    if (size)
        memcpy(buffer->bytes + buffer->size, bytes, size);
    buffer->size += size;
}

void serve_buffer_drop(ServeBuffer *buffer, size_t size)
{
    if (size >= buffer->size) {
        serve_buffer_clear(buffer);
        return;
    }
    buffer->size -= size;
    memmove(buffer->bytes, buffer->bytes + size, buffer->size);
}
