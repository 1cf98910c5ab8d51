// SPDX-License-Identifier: MIT
/* Expressions, conversions and statements: a part of the GLSL that they become. */
#include <string.h>

#include "effect_fixture.h"
#include "unit_test.h"

typedef struct Row {
    const char *what, *globals, *statements, *expected;
} Row;

static void check(const Row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        EffectFixture fixture;
        if (!effect_fixture_shader(&fixture, rows[i].globals, rows[i].statements))
            fail_msg("%s: %s", rows[i].what, fixture.log.text);
        const char *text = effect_fixture_fragment(&fixture)->text;
        if (!strstr(text, rows[i].expected))
            fail_msg("%s: no '%s' in\n%s", rows[i].what, rows[i].expected, text);
        effect_fixture_finish(&fixture);
    }
}

static void test_operators(void **state)
{
    static const Row rows[] = {
        {"scalar to vector", "float f;", "o = f;", "v1_o = vec4(u0_f);"},
        {"vector cut", "float4 f;", "float2 a = f;", "vec2 v2_a = vec2(u0_f);"},
        {"int to float", "int i;", "o.x = i * 0.5;", "v1_o.x = (float(u0_i) * 0.5);"},
        {"int literal", "float f;", "o.x = f + 1;", "(u0_f + 1.0)"},
        {"bool to float", "bool b;", "o.x = b;", "float(u0_b)"},
        {"vectors of two sizes", "float3 a; float4 b;", "o.xyz = a + b;", "(u0_a + vec3(u1_b))"},
        {"comparison", "float3 a;", "bool3 c = a < 0.5;", "lessThan(u0_a, vec3(0.5))"},
        {"not", "bool3 a;", "bool3 c = !a;", "not(u0_a)"},
        {"and", "bool2 a, b;", "bool2 c = a && b;", "hlsl_and(u0_a, u1_b)"},
        {"and of scalars", "float a;", "if (a && a > 1) o = 1;", "(bool(u0_a) && (u0_a > 1.0))"},
        {"choice", "float3 a;", "o.xyz = a > 1 ? a : 0;",
         "mix(vec3(0.0), u0_a, greaterThan(u0_a, vec3(1.0)))"},
        {"choice of a scalar", "bool b;", "o = b ? 1 : 0.5;", "(u0_b ? 1.0 : 0.5)"},
        {"choice of integers", "int2 a;", "int2 c = a > 1 ? a : 0;", "hlsl_select("},
        {"modulo", "float a;", "o.x = a % 2;", "hlsl_fmod(u0_a, 2.0)"},
        {"modulo of integers", "int a;", "int c = a % 2;", "(u0_a % 2)"},
        {"divisor", "float a;", "o.x = 1 / a;", "(1.0 / hlsl_divisor(u0_a))"},
        {"constant divisor", "float a;", "o.x = a / 2;", "(u0_a / 2.0)"},
        {"assignment to int", "float f;", "int i = 1; i += f;",
         "v2_i = int((float(v2_i) + u0_f));"},
        {"fmod assignment", "float f;", "o.x %= f;", "v1_o.x = hlsl_fmod(v1_o.x, u0_f);"},
        {"matrix product by elements", "float3x3 a, b;", "float3x3 c = a * b;",
         "matrixCompMult(u0_a, u1_b)"},
        {"matrix assignment", "float3x3 a;", "float3x3 c = a; c *= a;",
         "v2_c = matrixCompMult(v2_c, u0_a);"},
        {"increment", "", "int i = 0; i++; --i;", "v2_i++;"},
        {"literals", "", "o = float4(1e-7, -2, 0x10, 1.f);",
         "vec4(1.00000001e-07, (-2.0), 16.0, 1.0)"},
        {"large literal", "", "int i = 0xFFFFFFFF;", "int v2_i = (-1);"},
    };
    (void)state;
    check(rows, sizeof rows / sizeof *rows);
}

