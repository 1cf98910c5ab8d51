/*
 * shadow.h - self-shadow: a map of what the light sees, that surfaces look themselves up in
 * (reference, 4.5)
 *
 * Casters are materials with PMX_CAST_SHADOW that are not transparent altogether; of their
 * textures, what is less than half opaque lets the light through.  Where the light sees only a back
 * face, MMD's culling lets it through too.  Which part of the world the map shows: shadow_fit.h.
 * Nothing is made before the first frame that needs it; a frame without receivers costs nothing.
 */
#ifndef RENDER_SHADOW_H
#define RENDER_SHADOW_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "render/actor.h"
#include "render/texture.h"
#include "render/view.h"
#include "scene/camera.h"

typedef struct ShadowMap {
    int side;   /* texels */
    float soft; /* half the width of an edge, world units; 0: sharp */
    const char *shader_dir;
    GLuint map, framebuffer, sampler; /* 0: not made yet */
    GLuint solid, cut_out;            /* programs; cut_out looks at the texture's alpha */
    bool on;                          /* in this frame surfaces are shaded with it */
} ShadowMap;

/* side 0: no self-shadow in any frame. */
void shadow_init(ShadowMap *shadow, int side, float soft, const char *shader_dir);

/* After actor_frame of all actors: draws the map, sets `on` and the actors' shadow_block.  False:
 * told. */
bool shadow_draw(ShadowMap *shadow, const GlApi *gl, const Samplers *samplers, Actor *actors,
                 size_t actor_count, const View *view, const ShadowState *state, Diag *diag);

#endif
