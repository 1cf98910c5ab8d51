// SPDX-License-Identifier: MIT
#include "render/effects/states.h"

#include "effect/number.h"

/* D3DCMP, D3DBLEND, D3DBLENDOP, D3DSTENCILOP, D3DCULL and D3DFILLMODE, in their order from 1. */
static const GLenum COMPARISONS[] = {GL_NEVER,   GL_LESS,     GL_EQUAL,  GL_LEQUAL,
                                     GL_GREATER, GL_NOTEQUAL, GL_GEQUAL, GL_ALWAYS};
static const GLenum FACTORS[] = {GL_ZERO,
                                 GL_ONE,
                                 GL_SRC_COLOR,
                                 GL_ONE_MINUS_SRC_COLOR,
                                 GL_SRC_ALPHA,
                                 GL_ONE_MINUS_SRC_ALPHA,
                                 GL_DST_ALPHA,
                                 GL_ONE_MINUS_DST_ALPHA,
                                 GL_DST_COLOR,
                                 GL_ONE_MINUS_DST_COLOR,
                                 GL_SRC_ALPHA_SATURATE,
                                 GL_SRC_ALPHA,
                                 GL_ONE_MINUS_SRC_ALPHA,
                                 GL_CONSTANT_COLOR,
                                 GL_ONE_MINUS_CONSTANT_COLOR};
static const GLenum OPERATIONS[] = {GL_FUNC_ADD, GL_FUNC_SUBTRACT, GL_FUNC_REVERSE_SUBTRACT, GL_MIN,
                                    GL_MAX};
static const GLenum STENCIL_OPERATIONS[] = {GL_KEEP, GL_ZERO,   GL_REPLACE,   GL_INCR,
                                            GL_DECR, GL_INVERT, GL_INCR_WRAP, GL_DECR_WRAP};
static const char *const OPERATORS[] = {NULL, "<", "==", "<=", ">", "!=", ">=", NULL};

enum { BLEND_ONE = 2, BLEND_SRC_ALPHA = 5, BLEND_INV_SRC_ALPHA = 6 };
enum {
    OPERATION_ADD = 1,
    COMPARE_EQUAL = 3,
    COMPARE_LESS_EQUAL = 4,
    COMPARE_GREATER_EQUAL = 7,
    COMPARE_ALWAYS = 8
};
enum { CULL_NONE = 1, CULL_CW = 2, CULL_CCW = 3, FILL_POINT = 1, FILL_WIREFRAME = 2, FILL_SOLID };
enum { STENCIL_KEEP = 1, STENCIL_INCREMENT = 4 };

static GLenum choose(const GLenum *table, size_t count, double value)
{
    return value >= 1 && value < (double)count + 1 ? table[(size_t)value - 1] : table[0];
}
#define CHOOSE(table, value) choose(table, sizeof(table) / sizeof *(table), value)

FxStates fx_states_default(bool double_sided)
{
    return (FxStates){{[EFFECT_Z_ENABLE] = 1,
                       [EFFECT_Z_WRITE_ENABLE] = 1,
                       [EFFECT_Z_FUNC] = COMPARE_LESS_EQUAL,
                       [EFFECT_ALPHA_BLEND_ENABLE] = 1,
                       [EFFECT_SRC_BLEND] = BLEND_SRC_ALPHA,
                       [EFFECT_DEST_BLEND] = BLEND_INV_SRC_ALPHA,
                       [EFFECT_BLEND_OP] = OPERATION_ADD,
                       [EFFECT_SRC_BLEND_ALPHA] = BLEND_ONE,
                       [EFFECT_DEST_BLEND_ALPHA] = 1,
                       [EFFECT_BLEND_OP_ALPHA] = OPERATION_ADD,
                       [EFFECT_BLEND_FACTOR] = 0xffffffffu,
                       [EFFECT_ALPHA_TEST_ENABLE] = 1,
                       [EFFECT_ALPHA_REF] = 1,
                       [EFFECT_ALPHA_FUNC] = COMPARE_GREATER_EQUAL,
                       [EFFECT_CULL_MODE] = double_sided ? CULL_NONE : CULL_CCW,
                       [EFFECT_FILL_MODE] = FILL_SOLID,
                       [EFFECT_COLOR_WRITE_ENABLE] = 15,
                       [EFFECT_COLOR_WRITE_ENABLE_1] = 15,
                       [EFFECT_COLOR_WRITE_ENABLE_2] = 15,
                       [EFFECT_COLOR_WRITE_ENABLE_3] = 15,
                       [EFFECT_STENCIL_FUNC] = COMPARE_ALWAYS,
                       [EFFECT_STENCIL_MASK] = 0xffffffffu,
                       [EFFECT_STENCIL_WRITE_MASK] = 0xffffffffu,
                       [EFFECT_STENCIL_FAIL] = STENCIL_KEEP,
                       [EFFECT_STENCIL_Z_FAIL] = STENCIL_KEEP,
                       [EFFECT_STENCIL_PASS] = STENCIL_KEEP,
                       [EFFECT_CCW_STENCIL_FUNC] = COMPARE_ALWAYS,
                       [EFFECT_CCW_STENCIL_FAIL] = STENCIL_KEEP,
                       [EFFECT_CCW_STENCIL_Z_FAIL] = STENCIL_KEEP,
                       [EFFECT_CCW_STENCIL_PASS] = STENCIL_KEEP,
                       [EFFECT_POINT_SIZE] = 1}};
}

