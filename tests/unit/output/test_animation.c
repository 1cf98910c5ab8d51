// SPDX-License-Identifier: MIT
/* sink_webp, sink_gif, palette, animated PNG: times computed by hand; images decoded by libwebp and
 * libavcodec */

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <stdlib.h>
#include <string.h>
#include <webp/demux.h>

#include "base/file.h"
#include "diag_log.h"
#include "film_reader.h"
#include "output/pixels/palette.h"
#include "output/sink.h"
#include "sample_film.h"
#include "scratch.h"
#include "unit_test.h"

enum { WIDTH = 48, HEIGHT = 32, SIDE = 12, MAX_COUNT = 8, BYTES = 4 * WIDTH * HEIGHT };

/* A red square that moves to the right over a gradient from dark to light; the lower half is
 * transparent on request. */
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
    return (SinkOptions){.file = file,
                         .width = WIDTH,
                         .height = HEIGHT,
                         .fps_num = num,
                         .fps_den = den,
                         .frame_count = count,
                         .alpha = alpha};
}

static bool write_pictures(const SinkKind *kind, const SinkOptions *options, int count, bool finish,
                           Diag *diag)
{
    uint8_t pixels[BYTES];
    Sink *sink = sink_create(kind, options, diag);
    bool good = sink != NULL;
    for (int i = 0; good && i < count; i++) {
        const Image picture = picture_of(pixels, i, options->alpha);
        good = sink_write(sink, &picture, 10 * i, diag);
    }
    good = good && finish && sink_finish(sink, diag);
    sink_destroy(sink);
    return good;
}

/* Mean difference of the visible colors, and the largest difference of alpha. */
static void compare(double *color, int *alpha, const uint8_t *a, const uint8_t *b)
{
    int sum = 0, count = 0;
    *alpha = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const int apart = abs(a[4 * i + 3] - b[4 * i + 3]);
        *alpha = apart > *alpha ? apart : *alpha;
        for (int c = 0; c < 3 && a[4 * i + 3]; c++, count++)
            sum += abs(a[4 * i + c] - b[4 * i + c]);
    }
    *color = (double)sum / count;
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
    assert_int_equal(info.loop_count, count == 1); /* a file of one frame is not an animation */
    for (int i = 0; i < count; i++) {
        uint8_t *decoded, pixels[BYTES];
        double color;
        int time, apart;
        assert_true(WebPAnimDecoderGetNext(decoder, &decoded, &time));
        compare(&color, &apart, picture_of(pixels, i, alpha).pixels, decoded);
        if (time != ends[i] || color > 4 || apart > 0)
            fail_msg("%s: frame %d ends at %d, colors are %.2f and alpha %d apart", what, i, time,
                     color, apart);
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
        int ends[MAX_COUNT]; /* ms */
    } rows[] = {
        {"12 a second: 83.3 each", 6, 12, 1, false, {83, 167, 250, 333, 417, 500}},
        {"of NTSC: 33.37 each", 4, 30000, 1001, false, {33, 67, 100, 133}},
        {"with alpha", 3, 10, 1, true, {100, 200, 300}},
        {"one image", 1, 10, 1, false, {0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        Scratch scratch;
        DiagLog log;
        Bytes first, second;
        scratch_make(&scratch);
        diag_log_init(&log);
        SinkOptions options = options_for(scratch_path(&scratch, "a.webp"), rows[i].count,
                                          rows[i].num, rows[i].den, rows[i].alpha);
        assert_true(write_pictures(&sink_webp, &options, rows[i].count, true, &log.diag));
        assert_true(file_load(&first, options.file, 1 << 20, arena, &log.diag));
        check_webp(rows[i].what, first, rows[i].count, rows[i].alpha, rows[i].ends);
        assert_true(write_pictures(&sink_webp, &options, rows[i].count, true, &log.diag));
        assert_true(file_load(&second, options.file, 1 << 20, arena, &log.diag));
        assert_int_equal(first.size, second.size);
        assert_memory_equal(first.data, second.data, first.size);
        assert_int_equal(scratch_count(&scratch), 1);
        scratch_remove(&scratch);
        arena_destroy(arena);
    }
}

/* ---- GIF ---- */

/* libavcodec composes each frame with the previous one: BGRA. */
static void compare_frame(const char *what, int number, const AVFrame *frame)
{
    uint8_t decoded[BYTES], pixels[BYTES];
    double color;
    int apart;
    assert_int_equal(frame->format, AV_PIX_FMT_BGRA);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const uint8_t *from = frame->data[0] + y * frame->linesize[0] + 4 * x;
            const uint8_t rgba[4] = {from[2], from[1], from[0], from[3]};
            memcpy(decoded + 4 * (y * WIDTH + x), rgba, sizeof rgba);
        }
    compare(&color, &apart, picture_of(pixels, number, false).pixels, decoded);
    if (color > 2 || apart > 0)
        fail_msg("%s: frame %d: colors are %.2f and alpha %d apart", what, number, color, apart);
}

