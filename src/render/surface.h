/*
 * surface.h - surfaces of models, shaded as MMD does (render/README.md 5)
 *
 * There is one program per combination of features, built on first use, so that no pixel pays for
 * features that its material lacks.  Neutral textures count as absent: exported models often have
 * black additive sphere maps and white toons.
 */
#ifndef RENDER_SURFACE_H
#define RENDER_SURFACE_H

#include "base/diag.h"
#include "render/model/actor.h"
#include "render/shadow/shadow.h"
#include "render/texture/texture.h"
#include "render/surface_lists.h"

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
    SURFACE_VARIANTS = 65536
} SurfaceFeature;

enum { SURFACE_SPHERE_SHIFT = 1, SURFACE_SHADOWED = 1 };

typedef struct Surfaces {
    const char *shader_dir;
    bool soft_shadow; /* shadow edges wider than a texel */
    bool overlays;    /* the target has a second color */
    Samplers samplers;
    GLuint programs[SURFACE_VARIANTS]; /* 0: not built yet */
} Surfaces;

/* anisotropy, supersample   as texture_samplers */
void surface_init(Surfaces *surfaces, const GlApi *gl, bool soft_shadow, int anisotropy,
                  int supersample, const char *shader_dir);

/* Sets actor->receives.  Call it after actor_update. */
void surface_find_receivers(Actor *actor, const View *view);

/* Whether self-shadows can darken a material of the model in some frame. */
bool surface_may_darken(const Actor *actor);

/* Between begin and end, surfaces that self-shadows can darken write SURFACE_SHADOWED to the
 * stencil buffer, others write 0: a ground shadow would darken them a second time. */
void surface_begin_stencil(const GlApi *gl);
void surface_end_stencil(const GlApi *gl);

/* ALL draws as MMD does, where translucent surfaces hide what is drawn behind them later.  The
 * others draw the three parts of each material: pixels with alpha from 0.99, from 0.5, and below.
 */
typedef enum SurfacePart {
    SURFACE_PART_ALL,
    SURFACE_PART_OPAQUE,
    SURFACE_PART_DENSE,
    SURFACE_PART_FAINT /* without depth writes */
} SurfacePart;

/* Materials [first, end) of a model. */
typedef struct SurfaceSpan {
    uint32_t first, end;
    const SurfaceLists *lists; /* NULL: all of their triangles are drawn */
} SurfaceSpan;

SurfaceSpan surface_all(const Actor *actor);

/* The materials before which depths should be read, because hidden triangles of blended materials
 * are worth finding: lists them.  Empty if none are. */
SurfaceSpan surface_find_blended(SurfaceLists *lists, const Actor *actor, const View *view);

/* Draws the materials in view, in the order of the file.  Returns false after an error was
 * reported. */
bool surface_draw(Surfaces *surfaces, const GlApi *gl, const Actor *actor, SurfaceSpan span,
                  const View *view, const ShadowMap *shadow, SurfacePart part, Diag *diag);

#endif
