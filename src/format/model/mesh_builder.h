// SPDX-License-Identifier: MIT
/*
 * mesh_builder.h - collects the triangles of a scene by their materials and makes a PmxModel of it
 *
 * For formats that are trees of meshes, whose materials are used in several places.  A material
 * without triangles is left out; blended materials come last, as they are drawn over the others.
 */
#pragma once

#include "format/model/pmx.h"

enum {
    MESH_MAX_VERTICES = 2 << 20, /* 216 MiB */
    MESH_MAX_INDICES = 8 << 20,
    MESH_FREE_VERTICES =
        1 << 16, /* of a small file that repeats its meshes, and more by its size */
    MESH_VERTICES_PER_BYTE = 4,
    MESH_MAX_MATERIALS = 4096 /* of a file; they are searched one by one */
};

/* MMD units in a metre: a figure of 158 cm has 20 units. */
#define MESH_UNITS_PER_METRE 12.5

typedef struct MeshMaterial {
    PmxMaterial pmx;
    int order; /* lower ones are drawn first, equal ones as in the file; 0: not blended */
    ARENA_LIST(uint32_t) indices;
} MeshMaterial;

typedef struct MeshColor {
    float rgba[4];
} MeshColor;

typedef struct MeshMapUv {
    float uv[2 * PMX_MAPS]; /* as PmxModel.map_uv */
} MeshMapUv;

typedef struct MeshBuilder {
    ARENA_LIST(PmxVertex) vertices;
    ARENA_LIST(MeshColor) colors;  /* as many as vertices, or none */
    ARENA_LIST(MeshMapUv) map_uvs; /* the same */
    MeshMaterial *materials;
    uint32_t material_count;
    ARENA_LIST(PmxTexture) textures;
    uint32_t index_count; /* of all materials */
    uint64_t bytes;       /* of a file that may repeat its meshes; 0: others */
    Arena *scratch;       /* of the lists */
} MeshBuilder;

/* How a material appears in MMD's light, which is 154 / 255 by default. */
typedef enum MeshShading {
    MESH_TOON,    /* figures: the color itself, which a toon darkens */
    MESH_LAMBERT, /* scenes: 0.6 of the color without light, all of it where a surface faces it */
    MESH_UNLIT
} MeshShading;

/* Sets diffuse and ambient of a material by its color, as stored. */
void mesh_set_light(PmxMaterial *material, MeshShading shading, const float color[3]);

/* Adds what a material emits, in linear light. */
void mesh_set_emission(PmxMaterial *material, const float emission[3]);

/* A white material without a texture.  It receives shadows and casts none, as a ceiling would shade
 * the whole room. */
PmxMaterial mesh_material_default(const char *name);

/* The texture with these properties, added if there is none yet. */
int32_t mesh_add_texture(MeshBuilder *b, PmxTexture texture);

/* Adds a vertex, with its color if `color` is not NULL, and with its coordinates in maps if
 * `map_uv` is not NULL.  Where others have them, the color is white and the coordinates are 0. */
void mesh_add_vertex(MeshBuilder *b, const PmxVertex *vertex, const float color[4],
                     const float map_uv[2 * PMX_MAPS]);

/* False, after an error, if so many more vertices or indices exceed the limits. */
bool mesh_check_size(const MeshBuilder *b, uint64_t vertices, uint64_t indices, Diag *diag);

/* Adds a triangle, whose corners appear clockwise from its front. */
void mesh_add_triangle(MeshBuilder *b, uint32_t material, const uint32_t corners[3]);

/* Sets vertices, indices, materials and textures of the model. */
void mesh_finish(PmxModel *model, const MeshBuilder *b, Arena *arena);

/* The model of a scene: one bone moves all; repaired as pmx_repair.h describes. */
void mesh_finish_scene(PmxModel *model, const MeshBuilder *b, Arena *arena, Diag *diag);
