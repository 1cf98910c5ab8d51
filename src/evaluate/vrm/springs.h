// SPDX-License-Identifier: MIT
/*
 * springs.h - the spring bones of one VRM model (evaluate/vrm/README.md 1)
 *
 * A clock of its own, 60 ticks a second, and the state of the last ticks, so that a frame between
 * two of them is a blend.  The caller solves the pose of the model at a tick before it steps.
 */
#pragma once

#include "evaluate/interrupt.h"
#include "evaluate/pose.h"

enum { SPRINGS_HZ = 60 };

typedef struct Springs Springs;

/* NULL if nothing swings: no spring bones, or physics of the model is off.  step_hz: of physics,
 * whose ticks may ask for a frame behind the last tick of the springs */
Springs *springs_create(const Pose *pose, const PhysicsSpec *physics, Arena *arena);

/* [bone_count] marks the bones whose pose a tick needs. */
void springs_mark_bones(bool *wanted, const Springs *springs);

/* Whether a frame at `at` ticks is between two stored ticks, or will be after further steps. */
bool springs_reaches(const Springs *springs, double at);

int64_t springs_tick(const Springs *springs); /* -1 before the first reset */

/* To tick 0: at rest on the pose, then warms up for the time that physics does.  The pose then has
 * the bones of this tick, as after springs_step. */
void springs_reset(Springs *springs, Pose *pose, const Placement *placement, Interrupt *interrupt);

/* To the next tick, from the pose at that tick. */
void springs_step(Springs *springs, Pose *pose, const Placement *placement);

/* Rotates the spring bones of a pose, and moves their descendants.  at: in ticks */
void springs_apply(const Springs *springs, Pose *pose, double at);
