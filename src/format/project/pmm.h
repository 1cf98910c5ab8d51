// SPDX-License-Identifier: MIT
/*
 * pmm.h - projects of MikuMikuDance: models, motions, camera, light, accessories, settings
 *
 * Versions 1 and 2 ("Polygon Movie maker 0001", "0002").  There is no specification; sources and
 * doubts are in format/README.md 2.  Keys become those of a VMD motion, in the order of the file;
 * other keys are in the order of their frames, one a frame, the first at frame 0.  Paths are as in
 * the file (Windows); texts are UTF-8.  After a load: floats are finite and within VMD_MAX_VALUE,
 * indices of models and bones are in range or -1.  All memory is in the arena; no function keeps
 * state.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "format/motion/vmd.h"

typedef struct PmmParent { /* a bone of a model that carries something */
    int32_t model, bone;   /* index in models and in its bones; -1: none */
} PmmParent;

typedef struct PmmParentKey {
    uint32_t frame;
    int32_t own_bone; /* the bone that is carried; -1 for the camera and the whole model */
    PmmParent parent;
} PmmParentKey;

typedef struct PmmModel {
    const char *name, *path;
    const char **bones; /* [bone_count] names */
    uint32_t bone_count;
    VmdMotion motion;      /* bone, morph and property keys */
    PmmParentKey *parents; /* [parent_count] by frame; only what changes */
    uint32_t parent_count;
    uint8_t draw_order;
    float edge_width;
} PmmModel;

typedef struct PmmAccessoryKey {
    uint32_t frame;
    float position[3], rotation[3]; /* radians */
    float scale, opacity;           /* opacity: 0..1 */
    bool visible, shadow;
    PmmParent parent;
} PmmAccessoryKey;

typedef struct PmmAccessory {
    const char *name, *path;
    PmmAccessoryKey *keys; /* [key_count], at least one */
    uint32_t key_count;
    bool additive;
} PmmAccessory;

typedef struct PmmGravityKey { /* as in MMD: 9.8 along (0, -1, 0) */
    uint32_t frame;
    float gravity[3];
    float noise; /* 0: none */
} PmmGravityKey;

typedef struct PmmMedia { /* a background picture or video */
    const char *path;     /* NULL: none, or hidden */
    int32_t x, y;         /* its position, pixels */
    float scale;
} PmmMedia;

typedef struct PmmProject {
    int version; /* 1 or 2 */
    uint32_t width, height;
    PmmModel *models;
    uint32_t model_count;
    VmdMotion stage;              /* camera, light and self-shadow keys */
    PmmParentKey *camera_parents; /* [camera_parent_count] by frame; only what changes */
    uint32_t camera_parent_count;
    PmmAccessory *accessories;
    uint32_t accessory_count;
    int32_t begin, end; /* frames; -1: not limited */
    const char *audio;  /* path, or NULL */
    PmmMedia image, video;
    float fps;
    bool ground_shadow, self_shadow, physics, black_background;
    float ground_brightness; /* relative to the color of the light */
    bool ground_translucent;
    PmmGravityKey *gravity; /* [gravity_count], at least one */
    uint32_t gravity_count;
    uint8_t edge_color[3];
} PmmProject;

/* The names of a model's file, which version 1 does not contain. */
typedef struct PmmModelBones {
    const char **bones, **morphs; /* morphs: of a PMD with its base morph */
    uint32_t bone_count, morph_count;
    int32_t *ik; /* [ik_count] bones */
    uint32_t ik_count;
} PmmModelBones;

typedef struct PmmModelNames {
    /* Reads the model at a Windows path; false after an error. */
    bool (*read)(PmmModelBones *out, void *user, const char *path, Arena *arena, Diag *diag);
    void *user;
} PmmModelNames;

/* names: for version 1, which is refused if it is NULL */
bool pmm_load(PmmProject *project, Bytes bytes, const PmmModelNames *names, Arena *arena,
              Diag *diag);
