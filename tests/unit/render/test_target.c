// SPDX-License-Identifier: MIT
/* What a sample of the surface adds to the pixels around it (render/README.md 10). */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/target.h"
#include "unit_test.h"

enum { WIDTH = 7, HEIGHT = 6 };

typedef struct Surface {
    Arena *arena;
    GlContext *context;
    const GlApi *gl;
    Target target;
    Image image;
    Diag diag;
} Surface;

static const ImageRect all = {0, 0, WIDTH, HEIGHT};

static void create(Surface *s, int scale)
{
    const TargetSpec spec = {
        .width = WIDTH, .height = HEIGHT, .scale = scale, .samples = 1, .background = {0, 0, 0, 1}};

    *s = (Surface){.arena = arena_create()};
    diag_init(&s->diag, NULL, NULL);
    s->context = gl_create((GlChoice){0}, &s->diag);
    assert_non_null(s->context);
    s->gl = gl_api(s->context);
    s->image.pixels = arena_array(s->arena, uint8_t, 4 * WIDTH * HEIGHT);
    s->gl->PixelStorei(GL_PACK_ALIGNMENT, 1);
    assert_true(target_init(&s->target, &spec, s->gl, s->arena, &s->diag));
}

static void destroy(Surface *s)
{
    gl_destroy(s->context);
    arena_destroy(s->arena);
}

/* Black, and one sample of another grey, of an outline with an alpha below 255. */
static void draw_sample(Surface *s, int x, int y, float grey, int alpha)
{
    assert_true(target_begin(&s->target, all, true, &s->diag));
    target_clear(&s->target);
    s->gl->Enable(GL_SCISSOR_TEST);
    s->gl->Scissor(x, y, 1, 1);
    s->gl->ClearColor(grey, grey, grey, (float)alpha / 255.0f);
    s->gl->Clear(GL_COLOR_BUFFER_BIT);
    s->gl->Disable(GL_SCISSOR_TEST);
    target_resolve(&s->target, all);
    target_read(&s->image, &s->target, all, NULL);
}

/* Along one axis: the share of a sample in a pixel, of its own ones. */
static double own_share(int sample, int pixel, int scale)
{
    return sample / scale == pixel ? 1.0 / scale : 0;
}

/* The same of an outline: of 3 for each own one and 1 on both sides. */
static double line_share(int sample, int pixel, int scale, int pixel_count)
{
    const int first = pixel * scale, last = first + scale - 1, end = pixel_count * scale - 1;
    double weight = 0;

    if (sample >= first && sample <= last)
        weight += 3;
    if (sample == (first > 0 ? first - 1 : 0))
        weight += 1;
    if (sample == (last < end ? last + 1 : end))
        weight += 1;
    return weight / (3 * scale + 2);
}

static void check_sample(Surface *s, int scale, int x, int y, int alpha)
{
    const bool line = alpha < 255;

    draw_sample(s, x, y, 1.0f, alpha);
    for (int row = 0; row < HEIGHT; row++)
        for (int column = 0; column < WIDTH; column++) {
            const double expected =
                line ? 255 * line_share(x, column, scale, WIDTH) * line_share(y, row, scale, HEIGHT)
                     : 255 * own_share(x, column, scale) * own_share(y, row, scale);
            const uint8_t *p = s->image.pixels + 4 * (row * WIDTH + column);

            if (fabs(p[0] - expected) > 0.75 || p[0] != p[1] || p[0] != p[2] || p[3] != 255)
                fail_msg("scale %d, sample %d,%d, alpha %d, pixel %d,%d: %d, %d, expected %.2f",
                         scale, x, y, alpha, column, row, p[0], p[3], expected);
        }
}

/* Samples at the corners, on the edges and inside; with every scale. */
static void test_weights(void **unused)
{
    (void)unused;

    for (int scale = 2; scale <= 4; scale++) {
        Surface s;

        create(&s, scale);
        for (int y = 0; y < HEIGHT * scale; y += scale - 1)
            for (int x = 0; x < WIDTH * scale; x++)
                for (int alpha = 252; alpha <= 255; alpha++)
                    check_sample(&s, scale, x, y, alpha);
        check_sample(&s, scale, WIDTH * scale - 1, HEIGHT * scale - 1, 252);
        destroy(&s);
    }
}

/* All samples alike: exactly their color, for each value and scale. */
static void test_plain_colors(void **unused)
{
    (void)unused;

    for (int scale = 2; scale <= 4; scale++) {
        Surface s;

        create(&s, scale);
        for (int grey = 0; grey < 256; grey++) {
            assert_true(target_begin(&s.target, all, true, &s.diag));
            s.gl->ClearColor((float)grey / 255.0f, 0.0f, 0.0f, 1.0f);
            s.gl->Clear(GL_COLOR_BUFFER_BIT);
            target_resolve(&s.target, all);
            target_read(&s.image, &s.target, all, NULL);
            for (int i = 0; i < WIDTH * HEIGHT; i++)
                assert_int_equal(s.image.pixels[4 * i], grey);
        }
        destroy(&s);
    }
}

/* A part of the image that is read alone has the pixels that it has in the whole image. */
static void test_parts(void **unused)
{
    static const ImageRect parts[] = {{1, 1, 4, 3}, {0, 2, 2, 6}, {5, 0, 7, 1}, {2, 2, 3, 3}};
    (void)unused;
    Surface s;
    uint8_t whole[4 * WIDTH * HEIGHT];

    create(&s, 2);
    for (int x = 0; x < 2 * WIDTH; x++) {
        draw_sample(&s, x, 4, 0.8f, 255 - x % 2);
        memcpy(whole, s.image.pixels, sizeof whole);
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
            const ImageRect *r = &parts[i];

            target_read(&s.image, &s.target, *r, whole);
            assert_memory_equal(s.image.pixels, whole, sizeof whole);
        }
    }
    destroy(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_weights),
                                       cmocka_unit_test(test_plain_colors),
                                       cmocka_unit_test(test_parts)};

    return cmocka_run_group_tests_name("target", tests, NULL, NULL);
}
