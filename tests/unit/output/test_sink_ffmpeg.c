// SPDX-License-Identifier: MIT
/* sink_ffmpeg: films are decoded by libavcodec and compared with the images and the sound written
 */

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/pixdesc.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/file.h"
#include "base/hash.h"
#include "diag_log.h"
#include "film_reader.h"
#include "output/sink.h"
#include "sample_film.h"
#include "scratch.h"
#include "unit_test.h"

/* ---- every container and codec
 * ------------------------------------------------------------------- */

typedef struct Kind {
    const char *name, *codec, *pixels; /* requested */
    const char *video, *audio;         /* expected */
    enum AVPixelFormat format;
    double tolerance; /* of colors, in 1/255 */
    bool exact_times; /* false: the container stores milliseconds */
    bool late; /* the container cannot skip the sound's priming, so everything starts after it */
} Kind;

static const Kind kinds[] = {
    {"a.mp4", "auto", "auto", "h264", "aac", AV_PIX_FMT_YUV420P, 2.0, true, false},
    {"a.mov", "h264", "auto", "h264", "aac", AV_PIX_FMT_YUV420P, 2.0, true, false},
    {"a.mkv", "auto", "auto", "h264", "aac", AV_PIX_FMT_YUV420P, 2.0, false, true},
    {"a.ts", "auto", "auto", "h264", "aac", AV_PIX_FMT_YUV420P, 2.0, true, true},
    {"a.webm", "auto", "auto", "vp9", "opus", AV_PIX_FMT_YUV420P, 2.0, false, false},
    {"b.mp4", "h264", "yuv444p", "h264", "aac", AV_PIX_FMT_YUV444P, 2.0, true, false},
    {"c.mp4", "h265", "auto", "hevc", "aac", AV_PIX_FMT_YUV420P, 2.0, true, false},
    {"d.mp4", "h265", "yuv420p10le", "hevc", "aac", AV_PIX_FMT_YUV420P10, 2.0, true, false},
    {"e.mp4", "av1", "auto", "av1", "aac", AV_PIX_FMT_YUV420P, 3.0, true, false},
    {"f.mov", "prores", "auto", "prores", "aac", AV_PIX_FMT_YUV422P10, 2.0, true, false},
    {"a.avi", "auto", "auto", "h264", "mp3", AV_PIX_FMT_YUV420P, 2.0, true, false},
    {"g.mkv", "ffv1", "auto", "ffv1", "aac", AV_PIX_FMT_BGR0, 0.0, false, true},
};

static void check_streams(const Kind *kind, const FilmReader *film)
{
    const AVStream *stream = film->in->streams[film->stream];
    const AVCodecParameters *p = stream->codecpar;
    const AVPixFmtDescriptor *d = av_pix_fmt_desc_get(kind->format);
    const int sound = av_find_best_stream(film->in, AVMEDIA_TYPE_AUDIO, -1, -1, NULL, 0);

    assert_string_equal(avcodec_get_name(p->codec_id), kind->video);
    assert_true(sound >= 0);
    assert_string_equal(avcodec_get_name(film->in->streams[sound]->codecpar->codec_id),
                        kind->audio);
    assert_int_equal(p->width, FILM_WIDTH);
    assert_int_equal(p->height, FILM_HEIGHT);
    assert_string_equal(av_get_pix_fmt_name(p->format), d->name);
    if (!(d->flags & AV_PIX_FMT_FLAG_RGB)) {
        assert_int_equal(p->color_space, AVCOL_SPC_BT709);
        assert_int_equal(p->color_primaries, AVCOL_PRI_BT709);
        assert_int_equal(p->color_trc, AVCOL_TRC_BT709);
        /* ProRes has no field for the range; FFmpeg 7.1 reports none, other versions limited. */
        if (p->codec_id != AV_CODEC_ID_PRORES || p->color_range != AVCOL_RANGE_UNSPECIFIED)
            assert_int_equal(p->color_range, AVCOL_RANGE_MPEG);
    }
    assert_int_equal(av_cmp_q(stream->avg_frame_rate, (AVRational){FILM_FPS, 1}), 0);
}

