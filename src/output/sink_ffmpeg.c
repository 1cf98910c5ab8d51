#include "output/sink.h"

#include <inttypes.h>
#include <libavformat/avformat.h>
#include <libavutil/avstring.h>
#include <libavutil/log.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "output/bleed.h"
#include "output/codec.h"
#include "output/sound_track.h"
#include "output/yuv.h"

enum { PATH_SIZE = 4096 };

/*
 * image --frame--> encoder --packets--> muxer --> temporary file --read back, renamed--> file
 * The sound's packets are asked for as the pictures pass.
 */
struct Sink {
    Arena *arena;
    SinkOptions options;
    CodecChoice choice;
    char temporary[PATH_SIZE]; /* "" when there is none on disk */
    AVCodecContext *encoder;
    AVFrame *frame;
    struct SwsContext *scaler; /* NULL where yuv.h does the work */
    Bleed *bleed;              /* NULL unless alpha goes through coarse or lossy colours */
    SoundTrack *track;         /* NULL without sound */
    bool sound_ended;
    int64_t sound_at; /* time of the last packet of sound, in the codec's time base */
    AVFormatContext *muxer;
    AVStream *video_stream, *sound_stream;
    AVPacket *packet;
    int64_t written, last_frame;
};

/* ---- errors ---------------------------------------------------------------------------------- */

static bool out_of_memory(const Sink *sink, Diag *diag)
{
    return diag_fail(diag, DIAG_RESOURCE, "'%s': out of memory for the encoder",
                     sink->options.file);
}

static bool fail_write(const Sink *sink, int code, Diag *diag)
{
    return diag_fail(diag, DIAG_IO, "cannot write '%s': %s", sink->options.file,
                     codec_error_text(code).text);
}

static bool fail_encode(const Sink *sink, int code, Diag *diag)
{
    return diag_fail(diag, code == AVERROR(ENOMEM) ? DIAG_RESOURCE : DIAG_INTERNAL,
                     "'%s': encoder '%s' fails at picture %" PRId64 ": %s", sink->options.file,
                     sink->choice.video->name, sink->written, codec_error_text(code).text);
}

/* ---- pictures to the encoder's pixels -------------------------------------------------------- */

static bool open_scaler(Sink *sink, Diag *diag)
{
    const AVCodecContext *c = sink->encoder;
    const AVPixFmtDescriptor *d = av_pix_fmt_desc_get(c->pix_fmt);
    const bool alpha = d->flags & AV_PIX_FMT_FLAG_ALPHA;

    if (c->pix_fmt == AV_PIX_FMT_YUV420P)
        return true;
    sink->scaler = sws_getContext(c->width, c->height, alpha ? AV_PIX_FMT_RGBA : AV_PIX_FMT_RGB0,
                                  c->width, c->height, c->pix_fmt,
                                  SWS_AREA | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT |
                                      SWS_FULL_CHR_H_INP | SWS_BITEXACT,
                                  NULL, NULL, NULL);
    if (alpha && !(d->flags & AV_PIX_FMT_FLAG_RGB))
        sink->bleed = bleed_create(c->width, c->height, sink->arena);
    if (!sink->scaler)
        return diag_fail(diag, DIAG_JOB, "'%s': pixel format %s cannot be made from R G B A",
                         sink->options.file, d->name);
    const int *const bt709 = sws_getCoefficients(SWS_CS_ITU709);
    /* The source is full range; the target is as tagged.  Fails, rightly, where both are RGB. */
    (void)sws_setColorspaceDetails(sink->scaler, bt709, 1, bt709,
                                   c->color_range == AVCOL_RANGE_JPEG, 0, 1 << 16, 1 << 16);
    return true;
}

static bool open_frame(Sink *sink, Diag *diag)
{
    const AVCodecContext *c = sink->encoder;
    AVFrame *frame = sink->frame = av_frame_alloc();

    if (!frame)
        return out_of_memory(sink, diag);
    frame->format = c->pix_fmt;
    frame->width = c->width;
    frame->height = c->height;
    frame->color_primaries = c->color_primaries;
    frame->color_trc = c->color_trc;
    frame->colorspace = c->colorspace;
    frame->color_range = c->color_range;
    frame->chroma_location = c->chroma_sample_location;
    return av_frame_get_buffer(frame, 0) >= 0 || out_of_memory(sink, diag);
}

