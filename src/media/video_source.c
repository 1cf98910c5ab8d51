// SPDX-License-Identifier: MIT
#include "media/video_source.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "media/libav.h"
#include "media/media_stream.h"

enum {
    SEEK_AHEAD_S = 5
}; /* from this distance on, seek to a key frame instead of decoding all frames between */

struct VideoSource {
    Arena *arena;
    VideoSourceSpec spec;
    MediaStream video;
    AVFrame *shown, *next; /* next: the one after it, or without data */
    bool at_start;         /* decoding started with the first packet of the file */
    bool drained;
    bool failed;           /* libav reported an error since video_source_read began */
    int64_t first, length; /* ticks: time of the first frame, duration of the video */
    struct SwsContext *scaler;
    Image image;
    int64_t image_time; /* time of the frame in `image` */
};

/* ---- opening ---- */

static bool open_file(VideoSource *source, Diag *diag)
{
    source->at_start = true;
    source->drained = false;
    return media_stream_open(&source->video, source->spec.file, MEDIA_VIDEO, 1, diag);
}

static AVRational tick(const VideoSource *source)
{
    return source->video.media.demuxer->streams[source->video.index]->time_base;
}

/* ---- decoding ---- */

/* Decodes the next frame that has a time; false at the end.  Skips damaged packets. */
static bool decode(VideoSource *source, AVFrame *frame)
{
    for (;;) {
        const int code = avcodec_receive_frame(source->video.codec, frame);
        if (code >= 0) {
            if (frame->best_effort_timestamp != AV_NOPTS_VALUE)
                return true;
            av_frame_unref(frame);
            continue;
        }
        source->failed |= code != AVERROR(EAGAIN) && code != AVERROR_EOF;
        if (code == AVERROR_EOF || source->drained)
            return false;
        int read;
        while ((read = av_read_frame(source->video.media.demuxer, source->video.packet)) >= 0) {
            const bool is_video = source->video.packet->stream_index == source->video.index;
            if (is_video)
                source->failed |=
                    avcodec_send_packet(source->video.codec, source->video.packet) < 0;
            av_packet_unref(source->video.packet);
            if (is_video)
                goto fed;
        }
        source->failed |= read != AVERROR_EOF;
        source->failed |= avcodec_send_packet(source->video.codec, NULL) < 0;
        source->drained = true;
    fed:;
    }
}

static int64_t frame_time(const AVFrame *frame)
{
    return frame->best_effort_timestamp;
}

static bool has_data(const AVFrame *frame)
{
    return frame->buf[0] != NULL;
}

/* Reopens the file, so that its first frame is decoded next. */
static bool rewind_file(VideoSource *source, Diag *diag)
{
    av_frame_unref(source->shown);
    av_frame_unref(source->next);
    media_stream_close(&source->video);
    return open_file(source, diag);
}

/* Seeks to a key frame before a time; false if the file has no index. */
static bool seek(VideoSource *source, int64_t time)
{
    AVFormatContext *in = source->video.media.demuxer;
    const char *kind = in->iformat->name;

    if (strncmp(kind, "mov,", 4) != 0 && strncmp(kind, "matroska,", 9) != 0)
        return false;
    if (av_seek_frame(in, source->video.index, time, AVSEEK_FLAG_BACKWARD) < 0)
        return false;
    avcodec_flush_buffers(source->video.codec);
    av_frame_unref(source->shown);
    av_frame_unref(source->next);
    source->at_start = false;
    source->drained = false;
    return true;
}

/* Decodes until `shown` is the last frame that is not later than `time`. */
static void decode_until(VideoSource *source, int64_t time)
{
    if (!has_data(source->shown) && !decode(source, source->shown))
        return;
    while (has_data(source->next) || decode(source, source->next)) {
        if (frame_time(source->next) > time)
            return;
        av_frame_unref(source->shown);
        av_frame_move_ref(source->shown, source->next);
    }
}

static bool find_frame(VideoSource *source, int64_t time, Diag *diag)
{
    const int64_t far = av_rescale_q(SEEK_AHEAD_S, (AVRational){1, 1}, tick(source));
    const bool back = has_data(source->shown) && frame_time(source->shown) > time;

    if (back || (has_data(source->shown) && time - frame_time(source->shown) > far))
        if (!seek(source, time) && back && !rewind_file(source, diag))
            return false;
    decode_until(source, time);
    /* If the index is wrong, the frame found is too late, or there is none. */
    if (!source->at_start && (!has_data(source->shown) || frame_time(source->shown) > time)) {
        if (!rewind_file(source, diag))
            return false;
        decode_until(source, time);
    }
    if (!media_file_check(&source->video.media, source->failed || !has_data(source->shown), diag))
        return false;
    return has_data(source->shown) || diag_error(diag, "no frame of the video can be decoded");
}

/* ---- duration ---- */

/* Time from the first frame to the end of the last, from packet times only. */
static int64_t measure_length(VideoSource *source)
{
    const AVStream *stream = source->video.media.demuxer->streams[source->video.index];
    const AVRational rate = stream->avg_frame_rate;
    const int64_t usual =
        rate.num > 0 && rate.den > 0 ? av_rescale_q(1, av_inv_q(rate), stream->time_base) : 1;
    int64_t end = source->first;
    int code;

    while ((code = av_read_frame(source->video.media.demuxer, source->video.packet)) >= 0) {
        const AVPacket *p = source->video.packet;
        if (p->stream_index == source->video.index && p->pts != AV_NOPTS_VALUE) {
            const int64_t after = p->pts + (p->duration > 0 ? p->duration : usual);
            end = after > end ? after : end;
        }
        av_packet_unref(source->video.packet);
    }
    source->failed |= code != AVERROR_EOF;
    return end > source->first ? end - source->first : 1;
}

