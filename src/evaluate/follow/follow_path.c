// SPDX-License-Identifier: MIT
#include "evaluate/follow/follow_path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "evaluate/follow/head_choice.h"
#include "evaluate/follow/shot_extent.h"
#include "evaluate/frame.h"
#include "scene/complexity.h"

static const double STEP = 3;            /* motion frames between two samples */
static const double MAX_SAMPLES = 20000; /* longer films are sampled less often */
static const double MAX_WORK = 4e8;      /* bones updated for all samples: about 20 s */
static const double CALM = 6;            /* window of the calm path / window of the quick one */
static const double SPARE = 1.25;        /* greatest distance / what the models need: shows limbs */
static const double CLOSE = 1.1;         /* the same for shots without limbs */
static const double RAISED =
    2.2; /* greatest distance that shows raised hands / what is needed without */
static const double BEYOND = 1.03; /* half the frame that heads may be beyond / half the frame */
static const double OFF_CENTER =
    0.2; /* greatest distance of the models from the middle / half the frame */
static const double CLOSEST =
    0.4;                          /* smallest height of a full shot / height of the model at rest */
static const double SMALLEST = 1; /* smallest height and width, MMD units */

/* ---- what each segment shows ---- */

typedef struct Take {
    FollowShot shot;
    double yaw_deg; /* yaw of the camera, added to that of the job */
} Take;

/* Seven, so that a shot does not always come at the same place of a bar. */
static const Take TAKES[] = {
    {SHOT_FULL, 0},   {SHOT_WAIST, -20}, {SHOT_KNEE, 15},  {SHOT_BUST, 25},
    {SHOT_FULL, -15}, {SHOT_FACE, 10},   {SHOT_KNEE, -25},
};
enum { TAKE_COUNT = sizeof TAKES / sizeof *TAKES };

static Take take_of(const FollowSpec *spec, size_t segment)
{
    Take take = spec->cut_count ? TAKES[segment % TAKE_COUNT] : TAKES[0];
    if (spec->shot_count)
        take.shot = spec->shots[segment % spec->shot_count];
    return take;
}

/* ---- the models ---- */

typedef struct Path {
    const Scene *scene;
    const FollowSpec *spec;
    size_t cut_count; /* number of cuts of the specification, limited */
    double step;      /* motion frames */
    double kx, ky;    /* slopes of the usable part of the frame: half its size / depth */
    double beyond[2]; /* slopes along x and y of what heads may be beyond */
    bool *evaluated;  /* [model_count] shown or with a head, or such a model is attached to it */
    uint32_t *models; /* [shown_count] the followed ones, then others with a head */
    size_t model_count, shown_count;
    ShotExtent *extents[FOLLOW_SHOTS]; /* [shown_count] each; NULL: not made yet */
    Evaluator *evaluator;
    FrameState *state;
    Arena *scratch;
} Path;

static bool moves(const SceneModel *m)
{
    for (uint32_t b = 0; b < m->model->pmx.bone_count; b++)
        if (m->motion.bones[b].key_count)
            return true;
    return m->path.count > 1 || m->keys.count > 1;
}

/* Whether it is attached to other models as a whole at some time. */
static bool is_attached(const SceneModel *m)
{
    for (uint32_t i = 0; i < m->attach_count; i++)
        if (m->attach[i].own_bone < 0)
            return true;
    return m->attach_model >= 0;
}

static bool is_character(const SceneModel *m)
{
    return !m->spec.stage && !m->model->is_cloth && !is_attached(m);
}

static bool any_moves(const Scene *scene)
{
    for (size_t i = 0; i < scene->model_count; i++)
        if (is_character(&scene->models[i]) && moves(&scene->models[i]))
            return true;
    return false;
}

static bool is_named(const FollowSpec *spec, const char *id)
{
    return text_find(TEXT_WORDS(spec->models, spec->model_count), id) >= 0;
}

static bool is_followed(const Path *path, uint32_t model)
{
    for (size_t i = 0; i < path->model_count; i++)
        if (path->models[i] == model)
            return true;
    return false;
}

