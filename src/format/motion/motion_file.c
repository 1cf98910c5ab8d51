// SPDX-License-Identifier: MIT
#include "format/motion/motion_file.h"

#include "format/file_kind.h"
#include "format/motion/vpd.h"

bool motion_file_load(VmdMotion *motion, Bytes bytes, Arena *arena, Diag *diag)
{
    switch (file_kind_of_bytes(bytes)) {
    case FILE_VMD:
        return vmd_load(motion, bytes, arena, diag);
    case FILE_VPD:
        return vpd_load(motion, bytes, arena, diag);
    default:
        return diag_error(diag, "neither a VMD motion nor a VPD pose");
    }
}
