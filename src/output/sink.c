// SPDX-License-Identifier: MIT
#include "output/sink.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "base/path.h"
#include "output/codec.h"

/* In order of precedence: the last two match every file name that libavformat knows. */
static const SinkKind *const kinds[] = {&sink_null, &sink_png,    &sink_text,
                                        &sink_exr,  &sink_tar,    &sink_hash,
                                        &sink_gif,  &sink_ffmpeg, &sink_ffmpeg_unsegmented};

const char *sink_extension(const char *file, const char *format)
{
    return format && *format && strcmp(format, "auto") != 0 ? format : path_extension(file);
}

bool sink_is_video(const SinkKind *kind)
{
    return kind == &sink_ffmpeg || kind == &sink_rated || kind == &sink_ffmpeg_unsegmented ||
           kind == &sink_gif;
}

/* A stream cannot be resumed, so that it has no segments. */
static const SinkKind *stream_kind(const SinkKind *kind, const char *file, const char *format,
                                   Diag *diag)
{
    if (kind == &sink_hash)
        return &sink_hash_stream;
    if (sink_is_video(kind) && sink_ffmpeg_can_stream(file, format))
        return &sink_ffmpeg_unsegmented;
    if (kind == &sink_null || kind == &sink_tar)
        return kind;
    diag_fail(
        diag, DIAG_JOB,
        "'%s' is a FIFO or a device, and the format '%s' cannot be written without seeking "
        "(expected nut, y4m, rawvideo, mkv, webm, mp4, ts, ogv, flv, image2pipe, tar or sha256)",
        file, sink_extension(file, format));
    return NULL;
}

static bool is_selected(const SinkKind *kind, const char *file, const char *format)
{
    return kind->matches     ? kind->matches(file, format)
           : kind->extension ? !strcasecmp(sink_extension(file, format), kind->extension)
                             : false;
}

const SinkKind *sink_find(const char *file, const char *format, Diag *diag)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (is_selected(kinds[i], file, format))
            return file_is_stream(file) ? stream_kind(kinds[i], file, format, diag) : kinds[i];
    diag_fail(diag, DIAG_JOB,
              "'%s': unknown output format%s%s (expected a video such as .mp4, .mkv or .webm, "
              "images as %%05d.png, arrays as .tar, digests as .sha256, or null:)",
              file, sink_extension(file, format) == format ? " " : "",
              sink_extension(file, format) == format ? format : "");
    return NULL;
}

bool sink_is_sequence(const char *file, const char *format)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (is_selected(kinds[i], file, format))
            return kinds[i]->each_frame;
    return false;
}

void sink_write_formats(FILE *out)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i]->extension)
            fprintf(out, "  %-22s %s%s\n", kinds[i]->extension, kinds[i]->help,
                    kinds[i]->verify ? "; a file for each frame, as out/%05d" : "");
    codec_write_containers(out);
}

int sink_gop(const SinkOptions *options)
{
    if (options->video.gop > 0)
        return options->video.gop;
    const double second = (double)options->fps_num / options->fps_den;
    return second < 30.0 ? 30 : second > 240.0 ? 240 : (int)(second + 0.5);
}

bool sink_check_count(const SinkOptions *options, int64_t written, Diag *diag)
{
    if (options->frame_count == 0 || options->frame_count == written)
        return true;
    return diag_fail(diag, DIAG_INCOMPLETE, "'%s': %" PRId64 " of %" PRId64 " frames were written",
                     options->file, written, options->frame_count);
}

bool sink_check_writable(const char *file, Diag *diag)
{
    FileOut out;
    if (file_is_stream(file))
        return true;
    if (!file_out_open(&out, file, diag))
        return false;
    file_out_abort(&out);
    return true;
}

Sink *sink_create(const SinkKind *kind, const SinkOptions *options, Diag *diag)
{
    Arena *arena = arena_create();
    Sink *sink = arena_array(arena, Sink, 1);
    *sink = (Sink){.kind = kind, .arena = arena, .options = *options};
    if (!kind->open || kind->open(sink, diag))
        return sink;
    sink_destroy(sink);
    return NULL;
}

static bool check_image(const Sink *sink, const Image *image, Diag *diag)
{
    const SinkOptions *options = &sink->options;
    if (image->width == options->width && image->height == options->height)
        return true;
    return diag_fail(diag, DIAG_INTERNAL, "'%s': image size is %dx%d instead of %dx%d",
                     options->file, image->width, image->height, options->width, options->height);
}

bool sink_write(Sink *sink, const Image *image, int64_t frame, Diag *diag)
{
    const bool good = check_image(sink, image, diag) && sink->kind->write(sink, image, frame, diag);
    sink->written += good;
    return good;
}

bool sink_write_layers(Sink *sink, const SinkLayerImage *images, int64_t frame, Diag *diag)
{
    const bool good = check_image(sink, &images[0].image, diag) &&
                      sink->kind->write_layers(sink, images, frame, diag);
    sink->written += good;
    return good;
}

bool sink_finish(Sink *sink, Diag *diag)
{
    return sink_check_count(&sink->options, sink->written, diag) &&
           (!sink->kind->finish || sink->kind->finish(sink, diag));
}

void sink_destroy(Sink *sink)
{
    if (!sink)
        return;
    if (sink->kind->close)
        sink->kind->close(sink);
    arena_destroy(sink->arena);
}
