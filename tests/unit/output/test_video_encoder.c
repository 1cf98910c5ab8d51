// SPDX-License-Identifier: MIT
/* video_encoder, video_file: the times of packets, also in the shortest films */

#include <libavutil/log.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "diag_log.h"
#include "output/video_encoder.h"
#include "output/video_file.h"
#include "sample_film.h"
#include "scratch.h"
#include "unit_test.h"

/* The largest number of B-frames between two others that an encoder may use. */
enum { MAX_DELAY = 16 };

typedef struct Times {
    int64_t count, last_dts;
} Times;

/* Decoding times increase, and are at most those of presentation, by the delay of B-frames. */
static void check_packet(Times *times, const AVPacket *packet, const char *codec, int frames)
{
    if (packet->dts > packet->pts || packet->dts < times->count - MAX_DELAY ||
        (times->count && packet->dts <= times->last_dts))
        fail_msg("%s, %d frames: packet %lld has pts %lld and dts %lld", codec, frames,
                 (long long)times->count, (long long)packet->pts, (long long)packet->dts);
    times->last_dts = packet->dts;
    times->count++;
}

static void read_packets(Times *times, VideoEncoder *encoder, const char *codec, int frames,
                         Diag *diag)
{
    AVPacket *packet = av_packet_alloc();
    for (bool more = true; more; av_packet_unref(packet)) {
        assert_true(video_encoder_read(encoder, packet, &more, diag));
        if (more)
            check_packet(times, packet, codec, frames);
    }
    av_packet_free(&packet);
}

static void check_times(const char *codec, int frames)
{
    Arena *arena = arena_create();
    DiagLog log;
    CodecChoice choice;
    Times times = {0};
    SinkOptions options = film_options("a.mkv");

    diag_log_init(&log);
    options.video.codec = codec;
    VideoEncoder *encoder = NULL;
    if (codec_choose(&choice, &options, &log.diag))
        encoder = video_encoder_create(&choice, &options, arena, &log.diag);
    if (!encoder && log.diag.kind != DIAG_RESOURCE)
        fail_msg("%s: %s", codec, log.text);
    for (int i = 0; encoder && i <= frames; i++) {
        const Image image = film_picture(i);
        assert_true(video_encoder_send(encoder, i < frames ? &image : NULL, &log.diag));
        read_packets(&times, encoder, codec, frames, &log.diag);
    }
    assert_int_equal(times.count, encoder ? frames : 0);
    video_encoder_destroy(encoder);
    arena_destroy(arena);
}

/* The heap of a process that has encoded before is not zero. */
static void fill_heap(int value)
{
#ifdef M_PERTURB
    mallopt(M_PERTURB, value);
#else
    (void)value;
#endif
}

static void test_times(void **state)
{
    (void)state;
    static const char *const codecs[] = {"h264", "h265", "vp9", "ffv1", "mpeg4"};
    static const int fills[] = {0, 1, 254};
    for (size_t i = 0; i < sizeof codecs / sizeof *codecs; i++)
        for (size_t k = 0; k < sizeof fills / sizeof *fills; k++)
            for (int frames = 1; frames <= 4; frames++) {
                fill_heap(fills[k]);
                check_times(codecs[i], frames);
                fill_heap(0);
            }
}

/* A packet that is presented before it is decoded: the message says which one it was. */
static void test_rejected_packet(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    Scratch scratch;
    DiagLog log;
    CodecChoice choice;
    scratch_make(&scratch);
    diag_log_init(&log);
    SinkOptions options = film_options(scratch_path(&scratch, "a.nut"));
    options.video.codec = "ffv1";
    assert_true(codec_choose(&choice, &options, &log.diag));
    VideoEncoder *encoder = video_encoder_create(&choice, &options, arena, &log.diag);
    VideoFile *file =
        video_file_create(&choice, video_encoder_codec(encoder), &options, NULL, arena, &log.diag);
    assert_non_null(file);
    AVPacket *packet = av_packet_alloc();
    assert_int_equal(av_new_packet(packet, 16), 0);
    memset(packet->data, 0, 16);
    packet->pts = 0;
    packet->dts = 1;
    assert_false(video_file_write(file, packet, &log.diag));
    assert_int_equal(log.diag.kind, DIAG_INTERNAL);
    if (!strstr(log.text, "nut cannot store a packet of ffv1, pts 0, dts "))
        fail_msg("%s", log.text);
    av_packet_free(&packet);
    video_file_destroy(file);
    video_encoder_destroy(encoder);
    assert_int_equal(scratch_count(&scratch), 0);
    arena_destroy(arena);
    scratch_remove(&scratch);
}

/* The directory of an output was removed or moved while the film was written. */
static void test_removed_file(void **state)
{
    (void)state;
    static const char *const names[] = {"a.nut", "a.rgb"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Scratch scratch;
        DiagLog log;
        char temporary[4096];
        scratch_make(&scratch);
        diag_log_init(&log);
        SinkOptions options = film_options(scratch_path(&scratch, names[i]));
        options.frame_count = 1;
        Sink *sink = sink_create(&sink_ffmpeg, &options, &log.diag);
        const Image image = film_picture(0);
        assert_non_null(sink);
        assert_true(sink_write(sink, &image, 0, &log.diag));
        assert_true(file_temporary_name(temporary, sizeof temporary, options.file));
        assert_int_equal(remove(temporary), 0);
        assert_false(sink_finish(sink, &log.diag));
        assert_int_equal(log.diag.kind, DIAG_IO);
        if (!strstr(log.text, "cannot be read back: its temporary file was removed"))
            fail_msg("%s", log.text);
        sink_destroy(sink);
        scratch_remove(&scratch);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(test_times),
                                              cmocka_unit_test(test_rejected_packet),
                                              cmocka_unit_test(test_removed_file)};
    av_log_set_level(AV_LOG_QUIET);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
