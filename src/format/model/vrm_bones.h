// SPDX-License-Identifier: MIT
/*
 * vrm_bones.h - the nodes of a VRM figure as bones with MMD's standard names
 *
 * Bones of the humanoid get the names that motions use; centers, waist, twists, leg IK and the bone
 * of both eyes are added, as a VRM has none (format/model/README.md 9).  Other nodes keep their
 * names. The arms are turned from the T-pose of VRM to the A-pose of MMD.
 */
#pragma once

#include "format/gltf/gltf_read.h"
#include "format/model/pmx.h"

/* Which arm a node belongs to. */
typedef enum VrmArm { VRM_NO_ARM, VRM_LEFT_ARM, VRM_RIGHT_ARM } VrmArm;

/* How an arm is turned: about z, through its first joint. */
typedef struct VrmTurn {
    Vec3 pivot;
    double sine, cosine;
} VrmTurn;

enum {
    VRM_TWIST_PARTS = 4, /* of an arm, each with a part of the twist */
    VRM_MAX_TWISTS = 4
};

/* Between two joints of an arm: `arm` carries what does not twist; `twist` all of it, and the bones
 * after it a quarter, a half and three quarters. */
typedef struct VrmTwist {
    int32_t arm, twist; /* bones */
    Vec3 from, to;
} VrmTwist;

typedef struct VrmBones {
    uint32_t *order; /* [order_count] nodes, each after its parent; those in loops are omitted */
    uint32_t order_count;
    int32_t *bone_of; /* [node_count] of each node; that of nodes above the hips is 0 */
    uint8_t *arm_of;  /* [node_count] VrmArm */
    VrmTurn turn[3];  /* by VrmArm */
    VrmTwist twists[VRM_MAX_TWISTS];
    uint32_t twist_count;
} VrmBones;

/* [node_count] the name of the humanoid bone of each node, or NULL; NULL after an error.
 * humanoid: the list of VRM 0.x or the object of VRM 1.0; older: it is 0.x */
const char **vrm_bones_name_nodes(const GltfFile *file, const JsonValue *humanoid, bool older,
                                  Arena *arena, Diag *diag);

/* human: the names of the nodes; older: it is 0.x;
 * eyes: where their middle is in the space of the head, if expressions follow them, so that the
 * bones of eyes exist in any case; else NULL */
bool vrm_bones_make(PmxModel *model, VrmBones *out, const GltfFile *file, const GltfMatrix *world,
                    const char *const *human, bool older, const Vec3 *eyes, Arena *arena,
                    Diag *diag);

/* What the readers of springs, constraints and looks need of a figure. */
typedef struct VrmFigure {
    const GltfFile *file;
    const GltfMatrix *world; /* [node_count] */
    const VrmBones *bones;
    const PmxModel *model;      /* with its bones and morphs */
    const JsonValue *extension; /* VRM or VRMC_vrm */
    bool older;
    Arena *arena, *scratch;
    Diag *diag;
} VrmFigure;

/* The place and the direction in the A-pose of something that a node carries. */
Vec3 vrm_turn_point(const VrmBones *bones, int32_t node, Vec3 point);
Vec3 vrm_turn_direction(const VrmBones *bones, int32_t node, Vec3 direction);
