// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "asset_check.h"
#include "demo/dance.h"
#include "demo/figure.h"
#include "demo/figure_rig.h"
#include "demo/stage.h"
#include "demo/tune.h"
#include "diag_log.h"
#include "evaluate/frame.h"
#include "format/model/pmx.h"
#include "format/motion/vmd.h"
#include "hall.h"
#include "math/rotation.h"
#include "scene_fixture.h"
#include "unit_test.h"

/* ---- files -------------------------------------------------------------------------------------
 */

static void test_models_load_without_a_word(void **state)
{
    (void)state;
    PmxModel (*const makers[])(Arena *) = {figure_make, stage_make, hall_make};

    for (int i = 0; i < 3; i++) {
        Arena *arena = arena_create();
        const PmxModel made = makers[i](arena);
        PmxModel loaded;
        DiagLog log;
        diag_log_init(&log);
        if (!pmx_load(&loaded, pmx_write(&made, (PmxWriteOptions){0}, arena), arena, &log.diag) ||
            !pmx_check(&loaded, &log.diag) || log.used)
            fail_msg("%s: %s", made.name_en, log.text);
        assert_int_equal(loaded.vertex_count, made.vertex_count);
        arena_destroy(arena);
    }
}

/* A stage that costs what large ones cost, without shadows on it, so that its picture can be kept.
 */
static void test_the_hall_is_large(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const PmxModel hall = hall_make(arena);

    assert_true(hall.index_count / 3 >= 200000);
    for (uint32_t i = 0; i < hall.material_count; i++)
        assert_int_equal(hall.materials[i].flags & PMX_RECEIVE_SHADOW, 0);
    arena_destroy(arena);
}

static void test_the_hall_camera_stands_still_for_half_of_the_dance(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const VmdMotion camera = hall_camera_make(arena);
    const VmdCameraKey *a = &camera.camera_keys[0], *b = &camera.camera_keys[1];

    assert_int_equal(a->frame, 0);
    assert_int_equal(b->frame, DANCE_FRAMES / 2 - 1);
    assert_memory_equal(a->target, b->target, sizeof a->target);
    assert_memory_equal(a->rotation, b->rotation, sizeof a->rotation);
    assert_true(a->distance == b->distance && a->fov_deg == b->fov_deg);
    arena_destroy(arena);
}

static VmdMotion loaded_motion(const VmdMotion *made, Arena *arena)
{
    VmdMotion loaded;
    DiagLog log;

    diag_log_init(&log);
    if (!vmd_load(&loaded, vmd_write(made, arena), arena, &log.diag) ||
        !vmd_check(&loaded, &log.diag) || log.used)
        fail_msg("%s: %s", made->model_name, log.text);
    return loaded;
}

static void test_motions_load_and_fit_the_figure(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const VmdMotion made = dance_make(arena), camera = dance_camera_make(arena);
    const VmdMotion dance = loaded_motion(&made, arena), shots = loaded_motion(&camera, arena);
    const PmxModel figure = figure_make(arena);
    const Scene *scene = fixture_scene(figure, &dance, COMPAT_DEFAULT, arena);
    const Model *model = scene->models[0].model;

    assert_int_equal(vmd_last_frame(&dance), DANCE_FRAMES);
    assert_int_equal(vmd_last_frame(&shots), DANCE_FRAMES);
    for (uint32_t i = 0; i < dance.bone_key_count; i++) {
        bool found = false;
        for (uint32_t b = 0; b < figure.bone_count && !found; b++)
            found = vmd_name_equal(&model->bone_names[b], &dance.bone_keys[i].name);
        if (!found)
            fail_msg("bone key %u: no bone '%s'", i,
                     vmd_name_to_utf8(&dance.bone_keys[i].name, arena));
    }
    for (uint32_t i = 0; i < dance.morph_key_count; i++) {
        bool found = false;
        for (uint32_t m = 0; m < figure.morph_count && !found; m++)
            found = vmd_name_equal(&model->morph_names[m], &dance.morph_keys[i].name);
        if (!found)
            fail_msg("morph key %u: no '%s'", i,
                     vmd_name_to_utf8(&dance.morph_keys[i].name, arena));
    }
    arena_destroy(arena);
}

static void test_the_same_bytes_again(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const PmxModel a = figure_make(arena), b = figure_make(arena);
    const VmdMotion c = dance_make(arena), d = dance_make(arena);
    const Bytes first[] = {pmx_write(&a, (PmxWriteOptions){0}, arena), vmd_write(&c, arena)};
    const Bytes again[] = {pmx_write(&b, (PmxWriteOptions){0}, arena), vmd_write(&d, arena)};

    for (int i = 0; i < 2; i++) {
        assert_int_equal(first[i].size, again[i].size);
        assert_memory_equal(first[i].data, again[i].data, first[i].size);
    }
    arena_destroy(arena);
}

/* ---- geometry ----------------------------------------------------------------------------------
 */

typedef struct Corner {
    const float *at;
    uint32_t vertex;
} Corner;

