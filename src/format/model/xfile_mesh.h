// SPDX-License-Identifier: MIT
/*
 * xfile_mesh.h - a Mesh of a DirectX file, and its conversion to vertices
 *
 * A Mesh has one list of faces with indices of positions and another with indices of normals;
 * texture coordinates belong to positions.  Each pair of position and normal becomes a vertex.
 */
#pragma once

#include "format/model/pmx.h"
#include "format/model/xfile_lexer.h"

typedef struct XFaces {
    uint32_t count;
    uint32_t *first;              /* [count + 1]: index of the first corner of each face */
    ARENA_LIST(uint32_t) corners; /* may be out of range, e.g. XFILE_NO_INDEX */
} XFaces;

typedef struct XMesh {
    float (*positions)[3], (*normals)[3], (*uvs)[2];
    uint32_t position_count, normal_count, uv_count;
    XFaces faces, normal_faces;
    uint32_t *slots; /* material slot of each face; the last one applies to all further faces */
    uint32_t slot_count;
    uint32_t material_count; /* number of material slots, at least 1 */
} XMesh;

typedef struct XShape { /* all Meshes of the model */
    ARENA_LIST(PmxVertex) vertices;
    ARENA_LIST(uint32_t) indices;
} XShape;

/* Read the data of a block up to its first member or its end.  False after an error. */
bool xfile_mesh_read(XMesh *mesh, XLexer *lex, Arena *arena);
bool xfile_mesh_read_normals(XMesh *mesh, XLexer *lex, Arena *arena);
bool xfile_mesh_read_uvs(XMesh *mesh, XLexer *lex, Arena *arena);
bool xfile_mesh_read_slots(XMesh *mesh, XLexer *lex, Arena *arena);

/*
 * Appends the Mesh to the shape, its triangles in the order of their materials.
 *
 * index_counts   [mesh->material_count], set to the number of indices of each material
 */
void xfile_mesh_build(XShape *shape, uint32_t *index_counts, XMesh *mesh, Arena *arena,
                      Arena *scratch, Diag *diag);
