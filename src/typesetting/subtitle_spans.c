// SPDX-License-Identifier: MIT
#include "typesetting/subtitle_spans.h"

#include <stdlib.h>
#include <string.h>

static const char dialogue[] = "Dialogue:";

typedef struct SpokenLine {
    const char *text;
    size_t size;
    int64_t first_ms, end_ms;
    size_t span;
} SpokenLine;

typedef ARENA_LIST(SpokenLine) SpokenLines;

/* ---- fields of a line ---- */

/* Reads digits, at most 6. */
static bool read_number(int64_t *out, const char **at)
{
    const char *start = *at;
    for (*out = 0; **at >= '0' && **at <= '9' && *at - start < 6; ++*at)
        *out = 10 * *out + (**at - '0');
    return *at > start;
}

/* "0:01:02.50", in hundredths */
static bool read_time(int64_t *ms, const char *at)
{
    int64_t hours, minutes, seconds, hundredths;
    at += strspn(at, " \t");
    if (!read_number(&hours, &at) || *at++ != ':' || !read_number(&minutes, &at) || *at++ != ':' ||
        !read_number(&seconds, &at) || *at++ != '.' || !read_number(&hundredths, &at))
        return false;
    *ms = ((hours * 60 + minutes) * 60 + seconds) * 1000 + hundredths * 10;
    at += strspn(at, " \t");
    return *at == ',';
}

/* The field with an index, counted from 0; NULL if the line has fewer. */
static const char *field_at(const char *at, const char *end, int index)
{
    for (; at && index > 0; index--) {
        at = memchr(at, ',', (size_t)(end - at));
        at = at ? at + 1 : NULL;
    }
    return at;
}

/* Start and end are the second and the third field in every script that editors write. */
static bool read_times(SpokenLine *line)
{
    const char *fields = line->text + strlen(dialogue), *end = line->text + line->size;
    const char *first = field_at(fields, end, 1), *last = field_at(fields, end, 2);
    return first && last && read_time(&line->first_ms, first) && read_time(&line->end_ms, last);
}

/* Whether a line describes fields of which the second and the third are not start and end. */
static bool is_other_format(const char *text, size_t size)
{
    static const char format[] = "Format:";
    const char *end = text + size;
    if (size < sizeof format || strncmp(text, format, sizeof format - 1) != 0)
        return false;
    const char *first = field_at(text, end, 1), *last = field_at(text, end, 2);
    if (!memmem(text, size, "Start", 5)) /* of styles */
        return false;
    first += first ? strspn(first, " \t") : 0;
    last += last ? strspn(last, " \t") : 0;
    return !first || !last || strncmp(first, "Start,", 6) != 0 || strncmp(last, "End,", 4) != 0;
}

/* ---- spans ---- */

/* Splits a script into lines that are shown and the digest of everything else.  False if the times
 * of a line cannot be read. */
static bool read_lines(SpokenLines *lines, Digest *rest, const char *script, Arena *arena)
{
    Hash *hash = hash_create();
    bool good = true;
    for (const char *at = script, *next; *at; at = next) {
        const size_t size = strcspn(at, "\n");
        next = at + size + (at[size] == '\n');
        if (strncmp(at, dialogue, strlen(dialogue)) != 0) {
            good &= !is_other_format(at, size);
            hash_add(hash, at, (size_t)(next - at));
            continue;
        }
        SpokenLine *line = arena_push(arena, lines);
        *line = (SpokenLine){.text = at, .size = size};
        good &= read_times(line);
        line->end_ms = line->end_ms > line->first_ms ? line->end_ms : line->first_ms;
    }
    *rest = hash_finish(hash);
    return good;
}

static int by_start(const void *a, const void *b)
{
    const SpokenLine *left = *(SpokenLine *const *)a, *right = *(SpokenLine *const *)b;
    return (left->first_ms > right->first_ms) - (left->first_ms < right->first_ms);
}

/* Sets the span of each line. */
static void join_lines(SubtitleSpans *out, const SpokenLines *lines, Arena *arena)
{
    SpokenLine **order = arena_array(arena, SpokenLine *, lines->count + 1);
    for (size_t i = 0; i < lines->count; i++)
        order[i] = &lines->items[i];
    qsort(order, lines->count, sizeof *order, by_start);
    out->items = arena_array(arena, SubtitleSpan, lines->count + 1);
    for (size_t i = 0; i < lines->count; i++) {
        const SpokenLine *line = order[i];
        SubtitleSpan *last = out->count ? &out->items[out->count - 1] : NULL;
        if (!last || line->first_ms >= last->end_ms) {
            last = &out->items[out->count++];
            *last = (SubtitleSpan){.first_ms = line->first_ms, .end_ms = line->end_ms};
        }
        last->end_ms = line->end_ms > last->end_ms ? line->end_ms : last->end_ms;
        order[i]->span = (size_t)(last - out->items);
    }
}

void subtitle_spans_find(SubtitleSpans *out, const char *script, Arena *arena)
{
    SpokenLines lines = {0};
    Digest rest;
    *out = (SubtitleSpans){0};
    if (!read_lines(&lines, &rest, script, arena)) {
        out->items = arena_array(arena, SubtitleSpan, 1);
        out->items[out->count++] =
            (SubtitleSpan){INT64_MIN, INT64_MAX, hash_bytes(script, strlen(script))};
        return;
    }
    join_lines(out, &lines, arena);
    Hash **hashes = arena_array(arena, Hash *, out->count + 1);
    for (size_t i = 0; i < out->count; i++) {
        hashes[i] = hash_create();
        hash_add(hashes[i], &rest, sizeof rest);
    }
    for (size_t i = 0; i < lines.count;
         i++) /* in the order of the script, which is that of drawing */
        hash_add(hashes[lines.items[i].span], lines.items[i].text, lines.items[i].size + 1);
    for (size_t i = 0; i < out->count; i++)
        out->items[i].digest = hash_finish(hashes[i]);
}

const SubtitleSpan *subtitle_spans_at(const SubtitleSpans *spans, int64_t time_ms)
{
    size_t low = 0, high = spans->count; /* the first span that ends later is in low..high */
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (spans->items[middle].end_ms > time_ms)
            high = middle;
        else
            low = middle + 1;
    }
    return low < spans->count && spans->items[low].first_ms <= time_ms ? &spans->items[low] : NULL;
}
