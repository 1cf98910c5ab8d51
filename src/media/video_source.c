#include "media/video_source.h"

#include <errno.h>
#include <inttypes.h>
#include <libavcodec/avcodec.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "media/video_stream.h"

enum { JUMP_S = 5 }; /* a moment so far ahead is looked for by a key frame, not by decoding on */

struct VideoSource {
    Arena *arena;
    VideoSourceSpec spec;
    VideoStream video;
    AVPacket *packet;
    AVFrame *shown, *next; /* next: the one after it, if decoded; without data: none */
    bool at_start;         /* decoding began with the file's first packet */
    bool drained;
    int64_t first, length; /* of the stream's ticks: the first picture's time, all pictures' time */
    struct SwsContext *scaler;
    Image image;
    int64_t imaged; /* time of the picture that `image` has */
};

/* ---- opening
 * -------------------------------------------------------------------------------------- */

static bool open_file(VideoSource *clip, Diag *diag)
{
    clip->at_start = true;
    clip->drained = false;
    if (!video_stream_open(&clip->video, clip->spec.file, 1, false, diag))
        return false;
    AVFormatContext *in = clip->video.media.demuxer;
    for (unsigned i = 0; i < in->nb_streams; i++)
        if ((int)i != clip->video.index)
            in->streams[i]->discard = AVDISCARD_ALL;
    return true;
}

static AVRational tick(const VideoSource *clip)
{
    return clip->video.media.demuxer->streams[clip->video.index]->time_base;
}

/* ---- decoding
 * ------------------------------------------------------------------------------------- */

/* The next picture with a time; false at the end.  Damaged packets are passed over. */
static bool decode(VideoSource *clip, AVFrame *frame)
{
    for (;;) {
        const int code = avcodec_receive_frame(clip->video.codec, frame);
        if (code >= 0) {
            if (frame->best_effort_timestamp != AV_NOPTS_VALUE)
                return true;
            av_frame_unref(frame);
            continue;
        }
        if (code == AVERROR_EOF || clip->drained)
            return false;
        while (av_read_frame(clip->video.media.demuxer, clip->packet) >= 0) {
            const bool ours = clip->packet->stream_index == clip->video.index;
            if (ours)
                (void)avcodec_send_packet(clip->video.codec, clip->packet);
            av_packet_unref(clip->packet);
            if (ours)
                goto fed;
        }
        (void)avcodec_send_packet(clip->video.codec, NULL);
        clip->drained = true;
    fed:;
    }
}

static int64_t time_of(const AVFrame *frame)
{
    return frame->best_effort_timestamp;
}

static bool has(const AVFrame *frame)
{
    return frame->buf[0] != NULL;
}

/* Nothing is decoded yet, and what comes next is the file's first picture. */
static bool rewind_file(VideoSource *clip, Diag *diag)
{
    av_frame_unref(clip->shown);
    av_frame_unref(clip->next);
    video_stream_close(&clip->video);
    return open_file(clip, diag);
}

/* Seeks to a key frame before a moment where the file has an index.  False: it has none. */
static bool jump(VideoSource *clip, int64_t moment)
{
    AVFormatContext *in = clip->video.media.demuxer;
    const char *kind = in->iformat->name;

    if (strncmp(kind, "mov,", 4) != 0 && strncmp(kind, "matroska,", 9) != 0)
        return false;
    if (av_seek_frame(in, clip->video.index, moment, AVSEEK_FLAG_BACKWARD) < 0)
        return false;
    avcodec_flush_buffers(clip->video.codec);
    av_frame_unref(clip->shown);
    av_frame_unref(clip->next);
    clip->at_start = false;
    clip->drained = false;
    return true;
}

/* Decodes until `shown` is the last picture that is not later than the moment. */
static void play_to(VideoSource *clip, int64_t moment)
{
    if (!has(clip->shown) && !decode(clip, clip->shown))
        return;
    while (has(clip->next) || decode(clip, clip->next)) {
        if (time_of(clip->next) > moment)
            return;
        av_frame_unref(clip->shown);
        av_frame_move_ref(clip->shown, clip->next);
    }
}

