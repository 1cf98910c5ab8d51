// SPDX-License-Identifier: MIT
/* The path of a following camera: what it must show is in the frame, large, and moves smoothly. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "demo/dance.h"
#include "demo/figure.h"
#include "diag_log.h"
#include "evaluate/follow/follow_path.h"
#include "evaluate/frame.h"
#include "model_fixture.h"
#include "near.h"
#include "scene_fixture.h"
#include "shared_data.h"
#include "skin_model.h"
#include "unit_test.h"

static const double ASPECTS[] = {16.0 / 9, 9.0 / 16, 1};
enum { ASPECT_COUNT = 3 };

static FollowSpec spec_of(double aspect)
{
    return (FollowSpec){.smooth = 30, .margin = 0.05, .fov_deg = 30, .aspect = aspect};
}

/* ---- projected vertices ---- */

/* Vertices without those of forearms and of bones that physics moves. */
static bool *body_vertices(const SceneModel *model, Arena *arena)
{
    const PmxModel *pmx = &model->model->pmx;
    bool *out = arena_array(arena, bool, pmx->bone_count);
    bool *body = arena_array(arena, bool, pmx->vertex_count);
    for (uint32_t i = 0; i < pmx->bone_count; i++) {
        const uint32_t b = model->model->parents_first[i];
        const int32_t parent = pmx->bones[b].parent;
        out[b] = model->model->dynamics.mover[b] >= 0 || !strcmp(pmx->bones[b].name, "左ひじ") ||
                 !strcmp(pmx->bones[b].name, "右ひじ") || (parent >= 0 && out[parent]);
    }
    for (uint32_t m = 0; m < pmx->material_count; m++)
        for (uint32_t i = 0; pmx->materials[m].diffuse[3] > 0 && i < pmx->materials[m].index_count;
             i++)
            body[pmx->indices[pmx->materials[m].first_index + i]] = true;
    for (uint32_t v = 0; v < pmx->vertex_count; v++)
        for (int k = 0; k < PMX_MAX_WEIGHTS; k++)
            if (pmx->vertices[v].weights[k] > 0 && pmx->vertices[v].bones[k] >= 0)
                body[v] &= !out[pmx->vertices[v].bones[k]];
    return body;
}

typedef struct View {
    double fill;      /* of the frame in the direction in which it fills more */
    double outermost; /* 1 at the border of the frame */
} View;

static View view_of(const CameraState *camera, double aspect, float (*positions)[3],
                    const bool *body, uint32_t count)
{
    const CameraAxes axes = camera_axes(camera);
    const Vec3 eye = vec3_load(axes.eye), right = vec3_load(axes.right);
    const Vec3 up = vec3_load(axes.up), forward = vec3_load(axes.forward);
    const double slope = tan((double)camera->fov_deg * M_PI / 360);
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (uint32_t v = 0; v < count; v++) {
        const Vec3 p = vec3_sub(vec3_load(positions[v]), eye);
        const double depth = vec3_dot(p, forward);
        const double at[] = {vec3_dot(p, right) / (depth * slope * aspect),
                             vec3_dot(p, up) / (depth * slope)};
        for (int i = 0; body[v] && i < 2; i++) {
            low[i] = depth > 0.5 ? fmin(low[i], at[i]) : -HUGE_VAL;
            high[i] = fmax(high[i], at[i]);
        }
    }
    return (View){fmax(high[0] - low[0], high[1] - low[1]) / 2,
                  fmax(fmax(-low[0], high[0]), fmax(-low[1], high[1]))};
}

typedef struct Limits {
    double least_fill, most_fill;
} Limits;

