/* How far frames are from a reference with 64 samples a pixel, and how much more they flicker on
 * thin lines while the camera moves by less than a pixel a frame. usage: bench_flicker REFERENCE
 * FRAMES: files REFERENCE-0.png and FRAMES-0.png to -6.png */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "media/picture.h"

enum { FRAMES = 7, SCALE = 8, DARKER = 12, REACH = 2 };

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

/* Means of squares of SCALE pixels. */
static Image reduce(const Image *large, Arena *arena)
{
    Image image = {.width = large->width / SCALE, .height = large->height / SCALE};
    const size_t width = (size_t)image.width, height = (size_t)image.height;

    image.pixels = arena_calloc(arena, width * height, 4);
    for (size_t i = 0; i < 4 * width * height; i++) {
        const size_t y = i / (4 * width), x = i / 4 % width;
        unsigned sum = SCALE * SCALE / 2;

        for (size_t j = 0; j < SCALE * SCALE; j++)
            sum += large->pixels[4 * ((y * SCALE + j / SCALE) * (size_t)large->width + x * SCALE +
                                      j % SCALE) +
                                 i % 4];
        image.pixels[i] = (uint8_t)(sum / (SCALE * SCALE));
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

int main(int argc, char **argv)
{
    Image reference[FRAMES], frames[FRAMES];
    double error = 0, flicker = 0;
    size_t error_count = 0, flicker_count = 0;

    if (argc != 3)
        return 2;
    Arena *arena = arena_create();
    for (int i = 0; i < FRAMES; i++) {
        Arena *scratch = arena_create();
        const Image large = load(argv[1], i, scratch);

        reference[i] = reduce(&large, arena);
        arena_destroy(scratch);
        frames[i] = load(argv[2], i, arena);
        if (reference[i].width != frames[0].width || reference[i].height != frames[0].height)
            return 1;
    }
    for (int y = REACH; y < frames[0].height - REACH; y++)
        for (int x = REACH; x < frames[0].width - REACH; x++) {
            const size_t at = 4 * ((size_t)y * (size_t)frames[0].width + (size_t)x);
            const bool line = is_line(&reference[0], x, y);

            for (int i = 0; i < FRAMES; i++)
                for (size_t c = at; c < at + 3; c++) {
                    const double now = frames[i].pixels[c] - reference[i].pixels[c];

                    error += now * now;
                    error_count++;
                    if (!line || i == 0)
                        continue;
                    const double change =
                        now - (frames[i - 1].pixels[c] - reference[i - 1].pixels[c]);
                    flicker += change * change;
                    flicker_count++;
                }
        }
    printf("%.2f dB, flicker %.2f\n", 10 * log10(255.0 * 255.0 * (double)error_count / error),
           sqrt(flicker / (double)flicker_count));
    arena_destroy(arena);
    return 0;
}
