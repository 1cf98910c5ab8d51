// SPDX-License-Identifier: MIT
/*
 * vrm_rig.h - what moves the bones of a VRM figure besides its motion, and the rules of its
 * expressions (format/model/README.md 9)
 *
 * Everything is in the space and the units of MMD, at rest in the A-pose.  Indices are in range;
 * floats are finite and within PMX_MAX_VALUE.  The evaluation is in evaluate/vrm/.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

typedef enum VrmShape { VRM_SPHERE, VRM_CAPSULE, VRM_PLANE } VrmShape;

typedef struct VrmCollider {
    int32_t bone;
    uint8_t shape;   /* VrmShape */
    bool inside;     /* keeps springs inside of the sphere or the capsule */
    float offset[3]; /* from the bone: the center, or the start of the capsule */
    float end[3];    /* capsule: from the start to the end; plane: its normal, of unit length */
    float radius;
} VrmCollider;

/* A bone that swings. */
typedef struct VrmJoint {
    int32_t bone;
    int32_t center; /* inertia is relative to this bone; -1: to the world */
    float tail[3];  /* from the bone to its end; not zero */
    float radius;   /* of the end, for collisions */
    float stiffness;
    float drag; /* part of the speed that is lost in a tick, 0..1 */
    float gravity[3];
    const uint32_t *colliders; /* [collider_count] */
    uint32_t collider_count;
} VrmJoint;

typedef enum VrmConstraintKind { VRM_ROLL, VRM_AIM, VRM_ROTATION } VrmConstraintKind;

/* A node at rest: the bone is turned by `world` from the axes of the node. */
typedef struct VrmNodeRest {
    int32_t bone;
    int32_t parent; /* the bone of the node above, or -1 */
    float world[4], parent_world[4];
    float local[4]; /* in the T-pose, relative to the node above */
} VrmNodeRest;

typedef struct VrmConstraint {
    uint8_t kind; /* VrmConstraintKind */
    VrmNodeRest node, source;
    float axis[3]; /* roll, aim: of the node */
    float weight;  /* 0..1 */
} VrmConstraint;

/* What an expression does to others. */
typedef enum VrmOverride { VRM_KEEP, VRM_BLOCK, VRM_BLEND } VrmOverride;

/* The kinds of expressions that others override; VRM_OTHER is none of them. */
typedef enum VrmPart { VRM_BLINK, VRM_LOOK, VRM_MOUTH, VRM_OTHER } VrmPart;

typedef struct VrmExpression {
    bool is_binary;
    uint8_t part;                 /* VrmPart */
    uint8_t overrides[VRM_OTHER]; /* VrmOverride of each part */
} VrmExpression;

typedef enum VrmDirection { VRM_LEFT, VRM_RIGHT, VRM_DOWN, VRM_UP, VRM_DIRECTIONS } VrmDirection;

/* Expressions that follow the eye bones. */
typedef struct VrmLookAt {
    int32_t both, eye[2];          /* bones 両目, 左目 and 右目; -1: missing */
    int32_t morph[VRM_DIRECTIONS]; /* -1: missing; all of them: eyes only turn */
    float range[VRM_DIRECTIONS];   /* radians, positive: the angle at which the weight is `most` */
    float most[VRM_DIRECTIONS];
} VrmLookAt;

typedef struct VrmRig {
    const VrmCollider *colliders;
    uint32_t collider_count;
    const VrmJoint *joints; /* at most one of each bone */
    uint32_t joint_count;
    const VrmConstraint *constraints; /* at most one of each bone */
    uint32_t constraint_count;
    const VrmExpression *expressions; /* of the first morphs of the model */
    uint32_t expression_count;
    VrmLookAt look_at;
} VrmRig;
