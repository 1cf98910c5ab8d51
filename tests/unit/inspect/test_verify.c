// SPDX-License-Identifier: MIT
/* status and verify of a checkpoint directory: growing, complete, damaged; single files. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "film_fixture.h"
#include "inspect/status.h"
#include "inspect/verify.h"
#include "run/checkpoint/checkpoint.h"
#include "unit_test.h"

/* 40 frames in segments of 30, and a still for each. */
#define JOB                                                      \
    "version: 1\nname: film\nmodels: [strip.pmx]\n"              \
    "render: { size: [16, 16], fps: 30, frames: \"100-139\" }\n" \
    "outputs: [ { file: out/film.sha256, gop: 30 }, { file: \"out/%04d.png\" } ]\n"
#define DIRECTORY "out/.film.sha256.odori"

static const volatile sig_atomic_t never = 0;

typedef struct Bench {
    FilmFixture f;
    const Film *film;
    Checkpoint *state;
} Bench;

/* The film with its real outputs instead of those of the fixture. */
static void begin(Bench *b)
{
    film_fixture_make(&b->f);
    Film *film = film_fixture_load(&b->f, JOB);
    film->outputs[0].kind = &sink_hash;
    film->outputs[1].kind = &sink_png;
    b->film = film;
    const CheckpointOptions options = {.mode = CHECKPOINT_RESUME, .shard = {1, 1}};
    b->state = checkpoint_open(film, &options, &b->f.log.diag);
    if (!b->state)
        fail_msg("%s", b->f.log.text);
}

static void end(Bench *b)
{
    checkpoint_close(b->state);
    film_fixture_remove(&b->f);
}

static void write_pictures(Bench *b, const SinkKind *kind, const SinkOptions *options,
                           FilmSpan places)
{
    uint8_t pixels[16 * 16 * 4];
    Image image = {16, 16, false, pixels};
    Diag *diag = &b->f.log.diag;
    Sink *sink = sink_create(kind, options, diag);
    for (int64_t p = places.first; p < places.end; p++) {
        const int64_t frame = film_frame_at(b->film, p);
        for (size_t i = 0; i < sizeof pixels; i++)
            pixels[i] = (uint8_t)(hash_bytes(&i, sizeof i).bytes[0] + p);
        if (!sink_write(sink, &image, frame, diag))
            fail_msg("%s", b->f.log.text);
        if (kind->each_frame)
            assert_true(checkpoint_add_frame(b->state, 1, p, &sink->record, diag));
    }
    if (!sink_finish(sink, diag))
        fail_msg("%s", b->f.log.text);
    sink_destroy(sink);
}

static void write_segment(Bench *b, int64_t piece)
{
    const FilmSpan places = film_segment(b->film, piece);
    SinkOptions options = b->film->outputs[0].options;
    options.file = checkpoint_segment_file(b->state, 0, piece, b->f.arena);
    options.frame_count = places.end - places.first;
    write_pictures(b, &sink_hash, &options, places);
    assert_true(checkpoint_add_segment(b->state, 0, piece, &b->f.log.diag));
}

static void write_stills(Bench *b, FilmSpan places)
{
    SinkOptions options = b->film->outputs[1].options;
    options.frame_count = places.end - places.first;
    write_pictures(b, &sink_png, &options, places);
}

static void join(Bench *b)
{
    const char *pieces[] = {checkpoint_segment_file(b->state, 0, 0, b->f.arena),
                            checkpoint_segment_file(b->state, 0, 1, b->f.arena)};
    assert_true(
        sink_hash.segments->join(&b->film->outputs[0].options, pieces, 2, &never, &b->f.log.diag));
    assert_true(checkpoint_finish(b->state, &b->f.log.diag));
}

typedef bool Run(FILE *out, Bench *b, Diag *diag);

static bool run_status(FILE *out, Bench *b, Diag *diag)
{
    return status_write(out, NULL, film_fixture_path(&b->f, DIRECTORY), false, diag);
}

static bool run_job_status(FILE *out, Bench *b, Diag *diag)
{
    return status_write(out, b->film->job, NULL, true, diag);
}

