// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "diag_log.h"
#include "effect/effect.h"
#include "model_fixture.h"
#include "scene/effects/effect_files.h"
#include "scene/scene.h"
#include "scratch.h"
#include "tiny_picture.h"
#include "unit_test.h"

#define SHADERS                                                                         \
    "float4 VS(float4 p : POSITION) : POSITION { return p; }\n"                         \
    "float4 PS() : COLOR { return 1; }\n"                                               \
    "technique T { pass P { VertexShader = compile vs_2_0 VS(); PixelShader = compile " \
    "ps_2_0 PS(); } }\n"

typedef struct Bench {
    Scratch scratch;
    Arena *arena;
    DiagLog log;
    ModelSpec models[4];
    size_t count;
    EffectsMode mode;
    Scene scene;
} Bench;

static const char *file(Bench *b, const char *name)
{
    return arena_strdup(b->arena, scratch_path(&b->scratch, name));
}

static const char *save(Bench *b, const char *name, const char *text)
{
    const char *path = file(b, name);
    if (!file_save(path, text, strlen(text), &b->log.diag))
        fail_msg("%s", b->log.text);
    return path;
}

/* A model with the materials 0 "strip" and 1 "hair". */
static const char *save_model(Bench *b, const char *name)
{
    PmxModel pmx = fixture_strip(b->arena);
    PmxMaterial *materials = arena_array(b->arena, PmxMaterial, 2);
    const char *path = file(b, name);
    materials[0] = fixture_material("strip", 0, 12);
    materials[1] = fixture_material("hair", 12, 12);
    pmx.materials = materials;
    pmx.material_count = 2;
    const Bytes bytes = pmx_write(&pmx, (PmxWriteOptions){0}, b->arena);
    assert_true(file_save(path, bytes.data, bytes.size, &b->log.diag));
    return path;
}

static void begin(Bench *b)
{
    memset(b, 0, sizeof *b);
    b->arena = arena_create();
    diag_log_init(&b->log);
    scratch_make(&b->scratch);
}

static void end(Bench *b)
{
    scratch_remove(&b->scratch);
    arena_destroy(b->arena);
}

static ModelSpec *add_model(Bench *b, const char *id, const char *path)
{
    ModelSpec *spec = &b->models[b->count++];
    *spec = (ModelSpec){.id = id, .file = path, MODEL_DEFAULT, .stage = true};
    return spec;
}

static bool load(Bench *b)
{
    const SceneSpec spec = {.models = b->models,
                            .model_count = b->count,
                            .compat = COMPAT_DEFAULT,
                            .textures = true,
                            .effects.mode = b->mode};
    return scene_load(&b->scene, &spec, b->arena, &b->log.diag);
}

static void expect_no_message(const Bench *b)
{
    if (*b->log.text)
        fail_msg("%s", b->log.text);
}

/* What draws the materials of a model: "main.fx hide", "-" for none. */
static const char *drawn(Bench *b, SceneEffectDraws draws, size_t model)
{
    const char *text = "";
    for (size_t i = 0; i < 2; i++) {
        const int index = scene_effect_of(draws, model, i);
        const char *name = index == EFFECT_STANDARD ? "-"
                           : index == EFFECT_HIDE
                               ? "hide"
                               : strrchr(b->scene.effects.items[index].file, '/') + 1;
        text = arena_printf(b->arena, "%s%s%s", text, i ? " " : "", name);
    }
    return text;
}

#define assert_drawn(b, draws, model, expected) \
    assert_string_equal(drawn((b), (draws), (model)), (expected))

static void test_files_beside_models(void **state)
{
    Bench b;
    (void)state;
    begin(&b);
    save(&b, "A.FX", SHADERS);
    save(&b, "other.fx", SHADERS);
    save(&b, "c.fx", SHADERS);
    save(&b, "c.emd",
         "[Info]\r\nVersion = 3\r\n\r\n[Effect]\r\nObj = Other.fx\r\nObj[1] = sub\\..\\a.fx\r\n"
         "Obj[0].show = false\r\n");
    mkdir(file(&b, "sub"), 0700);
    add_model(&b, "a", save_model(&b, "a.pmx"));
    add_model(&b, "b", save_model(&b, "b[Other.fx].pmx"));
    add_model(&b, "c", save_model(&b, "c.pmx"));
    add_model(&b, "d", save_model(&b, "d.pmx"));
    assert_true(load(&b));
    expect_no_message(&b);
    const SceneEffects *effects = &b.scene.effects;
    assert_drawn(&b, effects->draws, 0, "A.FX A.FX");
    assert_drawn(&b, effects->draws, 1, "other.fx other.fx");
    assert_drawn(&b, effects->draws, 2, "hide A.FX");
    assert_drawn(&b, effects->draws, 3, "- -");
    assert_null(effects->draws[3]);
    assert_int_equal(effects->count, 2);
    assert_string_equal(effects->items[0].used_by, "a, c");
    assert_string_equal(effects->items[1].used_by, "b, c");
    assert_int_equal(effects->file_count, 3);
    assert_int_equal(effects->target_count, 0);
    end(&b);
}