static void test_parts(void **state)
{
    static const Row rows[] = {
        {"swizzle", "float4 a;", "o.xy = a.bg;", "v1_o.xy = u0_a.zy;"},
        {"swizzle of a scalar", "float a;", "o.xyz = a.xxx;", "vec3(u0_a)"},
        {"swizzle of a number", "", "o.xyz = 1.0.xxx;", "vec3(1.0)"},
        {"element from zero", "float4x4 m;", "o.x = m._m31;", "u0_m[3].y"},
        {"element from one", "float4x4 m;", "o.x = m._42;", "u0_m[3].y"},
        {"elements of a row", "float4x4 m;", "o.xyz = m._41_42_43;", "u0_m[3].xyz"},
        {"elements of a column", "float4x4 m;", "o.xy = m._m00_m10;",
         "vec2(u0_m[0][0], u0_m[1][0])"},
        {"row", "float4x3 m;", "o.xyz = m[1];", "u0_m[1]"},
        {"row and component", "float4x3 m; int i;", "o.x = m[i][2];", "u0_m[clamp(u1_i, 0, 3)][2]"},
        {"index beyond the end", "float a[4];", "o.x = a[9];", "u0_a[3]"},
        {"index of a float", "float a[4]; float i;", "o.x = a[i];", "u0_a[clamp(int(u1_i), 0, 3)]"},
        {"array of arrays", "float a[2][3]; int i;", "o.x = a[i][2];",
         "u0_a[clamp(((u1_i * 3) + 2), 0, 5)]"},
        {"member", "struct S { float a; float2 b[2]; };", "S s = (S)0; o.x = s.b[1].y;",
         "v2_s.m1_b[1].y"},
        {"struct zero", "struct S { float a; float2 b[2]; };", "S s = (S)0;",
         "s0_S(0.0, vec2[2](vec2(0.0), vec2(0.0)))"},
        {"uninitialized", "", "float3 a; o.xyz = a;", "vec3 v2_a = vec3(0.0);"},
        {"initializer", "", "float2 a[2] = {{1, 2}, 3, 4,};",
         "vec2[2](vec2(1.0, 2.0), vec2(3.0, 4.0))"},
        {"open array", "", "float a[] = {1, 2, 3};", "float v2_a[3] = float[3](1.0, 2.0, 3.0)"},
        {"matrix of rows", "float3 r;", "float3x3 m = {r, r, r};", "mat3x3(u0_r, u0_r, u0_r)"},
    };
    (void)state;
    check(rows, sizeof rows / sizeof *rows);
}

static void test_matrices(void **state)
{
    static const Row rows[] = {
        {"row vector", "float4x4 m;", "o = mul(t, m);", "(u0_m * v0_t)"},
        {"column vector", "float4x4 m;", "o = mul(m, t);", "(v0_t * u0_m)"},
        {"product", "float4x4 a, b;", "o = mul(t, mul(a, b));", "((u1_b * u0_a) * v0_t)"},
        {"not square", "float4x3 m;", "o.xyz = mul(t, m);", "(u0_m * v0_t)"},
        {"cut", "float4x4 m;", "o.xyz = mul(t.xyz, (float3x3)m);", "(mat3x3(u0_m) * v0_t.xyz)"},
        {"short vector", "float4x4 m;", "o = mul(t.xyz, m);", "(mat3x4(u0_m) * v0_t.xyz)"},
        {"dot", "float3 a;", "o.x = mul(a, a);", "dot(u0_a, u0_a)"},
        {"scalar", "float3 a;", "o.xyz = mul(a, 2);", "(u0_a * vec3(2.0))"},
        {"transpose", "float4x3 m;", "o = mul(t.xyz, transpose(m));",
         "(transpose(u0_m) * v0_t.xyz)"},
        {"all elements", "float f;", "float2x2 m = f;",
         "(mat2x2(vec2(1.0), vec2(1.0)) * float(u0_f))"},
        {"vector to matrix", "", "float2x2 m = (float2x2)t;", "mat2x2(v0_t)"},
        {"function of elements", "float2x2 m;", "m = saturate(m);", " rows_hlsl_saturate("},
        {"function of rows", "float2x3 m;", "m = lerp(m, m, 0.5);",
         "mat2x3 rows_mix(mat2x3 a, mat2x3 b, mat2x3 c) { return mat2x3(mix(a[0], b[0], c[0]), "
         "mix(a[1], b[1], c[1])); }"},
    };
    (void)state;
    check(rows, sizeof rows / sizeof *rows);
}

