// SPDX-License-Identifier: MIT
#include "evaluate/follow/reframe_path.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "evaluate/follow/shot_extent.h"
#include "evaluate/frame.h"
#include "evaluate/frame_state.h"

/* ---- what the stage hides ---- */

static const float OPAQUE = 0.5f; /* alpha from which a material hides what is behind it */
enum { LEAF = 4 };                /* triangles of a node that is not divided */

/* A box around triangles; those of a leaf, or two nodes. */
typedef struct Node {
    double low[3], high[3];
    uint32_t first, count; /* of the triangles; of a node that is divided count is 0 */
    uint32_t children;     /* index of the first of two */
} Node;

typedef struct Triangle {
    Vec3 corners[3]; /* in the space of the model; (b - a) x (c - a) points to the front */
    bool both_sides;
} Triangle;

typedef struct StageTree {
    size_t model; /* index in the scene */
    Triangle *triangles;
    uint32_t count;
    ARENA_LIST(Node) nodes;
} StageTree;

typedef struct StageView {
    const Scene *scene;
    StageTree *trees;
    size_t count;
} StageView;

/* ---- the trees ---- */

static void list_triangles(StageTree *tree, const SceneModel *stage, Arena *arena)
{
    const PmxModel *pmx = &stage->model->pmx;

    tree->triangles = arena_array(arena, Triangle, pmx->index_count / 3);
    for (uint32_t m = 0; m < pmx->material_count; m++) {
        const PmxMaterial *material = &pmx->materials[m];
        const uint32_t *corners = &pmx->indices[material->first_index];
        if (stage->hidden[m] || material->diffuse[3] < OPAQUE ||
            (material->flags & (PMX_POINTS | PMX_LINES)))
            continue;
        for (uint32_t i = 0; i + 2 < material->index_count; i += 3) {
            Triangle *t = &tree->triangles[tree->count++];
            t->both_sides = material->flags & PMX_DOUBLE_SIDED;
            for (int k = 0; k < 3; k++)
                t->corners[k] = vec3_load(pmx->vertices[corners[i + (uint32_t)k]].position);
        }
    }
}

