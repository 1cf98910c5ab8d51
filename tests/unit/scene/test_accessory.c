// SPDX-License-Identifier: MIT
/* Accessories from their files to the picture: what carries them, where they stand, how they are
 * lit. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diag_log.h"
#include "evaluate/frame.h"
#include "format/model/pmx.h"
#include "math/rotation.h"
#include "model_fixture.h"
#include "render/renderer.h"
#include "scratch.h"
#include "unit_test.h"

/* A directory for the files of a scene. */
typedef struct Stage {
    Scratch scratch;
    Arena *arena;
    DiagLog log;
} Stage;

static void open_stage(Stage *s)
{
    memset(s, 0, sizeof *s);
    scratch_make(&s->scratch);
    diag_log_init(&s->log);
    s->arena = arena_create();
}

static void close_stage(Stage *s)
{
    scratch_remove(&s->scratch);
    arena_destroy(s->arena);
}

static const char *write_file(Stage *s, const char *name, Bytes bytes)
{
    const char *path = arena_strdup(s->arena, scratch_path(&s->scratch, name));
    assert_true(file_save(path, bytes.data, bytes.size, &s->log.diag));
    return path;
}

static const char *write_text(Stage *s, const char *name, const char *text)
{
    return write_file(s, name, (Bytes){(const uint8_t *)text, strlen(text)});
}

static ModelSpec model_of(const char *id, const char *file)
{
    return (ModelSpec){.id = id, .file = file, MODEL_DEFAULT};
}

static SceneSpec spec_of(const ModelSpec *models, size_t count)
{
    return (SceneSpec){.models = models, .model_count = count, .compat = COMPAT_DEFAULT};
}

static const char TRIANGLE[] = "xof 0303txt 0032\nMesh { 3; 0;0;0;, 0;1;0;, 1;0;0;; 1; 3;0,1,2;; }";

/* ---- what carries it ---- */

typedef enum Cast { ALONE, ONE_STRIP, TWO_STRIPS, STRIP_AND_QUAD } Cast;

/* The strip's bones are 0 "lower" and 1 "upper", in English "Head"; the quad's is "センター". */
static size_t add_cast(ModelSpec *models, Cast cast, Stage *s)
{
    PmxModel strip = fixture_strip(s->arena), quad = fixture_quad(s->arena);
    strip.bones[1].name_en = "Head";
    const char *strip_file =
        write_file(s, "strip.pmx", pmx_write(&strip, (PmxWriteOptions){0}, s->arena));
    const char *quad_file =
        write_file(s, "quad.pmx", pmx_write(&quad, (PmxWriteOptions){0}, s->arena));

    models[0] = model_of("a", strip_file);
    models[1] = model_of("b", cast == TWO_STRIPS ? strip_file : quad_file);
    return cast == ALONE ? 0 : cast == ONE_STRIP ? 1 : 2;
}

