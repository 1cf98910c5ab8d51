// SPDX-License-Identifier: MIT
/*
 * ground_map.h - soft ground shadows: a map of the ground, seen along the rays of a light with a
 * diameter (render/README.md 13)
 */
#pragma once

#include "render/draw_context.h"
#include "render/shadow/ground_light.h"

/* Zero-initialise, except the options. */
typedef struct GroundMap {
    GroundLightOptions options;
    bool any;            /* the map of the frame has shadows */
    float low[2], texel; /* corner with the smallest x and z, and side of a texel, MMD units */
    float bottom, slice; /* height of the lowest slice above the ground, and of each */
    GroundMapShape shape;
    uint32_t *slices; /* as ground_shade takes them */
    GroundScratch *scratch;
    uint8_t *shade;        /* [height][width] */
    GLuint casters, plane; /* programs; 0 before the first frame with a shadow */
    GLuint framebuffer, slice_texture, shade_texture, sampler;
} GroundMap;

/* Draws the map of the frame for which the actors were prepared; changes framebuffer and viewport.
 * Returns false after an error was reported. */
bool ground_map_draw(GroundMap *map, const DrawContext *context, Diag *diag);

/* Draws the shadows of the map on the plane of the ground, between outline_begin_ground_shadows and
 * outline_end_ground_shadows.  color: of a complete shadow */
void ground_map_draw_plane(const GroundMap *map, const DrawContext *context, const float color[4]);
