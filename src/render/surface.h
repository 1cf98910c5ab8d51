/*
 * surface.h - the surfaces of models, shaded as MMD does (reference, 4.2)
 *
 * One program a combination of features, built when first needed, so that no pixel pays for a
 * sphere map or a highlight that its material lacks, nor for a picture that changes nothing:
 * exported models often have black additive spheres and white toons.
 */
#ifndef RENDER_SURFACE_H
#define RENDER_SURFACE_H

#include "base/diag.h"
#include "render/actor.h"
#include "render/shadow.h"
#include "render/texture.h"

typedef enum SurfaceFeature {
    SURFACE_TEXTURE = 1,
    SURFACE_SPHERE = 2 | 4, /* a PmxSphereMode, shifted */
    SURFACE_TOON = 8,       /* looked up, or */
    SURFACE_TOON_STEP = 16,
    SURFACE_SPECULAR = 32,
    SURFACE_VERTEX_COLOR = 64,
    SURFACE_FACTORS = 128,
    SURFACE_ALPHA_TEST = 256,
    SURFACE_LAMBERT = 512,     /* an accessory, or made cloth */
    SURFACE_BOTH_SIDES = 1024, /* backs are lit as fronts */
    SURFACE_SHADOW = 2048,     /* looks itself up in the shadow map */
    SURFACE_SOLID = 4096,      /* only what is opaque, or */
    SURFACE_CLEAR = 8192,      /* only what is not */
    SURFACE_VARIANTS = 16384
} SurfaceFeature;

enum { SURFACE_SPHERE_SHIFT = 1, SURFACE_MARK = 1 };

typedef struct Surfaces {
    const char *shader_dir;
    bool soft_shadow; /* edges wider than a texel of the shadow map */
    Samplers samplers;
    GLuint programs[SURFACE_VARIANTS]; /* 0: not built yet */
} Surfaces;

void surface_init(Surfaces *surfaces, const GlApi *gl, bool soft_shadow, int anisotropy,
                  const char *shader_dir);

/* Builds one variant; 0: told. */
GLuint surface_program(Surfaces *surfaces, const GlApi *gl, unsigned features, Diag *diag);

/* Between the two, surfaces that self-shadows darken mark the stencil with SURFACE_MARK, others
 * with 0: a shadow on the ground would darken them twice. */
void surface_begin_marks(const GlApi *gl);
void surface_end_marks(const GlApi *gl);

/* Of a surface: all at once, as MMD does, where what is transparent hides what is drawn behind it
 * later; or first what is opaque, of all models, and then the rest, which hides nothing. */
typedef enum SurfacePart { SURFACE_PART_ALL, SURFACE_PART_SOLID, SURFACE_PART_CLEAR } SurfacePart;

/* All seen surfaces of the actor, in the file's order.  False: told. */
bool surface_draw(Surfaces *surfaces, const GlApi *gl, const Actor *actor, const View *view,
                  const ShadowMap *shadow, SurfacePart part, Diag *diag);

#endif
