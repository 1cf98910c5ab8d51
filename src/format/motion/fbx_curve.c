// SPDX-License-Identifier: MIT
#include "format/motion/fbx_curve.h"

#include <math.h>
#include <string.h>

#include "format/motion/mocap.h"
#include "format/motion/vmd.h"
#include "math/key_span.h"

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

static const double third = 1 / 3.0;

/* The slope of an automatic tangent, from the keys beside it; before or next may be the key. */
static double automatic_slope(const FbxKey *before, const FbxKey *key, const FbxKey *next,
                              uint32_t flags)
{
    const double left_s = key->time_s - before->time_s, right_s = next->time_s - key->time_s;
    const double fall = key->value - before->value, rise = next->value - key->value;
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
        const double left = sign * fall / fmax(key->weights[0] * left_s, 1e-9);
        const double right = sign * rise / fmax(key->weights[1] * right_s, 1e-9);
        slope = sign * fmax(fmin(fabs(slope), fmin(left, right)), 0);
    }
    return slope;
}

/* A number of KeyAttrDataFloat; in some texts its bits are written, as a whole number. */
static float data_at(const FbxNumbers *data, size_t at, bool is_bits)
{
    const double number = at < data->count ? data->items[at] : 0;
    const uint32_t bits = (uint32_t)(int64_t)fmin(fmax(number, INT32_MIN), UINT32_MAX);
    float out = (float)number;
    if (is_bits)
        memcpy(&out, &bits, sizeof out);
    return isfinite(out) ? out : 0;
}

/* flags; data: the slope to the right, that of the next key to the left and both weights as u16 in
 * 1/10000.  The key before this one has set what is to the left. */
static void set_tangents(FbxKey *key, bool is_first, bool is_last, const float data[3])
{
    FbxKey *next = is_last ? key : key + 1;
    uint32_t weights;
    memcpy(&weights, &data[2], sizeof weights);
    const bool is_cubic = key->flags & KEY_CUBIC && !(key->flags & KEY_STEP);
    key->weights[1] = key->flags & KEY_WEIGHTED ? fmin((weights & 0xFFFF) * 1e-4, 1) : third;
    if (is_cubic && key->flags & KEY_USER)
        key->slopes[1] = (double)data[0];
    else if (is_cubic)
        key->slopes[0] = key->slopes[1] =
            automatic_slope(is_first ? key : key - 1, key, next, key->flags);
    if (is_last)
        return;
    next->slopes[0] = is_cubic ? (double)data[1] : 0;
    next->weights[0] = key->flags & KEY_WEIGHTED_NEXT ? fmin((weights >> 16) * 1e-4, 1) : third;
}

/* Flags and data apply to as many keys as KeyAttrRefCount says. */
static bool set_keys(FbxKey *keys, const FbxNumbers n[5], bool is_bits, double second, Diag *diag)
{
    for (size_t i = 0; i < n[0].count; i++) {
        keys[i].time_s = n[0].items[i] / second;
        keys[i].value = (double)(float)n[1].items[i];
        if (!(fabs(keys[i].time_s) <= MOCAP_MAX_SECONDS) ||
            (i && keys[i].time_s < keys[i - 1].time_s))
            return diag_error(diag, "key %zu: time %g s is out of order or range (-%d..%d)", i,
                              keys[i].time_s, MOCAP_MAX_SECONDS, MOCAP_MAX_SECONDS);
        if (fabs(keys[i].value) > VMD_MAX_VALUE)
            return diag_error(diag, "key %zu: the value %g exceeds %d", i, keys[i].value,
                              VMD_MAX_VALUE);
    }
    double left = n[4].count ? n[4].items[0] : 1;
    for (size_t i = 0, at = 0; i < n[0].count; i++) {
        float data[3];
        for (size_t k = 0; k < 3; k++)
            data[k] = data_at(&n[3], 4 * at + k, is_bits);
        keys[i].flags = at < n[2].count ? (uint32_t)fmin(fmax(n[2].items[at], 0), UINT32_MAX) : 0;
        set_tangents(&keys[i], !i, i + 1 == n[0].count, data);
        if (--left <= 0 && at + 1 < n[2].count)
            left = ++at < n[4].count ? n[4].items[at] : 1;
    }
    return true;
}

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
    good = good && set_keys(keys, n, tree->root.is_text && tree->version >= 7200, second, diag);
    *curve = (FbxCurve){keys, (uint32_t)n[0].count};
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
    const size_t at = key_span_find(curve->keys, sizeof *curve->keys, curve->count, time_s);
    const FbxKey *a = &curve->keys[at], *b = a + 1;
    if (at + 1 == curve->count || time_s <= a->time_s)
        return a->value;
    const double span_s = b->time_s - a->time_s, part = (time_s - a->time_s) / span_s;
    if (a->flags & KEY_STEP)
        return a->flags & KEY_STEP_TO_NEXT ? b->value : a->value;
    if (!(a->flags & KEY_CUBIC))
        return a->value + part * (b->value - a->value);
    /* The parameter at which the curve has this time. */
    const double right = a->weights[1], left = b->weights[0];
    double first = 0, last = 1, s = part;
    for (int i = 0; i < 48 && (right != third || left != third); i++) {
        if (bezier(0, right, 1 - left, 1, s) < part)
            first = s;
        else
            last = s;
        s = (first + last) / 2;
    }
    const double value = bezier(a->value, a->value + right * span_s * a->slopes[1],
                                b->value - left * span_s * b->slopes[0], b->value, s);
    return fmin(fmax(value, -VMD_MAX_VALUE), VMD_MAX_VALUE);
}
