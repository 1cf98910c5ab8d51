// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "diag_log.h"
#include "format/model/pmx.h"
#include "format/motion/vmd.h"
#include "model_fixture.h"
#include "scene/scene.h"
#include "scene_fixture.h"
#include "scratch.h"
#include "unit_test.h"

/* A directory with strip.pmx, quad.pmx (whose texture is missing), dance.vmd and camera.vmd. */
typedef struct Stage {
    Scratch scratch;
    Arena *arena;
    DiagLog log;
    char *strip, *quad, *dance, *camera;
} Stage;

static char *write_file(Stage *s, const char *name, Bytes bytes)
{
    char *path = arena_strdup(s->arena, scratch_path(&s->scratch, name));
    assert_true(file_save(path, bytes.data, bytes.size, &s->log.diag));
    return path;
}

static void open_stage(Stage *s)
{
    memset(s, 0, sizeof *s);
    scratch_make(&s->scratch);
    diag_log_init(&s->log);
    s->arena = arena_create();
    const PmxModel strip = fixture_strip(s->arena), quad = fixture_quad(s->arena);
    s->strip = write_file(s, "strip.pmx", pmx_write(&strip, (PmxWriteOptions){0}, s->arena));
    s->quad = write_file(s, "quad.pmx", pmx_write(&quad, (PmxWriteOptions){0}, s->arena));

    VmdBoneKey keys[] = {fixture_key("lower", 0, 0, 0, 0), fixture_key("lower", 60, 30, 0, 0)};
    const VmdMotion dance = fixture_motion_of(keys, 2);
    s->dance = write_file(s, "dance.vmd", vmd_write(&dance, s->arena));

    VmdCameraKey view = {.frame = 90, .distance = -7, .fov_deg = 30};
    VmdLightKey light = {5, {1, 0, 0}, {0, -1, 0}};
    const VmdMotion camera = {.model_name = "カメラ・照明",
                              .camera_keys = &view,
                              .camera_key_count = 1,
                              .light_keys = &light,
                              .light_key_count = 1};
    s->camera = write_file(s, "camera.vmd", vmd_write(&camera, s->arena));
}

static void close_stage(Stage *s)
{
    scratch_remove(&s->scratch);
    arena_destroy(s->arena);
}

static ModelSpec model_of(const char *id, const char *file)
{
    return (ModelSpec){.id = id, .file = file, MODEL_DEFAULT};
}

static SceneSpec spec_of(const ModelSpec *models, size_t count)
{
    return (SceneSpec){.models = models, .model_count = count, .compat = COMPAT_DEFAULT};
}

static void loads_and_shares(void **state)
{
    (void)state;
    Stage s;
    open_stage(&s);
    MotionSpec motion = {.file = s.dance, .time = {10, 2}, .only = MOTION_ALL, .to = -1, .at = -1};
    ModelSpec models[] = {model_of("b", s.quad), model_of("a", s.strip), model_of("c", s.strip)};
    models[1].motions = &motion;
    models[1].motion_count = 1;
    models[0].attach = &(AttachSpec){.model = "a", .bone = "upper"};
    SceneSpec spec = spec_of(models, 3);
    spec.camera.motion = &(MotionSpec){.file = s.camera, MOTION_DEFAULT};
    Scene scene;
    assert_true(scene_load(&scene, &spec, s.arena, &s.log.diag));
    assert_string_equal(s.log.text, "");
    assert_ptr_equal(scene.models[1].model, scene.models[2].model);
    assert_int_equal(scene.models[0].attach_model, 1);
    assert_int_equal(scene.models[0].attach_bone, 1);
    assert_int_equal(scene.attach_order[0], 1); /* parents come first */
    assert_true(scene.last_frame == 90);        /* the camera's; the dance ends at 10 + 60 / 2 */
    assert_int_equal(scene.light_track.key_count, 1);
    assert_int_equal(scene_find_model(&scene, "c"), 2);
    assert_int_equal(scene_find_model(&scene, "d"), -1);
    /* two of its own, and rest at frame 0 */
    assert_int_equal(scene.models[1].motion.bones[0].key_count, 3);
    close_stage(&s);
}

/* Splines of the camera, of the light and of a model last until their last point; the light motion
 * has keys of its own, which replace those of the camera motion. */
