// SPDX-License-Identifier: MIT
/*
 * shadow_fit.h - the part of the world that a shadow map shows, and the strength of its shadows
 * (render/README.md 8.2)
 *
 * The light's axes depend on the light alone, texels have one of few sizes, and they are aligned to
 * a grid that is fixed in the world; so shadow edges do not crawl while the camera or the dancer
 * moves.  The map covers casters and visible receivers within MMD's radius around the camera
 * target.  Pure functions on values; they allocate nothing and cannot fail.
 */
#pragma once

#include <cglm/cglm.h>

#include "render/model/bounding_box.h"
#include "render/view.h"
#include "scene/camera.h"

/* The light's axes; FORWARD is its direction of travel. */
enum { SHADOW_RIGHT, SHADOW_UP, SHADOW_FORWARD };

typedef struct ShadowAxes {
    vec3 axes[3]; /* unit vectors in world space */
} ShadowAxes;

/* Bounds of the relevant geometry; boxes in the light's axes, empty: low > high. */
typedef struct ShadowScope {
    BoundingBox casters, receivers;
    float near, far; /* view depths of the visible receivers; far < near: no receiver */
} ShadowScope;

typedef struct ShadowFit {
    ShadowAxes light;
    double texel;           /* side, MMD units */
    double left, top, near; /* bounds of the used area, in the light's axes */
    double range;           /* depth 0 is at near, 1 at near + range */
    int width, height;      /* texels in use; 0: nothing to show */
    float radius;           /* radius of the filter, texels */
    float darkening; /* per unit: shadow = saturate(depth behind the caster * darkening - 0.3) */
} ShadowFit;

/* Maximum filter radius and the margin on each side of the used area, texels. */
enum { SHADOW_MAX_RADIUS = 2, SHADOW_MARGIN = 3 };

ShadowAxes shadow_axes(const View *view);

/* Bounds of a model's box in the light's axes; `world` is the model's placement. */
BoundingBox shadow_box(const ShadowAxes *light, const BoundingBox *box, mat4 world);

bool shadow_boxes_overlap(const BoundingBox *a, const BoundingBox *b); /* seen along the light */

/*
 * side   of the square map, texels; a border of one texel is never in shadow
 * soft   half the width of a shadow's edge, MMD units; at least a texel is used
 */
ShadowFit shadow_fit(const ShadowScope *scope, const ShadowAxes *light, const View *view,
                     const ShadowState *state, int side, float soft);

bool shadow_fit_equal(const ShadowFit *a, const ShadowFit *b);

/* The part of the light's axes that the map shows; unbounded towards the light. */
BoundingBox shadow_fit_bounds(const ShadowFit *fit);

/* Matrix from model space to texels (x, y from the map's upper left corner) and depth (z, 0..1). */
void shadow_fit_matrix(mat4 out, const ShadowFit *fit, mat4 world);
