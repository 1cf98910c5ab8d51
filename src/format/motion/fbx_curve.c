// SPDX-License-Identifier: MIT
#include "format/motion/fbx_curve.h"

#include <math.h>
#include <string.h>

#include "format/motion/fbx.h"
#include "format/motion/vmd.h"

/* KeyAttrFlags; format/motion/README.md 4.4 */
enum {
    KEY_STEP = 0x2,
    KEY_CUBIC = 0x8,
    KEY_STEP_TO_NEXT = 0x100,
    KEY_USER = 0x400,
    KEY_CLAMP = 0x1000,
    KEY_TIME_INDEPENDENT = 0x2000,
    KEY_CLAMP_PROGRESSIVE = 0x4000,
    KEY_WEIGHTED = 0x1000000,
    KEY_WEIGHTED_NEXT = 0x2000000
};

static const float third = 0.333333F;

/* The slope of an automatic tangent, from the keys beside it; before or next may be the key. */
static double automatic_slope(const FbxKey *before, const FbxKey *key, const FbxKey *next,
                              uint32_t flags)
{
    const double left_s = key->time_s - before->time_s, right_s = next->time_s - key->time_s;
    const double fall = (double)key->value - (double)before->value;
    const double rise = (double)next->value - (double)key->value;
    const bool is_inner = left_s > 0 && right_s > 0;
    if (!(left_s + right_s > 0) || (!is_inner && flags & KEY_CLAMP_PROGRESSIVE) ||
        (flags & KEY_CLAMP &&
         ((left_s > 0 && fabs(fall) <= 0.001) || (right_s > 0 && fabs(rise) <= 0.001))))
        return 0;
    double slope = (fall + rise) / (left_s + right_s);
    if (is_inner && !(flags & KEY_TIME_INDEPENDENT))
        slope =
            (slope + (fall / left_s * right_s + rise / right_s * left_s) / (left_s + right_s)) / 2;
    if (is_inner && flags & KEY_CLAMP_PROGRESSIVE) {
        const double sign = slope < 0 ? -1 : 1;
        const double left = sign * fall / fmax((double)key->weights[0] * left_s, 1e-9);
        const double right = sign * rise / fmax((double)key->weights[1] * right_s, 1e-9);
        slope = sign * fmax(fmin(fabs(slope), fmin(left, right)), 0);
    }
    return slope;
}

/* flags, data: KeyAttrFlags; of KeyAttrDataFloat the slope to the right, that of the next key to
 * the left and both weights as u16 in 1/10000.  The key before this one has set what is to the
 * left. */
static void set_tangents(FbxKey *keys, size_t i, size_t count, uint32_t flags, const float data[3])
{
    FbxKey *key = &keys[i], *next = i + 1 < count ? key + 1 : key;
    const FbxKey *before = i ? key - 1 : key;
    uint32_t weights;
    memcpy(&weights, &data[2], sizeof weights);
    const bool is_cubic = flags & KEY_CUBIC && !(flags & KEY_STEP);
    key->flags = flags;
    key->weights[1] = flags & KEY_WEIGHTED ? fminf((float)(weights & 0xFFFF) * 1e-4F, 1) : third;
    if (is_cubic && flags & KEY_USER)
        key->slopes[1] = isfinite(data[0]) ? data[0] : 0;
    else if (is_cubic)
        key->slopes[0] = key->slopes[1] = (float)automatic_slope(before, key, next, flags);
    if (next == key)
        return;
    next->slopes[0] = is_cubic && isfinite(data[1]) ? data[1] : 0;
    next->weights[0] = flags & KEY_WEIGHTED_NEXT ? fminf((float)(weights >> 16) * 1e-4F, 1) : third;
}

/* The first three numbers of a key; integers: they are the bits of floats. */
static void read_data(float out[3], const FbxNumbers *data, size_t at, bool integers)
{
    for (size_t k = 0; k < 3; k++) {
        const double number = 4 * at + k < data->count ? data->items[4 * at + k] : 0;
        const uint32_t bits = (uint32_t)(int64_t)fmin(fmax(number, INT32_MIN), UINT32_MAX);
        out[k] = (float)number;
        if (integers)
            memcpy(&out[k], &bits, sizeof bits);
    }
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
    static const char *const names[] = {"KeyTime", "KeyValueFloat", "KeyAttrFlags",
                                        "KeyAttrDataFloat", "KeyAttrRefCount"};
    Arena *own = arena_create();
    FbxNumbers n[5];
    bool good = true;
    for (int i = 0; good && i < 5; i++)
        good = fbx_numbers(&n[i], node, names[i], own, diag);
    if (good && n[0].count != n[1].count)
        good = diag_error(diag, "a curve has %zu times and %zu values", n[0].count, n[1].count);
    FbxKey *keys = arena_array(arena, FbxKey, good ? n[0].count : 0);
    good = good && set_keys(keys, &n[0], &n[1], second, diag);
    if (good) {
        *curve = (FbxCurve){keys, (uint32_t)n[0].count};
        double left = n[4].count ? n[4].items[0] : 1;
        for (size_t i = 0, at = 0; i < curve->count; i++) {
            float data[3];
            read_data(data, &n[3], at, tree->is_text && tree->version >= 7200);
            const double flags = at < n[2].count ? fmin(fmax(n[2].items[at], 0), UINT32_MAX) : 0;
            set_tangents(keys, i, curve->count, (uint32_t)flags, data);
            if (--left <= 0 && at + 1 < n[2].count)
                left = ++at < n[4].count ? n[4].items[at] : 1;
        }
    }
    arena_destroy(own);
    return good;
}

/* ---- evaluation ---- */

static double bezier(double from, double a, double b, double to, double s)
{
    const double u = 1 - s;
    return u * u * u * from + 3 * u * s * (u * a + s * b) + s * s * s * to;
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
    if (low + 1 == curve->count || time_s <= a->time_s)
        return from;
    const double to = (double)b->value, span_s = b->time_s - a->time_s;
    const double part = (time_s - a->time_s) / span_s;
    if (a->flags & KEY_STEP)
        return a->flags & KEY_STEP_TO_NEXT ? to : from;
    if (!(a->flags & KEY_CUBIC))
        return from + part * (to - from);
    /* The parameter at which the curve has this time. */
    const double right = (double)a->weights[1], left = (double)b->weights[0];
    double first = 0, last = 1, s = part;
    for (int i = 0; i < 48 && (a->weights[1] != third || b->weights[0] != third); i++) {
        if (bezier(0, right, 1 - left, 1, s) < part)
            first = s;
        else
            last = s;
        s = (first + last) / 2;
    }
    const double value = bezier(from, from + right * span_s * (double)a->slopes[1],
                                to - left * span_s * (double)b->slopes[0], to, s);
    return fmin(fmax(value, -VMD_MAX_VALUE), VMD_MAX_VALUE);
}
