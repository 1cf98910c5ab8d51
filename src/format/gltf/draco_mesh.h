// SPDX-License-Identifier: MIT
/*
 * draco_mesh.h - the triangles and attributes of a mesh that Draco compressed
 *
 * The only user of the library, which is C++; without it, draco_mesh_version returns NULL.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/file.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct DracoAttribute {
    uint32_t id, components;
    float scale;   /* of whole numbers, whose products are at least -1; 0: as they are */
    float *values; /* [point_count * components] filled; floats are not checked */
} DracoAttribute;

typedef struct DracoMesh {
    uint32_t index_count, point_count; /* for which there is room; then those of the mesh */
    float *indices;                    /* [index_count] filled */
    const DracoAttribute *attributes;
    uint32_t attribute_count;
} DracoMesh;

/* Returns NULL, or what is wrong with the bytes.  Memory is at most 1000 bytes for each index, of
 * which a mesh has at most 2^16 and 12 for each byte. */
const char *draco_mesh_read(DracoMesh *mesh, Bytes bytes);

const char *draco_mesh_version(void);

#ifdef __cplusplus
}
#endif
