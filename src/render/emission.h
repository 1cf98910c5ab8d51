// SPDX-License-Identifier: MIT
/*
 * emission.h - the light of materials that glow, seen through the depth of the picture
 *
 * The convention of AutoLuminous (render/README.md 15): specular color black and specular power
 * above 100, after morphs.
 */
#pragma once

#include "render/draw_context.h"
#include "render/render_options.h"

#define EMISSION_MAX_STRENGTH 32.0f

/* Strength of a material's light: 0 if it does not glow, 1 at the power 107, at most
 * EMISSION_MAX_STRENGTH. */
float emission_strength(const MaterialState *state, const char *name,
                        const EmissionOptions *options);

/* Zero-initialise, except the options. */
typedef struct Emission {
    EmissionOptions options;
    GLuint programs[2]; /* without and with texture; 0 before the first use */
    uint8_t *strip;     /* two rows of the image on the surface; NULL before the first use */
} Emission;

/* Whether anything in the view of the prepared frame glows. */
bool emission_any(const Emission *emission, const DrawContext *context);

/*
 * Adds `weight` times the light to `out`, stored values, 1 is white: pixels of half the image's
 * size, rounded up.  Uses the surface and the depth of the picture that was drawn last; its colors
 * are lost.  drawn: the part of the image that the models cover
 */
bool emission_draw(float (*out)[3], float weight, Emission *emission, const DrawContext *context,
                   ImageRect drawn, Diag *diag);
