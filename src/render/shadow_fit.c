#include "render/shadow_fit.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* MMD's light matrix (reference, 4.5): depth is 0.15 D a unit, D the distance of the key; half the
 * width is 1 / (k D).  Mode 2 multiplies by 8000 times the map's coordinate: here by its middle. */
static const float DEPTH_SCALE = 0.15f;
static const float MODE_1_FACTOR = 1500.0f, MODE_2_FACTOR = 8000.0f * 0.5f;
static const float MODE_1_WIDTH = 2.0f, MODE_2_WIDTH = 3.0f;
static const float LEAST_DISTANCE = 1e-5f, MOST_DISTANCE = 1.0f; /* MMD's own: 0.00001 to 0.1 */

static const float STEEP = 0.99f;    /* a light so nearly upright has no sideways axis of its own */
enum { STEPS_PER_DOUBLE = 2 };       /* sizes of a texel */
static const double NEAR_STEPS = 64; /* a depth range is cut into so many for its near end */

ShadowAxes shadow_axes(const View *view)
{
    ShadowAxes light;
    vec3 *axes = light.axes;
    vec3 upright = {0, 1, 0}, ahead = {0, 0, 1}, to_light;

    memcpy(to_light, view->to_light, sizeof to_light);
    glm_vec3_negate_to(to_light, axes[SHADOW_ALONG]);
    glm_vec3_crossn(fabsf(to_light[1]) < STEEP ? upright : ahead, axes[SHADOW_ALONG],
                    axes[SHADOW_RIGHT]);
    glm_vec3_cross(axes[SHADOW_ALONG], axes[SHADOW_RIGHT], axes[SHADOW_UP]);
    return light;
}

DeformBox shadow_box(const ShadowAxes *light, const DeformBox *box, mat4 world)
{
    DeformBox out = {{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
    ShadowAxes copy = *light;

    if (box->low[0] > box->high[0])
        return out;
    for (int i = 0; i < 8; i++) {
        vec3 corner = {i & 1 ? box->high[0] : box->low[0], i & 2 ? box->high[1] : box->low[1],
                       i & 4 ? box->high[2] : box->low[2]};
        vec3 placed;

        glm_mat4_mulv3(world, corner, 1.0f, placed);
        for (int a = 0; a < 3; a++) {
            const float at = glm_vec3_dot(copy.axes[a], placed);

            out.low[a] = fminf(out.low[a], at);
            out.high[a] = fmaxf(out.high[a], at);
        }
    }
    return out;
}

bool shadow_boxes_meet(const DeformBox *a, const DeformBox *b)
{
    for (int i = SHADOW_RIGHT; i <= SHADOW_UP; i++)
        if (a->low[i] > b->high[i] || b->low[i] > a->high[i])
            return false;
    return true;
}

/* ---- what the map must show
 * ---------------------------------------------------------------------- */

typedef struct Ball {
    vec3 center;
    float radius;
} Ball;

/* Around all that the camera sees from `near` to `far`: its size does not change as the camera
 * turns. */
static Ball seen_ball(const View *view, float near, float far)
{
    const float *half = view->half_extent;
    const float t2 = half[0] * half[0] + half[1] * half[1];
    const bool flat = view->fixed_distance > 0.0f; /* orthographic */
    const float middle = 0.5f * (near + far);
    const float at = flat ? middle : fminf(far, middle * (1.0f + t2));
    const float corner2 = flat ? t2 : far * far * t2;
    Ball ball = {.radius = sqrtf((far - at) * (far - at) + corner2)};

    for (int i = 0; i < 3; i++)
        ball.center[i] = view->axes.eye[i] + at * view->axes.forward[i];
    return ball;
}

/* Cuts the box, and its sizes, to a ball's.  Sizes apart from the box: what is left of a box while
 * a ball moves over it changes all the time, and with it the texels would. */
static void cut(DeformBox *box, float sizes[3], const ShadowAxes *light, const Ball *ball)
{
    ShadowAxes axes = *light;
    Ball b = *ball;

    for (int i = 0; i < 3; i++) {
        const float at = glm_vec3_dot(axes.axes[i], b.center);

        box->low[i] = fmaxf(box->low[i], at - b.radius);
        box->high[i] = fminf(box->high[i], at + b.radius);
        sizes[i] = fminf(sizes[i], 2.0f * b.radius);
    }
}

/* The next of the sizes that a texel, or a range, may have. */
static double step_up(double size, int steps_per_double)
{
    return exp2(ceil(log2(size) * steps_per_double) / steps_per_double);
}

static void fit_depth(ShadowFit *fit, const DeformBox *box, float size)
{
    const double reach = 2.0 / (double)fit->darkening; /* of a full shadow, and some room */

    fit->range = step_up(((double)size + reach) * (1.0 + 2.0 / NEAR_STEPS), 1);
    fit->near = (double)box->low[SHADOW_ALONG] - reach;
    fit->near = floor(fit->near * NEAR_STEPS / fit->range) * fit->range / NEAR_STEPS;
}

static void fit_texels(ShadowFit *fit, const DeformBox *box, const float sizes[3], int side,
                       float soft)
{
    const int room = side - 2 - 2 * SHADOW_MARGIN - 2; /* 2: for rounding both ends */
    const double size = fmax((double)fmaxf(sizes[SHADOW_RIGHT], sizes[SHADOW_UP]), 1e-3);
    const double texel =
        fmax(step_up(size / room, STEPS_PER_DOUBLE), (double)soft / SHADOW_MAX_RADIUS);
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

/* Seen along the light, casters and receivers overlap here; only the receivers' depth matters. */
static DeformBox overlap(const ShadowScope *scope)
{
    DeformBox box = scope->receivers;

    for (int i = SHADOW_RIGHT; i <= SHADOW_UP; i++) {
        box.low[i] = fmaxf(box.low[i], scope->casters.low[i]);
        box.high[i] = fminf(box.high[i], scope->casters.high[i]);
    }
    return box;
}

ShadowFit shadow_fit(const ShadowScope *scope, const ShadowAxes *light, const View *view,
                     const ShadowState *state, int side, float soft)
{
    const bool wide = state->mode != 2;
    const float d = fminf(fmaxf(state->distance, LEAST_DISTANCE), MOST_DISTANCE);
    ShadowFit fit = {.light = *light,
                     .texel = 1.0,
                     .range = 1.0,
                     .radius = 1.0f,
                     .darkening = DEPTH_SCALE * d * (wide ? MODE_1_FACTOR : MODE_2_FACTOR)};
    Ball around = {.radius = 1.0f / (d * (wide ? MODE_1_WIDTH : MODE_2_WIDTH))};
    const Ball seen = seen_ball(view, scope->near, scope->far);
    DeformBox box = overlap(scope);
    float sizes[3];

    memcpy(around.center, view->target, sizeof around.center);
    for (int i = 0; i < 3; i++)
        sizes[i] = box.high[i] - box.low[i];
    cut(&box, sizes, light, &around);
    if (scope->near <= scope->far)
        cut(&box, sizes, light, &seen);
    for (int i = 0; i < 3; i++)
        if (scope->near > scope->far || !(box.low[i] <= box.high[i]))
            return fit;
    fit_depth(&fit, &box, sizes[SHADOW_ALONG]);
    fit_texels(&fit, &box, sizes, side, soft);
    return fit;
}

DeformBox shadow_fit_box(const ShadowFit *fit)
{
    return (DeformBox){{(float)fit->left, (float)(fit->top - fit->texel * fit->height), -FLT_MAX},
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
            out[3][row] += 1.0f; /* the free texel at the border */
    }
    out[3][3] = 1.0f;
}
