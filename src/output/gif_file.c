// SPDX-License-Identifier: MIT
#include "output/gif_file.h"

#include "media/libav.h"
#include "output/codec.h"
#include "output/pixels/palette.h"
#include "output/video_file.h"

struct GifFile {
    const SinkOptions *options;
    Palette *palette;
    bool chosen; /* the palette: all images are counted */
    int64_t written;
    AVCodecContext *encoder; /* omits pixels that do not change */
    AVFrame *frame;
    AVPacket *packet;
    VideoFile *file;
};

static bool out_of_memory(const GifFile *gif, Diag *diag)
{
    return codec_out_of_memory(gif->options->file, diag);
}

static bool fail_encode(const GifFile *gif, int code, Diag *diag)
{
    return codec_fail(gif->options->file, "cannot encode the GIF", code, diag);
}

/* ---- opening ---- */

static bool open_encoder(GifFile *gif, const AVCodec *codec, Diag *diag)
{
    const SinkOptions *options = gif->options;
    gif->packet = av_packet_alloc();
    gif->frame = av_frame_alloc();
    AVCodecContext *c = gif->encoder = avcodec_alloc_context3(codec);
    if (!gif->packet || !gif->frame || !c)
        return out_of_memory(gif, diag);
    c->width = gif->frame->width = options->width;
    c->height = gif->frame->height = options->height;
    c->pix_fmt = AV_PIX_FMT_PAL8;
    gif->frame->format = c->pix_fmt;
    c->time_base = (AVRational){options->fps_den, options->fps_num};
    c->framerate = (AVRational){options->fps_num, options->fps_den};
    c->flags |= AV_CODEC_FLAG_BITEXACT;
    const int code = avcodec_open2(c, codec, NULL);
    if (code < 0)
        return fail_encode(gif, code, diag);
    return av_frame_get_buffer(gif->frame, 0) >= 0 || out_of_memory(gif, diag);
}

static bool open_file(GifFile *gif, const volatile sig_atomic_t *stop, Arena *arena, Diag *diag)
{
    const CodecChoice choice = {.container = av_guess_format("gif", NULL, NULL),
                                .video = avcodec_find_encoder(AV_CODEC_ID_GIF),
                                .pixels = AV_PIX_FMT_PAL8};
    av_log_set_level(AV_LOG_QUIET); /* errors are reported by their codes */
    if (!choice.container || !choice.video)
        return diag_fail(diag, DIAG_RESOURCE, "'%s': the installed libavcodec has no GIF encoder",
                         gif->options->file);
    if (!open_encoder(gif, choice.video, diag))
        return false;
    gif->file = video_file_create(&choice, gif->encoder, gif->options, stop, arena, diag);
    return gif->file != NULL;
}

GifFile *gif_file_create(const SinkOptions *options, const volatile sig_atomic_t *stop,
                         Arena *arena, Diag *diag)
{
    GifFile *gif = arena_array(arena, GifFile, 1);
    gif->options = options;
    gif->palette = palette_create(arena);
    if (open_file(gif, stop, arena, diag))
        return gif;
    gif_file_destroy(gif);
    return NULL;
}

void gif_file_destroy(GifFile *gif)
{
    if (!gif)
        return;
    video_file_destroy(gif->file);
    avcodec_free_context(&gif->encoder);
    av_frame_free(&gif->frame);
    av_packet_free(&gif->packet);
}

/* ---- images ---- */

void gif_file_count(GifFile *gif, const Image *image)
{
    palette_add(gif->palette, image);
}

static void fill_palette(AVFrame *frame, const Palette *palette)
{
    const uint8_t(*colors)[3] = palette_colors(palette);
    uint32_t *out = (uint32_t *)(void *)frame->data[1];
    for (int i = 0; i < PALETTE_COLORS; i++)
        out[i] =
            0xFF000000u | (uint32_t)colors[i][0] << 16 | (uint32_t)colors[i][1] << 8 | colors[i][2];
    out[PALETTE_COLORS] = 0; /* transparent: the pixel of the previous frame */
}

/* Sends a frame, or NULL at the end, and writes all available packets. */
static bool encode(GifFile *gif, const AVFrame *frame, Diag *diag)
{
    int code = avcodec_send_frame(gif->encoder, frame);
    while (code >= 0) {
        code = avcodec_receive_packet(gif->encoder, gif->packet);
        if (code >= 0 && !video_file_write(gif->file, gif->packet, diag))
            return false;
    }
    return code == AVERROR(EAGAIN) || code == AVERROR_EOF || fail_encode(gif, code, diag);
}

bool gif_file_write(GifFile *gif, const Image *image, Diag *diag)
{
    AVFrame *frame = gif->frame;
    if (!gif->chosen)
        palette_choose(gif->palette);
    gif->chosen = true;
    if (av_frame_make_writable(frame) < 0)
        return out_of_memory(gif, diag);
    palette_map(frame->data[0], (size_t)frame->linesize[0], gif->palette, image);
    fill_palette(frame, gif->palette);
    frame->pts = gif->written++;
    return encode(gif, frame, diag);
}

bool gif_file_commit(GifFile *gif, Diag *diag)
{
    return encode(gif, NULL, diag) && video_file_commit(gif->file, gif->written, diag);
}
