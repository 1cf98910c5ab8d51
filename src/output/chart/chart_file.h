// SPDX-License-Identifier: MIT
/*
 * chart_file.h - a chart to a file
 */
#pragma once

#include <stdio.h>

#include "base/diag.h"
#include "output/chart/chart.h"

/* Whether the name selects a chart's format: .svg, none (SVG), or a single .png file. */
bool chart_file_matches(const char *file);

/* Writes it as PNG if the name ends with .png, otherwise as SVG; an existing file is replaced. */
bool chart_file_save(const char *file, const Chart *chart, Diag *diag);

/* Equal charts give equal bytes.  Text is that of the viewer's sans-serif font.  The caller checks
 * ferror of `out`. */
void chart_file_write_svg(FILE *out, const Chart *chart);
