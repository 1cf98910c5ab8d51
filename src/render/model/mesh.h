// SPDX-License-Identifier: MIT
/*
 * mesh.h - the constant data of a model, in the order and layout that the GL draws fastest
 *
 * Vertices are sorted by kind of deformation, because each kind has its own skinning program, and
 * within a kind by first use in the triangles of the file, so that memory is read forwards.
 * Triangles keep the order of the file, which blending makes visible.  One Mesh serves all scene
 * entries of its model.  It is allocated in the arena; GL objects live as long as the context.
 */
#pragma once

#include "base/arena.h"
#include "format/model/pmx.h"
#include "render/gl/gl.h"

enum { MESH_DEFORMS = 5 }; /* PMX_BDEF1 .. PMX_QDEF */

/* Vertices [begin, end), indices into the buffers; empty: begin == end. */
typedef struct VertexRange {
    uint32_t begin, end;
} VertexRange;

void mesh_extend_range(VertexRange *range, uint32_t index);

/* Indices that one call draws.  watertight: from outside, back faces are hidden (watertight.h). */
typedef struct MeshRun {
    uint32_t first, count;
    bool watertight;
} MeshRun;

typedef struct MeshMaterial {
    GLenum mode;             /* GL_TRIANGLES; GL_POINTS or GL_LINES by material flag */
    uint32_t first, count;   /* range of the index buffer */
    uint32_t reversed_first; /* of triangles: the same range with the last triangle first */
    MeshRun *runs;           /* the same range, split; in order */
    uint32_t run_count;
    MeshRun *shape_runs; /* fewer triangles, for passes that draw only depth or one color */
    uint32_t shape_run_count;
    VertexRange ranges[MESH_DEFORMS]; /* the vertices used are inside these ranges */
} MeshMaterial;

typedef struct Mesh {
    const GlApi *gl;
    const PmxModel *pmx;
    uint32_t *buffer_index; /* [vertex_count]: index in the file -> index in the buffers */
    uint32_t deform_first[MESH_DEFORMS + 1]; /* first vertex of each kind, and the vertex count */
    MeshMaterial *materials;
    float (*positions)[3], (*uvs)[2]; /* at rest, in buffer order */
    float (*extra)[4];                /* additional UV 1; NULL if no material needs it */
    GLuint map_uvs;                   /* float[2 * PMX_MAPS] each; 0 if no material has maps */
    GLuint rest;                      /* MeshRest each */
    GLuint sdef;                      /* MeshSdef each, for the SDEF vertices */
    GLuint edge_scales;               /* float each */
    float largest_edge_scale;
    GLuint indices; /* uint32_t */
    size_t index_count;
} Mesh;

/* Inputs of skinning other than the position. */
typedef struct MeshRest {
    float normal[3];
    uint32_t bones[PMX_MAX_WEIGHTS];
    float weights[PMX_MAX_WEIGHTS];
} MeshRest;

typedef struct MeshSdef {
    float center[3], c0[3], c1[3];
} MeshSdef;

/*
 * scratch  holds temporary data
 * rigid    all vertices follow bones; otherwise shapes are not simplified, because cloth and soft
 *          bodies move vertices in other ways
 * The model must outlive the mesh.
 */
void mesh_init(Mesh *mesh, const PmxModel *pmx, bool rigid, const GlApi *gl, Arena *arena,
               Arena *scratch);