static void test_parents(void **state)
{
    (void)state;
    static const struct {
        const char *what, *bone;
        Cast cast;
        bool stage;
        const char *attach; /* the job's, to bone "lower" */
        int model, carrier_bone;
        const char *reported;
    } rows[] = {
        {"the one model", "upper", ONE_STRIP, false, NULL, 0, 1, ""},
        {"by its English name", "Head", ONE_STRIP, false, NULL, 0, 1, ""},
        {"the other has no such bone", "upper", STRIP_AND_QUAD, false, NULL, 0, 1, ""},
        {"the other model", "センター", STRIP_AND_QUAD, false, NULL, 1, 0, ""},
        {"two have it", "upper", TWO_STRIPS, false, NULL, -1, -1,
         "bone 'upper' exists in 2 models: not attached"},
        {"no model has it", "tail", ONE_STRIP, false, NULL, -1, -1,
         "bone 'tail' exists in 0 models"},
        {"alone, with a bone", "センター", ALONE, false, NULL, -1, -1, "0 models"},
        {"no bone", "", ONE_STRIP, false, NULL, -1, -1, ""},
        {"on a stage", "upper", ONE_STRIP, true, NULL, -1, -1, ""},
        {"the job overrides it", "upper", TWO_STRIPS, false, "b", 1, 0, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Stage s;
        ModelSpec models[3];
        Scene scene;
        open_stage(&s);
        write_text(&s, "tri.x", TRIANGLE);
        const size_t count = add_cast(models, rows[i].cast, &s);
        models[count] = model_of(
            "worn",
            write_text(&s, "tri.vac",
                       arena_printf(s.arena, "tri\nTRI.X\n1\n0,0,0\n0,0,0\n%s\n", rows[i].bone)));
        models[count].stage = rows[i].stage;
        AttachSpec attach = {.model = rows[i].attach, .bone = "lower"};
        models[count].attach = rows[i].attach ? &attach : NULL;
        const SceneSpec spec = spec_of(models, count + 1);
        if (!scene_load(&scene, &spec, s.arena, &s.log.diag))
            fail_msg("%s: %s", rows[i].what, s.log.text);
        const SceneModel *worn = &scene.models[count];
        if (worn->attach_model != rows[i].model || worn->attach_bone != rows[i].carrier_bone)
            fail_msg("%s: carried by bone %d of %d", rows[i].what, worn->attach_bone,
                     worn->attach_model);
        if (rows[i].reported[0] ? !strstr(s.log.text, rows[i].reported) : s.log.text[0])
            fail_msg("%s: messages '%s'", rows[i].what, s.log.text);
        assert_string_equal(worn->model->pmx.name, "tri");
        close_stage(&s);
    }
}

/* ---- placement ---- */

static void expect_point(const char *what, Vec3 got, double x, double y, double z)
{
    if (fabs(got.x - x) > 1e-5 || fabs(got.y - y) > 1e-5 || fabs(got.z - z) > 1e-5)
        fail_msg("%s: %g %g %g, expected %g %g %g", what, got.x, got.y, got.z, x, y, z);
}

/*
 * The .vac doubles, turns 90 degrees about y and moves by (1, 2, 3); the job triples, turns 90
 * degrees about z and moves by (10, 0, 0).  The origin: 3 * (1, 2, 3) = (3, 6, 9), turned (-6, 3,
 * 9), moved (4, 3, 9).  The x axis: about y to -z, which a turn about z leaves.  The z axis: to x,
 * then to y.
 */
static void test_placement(void **state)
{
    (void)state;
    Stage s;
    Scene scene;
    open_stage(&s);
    write_text(&s, "tri.x", TRIANGLE);
    ModelSpec model =
        model_of("worn", write_text(&s, "tri.vac", "tri\r\ntri.x\r\n2\r\n1,2,3\r\n0,90,0\r\n"));
    model.position = (Vec3){10, 0, 0};
    model.rotation_deg = (Vec3){0, 0, 90};
    model.scale = 3;
    const SceneSpec spec = spec_of(&model, 1);
    assert_true(scene_load(&scene, &spec, s.arena, &s.log.diag));
    const Placement p = scene_placement(&scene.models[0], 0);
    const Quat turn = quat_load(p.rotation);
    assert_true(fabsf(p.scale - 6.0f) < 1e-5f);
    expect_point("origin", vec3_load(p.position), 4, 3, 9);
    expect_point("x axis", quat_rotate(turn, (Vec3){1, 0, 0}), 0, 0, -1);
    expect_point("z axis", quat_rotate(turn, (Vec3){0, 0, 1}), 0, 1, 0);
    close_stage(&s);
}

static void test_missing(void **state)
{
    (void)state;
    Stage s;
    Scene scene;
    open_stage(&s);
    const ModelSpec model = model_of("worn", write_text(&s, "tri.vac", "tri\ntri.x\n"));
    const SceneSpec spec = spec_of(&model, 1);
    assert_false(scene_load(&scene, &spec, s.arena, &s.log.diag));
    assert_non_null(strstr(s.log.text, "tri.vac: accessory file 'tri.x' is missing"));
    assert_int_equal(s.log.diag.kind, DIAG_MISSING);
    close_stage(&s);
}

/* ---- how it is lit ---- */

enum { TILE = 8 };

/* Light 0.6 grey, shining along +z; a normal of -z has N.L = 1. */
static const struct Tile {
    const char *what;
    const char *material; /* rgba, power, specular, emissive */
    const char *normal;   /* NULL: none in the file */
    bool from_behind;
    uint8_t expected[3];
} TILES[] = {
    /* 255 * (0.5 * 0.6 + 0.1 + 1 * 0.5 * 0.6) = 178.5 */
    {"towards the light",
     "0.5;0.5;0.5;1;; 0; 0;0;0;; 0.1;0.1;0.1;;",
     "0;0;-1;",
     false,
     {178, 178, 178}},
    {"normals computed", "0.5;0.5;0.5;1;; 0; 0;0;0;; 0.1;0.1;0.1;;", NULL, false, {178, 178, 178}},
    /* + 0.5 * 0.3: 140.25 */
    {"N.L = 0.5",
     "0.5;0.5;0.5;1;; 0; 0;0;0;; 0.1;0.1;0.1;;",
     "0.8660254;0;-0.5;",
     false,
     {140, 140, 140}},
    {"away from the light",
     "0.5;0.5;0.5;1;; 0; 0;0;0;; 0.1;0.1;0.1;;",
     "0.8660254;0;0.5;",
     false,
     {102, 102, 102}},
    {"too bright", "1;1;1;1;; 0; 0;0;0;; 0;0;0;;", "0;0;-1;", false, {255, 255, 255}},
    /* 255 * (0.25 * 1.2 + 0.2), 255 * 0.5 * 1.2, 255 * 0.1 */
    {"in colors", "0.25;0.5;0;1;; 0; 0;0;0;; 0.2;0;0.1;;", "0;0;-1;", false, {127, 153, 26}},
    {"half transparent over black",
     "0.5;0.5;0.5;0.5;; 0; 0;0;0;; 0;0;0;;",
     "0;0;-1;",
     false,
     {76, 76, 76}},
    {"from behind", "1;1;1;1;; 0; 0;0;0;; 0;0;0;;", "0;0;-1;", true, {0, 0, 0}},
    {"from behind, half transparent",
     "0.5;0.5;0.5;0.5;; 0; 0;0;0;; 0;0;0;;",
     "0;0;-1;",
     true,
     {76, 76, 76}},
};

enum { TILE_COUNT = sizeof TILES / sizeof *TILES };

/* One unit of the file a tile, side by side. */
static const char *write_tiles(Stage *s)
{
    const char *text = "xof 0302txt 0032\n";
    for (int i = 0; i < TILE_COUNT; i++) {
        const struct Tile *tile = &TILES[i];
        const char *face = tile->from_behind ? "4;3,2,1,0;;" : "4;0,1,2,3;;";
        const char *normals =
            tile->normal
                ? arena_printf(s->arena, "MeshNormals { 1; %s; 1; 4;0,0,0,0;; }", tile->normal)
                : "";
        text = arena_printf(s->arena,
                            "%sMesh { 4; %d;0;0;, %d;1;0;, %d;1;0;, %d;0;0;; 1; %s %s "
                            "MeshMaterialList { 1; 1; 0; Material { %s } } }\n",
                            text, i, i, i + 1, i + 1, face, normals, tile->material);
    }
    return write_text(s, "tiles.x", text);
}

static void draw(Image *image, const Scene *scene, Stage *s)
{
    const RenderOptions options = {.width = TILE_COUNT * TILE,
                                   .height = TILE,
                                   .samples = 1,
                                   .supersample = 1,
                                   .background = {0, 0, 0, 1}};
    FrameState *state = frame_state_create(scene, s->arena);
    Evaluator *evaluator = evaluator_create(scene);
    Renderer *renderer = renderer_create(scene, &options, &s->log.diag);
    assert_non_null(renderer);
    evaluate_frame(state, evaluator, scene, 0);
    assert_true(render_frame(image, renderer, state, &s->log.diag));
    renderer_destroy(renderer);
    evaluator_destroy(evaluator);
}

/* Orthographic, 10 units (one of the file) high. */
static void test_light(void **state)
{
    (void)state;
    Stage s;
    Scene scene;
    open_stage(&s);
    Image image = {.pixels = arena_array(s.arena, uint8_t, 4 * TILE_COUNT * TILE * TILE)};
    const ModelSpec model = model_of("tiles", write_tiles(&s));
    SceneSpec spec = spec_of(&model, 1);
    spec.camera.fixed = &(FixedCameraSpec){.target = {5.0 * TILE_COUNT, 5, 0},
                                           .distance = -10 / 0.5625,
                                           .fov_deg = 30,
                                           .orthographic = true};
    spec.light = (LightSpec){.color = {0.6, 0.6, 0.6}, .direction = {0, 0, 1}};
    assert_true(scene_load(&scene, &spec, s.arena, &s.log.diag));
    draw(&image, &scene, &s);
    for (int i = 0; i < TILE_COUNT; i++) {
        const uint8_t *p = image.pixels + 4 * (TILE / 2 * image.width + i * TILE + TILE / 2);
        for (int c = 0; c < 3; c++)
            if (abs(p[c] - TILES[i].expected[c]) > 1)
                fail_msg("%s: %d %d %d, expected %d %d %d", TILES[i].what, p[0], p[1], p[2],
                         TILES[i].expected[0], TILES[i].expected[1], TILES[i].expected[2]);
    }
    close_stage(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parents),
        cmocka_unit_test(test_placement),
        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_light),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