static void test_functions(void **state)
{
    static const Row rows[] = {
        {"overload", "float F(float2 a) { return 1; } float F(float3 a) { return 2; }",
         "o.x = F(t.xyz);", "f1_F(v0_t.xyz)"},
        {"default argument", "float F(float a, float b = 2) { return a * b; }", "o.x = F(1);",
         "f0_F(1.0, 2.0)"},
        {"prototype", "float F(float a);", "o.x = 1;", "v1_o.x = 1.0"},
        {"outputs are zero first", "void F(out float2 a) { a.x = 1; }", "F(o.zw);",
         "v0_a = vec2(0.0);"},
        {"output of another type", "void F(out float2 a) { a = 1; }", "int2 i; F(i);",
         "a0 = ivec2(b0);"},
        {"no return", "float F(float a) { if (a > 1) return 2; }", "o.x = F(1);",
         "    return 0.0;\n}"},
        {"before an intrinsic", "float3 lerp(float3 a, float3 b, float c) { return a; }",
         "o.xyz = lerp(t.xyz, t.xyz, 0.5);", "f0_lerp("},
        {"after an intrinsic", "float4 saturate(float4 a) { return 2; }", "o.x = saturate(t.x);",
         "hlsl_saturate(v0_t.x)"},
        {"a variable of the name", "float luminance(float3 c) { return c.x; }",
         "float luminance = luminance(t.xyz);", "f0_luminance("},
        {"sampler argument", "sampler S; float4 F(sampler s, float2 u) { return tex2D(s, u); }",
         "o = F(S, t.xy);", "f0_F(sampler2D v0_s, vec2 v1_u)"},
        {"cube sampler",
         "sampler S; float4 F(sampler s, float3 u) { return texCUBElod(s, float4(u, 0)); }",
         "o = F(S, t.xyz);", "f0_F(samplerCube v0_s, vec3 v1_u)"},
        {"written global", "float g;", "g += 1; o.x = g;", "w0_g = u0_g;"},
        {"static", "float g; static float s = g * 2;", "o.x = s;", "    g1_s = (u0_g * 2.0);"},
        {"static constant", "static const float s[2] = {1, 2 * 3};", "o.x = s[1];",
         "const float g0_s[2] = float[2](1.0, 6.0);"},
        {"parameter as a constant", "const float2 c = 0.5;", "o.xy = c;",
         "const vec2 u0_c = vec2(0.5, 0.5);"},
    };
    (void)state;
    check(rows, sizeof rows / sizeof *rows);
}

static void test_intrinsics(void **state)
{
    static const Row rows[] = {
        {"pow", "", "o = pow(t, 2);", "hlsl_pow(v0_t, vec4(2.0))"},
        {"max of integers", "int2 a;", "int2 b = max(a, 1);", "max(u0_a, ivec2(1))"},
        {"sign", "", "o = sign(t);", "vec4(sign(v0_t))"},
        {"any", "", "if (any(t)) o = 1;", "any(bvec4(v0_t))"},
        {"all of a scalar", "", "if (all(t.x)) o = 1;", "if (bool(v0_t.x))"},
        {"clip", "", "clip(t.x - 0.5);", "void hlsl_clip(float x) { if (x < 0.0) discard; }"},
        {"sincos", "", "float s, c; sincos(t.x, s, c);", "hlsl_sincos(v0_t.x, v2_s, v3_c)"},
        {"frac", "", "o = frac(t);", "fract(v0_t)"},
        {"fmod", "", "o.x = fmod(t.x, t.y);", "return y == 0.0 ? 0.0 : y * sign(q)"},
        {"fmod of vectors", "", "o = fmod(t, 2);", "vec4(0.0), equal(y, vec4(0.0)));"},
        {"refract", "", "o.xyz = refract(t.xyz, t.xyz, 0.5);", "refract(v0_t.xyz, v0_t.xyz, 0.5)"},
        {"dot of two sizes", "float3 a;", "o.x = dot(t, a);", "dot(vec3(v0_t), u0_a)"},
        {"lod", "sampler S;", "o = tex2Dlod(S, t);",
         "vec4 hlsl_tex2lod(sampler2D s, vec4 c) { return textureLod(s, c.xy, c.w); }"},
        {"proj", "sampler S;", "o = tex2Dproj(S, t);", "texture(s, c.xy / c.w)"},
        {"grad", "sampler S;", "o = tex2Dgrad(S, t.xy, ddx(t.xy), ddy(t.xy));",
         "textureGrad(s, c, x, y)"},
        {"bias", "sampler3D S;", "o = tex3Dbias(S, t);", "texture(s, c.xyz, c.w)"},
        {"1D", "sampler1D S;", "o = tex1D(S, t.x);", "texture(s, vec2(c, 0.5))"},
    };
    (void)state;
    check(rows, sizeof rows / sizeof *rows);
}

