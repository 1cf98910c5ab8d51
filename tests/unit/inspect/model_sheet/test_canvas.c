// SPDX-License-Identifier: MIT
/* canvas: rectangles, images and text, clipped at the edges */

#include <string.h>

#include "diag_log.h"
#include "inspect/model_sheet/canvas.h"
#include "unit_test.h"

enum { WIDTH = 120, HEIGHT = 60 };

static const uint8_t red[3] = {255, 0, 0};

static const uint8_t *pixel(const Canvas *canvas, int x, int y)
{
    return canvas->image.pixels + 4 * (y * canvas->image.width + x);
}

static Canvas plain_canvas(Arena *arena)
{
    Canvas canvas;
    DiagLog log;
    diag_log_init(&log);
    assert_true(canvas_init(&canvas, WIDTH, HEIGHT, "", arena, &log.diag));
    assert_string_equal(log.text, "");
    return canvas;
}

static size_t count_red(const Canvas *canvas)
{
    size_t count = 0;
    for (size_t i = 0; i < WIDTH * HEIGHT; i++)
        count += !memcmp(canvas->image.pixels + 4 * i, red, 3);
    return count;
}

static void fills_and_clips(void **state)
{
    static const struct {
        int x, y, width, height;
        size_t filled;
    } rows[] = {
        {10, 10, 4, 3, 12},
        {-2, -1, 4, 3, 4},
        {WIDTH - 1, HEIGHT - 2, 9, 9, 2},
        {0, 0, WIDTH, HEIGHT, 7200},
        {WIDTH, 0, 5, 5, 0},
        {-9, 0, 5, 5, 0},
        {5, 5, 0, 5, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        Canvas canvas = plain_canvas(arena);
        assert_memory_equal(pixel(&canvas, 0, 0), canvas_ground, 3);
        assert_int_equal(pixel(&canvas, WIDTH - 1, HEIGHT - 1)[3], 255);
        canvas_fill(&canvas, rows[i].x, rows[i].y, rows[i].width, rows[i].height, red);
        if (count_red(&canvas) != rows[i].filled)
            fail_msg("row %zu: %zu pixels", i, count_red(&canvas));
        arena_destroy(arena);
    }
}

static void copies_images(void **state)
{
    uint8_t pixels[] = {1, 2, 3, 0, 4, 5, 6, 255, 7, 8, 9, 128, 255, 0, 0, 255};
    const Image image = {2, 2, true, pixels};
    Arena *arena = arena_create();
    Canvas canvas = plain_canvas(arena);
    (void)state;
    canvas_blit(&canvas, 20, 30, &image);
    assert_memory_equal(pixel(&canvas, 20, 30), "\x01\x02\x03\xFF", 4);
    assert_memory_equal(pixel(&canvas, 21, 30), "\x04\x05\x06\xFF", 4);
    assert_memory_equal(pixel(&canvas, 20, 31), "\x07\x08\x09\xFF", 4);
    canvas_blit(&canvas, -1, -1, &image); /* only its last pixel */
    assert_memory_equal(pixel(&canvas, 0, 0), red, 3);
    assert_int_equal(count_red(&canvas), 2);
    arena_destroy(arena);
}

/* The columns in which anything is drawn. */
static void ink_columns(const Canvas *canvas, int *first, int *last)
{
    *first = WIDTH;
    *last = -1;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            if (memcmp(pixel(canvas, x, y), canvas_ground, 3) != 0) {
                *first = x < *first ? x : *first;
                *last = x > *last ? x : *last;
            }
}

static void keeps_text_in_its_width(void **state)
{
    static const char *const texts[] = {
        "short",
        "a text that is much longer than the picture is wide, whatever font is there",
        "\x1B[31mcontrol\n",
        "踊り子踊り子踊り子踊り子踊り子踊り子踊り子踊り子",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Arena *arena = arena_create();
        DiagLog log;
        int first, last;
        Canvas canvas;
        diag_log_init(&log);
        assert_true(canvas_init(&canvas, WIDTH, HEIGHT, texts[i], arena, &log.diag));
        assert_true(canvas_text(&canvas, 10, 40, 80, 20, INK_TEXT, texts[i], &log.diag));
        ink_columns(&canvas, &first, &last);
        if (first < 8 || last > 92 || last < first + 10)
            fail_msg("'%s': columns %d to %d", texts[i], first, last);
        arena_destroy(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fills_and_clips),
        cmocka_unit_test(copies_images),
        cmocka_unit_test(keeps_text_in_its_width),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
