// SPDX-License-Identifier: MIT
#include "picture/passes/stick_figure.h"

#include <math.h>
#include <string.h>

enum { COLORS = KEYPOINT_BODY_COUNT, LIMBS = 17, FINGER_COUNT = 5, SEGMENTS = 4 };

static const uint8_t COLOR[COLORS][3] = {
    {255, 0, 0}, {255, 85, 0}, {255, 170, 0}, {255, 255, 0}, {170, 255, 0}, {85, 255, 0},
    {0, 255, 0}, {0, 255, 85}, {0, 255, 170}, {0, 255, 255}, {0, 170, 255}, {0, 85, 255},
    {0, 0, 255}, {85, 0, 255}, {170, 0, 255}, {255, 0, 255}, {255, 0, 170}, {255, 0, 85},
};

static const uint8_t LIMB[LIMBS][2] = {{1, 2}, {1, 5},  {2, 3},   {3, 4},  {5, 6},   {6, 7},
                                       {1, 8}, {8, 9},  {9, 10},  {1, 11}, {11, 12}, {12, 13},
                                       {1, 0}, {0, 14}, {14, 16}, {0, 15}, {15, 17}};

/* Sizes in an image of 512 rows, pixels. */
static const float LIMB_RADIUS = 4, POINT_RADIUS = 4, FINGER_RADIUS = 1, FINGER_POINT_RADIUS = 2;
static const float LIMB_SHADE = 0.6f;
static const float FACE_POINT_RADIUS = 3;
/* The radius in a small face, so that its points remain apart: a part of its longer side, but never
 * so little that a disc contains no center of a pixel. */
static const float FACE_POINT_PART = 1.0f / 60, MIN_RADIUS = 0.71f;

typedef struct Canvas {
    uint8_t (*pixels)[4];
    int width, height;
    float unit; /* pixels, of one at 512 rows */
} Canvas;

typedef struct Ellipse {
    float x, y;           /* middle */
    float along[2];       /* unit vector of the long axis */
    float length, radius; /* half axes */
} Ellipse;

static int clamp_to(float value, int size)
{
    return (int)fminf(fmaxf(value, 0), (float)size);
}

/* Fills the pixels whose centers are in the ellipse. */
static void fill(const Canvas *c, const Ellipse *e, const uint8_t color[3])
{
    const float reach = fmaxf(e->length, e->radius) + 1;
    const int left = clamp_to(e->x - reach, c->width), right = clamp_to(e->x + reach, c->width);
    const int top = clamp_to(e->y - reach, c->height), bottom = clamp_to(e->y + reach, c->height);

    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++) {
            const float dx = (float)x + 0.5f - e->x, dy = (float)y + 0.5f - e->y;
            const float u = (dx * e->along[0] + dy * e->along[1]) / e->length;
            const float v = (dy * e->along[0] - dx * e->along[1]) / e->radius;

            if (u * u + v * v <= 1)
                memcpy(c->pixels[(size_t)y * (size_t)c->width + (size_t)x], color, 3);
        }
}

/* r  pixels */
static void draw_disc(const Canvas *c, const Keypoint *p, float r, const uint8_t color[3])
{
    const Ellipse disc = {.x = p->x, .y = p->y, .along = {1, 0}, .length = r, .radius = r};

    if (p->confidence > 0)
        fill(c, &disc, color);
}

static void draw_limb(const Canvas *c, const Keypoint *a, const Keypoint *b, float radius,
                      const uint8_t color[3])
{
    const float dx = b->x - a->x, dy = b->y - a->y, length = sqrtf(dx * dx + dy * dy);

    if (!(a->confidence > 0 && b->confidence > 0 && length > 0))
        return;
    const Ellipse e = {.x = (a->x + b->x) / 2,
                       .y = (a->y + b->y) / 2,
                       .along = {dx / length, dy / length},
                       .length = fmaxf(length / 2, radius * c->unit),
                       .radius = radius * c->unit};
    fill(c, &e, color);
}

/* A fully saturated color; hue 0..1 */
static void color_of_hue(uint8_t out[3], float hue)
{
    const float h = 6 * hue;
    const float rgb[3] = {fabsf(h - 3) - 1, 2 - fabsf(h - 2), 2 - fabsf(h - 4)};

    for (int k = 0; k < 3; k++)
        out[k] = (uint8_t)(fminf(fmaxf(rgb[k], 0), 1) * 255);
}

/* Each of the 20 segments of a hand has a hue of its own. */
static void draw_hand(const Canvas *c, const Keypoint *hand)
{
    static const uint8_t blue[3] = {0, 0, 255};

    for (int finger = 0; finger < FINGER_COUNT; finger++)
        for (int i = 0; i < SEGMENTS; i++) {
            const int to = 1 + SEGMENTS * finger + i;
            uint8_t color[3];

            color_of_hue(color, (float)(to - 1) / (FINGER_COUNT * SEGMENTS));
            draw_limb(c, &hand[i ? to - 1 : 0], &hand[to], FINGER_RADIUS, color);
        }
    for (int i = 0; i < KEYPOINT_HAND_COUNT; i++)
        draw_disc(c, &hand[i], FINGER_POINT_RADIUS * c->unit, blue);
}

/* The longer side of the box around the points that are known, pixels. */
static float extent_of(const Keypoint *points, int count)
{
    float low[2], high[2];

    return keypoints_bounds(low, high, points, count) ? fmaxf(high[0] - low[0], high[1] - low[1])
                                                      : 0.0f;
}

/* White, as ControlNet's annotator draws them last. */
static void draw_face(const Canvas *c, const Keypoint *face)
{
    static const uint8_t white[3] = {255, 255, 255};
    const float part = FACE_POINT_PART * extent_of(face, KEYPOINT_FACE_COUNT);
    const float radius = fmaxf(fminf(FACE_POINT_RADIUS * c->unit, part), MIN_RADIUS);

    for (int i = 0; i < KEYPOINT_FACE_COUNT; i++)
        draw_disc(c, &face[i], radius, white);
}

void stick_figure_clear(uint8_t (*out)[4], int width, int height)
{
    static const uint8_t black[4] = {0, 0, 0, 255};

    for (size_t i = 0; i < (size_t)width * (size_t)height; i++)
        memcpy(out[i], black, 4);
}

void stick_figure_draw(uint8_t (*out)[4], int width, int height, const Person *person)
{
    const Canvas canvas = {out, width, height, (float)height / 512};

    for (int i = 0; i < LIMBS; i++) {
        uint8_t color[3];

        for (int k = 0; k < 3; k++)
            color[k] = (uint8_t)((float)COLOR[i][k] * LIMB_SHADE);
        draw_limb(&canvas, &person->points[LIMB[i][0]], &person->points[LIMB[i][1]], LIMB_RADIUS,
                  color);
    }
    for (int i = 0; i < KEYPOINT_BODY_COUNT; i++)
        draw_disc(&canvas, &person->points[i], POINT_RADIUS * canvas.unit, COLOR[i]);
    draw_hand(&canvas, &person->points[KEYPOINT_LEFT_HAND]);
    draw_hand(&canvas, &person->points[KEYPOINT_RIGHT_HAND]);
    draw_face(&canvas, &person->points[KEYPOINT_FACE]);
}
