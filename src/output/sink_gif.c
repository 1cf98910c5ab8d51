// SPDX-License-Identifier: MIT
/* Images are stored while their colors are counted, because all of them share one palette: in a
 * spool, or without loss in the segments of a film. */
#include "output/sink.h"

#include <string.h>

#include "media/libav.h"
#include "output/codec.h"
#include "output/lossless_segment.h"
#include "output/pixels/palette.h"
#include "output/spool.h"
#include "output/video_file.h"
#include "output/video_segment.h"

/* ---- the file ---- */

typedef struct GifFile {
    const SinkOptions *options;
    Palette *palette;
    bool chosen; /* the palette: all images are counted */
    int64_t written;
    AVCodecContext *encoder; /* omits pixels that do not change */
    AVFrame *frame;
    AVPacket *packet;
    VideoFile *file;
} GifFile;

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

/* Removes what is not committed; NULL is fine. */
static void gif_file_destroy(GifFile *gif)
{
    if (!gif)
        return;
    video_file_destroy(gif->file);
    avcodec_free_context(&gif->encoder);
    av_frame_free(&gif->frame);
    av_packet_free(&gif->packet);
}

/* The options must outlive the file.  When *stop becomes something other than 0 writing fails soon,
 * without an error; NULL: never.  NULL after an error. */
static GifFile *gif_file_create(const SinkOptions *options, const volatile sig_atomic_t *stop,
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

/* ---- images ---- */

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

/* The second pass: the same images in their order. */
static bool gif_file_write(GifFile *gif, const Image *image, Diag *diag)
{
    AVFrame *frame = gif->frame;
    if (!gif->chosen)
        palette_choose(gif->palette);
    gif->chosen = true;
    if (av_frame_make_writable(frame) < 0)
        return out_of_memory(gif, diag);
    palette_map(frame->data[0], (size_t)frame->linesize[0], gif->palette, image);
    const uint8_t(*colors)[3] = palette_colors(gif->palette);
    uint32_t *out = (uint32_t *)(void *)frame->data[1];
    for (int i = 0; i < PALETTE_COLORS; i++)
        out[i] =
            0xFF000000u | (uint32_t)colors[i][0] << 16 | (uint32_t)colors[i][1] << 8 | colors[i][2];
    out[PALETTE_COLORS] = 0; /* transparent: the pixel of the previous frame */
    frame->pts = gif->written++;
    return encode(gif, frame, diag);
}

static bool gif_file_commit(GifFile *gif, Diag *diag)
{
    return encode(gif, NULL, diag) && video_file_commit(gif->file, gif->written, diag);
}

static bool matches(const char *file, const char *format)
{
    const AVOutputFormat *container = codec_container(file, format);
    return container && !strcmp(container->name, "gif");
}

static bool check(const SinkOptions *options, Diag *diag)
{
    const char *pixels = options->video.pixel_format;
    SinkOptions opaque = *options;
    opaque.alpha = false;
    if (!sink_ffmpeg_check(&opaque, diag))
        return false;
    if (pixels && strcmp(pixels, "auto") != 0 && strcmp(pixels, "pal8") != 0)
        return diag_fail(diag, DIAG_JOB, "'%s': a GIF does not support pixel format '%s' (pal8)",
                         options->file, pixels);
    if (options->alpha && !options->checked)
        diag_warn(diag, WARN_LOST_ALPHA, "'%s': a GIF does not support alpha; the film is opaque",
                  options->file);
    return true;
}

/* ---- all images at once ---- */

typedef struct GifSink {
    GifFile *file;
    Spool *spool;
    uint8_t *pixels;
} GifSink;

static void close_sink(Sink *sink)
{
    GifSink *gif = sink->own;
    gif_file_destroy(gif->file);
    spool_destroy(gif->spool);
}

static bool open_sink(Sink *sink, Diag *diag)
{
    const SinkOptions *options = &sink->options;
    GifSink *gif = sink->own = arena_array(sink->arena, GifSink, 1);
    gif->pixels = lossless_buffer(sink);
    gif->file = gif_file_create(options, NULL, sink->arena, diag);
    if (!gif->file)
        return false;
    gif->spool = spool_create(options->file, options->width, options->height, sink->arena, diag);
    return gif->spool != NULL;
}

static bool write_image(Sink *sink, const Image *image, int64_t frame, Diag *diag)
{
    GifSink *gif = sink->own;
    (void)frame;
    const Image rgba = lossless_rgba(&sink->options, image, gif->pixels);
    if (!spool_write(gif->spool, &rgba, diag))
        return false;
    palette_add(gif->file->palette, &rgba);
    return true;
}

static bool finish(Sink *sink, Diag *diag)
{
    GifSink *gif = sink->own;
    for (int64_t i = 0; i < sink->written; i++) {
        Image image;
        if (!spool_read(&image, gif->spool, diag) || !gif_file_write(gif->file, &image, diag))
            return false;
    }
    return gif_file_commit(gif->file, diag);
}

/* ---- joining ---- */

typedef bool GifHandler(GifFile *file, const Image *image, Diag *diag);

static bool count_image(GifFile *file, const Image *image, Diag *diag)
{
    (void)diag;
    palette_add(file->palette, image);
    return true;
}

typedef struct GifPass {
    GifFile *file;
    GifHandler *handle;
} GifPass;

/* LosslessHandler */
static bool handle_image(void *user, const Image *image, int64_t index, Diag *diag)
{
    const GifPass *pass = user;
    (void)index;
    return pass->handle(pass->file, image, diag);
}

static bool join(const SinkOptions *options, const char *const *segments, size_t count,
                 const volatile sig_atomic_t *stop, Diag *diag)
{
    Arena *arena = arena_create();
    const LosslessFilm film = {options, segments, count, stop};
    GifFile *file = gif_file_create(options, stop, arena, diag);
    GifPass counting = {file, count_image}, writing = {file, gif_file_write};
    const bool good = file && lossless_segment_each(&film, handle_image, &counting, diag) &&
                      lossless_segment_each(&film, handle_image, &writing, diag) &&
                      gif_file_commit(file, diag);
    gif_file_destroy(file);
    arena_destroy(arena);
    return good;
}

static const SinkSegments segments = {
    .kind = &lossless_segment, .extension = "nut", .inspect = video_segment_inspect, .join = join};

const SinkKind sink_gif = {.name = "gif",
                           .ordered = true,
                           .matches = matches,
                           .check = check,
                           .open = open_sink,
                           .write = write_image,
                           .finish = finish,
                           .close = close_sink,
                           .segments = &segments};
