// SPDX-License-Identifier: MIT
#include "format/model/model_file.h"

#include "format/file_kind.h"

/* The loaders of all formats, declared in their headers, too. */
#define KIND(...)
#define MODEL(load, ...) bool load(PmxModel *, Bytes, Arena *, Diag *);
#define SCENE(load, ...) bool load(PmxModel *, Bytes, const SideFiles *, Arena *, Diag *);
#define MOTION(...)
#include "format/file_kind.inc"

bool model_file_load(PmxModel *model, Bytes bytes, const char *path, const SideFiles *side,
                     Arena *arena, Diag *diag)
{
    switch (file_kind_find(bytes, path)) {
#define KIND(...)
#define MODEL(load, id, ...) \
    case FILE_##id:          \
        return load(model, bytes, arena, diag);
#define SCENE(load, id, ...) \
    case FILE_##id:          \
        return load(model, bytes, side, arena, diag);
#define MOTION(...)
#include "format/file_kind.inc"
    default:
        return diag_error(
            diag, "unknown model format: neither its first bytes nor its name are of %s",
            file_kind_extensions(FILE_AS_MODEL | FILE_AS_ACCESSORY, ".", ", ", arena));
    }
}