static void select_models(Path *path)
{
    const Scene *scene = path->scene;
    const bool moving = any_moves(scene);
    path->models = arena_array(path->scratch, uint32_t, scene->model_count);
    path->evaluated = arena_array(path->scratch, bool, scene->model_count);
    for (uint32_t i = 0; i < scene->model_count; i++) {
        const SceneModel *m = &scene->models[i];
        if (path->spec->model_count ? !is_named(path->spec, m->id)
                                    : !is_character(m) || (moving && !moves(m)))
            continue;
        path->models[path->model_count++] = i;
    }
    path->shown_count = path->model_count;
    for (uint32_t i = 0; i < scene->model_count && path->model_count; i++)
        if (is_character(&scene->models[i]) && !is_followed(path, i))
            path->models[path->shown_count++] = i;
    for (size_t i = 0; i < path->shown_count; i++)
        attach_mark(path->evaluated, scene, path->models[i]);
}

/* Removes models without vertices and bones. */
static const ShotExtent *extent_of(Path *path, FollowShot shot, size_t model)
{
    if (!path->extents[shot]) {
        path->extents[shot] = arena_array(path->scratch, ShotExtent, path->shown_count);
        for (size_t i = 0; i < path->shown_count; i++)
            shot_extent_create(&path->extents[shot][i], &path->scene->models[path->models[i]], shot,
                               path->scratch);
    }
    return &path->extents[shot][model];
}

/* ---- samples ---- */

/*
 * Bounds of what must be in the frame.  With the axes X (right), Y (up) and Z (forward) of the
 * camera, each is the largest dot product of a point with a direction:
 *     RIGHT X - kx Z, LEFT -X - kx Z, TOP Y - ky Z, BOTTOM -Y - ky Z, BACK Z, FRONT -Z
 * With the eye at x X + y Y - d Z, all points are in the frame if and only if
 *     RIGHT <= x + kx d,  LEFT <= -x + kx d,  TOP <= y + ky d,  BOTTOM <= -y + ky d
 */
enum { BACK = FRAME_SIDES, FRONT, SIDES };

/* A head that the shot need not show. */
typedef struct Head {
    size_t model;      /* index of Path.models */
    double *center[3]; /* along X, Y and Z; NaN: not visible */
    double *radius;
    double away; /* mean of the squares of its distances from the reference along X and Y */
} Head;

/* Values of a segment, each [count], one for each sample. */
typedef struct Samples {
    double *required[SIDES], *all[SIDES]; /* without and with optional points */
    double *raised[FRAME_SIDES];          /* required points and raised hands */
    double *barrier[FRAME_SIDES];         /* of heads beyond that side, see head_choice.h */
    double *rest;         /* distance of the eye that shows the models at rest, or a part of it */
    double *reference[3]; /* a smooth path near the models, along X, Y and Z */
    double *x, *y, *d;    /* the eye relative to it: along X and Y, and against Z */
    Head *heads;
    uint32_t head_count;
    uint32_t count;
} Samples;

/* The segment that is being computed. */
typedef struct Segment {
    Take take;
    double start, end; /* motion frames */
    CameraAxes axes;
    float rotation[3];
    Vec3 directions[SIDES];
    size_t first, end_model; /* the followed models that it shows */
} Segment;

static Segment create_segment(const Path *path, size_t index)
{
    const FollowSpec *spec = path->spec;
    Segment segment = {
        .take = take_of(spec, index),
        .start = index ? spec->cuts[index - 1] : 0,
        .end = index < path->cut_count ? spec->cuts[index] : path->scene->last_frame,
        .end_model = path->model_count,
    };
    memcpy(segment.rotation, spec->rotation, sizeof segment.rotation);
    segment.rotation[1] += (float)(segment.take.yaw_deg * PI / 180);
    const CameraState camera = {
        .rotation = {segment.rotation[0], segment.rotation[1], segment.rotation[2]}};
    segment.axes = camera_axes(&camera);
    if (spec->cut_count && segment.take.shot >= SHOT_WAIST) { /* one model at a time */
        segment.first = index % path->model_count;
        segment.end_model = segment.first + 1;
    }
    const CameraAxes *axes = &segment.axes;
    const Vec3 x = vec3_load(axes->right), y = vec3_load(axes->up), z = vec3_load(axes->forward);
    const Vec3 zx = vec3_scale(z, path->kx), zy = vec3_scale(z, path->ky);
    segment.directions[RIGHT] = vec3_sub(x, zx);
    segment.directions[LEFT] = vec3_scale(vec3_add(x, zx), -1);
    segment.directions[TOP] = vec3_sub(y, zy);
    segment.directions[BOTTOM] = vec3_scale(vec3_add(y, zy), -1);
    segment.directions[BACK] = z;
    segment.directions[FRONT] = vec3_scale(z, -1);
    return segment;
}