static void paths_and_a_light_extend_the_film(void **state)
{
    (void)state;
    Stage s;
    open_stage(&s);
    VmdLightKey light = {40, {0, 1, 0}, {0, -1, 0}};
    VmdShadowKey shadow = {.frame = 41, .mode = 1, .distance = 0.05f};
    const VmdMotion lamp = {.model_name = "カメラ・照明",
                            .light_keys = &light,
                            .light_key_count = 1,
                            .shadow_keys = &shadow,
                            .shadow_key_count = 1};
    MotionSpec motion = {.file = write_file(&s, "light.vmd", vmd_write(&lamp, s.arena)),
                         MOTION_DEFAULT};
    CameraPoint views[] = {{.frame = 0}, {.frame = 70}};
    LightPoint lights[] = {{.frame = 0}, {.frame = 80}};
    ModelSpec model = model_of("a", s.strip);
    SceneSpec spec = spec_of(&model, 1);
    Scene scene;

    spec.light.motion = &motion;
    assert_true(scene_load(&scene, &spec, s.arena, &s.log.diag));
    assert_string_equal(s.log.text, "");
    assert_int_equal(scene.light_track.key_count, 1);
    assert_int_equal(scene.shadow_track.key_count, 1);
    assert_true(scene.last_frame == 41);
    assert_false(scene_is_simulated(&scene));

    spec.camera.path = views;
    spec.camera.path_count = 2;
    assert_true(scene_load(&scene, &spec, s.arena, &s.log.diag));
    assert_int_equal(scene.camera_path.count, 2);
    assert_true(scene.last_frame == 70);

    spec.light.path = lights;
    spec.light.path_count = 2;
    assert_true(scene_load(&scene, &spec, s.arena, &s.log.diag));
    assert_true(scene.last_frame == 80);

    motion.file = s.dance; /* no key of a light */
    assert_false(scene_load(&scene, &spec, s.arena, &s.log.diag));
    assert_non_null(strstr(s.log.text, "has no light or shadow keys"));
    close_stage(&s);
}

static void reports_every_problem(void **state)
{
    (void)state;
    Stage s;
    open_stage(&s);
    MotionSpec missing = {.file = arena_strdup(s.arena, scratch_path(&s.scratch, "gone.vmd")),
                          MOTION_DEFAULT};
    NamedNumber morph = {.name = "smile", .weight = 1};
    const char *hidden[] = {"stripe"};
    ModelSpec models[] = {model_of("dancer", s.strip), model_of("b", s.quad),
                          model_of("c", s.quad)};
    models[0].motions = &missing;
    models[0].motion_count = 1;
    models[0].morphs = &morph;
    models[0].morph_count = 1;
    models[0].hide_materials = hidden;
    models[0].hide_count = 1;
    models[1].attach = &(AttachSpec){.model = "dancer", .bone = "uper"};
    models[2].attach = &(AttachSpec){.model = "dancre", .bone = "upper"};
    const SceneSpec spec = spec_of(models, 3);
    Scene scene;
    assert_false(scene_load(&scene, &spec, s.arena, &s.log.diag));
    const char *const wanted[] = {
        "gone.vmd",
        "no morph 'smile' in strip.pmx",
        "no material 'stripe' in strip.pmx; did you mean 'strip'?",
        "no bone 'uper' in strip.pmx; did you mean 'upper'?",
        "model 'c' is attached to an unknown model 'dancre'; did you mean 'dancer'?",
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!strstr(s.log.text, wanted[i]))
            fail_msg("'%s' was not reported, but:\n%s", wanted[i], s.log.text);
    assert_int_equal(s.log.diag.errors, 5);
    close_stage(&s);
}

static void cycles_are_rejected(void **state)
{
    (void)state;
    Stage s;
    open_stage(&s);
    ModelSpec models[] = {model_of("a", s.strip), model_of("b", s.strip)};
    models[0].attach = &(AttachSpec){.model = "b", .bone = "upper"};
    models[1].attach = &(AttachSpec){.model = "a", .bone = "upper"};
    const SceneSpec spec = spec_of(models, 2);
    Scene scene;
    assert_false(scene_load(&scene, &spec, s.arena, &s.log.diag));
    assert_non_null(strstr(s.log.text, "model 'a' is part of an attachment cycle"));
    close_stage(&s);
}

static void a_camera_needs_keys(void **state)
{
    (void)state;
    Stage s;
    open_stage(&s);
    const ModelSpec model = model_of("a", s.strip);
    SceneSpec spec = spec_of(&model, 1);
    spec.camera.motion = &(MotionSpec){.file = s.dance, MOTION_DEFAULT};
    Scene scene;
    assert_false(scene_load(&scene, &spec, s.arena, &s.log.diag));
    assert_non_null(strstr(s.log.text, "dance.vmd' has no camera keys; it is a motion with "));
    assert_non_null(strstr(s.log.text, "; use it in motions of a model\n"));
    close_stage(&s);
}

static void missing_textures_give_warnings(void **state)
{
    (void)state;
    Stage s;
    open_stage(&s);
    const ModelSpec model = model_of("a", s.quad);
    SceneSpec spec = spec_of(&model, 1);
    spec.textures = true;
    Scene scene;
    assert_true(scene_load(&scene, &spec, s.arena, &s.log.diag));
    assert_non_null(strstr(s.log.text, "quad.pmx: material 0: texture 'tex/quad.png' is missing; "
                                       "drawn white"));
    assert_null(scene.models[0].model->textures[0]);
    close_stage(&s);
}