/* Returns the time of the first frame. */
static double check_frames(const Kind *kind, FilmReader *film)
{
    const AVStream *stream = film->in->streams[film->stream];
    AVFrame *frame = av_frame_alloc();
    int count = 0;
    double start = 0.0;

    for (; film_reader_next(film, frame); count++) {
        const double at = (double)frame->best_effort_timestamp * av_q2d(stream->time_base);
        if (count == 0)
            start = kind->late ? at : 0.0;
        if (fabs(at - start - (double)count / FILM_FPS) > (kind->exact_times ? 1e-9 : 0.0006))
            fail_msg("%s: frame %d at %.6f s", kind->name, count, at);
        film_check_picture(kind->name, frame, count, kind->tolerance);
        av_frame_unref(frame);
    }
    av_frame_free(&frame);
    if (count != FILM_FRAMES)
        fail_msg("%s: %d frames", kind->name, count);
    return start;
}

static void check_sound(const Kind *kind, const char *path, double video_start)
{
    static FilmTrack track;
    film_hear(&track, path);
    /* Sample 0 belongs to the first frame; a transport stream cannot skip the priming. */
    const double shift = (track.start - video_start) * FILM_RATE;
    const double place = (double)film_find_chirp(&track) + shift;
    if (fabs(place - FILM_CHIRP_AT) > (kind->exact_times ? 1.0 : 0.0006 * FILM_RATE))
        fail_msg("%s: the burst is at sample %.1f (shift %.1f) instead of %d", kind->name, place,
                 shift, FILM_CHIRP_AT);
    if (labs(track.count + (long)shift - FILM_SAMPLES) >= 1024)
        fail_msg("%s: %ld samples instead of %d", kind->name, track.count, FILM_SAMPLES);
}

/* In an mp4 the index precedes the frames. */
static void check_faststart(const char *path)
{
    static char bytes[1 << 20];
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    const size_t n = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    const char *moov = memmem(bytes, n, "moov", 4), *mdat = memmem(bytes, n, "mdat", 4);
    assert_non_null(moov);
    assert_non_null(mdat);
    assert_true(moov < mdat);
    assert_null(memmem(bytes, n, "Lavf", 4));
}

/* length: of the segments; 0: written at once */
static void check_kind(const Kind *kind, int length)
{
    Scratch scratch;
    DiagLog log;
    FilmReader film;

    scratch_make(&scratch);
    diag_log_init(&log);
    SinkOptions options = film_options(scratch_path(&scratch, kind->name));
    options.video.codec = kind->codec;
    options.video.pixel_format = kind->pixels;
    options.contents.sound = film_sound(FILM_RATE);
    if (!film_make_of(film_picture, &options, length, &log.diag)) {
        if (log.diag.kind != DIAG_RESOURCE)
            fail_msg("%s: %s", kind->name, log.text);
        print_message("skipped: %s: %s", kind->name, log.text);
    } else {
        assert_int_equal(scratch_count(&scratch), 1);
        film_reader_open(&film, scratch.path, NULL);
        check_streams(kind, &film);
        const double start = check_frames(kind, &film);
        film_reader_close(&film);
        check_sound(kind, scratch.path, start);
        if (!strcmp(kind->name, "a.mp4"))
            check_faststart(scratch.path);
    }
    scratch_remove(&scratch);
}

static void test_kinds(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        check_kind(&kinds[i], 0);
}

/* The same for films that are joined from four segments. */
static void test_segments(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        check_kind(&kinds[i], 6);
}

/* Formats that the segment container does not support are written at once. */
static void test_unsegmented(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double tolerance;
    } rows[] = {{"a.y4m", 2.0}, {"a.apng", 0.0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Scratch scratch;
        DiagLog log;
        FilmReader film;
        AVFrame *frame = av_frame_alloc();
        int count = 0;

        scratch_make(&scratch);
        diag_log_init(&log);
        const SinkOptions options = film_options(scratch_path(&scratch, rows[i].name));
        const SinkKind *kind = sink_find(options.file, NULL, &log.diag);
        assert_ptr_equal(kind, &sink_ffmpeg_unsegmented);
        assert_null(kind->segments);
        if (!film_make(&options, &log.diag))
            fail_msg("%s: %s", rows[i].name, log.text);
        film_reader_open(&film, scratch.path, NULL);
        for (; film_reader_next(&film, frame); count++) {
            film_check_picture(rows[i].name, frame, count, rows[i].tolerance);
            av_frame_unref(frame);
        }
        assert_int_equal(count, FILM_FRAMES);
        film_reader_close(&film);
        av_frame_free(&frame);
        scratch_remove(&scratch);
    }
}

