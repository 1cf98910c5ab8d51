/*
 * gravity.h - gravity over time, with noise
 *
 * Values only: the same frame always gives the same bits.
 */
#ifndef SCENE_DYNAMICS_GRAVITY_H
#define SCENE_DYNAMICS_GRAVITY_H

#include "scene/dynamics/dynamics.h"

/* Whether gravity is not always PhysicsSpec.gravity. */
bool gravity_changes(const PhysicsSpec *spec);

/*
 * Gravity at a frame (30 a second), MMD units/s2: linear between keys.  Noise adds a vector whose
 * coordinates are uniform within plus and minus the noise, another one in each frame.
 */
void gravity_at(float out[3], const PhysicsSpec *spec, double frame);

#endif
