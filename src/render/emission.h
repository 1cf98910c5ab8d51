/*
 * emission.h - the light of materials that glow, seen through the depth of the picture
 *
 * By the convention of AutoLuminous (render/README.md 15): a material glows if its specular color
 * is black and its specular power above 100.
 */
#ifndef RENDER_EMISSION_H
#define RENDER_EMISSION_H

#include <stdbool.h>

#include "base/diag.h"
#include "render/model/actor.h"
#include "render/emission_rule.h"
#include "render/target.h"
#include "render/texture/texture.h"

typedef struct Emission {
    EmissionOptions options;
    GLuint programs[2]; /* without and with texture; 0 before the first use */
    uint8_t *strip;     /* rows of the surface */
} Emission;

/* Whether anything in the view of the prepared frame glows. */
bool emission_any(const Emission *emission, const Actor *actors, size_t actor_count);

/*
 * Adds `weight` times the light to `out`, stored values, 1 is white: pixels of half the image's
 * size, rounded up.  Uses the surface and the depth of the picture that was drawn last; its colors
 * are lost.
 */
bool emission_draw(float (*out)[3], float weight, Emission *emission, const GlApi *gl,
                   const Target *target, const Actor *actors, size_t actor_count, const View *view,
                   const Samplers *samplers, TargetRect drawn, const char *shader_dir, Diag *diag);

void emission_init(Emission *emission, const EmissionOptions *options, int width, int scale,
                   Arena *arena);

#endif
