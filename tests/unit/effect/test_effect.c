// SPDX-License-Identifier: MIT
/* What an effect contains: parameters, annotations, samplers, techniques, passes and states. */
#include <string.h>

#include "effect_fixture.h"
#include "unit_test.h"

static void load(EffectFixture *fixture, const char *text)
{
    if (!effect_fixture_load(fixture, text, NULL))
        fail_msg("%s", fixture->log.text);
}

static const EffectParameter *parameter(const EffectFixture *fixture, const char *name)
{
    const int index = effect_find_parameter(fixture->effect, name);
    if (index < 0)
        fail_msg("no parameter %s", name);
    return &fixture->effect->parameters[index];
}

static void test_parameters(void **state)
{
    EffectFixture fixture;
    (void)state;
    load(&fixture, "float4x4 World : WORLD;\n"
                   "float3 Light : DIRECTION < string Object = \"Li\" \"ght\"; >;\n"
                   "const float4 Clear = float4(1, 0.5, 0, 1);\n"
                   "float Depth = 1.0, Other;\n"
                   "int counts[3] = {1, 2, 3};\n"
                   "bool flag = true;\n"
                   "string text = \"a\" \"b\";\n"
                   "shared texture2D Map : RENDERCOLORTARGET;\n"
                   "static float hidden = 1;\n"
                   "float2 offset = 0.5 / Depth;\n"
                   "half3 tint : COLOR = {1, 2, 3};\n"
                   "float x<bool b = true;>=2;\n");
    assert_int_equal(fixture.effect->parameter_count, 11);
    const EffectParameter *world = parameter(&fixture, "World");
    assert_string_equal(world->semantic, "WORLD");
    assert_int_equal(world->type.rows, 4);
    assert_int_equal(world->type.columns, 4);
    assert_null(world->values);

    const EffectParameter *light = parameter(&fixture, "Light");
    const EffectAnnotation *object =
        effect_find_annotation(light->annotations, light->annotation_count, "OBJECT");
    assert_non_null(object);
    assert_string_equal(object->text, "Light");
    assert_int_equal(effect_type_size(light->type), 3);

    const EffectParameter *clear = parameter(&fixture, "Clear");
    assert_true(clear->literal);
    assert_float_equal(clear->values[1], 0.5f, 0);
    assert_float_equal(parameter(&fixture, "Depth")->values[0], 1, 0);
    assert_false(parameter(&fixture, "Depth")->literal);
    assert_null(parameter(&fixture, "Other")->values);
    assert_int_equal(parameter(&fixture, "counts")->type.elements, 3);
    assert_float_equal(parameter(&fixture, "counts")->values[2], 3, 0);
    assert_int_equal(parameter(&fixture, "flag")->type.base, EFFECT_BOOL);
    assert_string_equal(parameter(&fixture, "text")->text, "ab");
    assert_true(parameter(&fixture, "Map")->shared);
    assert_int_equal(parameter(&fixture, "Map")->type.dimension, EFFECT_2D);
    assert_float_equal(parameter(&fixture, "tint")->values[2], 3, 0);
    assert_float_equal(parameter(&fixture, "x")->values[0], 2, 0);
    /* Computed by the shaders. */
    assert_int_equal(effect_find_parameter(fixture.effect, "hidden"), -1);
    assert_int_equal(effect_find_parameter(fixture.effect, "offset"), -1);
    effect_fixture_finish(&fixture);
}

static void test_annotations(void **state)
{
    EffectFixture fixture;
    (void)state;
    load(&fixture,
         "#define RATIO 0.5\n"
         "texture T : RENDERCOLORTARGET < float2 ViewPortRatio = {RATIO, 1.0/4.0};\n"
         "  string Format = \"A16B16G16R16F\"; bool AntiAlias = false; int Levels = 1 + 1;\n"
         "  float4 Color = float4(0, 1, 0, 1); float w[3] = {1, 2, 3} >;");
    const EffectParameter *texture = parameter(&fixture, "T");
    assert_int_equal(texture->annotation_count, 6);
    const EffectAnnotation *a = texture->annotations;
    assert_float_equal(a[0].values[0], 0.5f, 0);
    assert_float_equal(a[0].values[1], 0.25f, 0);
    assert_string_equal(a[1].text, "A16B16G16R16F");
    assert_float_equal(a[2].values[0], 0, 0);
    assert_float_equal(a[3].values[0], 2, 0);
    assert_float_equal(a[4].values[1], 1, 0);
    assert_int_equal(effect_type_size(a[5].type), 3);
    effect_fixture_finish(&fixture);
}

