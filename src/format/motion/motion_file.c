// SPDX-License-Identifier: MIT
#include "format/motion/motion_file.h"

#include "format/file_kind.h"

/* The loaders of all formats, declared in their headers, too. */
#define KIND(...)
#define MODEL(...)
#define SCENE(...)
#define MOTION(load, ...) bool load(VmdMotion *, Bytes, Arena *, Diag *);
#include "format/file_kind.inc"

bool motion_file_load(VmdMotion *motion, Bytes bytes, Arena *arena, Diag *diag)
{
    switch (file_kind_of_bytes(bytes)) {
#define KIND(...)
#define MODEL(...)
#define SCENE(...)
#define MOTION(load, id, ...) \
    case FILE_##id:           \
        return load(motion, bytes, arena, diag);
#include "format/file_kind.inc"
    default:
        return diag_error(diag, "neither a VMD motion nor a VPD pose");
    }
}
