// SPDX-License-Identifier: MIT
/*
 * effects.h - the effects of MikuMikuEffect of a scene: what they are and what each of them draws
 *
 * Every effect file is parsed once, whatever names it: a job, the file beside a model, an .emd, the
 * DefaultEffect of a target.  All assignments are resolved here, to an index for each material of
 * each model; the runtime (render/effects/) compares no file names but those of CONTROLOBJECT.
 * Constant after scene_load, in its arena.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "media/texture_file.h"

struct Effect; /* effect/effect.h */
struct Scene;

typedef enum SceneEffectState {
    EFFECT_RUN,
    EFFECT_MAPPED, /* a key of `look` takes its place */
    EFFECT_OFF,    /* effects.mode is off; or map, and nothing is its counterpart */
    EFFECT_FAILED  /* it has an error; what it is assigned to is drawn as without effects */
} SceneEffectState;

extern const char *const scene_effect_words[]; /* by SceneEffectState, ends with NULL */

typedef struct SceneEffect {
    const char *file;            /* the path of the file */
    const struct Effect *effect; /* not NULL if, and only if, the state is EFFECT_RUN */
    SceneEffectState state;
    const char *why;     /* of a state other than EFFECT_RUN: one sentence without a full stop */
    const char *used_by; /* ids of models, or "the target NAME of FILE", separated by ", " */
    /* [parameter_count of effect] the picture that the annotation ResourceName of a texture names;
     * NULL: it names none, or the picture cannot be read, after a warning. */
    const TextureFile *const *pictures;
} SceneEffect;

/* What draws a material, besides an index in `effects`. */
enum {
    EFFECT_STANDARD = -1, /* drawn as without effects */
    EFFECT_HIDE = -2      /* not drawn */
};

/* [model_count of the scene][material_count of the model, at least 1]; a model without effects has
 * NULL, which is EFFECT_STANDARD for all of its materials.  One without materials may have an
 * effect all the same, as if it had one. */
typedef const int16_t *const *SceneEffectDraws;

/* A target of offscreen drawing: a parameter with the semantic OFFSCREENRENDERTARGET of an effect
 * that draws a model, in the frame or in another target, as a light of ray-mmd that has shadow maps
 * does.  A model with two materials of one effect has it once. */
typedef struct SceneEffectTarget {
    int32_t parent; /* the target in which the effect draws its owner, before this; -1: the frame */
    int32_t model;  /* the owner, an index in the models of the scene: "self", OffscreenOwner */
    int16_t effect; /* the effect that declares it */
    int32_t parameter;      /* the target, an index in the parameters of the effect */
    SceneEffectDraws draws; /* by its DefaultEffect and the assignments of a project */
} SceneEffectTarget;

typedef struct SceneEffects {
    const SceneEffect *items; /* of all states, in the order in which they are found */
    size_t count;
    SceneEffectDraws draws; /* the frame itself; NULL: no effect runs, there are no targets */
    const SceneEffectTarget *targets; /* by owner, then by parameter */
    size_t target_count;
    const char *const *files; /* that were read: effects, what they include, pictures, .emd */
    size_t file_count;
} SceneEffects;

/* What draws a material of a model: an index in `items`, EFFECT_STANDARD or EFFECT_HIDE. */
static inline int scene_effect_of(SceneEffectDraws draws, size_t model, size_t material)
{
    return draws && draws[model] ? (int)draws[model][material] : (int)EFFECT_STANDARD;
}

/*
 * The model that a CONTROLOBJECT of an effect of the model `of` means by the name of its file,
 * without case: of several the last before `of` in drawing order, else the last of all; -1 if there
 * is none.  "(self)" and "(OffscreenOwner)" are left to the caller.
 */
int32_t scene_effects_find_model(const struct Scene *scene, const char *name, size_t of);
