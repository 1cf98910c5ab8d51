// SPDX-License-Identifier: MIT
#ifdef HAVE_LIBASS

#include "typesetting/subtitle_memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    PIXEL_BYTES = 6,      /* glyphs, borders, both composed, a shadow, and blurring one of them */
    MAX_BLUR = 100,       /* larger ones are clamped by libass */
    BLUR_REACH = 3,       /* pixels of blur outside of a line, for a radius of 1 */
    MAX_PERSPECTIVE = 16, /* the largest magnification of libass */
    VIEW_DISTANCE = 313,  /* of the viewer, in pixels of the layout */
    DEFAULT_HEIGHT = 288, /* of a script that names none */
    MAX_NUMBER = 1 << 30
};

static const double NARROW = 0.75; /* width of a character of at most two bytes, in ems */

/* The largest values that a line has at any time. */
typedef struct Extremes {
    double size, growth; /* font size; its product of relative changes */
    double scale[2], border, blur, spacing, shear[2], tilt[2];
    double origin; /* of a turn; 0: the place of the line */
    bool turned, boxed, unbounded;
    int drawing; /* the current scale of drawings; 0: text */
    double clip; /* side of the drawing that clips the line, in pixels of the script */
} Extremes;

static void enlarge(double *largest, double value)
{
    if (!(fabs(value) <= *largest)) /* NaN too */
        *largest = fabs(value) < MAX_NUMBER ? fabs(value) : MAX_NUMBER;
}

static void add_style(Extremes *e, const ASS_Style *style)
{
    enlarge(&e->size, style->FontSize);
    enlarge(&e->scale[0], style->ScaleX);
    enlarge(&e->scale[1], style->ScaleY);
    enlarge(&e->border, style->Outline);
    enlarge(&e->blur, style->Blur);
    enlarge(&e->spacing, style->Spacing);
    e->turned |= style->Angle != 0;
    e->boxed |= style->BorderStyle == 3;
}

/* ---- override tags ---- */

typedef struct Numbers {
    double largest;   /* absolute */
    double first;     /* 0 if there is none */
    double last;      /* the first number after the last comma before a number */
    bool is_relative; /* the first one has a sign */
} Numbers;

/* All numbers of a tag, whichever of them libass uses. */
static Numbers read_numbers(const char *text, const char *end)
{
    Numbers n = {0};
    bool first = true, after_comma = true;
    while (text < end) {
        char *after;
        const bool starts = strchr("+-.0123456789", *text) != NULL;
        const double value = starts ? strtod(text, &after) : 0;
        if (!starts || after == text) {
            after_comma |= *text++ == ',';
            continue;
        }
        n.is_relative |= first && (*text == '+' || *text == '-');
        enlarge(&n.largest, value);
        if (first)
            n.first = value;
        if (after_comma)
            n.last = value;
        first = after_comma = false;
        text = after;
    }
    return n;
}

/* 0: none */
static int drawing_scale(double value)
{
    return value > 0 ? (int)fmin(value, MAX_NUMBER) : 0;
}

static void apply(Extremes *e, const char *name, Numbers n)
{
    const double sine = n.largest < 90 ? sin(n.largest * acos(-1.0) / 180) : 1;
    if (strstr(name, "bord"))
        enlarge(&e->border, n.largest);
    else if (!strcmp(name, "fscx") || !strcmp(name, "fscy"))
        enlarge(&e->scale[name[3] == 'y'], n.largest / 100);
    else if (!strcmp(name, "fs") && n.is_relative)
        e->growth = fmin(e->growth * (1 + n.largest / 10), MAX_NUMBER);
    else if (!strcmp(name, "fs"))
        enlarge(&e->size, n.largest);
    else if (!strcmp(name, "fsp"))
        enlarge(&e->spacing, n.largest);
    else if (!strcmp(name, "blur"))
        enlarge(&e->blur, n.largest);
    else if (!strcmp(name, "fax") || !strcmp(name, "fay"))
        enlarge(&e->shear[name[2] == 'y'], n.largest);
    else if (!strcmp(name, "frx") || !strcmp(name, "fry"))
        enlarge(&e->tilt[name[2] == 'y'], sine);
    else if (!strcmp(name, "fr"))
        e->turned |= n.largest > 0;
    else if (!strcmp(name, "org"))
        enlarge(&e->origin, n.largest + 1);
    else if (!strcmp(name, "t")) /* a negative acceleration leaves the range of the two values */
        e->unbounded |= n.last < 0;
    else if (!strcmp(name, "p"))
        e->drawing = drawing_scale(n.first);
}

