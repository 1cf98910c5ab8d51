// SPDX-License-Identifier: MIT
/*
 * mtoon.h - surfaces and outlines of VRM figures, shaded by MToon (render/README.md 17)
 */
#pragma once

#include "render/draw_context.h"

typedef enum MtoonFeature {
    MTOON_TEXTURE = 1,    /* of the color, of the shade */
    MTOON_EXTRAS = 2,     /* shift, matcap, rim, emission, animated coordinates */
    MTOON_ALPHA_TEST = 4, /* some pixels are transparent */
    MTOON_SHADOW = 8,     /* samples the shadow map */
    MTOON_SOFT = 16,      /* which has soft edges */
    MTOON_LIGHT = 32,     /* draws the overlays, too */
    MTOON_HULL = 64,      /* the outline */
    MTOON_OPAQUE = 128,   /* only one part of the pixels, as in surface.h */
    MTOON_DENSE = 256,
    MTOON_FAINT = 384,
    MTOON_VARIANTS = 512
} MtoonFeature;

typedef struct MtoonPrograms {
    GLuint programs[MTOON_VARIANTS]; /* 0: not built yet */
} MtoonPrograms;

/* Makes the program and the textures of a material current, which has Mtoon.  features: all but the
 * first two.  Returns false after an error was reported. */
bool mtoon_use(MtoonPrograms *programs, const DrawContext *context, const Actor *actor,
               uint32_t number, unsigned features, Diag *diag);
