/*
 * chart.h - curves in panels, as one SVG file
 *
 * Two panels per row, each with its own axes, ticks at round numbers and a legend.  Text is UTF-8.
 * Equal curves give equal bytes.  Nothing here allocates or keeps state; the caller checks ferror
 * of `out`.
 */
#ifndef OUTPUT_CHART_H
#define OUTPUT_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct ChartPoint {
    double x, y; /* NaN in either: a gap in the line */
} ChartPoint;

typedef enum ChartColor { CHART_BLUE, CHART_ORANGE, CHART_GREEN, CHART_RED, CHART_GREY } ChartColor;

typedef struct ChartLine {
    const ChartPoint *points;
    size_t count;
    const char *label; /* in the legend; NULL: not listed */
    ChartColor color;
    double width; /* pixels; 0: dots instead of a line */
    bool dashed;
} ChartLine;

typedef struct ChartNote { /* small text at the upper edge, at x */
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
    bool map; /* equal scales for x and y */
} ChartPanel;

/* Writes the SVG file.  caption: a line below the title, or NULL */
void chart_write(FILE *out, const char *title, const char *caption, const ChartPanel *panels,
                 size_t count);

#endif
