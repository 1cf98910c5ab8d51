// SPDX-License-Identifier: MIT
#include "scene/mocap/clean_track.h"

#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "math/scalar.h"

enum {
    WIDTHS = 7,         /* widths of polynomials to choose from */
    MAX_WIDTH = 12,     /* frames on both sides */
    NOISE_WINDOW = 15,  /* frames on both sides in which noise is measured */
    RISK_WINDOW = 6,    /* frames on both sides in which a width is judged */
    LONGEST_FLIP = 15,  /* frames after which a turn is taken for meant */
    FLIP_EASE = 4,      /* frames on both sides in which a lasting turn is spread */
    FEWEST_SAMPLES = 16 /* of which noise is measured */
};

static const double widths[WIDTHS] = {0, 1.5, 2.5, 4, 6, 8.5, MAX_WIDTH};

static const double DENSE = 0.45;                 /* keys per frame of movement */
static const double MOVES = 1e-6;                 /* radians or units: less is a rounding */
static const double NOISE_TURN = 0.09 * PI / 180; /* less is not seen */
static const double NOISE_SHIFT = 0.006;          /* MMD units */
static const double WHITE = 0.5;                  /* hand-made curves have at most 0.32 */

/* Of |v| / sqrt(3), v normal with deviation 1 in each of three axes: a quarter, a half is less. */
static const double QUARTILE = 0.636, MEDIAN = 0.888;

/* ---- samples ---- */

static bool equal_values(const VmdBoneKey *a, const VmdBoneKey *b)
{
    bool equal = a->rotation[3] == b->rotation[3];
    for (int i = 0; i < 3; i++)
        equal &= a->translation[i] == b->translation[i] && a->rotation[i] == b->rotation[i];
    return equal;
}

CleanTrack clean_track(const BoneTrack *keys)
{
    CleanTrack track = {.keys = *keys};
    double moving = 0;
    if (!keys->key_count)
        return track;
    track.first = (uint32_t)fmax(0, keys->frames[0]);
    track.last = (uint32_t)fmax(0, keys->frames[keys->key_count - 1]);
    for (uint32_t i = 1; i < keys->key_count; i++)
        moving += equal_values(keys->keys[i - 1], keys->keys[i])
                      ? 1
                      : keys->frames[i] - keys->frames[i - 1];
    track.dense = keys->key_count >= FEWEST_SAMPLES && keys->key_count >= DENSE * moving;
    return track;
}

BoneSample clean_track_keys_at(const CleanTrack *track, uint32_t frame)
{
    const TimeMap time = track->keys.time;
    return motion_bone(&track->keys, time.offset + frame / time.speed, CURVE_HALVINGS);
}

static Vec3 offset_at(const CleanTrack *track, uint32_t frame)
{
    return track->offset && frame <= track->last
               ? track->offset[frame]
               : vec3_load(clean_track_keys_at(track, frame).translation);
}

static Quat rotation_at(const CleanTrack *track, uint32_t frame)
{
    return track->rotation && frame <= track->last
               ? track->rotation[frame]
               : quat_load(clean_track_keys_at(track, frame).rotation);
}

void clean_track_sample(CleanTrack *track, uint32_t last, Arena *arena)
{
    if (track->offset && last <= track->last)
        return;
    last = last > track->last ? last : track->last;
    Vec3 *offset = arena_array(arena, Vec3, (size_t)last + 1);
    Quat *rotation = arena_array(arena, Quat, (size_t)last + 1);
    for (uint32_t i = 0; i <= last; i++) {
        offset[i] = offset_at(track, i);
        rotation[i] = rotation_at(track, i);
    }
    track->offset = offset;
    track->rotation = rotation;
    track->last = last;
}

/* From the value at one frame to that at another; of a rotation, its axis times its angle. */
static Vec3 step_between(const CleanTrack *track, bool turns, uint32_t from, uint32_t to)
{
    if (!turns)
        return vec3_sub(track->offset[to], track->offset[from]);
    Quat q = quat_mul(quat_inverse(track->rotation[from]), track->rotation[to]);
    if (q.w < 0)
        q = (Quat){-q.x, -q.y, -q.z, -q.w};
    const Vec3 v = {q.x, q.y, q.z};
    const double sine = vec3_length(v);
    return vec3_scale(v, sine > 1e-12 ? 2 * atan2(sine, q.w) / sine : 2);
}

/* ---- noise ---- */

/* The size of the difference of second or fourth order of the values around a frame. */
static double difference(const CleanTrack *track, bool turns, uint32_t at, bool fourth)
{
    static const double second[5] = {0, 1, -2, 1, 0}, higher[5] = {1, -4, 6, -4, 1};
    Vec3 sum = {0, 0, 0};
    for (uint32_t k = 0; k < 5; k++)
        sum = vec3_add(sum, vec3_scale(step_between(track, turns, at, at + k - 2),
                                       (fourth ? higher : second)[k]));
    return vec3_length(sum);
}

/* The deviation of white noise for which as many differences are small.  A quarter of them, and
 * only where the bone moves: then neither accents nor rests count. */
