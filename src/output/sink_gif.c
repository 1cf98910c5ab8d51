/* Images are stored in a spool while their colors are counted; at the end they are encoded with
 * one palette for all of them. */
#include "output/sink.h"

#include <libavutil/log.h>

#include "base/arena.h"
#include "output/codec.h"
#include "output/pixels/palette.h"
#include "output/spool.h"
#include "output/video_file.h"

typedef struct GifSink {
    Palette *palette;
    Spool *spool;
    AVCodecContext *encoder; /* omits pixels that do not change */
    AVFrame *frame;
    AVPacket *packet;
    VideoFile *file;
} GifSink;

static bool out_of_memory(const Sink *sink, Diag *diag)
{
    return codec_out_of_memory(sink->options.file, diag);
}

static bool fail_encode(const Sink *sink, int code, Diag *diag)
{
    return codec_fail(sink->options.file, "cannot encode the GIF", code, diag);
}

/* ---- opening ---- */

static void close_sink(Sink *sink)
{
    GifSink *gif = sink->own;
    video_file_destroy(gif->file);
    avcodec_free_context(&gif->encoder);
    av_frame_free(&gif->frame);
    av_packet_free(&gif->packet);
    spool_destroy(gif->spool);
}

static bool open_encoder(const Sink *sink, const AVCodec *codec, Diag *diag)
{
    const SinkOptions *options = &sink->options;
    GifSink *gif = sink->own;
    gif->packet = av_packet_alloc();
    gif->frame = av_frame_alloc();
    AVCodecContext *c = gif->encoder = avcodec_alloc_context3(codec);
    if (!gif->packet || !gif->frame || !c)
        return out_of_memory(sink, diag);
    c->width = gif->frame->width = options->width;
    c->height = gif->frame->height = options->height;
    c->pix_fmt = AV_PIX_FMT_PAL8;
    gif->frame->format = c->pix_fmt;
    c->time_base = (AVRational){options->fps_den, options->fps_num};
    c->framerate = (AVRational){options->fps_num, options->fps_den};
    c->flags |= AV_CODEC_FLAG_BITEXACT;
    const int code = avcodec_open2(c, codec, NULL);
    if (code < 0)
        return fail_encode(sink, code, diag);
    return av_frame_get_buffer(gif->frame, 0) >= 0 || out_of_memory(sink, diag);
}

static bool open_sink(Sink *sink, Diag *diag)
{
    const SinkOptions *options = &sink->options;
    GifSink *gif = sink->own = arena_array(sink->arena, GifSink, 1);
    const CodecChoice choice = {.container = av_guess_format("gif", NULL, NULL),
                                .video = avcodec_find_encoder(AV_CODEC_ID_GIF),
                                .pixels = AV_PIX_FMT_PAL8};
    gif->palette = palette_create(sink->arena);
    av_log_set_level(AV_LOG_QUIET); /* errors are reported by their codes */
    if (!choice.container || !choice.video)
        return diag_fail(diag, DIAG_RESOURCE, "'%s': the installed libavcodec has no GIF encoder",
                         options->file);
    if (!open_encoder(sink, choice.video, diag))
        return false;
    gif->file = video_file_create(&choice, gif->encoder, options, NULL, sink->arena, diag);
    if (!gif->file)
        return false;
    gif->spool = spool_create(options->file, options->width, options->height, sink->arena, diag);
    return gif->spool != NULL;
}

static bool write_image(Sink *sink, const Image *image, int64_t frame, Diag *diag)
{
    GifSink *gif = sink->own;
    (void)frame;
    if (!spool_write(gif->spool, image, diag))
        return false;
    palette_add(gif->palette, image);
    return true;
}

/* ---- the end: encodes all images ---- */

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
static bool encode(const Sink *sink, const AVFrame *frame, Diag *diag)
{
    GifSink *gif = sink->own;
    int code = avcodec_send_frame(gif->encoder, frame);
    while (code >= 0) {
        code = avcodec_receive_packet(gif->encoder, gif->packet);
        if (code >= 0 && !video_file_write(gif->file, gif->packet, diag))
            return false;
    }
    return code == AVERROR(EAGAIN) || code == AVERROR_EOF || fail_encode(sink, code, diag);
}

static bool encode_next(const Sink *sink, int64_t index, Diag *diag)
{
    GifSink *gif = sink->own;
    AVFrame *frame = gif->frame;
    Image image;
    if (!spool_read(&image, gif->spool, diag))
        return false;
    if (av_frame_make_writable(frame) < 0)
        return out_of_memory(sink, diag);
    palette_map(frame->data[0], (size_t)frame->linesize[0], gif->palette, &image);
    fill_palette(frame, gif->palette);
    frame->pts = index;
    return encode(sink, frame, diag);
}

static bool finish(Sink *sink, Diag *diag)
{
    GifSink *gif = sink->own;
    palette_choose(gif->palette);
    for (int64_t i = 0; i < sink->written; i++)
        if (!encode_next(sink, i, diag))
            return false;
    return encode(sink, NULL, diag) && video_file_commit(gif->file, sink->written, diag);
}

const SinkKind sink_gif = {.name = "gif",
                           .ordered = true,
                           .open = open_sink,
                           .write = write_image,
                           .finish = finish,
                           .close = close_sink};
