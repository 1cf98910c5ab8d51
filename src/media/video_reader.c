// SPDX-License-Identifier: MIT
#include "media/video_reader.h"

#include <inttypes.h>

#include "base/arena.h"
#include "media/media_stream.h"

typedef struct Extent { /* in ticks of the stream */
    bool any;
    int64_t first, end;
} Extent;

struct VideoReader {
    Arena *arena;
    MediaStream video;
    int sound; /* index of the audio stream, or -1 */
    bool drained;
    int64_t frames;
    Extent video_extent, sound_extent;
    struct SwsContext *scaler;
    Image image;
};

/* ---- packets ---- */

static void extend(Extent *extent, const AVPacket *packet)
{
    const int64_t start = packet->pts != AV_NOPTS_VALUE ? packet->pts : packet->dts; /* AVI */
    if (start == AV_NOPTS_VALUE)
        return;
    const int64_t end = start + (packet->duration > 0 ? packet->duration : 0);
    if (!extent->any || start < extent->first)
        extent->first = start;
    if (!extent->any || end > extent->end)
        extent->end = end;
    extent->any = true;
}

static bool report_damage(const VideoReader *r, Diag *diag)
{
    return media_file_check(&r->video.media, true, diag) &&
           diag_error(diag, "data after frame %" PRId64 " is damaged", r->frames);
}

/* Sends the next packet, or the end of the file, to the decoder. */
static bool feed(VideoReader *r, Diag *diag)
{
    int code;
    while ((code = av_read_frame(r->video.media.demuxer, r->video.packet)) >= 0) {
        const bool is_video = r->video.packet->stream_index == r->video.index;
        int sent = 0;
        if (is_video) {
            extend(&r->video_extent, r->video.packet);
            sent = r->video.packet->flags & AV_PKT_FLAG_CORRUPT
                       ? AVERROR_INVALIDDATA
                       : avcodec_send_packet(r->video.codec, r->video.packet);
        } else if (r->video.packet->stream_index == r->sound) {
            extend(&r->sound_extent, r->video.packet);
        }
        av_packet_unref(r->video.packet);
        if (sent < 0)
            return report_damage(r, diag);
        if (is_video)
            return true;
    }
    if (!media_file_check(&r->video.media, code != AVERROR_EOF, diag))
        return false;
    if (code != AVERROR_EOF)
        return diag_error(diag, "cannot read the file after frame %" PRId64, r->frames);
    r->drained = true;
    return avcodec_send_packet(r->video.codec, NULL) >= 0 || report_damage(r, diag);
}

bool video_reader_advance(bool *more, VideoReader *r, Diag *diag)
{
    for (;;) {
        const int code = avcodec_receive_frame(r->video.codec, r->video.frame);
        *more = code >= 0;
        if (code >= 0) {
            r->frames++;
            if (r->video.frame->decode_error_flags || r->video.frame->flags & AV_FRAME_FLAG_CORRUPT)
                return diag_error(diag, "frame %" PRId64 " is damaged", r->frames - 1);
            return true;
        }
        if (code == AVERROR_EOF)
            return true;
        if (code != AVERROR(EAGAIN))
            return media_file_check(&r->video.media, true, diag) &&
                   diag_error(diag, "frame %" PRId64 " is damaged", r->frames);
        if (!feed(r, diag))
            return false;
    }
}

/* ---- frames to images ---- */

bool video_reader_read(const Image **image, VideoReader *r, Diag *diag)
{
    bool more;
    *image = NULL;
    if (!video_reader_advance(&more, r, diag))
        return false;
    if (!more)
        return true;
    const AVFrame *f = r->video.frame;
    if (f->width > IMAGE_MAX_SIDE || f->height > IMAGE_MAX_SIDE)
        return diag_error(diag, "frames of %dx%d are too large (at most %d per side)", f->width,
                          f->height, IMAGE_MAX_SIDE);
    if (r->image.pixels && (f->width != r->image.width || f->height != r->image.height))
        return diag_error(diag, "frame %" PRId64 " has a different size than the frames before",
                          r->frames - 1);
    if (!r->image.pixels)
        r->image = (Image){f->width, f->height, false,
                           arena_calloc(r->arena, (size_t)f->width * (size_t)f->height, 4)};
    if (!media_stream_set_scaler(&r->scaler, f, f->width, f->height, diag))
        return false;
    uint8_t *const rows[] = {r->image.pixels};
    const int stride[] = {4 * f->width};
    sws_scale(r->scaler, (const uint8_t *const *)f->data, f->linesize, 0, f->height, rows, stride);
    for (size_t i = 0; i < (size_t)f->width * (size_t)f->height; i++)
        r->image.pixels[4 * i + 3] = 255;
    *image = &r->image;
    return true;
}

/* ---- opening ---- */

/* The first audio stream; av_find_best_stream would ignore those that it cannot decode. */
static int find_sound(const AVFormatContext *in)
{
    for (unsigned i = 0; i < in->nb_streams; i++)
        if (in->streams[i]->codecpar->codec_type == AVMEDIA_TYPE_AUDIO)
            return (int)i;
    return -1;
}

VideoReader *video_reader_open(const char *file, int threads, Diag *diag)
{
    Arena *arena = arena_create();
    VideoReader *r = arena_array(arena, VideoReader, 1);
    r->arena = arena;
    if (media_stream_open(&r->video, file, MEDIA_VIDEO_STRICT, threads, diag)) {
        r->sound = find_sound(r->video.media.demuxer);
        return r;
    }
    video_reader_close(r);
    return NULL;
}

void video_reader_close(VideoReader *reader)
{
    if (!reader)
        return;
    sws_freeContext(reader->scaler);
    media_stream_close(&reader->video);
    arena_destroy(reader->arena);
}

static double seconds(const VideoReader *r, int stream, Extent extent, double otherwise)
{
    const AVRational tick = r->video.media.demuxer->streams[stream]->time_base;
    return extent.any ? (double)(extent.end - extent.first) * av_q2d(tick) : otherwise;
}

/* The duration in the file header; 0 if libav computed it from the packets. */
static double declared_length(const VideoReader *r)
{
    const AVFormatContext *in = r->video.media.demuxer;
    return in->duration > 0 && in->duration_estimation_method == AVFMT_DURATION_FROM_STREAM
               ? (double)in->duration / AV_TIME_BASE
               : 0;
}

VideoInfo video_reader_info(const VideoReader *r)
{
    const AVStream *stream = r->video.media.demuxer->streams[r->video.index];
    const AVRational rate = stream->avg_frame_rate;
    return (VideoInfo){.width = stream->codecpar->width,
                       .height = stream->codecpar->height,
                       .fps = rate.num > 0 && rate.den > 0 ? av_q2d(rate) : 0,
                       .frames = r->frames,
                       .video_s = seconds(r, r->video.index, r->video_extent, 0),
                       .declared_s = declared_length(r),
                       .sound_s = r->sound < 0 ? -1 : seconds(r, r->sound, r->sound_extent, 0)};
}
