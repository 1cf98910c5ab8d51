// SPDX-License-Identifier: MIT
#include "render/shadow/shadow_fit.h"

#include <math.h>
#include <string.h>

#include "render/same_bytes.h"

/* MMD's light matrix (render/README.md 8.2): a unit is 0.15 D of depth, where D is the distance of
 * the shadow key; half the width is 1 / (k D).  Mode 2 multiplies by 8000 times the map's y
 * coordinate; its mean, a half, is used here. */
static const float DEPTH_SCALE = 0.15f;
static const float MODE_1_FACTOR = 1500.0f, MODE_2_FACTOR = 8000.0f * 0.5f;
static const float MODE_1_WIDTH = 2.0f, MODE_2_WIDTH = 3.0f;
static const float MIN_DISTANCE = 1e-5f, MAX_DISTANCE = 1.0f; /* MMD writes 0.00001 to 0.1 */

static const float MAX_VERTICAL = 0.99f; /* a steeper light needs another reference axis */
enum { STEPS_PER_DOUBLE = 2 };           /* texel sizes per factor of two */
static const double NEAR_STEPS = 64; /* the near plane moves in this fraction of the depth range */

ShadowAxes shadow_axes(const View *view)
{
    ShadowAxes light;
    vec3 *axes = light.axes;
    vec3 upright = {0, 1, 0}, forward = {0, 0, 1}, to_light;

    memcpy(to_light, view->to_light, sizeof to_light);
    glm_vec3_negate_to(to_light, axes[SHADOW_FORWARD]);
    glm_vec3_crossn(fabsf(to_light[1]) < MAX_VERTICAL ? upright : forward, axes[SHADOW_FORWARD],
                    axes[SHADOW_RIGHT]);
    glm_vec3_cross(axes[SHADOW_FORWARD], axes[SHADOW_RIGHT], axes[SHADOW_UP]);
    return light;
}

BoundingBox shadow_box(const ShadowAxes *light, const BoundingBox *box, mat4 world)
{
    BoundingBox out = BOX_EMPTY;
    ShadowAxes copy = *light;

    for (int i = 0; i < 8 && box->low[0] <= box->high[0]; i++) {
        vec3 corner, placed, position;

        box_corner(corner, box, i);
        glm_mat4_mulv3(world, corner, 1.0f, placed);
        for (int a = 0; a < 3; a++)
            position[a] = glm_vec3_dot(copy.axes[a], placed);
        box_add(&out, position, position);
    }
    return out;
}

bool shadow_boxes_overlap(const BoundingBox *a, const BoundingBox *b)
{
    for (int i = SHADOW_RIGHT; i <= SHADOW_UP; i++)
        if (a->low[i] > b->high[i] || b->low[i] > a->high[i])
            return false;
    return true;
}

/* ---- the part of the world to show ---- */

typedef struct Sphere {
    vec3 center;
    float radius;
} Sphere;

/* Contains all that the camera sees from `near` to `far`; the radius does not change as the camera
 * turns. */
static Sphere visible_sphere(const View *view, float near, float far)
{
    const float *half = view->half_extent;
    const float t2 = half[0] * half[0] + half[1] * half[1];
    const bool orthographic = view->fixed_distance > 0.0f;
    const float middle = 0.5f * (near + far);
    const float position = orthographic ? middle : fminf(far, middle * (1.0f + t2));
    const float corner2 = orthographic ? t2 : far * far * t2;
    Sphere sphere = {.radius = sqrtf((far - position) * (far - position) + corner2)};

    for (int i = 0; i < 3; i++)
        sphere.center[i] = view->axes.eye[i] + position * view->axes.forward[i];
    return sphere;
}

/* Clips the box and its sizes to a sphere.  Sizes are clipped separately, by the sphere's diameter:
 * the clipped box of a moving sphere changes all the time, and the texel size must not. */
static void clip_to_sphere(BoundingBox *box, float sizes[3], const ShadowAxes *light,
                           const Sphere *sphere)
{
    ShadowAxes axes = *light;
    Sphere b = *sphere;

    for (int i = 0; i < 3; i++) {
        const float position = glm_vec3_dot(axes.axes[i], b.center);

        box->low[i] = fmaxf(box->low[i], position - b.radius);
        box->high[i] = fminf(box->high[i], position + b.radius);
        sizes[i] = fminf(sizes[i], 2.0f * b.radius);
    }
}

/* The smallest allowed size that is not below `size`. */
static double round_up_to_step(double size, int steps_per_double)
{
    return exp2(ceil(log2(size) * steps_per_double) / steps_per_double);
}

static void fit_depth(ShadowFit *fit, const BoundingBox *box, float size)
{
    const double margin = 2.0 / (double)fit->darkening; /* depth of a full shadow, with reserve */

    fit->range = round_up_to_step(((double)size + margin) * (1.0 + 2.0 / NEAR_STEPS), 1);
    fit->near = (double)box->low[SHADOW_FORWARD] - margin;
    fit->near = floor(fit->near * NEAR_STEPS / fit->range) * fit->range / NEAR_STEPS;
}

