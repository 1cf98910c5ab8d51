// SPDX-License-Identifier: MIT
/* video_source: frames whose gray levels encode their number, read by time in any order */

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "diag_log.h"
#include "media/video_source.h"
#include "output/sink.h"
#include "scratch.h"
#include "unit_test.h"

enum { WIDTH = 64, HEIGHT = 32, FRAMES = 180, FPS = 25 }; /* 7.2 s: the source seeks from 5 s on */

/* Left half: frame number modulo 25, right half: its quotient by 25; both in steps of 8. */
static uint8_t grey(int n)
{
    return (uint8_t)(20 + 8 * n);
}

static Image picture(int number)
{
    static uint8_t pixels[HEIGHT][WIDTH][4];

    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            memset(pixels[y][x], grey(x < WIDTH / 2 ? number % 25 : number / 25), 3);
            pixels[y][x][3] = 255;
        }
    return (Image){WIDTH, HEIGHT, false, &pixels[0][0][0]};
}

/* The number of a frame, or -1. */
static int number_of(const Image *image)
{
    int found[2];

    for (int side = 0; side < 2; side++) {
        const int x = image->width / 4 + side * image->width / 2;
        const uint8_t *p = image->pixels + 4 * (image->height / 2 * image->width + x);
        const int n = (p[0] - 20 + 4) / 8;

        if (abs(p[0] - grey(n)) > 2 || abs(p[0] - p[1]) > 1 || p[3] != 255)
            return -1;
        found[side] = n;
    }
    return found[0] + 25 * found[1];
}

static void make_film(const char *path, const char *codec, int gop)
{
    DiagLog log;

    diag_log_init(&log);
    const SinkOptions options = {.file = path,
                                 .width = WIDTH,
                                 .height = HEIGHT,
                                 .fps_num = FPS,
                                 .fps_den = 1,
                                 .frame_count = FRAMES,
                                 .video.codec = codec,
                                 .video.preset = "fast",
                                 .video.crf = 8,
                                 .video.gop = gop,
                                 .video.pixel_format = "auto",
                                 .video.audio_codec = "auto",
                                 .threads = 1};
    Sink *sink = sink_create(&sink_ffmpeg, &options, &log.diag);
    if (sink == NULL)
        fail_msg("%s", log.text);
    for (int i = 0; i < FRAMES; i++) {
        const Image image = picture(i);
        assert_true(sink_write(sink, &image, i, &log.diag));
    }
    assert_true(sink_finish(sink, &log.diag));
    sink_destroy(sink);
}

/* Requested time, and the frame shown then: the last one that is not later. */
typedef struct Moment {
    const char *what;
    double time_s;
    int held, looped;
} Moment;

static const Moment MOMENTS[] = {
    {"first", 0.0, 0, 0},
    {"within the first", 0.030, 0, 0},
    {"second", 0.040, 1, 1},
    {"forward", 0.999, 24, 24},
    {"forward again", 1.0, 25, 25},
    {"a jump", 6.52, 163, 163},
    {"the one after it", 6.56, 164, 164},
    {"back", 0.4, 10, 10},
    {"back by one", 0.36, 9, 9},
    {"a jump to a key frame", 6.0, 150, 150},
    {"a jump back", 5.96, 149, 149},
    {"last", 7.199, 179, 179},
    {"after the end", 7.201, 179, 0},
    {"long after the end", 14.6, 179, 5}, /* 14.6 - 2 * 7.2 = 0.2 */
    {"before the start", -0.1, 0, 177},   /* 7.1 s */
};

static void check_moments(const char *path, bool loop)
{
    const VideoSourceSpec spec = {path, WIDTH, HEIGHT, IMAGE_COVER, loop};
    DiagLog log;

    diag_log_init(&log);
    VideoSource *clip = video_source_open(&spec, &log.diag);
    if (clip == NULL)
        fail_msg("%s", log.text);
    for (size_t i = 0; i < sizeof MOMENTS / sizeof *MOMENTS; i++) {
        const Moment *m = &MOMENTS[i];
        const Image *image;

        if (!video_source_read(&image, clip, m->time_s, &log.diag))
            fail_msg("%s: %s", path, log.text);
        if (number_of(image) != (loop ? m->looped : m->held))
            fail_msg("%s, loop %d: %s: frame %d instead of %d", path, loop, m->what,
                     number_of(image), loop ? m->looped : m->held);
    }
    video_source_close(clip);
}

static void test_frames_by_time(void **state)
{
    static const struct {
        const char *name, *codec;
        int gop;
    } rows[] = {
        {"a.mp4", "h264", 50},                        /* with frames out of order */
        {"b.mp4", "h264", 600},                       /* one key frame only */
        {"a.mkv", "h264", 50},  {"a.ts", "h264", 50}, /* no index */
        {"a.webm", "vp9", 50},
    };
    (void)state;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Scratch scratch;

        scratch_make(&scratch);
        const char *path = scratch_path(&scratch, rows[i].name);
        make_film(path, rows[i].codec, rows[i].gop);
        check_moments(path, false);
        check_moments(path, true);
        scratch_remove(&scratch);
    }
}

