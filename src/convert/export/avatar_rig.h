// SPDX-License-Identifier: MIT
/*
 * avatar_rig.h - the skeleton of MMD as that of VRM (convert/export/README.md 4)
 *
 * The bones of a rig are the nodes of the file: those of the humanoid, and others that move
 * vertices or are simulated.  Its arms are horizontal.
 */
#pragma once

#include "base/diag.h"
#include "convert/export/export.h"
#include "format/model/pmx.h"
#include "math/rotation.h"

typedef struct AvatarRig {
    PmxModel pmx;       /* the model on that skeleton, without IK, appends and bodies */
    const char **human; /* [pmx.bone_count] name of the bone in the humanoid; NULL: it is none */
    int32_t *node_of;   /* [bone_count of the model] the node that carries what the bone carried */
    int32_t *bone_of;   /* [pmx.bone_count] the model's bone */
    const PmxModel *from;
    struct AvatarTurn *turns; /* [bone_count of the model] to the T-pose */
    VrmVersion version;
} AvatarRig;

/* False after an error: a bone that VRM requires does not exist. */
bool avatar_rig_make(AvatarRig *rig, const PmxModel *from, VrmVersion version, Arena *arena,
                     Diag *diag);

/* A point or a direction that a bone of the model carries, where the rig has it. */
Vec3 avatar_rig_point(const AvatarRig *rig, int32_t bone, Vec3 point);
Vec3 avatar_rig_direction(const AvatarRig *rig, int32_t bone, Vec3 direction);
