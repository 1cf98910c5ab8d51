// SPDX-License-Identifier: MIT
/*
 * look_options.h - the settings of a look, from look.inc
 *
 * A section that is NULL is not part of the look.
 */
#pragma once

#include "format/cube.h"
#include "record/values.h"
#include "render/render_options.h"

/* A point that moves with a bone. */
typedef struct FocusPoint {
    int32_t bone;
    float offset[3]; /* from the bone at rest, model space */
} FocusPoint;

enum { FOCUS_POINTS = 2 }; /* two eyes */

#include "record/begin.inc"

#include "picture/look/look.inc"

#include "record/end.inc"
