// SPDX-License-Identifier: MIT
#include "typesetting/subtitle_wrap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <utf8proc.h>

#include "base/text_stream.h"
#include "typesetting/line_break.h"

/* Text is measured at this line height; more parts without a break are not joined to a row. */
enum { MEASURED_SIZE = 512, MAX_PARTS = 256 };

/* Of two ways that are as good, the one with a longer first row is taken. */
static const double TIE = 1e-9;

typedef struct Wrapper {
    Font *font;
    double limit; /* width between the margins, in line heights */
    Arena *arena; /* for one line */
} Wrapper;

/* What stays together: its bytes with tags, and what is drawn of it. */
typedef struct Part {
    const char *start, *end;
    const char *ink_end; /* without spaces at the end */
    double width, ink_width;
    double penalty; /* of a break after it */
} Part;

typedef ARENA_LIST(Part) Parts;

static double measure(const Wrapper *w, const char *text)
{
    ShapedText line;
    font_shape(&line, w->font, text, w->arena);
    return (double)line.advance / (FONT_UNITS_PER_PIXEL * MEASURED_SIZE);
}

/* ---- characters of a script: tags are part of what follows them ---- */

typedef struct Character {
    const char *start, *end; /* with tags before it; the last one with those after it, too */
    uint32_t value;
} Character;

typedef ARENA_LIST(Character) Characters;

static const char *skip_tags(const char *at, const char *end)
{
    while (at < end && *at == '{') {
        const char *close = memchr(at, '}', (size_t)(end - at));
        if (!close)
            break;
        at = close + 1;
    }
    return at;
}

static Characters read_characters(const char *text, const char *end, Arena *arena)
{
    Characters list = {0};
    while (text < end) {
        const char *at = skip_tags(text, end);
        utf8proc_int32_t value = 0;
        at += at + 1 < end && *at == '\\' && (at[1] == '{' || at[1] == '}');
        const utf8proc_ssize_t size =
            at < end ? utf8proc_iterate((const utf8proc_uint8_t *)at, end - at, &value) : 0;
        if (at >= end && list.count)
            list.items[list.count - 1].end = end;
        else
            *arena_push(arena, &list) = (Character){text, at + (size > 0 ? size : at < end),
                                                    size > 0 ? (uint32_t)value : 0xFFFD};
        text = at + (size > 0 ? size : at < end);
    }
    return list;
}

/* The drawn text of some characters. */
static const char *plain_text(const Character *from, const Character *to, Arena *arena)
{
    char *out = arena_alloc(arena, 4 * (size_t)(to - from) + 1), *at = out;
    for (; from < to; from++)
        at += utf8proc_encode_char((utf8proc_int32_t)from->value, (utf8proc_uint8_t *)at);
    *at = '\0';
    return out;
}

/* ---- parts of a line ---- */

static Part make_part(const Wrapper *w, const Character *from, const Character *to)
{
    const Character *ink = to;
    while (ink > from && line_break_is_space(ink[-1].value))
        ink--;
    return (Part){.start = from->start,
                  .end = to[-1].end,
                  .ink_end = ink > from ? ink[-1].end : from->start,
                  .width = measure(w, plain_text(from, to, w->arena)),
                  .ink_width = measure(w, plain_text(from, ink, w->arena))};
}

static Parts read_parts(const Wrapper *w, const Characters *list)
{
    Parts parts = {0};
    utf8proc_int32_t state = 0;
    size_t start = 0;
    for (size_t i = 1; i <= list->count; i++) {
        const uint32_t before = list->items[i - 1].value;
        const uint32_t after = i < list->count ? list->items[i].value : 0;
        const bool whole = after && !utf8proc_grapheme_break_stateful(
                                        (utf8proc_int32_t)before, (utf8proc_int32_t)after, &state);
        if (after && (whole || !line_break_is_allowed(before, after)))
            continue;
        Part *part = arena_push(w->arena, &parts);
        *part = make_part(w, list->items + start, list->items + i);
        part->penalty = after ? line_break_penalty(before, after) : 0;
        start = i;
    }
    return parts;
}

/* ---- rows ---- */