static double deviation(const CleanTrack *track, bool turns, bool fourth, double *values)
{
    uint32_t count = 0;
    for (uint32_t i = track->first + 2; i + 2 <= track->last; i++) {
        values[count] = difference(track, turns, i, fourth);
        count += values[count] > MOVES;
    }
    if (count < FEWEST_SAMPLES)
        return 0;
    qsort(values, count, sizeof *values, scalar_compare);
    return values[count / 4] / (sqrt(fourth ? 70 : 6) * QUARTILE);
}

void clean_track_measure(CleanTrack *track)
{
    Arena *scratch = arena_create();
    double *values = arena_array(scratch, double, (size_t)track->last + 1);
    track->turns = deviation(track, true, true, values);
    track->shifts = deviation(track, false, true, values);
    track->trembles =
        track->dense && ((track->turns > NOISE_TURN &&
                          track->turns > WHITE * deviation(track, true, false, values)) ||
                         (track->shifts > NOISE_SHIFT &&
                          track->shifts > WHITE * deviation(track, false, false, values)));
    arena_destroy(scratch);
}

/* The noise around each frame, at least that of the whole: the median in so many frames that one
 * accent does not count. */
static double *local_noise(const CleanTrack *track, bool turns, Arena *scratch)
{
    const uint32_t count = track->last - track->first + 1;
    const double whole = turns ? track->turns : track->shifts;
    double *sizes = arena_array(scratch, double, count), *out = arena_array(scratch, double, count);
    for (uint32_t i = 2; i + 2 < count; i++)
        sizes[i] = difference(track, turns, track->first + i, true);
    for (uint32_t i = 0; i < count; i++) {
        double window[2 * NOISE_WINDOW + 1];
        const uint32_t from = i > NOISE_WINDOW ? i - NOISE_WINDOW : 0;
        const uint32_t to = i + NOISE_WINDOW < count ? i + NOISE_WINDOW : count - 1;
        memcpy(window, sizes + from, (to - from + 1) * sizeof *window);
        qsort(window, to - from + 1, sizeof *window, scalar_compare);
        out[i] = fmax(whole, window[(to - from) / 2] / (sqrt(70) * MEDIAN));
    }
    return out;
}

/* ---- jumps ---- */

static double angle_between(const CleanTrack *track, uint32_t a, uint32_t b)
{
    return vec3_length(step_between(track, true, a, b));
}

/* A turn that lasts is spread over some frames on both sides: each is turned by a part of it, about
 * its axis in the bone.  So a limb that only twists keeps its directions. */
static void spread_turn(CleanTrack *track, uint32_t at)
{
    const Quat turn = quat_mul(quat_inverse(track->rotation[at - 1]), track->rotation[at]);
    for (uint32_t k = at > FLIP_EASE ? at - FLIP_EASE : 0; k < at + FLIP_EASE; k++) {
        const double part = ((double)k + FLIP_EASE + 0.5 - at) / (2 * FLIP_EASE);
        if (k >= track->first && k <= track->last)
            track->rotation[k] = quat_normalize(
                quat_mul(track->rotation[k], quat_power(turn, k < at ? part : part - 1)));
    }
}

uint32_t clean_track_steady(CleanTrack *track)
{
    uint32_t count = 0;
    for (uint32_t i = track->first + 1; i <= track->last; i++) {
        if (angle_between(track, i - 1, i) <= PI / 2)
            continue;
        const uint32_t from = i - 1;
        uint32_t to = i + 1; /* back where it was before the jump */
        while (
            to <= track->last && to <= i + LONGEST_FLIP &&
            !(angle_between(track, to - 1, to) > PI / 2 && angle_between(track, from, to) < PI / 2))
            to++;
        count++;
        if (to > track->last || to > i + LONGEST_FLIP) {
            spread_turn(track, i);
            continue;
        }
        for (uint32_t k = i; k < to; k++)
            track->rotation[k] = quat_slerp(track->rotation[from], track->rotation[to],
                                            (k - from) / (double)(to - from));
        i = to;
    }
    track->changed |= count > 0;
    return count;
}

/* ---- smoothing ---- */

typedef double Weights[MAX_WIDTH + 1];

/* Weights of the local quadratic polynomial at its middle, with the kernel (1 - u^2)^2. */
static void set_weights(Weights out, double width)
{
    Weights kernel;
    double s0 = 0, s2 = 0, s4 = 0;
    for (int i = 0; i <= MAX_WIDTH; i++) {
        const double u = i / (width + 1), side = i ? 2 : 1, square = (double)i * i;
        kernel[i] = u < 1 ? pow(1 - u * u, 2) : 0;
        s0 += side * kernel[i];
        s2 += side * kernel[i] * square;
        s4 += side * kernel[i] * square * square;
    }
    const double det = s0 * s4 - s2 * s2;
    for (int i = 0; i <= MAX_WIDTH; i++)
        out[i] = det > 1e-9 ? kernel[i] * (s4 - s2 * i * i) / det : i == 0;
}

