/* sink_ffmpeg: films are read back by libavformat and libavcodec and compared with what went in */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

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
#include "heard.h"
#include "output/sink.h"
#include "played.h"
#include "scratch.h"

enum {
    WIDTH = 96,
    HEIGHT = 64,
    FRAMES = 20,
    FPS = 25,
    RATE = 48000,
    CHIRP_AT = 20011, /* sample */
    CHIRP = 2400
};

/* Three flat fields beside each other; the third changes with the frame. */
static void colour_of(uint8_t rgb[3], int field, int frame)
{
    static const uint8_t fields[2][3] = {{200, 40, 60}, {30, 90, 220}};
    if (field < 2)
        memcpy(rgb, fields[field], 3);
    else
        rgb[0] = rgb[1] = rgb[2] = (uint8_t)(40 + 8 * frame);
}

static Image picture(int frame)
{
    static uint8_t pixels[HEIGHT][WIDTH][4];
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            colour_of(pixels[y][x], x * 3 / WIDTH, frame);
            pixels[y][x][3] = 255;
        }
    return (Image){WIDTH, HEIGHT, false, &pixels[0][0][0]};
}

/* A swept tone of 500 to 6000 Hz under a cosine bell: its place can be found to the sample. */
static double chirp(int i)
{
    const double t = (double)i / CHIRP, pi = acos(-1.0);
    return 0.25 * (1.0 - cos(2.0 * pi * t)) *
           sin(2.0 * pi * (500.0 * t + 0.5 * 5500.0 * t * t) * CHIRP / RATE);
}

static SinkSound make_sound(int rate)
{
    static float samples[FRAMES * RATE / FPS * 2];
    const size_t frames = (size_t)(FRAMES * rate / FPS);
    memset(samples, 0, sizeof samples);
    for (int i = 0; i < CHIRP; i++)
        samples[2 * (CHIRP_AT + i)] = samples[2 * (CHIRP_AT + i) + 1] = (float)chirp(i);
    return (SinkSound){samples, frames, 2, rate};
}

static SinkOptions options_for(const char *file)
{
    return (SinkOptions){.file = file,
                         .width = WIDTH,
                         .height = HEIGHT,
                         .fps_num = FPS,
                         .fps_den = 1,
                         .frame_count = FRAMES,
                         .codec = "auto",
                         .preset = "ultrafast",
                         .crf = 4,
                         .pixel_format = "auto",
                         .audio_codec = "auto",
                         .threads = 1};
}

static bool make_film(const SinkOptions *options, Diag *diag)
{
    Sink *sink = sink_ffmpeg.create(options, diag);
    bool ok = sink != NULL;
    for (int i = 0; ok && i < FRAMES; i++) {
        const Image image = picture(i);
        ok = sink_ffmpeg.write(sink, &image, i, diag);
    }
    ok = ok && sink_ffmpeg.finish(sink, diag);
    sink_ffmpeg.destroy(sink);
    return ok;
}

/* ---- reading back ---------------------------------------------------------------------------- */

static void check_colours(const char *what, const AVFrame *frame, int number, double tolerance)
{
    for (int field = 0; field < 3; field++) {
        uint8_t wanted[3];
        double rgb[4];
        colour_of(wanted, field, number);
        played_pixel(rgb, frame, (2 * field + 1) * WIDTH / 6, HEIGHT / 2);
        for (int c = 0; c < 3; c++)
            if (fabs(rgb[c] - wanted[c]) > tolerance)
                fail_msg("%s: frame %d, field %d, channel %d is %.2f instead of %d", what, number,
                         field, c, rgb[c], wanted[c]);
    }
}

/* ---- every kind of film ---------------------------------------------------------------------- */

