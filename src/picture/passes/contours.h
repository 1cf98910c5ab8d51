// SPDX-License-Identifier: MIT
/*
 * contours.h - lines of surfaces whose models have few outlines, from depths and normals
 * (README.md 1.3)
 *
 * Values only: nothing here allocates, fails or keeps state.  Rows are packed, from the top.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "render/geometry_image.h"
#include "render/view.h"

/*
 * Darkens an image by the lines.
 *
 * g        depths, ids and normals of the image
 * bare     by ids: surfaces that get lines
 * mask     [width * height] scratch
 */
void contours_draw(uint8_t (*image)[4], uint8_t *mask, int width, int height,
                   const GeometryImage *g, const bool *bare, const View *view);