/* Checks some frames of the first model in all aspect ratios. */
static void check_frames(const char *what, const Scene *scene, const Limits *limits, int frames)
{
    Arena *arena = arena_create();
    const PmxModel *pmx = &scene->models[0].model->pmx;
    const bool *body = body_vertices(&scene->models[0], arena);
    float(*positions)[3] = arena_calloc(arena, pmx->vertex_count, sizeof *positions);
    FrameState *state = frame_state_create(scene, arena);
    Evaluator *evaluator = evaluator_create_keyed(scene);
    FollowTrack tracks[ASPECT_COUNT];
    for (int a = 0; a < ASPECT_COUNT; a++) {
        const FollowSpec spec = spec_of(ASPECTS[a]);
        follow_path_create(&tracks[a], scene, &spec, arena);
    }
    for (int i = 0; i < frames; i++) {
        const double frame = round(scene->last_frame * i / (frames - 1));
        evaluate_bones(state, evaluator, scene, NULL, frame);
        skin_model(positions, NULL, scene->models[0].model, &state->models[0]);
        for (int a = 0; a < ASPECT_COUNT; a++) {
            const CameraState camera = follow_at(&tracks[a], frame);
            const View view = view_of(&camera, ASPECTS[a], positions, body, pmx->vertex_count);
            if (view.outermost > 1 || view.fill < limits->least_fill ||
                view.fill > limits->most_fill)
                fail_msg("%s, frame %g, aspect %.2f: fills %.3f, outermost vertex at %.3f", what,
                         frame, ASPECTS[a], view.fill, view.outermost);
        }
    }
    evaluator_destroy(evaluator);
    arena_destroy(arena);
}

/* ---- the built-in figure ---- */

static Scene *demo_scene(Arena *arena)
{
    const VmdMotion dance = dance_make(arena);
    Scene *scene = fixture_scene(figure_make(arena), &dance, COMPAT_DEFAULT, arena);
    scene->models[0].spec.physics = true;
    scene->last_frame = DANCE_FRAMES;
    return scene;
}

static void the_figure_is_large_and_in_the_frame(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const Limits limits = {0.68, 0.92};
    check_frames("demo", demo_scene(arena), &limits, 145);
    arena_destroy(arena);
}

/* The change of speed from frame to frame, in 1/1000 of the distance. */
static void the_camera_moves_smoothly(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const Scene *scene = demo_scene(arena);
    const FollowSpec spec = spec_of(ASPECTS[0]);
    FollowTrack track;
    follow_path_create(&track, scene, &spec, arena);
    for (double frame = 0.5; frame < scene->last_frame; frame += 0.5) {
        const CameraState a = follow_at(&track, frame - 0.5), b = follow_at(&track, frame);
        const CameraState c = follow_at(&track, frame + 0.5);
        const double most = 4e-3 / 4 * -(double)b.distance;
        assert_near((double)a.distance + (double)c.distance, 2 * (double)b.distance, most);
        for (int i = 0; i < 3; i++)
            assert_near((double)a.target[i] + (double)c.target[i], 2 * (double)b.target[i], most);
    }
    arena_destroy(arena);
}

static void shots_get_closer(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const Scene *scene = demo_scene(arena);
    const double head = (double)scene->models[0]
                            .model->pmx.bones[model_find_bone(scene->models[0].model, "頭")]
                            .position[1];
    double before = HUGE_VAL;
    for (FollowShot shot = SHOT_FULL; shot <= SHOT_FACE; shot++) {
        FollowSpec spec = spec_of(ASPECTS[0]);
        FollowTrack track;
        spec.shots = &shot;
        spec.shot_count = 1;
        follow_path_create(&track, scene, &spec, arena);
        const CameraState camera = follow_at(&track, 300);
        assert_true(-(double)camera.distance < before * 0.97);
        before = -(double)camera.distance;
        if (shot == SHOT_FACE) /* it shows the head and little else */
            assert_near((double)camera.target[1], head + 1, 2);
    }
    arena_destroy(arena);
}

/* ---- laws ---- */

static CameraState camera_of(const Scene *scene, const FollowSpec *spec, double frame, Arena *arena)
{
    FollowTrack track;
    follow_path_create(&track, scene, spec, arena);
    assert_true(track.count > 0);
    return follow_at(&track, frame);
}