typedef struct Kind {
    const char *name, *codec, *pixels; /* asked for */
    const char *video, *audio;         /* found */
    enum AVPixelFormat format;
    double tolerance; /* of colours, in 1/255 */
    bool exact_times; /* false: the container counts milliseconds */
    bool late;        /* it cannot cut the sound's priming off, so all begins after it */
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
    {"g.mkv", "ffv1", "auto", "ffv1", "aac", AV_PIX_FMT_BGR0, 0.0, false, true},
};

static void check_streams(const Kind *kind, const Played *film)
{
    const AVStream *stream = film->in->streams[film->stream];
    const AVCodecParameters *p = stream->codecpar;
    const AVPixFmtDescriptor *d = av_pix_fmt_desc_get(kind->format);
    const int sound = av_find_best_stream(film->in, AVMEDIA_TYPE_AUDIO, -1, -1, NULL, 0);

    assert_string_equal(avcodec_get_name(p->codec_id), kind->video);
    assert_true(sound >= 0);
    assert_string_equal(avcodec_get_name(film->in->streams[sound]->codecpar->codec_id),
                        kind->audio);
    assert_int_equal(p->width, WIDTH);
    assert_int_equal(p->height, HEIGHT);
    assert_string_equal(av_get_pix_fmt_name(p->format), d->name);
    if (!(d->flags & AV_PIX_FMT_FLAG_RGB)) {
        assert_int_equal(p->color_space, AVCOL_SPC_BT709);
        assert_int_equal(p->color_primaries, AVCOL_PRI_BT709);
        assert_int_equal(p->color_trc, AVCOL_TRC_BT709);
        assert_int_equal(p->color_range, AVCOL_RANGE_MPEG);
    }
    assert_int_equal(av_cmp_q(stream->avg_frame_rate, (AVRational){FPS, 1}), 0);
}

/* Returns the time of the first picture. */
static double check_pictures(const Kind *kind, Played *film)
{
    const AVStream *stream = film->in->streams[film->stream];
    AVFrame *frame = av_frame_alloc();
    int count = 0;
    double start = 0.0;

    for (; played_next(film, frame); count++) {
        const double at = (double)frame->best_effort_timestamp * av_q2d(stream->time_base);
        if (count == 0)
            start = kind->late ? at : 0.0;
        if (fabs(at - start - (double)count / FPS) > (kind->exact_times ? 1e-9 : 0.0006))
            fail_msg("%s: picture %d at %.6f s", kind->name, count, at);
        check_colours(kind->name, frame, count, kind->tolerance);
        av_frame_unref(frame);
    }
    av_frame_free(&frame);
    if (count != FRAMES)
        fail_msg("%s: %d pictures", kind->name, count);
    return start;
}

/* What a player hears of a film, first channel alone. */
typedef struct Track {
    float samples[2 * RATE];
    long count;
    int rate, channels;
    double start; /* time of the first sample, seconds */
} Track;

static void take_samples(Track *track, const AVFrame *frame, AVRational base)
{
    if (track->count == 0)
        track->start = (double)frame->pts * av_q2d(base);
    track->rate = frame->sample_rate;
    track->channels = frame->ch_layout.nb_channels;
    const bool planar = frame->format == AV_SAMPLE_FMT_FLTP;
    assert_true(planar || frame->format == AV_SAMPLE_FMT_FLT);
    for (int i = 0; i < frame->nb_samples && track->count < 2 * RATE; i++)
        track->samples[track->count++] =
            ((const float *)(void *)frame->data[0])[planar ? i : i * track->channels];
}