/* The distance at which a model at rest fills the usable part of the frame. */
static double rest_distance(const Path *path, const ShotExtent *extent, double scale,
                            FollowShot shot)
{
    const double part = shot == SHOT_FULL ? CLOSEST : 1;
    const double height = fmax(extent->height * scale * part, SMALLEST);
    const double width = fmax(shot == SHOT_FULL ? 0 : extent->width * scale, SMALLEST);
    return fmax(height / (2 * path->ky), width / (2 * path->kx));
}

static void add_model(Samples *samples, uint32_t index, Path *path, const Segment *segment,
                      size_t model)
{
    const FollowShot shot = segment->take.shot;
    const ShotExtent *extent = extent_of(path, shot, model);
    const ModelState *state = &path->state->models[path->models[model]];
    const ShotSupport support = shot_extent_support(extent, state, segment->directions, SIDES);
    for (int side = 0; side < SIDES; side++) {
        samples->required[side][index] =
            fmax(samples->required[side][index], support.required[side]);
        samples->all[side][index] = fmax(samples->all[side][index], support.all[side]);
    }
    for (int side = 0; side < FRAME_SIDES; side++)
        samples->raised[side][index] = fmax(samples->raised[side][index], support.raised[side]);
    samples->rest[index] = fmax(samples->rest[index],
                                rest_distance(path, extent, (double)state->placement.scale, shot));
}

static bool is_visible(const Path *path, size_t model, double frame)
{
    const SceneModel *m = &path->scene->models[path->models[model]];
    return m->model->pmx.bone_count && motion_switch(&m->motion.visible, frame);
}

static void add_head(Head *head, uint32_t index, Path *path, const Segment *segment, bool visible)
{
    const ShotHead *shape = &extent_of(path, segment->take.shot, head->model)->head;
    const ModelState *state = &path->state->models[path->models[head->model]];
    const Vec3 at = shot_extent_head(shape, state);
    const float *const axes[] = {segment->axes.right, segment->axes.up, segment->axes.forward};
    for (int axis = 0; axis < 3; axis++)
        head->center[axis][index] = visible ? vec3_dot(at, vec3_load(axes[axis])) : (double)NAN;
    head->radius[index] = shape->radius * (double)state->placement.scale;
}

/* False if none of the models is visible. */
static bool take_sample(Samples *samples, uint32_t index, Path *path, const Segment *segment)
{
    const double frame = fmin(segment->start + index * path->step, segment->end);
    bool any = false;
    evaluate_bones(path->state, path->evaluator, path->scene, path->evaluated, frame);
    for (int side = 0; side < SIDES; side++)
        samples->required[side][index] = samples->all[side][index] = -HUGE_VAL;
    for (int side = 0; side < FRAME_SIDES; side++)
        samples->raised[side][index] = -HUGE_VAL;
    for (size_t i = segment->first; i < segment->end_model; i++) {
        if (!is_visible(path, i, frame))
            continue;
        add_model(samples, index, path, segment, i);
        any = true;
    }
    for (uint32_t h = 0; h < samples->head_count; h++) {
        Head *head = &samples->heads[h];
        add_head(head, index, path, segment, is_visible(path, head->model, frame));
    }
    return any;
}

