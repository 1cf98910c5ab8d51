// SPDX-License-Identifier: MIT
/*
 * technique.h - which technique of an effect draws a material, and what its scripts do
 *
 * The first technique of the file, or of the order that STANDARDSGLOBAL gives, whose annotations
 * MMDPass, Subset, UseTexture, UseSphereMap, UseToon and UseSelfShadow fit.
 */
#pragma once

#include "render/effects/script.h"

/* The annotation MMDPass. */
typedef enum FxPassKind {
    FX_OBJECT,
    FX_OBJECT_SHADED, /* object_ss: with self-shadow */
    FX_EDGE,
    FX_GROUND_SHADOW, /* shadow */
    FX_Z_PLOT,
    FX_PASS_KINDS
} FxPassKind;

typedef enum FxScriptClass { FX_CLASS_OBJECT, FX_CLASS_SCENE, FX_CLASS_BOTH } FxScriptClass;
typedef enum FxScriptOrder { FX_STANDARD, FX_PREPROCESS, FX_POSTPROCESS } FxScriptOrder;

/* Material numbers first..last. */
typedef struct FxRange {
    int64_t first, last;
} FxRange;

typedef struct FxTechnique {
    const EffectTechnique *technique;
    FxPassKind kind;
    int use_texture, use_sphere, use_toon, use_self_shadow; /* 0, 1; -1: either */
    const FxRange *subsets;
    size_t subset_count; /* 0: all materials */
    FxScript script;
    FxScript *passes; /* [pass_count] their scripts */
} FxTechnique;

typedef struct FxTechniques {
    const FxTechnique *items; /* in the order in which they are tried */
    size_t count;
    FxScriptClass class;
    FxScriptOrder order;
    const char *ignored; /* a script command or annotation that has no effect; NULL: none */
} FxTechniques;

FxTechniques fx_techniques_of(const Effect *effect, Arena *arena);

/* What a technique is chosen by. */
typedef struct FxSubject {
    uint32_t material;
    bool texture, sphere, toon, self_shadow;
} FxSubject;

/* The first one that fits; for FX_OBJECT_SHADED without one that of FX_OBJECT, as in nanoem.  NULL:
 * none fits. */
const FxTechnique *fx_find_technique(const FxTechniques *techniques, FxPassKind kind,
                                     const FxSubject *subject);

/* The technique of a pre- or post-effect; NULL: there is none. */
const FxTechnique *fx_scene_technique(const FxTechniques *techniques);

/* Whether a script draws on more targets than the first. */
bool fx_techniques_have_more_colors(const FxTechniques *techniques);

/* "0-3,5,7-": ranges; a part that is no number is left out. */
const FxRange *fx_parse_subset(size_t *count, const char *text, Arena *arena);