static void test_samplers(void **state)
{
    EffectFixture fixture;
    (void)state;
    load(&fixture, "texture Map; texture Sky;\n"
                   "sampler A = sampler_state { texture = <Map>; MinFilter = LINEAR;\n"
                   "  MAGFILTER = Linear; MipFilter = NONE; AddressU = CLAMP; ADDRESSV = 4;\n"
                   "  BorderColor = 0x80FF0000; MaxAnisotropy = 16; MipMapLodBias = -1.5;\n"
                   "  SRGBTexture = TRUE; Unknown = 3; };\n"
                   "sampler2D B : register(s3) = sampler_state { Texture = (Sky);\n"
                   "  FILTER = ANISOTROPIC; BorderColor = float4(0, 0.5, 1, 1) };\n"
                   "sampler C : register(s0);\n");
    const EffectSampler *a = parameter(&fixture, "A")->sampler;
    assert_int_equal(a->texture, effect_find_parameter(fixture.effect, "Map"));
    assert_int_equal(a->register_index, -1);
    assert_int_equal(a->min_filter, EFFECT_LINEAR);
    assert_int_equal(a->mag_filter, EFFECT_LINEAR);
    assert_int_equal(a->mip_filter, EFFECT_FILTER_NONE);
    assert_int_equal(a->address_u, EFFECT_CLAMP);
    assert_int_equal(a->address_v, EFFECT_BORDER);
    assert_int_equal(a->address_w, EFFECT_WRAP);
    assert_float_equal(a->border_color[0], 1, 0);
    assert_float_equal(a->border_color[2], 0, 0);
    assert_float_equal(a->border_color[3], 128.0f / 255, 1e-6);
    assert_int_equal(a->max_anisotropy, 16);
    assert_float_equal(a->lod_bias, -1.5f, 0);
    assert_true(a->srgb);

    const EffectSampler *b = parameter(&fixture, "B")->sampler;
    assert_int_equal(b->register_index, 3);
    assert_int_equal(b->min_filter, EFFECT_ANISOTROPIC);
    assert_int_equal(b->mip_filter, EFFECT_LINEAR);
    assert_float_equal(b->border_color[1], 0.5f, 0);

    const EffectSampler *c = parameter(&fixture, "C")->sampler;
    assert_int_equal(c->texture, -1);
    assert_int_equal(c->register_index, 0);
    assert_int_equal(c->min_filter, EFFECT_POINT);

    assert_int_equal(fixture.effect->note_count, 1);
    assert_string_equal(fixture.effect->notes[0].text, "state 'Unknown' of a sampler is ignored");
    assert_int_equal(fixture.effect->notes[0].line, 5);
    effect_fixture_finish(&fixture);
}

static void test_passes(void **state)
{
    static const struct {
        EffectStateKind kind;
        double value;
    } expected[] = {
        {EFFECT_ALPHA_BLEND_ENABLE, 1}, {EFFECT_SRC_BLEND, 5},      {EFFECT_DEST_BLEND, 2},
        {EFFECT_Z_ENABLE, 0},           {EFFECT_Z_FUNC, 4},         {EFFECT_CULL_MODE, 3},
        {EFFECT_COLOR_WRITE_ENABLE, 7}, {EFFECT_DEPTH_BIAS, -0.25}, {EFFECT_STENCIL_PASS, 2},
        {EFFECT_ALPHA_REF, 0x40},       {EFFECT_SRC_BLEND_ALPHA, 1}};
    EffectFixture fixture;
    (void)state;
    load(&fixture,
         "int mode = 1; static float bias = -0.25;\n"
         "float4 V(float4 p : POSITION) : POSITION { return p; }\n"
         "float4 P() : COLOR { return 1; }\n"
         "Technique Main < string MMDPass = \"object\"; > {\n"
         "  pass Draw < string Script = \"Draw=Geometry;\"; > {\n"
         "    AlphaBlendEnable = TRUE; SrcBlend = SRCALPHA; DestBlend = one;\n"
         "    ZEnable = false; ZFunc = LESSEQUAL; CULLMODE = CCW;\n"
         "    ColorWriteEnable = RED | GREEN|BLUE; DepthBias = bias; StencilPass = ZERO;\n"
         "    AlphaRef = 0x40; SrcBlendAlpha = D3DBLEND_ZERO;\n"
         "    FogEnable = true; Sampler[0] = (none);\n"
         "    FillMode = (mode);\n"
         "    VertexShader = compile vs_3_0 V(); PixelShader = compile ps_2_a P(); }\n"
         "  pass { VertexShader = NULL; PixelShader = null };\n"
         "  pass Empty {}\n"
         "}\n"
         "technique Nothing {}\n");
    assert_int_equal(fixture.effect->technique_count, 2);
    const EffectTechnique *technique = &fixture.effect->techniques[0];
    assert_string_equal(technique->name, "Main");
    assert_string_equal(technique->annotations[0].text, "object");
    assert_int_equal(technique->pass_count, 3);
    const EffectPass *pass = &technique->passes[0];
    const size_t count = sizeof expected / sizeof *expected;
    assert_string_equal(pass->name, "Draw");
    assert_string_equal(pass->annotations[0].text, "Draw=Geometry;");
    assert_int_equal(pass->state_count, count + 1);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(pass->states[i].kind, expected[i].kind);
        assert_float_equal(pass->states[i].value, expected[i].value, 0);
        assert_int_equal(pass->states[i].parameter, -1);
    }
    assert_int_equal(pass->states[count].parameter, 0);
    assert_int_equal(pass->vertex->model, 3);
    assert_int_equal(pass->fragment->model, 2);
    assert_string_equal(pass->fragment->entry, "P");
    assert_null(technique->passes[1].vertex);
    assert_null(technique->passes[2].fragment);
    assert_int_equal(fixture.effect->techniques[1].pass_count, 0);
    assert_int_equal(fixture.effect->note_count, 2);
    effect_fixture_finish(&fixture);
}