/* From the sample at `at` to the polynomial there, for each width; at the ends a shorter one. */
static void fit_widths(Vec3 out[WIDTHS], const CleanTrack *track, bool turns, uint32_t at,
                       Weights *weights)
{
    memset(out, 0, WIDTHS * sizeof *out);
    for (uint32_t i = 1; i <= MAX_WIDTH && at >= track->first + i && at + i <= track->last; i++) {
        const Vec3 sum = vec3_add(step_between(track, turns, at, at - i),
                                  step_between(track, turns, at, at + i));
        for (int w = 0; w < WIDTHS; w++)
            out[w] = vec3_add(out[w], vec3_scale(sum, weights[w][i]));
    }
}

/*
 * The width of the least risk around a frame: |sample - polynomial|^2 + 2 noise^2 weight, which is,
 * but for a constant, an unbiased estimate of the squared error (Stein).  So a width that rounds
 * off an accent is not chosen near it.
 */
static double choose_width(Vec3 (*fits)[WIDTHS], uint32_t count, uint32_t at, double noise,
                           Weights *weights)
{
    double least = INFINITY;
    int chosen = 0;
    const uint32_t from = at > RISK_WINDOW ? at - RISK_WINDOW : 0;
    const uint32_t to = at + RISK_WINDOW < count ? at + RISK_WINDOW : count - 1;
    for (int w = 0; w < WIDTHS; w++) {
        double risk = 2 * noise * noise * weights[w][0] * (to - from + 1);
        for (uint32_t k = from; k <= to; k++)
            risk += vec3_dot(fits[k][w], fits[k][w]);
        if (risk < least) {
            least = risk;
            chosen = w;
        }
    }
    return chosen;
}

static void smooth(CleanTrack *track, bool turns, double strength)
{
    Arena *scratch = arena_create();
    const uint32_t count = track->last - track->first + 1;
    const double *noise = local_noise(track, turns, scratch);
    Vec3(*fits)[WIDTHS] = arena_calloc(scratch, count, sizeof *fits);
    double *chosen = arena_array(scratch, double, count);
    Weights weights[WIDTHS];
    for (int w = 0; w < WIDTHS; w++)
        set_weights(weights[w], widths[w]);
    for (uint32_t i = 0; i < count; i++)
        fit_widths(fits[i], track, turns, track->first + i, weights);
    for (uint32_t i = 0; i < count; i++)
        chosen[i] = choose_width(fits, count, i, strength * noise[i], weights);
    for (uint32_t i = 0; i < count; i++) {
        double sum = 0, near = 0; /* a mean of widths beside each other does not jump */
        for (uint32_t k = i < 3 ? 0 : i - 3; k <= i + 3 && k < count; k++, near++)
            sum += chosen[k];
        const double width = sum / near;
        const int lower = width < WIDTHS - 1 ? (int)width : WIDTHS - 2;
        const Vec3 step = vec3_lerp(fits[i][lower], fits[i][lower + 1], width - lower);
        Quat *q = &track->rotation[track->first + i];
        Vec3 *v = &track->offset[track->first + i];
        if (turns)
            *q = quat_normalize(
                quat_mul(*q, quat_from_axis_angle(vec3_normalize(step), vec3_length(step))));
        else
            *v = vec3_add(*v, step);
    }
    arena_destroy(scratch);
}

void clean_track_smooth(CleanTrack *track, double strength)
{
    if (track->turns > 0)
        smooth(track, true, strength);
    if (track->shifts > 0)
        smooth(track, false, strength);
    track->changed |= track->turns > 0 || track->shifts > 0;
}

/* ---- poses ---- */

CleanPose clean_pose_create(const CleanBody *body)
{
    const uint32_t count = body->model->pmx.bone_count;
    return (CleanPose){arena_array(body->arena, Vec3, count),
                       arena_array(body->arena, Quat, count)};
}

Quat clean_parent_rotation(const CleanPose *pose, const CleanBody *body, uint32_t bone)
{
    const int32_t parent = body->model->pmx.bones[bone].parent;
    return parent >= 0 ? pose->rotation[parent] : QUAT_IDENTITY;
}

void clean_pose_at(CleanPose *pose, const CleanBody *body, const bool *wanted, uint32_t frame)
{
    const PmxModel *pmx = &body->model->pmx;
    for (uint32_t k = 0; k < pmx->bone_count; k++) {
        const uint32_t i = body->model->parents_first[k];
        const int32_t parent = pmx->bones[i].parent;
        if (!wanted[i])
            continue;
        const Quat base = clean_parent_rotation(pose, body, i);
        Vec3 from = {0, 0, 0}, rest = vec3_load(pmx->bones[i].position);
        if (parent >= 0) {
            from = pose->place[parent];
            rest = vec3_sub(rest, vec3_load(pmx->bones[parent].position));
        }
        const Vec3 way = vec3_add(rest, offset_at(&body->tracks[i], frame));
        pose->place[i] = vec3_add(from, quat_rotate(base, way));
        pose->rotation[i] = quat_normalize(quat_mul(base, rotation_at(&body->tracks[i], frame)));
    }
}
