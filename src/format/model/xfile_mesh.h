/*
 * xfile_mesh.h - one Mesh of a DirectX file, and how its corners become vertices
 *
 * A Mesh has one list of faces over its positions and another over its normals; texture places go
 * with positions.  A vertex is made for each pair of position and normal that a corner names.
 */
#ifndef FORMAT_MODEL_XFILE_MESH_H
#define FORMAT_MODEL_XFILE_MESH_H

#include "format/model/pmx.h"
#include "format/model/xfile_lexer.h"

typedef struct XFaces {
    uint32_t count;
    uint32_t *first; /* [count + 1]: where each face's corners begin */
    struct {
        uint32_t *items; /* XFILE_NO_INDEX and numbers beyond the list may be among them */
        size_t count, room;
    } corners;
} XFaces;

typedef struct XMesh {
    float (*positions)[3], (*normals)[3], (*uvs)[2];
    uint32_t position_count, normal_count, uv_count;
    XFaces faces, normal_faces;
    uint32_t *slots; /* of each face among the Mesh's materials; the last goes for the rest */
    uint32_t slot_count;
    uint32_t material_count; /* how many slots there are, at least 1 */
} XMesh;

typedef struct XShape { /* all Meshes, as the model will have them */
    struct {
        PmxVertex *items;
        size_t count, room;
    } vertices;
    struct {
        uint32_t *items;
        size_t count, room;
    } indices;
} XShape;

/* What stands in the blocks of these names, up to their first member or their end.  False: told. */
bool xfile_mesh_read(XMesh *mesh, XLexer *lex, Arena *arena);
bool xfile_mesh_read_normals(XMesh *mesh, XLexer *lex, Arena *arena);
bool xfile_mesh_read_uvs(XMesh *mesh, XLexer *lex, Arena *arena);
bool xfile_mesh_read_slots(XMesh *mesh, XLexer *lex, Arena *arena);

/*
 * Appends the Mesh to the shape, its triangles in the order of their materials.
 *
 * index_counts   [mesh->material_count], comes back with the number of indices of each
 */
void xfile_mesh_build(XShape *shape, uint32_t *index_counts, XMesh *mesh, Arena *arena,
                      Arena *scratch, Diag *diag);

#endif