static int compare_corners(const void *left, const void *right)
{
    const Corner *a = left, *b = right;
    for (int i = 0; i < 3; i++)
        if (a->at[i] != b->at[i])
            return a->at[i] < b->at[i] ? -1 : 1;
    return 0;
}

/* A number per vertex, equal for all vertices at the same position. */
static uint32_t *places(const PmxModel *model, Arena *arena)
{
    uint32_t *place = arena_array(arena, uint32_t, model->vertex_count);
    Corner *corners = arena_array(arena, Corner, model->vertex_count);

    for (uint32_t i = 0; i < model->vertex_count; i++)
        corners[i] = (Corner){model->vertices[i].position, i};
    qsort(corners, model->vertex_count, sizeof *corners, compare_corners);
    for (uint32_t i = 0; i < model->vertex_count; i++)
        place[corners[i].vertex] = i > 0 && compare_corners(&corners[i - 1], &corners[i]) == 0
                                       ? place[corners[i - 1].vertex]
                                       : i;
    return place;
}

typedef struct Edge {
    uint32_t low, high;
    int way; /* 1 from low to high, -1 back */
} Edge;

static int compare_edges(const void *left, const void *right)
{
    const Edge *a = left, *b = right;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    return a->high < b->high ? -1 : a->high > b->high;
}

/* Number of open edges: those that triangles use in one direction more often than in the other. */
static unsigned open_edges(const PmxModel *model, const PmxMaterial *material,
                           const uint32_t *place, Arena *arena)
{
    Edge *edges = arena_array(arena, Edge, material->index_count);
    unsigned open = 0;

    for (uint32_t i = 0; i < material->index_count; i++) {
        const uint32_t *triangle = &model->indices[material->first_index + i / 3 * 3];
        const uint32_t a = place[triangle[i % 3]], b = place[triangle[(i + 1) % 3]];
        edges[i] = a < b ? (Edge){a, b, 1} : (Edge){b, a, a == b ? 0 : -1};
    }
    qsort(edges, material->index_count, sizeof *edges, compare_edges);
    for (uint32_t i = 0, end; i < material->index_count; i = end) {
        int sum = 0;
        for (end = i; end < material->index_count && compare_edges(&edges[end], &edges[i]) == 0;
             end++)
            sum += edges[end].way;
        open += sum != 0;
    }
    return open;
}

/* Six times the volume inside; above 0 when the surface faces outwards as MMD draws it. */
static double volume(const PmxModel *model, const PmxMaterial *material)
{
    double sum = 0;

    for (uint32_t i = 0; i < material->index_count; i += 3) {
        const uint32_t *t = &model->indices[material->first_index + i];
        const Vec3 a = vec3_load(model->vertices[t[0]].position);
        const Vec3 b = vec3_load(model->vertices[t[1]].position);
        const Vec3 c = vec3_load(model->vertices[t[2]].position);
        sum += vec3_dot(a, vec3_cross(vec3_sub(b, a), vec3_sub(c, a)));
    }
    return sum;
}

static void test_clothes_and_skin_are_closed_and_face_outwards(void **state)
{
    (void)state;
    static const char *const closed[] = {"skin",      "socks", "shoes", "blouse", "sleeves",
                                         "petticoat", "skirt", "trim",  "ribbons"};
    Arena *arena = arena_create();
    const PmxModel figure = figure_make(arena);
    const uint32_t *place = places(&figure, arena);

    for (size_t i = 0; i < sizeof closed / sizeof *closed; i++) {
        const PmxMaterial *material = NULL;
        for (uint32_t m = 0; m < figure.material_count; m++)
            if (strcmp(figure.materials[m].name_en, closed[i]) == 0)
                material = &figure.materials[m];
        if (!material || open_edges(&figure, material, place, arena) > 0 ||
            volume(&figure, material) <= 0)
            fail_msg("%s: %u open edges, volume %g", closed[i],
                     material ? open_edges(&figure, material, place, arena) : 0,
                     material ? volume(&figure, material) / 6 : 0);
    }
    arena_destroy(arena);
}

/* Normals and winding are made apart from each other; both must point to the same side. */
static void test_normals_go_with_the_winding(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const PmxModel figure = figure_make(arena);
    unsigned against = 0;

    for (uint32_t i = 0; i < figure.index_count; i += 3) {
        const uint32_t *t = &figure.indices[i];
        const Vec3 a = vec3_load(figure.vertices[t[0]].position);
        const Vec3 n = vec3_cross(vec3_sub(vec3_load(figure.vertices[t[1]].position), a),
                                  vec3_sub(vec3_load(figure.vertices[t[2]].position), a));
        Vec3 sum = {0, 0, 0};
        for (int k = 0; k < 3; k++)
            sum = vec3_add(sum, vec3_load(figure.vertices[t[k]].normal));
        against += vec3_dot(n, sum) < -1e-9;
    }
    assert_true(against * 200 < figure.index_count / 3); /* at sharp folds a few may */
    arena_destroy(arena);
}

/* ---- the dance ---------------------------------------------------------------------------------
 */

