#include "output/chart.h"

#include <math.h>
#include <string.h>

#include "base/text_escape.h"

enum {
    COLUMNS = 2,
    PANEL_WIDTH = 600,
    PANEL_HEIGHT = 260,
    MAP_HEIGHT = 460,
    HEAD_HEIGHT = 64,
    LEFT = 64, /* margins around a panel's plot area */
    RIGHT = 16,
    TOP = 44,
    BOTTOM = 44,
    TICKS = 6 /* approximate number per axis */
};

static const char *const colors[] = {
    [CHART_BLUE] = "#1f6fb4", [CHART_ORANGE] = "#e8821e", [CHART_GREEN] = "#2f9e44",
    [CHART_RED] = "#c92a2a",  [CHART_GREY] = "#868e96",
};

/* The plot area of a panel, and the range of values in it. */
typedef struct PlotArea {
    double left, top, width, height; /* pixels */
    double x0, x1, y0, y1;           /* values at its edges; y0 at the bottom */
} PlotArea;

static double px(const PlotArea *f, double x)
{
    return f->left + (x - f->x0) / (f->x1 - f->x0) * f->width;
}

static double py(const PlotArea *f, double y)
{
    return f->top + (f->y1 - y) / (f->y1 - f->y0) * f->height;
}

/* ---- text ---- */

static void write_escaped(FILE *out, const char *text)
{
    char shown[TEXT_ESCAPE_SIZE];
    while (*text) {
        text_escape_next(shown, &text);
        fputs(*shown == '<' ? "&lt;" : *shown == '&' ? "&amp;" : shown, out);
    }
}

static void write_text(FILE *out, double x, double y, const char *anchor, int size,
                       const char *text)
{
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%d\">", x, y, anchor,
            size);
    write_escaped(out, text);
    fputs("</text>\n", out);
}

/* ---- the range of a panel ---- */

static bool is_defined(ChartPoint p)
{
    return isfinite(p.x) && isfinite(p.y);
}

/* Widens an empty range, as of a constant channel. */
static void widen(double *low, double *high, double share)
{
    if (!(*low <= *high))
        *low = 0, *high = 1;
    const double margin = *high - *low > 1e-6 * (1 + fabs(*high)) ? (*high - *low) * share : 1;
    *low -= margin;
    *high += margin;
}

/* Widens the range of one axis of a map until both axes have the same scale. */
static void equalize_scales(PlotArea *f)
{
    const double x_scale = (f->x1 - f->x0) / f->width, y_scale = (f->y1 - f->y0) / f->height;
    const double scale = fmax(x_scale, y_scale);
    const double x = (f->x0 + f->x1) / 2, y = (f->y0 + f->y1) / 2;
    f->x0 = x - scale * f->width / 2;
    f->x1 = x + scale * f->width / 2;
    f->y0 = y - scale * f->height / 2;
    f->y1 = y + scale * f->height / 2;
}

static PlotArea plot_area_of(const ChartPanel *panel, double left, double top)
{
    const double height = panel->map ? MAP_HEIGHT : PANEL_HEIGHT;
    PlotArea f = {left + LEFT,
                  top + TOP,
                  PANEL_WIDTH - LEFT - RIGHT,
                  height - TOP - BOTTOM,
                  HUGE_VAL,
                  -HUGE_VAL,
                  HUGE_VAL,
                  -HUGE_VAL};
    for (size_t i = 0; i < panel->line_count; i++)
        for (size_t k = 0; k < panel->lines[i].count; k++) {
            const ChartPoint p = panel->lines[i].points[k];
            if (!is_defined(p))
                continue;
            f.x0 = fmin(f.x0, p.x);
            f.x1 = fmax(f.x1, p.x);
            f.y0 = fmin(f.y0, p.y);
            f.y1 = fmax(f.y1, p.y);
        }
    widen(&f.x0, &f.x1, panel->map ? 0.05 : 0);
    widen(&f.y0, &f.y1, 0.08);
    if (panel->map)
        equalize_scales(&f);
    return f;
}

/* ---- axes ---- */

/* 1, 2 or 5 times a power of ten, so that the range has about TICKS ticks. */
static double tick_step(double range)
{
    const double rough = range / TICKS, power = pow(10, floor(log10(rough)));
    const double part = rough / power;
    return power * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10);
}

static void write_tick_label(FILE *out, double x, double y, const char *anchor, double value,
                             double step)
{
    char text[32];
    snprintf(text, sizeof text, "%.6g", fabs(value) < step / 2 ? 0.0 : value);
    write_text(out, x, y, anchor, 11, text);
}

