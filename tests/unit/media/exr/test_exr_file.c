// SPDX-License-Identifier: MIT
/*
 * Files that are written and read back, damaged ones, and the same without OpenEXR.
 */

#include <math.h>
#include <string.h>

#include "media/exr/exr_file.h"
#include "unit_test.h"

enum { WIDTH = 7, HEIGHT = 35 }; /* three blocks of rows */

static float value_at(size_t channel, int x, int y)
{
    const float sign = channel == 1 ? -1.0f : 1.0f;

    return sign * ((float)(100 * y + x) * 0.25f + (float)channel);
}

static void read_row(void *user, float *const *rows, int y)
{
    (void)user;
    for (size_t c = 0; c < 3; c++)
        for (int x = 0; x < WIDTH; x++)
            rows[c][x] = value_at(c, x, y);
}

static const ExrChannel CHANNELS[] = {
    {"Z", EXR_TYPE_FLOAT}, {"N.X", EXR_TYPE_FLOAT}, {"B", EXR_TYPE_HALF}};
static const ExrAttribute ATTRIBUTES[] = {{"cryptomatte/1234567/manifest", "{\"猫\":\"00\"}"}};
static const ExrSpec SPEC = {.width = WIDTH,
                             .height = HEIGHT,
                             .channels = CHANNELS,
                             .channel_count = 3,
                             .attributes = ATTRIBUTES,
                             .attribute_count = 1,
                             .fps_num = 30000,
                             .fps_den = 1001};

typedef struct Bench {
    Arena *arena;
    Diag diag;
    Bytes file;
} Bench;

static bool bench_init(Bench *b)
{
    *b = (Bench){.arena = arena_create()};
    diag_init(&b->diag, diag_ignore, NULL);
    if (!exr_version()) {
        assert_false(exr_write(&b->file, &SPEC, read_row, NULL, b->arena, &b->diag));
        assert_int_equal(b->diag.kind, DIAG_RESOURCE);
        arena_destroy(b->arena);
        skip();
    }
    return exr_write(&b->file, &SPEC, read_row, NULL, b->arena, &b->diag);
}

static void test_round_trip(void **unused)
{
    static const char *const names[] = {"B", "N.X", "Z"}; /* sorted */
    static const size_t channels[] = {2, 1, 0};
    Bench b;
    Bytes again;
    ExrImage image;
    (void)unused;

    assert_true(bench_init(&b));
    assert_true(exr_write(&again, &SPEC, read_row, NULL, b.arena, &b.diag));
    assert_int_equal(again.size, b.file.size);
    assert_memory_equal(again.data, b.file.data, again.size);
    assert_true(exr_read(&image, b.file, b.arena, &b.diag));
    assert_int_equal(image.width, WIDTH);
    assert_int_equal(image.height, HEIGHT);
    assert_int_equal(image.channel_count, 3);
    for (size_t c = 0; c < 3; c++) {
        assert_string_equal(image.channels[c].name, names[c]);
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) {
                const float expected = value_at(channels[c], x, y);
                const float tolerance = c == 0 ? fabsf(expected) / 2048 : 0; /* half */
                assert_true(fabsf(image.values[c][y * WIDTH + x] - expected) <= tolerance);
            }
    }
    assert_int_equal(image.channels[0].type, EXR_TYPE_HALF);
    bool found = false;
    for (size_t i = 0; i < image.attribute_count; i++)
        found |= !strcmp(image.attributes[i].name, ATTRIBUTES[0].name) &&
                 !strcmp(image.attributes[i].value, ATTRIBUTES[0].value);
    assert_true(found);
    arena_destroy(b.arena);
}

/* Rows of which most are equal: 64 rows and three more, of which two chunks differ from the others.
 */
static void read_repeated(void *user, float *const *rows, int y)
{
    (void)user;
    for (size_t c = 0; c < 3; c++)
        for (int x = 0; x < WIDTH; x++)
            rows[c][x] = y == 40 || y == 66 ? value_at(c, x, y) : 7.0f;
}

static void test_repeated_chunks(void **unused)
{
    ExrSpec spec = SPEC;
    Bench b;
    ExrImage image;
    (void)unused;

    assert_true(bench_init(&b));
    spec.height = 67;
    assert_true(exr_write(&b.file, &spec, read_repeated, NULL, b.arena, &b.diag));
    assert_true(exr_read(&image, b.file, b.arena, &b.diag));
    for (int y = 0; y < spec.height; y++)
        for (int x = 0; x < WIDTH; x++)
            assert_true(image.values[2][y * WIDTH + x] ==
                        (y == 40 || y == 66 ? value_at(0, x, y) : 7.0f));
    arena_destroy(b.arena);
}

/* A part of the image is read back at its place; a single pixel is a valid file. */
static void test_window(void **unused)
{
    static const ImageRect windows[] = {
        {2, 5, 6, 30}, {0, 0, 1, 1}, {6, 34, 7, 35}, {0, 17, 7, 18}};
    Bench b;
    (void)unused;

    assert_true(bench_init(&b));
    for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
        const ImageRect w = windows[i];
        ExrSpec spec = SPEC;
        Bytes file;
        ExrImage image;

        spec.window = w;
        assert_true(exr_write(&file, &spec, read_row, NULL, b.arena, &b.diag));
        assert_true(exr_read(&image, file, b.arena, &b.diag));
        assert_int_equal(image.width, WIDTH);
        assert_int_equal(image.height, HEIGHT);
        assert_memory_equal(&image.window, &w, sizeof w);
        for (int y = w.top; y < w.bottom; y++)
            for (int x = w.left; x < w.right; x++)
                assert_true(image.values[2][(y - w.top) * (w.right - w.left) + x - w.left] ==
                            value_at(0, x, y));
    }
    arena_destroy(b.arena);
}

/* A truncated file is an error, and other bytes in the blocks of rows do not crash. */
static void test_damage(void **unused)
{
    Bench b;
    ExrImage image;
    (void)unused;

    assert_true(bench_init(&b));
    uint8_t *bytes = arena_copy(b.arena, b.file.data, b.file.size);
    for (size_t size = 0; size < b.file.size; size += 13)
        assert_false(exr_read(&image, (Bytes){bytes, size}, b.arena, &b.diag));
    for (size_t i = b.file.size / 2; i < b.file.size; i += 7) {
        bytes[i] ^= 0x55;
        exr_read(&image, (Bytes){bytes, b.file.size}, b.arena, &b.diag);
        bytes[i] ^= 0x55;
    }
    arena_destroy(b.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_repeated_chunks),
        cmocka_unit_test(test_window),
        cmocka_unit_test(test_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
