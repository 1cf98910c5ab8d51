// SPDX-License-Identifier: MIT
#include "math/key_span.h"

#include <assert.h>
#include <string.h>

static double frame_of(const void *keys, size_t size, size_t index)
{
    double frame;
    memcpy(&frame, (const char *)keys + index * size, sizeof frame);
    return frame;
}

size_t key_span_find(const void *keys, size_t size, size_t count, double frame)
{
    size_t low = 0, high = count; /* the key is in [low, high) */
    assert(count > 0);
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (frame_of(keys, size, middle) <= frame)
            low = middle;
        else
            high = middle;
    }
    return low;
}

KeySpan key_span(const void *keys, size_t size, size_t count, double frame)
{
    const size_t left = key_span_find(keys, size, count, frame);
    const KeySpan held = {left, left, 0};
    if (left + 1 == count)
        return held;
    const double from = frame_of(keys, size, left), to = frame_of(keys, size, left + 1);
    if (frame <= from || to - from <= 1)
        return held;
    return (KeySpan){left, left + 1, (frame - from) / (to - from)};
}