static void copy_sample(Samples *samples, uint32_t to, uint32_t from)
{
    for (int side = 0; side < SIDES; side++) {
        samples->required[side][to] = samples->required[side][from];
        samples->all[side][to] = samples->all[side][from];
    }
    for (int side = 0; side < FRAME_SIDES; side++)
        samples->raised[side][to] = samples->raised[side][from];
    samples->rest[to] = samples->rest[from];
}

/* While no model is visible, the last sample with one holds; before the first one, that one.
 * False if there is none. */
static bool take_samples(Samples *samples, Path *path, const Segment *segment)
{
    uint32_t valid = 0;
    bool any = false;
    for (uint32_t i = 0; i < samples->count; i++) {
        if (take_sample(samples, i, path, segment)) {
            for (uint32_t before = 0; !any && before < i; before++)
                copy_sample(samples, before, i);
            valid = i;
            any = true;
        } else if (any) {
            copy_sample(samples, i, valid);
        }
    }
    return any;
}

/* ---- filters ---- */

/* Buffers of the filters. */
typedef struct Filter {
    double *copy, *weights; /* [count] */
    uint32_t count;         /* number of values */
} Filter;

typedef struct Window {
    uint32_t first, last;
} Window;

/* `radius` values on both sides, as far as there are any. */
static Window window_at(const Filter *filter, uint32_t i, uint32_t radius)
{
    return (Window){i > radius ? i - radius : 0,
                    filter->count - 1 - i > radius ? i + radius : filter->count - 1};
}

/* Replaces each value by the maximum of a window around it. */
static void spread_maximum(double *values, const Filter *filter, uint32_t radius)
{
    memcpy(filter->copy, values, filter->count * sizeof *values);
    for (uint32_t i = 0; i < filter->count; i++) {
        const Window window = window_at(filter, i, radius);
        for (uint32_t k = window.first; k <= window.last; k++)
            values[i] = fmax(values[i], filter->copy[k]);
    }
}

/* Replaces each value by an average with the weights of a Hann window around it. */
static void smooth(double *values, const Filter *filter, uint32_t radius)
{
    memcpy(filter->copy, values, filter->count * sizeof *values);
    for (uint32_t i = 0; i < filter->count && i <= radius; i++)
        filter->weights[i] = 1 + cos(PI * i / (radius + 1.0));
    for (uint32_t i = 0; i < filter->count; i++) {
        const Window window = window_at(filter, i, radius);
        double sum = 0, total = 0;
        for (uint32_t k = window.first; k <= window.last; k++) {
            const double weight = filter->weights[k > i ? k - i : i - k];
            sum += weight * filter->copy[k];
            total += weight;
        }
        values[i] = sum / total;
    }
}

/* ---- the path of the eye ---- */

/* Bounds relative to a point (x, y, z). */
static void move_bounds(double *const sides[FRAME_SIDES], uint32_t i, const double at[3],
                        const Path *path)
{
    sides[RIGHT][i] -= at[0] - path->kx * at[2];
    sides[LEFT][i] -= -at[0] - path->kx * at[2];
    sides[TOP][i] -= at[1] - path->ky * at[2];
    sides[BOTTOM][i] -= -at[1] - path->ky * at[2];
}

static void move_head(Head *head, uint32_t i, const double at[3])
{
    for (int axis = 0; axis < 3; axis++)
        head->center[axis][i] -= at[axis];
    for (int axis = 0; axis < 2; axis++)
        if (!isnan(head->center[axis][i]))
            head->away += head->center[axis][i] * head->center[axis][i];
}

