/*
 * chart.h - curves in panels, as one SVG file
 *
 * Two panels a row, each with its own axes, ticks at round numbers and a legend.  Text may be any
 * UTF-8.  The same curves always give the same bytes.  Nothing here allocates or keeps state;
 * errors of `out` are left to ferror.
 */
#ifndef OUTPUT_CHART_H
#define OUTPUT_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct ChartPoint {
    double x, y; /* NaN in either: the line is broken here */
} ChartPoint;

typedef enum ChartColor { CHART_BLUE, CHART_ORANGE, CHART_GREEN, CHART_RED, CHART_GREY } ChartColor;

typedef struct ChartLine {
    const ChartPoint *points;
    size_t count;
    const char *label; /* for the legend; NULL: not in it */
    ChartColor color;
    double width; /* pixels; 0: a dot on each point instead */
    bool dashed;
} ChartLine;

typedef struct ChartNote { /* small words at the upper edge, over x */
    double x;
    const char *text;
} ChartNote;

enum { CHART_MAX_LINES = 8 };

typedef struct ChartPanel {
    const char *title, *x_name, *y_name;
    ChartLine lines[CHART_MAX_LINES]; /* the first is drawn first */
    size_t line_count;
    const ChartNote *notes;
    size_t note_count;
    bool map; /* one scale for x and y */
} ChartPanel;

/* caption: a line below the title, or NULL */
void chart_write(FILE *out, const char *title, const char *caption, const ChartPanel *panels,
                 size_t count);

#endif
