// SPDX-License-Identifier: MIT
/* video_restore: segments from a finished file, which have the packets of those that were joined */

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "diag_log.h"
#include "output/sink.h"
#include "sample_film.h"
#include "scratch.h"
#include "unit_test.h"

static const volatile sig_atomic_t never;

enum { LENGTH = 6, SEGMENTS = (FILM_FRAMES + LENGTH - 1) / LENGTH };

static int count_of(int segment)
{
    return (segment + 1) * LENGTH <= FILM_FRAMES ? LENGTH : FILM_FRAMES - segment * LENGTH;
}

typedef struct Bench {
    Scratch scratch;
    DiagLog log;
    char film[4096], names[SEGMENTS][4096];
    const char *segments[SEGMENTS];
    SinkOptions options;
    SinkRecord records[SEGMENTS][LENGTH];
    SinkPart parts[SEGMENTS];
} Bench;

static void set_up(Bench *bench, const char *name)
{
    scratch_make(&bench->scratch);
    diag_log_init(&bench->log);
    snprintf(bench->film, sizeof bench->film, "%s", scratch_path(&bench->scratch, name));
    for (int i = 0; i < SEGMENTS; i++) {
        char segment[16];
        snprintf(segment, sizeof segment, "%d.nut", i);
        snprintf(bench->names[i], sizeof bench->names[i], "%s",
                 scratch_path(&bench->scratch, segment));
        bench->segments[i] = bench->names[i];
    }
    bench->options = film_options(bench->film);
    bench->options.contents.sound = film_sound(FILM_RATE);
}

static const SinkSegments *segments_of(const Bench *bench)
{
    Diag quiet = diag_quiet();
    return sink_find(bench->film, NULL, &quiet)->segments;
}

/* Writes the segments and the film; false if the encoder is not installed. */
static bool make_film(Bench *bench)
{
    for (int i = 0; i < SEGMENTS; i++) {
        if (!film_make_segment(&bench->options, bench->names[i], i * LENGTH, count_of(i),
                               &bench->log.diag)) {
            assert_int_equal(bench->log.diag.kind, DIAG_RESOURCE);
            return false;
        }
        assert_true(
            segments_of(bench)->inspect(bench->records[i], (size_t)count_of(i), bench->names[i]));
        bench->parts[i] = (SinkPart){bench->names[i], (int64_t)i * LENGTH, (size_t)count_of(i),
                                     bench->records[i]};
    }
    if (!segments_of(bench)->join(&bench->options, bench->segments, SEGMENTS, &never,
                                  &bench->log.diag))
        fail_msg("%s: %s", bench->film, bench->log.text);
    return true;
}

static Digest digest_of(const char *file)
{
    Digest digest;
    uint64_t bytes;
    Diag quiet = diag_quiet();
    assert_true(file_digest(&digest, &bytes, file, NULL, &quiet));
    return digest;
}

static void remove_segments(const Bench *bench)
{
    for (int i = 0; i < SEGMENTS; i++)
        unlink(bench->names[i]);
}

static void restore(Bench *bench, size_t first, size_t count)
{
    if (!segments_of(bench)->restore(&bench->options, bench->parts + first, count, &never,
                                     &bench->log.diag))
        fail_msg("%s: %s", bench->film, bench->log.text);
}

static bool has_segment(const Bench *bench, int i)
{
    SinkRecord records[LENGTH];
    return segments_of(bench)->inspect(records, (size_t)count_of(i), bench->names[i]) &&
           !memcmp(records, bench->records[i], (size_t)count_of(i) * sizeof *records);
}

static const struct {
    const char *name, *codec;
} films[] = {{"a.mp4", "h264"}, {"a.mov", "prores"}, {"a.mkv", "ffv1"},  {"a.webm", "vp9"},
             {"b.mp4", "h265"}, {"b.mkv", "h264"},   {"c.mkv", "h265"},  {"c.mp4", "av1"},
             {"c.mov", "h264"}, {"a.webm", "vp8"},   {"d.mp4", "mpeg4"}, {"e.avi", "mpeg4"},
             {"a.nut", "h264"}, {"a.webm", "av1"}};

