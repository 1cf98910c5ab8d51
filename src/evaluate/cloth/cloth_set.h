// SPDX-License-Identifier: MIT
/*
 * cloth_set.h - all cloth of a scene: inputs from models, vertices to the frame state
 *
 * All cloth shares one clock (cloth.h).  The caller evaluates the models of `is_wearer` at each
 * tick and passes their state; then cloth_set_write_vertices writes the vertices to the state of a
 * frame at or after the last tick.
 */
#pragma once

#include "evaluate/cloth/cloth.h"
#include "evaluate/frame_state.h"

typedef struct ClothSet {
    Arena *arena;
    const Scene *scene;
    int step_hz;
    Cloth **cloths;                     /* [scene->cloth_count] */
    Vec3 **anchors;                     /* [cloth_count][mass_count] */
    ClothBody **bodies;                 /* [cloth_count][collider_count] */
    ClothSelfCollision *self_collision; /* keeps cloth and cloth apart */
    ClothMasses *masses;                /* [cloth_count] scratch */
    Vec3 *normals;                      /* scratch, for the sides of any cloth */
    bool *stretched; /* the same: whether a triangle of the side is stretched too far for a hull */
    bool *is_wearer; /* [model_count] cloth depends on the model */
} ClothSet;

/* NULL if the scene has no cloth.  The scene must outlive it. */
ClothSet *cloth_set_create(const Scene *scene);
void cloth_set_destroy(ClothSet *cloth_set); /* NULL is fine */

/* -1 before the first reset. */
int64_t cloth_set_tick(const ClothSet *cloth_set);

/* To tick 0, warmed up as long as physics is; to the next tick.  state: at that tick. */
void cloth_set_reset(ClothSet *cloth_set, const FrameState *state);
void cloth_set_step(ClothSet *cloth_set, const FrameState *state);

/* Writes the cloth vertices of `state`.  part: of a tick, from the last tick to the frame of
 * `state`. */
void cloth_set_write_vertices(FrameState *state, ClothSet *cloth_set, double part);
