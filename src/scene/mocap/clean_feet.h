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

/* Gives targets of IK to feet that rotations move, where the model has them.  Returns, for each
 * bone, the part of a tolerance for its keys. */
double *clean_feet_use_ik(Feet *feet);

/* Switches the IK of feet and toes on in all keys of properties. */
void clean_feet_switch(VmdMotion *motion, const Feet *feet, Arena *arena);
