// SPDX-License-Identifier: MIT
#include "render/shadow/ground_light.h"

#include <cglm/cglm.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    WORD = 64,
    WORDS = GROUND_SIDE / WORD, /* words in a row */
    PLANES = 6                  /* binary digits of GROUND_RAYS */
};
static const float GOLDEN_ANGLE = 2.3999632f;
static const float MAX_LEVEL = 0.99f;   /* along z; above it another reference axis is needed */
static const float LOWEST_SINE = 0.05f; /* rays closer to the ground are moved up to it */

typedef uint64_t BitRow[WORDS];

struct GroundScratch {
    BitRow slices[GROUND_SLICES][GROUND_SIDE];
    BitRow blocked[GROUND_SIDE];        /* along one ray */
    BitRow counts[PLANES][GROUND_SIDE]; /* number of blocked rays, one plane per binary digit */
    int first[GROUND_SLICES], end[GROUND_SLICES]; /* rows of a slice that are not empty */
    uint16_t rows[GROUND_SIDE][GROUND_SIDE], row[GROUND_SIDE];
};

const unsigned long ground_scratch_size = sizeof(GroundScratch);

/* ---- rays ---- */

static void shift_of(float out[2], const float to_light[3])
{
    const float y = fmaxf(to_light[1], LOWEST_SINE);

    out[0] = -to_light[0] / y;
    out[1] = -to_light[2] / y;
}

GroundRays ground_rays(const float to_light[3], float angle)
{
    GroundRays rays = {.spread = 0.0f};
    vec3 middle = {to_light[0], to_light[1], to_light[2]}, across, along;
    vec3 x = {1, 0, 0}, z = {0, 0, 1};

    shift_of(rays.center, middle);
    glm_vec3_crossn(fabsf(to_light[2]) < MAX_LEVEL ? z : x, middle, across);
    glm_vec3_cross(middle, across, along);
    for (int i = 0; i < GROUND_RAYS; i++) { /* a Vogel spiral: rings of equal area */
        const float r = tanf(0.5f * angle) * sqrtf(((float)i + 0.5f) / (float)GROUND_RAYS);
        const float turn = (float)i * GOLDEN_ANGLE;
        float *shift = rays.shifts[i];
        vec3 ray;

        glm_vec3_copy(middle, ray);
        glm_vec3_muladds(across, r * cosf(turn), ray);
        glm_vec3_muladds(along, r * sinf(turn), ray);
        glm_vec3_normalize(ray);
        shift_of(shift, ray);
        shift[0] -= rays.center[0];
        shift[1] -= rays.center[1];
        rays.spread = fmaxf(rays.spread, hypotf(shift[0], shift[1]));
    }
    return rays;
}

/* ---- what blocks each ray ---- */

static void split_slices(GroundScratch *s, const uint32_t *slices, int width, int height)
{
    for (int i = 0; i < GROUND_SLICES; i++) {
        memset(s->slices[i], 0, (size_t)height * sizeof(BitRow));
        s->first[i] = height;
        s->end[i] = 0;
    }
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++, slices++)
            for (uint32_t left = *slices, i = 0; left != 0; left >>= 1, i++)
                if (left & 1) {
                    s->slices[i][y][x / WORD] |= (uint64_t)1 << (x % WORD);
                    s->first[i] = y < s->first[i] ? y : s->first[i];
                    s->end[i] = y + 1;
                }
}

static void add_moved_row(BitRow out, const BitRow in, int x)
{
    const int words = x >= 0 ? x / WORD : -((WORD - 1 - x) / WORD), bits = x - words * WORD;

    for (int i = 0; i < WORDS; i++) {
        const int to = i + words;

        if (in[i] == 0)
            continue;
        if (to >= 0 && to < WORDS)
            out[to] |= in[i] << bits;
        if (bits > 0 && to + 1 >= 0 && to + 1 < WORDS)
            out[to + 1] |= in[i] >> (WORD - bits);
    }
}

static void find_blocked(GroundScratch *s, const GroundMapShape *shape, int ray)
{
    memset(s->blocked, 0, (size_t)shape->height * sizeof(BitRow));
    for (int i = 0; i < GROUND_SLICES; i++) {
        const int *move = shape->moves[ray][i];

        for (int y = s->first[i]; y < s->end[i]; y++)
            if (y + move[1] >= 0 && y + move[1] < shape->height)
                add_moved_row(s->blocked[y + move[1]], s->slices[i][y], move[0]);
    }
}

/* Binary addition, for all texels of a word at once. */
static void count_blocked(GroundScratch *s, int height)
{
    for (int y = 0; y < height; y++)
        for (int i = 0; i < WORDS; i++) {
            uint64_t carry = s->blocked[y][i];

            for (int plane = 0; carry != 0 && plane < PLANES; plane++) {
                const uint64_t old = s->counts[plane][y][i];

                s->counts[plane][y][i] = old ^ carry;
                carry &= old;
            }
        }
}

/* ---- blur ---- */

static void read_counts(uint16_t *out, const GroundScratch *s, int y, int width)
{
    for (int x = 0; x < width; x++) {
        unsigned count = 0;

        for (int plane = 0; plane < PLANES; plane++)
            count |= (unsigned)(s->counts[plane][y][x / WORD] >> (x % WORD) & 1) << plane;
        out[x] = (uint16_t)count;
    }
}

/* Adds `weight` times the values that are `distance` to the right. */
static void add_moved(uint16_t *sum, const uint16_t *values, int width, int distance, int weight)
{
    const int first = distance < 0 ? -distance : 0;
    const int end = distance > 0 ? width - distance : width;

    for (int x = first; x < end; x++)
        sum[x] = (uint16_t)(sum[x] + weight * values[x + distance]);
}

static void blur_row(uint16_t *out, const uint16_t *counts, int width, int radius)
{
    memset(out, 0, (size_t)width * sizeof *out);
    for (int d = 1 - radius; d < radius; d++)
        add_moved(out, counts, width, d, radius - abs(d));
}

static void blur_columns(uint8_t *out, const GroundScratch *s, int y, const GroundMapShape *shape)
{
    const int radius = shape->radius;
    const float scale = 255.0f / (float)(GROUND_RAYS * radius * radius * radius * radius);
    const int first = y - radius + 1 > 0 ? y - radius + 1 : 0;
    const int end = y + radius < shape->height ? y + radius : shape->height;
    uint32_t sums[GROUND_SIDE] = {0};

    for (int row = first; row < end; row++) {
        const uint32_t weight = (uint32_t)(radius - abs(row - y));

        for (int x = 0; x < shape->width; x++)
            sums[x] += weight * s->rows[row][x];
    }
    for (int x = 0; x < shape->width; x++)
        out[x] = (uint8_t)((float)sums[x] * scale + 0.5f);
}

void ground_shade(uint8_t *out, const uint32_t *slices, const GroundMapShape *shape,
                  GroundScratch *scratch)
{
    split_slices(scratch, slices, shape->width, shape->height);
    for (int plane = 0; plane < PLANES; plane++)
        memset(scratch->counts[plane], 0, (size_t)shape->height * sizeof(BitRow));
    for (int ray = 0; ray < GROUND_RAYS; ray++) {
        find_blocked(scratch, shape, ray);
        count_blocked(scratch, shape->height);
    }
    for (int y = 0; y < shape->height; y++) {
        read_counts(scratch->row, scratch, y, shape->width);
        blur_row(scratch->rows[y], scratch->row, shape->width, shape->radius);
    }
    for (int y = 0; y < shape->height; y++)
        blur_columns(out + (size_t)y * (size_t)shape->width, scratch, y, shape);
}
