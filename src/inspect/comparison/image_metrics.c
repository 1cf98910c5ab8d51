// SPDX-License-Identifier: MIT
#include "inspect/comparison/image_metrics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 4 }; /* a window is 2 x 2 blocks */

static const double C1 = (0.01 * 255) * (0.01 * 255), C2 = (0.03 * 255) * (0.03 * 255);

/* ---- error ---- */

/* The samples of an image, which has 16 bits a sample if it has words. */
typedef struct Samples {
    const uint8_t *bytes;
    const uint16_t *words;
} Samples;

static int sample_16(const Samples *s, size_t index) /* 0..65535 */
{
    return s->words ? s->words[index] : 257 * s->bytes[index];
}

/* Color over black, then alpha: 0..255. */
static void load_pixel(double out[4], const Samples *s, size_t pixel, bool has_alpha)
{
    if (s->words)
        for (size_t c = 0; c < 4; c++)
            out[c] = s->words[4 * pixel + c] / 257.0;
    else
        for (size_t c = 0; c < 4; c++)
            out[c] = s->bytes[4 * pixel + c];
    for (int c = 0; has_alpha && c < 3; c++)
        out[c] = out[c] * out[3] / 255;
}

static double mean_square_error(const Samples *a, const Samples *b, size_t count, bool alpha)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        double p[4], q[4];
        load_pixel(p, a, i, alpha);
        load_pixel(q, b, i, alpha);
        for (int c = 0; c < 3; c++)
            sum += (p[c] - q[c]) * (p[c] - q[c]);
        const double d = p[3] - q[3];
        sum += alpha ? d * d : 0;
    }
    return sum / ((double)count * (alpha ? 4 : 3));
}

double image_metrics_psnr(double mse)
{
    return mse > 0 ? 10 * log10(255.0 * 255.0 / mse) : (double)INFINITY;
}

/* ---- structure ---- */

static void luma_of(double *out, const Samples *s, size_t count, bool has_alpha)
{
    for (size_t i = 0; i < count; i++) {
        double p[4];
        load_pixel(p, s, i, has_alpha);
        out[i] = 0.2126 * p[0] + 0.7152 * p[1] + 0.0722 * p[2];
    }
}

typedef struct Sums {
    double a, b, aa, bb, ab;
    double count;
} Sums;

static Sums sums_of(const double *a, const double *b, size_t stride, size_t width, size_t height)
{
    Sums s = {.count = (double)(width * height)};
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++) {
            const double p = a[y * stride + x], q = b[y * stride + x];
            s.a += p;
            s.b += q;
            s.aa += p * p;
            s.bb += q * q;
            s.ab += p * q;
        }
    return s;
}

static Sums add_sums(Sums s, Sums t)
{
    return (Sums){s.a + t.a, s.b + t.b, s.aa + t.aa, s.bb + t.bb, s.ab + t.ab, s.count + t.count};
}

/* With unbiased variances (n - 1). */
static double ssim_of(Sums s)
{
    const double n = s.count, divisor = n > 1 ? n - 1 : 1;
    const double ma = s.a / n, mb = s.b / n;
    const double va = (s.aa - s.a * ma) / divisor, vb = (s.bb - s.b * mb) / divisor;
    const double cov = (s.ab - s.a * mb) / divisor;
    return (2 * ma * mb + C1) * (2 * cov + C2) / ((ma * ma + mb * mb + C1) * (va + vb + C2));
}

static void sum_row(Sums *out, const double *a, const double *b, size_t stride, size_t blocks)
{
    for (size_t x = 0; x < blocks; x++)
        out[x] = sums_of(a + x * BLOCK, b + x * BLOCK, stride, BLOCK, BLOCK);
}

static double mean_ssim(const double *a, const double *b, size_t width, size_t height,
                        Arena *scratch)
{
    const size_t across = width / BLOCK, down = height / BLOCK;
    if (across < 2 || down < 2) /* smaller than a window: one window over the whole image */
        return ssim_of(sums_of(a, b, width, width, height));
    Sums *above = arena_array(scratch, Sums, across), *row = arena_array(scratch, Sums, across);
    double sum = 0;
    sum_row(above, a, b, width, across);
    for (size_t y = 1; y < down; y++) {
        sum_row(row, a + y * BLOCK * width, b + y * BLOCK * width, width, across);
        for (size_t x = 1; x < across; x++)
            sum +=
                ssim_of(add_sums(add_sums(above[x - 1], above[x]), add_sums(row[x - 1], row[x])));
        Sums *const next = above;
        above = row;
        row = next;
    }
    return sum / (double)((across - 1) * (down - 1));
}

static int max_difference(const Samples *a, const Samples *b, size_t count)
{
    int max = 0;
    for (size_t i = 0; i < count; i++) {
        const int d = abs(sample_16(a, i) - sample_16(b, i));
        max = d > max ? d : max;
    }
    return max;
}

ImageMetrics image_metrics_compare(const Image *a, const uint16_t *words_a, const Image *b,
                                   const uint16_t *words_b, Arena *scratch)
{
    const size_t count = (size_t)a->width * (size_t)a->height;
    const bool alpha = a->has_alpha || b->has_alpha;
    const Samples sa = {a->pixels, words_a}, sb = {b->pixels, words_b};
    if (!words_a && !words_b && !memcmp(a->pixels, b->pixels, 4 * count))
        return (ImageMetrics){.equal = true, .ssim = 1};
    const int max = words_a || words_b ? max_difference(&sa, &sb, 4 * count) : -1;
    if (max == 0)
        return (ImageMetrics){.equal = true, .ssim = 1};
    double *la = arena_array(scratch, double, count), *lb = arena_array(scratch, double, count);
    luma_of(la, &sa, count, alpha);
    luma_of(lb, &sb, count, alpha);
    return (ImageMetrics){.mse = mean_square_error(&sa, &sb, count, alpha),
                          .ssim = mean_ssim(la, lb, (size_t)a->width, (size_t)a->height, scratch),
                          .max_difference = max};
}
