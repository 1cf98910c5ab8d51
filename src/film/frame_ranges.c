// SPDX-License-Identifier: MIT
#include "film/frame_ranges.h"

#include <inttypes.h>

#include "base/text_stream.h"
#include "film/film.h"

int64_t frame_ranges_at(const FrameRanges *frames, int64_t index)
{
    for (size_t i = 0; i < frames->count; i++) {
        const FrameRange r = frames->items[i];
        if (index <= r.last - r.first)
            return r.first + index;
        index -= r.last - r.first + 1;
    }
    return -1;
}

int64_t frame_ranges_find(const FrameRanges *frames, int64_t frame)
{
    int64_t before = 0;
    for (size_t i = 0; i < frames->count; i++) {
        const FrameRange r = frames->items[i];
        if (frame >= r.first && frame <= r.last)
            return before + frame - r.first;
        before += r.last - r.first + 1;
    }
    return -1;
}

void frame_ranges_add(FrameRangeList *list, FrameRange range, Arena *arena)
{
    FrameRange *last = list->count ? &list->items[list->count - 1] : NULL;
    if (last && last->last + 1 == range.first)
        last->last = range.last;
    else
        *arena_push(arena, list) = range;
}

FrameRanges frame_ranges_of_span(const Film *film, FilmSpan indices, Arena *arena)
{
    FrameRangeList list = {0};
    int64_t before = 0;
    for (size_t i = 0; i < film->frames.count; i++) {
        const FrameRange r = film->frames.items[i];
        const int64_t count = r.last - r.first + 1;
        const int64_t from = indices.first > before ? indices.first - before : 0;
        const int64_t to = indices.end - before < count ? indices.end - before : count;
        if (from < to)
            frame_ranges_add(&list, (FrameRange){r.first + from, r.first + to - 1}, arena);
        before += count;
    }
    return (FrameRanges){list.items, list.count};
}

static void write_range(FILE *out, size_t index, FrameRange range)
{
    fprintf(out, "%s%" PRId64, index ? "," : "", range.first);
    if (range.last > range.first)
        fprintf(out, "-%" PRId64, range.last);
}

void frame_ranges_write(FILE *out, const FrameRanges *frames)
{
    for (size_t i = 0; i < frames->count; i++)
        write_range(out, i, frames->items[i]);
    if (!frames->count)
        fputs("none", out);
}

const char *frame_ranges_text(const FrameRanges *frames, Arena *arena)
{
    enum { SHOWN = 20 };
    TextStream stream;
    FILE *out = text_stream_open(&stream, arena);
    for (size_t i = 0; i < frames->count && i < SHOWN; i++)
        write_range(out, i, frames->items[i]);
    if (frames->count > SHOWN)
        fprintf(out, " and %zu more ranges", frames->count - SHOWN);
    return text_stream_close(&stream);
}
