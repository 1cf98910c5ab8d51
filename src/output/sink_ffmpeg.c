// SPDX-License-Identifier: MIT
#include "output/sink.h"

#include <inttypes.h>

#include "base/arena.h"
#include "media/libav.h"
#include "output/codec.h"
#include "output/video_encoder.h"
#include "output/video_file.h"
#include "output/video_restore.h"
#include "output/video_segment.h"

/* image --VideoEncoder--> packets --VideoFile--> a film, or a segment of one: packets without
 * sound, in another container */
typedef struct FfmpegSink {
    SinkOptions film; /* for the encoder; those of the sink are for the file */
    VideoEncoder *encoder;
    VideoFile *file;
    AVPacket *packet;
    bool pack_alpha; /* see video_segment.h */
    int64_t last_frame;
} FfmpegSink;

static bool matches(const char *file, const char *format)
{
    return codec_container(file, format) != NULL;
}

/* The container's default codec decides: the codecs that the segment container does not support
 * have containers of their own. */
static bool matches_segments(const char *file, const char *format)
{
    const AVOutputFormat *container = codec_container(file, format);
    return container && avformat_query_codec(video_segment_container(), container->video_codec,
                                             FF_COMPLIANCE_NORMAL) == 1;
}

bool sink_ffmpeg_has_key(const SinkOptions *options, const char *key)
{
    CodecChoice choice;
    Diag silent = diag_quiet();
    if (!codec_choose(&choice, options, &silent))
        return true;
    return !strcmp(key, "crf")      ? codec_has_crf(choice.video)
           : !strcmp(key, "preset") ? codec_has_presets(choice.video)
                                    : true;
}

bool sink_ffmpeg_check(const SinkOptions *options, Diag *diag)
{
    CodecChoice choice;
    if (!codec_choose(&choice, options, diag))
        return false;
    if (options->contents.cover.data && !av_match_name(choice.container->name, "mp4,matroska"))
        return diag_fail(diag, DIAG_JOB, "'%s': a %s file cannot contain a cover (mp4, mkv)",
                         options->file, choice.container->name);
    return true;
}

bool sink_ffmpeg_can_stream(const char *file, const char *format)
{
    const AVOutputFormat *container = codec_container(file, format);
    return container && av_match_name(container->name, "nut,yuv4mpegpipe,rawvideo,matroska,webm,"
                                                       "mp4,mov,mpegts,ogg,ogv,flv,image2pipe");
}

static void close_sink(Sink *sink)
{
    FfmpegSink *s = sink->own;
    video_encoder_destroy(s->encoder);
    video_file_destroy(s->file);
    av_packet_free(&s->packet);
}

static bool out_of_memory(const FfmpegSink *sink, Diag *diag)
{
    return diag_fail(diag, DIAG_RESOURCE, "'%s': out of memory", sink->film.file);
}

/* container NULL: the one that the film's name selects */
static bool open_file(Sink *sink, const SinkOptions *film, const AVOutputFormat *container,
                      Diag *diag)
{
    FfmpegSink *s = sink->own = arena_array(sink->arena, FfmpegSink, 1);
    CodecChoice choice;

    s->film = *film;
    s->last_frame = INT64_MIN;
    av_log_set_level(AV_LOG_QUIET); /* errors are reported by their codes */
    s->packet = av_packet_alloc();
    if (!s->packet)
        return out_of_memory(s, diag);
    if (!codec_choose(&choice, film, diag))
        return false;
    s->encoder = video_encoder_create(&choice, &s->film, sink->arena, diag);
    if (!s->encoder)
        return false;
    if (container) {
        choice.container = container;
        s->pack_alpha = video_segment_has_side_alpha(video_encoder_codec(s->encoder));
    }
    s->file = video_file_create(&choice, video_encoder_codec(s->encoder), &sink->options, NULL,
                                sink->arena, diag);
    return s->file != NULL;
}

static bool open_film(Sink *sink, Diag *diag)
{
    return open_file(sink, &sink->options, NULL, diag);
}

/* The film selects the encoder's options; join adds sound and tags. */
static bool open_segment(Sink *sink, Diag *diag)
{
    SinkOptions film = sink->options;
    film.file = film.film_file;
    film.contents.sound = sink->options.contents.sound = (SinkSound){0};
    sink->options.contents.tag_count = sink->options.contents.chapter_count = 0;
    sink->options.contents.cover = (SinkCover){0};
    return open_file(sink, &film, video_segment_container(), diag);
}

/* Sends an image, or NULL at the end, and writes all available packets. */
static bool encode(const FfmpegSink *sink, const Image *image, Diag *diag)
{
    bool more = true;

    if (!video_encoder_send(sink->encoder, image, diag))
        return false;
    for (;;) {
        if (!video_encoder_read(sink->encoder, sink->packet, &more, diag))
            return false;
        if (!more)
            return true;
        if (sink->pack_alpha && !video_segment_pack_alpha(sink->packet))
            return out_of_memory(sink, diag);
        if (!video_file_write(sink->file, sink->packet, diag))
            return false;
    }
}

static bool write_image(Sink *sink, const Image *image, int64_t frame, Diag *diag)
{
    FfmpegSink *s = sink->own;
    if (frame <= s->last_frame)
        return diag_fail(diag, DIAG_INTERNAL, "'%s': frame %" PRId64 " was written after %" PRId64,
                         sink->options.file, frame, s->last_frame);
    if (!encode(s, image, diag))
        return false;
    s->last_frame = frame;
    return true;
}

static bool finish(Sink *sink, Diag *diag)
{
    const FfmpegSink *s = sink->own;
    return encode(s, NULL, diag) && video_file_commit(s->file, sink->written, diag);
}

static const SinkKind segment_kind = {.name = "segment",
                                      .ordered = true,
                                      .matches = matches,
                                      .open = open_segment,
                                      .write = write_image,
                                      .finish = finish,
                                      .close = close_sink};

static const SinkSegments segments = {.kind = &segment_kind,
                                      .extension = "nut",
                                      .inspect = video_segment_inspect,
                                      .join = video_segment_join,
                                      .restore = video_restore};

const SinkKind sink_ffmpeg = {.name = "video",
                              .ordered = true,
                              .matches = matches_segments,
                              .check = sink_ffmpeg_check,
                              .open = open_film,
                              .write = write_image,
                              .finish = finish,
                              .close = close_sink,
                              .segments = &segments};

const SinkKind sink_ffmpeg_unsegmented = {.name = "video",
                                          .ordered = true,
                                          .matches = matches,
                                          .check = sink_ffmpeg_check,
                                          .open = open_film,
                                          .write = write_image,
                                          .finish = finish,
                                          .close = close_sink};
