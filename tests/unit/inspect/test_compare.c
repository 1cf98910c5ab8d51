// SPDX-License-Identifier: MIT
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/text_stream.h"
#include "diag_log.h"
#include "inspect/compare.h"
#include "inspect/comparison/frame_source.h"
#include "output/sink.h"
#include "scratch.h"
#include "tiny_picture.h"
#include "unit_test.h"

enum { SIZE = 16 };

typedef struct Bench {
    Scratch scratch;
    DiagLog log;
    Arena *arena;
} Bench;

static int set_up(void **state)
{
    static Bench bench;
    scratch_make(&bench.scratch);
    diag_log_init(&bench.log);
    bench.arena = arena_create();
    *state = &bench;
    return 0;
}

static int tear_down(void **state)
{
    Bench *bench = *state;
    scratch_remove(&bench->scratch);
    arena_destroy(bench->arena);
    return 0;
}

static const char *path_of(Bench *bench, const char *name)
{
    return arena_strdup(bench->arena, scratch_path(&bench->scratch, name));
}

/* Writes a grey image; the first pixel has the value `corner`. */
static void write_image(Bench *bench, const char *name, uint8_t grey, uint8_t corner)
{
    static uint8_t pixels[SIZE * SIZE * 4];
    const Image image = {SIZE, SIZE, false, pixels};
    const SinkOptions options = {.file = path_of(bench, name),
                                 .width = SIZE,
                                 .height = SIZE,
                                 .fps_num = 1,
                                 .fps_den = 1,
                                 .frame_count = 1};
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = i % 4 == 3 ? 255 : i < 4 ? corner : grey;
    Sink *sink = sink_create(&sink_png, &options, &bench->log.diag);
    assert_non_null(sink);
    assert_true(sink_write(sink, &image, 0, &bench->log.diag));
    assert_true(sink_finish(sink, &bench->log.diag));
    sink_destroy(sink);
}