static void fit_texels(ShadowFit *fit, const BoundingBox *box, const float sizes[3], int side,
                       float soft)
{
    const int available = side - 2 - 2 * SHADOW_MARGIN - 2; /* 2: rounding at both ends */
    const double size = fmax((double)fmaxf(sizes[SHADOW_RIGHT], sizes[SHADOW_UP]), 1e-3);
    const double texel = fmax(round_up_to_step(size / available, STEPS_PER_DOUBLE),
                              (double)soft / SHADOW_MAX_RADIUS);
    const double left = floor((double)box->low[SHADOW_RIGHT] / texel) - SHADOW_MARGIN;
    const double right = ceil((double)box->high[SHADOW_RIGHT] / texel) + SHADOW_MARGIN;
    const double low = floor((double)box->low[SHADOW_UP] / texel) - SHADOW_MARGIN;
    const double top = ceil((double)box->high[SHADOW_UP] / texel) + SHADOW_MARGIN;

    fit->texel = texel;
    fit->left = left * texel;
    fit->top = top * texel;
    fit->width = (int)fmin(right - left, side - 2);
    fit->height = (int)fmin(top - low, side - 2);
    fit->radius = fmaxf((float)((double)soft / texel), 1.0f);
}

ShadowFit shadow_fit(const ShadowScope *scope, const ShadowAxes *light, const View *view,
                     const ShadowState *state, int side, float soft)
{
    const bool wide = state->mode != 2;
    const float d = fminf(fmaxf(state->distance, MIN_DISTANCE), MAX_DISTANCE);
    ShadowFit fit = {.light = *light,
                     .texel = 1.0,
                     .range = 1.0,
                     .radius = 1.0f,
                     .darkening = DEPTH_SCALE * d * (wide ? MODE_1_FACTOR : MODE_2_FACTOR)};
    Sphere mmd_range = {.radius = 1.0f / (d * (wide ? MODE_1_WIDTH : MODE_2_WIDTH))};
    const bool sees_all = view->surrounds; /* together with the other views */
    const Sphere visible = visible_sphere(view, scope->near, scope->far);
    BoundingBox box = scope->receivers;
    float sizes[3];

    /* The area where casters and receivers overlap, seen along the light, with the receivers'
     * depth. */
    for (int i = SHADOW_RIGHT; i <= SHADOW_UP; i++) {
        box.low[i] = fmaxf(box.low[i], scope->casters.low[i]);
        box.high[i] = fminf(box.high[i], scope->casters.high[i]);
    }
    memcpy(mmd_range.center, view->target, sizeof mmd_range.center);
    for (int i = 0; i < 3; i++)
        sizes[i] = box.high[i] - box.low[i];
    clip_to_sphere(&box, sizes, light, &mmd_range);
    if (!sees_all && scope->near <= scope->far)
        clip_to_sphere(&box, sizes, light, &visible);
    for (int i = 0; i < 3; i++)
        if ((!sees_all && scope->near > scope->far) || !(box.low[i] <= box.high[i]))
            return fit;
    fit_depth(&fit, &box, sizes[SHADOW_FORWARD]);
    fit_texels(&fit, &box, sizes, side, soft);
    return fit;
}

bool shadow_fit_equal(const ShadowFit *a, const ShadowFit *b)
{
    return same_bytes(&a->light, &b->light, sizeof a->light) && a->texel == b->texel &&
           a->left == b->left && a->top == b->top && a->near == b->near && a->range == b->range &&
           a->width == b->width && a->height == b->height && a->radius == b->radius &&
           a->darkening == b->darkening;
}

BoundingBox shadow_fit_bounds(const ShadowFit *fit)
{
    return (BoundingBox){{(float)fit->left, (float)(fit->top - fit->texel * fit->height), -FLT_MAX},
                         {(float)(fit->left + fit->texel * fit->width), (float)fit->top,
                          (float)(fit->near + fit->range)}};
}

void shadow_fit_matrix(mat4 out, const ShadowFit *fit, mat4 world)
{
    const double scales[3] = {1.0 / fit->texel, -1.0 / fit->texel, 1.0 / fit->range};
    const double starts[3] = {fit->left, fit->top, fit->near};

    glm_mat4_zero(out);
    for (int row = 0; row < 3; row++) {
        const float *axis = fit->light.axes[row];

        for (int column = 0; column < 4; column++) {
            double sum = column == 3 ? -starts[row] : 0.0;

            for (int k = 0; k < 3; k++)
                sum += (double)axis[k] * (double)world[column][k];
            out[column][row] = (float)(sum * scales[row]);
        }
        if (row < 2)
            out[3][row] += 1.0f; /* the unused border texel */
    }
    out[3][3] = 1.0f;
}
