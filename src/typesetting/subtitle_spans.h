// SPDX-License-Identifier: MIT
/*
 * subtitle_spans.h - the times at which subtitles are shown, with a digest of what is shown
 *
 * Lines that are shown at the same time can move each other, so that they belong to one span, also
 * by lines between them.  What a script shows within a span depends on its lines, on all that is
 * not a line (styles, fonts, resolution), and on the time.  A script whose times cannot be read is
 * one span without an end.
 */
#pragma once

#include "base/arena.h"
#include "base/hash.h"

typedef struct SubtitleSpan {
    int64_t first_ms, end_ms;
    Digest digest;
} SubtitleSpan;

typedef struct SubtitleSpans {
    SubtitleSpan *items; /* by time; they do not overlap */
    size_t count;
} SubtitleSpans;

/* script: by subtitle_text_read */
void subtitle_spans_find(SubtitleSpans *out, const char *script, Arena *arena);

/* The span at a time; NULL if nothing is shown. */
const SubtitleSpan *subtitle_spans_at(const SubtitleSpans *spans, int64_t time_ms);