static bool run_verify(FILE *out, Bench *b, Diag *diag)
{
    Verify *verify = verify_begin(out, REPORT_TEXT, NULL, b->f.arena);
    const bool good = verify_directory(verify, film_fixture_path(&b->f, DIRECTORY), diag);
    return verify_end(verify, diag) && good;
}

/* Expects the texts in the output, and the kind of the Diag. */
static void expect(Run *run, Bench *b, DiagKind kind, const char *const *words)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    diag_log_init(&b->f.log);
    const bool good = run(out, b, &b->f.log.diag);
    fclose(out);
    for (; *words; words++)
        if (!strstr(text, *words))
            fail_msg("missing '%s' in:\n%s%s", *words, text, b->f.log.text);
    assert_int_equal(good, kind == DIAG_NONE);
    assert_int_equal(b->f.log.diag.kind, kind);
    free(text);
}
#define EXPECT(run, kind, ...) expect(run, b, kind, (const char *const[]){__VA_ARGS__, NULL})

static void test_growing_film(void **unused)
{
    Bench bench, *b = &bench;
    (void)unused;
    begin(b);
    EXPECT(run_status, DIAG_INCOMPLETE, "film: running, 0 of 40 frames in ", "  missing  100-139\n",
           "  running  100-139\n");
    EXPECT(run_verify, DIAG_INCOMPLETE, "film.sha256: frames 100-139 are not rendered",
           "%04d.png: frames 100-139 are not rendered");

    write_segment(b, 1); /* frames 130-139 */
    write_stills(b, (FilmSpan){25, 40});
    EXPECT(run_status, DIAG_INCOMPLETE, "10 of 40 frames", "  missing  100-129\n",
           "film.sha256 (segments): 10 of 40 frames", "%04d.png (stills): 15 of 40 frames",
           "  shard    0001-of-0001: 25 frames, last run ");
    EXPECT(run_verify, DIAG_INCOMPLETE, "intact   ", "0-000001.sha256: 10 frames, digests match",
           "%04d.png: 15 frames, digests match", "frames 100-124 are not rendered");
    EXPECT(run_job_status, DIAG_INCOMPLETE, "\"status\":\"running\"", "\"missing\":[[100,129]]",
           "\"running\":[[100,139]]", "\"changed\":null");

    write_segment(b, 0);
    write_stills(b, (FilmSpan){0, 25});
    EXPECT(run_verify, DIAG_INCOMPLETE, "all frames are rendered, not joined");
    join(b);
    checkpoint_close(b->state);
    b->state = NULL;
    EXPECT(run_status, DIAG_NONE, "film: finished, 40 of 40 frames",
           "film.sha256 (segments): complete");
    EXPECT(run_job_status, DIAG_NONE, "\"status\":\"finished\"", "\"missing\":[]");
    EXPECT(run_verify, DIAG_NONE, "film.sha256: digests of 40 frames",
           "%04d.png: 40 frames, digests match");
    end(b);
}

