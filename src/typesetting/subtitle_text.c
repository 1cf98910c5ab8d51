// SPDX-License-Identifier: MIT
#include "typesetting/subtitle_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/encoding.h"
#include "base/parser_entry.h"
#include "base/text.h"
#include "base/text_stream.h"

/* ---- encodings ---- */

static bool has_utf16_mark(Bytes file)
{
    return file.size >= 2 && file.data[0] == 0xFF && file.data[1] == 0xFE;
}

/* NULL if the bytes are in none of the encodings. */
static const char *decode(Bytes file, Arena *arena)
{
    const char *text = encoding_decode_text(file.data, file.size, arena);
    const bool is_legacy = !has_utf16_mark(file) && !text_is_utf8(file.data, file.size);
    return is_legacy && strstr(text, "\xEF\xBF\xBD") ? NULL : text; /* U+FFFD */
}

/* ---- lines ---- */

typedef struct Line {
    const char *text; /* without the end of line */
    size_t size;
    unsigned number; /* from 1 */
} Line;

/* The next line; false at the end. */
static bool next_line(Line *line, const char **at)
{
    if (!**at)
        return false;
    line->text = *at;
    line->size = strcspn(*at, "\r\n");
    line->number++;
    *at += line->size;
    *at += **at == '\r';
    *at += **at == '\n';
    return true;
}

static bool is_blank(const Line *line)
{
    return strspn(line->text, " \t") >= line->size;
}

/* ---- SubRip ---- */

static unsigned read_digits(const char **at, unsigned max_digits, unsigned *count)
{
    unsigned value = 0;
    for (*count = 0; *count < max_digits && **at >= '0' && **at <= '9'; ++*at, ++*count)
        value = 10 * value + (unsigned)(**at - '0');
    return value;
}

/* "1:02:03,456" to hundredths of a second */
static bool read_time(int64_t *out, const char **at)
{
    unsigned digits, parts[3];
    *at += strspn(*at, " \t");
    for (int i = 0; i < 3; i++) {
        parts[i] = read_digits(at, 3, &digits);
        if (!digits || (i < 2 && **at != ':'))
            return false;
        *at += i < 2;
    }
    *out = (int64_t)(parts[0] * 60 + parts[1]) * 6000 + (int64_t)parts[2] * 100;
    if (**at != ',' && **at != '.')
        return true;
    ++*at;
    unsigned thousandths = read_digits(at, 3, &digits);
    for (; digits < 3; digits++)
        thousandths *= 10;
    *out += (thousandths + 5) / 10;
    return true;
}

static bool read_times(int64_t *start, int64_t *end, const Line *line)
{
    const char *at = line->text;
    if (!read_time(start, &at))
        return false;
    at += strspn(at, " \t");
    if (strncmp(at, "-->", 3) != 0)
        return false;
    at += 3;
    return read_time(end, &at) && *end > *start;
}

static void write_time(FILE *out, int64_t hundredths)
{
    fprintf(out, "%" PRId64 ":%02" PRId64 ":%02" PRId64 ".%02" PRId64, hundredths / 360000,
            hundredths / 6000 % 60, hundredths / 100 % 60, hundredths % 100);
}

/* Writes the tag at `text`, if it is known; returns its size, 0 if it is not a tag. */
static size_t write_tag(FILE *out, const char *text, size_t size)
{
    const char *end = memchr(text, '>', size);
    const bool closing = size > 1 && text[1] == '/';
    const char *name = text + 1 + closing;
    if (!end || end == name)
        return 0;
    const bool letter = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z');
    if (!letter)
        return 0;
    if (end == name + 1 && strchr("biuBIU", *name))
        fprintf(out, "{\\%c%d}", *name | 0x20, !closing);
    return (size_t)(end - text) + 1;
}

static bool is_alignment(const char *text, size_t size)
{
    return size >= 6 && !strncmp(text, "{\\an", 4) && text[4] >= '1' && text[4] <= '9' &&
           text[5] == '}';
}

static void write_line(FILE *out, const char *text, size_t size, bool first)
{
    size_t i = 0;
    if (first && is_alignment(text, size))
        i = fwrite(text, 1, 6, out);
    while (i < size) {
        const size_t tag = text[i] == '<' ? write_tag(out, text + i, size - i) : 0;
        if (tag) {
            i += tag;
            continue;
        }
        if (text[i] == '{' || text[i] == '}')
            fputc('\\', out);
        fputc(text[i++], out);
    }
}