void fx_states_edge(FxStates *states)
{
    states->values[EFFECT_CULL_MODE] = CULL_CW; /* the far side of the hull */
}

void fx_states_ground_shadow(FxStates *states)
{
    states->values[EFFECT_Z_WRITE_ENABLE] = 0;
    states->values[EFFECT_DEPTH_BIAS] = -64.0 / 16777216.0;
    states->values[EFFECT_SLOPE_SCALE_DEPTH_BIAS] = -1;
    states->values[EFFECT_STENCIL_ENABLE] = 1;
    states->values[EFFECT_STENCIL_FUNC] = COMPARE_EQUAL;
    states->values[EFFECT_STENCIL_PASS] = STENCIL_INCREMENT;
}

const char *fx_states_alpha_test(const FxStates *states)
{
    const double function = states->values[EFFECT_ALPHA_FUNC];

    /* "Never" draws nothing, which "less than 0" gives. */
    if (states->values[EFFECT_ALPHA_TEST_ENABLE] == 0)
        return NULL;
    if (function < 2)
        return "< -1.0 +";
    return function < 9 ? OPERATORS[(size_t)function - 1] : NULL;
}

float fx_states_alpha_reference(const FxStates *states)
{
    const double reference = states->values[EFFECT_ALPHA_REF];

    return (float)(reference < 0 ? 0 : reference > 255 ? 255 : reference) / 255.0f;
}

static bool is_on(const FxStates *s, EffectStateKind kind)
{
    return s->values[kind] != 0;
}

static void set_blending(const GlApi *gl, const FxStates *s, bool is_picture)
{
    const uint32_t factor = number_bits(s->values[EFFECT_BLEND_FACTOR]);
    GLenum source = CHOOSE(FACTORS, s->values[EFFECT_SRC_BLEND]);
    GLenum destination = CHOOSE(FACTORS, s->values[EFFECT_DEST_BLEND]);
    GLenum operation = CHOOSE(OPERATIONS, s->values[EFFECT_BLEND_OP]);
    GLenum source_alpha = source, destination_alpha = destination, operation_alpha = operation;

    gl_set_enabled(gl, GL_BLEND, is_on(s, EFFECT_ALPHA_BLEND_ENABLE));
    if (is_on(s, EFFECT_SEPARATE_ALPHA_BLEND)) {
        source_alpha = CHOOSE(FACTORS, s->values[EFFECT_SRC_BLEND_ALPHA]);
        destination_alpha = CHOOSE(FACTORS, s->values[EFFECT_DEST_BLEND_ALPHA]);
        operation_alpha = CHOOSE(OPERATIONS, s->values[EFFECT_BLEND_OP_ALPHA]);
    } else if (is_picture && source == GL_SRC_ALPHA && destination == GL_ONE_MINUS_SRC_ALPHA) {
        source_alpha = GL_ONE;
    } else if (is_picture && destination == GL_ONE) {
        source_alpha = GL_ZERO;
    }
    gl->BlendEquationSeparate(operation, operation_alpha);
    gl->BlendFuncSeparate(source, destination, source_alpha, destination_alpha);
    gl->BlendColor((float)(factor >> 16 & 255) / 255.0f, (float)(factor >> 8 & 255) / 255.0f,
                   (float)(factor & 255) / 255.0f, (float)(factor >> 24) / 255.0f);
}

static void set_stencil(const GlApi *gl, const FxStates *s, bool possible)
{
    const GLuint mask = number_bits(s->values[EFFECT_STENCIL_MASK]);
    const GLint reference = (GLint)(number_bits(s->values[EFFECT_STENCIL_REF]) & 255u);
    const bool two_sided = is_on(s, EFFECT_TWO_SIDED_STENCIL);
    const GLenum clockwise = two_sided ? GL_FRONT : GL_FRONT_AND_BACK;

    gl_set_enabled(gl, GL_STENCIL_TEST, possible && is_on(s, EFFECT_STENCIL_ENABLE));
    gl->StencilMask(number_bits(s->values[EFFECT_STENCIL_WRITE_MASK]));
    gl->StencilFuncSeparate(clockwise, CHOOSE(COMPARISONS, s->values[EFFECT_STENCIL_FUNC]),
                            reference, mask);
    gl->StencilOpSeparate(clockwise, CHOOSE(STENCIL_OPERATIONS, s->values[EFFECT_STENCIL_FAIL]),
                          CHOOSE(STENCIL_OPERATIONS, s->values[EFFECT_STENCIL_Z_FAIL]),
                          CHOOSE(STENCIL_OPERATIONS, s->values[EFFECT_STENCIL_PASS]));
    if (!two_sided)
        return;
    gl->StencilFuncSeparate(GL_BACK, CHOOSE(COMPARISONS, s->values[EFFECT_CCW_STENCIL_FUNC]),
                            reference, mask);
    gl->StencilOpSeparate(GL_BACK, CHOOSE(STENCIL_OPERATIONS, s->values[EFFECT_CCW_STENCIL_FAIL]),
                          CHOOSE(STENCIL_OPERATIONS, s->values[EFFECT_CCW_STENCIL_Z_FAIL]),
                          CHOOSE(STENCIL_OPERATIONS, s->values[EFFECT_CCW_STENCIL_PASS]));
}

