// SPDX-License-Identifier: MIT
/*
 * Whole jobs, rendered by worker processes and encoded: the decoded film compared with the PNG of
 * the same job; a video as background; laws of placement, attachment and hiding.
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "diag_log.h"
#include "film_reader.h"
#include "format/model/pmx.h"
#include "format/motion/vmd.h"
#include "media/picture.h"
#include "model_fixture.h"
#include "run/pipeline/render_job.h"
#include "scene_fixture.h"
#include "scratch.h"
#include "unit_test.h"

enum { WIDTH = 128, HEIGHT = 64 };

typedef struct Bench {
    Scratch scratch;
    DiagLog log;
    Arena *arena;
} Bench;

static void save(Bench *bench, const char *name, Bytes bytes)
{
    assert_true(
        file_save(scratch_path(&bench->scratch, name), bytes.data, bytes.size, &bench->log.diag));
}

/* A square of two units around a position, with a color that light does not change. */
static void save_square(Bench *bench, const char *name, const float rgba[4], float size, float x,
                        float y)
{
    PmxModel m = fixture_quad(bench->arena);

    m.texture_count = 0;
    m.materials[0].texture = PMX_NONE;
    memset(m.materials[0].diffuse, 0, sizeof(float[3]));
    memcpy(m.materials[0].ambient, rgba, sizeof(float[3]));
    m.materials[0].diffuse[3] = rgba[3];
    for (int i = 0; i < 4; i++) {
        m.vertices[i].position[0] = m.vertices[i].position[0] * size + x;
        m.vertices[i].position[1] = m.vertices[i].position[1] * size + y;
    }
    save(bench, name, pmx_write(&m, (PmxWriteOptions){0}, bench->arena));
}

static void save_strip_and_motion(Bench *bench)
{
    PmxModel strip = fixture_strip(bench->arena);
    VmdBoneKey keys[] = {fixture_key("upper", 0, 0, 0, 0), fixture_key("upper", 30, 12, 3, 0)};
    const VmdMotion motion = fixture_motion_of(keys, 2);

    save(bench, "strip.pmx", pmx_write(&strip, (PmxWriteOptions){0}, bench->arena));
    save(bench, "move.vmd", vmd_write(&motion, bench->arena));
}

static void set_up(Bench *bench)
{
    scratch_make(&bench->scratch);
    diag_log_init(&bench->log);
    bench->arena = arena_create();
    save_square(bench, "red.pmx", (const float[4]){0.8f, 0.2f, 0.3f, 1}, 1, 0, 0);
    save_square(bench, "blue.pmx", (const float[4]){0.1f, 0.4f, 0.9f, 0.5f}, 1, 0, 0);
    save_square(bench, "placed.pmx", (const float[4]){0.8f, 0.2f, 0.3f, 1}, 10, 20.25f, -5.25f);
    save_strip_and_motion(bench);
}

static void tear_down(Bench *bench)
{
    arena_destroy(bench->arena);
    scratch_remove(&bench->scratch);
}

/* One unit is one pixel, (0, 0) is the center. */
static const char HEAD[] = "version: 1\n"
                           "camera: { fixed: { target: [0, 0, 0], distance: -113.777778, "
                           "orthographic: true } }\n"
                           "shadows: { ground: false }\n";

static void run(Bench *bench, const char *rest, const char *frames, int workers)
{
    const char *text = arena_printf(
        bench->arena, "%s%srender: { size: [128, 64], fps: 30, frames: \"%s\", workers: %d }\n",
        HEAD, rest, frames, workers);
    const char *path = scratch_path(&bench->scratch, "job.yaml");
    const JobSource source = {.path = arena_strdup(bench->arena, path), .needs_output = true};
    const volatile sig_atomic_t stop = 0;
    const CheckpointOptions options = {
        .shard = {1, 1}, .mode = CHECKPOINT_OVERWRITE, .stop = &stop};
    RenderReport report;
    Progress progress;
    Job job;

    assert_true(file_save(source.path, text, strlen(text), &bench->log.diag));
    progress_init(&progress, stderr, PROGRESS_NONE, COLOR_NEVER);
    if (!job_load(&job, &source, bench->arena, &bench->log.diag) ||
        !render_job(&report, &job, &options, NULL, &progress, &bench->log.diag))
        fail_msg("%s", bench->log.text);
}

