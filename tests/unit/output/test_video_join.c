// SPDX-License-Identifier: MIT
/* video_join, video_segment: films in segments, compared with the same film written at once */

#include <libavutil/pixdesc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/hash.h"
#include "diag_log.h"
#include "film_reader.h"
#include "output/sink.h"
#include "output/sound_track.h"
#include "output/video_segment.h"
#include "sample_film.h"
#include "scratch.h"
#include "unit_test.h"

static const volatile sig_atomic_t never, already = 1;

/* Frames of a segment; the last one has fewer. */
enum { LENGTH = 6, SEGMENTS = (FILM_FRAMES + LENGTH - 1) / LENGTH };

static int segment_first(int segment)
{
    return segment * LENGTH;
}

static int segment_count(int segment)
{
    return segment_first(segment) + LENGTH <= FILM_FRAMES ? LENGTH
                                                          : FILM_FRAMES - segment_first(segment);
}

/* A film and its segments in a temporary directory. */
typedef struct Bench {
    Scratch scratch;
    DiagLog log;
    char film[4096], names[SEGMENTS][4096];
    const char *segments[SEGMENTS];
    SinkOptions options;
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
    bench->options.video.preset = "medium";
}

static void make_segment(Bench *bench, int i)
{
    if (!film_make_segment(&bench->options, bench->names[i], segment_first(i), segment_count(i),
                           &bench->log.diag))
        fail_msg("%s: %s", bench->names[i], bench->log.text);
}

static void make_segments(Bench *bench)
{
    for (int i = 0; i < SEGMENTS; i++)
        make_segment(bench, i);
}

static bool join(Bench *bench)
{
    return video_segment_join(&bench->options, bench->segments, SEGMENTS, &never, &bench->log.diag);
}

static Digest digest_of(const char *file)
{
    Arena *arena = arena_create();
    DiagLog log;
    Bytes bytes;
    diag_log_init(&log);
    if (!file_load(&bytes, file, FILE_MAX_SIZE, arena, &log.diag))
        fail_msg("%s: %s", file, log.text);
    const Digest digest = hash_bytes(bytes.data, bytes.size);
    arena_destroy(arena);
    return digest;
}

/* ---- the same film --------------------------------------------------------------------------- */

static const struct {
    const char *name, *codec;
} films[] = {{"a.mp4", "h264"}, {"a.mov", "prores"}, {"a.mkv", "ffv1"}, {"a.webm", "vp9"},
             {"b.mp4", "h265"}, {"a.ts", "h264"},    {"b.mkv", "h264"}};

/* A film of one segment equals the film written at once, byte for byte, with decoding times and
 * sound. */
static void test_one_segment(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof films / sizeof *films; i++) {
        Bench bench;
        set_up(&bench, films[i].name);
        bench.options.video.codec = films[i].codec;
        bench.options.contents.sound = film_sound(FILM_RATE);
        bench.options.video.gop = 10;
        if (!film_make(&bench.options, &bench.log.diag)) {
            assert_int_equal(bench.log.diag.kind, DIAG_RESOURCE);
            print_message("skipped: %s", bench.log.text);
        } else {
            const Digest whole = digest_of(bench.film);
            if (!film_make_of(film_picture, &bench.options, FILM_FRAMES, &bench.log.diag))
                fail_msg("%s: %s", films[i].name, bench.log.text);
            const Digest joined = digest_of(bench.film);
            if (memcmp(&whole, &joined, sizeof whole) != 0)
                fail_msg("%s of %s differs", films[i].name, films[i].codec);
        }
        scratch_remove(&bench.scratch);
    }
}

/* Segments may be written in any order, by any process, and more than once. */
static void test_order(void **state)
{
    (void)state;
    static const int orders[][SEGMENTS] = {{0, 1, 2, 3}, {3, 1, 0, 2}};
    Digest digests[2];
    for (int o = 0; o < 2; o++) {
        Bench bench;
        set_up(&bench, "a.mp4");
        for (int i = 0; i < SEGMENTS; i++)
            make_segment(&bench, orders[o][i]);
        make_segment(&bench, o);
        assert_true(join(&bench));
        digests[o] = digest_of(bench.film);
        scratch_remove(&bench.scratch);
    }
    assert_memory_equal(&digests[0], &digests[1], sizeof digests[0]);
}