static void check_gif(const char *what, const char *path, int count, const int *begins, int length)
{
    AVFormatContext *in = NULL;
    AVPacket *packet = av_packet_alloc();
    AVFrame *frame = av_frame_alloc();
    AVCodecContext *decoder = avcodec_alloc_context3(avcodec_find_decoder(AV_CODEC_ID_GIF));
    int number = 0, end = 0;
    assert_int_equal(avformat_open_input(&in, path, NULL, NULL), 0);
    assert_true(avformat_find_stream_info(in, NULL) >= 0);
    assert_true(avcodec_parameters_to_context(decoder, in->streams[0]->codecpar) >= 0);
    assert_int_equal(avcodec_open2(decoder, NULL, NULL), 0);
    for (; av_read_frame(in, packet) >= 0; number++) {
        if (number >= count || packet->pts != begins[number])
            fail_msg("%s: frame %d begins at %d", what, number, (int)packet->pts);
        end = (int)(packet->pts + packet->duration);
        assert_int_equal(avcodec_send_packet(decoder, packet), 0);
        assert_int_equal(avcodec_receive_frame(decoder, frame), 0);
        compare_frame(what, number, frame);
        av_packet_unref(packet);
    }
    assert_int_equal(number, count);
    assert_int_equal(end, length);
    avformat_close_input(&in);
    avcodec_free_context(&decoder);
    av_frame_free(&frame);
    av_packet_free(&packet);
}

/* The extension block with the loop count; 0: forever. */
static bool loops(Bytes file)
{
    static const char block[] = "\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0";
    for (size_t i = 0; i + sizeof block <= file.size; i++)
        if (!memcmp(file.data + i, block, sizeof block))
            return true;
    return false;
}

static void test_gif(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        int count, num, den;
        int begins[MAX_COUNT], length; /* 1/100 s */
    } rows[] = {
        {"12 a second: 8.33 each", 6, 12, 1, {0, 8, 17, 25, 33, 42}, 50},
        {"of NTSC: 3.34 each", 4, 30000, 1001, {0, 3, 7, 10}, 13},
        {"50 a second", 3, 50, 1, {0, 2, 4}, 6},
        {"the last is longer than the one before", 2, 8, 1, {0, 13}, 25}, /* 12.5 is nearer to 13 */
        {"one image", 1, 10, 1, {0}, 10},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        Scratch scratch;
        DiagLog log;
        Bytes first, second;
        scratch_make(&scratch);
        diag_log_init(&log);
        const SinkOptions options = options_for(scratch_path(&scratch, "a.gif"), rows[i].count,
                                                rows[i].num, rows[i].den, false);
        assert_true(write_pictures(&sink_gif, &options, rows[i].count, true, &log.diag));
        assert_true(file_load(&first, options.file, 1 << 20, arena, &log.diag));
        check_gif(rows[i].what, options.file, rows[i].count, rows[i].begins, rows[i].length);
        assert_true(rows[i].count == 1 || loops(first));
        assert_true(write_pictures(&sink_gif, &options, rows[i].count, true, &log.diag));
        assert_true(file_load(&second, options.file, 1 << 20, arena, &log.diag));
        assert_int_equal(first.size, second.size);
        assert_memory_equal(first.data, second.data, first.size);
        assert_int_equal(scratch_count(&scratch), 1);
        scratch_remove(&scratch);
        arena_destroy(arena);
    }
}