static void test_parses_thresholds(void **state)
{
    static const struct {
        const char *text;
        bool good;
        double ssim, psnr;
    } rows[] = {
        {"0.99", true, 0.99, 0}, {"1", true, 1, 0},          {"0", true, 0, 0},
        {"40dB", true, -1, 40},  {"40.5db", true, -1, 40.5}, {"200dB", true, -1, 200},
        {"1.01", false, 0, 0},   {"-0.1", false, 0, 0},      {"200.1dB", false, 0, 0},
        {"-1dB", false, 0, 0},   {"dB", false, 0, 0},        {"", false, 0, 0},
        {"x", false, 0, 0},      {"0.9x", false, 0, 0},      {"40 dB", false, 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CompareOptions options = {0};
        if (compare_parse_threshold(&options, rows[i].text) != rows[i].good)
            fail_msg("'%s'", rows[i].text);
        if (rows[i].good && (options.min_ssim != rows[i].ssim || options.min_psnr != rows[i].psnr))
            fail_msg("'%s': SSIM %g, PSNR %g", rows[i].text, options.min_ssim, options.min_psnr);
    }
}

/* The numbers of a source, "1 5 12 ". */
static const char *numbers_of(Bench *bench, const char *name)
{
    FrameSource *source = frame_source_open(path_of(bench, name), &bench->log.diag);
    const Image *image;
    const char *text = "";
    int64_t number;
    assert_non_null(source);
    while (frame_source_read(&image, &number, source, &bench->log.diag) && image)
        text = arena_printf(bench->arena, "%s%d ", text, (int)number);
    frame_source_close(source);
    return text;
}

static void test_numbers_frames(void **state)
{
    Bench *bench = *state;
    write_image(bench, "a2-00012.png", 10, 10);
    write_image(bench, "a2-5.png", 10, 10);
    write_image(bench, "a2-00001.png", 10, 10);
    assert_string_equal(numbers_of(bench, ""), "1 5 12 ");
    assert_string_equal(numbers_of(bench, "a2-%05d.png"), "1 5 12 ");
    assert_string_equal(numbers_of(bench, "a2-5.png"), "0 ");
    write_image(bench, "b2-5.png", 10, 10); /* two frames 5: numbered by name */
    assert_string_equal(numbers_of(bench, ""), "0 1 2 3 ");
    assert_null(frame_source_open(path_of(bench, "c%d.png"), &bench->log.diag));
    assert_int_equal(bench->log.diag.kind, DIAG_MISSING);
}

static bool compare(Bench *bench, const char **text, const CompareOptions *options)
{
    TextStream stream;
    diag_log_init(&bench->log);
    const bool good =
        compare_write(text_stream_open(&stream, bench->arena), options, &bench->log.diag);
    *text = text_stream_close(&stream);
    return good;
}

/* One of 768 samples of a frame differs by 30: MSE 30^2 * 3 / 768. */
static void test_compares_frames(void **state)
{
    Bench *bench = *state;
    const char *text;
    write_image(bench, "a1.png", 100, 100);
    write_image(bench, "b1.png", 100, 130);
    write_image(bench, "a2.png", 50, 50);
    write_image(bench, "b2.png", 50, 50);
    write_image(bench, "b3.png", 50, 50);
    CompareOptions options = {
        .a = path_of(bench, "a%d.png"), .b = path_of(bench, "b%d.png"), .min_ssim = 1};
    assert_false(compare(bench, &text, &options));
    assert_int_equal(bench->log.diag.kind, DIAG_FAILED);
    assert_int_equal(bench->log.diag.errors, 0);
    assert_non_null(strstr(text, "2 frames compared: 1 equal, 1 different\n"));
    assert_non_null(strstr(text, "0 frames only in "));
    assert_non_null(strstr(text, ", 1 only in "));
    assert_non_null(strstr(text, "first difference: frame 1\n"));
    assert_non_null(strstr(text, "worst: frame 1, PSNR 42.67 dB"));
    assert_non_null(strstr(text, "all: PSNR 45.68 dB"));

    options.a = path_of(bench, "a1.png");
    options.b = path_of(bench, "b1.png");
    options.min_psnr = 42.6;
    assert_true(compare(bench, &text, &options));
    options.min_psnr = 42.7;
    assert_false(compare(bench, &text, &options));
    assert_non_null(strstr(text, "1 frame below 42.7 dB\n"));
    options.format = REPORT_JSON;
    assert_false(compare(bench, &text, &options));
    assert_non_null(strstr(text, "\"below_threshold\":1,\"ok\":false}"));
    options.b = options.a;
    assert_true(compare(bench, &text, &options));
    assert_non_null(
        strstr(text, "\"first_difference\":null,\"worst\":null,\"psnr\":null,\"ssim\":1,"));
}

/* Two rows of two pixels, of which each first sample is `sample`; by libpng. */
static const char *write_deep(Bench *bench, const char *name, int type, size_t channels,
                              uint16_t sample)
{
    PictureFile file;
    TinyPng png = {.type = type, .bits = 16, .width = 2};
    for (size_t i = 0; i < 2 * channels; i++) {
        const uint16_t value = i ? 0x8080 : sample;
        png.raw[2 * i] = (uint8_t)(value >> 8);
        png.raw[2 * i + 1] = (uint8_t)value;
    }
    tiny_png(&file, &png, 2);
    const Bytes bytes = tiny_bytes(&file);
    const char *path = path_of(bench, name);
    assert_true(file_save(path, bytes.data, bytes.size, &bench->log.diag));
    return path;
}

/* 0x8080 and 0x8081 are both 128 of 255.  The MSE of RGB is 2 samples of 12, in units of 1/65535:
 * 10 log10(65535^2 * 6) = 104.11 dB; grey is three equal channels: 2 of 4, 99.34 dB. */
static void test_compares_16_bits(void **state)
{
    static const struct {
        int type;
        size_t channels;
        const char *worst;
    } rows[] = {
        {PNG_COLOR_TYPE_RGB, 3, "worst: frame 0, PSNR 104.11 dB"},
        {PNG_COLOR_TYPE_GRAY, 1, "worst: frame 0, PSNR 99.34 dB"},
        {PNG_COLOR_TYPE_RGB_ALPHA, 4, "worst: frame 0, PSNR "},
    };
    Bench *bench = *state;
    const char *text;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *a = write_deep(bench, "a.png", rows[i].type, rows[i].channels, 0x8080);
        const char *b = write_deep(bench, "b.png", rows[i].type, rows[i].channels, 0x8081);
        CompareOptions options = {.a = a, .b = b, .min_ssim = 1};
        assert_false(compare(bench, &text, &options));
        assert_non_null(strstr(text, "1 frame compared at 16 bits: largest difference 1 of 65535"));
        assert_non_null(strstr(text, rows[i].worst));
        options.b = a;
        assert_true(compare(bench, &text, &options));
        options.b = b;
        options.min_psnr = 99;
        assert_true(compare(bench, &text, &options));
    }
}

/* 128 of 255 is 0x8080 of 65535. */
static void test_compares_8_with_16_bits(void **state)
{
    Bench *bench = *state;
    const char *text;
    PictureFile file;
    TinyPng png = {.type = PNG_COLOR_TYPE_GRAY, .bits = 8, .width = 2, .raw = {128, 128}};
    tiny_png(&file, &png, 2);
    const Bytes bytes = tiny_bytes(&file);
    CompareOptions options = {.a = path_of(bench, "a.png"), .min_ssim = 1};
    assert_true(file_save(options.a, bytes.data, bytes.size, &bench->log.diag));
    options.b = write_deep(bench, "b.png", PNG_COLOR_TYPE_GRAY, 1, 0x8080);
    assert_true(compare(bench, &text, &options));
    assert_non_null(strstr(text, "1 of them have 8 bits in one input and 16 in the other\n"));
    options.b = write_deep(bench, "b.png", PNG_COLOR_TYPE_GRAY, 1, 0x8083);
    options.format = REPORT_JSON;
    assert_false(compare(bench, &text, &options));
    assert_non_null(strstr(text, "\"frames_8_and_16_bit\":1,\"max_difference_16_bit\":3,"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parses_thresholds),
        cmocka_unit_test_setup_teardown(test_numbers_frames, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_compares_frames, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_compares_16_bits, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_compares_8_with_16_bits, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
