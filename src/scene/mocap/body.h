// SPDX-License-Identifier: MIT
/*
 * body.h - the parts of a body by the names of bones in common skeletons (scene/mocap/README.md 2)
 */
#pragma once

#include "format/model/pmx.h"
#include "scene/mocap/mocap.h"

/* Parts of the right side follow those of the left side in the same order. */
typedef enum BodyPart {
    BODY_HIPS,
    BODY_SPINE,
    BODY_CHEST,
    BODY_NECK,
    BODY_HEAD,
    BODY_SHOULDER,
    BODY_ARM,
    BODY_ELBOW,
    BODY_HAND,
    BODY_LEG,
    BODY_KNEE,
    BODY_FOOT,
    BODY_TOE,
    BODY_FINGERS, /* thumb, index, middle, ring, little; three joints each, from the hand */
    BODY_RIGHT = BODY_FINGERS + 15,
    BODY_PARTS = BODY_RIGHT + BODY_RIGHT - BODY_SHOULDER
} BodyPart;

enum { BODY_SIDE = BODY_RIGHT - BODY_SHOULDER, BODY_THUMB = 0, BODY_MIDDLE = 2 };

/* The same part of the right side, if `right`. */
static inline BodyPart body_side(BodyPart left, bool right)
{
    return right ? (BodyPart)(left + BODY_SIDE) : left;
}

/* finger 0..4, from the thumb; joint 0..2, from the hand */
static inline BodyPart body_finger(int finger, int joint, bool right)
{
    return body_side((BodyPart)(BODY_FINGERS + 3 * finger + joint), right);
}

/* Index of the joint, or of the bone, that moves each part; -1: none. */
void body_find_joints(int32_t joints[BODY_PARTS], const Mocap *mocap);
void body_find_bones(int32_t bones[BODY_PARTS], const PmxModel *model);

/* The name of the first part that is needed and not found: hips, legs, knees, feet; NULL if all
 * are. */
const char *body_missing(const int32_t parts[BODY_PARTS]);

/* By its exact name; or -1. */
int32_t body_find_bone(const PmxModel *model, const char *name);

/* Between two bones at rest. */
double body_distance(const PmxModel *model, int32_t a, int32_t b);

/* Whether the IK turns a bone. */
bool body_has_link(const PmxIk *ik, int32_t bone);

/* The bone with the IK of the ankle that turns the leg; or -1. */
int32_t body_find_foot_ik(const PmxModel *model, const int32_t bones[BODY_PARTS], bool right);

/* Whether it is the IK of an ankle, or of toes, which turns the foot alone. */
bool body_is_foot_ik(const PmxIk *ik, const int32_t bones[BODY_PARTS]);