/* The best rows of the first parts of a line: as few as possible, then of similar widths. */
typedef struct Best {
    size_t rows, last; /* last: the first part of the last row */
    double cost;
} Best;

static Best *find_rows(const Wrapper *w, const Parts *parts)
{
    Best *best = arena_array(w->arena, Best, parts->count + 1);
    for (size_t end = 1; end <= parts->count; end++) {
        double width = parts->items[end - 1].ink_width;
        best[end].rows = SIZE_MAX;
        for (size_t start = end - 1;; start--) {
            const double part = width / w->limit;
            const size_t rows = best[start].rows + 1;
            const double cost = best[start].cost + part * part + parts->items[end - 1].penalty;
            if (rows < best[end].rows || (rows == best[end].rows && cost < best[end].cost - TIE))
                best[end] = (Best){rows, start, cost};
            if (!start || end - start >= MAX_PARTS)
                break;
            width += parts->items[start - 1].width;
            if (width > w->limit)
                break;
        }
    }
    return best;
}

static void write_rows(FILE *out, const Parts *parts, const Best *best, Arena *arena)
{
    const size_t rows = best[parts->count].rows;
    size_t *ends = arena_array(arena, size_t, rows + 1);
    ends[rows] = parts->count;
    for (size_t i = rows; i > 0; i--)
        ends[i - 1] = best[ends[i]].last;
    for (size_t i = 0; i < rows; i++) {
        const bool last = i + 1 == rows;
        const Part *from = &parts->items[ends[i]], *to = &parts->items[ends[i + 1] - 1];
        fwrite(from->start, 1, (size_t)((last ? to->end : to->ink_end) - from->start), out);
        if (!last)
            fputs("\\N", out);
    }
}

static bool has_ideographs(const Characters *list)
{
    for (size_t i = 0; i < list->count; i++)
        if (line_break_is_ideographic(list->items[i].value))
            return true;
    return false;
}

static void write_line(FILE *out, Wrapper *w, const char *text, size_t size)
{
    w->arena = arena_create();
    const Characters list = read_characters(text, text + size, w->arena);
    const Character *all = list.items;
    if (has_ideographs(&list) &&
        measure(w, plain_text(all, all + list.count, w->arena)) > w->limit) {
        const Parts parts = read_parts(w, &list);
        write_rows(out, &parts, find_rows(w, &parts), w->arena);
    } else {
        fwrite(text, 1, size, out);
    }
    arena_destroy(w->arena);
}

/* ---- the script ---- */

/* The text of an event, after nine commas; NULL: the line is none. */
static const char *find_text(const char *line)
{
    if (strncmp(line, "Dialogue:", 9) != 0)
        return NULL;
    for (int commas = 0; commas < 9; line++) {
        if (!*line || *line == '\n')
            return NULL;
        commas += *line == ',';
    }
    return line;
}

static void write_event(FILE *out, Wrapper *w, const char *text, const char *end)
{
    while (text < end) {
        const char *next = memmem(text, (size_t)(end - text), "\\N", 2);
        write_line(out, w, text, (size_t)((next ? next : end) - text));
        if (next)
            fputs("\\N", out);
        text = next ? next + 2 : end;
    }
}

bool subtitle_wrap(SubtitleScript *script, const SubtitleWrap *wrap, Arena *arena, Diag *diag)
{
    const SubtitleLayout *l = &script->layout;
    const FontSpec spec = {.sources = wrap->fonts, .size = MEASURED_SIZE, .unit = FONT_PER_LINE};
    Wrapper w = {.font = font_open(&spec, diag)};
    TextStream stream;
    if (!w.font)
        return false;
    const double letters = l->size * wrap->scale * wrap->height / l->height;
    w.limit = (double)(l->width - 2 * l->side) * wrap->width / l->width / letters;
    FILE *out = text_stream_open(&stream, arena);
    for (const char *line = script->text; *line;) {
        const char *end = line + strcspn(line, "\n"), *text = find_text(line);
        fwrite(line, 1, (size_t)((text ? text : end) - line), out);
        if (text)
            write_event(out, &w, text, end);
        if (*end)
            fputc('\n', out);
        line = end + (*end != '\0');
    }
    script->text = text_stream_close(&stream);
    font_close(w.font);
    return true;
}
