// SPDX-License-Identifier: MIT
/* Scripts become commands with indices; techniques are chosen by their annotations. */

#include "render/effects/technique.h"

#include <string.h>

#include "unit_test.h"

enum { SCENE, DEPTH, COLOR, COUNT, PARAMETERS };

static const EffectParameter PARAMETER_LIST[PARAMETERS] = {
    [SCENE] = {.name = "ScnMap", .semantic = "", .type = {.base = EFFECT_TEXTURE}},
    [DEPTH] = {.name = "DepthBuffer", .semantic = "", .type = {.base = EFFECT_TEXTURE}},
    [COLOR] = {.name = "ClearColor", .semantic = "", .type = {EFFECT_FLOAT, 1, 4, 0, 0}},
    [COUNT] = {.name = "Count", .semantic = "", .type = {EFFECT_INT, 1, 1, 0, 0}},
};
static const EffectPass PASSES[] = {{.name = "First"}, {.name = "Second"}};
static const EffectTechnique TECHNIQUE = {.name = "Main", .passes = PASSES, .pass_count = 2};
static const Effect EFFECT = {.parameters = PARAMETER_LIST,
                              .parameter_count = PARAMETERS,
                              .techniques = &TECHNIQUE,
                              .technique_count = 1};

static void expect(const FxScript *script, const FxCommand *expected, size_t count)
{
    assert_int_equal(script->count, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(script->commands[i].kind, expected[i].kind);
        assert_int_equal(script->commands[i].number, expected[i].number);
        assert_int_equal(script->commands[i].parameter, expected[i].parameter);
    }
}

static void test_commands(void **unused)
{
    static const FxCommand expected[] = {{FX_COLOR_TARGET, 0, SCENE}, {FX_COLOR_TARGET, 3, -1},
                                         {FX_DEPTH_TARGET, 0, DEPTH}, {FX_SET_COLOR, 0, COLOR},
                                         {FX_CLEAR_COLOR, 0, -1},     {FX_CLEAR_DEPTH, 0, -1},
                                         {FX_EXTERNAL, 0, -1},        {FX_PASS, 1, -1}};
    Arena *arena = arena_create();
    const FxScript script = fx_script_parse(
        " RenderColorTarget = ScnMap ;\n\trendercolortarget3=;RenderDepthStencilTarget=DepthBuffer;"
        "ClearSetColor=ClearColor;Clear=Color;Clear=DEPTH;;ScriptExternal=color;Pass=second",
        &EFFECT, &TECHNIQUE, arena);
    (void)unused;
    expect(&script, expected, sizeof expected / sizeof *expected);
    assert_null(script.ignored);
    assert_true(fx_script_has(&script, FX_EXTERNAL));
    assert_false(fx_script_has(&script, FX_LOOP));
    arena_destroy(arena);
}

/* A loop knows its end, an end its loop; what has no counterpart is closed or left out. */
static void test_loops(void **unused)
{
    static const FxCommand nested[] = {
        {FX_LOOP, 4, COUNT},  {FX_LOOP, 3, COUNT}, {FX_PASS, 0, -1},    {FX_LOOP_END, 1, -1},
        {FX_LOOP_END, 0, -1}, {FX_LOOP, 6, COUNT}, {FX_LOOP_END, 5, -1}};
    Arena *arena = arena_create();
    (void)unused;
    const FxScript script =
        fx_script_parse("LoopEnd=;LoopByCount=Count;LoopByCount=Count;Pass=First;LoopEnd=;LoopEnd=;"
                        "LoopByCount=Count;",
                        &EFFECT, &TECHNIQUE, arena);
    expect(&script, nested, sizeof nested / sizeof *nested);
    arena_destroy(arena);
}

/* What means nothing is left out, and the first of it is named. */
static void test_ignored(void **unused)
{
    static const char *const texts[] = {
        "ClearSetStencil=Count", "Pass=Third",    "Draw=Buffer", "RenderColorTarget0=ClearColor",
        "ClearSetColor=ScnMap",  "Clear=Stencil", "Pass"};
    Arena *arena = arena_create();
    (void)unused;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const FxScript script = fx_script_parse(texts[i], &EFFECT, &TECHNIQUE, arena);
        assert_int_equal(script.count, 0);
        assert_string_equal(script.ignored, texts[i]);
    }
    const FxScript pass = fx_script_parse("Draw=Buffer;Pass=First;", &EFFECT, NULL, arena);
    assert_int_equal(pass.count, 1);
    assert_int_equal(pass.commands[0].kind, FX_DRAW_BUFFER);
    assert_string_equal(pass.ignored, "Pass=First");
    arena_destroy(arena);
}

