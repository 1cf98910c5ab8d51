/* sink_webp: times worked by hand, pictures as libwebp decodes them */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <webp/demux.h>

#include "base/file.h"
#include "heard.h"
#include "output/sink.h"
#include "scratch.h"

enum { WIDTH = 48, HEIGHT = 32, SIDE = 12, MOST = 8, BYTES = 4 * WIDTH * HEIGHT };

/* A red square that goes to the right over a slope from dark to light; half clear under it if asked. */
static Image picture_of(uint8_t *pixels, int number, bool clear)
{
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const bool square = y >= 8 && y < 8 + SIDE && x >= 4 * number && x < 4 * number + SIDE;
            const uint8_t shade = (uint8_t)(40 + 4 * x);
            const uint8_t rgba[4] = {square ? 200 : shade, square ? 40 : shade, square ? 40 : 128,
                                     clear && !square ? (x < WIDTH / 2 ? 0 : 128) : 255};
            memcpy(pixels + 4 * (y * WIDTH + x), rgba, sizeof rgba);
        }
    return (Image){WIDTH, HEIGHT, clear, pixels};
}

static SinkOptions options_for(const char *file, int count, int num, int den, bool alpha)
{
    return (SinkOptions){.file = file, .width = WIDTH, .height = HEIGHT, .fps_num = num,
                         .fps_den = den, .frame_count = count, .alpha = alpha};
}

static bool write_pictures(const SinkKind *kind, const SinkOptions *options, int count, bool finish,
                           Diag *diag)
{
    uint8_t pixels[BYTES];
    Sink *sink = kind->create(options, diag);
    bool good = sink != NULL;
    for (int i = 0; good && i < count; i++) {
        const Image picture = picture_of(pixels, i, options->alpha);
        good = kind->write(sink, &picture, 10 * i, diag);
    }
    good = good && finish && kind->finish(sink, diag);
    kind->destroy(sink);
    return good;
}

/* Mean difference of the colours that are seen, and the largest of alpha. */
static void compare(double *colour, int *alpha, const uint8_t *a, const uint8_t *b)
{
    int sum = 0, count = 0;
    *alpha = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const int apart = abs(a[4 * i + 3] - b[4 * i + 3]);
        *alpha = apart > *alpha ? apart : *alpha;
        for (int c = 0; c < 3 && a[4 * i + 3]; c++, count++)
            sum += abs(a[4 * i + c] - b[4 * i + c]);
    }
    *colour = (double)sum / count;
}

/* ---- WebP ---- */

static void check_webp(const char *what, Bytes file, int count, bool alpha, const int *ends)
{
    const WebPData data = {file.data, file.size};
    WebPAnimDecoder *decoder = WebPAnimDecoderNew(&data, NULL);
    WebPAnimInfo info;
    assert_non_null(decoder);
    assert_true(WebPAnimDecoderGetInfo(decoder, &info));
    assert_int_equal(info.frame_count, count);
    assert_int_equal(info.canvas_width, WIDTH);
    assert_int_equal(info.canvas_height, HEIGHT);
    assert_int_equal(info.loop_count, count == 1); /* a file of one picture is no animation */
    for (int i = 0; i < count; i++) {
        uint8_t *decoded, pixels[BYTES];
        double colour;
        int time, apart;
        assert_true(WebPAnimDecoderGetNext(decoder, &decoded, &time));
        compare(&colour, &apart, picture_of(pixels, i, alpha).pixels, decoded);
        if (time != ends[i] || colour > 4 || apart > 0)
            fail_msg("%s: picture %d ends at %d, colours are %.2f and alpha %d apart", what, i, time,
                     colour, apart);
    }
    WebPAnimDecoderDelete(decoder);
}

static void test_webp(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        int count, num, den;
        bool alpha;
        int ends[MOST]; /* ms */
    } rows[] = {
        {"12 a second: 83.3 each", 6, 12, 1, false, {83, 167, 250, 333, 417, 500}},
        {"of NTSC: 33.37 each", 4, 30000, 1001, false, {33, 67, 100, 133}},
        {"with alpha", 3, 10, 1, true, {100, 200, 300}},
        {"one picture", 1, 10, 1, false, {0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        Scratch scratch;
        Heard heard;
        Bytes first, second;
        scratch_make(&scratch);
        heard_init(&heard);
        SinkOptions options = options_for(scratch_path(&scratch, "a.webp"), rows[i].count,
                                          rows[i].num, rows[i].den, rows[i].alpha);
        assert_true(write_pictures(&sink_webp, &options, rows[i].count, true, &heard.diag));
        assert_true(file_load(&first, options.file, 1 << 20, arena, &heard.diag));
        check_webp(rows[i].what, first, rows[i].count, rows[i].alpha, rows[i].ends);
        assert_true(write_pictures(&sink_webp, &options, rows[i].count, true, &heard.diag));
        assert_true(file_load(&second, options.file, 1 << 20, arena, &heard.diag));
        assert_int_equal(first.size, second.size);
        assert_memory_equal(first.data, second.data, first.size);
        assert_int_equal(scratch_count(&scratch), 1);
        scratch_remove(&scratch);
        arena_destroy(arena);
    }
}

/* Pictures that do not change are one, shown as long. */
static void test_webp_rest(void **state)
{
    (void)state;
    Scratch scratch;
    Heard heard;
    uint8_t pixels[BYTES];
    scratch_make(&scratch);
    heard_init(&heard);
    const SinkOptions options = options_for(scratch_path(&scratch, "a.webp"), 3, 10, 1, false);
    const Image picture = picture_of(pixels, 0, false);
    Sink *sink = sink_webp.create(&options, &heard.diag);
    for (int i = 0; i < 3; i++)
        assert_true(sink_webp.write(sink, &picture, i, &heard.diag));
    assert_true(sink_webp.finish(sink, &heard.diag));
    sink_webp.destroy(sink);
    scratch_remove(&scratch);
}

/* ---- both ---- */

static void test_unfinished(void **state)
{
    (void)state;
    static const SinkKind *const kinds[] = {&sink_webp};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        Scratch scratch;
        Heard heard;
        scratch_make(&scratch);
        heard_init(&heard);
        const SinkOptions options = options_for(scratch_path(&scratch, "a"), 3, 10, 1, false);
        assert_false(write_pictures(kinds[i], &options, 3, false, &heard.diag));
        assert_string_equal(heard.text, "");
        assert_false(write_pictures(kinds[i], &options, 2, true, &heard.diag));
        assert_non_null(strstr(heard.text, "2 of 3 pictures came"));
        assert_int_equal(heard.diag.kind, DIAG_INCOMPLETE);
        assert_int_equal(scratch_count(&scratch), 0);
        scratch_remove(&scratch);
    }
}

static void test_no_place(void **state)
{
    (void)state;
    static const SinkKind *const kinds[] = {&sink_webp};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        Scratch scratch;
        Heard heard;
        scratch_make(&scratch);
        heard_init(&heard);
        assert_true(file_save(scratch_path(&scratch, "file"), "", 0, &heard.diag));
        const SinkOptions options = options_for(scratch_path(&scratch, "file/a"), 3, 10, 1, false);
        assert_null(kinds[i]->create(&options, &heard.diag));
        assert_int_equal(heard.diag.kind, DIAG_CREATE);
        scratch_remove(&scratch);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_webp),
        cmocka_unit_test(test_webp_rest),
        cmocka_unit_test(test_unfinished),
        cmocka_unit_test(test_no_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