/* Frames of pixels without a header: Y'CbCr by the name, otherwise RGB, as the images are. */
static void test_raw(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int length; /* of the segments; 0: written at once */
        int frame_bytes;
    } rows[] = {{"a.yuv", 0, FILM_WIDTH * FILM_HEIGHT * 3 / 2},
                {"a.yuv", 6, FILM_WIDTH * FILM_HEIGHT * 3 / 2},
                {"a.rgb", 0, FILM_WIDTH * FILM_HEIGHT * 3},
                {"a.rgb", 6, FILM_WIDTH * FILM_HEIGHT * 3}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        Scratch scratch;
        DiagLog log;
        Bytes bytes;
        scratch_make(&scratch);
        diag_log_init(&log);
        const SinkOptions options = film_options(scratch_path(&scratch, rows[i].name));
        if (!film_make_of(film_picture, &options, rows[i].length, &log.diag))
            fail_msg("%s: %s", rows[i].name, log.text);
        assert_true(file_load(&bytes, options.file, FILE_MAX_SIZE, arena, &log.diag));
        assert_int_equal(bytes.size, rows[i].frame_bytes * FILM_FRAMES);
        const Image last = film_picture(FILM_FRAMES - 1);
        const uint8_t *p = bytes.data + bytes.size - FILM_WIDTH * FILM_HEIGHT * 3;
        for (int k = 0; k < FILM_WIDTH * FILM_HEIGHT && !strcmp(rows[i].name, "a.rgb"); k++)
            assert_memory_equal(p + 3 * k, last.pixels + 4 * k, 3);
        arena_destroy(arena);
        scratch_remove(&scratch);
    }
}

/* Formats of libavformat that write texts about the frames are not films. */
static void test_texts_about_frames(void **state)
{
    (void)state;
    static const char *const formats[] = {"md5", "framecrc", "framemd5", "crc", "streamhash"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        DiagLog log;
        diag_log_init(&log);
        assert_null(sink_find("a.txt", formats[i], &log.diag));
        assert_int_equal(log.diag.kind, DIAG_JOB);
    }
}

static Image still(int frame)
{
    (void)frame;
    return film_picture(0);
}

/* Theora drops duplicate frames and the reader of Ogg finds too few: the error is reported at the
 * first such frame, not at the end. */
static void test_dropped_frames(void **state)
{
    (void)state;
    Scratch scratch;
    DiagLog log;
    scratch_make(&scratch);
    diag_log_init(&log);
    SinkOptions options = film_options(scratch_path(&scratch, "a.ogv"));
    options.video.codec = "theora";
    assert_false(film_make_of(still, &options, 5, &log.diag));
    if (log.diag.kind == DIAG_RESOURCE)
        print_message("skipped: %s", log.text);
    else if (log.diag.kind != DIAG_JOB || !strstr(log.text, "drops duplicate frames"))
        fail_msg("%s", log.text);
    assert_int_equal(scratch_count(&scratch), 0);
    scratch_remove(&scratch);
}

/* ---- other rules ----------------------------------------------------------------------------- */

static Digest film_digest(const SinkOptions *options)
{
    Arena *arena = arena_create();
    DiagLog log;
    Bytes bytes;
    diag_log_init(&log);
    if (!film_make(options, &log.diag) ||
        !file_load(&bytes, options->file, FILE_MAX_SIZE, arena, &log.diag))
        fail_msg("%s: %s", options->file, log.text);
    const Digest digest = hash_bytes(bytes.data, bytes.size);
    arena_destroy(arena);
    return digest;
}

