// SPDX-License-Identifier: MIT
/*
 * frame.h - evaluates the scene at a frame
 */
#pragma once

#include <signal.h>

#include "base/diag.h"
#include "evaluate/frame_state.h"

/*
 * Buffers of the evaluation, and its only state between frames: the World of physics, and cloth.
 * One per process; not thread-safe.
 */
typedef struct Evaluator Evaluator;

Evaluator *evaluator_create(const Scene *scene);
Evaluator *evaluator_create_keyed(const Scene *scene); /* without physics and cloth */
void evaluator_destroy(Evaluator *evaluator);

/*
 * Ends evaluations after a stop, and after `frame_s` seconds (0: no limit) for each frame of the
 * motion that is simulated on the way, warm-up included.  origin: of the limit, for messages.  The
 * texts must outlive the evaluator.
 */
void evaluator_set_limits(Evaluator *evaluator, const volatile sig_atomic_t *stop, double frame_s,
                          const char *origin);

/* Why evaluate_frame returned false: reports a time limit of the output frame `frame` (kind
 * DIAG_INCOMPLETE); nothing after a stop.  Returns false. */
bool evaluator_report(const Evaluator *evaluator, double frame, Diag *diag);

/* The frame at which the simulation begins, at rest on the pose; 0 by default.  The state at a
 * frame depends on it. */
void evaluator_set_start(Evaluator *evaluator, double frame);

/*
 * Computes the state at a frame.  Frames may be requested in any order and always give the same
 * bits: physics and cloth advance by their own clocks from the start of the simulation.  Going
 * forwards is cheap; going back restarts.  Frames before the start have the physics and cloth of
 * the start.
 * False if a limit of evaluator_set_limits was reached: only evaluator_report and
 * evaluator_destroy may follow.
 */
bool evaluate_frame(FrameState *out, Evaluator *evaluator, const Scene *scene, double frame);

/*
 * Computes only frame, bones, weights and placements; with the physics of the evaluator, but
 * without cloth.
 * selected: [model_count] the models to evaluate, which include those that they are attached to;
 * NULL: all
 */
void evaluate_bones(FrameState *out, Evaluator *evaluator, const Scene *scene, const bool *selected,
                    double frame);

/* The camera at the frame of a state whose bones are evaluated. */
CameraState evaluate_camera(const FrameState *state, const Scene *scene);

/* The camera and the light of such a state, as evaluate_frame sets them. */
void evaluate_view(FrameState *state, const Scene *scene);

/* Distance from effector to goal of an IK bone after the last evaluate_frame, model units; for
 * reports. */
float evaluator_ik_residual(const Evaluator *evaluator, size_t model, uint32_t ik_bone);

/* The cloth after the last evaluate_frame, by its index in the scene, for reports. */
const struct Cloth *evaluator_cloth(const Evaluator *evaluator, size_t number);

/* The bodies after the last evaluate_frame (physics.h), for reports; NULL if there are none. */
const struct World *evaluator_world(const Evaluator *evaluator);