static Image load_png(Bench *bench, const char *name)
{
    const char *path = scratch_path(&bench->scratch, name);
    Image image;
    Bytes bytes;

    assert_true(file_load(&bytes, path, FILE_MAX_SIZE, bench->arena, &bench->log.diag));
    assert_true(picture_load(&image, bytes, bench->arena, &bench->log.diag));
    return image;
}

static const uint8_t *pixel(const Image *image, int x, int y)
{
    return image->pixels + 4 * (y * image->width + x);
}

/* ---- PNG against film
 * ----------------------------------------------------------------------------- */

/* The same color within four pixels: away from edges, which a codec may blur. */
static bool is_flat(const Image *image, int x, int y)
{
    enum { AROUND = 4 };

    if (x < AROUND || y < AROUND || x >= WIDTH - AROUND || y >= HEIGHT - AROUND)
        return false;
    for (int j = -AROUND; j <= AROUND; j++)
        for (int i = -AROUND; i <= AROUND; i++)
            if (memcmp(pixel(image, x + i, y + j), pixel(image, x, y), 4) != 0)
                return false;
    return true;
}

typedef struct Difference {
    double sum[4];
    int count;
} Difference;

static void add_difference(Difference *d, const AVFrame *frame, const uint8_t *wanted, int x, int y)
{
    double rgba[4];

    film_reader_pixel(rgba, frame, x, y);
    for (int c = 0; c < 4; c++)
        if (c == 3 || wanted[3] > 0) /* transparent pixels have no visible color */
            d->sum[c] += fabs(rgba[c] - wanted[c]);
    d->count++;
}

/* Mean difference of the flat areas of frame 2. */
static Difference compare(Bench *bench, const char *name, const char *decoder, const Image *png)
{
    AVFrame *frame = av_frame_alloc();
    Difference d = {0};
    FilmReader film;

    film_reader_open(&film, scratch_path(&bench->scratch, name), decoder);
    for (int i = 0; i <= 2; i++) {
        av_frame_unref(frame);
        assert_true(film_reader_next(&film, frame));
    }
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            if (is_flat(png, x, y))
                add_difference(&d, frame, pixel(png, x, y), x, y);
    film_reader_close(&film);
    av_frame_free(&frame);
    return d;
}

static const char SQUARES[] =
    "models:\n"
    "  - { file: red.pmx, position: [-30, 0, 0], scale: 16 }\n"
    "  - { file: blue.pmx, position: [10, 5, -1], scale: 20 }\n"
    "  - { file: blue.pmx, id: over, position: [-20, 5, -2], scale: 12 }\n";

static void check_film(Bench *bench, const char *name, const char *decoder, bool alpha,
                       const Image *png)
{
    const Difference d = compare(bench, name, decoder, png);

    if (d.count < WIDTH * HEIGHT / 4)
        fail_msg("%s: only %d pixels are flat", name, d.count);
    for (int c = 0; c < (alpha ? 4 : 3); c++)
        if (d.sum[c] > 2.0 * d.count)
            fail_msg("%s: channel %d differs by %.2f in the mean", name, c, d.sum[c] / d.count);
    if (getenv("ODORI_PIXELS"))
        printf("%s against PNG, mean difference of %d flat pixels: %.2f %.2f %.2f %.2f\n", name,
               d.count, d.sum[0] / d.count, d.sum[1] / d.count, d.sum[2] / d.count,
               alpha ? d.sum[3] / d.count : 0.0);
}

