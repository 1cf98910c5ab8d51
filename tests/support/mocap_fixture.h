// SPDX-License-Identifier: MIT
/*
 * mocap_fixture.h - small skeletons with motion capture, and models of bones alone, for tests
 *
 * Skeletons have the axes of most BVH files: +y up, facing +z, left is +x; so z changes its sign in
 * MMD.  The standard figure and the standard model have the same proportions; the model is as
 * large.
 */
#ifndef SUPPORT_MOCAP_FIXTURE_H
#define SUPPORT_MOCAP_FIXTURE_H

#include "format/model/pmx.h"
#include "format/motion/bvh.h"
#include "scene/mocap/mocap.h"

typedef struct RigJoint {
    const char *name;
    int parent; /* index; -1: a root */
    double offset[3];
} RigJoint;

/* Every joint has the channels Z X Y of rotation, roots those of their position, too; all are 0. */
typedef struct Rig {
    Mocap mocap;
    BvhMotion bvh;
} Rig;

void rig_create(Rig *rig, const RigJoint *joints, uint32_t count, uint32_t frames, Arena *arena);

/* Hips, spine, neck, head, arms and legs with toes, all parts straight: a T-pose. */
void rig_create_standard(Rig *rig, uint32_t frames, Arena *arena);

int32_t rig_find(const Rig *rig, const char *joint);

/* Sets a channel of a frame: axis 0..2, degrees; and the position of the root. */
void rig_turn(Rig *rig, uint32_t frame, const char *joint, int axis, double degrees);
void rig_move(Rig *rig, uint32_t frame, double x, double y, double z);

typedef struct ModelBone {
    const char *name;
    int parent;
    float position[3];
} ModelBone;

void bones_create(PmxModel *model, const ModelBone *bones, uint32_t count, Arena *arena);

/* The bones of the standard figure, with センター, IK of feet and toes. */
void bones_create_standard(PmxModel *model, Arena *arena);

int32_t bones_find(const PmxModel *model, const char *name);

/* Gives a bone IK with one link or two. */
void bones_add_ik(PmxModel *model, const char *name, const char *effector, const char *link,
                  const char *link2, Arena *arena);

#endif
