// SPDX-License-Identifier: MIT
/*
 * runtime.h - runs the techniques of effects: their scripts, passes, textures and values
 */
#pragma once

#include "render/effects/pass_times.h"
#include "render/effects/program.h"
#include "render/effects/shapes.h"
#include "render/effects/states.h"
#include "render/effects/textures.h"
#include "render/effects/values.h"
#include "scene/effects.h"

enum {
    FX_MAX_BUFFER_PASSES = 256, /* passes over a whole target, in a frame */
    FX_MAX_LOOP_TURNS = 1024,
    FX_MAX_SCRIPT_STEPS = 65536 /* commands of one run of a technique */
};

/* A pass of a technique as programs, one for each alpha test that it is drawn with. */
enum { FX_ALPHA_TESTS = 9 }; /* none, and D3DCMP */

typedef struct FxPass {
    FxProgram programs[FX_ALPHA_TESTS]; /* name 0: not built yet */
    size_t number;                      /* as in pass_times.h */
} FxPass;

/* An effect that runs. */
typedef struct FxEffect {
    const SceneEffect *item;
    const Effect *effect;
    FxTechniques techniques;
    FxPass **passes;      /* [technique_count of effect][pass_count] */
    FxTexture **pictures; /* [parameter_count]; NULL: no picture */
    GLuint *samplers;     /* [parameter_count]; 0: no sampler */
} FxEffect;

/* An effect as it draws a model on the frame or on an offscreen target: MME has one for each. */
typedef struct FxInstance {
    FxEffect *effect;
    int32_t model, target; /* target: index in the scene's; -1: the frame */
    FxBinding *bindings;   /* [parameter_count] */
    FxTexture **targets;   /* [parameter_count]; NULL: none, or not used yet */
    float **values;        /* [parameter_count] texels, or what scripts have set; NULL: none */
    uint64_t texels_frame; /* in which texels of targets were read last */
} FxInstance;

/* A texture that several effects share by its name. */
typedef struct FxShared {
    const char *name;
    const EffectParameter *parameter; /* the declaration that says most */
    const char *file;
    FxTexture texture;
} FxShared;

/* What is drawn on where a script names no target. */
typedef struct FxSurface {
    FxTexture *texture; /* NULL: `framebuffer`, which has depths and one color */
    GLuint framebuffer;
    int left, top, width, height;  /* viewport, pixels of the framebuffer */
    int frame_width, frame_height; /* pixels of the frame that it shows */
    float scale;                   /* pixels of the framebuffer for each pixel of the frame */
    bool is_picture;               /* its alpha is coverage */
    bool reversed_depth;
    FxDepth *depth; /* of a texture */
} FxSurface;

typedef struct FxRuntime {
    const GlApi *gl;
    Arena *arena;
    FxTextures textures;
    FxEffect *effects; /* [effect_count]; those that do not run have no effect */
    size_t effect_count;
    FxShared *shared;
    size_t shared_count, shared_capacity;
    FxShape *shapes; /* [model_count] */
    FxQuad quad;
    FxTexture black, white, black_cube, black_volume;
    bool uses_shadows;    /* an effect looks up MMD's self-shadow map */
    FxTexture shadow_map; /* depths from the light; name 0: not created yet */
    GLuint shadow_sampler;
    FxFrame frame;
    unsigned buffer_passes; /* in this frame */
    size_t pass_count;
    FxPassTime *pass_times; /* [pass_count] of this frame; NULL: not measured */
} FxRuntime;

typedef struct FxRun FxRun;

/* A run of a technique. */
struct FxRun {
    FxRuntime *runtime;
    FxInstance *instance;
    const FxTechnique *technique;
    FxScope scope;
    FxSurface surface;
    bool (*external)(FxRun *run, Diag *diag); /* ScriptExternal=Color; NULL: nothing */
    bool (*standard)(FxRun *run,
                     Diag *diag); /* draws as MMD, for a pass without shaders; or NULL */
    void *user;
    bool all_materials; /* Draw=Geometry draws all of the model */

    /* what the script has set */
    FxTexture *colors[EFFECT_COLOR_TARGETS]; /* NULL: none; of 0: the surface */
    int depth;                               /* parameter; -1: that of the surface */
    float clear_color[4], clear_depth;
    int turns[FX_MAX_LOOP_DEPTH], loop_count[FX_MAX_LOOP_DEPTH], loops;
    unsigned steps;
};

/* Prepares the effects of a scene.  False after an error was reported. */
bool fx_runtime_init(FxRuntime *out, const Scene *scene, const DrawContext *draw, Diag *diag);

FxInstance *fx_instance_create(FxRuntime *runtime, size_t effect, int32_t model, int32_t target,
                               int32_t owner);

/* The target that a texture parameter of an instance is, created on first use.  NULL after an error
 * was reported. */
FxTexture *fx_instance_target(FxRuntime *runtime, FxInstance *instance, int parameter, Diag *diag);

/* Runs the technique; afterwards the renderer's states hold again, and the framebuffer of the
 * surface is bound.  False after an error was reported. */
bool fx_run(FxRun *run, Diag *diag);

/* What the run draws on now: the texture that RenderColorTarget0 names, or that of the surface. */
FxTexture *fx_run_color(const FxRun *run);

/* Binds the framebuffer of a surface and its viewport. */
void fx_surface_bind(FxRuntime *runtime, const FxSurface *surface);
