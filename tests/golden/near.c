// SPDX-License-Identifier: MIT
/*
 * near.c - compares an image with its golden image.  usage: near GOLDEN.png ACTUAL.png
 *
 * Prints mean and largest difference of a channel (0..255) and the share of pixels that differ by
 * more than 8 levels.  Exit status 1 if the mean exceeds 0.05 or the share 0.1 %, 2 after an error.
 *
 * The golden images come from Mesa 22.3.  Mesa 25.0 differs from them by at most 1 level, Mesa 26.1
 * by at most 2 levels and 0.004 on average, with no pixel above 8.  The limits are ten times that,
 * because other processors may round other edges; a wrong image exceeds them by far.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "media/picture.h"

static const double mean_limit = 0.05, share_limit = 0.001;
enum { MAX_LEVELS = 8 };

static bool load(Image *image, const char *path, Arena *arena, Diag *diag)
{
    Bytes bytes;
    diag_file(diag, path);
    return file_load(&bytes, path, FILE_MAX_SIZE, arena, diag) &&
           picture_load(image, bytes, arena, diag);
}

int main(int argc, char **argv)
{
    Arena *arena = arena_create();
    Diag diag;
    Image a, b;
    diag_init(&diag, NULL, NULL);
    if (argc != 3 || !load(&a, argv[1], arena, &diag) || !load(&b, argv[2], arena, &diag))
        return 2;
    if (a.width != b.width || a.height != b.height) {
        printf("%s: %dx%d instead of %dx%d\n", argv[2], b.width, b.height, a.width, a.height);
        return 1;
    }
    const size_t pixels = (size_t)a.width * (size_t)a.height;
    uint64_t sum = 0, outliers = 0;
    int largest = 0;
    for (size_t i = 0; i < pixels; i++) {
        int worst = 0;
        for (size_t k = 0; k < 4; k++) {
            const int d = abs(a.pixels[i * 4 + k] - b.pixels[i * 4 + k]);
            sum += (uint64_t)d;
            worst = d > worst ? d : worst;
        }
        outliers += worst > MAX_LEVELS;
        largest = worst > largest ? worst : largest;
    }
    const double mean = (double)sum / (double)(pixels * 4),
                 share = (double)outliers / (double)pixels;
    printf("%s: mean %.3f, largest %d, %.2f %% outliers\n", argv[1], mean, largest, share * 100);
    arena_destroy(arena);
    return mean > mean_limit || share > share_limit;
}
