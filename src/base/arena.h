// SPDX-License-Identifier: MIT
/*
 * arena.h - memory that is freed all at once
 *
 * One arena holds one loaded asset, or the scratch memory of one frame.  An allocation lives until
 * arena_reset or arena_destroy; none is freed singly.  All memory is zeroed.  No function returns
 * NULL: without memory the process ends (base/memory.h).
 * An arena belongs to one thread at a time.
 */
#pragma once

#include <stdarg.h>
#include <stddef.h>

typedef struct Arena Arena;

Arena *arena_create(void);
void arena_destroy(Arena *arena); /* NULL is fine */

/* Frees all allocations, but keeps the largest block for the next ones. */
void arena_reset(Arena *arena);

/* Zeroed bytes, aligned to 64 (a cache line; enough for every SIMD type).  size 0 gives a valid
 * pointer. */
void *arena_alloc(Arena *arena, size_t size);

/* As arena_alloc(count * size), with the product checked. */
void *arena_calloc(Arena *arena, size_t count, size_t size);

#define arena_array(arena, Type, count) ((Type *)arena_calloc((arena), (count), sizeof(Type)))

/* A copy of `size` bytes, and of `count` text bytes with a terminator added. */
void *arena_copy(Arena *arena, const void *bytes, size_t size);
char *arena_strndup(Arena *arena, const char *text, size_t count);
char *arena_strdup(Arena *arena, const char *text);

char *arena_printf(Arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(Arena *arena, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

/* Bytes allocated from the system so far, for reports. */
size_t arena_bytes(const Arena *arena);

/*
 * A list of Type that grows in an arena.  {0} is an empty one; arena_push appends an item and gives
 * its address.  Grows by doubling; the old block stays in the arena, so the whole costs at most
 * twice the final size.
 */
#define ARENA_LIST(Type)        \
    struct {                    \
        Type *items;            \
        size_t count, capacity; \
    }

#define arena_push(arena, list)                                                                  \
    ((list)->count < (list)->capacity                                                            \
         ? &(list)->items[(list)->count++]                                                       \
         : ((list)->items = arena_grow((arena), (list)->items, (list)->count, &(list)->capacity, \
                                       sizeof *(list)->items),                                   \
            &(list)->items[(list)->count++]))

void *arena_grow(Arena *arena, const void *items, size_t count, size_t *capacity, size_t size);