static bool fill_frame(Sink *sink, const Image *image, Diag *diag)
{
    AVFrame *frame = sink->frame;

    if (av_frame_make_writable(frame) < 0)
        return out_of_memory(sink, diag);
    if (sink->scaler) {
        const uint8_t *const pixels[] = {sink->bleed ? bleed_fill(sink->bleed, image)
                                                     : image->pixels};
        const int stride[] = {4 * image->width};
        sws_scale(sink->scaler, pixels, stride, 0, image->height, frame->data, frame->linesize);
    } else {
        YuvPlanes planes;
        for (int i = 0; i < 3; i++) {
            planes.planes[i] = frame->data[i];
            planes.strides[i] = (size_t)frame->linesize[i];
        }
        yuv_from_image(&planes, image);
    }
    frame->pts = sink->written;
    return true;
}

/* ---- packets to the file --------------------------------------------------------------------- */

static bool mux(Sink *sink, AVStream *stream, AVRational time_base, Diag *diag)
{
    av_packet_rescale_ts(sink->packet, time_base, stream->time_base);
    sink->packet->stream_index = stream->index;
    const int code = av_interleaved_write_frame(sink->muxer, sink->packet);
    return code >= 0 || fail_write(sink, code, diag);
}

/*
 * Matroska says how long the priming of Opus is, and its time stamps count from where the priming
 * starts.  libavformat 5.1 writes the one and does not heed the other: the sound would come 6.5 ms
 * early.
 */
static int64_t priming(const Sink *sink)
{
    const AVCodecContext *c = sound_track_codec(sink->track);
    const bool counted = c->codec_id == AV_CODEC_ID_OPUS &&
                         av_match_name(sink->choice.container->name, "matroska,webm");
    return counted ? c->initial_padding : 0;
}

/* Muxes the sound up to a time in the video encoder's time base, or all that is left. */
static bool mux_sound(Sink *sink, int64_t until, Diag *diag)
{
    if (!sink->track)
        return true;
    const AVRational time_base = sound_track_codec(sink->track)->time_base;

    while (!sink->sound_ended &&
           (until == INT64_MAX ||
            av_compare_ts(sink->sound_at, time_base, until, sink->encoder->time_base) <= 0)) {
        bool more;
        if (!sound_track_read(sink->track, sink->packet, &more, diag))
            return false;
        sink->sound_ended = !more;
        if (!more)
            break;
        sink->sound_at = sink->packet->pts;
        sink->packet->pts += priming(sink);
        sink->packet->dts += priming(sink);
        if (!mux(sink, sink->sound_stream, time_base, diag))
            return false;
    }
    return true;
}

/* Sends a frame, or NULL for the end, and muxes all the packets that are ready. */
static bool encode(Sink *sink, const AVFrame *frame, Diag *diag)
{
    int code = avcodec_send_frame(sink->encoder, frame);
    if (code < 0)
        return fail_encode(sink, code, diag);
    for (;;) {
        code = avcodec_receive_packet(sink->encoder, sink->packet);
        if (code == AVERROR(EAGAIN) || code == AVERROR_EOF)
            return true;
        if (code < 0)
            return fail_encode(sink, code, diag);
        const int64_t pts = sink->packet->pts;
        sink->packet->duration = 1; /* not every encoder says so; the last picture needs it */
        if (!mux(sink, sink->video_stream, sink->encoder->time_base, diag) ||
            !mux_sound(sink, pts, diag))
            return false;
    }
}

/* ---- opening --------------------------------------------------------------------------------- */

