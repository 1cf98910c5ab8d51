// SPDX-License-Identifier: MIT
/* What is refused: one message, with file, line and column. */
#include <stdio.h>
#include <string.h>

#include "effect_fixture.h"
#include "unit_test.h"

static void test_messages(void **state)
{
    static const struct {
        const char *what, *text, *expected;
    } rows[] = {
        {"no semicolon", "float a", "pack/a.fx:1:8: expected ';', not the end of the text"},
        {"unknown type", "foo a;", "pack/a.fx:1:1: expected a type, not 'foo'"},
        {"unknown variable", "float F()\n{ return b; }",
         "pack/a.fx:2:10: there is no variable 'b'"},
        {"declared twice", "float a; int a;", "pack/a.fx:1:14: 'a' is declared twice"},
        {"local twice", "void F() { float a; float a; }", "'a' is declared twice"},
        {"short vector", "float3 F(float2 a) { return a; }", "cannot convert float2 to float3"},
        {"vector to matrix", "float4x4 F(float4 a) { return a; }",
         "cannot convert float4 to float4x4"},
        {"sum of shapes", "float4 F(float4 a, float4x4 b) { return a + b; }",
         "no operation on float4 and float4x4"},
        {"struct in a sum", "struct S { float a; }; float F(S s) { return s + 1; }",
         "no operation on S and int"},
        {"const", "const float a = 1; void F() { a = 2; }", "'a' is const"},
        {"no target", "void F(float a) { a + 1 = 2; }",
         "the target of an assignment is no variable"},
        {"component twice", "void F(float4 a) { a.xx = 1; }", "an assignment to a component twice"},
        {"component", "float F(float2 a) { return a.z; }", "float2 has no member 'z'"},
        {"element", "float F(float3x3 a) { return a._m33; }", "float3x3 has no member '_m33'"},
        {"member", "struct S { float a; }; float F(S s) { return s.b; }", "S has no member 'b'"},
        {"index", "float F(float a) { return a[0]; }", "float has no elements"},
        {"no function", "float F() { return G(1); }", "there is no function 'G'"},
        {"no overload", "float F(float3 a) { return 1; } float G() { return F(float2(1, 2)); }",
         "no function 'F' takes (float2)"},
        {"arguments of an intrinsic", "float F() { return sin(1, 2); }",
         "function 'sin' does not take 2 arguments"},
        {"recursion", "float F() { return F(); }", "function 'F' calls itself"},
        {"recursion of two",
         "float G(); float F() { return G(); } float G() { return F(); } technique T { pass P {\n"
         "PixelShader = compile ps_3_0 F(); } }",
         "calls itself"},
        {"no body",
         "float4 G(); float4 F() : COLOR { return G(); }\n"
         "technique T { pass P { PixelShader = compile ps_3_0 F(); } }",
         "function 'G' has no body"},
        {"condition", "void F(float2 a) { if (a) {} }", "a condition is a float2, not one number"},
        {"no value", "float F() { return; }", "function 'F' returns a value"},
        {"break", "void F() { break; }", "'break' outside of a loop"},
        {"array size", "float a[0];", "an array of 0 elements (1..4096)"},
        {"array size from a uniform", "int n; float a[n];",
         "the size of an array is not a constant"},
        {"array of samplers", "sampler s[2];", "arrays of sampler are not supported"},
        {"three sizes", "float a[2][2][2];", "or two sizes are not supported"},
        {"constructor", "float3 F() { return float3(1, 2); }", "float3 from 2 components"},
        {"too few values", "float a[3] = {1, 2};", "an initializer has too few values"},
        {"too many values", "float a[1] = {1, 2};", "an initializer has too many values"},
        {"sampler dimensions", "sampler s; float4 F() { return tex2D(s, 0) + texCUBE(s, 0); }",
         "sampler 's' is read with different dimensions"},
        {"no sampler", "float4 F() { return tex2D(1, 0); }",
         "the first argument of tex2D is no sampler"},
        {"no texture", "sampler s = sampler_state { Texture = <t>; };",
         "the texture of sampler 's' is no parameter"},
        {"filter", "sampler s = sampler_state { MinFilter = WRAP; };",
         "there is no variable 'WRAP'"},
        {"address", "sampler s = sampler_state { AddressU = 9; };",
         "9 is no value of state 'AddressU'"},
        {"state", "technique T { pass P { Foo = 1; } }", "pack/a.fx:1:24: there is no state 'Foo'"},
        {"no state block", "technique T { pass P { StateBlock = (x); } }",
         "there is no state block 'x'"},
        {"no states", "stateblock S = { };", "expected 'stateblock_state'"},
        {"value of a state", "float x; technique T { pass P { ZFunc = x + 1; } }",
         "the value of state 'ZFunc' is not constant"},
        {"profile",
         "float4 F() { return 1; } technique T { pass P { PixelShader = compile ps_4_0 F(); } }",
         "profile 'ps_4_0' is not supported (ps_1_1 to ps_3_0)"},
        {"wrong profile",
         "float4 F() { return 1; } technique T { pass P { PixelShader = compile vs_3_0 F(); } }",
         "profile 'vs_3_0' is not supported"},
        {"no entry", "technique T { pass P { PixelShader = compile ps_3_0 F(); } }",
         "there is no function 'F' with a body"},
        {"argument of compile",
         "float4 F() : COLOR { return 1; } technique T { pass P { PixelShader = compile ps_3_0 "
         "F(1); } }",
         "'F' has 0 parameters for constants"},
        {"sampler without argument",
         "float4 F(uniform sampler s) : COLOR { return 1; } technique T { pass P {\n"
         "PixelShader = compile ps_3_0 F(); } }",
         "sampler 's' of 'F' has no argument"},
        {"sampler with a semantic",
         "float4 F(sampler s : TEXCOORD0) : COLOR { return tex2D(s, 0); } technique T { pass P {\n"
         "PixelShader = compile ps_3_0 F(); } }",
         "sampler 's' of 'F' has no argument"},
        {"choice of samplers",
         "sampler a, b; float4 F(sampler s) : COLOR { return tex2D(s, 0); } technique T { pass P "
         "{\n"
         "PixelShader = compile ps_3_0 F((1 ? a : b)); } }",
         "the argument for 's' is no sampler"},
        {"choice of samplers as a default",
         "sampler a, b; float4 F(sampler s = (1 ? a : b)) : COLOR { return tex2D(s, 0); }\n"
         "technique T { pass P { PixelShader = compile ps_3_0 F(); } }",
         "the argument for 's' is no sampler"},
        {"the vertex shader of passes without one",
         "float4 standard_vertex(float4 a, float3 b, float2 c, out float2 d, out float2 e,\n"
         "out float3 f, out float3 g); float4 F(uniform sampler s) : COLOR { return 1; } sampler "
         "a;\n"
         "technique T { pass P { PixelShader = compile ps_3_0 F(a); } }",
         "'standard_vertex', the vertex shader of this pass, is declared"},
        {"assembly", "technique T { pass P { VertexShader = asm { vs_1_1 }; } }",
         "shaders in assembly language are not supported"},
        {"technique10", "technique10 T {}", "'technique10' is not supported"},
        {"constant buffer", "cbuffer C { float a; };", "'cbuffer' is not supported"},
        {"rows of an element step",
         "float4 F() : COLOR { float2x2 m = 0; m._m00_m11++; return m[0].xyxy; }\n"
         "technique T { pass P { PixelShader = compile ps_3_0 F(); } }",
         "++ and -- of matrix elements of several rows are not supported"},
        {"length of a matrix", "float4x4 m; void F() { length(m); }",
         "length of float4x4 is not supported"},
        {"output of a pixel shader",
         "float4 F() : TEXCOORD0 { return 1; } technique T { pass P { PixelShader = compile ps_3_0 "
         "F(); } }",
         "a pixel shader has no output TEXCOORD0"},
        {"annotation", "float n; float a < float x = n; >;",
         "the value of annotation 'x' is not constant"},
        {"text", "float a < string x = 1; >;", "expected a text in quotes, not '1'"},
        {"defaults in the middle", "float F(float a = 1, float b) { return a; }",
         "parameter 'b' has no default"},
        {"defined twice", "float F() { return 1; } float F() { return 2; }",
         "function 'F' is defined twice"},
        {"a type as a value", "float F() { return float; }", "expected '('"},
        {"void variable", "void a;", "variable 'a' of type void"},
        {"empty struct", "struct S {};", "struct 'S' has no members"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        EffectFixture fixture;
        if (effect_fixture_load(&fixture, rows[i].text, NULL) ||
            !strstr(fixture.log.text, rows[i].expected) || fixture.log.diag.errors != 1 ||
            fixture.log.diag.kind != DIAG_DATA)
            fail_msg("%s: %s", rows[i].what, fixture.log.text);
        effect_fixture_finish(&fixture);
    }
}

static void test_include_stack(void **state)
{
    static const EffectFile files[] = {{"pack/b.fxsub", "#include \"c.fxsub\"\n"},
                                       {"pack/c.fxsub", "\nfloat a = b;"},
                                       {NULL, NULL}};
    EffectFixture fixture;
    (void)state;
    assert_false(effect_fixture_load(&fixture, "\n#include \"b.fxsub\"\n", files));
    assert_string_equal(fixture.log.text,
                        "error: pack/c.fxsub:2:11: there is no variable 'b'; included by "
                        "pack/b.fxsub:1, pack/a.fx:2\n");
    effect_fixture_finish(&fixture);
}

/* Text that would use much time, memory or stack. */
static void test_caps(void **state)
{
    static const struct {
        const char *what, *before, *repeated, *after;
        int count;
        const char *expected;
    } rows[] = {
        {"brackets", "float F() { return ", "(", "", 5000, "nested more than 128 deep"},
        {"blocks", "void F() ", "{", "", 5000, "nested more than 128 deep"},
        {"signs", "float F() { return ", "-", "", 5000, "nested more than 128 deep"},
        {"choices", "float F() { return ", "1 ? 1 : ", "", 5000, "nested more than 128 deep"},
        {"braces", "float a = ", "{", "", 5000, "nested more than 128 deep"},
        {"a long sum", "float F(float a) { return a", " + a", "; }", 5000,
         "more than 1024 nested operations"},
        {"swizzles", "float4 F(float4 a) { return a", ".x", "; }", 5000,
         "more than 1024 nested operations"},
        {"parameters", "float a", ", a", ";", 1, "'a' is declared twice"},
        {"initializer", "float a[] = {", "1, ", "};", 20000, "more than 16384 values"},
        {"struct", "struct S { float4 a[4096]; float b", "", "; }; S s;", 1,
         "has more than 16384 numbers"},
        {"arguments", "float F() { return max(", "1, ", "1); }", 200, "more than 64 arguments"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *scratch = arena_create();
        const size_t size = strlen(rows[i].repeated);
        char *text = arena_alloc(scratch, (size_t)rows[i].count * size + 1024);
        char *at = stpcpy(text, rows[i].before);
        for (int k = 0; k < rows[i].count; k++)
            at = stpcpy(at, rows[i].repeated);
        stpcpy(at, rows[i].after);
        EffectFixture fixture;
        if (effect_fixture_load(&fixture, text, NULL) ||
            !strstr(fixture.log.text, rows[i].expected))
            fail_msg("%s: %.300s", rows[i].what, fixture.log.text);
        effect_fixture_finish(&fixture);
        arena_destroy(scratch);
    }
}

/* The limits of Direct3D 9 on one shader. */
static void test_shader_limits(void **state)
{
    static const struct {
        const char *globals, *statements, *expected;
    } rows[] = {
        {"float4 c[300];", "o = c[0];", "a shader has more than 256 vectors of constants"},
        {"#define S(n) sampler s##n; \n#define T(n) S(n##0) S(n##1) S(n##2) S(n##3) S(n##4)\n"
         "T(1) T(2) T(3) T(4)",
         "\n#define R(n) o += tex2D(s##n, t.xy);\n"
         "#define U(n) R(n##0) R(n##1) R(n##2) R(n##3) R(n##4)\nU(1) U(2) U(3) U(4)\n",
         "a shader has more than 16 samplers"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        EffectFixture fixture;
        if (effect_fixture_shader(&fixture, rows[i].globals, rows[i].statements) ||
            !strstr(fixture.log.text, rows[i].expected))
            fail_msg("%s: %s", rows[i].expected, fixture.log.text);
        effect_fixture_finish(&fixture);
    }
}

/* A GLSL compiler copies functions into their calls: 24 of them, each of which calls the one before
 * twice, took 3.3 GiB. */
static void test_calls_of_calls(void **state)
{
    enum { FUNCTIONS = 24 };
    char text[FUNCTIONS * 64] = "float f0(float x) { return x; }\n";
    EffectFixture fixture;
    (void)state;
    for (int i = 1; i < FUNCTIONS; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "float f%d(float x) { return f%d(x) + f%d(x); }\n", i, i - 1, i - 1);
    assert_false(effect_fixture_shader(&fixture, text, "o = f23(t.x);"));
    assert_non_null(strstr(fixture.log.text, "a shader has more than 131072 operations"));
    effect_fixture_finish(&fixture);
    assert_true(effect_fixture_shader(&fixture, text, "o = f9(t.x) + f9(t.y);"));
    effect_fixture_finish(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_messages),       cmocka_unit_test(test_include_stack),
        cmocka_unit_test(test_caps),           cmocka_unit_test(test_shader_limits),
        cmocka_unit_test(test_calls_of_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
