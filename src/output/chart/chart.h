// SPDX-License-Identifier: MIT
/*
 * chart.h - curves in panels
 *
 * One or two panels per row, each with its own axes, ticks at round numbers and a legend.  Text is
 * UTF-8. chart_draw computes the layout and draws it on a surface: as SVG (chart_file.h) or as an
 * image (chart_image.h).  Nothing here allocates or keeps state.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct ChartPoint {
    double x, y; /* NaN in either: a gap in the line */
} ChartPoint;

typedef enum ChartColor {
    CHART_BLUE,
    CHART_ORANGE,
    CHART_GREEN,
    CHART_RED,
    CHART_GREY,
    CHART_GRID, /* those below are for axes and text */
    CHART_FRAME,
    CHART_TEXT,
    CHART_NOTE,
    CHART_COLORS
} ChartColor;

/* Red, green, blue: 0xRRGGBB. */
extern const unsigned chart_rgb[CHART_COLORS];

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

typedef struct Chart {
    const char *title;
    const char *caption; /* a line below the title, or NULL */
    const ChartPanel *panels;
    size_t count;
    int columns; /* panels per row, 1 or 2; the width of the chart is the same */
} Chart;

/* ---- surfaces ---- */

enum { CHART_DASH = 5, CHART_DASH_GAP = 4, CHART_DOT_RADIUS = 3 }; /* pixels */

typedef struct ChartStroke {
    ChartColor color;
    double width;
    bool dashed;
} ChartStroke;

typedef enum ChartAnchor { CHART_START, CHART_MIDDLE, CHART_END, CHART_ANCHORS } ChartAnchor;

typedef struct ChartText {
    const char *text;
    double x, y; /* position of the anchor, on the baseline */
    ChartAnchor anchor;
    int size; /* pixels per em */
    ChartColor color;
    bool upwards; /* turned, so that it runs from the bottom to the top */
} ChartText;

/* The functions that draw a chart.  Coordinates are pixels from the upper left corner. */
typedef struct ChartSurface {
    void *context;
    /* A line: begin, then for each point `to`, with `pen` false for the start of a part; end. */
    void (*begin_line)(void *context, const ChartStroke *stroke);
    void (*to)(void *context, double x, double y, bool pen);
    void (*end_line)(void *context);
    void (*dot)(void *context, double x, double y, ChartColor color);
    void (*text)(void *context, const ChartText *text);
} ChartSurface;

enum { CHART_WIDTH = 1200 }; /* pixels */

/* Pixels. */
int chart_height(const Chart *chart);

void chart_draw(const Chart *chart, const ChartSurface *surface);