static void hear(Track *track, const char *path)
{
    AVFormatContext *in = NULL;
    const AVCodec *codec = NULL;
    AVPacket *packet = av_packet_alloc();
    AVFrame *frame = av_frame_alloc();

    *track = (Track){0};
    assert_int_equal(avformat_open_input(&in, path, NULL, NULL), 0);
    assert_true(avformat_find_stream_info(in, NULL) >= 0);
    const int index = av_find_best_stream(in, AVMEDIA_TYPE_AUDIO, -1, -1, &codec, 0);
    assert_true(index >= 0);
    AVCodecContext *c = avcodec_alloc_context3(codec);
    avcodec_parameters_to_context(c, in->streams[index]->codecpar);
    c->pkt_timebase = in->streams[index]->time_base;
    c->request_sample_fmt = AV_SAMPLE_FMT_FLTP;
    assert_int_equal(avcodec_open2(c, codec, NULL), 0);
    for (bool more = true; more;) {
        more = av_read_frame(in, packet) >= 0;
        if (more && packet->stream_index != index) {
            av_packet_unref(packet);
            continue;
        }
        avcodec_send_packet(c, more ? packet : NULL);
        av_packet_unref(packet);
        while (avcodec_receive_frame(c, frame) >= 0)
            take_samples(track, frame, in->streams[index]->time_base);
    }
    av_frame_free(&frame);
    av_packet_free(&packet);
    avcodec_free_context(&c);
    avformat_close_input(&in);
}

/* Where the chirp is, by correlation. */
static long find_chirp(const Track *track)
{
    enum { SPAN = 3000 };
    double best = 0.0, wanted[CHIRP];
    long place = -1;
    for (int i = 0; i < CHIRP; i++)
        wanted[i] = chirp(i);
    for (long at = CHIRP_AT - SPAN; at <= CHIRP_AT + SPAN; at++) {
        double sum = 0.0;
        for (int i = 0; i < CHIRP && at + i < track->count; i += 3)
            sum += wanted[i] * (double)track->samples[at + i];
        if (sum > best) {
            best = sum;
            place = at;
        }
    }
    return place;
}

static void check_sound(const Kind *kind, const char *path, double video_start)
{
    static Track track;
    hear(&track, path);
    /* Sample 0 is heard with the first picture; a transport stream cannot cut the priming off. */
    const double shift = (track.start - video_start) * RATE;
    const double place = (double)find_chirp(&track) + shift;
    if (fabs(place - CHIRP_AT) > (kind->exact_times ? 1.0 : 0.0006 * RATE))
        fail_msg("%s: the burst is at sample %.1f (shift %.1f) instead of %d", kind->name, place,
                 shift, CHIRP_AT);
    if (labs(track.count + (long)shift - FRAMES * RATE / FPS) >= 1024)
        fail_msg("%s: %ld samples instead of %d", kind->name, track.count, FRAMES * RATE / FPS);
}

/* In an mp4 the index stands before the pictures. */
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

static void test_kinds(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const Kind *kind = &kinds[i];
        Scratch scratch;
        Heard heard;
        Played film;

        scratch_make(&scratch);
        heard_init(&heard);
        SinkOptions options = options_for(scratch_path(&scratch, kind->name));
        options.codec = kind->codec;
        options.pixel_format = kind->pixels;
        options.sound = make_sound(RATE);
        if (!make_film(&options, &heard.diag)) {
            if (heard.diag.kind != DIAG_RESOURCE)
                fail_msg("%s: %s", kind->name, heard.text);
            print_message("skipped: %s: %s", kind->name, heard.text);
        } else {
            assert_int_equal(scratch_count(&scratch), 1);
            played_open(&film, scratch.path, NULL);
            check_streams(kind, &film);
            const double start = check_pictures(kind, &film);
            played_close(&film);
            check_sound(kind, scratch.path, start);
            if (!strcmp(kind->name, "a.mp4"))
                check_faststart(scratch.path);
        }
        scratch_remove(&scratch);
    }
}

/* ---- the rest -------------------------------------------------------------------------------- */

