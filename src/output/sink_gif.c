// SPDX-License-Identifier: MIT
/* Images are stored while their colors are counted, because all of them share one palette: in a
 * spool, or without loss in the segments of a film. */
#include "output/sink.h"

#include <string.h>

#include "output/codec.h"
#include "output/gif_file.h"
#include "output/lossless_segment.h"
#include "output/spool.h"
#include "output/video_segment.h"

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
    gif_file_count(gif->file, &rgba);
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
    gif_file_count(file, image);
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
