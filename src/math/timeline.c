// SPDX-License-Identifier: MIT
#include "math/timeline.h"

#include <assert.h>
#include <stdlib.h>

static int by_frame_and_index(const void *a, const void *b)
{
    const TimelineItem *left = a, *right = b;
    if (left->frame != right->frame)
        return left->frame < right->frame ? -1 : 1;
    return left->index < right->index ? -1 : left->index > right->index;
}

uint32_t timeline_order(TimelineItem *items, uint32_t count)
{
    if (count > 1)
        qsort(items, count, sizeof *items, by_frame_and_index);

    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (kept && items[kept - 1].frame == items[i].frame)
            kept--;
        items[kept++] = items[i];
    }
    return kept;
}

TimelineSpan timeline_span(const double *frames, uint32_t count, double frame)
{
    assert(count > 0);

    /* low: number of keys known to be at or before the frame; high: the first key known to be after
     * it */
    uint32_t low = 0, high = count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (frames[middle] <= frame)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return (TimelineSpan){0, 0, 0};
    const uint32_t left = low - 1;
    if (low == count || frames[left] == frame)
        return (TimelineSpan){left, left, 0};

    const double from = frames[left], to = frames[low];
    return (TimelineSpan){left, low, (frame - from) / (to - from)};
}