static void test_assignments_of_a_job(void **state)
{
    Bench b;
    (void)state;
    begin(&b);
    mkdir(file(&b, "fx"), 0700);
    save(&b, "a.fx", SHADERS);
    const char *one = save(&b, "fx/one.fx", SHADERS), *two = save(&b, "fx/two.fx", SHADERS);
    NamedFile first = {"hair", two}, second = {"0", "hide"}, third = {"beard", one};
    const char *model = save_model(&b, "a.pmx");
    const struct {
        const char *effect;
        NamedFile *effects;
    } rows[] = {{one, &first}, {NULL, &second}, {"none", &third}};
    for (size_t i = 0; i < 3; i++) {
        ModelSpec *spec = add_model(&b, "abc" + i, model);
        spec->effect = rows[i].effect;
        spec->effects = rows[i].effects;
        spec->effect_count = 1;
    }
    assert_true(load(&b));
    assert_drawn(&b, b.scene.effects.draws, 0, "one.fx two.fx");
    assert_drawn(&b, b.scene.effects.draws, 1, "hide a.fx");
    assert_drawn(&b, b.scene.effects.draws, 2, "- -");
    assert_string_equal(b.log.text, "warning: no material of 'c' has the name or number 'beard'\n");
    end(&b);
}

#define TARGET                                                                  \
    "texture Map : OFFSCREENRENDERTARGET < string DefaultEffect = \"self=hide;" \
    "skip*.pmx=none; Auto.pmx=main_default; *.pmx=sub\\\\Depth.fx;\"; >;\n"

static void test_targets(void **state)
{
    Bench b;
    (void)state;
    begin(&b);
    mkdir(file(&b, "sub"), 0700);
    save(&b, "post.fx", TARGET "shared texture Both : OFFSCREENRENDERTARGET;\n" SHADERS);
    save(&b, "auto.fx", SHADERS);
    save(&b, "sub/depth.fx",
         "texture Inner : OFFSCREENRENDERTARGET < string DefaultEffect = \"self=hide;"
         "post.pmx=depth.fx; *=../auto.fx;\"; >;\n"
         "shared texture Both : OFFSCREENRENDERTARGET;\n" SHADERS);
    add_model(&b, "post", save_model(&b, "post.pmx"));
    add_model(&b, "auto", save_model(&b, "auto.pmx"));
    add_model(&b, "skip", save_model(&b, "skip1.pmx"));
    ModelSpec *spec = add_model(&b, "rest", save_model(&b, "rest.pmx"));
    NamedFile hair = {"hair", "none"}, body = {"body", "hide"};
    TargetEffectSpec own[] = {
        {.target = "map", .owner = "POST.pmx", .effects = &hair, .effect_count = 1},
        {.target = "map", .owner = "rest.pmx", .effects = &body, .effect_count = 1},
        {.target = "Other", .effect = "hide"}};
    spec->targets = own;
    spec->target_count = 3;
    assert_true(load(&b));
    assert_string_equal(b.log.text, "warning: no effect of the scene has the target 'map'\n"
                                    "warning: no effect of the scene has the target 'Other'\n");
    const SceneEffects *effects = &b.scene.effects;
    assert_int_equal(effects->target_count, 3); /* a shared one once */
    const SceneEffectTarget *target = &effects->targets[0], *inner = &effects->targets[2];
    assert_int_equal(target->parent, -1);
    assert_int_equal(inner->parent, 0); /* the effect has none where it draws in its own */
    assert_int_equal(inner->model, 3);
    assert_drawn(&b, inner->draws, 0, "depth.fx depth.fx");
    assert_drawn(&b, inner->draws, 1, "auto.fx auto.fx");
    assert_drawn(&b, inner->draws, 3, "hide hide");
    assert_int_equal(target->model, 0);
    assert_string_equal(effects->items[target->effect].effect->parameters[target->parameter].name,
                        "Map");
    assert_drawn(&b, target->draws, 0, "hide hide");
    assert_drawn(&b, target->draws, 1, "auto.fx auto.fx");
    assert_drawn(&b, target->draws, 2, "- -");
    assert_drawn(&b, target->draws, 3, "depth.fx -");
    assert_drawn(&b, effects->draws, 3, "- -");
    assert_string_equal(effects->items[2].used_by,
                        "the target Map of post.fx, the target Inner of depth.fx");
    end(&b);
}