/*
 * As subtitles always were where the frame is at least as wide as high.  Pixels of a tall frame are
 * square; its margins grow from those of a square one, 3 and 5 %, to those at 9:16, 6 and 20 %,
 * because players of tall films draw their controls there.
 */
static SubtitleLayout layout_of(int width, int height)
{
    enum { SIDE = 1080, SIZE = 72, WIDE = 1920 };
    if (width >= height)
        return (SubtitleLayout){WIDE, SIDE, WIDE / 32, SIDE / 20, SIZE};
    const double ratio = (double)height / width, tall = fmin((ratio - 1) / (16.0 / 9 - 1), 1);
    return (SubtitleLayout){SIDE, (int)lround(SIDE * ratio),
                            (int)lround(SIDE * (1.0 / 32 + (0.06 - 1.0 / 32) * tall)),
                            (int)lround(SIDE * ratio * (0.05 + 0.15 * tall)), SIZE};
}

static void write_header(FILE *out, const SubtitleLayout *l)
{
    fprintf(out,
            "[Script Info]\nScriptType: v4.00+\nPlayResX: %d\nPlayResY: %d\nWrapStyle: 0\n"
            "ScaledBorderAndShadow: yes\n\n[V4+ Styles]\n"
            "Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, "
            "BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, "
            "BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding\n"
            "Style: Default,sans-serif,%d,&H00FFFFFF,&H00FFFFFF,&H00000000,&H80000000,0,0,0,0,100,"
            "100,0,0,1,4,0,2,%d,%d,%d,1\n\n[Events]\n"
            "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n",
            l->width, l->height, l->size, l->side, l->side, l->bottom);
}

/* One cue, whose line of times was read: its text up to a blank line. */
static void write_cue(FILE *out, int64_t start, int64_t end, Line *line, const char **at)
{
    bool first = true;
    fputs("Dialogue: 0,", out);
    write_time(out, start);
    fputc(',', out);
    write_time(out, end);
    fputs(",Default,,0,0,0,,", out);
    while (next_line(line, at) && !is_blank(line)) {
        if (!first)
            fputs("\\N", out);
        write_line(out, line->text, line->size, first);
        first = false;
    }
    fputc('\n', out);
}

static const char *translate(const char *text, const SubtitleLayout *layout, Arena *arena,
                             Diag *diag)
{
    TextStream stream;
    FILE *out = text_stream_open(&stream, arena);
    Line line = {0};
    unsigned bad = 0, first_bad = 0;

    write_header(out, layout);
    while (next_line(&line, &text)) {
        int64_t start, end;
        const bool timed = memmem(line.text, line.size, "-->", 3) != NULL;
        if (timed && read_times(&start, &end, &line))
            write_cue(out, start, end, &line, &text);
        else if (timed && !bad++)
            first_bad = line.number;
    }
    if (bad)
        diag_warn(diag, WARN_SUBTITLES,
                  "%u subtitle%s without valid times, first at line %u: skipped", bad,
                  bad == 1 ? "" : "s", first_bad);
    return text_stream_close(&stream);
}

/* ---- reading ---- */

static size_t count_events(const char *script)
{
    Line line = {0};
    size_t count = 0;
    while (next_line(&line, &script))
        count += line.size > 9 && !strncasecmp(line.text, "Dialogue:", 9);
    return count;
}

bool subtitle_text_read(SubtitleScript *out, Bytes file, int width, int height, Arena *arena,
                        Diag *diag)
{
    parser_enter("subtitle");
    *out = (SubtitleScript){0};
    if (file.size > SUBTITLE_MAX_BYTES)
        return diag_error(diag, "subtitle file of %zu bytes is too large (0..%d)", file.size,
                          SUBTITLE_MAX_BYTES);
    const char *text = decode(file, arena);
    if (!text)
        return diag_error(diag, "text is neither UTF-8 nor UTF-16 nor Shift-JIS");
    if (strcasestr(text, "[Script Info]")) {
        out->text = text;
    } else if (strstr(text, "-->")) {
        out->layout = layout_of(width, height);
        out->text = translate(text, &out->layout, arena, diag);
    } else {
        return diag_error(diag, "neither Advanced SubStation Alpha (.ass) nor SubRip (.srt)");
    }
    const size_t events = count_events(out->text);
    return events <= SUBTITLE_MAX_EVENTS ||
           diag_error(diag, "%zu subtitles are too many (0..%d)", events, SUBTITLE_MAX_EVENTS);
}
