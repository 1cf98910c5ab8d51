// SPDX-License-Identifier: MIT
#include "output/chart/chart_file.h"

#include <string.h>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "base/text_escape.h"
#include "base/text_stream.h"
#include "output/chart/chart_image.h"
#include "output/sink.h"

typedef struct SvgSurface {
    FILE *out;
    size_t on_row; /* points in this row of the file */
} SvgSurface;

/* ---- text ---- */

static void write_escaped(FILE *out, const char *text)
{
    char shown[TEXT_ESCAPE_SIZE];
    while (*text) {
        text_escape_next(shown, &text);
        fputs(*shown == '<' ? "&lt;" : *shown == '&' ? "&amp;" : shown, out);
    }
}

static void write_text(void *context, const ChartText *text)
{
    static const char *const anchors[CHART_ANCHORS] = {"start", "middle", "end"};
    FILE *out = ((SvgSurface *)context)->out;
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\"", text->x, text->y);
    if (text->upwards)
        fprintf(out, " transform=\"rotate(-90 %.1f %.1f)\"", text->x, text->y);
    fprintf(out, " text-anchor=\"%s\" font-size=\"%d\" fill=\"#%06x\">", anchors[text->anchor],
            text->size, chart_rgb[text->color]);
    write_escaped(out, text->text);
    fputs("</text>\n", out);
}

/* ---- lines ---- */

static void begin_line(void *context, const ChartStroke *stroke)
{
    SvgSurface *svg = context;
    svg->on_row = 0;
    fprintf(svg->out, "<path fill=\"none\" stroke=\"#%06x\" stroke-width=\"%.1f\"",
            chart_rgb[stroke->color], stroke->width);
    if (stroke->dashed)
        fprintf(svg->out, " stroke-dasharray=\"%d %d\"", CHART_DASH, CHART_DASH_GAP);
    fputs(" stroke-linejoin=\"round\" d=\"", svg->out);
}

static void line_to(void *context, double x, double y, bool pen)
{
    SvgSurface *svg = context;
    fprintf(svg->out, "%s%c%.2f %.2f", ++svg->on_row % 8 ? "" : "\n", pen ? 'L' : 'M', x, y);
}

static void end_line(void *context)
{
    fputs("\"/>\n", ((SvgSurface *)context)->out);
}

static void write_dot(void *context, double x, double y, ChartColor color)
{
    fprintf(((SvgSurface *)context)->out,
            "<circle fill=\"#%06x\" cx=\"%.2f\" cy=\"%.2f\" r=\"%d\"/>\n", chart_rgb[color], x, y,
            CHART_DOT_RADIUS);
}

/* ---- files ---- */

void chart_file_write_svg(FILE *out, const Chart *chart)
{
    const int width = CHART_WIDTH, height = chart_height(chart);
    SvgSurface svg = {out, 0};
    const ChartSurface surface = {&svg, begin_line, line_to, end_line, write_dot, write_text};
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
            "width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
            width, height, width, height);
    chart_draw(chart, &surface);
    fputs("</svg>\n", out);
}

static bool has_extension(const char *file, const char *extension)
{
    return text_equal_ignoring_case(path_extension(file), extension);
}

bool chart_file_matches(const char *file)
{
    return has_extension(file, "svg") || has_extension(file, "") || has_extension(file, "png");
}

static bool save_svg(const char *file, const Chart *chart, Arena *arena, Diag *diag)
{
    TextStream stream;
    chart_file_write_svg(text_stream_open(&stream, arena), chart);
    const char *text = text_stream_close(&stream);
    return file_save(file, text, stream.size, diag);
}

bool chart_file_save(const char *file, const Chart *chart, Diag *diag)
{
    Arena *arena = arena_create();
    Image image;
    const bool good = has_extension(file, "png") ? chart_image_draw(&image, chart, arena, diag) &&
                                                       sink_png_save_image(file, &image, NULL, diag)
                                                 : save_svg(file, chart, arena, diag);
    arena_destroy(arena);
    return good;
}