static void test_same_bytes(void **state)
{
    (void)state;
    static const char *const names[] = {"a.mp4", "a.mkv", "a.webm"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Scratch scratch;
        scratch_make(&scratch);
        SinkOptions options = film_options(scratch_path(&scratch, names[i]));
        options.contents.sound = film_sound(FILM_RATE);
        options.threads = 2;
        options.video.preset = "faster";
        const Digest a = film_digest(&options), b = film_digest(&options);
        if (memcmp(&a, &b, sizeof a) != 0)
            fail_msg("%s: two runs differ", names[i]);
        scratch_remove(&scratch);
    }
}

/* The options that x264 has written into its stream. */
static void check_x264_options(const SinkOptions *options, const char *const expected[4])
{
    static const char start[] = " - options: ";
    Arena *arena = arena_create();
    DiagLog log;
    Bytes bytes;
    diag_log_init(&log);
    if (!film_make(options, &log.diag) ||
        !file_load(&bytes, options->file, FILE_MAX_SIZE, arena, &log.diag))
        fail_msg("%s", log.text);
    const char *text = memmem(bytes.data, bytes.size, start, sizeof start - 1);
    assert_non_null(text);
    for (int i = 0; i < 4 && expected[i]; i++)
        if (!strstr(text, expected[i]))
            fail_msg("preset %s, crf %d: no '%s' in '%s'",
                     options->video.preset ? options->video.preset : "none", options->video.crf,
                     expected[i], text);
    arena_destroy(arena);
}

/* Options of this program apply only where no preset of x264 is selected. */
static void test_presets(void **state)
{
    (void)state;
    static const struct {
        const char *preset;
        int crf;
        const char *expected[4];
    } rows[] = {
        {NULL, -1, {" subme=2 ", " psy=0 ", " aq=1:1.20", " crf=19.5 "}},
        {"auto", 25, {" deadzone=17,9 ", " bframes=3 ", " mbtree=0 ", " crf=26.5 "}},
        {"realtime", -1, {" subme=1 ", " 8x8dct=0 ", " qcomp=1.00 ", " crf=18.9 "}},
        {"realtime", 51, {" pb_ratio=1.50 ", " crf=51.0 "}},
        {"realtime", 0, {" qp=0"}}, /* lossless */
        {"small", 22, {" deadzone=14,7 ", " bframes=3 ", " mbtree=1 ", " crf=22.0 "}},
        {"medium", 18, {" ref=3 ", " psy=1 ", " trellis=1 ", " crf=18.0 "}},
        {"veryfast", -1, {" psy=1 ", " mbtree=1 ", " deadzone=21,11 ", " crf=18.0 "}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Scratch scratch;
        scratch_make(&scratch);
        SinkOptions options = film_options(scratch_path(&scratch, "a.mkv"));
        options.video.codec = "h264";
        options.video.preset = rows[i].preset;
        options.video.crf = rows[i].crf;
        check_x264_options(&options, rows[i].expected);
        scratch_remove(&scratch);
    }
}

/* Unusual rates are exact: a frame's time is its index times the period. */
static void test_rates(void **state)
{
    (void)state;
    static const int rates[][2] = {{24000, 1001}, {7, 3}, {60, 1}, {1, 1}, {120000, 1001}};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        const AVRational fps = {rates[i][0], rates[i][1]};
        Scratch scratch;
        DiagLog log;
        FilmReader film;
        AVFrame *frame = av_frame_alloc();

        scratch_make(&scratch);
        diag_log_init(&log);
        SinkOptions options = film_options(scratch_path(&scratch, "a.mp4"));
        options.fps_num = fps.num;
        options.fps_den = fps.den;
        if (!film_make(&options, &log.diag))
            fail_msg("%d/%d: %s", fps.num, fps.den, log.text);
        film_reader_open(&film, scratch.path, NULL);
        const AVStream *stream = film.in->streams[film.stream];
        assert_int_equal(av_cmp_q(stream->avg_frame_rate, fps), 0);
        for (int n = 0; film_reader_next(&film, frame); n++)
            assert_int_equal(av_compare_ts(frame->pts, stream->time_base, n, av_inv_q(fps)), 0);
        assert_int_equal(
            av_compare_ts(stream->duration, stream->time_base, FILM_FRAMES, av_inv_q(fps)), 0);
        film_reader_close(&film);
        av_frame_free(&frame);
        scratch_remove(&scratch);
    }
}

