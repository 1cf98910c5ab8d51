// SPDX-License-Identifier: MIT
/*
 * A camera motion in frames of another shape: heads and hands that its 16:9 picture shows stay in
 * the frame, the path is smooth between cuts, and nothing changes where nothing has to.
 *
 * Measured are the bones of head and wrists, not the spheres from which the path is computed.
 * ODORI_ALL_FRAMES=1 measures real dances and cameras.
 */
#include <math.h>
#include <stdlib.h>

#include "base/path.h"
#include "demo/dance.h"
#include "demo/figure.h"
#include "diag_log.h"
#include "evaluate/follow/reframe_path.h"
#include "evaluate/frame.h"
#include "model_fixture.h"
#include "near.h"
#include "scene_fixture.h"
#include "shared_data.h"
#include "unit_test.h"

enum { MAX_MODELS = 3, PARTS = 3 };
static const char *const part_names[PARTS] = {"頭", "左手首", "右手首"};

/* Where a point is in the frame: 1 is at its edge, more beyond it. */
static double edge_of(Vec3 point, const CameraState *camera, double aspect)
{
    const CameraAxes axes = camera_axes(camera);
    const Vec3 p = vec3_sub(point, vec3_load(axes.eye));
    const double depth =
        vec3_dot(p, vec3_load(axes.forward)) * tan((double)camera->fov_deg * M_PI / 360);
    const double x = fabs(vec3_dot(p, vec3_load(axes.right))) / aspect;
    return depth > 0 ? fmax(x, fabs(vec3_dot(p, vec3_load(axes.up)))) / depth : HUGE_VAL;
}

typedef struct Shares {
    int frames, before, after; /* with a part; all of them are in the frame before, and after */
    int parts, parts_before, parts_after;
    double worst;                  /* edge of a part */
    double turn, back;             /* largest */
    double turn_speed, back_speed; /* largest, a frame, without cuts */
    double turn_jolt, back_jolt;   /* largest changes of these from frame to frame */
} Shares;

static double largest(double a, double b)
{
    return fmax(a, fabs(b));
}

static Shares measure(Scene *scene, double aspect)
{
    Arena *arena = arena_create();
    Evaluator *evaluator = evaluator_create_keyed(scene);
    FrameState *state = frame_state_create(scene, arena);
    ReframeTrack track;
    Shares s = {0};
    double turns[3] = {0}, backs[3] = {0};
    int since_cut = 0;
    uint32_t segment = 0;
    const ReframeSpec spec = {aspect, 75};
    reframe_path_create(&track, scene, &spec, arena);
    for (int frame = 0; track.count && frame <= (int)scene->last_frame; frame++) {
        evaluate_bones(state, evaluator, scene, NULL, frame);
        const CameraState given = evaluate_camera(state, scene);
        const CameraState made = reframe_at(&track, &given, frame);
        int seen = 0, in = 0, was = 0;
        for (size_t m = 0; m < scene->model_count; m++)
            for (int i = 0; i < PARTS; i++) {
                const int32_t bone = model_find_bone(scene->models[m].model, part_names[i]);
                if (bone < 0)
                    continue;
                const ModelState *model = &state->models[m];
                const Vec3 at =
                    placement_point(&model->placement, vec3_load(model->bones[bone].position));
                if (edge_of(at, &given, 16.0 / 9) > 1)
                    continue;
                const double edge = edge_of(at, &made, aspect);
                s.worst = fmax(s.worst, edge);
                seen++;
                was += edge_of(at, &given, aspect) <= 1;
                in += edge <= 1;
            }
        s.frames += seen > 0;
        s.before += seen > 0 && was == seen;
        s.after += seen > 0 && in == seen;
        s.parts += seen;
        s.parts_before += was;
        s.parts_after += in;
        if (segment + 1 < track.count && frame >= track.segments[segment + 1].start) {
            segment++;
            since_cut = 0;
        }
        turns[2] = turns[1], turns[1] = turns[0], backs[2] = backs[1], backs[1] = backs[0];
        turns[0] = (double)(given.rotation[1] - made.rotation[1]);
        backs[0] = (double)(given.distance - made.distance);
        s.turn = largest(s.turn, turns[0]);
        s.back = largest(s.back, backs[0]);
        if (since_cut >= 1) {
            s.turn_speed = largest(s.turn_speed, turns[0] - turns[1]);
            s.back_speed = largest(s.back_speed, backs[0] - backs[1]);
        }
        if (since_cut >= 2) {
            s.turn_jolt = largest(s.turn_jolt, turns[0] - 2 * turns[1] + turns[2]);
            s.back_jolt = largest(s.back_jolt, backs[0] - 2 * backs[1] + backs[2]);
        }
        since_cut++;
    }
    evaluator_destroy(evaluator);
    arena_destroy(arena);
    return s;
}

