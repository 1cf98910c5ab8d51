// SPDX-License-Identifier: MIT
/*
 * pass.h - the passes of a frame: the picture, and images of other properties of the same frame
 *
 * A pass is an output like the picture, drawn in the same visit of a worker from the same
 * FrameState.  picture/passes/README.md gives the convention of each one.
 */
#pragma once

#include <stdbool.h>

#include "base/image.h"

/* The order is that of the choices of outputs.N.pass. */
typedef enum Pass {
    PASS_BEAUTY, /* the picture */
    PASS_DEPTH,
    PASS_NORMAL,
    PASS_MASK_MODEL,
    PASS_MASK_MATERIAL,
    PASS_LINE,
    PASS_SHADOW,
    PASS_POSE,
    PASS_KEYPOINTS,
    PASS_CAMERA,
    PASS_MOTION,
    PASS_CHOICES,

    PASS_DISTANCE = PASS_CHOICES, /* PASS_DEPTH, PASS_NORMAL and the masks in files of layers */
    PASS_WORLD_NORMAL,
    PASS_LABELS,
    PASS_MODEL_NUMBERS, /* the masks in files of arrays */
    PASS_MATERIAL_NUMBERS,
    PASS_COUNT
} Pass;

const char *pass_name(Pass pass); /* "beauty", "mask-model" */

/* Whether it is written as text, of which there is one for each frame. */
bool pass_is_text(Pass pass);

PixelFormat pass_format(Pass pass);

/* The image that an OpenEXR file has of a pass, and the one that a file of arrays has. */
Pass pass_as_layer(Pass pass);
Pass pass_as_array(Pass pass);

/* GEOMETRY_* bits of what the pass is made of (render/geometry_image.h); 0 for the
 * picture. */
unsigned pass_geometry(Pass pass);
