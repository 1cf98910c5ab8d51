// SPDX-License-Identifier: MIT
/*
 * states.h - the render states of a pass: Direct3D 9's as those of OpenGL
 *
 * States that a pass does not set are those that MMD draws with: translucent materials blended,
 * depths tested and written, pixels without alpha discarded, back faces culled unless the material
 * is double-sided.  They hold for Draw=Buffer too.
 */
#pragma once

#include "effect/effect.h"
#include "render/gl/gl.h"

/* The values of all states, with Direct3D's numbers. */
typedef struct FxStates {
    double values[EFFECT_STATE_COUNT];
} FxStates;

/* double_sided: back faces are drawn unless the pass sets CullMode. */
FxStates fx_states_default(bool double_sided);

/* What MMD sets besides for outlines, and for ground shadows: towards the eye of the floor that
 * they are on, and no pixel twice. */
void fx_states_edge(FxStates *states);
void fx_states_ground_shadow(FxStates *states);

/* The comparison operator of GLSL of the alpha test; NULL: there is no test. */
const char *fx_states_alpha_test(const FxStates *states);
float fx_states_alpha_reference(const FxStates *states); /* 0..1 */

/*
 * is_picture       alpha of the target is coverage, which an ordinary blend then adds to
 * has_depth        the target has depths and stencil
 * reversed_depth   nearer points have greater depths
 * depth_steps      steps of the depth between 0 and 1, for DepthBias
 */
typedef struct FxStateTarget {
    bool is_picture, has_depth, reversed_depth;
    float depth_steps;
} FxStateTarget;

void fx_states_set(const GlApi *gl, const FxStates *states, const FxStateTarget *target);

/* The states that the other passes of the renderer expect. */
void fx_states_restore(const GlApi *gl, bool reversed_depth);