static void print(const char *what, const Shares *s)
{
    print_message(
        "%s: all heads and hands of the 16:9 picture in %.1f %% of %d frames, now in %.1f "
        "%%; %.1f %% of them, now %.2f %%, the worst at %.2f; turned by at most %.0f "
        "degrees, %.2f a frame, %.3f a frame squared; back by %.1f, %.2f, %.3f\n",
        what, 100.0 * s->before / s->frames, s->frames, 100.0 * s->after / s->frames,
        100.0 * s->parts_before / s->parts, 100.0 * s->parts_after / s->parts, s->worst,
        s->turn * 180 / M_PI, s->turn_speed * 180 / M_PI, s->turn_jolt * 180 / M_PI, s->back,
        s->back_speed, s->back_jolt);
}

/* The built-in figures dance before the built-in camera. */
static Scene *figures(int count, Arena *arena)
{
    SceneModel *models = arena_array(arena, SceneModel, MAX_MODELS);
    VmdMotion *camera = arena_array(arena, VmdMotion, 1);
    Scene *scene = NULL;
    for (int i = 0; i < count; i++) {
        const VmdMotion dance = dance_make(arena);
        scene = fixture_scene(figure_make(arena), &dance, COMPAT_DEFAULT, arena);
        models[i] = scene->models[0];
        models[i].placement.position[0] = 9 * ((float)i - (float)(count - 1) / 2);
    }
    *camera = dance_camera_make(arena);
    scene->models = models;
    scene->model_count = (size_t)count;
    scene->attach_order = arena_array(arena, uint32_t, MAX_MODELS);
    for (uint32_t i = 0; i < MAX_MODELS; i++)
        scene->attach_order[i] = i;
    scene->last_frame = DANCE_FRAMES;
    scene->camera_track = camera_bind(camera, (TimeMap){0, 1}, arena);
    return scene;
}

static void heads_and_hands_stay(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        int models;
        double aspect;
    } rows[] = {
        {"one figure, 9:16", 1, 9.0 / 16}, {"three, 9:16", 3, 9.0 / 16}, {"three, 1:1", 3, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        const Shares s = measure(figures(rows[i].models, arena), rows[i].aspect);
        print(rows[i].what, &s);
        assert_true(s.frames > DANCE_FRAMES / 2);
        assert_true(s.parts_after >= 0.99 * s.parts);
        assert_true(s.turn_speed < 5 * M_PI / 180 && s.turn_jolt < 1 * M_PI / 180);
        arena_destroy(arena);
    }
}

/* A wider frame shows all that a 16:9 picture does, and so does the same shape but for the border.
 */
static void nothing_changes_without_need(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const Shares wide = measure(figures(2, arena), 2.39);
    assert_true(wide.turn < 1e-6 && wide.back < 1e-6 && wide.before == wide.frames);
    arena_destroy(arena);
}

static void other_scenes(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    Scene *scene = figures(1, arena);
    ReframeTrack track;
    scene->camera_track.key_count = 0;
    const ReframeSpec spec = {0.5, 75};
    reframe_path_create(&track, scene, &spec, arena);
    assert_int_equal(track.count, 0);
    Scene *bone = fixture_scene(fixture_bone_only(arena), NULL, COMPAT_DEFAULT, arena);
    bone->camera_track = figures(1, arena)->camera_track;
    reframe_path_create(&track, bone, &spec, arena);
    assert_int_equal(track.count, 0);
    arena_destroy(arena);
}

/* A wall across the room, seen from the side to which it faces, or from both. */
typedef struct Wall {
    float z;
    bool faces_eye; /* towards -z */
    bool both_sides, hidden, invisible;
    float alpha;
} Wall;

