// SPDX-License-Identifier: MIT
/*
 * chart_image.h - a chart as an image
 *
 * Drawn at CHART_IMAGE_SCALE pixels per pixel of the chart, with smooth edges.  Text is in
 * installed fonts (typesetting/text_fonts.h).
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/image.h"
#include "output/chart/chart.h"

enum { CHART_IMAGE_SCALE = 2 };

/* The image is in the arena.  False if a font cannot be opened, or by --strict if it lacks
 * characters. */
bool chart_image_draw(Image *out, const Chart *chart, Arena *arena, Diag *diag);