static void test_colors(void **state)
{
    Bench bench;
    (void)state;

    set_up(&bench);
    run(&bench,
        arena_printf(bench.arena,
                     "%sbackground: { color: \"#7a70c4\" }\n"
                     "outputs: [ \"%%02d.png\", a.mp4, a.webm ]\n",
                     SQUARES),
        "0-3", 1);
    const Image png = load_png(&bench, "02.png");
    check_film(&bench, "a.mp4", NULL, false, &png);
    check_film(&bench, "a.webm", NULL, false, &png);
    tear_down(&bench);
}

/* The film with alpha, and the PNG: colors over a transparent background are straight. */
static void test_alpha(void **state)
{
    static const struct {
        const char *what;
        int x, y;
        uint8_t expected[4];
    } rows[] = {
        {"nothing", 120, 60, {0, 0, 0, 0}},
        {"half transparent over transparent", 80, 30, {26, 102, 230, 128}}, /* 0.1 0.4 0.9 of 255 */
        {"solid", 20, 40, {204, 51, 77, 255}},
        {"half transparent over solid", 44, 22, {115, 77, 153, 255}}, /* the mean of both */
    };
    Bench bench;
    (void)state;

    set_up(&bench);
    run(&bench,
        arena_printf(bench.arena,
                     "%sbackground: { alpha: true }\noutputs: [ \"%%02d.png\", b.webm, b.mov ]\n",
                     SQUARES),
        "0-3", 1);
    const Image png = load_png(&bench, "02.png");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const uint8_t *p = pixel(&png, rows[i].x, rows[i].y);

        for (int c = 0; c < 4; c++)
            if (abs(p[c] - rows[i].expected[c]) > 1)
                fail_msg("%s: %d %d %d %d", rows[i].what, p[0], p[1], p[2], p[3]);
    }
    check_film(&bench, "b.webm", "libvpx-vp9", true, &png);
    check_film(&bench, "b.mov", NULL, true, &png);
    tear_down(&bench);
}

/* ---- a video behind everything
 * -------------------------------------------------------------------- */

/* 20 frames, 25 per second, each with its own grey. */
static void save_video(Bench *bench)
{
    static uint8_t pixels[32 * 32 * 4];
    const char *path = scratch_path(&bench->scratch, "back.mp4");
    const SinkOptions options = {.file = path,
                                 .width = 32,
                                 .height = 32,
                                 .fps_num = 25,
                                 .fps_den = 1,
                                 .frame_count = 20,
                                 .video.codec = "auto",
                                 .video.crf = 4,
                                 .video.gop = 7,
                                 .video.pixel_format = "auto",
                                 .video.audio_codec = "auto",
                                 .threads = 1};
    Sink *sink = sink_create(&sink_ffmpeg, &options, &bench->log.diag);

    assert_non_null(sink);
    for (int i = 0; i < 20; i++) {
        memset(pixels, 20 + 10 * i, sizeof pixels);
        const Image image = {32, 32, false, pixels};
        assert_true(sink_write(sink, &image, i, &bench->log.diag));
    }
    assert_true(sink_finish(sink, &bench->log.diag));
    sink_destroy(sink);
}

static void test_video(void **state)
{
    /* Film frame n is n / 30 s: picture n * 25 / 30, rounded down; the video ends after picture 19.
     * Begun at 0.2 s, 5 pictures later, and again and again. */
    static const struct {
        int frame, held, looped;
    } rows[] = {
        {0, 0, 15},  {1, 0, 15},   {2, 1, 16},   {6, 5, 0},
        {12, 10, 5}, {23, 19, 14}, {24, 19, 15}, {30, 19, 0},
    };
    static const char *const keys[] = {"", ", video_loop: true, video_offset_s: 0.2"};
    (void)state;

    for (int k = 0; k < 2; k++) {
        Bench bench;
        Bytes hashes[2];

        set_up(&bench);
        save_video(&bench);
        for (int i = 0; i < (k == 0 ? 2 : 1); i++) { /* three workers, then one */
            run(&bench,
                arena_printf(bench.arena,
                             "%sbackground: { video: back.mp4, fit: stretch%s }\n"
                             "outputs: [ \"%%02d.png\", film.sha256 ]\n",
                             SQUARES, keys[k]),
                "0-2,6,12,23-24,30", 3 - 2 * i);
            assert_true(file_load(&hashes[i], scratch_path(&bench.scratch, "film.sha256"),
                                  FILE_MAX_SIZE, bench.arena, &bench.log.diag));
        }
        if (k == 0) {
            assert_int_equal(hashes[0].size, hashes[1].size);
            assert_memory_equal(hashes[0].data, hashes[1].data, hashes[0].size);
        }
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            const int wanted = k == 0 ? rows[i].held : rows[i].looped;
            const Image png =
                load_png(&bench, arena_printf(bench.arena, "%02d.png", rows[i].frame));
            const int grey = pixel(&png, 120, 60)[0];

            if (abs(grey - (20 + 10 * wanted)) > 2)
                fail_msg("'%s', frame %d: grey %d, expected %d", keys[k], rows[i].frame, grey,
                         20 + 10 * wanted);
        }
        tear_down(&bench);
    }
}