/* Packets of sound that were encoded before the join are those that it would encode, also where
 * they end in the middle of the sound. */
static void test_sound_prefetch(void **state)
{
    (void)state;
    static const char *const names[] = {"a.mp4", "a.mkv", "a.webm", "a.nut"};
    static const double ahead_s[] = {0, 0.2, 1e6};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Bench bench;
        Arena *arena = arena_create();
        set_up(&bench, names[i]);
        bench.options.contents.sound = film_sound(FILM_RATE);
        make_segments(&bench);
        assert_true(join(&bench));
        const Digest expected = digest_of(bench.film);
        for (size_t k = 0; k < sizeof ahead_s / sizeof *ahead_s; k++) {
            SoundTrack *track = sound_track_open(&bench.options, arena, &bench.log.diag);
            assert_non_null(track);
            sound_track_encode_ahead(track, ahead_s[k] / 2);
            sound_track_encode_ahead(track, ahead_s[k]);
            bench.options.contents.sound_track = track;
            assert_true(join(&bench));
            const Digest found = digest_of(bench.film);
            assert_memory_equal(&found, &expected, sizeof found);
            AVPacket *packet = av_packet_alloc();
            bool more = true; /* the join has read all of them */
            assert_true(sound_track_read(track, packet, &more, &bench.log.diag) && !more);
            av_packet_free(&packet);
            sound_track_destroy(track);
            bench.options.contents.sound_track = NULL;
        }
        arena_destroy(arena);
        scratch_remove(&bench.scratch);
    }
}

/* ---- packets --------------------------------------------------------------------------------- */

/* Times increase by one frame, in presentation order and in decoding order. */
static void test_packets(void **state)
{
    (void)state;
    Bench bench;
    FilmReader film;
    AVPacket *packet = av_packet_alloc();
    bool seen[FILM_FRAMES] = {false}, reordered = false;
    int64_t last_dts = INT64_MIN;

    set_up(&bench, "a.mp4");
    bench.options.contents.sound = film_sound(FILM_RATE);
    make_segments(&bench);
    if (!join(&bench))
        fail_msg("%s", bench.log.text);
    film_reader_open(&film, bench.film, NULL);
    const AVStream *stream = film.in->streams[film.stream];
    const AVRational period = {1, FILM_FPS};
    assert_int_equal(av_compare_ts(stream->start_time, stream->time_base, 0, period), 0);
    assert_int_equal(av_compare_ts(stream->duration, stream->time_base, FILM_FRAMES, period), 0);
    for (; av_read_frame(film.in, packet) >= 0; av_packet_unref(packet)) {
        if (packet->stream_index != film.stream)
            continue;
        const int64_t n = av_rescale_q(packet->pts, stream->time_base, period);
        const int64_t dts = av_rescale_q(packet->dts, stream->time_base, period);
        assert_int_equal(av_compare_ts(packet->pts, stream->time_base, n, period), 0);
        assert_true(n >= 0 && n < FILM_FRAMES);
        assert_false(seen[n]);
        seen[n] = true;
        assert_true(last_dts == INT64_MIN || dts == last_dts + 1);
        assert_true(dts <= n);
        reordered |= dts < n;
        last_dts = dts;
        assert_int_equal((packet->flags & AV_PKT_FLAG_KEY) != 0, n % LENGTH == 0);
    }
    for (int i = 0; i < FILM_FRAMES; i++)
        assert_true(seen[i]);
    assert_true(reordered); /* else B-frames were not tested */
    av_packet_free(&packet);
    film_reader_close(&film);
    scratch_remove(&bench.scratch);
}

/* The film has the packets of the segments unchanged, and `inspect` reports them in presentation
 * order. */
