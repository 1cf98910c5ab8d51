#include "output/sink.h"

#include <string.h>

#include "base/arena.h"

/* Discards images, for benchmarks and for checking a job; unordered, so nothing is encoded. */
struct Sink {
    Arena *arena;
    SinkOptions options;
    int64_t written;
};

static bool matches(const char *file, const char *format)
{
    (void)format;
    return file_is_null(file);
}

static Sink *create(const SinkOptions *options, Diag *diag)
{
    (void)diag;
    Arena *arena = arena_create();
    Sink *sink = arena_alloc(arena, sizeof *sink);
    *sink = (Sink){arena, *options, 0};
    return sink;
}

static bool write_image(Sink *sink, const Image *image, int64_t frame, Diag *diag)
{
    (void)frame;
    if (!sink_check_image(&sink->options, image, diag))
        return false;
    sink->written++;
    return true;
}

/* Nothing is stored, but a ledger can tell that the frame was drawn. */
static SinkRecord record(const Sink *sink)
{
    (void)sink;
    return (SinkRecord){0};
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

const SinkKind sink_null = {.name = "null",
                            .ordered = false,
                            .matches = matches,
                            .create = create,
                            .write = write_image,
                            .finish = finish,
                            .destroy = destroy,
                            .record = record};
