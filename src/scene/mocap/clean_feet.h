// SPDX-License-Identifier: MIT
/*
 * clean_feet.h - planted feet stay where they are, and feet above the floor
 *                (scene/mocap/README.md 7)
 */
#pragma once

#include "scene/mocap/clean_track.h"

typedef struct FeetReport {
    uint32_t planted; /* frames, of both feet */
    double slide;     /* way of planted ankles along the floor, in MMD units: as it was */
} FeetReport;

/* Legs and the places where their feet should be. */
typedef struct Feet Feet;

/*
 * Measures planted feet.  NULL: the motion moves no feet, or not all bones for it are known.
 *
 * ik_on  [bone_count] IK is on; a leg whose IK is on, but has no keys, is not moved
 */
Feet *clean_feet_find(FeetReport *report, CleanBody *body, const bool *ik_on);

/* Holds them: changes the samples of センター, of legs, knees and ankles or, where IK of the feet
 * is on, of its targets. */
void clean_feet_hold(Feet *feet);

/* [bone_count] the bones that move them. */
const bool *clean_feet_bones(const Feet *feet);