static Digest film_digest(const SinkOptions *options)
{
    Arena *arena = arena_create();
    Heard heard;
    Bytes bytes;
    heard_init(&heard);
    if (!make_film(options, &heard.diag) ||
        !file_load(&bytes, options->file, FILE_MAX_SIZE, arena, &heard.diag))
        fail_msg("%s: %s", options->file, heard.text);
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
        SinkOptions options = options_for(scratch_path(&scratch, names[i]));
        options.sound = make_sound(RATE);
        options.threads = 2;
        options.preset = "faster";
        const Digest a = film_digest(&options), b = film_digest(&options);
        if (memcmp(&a, &b, sizeof a) != 0)
            fail_msg("%s: two runs differ", names[i]);
        scratch_remove(&scratch);
    }
}

/* Odd rates stay exact: a picture's time is its number times the period. */
static void test_rates(void **state)
{
    (void)state;
    static const int rates[][2] = {{24000, 1001}, {7, 3}, {60, 1}, {1, 1}, {120000, 1001}};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        const AVRational fps = {rates[i][0], rates[i][1]};
        Scratch scratch;
        Heard heard;
        Played film;
        AVFrame *frame = av_frame_alloc();

        scratch_make(&scratch);
        heard_init(&heard);
        SinkOptions options = options_for(scratch_path(&scratch, "a.mp4"));
        options.fps_num = fps.num;
        options.fps_den = fps.den;
        if (!make_film(&options, &heard.diag))
            fail_msg("%d/%d: %s", fps.num, fps.den, heard.text);
        played_open(&film, scratch.path, NULL);
        const AVStream *stream = film.in->streams[film.stream];
        assert_int_equal(av_cmp_q(stream->avg_frame_rate, fps), 0);
        for (int n = 0; played_next(&film, frame); n++)
            assert_int_equal(av_compare_ts(frame->pts, stream->time_base, n, av_inv_q(fps)), 0);
        assert_int_equal(av_compare_ts(stream->duration, stream->time_base, FRAMES, av_inv_q(fps)),
                         0);
        played_close(&film);
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
        Heard heard;
        Played film;
        scratch_make(&scratch);
        heard_init(&heard);
        SinkOptions options = options_for(scratch_path(&scratch, names[i]));
        options.tags = tags;
        options.tag_count = 2;
        assert_true(make_film(&options, &heard.diag));
        played_open(&film, scratch.path, NULL);
        for (size_t t = 0; t < 2; t++) {
            const AVDictionaryEntry *e = av_dict_get(film.in->metadata, tags[t].key, NULL, 0);
            assert_non_null(e);
            assert_string_equal(e->value, tags[t].value);
        }
        assert_null(av_dict_get(film.in->metadata, "creation_time", NULL, 0));
        played_close(&film);
        scratch_remove(&scratch);
    }
}

/* Key frames stand every `gop` pictures, whatever the pictures show. */
static void test_key_frames(void **state)
{
    (void)state;
    Scratch scratch;
    Heard heard;
    Played film;
    AVPacket *packet = av_packet_alloc();

    scratch_make(&scratch);
    heard_init(&heard);
    SinkOptions options = options_for(scratch_path(&scratch, "a.mp4"));
    options.gop = 8;
    options.preset = "medium";
    assert_true(make_film(&options, &heard.diag));
    played_open(&film, scratch.path, NULL);
    const AVRational base = film.in->streams[film.stream]->time_base;
    while (av_read_frame(film.in, packet) >= 0) {
        const int64_t n = av_rescale_q(packet->pts, base, (AVRational){1, FPS});
        assert_int_equal((packet->flags & AV_PKT_FLAG_KEY) != 0, n % 8 == 0);
        av_packet_unref(packet);
    }
    av_packet_free(&packet);
    played_close(&film);
    scratch_remove(&scratch);
}