static SceneModel make_wall(const Wall *wall, Arena *arena)
{
    static const float corners[4][2] = {{-40, -5}, {40, -5}, {-40, 60}, {40, 60}};
    static const uint32_t front[6] = {0, 2, 1, 1, 2, 3};
    PmxModel m = fixture_bone_only(arena);
    m.vertices = arena_array(arena, PmxVertex, 4);
    m.vertex_count = 4;
    for (int i = 0; i < 4; i++)
        m.vertices[i] = fixture_vertex(corners[i][0], corners[i][1], 0, 0);
    m.indices = arena_array(arena, uint32_t, 6);
    m.index_count = 6;
    for (int i = 0; i < 6; i++)
        m.indices[i] = front[wall->faces_eye ? i : 5 - i];
    m.materials = arena_array(arena, PmxMaterial, 1);
    m.material_count = 1;
    m.materials[0] = fixture_material("wall", 0, 6);
    m.materials[0].diffuse[3] = wall->alpha;
    m.materials[0].flags = wall->both_sides ? PMX_DOUBLE_SIDED : 0;
    SceneModel made = fixture_scene(m, NULL, COMPAT_DEFAULT, arena)->models[0];
    made.spec.stage = true;
    made.placement.position[2] = wall->z;
    made.hidden = arena_array(arena, bool, 1);
    made.hidden[0] = wall->hidden;
    if (wall->invisible)
        made.placement.scale = 0;
    return made;
}

/* Two figures 12 units apart, a camera 20 units before them and a wall; measured are the eye, the
 * angle of view and where heads and hands are. */
typedef struct View {
    double farthest, widest, worst; /* -z of the eye, degrees, edge */
    ReframeTrack track;
} View;

static View view_before_wall(const Wall *wall, double widest_deg, Arena *arena)
{
    static const VmdCameraKey key = {.target = {0, 12, 0}, .distance = -20, .fov_deg = 30};
    VmdMotion *camera = arena_array(arena, VmdMotion, 1);
    Scene *scene = figures(2, arena);
    const ReframeSpec spec = {9.0 / 16, widest_deg};
    View v = {0};
    camera->camera_keys = arena_array(arena, VmdCameraKey, 1);
    camera->camera_keys[0] = key;
    camera->camera_key_count = 1;
    scene->camera_track = camera_bind(camera, (TimeMap){0, 1}, arena);
    scene->last_frame = 150;
    if (wall)
        scene->models[scene->model_count++] = make_wall(wall, arena);
    reframe_path_create(&v.track, scene, &spec, arena);
    Evaluator *evaluator = evaluator_create_keyed(scene);
    FrameState *state = frame_state_create(scene, arena);
    for (int frame = 0; frame <= 150; frame++) {
        evaluate_bones(state, evaluator, scene, NULL, frame);
        const CameraState given = evaluate_camera(state, scene);
        const CameraState made = reframe_at(&v.track, &given, frame);
        v.farthest = fmax(v.farthest, -(double)camera_axes(&made).eye[2]);
        v.widest = fmax(v.widest, (double)made.fov_deg);
        for (size_t m = 0; m < 2; m++)
            for (int i = 0; i < PARTS; i++) {
                const int32_t bone = model_find_bone(scene->models[m].model, part_names[i]);
                const ModelState *model = &state->models[m];
                const Vec3 at =
                    placement_point(&model->placement, vec3_load(model->bones[bone].position));
                if (edge_of(at, &given, 16.0 / 9) <= 0.9)
                    v.worst = fmax(v.worst, edge_of(at, &made, 9.0 / 16));
            }
    }
    evaluator_destroy(evaluator);
    return v;
}

/* What the camera may not pass is a wall that would be seen before the heads and was not: the
 * picture is widened instead, to the limit. */
static void walls(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        Wall wall;
        double limit;
        bool blocks, cropped;
    } rows[] = {
        {"both sides", {-26, false, true, false, false, 1}, 75, true, false},
        {"its front to the eye behind", {-26, true, false, false, false, 1}, 75, true, false},
        {"its back to that", {-26, false, false, false, false, 1}, 75, false, false},
        {"of glass", {-26, false, true, false, false, 0.3f}, 75, false, false},
        {"hidden", {-26, false, true, true, false, 1}, 75, false, false},
        {"invisible", {-26, false, true, false, true, 1}, 75, false, false},
        {"there before", {-19, true, true, false, false, 1}, 75, false, false},
        {"behind the figures", {30, false, true, false, false, 1}, 75, false, false},
        {"at the eye", {-20.1f, false, true, false, false, 1}, 120, true, false},
        {"a narrow lens", {-26, false, true, false, false, 1}, 35, true, true},
        {"a lens narrower than the given one", {-26, false, true, false, false, 1}, 20, true, true},
    };
    Arena *arena = arena_create();
    const View open = view_before_wall(NULL, 75, arena);
    assert_true(open.farthest > 40 && open.worst <= 1 && !(open.track.widened > 0));
    assert_near(open.widest, 30, 0);
    arena_destroy(arena);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        arena = arena_create();
        const View v = view_before_wall(&rows[i].wall, rows[i].limit, arena);
        const double limit = fmax(rows[i].limit, 30);
        const bool good =
            rows[i].blocks
                ? v.farthest < fmax(-(double)rows[i].wall.z, 20.001) && v.widest <= limit + 1e-4 &&
                      (v.worst > 1) == rows[i].cropped &&
                      (v.track.cropped > 0) == rows[i].cropped && v.track.widest_deg <= limit + 1e-4
                : v.farthest == open.farthest && v.widest == open.widest && v.worst == open.worst;
        if (!good || (v.track.widened > 0) != (v.widest > 30.0001))
            fail_msg("%s: %.2f back, %.1f degrees, edge %.2f, cropped %.0f", rows[i].what,
                     v.farthest, v.widest, v.worst, v.track.cropped);
        arena_destroy(arena);
    }
}