/*
 * A drawing is at most as wide and as high as its coordinates differ, here in pixels of the script.
 * libass divides by 2^(scale - 1), but uses 5 bits of the exponent only.
 */
static double drawing_side(const char *text, const char *end, int scale)
{
    double low = MAX_NUMBER, high = -MAX_NUMBER;
    while (text < end) {
        char *after;
        const double value = strtod(text, &after);
        if (after == text) {
            text++;
            continue;
        }
        low = fmin(low, fmax(value, -MAX_NUMBER));
        high = fmax(high, fmin(value, MAX_NUMBER));
        text = after;
    }
    return ldexp(fmax(high - low, 0), scale >= 1 && scale <= 30 ? 1 - scale : 0);
}

/*
 * "(x1, y1, x2, y2)" is a rectangle; "(drawing)" and "(scale, drawing)" need a bitmap.  libass
 * skips empty arguments, and the one with a backslash reaches to the parenthesis.
 */
static void read_clip(Extremes *e, const char *text, const char *end)
{
    enum { MAX_ARGUMENTS = 3 };
    const char *close = memchr(text, ')', (size_t)(end - text));
    const char *starts[MAX_ARGUMENTS];
    size_t count = 0;
    close = close ? close : end;
    for (text += *text == '('; text < close && count < MAX_ARGUMENTS; text++) {
        text += strspn(text, " \t");
        if (text < close && *text != ',')
            starts[count++] = text;
        text += strcspn(text, ",\\");
        if (*text == '\\')
            break;
    }
    if (count && count < MAX_ARGUMENTS) {
        const int scale = count == 2 ? drawing_scale(read_numbers(starts[0], starts[1]).first) : 1;
        enlarge(&e->clip, drawing_side(starts[count - 1], close, scale));
    }
}

/* The tags of "{...}"; names as libass finds them, the first that the text begins with. */
static void read_tags(Extremes *e, const char *text, const char *end)
{
    static const char *const names[] = {
        "xbord", "ybord", "bord", "blur", "fscx",  "fscy", "fsc", "fsp", "fs",  "fax", "fay",
        "frx",   "fry",   "fr",   "fn",   "iclip", "clip", "org", "pos", "pbo", "p",   "t"};
    while ((text = memchr(text, '\\', (size_t)(end - text))) != NULL) {
        text++;
        text += strspn(text, " \t");
        const char *next = text < end ? memchr(text, '\\', (size_t)(end - text)) : NULL;
        next = next ? next : end;
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (!strncmp(text, names[i], strlen(names[i]))) {
                const char *values = text + strlen(names[i]);
                if (strstr(names[i], "clip"))
                    read_clip(e, values, end);
                else
                    apply(e, names[i], read_numbers(values, next));
                break;
            }
        if (next >= end)
            return;
        text = next;
    }
}

/* ---- a line ---- */

typedef struct Layout {
    double rows, row, word; /* row, word: their characters so far, in ems */
    double longest_row, longest_word;
    double spaces;          /* where a row may be wrapped */
    double runs;            /* parts with bitmaps of their own */
    double drawings;        /* sum of the areas of drawings, in pixels of the script */
    double longest_drawing; /* the larger side of one */
} Layout;

static void end_word(Layout *layout)
{
    layout->longest_word = fmax(layout->longest_word, layout->word);
    layout->word = 0;
}

static void end_row(Layout *layout)
{
    end_word(layout);
    layout->rows++;
    layout->longest_row = fmax(layout->longest_row, layout->row);
    layout->row = 0;
}