static bool open_muxer(Sink *sink, Diag *diag)
{
    char url[PATH_SIZE + 8];

    if (!file_make_room(sink->options.file, diag))
        return false;
    if (!file_temporary_name(sink->temporary, sizeof sink->temporary, sink->options.file)) {
        sink->temporary[0] = '\0';
        return diag_fail(diag, DIAG_CREATE, "'%s': the path is too long", sink->options.file);
    }
    snprintf(url, sizeof url, "file:%s", sink->temporary);
    if (avformat_alloc_output_context2(&sink->muxer, sink->choice.container, NULL, url) < 0)
        return out_of_memory(sink, diag);
    sink->muxer->flags |= AVFMT_FLAG_BITEXACT; /* no dates, no versions, no random identifiers */

    const int code = avio_open(&sink->muxer->pb, url, AVIO_FLAG_WRITE);
    return code >= 0 ||
           diag_fail(diag, code == AVERROR(ENOSPC) ? DIAG_IO : DIAG_CREATE,
                     "cannot create '%s': %s", sink->options.file, codec_error_text(code).text);
}

static bool add_stream(AVStream **out, Sink *sink, const AVCodecContext *codec, Diag *diag)
{
    AVStream *stream = *out = avformat_new_stream(sink->muxer, NULL);

    if (!stream || avcodec_parameters_from_context(stream->codecpar, codec) < 0)
        return out_of_memory(sink, diag);
    stream->time_base = codec->time_base;
    return true;
}

static bool add_streams(Sink *sink, Diag *diag)
{
    if (!add_stream(&sink->video_stream, sink, sink->encoder, diag))
        return false;
    sink->video_stream->avg_frame_rate = sink->video_stream->r_frame_rate =
        sink->encoder->framerate;
    /* The tag that Apple's players know; libavformat's default is hev1. */
    if (sink->choice.video->id == AV_CODEC_ID_HEVC && sink->choice.container->codec_tag &&
        av_codec_get_id(sink->choice.container->codec_tag, MKTAG('h', 'v', 'c', '1')))
        sink->video_stream->codecpar->codec_tag = MKTAG('h', 'v', 'c', '1');
    return !sink->track ||
           add_stream(&sink->sound_stream, sink, sound_track_codec(sink->track), diag);
}

static bool write_header(Sink *sink, Diag *diag)
{
    const SinkOptions *options = &sink->options;
    const SinkTag *tags = options->tags;
    AVDictionary *muxing = NULL;

    for (size_t i = 0; i < options->tag_count; i++)
        if (av_dict_set(&sink->muxer->metadata, tags[i].key, tags[i].value, 0) < 0)
            return out_of_memory(sink, diag);
    av_dict_set(&muxing, "movflags", "+faststart", 0); /* mp4 and mov; others leave it alone */
    const int code = avformat_write_header(sink->muxer, &muxing);
    av_dict_free(&muxing);
    if (sink->muxer->pb->error < 0)
        return fail_write(sink, sink->muxer->pb->error, diag);
    return code >= 0 ||
           diag_fail(diag, DIAG_JOB, "'%s': a %s file cannot be made of %s%s%s: %s", options->file,
                     sink->choice.container->name, avcodec_get_name(sink->choice.video->id),
                     sink->choice.audio ? " and " : "",
                     sink->choice.audio ? avcodec_get_name(sink->choice.audio->id) : "",
                     codec_error_text(code).text);
}

static bool open_encoders(Sink *sink, Diag *diag)
{
    const bool global_header = sink->choice.container->flags & AVFMT_GLOBALHEADER;

    sink->packet = av_packet_alloc();
    if (!sink->packet)
        return out_of_memory(sink, diag);
    sink->encoder = codec_open_video(&sink->choice, &sink->options, diag);
    if (!sink->encoder || !open_scaler(sink, diag) || !open_frame(sink, diag))
        return false;
    if (!sink->choice.audio)
        return true;
    sink->track =
        sound_track_create(sink->choice.audio, &sink->options, global_header, sink->arena, diag);
    return sink->track != NULL;
}

/* ---- reading back ---------------------------------------------------------------------------- */

static bool count_pictures(AVFormatContext *in, AVPacket *packet, int64_t *count)
{
    *count = 0;
    if (avformat_find_stream_info(in, NULL) < 0)
        return false;
    const int stream = av_find_best_stream(in, AVMEDIA_TYPE_VIDEO, -1, -1, NULL, 0);
    if (stream < 0)
        return false;
    int code;
    while ((code = av_read_frame(in, packet)) >= 0) {
        *count += packet->stream_index == stream;
        av_packet_unref(packet);
    }
    return code == AVERROR_EOF;
}

