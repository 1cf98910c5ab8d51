// SPDX-License-Identifier: MIT
/*
 * surface.h - surfaces of models, shaded as MMD does (render/README.md 5)
 *
 * There is one program per combination of features, built on first use, so that no pixel pays for
 * features that its material lacks.  Neutral textures count as absent: exported models often have
 * black additive sphere maps and white toons.
 */
#pragma once

#include "render/draw_context.h"
#include "render/mtoon.h"
#include "render/occlusion.h"
#include "render/shadow/shadow.h"

typedef enum SurfaceFeature {
    SURFACE_TEXTURE = 1,
    SURFACE_SPHERE = 2 | 4, /* a PmxSphereMode, shifted */
    SURFACE_TOON = 8,       /* sampled from a texture, or */
    SURFACE_TOON_STEP = 16,
    SURFACE_SPECULAR = 32,
    SURFACE_VERTEX_COLOR = 64,
    SURFACE_FACTORS = 128,
    SURFACE_ALPHA_TEST = 256,
    SURFACE_LAMBERT = 512,     /* accessory or cloth: shaded by the angle to the light */
    SURFACE_BOTH_SIDES = 1024, /* back faces are lit like front faces */
    SURFACE_SHADOW = 2048,     /* samples the shadow map */
    SURFACE_OPAQUE = 4096,     /* only opaque pixels, or */
    SURFACE_DENSE = 8192,      /* only pixels that cover more than half of what is behind, or */
    SURFACE_FAINT = 16384,     /* only those that cover less */
    SURFACE_LIGHT = 32768,     /* draws the overlays, too (render/README.md 14.2) */
    SURFACE_MAPS = 65536,      /* emission and occlusion of scenes */
    SURFACE_VARIANTS = 131072
} SurfaceFeature;

enum { SURFACE_SPHERE_SHIFT = 1, SURFACE_SHADOWED = 1 };

/*
 * The triangles of blended surfaces that may be seen.  llvmpipe rejects hidden groups of samples
 * early where nothing is blended, but executes the blending of all of them if the shader can
 * discard pixels.  Clothes are often drawn so, in layers of which most triangles are hidden behind
 * the body.  The pixels are the same without them.
 */
typedef struct SurfaceLists {
    bool *listed;         /* [material_count]: drawn from its list */
    VisibleRange *ranges; /* [material_count] of the indices in `buffer` */
    GLuint buffer;
    size_t material_capacity, index_count; /* index_count: of the listed materials */
} SurfaceLists;

/* Zero-initialise, except soft_shadow. */
typedef struct Surfaces {
    bool soft_shadow; /* shadow edges wider than a texel */
    SurfaceLists lists;
    GLuint programs[SURFACE_VARIANTS]; /* 0: not built yet */
    MtoonPrograms mtoon;
} Surfaces;

/* Sets actor->receives.  Call it after actor_update. */
void surface_find_receivers(Actor *actor, const View *view);

/* Whether anything of the material is drawn in the frame. */
bool surface_is_drawn(const Actor *actor, uint32_t number);

/* Whether it is drawn without blending. */
bool surface_is_opaque(const Actor *actor, uint32_t number, const View *view);

/* Whether self-shadows can darken a material of the model in some frame. */
bool surface_may_darken(const Actor *actor);

/* ALL draws as MMD does, where translucent surfaces hide what is drawn behind them later.  The
 * others draw the three parts of each material: pixels with alpha from 0.99, from 0.5, and below.
 */
typedef enum SurfacePart {
    SURFACE_PART_ALL,
    SURFACE_PART_OPAQUE,
    SURFACE_PART_DENSE,
    SURFACE_PART_FAINT,       /* without depth writes */
    SURFACE_PART_FAINT_DEPTHS /* the same with depth writes, without color if the caller masks it */
} SurfacePart;

/*
 * Draws the materials in view, in the order of the file or with the same pixels.  Surfaces that
 * self-shadows can darken write SURFACE_SHADOWED to the stencil buffer if that test is enabled,
 * others write 0: a ground shadow would darken them a second time.
 *
 * empty    no color is on the target, and no depth except of what is drawn later (depth_first.h)
 * visible  to omit most of the hidden triangles of blended materials, if that pays; NULL: not
 * Returns false after an error was reported.
 */
bool surface_draw(Surfaces *surfaces, const DrawContext *context, const Actor *actor,
                  const ShadowMap *shadow, SurfacePart part, bool empty, VisibleLists *visible,
                  Diag *diag);
