// SPDX-License-Identifier: MIT
#include "output/video_encoder.h"

#include <inttypes.h>

#include "output/pixels/alpha_bleed.h"
#include "output/pixels/yuv.h"

struct VideoEncoder {
    const char *file;
    AVCodecContext *codec;
    AVFrame *frame;
    struct SwsContext *scaler; /* NULL: yuv.h converts */
    int pixel_bytes;           /* bytes per pixel of an image */
    AlphaBleed *bleed;         /* NULL unless the film has alpha and YUV colors */
    int64_t count;
};

static bool fail_encode(const VideoEncoder *encoder, int code, Diag *diag)
{
    return diag_fail(diag, code == AVERROR(ENOMEM) ? DIAG_RESOURCE : DIAG_INTERNAL,
                     "'%s': encoder '%s' failed at frame %" PRId64 ": %s", encoder->file,
                     encoder->codec->codec->name, encoder->count, codec_error_text(code).text);
}

static enum AVPixelFormat source_format(const SinkOptions *options, bool alpha)
{
    if (options->pixels == PIXEL_GREY16)
        return AV_PIX_FMT_GRAY16;
    return alpha ? AV_PIX_FMT_RGBA : AV_PIX_FMT_RGB0;
}

static bool open_scaler(VideoEncoder *encoder, const SinkOptions *options, Arena *arena, Diag *diag)
{
    const AVCodecContext *c = encoder->codec;
    const AVPixFmtDescriptor *d = av_pix_fmt_desc_get(c->pix_fmt);
    const bool alpha = d->flags & AV_PIX_FMT_FLAG_ALPHA;

    encoder->pixel_bytes = options->pixels == PIXEL_GREY16 ? 2 : 4;
    if (c->pix_fmt == AV_PIX_FMT_YUV420P && options->pixels == PIXEL_RGBA8)
        return true;
    encoder->scaler = sws_getContext(
        c->width, c->height, source_format(options, alpha), c->width, c->height, c->pix_fmt,
        SWS_AREA | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP | SWS_BITEXACT, NULL,
        NULL, NULL);
    if (alpha && !(d->flags & AV_PIX_FMT_FLAG_RGB))
        encoder->bleed = alpha_bleed_create(c->width, c->height, arena);
    if (!encoder->scaler)
        return diag_fail(diag, DIAG_JOB,
                         "'%s': libswscale cannot convert the frames to pixel format %s",
                         encoder->file, d->name);
    const int *const bt709 = sws_getCoefficients(SWS_CS_ITU709);
    /* The source is full range, the target as tagged.  This fails if both are RGB, which need no
     * conversion. */
    (void)sws_setColorspaceDetails(encoder->scaler, bt709, 1, bt709,
                                   c->color_range == AVCOL_RANGE_JPEG, 0, 1 << 16, 1 << 16);
    return true;
}

static bool open_frame(VideoEncoder *encoder, Diag *diag)
{
    const AVCodecContext *c = encoder->codec;
    AVFrame *frame = encoder->frame = av_frame_alloc();

    if (!frame)
        return codec_out_of_memory(encoder->file, diag);
    frame->format = c->pix_fmt;
    frame->width = c->width;
    frame->height = c->height;
    frame->color_primaries = c->color_primaries;
    frame->color_trc = c->color_trc;
    frame->colorspace = c->colorspace;
    frame->color_range = c->color_range;
    frame->chroma_location = c->chroma_sample_location;
    return av_frame_get_buffer(frame, 0) >= 0 || codec_out_of_memory(encoder->file, diag);
}

static bool fill_frame(VideoEncoder *encoder, const Image *image, Diag *diag)
{
    AVFrame *frame = encoder->frame;

    if (av_frame_make_writable(frame) < 0)
        return codec_out_of_memory(encoder->file, diag);
    if (encoder->scaler) {
        const uint8_t *const pixels[] = {encoder->bleed ? alpha_bleed_fill(encoder->bleed, image)
                                                        : image->pixels};
        const int stride[] = {encoder->pixel_bytes * image->width};
        sws_scale(encoder->scaler, pixels, stride, 0, image->height, frame->data, frame->linesize);
    } else {
        YuvPlanes planes;
        for (int i = 0; i < 3; i++) {
            planes.planes[i] = frame->data[i];
            planes.strides[i] = (size_t)frame->linesize[i];
        }
        yuv_from_image(&planes, image);
    }
    frame->pts = encoder->count;
    return true;
}

VideoEncoder *video_encoder_create(const CodecChoice *choice, const SinkOptions *options,
                                   Arena *arena, Diag *diag)
{
    VideoEncoder *encoder = arena_alloc(arena, sizeof *encoder);

    encoder->file = options->file;
    encoder->codec = codec_open_video(choice, options, diag);
    if (encoder->codec && open_scaler(encoder, options, arena, diag) && open_frame(encoder, diag))
        return encoder;
    video_encoder_destroy(encoder);
    return NULL;
}

void video_encoder_destroy(VideoEncoder *encoder)
{
    if (!encoder)
        return;
    codec_close_video(&encoder->codec, encoder->count > 0);
    sws_freeContext(encoder->scaler);
    av_frame_free(&encoder->frame);
}

const AVCodecContext *video_encoder_codec(const VideoEncoder *encoder)
{
    return encoder->codec;
}

bool video_encoder_send(VideoEncoder *encoder, const Image *image, Diag *diag)
{
    if (image && !fill_frame(encoder, image, diag))
        return false;
    const int code = avcodec_send_frame(encoder->codec, image ? encoder->frame : NULL);
    if (code < 0)
        return fail_encode(encoder, code, diag);
    encoder->count += image != NULL;
    return true;
}

/* x265 computes the first decoding times with a value that it never initialises and sets at its
 * third frame.  A film without one has no B-frames (README.md 3). */
static void set_decoding_time(const VideoEncoder *encoder, AVPacket *packet)
{
    if (encoder->codec->codec_id == AV_CODEC_ID_HEVC && encoder->count < 3)
        packet->dts = packet->pts;
}

bool video_encoder_read(VideoEncoder *encoder, AVPacket *packet, bool *more, Diag *diag)
{
    const int code = avcodec_receive_packet(encoder->codec, packet);
    *more = code >= 0;
    if (code >= 0)
        set_decoding_time(encoder, packet);
    if (code >= 0 && packet->size == 0) /* Theora repeats a frame so; the reader of Ogg skips it */
        return diag_fail(diag, DIAG_JOB,
                         "'%s': encoder '%s' drops duplicate frames, which would shift the sound; "
                         "use another codec",
                         encoder->file, encoder->codec->codec->name);
    return code >= 0 || code == AVERROR(EAGAIN) || code == AVERROR_EOF ||
           fail_encode(encoder, code, diag);
}
