// SPDX-License-Identifier: MIT
#include "scene/mocap/clean_keys.h"

#include <string.h>

#include "scene/mocap/body.h"

enum {
    LONGEST = 120, /* frames between keys */
    GRID = 7,      /* places of x of a curve's points to try */
    FIT_HALVINGS = 20
};

static const uint8_t grid[GRID] = {6, 20, 38, 56, 76, 98, 120}; /* of CURVE_ONE */
static const double LEAST = 1e-5;                               /* MMD units: the least tolerance */
static const double NEAREST = 1; /* MMD units: a bone moves points that are so far, or more */

/* What a span of keys needs of one channel at its inner frames: progress, and how far off it may
 * be. */
typedef struct Wanted {
    double progress[LONGEST], off[LONGEST];
    uint32_t count; /* frames of the span; entries 1..count - 1 are used */
} Wanted;

/* The parameter of a curve's point at each frame, for all x of the grid: [span][x1][x2][frame]. */
typedef struct Parameters {
    double *spans[LONGEST + 1];
    Arena *arena;
} Parameters;

typedef struct Fitter {
    Parameters parameters;
    const CleanTrack *track;
    double shift, turn; /* tolerances */
} Fitter;

/* ---- a curve ---- */

static const double *find_parameters(Parameters *p, uint32_t count, int x1, int x2)
{
    if (!p->spans[count]) {
        double *out = arena_array(p->arena, double, (size_t)(GRID * GRID) * count);
        for (int k = 0; k < GRID * GRID; k++) {
            const int first = k / GRID, second = k % GRID;
            const double a = (double)grid[first] / CURVE_ONE;
            const double b = (double)grid[second] / CURVE_ONE;
            for (uint32_t i = 1; i < count; i++) {
                double s = 0.5, step = 0.25;
                for (int h = 0; h < FIT_HALVINGS; h++, step /= 2) {
                    const double r = 1 - s;
                    const double x = 3 * r * r * s * a + 3 * r * s * s * b + s * s * s;
                    s += x * count > i ? -step : step;
                }
                out[(size_t)k * count + i] = s;
            }
        }
        p->spans[count] = out;
    }
    return p->spans[count] + (size_t)(x1 * GRID + x2) * count;
}

/* The y of both points with the least squares of errors, in parts of what they may be. */
static Curve fit_heights(const Wanted *wanted, const double *parameters, int x1, int x2)
{
    double aa = 0, ab = 0, bb = 0, ae = 0, be = 0;
    for (uint32_t i = 1; i < wanted->count; i++) {
        const double s = parameters[i], r = 1 - s, weight = 1 / wanted->off[i];
        const double a = 3 * r * r * s * weight, b = 3 * r * s * s * weight;
        const double e = (wanted->progress[i] - s * s * s) * weight;
        aa += a * a, ab += a * b, bb += b * b, ae += a * e, be += b * e;
    }
    const double det = aa * bb - ab * ab;
    double y1 = det > 1e-12 * aa * bb ? (ae * bb - be * ab) / det : 0.5;
    y1 = fmin(1, fmax(0, y1));
    const double y2 = fmin(1, fmax(0, bb > 0 ? (be - y1 * ab) / bb : 0.5));
    y1 = fmin(1, fmax(0, aa > 0 ? (ae - y2 * ab) / aa : y1));
    return (Curve){grid[x1], (uint8_t)lround(y1 * CURVE_ONE), grid[x2],
                   (uint8_t)lround(y2 * CURVE_ONE)};
}

static bool is_near(const Wanted *wanted, Curve curve)
{
    for (uint32_t i = 1; i < wanted->count; i++) {
        const double at = curve_eval(curve, i / (double)wanted->count, CURVE_HALVINGS);
        if (!(fabs(at - wanted->progress[i]) <= wanted->off[i]))
            return false;
    }
    return true;
}

static bool fit_curve(Curve *out, const Wanted *wanted, Parameters *parameters)
{
    *out = CURVE_LINEAR;
    if (is_near(wanted, *out))
        return true;
    for (int k = 0; k < GRID * GRID; k++) {
        const int x1 = k / GRID, x2 = k % GRID;
        *out = fit_heights(wanted, find_parameters(parameters, wanted->count, x1, x2), x1, x2);
        if (is_near(wanted, *out))
            return true;
    }
    return false;
}

/* ---- a span ---- */

/* A channel of the offset; false if no curve can be near. */
static bool want_offset(Wanted *out, const CleanTrack *track, uint32_t from, uint32_t to, int axis,
                        double tolerance)
{
    const double a = vec3_component(track->offset[from], axis);
    const double way = vec3_component(track->offset[to], axis) - a;
    const double divisor = fabs(way) > 1e-9 ? way : 1e-9;
    out->count = to - from;
    for (uint32_t i = 1; i < out->count; i++) {
        const double at = vec3_component(track->offset[from + i], axis) - a;
        out->progress[i] = at / divisor;
        out->off[i] = tolerance / fabs(divisor);
        if (at > fmax(0, way) + tolerance || at < fmin(0, way) - tolerance)
            return false;
    }
    return true;
}