static void write_axes(FILE *out, const PlotArea *f)
{
    const double x_step = tick_step(f->x1 - f->x0), y_step = tick_step(f->y1 - f->y0);
    const double bottom = f->top + f->height;

    fputs("<g stroke=\"#dee2e6\">\n", out);
    for (double k = ceil(f->x0 / x_step); k * x_step <= f->x1; k++)
        fprintf(out, "<path d=\"M%.2f %.2fV%.2f\"/>\n", px(f, k * x_step), f->top, bottom);
    for (double k = ceil(f->y0 / y_step); k * y_step <= f->y1; k++)
        fprintf(out, "<path d=\"M%.2f %.2fH%.2f\"/>\n", f->left, py(f, k * y_step),
                f->left + f->width);
    fputs("</g>\n", out);
    fprintf(out,
            "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"none\" "
            "stroke=\"#868e96\"/>\n",
            f->left, f->top, f->width, f->height);
    for (double k = ceil(f->x0 / x_step); k * x_step <= f->x1; k++)
        write_tick_label(out, px(f, k * x_step), bottom + 15, "middle", k * x_step, x_step);
    for (double k = ceil(f->y0 / y_step); k * y_step <= f->y1; k++)
        write_tick_label(out, f->left - 6, py(f, k * y_step) + 4, "end", k * y_step, y_step);
}

/* ---- lines ---- */

static void write_dots(FILE *out, const PlotArea *f, const ChartLine *line)
{
    fprintf(out, "<g fill=\"%s\">\n", colors[line->color]);
    for (size_t i = 0; i < line->count; i++)
        if (is_defined(line->points[i]))
            fprintf(out, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"3\"/>\n", px(f, line->points[i].x),
                    py(f, line->points[i].y));
    fputs("</g>\n", out);
}

static void write_line(FILE *out, const PlotArea *f, const ChartLine *line)
{
    bool drawing = false;
    size_t on_row = 0;
    fprintf(
        out,
        "<path fill=\"none\" stroke=\"%s\" stroke-width=\"%.1f\" stroke-linejoin=\"round\"%s d=\"",
        colors[line->color], line->width, line->dashed ? " stroke-dasharray=\"5 4\"" : "");
    for (size_t i = 0; i < line->count; i++) {
        const ChartPoint p = line->points[i];
        if (is_defined(p))
            fprintf(out, "%s%c%.2f %.2f", ++on_row % 8 ? "" : "\n", drawing ? 'L' : 'M', px(f, p.x),
                    py(f, p.y));
        drawing = is_defined(p);
    }
    fputs("\"/>\n", out);
}

/* At the upper right, from right to left. */
static void write_legend(FILE *out, const PlotArea *f, const ChartPanel *panel)
{
    double x = f->left + f->width;
    for (size_t i = panel->line_count; i-- > 0;) {
        const ChartLine *line = &panel->lines[i];
        if (!line->label)
            continue;
        write_text(out, x, f->top - 18, "end", 11, line->label);
        x -= 7 + 6.1 * (double)strlen(line->label);
        if (line->width > 0)
            fprintf(out, "<path stroke=\"%s\" stroke-width=\"%.1f\"%s d=\"M%.1f %.1fh-22\"/>\n",
                    colors[line->color], line->width,
                    line->dashed ? " stroke-dasharray=\"5 4\"" : "", x, f->top - 22);
        else
            fprintf(out, "<circle fill=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>\n",
                    colors[line->color], x - 6, f->top - 22);
        x -= 32;
    }
}

static void write_panel(FILE *out, const ChartPanel *panel, double left, double top)
{
    const PlotArea f = plot_area_of(panel, left, top);
    write_axes(out, &f);
    for (size_t i = 0; i < panel->line_count; i++)
        (panel->lines[i].width > 0 ? write_line : write_dots)(out, &f, &panel->lines[i]);
    fputs("<g fill=\"#495057\">\n", out);
    for (size_t i = 0; i < panel->note_count; i++)
        write_text(out, px(&f, panel->notes[i].x), f.top - 4, "middle", 10, panel->notes[i].text);
    fputs("</g>\n", out);
    write_text(out, f.left, f.top - 18, "start", 13, panel->title);
    write_text(out, f.left + f.width / 2, f.top + f.height + 32, "middle", 11, panel->x_name);
    fprintf(out, "<g transform=\"translate(%.1f %.1f) rotate(-90)\">", left + 14,
            f.top + f.height / 2);
    write_text(out, 0, 0, "middle", 11, panel->y_name);
    fputs("</g>\n", out);
    write_legend(out, &f, panel);
}

static int row_height(const ChartPanel *panels, size_t count, size_t first)
{
    bool map = false;
    for (size_t i = first; i < count && i < first + COLUMNS; i++)
        map |= panels[i].map;
    return map ? MAP_HEIGHT : PANEL_HEIGHT;
}

void chart_write(FILE *out, const char *title, const char *caption, const ChartPanel *panels,
                 size_t count)
{
    int height = HEAD_HEIGHT;
    for (size_t i = 0; i < count; i += COLUMNS)
        height += row_height(panels, count, i);

    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
            "width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" "
            "fill=\"#212529\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
            COLUMNS * PANEL_WIDTH, height, COLUMNS * PANEL_WIDTH, height);
    write_text(out, LEFT, 28, "start", 18, title);
    if (caption)
        write_text(out, LEFT, 50, "start", 12, caption);

    double top = HEAD_HEIGHT;
    for (size_t i = 0; i < count; i++) {
        write_panel(out, &panels[i], (double)(i % COLUMNS) * PANEL_WIDTH, top);
        if (i % COLUMNS == COLUMNS - 1)
            top += row_height(panels, count, i - i % COLUMNS);
    }
    fputs("</svg>\n", out);
}
