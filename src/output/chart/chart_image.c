// SPDX-License-Identifier: MIT
#include "output/chart/chart_image.h"

#include <math.h>
#include <string.h>

#include "base/text_escape.h"
#include "typesetting/text_draw.h"
#include "typesetting/text_fonts.h"

enum { SIZES = 4 };

/* The sizes of text in charts, and the size of a font for any other. */
static const int sizes[SIZES] = {10, 11, 13, 18};

typedef struct ImageSurface {
    Image *image;
    uint8_t *coverage;            /* [height][width], of the line that is drawn; 0 elsewhere */
    int left, top, right, bottom; /* bounds of the coverage; right and bottom are excluded */
    ChartStroke stroke;
    double x, y;   /* the last point, image pixels */
    double length; /* length of the line so far */
    Font *fonts[SIZES];
    Arena *arena;
} ImageSurface;

static void set_color(uint8_t out[3], ChartColor color)
{
    for (int i = 0; i < 3; i++)
        out[i] = (uint8_t)(chart_rgb[color] >> (16 - 8 * i));
}

static int clamp_int(double value, int max)
{
    return value < 0 ? 0 : value > max ? max : (int)value;
}

/* ---- coverage of a line ---- */

typedef struct Segment {
    double x0, y0, x1, y1;
    double start; /* its place in the line, pixels */
    double length;
} Segment;

static bool is_in_dash(const ImageSurface *s, double place)
{
    const double period = CHART_IMAGE_SCALE * (CHART_DASH + CHART_DASH_GAP);
    return !s->stroke.dashed || fmod(place, period) < CHART_IMAGE_SCALE * CHART_DASH;
}

/* How much of the pixel with this center is within half the width of the segment, about. */
static double coverage_at(const ImageSurface *s, const Segment *g, double x, double y)
{
    const double dx = g->x1 - g->x0, dy = g->y1 - g->y0;
    const double along = g->length > 0 ? ((x - g->x0) * dx + (y - g->y0) * dy) / g->length : 0;
    const double at = fmin(fmax(along, 0), g->length);
    const double t = g->length > 0 ? at / g->length : 0;
    const double distance = hypot(x - g->x0 - t * dx, y - g->y0 - t * dy);
    if (!is_in_dash(s, g->start + at))
        return 0;
    return fmin(fmax(s->stroke.width * CHART_IMAGE_SCALE / 2 + 0.5 - distance, 0), 1);
}

/* The largest coverage of all segments, so that joints are not drawn twice. */
static void cover_segment(ImageSurface *s, const Segment *g)
{
    const double margin = s->stroke.width * CHART_IMAGE_SCALE / 2 + 1;
    const int left = clamp_int(fmin(g->x0, g->x1) - margin, s->image->width),
              top = clamp_int(fmin(g->y0, g->y1) - margin, s->image->height),
              right = clamp_int(fmax(g->x0, g->x1) + margin + 1, s->image->width),
              bottom = clamp_int(fmax(g->y0, g->y1) + margin + 1, s->image->height);
    s->left = left < s->left ? left : s->left;
    s->top = top < s->top ? top : s->top;
    s->right = right > s->right ? right : s->right;
    s->bottom = bottom > s->bottom ? bottom : s->bottom;
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++) {
            uint8_t *to = s->coverage + (size_t)y * (size_t)s->image->width + (size_t)x;
            const uint8_t value = (uint8_t)lround(255 * coverage_at(s, g, x + 0.5, y + 0.5));
            *to = value > *to ? value : *to;
        }
}

/* ---- the surface ---- */

static void begin_line(void *context, const ChartStroke *stroke)
{
    ImageSurface *s = context;
    s->stroke = *stroke;
    s->length = 0;
    s->left = s->image->width;
    s->top = s->image->height;
    s->right = s->bottom = 0;
}

static void line_to(void *context, double x, double y, bool pen)
{
    ImageSurface *s = context;
    const double to_x = x * CHART_IMAGE_SCALE, to_y = y * CHART_IMAGE_SCALE;
    if (pen) {
        const double length = hypot(to_x - s->x, to_y - s->y);
        cover_segment(s, &(Segment){s->x, s->y, to_x, to_y, s->length, length});
        s->length += length;
    }
    s->x = to_x;
    s->y = to_y;
}

static void end_line(void *context)
{
    ImageSurface *s = context;
    uint8_t color[3];
    set_color(color, s->stroke.color);
    for (int y = s->top; y < s->bottom; y++)
        for (int x = s->left; x < s->right; x++) {
            const size_t at = (size_t)y * (size_t)s->image->width + (size_t)x;
            text_blend(s->image->pixels + 4 * at, color, s->coverage[at]);
            s->coverage[at] = 0;
        }
}