/* Moved back, turned and widened by hand. */
static void one_camera(void **state)
{
    (void)state;
    /* tan 30 degrees = 2.154700538 tan 15 */
    ReframePoint points[] = {{M_PI / 2, 5, 2.154700538}};
    ReframeSegment segment = {0, points, 1};
    const ReframeTrack track = {.segments = &segment, .count = 1, .step = 2};
    const CameraState given = {.target = {1, 10, 0}, .distance = -20, .fov_deg = 30};
    const CameraState made = reframe_at(&track, &given, 7);
    const CameraAxes axes = camera_axes(&made);
    const float eye[3] = {1, 10, -25}, forward[3] = {1, 0, 0}, target[3] = {26, 10, -25};
    for (int i = 0; i < 3; i++) {
        assert_near((double)axes.eye[i], (double)eye[i], 1e-5);
        assert_near((double)axes.forward[i], (double)forward[i], 1e-5);
        assert_near((double)made.target[i], (double)target[i], 1e-5);
    }
    assert_near((double)made.distance, -25, 1e-5);
    assert_near((double)made.fov_deg, 60, 1e-5);
}

static void real_cameras(void **state)
{
    (void)state;
    static const char *const models[] = {"gene/Gene_light.pmx",
                                         "miu-trace-model/v4_trace_model.pmx"};
    static const char *const cameras[] = {"vmdgadgets/camera_3750frames.vmd",
                                          "vmdgadgets/camera_5850frames.vmd",
                                          "vmdgadgets/camera_7230frames.vmd"};
    static const char dance[] = "miu-mmd-base/dance_7403frames.vmd";
    static const double aspects[] = {9.0 / 16, 1};
    if (!getenv("ODORI_ALL_FRAMES")) /* a minute */
        skip();
    for (int count = 1; count <= 2; count++)
        for (size_t c = 0; c < 3; c++) {
            Arena *arena = arena_create();
            ModelSpec specs[2];
            Bytes unused;
            MotionSpec motion = {.file = path_join(shared_data_directory(), dance, arena),
                                 MOTION_DEFAULT};
            if (!shared_data_load(&unused, cameras[c], arena)) {
                arena_destroy(arena);
                skip();
            }
            for (int i = 0; i < count; i++) {
                specs[i] = (ModelSpec){.id = i ? "b" : "a",
                                       .file = path_join(shared_data_directory(), models[i], arena),
                                       .motions = &motion,
                                       .motion_count = 1,
                                       MODEL_DEFAULT};
                specs[i].position.x = count > 1 ? 10 * i - 5 : 0;
            }
            const SceneSpec spec = {
                .models = specs,
                .model_count = (size_t)count,
                .camera.motion =
                    &(MotionSpec){.file = path_join(shared_data_directory(), cameras[c], arena),
                                  .time = {0, 1}},
                .compat = COMPAT_DEFAULT,
                .physics = PHYSICS_DEFAULT};
            DiagLog log;
            Scene scene;
            diag_log_init(&log);
            assert_true(scene_load(&scene, &spec, arena, &log.diag));
            for (size_t a = 0; a < 2; a++) {
                const Shares s = measure(&scene, aspects[a]);
                char what[80];
                snprintf(what, sizeof what, "%d models, %s, %s", count, path_name(cameras[c]),
                         a ? "1:1" : "9:16");
                print(what, &s);
                assert_true(s.parts_after >= 0.98 * s.parts);
            }
            arena_destroy(arena);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heads_and_hands_stay),
        cmocka_unit_test(nothing_changes_without_need),
        cmocka_unit_test(other_scenes),
        cmocka_unit_test(one_camera),
        cmocka_unit_test(walls),
        cmocka_unit_test(real_cameras),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