/* A still strip, 1 x 4: the distance follows from its height or its width, by hand. */
static void distances_by_hand(void **state)
{
    (void)state;
    static const struct {
        double aspect, margin, fov_deg, half; /* half: the larger of 2, and 0.5 / aspect */
    } rows[] = {{16.0 / 9, 0.05, 30, 2}, {9.0 / 16, 0.1, 30, 2}, {0.2, 0, 30, 2.5}, {1, 0, 60, 2}};
    Arena *arena = arena_create();
    const Scene *scene = fixture_scene(fixture_strip(arena), NULL, COMPAT_DEFAULT, arena);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        FollowSpec spec = spec_of(rows[i].aspect);
        spec.margin = rows[i].margin;
        spec.fov_deg = rows[i].fov_deg;
        const CameraState camera = camera_of(scene, &spec, 0, arena);
        const double slope = tan(rows[i].fov_deg * M_PI / 360) * (1 - 2 * rows[i].margin);
        assert_near(-(double)camera.distance, rows[i].half / slope, 1e-4);
        assert_near((double)camera.target[0], 0, 1e-5);
        assert_near((double)camera.target[1], 2, 1e-5);
    }
    arena_destroy(arena);
}

/*
 * What the strip is at rest limits how close the camera comes, however it is turned: for a full
 * shot 0.4 of its height, for others the larger extent in x and z too; at least 1 MMD unit each.
 * Close shots of the strip, whose bones have no names that count, show its rows 3 and 4 (bust) or
 * row 4 (face).
 */
static void distances_at_rest_by_hand(void **state)
{
    (void)state;
    const Quat about_x = {0.70710678f, 0, 0, 0.70710678f};
    const Quat about_y = {0, 0.70710678f, 0, 0.70710678f};
    const struct {
        const char *what;
        FollowShot shot;
        double aspect;
        Quat rotation;
        double scale, half; /* half: the larger of height / 2, and width / 2 / aspect */
    } rows[] = {
        {"seen from the edge", SHOT_BUST, 0.2, about_y, 1, 0.5 / 0.2},
        {"a large one", SHOT_BUST, 0.2, about_y, 2, 1 / 0.2},
        {"lying, full", SHOT_FULL, 2, about_x, 1, 0.8},
        {"a large one, lying", SHOT_FULL, 2, about_x, 3, 2.4},
        {"a tiny one, lying", SHOT_FULL, 2, about_x, 0.1, 0.5},
        {"a tiny one, narrow frame", SHOT_FULL, 0.5, QUAT_IDENTITY, 0.1, 1},
        {"a tiny bust", SHOT_BUST, 2, QUAT_IDENTITY, 0.1, 0.5},
        {"bust", SHOT_BUST, 4, QUAT_IDENTITY, 3, 1.5},
        {"knees: rows 2 to 4", SHOT_KNEE, 4, QUAT_IDENTITY, 3, 3},
    };
    Arena *arena = arena_create();
    Scene *scene = fixture_scene(fixture_strip(arena), NULL, COMPAT_DEFAULT, arena);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        FollowSpec spec = spec_of(rows[i].aspect);
        spec.shots = &rows[i].shot;
        spec.shot_count = 1;
        scene->models[0].placement.scale = (float)rows[i].scale;
        quat_store(scene->models[0].placement.rotation, rows[i].rotation);
        const double slope = tan(15 * M_PI / 180) * 0.9;
        const double got = -(double)camera_of(scene, &spec, 0, arena).distance;
        if (fabs(got - rows[i].half / slope) > 1e-4)
            fail_msg("%s: %g, expected %g", rows[i].what, got, rows[i].half / slope);
    }
    arena_destroy(arena);
}

/*
 * A strip with forearms, triangles at both sides, so far out that they cannot be in the frame: the
 * distance is 1.25 times what the strip needs, and the eye is in the middle of what optional and
 * required points ask for, as far as the strip stays in the frame.
 */