static bool find_picture(VideoSource *clip, int64_t moment, Diag *diag)
{
    const int64_t far = av_rescale_q(JUMP_S, (AVRational){1, 1}, tick(clip));
    const bool back = has(clip->shown) && time_of(clip->shown) > moment;

    if (back || (has(clip->shown) && moment - time_of(clip->shown) > far))
        if (!jump(clip, moment) && back && !rewind_file(clip, diag))
            return false;
    play_to(clip, moment);
    /* The index may lie: then what was found is too late, or nothing. */
    if (!clip->at_start && (!has(clip->shown) || time_of(clip->shown) > moment)) {
        if (!rewind_file(clip, diag))
            return false;
        play_to(clip, moment);
    }
    if (!media_is_well(&clip->video.media, diag))
        return false;
    return has(clip->shown) || diag_error(diag, "no picture of the video can be decoded");
}

/* ---- how long it is
 * ------------------------------------------------------------------------------- */

/* Time from the first picture to the end of the last, by the packets alone. */
static int64_t measure(VideoSource *clip)
{
    const AVStream *stream = clip->video.media.demuxer->streams[clip->video.index];
    const AVRational rate = stream->avg_frame_rate;
    const int64_t usual =
        rate.num > 0 && rate.den > 0 ? av_rescale_q(1, av_inv_q(rate), stream->time_base) : 1;
    int64_t end = clip->first;

    while (av_read_frame(clip->video.media.demuxer, clip->packet) >= 0) {
        const AVPacket *p = clip->packet;
        if (p->stream_index == clip->video.index && p->pts != AV_NOPTS_VALUE) {
            const int64_t after = p->pts + (p->duration > 0 ? p->duration : usual);
            end = after > end ? after : end;
        }
        av_packet_unref(clip->packet);
    }
    return end > clip->first ? end - clip->first : 1;
}

/* ---- pictures
 * ------------------------------------------------------------------------------------- */

typedef struct Place {
    int width, height; /* scaled to */
    int left, top;     /* of the scaled picture in the frame; negative: cut off */
} Place;

static int at_least_1(double value)
{
    return value < 1.0 ? 1 : (int)lround(value);
}

static Place place_of(const VideoSource *clip, const AVFrame *frame)
{
    const VideoSourceSpec *spec = &clip->spec;
    const AVRational aspect = frame->sample_aspect_ratio;
    const double wide = aspect.num > 0 && aspect.den > 0 ? av_q2d(aspect) : 1.0;
    const double x = spec->width / (frame->width * wide), y = (double)spec->height / frame->height;
    const double scale = (spec->fit == IMAGE_COVER) == (x > y) ? x : y;
    Place place = {spec->width, spec->height, 0, 0};

    if (spec->fit != IMAGE_STRETCH) {
        place.width = at_least_1(frame->width * wide * scale);
        place.height = at_least_1(frame->height * scale);
        place.left = (spec->width - place.width) / 2;
        place.top = (spec->height - place.height) / 2;
    }
    return place;
}

static bool prepare_scaler(VideoSource *clip, const AVFrame *frame, const Place *place, Diag *diag)
{
    clip->scaler = sws_getCachedContext(
        clip->scaler, frame->width, frame->height, frame->format, place->width, place->height,
        AV_PIX_FMT_RGB0, SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_BITEXACT, NULL,
        NULL, NULL);
    if (!clip->scaler)
        return diag_error(diag, "pictures of %dx%d, %s, cannot be turned into R G B", frame->width,
                          frame->height, av_get_pix_fmt_name(frame->format));
    (void)sws_setColorspaceDetails(clip->scaler, sws_getCoefficients(video_stream_matrix(frame)),
                                   frame->color_range == AVCOL_RANGE_JPEG,
                                   sws_getCoefficients(SWS_CS_ITU709), 1, 0, 1 << 16, 1 << 16);
    return true;
}