static void test_tags(void **state)
{
    (void)state;
    static const SinkTag tags[] = {{"title", "my dance"}, {"comment", "Model: 踊り子, CC BY 4.0"}};
    static const char *const names[] = {"a.mp4", "a.mkv"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Scratch scratch;
        DiagLog log;
        FilmReader film;
        scratch_make(&scratch);
        diag_log_init(&log);
        SinkOptions options = film_options(scratch_path(&scratch, names[i]));
        options.contents.tags = tags;
        options.contents.tag_count = 2;
        assert_true(film_make(&options, &log.diag));
        film_reader_open(&film, scratch.path, NULL);
        for (size_t t = 0; t < 2; t++) {
            const AVDictionaryEntry *e = av_dict_get(film.in->metadata, tags[t].key, NULL, 0);
            assert_non_null(e);
            assert_string_equal(e->value, tags[t].value);
        }
        assert_null(av_dict_get(film.in->metadata, "creation_time", NULL, 0));
        film_reader_close(&film);
        scratch_remove(&scratch);
    }
}

/* Key frames have a distance of `gop` frames, whatever the images show. */
static void test_key_frames(void **state)
{
    (void)state;
    Scratch scratch;
    DiagLog log;
    FilmReader film;
    AVPacket *packet = av_packet_alloc();

    scratch_make(&scratch);
    diag_log_init(&log);
    SinkOptions options = film_options(scratch_path(&scratch, "a.mp4"));
    options.video.gop = 8;
    options.video.preset = "medium";
    assert_true(film_make(&options, &log.diag));
    film_reader_open(&film, scratch.path, NULL);
    const AVRational base = film.in->streams[film.stream]->time_base;
    while (av_read_frame(film.in, packet) >= 0) {
        const int64_t n = av_rescale_q(packet->pts, base, (AVRational){1, FILM_FPS});
        assert_int_equal((packet->flags & AV_PKT_FLAG_KEY) != 0, n % 8 == 0);
        av_packet_unref(packet);
    }
    av_packet_free(&packet);
    film_reader_close(&film);
    scratch_remove(&scratch);
}

/* 44.1 kHz is resampled for Opus, which has only 48; mono stays mono; the sound may be shorter than
 * the film. */
static void test_other_sounds(void **state)
{
    (void)state;
    static const struct {
        const char *what, *name;
        int rate, channels;
        double seconds;
        int out_rate;
    } rows[] = {
        {"44.1 kHz to Opus", "a.webm", 44100, 2, 0.8, 48000},
        {"44.1 kHz to AAC", "a.mp4", 44100, 2, 0.8, 44100},
        {"mono", "a.mp4", 48000, 1, 0.8, 48000},
        {"short", "a.mp4", 48000, 2, 0.1, 48000},
    };
    static float samples[FILM_RATE * 2];
    for (int i = 0; i < FILM_RATE * 2; i++)
        samples[i] = (float)(0.3 * sin(i * 0.05));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static FilmTrack track;
        Scratch scratch;
        DiagLog log;

        scratch_make(&scratch);
        diag_log_init(&log);
        SinkOptions options = film_options(scratch_path(&scratch, rows[i].name));
        options.contents.sound = (SinkSound){samples, (size_t)(rows[i].seconds * rows[i].rate),
                                             rows[i].channels, rows[i].rate};
        if (!film_make(&options, &log.diag))
            fail_msg("%s: %s", rows[i].what, log.text);
        film_hear(&track, scratch.path);
        if (track.rate != rows[i].out_rate || track.channels != rows[i].channels ||
            fabs((double)track.count / track.rate - rows[i].seconds) * FILM_RATE >= 1024.0)
            fail_msg("%s: %d Hz, %d channels, %ld samples", rows[i].what, track.rate,
                     track.channels, track.count);
        scratch_remove(&scratch);
    }
}