static void forearms_that_leave_the_frame(void **state)
{
    (void)state;
    static const struct {
        double right, left; /* outer ends of the forearms */
        double x;           /* of the eye: half of the frame is 2.5, of the strip 0.5 */
    } rows[] = {{6, 5, 0.5}, {5, 6, -0.5}, {7, 7, 0}, {30, 5, 2}, {5, 30, -2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        PmxModel m = fixture_strip(arena);
        PmxBone *bones = arena_array(arena, PmxBone, 4);
        PmxVertex *vertices = arena_array(arena, PmxVertex, m.vertex_count + 6);
        uint32_t *indices = arena_array(arena, uint32_t, m.index_count + 6);
        memcpy(bones, m.bones, 2 * sizeof *bones);
        memcpy(vertices, m.vertices, m.vertex_count * sizeof *vertices);
        memcpy(indices, m.indices, m.index_count * sizeof *indices);
        bones[2] = fixture_bone("左ひじ", 0, 1, 2, 0);
        bones[3] = fixture_bone("右ひじ", 0, -1, 2, 0);
        for (int k = 0; k < 6; k++) {
            const double x = k < 3 ? rows[i].right : -rows[i].left;
            indices[m.index_count++] = m.vertex_count;
            vertices[m.vertex_count++] =
                fixture_vertex((float)x, k % 3 == 1 ? 2.1f : 2, k % 3 == 2 ? 0.1f : 0, k / 3 + 2);
        }
        m.materials[0].index_count += 6;
        m.bones = bones;
        m.bone_count = 4;
        m.vertices = vertices;
        m.indices = indices;
        const Scene *scene = fixture_scene(m, NULL, COMPAT_DEFAULT, arena);
        FollowSpec spec = spec_of(1);
        const CameraState camera = camera_of(scene, &spec, 0, arena);
        const double slope = tan(15 * M_PI / 180) * 0.9;
        assert_near(-(double)camera.distance, 1.25 * 2 / slope, 1e-3);
        assert_near((double)camera.target[0], rows[i].x, 0.06); /* a depth of 0.1 */
        arena_destroy(arena);
    }
}

/* Moving, scaling and turning the scene and the camera alike changes nothing in the frame. */
static void the_camera_moves_with_the_scene(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    Scene *scene = demo_scene(arena);
    FollowSpec spec = spec_of(ASPECTS[1]);
    const CameraState plain = camera_of(scene, &spec, 123, arena);
    scene->models[0].placement = (Placement){
        .position = {100, 50, -30}, .rotation = {0, 0.70710678f, 0, 0.70710678f}, .scale = 2};
    spec.rotation[1] = -(float)(M_PI / 2); /* the angles of a camera have the opposite sign */
    const CameraState moved = camera_of(scene, &spec, 123, arena);
    const Vec3 target = placement_point(&scene->models[0].placement, vec3_load(plain.target));
    assert_near(vec3_length(vec3_sub(vec3_load(moved.target), target)), 0, 2e-3);
    assert_near((double)moved.distance, 2 * (double)plain.distance, 2e-3);
    arena_destroy(arena);
}

/* A scene of three strips; `dancer` moves along x. */
static Scene *strips(VmdBoneKey keys[2], Arena *arena)
{
    const VmdMotion motion = fixture_motion_of(keys, 2);
    const Scene *dancer = fixture_scene(fixture_strip(arena), &motion, COMPAT_DEFAULT, arena);
    Scene *scene = fixture_scene(fixture_strip(arena), NULL, COMPAT_DEFAULT, arena);
    SceneModel *models = arena_array(arena, SceneModel, 3);
    for (int i = 0; i < 3; i++)
        models[i] = scene->models[0];
    models[1] = dancer->models[0];
    models[0].id = "left";
    models[1].id = "dancer";
    models[2].id = "right";
    models[0].placement.position[0] = -100;
    models[2].placement.position[0] = 100;
    scene->models = models;
    scene->model_count = 3;
    scene->attach_order = arena_array(arena, uint32_t, 3);
    for (uint32_t i = 0; i < 3; i++)
        scene->attach_order[i] = i;
    scene->last_frame = 300;
    return scene;
}

static void selects_models(void **state)
{
    (void)state;
    static const char *const right[] = {"right"}, *const both[] = {"left", "dancer"};
    static const struct {
        const char *const *ids;
        size_t count;
        double x, tolerance;
    } rows[] = {{NULL, 0, 0, 0.2}, {right, 1, 100, 1e-3}, {both, 2, -50, 0.2}};
    Arena *arena = arena_create();
    VmdBoneKey keys[] = {fixture_key("lower", 0, 0, 0, 0), fixture_key("lower", 300, 0.2f, 0, 0)};
    Scene *scene = strips(keys, arena);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        FollowSpec spec = spec_of(1);
        spec.models = rows[i].ids;
        spec.model_count = rows[i].count;
        assert_near((double)camera_of(scene, &spec, 150, arena).target[0], rows[i].x,
                    rows[i].tolerance);
    }
    /* If nothing moves, all models but stages. */
    const FollowSpec spec = spec_of(1);
    scene->models[1] = scene->models[0];
    scene->models[1].spec.stage = true;
    assert_near((double)camera_of(scene, &spec, 150, arena).target[0], 0, 1e-3);
    scene->models[0].spec.stage = true;
    assert_near((double)camera_of(scene, &spec, 150, arena).target[0], 100, 1e-3);
    scene->models[2].spec.stage = true; /* nothing is left */
    FollowTrack track;
    follow_path_create(&track, scene, &spec, arena);
    assert_int_equal(track.count, 0);
    arena_destroy(arena);
}