static void add_drawing(Layout *layout, const char *text, const char *end, int scale)
{
    const double side = drawing_side(text, end, scale);
    layout->drawings += side * side;
    enlarge(&layout->longest_drawing, side);
}

/* Characters of three bytes and more in UTF-8, such as kana, are as wide as an em. */
static double character_width(char first_byte)
{
    const unsigned byte = (unsigned char)first_byte;
    return byte >= 0xE0 ? 1 : (byte & 0xC0) == 0x80 ? 0 : NARROW;
}

static void add_text(Layout *layout, const char *text, const char *end)
{
    for (; text < end; text++) {
        if (*text == '\\' && text + 1 < end && (text[1] == 'N' || text[1] == 'n')) {
            end_row(layout);
            text++;
            continue;
        }
        layout->row += character_width(*text);
        layout->word += character_width(*text);
        if (*text == ' ') {
            layout->spaces++;
            end_word(layout);
        }
    }
}

static void read_line(Extremes *e, Layout *layout, const char *text)
{
    while (*text) {
        const char *close = *text == '{' ? strchr(text, '}') : NULL;
        if (close) {
            read_tags(e, text, close);
            layout->runs++;
            text = close + 1;
            continue;
        }
        const char *end = text + 1 + strcspn(text + 1, "{");
        if (e->drawing)
            add_drawing(layout, text, end, e->drawing);
        else
            add_text(layout, text, end);
        text = end;
    }
    end_row(layout);
    layout->runs += layout->rows;
}

/* Pixels of the frame for a pixel of the script, vertically and horizontally alike; the scale of
 * the fonts applies to text and borders only. */
static double script_scale(const ASS_Track *track, const SubtitleFrame *frame)
{
    const double height = track->PlayResY > 0   ? track->PlayResY
                          : track->PlayResX > 0 ? track->PlayResX * 0.75
                                                : DEFAULT_HEIGHT;
    const double width = track->PlayResX > 0 ? track->PlayResX : height * 4 / 3;
    return fmax(frame->height / height, frame->width / width);
}

static double view_distance(const ASS_Track *track, const SubtitleFrame *frame)
{
#if LIBASS_VERSION >= 0x01700000
    if (track->LayoutResX > 0 && track->LayoutResY > 0)
        return VIEW_DISTANCE * frame->scale * frame->height / track->LayoutResY;
#else
    (void)track;
#endif
    return VIEW_DISTANCE * frame->scale;
}

/* The magnification of a line whose points are at most `radius` from its origin. */
static double perspective(const Extremes *e, double radius, const ASS_Track *track,
                          const SubtitleFrame *frame)
{
    const double distance = view_distance(track, frame);
    const double away =
        e->origin > 0 ? hypot(frame->width, frame->height) + e->origin * script_scale(track, frame)
                      : 0;
    const double nearer = (radius + away) * fmin(hypot(e->tilt[0], e->tilt[1]), 1);
    return nearer < distance * (1 - 1.0 / MAX_PERSPECTIVE) ? distance / (distance - nearer)
                                                           : MAX_PERSPECTIVE;
}

/* Whether all rows are centered at the origin, as far as the style says so. */
static bool is_centered(const ASS_Track *track, const ASS_Event *event, const char *text)
{
    const char *tag = strstr(text, "\\a");
    return !strstr(text, "\\an") && !(tag && tag[2] >= '0' && tag[2] <= '9') && event->Style >= 0 &&
           event->Style < track->n_styles && (track->styles[event->Style].Alignment & 3) == 2;
}