/* ---- laws
 * ----------------------------------------------------------------------------------------- */

/*
 * Pairs of jobs with equal images: a placement and scale in the job or in the file; a square
 * rotated by a quarter turn or not; a hidden material or no such model; attached to a bone or
 * placed at its final position: the bone, at (0, 2) in the file, moves by (12, 3) until frame 30,
 * scaled by 2.
 */
static const char SAID[] =
    "models:\n"
    "  - { id: placed, file: red.pmx, position: [20.25, -5.25, 0], scale: 10 }\n"
    "  - { id: turned, file: red.pmx, rotation_deg: [0, 0, 90], position: [-40.25, 10.25, 0], "
    "scale: 8 }\n"
    "  - { id: hidden, file: blue.pmx, position: [-20, -20, 0], scale: 9, "
    "hide_materials: [quad] }\n"
    "  - { id: strip, file: strip.pmx, motions: [move.vmd], scale: 2 }\n"
    "  - { id: carried, file: red.pmx, scale: 4, attach: { model: strip, bone: upper, "
    "offset: [1.125, 0.125, -1] } }\n";
static const char SAID_OTHERWISE[] =
    "models:\n"
    "  - { id: placed, file: placed.pmx }\n"
    "  - { id: turned, file: red.pmx, position: [-40.25, 10.25, 0], scale: 8 }\n"
    "  - { id: strip, file: strip.pmx, motions: [move.vmd], scale: 2 }\n"
    "  - { id: carried, file: red.pmx, scale: 8, position: [26.25, 10.25, -2] }\n";

static void test_laws(void **state)
{
    static const struct {
        const char *what;
        int x, y;
        bool seen;
    } rows[] = {
        {"placed", 80, 45, true},  {"turned", 20, 20, true},   {"hidden", 44, 52, false},
        {"carried", 92, 18, true}, {"between", 50, 10, false},
    };
    const char *outputs = "outputs: [ \"%02d.png\" ]\n";
    Bench bench;
    (void)state;

    set_up(&bench);
    run(&bench, arena_printf(bench.arena, "%s%s", SAID, outputs), "30", 1);
    const Image one = load_png(&bench, "30.png");
    run(&bench, arena_printf(bench.arena, "%s%s", SAID_OTHERWISE, outputs), "30", 1);
    const Image other = load_png(&bench, "30.png");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if ((pixel(&one, rows[i].x, rows[i].y)[1] < 255) != rows[i].seen)
            fail_msg("%s: %s", rows[i].what, rows[i].seen ? "not seen" : "seen");
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        if (memcmp(one.pixels + 4 * i, other.pixels + 4 * i, 4) != 0)
            fail_msg("the images differ at %d,%d", i % WIDTH, i / WIDTH);
    tear_down(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_colors),
        cmocka_unit_test(test_alpha),
        cmocka_unit_test(test_video),
        cmocka_unit_test(test_laws),
    };
    return cmocka_run_group_tests_name("film_look", tests, NULL, NULL);
}
