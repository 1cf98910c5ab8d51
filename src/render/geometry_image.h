// SPDX-License-Identifier: MIT
/*
 * geometry_image.h - what passes are made of: depth, material, normal and motion of each pixel
 */
#pragma once

#include <stddef.h>

#include "base/image.h"

/* Bits: the values that are wanted. */
enum {
    GEOMETRY_DEPTH = 1,
    GEOMETRY_ID = 2,
    GEOMETRY_NORMAL = 4,
    GEOMETRY_WORLD_NORMAL = 8,
    GEOMETRY_MOTION = 16,
    GEOMETRY_LABELS = 32, /* only render_labels has them */
    GEOMETRY_BITS = 6
};

/* [width * height] each, rows from the top; those that are not wanted may be NULL. */
typedef struct GeometryImage {
    ImageRect part; /* contains all surfaces; world_normals and motion are set only there */
    float *depth;   /* distance along the view, MMD units; 0: no surface */
    uint32_t *ids;  /* number of the material among all of the scene, from 1; 0: no surface */
    uint8_t (*normals)[4]; /* view space: right, up, towards the eye; 128 is 0; all 0: no surface */
    uint16_t (*world_normals)[4]; /* binary16, world space, then 1; all 0: no surface */
    float (*motion)[4]; /* pixels, x to the right and y up: from here to where the surface was in
                         * the frame before; from where it is in the next frame to here; 0: no
                         * surface */
} GeometryImage;

/* Bytes of a number in render_labels: 1 (uint8_t) or 2 (uint16_t); material_count: of the scene. */
size_t geometry_label_size(size_t material_count);
