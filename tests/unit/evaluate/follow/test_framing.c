// SPDX-License-Identifier: MIT
/*
 * Groups in front of a camera that follows models: no head is cut by an edge of the frame, and
 * raised hands stay in shots from the waist and the chest up.
 *
 * Heads and hands are measured at the skinned vertices, not at the points and spheres from which
 * the path is computed.
 */
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
static const FollowShot SHOTS[] = {SHOT_FULL, SHOT_WAIST, SHOT_KNEE, SHOT_BUST, SHOT_FACE};
enum {
    ASPECT_COUNT = 3,
    SHOT_COUNT = sizeof SHOTS / sizeof *SHOTS,
    MAX_MODELS = 5,
    MAX_CUTS = 100
};

/* ---- vertices of the head and the hands ---- */

typedef struct Part {
    uint32_t *vertices;
    uint32_t count;
} Part;

typedef struct Figure {
    int32_t head, wrists[2];
    Part head_part, hands[2];
    float (*positions)[3];
} Figure;

/* The visible vertices with most of their weight on a bone or, if `below`, on those below it; at
 * rest, not below the height `lowest`. */
static Part part_of(const SceneModel *model, int32_t root, bool below, double lowest, Arena *arena)
{
    const PmxModel *pmx = &model->model->pmx;
    bool *in = arena_array(arena, bool, pmx->bone_count),
         *seen = arena_array(arena, bool, pmx->vertex_count);
    Part part = {.vertices = arena_array(arena, uint32_t, pmx->vertex_count)};
    for (uint32_t i = 0; root >= 0 && i < pmx->bone_count; i++) {
        const uint32_t b = model->model->parents_first[i];
        const int32_t parent = pmx->bones[b].parent;
        in[b] = (int32_t)b == root || (below && parent >= 0 && in[parent]);
    }
    for (uint32_t m = 0; m < pmx->material_count; m++)
        for (uint32_t i = 0; pmx->materials[m].diffuse[3] > 0 && i < pmx->materials[m].index_count;
             i++)
            seen[pmx->indices[pmx->materials[m].first_index + i]] = true;
    for (uint32_t v = 0; v < pmx->vertex_count; v++) {
        float weight = 0;
        for (int k = 0; k < PMX_MAX_WEIGHTS; k++)
            if (pmx->vertices[v].bones[k] >= 0 && in[pmx->vertices[v].bones[k]])
                weight += pmx->vertices[v].weights[k];
        if (seen[v] && weight > 0.5f && (double)pmx->vertices[v].position[1] >= lowest)
            part.vertices[part.count++] = v;
    }
    return part;
}

static Figure figure_of(const SceneModel *model, Arena *arena)
{
    const Model *m = model->model;
    Figure f = {.head = model_find_bone(m, "頭"),
                .wrists = {model_find_bone(m, "左手首"), model_find_bone(m, "右手首")},
                .positions = arena_calloc(arena, m->pmx.vertex_count, sizeof(float[3]))};
    /* Not hair that hangs down or has bones of its own. */
    f.head_part = part_of(model, f.head, false,
                          f.head < 0 ? 0 : (double)m->pmx.bones[f.head].position[1], arena);
    for (int side = 0; side < 2; side++)
        f.hands[side] = part_of(model, f.wrists[side], true, 0, arena);
    return f;
}

static bool raised(const Figure *f, const ModelState *state, int side)
{
    return f->head >= 0 && f->wrists[side] >= 0 &&
           state->bones[f->wrists[side]].position[1] > state->bones[f->head].position[1];
}

/* ---- the frame ---- */

typedef struct Cut {
    bool inside, outside; /* some vertices are in the frame, some are not */
} Cut;

static Cut cut_of(const Part *part, const Figure *f, const ModelState *state,
                  const CameraState *camera, double aspect)
{
    const CameraAxes axes = camera_axes(camera);
    const double slope = tan((double)camera->fov_deg * M_PI / 360);
    Cut cut = {false, false};
    for (uint32_t i = 0; i < part->count; i++) {
        const Vec3 world =
            placement_point(&state->placement, vec3_load(f->positions[part->vertices[i]]));
        const Vec3 p = vec3_sub(world, vec3_load(axes.eye));
        const double depth = vec3_dot(p, vec3_load(axes.forward)) * slope;
        const bool in = depth > 0 && fabs(vec3_dot(p, vec3_load(axes.up))) < depth &&
                        fabs(vec3_dot(p, vec3_load(axes.right))) < depth * aspect;
        cut.inside |= in;
        cut.outside |= !in;
    }
    return cut;
}

