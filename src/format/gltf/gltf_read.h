// SPDX-License-Identifier: MIT
/*
 * gltf_read.h - a glTF 2.0 file, as .glb or .gltf: its JSON as a tree, its nodes and its buffers
 *
 * Indices of nodes, meshes and skins are as in the file, and not checked unless a field says so;
 * -1 stands for none.  Everything but the binary chunk of a .glb is in the arena; the bytes of the
 * file must live as long as the GltfFile.
 */
#pragma once

#include "format/side_files.h"
#include "math/rotation.h"
#include "record/json_read.h"

/* Columns: the images of x, y and z, then the translation. */
typedef struct GltfMatrix {
    double m[12];
} GltfMatrix;

typedef struct GltfNode {
    const char *name;
    int32_t parent; /* an index of a node, or -1; parents may form a loop */
    Vec3 translation, scale;
    Quat rotation;    /* normalized */
    GltfMatrix local; /* the same, or the matrix of the file, which may also shear */
    int32_t mesh, skin;
} GltfNode;

typedef struct GltfAccessor GltfAccessor;

typedef struct GltfFile {
    const JsonValue *root;
    GltfNode *nodes;
    uint32_t node_count;
    Bytes *buffers;
    uint32_t buffer_count;
    Bytes *views;            /* of each buffer view that was compressed; NULL without any */
    GltfAccessor *accessors; /* gltf_values.c */
    uint32_t accessor_count;
    uint64_t bytes;    /* of the JSON text and of all buffers */
    uint64_t unpacked; /* bytes of what was compressed */
    uint64_t loaded;   /* numbers that gltf_values converted */
    Arena *arena;
} GltfFile;

enum { GLTF_MAX_VALUE = 1000000 }; /* magnitude of translations, scales and floats of accessors */

/* What may be made of a file by references to the same bytes: `most`, or less for a small one. */
uint64_t gltf_limit(const GltfFile *file, uint64_t most);

bool gltf_read(GltfFile *file, Bytes bytes, const SideFiles *side, Arena *arena, Diag *diag);

/* The bytes of a buffer view; false after an error. */
bool gltf_view(Bytes *out, const GltfFile *file, int32_t view, Diag *diag);

/* Vectors of an accessor, one after the other. */
typedef struct GltfValues {
    const float *items; /* finite; floats are within GLTF_MAX_VALUE */
    uint32_t count;     /* number of vectors */
    uint32_t components;
} GltfValues;

/* Numbers of an accessor of vectors or matrices with so many components; 0: with any number.  An
 * accessor is converted once.  Whole numbers below 2^24 are exact, larger ones are rounded. */
bool gltf_values(GltfValues *out, GltfFile *file, int32_t accessor, uint32_t components,
                 Diag *diag);

/* Decodes "%20" and the like; what an `uri` names, if it holds no data itself. */
const char *gltf_uri_name(const char *uri, Arena *arena);

/* The bytes of a "data:" URI, in the arena; false if it is none, or no base64. */
bool gltf_uri_data(Bytes *out, const char *uri, Arena *arena);

/* Scaled, then turned, then moved. */
GltfMatrix gltf_matrix_of(Vec3 translation, Quat rotation, Vec3 scale);

GltfMatrix gltf_matrix_mul(GltfMatrix a, GltfMatrix b);
Vec3 gltf_matrix_apply(const GltfMatrix *m, Vec3 p);

/* [node_count] each node to the world; nodes in a loop of parents have their local matrix. */
GltfMatrix *gltf_world(const GltfFile *file, Arena *arena);