static double coordinate(Vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static double middle_of(const Triangle *t, int axis)
{
    return (coordinate(t->corners[0], axis) + coordinate(t->corners[1], axis) +
            coordinate(t->corners[2], axis)) /
           3;
}

static Node box_of(const StageTree *tree, uint32_t first, uint32_t count)
{
    Node node = {.low = {DBL_MAX, DBL_MAX, DBL_MAX},
                 .high = {-DBL_MAX, -DBL_MAX, -DBL_MAX},
                 .first = first,
                 .count = count};

    for (uint32_t i = first; i < first + count; i++)
        for (int axis = 0; axis < 3; axis++)
            for (int k = 0; k < 3; k++) {
                const double at = coordinate(tree->triangles[i].corners[k], axis);
                node.low[axis] = fmin(node.low[axis], at);
                node.high[axis] = fmax(node.high[axis], at);
            }
    return node;
}

/* Moves the triangles whose middle is below that of the box along its longest axis to the front.
 * Returns their number, or half of all if they are all on one side. */
static uint32_t divide(StageTree *tree, const Node *node)
{
    int axis = 0;
    uint32_t below = 0;

    for (int k = 1; k < 3; k++)
        if (node->high[k] - node->low[k] > node->high[axis] - node->low[axis])
            axis = k;
    const double middle = (node->low[axis] + node->high[axis]) / 2;
    for (uint32_t i = node->first; i < node->first + node->count; i++)
        if (middle_of(&tree->triangles[i], axis) < middle) {
            const Triangle t = tree->triangles[i];
            tree->triangles[i] = tree->triangles[node->first + below];
            tree->triangles[node->first + below++] = t;
        }
    return below > 0 && below < node->count ? below : node->count / 2;
}

/* NULL if the scene has no stage with such a triangle. */
static StageView *stage_view_create(const Scene *scene, Arena *arena)
{
    StageView *view = arena_alloc(arena, sizeof *view);

    *view = (StageView){scene, arena_array(arena, StageTree, scene->model_count), 0};
    for (size_t m = 0; m < scene->model_count; m++) {
        StageTree *tree = &view->trees[view->count];
        if (!scene->models[m].spec.stage)
            continue;
        *tree = (StageTree){.model = m};
        list_triangles(tree, &scene->models[m], arena);
        if (tree->count == 0)
            continue;
        /* Nodes are divided in the order of the list, to which each adds two. */
        *arena_push(arena, &tree->nodes) = box_of(tree, 0, tree->count);
        for (size_t i = 0; i < tree->nodes.count; i++) {
            const Node node = tree->nodes.items[i];
            if (node.count <= LEAF)
                continue;
            const uint32_t below = divide(tree, &node);
            tree->nodes.items[i].count = 0;
            tree->nodes.items[i].children = (uint32_t)tree->nodes.count;
            *arena_push(arena, &tree->nodes) = box_of(tree, node.first, below);
            *arena_push(arena, &tree->nodes) = box_of(tree, node.first + below, node.count - below);
        }
        view->count++;
    }
    return view->count ? view : NULL;
}

/* ---- segments ---- */

/* From `from` to `from` + `way`. */
typedef struct Segment {
    Vec3 from, way;
} Segment;

static bool meets_box(const Node *node, const Segment *s)
{
    double first = 0, last = 1;

    for (int axis = 0; axis < 3; axis++) {
        const double from = coordinate(s->from, axis), way = coordinate(s->way, axis);
        if (fabs(way) < 1e-12) {
            if (from < node->low[axis] || from > node->high[axis])
                return false;
            continue;
        }
        const double a = (node->low[axis] - from) / way, b = (node->high[axis] - from) / way;
        first = fmax(first, fmin(a, b));
        last = fmin(last, fmax(a, b));
    }
    return first <= last;
}

/* The test of Moeller and Trumbore. */
static bool meets_triangle(const Triangle *t, const Segment *s)
{
    const Vec3 ab = vec3_sub(t->corners[1], t->corners[0]),
               ac = vec3_sub(t->corners[2], t->corners[0]);
    const Vec3 p = vec3_cross(s->way, ac);
    const double volume =
        vec3_dot(ab, p); /* = - (ab x ac) . way: positive if seen from the front */
    if (t->both_sides ? volume == 0 : !(volume > 0))
        return false;
    const Vec3 from = vec3_sub(s->from, t->corners[0]), q = vec3_cross(from, ab);
    const double u = vec3_dot(from, p) / volume, v = vec3_dot(s->way, q) / volume;
    const double at = vec3_dot(ac, q) / volume;
    return u >= 0 && v >= 0 && u + v <= 1 && at > 0 && at < 1;
}

static bool meets_tree(const StageTree *tree, uint32_t index, const Segment *s)
{
    const Node *node = &tree->nodes.items[index];

    if (!meets_box(node, s))
        return false;
    for (uint32_t i = 0; i < node->count; i++)
        if (meets_triangle(&tree->triangles[node->first + i], s))
            return true;
    return node->count == 0 &&
           (meets_tree(tree, node->children, s) || meets_tree(tree, node->children + 1, s));
}

/* Whether a stage that is visible at the frame of the state hides the point from the eye. */
static bool stage_view_hides(const StageView *view, const FrameState *state, Vec3 eye, Vec3 point)
{
    for (size_t i = 0; i < view->count; i++) {
        const StageTree *tree = &view->trees[i];
        const Placement *placement = &state->models[tree->model].placement;
        if (!motion_switch(&view->scene->models[tree->model].motion.visible, state->frame) ||
            !(placement->scale > 0))
            continue;
        const Vec3 from = placement_inverse_point(placement, eye);
        const Segment s = {from, vec3_sub(placement_inverse_point(placement, point), from)};
        if (meets_tree(tree, 0, &s))
            return true;
    }
    return false;
}

static const double STEP = 2;            /* motion frames between two samples */
static const double MAX_SAMPLES = 20000; /* longer films are sampled less often */
static const double GIVEN = 16.0 / 9;    /* width / height of the picture of a camera motion */
static const double USABLE = 0.95;       /* half of the frame that is used / half of the frame */
static const double RADIUS_S = 1;        /* of the windows */
static const double FARTHEST = 8;        /* largest way back / distance of what is farthest away */
static const double STEEP = 75 * PI / 180; /* pitch from which the camera is not turned */
static const double MARGIN = 0.5;          /* units before a stage that is in the way */
static const double GROWTH = 0.1;          /* step of the search for it / distance */
enum { HALVINGS = 24 };

/* A jump of the camera between two keys on neighbouring frames that is a cut. */
static const double CUT_ANGLE = 6 * PI / 180, CUT_PART = 0.1 /* of the distance */;

/* ---- heads and hands ---- */

/* A sphere that a bone moves. */
typedef struct Part {
    size_t model;
    ShotHead sphere;
} Part;

typedef ARENA_LIST(Part) Parts;

static bool is_below(const PmxModel *pmx, uint32_t bone, int32_t ancestor)
{
    int32_t at = (int32_t)bone;
    for (uint32_t steps = 0; at >= 0 && steps <= pmx->bone_count; steps++) {
        if (at == ancestor)
            return true;
        at = pmx->bones[at].parent;
    }
    return false;
}

/* A sphere around the points of a hand at rest, without the forearm. */
static ShotHead hand_sphere(const ShotHand *hand, const PmxModel *pmx)
{
    const Vec3 wrist = vec3_load(pmx->bones[hand->wrist].position);
    Vec3 sum = {0, 0, 0};
    ShotHead sphere = {.bone = -1};
    for (int pass = 0; pass < 2; pass++) {
        double count = 0;
        for (uint32_t b = 0; b < hand->bone_count; b++) {
            const ShotBone *bone = &hand->bones[b];
            if (!is_below(pmx, bone->bone, hand->wrist))
                continue;
            const Vec3 offset = vec3_sub(vec3_load(pmx->bones[bone->bone].position), wrist);
            for (uint32_t i = 0; i < bone->count; i++) {
                const Vec3 point = vec3_add(offset, bone->points[i]);
                if (pass == 0)
                    sum = vec3_add(sum, point);
                else
                    sphere.radius =
                        fmax(sphere.radius, vec3_length(vec3_sub(point, sphere.center)));
                count++;
            }
        }
        if (!(count > 0))
            return sphere;
        if (pass == 0)
            sphere.center = vec3_scale(sum, 1 / count);
    }
    sphere.bone = hand->wrist;
    return sphere;
}

static void add_part(Parts *parts, size_t model, ShotHead sphere, Arena *arena)
{
    if (sphere.bone >= 0)
        *arena_push(arena, parts) = (Part){model, sphere};
}

static Parts find_parts(const Scene *scene, Arena *arena)
{
    Parts parts = {0};
    for (size_t m = 0; m < scene->model_count; m++) {
        const SceneModel *model = &scene->models[m];
        ShotExtent extent;
        if (model->spec.stage || model->model->is_cloth || !model->model->pmx.bone_count)
            continue;
        shot_extent_create(&extent, model, SHOT_WAIST, arena);
        add_part(&parts, m, extent.head, arena);
        for (int side = 0; side < 2; side++)
            if (extent.hands[side].bone_count)
                add_part(&parts, m, hand_sphere(&extent.hands[side], &model->model->pmx), arena);
    }
    return parts;
}

/* ---- samples ---- */

/* A part that is in the given picture, relative to the eye: x to the right, y up, z horizontally as
 * the camera looks. */
typedef struct Seen {
    Vec3 at;
    double radius;
} Seen;

typedef struct Sample {
    Seen *seen; /* [count] */
    uint32_t count;
    double pitch; /* of the direction of view, radians, up */
    double slope; /* half of the usable width / depth */
    double reach; /* largest distance of what is seen */
    double fov_deg;
    double room;   /* longest way back on which no stage comes before what is seen */
    double widest; /* largest factor of the slope */
} Sample;

typedef struct Path {
    const Scene *scene;
    const ReframeSpec *spec;
    Parts parts;
    const StageView *stages; /* or NULL */
    double step;
    Evaluator *evaluator;
    FrameState *state;
    Arena *scratch;
} Path;

/* Parts that are in the given picture and that no stage hides in it. */
typedef struct Open {
    Vec3 *points; /* [count] in the world */
    uint32_t count;
} Open;

static bool hides_one(const Path *path, const Open *open, Vec3 eye)
{
    for (uint32_t i = 0; i < open->count; i++)
        if (stage_view_hides(path->stages, path->state, eye, open->points[i]))
            return true;
    return false;
}

static double room_behind(const Path *path, const Open *open, Vec3 eye, Vec3 forward, double reach)
{
    double clear = 0, hidden = 0;

    while (!(hidden > 0)) {
        const double back = clear + fmax(MARGIN, GROWTH * (clear + reach));
        if (clear > FARTHEST * reach)
            return HUGE_VAL;
        *(hides_one(path, open, vec3_sub(eye, vec3_scale(forward, back))) ? &hidden : &clear) =
            back;
    }
    for (int i = 0; i < HALVINGS; i++) {
        const double back = (clear + hidden) / 2;
        *(hides_one(path, open, vec3_sub(eye, vec3_scale(forward, back))) ? &hidden : &clear) =
            back;
    }
    return fmax(clear - MARGIN, 0);
}

static void take_sample(Sample *sample, const Path *path, double frame)
{
    FrameState *state = path->state;
    evaluate_bones(state, path->evaluator, path->scene, NULL, frame);
    const CameraState camera = evaluate_camera(state, path->scene);
    const CameraAxes axes = camera_axes(&camera);
    const Vec3 eye = vec3_load(axes.eye), forward = vec3_load(axes.forward);
    const double half = tan((double)camera.fov_deg * PI / 360);
    const double level = hypot(forward.x, forward.z);
    const double sine = level > 0 ? forward.x / level : 0,
                 cosine = level > 0 ? forward.z / level : 1;
    Open open = {arena_array(path->scratch, Vec3, path->parts.count), 0};
    *sample = (Sample){.pitch = atan2(forward.y, level),
                       .slope = USABLE * half * path->spec->aspect,
                       .fov_deg = (double)camera.fov_deg,
                       .room = HUGE_VAL,
                       .widest = fmax(tan(path->spec->widest_deg * RADIANS / 2) / half, 1)};
    if (camera.orthographic)
        return;
    sample->seen = arena_array(path->scratch, Seen, path->parts.count);
    for (size_t i = 0; i < path->parts.count; i++) {
        const Part *part = &path->parts.items[i];
        const ModelState *model = &state->models[part->model];
        const SceneModel *scene_model = &path->scene->models[part->model];
        const Vec3 center = shot_extent_head(&part->sphere, model), v = vec3_sub(center, eye);
        const double z = vec3_dot(v, forward), x = vec3_dot(v, vec3_load(axes.right));
        const double y = vec3_dot(v, vec3_load(axes.up));
        /* From the center to the edges of the picture: of a head that they cut, no more need be in
         * the frame. */
        const double across = (GIVEN * half * z - fabs(x)) / hypot(1, GIVEN * half);
        const double along = (half * z - fabs(y)) / hypot(1, half);
        const double room = fmin(across, along);
        if (!motion_switch(&scene_model->motion.visible, frame) || !(z > 0) || room < 0)
            continue;
        sample->seen[sample->count++] =
            (Seen){{v.x * cosine - v.z * sine, v.y, v.x * sine + v.z * cosine},
                   fmin(room, part->sphere.radius * (double)model->placement.scale)};
        sample->reach = fmax(sample->reach, vec3_length(v));
        if (path->stages && !stage_view_hides(path->stages, state, eye, center))
            open.points[open.count++] = center;
    }
    if (open.count)
        sample->room = room_behind(path, &open, eye, forward, sample->reach);
}

/* ---- the path ---- */

/* Angles by which the camera may be turned; none if high < low. */
typedef struct Turns {
    double low, high;
} Turns;

static double arcsine(double value)
{
    return asin(fmin(fmax(value, -1), 1));
}

/*
 * A part at the angle d from the direction of view, r away horizontally and y up, is at
 * x' = r sin d and z' = r cos d cos p + y sin p with the pitch p.  x' <= k z' is
 *     sin(d - b) <= k y sin p / (r c),  with  c = sqrt(1 + (k cos p)^2),  tan b = k cos p
 */
static void limit_turns(Turns *turns, const Sample *sample, double back, double widen)
{
    const double k = widen * sample->slope, flat = k * cos(sample->pitch);
    const double c = hypot(1, flat), b = atan(flat);
    for (uint32_t i = 0; i < sample->count; i++) {
        const Seen *seen = &sample->seen[i];
        const Vec3 at = {seen->at.x, seen->at.y + back * sin(sample->pitch),
                         seen->at.z + back * cos(sample->pitch)};
        const double r = fmax(hypot(at.x, at.z), 1e-6), angle = atan2(at.x, at.z);
        const double reach = b + arcsine(k * at.y * sin(sample->pitch) / (r * c)) -
                             arcsine(seen->radius / fmax(vec3_length(at), 1e-6));
        turns->low = fmax(turns->low, angle - reach);
        turns->high = fmin(turns->high, angle + reach);
    }
    if (fabs(sample->pitch) > STEEP) {
        turns->low = fmax(turns->low, 0);
        turns->high = fmin(turns->high, 0);
    }
}

/* Some samples, and how far the camera may move back and the picture may be widened in all. */
typedef struct Window {
    const Sample *samples;
    uint32_t first, last;
    double farthest, room, widest;
} Window;

static Window window_of(const Sample *samples, uint32_t first, uint32_t last)
{
    Window w = {samples, first, last, 0, HUGE_VAL, HUGE_VAL};
    for (uint32_t i = first; i <= last; i++) {
        w.farthest = fmax(w.farthest, FARTHEST * samples[i].reach);
        w.room = fmin(w.room, samples[i].room);
        w.widest = fmin(w.widest, samples[i].widest);
    }
    return w;
}

static Turns turns_of(const Window *w, double back, double widen)
{
    Turns turns = {-PI, PI};
    for (uint32_t i = w->first; i <= w->last; i++)
        limit_turns(&turns, &w->samples[i], back, widen);
    return turns;
}

static bool fits(const Window *w, double back, double widen)
{
    const Turns turns = turns_of(w, back, widen);
    return turns.low <= turns.high;
}

/* The shortest way back with which one turn keeps everything of a window in the frame; where a
 * stage is before its end, the smallest factor with which the frame does; and the smallest such
 * turn. */
static ReframePoint find_point(const Window *w)
{
    ReframePoint point = {0, 0, 1};
    if (!fits(w, 0, 1)) {
        double low = 0, high = w->farthest;
        for (int i = 0; i < HALVINGS; i++) {
            const double middle = (low + high) / 2;
            *(fits(w, middle, 1) ? &high : &low) = middle;
        }
        point.back = high;
    }
    if (point.back > w->room) {
        double low = 1, high = w->widest;
        for (int i = 0; i < HALVINGS; i++) {
            const double middle = (low + high) / 2;
            *(fits(w, w->room, middle) ? &high : &low) = middle;
        }
        point.back = w->room;
        point.widen = high;
    }
    const Turns turns = turns_of(w, point.back, point.widen);
    point.turn = turns.low > turns.high ? (turns.low + turns.high) / 2
                                        : fmin(fmax(0, turns.low), turns.high);
    return point;
}

/* Means with the weights of a Hann window. */
static void smooth(ReframePoint *out, const ReframePoint *points, uint32_t count, uint32_t radius)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t first = i > radius ? i - radius : 0;
        const uint32_t last = count - 1 - i > radius ? i + radius : count - 1;
        double total = 0;
        out[i] = (ReframePoint){0, 0, 0};
        for (uint32_t k = first; k <= last; k++) {
            const double weight = 1 + cos(PI * ((double)k - i) / (radius + 1.0));
            out[i].turn += weight * points[k].turn;
            out[i].back += weight * points[k].back;
            out[i].widen += weight * points[k].widen;
            total += weight;
        }
        out[i].turn /= total;
        out[i].back /= total;
        out[i].widen /= total;
    }
}

