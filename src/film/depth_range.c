// SPDX-License-Identifier: MIT
#include "film/depth_range.h"

#include <math.h>

#include "base/units.h"
#include "evaluate/follow/shot_extent.h"
#include "evaluate/frame.h"
#include "film/film_images.h"
#include "film/film_scenes.h"

static const double MIN_NEAR = 0.5; /* the near plane of the camera, MMD units */
/* Part of the range that is added at both ends, with a unit, for hair and cloth, which physics
 * moves. */
static const double MARGIN = 0.1;
static const double MOTION_STEP = 3;     /* motion frames between two samples */
static const int64_t MAX_SAMPLES = 3000; /* longer films are sampled less often */

static const double DEFAULT_NEAR = 35, DEFAULT_FAR = 55; /* around the default camera's target */

typedef struct Search {
    const Film *film;
    const Scene *scene;
    Evaluator *evaluator;
    FrameState *state;
    ShotExtent **extents; /* [model_count] NULL: does not count */
    double near, far;
} Search;

static bool is_character(const SceneModel *model)
{
    return !model->spec.stage && !model->model->is_cloth;
}

static bool has_character(const Scene *scene)
{
    for (size_t i = 0; i < scene->model_count; i++)
        if (is_character(&scene->models[i]))
            return true;
    return false;
}

static void make_extents(Search *s, Arena *arena)
{
    const Scene *scene = s->scene;
    const bool has_characters = has_character(scene);
    s->extents = arena_array(arena, ShotExtent *, scene->model_count);
    for (size_t i = 0; i < scene->model_count; i++) {
        const SceneModel *model = &scene->models[i];
        if (model->model->is_cloth || (has_characters && !is_character(model)))
            continue;
        ShotExtent *extent = arena_array(arena, ShotExtent, 1);
        shot_extent_create(extent, model, SHOT_FULL, arena);
        if (extent->bone_count)
            s->extents[i] = extent;
    }
}

static void add_frame(Search *s, double frame)
{
    const Scene *scene = s->scene;
    if (!evaluate_frame(s->state, s->evaluator, scene, frame))
        return;
    const CameraAxes axes = camera_axes(&s->state->camera);
    const Vec3 forward = vec3_load(axes.forward);
    const Vec3 directions[2] = {forward, vec3_scale(forward, -1)};
    const double eye = vec3_dot(forward, vec3_load(axes.eye));
    for (size_t i = 0; i < scene->model_count; i++) {
        if (!s->extents[i] || !s->state->models[i].visible)
            continue;
        const ShotSupport support =
            shot_extent_support(s->extents[i], &s->state->models[i], directions, 2);
        s->far = fmax(s->far, support.all[0] - eye);
        s->near = fmin(s->near, -support.all[1] - eye);
    }
}

/* Samples all ranges of frames of a scene; each has at least its first and its last frame. */
static void add_frames(Search *s, size_t scene)
{
    const Job *job = s->film->job;
    const double fps = (double)job->render.fps.num / job->render.fps.den;
    int64_t step = (int64_t)fmax(floor(MOTION_STEP * fps / MOTION_FPS), 1);
    if (s->film->frame_count / step > MAX_SAMPLES)
        step = s->film->frame_count / MAX_SAMPLES;
    for (size_t i = 0; i < s->film->frames.count; i++) {
        FrameRange range;
        if (!film_scene_range(&range, s->film, scene, s->film->frames.items[i]))
            continue;
        for (int64_t frame = range.first; frame < range.last; frame += step)
            add_frame(s, film_time(job, frame));
        add_frame(s, film_time(job, range.last));
    }
}

static void add_scene(Search *s, size_t index)
{
    Arena *arena = arena_create();
    s->scene = &s->film->scenes[index].scene;
    s->evaluator = evaluator_create_keyed(s->scene);
    s->state = frame_state_create(s->scene, arena);
    make_extents(s, arena);
    add_frames(s, index);
    evaluator_destroy(s->evaluator);
    arena_destroy(arena);
}

/* Frames without a model in front of the camera have the range of the default camera. */
static void find_range(DepthRange *range, const Film *film)
{
    Search s = {.film = film, .near = HUGE_VAL, .far = 0};
    for (size_t i = 0; i < film->scene_count; i++)
        add_scene(&s, i);
    if (s.near > s.far) {
        s.near = DEFAULT_NEAR;
        s.far = DEFAULT_FAR;
    }
    const double margin = MARGIN * (s.far - fmax(s.near, MIN_NEAR)) + 1;
    range->near = fmax(floor(s.near - margin), MIN_NEAR);
    range->far = ceil(s.far + margin);
}

bool depth_range_load(Film *film, Arena *arena, Diag *diag)
{
    const JobPasses *passes = &film->job->passes;
    DepthRange *range = &film->passes.depth;
    *range = (DepthRange){.linear = passes->depth == 1};
    if (!film_has_image(film, PASS_DEPTH))
        return true;
    if (isnan(passes->near) || isnan(passes->far))
        find_range(range, film);
    if (!isnan(passes->near))
        range->near = passes->near;
    if (!isnan(passes->far))
        range->far = passes->far;
    return range->near < range->far ||
           diag_fail_at(diag, job_location(film->job, "passes", NULL, arena), DIAG_JOB,
                        "near %.10g is not less than far %.10g", range->near, range->far);
}
