/* Images are stored while their colors are counted, because all of them share one palette: in a
 * spool, or without loss in the segments of a film. */
#include "output/sink.h"

#include <inttypes.h>
#include <string.h>

#include "media/video_reader.h"
#include "output/codec.h"
#include "output/gif_file.h"
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
    if (options->alpha && !options->video.checked)
        diag_warn(diag, WARN_LOST_ALPHA, "'%s': a GIF does not support alpha; the film is opaque",
                  options->file);
    return true;
}

/* An image with 8 bits per channel, in `pixels` if it has another format. */
static Image to_rgba(const SinkOptions *options, const Image *image, uint8_t *pixels)
{
    if (options->pixels != PIXEL_GREY16)
        return *image;
    const uint16_t *grey = (const uint16_t *)(const void *)image->pixels;
    for (size_t i = 0; i < (size_t)image->width * (size_t)image->height; i++) {
        memset(pixels + 4 * i, (grey[i] * 255 + 32767) / 65535, 3);
        pixels[4 * i + 3] = 255;
    }
    return (Image){image->width, image->height, false, pixels};
}

static uint8_t *rgba_buffer(const Sink *sink)
{
    return arena_calloc(sink->arena, (size_t)sink->options.width * (size_t)sink->options.height, 4);
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
    gif->pixels = rgba_buffer(sink);
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
    const Image rgba = to_rgba(&sink->options, image, gif->pixels);
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

/* ---- segments: lossless films without sound ---- */

typedef struct GifSegment {
    Sink *film;
    uint8_t *pixels;
} GifSegment;

static bool open_segment(Sink *sink, Diag *diag)
{
    GifSegment *segment = sink->own = arena_array(sink->arena, GifSegment, 1);
    SinkOptions film = sink->options;
    film.format = video_segment_container()->name;
    film.pixels = PIXEL_RGBA8;
    film.alpha = false;
    film.video = (SinkVideoOptions){
        .codec = "ffv1", .crf = -1, .gop = film.video.gop, .threads = film.video.threads};
    segment->pixels = rgba_buffer(sink);
    segment->film = sink_create(&sink_ffmpeg, &film, diag);
    return segment->film != NULL;
}

static bool write_to_segment(Sink *sink, const Image *image, int64_t frame, Diag *diag)
{
    GifSegment *segment = sink->own;
    const Image rgba = to_rgba(&sink->options, image, segment->pixels);
    return sink_write(segment->film, &rgba, frame, diag);
}

static bool finish_segment(Sink *sink, Diag *diag)
{
    return sink_finish(((GifSegment *)sink->own)->film, diag);
}

static void close_segment(Sink *sink)
{
    sink_destroy(((GifSegment *)sink->own)->film);
}

/* ---- joining ---- */

typedef struct GifJoin {
    const SinkOptions *options;
    const char *const *segments;
    size_t count;
    const volatile sig_atomic_t *stop;
    GifFile *file;
} GifJoin;

/* For each pass, with the next image of the film. */
typedef bool HandleImage(GifFile *file, const Image *image, Diag *diag);

static bool count_image(GifFile *file, const Image *image, Diag *diag)
{
    (void)diag;
    gif_file_count(file, image);
    return true;
}

static bool read_segment(const GifJoin *join, const char *segment, int64_t *frames,
                         HandleImage *handle, Diag *diag)
{
    const Image *image;
    VideoReader *reader = video_reader_open(segment, 1, diag);
    bool good = reader != NULL, more = good;
    for (; good && more; *frames += more) {
        good = !*join->stop && video_reader_read(&image, reader, diag);
        more = good && image;
        if (more &&
            (image->width != join->options->width || image->height != join->options->height))
            good = diag_error(diag, "frames of %dx%d do not belong to the film", image->width,
                              image->height);
        good = good && (!more || handle(join->file, image, diag));
    }
    video_reader_close(reader);
    return good;
}

static bool each_image(const GifJoin *join, HandleImage *handle, Diag *diag)
{
    const SinkOptions *options = join->options;
    int64_t frames = 0;
    for (size_t i = 0; i < join->count; i++)
        if (!read_segment(join, join->segments[i], &frames, handle, diag))
            return false;
    return frames == options->frame_count ||
           diag_fail(diag, DIAG_INCOMPLETE,
                     "'%s': the segments have %" PRId64 " of %" PRId64 " frames", options->file,
                     frames, options->frame_count);
}

static bool join(const SinkOptions *options, const char *const *segments, size_t count,
                 const volatile sig_atomic_t *stop, Diag *diag)
{
    Arena *arena = arena_create();
    const GifJoin all = {options, segments, count, stop,
                         gif_file_create(options, stop, arena, diag)};
    const bool good = all.file && each_image(&all, count_image, diag) &&
                      each_image(&all, gif_file_write, diag) && gif_file_commit(all.file, diag);
    gif_file_destroy(all.file);
    arena_destroy(arena);
    return good;
}

static const SinkKind segment_kind = {.name = "segment",
                                      .ordered = true,
                                      .open = open_segment,
                                      .write = write_to_segment,
                                      .finish = finish_segment,
                                      .close = close_segment};

static const SinkSegments segments = {
    .kind = &segment_kind, .extension = "nut", .inspect = video_segment_inspect, .join = join};

const SinkKind sink_gif = {.name = "gif",
                           .ordered = true,
                           .matches = matches,
                           .check = check,
                           .open = open_sink,
                           .write = write_image,
                           .finish = finish,
                           .close = close_sink,
                           .segments = &segments};