/* Rules of an .emd with a path of its author's disk: that of the target counts instead. */
static void test_missing_effects_of_an_emd(void **state)
{
    Bench b;
    (void)state;
    begin(&b);
    save(&b, "post.fx",
         "texture Map : OFFSCREENRENDERTARGET < string DefaultEffect = \"self=hide;"
         "auto.pmx=main_default;*=depth.fx;\"; >;\n" SHADERS);
    save(&b, "depth.fx", SHADERS);
    save(&b, "own.fx", SHADERS);
    const char *walls = save(&b, "walls.emd",
                             "[Effect]\nObj = C:\\MMD\\mirror\\wall.fx\n"
                             "Obj[1] = D:\\stage\\OWN.fx\n");
    save(&b, "auto.emd", "[Effect]\nObj[0] = E:\\gone.fx\nObj[1] = own.fx\n");
    add_model(&b, "post", save_model(&b, "post.pmx"));
    ModelSpec *spec = add_model(&b, "room", save_model(&b, "room.pmx"));
    TargetEffectSpec own = {.target = "Map", .effect = walls};
    spec->targets = &own;
    spec->target_count = 1;
    add_model(&b, "auto", save_model(&b, "auto.pmx"));
    spec = add_model(&b, "wall", save_model(&b, "wall.pmx"));
    spec->targets = &own;
    spec->target_count = 1;
    assert_true(load(&b));
    assert_int_equal(b.scene.effects.target_count, 1);
    const SceneEffectTarget *target = &b.scene.effects.targets[0];
    assert_drawn(&b, target->draws, 1, "depth.fx own.fx");
    assert_drawn(&b, target->draws, 2, "- own.fx");
    assert_drawn(&b, target->draws, 3, "depth.fx own.fx");
    assert_drawn(&b, b.scene.effects.draws, 2, "- own.fx");
    const char *first = strstr(b.log.text, "effect 'C:\\MMD\\mirror\\wall.fx' is missing; its "
                                           "rule for 'Obj' is ignored\n");
    assert_non_null(first);
    assert_null(strstr(strstr(first, "wall.fx") + 1, "wall.fx")); /* of two models, once */
    assert_non_null(strstr(b.log.text, "'E:\\gone.fx' is missing; its rule for 'Obj[0]'"));
    end(&b);
}

static void test_includes_and_pictures(void **state)
{
    static const uint8_t pixel[] = {0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 24, 0, 7, 8, 9};
    Bench b;
    (void)state;
    begin(&b);
    mkdir(file(&b, "pack"), 0700);
    mkdir(file(&b, "pack/main"), 0700);
    save(&b, "pack/common.fxh", "texture Noise < string ResourceName = \"..\\\\NOISE.tga\"; >;\n");
    save(&b, "pack/main/a.fx",
         "#include \"..\\Common.fxh\"\ntexture Gone < string ResourceName = \"gone.png\"; >;\n"
         "texture Bad < string ResourceName = \"a.pmx\"; >;\n" SHADERS);
    assert_true(file_save(file(&b, "pack/noise.tga"), pixel, sizeof pixel, &b.log.diag));
    add_model(&b, "a", save_model(&b, "pack/main/a.pmx"));
    add_model(&b, "b", save_model(&b, "pack/b.pmx"));
    assert_true(load(&b));
    const SceneEffect *effect = &b.scene.effects.items[0];
    assert_int_equal(effect->state, EFFECT_RUN);
    assert_non_null(effect->pictures[0]);
    assert_int_equal(effect->pictures[0]->pixels[0], 9);
    assert_null(effect->pictures[1]);
    assert_null(effect->pictures[2]);
    assert_non_null(strstr(b.log.text, "picture 'gone.png' of 'Gone' is missing"));
    assert_non_null(strstr(b.log.text, "picture 'a.pmx' cannot be read (not an image"));
    assert_int_equal(b.scene.effects.file_count, 4); /* also the picture that is none */
    end(&b);
}

/* Without a model in `pack` its files are out of reach. */
static void test_files_outside(void **state)
{
    static const char *const includes[] = {"../common.fxh", "/etc/passwd", "..\\..\\etc\\passwd",
                                           "link.fxh", "gone.fxh"};
    (void)state;
    for (size_t i = 0; i < sizeof includes / sizeof *includes; i++) {
        Bench b;
        begin(&b);
        mkdir(file(&b, "main"), 0700);
        save(&b, "common.fxh", "");
        assert_int_equal(symlink(file(&b, "common.fxh"), file(&b, "main/link.fxh")), 0);
        save(&b, "main/a.fx", arena_printf(b.arena, "\n  #include \"%s\"\n" SHADERS, includes[i]));
        add_model(&b, "a", save_model(&b, "main/a.pmx"));
        assert_true(load(&b));
        const SceneEffect *effect = &b.scene.effects.items[0];
        assert_int_equal(effect->state, EFFECT_FAILED);
        assert_null(effect->effect);
        if (!strstr(effect->why, "/main/a.fx:2:") || !strstr(b.log.text, "warning: ") ||
            !strstr(b.log.text, "/main/a.fx:2:") ||
            !strstr(b.log.text, "what the effect draws is drawn without it"))
            fail_msg("%s: %s; %s", includes[i], effect->why, b.log.text);
        assert_int_equal(b.scene.effects.file_count, 1);
        assert_null(b.scene.effects.draws);
        end(&b);
    }
}

