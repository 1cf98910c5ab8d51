/*
 * cloth_set.h - all cloth of a scene, between the models that wear it and the frame that shows it
 *
 * All pieces share one clock (cloth.h).  The caller evaluates the models that `wears` names at each
 * tick and hands them in; then cloth_set_show puts the cloth's vertices into the state of a moment
 * after the last tick.
 */
#ifndef EVALUATE_CLOTH_SET_H
#define EVALUATE_CLOTH_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "evaluate/cloth.h"
#include "evaluate/frame_state.h"

typedef struct ClothSet {
    Arena *arena;
    const Scene *scene;
    int step_hz;
    Cloth **cloths;     /* [scene->cloth_count] */
    Vec3 **anchors;     /* of each, [mass_count] */
    ClothBody **bodies; /* of each, [collider_count] */
    Vec3 *normals;      /* room for the sides of any */
    bool *is_wearer;    /* [model_count] cloth depends on it */
} ClothSet;

/* NULL when nothing of the scene is cloth.  The scene must outlive it. */
ClothSet *cloth_set_create(const Scene *scene);
void cloth_set_destroy(ClothSet *cloth_set); /* NULL is fine */

/* -1 before the first reset. */
int64_t cloth_set_tick(const ClothSet *cloth_set);

/* To tick 0, settled for as long as physics is warmed up; to the next tick.  `state`: of that tick.
 */
void cloth_set_reset(ClothSet *cloth_set, const FrameState *state);
void cloth_set_step(ClothSet *cloth_set, const FrameState *state);

/* part: of a tick, from the last to the moment of `state`, whose vertices of cloth are filled in.
 */
void cloth_set_write_vertices(FrameState *state, ClothSet *cloth_set, double part);

#endif
