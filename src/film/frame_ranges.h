// SPDX-License-Identifier: MIT
/*
 * frame_ranges.h - lists of ranges of output frames, and their text
 */
#pragma once

#include <stdio.h>

#include "base/arena.h"
#include "film/film_types.h"

/* The frame with an index, and the index of a frame; -1 if there is none. */
int64_t frame_ranges_at(const FrameRanges *frames, int64_t index);
int64_t frame_ranges_find(const FrameRanges *frames, int64_t frame);

/* A growing list of ranges. */
typedef ARENA_LIST(FrameRange) FrameRangeList;

/* Appends a range, which must start after the last one; adjacent ranges are merged. */
void frame_ranges_add(FrameRangeList *list, FrameRange range, Arena *arena);

/* The output frames of a span of frame indices, as one or more ranges. */
FrameRanges frame_ranges_of_span(const Film *film, FilmSpan indices, Arena *arena);

/* Writes "0-99,400", or "none". */
void frame_ranges_write(FILE *out, const FrameRanges *frames);

/* The same for a message: at most 20 ranges and the number of further ones; "" if there are none.
 */
const char *frame_ranges_text(const FrameRanges *frames, Arena *arena);