/* 44.1 kHz goes into Opus, which has 48 alone; mono stays mono; a sound may be shorter than the
 * film. */
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
    static float samples[RATE * 2];
    for (int i = 0; i < RATE * 2; i++)
        samples[i] = (float)(0.3 * sin(i * 0.05));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static Track track;
        Scratch scratch;
        Heard heard;

        scratch_make(&scratch);
        heard_init(&heard);
        SinkOptions options = options_for(scratch_path(&scratch, rows[i].name));
        options.sound = (SinkSound){samples, (size_t)(rows[i].seconds * rows[i].rate),
                                    rows[i].channels, rows[i].rate};
        if (!make_film(&options, &heard.diag))
            fail_msg("%s: %s", rows[i].what, heard.text);
        hear(&track, scratch.path);
        if (track.rate != rows[i].out_rate || track.channels != rows[i].channels ||
            fabs((double)track.count / track.rate - rows[i].seconds) * RATE >= 1024.0)
            fail_msg("%s: %d Hz, %d channels, %ld samples", rows[i].what, track.rate,
                     track.channels, track.count);
        scratch_remove(&scratch);
    }
}

typedef struct Refused {
    const char *what, *name;
    SinkOptions change; /* fields that are not 0 replace the good ones */
    DiagKind kind;
    const char *message;
} Refused;

static const Refused refused[] = {
    {"unknown codec", "a.mp4", {.codec = "h246"}, DIAG_JOB, "no codec 'h246' (auto, h264, "},
    {"lacking encoder",
     "a.mkv",
     {.codec = "vc1"},
     DIAG_RESOURCE,
     "no encoder for codec 'vc1' (h264, "},
    {"sound as codec", "a.mp4", {.codec = "aac"}, DIAG_JOB, "no codec 'aac'"},
    {"container", "a.webm", {.codec = "h264"}, DIAG_JOB, "webm file cannot hold codec 'h264' (vp9"},
    {"unknown sound", "a.mp4", {.audio_codec = "acc"}, DIAG_JOB, "no audio codec 'acc' (auto, aac"},
    {"container, sound",
     "a.webm",
     {.audio_codec = "aac"},
     DIAG_JOB,
     "cannot hold audio codec 'aac'"},
    {"odd width", "a.mp4", {.width = 97}, DIAG_JOB, "(98x64 would do)"},
    {"odd height", "a.mp4", {.height = 65}, DIAG_JOB, "(96x66 would do)"},
    {"pixel format",
     "a.mp4",
     {.pixel_format = "yuv420"},
     DIAG_JOB,
     "no pixel format 'yuv420' (yuv420p, "},
    {"preset", "a.mp4", {.preset = "quick"}, DIAG_JOB, "no preset 'quick' (ultrafast, "},
    {"crf", "a.mp4", {.crf = 52}, DIAG_JOB, "crf 52 is out of range for h264 (0..51)"},
    {"name", "a.txt", {0}, DIAG_JOB, "no kind of video file"},
};

static void test_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        const Refused *row = &refused[i];
        Scratch scratch;
        Heard heard;
        scratch_make(&scratch);
        SinkOptions options = options_for(scratch_path(&scratch, row->name));
        options.sound = make_sound(RATE);
        if (row->change.codec)
            options.codec = row->change.codec;
        if (row->change.audio_codec)
            options.audio_codec = row->change.audio_codec;
        if (row->change.pixel_format)
            options.pixel_format = row->change.pixel_format;
        if (row->change.preset)
            options.preset = row->change.preset;
        options.width = row->change.width ? row->change.width : WIDTH;
        options.height = row->change.height ? row->change.height : HEIGHT;
        options.crf = row->change.crf ? row->change.crf : 20;
        for (int by_check = 0; by_check < 2; by_check++) {
            heard_init(&heard);
            const bool ok = by_check ? sink_ffmpeg_check(&options, &heard.diag)
                                     : sink_ffmpeg.create(&options, &heard.diag) != NULL;
            if (ok || heard.diag.kind != row->kind || heard.diag.errors != 1 ||
                !strstr(heard.text, row->message))
                fail_msg("%s: %s", row->what, heard.text);
        }
        assert_int_equal(scratch_count(&scratch), 0);
        scratch_remove(&scratch);
    }
}

