#include "output/sink.h"

#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/file.h"

enum { NAME_SIZE = 4096 };

/* Writes one text file per frame: images of PIXEL_TEXT, such as keypoints as JSON. */
struct Sink {
    Arena *arena;
    SinkOptions options;
    int64_t written;
    SinkRecord record; /* of the last frame */
};

static bool matches(const char *file, const char *format)
{
    return !strcasecmp(sink_extension(file, format), "json");
}

static bool check_options(const SinkOptions *options, Diag *diag)
{
    if (options->pixels != PIXEL_TEXT)
        return diag_fail(diag, DIAG_JOB, "'%s': a JSON file can contain only the pass 'pose'",
                         options->file);
    return sink_png_check_name(options, diag);
}

static Sink *create(const SinkOptions *options, Diag *diag)
{
    char name[NAME_SIZE];

    if (!check_options(options, diag) ||
        !sink_png_make_name(name, sizeof name, options, options->first_frame, diag) ||
        !sink_check_writable(name, diag))
        return NULL;
    Arena *arena = arena_create();
    Sink *sink = arena_alloc(arena, sizeof *sink);
    *sink = (Sink){.arena = arena, .options = *options};
    return sink;
}

static bool write_text(Sink *sink, const Image *image, int64_t frame, Diag *diag)
{
    const char *text = (const char *)image->pixels;
    const size_t size = strlen(text);
    char name[NAME_SIZE];

    if (!sink_png_make_name(name, sizeof name, &sink->options, frame, diag) ||
        !file_save_approved(name, text, size, sink->options.approval, diag))
        return false;
    sink->record = (SinkRecord){size, hash_bytes(text, size)};
    sink->written++;
    return true;
}

static bool finish(Sink *sink, Diag *diag)
{
    return sink_check_count(&sink->options, sink->written, diag);
}

static void destroy(Sink *sink)
{
    if (sink)
        arena_destroy(sink->arena);
}

static SinkRecord record(const Sink *sink)
{
    return sink->record;
}

const SinkKind sink_text = {.name = "text",
                            .ordered = false,
                            .matches = matches,
                            .check = check_options,
                            .create = create,
                            .write = write_text,
                            .finish = finish,
                            .destroy = destroy,
                            .verify = sink_png_verify_file,
                            .record = record,
                            .inspect = sink_png_inspect};