static void test_cycle(void **state)
{
    Bench b;
    (void)state;
    begin(&b);
    save(&b, "a.fx", "#include \"a.fx\"\n" SHADERS);
    add_model(&b, "a", save_model(&b, "a.pmx"));
    assert_true(load(&b));
    assert_int_equal(b.scene.effects.items[0].state, EFFECT_FAILED);
    end(&b);
}

static void test_strict(void **state)
{
    Bench b;
    (void)state;
    begin(&b);
    save(&b, "a.fx", "no effect");
    add_model(&b, "a", save_model(&b, "a.pmx"));
    b.log.diag.rules.strict = true;
    assert_false(load(&b));
    end(&b);
}

static void test_modes(void **state)
{
    static const struct {
        EffectsMode mode;
        const char *model, *effect, *why;
        SceneEffectState state;
    } rows[] = {
        {EFFECTS_OFF, "a.pmx", "a.fx", "effects.mode is off", EFFECT_OFF},
        {EFFECTS_MAP, "a.pmx", "a.fx", "no key of look is its counterpart", EFFECT_OFF},
        {EFFECTS_MAP, "ssao.pmx", "ssao.fx", "look.ssao takes its place", EFFECT_MAPPED},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Bench b;
        begin(&b);
        save(&b, rows[i].effect, "not parsed");
        add_model(&b, "a", save_model(&b, rows[i].model));
        b.mode = rows[i].mode;
        assert_true(load(&b));
        expect_no_message(&b);
        assert_int_equal(b.scene.effects.items[0].state, rows[i].state);
        assert_string_equal(b.scene.effects.items[0].why, rows[i].why);
        assert_null(b.scene.effects.draws);
        end(&b);
    }
}

static void test_normalized_paths(void **state)
{
    static const char *const rows[][2] = {
        {"a/b.fx", "a/b.fx"},
        {"./a//b.fx", "a/b.fx"},
        {"a/../b.fx", "b.fx"},
        {"a/b/../../c.fx", "c.fx"},
        {"../a.fx", "../a.fx"},
        {"../../a.fx", "../../a.fx"},
        {"a/../../b.fx", "../b.fx"},
        {"/a/../b.fx", "/b.fx"},
        {"/../b.fx", "/../b.fx"},
        {"a/./b/.", "a/b/"},
        {"a/..b/c", "a/..b/c"},
        {"", ""},
        {"..", ".."},
        {"a.zip/b/../c", "a.zip/c"},
    };
    Arena *arena = arena_create();
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(effect_files_normalize(rows[i][0], arena), rows[i][1]);
    arena_destroy(arena);
}

/* MMD: the nearest that is drawn before, else the last. */
static void test_control_objects(void **state)
{
    Bench b;
    (void)state;
    begin(&b);
    const char *a = save_model(&b, "a.pmx"), *c = save_model(&b, "c.pmx");
    add_model(&b, "1", a);
    add_model(&b, "2", c);
    add_model(&b, "3", a);
    add_model(&b, "4", a);
    assert_true(load(&b));
    assert_int_equal(scene_effects_find_model(&b.scene, "A.PMX", 0), 3);
    assert_int_equal(scene_effects_find_model(&b.scene, "a.pmx", 1), 0);
    assert_int_equal(scene_effects_find_model(&b.scene, "a.pmx", 3), 2);
    assert_int_equal(scene_effects_find_model(&b.scene, "c.pmx", 0), 1);
    assert_int_equal(scene_effects_find_model(&b.scene, "b.pmx", 0), -1);
    end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files_beside_models),
        cmocka_unit_test(test_assignments_of_a_job),
        cmocka_unit_test(test_targets),
        cmocka_unit_test(test_missing_effects_of_an_emd),
        cmocka_unit_test(test_includes_and_pictures),
        cmocka_unit_test(test_files_outside),
        cmocka_unit_test(test_cycle),
        cmocka_unit_test(test_strict),
        cmocka_unit_test(test_modes),
        cmocka_unit_test(test_control_objects),
        cmocka_unit_test(test_normalized_paths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