static void test_statements(void **state)
{
    static const Row rows[] = {
        {"for", "", "for (int i = 0, n = 4; i < n; i++) o.x += i;",
         "for (; (v2_i < v3_n); v2_i++) {"},
        {"after for", "", "for (int i = 0; i < 4; i++) {} o.x = i;", "v1_o.x = float(v2_i);"},
        {"for twice", "", "for (int i = 0; i < 4; i++) {} for (int i = 0; i < 2; i++) o.x = i;",
         "v1_o.x = float(v3_i);"},
        {"float bound", "float n;", "for (int i = 0; i < n; i++) o.x++;", "(float(v2_i) < u0_n)"},
        {"while", "", "[loop] while (o.x < 3) { o.x += 1; if (o.x > 2) break; else continue; }",
         "while ((v1_o.x < 3.0)) {"},
        {"do", "", "do o.x++; while (o.x < 3);", "} while ((v1_o.x < 3.0));"},
        {"switch", "int i;", "switch (i) { case 1: o = 1; break; default: o = 2; }", "case 1:\n"},
        {"switch, 32 bits", "int i;",
         "switch (i) { case 0xFFFFFFFF: o = 1; break; default: o = 2; }", "case (-1):\n"},
        {"attributes", "", "[branch] if (t.x > 0) discard; [unroll(4)] for (;;) break;",
         "discard;"},
        {"shadowing", "float a;", "float a = 1; { float a = 2; o.x = a; } o.y = a;",
         "v1_o.x = v3_a;"},
        {"reserved words", "", "float input = 1, gl_x = 2, a__b = 3; o.x = input + gl_x + a__b;",
         "((v2_input + v3_gl_x) + v4_a_xb)"},
        {"comma", "", "o.x = 1, o.y = 2;", "((v1_o.x = 1.0), (v1_o.y = 2.0));"},
    };
    (void)state;
    check(rows, sizeof rows / sizeof *rows);
}

static void load(EffectFixture *fixture, const char *text)
{
    if (!effect_fixture_load(fixture, text, NULL))
        fail_msg("%s", fixture->log.text);
}

