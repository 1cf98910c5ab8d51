/*
 * vrm_bones.h - the nodes of a VRM figure as bones with MMD's standard names
 *
 * Bones of the humanoid get the names that motions use; centers, twists, leg IK and the bone of
 * both eyes are added, as a VRM has none (format/model/README.md 9).  Other nodes keep their names.
 * The arms are turned from the T-pose of VRM to the A-pose of MMD.
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

typedef struct VrmBones {
    int32_t *bone_of; /* [node_count] of each node */
    uint8_t *arm_of;  /* [node_count] VrmArm */
    VrmTurn turn[3];  /* by VrmArm */
} VrmBones;

/* humanoid: the list of VRM 0.x or the object of VRM 1.0; older: it is 0.x */
bool vrm_bones_make(PmxModel *model, VrmBones *out, const GltfFile *file, const GltfMatrix *world,
                    const JsonValue *humanoid, bool older, Arena *arena, Diag *diag);

/* The place and the direction in the A-pose of something that a node carries. */
Vec3 vrm_turn_point(const VrmBones *bones, int32_t node, Vec3 point);
Vec3 vrm_turn_direction(const VrmBones *bones, int32_t node, Vec3 direction);
