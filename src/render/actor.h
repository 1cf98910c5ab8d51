/*
 * actor.h - one model of the scene on the GL, and what of it this frame shows
 */
#ifndef RENDER_ACTOR_H
#define RENDER_ACTOR_H

#include <stdbool.h>

#include "evaluate/frame_state.h"
#include "render/deform.h"
#include "render/mesh.h"
#include "render/target.h"
#include "render/texture.h"
#include "render/view.h"

/* Textures of a material; 0: none. */
typedef struct MaterialTextures {
    GLuint texture, sphere;
    ToonRamp toon;
    bool texture_alpha, sphere_alpha;     /* not opaque everywhere */
    bool texture_neutral, sphere_neutral; /* changes nothing, unless a morph changes it */
} MaterialTextures;

enum { ACTOR_SHADOW_BLOCK_SIZE = 96 }; /* bytes: a matrix and two vectors */

typedef struct Actor {
    const SceneModel *entry;
    const Mesh *mesh;                 /* shared by entries of one model, as are the textures */
    const MaterialTextures *textures; /* [material_count] */
    Deform deform;
    GLuint block, ground_block; /* ModelBlock uniforms */
    GLuint shadow_block;        /* of the self-shadow (shadow.c), which sets it */

    /* this frame */
    const ModelState *state;
    bool on_stage;     /* visible at all */
    float edge_width;  /* of an outline of size 1, model units */
    float edge_pixels; /* the same, pixels */
    float pixel;       /* the side of a pixel that is a unit away, model units */
    bool has_ground;   /* ground_block is set */
    bool *present;     /* [material_count]: not hidden, not transparent */
    bool *seen;        /* [material_count]: and inside the view */
    bool *whole;       /* [material_count]: seen from outside, not cut by the near plane */
    bool *shades;      /* [material_count]: its ground shadow is inside the view */
} Actor;

/* Mesh and textures must outlive the actor. */
void actor_init(Actor *actor, const SceneModel *entry, const Mesh *mesh,
                const MaterialTextures *textures, const GlApi *gl, Arena *arena);

/*
 * After skinning: uniforms, and which materials are to be drawn.
 *
 * ground   whether ground shadows are wanted
 * returns  the rectangle of a width x height picture outside of which nothing is drawn
 */
TargetRect actor_frame(Actor *actor, const GlApi *gl, const View *view, bool ground, int width,
                       int height);

#endif