/* A GIF that is an output has the same palette, and the same bytes however it is divided. */
static void test_gif_segments(void **state)
{
    (void)state;
    static const int lengths[] = {0, 6, FILM_FRAMES};
    Arena *arena = arena_create();
    Bytes whole = {0};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        Scratch scratch;
        DiagLog log;
        Bytes file;
        FilmReader film;
        AVFrame *frame = av_frame_alloc();
        int count = 0;
        scratch_make(&scratch);
        diag_log_init(&log);
        const SinkOptions options = film_options(scratch_path(&scratch, "a.gif"));
        assert_ptr_equal(sink_find(options.file, NULL, &log.diag), &sink_gif);
        if (!film_make_of(film_picture, &options, lengths[i], &log.diag))
            fail_msg("segments of %d frames: %s", lengths[i], log.text);
        assert_true(file_load(&file, options.file, 1 << 24, arena, &log.diag));
        whole = i ? whole : file;
        assert_int_equal(file.size, whole.size);
        assert_memory_equal(file.data, whole.data, whole.size);
        assert_int_equal(scratch_count(&scratch), 1);
        film_reader_open(&film, scratch.path, NULL);
        for (; film_reader_next(&film, frame); count++) {
            film_check_picture("a.gif", frame, count, 2.0);
            av_frame_unref(frame);
        }
        assert_int_equal(count, FILM_FRAMES);
        film_reader_close(&film);
        av_frame_free(&frame);
        scratch_remove(&scratch);
    }
    arena_destroy(arena);
}

/* What a GIF cannot store is reported before anything is rendered. */
static void test_gif_check(void **state)
{
    (void)state;
    DiagLog log;
    diag_log_init(&log);
    SinkOptions options = options_for("a.gif", 2, 10, 1, true);
    options.video.crf = -1;
    assert_true(sink_gif.check(&options, &log.diag));
    assert_non_null(strstr(log.text, "'a.gif': a GIF does not support alpha; the film is opaque"));
    options.video.pixel_format = "rgb8";
    assert_false(sink_gif.check(&options, &log.diag));
    assert_non_null(strstr(log.text, "a GIF does not support pixel format 'rgb8' (pal8)"));
}

/* ---- animated PNG ---- */

/* The chunk of a type, from its type on, number `index` of them; NULL if there are fewer. */
static const uint8_t *find_chunk(Bytes file, const char *type, int index)
{
    const uint8_t *found = NULL;
    for (size_t at = 8; at + 12 <= file.size;) {
        const uint8_t *p = file.data + at;
        if (!memcmp(p + 4, type, 4) && index-- == 0)
            found = p + 4;
        at += 12 + ((size_t)p[0] << 24 | (size_t)p[1] << 16 | (size_t)p[2] << 8 | p[3]);
    }
    return found;
}