/* ---- shares of frames ---- */

typedef struct Shares {
    int frames, cut_heads; /* frames in which a head is cut */
    int raised,
        cut_hands; /* frames of waist and bust shots with a raised hand; with one that is cut */
    double distance[SHOT_COUNT]; /* means */
    int count[SHOT_COUNT];
} Shares;

/* Films with a cut each `interval` motion frames; one frame in `step` is measured, not those that
 * the path samples. */
static void measure(Shares shares[ASPECT_COUNT], const Scene *scene, double interval, double step)
{
    Arena *arena = arena_create();
    FrameState *state = frame_state_create(scene, arena);
    Evaluator *evaluator = evaluator_create_keyed(scene);
    FollowTrack tracks[ASPECT_COUNT];
    Figure figures[MAX_MODELS];
    double cuts[MAX_CUTS];
    FollowSpec spec = {.smooth = 30,
                       .margin = 0.05,
                       .fov_deg = 30,
                       .shots = SHOTS,
                       .shot_count = SHOT_COUNT,
                       .cuts = cuts};
    while (spec.cut_count < MAX_CUTS &&
           interval * (double)(spec.cut_count + 1) < scene->last_frame) {
        cuts[spec.cut_count] = interval * (double)(spec.cut_count + 1);
        spec.cut_count++;
    }
    memset(shares, 0, ASPECT_COUNT * sizeof *shares);
    for (int a = 0; a < ASPECT_COUNT; a++) {
        spec.aspect = ASPECTS[a];
        follow_path_create(&tracks[a], scene, &spec, arena);
    }
    for (size_t m = 0; m < scene->model_count; m++)
        figures[m] = figure_of(&scene->models[m], arena);
    for (double frame = 1; frame <= scene->last_frame; frame += step) {
        size_t segment = (size_t)(frame / interval);
        segment = segment > spec.cut_count ? spec.cut_count : segment;
        const FollowShot shot = SHOTS[segment % SHOT_COUNT];
        const bool upper = shot == SHOT_WAIST || shot == SHOT_BUST;
        evaluate_bones(state, evaluator, scene, NULL, frame);
        for (size_t m = 0; m < scene->model_count; m++)
            skin_model(figures[m].positions, NULL, scene->models[m].model, &state->models[m]);
        for (int a = 0; a < ASPECT_COUNT; a++) {
            const CameraState camera = follow_at(&tracks[a], frame);
            bool cut_head = false, any_raised = false, cut_hand = false;
            for (size_t m = 0; m < scene->model_count; m++) {
                const ModelState *pose = &state->models[m];
                const Cut head =
                    cut_of(&figures[m].head_part, &figures[m], pose, &camera, ASPECTS[a]);
                cut_head |= head.inside && head.outside;
                const bool shown = m == segment % scene->model_count;
                for (int side = 0; side < 2 && upper && shown; side++)
                    if (raised(&figures[m], pose, side)) {
                        any_raised = true;
                        cut_hand |=
                            cut_of(&figures[m].hands[side], &figures[m], pose, &camera, ASPECTS[a])
                                .outside;
                    }
            }
            shares[a].frames++;
            shares[a].cut_heads += cut_head;
            shares[a].raised += any_raised;
            shares[a].cut_hands += cut_hand;
            shares[a].distance[segment % SHOT_COUNT] -= (double)camera.distance;
            shares[a].count[segment % SHOT_COUNT]++;
        }
    }
    evaluator_destroy(evaluator);
    arena_destroy(arena);
}

static double percent(int part, int all)
{
    return all ? 100.0 * part / all : 0;
}

/* Prints the shares; fails if more than `most_heads` or `most_hands` percent are cut in a format.
 */
static void check(const char *what, const Shares shares[ASPECT_COUNT], double most_heads,
                  const double most_hands[3])
{
    static const char *const formats[] = {"16:9", "9:16", "1:1"};
    bool good = true;
    for (int a = 0; a < ASPECT_COUNT; a++) {
        const Shares *s = &shares[a];
        const double heads = percent(s->cut_heads, s->frames),
                     hands = percent(s->cut_hands, s->raised);
        print_message("%s, %s: a head is cut in %.2f %% of %d frames, a raised hand in %.1f %% of "
                      "%d; distances",
                      what, formats[a], heads, s->frames, hands, s->raised);
        for (int i = 0; i < SHOT_COUNT; i++)
            print_message(" %.1f", s->distance[i] / s->count[i]);
        print_message("\n");
        good = good && heads <= most_heads && hands <= most_hands[a];
    }
    assert_true(good);
}

