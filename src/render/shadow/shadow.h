// SPDX-License-Identifier: MIT
/*
 * shadow.h - self-shadows: the shadow map and its uniforms (render/README.md 8)
 *
 * Casters are materials with PMX_CAST_SHADOW that are not fully transparent; texels of their
 * texture that are less than half opaque do not cast.  As in MMD, a single-sided face seen from
 * behind by the light does not cast.  shadow_fit.h chooses the part of the world that the map
 * shows, shadow_raster.h draws it.  GL objects are created for the first frame that needs them; a
 * frame without receivers costs nothing.
 *
 * Depths of the casters of stages that are kept (Part.kept) stay while neither they nor the part
 * that the map shows change.
 */
#pragma once

#include "render/draw_context.h"
#include "render/shadow/shadow_fit.h"
#include "render/shadow/shadow_raster.h"
#include "render/shadow/shadow_texels.h"

/* Zero-initialise, except the side and `soft`. */
typedef struct ShadowMap {
    int side;                    /* texels; 0: no self-shadows */
    float soft;                  /* half the width of a shadow's edge, MMD units; 0: sharp */
    GLuint map, sampler;         /* sharp shadows look these up; 0: not created yet */
    int used_width, used_height; /* texels of `map` outside of this corner have depth 1 */
    ShadowTexels texels;         /* the depths, and what soft shadows look up */
    ShadowPoint *points;         /* positions of the vertices of an actor */
    size_t point_capacity;
    bool on; /* surfaces use the map in the current frame */

    ShadowFit fit;          /* of the last frame */
    bool has_stages;        /* stage_depths has the kept casters of the stages alone */
    unsigned kept_sets;     /* DrawContext.kept_sets of them */
    uint16_t *stage_depths; /* [depth_count] like the depths of `texels`, with their scratch */
    size_t stage_capacity;
} ShadowMap;

/* Draws the map, sets `on` and writes the actors' shadow_block.  Call it after
 * surface_find_receivers of all visible actors.  Returns false after an error was reported. */
bool shadow_draw(ShadowMap *shadow, const DrawContext *context, const ShadowState *state,
                 Diag *diag);

/* Lets surfaces look up the map of the kept stages alone, if it has_stages, or the whole one again.
 */
bool shadow_show_stages(ShadowMap *shadow, const GlApi *gl, bool alone, Diag *diag);
