// SPDX-License-Identifier: MIT
/*
 * mocap.h - motion capture of any format, and how it moves a model
 */
#pragma once

#include "format/motion/mocap.h"
#include "format/side_files.h"
#include "scene/scene_options.h"

/* How motion capture is read, and how it moves a model. */
typedef struct MocapOptions {
    SideFiles side; /* of glTF: its buffers (scene/asset_files.h) */
    const char
        *take; /* of FBX, glTF and SMPL: the name of the take; NULL: the first that moves a joint */
    MocapUp up; /* of SMPL */
    MocapLegs legs;
} MocapOptions;

/* FILE_BVH, FILE_FBX, FILE_NPZ, FILE_VRMA (any glTF file), by the first bytes; or FILE_UNKNOWN. */
FileKind mocap_kind(Bytes bytes);

/* An option that is not for this format is an error. */
bool mocap_load(Mocap *mocap, Bytes bytes, const MocapOptions *options, Arena *arena, Diag *diag);