typedef struct Rejected {
    const char *what, *name;
    SinkOptions change; /* fields other than 0 replace the valid ones */
    DiagKind kind;
    const char *message;
} Rejected;

static const Rejected rejected[] = {
    {"unknown codec",
     "a.mp4",
     {.video.codec = "h246"},
     DIAG_JOB,
     "unknown codec 'h246' (auto, h264, "},
    {"similar codec", "a.mp4", {.video.codec = "h266"}, DIAG_JOB, "); did you mean 'h264'?"},
    {"similar sound", "a.mp4", {.video.audio_codec = "opsu"}, DIAG_JOB, "); did you mean 'opus'?"},
    {"similar preset", "a.mp4", {.video.preset = "slwo"}, DIAG_JOB, "); did you mean 'slow'?"},
    {"lacking encoder",
     "a.mkv",
     {.video.codec = "vc1"},
     DIAG_RESOURCE,
     "no encoder for codec 'vc1' (h264, "},
    {"sound as codec", "a.mp4", {.video.codec = "aac"}, DIAG_JOB, "unknown codec 'aac'"},
    {"container",
     "a.webm",
     {.video.codec = "h264"},
     DIAG_JOB,
     "webm file cannot contain codec 'h264' (vp9"},
    {"unknown sound",
     "a.mp4",
     {.video.audio_codec = "acc"},
     DIAG_JOB,
     "unknown audio codec 'acc' (auto, aac"},
    {"container, sound",
     "a.webm",
     {.video.audio_codec = "aac"},
     DIAG_JOB,
     "cannot contain audio codec 'aac'"},
    {"odd width", "a.mp4", {.width = 97}, DIAG_JOB, "(for example 98x64)"},
    {"odd height", "a.mp4", {.height = 65}, DIAG_JOB, "(for example 96x66)"},
    {"pixel format",
     "a.mp4",
     {.video.pixel_format = "yuv420"},
     DIAG_JOB,
     "does not support pixel format 'yuv420' (yuv420p, "},
    {"preset", "a.mp4", {.video.preset = "quick"}, DIAG_JOB, "unknown preset 'quick' (ultrafast, "},
    {"crf", "a.mp4", {.video.crf = 52}, DIAG_JOB, "crf 52 is out of range for h264 (0..51)"},
    {"name", "a.txt", {0}, DIAG_JOB, "unknown video file extension"},
};

static void test_rejected(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rejected / sizeof *rejected; i++) {
        const Rejected *row = &rejected[i];
        Scratch scratch;
        DiagLog log;
        scratch_make(&scratch);
        SinkOptions options = film_options(scratch_path(&scratch, row->name));
        options.contents.sound = film_sound(FILM_RATE);
        if (row->change.video.codec)
            options.video.codec = row->change.video.codec;
        if (row->change.video.audio_codec)
            options.video.audio_codec = row->change.video.audio_codec;
        if (row->change.video.pixel_format)
            options.video.pixel_format = row->change.video.pixel_format;
        if (row->change.video.preset)
            options.video.preset = row->change.video.preset;
        options.width = row->change.width ? row->change.width : FILM_WIDTH;
        options.height = row->change.height ? row->change.height : FILM_HEIGHT;
        options.video.crf = row->change.video.crf ? row->change.video.crf : 20;
        for (int by_check = 0; by_check < 2; by_check++) {
            diag_log_init(&log);
            const bool ok = by_check ? sink_ffmpeg_check(&options, &log.diag)
                                     : sink_create(&sink_ffmpeg, &options, &log.diag) != NULL;
            if (ok || log.diag.kind != row->kind || log.diag.errors != 1 ||
                !strstr(log.text, row->message))
                fail_msg("%s: %s", row->what, log.text);
        }
        assert_int_equal(scratch_count(&scratch), 0);
        scratch_remove(&scratch);
    }
}