/* A model moves if a bone has keys, or if it has a path of at least two points. */
static void paths_move_models(void **state)
{
    (void)state;
    static const PlacementPoint points[] = {
        {.position = {100, 0, 0}},
        {.frame = 300, .position = {100, 0, 0}},
    };
    static const struct {
        uint32_t count;
        double x; /* of the camera: the dancer is at 0, the other at 100 */
    } rows[] = {{0, 0}, {1, 0}, {2, 50}};
    Arena *arena = arena_create();
    VmdBoneKey keys[] = {fixture_key("lower", 0, 0, 0, 0), fixture_key("lower", 300, 0.2f, 0, 0)};
    const FollowSpec spec = spec_of(1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Scene *scene = strips(keys, arena);
        scene->models[0].spec.stage = true;
        if (rows[i].count)
            scene->models[2].path = placement_spline_bind(points, rows[i].count, (Vec3){0}, arena);
        assert_near((double)camera_of(scene, &spec, 150, arena).target[0], rows[i].x, 0.3);
    }
    arena_destroy(arena);
}

/* The camera arrives together with a model that stops, because it looks ahead. */
static void looks_ahead(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    VmdBoneKey keys[] = {fixture_key("lower", 150, 0, 0, 0), fixture_key("lower", 170, 10, 0, 0)};
    const Scene *scene = strips(keys, arena);
    const FollowSpec spec = spec_of(1);
    assert_near((double)camera_of(scene, &spec, 50, arena).target[0], 0, 0.01);
    assert_near((double)camera_of(scene, &spec, 160, arena).target[0], 5, 0.5);
    assert_near((double)camera_of(scene, &spec, 290, arena).target[0], 10, 0.01);
    const double ahead = (double)camera_of(scene, &spec, 148, arena).target[0];
    assert_true(ahead > 0.05 && ahead < 5);
    arena_destroy(arena);
}

/* ---- cuts ---- */

static void cuts_change_shot_and_direction(void **state)
{
    (void)state;
    static const double cuts[] = {100, 200, 350, 500};
    static const FollowShot shots[] = {SHOT_BUST, SHOT_FULL};
    Arena *arena = arena_create();
    const Scene *scene = demo_scene(arena);
    FollowSpec spec = spec_of(ASPECTS[0]);
    FollowTrack track;
    spec.cuts = cuts;
    spec.cut_count = 4;
    spec.shots = shots;
    spec.shot_count = 2;
    follow_path_create(&track, scene, &spec, arena);
    assert_int_equal(track.count, 5);
    for (uint32_t i = 0; i < 5; i++) {
        const double start = i ? cuts[i - 1] : 0, end = i < 4 ? cuts[i] : scene->last_frame;
        const CameraState here = follow_at(&track, start);
        assert_true(track.segments[i].start == start);
        assert_int_equal(track.segments[i].count, ceil((end - start) / 3) + 1);
        if (!i)
            continue;
        const CameraState before = follow_at(&track, start - 0.001);
        assert_true(here.rotation[1] != before.rotation[1]);
        assert_true(i % 2 ? here.distance < before.distance * 1.5f
                          : here.distance > before.distance / 1.5f);
    }
    arena_destroy(arena);
}

