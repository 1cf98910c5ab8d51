// SPDX-License-Identifier: MIT
#include "base/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

#ifdef ARENA_REDZONES /* builds with AddressSanitizer */
#include <sanitizer/asan_interface.h>
enum { REDZONE = 1 };
#else
#define ASAN_POISON_MEMORY_REGION(memory, size) ((void)(memory), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(memory, size) ((void)(memory), (void)(size))
enum { REDZONE = 0 };
#endif

enum { ALIGN = 64, BLOCK_SIZE = 64 * 1024 };

typedef struct Block {
    struct Block *next;
    unsigned char *data; /* ALIGN-aligned, inside this allocation */
    size_t size, used;
} Block;

struct Arena {
    Block *blocks; /* the one in use comes first */
    size_t bytes;
};

static Block *block_create(size_t size)
{
    if (size > SIZE_MAX - sizeof(Block) - ALIGN)
        memory_exhausted(size);
    Block *block = memory_alloc(1, sizeof(Block) + ALIGN + size);
    const uintptr_t start = (uintptr_t)(block + 1);
    block->data = (unsigned char *)(block + 1) + (ALIGN - start % ALIGN) % ALIGN;
    block->size = size;
    ASAN_POISON_MEMORY_REGION(block->data, size);
    return block;
}

Arena *arena_create(void)
{
    return memory_alloc(1, sizeof(Arena));
}

static void free_blocks(Block *block)
{
    while (block) {
        Block *next = block->next;
        memory_free(block);
        block = next;
    }
}

void arena_destroy(Arena *arena)
{
    if (!arena)
        return;
    free_blocks(arena->blocks);
    memory_free(arena);
}

void arena_reset(Arena *arena)
{
    Block *keep = NULL;
    for (Block *b = arena->blocks; b; b = b->next)
        if (!keep || b->size > keep->size)
            keep = b;
    Block **link = &arena->blocks;
    while (*link && *link != keep)
        link = &(*link)->next;
    if (keep) {
        *link = keep->next;
        free_blocks(arena->blocks);
        ASAN_UNPOISON_MEMORY_REGION(keep->data, keep->used);
        memset(keep->data, 0, keep->used);
        ASAN_POISON_MEMORY_REGION(keep->data, keep->used);
        keep->used = 0;
        keep->next = NULL;
        arena->bytes = keep->size;
    }
    arena->blocks = keep;
}

/* Sanitizers report accesses behind the `size` bytes, at least up to the next item. */
void *arena_alloc(Arena *arena, size_t size)
{
    if (size > SIZE_MAX - ALIGN - REDZONE)
        memory_exhausted(size);
    const size_t need = size ? (size + REDZONE + ALIGN - 1) / ALIGN * ALIGN : ALIGN;
    Block *block = arena->blocks;
    if (!block || block->size - block->used < need) {
        block = block_create(need > BLOCK_SIZE ? need : BLOCK_SIZE);
        arena->bytes += block->size;
        if (need > BLOCK_SIZE && arena->blocks) { /* keep using the small block */
            block->next = arena->blocks->next;
            arena->blocks->next = block;
        } else {
            block->next = arena->blocks;
            arena->blocks = block;
        }
    }
    void *memory = block->data + block->used;
    block->used += need;
    ASAN_UNPOISON_MEMORY_REGION(memory, size);
    return memory;
}

void *arena_calloc(Arena *arena, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        memory_exhausted(SIZE_MAX);
    return arena_alloc(arena, count * size);
}

void *arena_copy(Arena *arena, const void *bytes, size_t size)
{
    void *copy = arena_alloc(arena, size);
    if (size)
        memcpy(copy, bytes, size);
    return copy;
}

char *arena_strndup(Arena *arena, const char *text, size_t count)
{
    char *copy = arena_alloc(arena, count + 1);
    if (count)
        memcpy(copy, text, count);
    return copy;
}

char *arena_strdup(Arena *arena, const char *text)
{
    return arena_strndup(arena, text, strlen(text));
}

char *arena_vprintf(Arena *arena, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    const int size = vsnprintf(NULL, 0, format, args);
    char *text = arena_alloc(arena, (size < 0 ? 0 : (size_t)size) + 1);
    if (size > 0)
        vsnprintf(text, (size_t)size + 1, format, again);
    va_end(again);
    return text;
}

char *arena_printf(Arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = arena_vprintf(arena, format, args);
    va_end(args);
    return text;
}

size_t arena_bytes(const Arena *arena)
{
    return arena->bytes;
}

void *arena_grow(Arena *arena, const void *items, size_t count, size_t *capacity, size_t size)
{
    const size_t grown_capacity = *capacity ? *capacity * 2 : 8;
    void *grown = arena_calloc(arena, grown_capacity, size);
    if (count)
        memcpy(grown, items, count * size);
    *capacity = grown_capacity;
    return grown;
}