static void add_segment(ReframeTrack *out, const Path *path, double start, double end, Arena *arena)
{
    const uint32_t radius = (uint32_t)fmax(RADIUS_S * MOTION_FPS / path->step, 3);
    const uint32_t count = (uint32_t)ceil(fmax(end - start, 0) / path->step) + 1;
    Sample *samples = arena_array(path->scratch, Sample, count);
    ReframePoint *points = arena_array(path->scratch, ReframePoint, count);
    ReframeSegment *segment = &out->segments[out->count++];
    for (uint32_t i = 0; i < count; i++)
        take_sample(&samples[i], path, fmin(start + i * path->step, end));
    for (uint32_t i = 0; i < count; i++) {
        const Window window = window_of(samples, i > radius ? i - radius : 0,
                                        count - 1 - i > radius ? i + radius : count - 1);
        points[i] = find_point(&window);
        if (points[i].back < window.room) /* no stage is in the way */
            continue;
        out->widened += points[i].widen > 1 ? path->step : 0;
        out->widest_deg = fmax(out->widest_deg, reframe_widen(samples[i].fov_deg, points[i].widen));
        out->cropped += fits(&window, points[i].back, points[i].widen) ? 0 : path->step;
    }
    *segment = (ReframeSegment){start, arena_array(arena, ReframePoint, count), count};
    smooth(segment->points, points, count, radius - 2); /* the B-spline takes the other 2 */
}