/* ---- frames to images ---- */

typedef struct Placement {
    int width, height; /* scaled to */
    int left, top;     /* position of the scaled frame in the image; negative if cropped */
} Placement;

static int round_at_least_1(double value)
{
    return value < 1.0 ? 1 : (int)lround(value);
}

static Placement compute_placement(const VideoSource *source, const AVFrame *frame)
{
    const VideoSourceSpec *spec = &source->spec;
    const AVRational aspect = frame->sample_aspect_ratio;
    const double pixel_aspect = aspect.num > 0 && aspect.den > 0 ? av_q2d(aspect) : 1.0;
    const double x = spec->width / (frame->width * pixel_aspect),
                 y = (double)spec->height / frame->height;
    const double scale = (spec->fit == IMAGE_COVER) == (x > y) ? x : y;
    Placement placement = {spec->width, spec->height, 0, 0};

    if (spec->fit != IMAGE_STRETCH) {
        placement.width = round_at_least_1(frame->width * pixel_aspect * scale);
        placement.height = round_at_least_1(frame->height * scale);
        placement.left = (spec->width - placement.width) / 2;
        placement.top = (spec->height - placement.height) / 2;
    }
    return placement;
}

/* Copies the visible part of the scaled frame; the rest of the image becomes transparent. */
static void blit(Image *image, const AVFrame *scaled, const Placement *placement)
{
    for (int y = 0; y < image->height; y++) {
        uint8_t *to = image->pixels + 4 * (size_t)y * (size_t)image->width;
        const int from_y = y - placement->top;

        for (int x = 0; x < image->width; x++, to += 4) {
            const int from_x = x - placement->left;
            const bool inside = from_x >= 0 && from_x < placement->width && from_y >= 0 &&
                                from_y < placement->height;
            const uint8_t *from = scaled->data[0];

            memset(to, 0, 4);
            if (!inside)
                continue;
            from += (ptrdiff_t)from_y * scaled->linesize[0] + 4 * (ptrdiff_t)from_x;
            memcpy(to, from, 3);
            to[3] = 255;
        }
    }
}

static bool make_image(VideoSource *source, const AVFrame *frame, Diag *diag)
{
    const Placement placement = compute_placement(source, frame);

    if (placement.width > IMAGE_MAX_SIDE || placement.height > IMAGE_MAX_SIDE)
        return diag_error(diag, "video of %dx%d cannot be scaled to %dx%d", frame->width,
                          frame->height, source->spec.width, source->spec.height);
    if (!media_stream_set_scaler(&source->scaler, frame, placement.width, placement.height, diag))
        return false;
    AVFrame *scaled = av_frame_alloc();
    bool ok = scaled != NULL;
    if (ok) {
        scaled->format = AV_PIX_FMT_RGB0;
        scaled->width = placement.width;
        scaled->height = placement.height;
        ok = av_frame_get_buffer(scaled, 0) >= 0;
    }
    if (ok) {
        sws_scale(source->scaler, (const uint8_t *const *)frame->data, frame->linesize, 0,
                  frame->height, scaled->data, scaled->linesize);
        blit(&source->image, scaled, &placement);
        source->image.has_alpha =
            placement.width < source->spec.width || placement.height < source->spec.height;
    }
    av_frame_free(&scaled);
    return ok || diag_fail(diag, DIAG_RESOURCE, "out of memory for a video frame");
}

/* ---- public functions ---- */

static bool init(VideoSource *source, Diag *diag)
{
    source->shown = av_frame_alloc();
    source->next = av_frame_alloc();
    if (!source->shown || !source->next)
        return diag_fail(diag, DIAG_RESOURCE, "out of memory for the decoder");
    if (!open_file(source, diag))
        return false;
    if (!decode(source, source->shown))
        return media_file_check(&source->video.media, true, diag) &&
               diag_error(diag, "no frame of the video can be decoded");
    source->first = frame_time(source->shown);
    if (!source->spec.loop)
        return true;
    source->length = measure_length(source);
    return media_file_check(&source->video.media, source->failed, diag) &&
           rewind_file(source, diag);
}

VideoSource *video_source_open(const VideoSourceSpec *spec, Diag *diag)
{
    Arena *arena = arena_create();
    VideoSource *source = arena_array(arena, VideoSource, 1);
    const size_t bytes = 4 * (size_t)spec->width * (size_t)spec->height;

    *source =
        (VideoSource){.arena = arena, .spec = *spec, .video.media.fd = -1, .image_time = INT64_MIN};
    source->image = (Image){spec->width, spec->height, false, arena_array(arena, uint8_t, bytes)};
    if (init(source, diag))
        return source;
    video_source_close(source);
    return NULL;
}

void video_source_close(VideoSource *source)
{
    if (!source)
        return;
    av_frame_free(&source->shown);
    av_frame_free(&source->next);
    sws_freeContext(source->scaler);
    media_stream_close(&source->video);
    arena_destroy(source->arena);
}

bool video_source_read(const Image **image, VideoSource *source, double time_s, Diag *diag)
{
    const double ticks = round(time_s / av_q2d(tick(source)));
    int64_t time = fabs(ticks) < 0x1p60 ? (int64_t)ticks : 0;

    if (source->spec.loop)
        time = (time % source->length + source->length) % source->length;
    diag_file(diag, source->spec.file);
    errno = 0; /* media_file_check tests it */
    source->failed = false;
    if (!find_frame(source, source->first + (time > 0 ? time : 0), diag))
        return false;
    if (frame_time(source->shown) != source->image_time) {
        if (!make_image(source, source->shown, diag))
            return false;
        source->image_time = frame_time(source->shown);
    }
    diag_file(diag, NULL);
    *image = &source->image;
    return true;
}
