/*
 * mesh.h - what never changes of a model, in the order and shape that the GL draws fastest
 *
 * Vertices are renumbered: by kind of deformation (each kind has its own skinning program, so none
 * pays for the others), and among one kind by first use in the file's triangles, so that drawing
 * reads memory forwards.  Triangles keep the file's order, which blending makes visible. One Mesh
 * serves every scene entry of its model.  It lives in the arena; GL objects live as long as the
 * context.
 */
#ifndef RENDER_MESH_H
#define RENDER_MESH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "format/model/pmx.h"
#include "render/gl_api.h"

enum { MESH_DEFORMS = 5 }; /* PMX_BDEF1 .. PMX_QDEF */

/* Vertices [low, high), numbers as in the buffers. */
typedef struct MeshSpan {
    uint32_t low, high;
} MeshSpan;

/* Indices that are drawn in one go.  closed: from outside, the backs are hidden (closed.h). */
typedef struct MeshRun {
    uint32_t first, count;
    bool closed;
} MeshRun;

typedef struct MeshMaterial {
    GLenum mode;           /* GL_TRIANGLES; by flag GL_POINTS or GL_LINES */
    uint32_t first, count; /* in the index buffer */
    MeshRun *runs;         /* the same, in order */
    uint32_t run_count;
    MeshSpan spans[MESH_DEFORMS]; /* vertices that it draws lie in these; empty: low == high */
} MeshMaterial;

typedef struct Mesh {
    const PmxModel *pmx;
    uint32_t *place; /* [vertex_count]: number in the file -> in the buffers */
    uint32_t deform_first[MESH_DEFORMS + 1]; /* the kinds' ranges */
    MeshMaterial *materials;
    float (*positions)[3], (*uvs)[2]; /* at rest, in buffer order */
    float (*extra)[4];                /* additional UV 1; NULL when no material needs it */
    GLuint rest;                      /* MeshRest each */
    GLuint sdef;                      /* MeshSdef each of the SDEF range */
    GLuint edge_scales;               /* float each */
    float largest_edge_scale;
    GLuint indices; /* uint32_t */
} Mesh;

/* What skinning reads beside the position. */
typedef struct MeshRest {
    float normal[3];
    uint32_t bones[PMX_MAX_WEIGHTS];
    float weights[PMX_MAX_WEIGHTS];
} MeshRest;

typedef struct MeshSdef {
    float center[3], c0[3], c1[3];
} MeshSdef;

/* `scratch` is used meanwhile.  The model must outlive the mesh. */
void mesh_init(Mesh *mesh, const PmxModel *pmx, const GlApi *gl, Arena *arena, Arena *scratch);

/* A buffer of at least one byte; `data` may be NULL. */
GLuint mesh_buffer(const GlApi *gl, size_t size, const void *data, GLbitfield flags);

#endif
