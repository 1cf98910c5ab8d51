// SPDX-License-Identifier: MIT
#include "format/model/model_file.h"

#include "format/file_kind.h"
#include "format/model/gltf_scene.h"
#include "format/model/obj.h"
#include "format/model/pmd.h"
#include "format/model/vrm.h"
#include "format/model/xfile.h"

bool model_file_load(PmxModel *model, Bytes bytes, const char *path, const SideFiles *side,
                     Arena *arena, Diag *diag)
{
    switch (file_kind_find(bytes, path)) {
    case FILE_PMX:
        return pmx_load(model, bytes, arena, diag);
    case FILE_PMD:
        return pmd_load(model, bytes, arena, diag);
    case FILE_X:
        return xfile_load(model, bytes, arena, diag);
    case FILE_GLTF:
        return gltf_scene_load(model, bytes, side, arena, diag);
    case FILE_VRM:
        return vrm_load(model, bytes, side, arena, diag);
    case FILE_OBJ:
        return obj_load(model, bytes, side, arena, diag);
    default:
        return diag_error(
            diag, "unknown model format: the file starts with none of 'PMX ', 'Pmd', 'xof ' and "
                  "'glTF', and is no .gltf or .obj");
    }
}
