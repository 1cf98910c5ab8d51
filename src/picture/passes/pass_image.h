// SPDX-License-Identifier: MIT
/*
 * pass_image.h - converts the geometry of a frame to the images of its passes (README.md 1)
 *
 * Values only: nothing here allocates, fails or keeps state.  Rows are packed, from the top.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The distances that become white and black. */
typedef struct DepthRange {
    double near, far; /* MMD units, 0 < near < far */
    bool linear;      /* in the distance; false: in its inverse */
} DepthRange;

/* Grey value of a distance, 65535 at near and nearer, 0 at far and farther; 0 for distance 0, where
 * there is no surface. */
uint16_t pass_depth_value(const DepthRange *range, float distance);

void pass_depth_image(uint16_t *out, const float *depth, size_t count, const DepthRange *range);

/* Where there is no surface the normal points to the eye: (128, 128, 255). */
void pass_normal_image(uint8_t (*out)[4], const uint8_t (*normals)[4], size_t count);

/* Color of the n-th label, from 1: the PASCAL VOC color map, which gives 2^24 labels different
 * colors.  Label 0 is black. */
void pass_label_color(uint8_t out[4], uint32_t label);

/* Colors of labels, and labels themselves; those after 65535 become 65535.
 * labels: [number of ids + 1] the label of each id; 0 for id 0. */
void pass_number_image(uint16_t *out, const uint32_t *ids, size_t count, const uint32_t *labels);
void pass_mask_image(uint8_t (*out)[4], const uint32_t *ids, size_t count, const uint32_t *labels);
