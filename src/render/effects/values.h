// SPDX-License-Identifier: MIT
/*
 * values.h - the values of parameters: semantics, controllers and the names that MMD's shader has
 *
 * A FxBinding says where the value of a parameter comes from; it is found once for each effect and
 * each model that it draws.  README 2 lists the semantics.  Matrices are those of Direct3D, for row
 * vectors, in the order of rows.
 */
#pragma once

#include "render/draw_context.h"
#include "render/effects/technique.h"

typedef enum FxSource {
    FX_INITIAL, /* its initial value, or zeros; scripts may change it */
    FX_MATRIX,
    FX_CONTROL,
    FX_LIGHT_DIFFUSE,
    FX_LIGHT_AMBIENT,
    FX_LIGHT_SPECULAR,
    FX_LIGHT_POSITION,
    FX_LIGHT_DIRECTION,
    FX_CAMERA_POSITION,
    FX_CAMERA_DIRECTION,
    FX_DIFFUSE,
    FX_AMBIENT,
    FX_EMISSIVE,
    FX_SPECULAR,
    FX_SPECULAR_POWER,
    FX_TOON_COLOR,
    FX_EDGE_COLOR,
    FX_GROUND_SHADOW_COLOR,
    FX_TEXTURE_ADD,
    FX_TEXTURE_MUL,
    FX_SPHERE_ADD,
    FX_SPHERE_MUL,
    FX_VIEWPORT_SIZE,
    FX_TIME,
    FX_ELAPSED_TIME,
    FX_PARTHF, /* self-shadow mode 2 */
    FX_SPADD,
    FX_USE_TEXTURE,
    FX_USE_SPHERE,
    FX_USE_SUBTEXTURE,
    FX_USE_TOON,
    FX_VERTEX_COUNT,
    FX_SUBSET_COUNT,
    FX_EG_COLOR, /* of MMD's own shader: diffuse * light + ambient */
    FX_SPC_COLOR /* specular * light, power */
} FxSource;

typedef enum FxControlItem {
    FX_CONTROL_MISSING,
    FX_CONTROL_VISIBLE,
    FX_CONTROL_SCALE,
    FX_CONTROL_POSITION,
    FX_CONTROL_WORLD,
    FX_CONTROL_BONE,  /* position or matrix */
    FX_CONTROL_MORPH, /* weight */
    FX_CONTROL_X,
    FX_CONTROL_Y,
    FX_CONTROL_Z,
    FX_CONTROL_XYZ,
    FX_CONTROL_RX,
    FX_CONTROL_RY,
    FX_CONTROL_RZ,
    FX_CONTROL_RXYZ,
    FX_CONTROL_SI,
    FX_CONTROL_TR
} FxControlItem;

typedef struct FxBinding {
    FxSource source;
    bool world, view, projection, light, inverse, transpose; /* FX_MATRIX */
    FxControlItem item;                                      /* FX_CONTROL */
    int32_t model, index;                                    /* of the bone or morph */
    float missing_scale;                                     /* of a file that the scene lacks */
} FxBinding;

/* What all draws of a frame have in common. */
typedef struct FxFrame {
    const Scene *scene;
    const FrameState *state;
    const DrawContext *draw;
    const float *ground_color;
    mat4 view, projection, light_view, light_projection;
    float size[2];  /* of the frame, pixels */
    double time;    /* seconds */
    double elapsed; /* seconds since the frame before */
    bool self_shadow;
} FxFrame;

/* What is drawn. */
typedef struct FxScope {
    const FxFrame *frame;
    const Actor *actor; /* NULL: the scene as a whole */
    int32_t model;      /* that the effect is assigned to */
    int32_t owner;      /* of the offscreen target that is drawn; -1: none */
    uint32_t material;
    FxPassKind kind;
    float size[2]; /* of the frame or of the offscreen target, pixels */
} FxScope;

/* near plane of the projection that effects see, MMD units; the far plane is FX_FAR. */
static const float FX_NEAR = 0.5f, FX_FAR = 1e6f;

/* The matrices of the frame's view, with its place on the lens. */
void fx_frame_matrices(FxFrame *frame);

/* The matrices of the light: a box around the characters of the frame, once their bounds are known.
 */
void fx_frame_light(FxFrame *frame);

/* Changes the view to what effects draw: depths of FX_NEAR to FX_FAR from 0 to 1 (orthographic ones
 * stay as they are), and half a pixel to the right and down.  width, height: of the frame. */
void fx_view_change(View *view, int width, int height);

/* model, owner: as in FxScope. */
FxBinding fx_bind(const EffectParameter *parameter, const Scene *scene, int32_t model,
                  int32_t owner);

enum { FX_VALUE_SIZE = 16 };

/* Up to 16 numbers; all of them are set.  Not for FX_INITIAL. */
void fx_value(float out[FX_VALUE_SIZE], const FxBinding *binding, const EffectType *type,
              const FxScope *scope);

/* What a technique is chosen by. */
FxSubject fx_subject(const Actor *actor, uint32_t material, bool self_shadow);
