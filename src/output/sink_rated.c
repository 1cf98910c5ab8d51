// SPDX-License-Identifier: MIT
/* Videos with a mean or largest bit rate, or a largest size: the bits are distributed over the
 * whole film, so that it is encoded when it is joined, from segments without loss (README.md 2). */
#include "output/sink.h"

#include <math.h>
#include <string.h>

#include "output/codec.h"
#include "output/lossless_segment.h"
#include "output/sound_track.h"
#include "output/video_encoder.h"
#include "output/video_segment.h"

static bool has_rate(const VideoOptions *video)
{
    return video->bitrate_kbps || video->max_kbps || video->size_mb > 0;
}

/* Whether the quality is searched for that gives a size. */
static bool is_searched(const VideoOptions *video)
{
    return video->size_mb > 0 || video->two_pass;
}

const SinkKind *sink_with_rate(const SinkKind *kind, const SinkOptions *options, Diag *diag)
{
    if (!has_rate(&options->video) || !sink_is_video(kind))
        return kind;
    if (kind == &sink_ffmpeg && options->alpha)
        diag_fail(diag, DIAG_JOB,
                  "'%s': a bit rate or a largest size cannot be combined with alpha; use crf",
                  options->file);
    else if (kind == &sink_ffmpeg)
        return &sink_rated;
    else if (kind == &sink_ffmpeg_unsegmented && !is_searched(&options->video))
        return kind;
    else
        diag_fail(diag, DIAG_JOB, "'%s': %s", options->file,
                  kind == &sink_gif ? "a GIF has no bit rate; make it smaller, or use .mp4"
                                    : "a stream is encoded once; two_pass and size_mb need a file");
    return NULL;
}

static bool matches(const char *file, const char *format)
{
    (void)file;
    (void)format;
    return false; /* sink_with_rate selects it */
}

/* ---- the size of the video at a quality ---- */

typedef struct Measure {
    VideoEncoder *encoder;
    AVPacket *packet;
    double bytes;
} Measure;

static bool count_packets(Measure *measure, const Image *image, Diag *diag)
{
    bool more = true;
    if (!video_encoder_send(measure->encoder, image, diag))
        return false;
    while (more) {
        if (!video_encoder_read(measure->encoder, measure->packet, &more, diag))
            return false;
        measure->bytes += more ? measure->packet->size : 0;
        av_packet_unref(measure->packet);
    }
    return true;
}

/* LosslessHandler */
static bool measure_image(void *user, const Image *image, int64_t index, Diag *diag)
{
    (void)index;
    return count_packets(user, image, diag);
}

static bool measure_video(double *bytes, const LosslessFilm *film, const SinkOptions *options,
                          Diag *diag)
{
    Arena *arena = arena_create();
    CodecChoice choice;
    Measure measure = {.packet = av_packet_alloc()};
    if (!measure.packet)
        codec_out_of_memory(options->file, diag);
    else if (codec_choose(&choice, options, diag))
        measure.encoder = video_encoder_create(&choice, options, arena, diag);
    const bool good = measure.encoder &&
                      lossless_segment_each(film, measure_image, &measure, diag) &&
                      count_packets(&measure, NULL, diag);
    *bytes = measure.bytes;
    video_encoder_destroy(measure.encoder);
    av_packet_free(&measure.packet);
    arena_destroy(arena);
    return good;
}

/* What the container adds to a packet, and to a file: more than those that were measured, 8 to 20
 * bytes a packet and 2 kB. */
enum { PACKET_BYTES = 24, FILE_BYTES = 4096 };

static bool measure_sound(double *bytes, const SinkOptions *options, Diag *diag)
{
    Arena *arena = arena_create();
    AVPacket *packet = av_packet_alloc();
    SinkOptions own = *options;
    own.contents.sound_track = NULL;
    SoundTrack *track =
        packet && own.contents.sound.frames ? sound_track_open(&own, arena, diag) : NULL;
    bool good = packet || codec_out_of_memory(options->file, diag), more = track != NULL;
    *bytes = 0;
    while (good && more) {
        good = sound_track_read(track, packet, &more, diag);
        *bytes += good && more ? packet->size + PACKET_BYTES : 0;
        if (packet)
            av_packet_unref(packet);
    }
    sound_track_destroy(track);
    av_packet_free(&packet);
    arena_destroy(arena);
    return good && !diag->errors;
}

/* ---- the quality for a size ---- */

