/*
 * arena.h - memory that is given back all at once
 *
 * One arena holds one loaded asset, or the scratch of one frame.  What is taken from it lives until
 * arena_reset or arena_destroy; nothing is freed singly.  Memory comes zeroed.  When the system has
 * none left the program ends with a message and status 69: nobody could recover.  That is safe
 * because loaders check every count against the bytes left before they ask.
 * An arena belongs to one thread at a time.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

typedef struct Arena Arena;

Arena *arena_create(void);
void arena_destroy(Arena *arena); /* NULL is fine */

/* Gives back everything, keeps the largest block for the next round. */
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
char *arena_vprintf(Arena *arena, const char *format, va_list args);

/* Bytes asked of the system so far, for reports. */
size_t arena_bytes(const Arena *arena);

/*
 * A growing list of Type in an arena: { Type *items; size_t count, room; }.  Grows by doubling; the
 * old block stays in the arena, so the whole costs at most twice the final size.
 */
#define arena_push(arena, list)                                                              \
    ((list)->count < (list)->room                                                            \
         ? &(list)->items[(list)->count++]                                                   \
         : ((list)->items = arena_grow((arena), (list)->items, (list)->count, &(list)->room, \
                                       sizeof *(list)->items),                               \
            &(list)->items[(list)->count++]))

void *arena_grow(Arena *arena, const void *items, size_t count, size_t *room, size_t size);

#endif
