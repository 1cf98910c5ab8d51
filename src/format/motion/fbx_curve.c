// SPDX-License-Identifier: MIT
#include "format/motion/fbx_curve.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "format/motion/fbx.h"
#include "format/motion/vmd.h"

/* KeyAttrFlags; format/motion/README.md 4.4 */
enum {
    KEY_STEP = 0x2,
    KEY_CUBIC = 0x8,
    KEY_STEP_TO_NEXT = 0x100,
    KEY_TCB = 0x200,
    KEY_USER = 0x400,
    KEY_CLAMP = 0x1000,
    KEY_TIME_INDEPENDENT = 0x2000,
    KEY_CLAMP_PROGRESSIVE = 0x4000,
    KEY_WEIGHTED = 0x1000000,
    KEY_WEIGHTED_NEXT = 0x2000000
};

static const double third = 0.333333;

/* What the arrays of a curve say about one key: flags, slopes, weights. */
typedef struct Attributes {
    uint32_t flags;
    double data[4]; /* slope to the right, of the next key to the left; the weights; not used */
    double weight, next_weight;
} Attributes;

static Attributes attributes_at(const FbxNumbers *flags, const FbxNumbers *data, size_t i,
                                bool integers)
{
    Attributes a = {
        (uint32_t)(int64_t)fmin(fmax(flags->items[i], 0), UINT32_MAX), {0}, third, third};
    uint32_t bits[4];
    for (size_t k = 0; k < 4; k++) {
        const double number = 4 * i + k < data->count ? data->items[4 * i + k] : 0;
        float single = (float)number;
        bits[k] = (uint32_t)(int64_t)fmin(fmax(number, INT32_MIN), UINT32_MAX);
        if (integers)
            memcpy(&single, &bits[k], sizeof single);
        else
            memcpy(&bits[k], &single, sizeof single);
        a.data[k] = isfinite(single) ? (double)single : 0;
    }
    if (a.flags & KEY_WEIGHTED)
        a.weight = fmin((bits[2] & 0xFFFF) * 1e-4, 1);
    if (a.flags & KEY_WEIGHTED_NEXT)
        a.next_weight = fmin((bits[2] >> 16) * 1e-4, 1);
    return a;
}

/* The slope of an automatic tangent, from the keys beside it; before or next may be the key. */
static double automatic_slope(const FbxKey *before, const FbxKey *key, const FbxKey *next,
                              const Attributes *a, const double weights[2], double bias)
{
    const double left_s = key->time_s - before->time_s, right_s = next->time_s - key->time_s;
    const double fall = (double)key->value - (double)before->value;
    const double rise = (double)next->value - (double)key->value;
    const bool is_inner = left_s > 0 && right_s > 0;
    if (!(left_s + right_s > 0) || (!is_inner && a->flags & KEY_CLAMP_PROGRESSIVE))
        return 0;
    if (a->flags & KEY_CLAMP &&
        ((left_s > 0 && fabs(fall) <= 0.001) || (right_s > 0 && fabs(rise) <= 0.001)))
        return 0;
    double slope = (fall + rise) / (left_s + right_s);
    if (!is_inner)
        return slope;
    if (!(a->flags & KEY_TIME_INDEPENDENT)) {
        const double part = left_s / (left_s + right_s);
        const double to_left = fall / left_s, to_right = rise / right_s;
        const double biased = fmin(fabs(bias) / 100, 5);
        slope = (slope + to_left * (1 - part) + to_right * part) / 2;
        slope += biased * ((bias > 0 ? to_right : to_left) - slope);
    }
    if (a->flags & KEY_CLAMP_PROGRESSIVE) {
        const double sign = slope < 0 ? -1 : 1;
        const double left = sign * fall / fmax(weights[0] * left_s, 1e-9);
        const double right = sign * rise / fmax(weights[1] * right_s, 1e-9);
        slope = sign * fmax(fmin(fabs(slope), fmin(left, right)), 0);
    }
    return slope;
}

/* Tension, continuity and bias (Kochanek and Bartels): slopes to the left and to the right. */
static void tcb_slopes(double slopes[2], const FbxKey *before, const FbxKey *key,
                       const FbxKey *next, const double tcb[3])
{
    const double left_s = key->time_s - before->time_s, right_s = next->time_s - key->time_s;
    const double fall = left_s > 0 ? ((double)key->value - (double)before->value) / left_s : 0;
    const double rise = right_s > 0 ? ((double)next->value - (double)key->value) / right_s : 0;
    const double factor = (left_s > 0 && right_s > 0 ? 0.5 : 1) * (1 - tcb[0]);
    for (int side = 0; side < 2; side++) {
        const double continuity = side ? tcb[1] : -tcb[1];
        slopes[side] = factor * ((1 + tcb[2]) * (1 + continuity) * fall +
                                 (1 - tcb[2]) * (1 - continuity) * rise);
    }
}

static void set_handle(float handle[2], double weight, double span_s, double slope)
{
    handle[0] = (float)(weight * span_s);
    handle[1] = (float)fmin(fmax(weight * span_s * slope, -VMD_MAX_VALUE), VMD_MAX_VALUE);
}

static FbxMode mode_of(uint32_t flags)
{
    return flags & KEY_STEP    ? flags & KEY_STEP_TO_NEXT ? FBX_STEP_TO_NEXT : FBX_STEP
           : flags & KEY_CUBIC ? FBX_CUBIC
                               : FBX_LINEAR;
}

/* slope, weight: of the tangent to the left, as the key before it says; then as this one says of
 * the next key */