/* The area of the text, wrapped at spaces or not, whichever is larger. */
static double text_area(double *width, double *height, const Extremes *e, const Layout *l,
                        double scale, double frame_width)
{
    const double em = e->size * e->growth * scale;
    const double em_width =
        (em + e->spacing * scale / NARROW) * e->scale[0] * (e->boxed ? e->scale[0] : 1);
    const double row = l->longest_row * em_width, high = em * e->scale[1];
    const double wraps = fmin(l->spaces, 2 * l->rows * row / frame_width);
    const double wrapped = fmin(row, fmax(frame_width, l->longest_word * em_width));
    *width = row;
    *height = (l->rows + wraps) * high * (e->boxed ? e->scale[1] : 1);
    *width += e->shear[0] * *height;
    *height += e->shear[1] * *width;
    const double sheared = (1 + e->shear[0]) * (1 + e->shear[1]);
    const double area = fmax(row * l->rows, wrapped * (l->rows + wraps)) * high * sheared;
    return e->turned ? fmax(area, (*width * *width + *height * *height) / 2) : area;
}

static double line_bytes(const ASS_Track *track, const ASS_Event *event, const SubtitleFrame *frame)
{
    Extremes e = {.growth = 1};
    Layout l = {0};
    const char *text = event->Text ? event->Text : "";
    if (event->Style >= 0 && event->Style < track->n_styles)
        add_style(&e, &track->styles[event->Style]);
    for (int i = 0; strstr(text, "\\r") && i < track->n_styles; i++)
        add_style(&e, &track->styles[i]);
    read_line(&e, &l, text);

    double width, height;
    const double drawn_scale = script_scale(track, frame), scale = frame->scale * drawn_scale;
    const double area = text_area(&width, &height, &e, &l, scale, frame->width);
    const double drawing = l.longest_drawing * drawn_scale * fmax(e.scale[0], e.scale[1]);
    const double margin =
        e.border * fmax(scale, frame->scale) * (e.boxed ? fmax(e.scale[0], e.scale[1]) : 1) +
        BLUR_REACH * fmin(e.blur, MAX_BLUR) * frame->scale;
    const double high = e.size * e.growth * scale * e.scale[1];
    const double parts =
        area + 2 * margin * width + l.runs * (2 * margin * high + 4 * margin * margin);
    const double drawn =
        (l.drawings * drawn_scale * drawn_scale * e.scale[0] * e.scale[1] + 4 * margin * drawing) *
        (1 + e.shear[0]) * (1 + e.shear[1]) * (e.turned ? 2 : 1);
    const double radius =
        fmax(hypot(width, height) / (is_centered(track, event, text) ? 2 : 1), drawing * sqrt(2));
    const double near = perspective(&e, radius, track, frame);
    const double clip = e.clip * drawn_scale;
    const double bytes = PIXEL_BYTES * (parts + drawn) * near * near + clip * clip;
    return e.unbounded || !isfinite(bytes) ? HUGE_VAL : bytes;
}

/* ---- lines at the same time ---- */

typedef struct Change {
    int64_t time_ms;
    double bytes; /* negative at the end of a line */
    uint32_t line;
} Change;

/* At the same time, lines end before others start. */
static int by_time(const void *left, const void *right)
{
    const Change *a = left, *b = right;
    if (a->time_ms != b->time_ms)
        return (a->time_ms > b->time_ms) - (a->time_ms < b->time_ms);
    return (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

SubtitlePeak subtitle_memory_peak(const ASS_Track *track, const SubtitleFrame *frame, Arena *arena)
{
    Change *changes = arena_array(arena, Change, 2 * (size_t)track->n_events);
    SubtitlePeak peak = {0};
    double sum = 0;
    size_t count = 0;
    for (int i = 0; i < track->n_events; i++) {
        const ASS_Event *event = &track->events[i];
        const double bytes = fmin(line_bytes(track, event, frame), 1e18);
        if (event->Duration <= 0)
            continue;
        changes[count++] = (Change){event->Start, bytes, (uint32_t)i};
        changes[count++] = (Change){event->Start + event->Duration, -bytes, 0};
    }
    if (count)
        qsort(changes, count, sizeof *changes, by_time);
    for (size_t i = 0; i < count; i++) {
        sum += changes[i].bytes;
        if (sum > peak.bytes)
            peak = (SubtitlePeak){sum, changes[i].time_ms, changes[i].line};
    }
    return peak;
}

#endif
