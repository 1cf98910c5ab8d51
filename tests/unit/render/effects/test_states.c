// SPDX-License-Identifier: MIT
/* Render states: what MMD sets, alpha tests as operators, and Direct3D's numbers as OpenGL's. */

#include "render/effects/states.h"

#include <string.h>

#include "unit_test.h"

static void test_alpha(void **unused)
{
    static const char *const operators[9] = {NULL, "<", "==", "<=", ">", "!=", ">=", NULL};
    FxStates s = fx_states_default(false);
    (void)unused;

    assert_string_equal(fx_states_alpha_test(&s), ">="); /* pixels without alpha are discarded */
    assert_true(fx_states_alpha_reference(&s) == 1.0f / 255.0f);
    for (int function = 2; function <= 8; function++) { /* D3DCMP_LESS to D3DCMP_ALWAYS */
        const char *expected = operators[function - 1];

        s.values[EFFECT_ALPHA_FUNC] = function;
        if (expected != NULL)
            assert_string_equal(fx_states_alpha_test(&s), expected);
        else
            assert_null(fx_states_alpha_test(&s));
    }
    s.values[EFFECT_ALPHA_REF] = 300;
    assert_true(fx_states_alpha_reference(&s) == 1.0f);
    s.values[EFFECT_ALPHA_TEST_ENABLE] = 0;
    assert_null(fx_states_alpha_test(&s));
}

/* ---- what was set ---- */

static GLenum blend[4], equation[2], depth_func, culled, enabled[32];
static GLboolean masks[4][4], depth_mask;
static GLfloat offset[2];
static size_t enabled_count;

static void note_enable(GLenum capability)
{
    enabled[enabled_count++] = capability;
}

static bool is_enabled(GLenum capability)
{
    for (size_t i = 0; i < enabled_count; i++)
        if (enabled[i] == capability)
            return true;
    return false;
}

static void note_disable(GLenum capability)
{
    (void)capability;
}

static void note_blend(GLenum a, GLenum b, GLenum c, GLenum d)
{
    memcpy(blend, (GLenum[4]){a, b, c, d}, sizeof blend);
}

static void note_equation(GLenum a, GLenum b)
{
    memcpy(equation, (GLenum[2]){a, b}, sizeof equation);
}

static void note_depth_func(GLenum function)
{
    depth_func = function;
}

static void note_cull(GLenum side)
{
    culled = side;
}

static void note_mask(GLuint i, GLboolean r, GLboolean g, GLboolean b, GLboolean a)
{
    memcpy(masks[i], (GLboolean[4]){r, g, b, a}, sizeof masks[i]);
}

static void note_depth_mask(GLboolean on)
{
    depth_mask = on;
}

static void note_offset(GLfloat slopes, GLfloat steps)
{
    offset[0] = slopes;
    offset[1] = steps;
}

static void ignore_color(GLfloat r, GLfloat g, GLfloat b, GLfloat a)
{
    (void)r, (void)g, (void)b, (void)a;
}

static void ignore_mask(GLuint mask)
{
    (void)mask;
}

static void ignore_stencil(GLenum side, GLenum function, GLint reference, GLuint mask)
{
    (void)side, (void)function, (void)reference, (void)mask;
}

static void ignore_stencil_op(GLenum side, GLenum a, GLenum b, GLenum c)
{
    (void)side, (void)a, (void)b, (void)c;
}

static void ignore_fill(GLenum side, GLenum mode)
{
    (void)side, (void)mode;
}

static void ignore_size(GLfloat size)
{
    (void)size;
}

static void set(const FxStates *states, FxStateTarget target)
{
    static const GlApi gl = {.Enable = note_enable,
                             .Disable = note_disable,
                             .BlendFuncSeparate = note_blend,
                             .BlendEquationSeparate = note_equation,
                             .BlendColor = ignore_color,
                             .DepthFunc = note_depth_func,
                             .DepthMask = note_depth_mask,
                             .CullFace = note_cull,
                             .ColorMaski = note_mask,
                             .PolygonOffset = note_offset,
                             .PolygonMode = ignore_fill,
                             .PointSize = ignore_size,
                             .StencilMask = ignore_mask,
                             .StencilFuncSeparate = ignore_stencil,
                             .StencilOpSeparate = ignore_stencil_op};

    enabled_count = 0;
    fx_states_set(&gl, states, &target);
}

