// SPDX-License-Identifier: MIT
/*
 * mtoon.h - the toon shading of VRM (VRMC_materials_mtoon 1.0), as which those of VRM 0.x are read
 *
 * Colors are linear; a texture is an index of the model's textures, or -1.  What MMD's materials
 * have, too, is in PmxMaterial: the color (its stored values in `diffuse`), the texture, outline
 * flag and color, single or double faces.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef enum MtoonOutline {
    MTOON_NO_OUTLINE,
    MTOON_WORLD_OUTLINE, /* width: metres */
    MTOON_SCREEN_OUTLINE /* width: share of the height of the picture */
} MtoonOutline;

/* What its textures give: a color (sRGB), or one channel of numbers. */
typedef enum MtoonTexture {
    MTOON_SHADE,                         /* multiplies the shade color */
    MTOON_SHIFT,                         /* red times shift_scale is added to the shift */
    MTOON_MATCAP,                        /* seen by the direction of the normal in the view */
    MTOON_RIM,                           /* multiplies matcap and rim */
    MTOON_EMISSION,                      /* multiplies the emission */
    MTOON_UV_MASK,                       /* blue multiplies the animation of texture coordinates */
    MTOON_SAMPLED,                       /* number of those that surfaces sample */
    MTOON_OUTLINE_WIDTH = MTOON_SAMPLED, /* green multiplies the width, at vertices */
    MTOON_TEXTURES
} MtoonTexture;

typedef struct Mtoon {
    int32_t textures[MTOON_TEXTURES];
    float shade[3]; /* color where no light falls */
    float shift;    /* added to the cosine of the angle to the light, -1..1 */
    float shift_scale;
    float toony; /* 0: light falls off from 1 to -1 of that sum, 1: at 0 at once */
    float matcap_factor[3];
    float rim[3], rim_power, rim_lift;
    float rim_lighting_mix; /* 0: matcap and rim shine by themselves, 1: as lit */
    float emission[3];
    MtoonOutline outline;
    float outline_width;
    float outline_lighting_mix; /* 0: the color as it is, 1: times that of the surface */
    float scroll[2];            /* texture coordinates a second */
    float rotation;             /* of them about (0.5, 0.5), radians a second */
    bool is_older; /* VRM 0.x: the red of the last two textures, no shade brighter than the color */
    bool blended;  /* alpha mode BLEND */
    bool writes_depth; /* also where it is blended */
    int32_t queue;     /* order among blended materials: lower ones are drawn first */
} Mtoon;

/* Whether it looks different at another time. */
static inline bool mtoon_is_animated(const Mtoon *m)
{
    return m->scroll[0] != 0 || m->scroll[1] != 0 || m->rotation != 0;
}
