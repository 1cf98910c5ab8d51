/*
 * deform.h - one model of the scene in this frame's shape: morphs, then bones, once, for every pass
 *
 * Vertex and UV morphs are added on the CPU to the vertices that they name, and those of the last
 * frame are first set back to the very bits at rest.  Bones act on the GL: transform feedback
 * writes position and normal of every vertex, in model space, to a buffer that the passes draw
 * from.  What hangs as cloth is put there as it is.
 */
#ifndef RENDER_DEFORM_H
#define RENDER_DEFORM_H

#include <stdbool.h>

#include "base/arena.h"
#include "evaluate/frame_state.h"
#include "render/gl_api.h"
#include "render/mesh.h"

/* Where the vertex shaders of the passes find what (layout locations). */
enum { DEFORM_POSITION, DEFORM_NORMAL, DEFORM_UV, DEFORM_EDGE_SCALE, DEFORM_EXTRA };

/* As transform feedback writes it. */
typedef struct DeformVertex {
    float position[3], normal[3];
} DeformVertex;

typedef struct DeformBox {
    float low[3], high[3]; /* empty: low > high */
} DeformBox;

/* Vertex values that morphs may change. */
typedef struct DeformChannel {
    float *live; /* [vertex_count][width]; NULL: the model has no such morph */
    const float *rest;
    uint32_t width;
    MeshSpan dirty; /* differs from the buffer */
    GLuint buffer;
} DeformChannel;

typedef struct Deform {
    const Mesh *mesh;
    DeformChannel positions, uvs, extra;
    bool *moved;        /* [morph_count]: acted in the frame before */
    float (*bones)[12]; /* rotation, moved position, rest position */
    GLuint bone_buffer, bone_texture;
    GLuint sources[MESH_DEFORMS]; /* vertex arrays of the skinning programs */
    GLuint skinned;               /* DeformVertex each */
    GLuint vertices;              /* vertex array of the passes */
    DeformBox *boxes;             /* of each block of vertices in this frame */
} Deform;

/* The skinning programs, one a kind of deformation; 0: no model has needed it yet. */
typedef struct DeformPrograms {
    GLuint skin[MESH_DEFORMS];
} DeformPrograms;

/* Builds those that the mesh needs.  False: told. */
bool deform_programs_add(DeformPrograms *programs, const Mesh *mesh, const GlApi *gl,
                         const char *shader_dir, Diag *diag);

void deform_init(Deform *deform, const Mesh *mesh, const GlApi *gl, Arena *arena);

void deform_upload(Deform *deform, const GlApi *gl, const ModelState *state);
void deform_skin(Deform *deform, const GlApi *gl, const DeformPrograms *programs);

/* After skinning: vertices that hang as cloth go where the cloth is. */
void deform_hang(Deform *deform, const GlApi *gl, const ModelState *state);

/* Reads the skinned vertices: boxes of blocks, from which deform_box takes those of a material. */
void deform_measure(Deform *deform, const GlApi *gl);
DeformBox deform_box(const Deform *deform, uint32_t material);

/* Positions in the file's order. */
void deform_read(float (*positions)[3], const Deform *deform, const GlApi *gl);

#endif