/* What of the scaled picture lies in the frame; the rest of the frame stays clear. */
static void lay(Image *image, const AVFrame *scaled, const Place *place)
{
    for (int y = 0; y < image->height; y++) {
        uint8_t *to = image->pixels + 4 * (size_t)y * (size_t)image->width;
        const int from_y = y - place->top;

        for (int x = 0; x < image->width; x++, to += 4) {
            const int from_x = x - place->left;
            const bool inside =
                from_x >= 0 && from_x < place->width && from_y >= 0 && from_y < place->height;
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

static bool make_image(VideoSource *clip, const AVFrame *frame, Diag *diag)
{
    const Place place = place_of(clip, frame);

    if (place.width > IMAGE_MAX_SIDE || place.height > IMAGE_MAX_SIDE)
        return diag_error(diag, "a video of %dx%d does not fit %dx%d", frame->width, frame->height,
                          clip->spec.width, clip->spec.height);
    if (!prepare_scaler(clip, frame, &place, diag))
        return false;
    AVFrame *scaled = av_frame_alloc();
    bool ok = scaled != NULL;
    if (ok) {
        scaled->format = AV_PIX_FMT_RGB0;
        scaled->width = place.width;
        scaled->height = place.height;
        ok = av_frame_get_buffer(scaled, 0) >= 0;
    }
    if (ok) {
        sws_scale(clip->scaler, (const uint8_t *const *)frame->data, frame->linesize, 0,
                  frame->height, scaled->data, scaled->linesize);
        lay(&clip->image, scaled, &place);
        clip->image.has_alpha = place.width < clip->spec.width || place.height < clip->spec.height;
    }
    av_frame_free(&scaled);
    return ok || diag_fail(diag, DIAG_RESOURCE, "out of memory for a picture of the video");
}

/* ---- the clip
 * ------------------------------------------------------------------------------------- */

static bool start(VideoSource *clip, Diag *diag)
{
    clip->packet = av_packet_alloc();
    clip->shown = av_frame_alloc();
    clip->next = av_frame_alloc();
    if (!clip->packet || !clip->shown || !clip->next)
        return diag_fail(diag, DIAG_RESOURCE, "out of memory for the decoder");
    if (!open_file(clip, diag))
        return false;
    if (!decode(clip, clip->shown))
        return media_is_well(&clip->video.media, diag) &&
               diag_error(diag, "no picture of the video can be decoded");
    clip->first = time_of(clip->shown);
    if (!clip->spec.loop)
        return true;
    clip->length = measure(clip);
    return media_is_well(&clip->video.media, diag) && rewind_file(clip, diag);
}

VideoSource *video_source_open(const VideoSourceSpec *spec, Diag *diag)
{
    Arena *arena = arena_create();
    VideoSource *clip = arena_array(arena, VideoSource, 1);
    const size_t bytes = 4 * (size_t)spec->width * (size_t)spec->height;

    *clip = (VideoSource){.arena = arena, .spec = *spec, .video.media.fd = -1, .imaged = INT64_MIN};
    clip->image = (Image){spec->width, spec->height, false, arena_array(arena, uint8_t, bytes)};
    if (start(clip, diag))
        return clip;
    video_source_close(clip);
    return NULL;
}

void video_source_close(VideoSource *clip)
{
    if (!clip)
        return;
    av_packet_free(&clip->packet);
    av_frame_free(&clip->shown);
    av_frame_free(&clip->next);
    sws_freeContext(clip->scaler);
    video_stream_close(&clip->video);
    arena_destroy(clip->arena);
}

bool video_source_read(const Image **image, VideoSource *clip, double time_s, Diag *diag)
{
    const double ticks = round(time_s / av_q2d(tick(clip)));
    int64_t moment = fabs(ticks) < 0x1p60 ? (int64_t)ticks : 0;

    if (clip->spec.loop)
        moment = (moment % clip->length + clip->length) % clip->length;
    diag_file(diag, clip->spec.file);
    errno = 0; /* for media_is_well */
    if (!find_picture(clip, clip->first + (moment > 0 ? moment : 0), diag))
        return false;
    if (time_of(clip->shown) != clip->imaged) {
        if (!make_image(clip, clip->shown, diag))
            return false;
        clip->imaged = time_of(clip->shown);
    }
    diag_file(diag, NULL);
    *image = &clip->image;
    return true;
}
