// SPDX-License-Identifier: MIT
/* How far frames are from a reference, and how much more they flicker while the camera moves by
 * less than a pixel a frame: on thin lines, and everywhere. usage: bench_flicker REFERENCE FRAMES
 * COUNT: files REFERENCE-0.png and FRAMES-0.png to COUNT - 1.  The reference may be larger by a
 * whole number, and is averaged. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "media/picture.h"

enum { DARKER = 12, REACH = 2 };

static Image load(const char *prefix, int number, Arena *arena)
{
    char path[4096];
    Diag diag;
    Bytes bytes;
    Image image;

    snprintf(path, sizeof path, "%s-%d.png", prefix, number);
    diag_init(&diag, NULL, NULL);
    if (!file_load(&bytes, path, SIZE_MAX, arena, &diag) ||
        !picture_load(&image, bytes, arena, &diag)) {
        fprintf(stderr, "bench_flicker: cannot read %s\n", path);
        exit(1);
    }
    return image;
}

/* Means of squares of `scale` pixels. */
static Image reduce(const Image *large, int scale, Arena *arena)
{
    Image image = {.width = large->width / scale, .height = large->height / scale};
    const size_t width = (size_t)image.width, height = (size_t)image.height, n = (size_t)scale;

    image.pixels = arena_calloc(arena, width * height, 4);
    for (size_t i = 0; i < 4 * width * height; i++) {
        const size_t y = i / (4 * width), x = i / 4 % width;
        size_t sum = n * n / 2;

        for (size_t j = 0; j < n * n; j++)
            sum +=
                large->pixels[4 * ((y * n + j / n) * (size_t)large->width + x * n + j % n) + i % 4];
        image.pixels[i] = (uint8_t)(sum / (n * n));
    }
    return image;
}

static int grey(const Image *image, int x, int y)
{
    const uint8_t *p = image->pixels + 4 * ((size_t)y * (size_t)image->width + (size_t)x);

    return p[0] + p[1] + p[2];
}

/* Darker than both sides in some direction. */
static bool is_line(const Image *image, int x, int y)
{
    static const int steps[][2] = {{REACH, 0}, {0, REACH}, {REACH, REACH}, {REACH, -REACH}};

    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        const int dx = steps[i][0], dy = steps[i][1];
        const int side = grey(image, x - dx, y - dy), other = grey(image, x + dx, y + dy);

        if ((side < other ? side : other) - grey(image, x, y) > 3 * DARKER)
            return true;
    }
    return false;
}

/* A frame and its reference, of the same size. */
typedef struct Pair {
    Image frame, reference;
} Pair;

static Pair load_pair(char **argv, int number, Arena *arena)
{
    Arena *scratch = arena_create();
    const Image large = load(argv[1], number, scratch);
    Pair pair = {.frame = load(argv[2], number, arena)};
    const int scale = large.width / pair.frame.width;

    if (scale < 1 || large.width != scale * pair.frame.width ||
        large.height != scale * pair.frame.height) {
        fprintf(stderr, "bench_flicker: the reference is not a multiple of the frames\n");
        exit(1);
    }
    pair.reference = reduce(&large, scale, arena);
    arena_destroy(scratch);
    return pair;
}

typedef struct Mean {
    double sum;
    size_t count;
} Mean;

static void add_square(Mean *mean, double value)
{
    mean->sum += value * value;
    mean->count++;
}

static double root(const Mean *mean)
{
    return sqrt(mean->sum / (double)mean->count);
}

int main(int argc, char **argv)
{
    const int count = argc == 4 ? atoi(argv[3]) : 0;
    Mean error = {0}, lines = {0}, all = {0};
    Arena *arena[2] = {arena_create(), arena_create()};

    if (count < 2)
        return 2;
    Pair before = load_pair(argv, 0, arena[0]);
    for (int i = 1; i < count; i++) {
        const Pair now = load_pair(argv, i, arena[i % 2]);

        for (int y = REACH; y < now.frame.height - REACH; y++)
            for (int x = REACH; x < now.frame.width - REACH; x++) {
                const size_t at = 4 * ((size_t)y * (size_t)now.frame.width + (size_t)x);
                const bool line = is_line(&now.reference, x, y);

                for (size_t c = at; c < at + 3; c++) {
                    const double e = now.frame.pixels[c] - now.reference.pixels[c];
                    const double change = e - (before.frame.pixels[c] - before.reference.pixels[c]);
                    add_square(&error, e);
                    add_square(&all, change);
                    if (line)
                        add_square(&lines, change);
                }
            }
        before = now;
        arena_destroy(arena[(i + 1) % 2]);
        arena[(i + 1) % 2] = arena_create();
    }
    printf("%.2f dB, flicker of lines %.2f, of all %.2f\n", 20 * log10(255 / root(&error)),
           root(&lines), root(&all));
    arena_destroy(arena[0]);
    arena_destroy(arena[1]);
    return 0;
}