static void draw_dot(void *context, double x, double y, ChartColor color)
{
    begin_line(context, &(ChartStroke){color, 2 * CHART_DOT_RADIUS, false});
    line_to(context, x, y, false);
    line_to(context, x, y, true);
    end_line(context);
}

/* ---- text ---- */

static Font *font_of(ImageSurface *s, int size)
{
    for (int i = 0; i < SIZES; i++)
        if (sizes[i] >= size)
            return s->fonts[i];
    return s->fonts[SIZES - 1];
}

/* Turned by a quarter to the left: what is drawn to the right of the anchor is above it. */
static void draw_turned(ImageSurface *s, Font *font, const char *text, int x, int y, ChartColor ink)
{
    TextColors colors = {0};
    const int ascent = font_ascent(font), height = ascent + font_descent(font);
    const int width = text_width(font, text) + 1;
    Image line = {width, height, true, arena_calloc(s->arena, (size_t)width * (size_t)height, 4)};
    set_color(colors.fill, ink);
    text_draw(&line, font, &colors, 0, ascent, text);
    for (int row = 0; row < height; row++)
        for (int column = 0; column < width; column++) {
            const uint8_t *from = line.pixels + 4 * ((size_t)row * (size_t)width + (size_t)column);
            const int to_x = x + row - ascent, to_y = y + width / 2 - column;
            if (to_x >= 0 && to_y >= 0 && to_x < s->image->width && to_y < s->image->height)
                text_blend(s->image->pixels +
                               4 * ((size_t)to_y * (size_t)s->image->width + (size_t)to_x),
                           colors.fill, from[3]);
        }
}

static void draw_text(void *context, const ChartText *text)
{
    ImageSurface *s = context;
    Font *font = font_of(s, text->size);
    const char *shown = text_escape(text->text, s->arena);
    const int width = text_width(font, shown);
    const int x = (int)lround(text->x * CHART_IMAGE_SCALE),
              y = (int)lround(text->y * CHART_IMAGE_SCALE);
    const int before = text->anchor == CHART_START    ? 0
                       : text->anchor == CHART_MIDDLE ? width / 2
                                                      : width;
    TextColors colors = {0};
    set_color(colors.fill, text->color);
    if (text->upwards)
        draw_turned(s, font, shown, x, y, text->color);
    else
        text_draw(s->image, font, &colors, x - before, y, shown);
}

/* All characters that the chart may draw. */
static const char *all_text(const Chart *chart, Arena *arena)
{
    const char *text =
        arena_printf(arena, "%s%s", chart->title, chart->caption ? chart->caption : "");
    for (size_t i = 0; i < chart->count; i++) {
        const ChartPanel *panel = &chart->panels[i];
        text = arena_printf(arena, "%s%s%s%s", text, panel->title, panel->x_name, panel->y_name);
        for (size_t k = 0; k < panel->line_count; k++)
            if (panel->lines[k].label)
                text = arena_printf(arena, "%s%s", text, panel->lines[k].label);
    }
    return text;
}

static bool open_fonts(ImageSurface *s, const Chart *chart, Diag *diag)
{
    FontSources fonts;
    bool good = text_fonts_find_for_labels(&fonts, all_text(chart, s->arena), s->arena, diag);
    for (int i = 0; good && i < SIZES; i++) {
        const FontSpec spec = {.sources = fonts, .size = sizes[i] * CHART_IMAGE_SCALE};
        s->fonts[i] = font_open(&spec, diag);
        good = s->fonts[i] != NULL;
    }
    return good;
}

/* ---- the image ---- */

bool chart_image_draw(Image *out, const Chart *chart, Arena *arena, Diag *diag)
{
    const int width = CHART_WIDTH * CHART_IMAGE_SCALE,
              height = chart_height(chart) * CHART_IMAGE_SCALE;
    const size_t pixels = (size_t)width * (size_t)height;
    *out = (Image){width, height, false, arena_alloc(arena, 4 * pixels)};
    memset(out->pixels, 255, 4 * pixels);

    ImageSurface s = {.image = out, .coverage = arena_calloc(arena, pixels, 1), .arena = arena};
    const ChartSurface surface = {&s, begin_line, line_to, end_line, draw_dot, draw_text};
    const bool good = open_fonts(&s, chart, diag);
    if (good)
        chart_draw(chart, &surface);
    for (int i = 0; i < SIZES; i++)
        font_close(s.fonts[i]);
    return good;
}