/* Computes the reference, makes all bounds relative to it, and the calm path of the eye, too. */
static void find_reference(Samples *s, const Path *path, uint32_t quick, uint32_t calm,
                           const Filter *filter)
{
    double *const calm_path[] = {s->x, s->y};
    for (int axis = 0; axis < 3; axis++) {
        const double *high = s->required[2 * axis], *low = s->required[2 * axis + 1];
        for (uint32_t i = 0; i < s->count; i++)
            s->reference[axis][i] = (high[i] - low[i]) / 2;
        if (axis < 2) {
            memcpy(calm_path[axis], s->reference[axis], s->count * sizeof *s->x);
            smooth(calm_path[axis], filter, calm);
        }
        smooth(s->reference[axis], filter, quick);
    }
    for (uint32_t i = 0; i < s->count; i++) {
        const uint32_t before = i ? i - 1 : 0, after = i + 1 < s->count ? i + 1 : i;
        double at[3]; /* point of the B-spline */
        for (int axis = 0; axis < 3; axis++) {
            const double *r = s->reference[axis];
            at[axis] = (r[before] + 4 * r[i] + r[after]) / 6;
        }
        move_bounds(s->required, i, at, path);
        move_bounds(s->all, i, at, path);
        move_bounds(s->raised, i, at, path);
        for (uint32_t h = 0; h < s->head_count; h++)
            move_head(&s->heads[h], i, at);
        s->x[i] -= at[0];
        s->y[i] -= at[1];
    }
}

/* The nearest eye that has these bounds in the frame. */
static double needed_distance(double *const sides[FRAME_SIDES], uint32_t i, const Path *path)
{
    return fmax((sides[RIGHT][i] + sides[LEFT][i]) / (2 * path->kx),
                (sides[TOP][i] + sides[BOTTOM][i]) / (2 * path->ky));
}

/* As steady as possible: the distance that shows all in the calm window, at most the limit and at
 * which heads stay beyond the edges, but at least what is required in the quick window. */
static void find_distances(Samples *s, const Path *path, const FrameNeeds *needs,
                           const double *limits, uint32_t calm, const Filter *filter)
{
    for (uint32_t i = 0; i < s->count; i++)
        s->d[i] = fmax(needed_distance(s->all, i, path), s->rest[i]);
    spread_maximum(s->d, filter, calm);
    for (uint32_t i = 0; i < s->count; i++) {
        const double most = fmin(limits[i], frame_barrier_distance(needs, i));
        s->d[i] = fmax(frame_needed_distance(needs, i), fmin(s->d[i], most));
    }
}

/* Between two limits; if they are in the wrong order, their mean. */
static double clamp(double value, double low, double high)
{
    return low > high ? (low + high) / 2 : fmin(fmax(value, low), high);
}

/* Moves the calm path of the eye until everything is in the frame and heads are beyond its edges,
 * if possible, and what is required is in it in any case. */
static void find_middles(double *eye, const Samples *s, int axis, const FrameNeeds *needs)
{
    const FrameSide high = (FrameSide)(2 * axis), low = (FrameSide)(high + 1);
    for (uint32_t i = 0; i < s->count; i++) {
        const double reach = needs->inner[axis] * s->d[i], beyond = needs->outer[axis] * s->d[i];
        const double middle = (s->all[high][i] - s->all[low][i]) / 2;
        eye[i] = clamp(eye[i], middle - OFF_CENTER * reach, middle + OFF_CENTER * reach);
        eye[i] = clamp(eye[i], s->all[high][i] - reach, reach - s->all[low][i]);
        eye[i] = clamp(eye[i], beyond + s->barrier[low][i], -s->barrier[high][i] - beyond);
        eye[i] = clamp(eye[i], s->required[high][i] - reach, reach - s->required[low][i]);
    }
}

/* Raised hands become required where that needs no more than RAISED times the distance, which then
 * is held, whatever the limits are. */
static void require_hands(Samples *s, double *limits, const Path *path, uint32_t calm,
                          const Filter *filter)
{
    double *held = arena_array(path->scratch, double, s->count);
    for (uint32_t i = 0; i < s->count; i++) {
        const double without = fmax(needed_distance(s->required, i, path), s->rest[i]);
        const double with = needed_distance(s->raised, i, path);
        for (int side = 0; side < FRAME_SIDES && with <= RAISED * without; side++)
            if (s->raised[side][i] > s->required[side][i]) {
                s->required[side][i] = s->raised[side][i];
                held[i] = with;
            }
    }
    spread_maximum(held, filter, calm);
    for (uint32_t i = 0; i < s->count; i++)
        limits[i] = fmax(limits[i], held[i]);
}

