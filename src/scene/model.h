/*
 * model.h - a model made ready: names found, order fixed, pictures loaded
 *
 * A Model adds to the PmxModel of its file what does not change from frame to frame.  Everything is
 * in the arena of model_load.
 */
#ifndef SCENE_MODEL_H
#define SCENE_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/image.h"
#include "format/model/pmx.h"
#include "format/model/vac.h"
#include "format/motion/vmd.h"
#include "scene/dynamics.h"
#include "scene/soft.h"

typedef struct Model {
    const char *file;      /* as in the job, for messages */
    const char *mesh_file; /* what the model was read from: the same, or the .x that a .vac names */
    PmxModel pmx;
    const Vac *vac; /* how it is worn, when the file is a .vac; else NULL */

    VmdName *bone_names;  /* as motions write them, [bone] */
    VmdName *morph_names; /* [morph] */

    uint32_t *parents_first; /* all bones, every parent before its children; ties in file order */
    uint32_t *order;         /* transform order: stable by (after physics, layer, file index) */
    uint32_t before_physics; /* so many of `order` come before physics */
    uint32_t *ik_bones;      /* bones with a usable IK, in file order */
    uint32_t ik_count;
    Dynamics dynamics; /* what physics makes of bodies and joints */
    SoftPlans soft;    /* and of soft bodies */

    bool is_cloth; /* made here: lit without a toon, and its backs as fronts of their own */

    const Image **textures;     /* [pmx.texture_count]; NULL where missing or unreadable (warned) */
    const char **texture_files; /* where each was read from */
} Model;

/* Loads PMX, PMD, .x, or the .x that a .vac names, and, with `pictures`, the textures of it. */
bool model_load(Model *model, const char *path, bool pictures, Arena *arena, Diag *diag);

/* Fills in all but the pictures, from model->pmx and model->file, the rest being zero; model_load
 * does it itself. */
void model_prepare(Model *model, Arena *arena, Diag *diag);

/* Loads one of the textures from `path`; a picture that cannot be read is warned about and drawn
 * white. */
void model_load_texture(Model *model, int32_t index, const char *path, Arena *arena, Diag *diag);

/* By UTF-8 name: exact text first, then MMD's 15 bytes; the first in file order; or -1. */
int32_t model_find_bone(const Model *model, const char *name);
int32_t model_find_morph(const Model *model, const char *name);
int32_t model_find_material(const Model *model, const char *name);

#endif
