// SPDX-License-Identifier: MIT
/*
 * actor.h - GL objects of one model of the scene, and its visibility in the current frame
 */
#pragma once

#include "evaluate/frame_state.h"
#include "render/model/deform.h"
#include "render/model/mesh.h"
#include "render/texture/texture.h"
#include "render/view.h"

enum { ACTOR_SHADOW_BLOCK_SIZE = 96 }; /* bytes: a matrix and two vectors */

typedef struct Actor {
    const SceneModel *entry;
    const Mesh *mesh; /* shared by scene entries of the same model, as are the textures */
    const MaterialTextures *textures; /* [material_count] */
    Deform deform;
    GLuint block, ground_block; /* ModelBlock uniforms */
    bool animated;              /* a material looks different at another time */
    GLuint shadow_block;        /* self-shadow uniforms, written by shadow.c */

    /* state of the current frame */
    const ModelState *state;
    bool visible;       /* the model is shown at all */
    bool unchanged;     /* shape, place and materials are those of the frame before */
    bool *kept;         /* [material_count]: of a stage, all parts are in what is kept */
    bool steady;        /* of a stage: all parts are still, and were for PART_STILL_FRAMES */
    bool keeps_all;     /* all of its parts are kept */
    bool limited;       /* only the selected parts are drawn */
    ImageRect area;     /* contains all that will be drawn of it */
    ImageRect surfaces; /* contains its surfaces: area without ground shadows; if visible */
    Placement last_placement;
    float last_center[3]; /* the bone from which the width of outlines is measured */
    bool last_casts_nothing;
    MaterialState *last_materials; /* [material_count] */
    float edge_width;              /* width of an outline of size 1, model units */
    float edge_pixels;             /* width of an outline of size 1, pixels */
    float pixel_size;              /* side of a pixel at distance 1, model units */
    bool has_ground_shadow;        /* ground_block is valid */
    bool *drawn;                   /* [material_count]: not hidden, not fully transparent */
    ImageRect *rects;              /* [material_count]: contain the surfaces and outlines */
    bool *in_view;                 /* [material_count]: drawn, and may be inside the view */
    bool *unclipped;       /* [material_count]: completely behind the near plane, so seen only from
                              outside */
    bool *receives;        /* [material_count]: in view, and shaded with the self-shadow map */
    bool *casts_on_ground; /* [material_count]: its ground shadow may be inside the view */
    bool *magnified;       /* [material_count]: its texture is, wherever it is seen (magnified.h) */
    bool *is_ground; /* [material_count]: a floor, on which soft ground shadows take the place of
                        self-shadows */
} Actor;

/* Loads the model with a number of the scene; the actors before it exist.  Returns false after an
 * error was reported. */
bool actor_init(Actor *actors, size_t number, const Scene *scene, const GlApi *gl, Arena *arena,
                Diag *diag);

/* Sets the state of the frame, `visible` and `unchanged`, and uploads morphs and bones. other_time:
 * the frame is not at the time of the one before */
void actor_set_state(Actor *actor, const ModelState *state, bool other_time);

/*
 * Updates uniforms, visibility and `area`.  Call it after deform_update_bounds.
 *
 * ground   whether ground shadows are enabled
 * width, height  of the image
 */
void actor_update(Actor *actor, const View *view, bool ground, int width, int height);

/* Width of the outline of a material, model units: a part that is the same at all distances, and
 * one at distance 1 (that of MToon in shares of the picture, else 0). */
float actor_edge_width(const Actor *actor, uint32_t number);
float actor_edge_screen(const Actor *actor, uint32_t number, const View *view);

/* Whether a self-shadow may fall on a material in view. */
bool actor_receives_shadow(const Actor *actor);

/* Of a stage: finds where its parts may be in the image. */
void actor_find_rects(Actor *actor, const View *view, int width, int height);

/* Limits a stage to the parts from the number `first` on that are kept, if `kept`, and that may be
 * in a rectangle of the image, unless it is NULL. */
void actor_limit(Actor *actor, bool kept, uint32_t first, const ImageRect *rect);
void actor_limit_end(Actor *actor);
