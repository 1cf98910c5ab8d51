// SPDX-License-Identifier: MIT
/*
 * avatar_springs.h - rigid bodies and joints as spring bones (convert/export/README.md 4.1)
 *
 * Lengths in MMD units, as in the rig; stiffness, drag and gravity as VRM defines them.
 */
#pragma once

#include "convert/export/avatar_rig.h"

typedef struct AvatarJoint {
    int32_t node;
    float radius, stiffness, drag, gravity;
} AvatarJoint;

typedef struct AvatarSpring {
    const char *name;
    uint32_t first, count; /* in `joints`; the last one is the end, which only has a node */
    uint16_t mask;         /* groups of colliders that it hits, a bit each */
} AvatarSpring;

typedef struct AvatarCollider { /* a capsule, or a sphere if both ends are the same */
    int32_t node;
    float ends[2][3]; /* from the node */
    float radius;
    uint8_t group; /* 0..15 */
} AvatarCollider;

typedef struct AvatarSprings {
    ARENA_LIST(AvatarJoint) joints;
    ARENA_LIST(AvatarSpring) springs;
    ARENA_LIST(AvatarCollider) colliders;
} AvatarSprings;

/* Adds the ends of chains to the nodes of the rig. */
void avatar_springs_make(AvatarSprings *springs, AvatarRig *rig, Arena *arena);