/* A limit on the file size simulates a full disk at the header, in the middle and at the end. */
static void test_full_disk(void **state)
{
    (void)state;
    static const char *const names[] = {"a.mp4", "a.mkv"};
    Scratch whole;
    struct rlimit limit;
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &limit);
    const rlim_t before = limit.rlim_cur;

    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        DiagLog log;
        Arena *arena = arena_create();
        Bytes bytes;
        scratch_make(&whole);
        SinkOptions options = film_options(scratch_path(&whole, names[n]));
        options.contents.sound = film_sound(FILM_RATE);
        (void)film_digest(&options);
        diag_log_init(&log);
        assert_true(file_load(&bytes, whole.path, FILE_MAX_SIZE, arena, &log.diag));
        const rlim_t limits[] = {1, 20, 1000, bytes.size / 2, bytes.size - 1};
        arena_destroy(arena);
        scratch_remove(&whole);

        for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
            Scratch scratch;
            scratch_make(&scratch);
            diag_log_init(&log);
            options.file = scratch_path(&scratch, names[n]);
            limit.rlim_cur = limits[i];
            setrlimit(RLIMIT_FSIZE, &limit);
            const bool ok = film_make(&options, &log.diag);
            limit.rlim_cur = before;
            setrlimit(RLIMIT_FSIZE, &limit);
            if (ok || log.diag.kind != DIAG_IO || log.diag.errors != 1 ||
                !strstr(log.text, "File too large"))
                fail_msg("%s with a limit of %d bytes: %s", names[n], (int)limits[i],
                         ok ? "no error" : log.text);
            assert_int_equal(scratch_count(&scratch), 0);
            scratch_remove(&scratch);
        }
    }
}

static void test_unfinished(void **state)
{
    (void)state;
    Scratch scratch;
    DiagLog log;
    scratch_make(&scratch);
    diag_log_init(&log);
    const SinkOptions options = film_options(scratch_path(&scratch, "a.mp4"));
    Sink *sink = sink_create(&sink_ffmpeg, &options, &log.diag);
    const Image image = film_picture(0);
    assert_non_null(sink);
    assert_int_equal(scratch_count(&scratch), 1);
    assert_true(sink_write(sink, &image, 5, &log.diag));
    assert_false(sink_write(sink, &image, 5, &log.diag));
    assert_int_equal(log.diag.kind, DIAG_INTERNAL);
    sink_destroy(sink);
    assert_int_equal(scratch_count(&scratch), 0);

    diag_log_init(&log);
    sink = sink_create(&sink_ffmpeg, &options, &log.diag);
    assert_true(sink_write(sink, &image, 0, &log.diag));
    assert_false(sink_finish(sink, &log.diag));
    assert_int_equal(log.diag.kind, DIAG_INCOMPLETE);
    sink_destroy(sink);
    assert_int_equal(scratch_count(&scratch), 0);
    scratch_remove(&scratch);
}

/* The directory cannot be created, because a file has its name. */
static void test_no_directory(void **state)
{
    (void)state;
    Scratch scratch;
    DiagLog log;
    scratch_make(&scratch);
    diag_log_init(&log);
    assert_true(file_save(scratch_path(&scratch, "file"), "x", 1, &log.diag));
    const SinkOptions options = film_options(scratch_path(&scratch, "file/a.mp4"));
    assert_null(sink_create(&sink_ffmpeg, &options, &log.diag));
    assert_int_equal(log.diag.kind, DIAG_CREATE);
    assert_int_equal(scratch_count(&scratch), 1);
    scratch_remove(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_segments),
        cmocka_unit_test(test_unsegmented),
        cmocka_unit_test(test_raw),
        cmocka_unit_test(test_texts_about_frames),
        cmocka_unit_test(test_dropped_frames),
        cmocka_unit_test(test_same_bytes),
        cmocka_unit_test(test_rates),
        cmocka_unit_test(test_tags),
        cmocka_unit_test(test_key_frames),
        cmocka_unit_test(test_presets),
        cmocka_unit_test(test_other_sounds),
        cmocka_unit_test(test_rejected),
        cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_unfinished),
        cmocka_unit_test(test_no_directory),
    };
    return cmocka_run_group_tests_name("sink_ffmpeg", tests, NULL, NULL);
}