/* ---- the built-in figure ---- */

/* A row of figures, 8 units apart, the odd ones 2 units behind; each dances a second later than the
 * one before. */
static Scene *group(int count, Arena *arena)
{
    static const char *const ids[] = {"a", "b", "c", "d", "e"};
    Scene *scene = NULL;
    SceneModel *models = arena_array(arena, SceneModel, MAX_MODELS);
    for (int i = 0; i < count; i++) {
        const VmdMotion dance = dance_make(arena);
        scene = fixture_scene(figure_make(arena), &dance, COMPAT_DEFAULT, arena);
        models[i] = scene->models[0];
        models[i].id = ids[i];
        models[i].spec.physics = true;
        models[i].placement.position[0] = 8 * ((float)i - (float)(count - 1) / 2);
        models[i].placement.position[2] = i % 2 ? 2.0f : 0.0f;
    }
    scene->models = models;
    scene->model_count = (size_t)count;
    scene->attach_order = arena_array(arena, uint32_t, MAX_MODELS);
    for (uint32_t i = 0; i < MAX_MODELS; i++)
        scene->attach_order[i] = i;
    scene->last_frame = DANCE_FRAMES;
    return scene;
}

static void figures_in_a_row(void **state)
{
    (void)state;
    static const double most_hands[] = {0, 0, 0};
    for (int count = 1; count <= MAX_MODELS; count++) {
        Arena *arena = arena_create();
        Shares shares[ASPECT_COUNT];
        char what[16];
        snprintf(what, sizeof what, "%d figures", count);
        measure(shares, group(count, arena), 60, 14);
        check(what, shares, 0, most_hands);
        arena_destroy(arena);
    }
}

/* ---- real models ---- */

static void real_models_in_a_row(void **state)
{
    (void)state;
    static const char *const files[] = {"gene/Gene_light.pmx", "miu-trace-model/v4_trace_model.pmx",
                                        "yohawing-fixtures/mmt_test_model/mmt_test_model.pmx",
                                        "yohawing-fixtures/yw_test_model/yw_test_model.pmx",
                                        "gene/Gene_light.pmx"};
    static const char *const ids[] = {"a", "b", "c", "d", "e"};
    static const char dance[] = "miu-mmd-base/dance_7403frames.vmd";
    static const double most_hands[] = {2, 25, 3};
    if (!getenv("ODORI_ALL_FRAMES")) /* a minute */
        skip();
    for (int count = 1; count <= MAX_MODELS; count++) {
        Arena *arena = arena_create();
        ModelSpec models[MAX_MODELS];
        Bytes unused;
        MotionSpec motion = {.file = path_join(shared_data_directory(), dance, arena),
                             MOTION_DEFAULT};
        for (int i = 0; i < count; i++) {
            if (!shared_data_load(&unused, files[i], arena) ||
                !shared_data_load(&unused, dance, arena)) {
                arena_destroy(arena);
                skip();
            }
            models[i] = (ModelSpec){.id = ids[i],
                                    .file = path_join(shared_data_directory(), files[i], arena),
                                    .motions = &motion,
                                    .motion_count = 1,
                                    MODEL_DEFAULT,
                                    .physics = true};
            models[i].position.x = 8 * (i - (count - 1) / 2.0);
            models[i].position.z = i % 2 ? 2 : 0;
        }
        const SceneSpec spec = {.models = models,
                                .model_count = (size_t)count,
                                .compat = COMPAT_DEFAULT,
                                .physics = PHYSICS_DEFAULT};
        DiagLog log;
        Scene scene;
        Shares shares[ASPECT_COUNT];
        char what[16];
        diag_log_init(&log);
        assert_true(scene_load(&scene, &spec, arena, &log.diag));
        snprintf(what, sizeof what, "%d models", count);
        measure(shares, &scene, 120, 4);
        check(what, shares, 0, most_hands);
        arena_destroy(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_in_a_row),
        cmocka_unit_test(real_models_in_a_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
