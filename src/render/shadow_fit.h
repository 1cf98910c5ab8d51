/*
 * shadow_fit.h - the part of the world that a shadow map shows, and how dark it makes
 * (reference, 4.5)
 *
 * The light's axes depend on the light alone, texels have one of a few sizes, and they lie on a
 * grid that is fixed in the world: so a shadow's edge stays where it is while the camera or the
 * dancer moves.  The map shows what both casts and can be seen to receive, inside MMD's radius
 * around the camera's target. Values only: nothing here allocates, fails or keeps state.
 */
#ifndef RENDER_SHADOW_FIT_H
#define RENDER_SHADOW_FIT_H

#include <cglm/cglm.h>
#include <stdbool.h>

#include "render/deform.h"
#include "render/view.h"
#include "scene/camera.h"

enum { SHADOW_RIGHT, SHADOW_UP, SHADOW_ALONG }; /* the light's axes; ALONG is the way it travels */

typedef struct ShadowAxes {
    vec3 axes[3]; /* unit, world */
} ShadowAxes;

/* What the map is for; boxes in the light's axes, empty: low > high. */
typedef struct ShadowScope {
    DeformBox casters, receivers;
    float near, far; /* of the receivers that the camera sees, along its view; far < near: none */
} ShadowScope;

typedef struct ShadowFit {
    ShadowAxes light;
    double texel;           /* side, world units */
    double left, top, near; /* of the map's picture, in the light's axes */
    double range;           /* depth 0 is at near, 1 at near + range */
    int width, height;      /* texels in use; 0: nothing to show */
    float radius;           /* of the filter, texels */
    float darkening; /* shadow = saturate(depth behind the caster, units * darkening - 0.3) */
} ShadowFit;

/* The filter reaches so many texels; the map has as many more on each side. */
enum { SHADOW_MAX_RADIUS = 2, SHADOW_MARGIN = 3 };

ShadowAxes shadow_axes(const View *view);

/* A model's box, in the light's axes; `world` places the model. */
DeformBox shadow_box(const ShadowAxes *light, const DeformBox *box, mat4 world);

bool shadow_boxes_meet(const DeformBox *a, const DeformBox *b); /* seen along the light */

/*
 * side   of the square map, texels; one at each border stays free, so that it is never in shadow
 * soft   half the width of a shadow's edge, world units; at least a texel
 */
ShadowFit shadow_fit(const ShadowScope *scope, const ShadowAxes *light, const View *view,
                     const ShadowState *state, int side, float soft);

/* The part of the light's axes that the map shows; its depth is all that can matter. */
DeformBox shadow_fit_box(const ShadowFit *fit);

/* From model space: x and y in texels of the map from its upper left corner, z depth 0..1. */
void shadow_fit_matrix(mat4 out, const ShadowFit *fit, mat4 world);

#endif
