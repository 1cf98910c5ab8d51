// SPDX-License-Identifier: MIT
/*
 * gltf_mesh.h - the meshes, materials and textures of a model for glTF
 *
 * One mesh for each visible material, with its own vertices and the vertex morphs that move them.
 */
#pragma once

#include "convert/export/capture.h"
#include "convert/export/glb.h"

#define GLTF_SCALE 0.08f /* metres in an MMD unit */

typedef enum GltfAlpha { GLTF_OPAQUE, GLTF_MASK, GLTF_BLEND } GltfAlpha;

typedef struct GltfMesh {
    const PmxMaterial *material;
    float color[4]; /* linear */
    int texture;    /* index of an image, or -1 */
    GltfAlpha alpha;
    int position, normal, uv, joints, weights, indices; /* accessors */
    uint32_t *morphs; /* indices of the model's morphs, [morph_count] */
    int *targets;     /* accessors, [morph_count] */
    uint32_t morph_count;
} GltfMesh;

typedef ARENA_LIST(GltfMesh) GltfMeshes;

/* Left-handed MMD units to right-handed metres: z is mirrored. */
void gltf_point(float out[3], const float in[3]);
void gltf_rotation(float out[4], const float in[4]);

/* The linear color that MMD's default light (0.6) gives a material where it is lit fully. */
void gltf_color(float out[4], const PmxMaterial *material, bool accessory);

/* The textures of a model as images of the file, encoded when they are first used. */
typedef struct GltfImages {
    Glb *glb;
    const Model *model;
    int *of; /* [texture_count]; -1: not encoded yet */
    Diag *diag;
} GltfImages;

GltfImages gltf_images(Glb *glb, const Model *model, Diag *diag);

/* The image of a texture, -1 if there is none.  False after an error (it cannot be encoded). */
bool gltf_image(int *out, GltfImages *images, int32_t texture);

/* False after an error. */
bool gltf_meshes(GltfMeshes *meshes, GltfImages *images, const SceneModel *model);
