/*
 * pmm.h - projects of MikuMikuDance: models, motions, camera, light, accessories, settings
 *
 * Version 2 ("Polygon Movie maker 0002", MMD 7.40 and newer).  There is no specification; sources
 * and doubts are in format/README.md 3.  Keys become those of a VMD motion, in the order of the
 * file. Paths are as in the file (Windows); texts are UTF-8. After a load: floats are finite and
 * within VMD_MAX_VALUE, indices of models and bones are in range or -1.  All memory is in the
 * arena; no function keeps state.
 */
#ifndef FORMAT_PMM_H
#define FORMAT_PMM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "format/motion/vmd.h"

typedef struct PmmParent { /* a bone of another model that carries something */
    int32_t model, bone;   /* index in models and in its bones; -1: none */
} PmmParent;

typedef struct PmmModel {
    const char *name, *path;
    const char **bones; /* [bone_count] names */
    uint32_t bone_count;
    VmdMotion motion;       /* bone, morph and property keys */
    PmmParent parent;       /* of its root bone, at frame 0 */
    bool has_other_parents; /* of other bones, or that change over time */
    uint8_t draw_order;
    float edge_width;
} PmmModel;

typedef struct PmmAccessory { /* at frame 0 */
    const char *name, *path;
    float position[3], rotation[3]; /* radians */
    float scale, opacity;
    bool visible;
    PmmParent parent;
    uint32_t key_count; /* keys after the first */
} PmmAccessory;

typedef struct PmmProject {
    uint32_t width, height;
    PmmModel *models;
    uint32_t model_count;
    VmdMotion stage;        /* camera, light and self-shadow keys */
    bool has_camera_parent; /* in any camera key */
    PmmAccessory *accessories;
    uint32_t accessory_count;
    int32_t begin, end;                /* frames; -1: not limited */
    const char *audio, *video, *image; /* paths, or NULL */
    float fps;
    bool ground_shadow, self_shadow, physics, black_background;
    float gravity[3]; /* as in MMD: 9.8 along (0, -1, 0) */
    bool has_gravity_keys, has_gravity_noise;
    uint8_t edge_color[3];
} PmmProject;

bool pmm_load(PmmProject *project, Bytes bytes, Arena *arena, Diag *diag);

#endif
