#include <stdarg.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "diag_log.h"
#include "scratch.h"
#include "base/text_stream.h"
#include "inspect/compare.h"
#include "inspect/frame_source.h"
#include "output/sink.h"

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
    Sink *sink = sink_png.create(&options, &bench->log.diag);
    assert_non_null(sink);
    assert_true(sink_png.write(sink, &image, 0, &bench->log.diag));
    assert_true(sink_png.finish(sink, &bench->log.diag));
    sink_png.destroy(sink);
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
    assert_non_null(strstr(text, "1 frames are below 42.7 dB\n"));
    options.format = REPORT_JSON;
    assert_false(compare(bench, &text, &options));
    assert_non_null(strstr(text, "\"below_threshold\":1,\"ok\":false}"));
    options.b = options.a;
    assert_true(compare(bench, &text, &options));
    assert_non_null(strstr(text, "\"first_difference\":-1,\"worst\":-1,\"psnr\":null,\"ssim\":1,"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parses_thresholds),
        cmocka_unit_test_setup_teardown(test_numbers_frames, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_compares_frames, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
