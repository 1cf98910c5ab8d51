// SPDX-License-Identifier: MIT
#include "scene/mocap/mocap.h"

#include "format/motion/bvh.h"
#include "format/motion/fbx.h"
#include "format/motion/gltf_motion.h"
#include "format/motion/smpl.h"

_Static_assert((int)MOCAP_UP_MINUS_Y == (int)SMPL_UP_MINUS_Y, "the same axes");

FileKind mocap_kind(Bytes bytes)
{
    const FileKind kind = file_kind_of_bytes(bytes);
    if (file_kinds[kind].uses & FILE_AS_CAPTURE)
        return kind;
    return bytes.size && bytes.data[0] == '{' ? FILE_VRMA : FILE_UNKNOWN; /* .gltf */
}

bool mocap_load(Mocap *mocap, Bytes bytes, const MocapOptions *options, Arena *arena, Diag *diag)
{
    const FileKind kind = mocap_kind(bytes);
    if (kind != FILE_NPZ && options->up != MOCAP_UP_AUTO)
        return diag_error(diag, "the axes of the file are known: 'up' is for .npz");
    if (kind == FILE_BVH && options->take)
        return diag_error(diag, "the file has no takes: take '%s' is for .fbx and .glb",
                          options->take);
    const bool good = kind == FILE_FBX    ? fbx_load(mocap, bytes, options->take, arena, diag)
                      : kind == FILE_VRMA ? gltf_motion_load(mocap, bytes, options->take,
                                                             &options->side, arena, diag)
                      : kind == FILE_NPZ
                          ? smpl_load(mocap, bytes, options->take, (SmplUp)options->up, arena, diag)
                          : bvh_load(mocap, bytes, arena, diag);
    mocap->kind = kind;
    return good;
}
