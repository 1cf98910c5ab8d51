// SPDX-License-Identifier: MIT
/*
 * ik_chain.h - chains of inverse kinematics: links, their limits, and the bones that they move
 *
 * The links of a chain are rotated so that its effector reaches the goal, the IK bone (ik.h).
 */
#pragma once

#include "evaluate/pose.h"

typedef enum IkLinkKind {
    IK_FREE,
    IK_FIXED_AXIS, /* rotates about `axis` only */
    IK_HINGE,      /* limits allow one coordinate axis: `axis_index` */
    IK_LIMITED,    /* limits on several axes */
    IK_RIGID       /* limits allow no rotation */
} IkLinkKind;

typedef struct IkLink {
    uint32_t bone;
    uint32_t path_index; /* index in the path of the chain */
    IkLinkKind kind;
    int axis_index; /* axis of IK_HINGE: 0 x, 1 y, 2 z */
    Vec3 axis;      /* unit, in the bone's own space: of IK_FIXED_AXIS and IK_HINGE */
    bool limited;
    double lower[3], upper[3];

    /* while solving */
    Quat best;
    double angle; /* IK_HINGE: the complete rotation about its axis */
} IkLink;

struct IkChain {
    uint32_t goal, effector;
    double unit_angle; /* maximal rotation of one step; 0: no limit */
    int32_t loops;
    IkLink *links; /* nearest to the effector first; only its ancestors */
    uint32_t link_count;
    uint32_t *path; /* from the topmost link down to the effector */
    uint32_t path_count;
    uint32_t
        *below; /* other descendants of links that precede the goal in the order, parents first */
    uint32_t below_count;
};

/* The chain of an IK bone.  order_index: [bone_count] of each bone in the transform order. */
void ik_chain_create(IkChain *chain, const Model *model, uint32_t ik_bone,
                     const uint32_t *order_index, Arena *arena);
