// SPDX-License-Identifier: MIT
#include "output/chart/chart.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    PANEL_HEIGHT = 260,
    MAP_HEIGHT = 460,
    HEAD_HEIGHT = 64,
    LEFT = 64, /* margins around a panel's plot area */
    RIGHT = 16,
    TOP = 44,
    BOTTOM = 44,
    TICKS = 6,         /* number of ticks of y, about */
    TICK_DISTANCE = 87 /* between ticks of x, about */
};

const unsigned chart_rgb[CHART_COLORS] = {
    [CHART_BLUE] = 0x1f6fb4,  [CHART_ORANGE] = 0xe8821e, [CHART_GREEN] = 0x2f9e44,
    [CHART_RED] = 0xc92a2a,   [CHART_GREY] = 0x868e96,   [CHART_GRID] = 0xdee2e6,
    [CHART_FRAME] = 0x868e96, [CHART_TEXT] = 0x212529,   [CHART_NOTE] = 0x495057,
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

/* ---- strokes and text ---- */

static void draw_text(const ChartSurface *out, double x, double y, ChartAnchor anchor, int size,
                      const char *text)
{
    out->text(out->context, &(ChartText){text, x, y, anchor, size, CHART_TEXT, false});
}

static void draw_segment(const ChartSurface *out, const ChartStroke *stroke, double x0, double y0,
                         double x1, double y1)
{
    out->begin_line(out->context, stroke);
    out->to(out->context, x0, y0, false);
    out->to(out->context, x1, y1, true);
    out->end_line(out->context);
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

static PlotArea plot_area_of(const ChartPanel *panel, double left, double top, double width)
{
    const double height = panel->map ? MAP_HEIGHT : PANEL_HEIGHT;
    PlotArea f = {
        left + LEFT, top + TOP, width - LEFT - RIGHT, height - TOP - BOTTOM, HUGE_VAL, -HUGE_VAL,
        HUGE_VAL,    -HUGE_VAL};
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

/* 1, 2 or 5 times a power of ten, so that the range has about so many ticks. */
static double tick_step(double range, double ticks)
{
    const double rough = range / ticks, power = pow(10, floor(log10(rough)));
    const double part = rough / power;
    return power * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10);
}

static void draw_tick_label(const ChartSurface *out, double x, double y, ChartAnchor anchor,
                            double value, double step)
{
    char text[32];
    snprintf(text, sizeof text, "%.6g", fabs(value) < step / 2 ? 0.0 : value);
    draw_text(out, x, y, anchor, 11, text);
}

static void draw_frame(const ChartSurface *out, const PlotArea *f)
{
    const double right = f->left + f->width, bottom = f->top + f->height;
    out->begin_line(out->context, &(ChartStroke){CHART_FRAME, 1, false});
    out->to(out->context, f->left, f->top, false);
    out->to(out->context, right, f->top, true);
    out->to(out->context, right, bottom, true);
    out->to(out->context, f->left, bottom, true);
    out->to(out->context, f->left, f->top, true);
    out->end_line(out->context);
}

static void draw_axes(const ChartSurface *out, const PlotArea *f)
{
    const double x_step = tick_step(f->x1 - f->x0, f->width / TICK_DISTANCE);
    const double y_step = tick_step(f->y1 - f->y0, TICKS);
    const double right = f->left + f->width, bottom = f->top + f->height;
    const ChartStroke grid = {CHART_GRID, 1, false};

    for (double k = ceil(f->x0 / x_step); k * x_step <= f->x1; k++) {
        const double x = px(f, k * x_step);
        draw_segment(out, &grid, x, f->top, x, bottom);
        draw_tick_label(out, x, bottom + 15, CHART_MIDDLE, k * x_step, x_step);
    }
    for (double k = ceil(f->y0 / y_step); k * y_step <= f->y1; k++) {
        const double y = py(f, k * y_step);
        draw_segment(out, &grid, f->left, y, right, y);
        draw_tick_label(out, f->left - 6, y + 4, CHART_END, k * y_step, y_step);
    }
    draw_frame(out, f);
}

/* ---- lines ---- */

static void draw_dots(const ChartSurface *out, const PlotArea *f, const ChartLine *line)
{
    for (size_t i = 0; i < line->count; i++)
        if (is_defined(line->points[i]))
            out->dot(out->context, px(f, line->points[i].x), py(f, line->points[i].y), line->color);
}

static void draw_line(const ChartSurface *out, const PlotArea *f, const ChartLine *line)
{
    bool drawing = false;
    out->begin_line(out->context, &(ChartStroke){line->color, line->width, line->dashed});
    for (size_t i = 0; i < line->count; i++) {
        const ChartPoint p = line->points[i];
        if (is_defined(p))
            out->to(out->context, px(f, p.x), py(f, p.y), drawing);
        drawing = is_defined(p);
    }
    out->end_line(out->context);
}

/* At the upper right, from right to left. */
static void draw_legend(const ChartSurface *out, const PlotArea *f, const ChartPanel *panel)
{
    double x = f->left + f->width;
    for (size_t i = panel->line_count; i-- > 0;) {
        const ChartLine *line = &panel->lines[i];
        if (!line->label)
            continue;
        draw_text(out, x, f->top - 18, CHART_END, 11, line->label);
        x -= 7 + 5.6 * (double)strlen(line->label);
        if (line->width > 0)
            draw_segment(out, &(ChartStroke){line->color, line->width, line->dashed}, x,
                         f->top - 22, x - 20, f->top - 22);
        else
            out->dot(out->context, x - 6, f->top - 22, line->color);
        x -= 28;
    }
}

static void draw_panel(const ChartSurface *out, const ChartPanel *panel, double left, double top,
                       double width)
{
    const PlotArea f = plot_area_of(panel, left, top, width);
    draw_axes(out, &f);
    for (size_t i = 0; i < panel->line_count; i++)
        (panel->lines[i].width > 0 ? draw_line : draw_dots)(out, &f, &panel->lines[i]);
    for (size_t i = 0; i < panel->note_count; i++)
        out->text(out->context, &(ChartText){panel->notes[i].text, px(&f, panel->notes[i].x),
                                             f.top - 4, CHART_MIDDLE, 10, CHART_NOTE, false});
    draw_text(out, f.left, f.top - 18, CHART_START, 13, panel->title);
    draw_text(out, f.left + f.width / 2, f.top + f.height + 32, CHART_MIDDLE, 11, panel->x_name);
    out->text(out->context, &(ChartText){panel->y_name, left + 14, f.top + f.height / 2,
                                         CHART_MIDDLE, 11, CHART_TEXT, true});
    draw_legend(out, &f, panel);
}

/* ---- the chart ---- */

static int row_height(const Chart *chart, size_t first)
{
    bool map = false;
    for (size_t i = first; i < chart->count && i < first + (size_t)chart->columns; i++)
        map |= chart->panels[i].map;
    return map ? MAP_HEIGHT : PANEL_HEIGHT;
}

int chart_height(const Chart *chart)
{
    int height = HEAD_HEIGHT;
    for (size_t i = 0; i < chart->count; i += (size_t)chart->columns)
        height += row_height(chart, i);
    return height;
}

void chart_draw(const Chart *chart, const ChartSurface *surface)
{
    const size_t columns = (size_t)chart->columns;
    const double width = (double)CHART_WIDTH / chart->columns;
    double top = HEAD_HEIGHT;
    draw_text(surface, LEFT, 28, CHART_START, 18, chart->title);
    if (chart->caption)
        draw_text(surface, LEFT, 50, CHART_START, 12, chart->caption);
    for (size_t i = 0; i < chart->count; i++) {
        draw_panel(surface, &chart->panels[i], (double)(i % columns) * width, top, width);
        if (i % columns == columns - 1)
            top += row_height(chart, i - i % columns);
    }
}
