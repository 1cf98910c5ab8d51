// SPDX-License-Identifier: MIT
/* RGBA to 4:2:0 at 1080p, compared with swscale: ms per frame of CPU time, best of several rounds.
 */
#include <libavutil/pixfmt.h>
#include <libswscale/swscale.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "output/pixels/yuv.h"

enum { WIDTH = 1920, HEIGHT = 1080, ROUNDS = 40 };

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static double time_ours(const YuvPlanes *out, const Image *image)
{
    double best = 1e9;
    for (int i = 0; i < ROUNDS; i++) {
        const double start = now_ms();
        yuv_from_image(out, image);
        const double ms = now_ms() - start;
        best = ms < best ? ms : best;
    }
    return best;
}

static double time_theirs(const YuvPlanes *out, const Image *image, int flags)
{
    const int *const bt709 = sws_getCoefficients(SWS_CS_ITU709);
    struct SwsContext *scaler = sws_getContext(WIDTH, HEIGHT, AV_PIX_FMT_RGB0, WIDTH, HEIGHT,
                                               AV_PIX_FMT_YUV420P, flags, NULL, NULL, NULL);
    double best = 1e9;
    if (!scaler)
        return best;
    sws_setColorspaceDetails(scaler, bt709, 1, bt709, 0, 0, 1 << 16, 1 << 16);
    for (int i = 0; i < ROUNDS; i++) {
        const double start = now_ms();
        sws_scale(scaler, (const uint8_t *const[]){image->pixels}, (const int[]){4 * WIDTH}, 0,
                  HEIGHT, (uint8_t *const *)out->planes,
                  (const int[]){WIDTH, WIDTH / 2, WIDTH / 2});
        const double ms = now_ms() - start;
        best = ms < best ? ms : best;
    }
    sws_freeContext(scaler);
    return best;
}

int main(void)
{
    const size_t count = (size_t)WIDTH * HEIGHT;
    uint8_t *pixels = malloc(4 * count), *planes = malloc(2 * count);
    if (!pixels || !planes)
        return 1;
    for (size_t i = 0; i < 4 * count; i++)
        pixels[i] = (uint8_t)(i * 2654435761u >> 24);
    const Image image = {WIDTH, HEIGHT, false, pixels};
    const YuvPlanes out = {{planes, planes + count, planes + count + count / 4},
                           {WIDTH, WIDTH / 2, WIDTH / 2}};
    const double ours = time_ours(&out, &image);
    uint8_t *plain_pixels = calloc(count, 4);
    if (!plain_pixels)
        return 1;
    const double plain = time_ours(&out, &(Image){WIDTH, HEIGHT, false, plain_pixels});
    const double fast = time_theirs(&out, &image, SWS_BICUBIC);
    const double fine =
        time_theirs(&out, &image, SWS_AREA | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INP | SWS_BITEXACT);

    printf("RGBA to 4:2:0, 1080p     ms   ratio\n");
    printf("ours                %7.2f %7.2f\n", ours, 1.0);
    printf("ours, one color    %7.2f %7.2f\n", plain, plain / ours);
    printf("swscale, its default%7.2f %7.2f\n", fast, fast / ours);
    printf("swscale, accurate   %7.2f %7.2f\n", fine, fine / ours);
    free(plain_pixels);
    free(pixels);
    free(planes);
    return 0;
}
