// SPDX-License-Identifier: MIT
/*
 * Films with alpha, decoded frame by frame: straight colors (as editors and browsers expect of
 * ProRes 4444 and VP9), alpha, and no dark fringe from transparent pixels.
 */

#include <libavutil/pixdesc.h>
#include <math.h>
#include <string.h>

#include "diag_log.h"
#include "film_reader.h"
#include "output/pixels/alpha_bleed.h"
#include "output/sink.h"
#include "sample_film.h"
#include "scratch.h"
#include "unit_test.h"

enum { WIDTH = 96, HEIGHT = 32, FRAMES = 40, HALF_FROM = 32, CLEAR_FROM = 61 };

static const uint8_t SOLID[4] = {200, 40, 60, 255}, HALF[4] = {30, 90, 220, 128};

/* Opaque, half transparent, and transparent from a column that moves. */
static int clear_from(int frame)
{
    return CLEAR_FROM + frame % 9;
}

static Image picture(int frame)
{
    static uint8_t pixels[HEIGHT][WIDTH][4];

    memset(pixels, 0, sizeof pixels);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < clear_from(frame); x++)
            memcpy(pixels[y][x], x < HALF_FROM ? SOLID : HALF, 4);
    return (Image){WIDTH, HEIGHT, true, &pixels[0][0][0]};
}

typedef struct Kind {
    const char *name, *codec, *found, *decoder;
    bool alpha;        /* false: a warning, and colors only */
    double flat, edge; /* largest errors inside a field, and beside the transparent part */
} Kind;

static const Kind KINDS[] = {
    {"a.mov", "auto", "prores", NULL, true, 2, 6},
    {"b.mov", "prores", "prores", NULL, true, 2, 6},
    {"a.webm", "auto", "vp9", "libvpx-vp9", true, 3,
     12}, /* libavcodec's own decoder ignores alpha */
    {"a.mkv", "auto", "vp9", "libvpx-vp9", true, 3, 12},
    {"b.webm", "vp8", "vp8", "libvpx", true, 4, 16},
    {"b.mkv", "ffv1", "ffv1", NULL, true, 0, 0},
    {"a.mp4", "h264", "h264", NULL, false, 2, 0},
};

static void expect(const Kind *kind, const AVFrame *frame, int number, int x,
                   const uint8_t wanted[4], double slack)
{
    double rgba[4];

    film_reader_pixel(rgba, frame, x, HEIGHT / 2);
    for (int c = 0; c < (kind->alpha ? 4 : 3); c++)
        if (fabs(rgba[c] - wanted[c]) > slack)
            fail_msg("%s: frame %d, column %d: %.1f %.1f %.1f %.1f, expected %d %d %d %d",
                     kind->name, number, x, rgba[0], rgba[1], rgba[2], rgba[3], wanted[0],
                     wanted[1], wanted[2], wanted[3]);
}

static void check_frame(const Kind *kind, const AVFrame *frame, int number)
{
    double rgba[4];

    expect(kind, frame, number, HALF_FROM / 2, SOLID, kind->flat);
    expect(kind, frame, number, (HALF_FROM + CLEAR_FROM) / 2, HALF, kind->flat);
    if (!kind->alpha)
        return;
    expect(kind, frame, number, clear_from(number) - 1, HALF, kind->edge);
    for (int x = clear_from(number) + 1; x < WIDTH; x += 4) {
        film_reader_pixel(rgba, frame, x, HEIGHT / 2);
        if (rgba[3] > kind->edge)
            fail_msg("%s: frame %d, column %d has alpha %.1f", kind->name, number, x, rgba[3]);
    }
}

static void check_film(const Kind *kind, const char *path)
{
    AVFrame *frame = av_frame_alloc();
    FilmReader film;
    int count = 0;

    film_reader_open(&film, path, kind->decoder);
    assert_string_equal(avcodec_get_name(film.codec->codec_id), kind->found);
    for (; film_reader_next(&film, frame); count++) {
        const bool alpha = av_pix_fmt_desc_get(frame->format)->flags & AV_PIX_FMT_FLAG_ALPHA;

        if (alpha != kind->alpha)
            fail_msg("%s: pixel format %s", kind->name, av_get_pix_fmt_name(frame->format));
        check_frame(kind, frame, count);
        av_frame_unref(frame);
    }
    assert_int_equal(count, FRAMES);
    av_frame_free(&frame);
    film_reader_close(&film);
}

/* length: of the segments; 0: written at once */
static void check_kind(const Kind *kind, int length)
{
    Scratch scratch;
    DiagLog log;

    scratch_make(&scratch);
    diag_log_init(&log);
    SinkOptions options = {.file = scratch_path(&scratch, kind->name),
                           .width = WIDTH,
                           .height = HEIGHT,
                           .fps_num = 30,
                           .fps_den = 1,
                           .frame_count = FRAMES,
                           .alpha = true,
                           .video.codec = kind->codec,
                           .video.preset = "ultrafast",
                           .video.crf = strcmp(kind->found, "prores") != 0 ? 4 : -1,
                           .video.pixel_format = "auto",
                           .video.audio_codec = "auto",
                           .threads = 1};
    if (!sink_ffmpeg_check(&options, &log.diag) || (log.diag.warnings == 0) != kind->alpha)
        fail_msg("%s: %s", kind->name, log.text);
    options.checked = true;
    if (!film_make_of(picture, &options, length, &log.diag))
        fail_msg("%s: %s", kind->name, log.text);
    check_film(kind, options.file);
    scratch_remove(&scratch);
}

static void test_films(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++) {
        check_kind(&KINDS[i], 0);
        check_kind(&KINDS[i], 15);
    }
}

/* ---- colors for clear pixels
 * --------------------------------------------------------------------- */

static void test_bleed(void **state)
{
    (void)state;
    /* 5 x 3, red to the left, green (seen by half) to the right, clear between and below */
    static const uint8_t red[4] = {255, 0, 0, 255}, green[4] = {0, 255, 0, 127};
    uint8_t pixels[3][5][4] = {0};
    Arena *arena = arena_create();
    const Image image = {5, 3, true, &pixels[0][0][0]};

    memcpy(pixels[0][0], red, 4);
    memcpy(pixels[0][4], green, 4);
    const uint8_t *filled = alpha_bleed_fill(alpha_bleed_create(5, 3, arena), &image);
    assert_memory_equal(filled, red, 4);
    assert_memory_equal(filled + 16, green, 4);
    assert_memory_equal(filled + 4, ((uint8_t[4]){255, 0, 0, 0}), 4);  /* its block has red */
    assert_memory_equal(filled + 12, ((uint8_t[4]){255, 0, 0, 0}), 4); /* nearest is red's side */
    assert_memory_equal(filled + 4 * 9, ((uint8_t[4]){0, 255, 0, 0}), 4);  /* below green */
    assert_memory_equal(filled + 4 * 10, ((uint8_t[4]){255, 0, 0, 0}), 4); /* two below red */

    memset(pixels, 0, sizeof pixels); /* a fully transparent image stays black */
    filled = alpha_bleed_fill(alpha_bleed_create(5, 3, arena), &image);
    assert_memory_equal(filled, pixels, sizeof pixels);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_films), cmocka_unit_test(test_bleed)};
    return cmocka_run_group_tests_name("film_alpha", tests, NULL, NULL);
}
