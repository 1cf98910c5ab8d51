// SPDX-License-Identifier: MIT
/*
 * model.h - a loaded model: names, transform order and textures
 *
 * A Model adds to the PmxModel of its file what does not change between frames.  Everything is
 * in the arena of model_load.
 */
#pragma once

#include <signal.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/image.h"
#include "base/limit.h"
#include "base/path_tree.h"
#include "format/model/pmx.h"
#include "format/model/vac.h"
#include "format/motion/vmd.h"
#include "scene/asset_files.h"
#include "scene/dynamics/dynamics.h"
#include "scene/dynamics/soft.h"

typedef struct Model {
    const char *file;      /* as in the job, for messages */
    const char *mesh_file; /* the file with the mesh: `file`, or the .x that a .vac names */
    AssetFiles files;      /* other files that the mesh and its materials are in */
    PmxModel pmx;
    const Vac *vac; /* its placement, if the file is a .vac; otherwise NULL */

    VmdName *bone_names;  /* [bone_count] as in motions */
    VmdName *morph_names; /* [morph_count] */

    uint32_t *parents_first; /* all bones, parents before children; otherwise in file order */
    uint32_t *order;         /* transform order: stable by (after physics, layer, file index) */
    uint32_t before_physics; /* number of bones in `order` before physics */
    uint32_t *ik_bones;      /* bones with a usable IK, in file order */
    uint32_t ik_count;
    Dynamics dynamics; /* rigid bodies and joints to simulate */
    SoftPlans soft;    /* soft bodies to simulate */

    bool is_cloth; /* generated cloth: lit without a toon, its backs as separate front faces */

    const Image **textures; /* [texture_count]; NULL after a warning, if missing or unreadable */
    const char **texture_files; /* [texture_count] the path of each; NULL: it is embedded */
} Model;

/* The decoded textures of all models of a scene.  A texture that exceeds the limit is an error of
 * kind DIAG_RESOURCE, found before it is decoded. */
typedef struct TextureBudget {
    Limit limit; /* MiB */
    uint64_t bytes;
    const volatile sig_atomic_t *stop; /* not 0: no further texture is loaded; or NULL */
} TextureBudget;

/* Loads any format of model_file.h, or the .x that a .vac names, and its textures unless `textures`
 * is NULL. */
bool model_load(Model *model, const char *path, TextureBudget *textures, Arena *arena, Diag *diag);

/* Initializes everything but the textures from model->pmx and model->file; the rest must be zero.
 * For generated models; model_load includes it. */
void model_prepare(Model *model, Arena *arena, Diag *diag);

/* The file of a texture, which the model does not embed: as path_tree_find, in the directory of the
 * model; a shared toon is only where the model says. */
PathMatch model_find_texture(const char **found, ArchiveNames *same, PathTree *tree,
                             const char *name);

/* Loads one of the textures from `path`; one that cannot be read gives a warning and is drawn
 * white. */
void model_load_texture(Model *model, int32_t index, const char *path, TextureBudget *budget,
                        Arena *arena, Diag *diag);

/* Decodes a texture of a model: the file at `path`, or what the model has embedded.  budget: what
 * it is counted in, or NULL */
bool model_decode_texture(Image *image, const PmxModel *pmx, int32_t index, const char *path,
                          TextureBudget *budget, Arena *arena, Diag *diag);

/* Whether it has spring bones. */
static inline bool model_swings(const Model *model)
{
    return model->pmx.rig && model->pmx.rig->joint_count > 0;
}

/* [bone_count]: all bones by their number of ancestors, otherwise in file order; in the arena. */
uint32_t *model_order_parents_first(const PmxModel *pmx, Arena *arena);

/* By UTF-8 name: exact text first, then MMD's 15 bytes; the first in file order; or -1. */
int32_t model_find_bone(const Model *model, const char *name);
int32_t model_find_morph(const Model *model, const char *name);

/* By its name as above, otherwise by its English name; or -1. */
int32_t model_find_bone_by_any_name(const Model *model, const char *name, const char *name_en);

/* The same for a name that the job gives at `location`; -1 after an error was reported. */
int32_t model_require_bone(const Model *model, const char *name, const DiagLocation *location,
                           Diag *diag);
int32_t model_require_morph(const Model *model, const char *name, const DiagLocation *location,
                            Diag *diag);
int32_t model_require_material(const Model *model, const char *name, const DiagLocation *location,
                               Diag *diag);