/* It plays forever, and its last frame lasts as long as the others. */
static void test_apng(void **state)
{
    (void)state;
    static const struct {
        int num, den;
        uint8_t delay[4]; /* numerator and denominator, seconds */
    } rows[] = {{12, 1, {0, 1, 0, 12}}, {30000, 1001, {0x03, 0xE9, 0x75, 0x30}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        Scratch scratch;
        DiagLog log;
        Bytes file;
        scratch_make(&scratch);
        diag_log_init(&log);
        SinkOptions options =
            options_for(scratch_path(&scratch, "a.apng"), 3, rows[i].num, rows[i].den, false);
        options.video.crf = -1;
        assert_true(write_pictures(&sink_ffmpeg_unsegmented, &options, 3, true, &log.diag));
        assert_true(file_load(&file, options.file, 1 << 20, arena, &log.diag));
        const uint8_t *control = find_chunk(file, "acTL", 0);
        assert_non_null(control);
        assert_memory_equal(control + 4, "\0\0\0\3\0\0\0\0", 8); /* frames, plays */
        for (int frame = 0; frame < 3; frame++) {
            const uint8_t *header = find_chunk(file, "fcTL", frame);
            assert_non_null(header);
            assert_memory_equal(header + 24, rows[i].delay, sizeof rows[i].delay);
        }
        scratch_remove(&scratch);
        arena_destroy(arena);
    }
}

/* ---- palette ---- */

enum { AREA = 64 };

static void index_picture(uint8_t *indices, Palette *palette, uint8_t *pixels)
{
    const Image image = {AREA, AREA, false, pixels};
    palette_add(palette, &image);
    palette_choose(palette);
    palette_map(indices, AREA, palette, &image);
}

/* 216 colors are preserved. */
static void test_few_colors(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    Palette *palette = palette_create(arena);
    uint8_t pixels[4 * AREA * AREA], indices[AREA * AREA];
    for (int i = 0; i < AREA * AREA; i++) {
        const int n = i % 216;
        const uint8_t rgba[4] = {(uint8_t)(n % 6 * 51), (uint8_t)(n / 6 % 6 * 51),
                                 (uint8_t)(n / 36 * 51), 255};
        memcpy(pixels + 4 * i, rgba, sizeof rgba);
    }
    index_picture(indices, palette, pixels);
    for (int i = 0; i < AREA * AREA; i++)
        assert_memory_equal(palette_colors(palette)[indices[i]], pixels + 4 * i, 3);
    arena_destroy(arena);
}

/* A gradient of 4096 colors over a plain half: blocks keep their mean within 5, the plain half
 * stays plain. */
static void test_many_colors(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    Palette *palette = palette_create(arena);
    uint8_t pixels[4 * AREA * AREA], indices[AREA * AREA];
    for (int y = 0; y < AREA; y++)
        for (int x = 0; x < AREA; x++) {
            const uint8_t slope[4] = {(uint8_t)(4 * x), (uint8_t)(8 * (y % 32)),
                                      (uint8_t)(255 - 2 * x - 4 * (y % 32) / 2), 255};
            const uint8_t plain[4] = {122, 112, 196, 255};
            memcpy(pixels + 4 * (y * AREA + x), y < 32 ? slope : plain, 4);
        }
    index_picture(indices, palette, pixels);
    const uint8_t(*colors)[3] = palette_colors(palette);
    for (int block = 0; block < 32; block++)
        for (int c = 0; c < 3; c++) {
            int wanted = 0, got = 0;
            for (int i = 0; i < 64; i++) {
                const int at = (block / 8 * 8 + i / 8) * AREA + block % 8 * 8 + i % 8;
                wanted += pixels[4 * at + c];
                got += colors[indices[at]][c];
            }
            if (abs(wanted - got) > 5 * 64)
                fail_msg("block %d, channel %d: %d, not %d", block, c, got / 64, wanted / 64);
        }
    for (int i = 32 * AREA; i < AREA * AREA; i++)
        assert_int_equal(indices[i], indices[32 * AREA]);
    arena_destroy(arena);
}

/* ---- both ---- */

/* Identical images, which both formats merge. */
static void test_identical_images(void **state)
{
    (void)state;
    static const SinkKind *const kinds[] = {&sink_webp, &sink_gif};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        Scratch scratch;
        DiagLog log;
        uint8_t pixels[BYTES];
        scratch_make(&scratch);
        diag_log_init(&log);
        const SinkOptions options = options_for(scratch_path(&scratch, "a"), 3, 10, 1, false);
        const Image picture = picture_of(pixels, 0, false);
        Sink *sink = sink_create(kinds[i], &options, &log.diag);
        for (int n = 0; n < 3; n++)
            assert_true(sink_write(sink, &picture, n, &log.diag));
        assert_true(sink_finish(sink, &log.diag));
        sink_destroy(sink);
        scratch_remove(&scratch);
    }
}

static void test_unfinished(void **state)
{
    (void)state;
    static const SinkKind *const kinds[] = {&sink_webp, &sink_gif};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        Scratch scratch;
        DiagLog log;
        scratch_make(&scratch);
        diag_log_init(&log);
        const SinkOptions options = options_for(scratch_path(&scratch, "a"), 3, 10, 1, false);
        assert_false(write_pictures(kinds[i], &options, 3, false, &log.diag));
        assert_string_equal(log.text, "");
        assert_false(write_pictures(kinds[i], &options, 2, true, &log.diag));
        assert_non_null(strstr(log.text, "2 of 3 frames were written"));
        assert_int_equal(log.diag.kind, DIAG_INCOMPLETE);
        assert_int_equal(scratch_count(&scratch), 0);
        scratch_remove(&scratch);
    }
}

static void test_no_directory(void **state)
{
    (void)state;
    static const SinkKind *const kinds[] = {&sink_webp, &sink_gif};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        Scratch scratch;
        DiagLog log;
        scratch_make(&scratch);
        diag_log_init(&log);
        assert_true(file_save(scratch_path(&scratch, "file"), "", 0, &log.diag));
        const SinkOptions options = options_for(scratch_path(&scratch, "file/a"), 3, 10, 1, false);
        assert_null(sink_create(kinds[i], &options, &log.diag));
        assert_int_equal(log.diag.kind, DIAG_CREATE);
        scratch_remove(&scratch);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_webp),         cmocka_unit_test(test_gif),
        cmocka_unit_test(test_gif_segments), cmocka_unit_test(test_gif_check),
        cmocka_unit_test(test_apng),         cmocka_unit_test(test_few_colors),
        cmocka_unit_test(test_many_colors),  cmocka_unit_test(test_identical_images),
        cmocka_unit_test(test_unfinished),   cmocka_unit_test(test_no_directory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