/* A film of 64 x 32 in frames of 64 x 64: two gray halves, 20 and 20 in frame 0, 28 and 20 in 1.
 */
static void test_fits(void **state)
{
    static const struct {
        const char *what;
        ImageFit fit;
        int x, y;
        int expected[2]; /* grey, alpha */
    } rows[] = {
        {"cover: cut at the sides", IMAGE_COVER, 2, 2, {28, 255}},
        {"cover: right half", IMAGE_COVER, 61, 61, {20, 255}},
        {"contain: bar above", IMAGE_CONTAIN, 2, 14, {0, 0}},
        {"contain: first row", IMAGE_CONTAIN, 2, 17, {28, 255}},
        {"contain: last row", IMAGE_CONTAIN, 61, 46, {20, 255}},
        {"contain: bar below", IMAGE_CONTAIN, 61, 49, {0, 0}},
        {"stretch", IMAGE_STRETCH, 2, 2, {28, 255}},
        {"stretch: right half", IMAGE_STRETCH, 61, 61, {20, 255}},
    };
    Scratch scratch;
    DiagLog log;
    (void)state;

    scratch_make(&scratch);
    diag_log_init(&log);
    const char *path = scratch_path(&scratch, "a.mp4");
    make_film(path, "h264", 50);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const VideoSourceSpec spec = {path, 64, 64, rows[i].fit, false};
        const Image *image;
        VideoSource *clip = video_source_open(&spec, &log.diag);

        assert_non_null(clip);
        assert_true(video_source_read(&image, clip, 0.04, &log.diag));
        assert_int_equal(image->has_alpha, rows[i].fit == IMAGE_CONTAIN);
        const uint8_t *p = image->pixels + 4 * (rows[i].y * 64 + rows[i].x);
        if (abs(p[0] - rows[i].expected[0]) > 2 || p[3] != rows[i].expected[1])
            fail_msg("%s: %d with alpha %d", rows[i].what, p[0], p[3]);
        video_source_close(clip);
    }
    scratch_remove(&scratch);
}

/* Truncated or modified: frames or a message, and no crash. */
static void test_damaged_files(void **state)
{
    enum { PLACES = 20 };
    Scratch scratch;
    DiagLog log;
    Bytes whole;
    Arena *arena = arena_create();
    (void)state;

    scratch_make(&scratch);
    diag_log_init(&log);
    const char *path = scratch_path(&scratch, "a.mp4");
    make_film(path, "h264", 50);
    assert_true(file_load(&whole, path, FILE_MAX_SIZE, arena, &log.diag));
    uint8_t *bytes = arena_copy(arena, whole.data, whole.size);
    for (size_t i = 0; i < 2 * PLACES; i++) {
        const size_t at = whole.size * (i / 2) / PLACES;
        const size_t size = i % 2 ? at : whole.size;
        const VideoSourceSpec spec = {path, 16, 16, IMAGE_COVER, i % 4 < 2};
        const Image *image;

        bytes[at] ^= 0x55;
        assert_true(file_save(path, bytes, size, &log.diag));
        bytes[at] ^= 0x55;
        const unsigned errors = log.diag.errors;
        VideoSource *clip = video_source_open(&spec, &log.diag);
        if (clip == NULL || !video_source_read(&image, clip, 6.5, &log.diag) ||
            !video_source_read(&image, clip, 0.5, &log.diag))
            assert_true(log.diag.errors > errors);
        video_source_close(clip);
    }
    scratch_remove(&scratch);
    arena_destroy(arena);
}

static void test_refused(void **state)
{
    static const struct {
        const char *name, *text, *message;
        DiagKind kind;
    } rows[] = {
        {"none.mp4", NULL, "cannot open", DIAG_MISSING},
        {"text.mp4", "not a film", "not a supported video file", DIAG_DATA},
        {"list.m3u8", "#EXTM3U\n#EXTINF:1,\nfile:///dev/zero\n", "not a supported video file",
         DIAG_DATA},
    };
    (void)state;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Scratch scratch;
        DiagLog log;

        scratch_make(&scratch);
        diag_log_init(&log);
        const char *path = scratch_path(&scratch, rows[i].name);
        if (rows[i].text)
            assert_true(file_save(path, rows[i].text, strlen(rows[i].text), &log.diag));
        const VideoSourceSpec spec = {path, 16, 16, IMAGE_COVER, false};
        assert_null(video_source_open(&spec, &log.diag));
        if (!strstr(log.text, rows[i].message) || log.diag.kind != rows[i].kind)
            fail_msg("%s: %s", rows[i].name, log.text);
        scratch_remove(&scratch);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames_by_time),
        cmocka_unit_test(test_fits),
        cmocka_unit_test(test_damaged_files),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests_name("clip", tests, NULL, NULL);
}
