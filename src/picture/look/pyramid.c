// SPDX-License-Identifier: MIT
#include "picture/look/pyramid.h"

#include <math.h>
#include <string.h>

Pyramid *pyramid_create(int width, int height, float radius, Arena *arena)
{
    Pyramid *p = arena_array(arena, Pyramid, 1);
    int wanted = 1;

    while (wanted < PYRAMID_MAX_LEVELS && (float)(1 << wanted) <= radius)
        wanted++;
    for (int i = 0; i < wanted && width > 0 && height > 0; i++) {
        const size_t count = (size_t)width * (size_t)height;
        p->levels[i] = (PyramidLevel){width, height, NULL};
        p->levels[i].pixels = arena_calloc(arena, count, sizeof *p->levels[i].pixels);
        p->level_count = i + 1;
        if (width == 1 && height == 1)
            break;
        width = (width + 1) / 2;
        height = (height + 1) / 2;
    }
    return p;
}

static int clamp(int value, int size)
{
    return value < 0 ? 0 : value < size ? value : size - 1;
}

/* Weighted sums of four rows of pixels around the halves 2 x and 2 x + 1: 1 3 3 1. */
static void shrink_row(float (*out)[3], int out_width, const PyramidLevel *from,
                       const float (*rows[4])[3])
{
    static const float weights[4] = {0.125f, 0.375f, 0.375f, 0.125f};

    for (int x = 0; x < out_width; x++) {
        float sum[3] = {0, 0, 0};
        for (int i = 0; i < 4; i++) {
            const int column = clamp(2 * x + i - 1, from->width);
            for (int c = 0; c < 3; c++)
                sum[c] += weights[i] * (weights[0] * (rows[0][column][c] + rows[3][column][c]) +
                                        weights[1] * (rows[1][column][c] + rows[2][column][c]));
        }
        memcpy(out[x], sum, sizeof sum);
    }
}

static void shrink(const PyramidLevel *to, const PyramidLevel *from)
{
    for (int y = 0; y < to->height; y++) {
        const float(*rows[4])[3];
        for (int i = 0; i < 4; i++) {
            const size_t row = (size_t)clamp(2 * y + i - 1, from->height);
            rows[i] = (const float(*)[3])from->pixels + row * (size_t)from->width;
        }
        shrink_row(to->pixels + (size_t)y * (size_t)to->width, to->width, from, rows);
    }
}

/* to = keep * to + from, which has half its size: 3/4 of the nearest pixel and 1/4 of the
 * next in each direction. */
static void grow(const PyramidLevel *to, const PyramidLevel *from, float keep)
{
    for (int y = 0; y < to->height; y++) {
        const size_t near = (size_t)(y / 2);
        const size_t next = (size_t)clamp(y / 2 + (y & 1 ? 1 : -1), from->height);
        const float(*a)[3] = (const float(*)[3])from->pixels + near * (size_t)from->width;
        const float(*b)[3] = (const float(*)[3])from->pixels + next * (size_t)from->width;
        float(*out)[3] = to->pixels + (size_t)y * (size_t)to->width;

        for (int x = 0; x < to->width; x++) {
            const int u = x / 2, v = clamp(u + (x & 1 ? 1 : -1), from->width);
            for (int c = 0; c < 3; c++)
                out[x][c] = keep * out[x][c] +
                            (0.5625f * a[u][c] + 0.1875f * (a[v][c] + b[u][c]) + 0.0625f * b[v][c]);
        }
    }
}

/* Goes down to the smallest level and up again, adding to `keep` of what the levels have. */
static void go_down_and_up(const Pyramid *p, float keep)
{
    for (int i = 1; i < p->level_count; i++)
        shrink(&p->levels[i], &p->levels[i - 1]);
    for (int i = p->level_count - 2; i >= 0; i--)
        grow(&p->levels[i], &p->levels[i + 1], keep);
}

void pyramid_glow(Pyramid *p)
{
    go_down_and_up(p, 1.0f);
}

void pyramid_blur(Pyramid *p)
{
    go_down_and_up(p, 0.0f);
}

void pyramid_sample(float out[3], const PyramidLevel *level, float x, float y)
{
    const float px = fminf(fmaxf(x - 0.5f, 0.0f), (float)(level->width - 1));
    const float py = fminf(fmaxf(y - 0.5f, 0.0f), (float)(level->height - 1));
    const int x0 = (int)px, y0 = (int)py;
    const size_t column[2] = {(size_t)x0, (size_t)clamp(x0 + 1, level->width)};
    const float fx = px - (float)x0, fy = py - (float)y0;
    const float(*a)[3] = (const float(*)[3])level->pixels + (size_t)y0 * (size_t)level->width;
    const float(*b)[3] = (const float(*)[3])level->pixels +
                         (size_t)clamp(y0 + 1, level->height) * (size_t)level->width;

    for (int c = 0; c < 3; c++) {
        const float top = a[column[0]][c] + (a[column[1]][c] - a[column[0]][c]) * fx;
        const float low = b[column[0]][c] + (b[column[1]][c] - b[column[0]][c]) * fx;
        out[c] = top + (low - top) * fy;
    }
}
