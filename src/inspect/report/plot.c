// SPDX-License-Identifier: MIT
#include "inspect/report/plot.h"

#include <math.h>
#include <stdlib.h>

#include "inspect/report/html.h"

enum { WIDTH = 1000, HEIGHT = 240, GRID_LINES = 4, TIME_LABELS = 5 };

/* A share of the values may exceed the scale, so that single slow frames do not flatten the rest.
 */
static const double CLIPPED_SHARE = 0.02;

typedef struct Curve { /* grouped points, and the sum of all series at each */
    const Plot *plot;
    size_t count;
    double x0, x1, end; /* end: of y */
} Curve;

double plot_scale_end(double value)
{
    static const double steps[] = {1, 1.2, 1.6, 2, 3, 4, 6, 8};
    if (!(value > 0) || !isfinite(value))
        return 1;
    const double power = pow(10, floor(log10(value)));
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (value <= power * steps[i] * (1 + 1e-9))
            return power * steps[i];
    return power * 10;
}

/* Mean of the values in a group. */
static double group_mean(const Curve *c, const double *values, size_t group)
{
    const size_t first = group * c->plot->count / c->count,
                 end = (group + 1) * c->plot->count / c->count;
    double sum = 0;
    for (size_t i = first; i < end; i++)
        sum += values[i];
    return sum / (double)(end - first);
}

/* The sum of series 0 to `last` if they are stacked, else the value of `last`. */
static double level(const Curve *c, size_t last, size_t group)
{
    double sum = 0;
    for (size_t i = c->plot->stacked ? 0 : last; i <= last; i++)
        sum += group_mean(c, c->plot->series[i].values, group);
    return isfinite(sum) ? sum : c->end;
}

static double largest(const Curve *c, size_t group)
{
    double top = 0;
    for (size_t i = c->plot->stacked ? c->plot->series_count - 1 : 0; i < c->plot->series_count;
         i++) {
        const double value = level(c, i, group);
        top = value > top ? value : top;
    }
    return top;
}

static size_t count_above(const Curve *c, double value)
{
    size_t count = 0;
    for (size_t i = 0; i < c->count; i++)
        count += largest(c, i) > value;
    return count;
}

static int compare_values(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Clips at most CLIPPED_SHARE of the points, and only if that makes the scale less than half as
 * large. */
static double choose_end(const Curve *c)
{
    double values[PLOT_MAX_POINTS];
    for (size_t i = 0; i < c->count; i++)
        values[i] = largest(c, i);
    qsort(values, c->count, sizeof *values, compare_values);
    const double top = values[c->count - 1],
                 usual = values[c->count - 1 - (size_t)(CLIPPED_SHARE * (double)c->count)];
    return plot_scale_end(usual > 0 && top > 2 * usual ? usual : top);
}

/* ---- paths ---- */

static double x_of(const Curve *c, size_t group)
{
    const double x = group_mean(c, c->plot->x, group);
    return c->x1 > c->x0 ? (x - c->x0) / (c->x1 - c->x0) * WIDTH : WIDTH / 2.0;
}

static double y_of(const Curve *c, double value)
{
    return HEIGHT - fmin(value, c->end) / c->end * HEIGHT;
}

static void write_points(FILE *out, const Curve *c, size_t series)
{
    for (size_t i = 0; i < c->count; i++)
        fprintf(out, "%c%.1f %.1f", i ? 'L' : 'M', x_of(c, i), y_of(c, level(c, series, i)));
}

/* From the left edge to the right one, closed along the series below. */
static void write_area(FILE *out, const Curve *c, size_t series)
{
    fprintf(out, "<path class=\"s%zu\" d=\"", c->plot->series[series].color);
    write_points(out, c, series);
    for (size_t i = c->count; i-- > 0;)
        fprintf(out, "L%.1f %.1f", x_of(c, i), y_of(c, series ? level(c, series - 1, i) : 0));
    fputs("Z\"/>", out);
}

static void write_line(FILE *out, const Curve *c, size_t series)
{
    fprintf(out, "<path class=\"line s%zu\" d=\"", c->plot->series[series].color);
    write_points(out, c, series);
    fputs("\"/>", out);
}

static void write_svg(FILE *out, const Curve *c)
{
    fprintf(out,
            "<svg viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"",
            WIDTH, HEIGHT);
    html_text(out, c->plot->description);
    fputs("\"><path class=\"grid\" d=\"", out);
    for (int i = 0; i <= GRID_LINES; i++)
        fprintf(out, "M0 %dH%d", i * HEIGHT / GRID_LINES, WIDTH);
    fputs("\"/>", out);
    for (size_t i = 0; i < c->plot->series_count; i++)
        (c->plot->stacked ? write_area : write_line)(out, c, i);
    fputs("</svg>", out);
}

/* ---- labels ---- */

static void write_scale(FILE *out, const Curve *c)
{
    fputs("<div class=\"y\" aria-hidden=\"true\">", out);
    for (int i = GRID_LINES; i >= 0; i--)
        fprintf(out, "<span>%.6g%s</span>", c->end * i / GRID_LINES, i == GRID_LINES ? " " : "");
    fputs("</div>", out);
}

static void write_times(FILE *out, const Curve *c)
{
    fputs("<div class=\"x\" aria-hidden=\"true\">", out);
    for (int i = 0; i < TIME_LABELS; i++) {
        const double s = (c->x0 + (c->x1 - c->x0) * i / (TIME_LABELS - 1)) / c->plot->frames_per_s;
        const long tenths = lround(s * 10);
        fprintf(out, "<span>%ld:%02ld.%ld</span>", tenths / 600, tenths / 10 % 60, tenths % 10);
    }
    fputs("</div>", out);
}

void plot_write(FILE *out, const Plot *plot)
{
    Curve c = {.plot = plot,
               .count = plot->count < PLOT_MAX_POINTS ? plot->count : PLOT_MAX_POINTS,
               .x0 = plot->x[0],
               .x1 = plot->x[plot->count - 1],
               .end = 1};
    c.end = choose_end(&c);
    fputs("<ul class=\"legend\">", out);
    for (size_t i = 0; i < plot->series_count; i++) {
        fprintf(out, "<li><i class=\"s%zu\"></i>", plot->series[i].color);
        html_text(out, plot->series[i].label);
        fputs("</li>", out);
    }
    fputs("</ul>\n", out);
    fputs("<div class=\"plot\"><div class=\"unit\">", out);
    html_text(out, plot->unit);
    fputs("</div>", out);
    write_scale(out, &c);
    write_svg(out, &c);
    write_times(out, &c);
    fputs("</div>\n", out);
    const size_t clipped = count_above(&c, c.end);
    if (clipped)
        fprintf(out, "<p class=\"note\">%zu of %zu points are above the scale.</p>\n", clipped,
                c.count);
}