/* Semantics, arguments of compile and the end of main. */
static void test_entries(void **state)
{
    static const char *const vertex[] = {
        "layout(location = 8) in vec4 attribute_8;",
        "out vec4 vary_TEXCOORD3;",
        "vary_TEXCOORD3 = vec4(0.0);",
        "vary_COLOR0 = clamp(vec4(argument2), 0.0, 1.0);",
        "vary_TEXCOORD0 = vec4(argument3, 0.0, 0.0);",
        "position.y * odori_viewport.z",
    };
    static const char *const fragment[] = {
        "vec3 argument0 = vec3(0.0);\n    argument0 = vec3(vary_TEXCOORD0);",
        "vary_TEXCOORD3",
        "floor(gl_FragCoord.xy * odori_fragment.xy + odori_fragment.zw)",
        "gl_FrontFacing ? 1.0 : -1.0",
        "bool argument4 = true;",
        "f1_P(argument0, argument1, argument2, argument3, argument4, u0_S)",
        "if (!(color0.a ODORI_ALPHA_FUNC odori_alpha_ref)) discard;",
    };
    EffectFixture fixture;
    (void)state;
    load(&fixture,
         "sampler S;\n"
         "float4 V(float4 p : POSITION, float2 u : TEXCOORD, out float4 c : COLOR0,\n"
         "         out float2 t : TEXCOORD0) : POSITION { c = 2; t = u; return p; }\n"
         "float4 P(float3 t : TEXCOORD0, float x : TEXCOORD3, float2 at : SV_Position, float "
         "face : VFACE,\n"
         "         uniform bool lit, uniform sampler s) : COLOR\n"
         "{ return lit ? tex2D(s, t.xy + at) * face : x; }\n"
         "technique T { pass P { VertexShader = compile vs_2_0 V();\n"
         " PixelShader = compile ps_3_0 P(true, S); } }");
    const EffectPass *pass = &fixture.effect->techniques[0].passes[0];
    for (size_t i = 0; i < sizeof vertex / sizeof *vertex; i++)
        if (!strstr(pass->vertex->text, vertex[i]))
            fail_msg("no '%s' in\n%s", vertex[i], pass->vertex->text);
    for (size_t i = 0; i < sizeof fragment / sizeof *fragment; i++)
        if (!strstr(pass->fragment->text, fragment[i]))
            fail_msg("no '%s' in\n%s", fragment[i], pass->fragment->text);
    effect_fixture_finish(&fixture);
}

/* Values of constant expressions, by annotations. */
static void test_fold(void **state)
{
    static const struct {
        const char *expression;
        float value;
    } rows[] = {
        {"1 + 2 * 3", 7},
        {"(1 + 2) * 3", 9},
        {"7 / 2", 3},
        {"7.0 / 2", 3.5f},
        {"-7 % 4", -3},
        {"5.5 % 2", 1.5f},
        {"1 << 4 | 3", 19},
        {"6 & 3 ^ 1", 3},
        {"~0", -1},
        {"!0", 1},
        {"(3 > 2) && 1 == 1", 1},
        {"1 <= 0 || 2 != 2", 0},
        {"true ? 2 : 3", 2},
        {"float2(1, 2).y", 2},
        {"float2(1, 2).yx.x", 2},
        {"(float)(int)2.7", 2},
        {"min(3, 2) + max(1, 5)", 7},
        {"clamp(5, 0, 1)", 1},
        {"lerp(0, 10, 0.25)", 2.5f},
        {"floor(-1.5) + ceil(1.2)", 0},
        {"frac(1.25)", 0.25f},
        {"round(2.5)", 3},
        {"trunc(-2.5)", -2},
        {"saturate(3)", 1},
        {"abs(-2)", 2},
        {"sqrt(16)", 4},
        {"step(1, 2)", 1},
        {"sign(-3)", -1},
        {"mad(2, 3, 4)", 10},
        {"1 >> 0", 1},
        {"K * 2", 6},
        {"A[1]", 5},
        {"A[0] + V.y", 6},
        {"float2x2(1, 2, 3, 4)._m10", 3},
        {"float2x2(1, 2, 3, 4)[1][1]", 4},
        {"((float3x3)M)._33", 11},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        EffectFixture fixture;
        Arena *scratch = arena_create();
        load(&fixture, arena_printf(scratch,
                                    "static const int K = 3; static const float A[2] = {4, 5};"
                                    "const float2 V = {1, 2};"
                                    "const float4x4 M = {1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16};"
                                    "float x < float v = %s; >;",
                                    rows[i].expression));
        const Effect *effect = fixture.effect;
        const EffectParameter *x = &effect->parameters[effect_find_parameter(effect, "x")];
        if (x->annotations[0].values[0] != rows[i].value)
            fail_msg("%s: %g, expected %g", rows[i].expression, (double)x->annotations[0].values[0],
                     (double)rows[i].value);
        arena_destroy(scratch);
        effect_fixture_finish(&fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operators),  cmocka_unit_test(test_parts),
        cmocka_unit_test(test_matrices),   cmocka_unit_test(test_functions),
        cmocka_unit_test(test_intrinsics), cmocka_unit_test(test_statements),
        cmocka_unit_test(test_entries),    cmocka_unit_test(test_fold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