/* States and shaders of blocks that passes name; what follows in the pass replaces theirs. */
static void test_state_blocks(void **state)
{
    EffectFixture fixture;
    (void)state;
    load(&fixture,
         "float4 V(float4 p : POSITION) : POSITION { return p; }\n"
         "float4 P(uniform float a) : COLOR { return a; }\n"
         "stateblock Plain = stateblock_state {\n"
         "  CullMode = NONE; ZEnable = false;\n"
         "  VertexShader = compile vs_3_0 V(); PixelShader = compile ps_3_0 P(1); };\n"
         "StateBlock Points = StateBlock_State { StateBlock = <Plain>; FillMode = POINT; };\n"
         "technique T {\n"
         "  pass A { StateBlock = (Plain); ZEnable = true; }\n"
         "  pass B { StateBlock = Points; PixelShader = compile ps_2_0 P(2); }\n"
         "}\n");
    const EffectPass *passes = fixture.effect->techniques[0].passes;
    assert_int_equal(passes[0].state_count, 3);
    assert_int_equal(passes[0].states[0].kind, EFFECT_CULL_MODE);
    assert_int_equal(passes[0].states[2].kind, EFFECT_Z_ENABLE);
    assert_float_equal(passes[0].states[2].value, 1, 0);
    assert_string_equal(passes[0].vertex->entry, "V");
    assert_non_null(strstr(passes[0].fragment->text, "= 1.0;"));
    assert_int_equal(passes[1].state_count, 3);
    assert_int_equal(passes[1].states[2].kind, EFFECT_FILL_MODE);
    assert_string_equal(passes[1].vertex->entry, "V");
    assert_int_equal(passes[1].fragment->model, 2);
    assert_non_null(strstr(passes[1].fragment->text, "= 2.0;"));
    effect_fixture_finish(&fixture);
}

/* A pixel shader alone gets the vertices and what it reads of them. */
static void test_pixel_shader_alone(void **state)
{
    EffectFixture fixture;
    (void)state;
    load(&fixture,
         "float a; float4 V(float4 p : POSITION) : POSITION { return p; }\n"
         "float4 P(float2 t : TEXCOORD0) : COLOR { return t.xyxy * a; }\n"
         "technique T { pass A { PixelShader = compile ps_2_0 P(); }\n"
         "  pass B { VertexShader = compile vs_2_0 V(); PixelShader = compile ps_2_0 P(); }\n"
         "  pass C { VertexShader = compile vs_2_0 V(); } }\n");
    const Effect *effect = fixture.effect;
    const EffectPass *passes = effect->techniques[0].passes;
    assert_non_null(passes[0].vertex);
    assert_int_equal(passes[0].vertex->inputs, 1u << EFFECT_INPUT_POSITION |
                                                   1u << EFFECT_INPUT_NORMAL |
                                                   1u << EFFECT_INPUT_TEXCOORD0);
    const int clip = passes[0].vertex->uniforms[0].parameter;
    assert_string_equal(effect->parameters[clip].semantic, "WORLDVIEWPROJECTION");
    assert_non_null(strstr(passes[0].vertex->text, "vary_TEXCOORD0 = "));
    assert_string_equal(passes[1].vertex->entry, "V");
    assert_null(passes[2].fragment);
    effect_fixture_finish(&fixture);
    load(&fixture, "float a; technique T { pass A { VertexShader = NULL; PixelShader = NULL; } }");
    assert_int_equal(fixture.effect->parameter_count, 1);
    effect_fixture_finish(&fixture);
}