static void set_tangents(FbxKey *keys, size_t i, size_t count, const Attributes *a, double *slope,
                         double *weight)
{
    FbxKey *key = &keys[i];
    const FbxKey *before = i ? key - 1 : key, *next = i + 1 < count ? key + 1 : key;
    const double weights[2] = {*weight, a->weight};
    double slopes[2] = {*slope, a->data[0]};
    key->mode = mode_of(a->flags);
    *slope = key->mode == FBX_CUBIC && !(a->flags & KEY_TCB) ? a->data[1] : 0;
    *weight = a->next_weight;
    if (key->mode != FBX_CUBIC) {
        slopes[1] = 0;
    } else if (a->flags & KEY_TCB) {
        tcb_slopes(slopes, before, key, next, a->data);
    } else if (!(a->flags & KEY_USER)) {
        /* The numbers are biases. */
        const bool same = fabs(slopes[0] + slopes[1]) <= 1e-4;
        const double right = automatic_slope(before, key, next, a, weights, slopes[1]);
        slopes[0] = same ? right : automatic_slope(before, key, next, a, weights, -slopes[0]);
        slopes[1] = right;
    }
    set_handle(key->left, weights[0], key->time_s - before->time_s, slopes[0]);
    set_handle(key->right, weights[1], next->time_s - key->time_s, slopes[1]);
}

static bool is_constant(const FbxKey *keys, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (keys[i].value != keys[0].value || (keys[i].mode == FBX_CUBIC && i + 1 < count &&
                                               (keys[i].right[1] != 0 || keys[i + 1].left[1] != 0)))
            return false;
    return true;
}

static bool set_keys(FbxKey *keys, const FbxNumbers *times, const FbxNumbers *values, double second,
                     Diag *diag)
{
    for (size_t i = 0; i < times->count; i++) {
        keys[i].time_s = times->items[i] / second;
        if (!(fabs(keys[i].time_s) <= FBX_MAX_SECONDS) ||
            (i && keys[i].time_s < keys[i - 1].time_s))
            return diag_error(diag, "key %zu: time %g s is out of order or range (-%d..%d)", i,
                              keys[i].time_s, FBX_MAX_SECONDS, FBX_MAX_SECONDS);
        if (fabs(values->items[i]) > VMD_MAX_VALUE)
            return diag_error(diag, "key %zu: the value %g exceeds %d", i, values->items[i],
                              VMD_MAX_VALUE);
        keys[i].value = (float)values->items[i];
    }
    return true;
}

/* Flags and data apply to as many keys as KeyAttrRefCount says. */
bool fbx_curve_load(FbxCurve *curve, const FbxTree *tree, const FbxNode *node, double second,
                    Arena *arena, Diag *diag)
{
    Arena *own = arena_create();
    FbxNumbers times, values, flags, data, uses;
    bool good = fbx_numbers(&times, tree, node, "KeyTime", own, diag) &&
                fbx_numbers(&values, tree, node, "KeyValueFloat", own, diag) &&
                fbx_numbers(&flags, tree, node, "KeyAttrFlags", own, diag) &&
                fbx_numbers(&data, tree, node, "KeyAttrDataFloat", own, diag) &&
                fbx_numbers(&uses, tree, node, "KeyAttrRefCount", own, diag);
    if (good && times.count != values.count)
        good = diag_error(diag, "a curve has %zu times and %zu values", times.count, values.count);
    FbxKey *keys = good ? arena_array(own, FbxKey, times.count) : NULL;
    good = good && set_keys(keys, &times, &values, second, diag);
    if (good) {
        double slope = 0, weight = third, left = uses.count ? uses.items[0] : 1;
        size_t at = 0;
        for (size_t i = 0; i < times.count; i++) {
            const Attributes plain = {.weight = third, .next_weight = third};
            const Attributes a =
                at < flags.count
                    ? attributes_at(&flags, &data, at, tree->is_text && tree->version >= 7200)
                    : plain;
            set_tangents(keys, i, times.count, &a, &slope, &weight);
            if (--left <= 0 && at + 1 < flags.count)
                left = ++at < uses.count ? uses.items[at] : 1;
        }
        const size_t count = is_constant(keys, times.count) && times.count ? 1 : times.count;
        *curve = (FbxCurve){arena_copy(arena, keys, count * sizeof *keys), (uint32_t)count};
    }
    arena_destroy(own);
    return good;
}

/* ---- evaluation ---- */

/* The parameter at which a Bezier curve from 0 over a and b to 1 has this value. */
static double parameter_at(double a, double b, double x)
{
    double s = x, low = 0, high = 1;
    if (fabs(a - third) < 1e-4 && fabs(b - 1 + third) < 1e-4)
        return x;
    for (int i = 0; i < 48; i++) {
        const double u = 1 - s, at = 3 * u * u * s * a + 3 * u * s * s * b + s * s * s;
        if (at < x)
            low = s;
        else
            high = s;
        s = (low + high) / 2;
    }
    return s;
}

double fbx_curve_eval(const FbxCurve *curve, double time_s)
{
    uint32_t low = 0, high = curve->count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (curve->keys[middle].time_s <= time_s)
            low = middle;
        else
            high = middle;
    }
    const FbxKey *a = &curve->keys[low], *b = a + 1;
    const double from = (double)a->value;
    if (low + 1 == curve->count || time_s <= a->time_s || a->mode == FBX_STEP)
        return from;
    const double to = (double)b->value, span_s = b->time_s - a->time_s;
    const double part = (time_s - a->time_s) / span_s;
    if (a->mode == FBX_STEP_TO_NEXT)
        return to;
    if (a->mode == FBX_LINEAR)
        return from + part * (to - from);
    const double s = parameter_at((double)a->right[0] / span_s, 1 - (double)b->left[0] / span_s,
                                  part),
                 u = 1 - s;
    return u * u * u * from + 3 * u * u * s * (from + (double)a->right[1]) +
           3 * u * s * s * (to - (double)b->left[1]) + s * s * s * to;
}
