/*
 * vrm_springs.h - rigid bodies and joints as spring bones (convert/export/README.md 4.1)
 *
 * Lengths in MMD units, as in the rig; stiffness, drag and gravity as VRM defines them.
 */
#pragma once

#include "convert/export/vrm_rig.h"

typedef struct VrmJoint {
    int32_t node;
    float radius, stiffness, drag, gravity;
} VrmJoint;

typedef struct VrmSpring {
    const char *name;
    uint32_t first, count; /* in `joints`; the last one is the end, which only has a node */
    uint16_t mask;         /* groups of colliders that it hits, a bit each */
} VrmSpring;

typedef struct VrmCollider { /* a capsule, or a sphere if both ends are the same */
    int32_t node;
    float ends[2][3]; /* from the node */
    float radius;
    uint8_t group; /* 0..15 */
} VrmCollider;

typedef struct VrmSprings {
    ARENA_LIST(VrmJoint) joints;
    ARENA_LIST(VrmSpring) springs;
    ARENA_LIST(VrmCollider) colliders;
} VrmSprings;

/* Adds the ends of chains to the nodes of the rig. */
void vrm_springs_make(VrmSprings *springs, VrmRig *rig, Arena *arena);
