// SPDX-License-Identifier: MIT
#include "format/model/vrm_facing.h"

#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "base/units.h"
#include "format/model/vrm_bones.h"

static const double SNAP = 0.9063077870366499; /* cosine of 25 degrees */
static const double MIN_LENGTH = 1e-6;         /* metres, of a direction */

typedef struct Places {
    const char *const *human;
    const GltfMatrix *world;
    uint32_t count;
} Places;

static bool find_place(Vec3 *out, const Places *p, const char *human)
{
    const int32_t node = text_find(TEXT_WORDS(p->human, p->count), human);
    if (node < 0)
        return false;
    const double *m = p->world[node].m;
    *out = (Vec3){m[9], m[10], m[11]};
    return isfinite(m[9]) && isfinite(m[10]) && isfinite(m[11]);
}

/* The direction from one bone to another; zero if one is missing or both are at one place. */
static Vec3 direction(const Places *p, const char *from, const char *to)
{
    Vec3 a, b;
    if (!find_place(&a, p, from) || !find_place(&b, p, to))
        return (Vec3){0, 0, 0};
    const Vec3 along = vec3_sub(b, a);
    return vec3_length(along) > MIN_LENGTH ? vec3_normalize(along) : (Vec3){0, 0, 0};
}

/* From the right to the left bone of a part, perpendicular to `up`. */
static Vec3 to_left(const Places *p, const char *part, Vec3 up)
{
    char left[32], right[32];
    snprintf(left, sizeof left, "left%s", part);
    snprintf(right, sizeof right, "right%s", part);
    const Vec3 along = direction(p, right, left);
    return vec3_sub(along, vec3_scale(up, vec3_dot(along, up)));
}

/* The axis that a direction is near, else the direction: figures that lean a little, or whose
 * shoulders are not level, stay as they are. */
static Vec3 snap(Vec3 v)
{
    for (int k = 0; k < 3; k++) {
        const double part = vec3_component(v, k);
        if (fabs(part) > SNAP)
            return (Vec3){k == 0 ? copysign(1, part) : 0, k == 1 ? copysign(1, part) : 0,
                          k == 2 ? copysign(1, part) : 0};
    }
    return v;
}

/* Up and left of the figure, perpendicular, of unit length; false if its bones do not show them.
 * Neither depends on the pose of arms: upper arms and legs are at their first joint. */
static bool find_axes(Vec3 *up, Vec3 *left, const Places *p)
{
    Vec3 along = direction(p, "hips", "head");
    if (vec3_length(along) == 0)
        along = direction(p, "hips", "neck");
    if (vec3_length(along) == 0)
        return false;
    *up = snap(along);
    const Vec3 arms = to_left(p, "UpperArm", *up), legs = to_left(p, "UpperLeg", *up);
    const Vec3 sum = vec3_add(arms, legs);
    if (vec3_dot(arms, legs) < 0 || vec3_length(sum) < 0.1)
        return false;
    *left = vec3_normalize(sum);
    const Vec3 axis = snap(*left);
    if (fabs(vec3_dot(axis, *up)) < 1e-9)
        *left = axis;
    return true;
}

/* Toes point backwards: left and right are exchanged, which no rotation mends. */
static bool toes_disagree(const Places *p, Vec3 forward)
{
    const double left = vec3_dot(direction(p, "leftFoot", "leftToes"), forward);
    const double right = vec3_dot(direction(p, "rightFoot", "rightToes"), forward);
    return left < -0.3 && right < -0.3;
}

/* How far the figure has to be raised to stand on the ground, metres, after it was turned: its
 * origin may have been anywhere.  Ankles of a standing figure are within a tenth of its height. */
static double find_lift(const Places *p, Quat turn)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (uint32_t i = 0; i < p->count; i++) {
        const double *m = p->world[i].m;
        const double y = quat_rotate(turn, (Vec3){m[9], m[10], m[11]}).y;
        if (!p->human[i] || !isfinite(y))
            continue;
        low = fmin(low, y);
        high = fmax(high, y);
    }
    const double height = high - low;
    return low < -0.01 * height || low > 0.1 * height ? 0.05 * height - low : 0;
}

static void turn_nodes(GltfFile *file, Quat turn, double lift)
{
    const Vec3 x = quat_rotate(turn, (Vec3){1, 0, 0}), y = quat_rotate(turn, (Vec3){0, 1, 0}),
               z = quat_rotate(turn, (Vec3){0, 0, 1});
    const GltfMatrix m = {{x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z, 0, lift, 0}};
    for (uint32_t i = 0; i < file->node_count; i++) {
        GltfNode *node = &file->nodes[i];
        if (node->parent >= 0)
            continue;
        node->local = gltf_matrix_mul(m, node->local);
        node->translation = gltf_matrix_apply(&m, node->translation);
        node->rotation = quat_normalize(quat_mul(turn, node->rotation));
    }
}

static double degrees(double cosine)
{
    return acos(fmin(fmax(cosine, -1), 1)) * 180 / PI;
}

void vrm_facing_correct(GltfFile *file, const char *const *human, bool older, Arena *scratch,
                        Diag *diag)
{
    const Places places = {human, gltf_world(file, scratch), file->node_count};
    const Vec3 y = {0, 1, 0}, wanted = {older ? -1 : 1, 0, 0};
    Vec3 up, left;
    if (!find_axes(&up, &left, &places) || (up.y == 1 && vec3_dot(left, wanted) == 1))
        return;
    if (toes_disagree(&places, vec3_cross(left, up))) {
        diag_note(diag, "left and right humanoid bones are exchanged: arms and legs are on the "
                        "other side of the figure than its toes say");
        return;
    }
    const Quat upright = quat_between(up, y);
    const Vec3 level = quat_rotate(upright, left);
    const double angle = (older ? PI : 0) - atan2(-level.z, level.x);
    const Quat turn = quat_mul(quat_from_axis_angle(y, angle), upright);
    turn_nodes(file, turn, up.y == 1 ? 0 : find_lift(&places, turn));
    const double tilt = degrees(up.y), turned = degrees(vec3_dot(level, wanted));
    char text[64] = "";
    size_t used = 0;
    if (tilt >= 0.5)
        used = (size_t)snprintf(text, sizeof text, "tilted by %.0f degrees%s", tilt,
                                turned >= 0.5 ? " and " : "");
    if (turned >= 0.5)
        snprintf(text + used, sizeof text - used, "turned by %.0f degrees", turned);
    diag_note(
        diag,
        "its humanoid bones are %s; the figure is turned, so that it stands upright and faces "
        "forward",
        text);
}