static void test_subsets(void **unused)
{
    size_t count;
    Arena *arena = arena_create();
    const FxRange *r = fx_parse_subset(&count, "0-3, 5,x,7-", arena);
    (void)unused;
    assert_int_equal(count, 3);
    assert_true(r[0].first == 0 && r[0].last == 3 && r[1].first == 5 && r[1].last == 5);
    assert_true(r[2].first == 7 && r[2].last == INT64_MAX);
    arena_destroy(arena);
}

#define TEXT(name, value)                          \
    {                                              \
        name, {.base = EFFECT_STRING}, value, NULL \
    }
#define FLAG(name, value)                            \
    {                                                \
        name, {EFFECT_BOOL, 1, 1, 0, 0}, NULL, value \
    }

/* The first technique that fits, in the order of the file or of STANDARDSGLOBAL. */
static void test_choice(void **unused)
{
    static const float yes = 1, no = 0;
    static const EffectAnnotation ss[] = {TEXT("mmdpass", "OBJECT_SS"), TEXT("Subset", "0-6,8")};
    static const EffectAnnotation textured[] = {FLAG("UseTexture", &yes), FLAG("UseToon", &yes)};
    static const EffectAnnotation bare[] = {FLAG("UseTexture", &no)};
    static const EffectAnnotation edge[] = {TEXT("MMDPass", "edge")};
    static const EffectTechnique techniques[] = {{"A", ss, 2, NULL, 0},
                                                 {"B", textured, 2, NULL, 0},
                                                 {"C", bare, 1, NULL, 0},
                                                 {"D", NULL, 0, NULL, 0},
                                                 {"E", edge, 1, NULL, 0}};
    static const EffectAnnotation order[] = {TEXT("Script", "Technique=Technique?D:Q:B;"),
                                             TEXT("ScriptClass", "SceneOrObject"),
                                             TEXT("ScriptOrder", "postprocess")};
    static const EffectParameter global = {.name = "Script",
                                           .semantic = "StandardsGlobal",
                                           .type = {EFFECT_FLOAT, 1, 1, 0, 0},
                                           .annotations = order,
                                           .annotation_count = 3};
    Effect effect = {.techniques = techniques, .technique_count = 5};
    Arena *arena = arena_create();
    FxTechniques t = fx_techniques_of(&effect, arena);
    FxSubject subject = {.material = 8, .texture = true, .toon = true};
    (void)unused;

    assert_int_equal(t.class, FX_CLASS_OBJECT);
    assert_int_equal(t.order, FX_STANDARD);
    assert_string_equal(fx_find_technique(&t, FX_OBJECT_SHADED, &subject)->technique->name, "A");
    assert_string_equal(fx_find_technique(&t, FX_OBJECT, &subject)->technique->name, "B");
    subject.toon = false;
    assert_string_equal(fx_find_technique(&t, FX_OBJECT, &subject)->technique->name, "D");
    subject.texture = false;
    assert_string_equal(fx_find_technique(&t, FX_OBJECT, &subject)->technique->name, "C");
    assert_string_equal(fx_find_technique(&t, FX_EDGE, &subject)->technique->name, "E");
    assert_null(fx_find_technique(&t, FX_GROUND_SHADOW, &subject));
    subject.material = 7; /* no technique for object_ss is that of object */
    assert_string_equal(fx_find_technique(&t, FX_OBJECT_SHADED, &subject)->technique->name, "C");

    effect.parameters = &global;
    effect.parameter_count = 1;
    t = fx_techniques_of(&effect, arena);
    assert_int_equal(t.class, FX_CLASS_BOTH);
    assert_int_equal(t.order, FX_POSTPROCESS);
    assert_int_equal(t.count, 2);
    assert_string_equal(fx_scene_technique(&t)->technique->name, "D");
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commands), cmocka_unit_test(test_loops),
        cmocka_unit_test(test_ignored),  cmocka_unit_test(test_subsets),
        cmocka_unit_test(test_choice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
