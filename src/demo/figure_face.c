// SPDX-License-Identifier: MIT
#include "demo/figure_parts.h"

#include <math.h>

/* Lift of the layers of the face above the skin (see figure_parts.h). */
#define LIFT_WHITE (-0.075f)
#define LIFT_IRIS (-0.045f)
#define LIFT_BLUSH 0.005f
#define LIFT_MOUTH 0.006f
#define LIFT_LINE 0.010f
#define LIFT_LASH 0.014f

static vec3s forward(void)
{
    return vec(0.0f, 0.0f, -1.0f);
}

/* ---- eyes ---- */

/* A grid of n x n vertices on an eye: a and b from -1 to 1 times the half size. */
static void add_eye_sheet(Shape *shape, Side side, int n, vec2s half, float lift, Bind bind)
{

    shape_begin(shape);
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++) {
            const float u = (float)c / (float)(n - 1), v = (float)r / (float)(n - 1);
            const float a = (2.0f * u - 1.0f) * half.x, b = (1.0f - 2.0f * v) * half.y;
            /* mirrored on the right, so that the highlights of both eyes are on the same side */
            shape_point(shape, eye_point(side, side == LEFT ? a : -a, b, lift), u, v, bind);
        }
    shape_grid(shape, n, n);
    shape_end_sheet(shape, forward());
}

void face_add_whites(Shape *shape)
{

    for (Side side = LEFT; side <= RIGHT; side++)
        add_eye_sheet(shape, side, 11, (vec2s){{1.15f, 1.1f}}, LIFT_WHITE, bind_one(BONE_HEAD));
}

void face_add_irises(Shape *shape)
{
    for (Side side = LEFT; side <= RIGHT; side++) {
        add_eye_sheet(shape, side, 9, (vec2s){{0.74f, 0.97f}}, LIFT_IRIS,
                      bind_one(bone_of(PAIR_EYE, side)));
    }
}

/* ---- lashes and brows ---- */

enum { STROKE_MAX = 40 };

/* A line drawn on the face: a ribbon around points with a half width each. */
typedef struct Stroke {
    int count;
    vec2s at[STROKE_MAX], blink[STROKE_MAX], happy[STROKE_MAX];
    float half[STROKE_MAX];
} Stroke;

static vec2s stroke_normal(const vec2s *points, int count, int i)
{
    const vec2s a = points[i > 0 ? i - 1 : 0], b = points[i + 1 < count ? i + 1 : count - 1];
    const vec2s along = glms_vec2_sub(b, a);

    return glms_vec2_normalize((vec2s){{-along.y, along.x}});
}

static vec2s stroke_point(const vec2s *points, const Stroke *stroke, int i, float offset)
{
    return glms_vec2_add(points[i],
                         glms_vec2_scale(stroke_normal(points, stroke->count, i), offset));
}

static void add_lash(Shape *shape, Side side, const Stroke *stroke)
{

    shape_begin(shape);
    for (int i = 0; i < stroke->count; i++)
        for (int edge = 0; edge < 2; edge++) {
            const float offset = edge ? stroke->half[i] : -stroke->half[i];
            const vec2s at = stroke_point(stroke->at, stroke, i, offset);
            const vec2s blink = stroke_point(stroke->blink, stroke, i, 0.8f * offset);
            const vec2s happy = stroke_point(stroke->happy, stroke, i, 0.8f * offset);
            const uint32_t vertex =
                shape_point(shape, eye_point(side, at.x, at.y, LIFT_LASH), 0.5f,
                            (float)i / (float)(stroke->count - 1), bind_one(BONE_HEAD));
            morph_close_eye(shape, vertex, side, eye_point(side, blink.x, blink.y, LIFT_LASH),
                            eye_point(side, happy.x, happy.y, LIFT_LASH));
        }
    shape_grid(shape, stroke->count, 2);
    shape_end_sheet(shape, forward());
}

