// SPDX-License-Identifier: MIT
/*
 * plot.h - a chart over the time of a film, within a page
 *
 * An SVG of paths without text, which stretches to the width of the page; scales and legend are
 * text of the page, so that they keep their size on a phone.  Colors are classes of the style
 * sheet (text/page.css): s0, s1, ...  Values that are not finite are drawn at the top.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct PlotSeries {
    const char *label;
    const double *values; /* [count], >= 0 */
    size_t color;         /* class of the style sheet: 0 is s0 */
} PlotSeries;

enum { PLOT_MAX_SERIES = 12, PLOT_MAX_POINTS = 500 };

typedef struct Plot {
    const char *description; /* describes the image to those who cannot see it */
    const char *unit;        /* unit of y */
    const double *x;         /* [count] frames, ascending */
    size_t count;            /* at least 1; more than PLOT_MAX_POINTS are averaged in groups */
    double frames_per_s;     /* for the labels of x */
    PlotSeries series[PLOT_MAX_SERIES];
    size_t series_count;
    bool stacked; /* areas on each other; otherwise lines */
} Plot;

void plot_write(FILE *out, const Plot *plot);

/* The upper end of a scale: the smallest of 1, 1.2, 1.6, 2, 3, 4, 6, 8 times a power of ten that is
 * not below `value`; 1 for a value that is not positive and finite. */
double plot_scale_end(double value);