static Vec3 skinned(const PmxModel *model, const BonePose *bones, const PmxVertex *vertex)
{
    Vec3 sum = {0, 0, 0};

    for (int i = 0; i < PMX_MAX_WEIGHTS; i++) {
        if (vertex->weights[i] <= 0.0f)
            continue;
        const BonePose *bone = &bones[vertex->bones[i]];
        const Vec3 from = vec3_sub(vec3_load(vertex->position),
                                   vec3_load(model->bones[vertex->bones[i]].position));
        const Vec3 to =
            vec3_add(quat_rotate(quat_load(bone->rotation), from), vec3_load(bone->position));
        sum = vec3_add(sum, vec3_scale(to, (double)vertex->weights[i]));
    }
    return sum;
}

static const PmxMaterial *shoes_of(const PmxModel *model)
{
    for (uint32_t m = 0; m < model->material_count; m++)
        if (strcmp(model->materials[m].name_en, "shoes") == 0)
            return &model->materials[m];
    fail_msg("no shoes");
    return NULL;
}

static double lowest_of_shoes(const PmxModel *model, const BonePose *bones)
{
    const PmxMaterial *shoes = shoes_of(model);
    double lowest = 100;

    for (uint32_t i = 0; i < shoes->index_count; i += 5)
        lowest =
            fmin(lowest,
                 skinned(model, bones, &model->vertices[model->indices[shoes->first_index + i]]).y);
    return lowest;
}

/* Shoes stay above the floor, and the legs reach the positions of the feet, so no foot slides. */
static void test_feet(void **state)
{
    (void)state;
    enum { EVERY = 4 };
    Arena *arena = arena_create();
    const VmdMotion dance = dance_make(arena);
    const Scene *scene = fixture_scene(figure_make(arena), &dance, COMPAT_DEFAULT, arena);
    FrameState *frame = frame_state_create(scene, arena);
    Evaluator *evaluator = evaluator_create(scene);
    const PmxModel *model = &scene->models[0].model->pmx;

    for (int f = 0; f <= DANCE_FRAMES; f += EVERY) {
        evaluate_frame(frame, evaluator, scene, f);
        const double lowest = lowest_of_shoes(model, frame->models[0].bones);
        if (lowest < -0.03)
            fail_msg("frame %d: a shoe at y %.3f", f, lowest);
        for (Side side = LEFT; side <= RIGHT; side++) {
            const uint32_t ik = (uint32_t)bone_of(PAIR_LEG_IK, side);
            const double miss = (double)evaluator_ik_residual(evaluator, 0, ik);
            if (miss > 0.05)
                fail_msg("frame %d: side %d misses its position by %.3f", f, (int)side, miss);
        }
    }
    evaluator_destroy(evaluator);
    arena_destroy(arena);
}

static void test_the_end_is_the_beginning(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const VmdMotion dance = dance_make(arena);
    const Scene *scene = fixture_scene(figure_make(arena), &dance, COMPAT_DEFAULT, arena);
    FrameState *first = frame_state_create(scene, arena), *last = frame_state_create(scene, arena);
    Evaluator *evaluator = evaluator_create(scene);

    evaluate_frame(first, evaluator, scene, 0);
    evaluate_frame(last, evaluator, scene, DANCE_FRAMES);
    for (int b = 0; b < BONE_COUNT; b++)
        for (int i = 0; i < 3; i++)
            assert_float_equal(first->models[0].bones[b].position[i],
                               last->models[0].bones[b].position[i], 1e-4f);
    evaluator_destroy(evaluator);
    arena_destroy(arena);
}

/* ---- the tune ----------------------------------------------------------------------------------
 */

static void test_tune(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    size_t frames;
    const float *samples = tune_make(&frames, arena);
    double peak = 0, power = 0, mean = 0;

    assert_int_equal(frames, (size_t)TUNE_RATE * DANCE_FRAMES / 30);
    for (size_t i = 0; i < frames * TUNE_CHANNELS; i++) {
        peak = fmax(peak, fabs((double)samples[i]));
        power += (double)samples[i] * (double)samples[i];
        mean += (double)samples[i];
    }
    const double count = (double)(frames * TUNE_CHANNELS), loud = sqrt(power / count);
    assert_true(peak > 0.5 && peak < 0.95);
    assert_true(loud > 0.08 && loud < 0.35); /* neither silence nor a wall */
    assert_true(fabs(mean / count) < 0.01);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_models_load_without_a_word),
        cmocka_unit_test(test_the_hall_is_large),
        cmocka_unit_test(test_the_hall_camera_stands_still_for_half_of_the_dance),
        cmocka_unit_test(test_motions_load_and_fit_the_figure),
        cmocka_unit_test(test_the_same_bytes_again),
        cmocka_unit_test(test_clothes_and_skin_are_closed_and_face_outwards),
        cmocka_unit_test(test_normals_go_with_the_winding),
        cmocka_unit_test(test_feet),
        cmocka_unit_test(test_the_end_is_the_beginning),
        cmocka_unit_test(test_tune),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