/* Close shots show one model at a time. */
static void cuts_change_the_model(void **state)
{
    (void)state;
    static const double cuts[] = {100, 200}, x[] = {-100, 0, 100};
    static const char *const ids[] = {"left", "dancer", "right"};
    const FollowShot bust = SHOT_BUST;
    Arena *arena = arena_create();
    VmdBoneKey keys[] = {fixture_key("lower", 0, 0, 0, 0), fixture_key("lower", 300, 0.2f, 0, 0)};
    const Scene *scene = strips(keys, arena);
    FollowSpec spec = spec_of(1);
    FollowTrack track;
    spec.models = ids;
    spec.model_count = 3;
    spec.cuts = cuts;
    spec.cut_count = 2;
    spec.shots = &bust;
    spec.shot_count = 1;
    follow_path_create(&track, scene, &spec, arena);
    for (int i = 0; i < 3; i++)
        assert_near((double)follow_at(&track, 50 + 100 * i).target[0], x[i], 0.3);
    arena_destroy(arena);
}

/* While the model is invisible the camera waits where it saw it last. */
static void invisible_models(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    double frames[] = {0, 100};
    bool on[] = {true, false};
    const void *switches[] = {&on[0], &on[1]};
    VmdBoneKey keys[] = {fixture_key("lower", 0, 0, 0, 0), fixture_key("lower", 300, 300, 0, 0)};
    Scene *scene = strips(keys, arena);
    const FollowSpec spec = spec_of(1);
    scene->models[1].motion.visible =
        (SwitchTrack){.time = {0, 1}, .keys = switches, .frames = frames, .key_count = 2};
    assert_near((double)camera_of(scene, &spec, 290, arena).target[0], 99, 1);
    on[0] = false;
    on[1] = true;
    assert_near((double)camera_of(scene, &spec, 10, arena).target[0], 102, 2);
    on[1] = false;
    FollowTrack track;
    follow_path_create(&track, scene, &spec, arena);
    assert_int_equal(track.count, 0);
    arena_destroy(arena);
}

/* ---- real models ---- */

static void real_models_dance(void **state)
{
    (void)state;
    static const char *const models[] = {"gene/Gene_light.pmx",
                                         "miu-trace-model/v4_trace_model.pmx",
                                         "yohawing-fixtures/mmt_test_model/mmt_test_model.pmx",
                                         "yohawing-fixtures/yw_test_model/yw_test_model.pmx"};
    static const char dance[] = "miu-mmd-base/dance_7403frames.vmd";
    /* The cells of a contact sheet; with ODORI_ALL_FRAMES set, all frames (minutes). */
    const bool all = getenv("ODORI_ALL_FRAMES") != NULL;
    const Limits limits = all ? (Limits){0.62, 0.91} : (Limits){0.7, 0.9};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        Arena *arena = arena_create();
        Bytes unused;
        if (!shared_data_load(&unused, models[i], arena) ||
            !shared_data_load(&unused, dance, arena)) {
            arena_destroy(arena);
            skip();
        }
        MotionSpec motion = {.file = path_join(shared_data_directory(), dance, arena),
                             MOTION_DEFAULT};
        const ModelSpec figure = {.id = "figure",
                                  .file = path_join(shared_data_directory(), models[i], arena),
                                  .motions = &motion,
                                  .motion_count = 1,
                                  MODEL_DEFAULT,
                                  .physics = true};
        const SceneSpec spec = {.models = &figure,
                                .model_count = 1,
                                .compat = COMPAT_DEFAULT,
                                .physics = PHYSICS_DEFAULT};
        DiagLog log;
        Scene scene;
        diag_log_init(&log);
        assert_true(scene_load(&scene, &spec, arena, &log.diag));
        check_frames(models[i], &scene, &limits, all ? (int)scene.last_frame + 1 : 24);
        arena_destroy(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_figure_is_large_and_in_the_frame),
        cmocka_unit_test(the_camera_moves_smoothly),
        cmocka_unit_test(shots_get_closer),
        cmocka_unit_test(distances_by_hand),
        cmocka_unit_test(distances_at_rest_by_hand),
        cmocka_unit_test(forearms_that_leave_the_frame),
        cmocka_unit_test(the_camera_moves_with_the_scene),
        cmocka_unit_test(selects_models),
        cmocka_unit_test(paths_move_models),
        cmocka_unit_test(looks_ahead),
        cmocka_unit_test(cuts_change_shot_and_direction),
        cmocka_unit_test(cuts_change_the_model),
        cmocka_unit_test(invisible_models),
        cmocka_unit_test(real_models_dance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
