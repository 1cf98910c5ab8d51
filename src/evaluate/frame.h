/*
 * frame.h - evaluates the scene at a frame
 */
#ifndef EVALUATE_FRAME_H
#define EVALUATE_FRAME_H

#include "evaluate/frame_state.h"

/*
 * Buffers of the evaluation, and its only state between frames: the World of physics, and cloth.
 * One per process; not thread-safe.
 */
typedef struct Evaluator Evaluator;

Evaluator *evaluator_create(const Scene *scene);
void evaluator_destroy(Evaluator *evaluator);

/*
 * Computes the state at a frame.  Frames may be requested in any order and always give the same
 * bits: physics and cloth advance by their own clocks from the start of the film.  Going forwards
 * is cheap; going back restarts at frame 0.  Negative frames have the physics and cloth of frame 0.
 */
void evaluate_frame(FrameState *out, Evaluator *evaluator, const Scene *scene, double frame);

/* Distance from effector to goal of an IK bone after the last evaluate_frame, model units; for
 * reports. */
float evaluator_ik_residual(const Evaluator *evaluator, size_t model, uint32_t ik_bone);

/* The cloth after the last evaluate_frame, by its index in the scene, for reports. */
const struct Cloth *evaluator_cloth(const Evaluator *evaluator, size_t number);

/* The bodies after the last evaluate_frame (physics.h), for reports; NULL if there are none. */
const struct World *evaluator_world(const Evaluator *evaluator);

#endif
