// SPDX-License-Identifier: MIT
#include "output/lossless_segment.h"

#include <inttypes.h>
#include <string.h>

#include "media/video_reader.h"
#include "output/video_segment.h"

uint8_t *lossless_buffer(const Sink *sink)
{
    return arena_calloc(sink->arena, (size_t)sink->options.width * (size_t)sink->options.height, 4);
}

Image lossless_rgba(const SinkOptions *options, const Image *image, uint8_t *pixels)
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

/* ---- writing ---- */

typedef struct Segment {
    Sink *film;
    uint8_t *pixels;
} Segment;

static bool open_segment(Sink *sink, Diag *diag)
{
    Segment *segment = sink->own = arena_array(sink->arena, Segment, 1);
    SinkOptions film = sink->options;
    film.format = video_segment_container()->name;
    film.pixels = PIXEL_RGBA8;
    film.alpha = false;
    film.video = (VideoOptions){.codec = "ffv1", .crf = -1, .gop = film.video.gop};
    film.contents = (SinkContents){0};
    segment->pixels = lossless_buffer(sink);
    segment->film = sink_create(&sink_ffmpeg, &film, diag);
    return segment->film != NULL;
}

static bool write_image(Sink *sink, const Image *image, int64_t frame, Diag *diag)
{
    Segment *segment = sink->own;
    const Image rgba = lossless_rgba(&sink->options, image, segment->pixels);
    return sink_write(segment->film, &rgba, frame, diag);
}

static bool finish(Sink *sink, Diag *diag)
{
    return sink_finish(((Segment *)sink->own)->film, diag);
}

static void close_segment(Sink *sink)
{
    sink_destroy(((Segment *)sink->own)->film);
}

const SinkKind lossless_segment = {.name = "segment",
                                   .ordered = true,
                                   .open = open_segment,
                                   .write = write_image,
                                   .finish = finish,
                                   .close = close_segment};

/* ---- reading ---- */

static bool read_segment(const LosslessFilm *film, const char *segment, int64_t *frames,
                         LosslessHandler *handle, void *user, Diag *diag)
{
    const Image *image;
    VideoReader *reader = video_reader_open(segment, 1, diag);
    bool good = reader != NULL, more = good;
    for (; good && more; *frames += more) {
        good = !*film->stop && video_reader_read(&image, reader, diag);
        more = good && image;
        if (more &&
            (image->width != film->options->width || image->height != film->options->height))
            good = diag_error(diag, "frames of %dx%d do not belong to the film", image->width,
                              image->height);
        good = good && (!more || handle(user, image, *frames, diag));
    }
    video_reader_close(reader);
    return good;
}

bool lossless_segment_each(const LosslessFilm *film, LosslessHandler *handle, void *user,
                           Diag *diag)
{
    const SinkOptions *options = film->options;
    int64_t frames = 0;
    for (size_t i = 0; i < film->count; i++)
        if (!read_segment(film, film->segments[i], &frames, handle, user, diag))
            return false;
    return frames == options->frame_count ||
           diag_fail(diag, DIAG_INCOMPLETE,
                     "'%s': the segments have %" PRId64 " of %" PRId64 " frames", options->file,
                     frames, options->frame_count);
}
