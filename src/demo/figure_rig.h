// SPDX-License-Identifier: MIT
/*
 * figure_rig.h - the skeleton of the demo's dancer, and the bodies that physics will move
 *
 * The names are MMD's usual ones, so that other motions fit.  Bones in pairs are adjacent, left
 * (+x) before right.  Hair and skirt have keyed motion as well as rigid bodies: the bodies take
 * over where physics is simulated.
 */
#pragma once

#include "demo/shape.h"

enum {
    BONE_ROOT,
    BONE_CENTER,
    BONE_GROOVE,
    BONE_LOWER,
    BONE_UPPER,
    BONE_UPPER2,
    BONE_NECK,
    BONE_HEAD,
    BONE_EYES,
    BONE_FRINGE,
    BONE_BOW,
    BONE_PAIRS, /* the first of the bones that come in pairs */

    FINGERS = 5, /* thumb first; two bones each */
    TAIL_BONES = 5,
    LOCK_BONES = 2,
    SKIRT_COLUMNS = 8, /* the first in front, then to the left (+x) */
    SKIRT_ROWS = 2
};

typedef enum Pair {
    PAIR_SHOULDER,
    PAIR_ARM,
    PAIR_ARM_TWIST,
    PAIR_ELBOW,
    PAIR_HAND_TWIST,
    PAIR_HALF_TWIST, /* follows half of the hand's twist */
    PAIR_WRIST,
    PAIR_FINGER,
    PAIR_LEG = PAIR_FINGER + 2 * FINGERS,
    PAIR_KNEE,
    PAIR_ANKLE,
    PAIR_TOE,
    PAIR_LEG_IK,
    PAIR_TOE_IK,
    PAIR_EYE, /* follows the pair of eyes */
    PAIR_LOCK,
    PAIR_TAIL = PAIR_LOCK + LOCK_BONES,
    PAIR_COUNT = PAIR_TAIL + TAIL_BONES
} Pair;

enum {
    BONE_SKIRT = BONE_PAIRS + 2 * PAIR_COUNT,
    BONE_COUNT = BONE_SKIRT + SKIRT_COLUMNS * SKIRT_ROWS
};

typedef enum Side { LEFT, RIGHT } Side;

int bone_of(Pair pair, Side side);
int bone_of_skirt(int column, int row);

/* 1 on the left, -1 on the right: x of the left side times this is x of that side. */
float side_sign(Side side);

/* Rest position. */
vec3s bone_position(int bone);

/* MMD's name of the bone, in the arena. */
const char *bone_name(int bone, Arena *arena);

/* Bones, rigid bodies and joints of the model. */
void rig_build(PmxModel *model, Arena *arena);
