// SPDX-License-Identifier: MIT
/*
 * deform.h - the shape of one model in the current frame: morphs, then bones, once for all passes
 *
 * Vertex and UV morphs are added on the CPU to the vertices that they name; vertices changed in the
 * previous frame are first restored to the exact rest values.  Bones are applied on the GL by
 * transform feedback, which writes position and normal of every vertex, in model space, to the
 * buffer that all passes draw from.  Cloth vertices are overwritten with simulated positions.
 *
 * Of a stage only the vertices of parts that move are skinned again.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "evaluate/frame_state.h"
#include "render/model/bounding_box.h"
#include "render/model/mesh.h"
#include "render/model/part.h"

/* Attribute locations of the vertex shaders of all passes. */
enum {
    DEFORM_POSITION,
    DEFORM_NORMAL,
    DEFORM_UV,
    DEFORM_EDGE_SCALE,
    DEFORM_EXTRA,
    DEFORM_MAP_UV = 7
};
enum { DEFORM_SKINNED }; /* their vertex buffer binding of a shape */

/* One vertex as transform feedback writes it. */
typedef struct DeformVertex {
    float position[3], normal[3];
} DeformVertex;

/* Vertex values that morphs may change. */
typedef struct DeformChannel {
    float *live; /* [vertex_count][width]; NULL if the model has no morph of this type */
    const float *rest;
    uint32_t width;
    VertexRange dirty; /* vertices that differ from the buffer */
    GLuint buffer;
} DeformChannel;

/* A skinned shape, and what it was made of. */
typedef struct DeformShape {
    GLuint buffer;     /* DeformVertex each; 0 before it is needed */
    bool valid;        /* the buffer has the shape of the following; never with cloth */
    float *weights;    /* [morph_count] */
    float (*bones)[7]; /* [bone_count] rotation, position */
} DeformShape;

/* The shape of the frame, and those of two other moments for motion (motion.h). */
enum { DEFORM_SHAPES = 3 };

typedef struct Deform {
    const Mesh *mesh;
    DeformChannel positions, uvs, extra;
    bool *was_active; /* [morph_count]: the morph was applied to what was uploaded last */
    bool current;     /* own shape and bounds are those of the frame */
    Parts *parts;     /* of a stage; NULL: all of the model moves together */
    bool any_moved;   /* Part.moved of some part */
    bool partial;     /* only the vertices of parts that moved are to be skinned */
    bool *moved;      /* [bone_count] with parts: differs from the own shape */
    uint8_t *touched; /* [vertex_count] with parts: named by a morph whose weight differs from that
                         of the own shape; 0 between calls */
    float (*bones)[12]; /* rotation, current position, rest position */
    GLuint bone_buffer, bone_texture;
    GLuint sources[MESH_DEFORMS]; /* vertex arrays of the skinning programs */
    DeformShape shapes[DEFORM_SHAPES];
    int own;            /* index of the shape that the passes draw */
    GLuint vertices;    /* vertex array of the passes */
    BoundingBox *boxes; /* bounds of each block of vertices in the current frame */
} Deform;

/* The skinning programs, one per kind of deformation; 0 until a model needs it. */
typedef struct DeformPrograms {
    GLuint skin[MESH_DEFORMS];
} DeformPrograms;

/* Builds the programs that the mesh needs.  Returns false after an error was reported. */
bool deform_programs_add(DeformPrograms *programs, const Mesh *mesh, const char *shader_dir,
                         Diag *diag);

/* The mesh must outlive it.  in_parts: parts of the model may move alone */
void deform_init(Deform *deform, const Mesh *mesh, bool in_parts, Arena *arena);

/* Uploads morphs and bones, then skins.  A shape that is equal to that of the frame before stays:
 * `current` remains true, and the following calls do nothing.  One that another moment left is
 * taken instead of skinned again; its vertices are the same. */
void deform_upload(Deform *deform, const ModelState *state);
void deform_skin(Deform *deform, const DeformPrograms *programs);

/* Overwrites cloth vertices with their simulated positions.  Call it after deform_skin. */
void deform_apply_cloth(Deform *deform, const ModelState *state);

/* Reads the skinned vertices back and updates the bounds that deform_bounds returns. */
void deform_update_bounds(Deform *deform);
BoundingBox deform_bounds(const Deform *deform, uint32_t material);

/* The index of a shape that is that of the state, or -1; that of the frame is found first. */
int deform_find_shape(const Deform *deform, const ModelState *state);

/* Skins the shape of another state, with cloth, instead of that with an index that is not `own`.
 * deform_restore must follow, with the state of the own shape. */
void deform_skin_other(Deform *deform, const DeformPrograms *programs, const ModelState *state,
                       int index);
void deform_restore(Deform *deform, const ModelState *state);

/* The vertices of the own shape, DeformVertex each. */
GLuint deform_buffer(const Deform *deform);

/* The indices and the skinned vertices, for what the CPU computes from them, until deform_unmap,
 * which must follow.  Returns false without memory. */
bool deform_map(const Deform *deform, const uint32_t **indices, const DeformVertex **vertices);
void deform_unmap(const Deform *deform);

/* Texture coordinates of all vertices, two each, in buffer order. */
const float *deform_uvs(const Deform *deform);

/* A vertex array with the attributes of the passes at the locations of DEFORM_POSITION ... */
GLuint deform_vertex_array(const Deform *deform);

/* Adds an attribute of floats from a vertex buffer binding to a vertex array. */
void deform_attribute(const GlApi *gl, GLuint array, GLuint location, GLuint binding, GLint width,
                      size_t offset);

/* Copies the skinned positions, in the vertex order of the file. */
void deform_read_positions(float (*positions)[3], const Deform *deform);