/* The packets are those of the segments, and joined again they are the same file. */
static void test_same_packets(void **state)
{
    (void)state;
    for (size_t f = 0; f < sizeof films / sizeof *films; f++) {
        Bench bench;
        set_up(&bench, films[f].name);
        bench.options.video.codec = films[f].codec;
        if (make_film(&bench)) {
            const Digest before = digest_of(bench.film);
            remove_segments(&bench);
            restore(&bench, 0, SEGMENTS);
            for (int i = 0; i < SEGMENTS; i++)
                if (!has_segment(&bench, i))
                    fail_msg("%s of %s: segment %d differs", films[f].name, films[f].codec, i);
            assert_true(segments_of(&bench)->join(&bench.options, bench.segments, SEGMENTS, &never,
                                                  &bench.log.diag));
            const Digest after = digest_of(bench.film);
            assert_memory_equal(&before, &after, sizeof before);
        }
        scratch_remove(&bench.scratch);
    }
}

/* Only the segments that are asked for, and of these only those with the recorded packets. */
static void test_left_out(void **state)
{
    (void)state;
    Bench bench;
    set_up(&bench, "a.mp4");
    assert_true(make_film(&bench));
    remove_segments(&bench);
    bench.records[1][3].digest.bytes[0] ^= 1;
    bench.records[3][0].bytes++;
    restore(&bench, 1, 3);
    assert_int_not_equal(access(bench.names[0], F_OK), 0);
    assert_int_not_equal(access(bench.names[1], F_OK), 0);
    assert_true(has_segment(&bench, 2));
    assert_int_not_equal(access(bench.names[3], F_OK), 0);
    scratch_remove(&bench.scratch);
}

/* A file that was cut or changed anywhere: what is restored has the recorded packets. */
static void test_damage(void **state)
{
    (void)state;
    Bench bench;
    set_up(&bench, "a.mp4");
    assert_true(make_film(&bench));
    Arena *arena = arena_create();
    Bytes film;
    assert_true(file_load(&film, bench.film, FILE_MAX_SIZE, arena, &bench.log.diag));
    uint8_t *bytes = arena_alloc(arena, film.size);
    for (size_t k = 0; k < 60; k++) {
        const size_t at = k * film.size / 60, size = k % 4 ? film.size : at;
        memcpy(bytes, film.data, film.size);
        bytes[at] ^= (uint8_t)(1 + k);
        assert_true(file_save(bench.film, bytes, size, &bench.log.diag));
        remove_segments(&bench);
        restore(&bench, 0, SEGMENTS);
        for (int i = 0; i < SEGMENTS; i++)
            assert_true(access(bench.names[i], F_OK) != 0 || has_segment(&bench, i));
    }
    arena_destroy(arena);
    scratch_remove(&bench.scratch);
}

/* Writes segments of digests, and joins them. */
static void make_lines(Bench *bench)
{
    for (int i = 0; i < SEGMENTS; i++) {
        SinkOptions options = bench->options;
        options.file = bench->names[i];
        options.frame_count = count_of(i);
        Sink *sink = sink_create(&sink_hash, &options, &bench->log.diag);
        assert_non_null(sink);
        for (int k = 0; k < count_of(i); k++) {
            const Image image = film_picture(i * LENGTH + k);
            assert_true(sink_write(sink, &image, i * LENGTH + k, &bench->log.diag));
        }
        assert_true(sink_finish(sink, &bench->log.diag));
        sink_destroy(sink);
        assert_true(
            sink_hash.segments->inspect(bench->records[i], (size_t)count_of(i), bench->names[i]));
        bench->parts[i] = (SinkPart){bench->names[i], (int64_t)i * LENGTH, (size_t)count_of(i),
                                     bench->records[i]};
    }
    assert_true(sink_hash.segments->join(&bench->options, bench->segments, SEGMENTS, &never,
                                         &bench->log.diag));
}

/* The lines of digests. */
static void test_lines(void **state)
{
    (void)state;
    Bench bench;
    set_up(&bench, "a.sha256");
    make_lines(&bench);
    remove_segments(&bench);
    restore(&bench, 1, 2);
    assert_int_not_equal(access(bench.names[0], F_OK), 0);
    assert_true(has_segment(&bench, 1));
    assert_true(has_segment(&bench, 2));
    remove_segments(&bench);
    bench.records[1][2].digest.bytes[5] ^= 8;
    restore(&bench, 0, SEGMENTS);
    assert_true(has_segment(&bench, 0));
    assert_int_not_equal(access(bench.names[1], F_OK), 0);
    scratch_remove(&bench.scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_packets),
        cmocka_unit_test(test_left_out),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