/* What a shader uses: uniforms, samplers, inputs and outputs. */
static void test_shaders(void **state)
{
    EffectFixture fixture;
    (void)state;
    load(&fixture,
         "float used, unused; float4x4 M; const float c = 2; texture t;\n"
         "sampler S = sampler_state { texture = <t>; };\n"
         "samplerCUBE Q = sampler_state { texture = <t>; };\n"
         "struct A { float4 p : POSITION; float2 t[2] : TEXCOORD1; float3 n : NORMAL; };\n"
         "A V(A a, int i : _INDEX) { a.p = mul(a.p, M) * i; return a; }\n"
         "void P(A a, out float4 x : COLOR0, out float4 y : COLOR2, out float d : DEPTH)\n"
         "{ x = tex2D(S, a.t[1]) * used * c; y = texCUBE(Q, a.n); d = 0.5; }\n"
         "technique T { pass P { VertexShader = compile vs_3_0 V();\n"
         " PixelShader = compile ps_3_0 P(); } }");
    const EffectPass *pass = &fixture.effect->techniques[0].passes[0];
    assert_int_equal(pass->vertex->inputs, 1u << EFFECT_INPUT_POSITION | 1u << EFFECT_INPUT_NORMAL |
                                               1u << EFFECT_INPUT_INDEX |
                                               1u << (EFFECT_INPUT_TEXCOORD0 + 1) |
                                               1u << (EFFECT_INPUT_TEXCOORD0 + 2));
    assert_int_equal(pass->vertex->uniform_count, 1);
    assert_int_equal(pass->vertex->uniforms[0].parameter, 2);
    assert_int_equal(pass->fragment->uniform_count, 1);
    assert_int_equal(pass->fragment->uniforms[0].parameter, 0);
    assert_int_equal(pass->fragment->sampler_count, 2);
    assert_int_equal(pass->fragment->samplers[0].dimension, EFFECT_2D);
    assert_int_equal(pass->fragment->samplers[1].dimension, EFFECT_CUBE);
    assert_int_equal(pass->fragment->color_count, 3);
    assert_true(pass->fragment->writes_depth);
    assert_non_null(strstr(pass->fragment->text, pass->fragment->uniforms[0].name));
    effect_fixture_finish(&fixture);
}

static void test_files(void **state)
{
    static const EffectFile files[] = {{"pack/b.fxsub", "float b;"}, {NULL, NULL}};
    EffectFixture fixture;
    (void)state;
    assert_true(effect_fixture_load(&fixture, "#include \"b.fxsub\"\n#undef X\n", files));
    assert_int_equal(fixture.effect->file_count, 2);
    assert_string_equal(fixture.effect->files[0], "pack/a.fx");
    assert_string_equal(fixture.effect->files[1], "pack/b.fxsub");
    effect_fixture_finish(&fixture);
}

/* The packages of the shared data: each entry point translates. */
static void test_packages(void **state)
{
    Arena *arena = arena_create();
    const EffectPaths paths = effect_fixture_packages(arena);
    size_t shaders = 0;
    (void)state;
    for (size_t i = 0; i < paths.count; i++) {
        EffectFixture fixture;
        if (!effect_fixture_open(&fixture, paths.items[i]))
            fail_msg("%s", fixture.log.text);
        for (size_t t = 0; t < fixture.effect->technique_count; t++)
            for (size_t p = 0; p < fixture.effect->techniques[t].pass_count; p++) {
                const EffectPass *pass = &fixture.effect->techniques[t].passes[p];
                shaders += pass->vertex ? 1 : 0;
                shaders += pass->fragment ? 1 : 0;
            }
        effect_fixture_finish(&fixture);
    }
    const size_t count = paths.count;
    arena_destroy(arena);
    if (!count)
        skip();
    print_message("%zu effects, %zu entry points\n", count, shaders);
    assert_int_not_equal(shaders, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parameters),   cmocka_unit_test(test_annotations),
        cmocka_unit_test(test_samplers),     cmocka_unit_test(test_passes),
        cmocka_unit_test(test_state_blocks), cmocka_unit_test(test_pixel_shader_alone),
        cmocka_unit_test(test_shaders),      cmocka_unit_test(test_files),
        cmocka_unit_test(test_packages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
