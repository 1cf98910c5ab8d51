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

typedef struct Mtoon {
    float shade[3];        /* color where no light falls */
    int32_t shade_texture; /* multiplies it */
    float shift;           /* added to the cosine of the angle to the light, -1..1 */
    int32_t shift_texture; /* its red times shift_scale is added, too */
    float shift_scale;
    float toony; /* 0: light falls off from 1 to -1 of that sum, 1: at 0 at once */
    int32_t matcap;
    float matcap_factor[3];
    float rim[3], rim_power, rim_lift;
    float rim_lighting_mix; /* 0: matcap and rim shine by themselves, 1: as lit */
    int32_t rim_texture;    /* multiplies matcap and rim */
    float emission[3];
    int32_t emission_texture;
    MtoonOutline outline;
    float outline_width;
    int32_t outline_width_texture; /* its green multiplies the width */
    float outline_lighting_mix;    /* 0: the color as it is, 1: times that of the surface */
    float scroll[2];               /* texture coordinates a second */
    float rotation;                /* of them about (0.5, 0.5), radians a second */
    int32_t uv_mask;               /* its blue multiplies these two */
    bool blended;                  /* alpha mode BLEND */
    bool writes_depth;             /* also where it is blended */
    int32_t queue;                 /* order among blended materials: lower ones are drawn first */
} Mtoon;