/* Whether the file that was written opens as a container and holds all the pictures. */
static bool read_back(const Sink *sink, Diag *diag)
{
    char url[PATH_SIZE + 8];
    AVFormatContext *in = NULL;
    AVDictionary *options = NULL;
    int64_t count = 0;

    snprintf(url, sizeof url, "file:%s", sink->temporary);
    av_dict_set(&options, "protocol_whitelist", "file", 0);
    const bool opened = avformat_open_input(&in, url, NULL, &options) >= 0;
    const bool counted = opened && count_pictures(in, sink->packet, &count);
    avformat_close_input(&in);
    av_dict_free(&options);
    if (!counted)
        return diag_fail(diag, DIAG_IO, "'%s' cannot be read back", sink->options.file);
    return count == sink->written ||
           diag_fail(diag, DIAG_IO,
                     "'%s' holds %" PRId64 " pictures when read back instead of %" PRId64,
                     sink->options.file, count, sink->written);
}

/* ---- the sink -------------------------------------------------------------------------------- */

static bool matches(const char *file)
{
    return codec_container(file) != NULL;
}

bool sink_ffmpeg_check(const SinkOptions *options, Diag *diag)
{
    CodecChoice choice;
    return codec_choose(&choice, options, diag);
}

static void destroy(Sink *sink)
{
    if (!sink)
        return;
    avcodec_free_context(&sink->encoder);
    sound_track_destroy(sink->track);
    sws_freeContext(sink->scaler);
    av_frame_free(&sink->frame);
    av_packet_free(&sink->packet);
    if (sink->muxer)
        avio_closep(&sink->muxer->pb);
    avformat_free_context(sink->muxer);
    if (sink->temporary[0])
        unlink(sink->temporary);
    arena_destroy(sink->arena);
}

static Sink *create(const SinkOptions *options, Diag *diag)
{
    Arena *arena = arena_create();
    Sink *sink = arena_alloc(arena, sizeof *sink);

    sink->arena = arena;
    sink->options = *options;
    sink->last_frame = INT64_MIN;
    av_log_set_level(AV_LOG_QUIET); /* what matters comes back as an error code */
    if (codec_choose(&sink->choice, options, diag) && open_encoders(sink, diag) &&
        open_muxer(sink, diag) && add_streams(sink, diag) && write_header(sink, diag))
        return sink;
    destroy(sink);
    return NULL;
}

static bool write_picture(Sink *sink, const Image *image, int64_t frame, Diag *diag)
{
    if (!sink_takes(&sink->options, image, diag))
        return false;
    if (frame <= sink->last_frame)
        return diag_fail(diag, DIAG_INTERNAL, "'%s': picture %" PRId64 " came after %" PRId64,
                         sink->options.file, frame, sink->last_frame);
    if (!fill_frame(sink, image, diag) || !encode(sink, sink->frame, diag))
        return false;
    sink->last_frame = frame;
    sink->written++;
    return true;
}

/* The muxer's last bytes may meet a full disk too: flush and close are looked at. */
static bool close_muxer(Sink *sink, Diag *diag)
{
    int code = av_write_trailer(sink->muxer);

    avio_flush(sink->muxer->pb);
    if (code >= 0)
        code = sink->muxer->pb->error;
    const int closed = avio_closep(&sink->muxer->pb);
    if (code >= 0)
        code = closed;
    return code >= 0 || fail_write(sink, code, diag);
}

static bool finish(Sink *sink, Diag *diag)
{
    if (!sink_is_complete(&sink->options, sink->written, diag) || !encode(sink, NULL, diag) ||
        !mux_sound(sink, INT64_MAX, diag) || !close_muxer(sink, diag) || !read_back(sink, diag) ||
        !file_rename_synced(sink->temporary, sink->options.file, diag))
        return false;
    sink->temporary[0] = '\0';
    return true;
}

const SinkKind sink_ffmpeg = {.name = "video",
                              .ordered = true,
                              .matches = matches,
                              .create = create,
                              .write = write_picture,
                              .finish = finish,
                              .destroy = destroy};