/* A quad with a material per texture, which is its toon. */
static const Model *load_toons(Scene *scene, Stage *s, const char *const *names, uint32_t count)
{
    PmxModel quad = fixture_quad(s->arena);
    PmxMaterial *materials = arena_array(s->arena, PmxMaterial, count);
    for (uint32_t i = 0; i < count; i++) {
        materials[i] = quad.materials[0];
        materials[i].texture = PMX_NONE;
        materials[i].toon = (int32_t)i;
        materials[i].shared_toon = false;
        materials[i].index_count = i ? 0 : quad.index_count;
    }
    quad.materials = materials;
    quad.material_count = count;
    quad.textures = arena_array(s->arena, const char *, count);
    memcpy(quad.textures, names, count * sizeof *names);
    quad.texture_count = count;
    const ModelSpec model =
        model_of("a", write_file(s, "toons.pmx", pmx_write(&quad, (PmxWriteOptions){0}, s->arena)));
    SceneSpec spec = spec_of(&model, 1);
    spec.textures = true;
    assert_true(scene_load(scene, &spec, s->arena, &s->log.diag));
    return scene->models[0].model;
}

/* MMD's own toons are files named toon01.bmp to toon10.bmp; a name without such a file means the
 * built-in one, toon00.bmp none. */
static void toons_are_found_by_name(void **state)
{
    static const char *const names[] = {"toon03.bmp", "sub\\TOON10.BMP", "toon00.bmp", "other.bmp",
                                        "screen.bmp"};
    (void)state;
    Stage s;
    open_stage(&s);
    Scene scene;
    const PmxMaterial *m = load_toons(&scene, &s, names, 5)->pmx.materials;
    assert_true(m[0].shared_toon);
    assert_int_equal(m[0].toon, 2);
    assert_true(m[1].shared_toon);
    assert_int_equal(m[1].toon, 9);
    assert_false(m[2].shared_toon);
    assert_int_equal(m[2].toon, -1);
    assert_false(m[3].shared_toon);
    assert_non_null(strstr(s.log.text, "texture 'other.bmp' is missing"));
    assert_null(strstr(s.log.text, "screen.bmp"));
    close_stage(&s);
}

static void damaged_and_moved_textures_give_warnings(void **state)
{
    static const char *const names[] = {"broken.png", "C:\\mmd\\broken.png"};
    (void)state;
    Stage s;
    open_stage(&s);
    write_file(&s, "broken.png", (Bytes){(const uint8_t *)"\x89PNG\r\n\x1a\n", 8});
    Scene scene;
    const Model *model = load_toons(&scene, &s, names, 2);
    assert_null(model->textures[0]);
    assert_null(model->textures[1]);
    assert_non_null(strstr(s.log.text, "texture 'broken.png' cannot be read"));
    assert_non_null(
        strstr(s.log.text, "texture 'C:\\mmd\\broken.png' is missing; 'broken.png' is used"));
    close_stage(&s);
}

/* Weights of morphs by the job, a path of the model, and one motion of two models. */
static void a_job_sets_morphs_and_paths(void **state)
{
    (void)state;
    Stage s;
    open_stage(&s);
    PmxModel strip = fixture_strip(s.arena);
    PmxMorph smile = {.name = "smile", .name_en = "", .type = PMX_MORPH_VERTEX};
    strip.morphs = &smile;
    strip.morph_count = 1;
    const char *file =
        write_file(&s, "smile.pmx", pmx_write(&strip, (PmxWriteOptions){0}, s.arena));
    NamedNumber morph = {.name = "smile", .weight = 0.25};
    MotionSpec motion = {.file = s.dance, MOTION_DEFAULT};
    PlacementPoint points[] = {{.frame = 0}, {.frame = 75}};
    ModelSpec models[] = {model_of("a", file), model_of("b", s.strip)};
    models[0].morphs = &morph;
    models[0].morph_count = 1;
    models[0].path = points;
    models[0].path_count = 2;
    for (int i = 0; i < 2; i++) {
        models[i].motions = &motion;
        models[i].motion_count = 1;
    }
    const SceneSpec spec = spec_of(models, 2);
    Scene scene;
    assert_true(scene_load(&scene, &spec, s.arena, &s.log.diag));
    assert_true(scene.models[0].morph_constants[0] == 0.25f);
    assert_int_equal(scene.models[0].path.count, 2);
    assert_true(scene.last_frame == 75);
    assert_int_equal(scene.models[0].motion.bones[0].key_count, 2);
    assert_int_equal(scene.models[1].motion.bones[0].key_count, 2);
    close_stage(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_and_shares),
        cmocka_unit_test(paths_and_a_light_extend_the_film),
        cmocka_unit_test(reports_every_problem),
        cmocka_unit_test(cycles_are_rejected),
        cmocka_unit_test(a_camera_needs_keys),
        cmocka_unit_test(missing_textures_give_warnings),
        cmocka_unit_test(toons_are_found_by_name),
        cmocka_unit_test(damaged_and_moved_textures_give_warnings),
        cmocka_unit_test(a_job_sets_morphs_and_paths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