static void test_records(void **state)
{
    (void)state;
    Bench bench;
    FilmReader film;
    AVPacket *packet = av_packet_alloc();
    SinkRecord records[FILM_FRAMES];
    int count = 0;

    set_up(&bench, "a.webm");
    make_segments(&bench);
    for (int i = 0; i < SEGMENTS; i++)
        assert_true(video_segment_inspect(records + segment_first(i), (size_t)segment_count(i),
                                          bench.names[i]));
    assert_true(join(&bench));
    film_reader_open(&film, bench.film, NULL);
    for (; av_read_frame(film.in, packet) >= 0; av_packet_unref(packet)) {
        const SinkRecord *r = &records[av_rescale_q(
            packet->pts, film.in->streams[film.stream]->time_base, (AVRational){1, FILM_FPS})];
        const Digest digest = hash_bytes(packet->data, (size_t)packet->size);
        assert_int_equal(r->bytes, packet->size);
        assert_memory_equal(&r->digest, &digest, sizeof digest);
        count++;
    }
    assert_int_equal(count, FILM_FRAMES);
    av_packet_free(&packet);
    film_reader_close(&film);
    scratch_remove(&bench.scratch);
}

/* ---- rejected segments ----------------------------------------------------------------------- */

typedef struct Refused {
    const char *what;
    void (*spoil)(Bench *bench);
    const char *message;
} Refused;

static void remove_segment(Bench *bench)
{
    remove(bench->names[1]);
}

static void truncate_segment(Bench *bench)
{
    Arena *arena = arena_create();
    Bytes bytes;
    assert_true(file_load(&bytes, bench->names[1], FILE_MAX_SIZE, arena, &bench->log.diag));
    assert_true(file_save(bench->names[1], bytes.data, bytes.size / 2, &bench->log.diag));
    arena_destroy(arena);
}

static void repeat_segment(Bench *bench)
{
    bench->segments[1] = bench->segments[0];
    bench->segments[2] = bench->segments[0];
    bench->segments[3] = bench->segments[0];
}

static void shorten_film(Bench *bench)
{
    bench->options.frame_count = FILM_FRAMES + 1;
}

static void change_codec(Bench *bench)
{
    SinkOptions other = bench->options;
    other.video.codec = "mpeg4";
    assert_true(film_make_segment(&other, bench->names[2], segment_first(2), segment_count(2),
                                  &bench->log.diag));
}

static void change_rate(Bench *bench)
{
    SinkOptions other = bench->options;
    other.fps_num = 30;
    assert_true(film_make_segment(&other, bench->names[0], segment_first(0), segment_count(0),
                                  &bench->log.diag));
}

static void change_profile(Bench *bench)
{
    SinkOptions other = bench->options;
    other.video.crf = 30;
    other.video.preset = "ultrafast";
    assert_true(film_make_segment(&other, bench->names[3], segment_first(3), segment_count(3),
                                  &bench->log.diag));
}

static const Refused rejected[] = {
    {"missing", remove_segment, "1.nut' is missing or damaged"},
    {"cut", truncate_segment, "1.nut' is missing or damaged"},
    {"too many frames", repeat_segment, "0.nut' has frames that do not belong to the film"},
    {"too few frames", shorten_film, "the segments have 20 of 21 frames"},
    {"another codec", change_codec, "2.nut' was encoded with other options"},
    {"another rate", change_rate, "0.nut' was encoded with other options"},
    {"other settings", change_profile, "3.nut' was encoded with other options"},
};

static void test_rejected(void **state)
{
    (void)state;
    Bench bench;
    set_up(&bench, "a.mp4");
    for (size_t i = 0; i < sizeof rejected / sizeof *rejected; i++) {
        const SinkOptions options = bench.options;
        make_segments(&bench);
        diag_log_init(&bench.log);
        rejected[i].spoil(&bench);
        if (join(&bench) || bench.log.diag.kind != DIAG_INCOMPLETE || bench.log.diag.errors != 1 ||
            !strstr(bench.log.text, rejected[i].message))
            fail_msg("%s: %s", rejected[i].what, bench.log.text);
        bench.options = options;
        for (int p = 0; p < SEGMENTS; p++) {
            bench.segments[p] = bench.names[p];
            remove(bench.names[p]);
        }
        if (scratch_count(&bench.scratch) != 0)
            fail_msg("%s: a temporary file remains", rejected[i].what);
    }
    scratch_remove(&bench.scratch);
}