static void test_numbers(void **unused)
{
    const FxStateTarget texture = {.has_depth = true, .depth_steps = 1000};
    const FxStateTarget picture = {
        .has_depth = true, .is_picture = true, .reversed_depth = true, .depth_steps = 1000};
    FxStates s = fx_states_default(false);
    (void)unused;

    set(&s, texture);
    assert_true(is_enabled(GL_BLEND) && is_enabled(GL_DEPTH_TEST) && is_enabled(GL_CULL_FACE));
    assert_false(is_enabled(GL_STENCIL_TEST) || is_enabled(GL_POLYGON_OFFSET_FILL));
    assert_true(blend[0] == GL_SRC_ALPHA && blend[1] == GL_ONE_MINUS_SRC_ALPHA);
    assert_true(blend[2] == GL_SRC_ALPHA && depth_func == GL_LEQUAL && culled == GL_BACK);
    assert_true(depth_mask && masks[3][3]);
    set(&s, picture); /* alpha is coverage there, and nearer is greater */
    assert_true(blend[2] == GL_ONE && blend[3] == GL_ONE_MINUS_SRC_ALPHA);
    assert_true(depth_func == GL_GEQUAL);

    s.values[EFFECT_SRC_BLEND] = 9;  /* DESTCOLOR */
    s.values[EFFECT_DEST_BLEND] = 2; /* ONE */
    s.values[EFFECT_BLEND_OP] = 3;   /* REVSUBTRACT */
    s.values[EFFECT_Z_FUNC] = 5;     /* GREATER */
    s.values[EFFECT_Z_WRITE_ENABLE] = 0;
    s.values[EFFECT_CULL_MODE] = 2; /* CW */
    s.values[EFFECT_COLOR_WRITE_ENABLE_1] = 5;
    s.values[EFFECT_DEPTH_BIAS] = 0.25;
    s.values[EFFECT_SLOPE_SCALE_DEPTH_BIAS] = 2;
    set(&s, texture);
    assert_true(blend[0] == GL_DST_COLOR && blend[1] == GL_ONE && blend[2] == GL_DST_COLOR);
    assert_true(equation[0] == GL_FUNC_REVERSE_SUBTRACT && depth_func == GL_GREATER);
    assert_true(!depth_mask && culled == GL_FRONT && is_enabled(GL_POLYGON_OFFSET_FILL));
    assert_true(masks[1][0] && !masks[1][1] && masks[1][2] && !masks[1][3] && masks[0][1]);
    assert_true(offset[0] == 2 && offset[1] == 250);
    set(&s, picture);
    assert_true(offset[0] == -2 && offset[1] == -250 && depth_func == GL_LESS);
    assert_true(blend[2] == GL_ZERO && blend[3] == GL_ONE); /* light covers nothing */
    s.values[EFFECT_CULL_MODE] = 1;                         /* NONE */
    s.values[EFFECT_SEPARATE_ALPHA_BLEND] = 1;
    s.values[EFFECT_SRC_BLEND_ALPHA] = 7;         /* DESTALPHA */
    s.values[EFFECT_DEST_BLEND_ALPHA] = 1;        /* ZERO */
    s.values[EFFECT_BLEND_OP] = 1e9;              /* unknown */
    s.values[EFFECT_Z_FUNC] = -3;                 /* unknown */
    set(&s, (FxStateTarget){.is_picture = true}); /* without depths */
    assert_false(is_enabled(GL_CULL_FACE) || is_enabled(GL_DEPTH_TEST));
    assert_true(blend[2] == GL_DST_ALPHA && blend[3] == GL_ZERO);
    assert_true(equation[0] == GL_FUNC_ADD && depth_func == GL_NEVER && !depth_mask);

    s = fx_states_default(true);
    set(&s, texture);
    assert_false(is_enabled(GL_CULL_FACE));
    fx_states_edge(&s);
    set(&s, texture);
    assert_true(is_enabled(GL_CULL_FACE) && culled == GL_FRONT);
    fx_states_ground_shadow(&s);
    set(&s, texture);
    assert_true(is_enabled(GL_STENCIL_TEST) && !depth_mask && offset[0] == -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alpha),
        cmocka_unit_test(test_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
