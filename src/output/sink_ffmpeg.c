#include "output/sink.h"

#include <inttypes.h>
#include <libavutil/avstring.h>
#include <libavutil/log.h>

#include "base/arena.h"
#include "output/codec.h"
#include "output/video_encoder.h"
#include "output/video_file.h"
#include "output/video_join.h"
#include "output/video_segment.h"

/* image --VideoEncoder--> packets --VideoFile--> a film, or a segment of one: packets without
 * sound, in another container */
struct Sink {
    Arena *arena;
    SinkOptions film; /* for the encoder */
    SinkOptions out;  /* for the file: the film or a segment */
    VideoEncoder *encoder;
    VideoFile *file;
    AVPacket *packet;
    bool pack_alpha; /* see video_segment.h */
    int64_t last_frame;
};

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
    return codec_choose(&choice, options, diag);
}

bool sink_ffmpeg_can_stream(const char *file, const char *format)
{
    const AVOutputFormat *container = codec_container(file, format);
    return container && av_match_name(container->name, "nut,yuv4mpegpipe,rawvideo,matroska,webm,"
                                                       "mp4,mov,mpegts,ogg,ogv,flv,image2pipe");
}

static void destroy(Sink *sink)
{
    if (!sink)
        return;
    video_encoder_destroy(sink->encoder);
    video_file_destroy(sink->file);
    av_packet_free(&sink->packet);
    arena_destroy(sink->arena);
}

static bool out_of_memory(const Sink *sink, Diag *diag)
{
    return diag_fail(diag, DIAG_RESOURCE, "'%s': out of memory", sink->film.file);
}

/* container NULL: the one that the film's name selects */
static bool open_sink(Sink *sink, const AVOutputFormat *container, Diag *diag)
{
    CodecChoice choice;

    av_log_set_level(AV_LOG_QUIET); /* errors are reported by their codes */
    sink->packet = av_packet_alloc();
    if (!sink->packet)
        return out_of_memory(sink, diag);
    if (!codec_choose(&choice, &sink->film, diag))
        return false;
    sink->encoder = video_encoder_create(&choice, &sink->film, sink->arena, diag);
    if (!sink->encoder)
        return false;
    if (container) {
        choice.container = container;
        sink->pack_alpha = video_segment_has_side_alpha(video_encoder_codec(sink->encoder));
    }
    sink->file = video_file_create(&choice, video_encoder_codec(sink->encoder), &sink->out, NULL,
                                   sink->arena, diag);
    return sink->file != NULL;
}

static Sink *create(const SinkOptions *film, const SinkOptions *out,
                    const AVOutputFormat *container, Diag *diag)
{
    Arena *arena = arena_create();
    Sink *sink = arena_alloc(arena, sizeof *sink);

    sink->arena = arena;
    sink->film = *film;
    sink->out = *out;
    sink->last_frame = INT64_MIN;
    if (open_sink(sink, container, diag))
        return sink;
    destroy(sink);
    return NULL;
}

static Sink *create_film(const SinkOptions *options, Diag *diag)
{
    return create(options, options, NULL, diag);
}

/* The film selects the encoder's options; join adds sound and tags. */
static Sink *create_segment(const SinkOptions *options, Diag *diag)
{
    SinkOptions film = *options, segment = *options;

    film.file = options->film_file;
    film.video.sound = segment.video.sound = (SinkSound){0};
    segment.video.tag_count = 0;
    return create(&film, &segment, video_segment_container(), diag);
}

/* Sends an image, or NULL at the end, and writes all available packets. */
static bool encode(Sink *sink, const Image *image, Diag *diag)
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
    if (!sink_check_image(&sink->out, image, diag))
        return false;
    if (frame <= sink->last_frame)
        return diag_fail(diag, DIAG_INTERNAL, "'%s': frame %" PRId64 " was written after %" PRId64,
                         sink->out.file, frame, sink->last_frame);
    if (!encode(sink, image, diag))
        return false;
    sink->last_frame = frame;
    return true;
}

static bool finish(Sink *sink, Diag *diag)
{
    const int64_t written = video_encoder_frame_count(sink->encoder);
    return sink_check_count(&sink->out, written, diag) && encode(sink, NULL, diag) &&
           video_file_commit(sink->file, written, diag);
}

static const SinkKind segment_kind = {.name = "segment",
                                      .ordered = true,
                                      .matches = matches,
                                      .create = create_segment,
                                      .write = write_image,
                                      .finish = finish,
                                      .destroy = destroy};

static const SinkSegments segments = {.kind = &segment_kind,
                                      .extension = "nut",
                                      .inspect = video_segment_inspect,
                                      .join = video_join};

const SinkKind sink_ffmpeg = {.name = "video",
                              .ordered = true,
                              .matches = matches_segments,
                              .check = sink_ffmpeg_check,
                              .create = create_film,
                              .write = write_image,
                              .finish = finish,
                              .destroy = destroy,
                              .segments = &segments};

const SinkKind sink_ffmpeg_unsegmented = {.name = "video",
                                          .ordered = true,
                                          .matches = matches,
                                          .check = sink_ffmpeg_check,
                                          .create = create_film,
                                          .write = write_image,
                                          .finish = finish,
                                          .destroy = destroy};