/* A stroke along the edge of the lids between two angles; `width` of the position 0..1 on it. */
static Stroke edge_stroke(float from, float to, float (*width)(float))
{
    Stroke stroke = {.count = 30};

    for (int i = 0; i < stroke.count; i++) {
        const float t = (float)i / (float)(stroke.count - 1);
        const vec2s edge = eye_edge(mix(from, to, t));
        stroke.half[i] = width(t);
        stroke.at[i] = glms_vec2_scale(edge, 1.0f + 0.7f * stroke.half[i]);
        stroke.blink[i] = eye_edge_closed(edge, false);
        stroke.happy[i] = eye_edge_closed(edge, true);
    }
    return stroke;
}

/* Thick above the outer half, pointed at both ends. */
static float upper_width(float t)
{
    return 0.010f + 0.135f * powf(fmaxf(sinf(GLM_PIf * powf(t, 0.66f)), 0.0f), 0.9f);
}

static float lower_width(float t)
{
    return 0.006f + 0.026f * sinf(GLM_PIf * t);
}

/* The outer end of the upper lashes. */
static Stroke wing_stroke(vec2s tip, float from)
{
    Stroke stroke = {.count = 8};
    const vec2s root = eye_edge(from);

    for (int i = 0; i < stroke.count; i++) {
        const float t = (float)i / (float)(stroke.count - 1);
        const vec2s at = glms_vec2_lerp(root, tip, t);
        const vec2s swing = {{0.0f, 0.12f * t * (1.0f - t)}};
        const vec2s out = glms_vec2_sub(at, root);
        stroke.half[i] = 0.095f * (1.0f - t) + 0.006f;
        stroke.at[i] = glms_vec2_sub(at, swing);
        stroke.blink[i] =
            glms_vec2_add(eye_edge_closed(root, false), (vec2s){{out.x, 0.3f * out.y}});
        stroke.happy[i] = glms_vec2_add(eye_edge_closed(root, true), (vec2s){{out.x, -out.y}});
    }
    return stroke;
}

static void add_brow(Shape *shape, Side side)
{
    enum { POINTS = 12 };

    shape_begin(shape);
    for (int i = 0; i < POINTS; i++)
        for (int edge = 0; edge < 2; edge++) {
            const float t = (float)i / (POINTS - 1);
            const float theta = side_sign(side) * mix(13.0f, 40.0f, t);
            const float half = 1.15f * (1.0f - t) + 0.15f;
            const float phi =
                16.5f + 4.0f * sinf(GLM_PIf * (0.15f + 0.75f * t)) + (edge ? half : -half);
            const uint32_t vertex = shape_point(shape, head_point(theta, phi, LIFT_LINE), 0.5f,
                                                0.5f, bind_one(BONE_HEAD));
            morph_move(shape, MORPH_BROW_TROUBLE, vertex,
                       head_point(theta, phi + mix(3.0f, -4.0f, t), LIFT_LINE));
            morph_move(shape, MORPH_BROW_UP, vertex, head_point(theta, phi + 4.0f, LIFT_LINE));
        }
    shape_grid(shape, POINTS, 2);
    shape_end_sheet(shape, forward());
}

void face_add_lines(Shape *shape)
{
    const Stroke upper = edge_stroke(2.0f, 160.0f, upper_width);
    const Stroke lower = edge_stroke(-20.0f, -70.0f, lower_width);
    const Stroke wing = wing_stroke((vec2s){{1.38f, 0.30f}}, 22.0f);
    const Stroke second = wing_stroke((vec2s){{1.30f, -0.02f}}, 8.0f);

    for (Side side = LEFT; side <= RIGHT; side++) {
        add_lash(shape, side, &upper);
        add_lash(shape, side, &lower);
        add_lash(shape, side, &wing);
        add_lash(shape, side, &second);
        add_brow(shape, side);
    }
}

/* ---- mouth ---- */

/* A mouth in degrees on the face: half width, how much higher the corners are than the middle, and
 * how far the lips open upwards and downwards there. */
typedef struct Lips {
    float half_width, corners, up, down;
} Lips;

/* Slightly open, so that the normals of its triangles are defined. */
static const Lips SHUT = {8.2f, 2.6f, 0.0f, 0.05f};