/* ---- cuts ---- */

static bool is_cut(const VmdCameraKey *a, const VmdCameraKey *b)
{
    const CameraState from = {.target = {a->target[0], a->target[1], a->target[2]},
                              .rotation = {a->rotation[0], a->rotation[1], a->rotation[2]},
                              .distance = a->distance},
                      to = {.target = {b->target[0], b->target[1], b->target[2]},
                            .rotation = {b->rotation[0], b->rotation[1], b->rotation[2]},
                            .distance = b->distance};
    const CameraAxes x = camera_axes(&from), y = camera_axes(&to);
    const double moved = vec3_length(vec3_sub(vec3_load(x.eye), vec3_load(y.eye)));
    return axes_angle(vec3_load(x.forward), vec3_load(y.forward)) > CUT_ANGLE ||
           moved > CUT_PART * fmax(fabs((double)a->distance), 1);
}

void reframe_path_create(ReframeTrack *out, const Scene *scene, const ReframeSpec *spec,
                         Arena *arena)
{
    const CameraTrack *track = &scene->camera_track;
    Path path = {.scene = scene, .spec = spec, .scratch = arena_create()};
    ReframeTrack made = {.step = fmax(STEP, scene->last_frame / MAX_SAMPLES)};
    *out = (ReframeTrack){0}; /* the samples are of the given camera */
    path.step = made.step;
    path.parts = find_parts(scene, path.scratch);
    if (track->key_count && path.parts.count) {
        double start = 0;
        path.evaluator = evaluator_create_keyed(scene);
        path.state = frame_state_create(scene, path.scratch);
        path.stages = stage_view_create(scene, path.scratch);
        made.segments = arena_array(arena, ReframeSegment, track->key_count);
        for (uint32_t i = 0; i + 1 < track->key_count; i++) {
            const double left = track->time.offset + track->frames[i] / track->time.speed;
            const double right = track->time.offset + track->frames[i + 1] / track->time.speed;
            if (track->frames[i + 1] - track->frames[i] > 1 || right <= start ||
                right > scene->last_frame || !is_cut(track->keys[i], track->keys[i + 1]))
                continue;
            add_segment(&made, &path, start, left, arena);
            start = right;
        }
        add_segment(&made, &path, start, scene->last_frame, arena);
        evaluator_destroy(path.evaluator);
        *out = made;
    }
    arena_destroy(path.scratch);
}
