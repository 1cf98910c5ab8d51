/*
 * gltf_read.h - what animations need of a binary glTF 2.0 file: nodes, one animation, humanoid
 * bones of VRMC_vrm_animation
 *
 * Indices are as in the file, and not checked unless a field says so.  Texts are in the arena.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "math/rotation.h"

typedef struct GltfNode {
    int32_t parent; /* an index of a node, or -1; parents may form a loop */
    Vec3 translation, scale;
    Quat rotation; /* normalized */
} GltfNode;

typedef enum GltfPath { GLTF_OTHER, GLTF_TRANSLATION, GLTF_ROTATION } GltfPath;
typedef enum GltfInterpolation { GLTF_STEP, GLTF_LINEAR, GLTF_CUBIC } GltfInterpolation;

typedef struct GltfSampler {
    uint32_t input, output; /* accessors */
    GltfInterpolation interpolation;
} GltfSampler;

typedef struct GltfChannel {
    uint32_t sampler, node;
    GltfPath path;
} GltfChannel;

typedef struct GltfBone {
    const char *name;
    uint32_t node;
} GltfBone;

typedef struct GltfValues {
    const float *items; /* finite, within VMD_MAX_VALUE */
    uint32_t count;     /* number of vectors */
} GltfValues;

typedef struct GltfAccessor GltfAccessor;
typedef struct GltfView GltfView;

typedef struct GltfFile {
    GltfNode *nodes;
    uint32_t node_count;
    GltfSampler *samplers; /* samplers of the first animation */
    size_t sampler_count;
    GltfChannel *channels;
    size_t channel_count;
    GltfBone *bones;
    size_t bone_count;
    GltfAccessor *accessors;
    size_t accessor_count;
    GltfView *views;
    size_t view_count;
    Bytes data;       /* the binary chunk */
    uint64_t *loaded; /* numbers that gltf_values converted: at most one per byte of the chunk */
    Arena *arena;
} GltfFile;

bool gltf_read(GltfFile *file, Bytes bytes, Arena *arena, Diag *diag);

/* Numbers of an accessor of vectors with so many components.  An accessor is converted once. */
bool gltf_values(GltfValues *out, const GltfFile *file, uint32_t accessor, uint32_t components,
                 Diag *diag);
