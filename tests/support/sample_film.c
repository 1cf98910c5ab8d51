// SPDX-License-Identifier: MIT
#include "sample_film.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "film_reader.h"
#include "unit_test.h"

enum { CHIRP = 2400 };

/* Three areas of one color side by side; the third changes with the frame. */
static void color_of(uint8_t rgb[3], int field, int frame)
{
    static const uint8_t fields[2][3] = {{200, 40, 60}, {30, 90, 220}};
    if (field < 2)
        memcpy(rgb, fields[field], 3);
    else
        rgb[0] = rgb[1] = rgb[2] = (uint8_t)(40 + 8 * frame);
}

Image film_picture(int frame)
{
    static uint8_t pixels[FILM_HEIGHT][FILM_WIDTH][4];
    for (int y = 0; y < FILM_HEIGHT; y++)
        for (int x = 0; x < FILM_WIDTH; x++) {
            color_of(pixels[y][x], x * 3 / FILM_WIDTH, frame);
            pixels[y][x][3] = 255;
        }
    return (Image){FILM_WIDTH, FILM_HEIGHT, false, &pixels[0][0][0]};
}

/* A chirp of 500 to 6000 Hz in a cosine window, whose position can be found to the sample. */
static double chirp(int i)
{
    const double t = (double)i / CHIRP, pi = acos(-1.0);
    return 0.25 * (1.0 - cos(2.0 * pi * t)) *
           sin(2.0 * pi * (500.0 * t + 0.5 * 5500.0 * t * t) * CHIRP / FILM_RATE);
}

SinkSound film_sound(int rate)
{
    static float samples[FILM_FRAMES * FILM_RATE / FILM_FPS * 2];
    const size_t frames = (size_t)(FILM_FRAMES * rate / FILM_FPS);
    memset(samples, 0, sizeof samples);
    for (int i = 0; i < CHIRP; i++)
        samples[2 * (FILM_CHIRP_AT + i)] = samples[2 * (FILM_CHIRP_AT + i) + 1] = (float)chirp(i);
    return (SinkSound){samples, frames, 2, rate};
}

SinkOptions film_options(const char *file)
{
    return (SinkOptions){.file = file,
                         .width = FILM_WIDTH,
                         .height = FILM_HEIGHT,
                         .fps_num = FILM_FPS,
                         .fps_den = 1,
                         .frame_count = FILM_FRAMES,
                         .video.codec = "auto",
                         .video.preset = "ultrafast",
                         .video.crf = 4,
                         .video.pixel_format = "auto",
                         .video.audio_codec = "auto",
                         .threads = 1};
}

/* Writes options->frame_count frames from `first` on. */
static bool write_film(const SinkKind *kind, FilmPicture *picture, const SinkOptions *options,
                       int first, Diag *diag)
{
    Sink *sink = sink_create(kind, options, diag);
    bool ok = sink != NULL;
    for (int i = first; ok && i < first + (int)options->frame_count; i++) {
        const Image image = picture(i);
        ok = sink_write(sink, &image, i, diag);
    }
    ok = ok && sink_finish(sink, diag);
    sink_destroy(sink);
    return ok;
}

/* The kind that a film's name selects; that of videos for names that are tested to fail. */
static const SinkKind *kind_of(const SinkOptions *film)
{
    Diag silent = diag_quiet();
    const SinkKind *kind = sink_find(film->file, film->format, &silent);
    return sink_is_video(kind) ? kind : &sink_ffmpeg;
}

static bool write_piece(FilmPicture *picture, const SinkOptions *film, const char *piece, int first,
                        int count, Diag *diag)
{
    SinkOptions options = *film;
    options.file = piece;
    options.film_file = film->file;
    options.first_frame = first;
    options.frame_count = count;
    return write_film(kind_of(film)->segments->kind, picture, &options, first, diag);
}

bool film_make_of(FilmPicture *picture, const SinkOptions *options, int length, Diag *diag)
{
    enum { PIECES = 64 };
    static const volatile sig_atomic_t never;
    static char names[PIECES][4096];
    const char *pieces[PIECES];
    const int frames = (int)options->frame_count;
    size_t count = 0;
    bool ok = true;

    if (length == 0)
        return write_film(kind_of(options), picture, options, 0, diag);
    assert_true(frames <= PIECES * length);
    for (int first = 0; ok && first < frames; first += length, count++) {
        const int left = frames - first;
        snprintf(names[count], sizeof names[count], "%.4000s.%zu.nut", options->file, count);
        pieces[count] = names[count];
        ok =
            write_piece(picture, options, names[count], first, left < length ? left : length, diag);
    }
    ok = ok && kind_of(options)->segments->join(options, pieces, count, &never, diag);
    for (size_t i = 0; i < count; i++)
        remove(names[i]);
    return ok;
}

bool film_make(const SinkOptions *options, Diag *diag)
{
    return film_make_of(film_picture, options, 0, diag);
}

bool film_make_segment(const SinkOptions *film, const char *piece, int first, int count, Diag *diag)
{
    return write_piece(film_picture, film, piece, first, count, diag);
}

void film_check_picture(const char *what, const AVFrame *frame, int number, double tolerance)
{
    for (int field = 0; field < 3; field++) {
        uint8_t wanted[3];
        double rgb[4];
        color_of(wanted, field, number);
        film_reader_pixel(rgb, frame, (2 * field + 1) * FILM_WIDTH / 6, FILM_HEIGHT / 2);
        for (int c = 0; c < 3; c++)
            if (fabs(rgb[c] - wanted[c]) > tolerance)
                fail_msg("%s: frame %d, field %d, channel %d is %.2f instead of %d", what, number,
                         field, c, rgb[c], wanted[c]);
    }
}

static void take_samples(FilmTrack *track, const AVFrame *frame, AVRational base)
{
    if (track->count == 0)
        track->start = (double)frame->pts * av_q2d(base);
    track->rate = frame->sample_rate;
    track->channels = frame->ch_layout.nb_channels;
    const bool planar = frame->format == AV_SAMPLE_FMT_FLTP;
    assert_true(planar || frame->format == AV_SAMPLE_FMT_FLT);
    for (int i = 0; i < frame->nb_samples && track->count < 2 * FILM_RATE; i++)
        track->samples[track->count++] =
            ((const float *)(void *)frame->data[0])[planar ? i : i * track->channels];
}

void film_hear(FilmTrack *track, const char *path)
{
    AVFormatContext *in = NULL;
    const AVCodec *codec = NULL;
    AVPacket *packet = av_packet_alloc();
    AVFrame *frame = av_frame_alloc();

    *track = (FilmTrack){0};
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

/* Position of the chirp by correlation. */
long film_find_chirp(const FilmTrack *track)
{
    enum { SPAN = 3000 };
    double best = 0.0, wanted[CHIRP];
    long place = -1;
    for (int i = 0; i < CHIRP; i++)
        wanted[i] = chirp(i);
    for (long at = FILM_CHIRP_AT - SPAN; at <= FILM_CHIRP_AT + SPAN; at++) {
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
