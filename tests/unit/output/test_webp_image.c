// SPDX-License-Identifier: MIT
/* webp_image: decoded by libwebp, the pixels are nearly those that were encoded */

#include <stdlib.h>
#include <webp/decode.h>

#include "diag_log.h"
#include "output/sink.h"
#include "unit_test.h"

enum { WIDTH = 24, HEIGHT = 16, TOLERANCE = 20 };

static void encodes_an_image(void **state)
{
    Arena *arena = arena_create();
    DiagLog log;
    Image image = {WIDTH, HEIGHT, true, arena_alloc(arena, 4 * WIDTH * HEIGHT)};
    Bytes bytes;
    (void)state;
    for (size_t i = 0; i < WIDTH * HEIGHT; i++) {
        image.pixels[4 * i] = i % WIDTH < WIDTH / 2 ? 200 : 40;
        image.pixels[4 * i + 1] = 90;
        image.pixels[4 * i + 3] = i / WIDTH < HEIGHT / 2 ? 255 : 128;
    }
    diag_log_init(&log);
    assert_true(sink_webp_encode(&bytes, &image, 90, arena, &log.diag));
    int width, height;
    uint8_t *pixels = WebPDecodeRGBA(bytes.data, bytes.size, &width, &height);
    assert_non_null(pixels);
    assert_int_equal(width, WIDTH);
    assert_int_equal(height, HEIGHT);
    for (size_t i = 0; i < 4 * WIDTH * HEIGHT; i++)
        assert_true(abs(pixels[i] - image.pixels[i]) <= (i % 4 == 3 ? 0 : TOLERANCE));
    WebPFree(pixels);

    image.has_alpha = false; /* then alpha is ignored */
    assert_true(sink_webp_encode(&bytes, &image, 90, arena, &log.diag));
    pixels = WebPDecodeRGBA(bytes.data, bytes.size, &width, &height);
    assert_int_equal(pixels[4 * (WIDTH * HEIGHT - 1) + 3], 255);
    WebPFree(pixels);
    arena_destroy(arena);
}

/* WebP has at most 16383 pixels per side. */
static void reports_an_image_too_large(void **state)
{
    Arena *arena = arena_create();
    DiagLog log;
    const Image image = {16384, 1, false, arena_alloc(arena, 4 * 16384)};
    Bytes bytes;
    (void)state;
    diag_log_init(&log);
    assert_false(sink_webp_encode(&bytes, &image, 90, arena, &log.diag));
    assert_int_equal(log.diag.kind, DIAG_INTERNAL);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(encodes_an_image),
        cmocka_unit_test(reports_an_image_too_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
