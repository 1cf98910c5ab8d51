/*
 * chart_svg.h - a chart as an SVG file
 *
 * Equal charts give equal bytes.  Text is that of the viewer's sans-serif font.  Nothing here
 * allocates; the caller checks ferror of `out`.
 */
#pragma once

#include <stdio.h>

#include "output/chart/chart.h"

void chart_svg_write(FILE *out, const Chart *chart);
