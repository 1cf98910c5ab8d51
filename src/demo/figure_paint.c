// SPDX-License-Identifier: MIT
#include "demo/figure.h"

#include <math.h>

#define SKIN 0xffe9dc
#define INK 0x35408f
#define RED 0xe8503f
#define CREAM 0xfff9f0
#define GOLD 0xf5c34d

static vec4s with_alpha(vec4s color, float alpha)
{
    color.a = alpha;
    return color;
}

static vec4s skin(float u, float v)
{
    (void)u, (void)v;
    return paint_color(SKIN);
}

/* u, v are longitude and latitude: 0.5 in front, 0 at the crown. */
static vec4s face(float u, float v)
{
    const float x = (u - 0.5f) * 360.0f, y = 90.0f - v * 180.0f; /* degrees */
    const float side = fabsf(x);
    vec4s color = paint_color(SKIN);

    /* soft shadow of the hair on the forehead, warm lids and cheeks, a spot below the nose */
    color = paint_over(color, 0xf6c3b0, 0.75f * smooth(14.0f, 34.0f, y));
    color = paint_over(color, 0xf6c3b0, 0.8f * smooth(62.0f, 84.0f, side));
    color = paint_over(color, 0xffc2b2,
                       0.35f * paint_ellipse(side - 27.0f, y + 9.0f, 21.0f, 23.0f, 0.35f));
    color = paint_over(color, 0xff9f98,
                       0.55f * paint_ellipse(side - 36.0f, y + 34.0f, 9.5f, 5.5f, 0.9f));
    color = paint_over(color, 0xf2a58f, 0.8f * paint_ellipse(x, y + 28.5f, 1.5f, 0.8f, 0.7f));
    return paint_over(color, 0xf7b7a6, 0.6f * paint_ellipse(x, y + 49.0f, 4.0f, 0.9f, 0.9f));
}

static vec4s white_of_eye(float u, float v)
{
    (void)u;
    return paint_mix(0xffffff, 0xb7c2e6, 0.85f * (1.0f - smooth(0.12f, 0.42f, v)));
}

/* A dark rim, a bright lower half, two lights.  Transparent outside. */
static vec4s iris(float u, float v)
{
    const float x = 2.0f * u - 1.0f, y = 2.0f * v - 1.0f,
                inside = paint_ellipse(x, y, 0.96f, 0.96f, 0.02f);
    vec4s color = paint_mix(0x173a6b, 0x2f8fb5, smooth(-0.55f, 0.15f, y));

    color = paint_over(color, 0x7fe8dc, smooth(0.1f, 0.95f, y));
    /* rays towards the pupil */
    const float ray = 0.5f + 0.5f * sinf(18.0f * atan2f(y, x));
    color = paint_over(color, 0xc8fff0,
                       0.22f * ray * smooth(0.0f, 0.5f, y) * paint_ellipse(x, y, 0.8f, 0.8f, 0.2f));
    color = paint_over(color, 0xe9fff2, 0.75f * paint_ellipse(x, y - 0.58f, 0.5f, 0.2f, 0.5f));
    color = paint_over(color, 0x0d2450, paint_ellipse(x, y + 0.02f, 0.33f, 0.40f, 0.12f));
    color = paint_over(color, 0x3a7fb8, 0.8f * paint_ellipse(x, y - 0.12f, 0.17f, 0.2f, 0.4f));
    color = paint_over(color, 0x12284f, 1.0f - paint_ellipse(x, y, 0.84f, 0.86f, 0.05f));
    color = paint_over(color, 0x0b1a3a, 0.75f * (1.0f - smooth(-0.85f, -0.35f, y)));
    color = paint_over(color, 0xffffff, paint_ellipse(x + 0.34f, y + 0.40f, 0.27f, 0.30f, 0.06f));
    color = paint_over(color, 0xffffff, paint_ellipse(x - 0.40f, y - 0.42f, 0.13f, 0.14f, 0.1f));
    color =
        paint_over(color, 0xffffff, 0.8f * paint_ellipse(x - 0.12f, y + 0.62f, 0.09f, 0.08f, 0.1f));
    return with_alpha(color, inside);
}

/* Down from the upper lip; the last rows are the color of the lips' lines. */
static vec4s mouth(float u, float v)
{
    vec4s color = paint_mix(0x8e2f3c, 0xb8434c, smooth(0.2f, 0.8f, v));

    color = paint_over(color, 0xf58a8a, paint_ellipse(u - 0.5f, v - 0.85f, 0.34f, 0.34f, 0.08f));
    color = paint_over(color, 0xffffff, paint_ellipse(u - 0.5f, v + 0.02f, 0.36f, 0.2f, 0.06f));
    return v > 0.93f ? paint_color(0x8a3a3c) : color;
}

static vec4s blush(float u, float v)
{
    const float x = 2.0f * u - 1.0f, y = 2.0f * v - 1.0f;
    const float soft = paint_ellipse(x, y, 0.55f, 0.55f, 0.8f);
    float lines = 0.0f;

    for (int i = -1; i <= 1; i++) /* three slanted strokes */
        lines += paint_ellipse(x - 0.26f * (float)i + 0.35f * y, y, 0.045f, 0.38f, 0.3f);
    return with_alpha(paint_mix(0xff8f8f, 0xe85d67, lines),
                      fminf(0.6f * soft + 0.7f * lines, 1.0f));
}

