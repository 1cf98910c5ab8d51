// SPDX-License-Identifier: MIT
/*
 * motion.h - where the surfaces of a frame are in the frame before and in the next one
 *
 * The shapes of both moments are skinned into vertex buffers of their own, so that each vertex has
 * three positions (render/README.md 14.1).  Frame after frame, only one of three shapes is new.  A
 * model that is hidden at one of the moments does not move there.
 */
#pragma once

#include "evaluate/frame_state.h"
#include "render/model/actor.h"

enum { MOTION_BEFORE, MOTION_AFTER, MOTION_MOMENTS };

/* The motion of an actor. */
typedef struct ActorMotion {
    GLuint vertices;           /* vertex array with the positions of all moments; 0 before them */
    mat4 clip[MOTION_MOMENTS]; /* from model space */
} ActorMotion;

/*
 * Finds the shape and the place of a visible actor in two other frames; they are then again those
 * of its own state.
 *
 * number         of the actor's model in the moments
 * view           of the actor's frame
 * width, height  of the drawn image
 */
void motion_update(ActorMotion *motion, Actor *actor, const DeformPrograms *programs,
                   const FrameState *const moments[MOTION_MOMENTS], size_t number, const View *view,
                   int width, int height);