/* The same test where nearer points have greater depths. */
static GLenum reversed(GLenum comparison)
{
    switch (comparison) {
    case GL_LESS:
        return GL_GREATER;
    case GL_LEQUAL:
        return GL_GEQUAL;
    case GL_GREATER:
        return GL_LESS;
    case GL_GEQUAL:
        return GL_LEQUAL;
    default:
        return comparison;
    }
}

static void set_depth(const GlApi *gl, const FxStates *s, const FxStateTarget *target)
{
    const float sign = target->reversed_depth ? -1.0f : 1.0f;
    const float steps = (float)s->values[EFFECT_DEPTH_BIAS] * target->depth_steps;
    const float slopes = (float)s->values[EFFECT_SLOPE_SCALE_DEPTH_BIAS];
    const GLenum comparison = CHOOSE(COMPARISONS, s->values[EFFECT_Z_FUNC]);

    gl_set_enabled(gl, GL_DEPTH_TEST, target->has_depth && is_on(s, EFFECT_Z_ENABLE));
    gl->DepthMask(target->has_depth && is_on(s, EFFECT_Z_WRITE_ENABLE));
    gl->DepthFunc(target->reversed_depth ? reversed(comparison) : comparison);
    gl_set_enabled(gl, GL_POLYGON_OFFSET_FILL, steps != 0 || slopes != 0);
    gl->PolygonOffset(sign * slopes, sign * steps);
}

void fx_states_set(const GlApi *gl, const FxStates *states, const FxStateTarget *target)
{
    const double cull = states->values[EFFECT_CULL_MODE], fill = states->values[EFFECT_FILL_MODE];

    set_blending(gl, states, target->is_picture);
    set_stencil(gl, states, target->has_depth);
    set_depth(gl, states, target);
    gl_set_enabled(gl, GL_CULL_FACE, cull == CULL_CW || cull == CULL_CCW);
    gl->CullFace(cull == CULL_CW ? GL_FRONT : GL_BACK); /* clockwise faces are in front */
    gl->PolygonMode(GL_FRONT_AND_BACK, fill == FILL_POINT       ? GL_POINT
                                       : fill == FILL_WIREFRAME ? GL_LINE
                                                                : GL_FILL);
    for (int i = 0; i < EFFECT_COLOR_TARGETS; i++) {
        const EffectStateKind kind =
            i == 0 ? EFFECT_COLOR_WRITE_ENABLE
                   : (EffectStateKind)((int)EFFECT_COLOR_WRITE_ENABLE_1 + i - 1);
        const uint32_t channels = number_bits(states->values[kind]);

        gl->ColorMaski((GLuint)i, (channels & 1) != 0, (channels & 2) != 0, (channels & 4) != 0,
                       (channels & 8) != 0);
    }
    gl_set_enabled(gl, GL_FRAMEBUFFER_SRGB, is_on(states, EFFECT_SRGB_WRITE_ENABLE));
    gl->PointSize(
        (float)(states->values[EFFECT_POINT_SIZE] >= 1 ? states->values[EFFECT_POINT_SIZE] : 1));
}

void fx_states_restore(const GlApi *gl, bool reversed_depth)
{
    gl->BlendEquationSeparate(GL_FUNC_ADD, GL_FUNC_ADD);
    gl->BlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    gl->Disable(GL_STENCIL_TEST);
    gl->StencilMask(0xffffffffu);
    gl->StencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
    gl->Enable(GL_DEPTH_TEST);
    gl->DepthMask(GL_TRUE);
    gl->DepthFunc(reversed_depth ? GL_GEQUAL : GL_LEQUAL);
    gl->Disable(GL_POLYGON_OFFSET_FILL);
    gl->Disable(GL_FRAMEBUFFER_SRGB);
    gl->PolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    gl->CullFace(GL_BACK);
    gl->PointSize(1.0f);
    for (GLuint i = 0; i < EFFECT_COLOR_TARGETS; i++)
        gl->ColorMaski(i, GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}