/* u runs around from the left side, 0.75 is the middle of the front; v from the collar down. */
static vec4s blouse(float u, float v)
{
    const float x = 4.0f * (u - 0.75f), front = fminf(fabsf(x), fabsf(x + 4.0f));
    const float neckline = 0.60f - 0.05f * cosf(2.4f * x) * (front < 1.0f ? 1.0f : 0.3f);
    vec4s color = paint_mix(CREAM, 0xe7dcec, 0.5f * smooth(0.3f, 0.62f, v));

    /* a bodice with a light seam and buttons, and the sailor collar above: a V in front */
    color = paint_over(color, RED, smooth(-0.004f, 0.004f, v - neckline));
    color = paint_over(color, GOLD, paint_band(v - neckline, 0.018f, 0.032f, 0.003f));
    for (int i = 0; i < 3; i++)
        color = paint_over(color, GOLD,
                           paint_ellipse(x, v - 0.71f - 0.09f * (float)i, 0.055f, 0.018f, 0.1f));
    const float edge = front < 1.0f ? fmaxf(0.50f - 0.42f * front, 0.30f) : 0.34f;
    color = paint_over(color, INK, smooth(-0.004f, 0.004f, edge - v));
    return paint_over(color, CREAM, paint_band(edge - v, 0.03f, 0.045f, 0.003f));
}

/* v from the waist to the hem, the inside below 0.95. */
static vec4s skirt(float u, float v)
{
    vec4s color = paint_mix(0xd23f3a, 0xf0604a, smooth(0.0f, 0.8f, v));
    const float fold = u * 22.0f - floorf(u * 22.0f);

    if (v > 0.94f)
        return paint_color(0x9c2f3c);
    color = paint_over(color, 0x9c2f3c, 0.35f * (1.0f - smooth(0.0f, 0.25f, fold)));
    color = paint_over(color, CREAM, paint_band(v, 0.735f, 0.80f, 0.004f));
    return paint_over(color, GOLD, paint_band(v, 0.82f, 0.838f, 0.004f));
}

static vec4s shoe(float u, float v)
{
    (void)u;
    return v > 0.5f ? paint_color(0xf3e6d4) : paint_color(RED);
}

/* v from the root to the tip, fine strands along it. */
static vec4s hair(float u, float v)
{
    vec4s color = paint_mix(0xeeb357, 0xf9d588, smooth(0.0f, 0.5f, v));

    color = paint_over(color, 0xf6a488, 0.9f * smooth(0.55f, 1.0f, v));
    for (int i = 0; i < 24; i++) {
        const float at = ((float)i + 0.7f * paint_noise(i, 1)) / 24.0f;
        const float from = 0.6f * paint_noise(i, 2), length = 0.25f + 0.4f * paint_noise(i, 3);
        const float cover =
            paint_band(u, at, at + 0.008f, 0.006f) * paint_band(v, from, from + length, 0.1f);
        color = paint_over(color, i % 3 ? 0xdd9550 : 0xffe9b8, 0.45f * cover);
    }
    return color;
}

/* Added to the hair by the direction it faces: a bright, ragged ring above the middle. */
static vec4s sheen(float u, float v)
{
    const float x = 2.0f * u - 1.0f, y = 1.0f - 2.0f * v;
    const float ragged = 0.03f * sinf(x * 34.0f) + 0.02f * sinf(x * 71.0f + 1.0f);
    const float height = y - 0.50f * sqrtf(fmaxf(1.0f - 0.55f * x * x, 0.0f)) - ragged;
    const float ring = paint_band(height, -0.05f, 0.075f, 0.035f) * smooth(0.95f, 0.5f, fabsf(x));
    const float rim = 0.10f * smooth(0.75f, 1.0f, sqrtf(x * x + y * y));

    return (vec4s){
        {0.34f * ring + rim, 0.30f * ring + 0.7f * rim, 0.22f * ring + 0.5f * rim, 1.0f}};
}

/* Lit above, shadow below, a short soft step between; constant along u. */
static vec4s toon(float v, unsigned shadow)
{
    return paint_mix(0xffffff, shadow, smooth(0.44f, 0.54f, v));
}

static vec4s toon_skin(float u, float v)
{
    (void)u;
    return toon(v, 0xffd3c6);
}

static vec4s toon_hair(float u, float v)
{
    (void)u;
    return toon(v, 0xe2a596);
}

static vec4s toon_cloth(float u, float v)
{
    (void)u;
    return toon(v, 0xc3b7dc);
}

static const Painting PAINTINGS[PICTURE_COUNT] = {
    [PICTURE_SKIN] = {"skin.png", 8, 8, skin},
    [PICTURE_FACE] = {"face.png", 768, 384, face},
    [PICTURE_WHITE_OF_EYE] = {"eye_white.png", 32, 32, white_of_eye},
    [PICTURE_IRIS] = {"eye.png", 256, 256, iris},
    [PICTURE_MOUTH] = {"mouth.png", 64, 64, mouth},
    [PICTURE_BLUSH] = {"blush.png", 128, 64, blush},
    [PICTURE_BLOUSE] = {"blouse.png", 512, 256, blouse},
    [PICTURE_SKIRT] = {"skirt.png", 512, 256, skirt},
    [PICTURE_SHOE] = {"shoe.png", 8, 8, shoe},
    [PICTURE_HAIR] = {"hair.png", 128, 128, hair},
    [PICTURE_SHEEN] = {"hair_sheen.png", 128, 128, sheen},
    [PICTURE_TOON_SKIN] = {"toon_skin.png", 32, 32, toon_skin},
    [PICTURE_TOON_HAIR] = {"toon_hair.png", 32, 32, toon_hair},
    [PICTURE_TOON_CLOTH] = {"toon_cloth.png", 32, 32, toon_cloth},
};

const Paintings FIGURE_PAINTINGS = {PAINTINGS, PICTURE_COUNT};