static int nearest_first(const void *a, const void *b)
{
    const Head *x = a, *y = b;
    return x->away != y->away ? (x->away > y->away) - (x->away < y->away)
                              : (x->model > y->model) - (x->model < y->model);
}

/* Chooses the heads that are required and those that should be beyond an edge. */
static void choose_heads(Samples *s, FrameNeeds *needs, const Path *path, uint32_t quick,
                         const Filter *filter)
{
    HeadBounds *bounds = arena_array(path->scratch, HeadBounds, s->head_count);
    qsort(s->heads, s->head_count, sizeof *s->heads, nearest_first);
    for (uint32_t h = 0; h < s->head_count; h++)
        for (int side = 0; side < FRAME_SIDES; side++) {
            const Head *head = &s->heads[h];
            const double inner = needs->inner[side / 2], outer = needs->outer[side / 2];
            double *inside = bounds[h].inside[side] = arena_array(path->scratch, double, s->count);
            double *outside = bounds[h].outside[side] =
                arena_array(path->scratch, double, s->count);
            for (uint32_t i = 0; i < s->count; i++) {
                const double at = head->center[side / 2][i] * (side % 2 ? -1 : 1),
                             depth = head->center[2][i];
                const bool visible = !isnan(at);
                inside[i] =
                    visible ? at - inner * depth + head->radius[i] * hypot(1, inner) : -HUGE_VAL;
                outside[i] =
                    visible ? -at + outer * depth + head->radius[i] * hypot(1, outer) : -HUGE_VAL;
            }
            spread_maximum(inside, filter, quick);
            spread_maximum(outside, filter, quick);
        }
    head_choose(needs, bounds, s->head_count, path->scratch);
    for (int side = 0; side < FRAME_SIDES; side++)
        for (uint32_t i = 0; i < s->count; i++)
            s->all[side][i] = fmax(s->all[side][i], s->required[side][i]);
}

static void find_path(Samples *s, const Path *path, FollowShot shot)
{
    const double window = path->spec->smooth / (2 * path->step);
    const uint32_t quick = window > 2 ? (uint32_t)window : 2, calm = (uint32_t)(quick * CALM);
    const Filter filter = {arena_array(path->scratch, double, s->count),
                           arena_array(path->scratch, double, s->count), s->count};
    double *limits = arena_array(path->scratch, double, s->count);
    FrameNeeds needs = {.rest = s->rest,
                        .inner = {path->kx, path->ky},
                        .outer = {path->beyond[0], path->beyond[1]},
                        .step_s = path->step / MOTION_FPS,
                        .count = s->count};

    find_reference(s, path, quick, calm, &filter);
    /* The largest distance that does not show the models too small; negated, for spread_maximum. */
    const double spare = shot < SHOT_BUST ? SPARE : CLOSE;
    for (uint32_t i = 0; i < s->count; i++)
        limits[i] = -spare * fmax(needed_distance(s->required, i, path), s->rest[i]);
    spread_maximum(limits, &filter, quick);
    for (uint32_t i = 0; i < s->count; i++)
        limits[i] = -limits[i];
    require_hands(s, limits, path, calm, &filter);
    for (int side = 0; side < FRAME_SIDES; side++) {
        spread_maximum(s->required[side], &filter, quick);
        spread_maximum(s->all[side], &filter, quick);
        needs.required[side] = s->required[side];
        needs.barrier[side] = s->barrier[side];
    }
    choose_heads(s, &needs, path, quick, &filter);
    find_distances(s, path, &needs, limits, calm, &filter);
    find_middles(s->x, s, 0, &needs);
    find_middles(s->y, s, 1, &needs);
    double *const eye[] = {s->x, s->y, s->d};
    for (int i = 0; i < 3; i++) /* the B-spline takes the other 2 samples of the window */
        smooth(eye[i], &filter, quick - 2);
}

/* ---- segments ---- */