/* Bytes that the packets of the video may have. */
static bool find_budget(double *bytes, const SinkOptions *options, Diag *diag)
{
    const VideoOptions *video = &options->video;
    const double frames = (double)options->frame_count;
    double sound = 0;
    *bytes = video->bitrate_kbps * 125.0 * frames * options->fps_den / options->fps_num;
    if (video->size_mb <= 0)
        return true;
    if (!measure_sound(&sound, options, diag))
        return false;
    *bytes = video->size_mb * 1e6 - sound - frames * PACKET_BYTES - FILE_BYTES -
             (double)options->contents.cover.size;
    return *bytes > 0 || diag_fail(diag, DIAG_JOB,
                                   "'%s': its sound alone is larger than %g MB; "
                                   "lower audio_kbps",
                                   options->file, video->size_mb);
}

/*
 * Sets options->crf_offset to the best quality whose size is within the budget, at most 7
 * encodings.  The logarithm of the size falls nearly linearly with crf, and halves every 6.
 * size_mb limits the size only: a film that is small enough keeps its crf.
 */
static bool find_quality(SinkOptions *options, const LosslessFilm *film, Diag *diag)
{
    enum { TRIES = 7 };
    const double enough = 0.94, aim = 0.975; /* parts of the budget */
    const bool is_limit = options->video.size_mb > 0;
    double budget, bytes, offset = 0, low = NAN, low_size = 0, high = NAN, high_size = 0;
    if (!find_budget(&budget, options, diag))
        return false;
    for (int i = 0; i < TRIES; i++) {
        options->crf_offset = offset;
        if (!measure_video(&bytes, film, options, diag))
            return false;
        const double size = log2(bytes / (aim * budget));
        if (bytes <= budget && (bytes >= enough * budget || (is_limit && offset <= 0)))
            return true;
        if (bytes > budget) {
            low = offset;
            low_size = size;
        } else {
            high = offset;
            high_size = size;
        }
        if (!isnan(low) && !isnan(high))
            offset = low + (high - low) * fmin(fmax(low_size / (low_size - high_size), 0.1), 0.9);
        else
            offset += 6 * size + (size > 0 ? 0.5 : -0.5);
        offset = fmin(fmax(offset, -CODEC_CRF_MAX), CODEC_CRF_MAX);
        if ((!isnan(low) && offset <= low) || (!isnan(high) && offset >= high))
            break; /* the end of the range */
    }
    options->crf_offset = high;
    return !isnan(high) ||
           diag_fail(diag, DIAG_JOB,
                     "'%s': %.3g MB at the lowest quality, more than %.3g MB; make the film "
                     "smaller, slower or shorter",
                     options->file, bytes / 1e6, budget / 1e6);
}

/* ---- joining ---- */

/* LosslessHandler; user: the sink of the film */
static bool write_frame(void *user, const Image *image, int64_t index, Diag *diag)
{
    return sink_write(user, image, index, diag);
}

static bool join(const SinkOptions *given, const char *const *segments, size_t count,
                 const volatile sig_atomic_t *stop, Diag *diag)
{
    SinkOptions options = *given;
    const LosslessFilm film = {&options, segments, count, stop};
    options.pixels = PIXEL_RGBA8;
    options.first_frame = 0;
    if (is_searched(&options.video) && !find_quality(&options, &film, diag))
        return false;
    Sink *sink = sink_create(&sink_ffmpeg, &options, diag);
    const bool good =
        sink && lossless_segment_each(&film, write_frame, sink, diag) && sink_finish(sink, diag);
    sink_destroy(sink);
    return good;
}

static bool check(const SinkOptions *options, Diag *diag)
{
    CodecChoice choice;
    if (!sink_ffmpeg_check(options, diag) || !codec_choose(&choice, options, diag))
        return false;
    return !is_searched(&options->video) || codec_has_crf(choice.video) ||
           diag_fail(diag, DIAG_JOB,
                     "'%s': two_pass and size_mb need a codec with crf, such as h264, h265, vp9 or "
                     "av1",
                     options->file);
}

static const SinkSegments segments = {
    .kind = &lossless_segment, .extension = "nut", .inspect = video_segment_inspect, .join = join};

/* A film without segments is written by sink_ffmpeg (demo, previews): it has no rate. */
const SinkKind sink_rated = {
    .name = "video", .ordered = true, .matches = matches, .check = check, .segments = &segments};
