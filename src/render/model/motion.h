/*
 * motion.h - where the surfaces of a frame are in the frame before and in the next one
 *
 * The shapes of both moments are skinned into vertex buffers of their own, so that each vertex has
 * three positions (render/README.md 14.1).  Frame after frame, only one of three shapes is new.  A
 * model that is hidden at one of the moments does not move there.
 */
#ifndef RENDER_MODEL_MOTION_H
#define RENDER_MODEL_MOTION_H

#include "base/arena.h"
#include "evaluate/frame_state.h"
#include "render/model/actor.h"

enum { MOTION_BEFORE, MOTION_AFTER, MOTION_MOMENTS };

/* Of one actor. */
typedef struct ActorMotion {
    GLuint vertices;           /* vertex array with the positions of all moments; 0 before them */
    mat4 clip[MOTION_MOMENTS]; /* from model space */
} ActorMotion;

typedef struct Motion {
    ActorMotion *items; /* [actor_count]; NULL before the first frame */
} Motion;

/* The actors' shapes and places in two other frames; they are then again those of their own state.
 */
void motion_update(Motion *motion, const GlApi *gl, Actor *actors, size_t actor_count,
                   const DeformPrograms *programs, const FrameState *const moments[MOTION_MOMENTS],
                   const View *view, int width, int height, Arena *arena);

#endif