/* The heads of all models but those that the segment must show. */
static void create_heads(Samples *s, Path *path, const Segment *segment)
{
    s->heads = arena_array(path->scratch, Head, path->shown_count);
    for (size_t m = 0; m < path->shown_count; m++) {
        const bool shown = m >= segment->first && m < segment->end_model;
        if (shown || extent_of(path, segment->take.shot, m)->head.bone < 0)
            continue;
        Head *head = &s->heads[s->head_count++];
        *head = (Head){.model = m, .radius = arena_array(path->scratch, double, s->count)};
        for (int axis = 0; axis < 3; axis++)
            head->center[axis] = arena_array(path->scratch, double, s->count);
    }
}

static void add_segment(FollowTrack *out, Path *path, size_t index, Arena *arena)
{
    const Segment segment = create_segment(path, index);
    Samples s = {.count = (uint32_t)ceil((segment.end - segment.start) / path->step) + 1};
    double **lists[] = {&s.rest,         &s.x,           &s.y, &s.d, &s.reference[0],
                        &s.reference[1], &s.reference[2]};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        *lists[i] = arena_array(path->scratch, double, s.count);
    for (int side = 0; side < SIDES; side++) {
        s.required[side] = arena_array(path->scratch, double, s.count);
        s.all[side] = arena_array(path->scratch, double, s.count);
    }
    for (int side = 0; side < FRAME_SIDES; side++) {
        s.raised[side] = arena_array(path->scratch, double, s.count);
        s.barrier[side] = arena_array(path->scratch, double, s.count);
        for (uint32_t i = 0; i < s.count; i++)
            s.barrier[side][i] = -HUGE_VAL;
    }
    create_heads(&s, path, &segment);
    if (!take_samples(&s, path, &segment))
        return;
    find_path(&s, path, segment.take.shot);
    FollowSegment *added = &out->segments[out->count++];
    const CameraAxes *axes = &segment.axes;
    *added = (FollowSegment){.start = segment.start, .count = s.count};
    memcpy(added->rotation, segment.rotation, sizeof added->rotation);
    added->points = arena_array(arena, FollowPoint, s.count);
    for (uint32_t i = 0; i < s.count; i++) {
        const Vec3 across = vec3_scale(vec3_load(axes->right), s.reference[0][i] + s.x[i]);
        const Vec3 up = vec3_scale(vec3_load(axes->up), s.reference[1][i] + s.y[i]);
        const Vec3 forward = vec3_scale(vec3_load(axes->forward), s.reference[2][i]);
        added->points[i] =
            (FollowPoint){.target = vec3_add(across, vec3_add(up, forward)), .distance = s.d[i]};
    }
}

/* The number of samples for which there is time. */
static double sample_limit(const Path *path)
{
    double work = 1;
    for (size_t i = 0; i < path->scene->model_count; i++)
        if (path->evaluated[i])
            work += complexity_pose(&path->scene->models[i].model->pmx);
    return fmin(MAX_SAMPLES, fmax(MAX_WORK / work, 10));
}

void follow_path_create(FollowTrack *out, const Scene *scene, const FollowSpec *spec, Arena *arena)
{
    const double usable = 1 - 2 * spec->margin;
    const double half = tan(spec->fov_deg * PI / 360), slope = half * usable;
    Path path = {.scene = scene,
                 .spec = spec,
                 .kx = slope * spec->aspect,
                 .ky = slope,
                 .beyond = {BEYOND * half * spec->aspect, BEYOND * half},
                 .scratch = arena_create()};

    *out = (FollowTrack){.fov_deg = (float)spec->fov_deg};
    select_models(&path);
    if (path.model_count) {
        const double limit = sample_limit(&path);
        path.cut_count = (double)spec->cut_count < limit ? spec->cut_count : (size_t)limit;
        path.step = out->step = fmax(STEP, scene->last_frame / limit);
        path.evaluator = evaluator_create_keyed(scene);
        path.state = frame_state_create(scene, path.scratch);
        out->segments = arena_array(arena, FollowSegment, path.cut_count + 1);
        for (size_t i = 0; i <= path.cut_count; i++)
            add_segment(out, &path, i, arena);
        evaluator_destroy(path.evaluator);
    }
    arena_destroy(path.scratch);
}
