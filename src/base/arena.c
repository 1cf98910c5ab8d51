#include "base/arena.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "base/process_memory.h"

enum { ALIGN = 64, BLOCK_SIZE = 64 * 1024 };

typedef struct Block {
    struct Block *next;
    unsigned char *data; /* ALIGN-aligned, inside this allocation */
    size_t size, used;
} Block;

struct Arena {
    Block *blocks; /* the one in use first */
    size_t bytes;
};

/* A child that has a name of its own ("odori-worker") leaves the error to its parent, which sees
 * how it ended. */
static void out_of_memory(size_t size)
{
    char name[32] = "";
    prctl(PR_GET_NAME, name);
    const bool child = !strncmp(name, "odori-", 6);
    fprintf(stderr, "%s: %sout of memory: %zu bytes asked", child ? name : "odori",
            child ? "" : "error: ", size);
    if (process_memory_is_bounded())
        fprintf(stderr, "; the limit of this process is %" PRId64 " MiB",
                process_memory_is_bounded());
    fputc('\n', stderr);
    fflush(stderr);
    _Exit(MEMORY_EXIT);
}

static Block *block_create(size_t size)
{
    if (size > SIZE_MAX - sizeof(Block) - ALIGN)
        out_of_memory(size);
    Block *block = calloc(1, sizeof(Block) + ALIGN + size);
    if (!block)
        out_of_memory(size);
    const uintptr_t start = (uintptr_t)(block + 1);
    block->data = (unsigned char *)(block + 1) + (ALIGN - start % ALIGN) % ALIGN;
    block->size = size;
    return block;
}

Arena *arena_create(void)
{
    Arena *arena = calloc(1, sizeof *arena);
    if (!arena)
        out_of_memory(sizeof *arena);
    return arena;
}

static void free_blocks(Block *block)
{
    while (block) {
        Block *next = block->next;
        free(block);
        block = next;
    }
}

void arena_destroy(Arena *arena)
{
    if (!arena)
        return;
    free_blocks(arena->blocks);
    free(arena);
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
        memset(keep->data, 0, keep->used);
        keep->used = 0;
        keep->next = NULL;
        arena->bytes = keep->size;
    }
    arena->blocks = keep;
}

void *arena_alloc(Arena *arena, size_t size)
{
    if (size > SIZE_MAX - ALIGN)
        out_of_memory(size);
    const size_t need = size ? (size + ALIGN - 1) / ALIGN * ALIGN : ALIGN;
    Block *block = arena->blocks;
    if (!block || block->size - block->used < need) {
        block = block_create(need > BLOCK_SIZE ? need : BLOCK_SIZE);
        arena->bytes += block->size;
        if (need > BLOCK_SIZE &&
            arena->blocks) { /* a big one does not end the small block in use */
            block->next = arena->blocks->next;
            arena->blocks->next = block;
        } else {
            block->next = arena->blocks;
            arena->blocks = block;
        }
    }
    void *at = block->data + block->used;
    block->used += need;
    return at;
}

void *arena_calloc(Arena *arena, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        out_of_memory(SIZE_MAX);
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

void *arena_grow(Arena *arena, const void *items, size_t count, size_t *room, size_t size)
{
    const size_t more = *room ? *room * 2 : 8;
    void *grown = arena_calloc(arena, more, size);
    if (count)
        memcpy(grown, items, count * size);
    *room = more;
    return grown;
}
