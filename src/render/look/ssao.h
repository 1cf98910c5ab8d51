/*
 * ssao.h - ambient occlusion in screen space: corners and contacts get darker
 *
 * Formula and source: render/look/README.md 6.  Works on pixels of half the size.  Not thread-safe.
 */
#ifndef RENDER_LOOK_SSAO_H
#define RENDER_LOOK_SSAO_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/image.h"

typedef struct SsaoOptions {
    float strength; /* 0..1 */
    float radius;   /* of the surroundings that occlude, MMD units */
} SsaoOptions;

/* What the image shows: [width * height] each, rows from the top. */
typedef struct SsaoScene {
    const float *depth;          /* distance along the view, MMD units; 0: no surface */
    const uint8_t (*normals)[4]; /* view space: right, up, towards the eye; 128 is 0 */
    const uint32_t *ids;         /* indices into `darkens` */
    const bool *darkens;         /* surfaces that are darkened; all of them occlude */
    float half_extent[2];        /* half the image's width and height at distance 1 */
    bool orthographic;           /* half_extent: at any distance */
} SsaoScene;

typedef struct Ssao Ssao;

/* For images of this size. */
Ssao *ssao_create(const SsaoOptions *options, int width, int height, Arena *arena);

/* Darkens an image of straight alpha in place; alpha is kept. */
void ssao_apply(Image *image, Ssao *ssao, const SsaoScene *scene);

#endif
