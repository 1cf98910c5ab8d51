// SPDX-License-Identifier: MIT
#include "mutate.h"

#include <string.h>

#include "grammars.h"

bool buffer_replace(Buffer *b, size_t at, size_t old_size, const void *bytes, size_t size)
{
    if (b->size - old_size + size > b->max_size)
        return false;
    memmove(b->data + at + size, b->data + at + old_size, b->size - at - old_size);
    if (size)
        memcpy(b->data + at, bytes, size);
    b->size = b->size - old_size + size;
    return true;
}

bool mutate(Buffer *buffer, const char *format, Random *random)
{
    const Grammar *grammar = grammar_find(format, buffer->data, buffer->size);
    if (!grammar || !buffer->size)
        return false;
    for (size_t i = 1 + random_below(random, 4); i > 0 && buffer->size; i--) {
        if (grammar->layout)
            mutate_layout(buffer, grammar->layout, random);
        else
            mutate_text(buffer, grammar->words, random);
    }
    return true;
}
