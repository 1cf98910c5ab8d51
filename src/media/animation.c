// SPDX-License-Identifier: MIT
#include "media/animation.h"

#include <string.h>

#include "media/libav.h"
#include "media/media_file.h"
#include "media/picture.h"

static const double DEFAULT_DURATION_S = 0.1;

typedef struct Animation {
    MediaFile media;
    AVCodecContext *codec;
    AVPacket *packet;
    AVFrame *frame;
    struct SwsContext *scaler;
    ARENA_LIST(uint8_t *) frames;
    ARENA_LIST(double) durations; /* of the packets, one for each frame */
    uint64_t max_bytes;
    int width, height;
    Arena *scratch;
    Diag *diag;
} Animation;

static bool open_codec(Animation *a)
{
    const AVStream *stream = a->media.demuxer->nb_streams ? a->media.demuxer->streams[0] : NULL;
    const AVCodec *codec = stream ? avcodec_find_decoder(stream->codecpar->codec_id) : NULL;
    a->codec = codec ? avcodec_alloc_context3(codec) : NULL;
    a->packet = av_packet_alloc();
    a->frame = av_frame_alloc();
    if (!a->codec || !a->packet || !a->frame)
        return diag_fail(a->diag, DIAG_RESOURCE, "libavcodec has no decoder for the animation");
    a->codec->thread_count = 1;
    a->codec->max_pixels = PICTURE_MAX_PIXELS;
    return (avcodec_parameters_to_context(a->codec, stream->codecpar) >= 0 &&
            avcodec_open2(a->codec, codec, NULL) >= 0) ||
           diag_error(a->diag, "the animation is damaged");
}

static bool keep_frame(Animation *a)
{
    const AVFrame *f = a->frame;
    const uint64_t size = 4 * (uint64_t)f->width * (uint64_t)f->height;
    if (f->width < 1 || f->height < 1 || f->width > IMAGE_MAX_SIDE || f->height > IMAGE_MAX_SIDE ||
        (a->frames.count && (f->width != a->width || f->height != a->height)))
        return diag_error(a->diag, "frame %zu of the animation is %dx%d pixels", a->frames.count,
                          f->width, f->height);
    if ((a->frames.count + 1) * size > a->max_bytes || a->frames.count >= ANIMATION_MAX_FRAMES)
        return diag_fail(a->diag, DIAG_RESOURCE,
                         "more than %zu frames of %dx%d exceed the limit of textures",
                         a->frames.count, f->width, f->height);
    a->width = f->width;
    a->height = f->height;
    a->scaler = sws_getCachedContext(a->scaler, f->width, f->height, f->format, f->width, f->height,
                                     AV_PIX_FMT_RGBA, SWS_POINT | SWS_ACCURATE_RND | SWS_BITEXACT,
                                     NULL, NULL, NULL);
    if (!a->scaler)
        return diag_error(a->diag, "frames of the animation cannot be converted to RGB");
    uint8_t *pixels = arena_alloc(a->scratch, (size_t)size);
    sws_scale(a->scaler, (const uint8_t *const *)f->data, f->linesize, 0, f->height,
              (uint8_t *const[]){pixels}, (const int[]){4 * f->width});
    *arena_push(a->scratch, &a->frames) = pixels;
    return true;
}

static bool decode(Animation *a)
{
    const AVStream *stream = a->media.demuxer->streams[0];
    for (bool fed = true; fed;) {
        fed = av_read_frame(a->media.demuxer, a->packet) >= 0;
        if (fed) {
            const double duration = (double)a->packet->duration * av_q2d(stream->time_base);
            *arena_push(a->scratch, &a->durations) = duration > 0 ? duration : DEFAULT_DURATION_S;
        }
        const int sent = avcodec_send_packet(a->codec, fed ? a->packet : NULL);
        av_packet_unref(a->packet);
        int code = sent;
        while (code >= 0 && (code = avcodec_receive_frame(a->codec, a->frame)) >= 0)
            if (!keep_frame(a))
                return false;
        if (sent < 0 || (code != AVERROR(EAGAIN) && code != AVERROR_EOF))
            return diag_error(a->diag, "frame %zu of the animation is damaged", a->frames.count);
    }
    return media_file_check(&a->media, false, a->diag) &&
           (a->frames.count || diag_error(a->diag, "the animation has no frames"));
}

static void join(TextureFile *texture, const Animation *a, Arena *arena)
{
    const size_t count = a->frames.count, size = 4 * (size_t)a->width * (size_t)a->height;
    uint8_t *pixels = arena_calloc(arena, count, size);
    double *ends = arena_array(arena, double, count), end = 0;
    for (size_t i = 0; i < count; i++) {
        memcpy(pixels + i * size, a->frames.items[i], size);
        end += i < a->durations.count ? a->durations.items[i] : DEFAULT_DURATION_S;
        ends[i] = end;
    }
    *texture = (TextureFile){.width = a->width,
                             .height = a->height,
                             .faces = 1,
                             .levels = 1,
                             .frames = (int)count,
                             .format = PIXEL_RGBA8,
                             .has_alpha = true,
                             .pixels = pixels,
                             .frame_ends = count > 1 ? ends : NULL};
}

bool animation_load(TextureFile *texture, bool *animated, const char *path, uint64_t max_bytes,
                    Arena *arena, Diag *diag)
{
    Animation a = {.max_bytes = max_bytes, .scratch = arena_create(), .diag = diag};
    Diag quiet = diag_quiet();
    diag_file(diag, path);
    *animated = media_file_open(&a.media, path, "gif,apng", "gif,apng", "not an animation", &quiet);
    const bool good = *animated && open_codec(&a) && decode(&a);
    if (good)
        join(texture, &a, arena);
    sws_freeContext(a.scaler);
    av_frame_free(&a.frame);
    av_packet_free(&a.packet);
    avcodec_free_context(&a.codec);
    media_file_close(&a.media);
    arena_destroy(a.scratch);
    diag_file(diag, NULL);
    return good || !*animated;
}