/* A limit on the size of files stands for the full disk, met at the header, in the midst, at the
 * end. */
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
        Heard heard;
        Arena *arena = arena_create();
        Bytes bytes;
        scratch_make(&whole);
        SinkOptions options = options_for(scratch_path(&whole, names[n]));
        options.sound = make_sound(RATE);
        (void)film_digest(&options);
        heard_init(&heard);
        assert_true(file_load(&bytes, whole.path, FILE_MAX_SIZE, arena, &heard.diag));
        const rlim_t limits[] = {1, 20, 1000, bytes.size / 2, bytes.size - 1};
        arena_destroy(arena);
        scratch_remove(&whole);

        for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
            Scratch scratch;
            scratch_make(&scratch);
            heard_init(&heard);
            options.file = scratch_path(&scratch, names[n]);
            limit.rlim_cur = limits[i];
            setrlimit(RLIMIT_FSIZE, &limit);
            const bool ok = make_film(&options, &heard.diag);
            limit.rlim_cur = before;
            setrlimit(RLIMIT_FSIZE, &limit);
            if (ok || heard.diag.kind != DIAG_IO || heard.diag.errors != 1 ||
                !strstr(heard.text, "File too large"))
                fail_msg("%s with room for %d bytes: %s", names[n], (int)limits[i],
                         ok ? "no error" : heard.text);
            assert_int_equal(scratch_count(&scratch), 0);
            scratch_remove(&scratch);
        }
    }
}

static void test_unfinished(void **state)
{
    (void)state;
    Scratch scratch;
    Heard heard;
    scratch_make(&scratch);
    heard_init(&heard);
    const SinkOptions options = options_for(scratch_path(&scratch, "a.mp4"));
    Sink *sink = sink_ffmpeg.create(&options, &heard.diag);
    const Image image = picture(0);
    assert_non_null(sink);
    assert_int_equal(scratch_count(&scratch), 1);
    assert_true(sink_ffmpeg.write(sink, &image, 5, &heard.diag));
    assert_false(sink_ffmpeg.write(sink, &image, 5, &heard.diag));
    assert_int_equal(heard.diag.kind, DIAG_INTERNAL);
    sink_ffmpeg.destroy(sink);
    assert_int_equal(scratch_count(&scratch), 0);

    heard_init(&heard);
    sink = sink_ffmpeg.create(&options, &heard.diag);
    assert_true(sink_ffmpeg.write(sink, &image, 0, &heard.diag));
    assert_false(sink_ffmpeg.finish(sink, &heard.diag));
    assert_int_equal(heard.diag.kind, DIAG_INCOMPLETE);
    sink_ffmpeg.destroy(sink);
    assert_int_equal(scratch_count(&scratch), 0);
    scratch_remove(&scratch);
}

/* A folder that cannot be made, since a file is in its place. */
static void test_no_folder(void **state)
{
    (void)state;
    Scratch scratch;
    Heard heard;
    scratch_make(&scratch);
    heard_init(&heard);
    assert_true(file_save(scratch_path(&scratch, "file"), "x", 1, &heard.diag));
    const SinkOptions options = options_for(scratch_path(&scratch, "file/a.mp4"));
    assert_null(sink_ffmpeg.create(&options, &heard.diag));
    assert_int_equal(heard.diag.kind, DIAG_CREATE);
    assert_int_equal(scratch_count(&scratch), 1);
    scratch_remove(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),      cmocka_unit_test(test_same_bytes),
        cmocka_unit_test(test_rates),      cmocka_unit_test(test_tags),
        cmocka_unit_test(test_key_frames), cmocka_unit_test(test_other_sounds),
        cmocka_unit_test(test_refused),    cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_unfinished), cmocka_unit_test(test_no_folder),
    };
    return cmocka_run_group_tests_name("sink_ffmpeg", tests, NULL, NULL);
}