/* The rotation: progress along the shortest arc, and how much of the tolerance is left beside it.
 */
static bool want_rotation(Wanted *out, const CleanTrack *track, uint32_t from, uint32_t to,
                          double tolerance)
{
    const Quat start = quat_inverse(track->rotation[from]);
    Quat arc = quat_mul(start, track->rotation[to]);
    arc = arc.w < 0 ? (Quat){-arc.x, -arc.y, -arc.z, -arc.w} : arc;
    const Vec3 axis = vec3_normalize((Vec3){arc.x, arc.y, arc.z});
    const double way = fmax(2 * acos(fmin(1, arc.w)), 1e-9);
    out->count = to - from;
    for (uint32_t i = 1; i < out->count; i++) {
        Quat q = quat_mul(start, track->rotation[from + i]);
        q = q.w < 0 ? (Quat){-q.x, -q.y, -q.z, -q.w} : q;
        const Vec3 v = {q.x, q.y, q.z};
        const double along = vec3_dot(v, axis);
        const double beside = 2 * vec3_length(vec3_sub(v, vec3_scale(axis, along)));
        if (beside >= tolerance)
            return false;
        out->progress[i] = 2 * atan2(along, q.w) / way;
        out->off[i] = sqrt(tolerance * tolerance - beside * beside) / way;
        if (out->progress[i] > 1 + out->off[i] || out->progress[i] < -out->off[i])
            return false;
    }
    return true;
}

static bool fit_span(VmdBoneKey *key, Fitter *f, uint32_t from, uint32_t to)
{
    Wanted wanted;
    for (int axis = 0; axis < 3; axis++)
        if (!want_offset(&wanted, f->track, from, to, axis, f->shift) ||
            !fit_curve(&key->curves[axis], &wanted, &f->parameters))
            return false;
    return want_rotation(&wanted, f->track, from, to, f->turn) &&
           fit_curve(&key->curves[3], &wanted, &f->parameters);
}

/* The farthest frame that one span reaches: twice as far each time, then by halves. */
static uint32_t longest_span(VmdBoneKey *key, Fitter *f, uint32_t from)
{
    const uint32_t left = f->track->last - from, most = left < LONGEST ? left : LONGEST;
    uint32_t good = 1, bad = most + 1;
    VmdBoneKey trial = *key;
    fit_span(key, f, from, from + 1);
    while (good + 1 < bad) {
        uint32_t next = bad > most && 2 * good <= most ? 2 * good : good + (bad - good) / 2;
        if (fit_span(&trial, f, from, from + next)) {
            good = next;
            *key = trial;
        } else {
            bad = next;
        }
    }
    return from + good;
}

static void add_key(CleanKeys *out, const VmdBoneKey *key, const CleanTrack *track, uint32_t at,
                    Arena *arena)
{
    VmdBoneKey *added = arena_push(arena, out);
    *added = *key;
    added->frame = at;
    vec3_store(added->translation, track->offset[at]);
    quat_store(added->rotation, track->rotation[at]);
    added->physics = (uint8_t)clean_track_keys_at(track, at).physics;
}

/* How far a bone moves what it carries: the distance to the farthest part of the body below it, at
 * rest. */
static double *measure_reach(const CleanBody *body)
{
    const PmxModel *pmx = &body->model->pmx;
    double *reach = arena_array(body->arena, double, pmx->bone_count);
    int32_t parts[BODY_PARTS];
    body_find_bones(parts, pmx);
    for (uint32_t i = 0; i < pmx->bone_count; i++)
        reach[i] = NEAREST;
    for (int part = 0; part < BODY_PARTS; part++)
        for (int32_t i = parts[part]; i >= 0; i = pmx->bones[i].parent)
            reach[i] = fmax(reach[i], body_distance(pmx, i, parts[part]));
    return reach;
}

void clean_keys(CleanKeys *out, CleanBody *body, const double *shares, double tolerance,
                Arena *arena)
{
    const double *reach = measure_reach(body);
    Fitter fitter = {.parameters = {.arena = body->arena}};
    for (uint32_t i = 0; i < body->model->pmx.bone_count; i++) {
        const CleanTrack *track = &body->tracks[i];
        const VmdBoneKey linear = {
            .name = body->model->bone_names[i],
            .curves = {CURVE_LINEAR, CURVE_LINEAR, CURVE_LINEAR, CURVE_LINEAR}};
        if (!track->changed)
            continue;
        fitter.track = track;
        fitter.shift = fmax(LEAST, tolerance * (shares ? shares[i] : 1));
        fitter.turn = fitter.shift / reach[i];
        add_key(out, &linear, track, track->first, arena);
        for (uint32_t at = track->first; at < track->last;) {
            VmdBoneKey key = linear;
            at = longest_span(&key, &fitter, at);
            add_key(out, &key, track, at, arena);
        }
    }
}