/* Inverts a bit, so that the size stays. */
static void invert_bit(Bench *b, const char *name)
{
    FILE *file = fopen(film_fixture_path(&b->f, name), "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, -3, SEEK_END), 0);
    const int byte = fgetc(file);
    assert_int_equal(fseek(file, -3, SEEK_END), 0);
    fputc(byte ^ 1, file);
    fclose(file);
}

static void test_damaged_files(void **unused)
{
    Bench bench, *b = &bench;
    (void)unused;
    begin(b);
    write_segment(b, 0);
    write_segment(b, 1);
    write_stills(b, (FilmSpan){0, 40});
    invert_bit(b, DIRECTORY "/segment/0-000001.sha256");
    EXPECT(run_verify, DIAG_FAILED, "0-000001.sha256: digests differ from the recorded ones",
           "0-000000.sha256: 30 frames, digests match");
    unlink(film_fixture_path(&b->f, DIRECTORY "/segment/0-000001.sha256"));
    EXPECT(run_verify, DIAG_FAILED, "0-000001.sha256: file is missing");
    EXPECT(run_status, DIAG_INCOMPLETE, "  missing  130-139\n");
    write_segment(b, 1);
    join(b);

    invert_bit(b, "out/0107.png"); /* the same size: only verify detects it */
    EXPECT(run_status, DIAG_NONE, "film: finished, 40 of 40 frames", "%04d.png (stills): complete");
    EXPECT(run_verify, DIAG_FAILED, "damaged  ", "0107.png: digest differs from the recorded one");
    unlink(film_fixture_path(&b->f, "out/0107.png"));
    EXPECT(run_status, DIAG_INCOMPLETE, "  missing  107\n");
    EXPECT(run_verify, DIAG_FAILED, "0107.png: file is missing");
    invert_bit(b, "out/film.sha256");
    EXPECT(run_verify, DIAG_FAILED, "film.sha256: digest differs from the recorded one");
    end(b);
}

/* Differences between the job and the checkpoint directory. */
static void test_changed_job(void **unused)
{
    Bench bench, *b = &bench;
    (void)unused;
    begin(b);
    Job job = *b->film->job;
    const Film *film = b->film;
    Film changed = *film;
    changed.job = &job;
    b->film = &changed;
    job.render.samples = 4;
    EXPECT(run_job_status, DIAG_INCOMPLETE,
           "\"changed\":\"render.samples: 1 in the checkpoint directory, 4 in the job\"");
    job.shadows.self = false;
    EXPECT(run_job_status, DIAG_INCOMPLETE,
           "\"changed\":\"shadows.self: true in the checkpoint directory, false in the job; and 1 "
           "more\"");
    job = *film->job;
    job.render.workers = 7; /* does not affect frames */
    job.name = "other";
    EXPECT(run_job_status, DIAG_INCOMPLETE, "\"changed\":null");
    film_fixture_save(&b->f, "strip.pmx", "other");
    EXPECT(run_job_status, DIAG_INCOMPLETE, "strip.pmx' has another size");
    b->film = film;
    end(b);
}

static void expect_file(Bench *b, const char *name, DiagKind kind, const char *words)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    diag_log_init(&b->f.log);
    Verify *verify = verify_begin(out, REPORT_TEXT, NULL, b->f.arena);
    const bool read = verify_file(verify, film_fixture_path(&b->f, name), &b->f.log.diag);
    const bool good = verify_end(verify, &b->f.log.diag) && read;
    fclose(out);
    if (!strstr(text, words) && !strstr(b->f.log.text, words))
        fail_msg("%s: '%s' is not in '%s%s'", name, words, text, b->f.log.text);
    assert_int_equal(good, kind == DIAG_NONE);
    assert_int_equal(b->f.log.diag.kind, kind);
    free(text);
}

static void cut(Bench *b, const char *name, long size)
{
    assert_int_equal(truncate(film_fixture_path(&b->f, name), size), 0);
}

static void test_single_files(void **unused)
{
    Bench bench, *b = &bench;
    (void)unused;
    begin(b);
    SinkOptions video = {.file = film_fixture_path(&b->f, "v.mkv"),
                         .width = 16,
                         .height = 16,
                         .fps_num = 30,
                         .fps_den = 1,
                         .video.codec = "ffv1",
                         .video.crf = -1,
                         .video.pixel_format = "auto",
                         .video.audio_codec = "auto",
                         .threads = 1};
    write_pictures(b, &sink_ffmpeg, &video, (FilmSpan){0, 12});
    expect_file(b, "v.mkv", DIAG_NONE, "intact   ");
    expect_file(b, "v.mkv", DIAG_NONE, "v.mkv: 12 frames of 16x16, 0.4");
    cut(b, "v.mkv", 6000);
    expect_file(b, "v.mkv", DIAG_FAILED, "s, but its header says 0.4");

    write_stills(b, (FilmSpan){0, 1});
    expect_file(b, "out/0100.png", DIAG_NONE, "image of 16x16");
    cut(b, "out/0100.png", 50);
    expect_file(b, "out/0100.png", DIAG_FAILED, "damaged  ");

    film_fixture_save(&b->f, "list.sha256",
                      "7 "
                      "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\n");
    expect_file(b, "list.sha256", DIAG_NONE, "digests of 1 frame");
    cut(b, "list.sha256", 60);
    expect_file(b, "list.sha256", DIAG_FAILED, "line 1: expected a frame number and its digest");
    expect_file(b, "none.mkv", DIAG_MISSING, "none.mkv: cannot open");
    end(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_growing_film),
        cmocka_unit_test(test_damaged_files),
        cmocka_unit_test(test_changed_job),
        cmocka_unit_test(test_single_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