static void test_stopped(void **state)
{
    (void)state;
    Bench bench;
    set_up(&bench, "a.mp4");
    make_segments(&bench);
    assert_false(
        video_segment_join(&bench.options, bench.segments, SEGMENTS, &already, &bench.log.diag));
    assert_int_equal(bench.log.diag.errors, 0);
    assert_int_equal(scratch_count(&bench.scratch), SEGMENTS);
    scratch_remove(&bench.scratch);
}

/* A limit on the file size simulates a full disk. */
static void test_full_disk(void **state)
{
    (void)state;
    Bench bench;
    struct rlimit limit;
    struct stat whole;

    set_up(&bench, "a.mp4");
    bench.options.contents.sound = film_sound(FILM_RATE);
    make_segments(&bench);
    assert_true(join(&bench));
    assert_int_equal(stat(bench.film, &whole), 0);
    remove(bench.film);
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &limit);
    const rlim_t before = limit.rlim_cur;
    const rlim_t limits[] = {1, 1000, (rlim_t)whole.st_size / 2, (rlim_t)whole.st_size - 1};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        diag_log_init(&bench.log);
        limit.rlim_cur = limits[i];
        setrlimit(RLIMIT_FSIZE, &limit);
        const bool ok = join(&bench);
        limit.rlim_cur = before;
        setrlimit(RLIMIT_FSIZE, &limit);
        if (ok || bench.log.diag.kind != DIAG_IO || bench.log.diag.errors != 1)
            fail_msg("limit of %d bytes: %s", (int)limits[i], ok ? "no error" : bench.log.text);
        assert_int_equal(scratch_count(&bench.scratch), SEGMENTS);
    }
    scratch_remove(&bench.scratch);
}

/* ---- damage ---------------------------------------------------------------------------------- */

/* A truncated segment is rejected.  With a flipped bit it is rejected, or a digest differs, or the
 * bit has no meaning (for example in the index at the end). */
static void test_damage(void **state)
{
    (void)state;
    Bench bench;
    Arena *arena = arena_create();
    Bytes bytes;
    SinkRecord whole[LENGTH], found[LENGTH];
    int reported = 0;

    set_up(&bench, "a.mp4");
    make_segment(&bench, 0);
    assert_true(video_segment_inspect(whole, LENGTH, bench.names[0]));
    assert_false(video_segment_inspect(found, LENGTH - 1, bench.names[0]));
    assert_false(video_segment_inspect(found, 1, bench.film));
    assert_false(video_segment_inspect(found, 1, bench.scratch.directory));
    assert_true(file_load(&bytes, bench.names[0], FILE_MAX_SIZE, arena, &bench.log.diag));
    const size_t step = bytes.size / 200 + 1;
    for (size_t at = 0; at < bytes.size; at += step) {
        FILE *f = fopen(bench.names[0], "wb");
        fwrite(bytes.data, 1, at, f);
        fclose(f);
        const bool ok = video_segment_inspect(found, LENGTH, bench.names[0]);
        if (ok)
            fail_msg("truncated at %zu of %zu: not detected", at, bytes.size);

        uint8_t *copy = arena_copy(arena, bytes.data, bytes.size);
        copy[at] = (uint8_t)(copy[at] ^ 1 << at % 8);
        f = fopen(bench.names[0], "wb");
        fwrite(copy, 1, bytes.size, f);
        fclose(f);
        reported += !video_segment_inspect(found, LENGTH, bench.names[0]) ||
                    memcmp(whole, found, sizeof whole) != 0;
    }
    assert_true(reported > 150);
    arena_destroy(arena);
    scratch_remove(&bench.scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_segment),    cmocka_unit_test(test_order),
        cmocka_unit_test(test_packets),        cmocka_unit_test(test_records),
        cmocka_unit_test(test_rejected),       cmocka_unit_test(test_stopped),
        cmocka_unit_test(test_full_disk),      cmocka_unit_test(test_damage),
        cmocka_unit_test(test_sound_prefetch),
    };
    return cmocka_run_group_tests_name("video_join", tests, NULL, NULL);
}
