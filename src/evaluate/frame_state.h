// SPDX-License-Identifier: MIT
/*
 * frame_state.h - the result of evaluating one frame: everything that the renderer needs
 *
 * A FrameState is plain data with fixed sizes for a given Scene.  It can be packed into bytes, for
 * a worker process or for a bake file, and unpacked; packing preserves every bit.
 *
 * Bones are in model space: skinned = rotate(q, v - rest) + p (evaluate/README.md 7); `placement`
 * then transforms the model to the world.  Units and axes: src/README.md.
 */
#pragma once

#include "base/arena.h"
#include "scene/scene.h"

typedef struct BonePose {
    float position[3];
    float rotation[4]; /* x y z w, unit */
} BonePose;

/* A material after morphs.  Colors are not clamped here, but when shading.  Texture factors: mul
 * is 1, add is 0 without morphs (evaluate/README.md 6.6). */
typedef struct MaterialState {
    float diffuse[4], specular[3], specular_power, ambient[3];
    float edge_color[4], edge_size;
    float texture_mul[4], texture_add[4];
    float sphere_mul[4], sphere_add[4];
    float toon_mul[4], toon_add[4];
} MaterialState;

/* A vertex of cloth or of a soft body, in model space. */
typedef struct ClothVertex {
    float position[3], normal[3];
} ClothVertex;

typedef struct ModelState {
    bool visible;
    bool casts_nothing;  /* no shadows; packed if the model has keys */
    Placement placement; /* model space to world, this frame */
    BonePose *bones;     /* [bone_count], model space */
    float *key_weights;  /* [morph_count] from motion and job */
    float *
        leaf_weights; /* [morph_count] after groups and flips are applied; 0 for groups and flips */
    MaterialState *materials;       /* [material_count] */
    ClothVertex *cloth;             /* [cloth_count] vertices of cloth and soft bodies */
    const uint32_t *cloth_vertices; /* [cloth_count] their indices, from the scene; not packed */
    uint32_t cloth_count;
} ModelState;

typedef struct FrameState {
    double frame;       /* 30 a second */
    ModelState *models; /* [scene->model_count] */
    CameraState camera;
    LightState light;
    ShadowState shadow;
} FrameState;

/* Allocates the state of one frame of the scene in the arena. */
FrameState *frame_state_create(const Scene *scene, Arena *arena);

size_t frame_state_size(const Scene *scene); /* bytes when packed */
void frame_state_pack(void *out, const FrameState *state, const Scene *scene);
/* Replaces the camera of a packed state. */
void frame_state_pack_camera(void *packed, const CameraState *camera);
void frame_state_unpack(FrameState *state, const void *bytes, const Scene *scene);