static const Lips SPOKEN[] = {
    [MORPH_A] = {6.6f, 1.0f, 2.2f, 7.5f}, [MORPH_I] = {8.2f, 2.2f, 0.8f, 2.2f},
    [MORPH_U] = {2.6f, 0.0f, 1.4f, 2.2f}, [MORPH_E] = {7.4f, 1.2f, 1.6f, 4.2f},
    [MORPH_O] = {4.2f, 0.0f, 2.6f, 5.2f}, [MORPH_GRIN] = {9.5f, 4.2f, -0.6f, 4.6f},
};

/* x from -1 to 1 across, row 0 at the upper lip, 1 at the lower. */
static vec3s lips_point(const Lips *lips, float x, float row, float lift)
{
    const float open = powf(fmaxf(1.0f - x * x, 0.0f), 0.6f);
    const float line = lips->corners * (x * x - 0.5f);
    const float phi = -40.0f + line + open * mix(lips->up, -lips->down, row);

    return head_point(lips->half_width * x, phi, lift);
}

static void move_lips(Shape *shape, uint32_t vertex, float x, float row, float lift, float offset)
{
    for (FaceMorph m = MORPH_A; m <= MORPH_GRIN; m++) {
        vec3s to = lips_point(&SPOKEN[m], x, row, lift);
        to.y += offset;
        morph_move(shape, m, vertex, to);
    }
}

enum { MOUTH_COLUMNS = 19, MOUTH_ROWS = 6 };

static float mouth_x(int column)
{
    return 2.0f * (float)column / (MOUTH_COLUMNS - 1) - 1.0f;
}

static void add_mouth_inside(Shape *shape)
{

    shape_begin(shape);
    for (int r = 0; r < MOUTH_ROWS; r++)
        for (int c = 0; c < MOUTH_COLUMNS; c++) {
            const float x = mouth_x(c), row = (float)r / (MOUTH_ROWS - 1);
            const uint32_t vertex = shape_point(shape, lips_point(&SHUT, x, row, LIFT_MOUTH),
                                                0.5f + 0.5f * x, 0.9f * row, bind_one(BONE_HEAD));
            move_lips(shape, vertex, x, row, LIFT_MOUTH, 0.0f);
        }
    shape_grid(shape, MOUTH_ROWS, MOUTH_COLUMNS);
    shape_end_sheet(shape, forward());
}

/* The line of one lip; the texture's last rows hold its color. */
static void add_lip_line(Shape *shape, float row)
{

    shape_begin(shape);
    for (int c = 0; c < MOUTH_COLUMNS; c++)
        for (int edge = 0; edge < 2; edge++) {
            const float x = mouth_x(c);
            const float half = 0.008f + 0.026f * (1.0f - x * x), offset = edge ? half : -half;
            vec3s at = lips_point(&SHUT, x, row, LIFT_LINE);
            at.y += offset;
            const uint32_t vertex = shape_point(shape, at, 0.5f, 0.98f, bind_one(BONE_HEAD));
            move_lips(shape, vertex, x, row, LIFT_LINE, offset);
        }
    shape_grid(shape, MOUTH_COLUMNS, 2);
    shape_end_sheet(shape, forward());
}

void face_add_mouth(Shape *shape)
{
    add_mouth_inside(shape);
    add_lip_line(shape, 0.0f);
    add_lip_line(shape, 1.0f);
}

void face_add_blush(Shape *shape)
{
    enum { POINTS = 9 };

    for (Side side = LEFT; side <= RIGHT; side++) {
        shape_begin(shape);
        for (int r = 0; r < POINTS; r++)
            for (int c = 0; c < POINTS; c++) {
                const float u = (float)c / (POINTS - 1), v = (float)r / (POINTS - 1);
                const float theta = side_sign(side) * 36.0f + mix(-15.0f, 15.0f, u);
                shape_point(shape, head_point(theta, -34.0f - mix(-8.0f, 8.0f, v), LIFT_BLUSH), u,
                            v, bind_one(BONE_HEAD));
            }
        shape_grid(shape, POINTS, POINTS);
        shape_end_sheet(shape, forward());
    }
}
