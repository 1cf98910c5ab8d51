#include "output/sink.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/hash.h"

/* A text file with a line "frame sha256" for each picture; the digest is of its packed R G B A
 * bytes. */
struct Sink {
    Arena *arena;
    SinkOptions options;
    FileOut out;
    int64_t written;
};

static bool matches(const char *file)
{
    const char *dot = strrchr(file, '.');
    return dot && !strcasecmp(dot, ".sha256");
}

static void destroy(Sink *sink)
{
    if (!sink)
        return;
    file_out_abort(&sink->out);
    arena_destroy(sink->arena);
}

static Sink *create(const SinkOptions *options, Diag *diag)
{
    Arena *arena = arena_create();
    Sink *sink = arena_alloc(arena, sizeof *sink);

    sink->arena = arena;
    sink->options = *options;
    if (!file_out_open(&sink->out, options->file, diag)) {
        arena_destroy(arena);
        return NULL;
    }
    return sink;
}

static bool write_picture(Sink *sink, const Image *image, int64_t frame, Diag *diag)
{
    if (!sink_takes(&sink->options, image, diag))
        return false;

    char line[32 + DIGEST_TEXT_SIZE], text[DIGEST_TEXT_SIZE];
    const Digest digest =
        hash_bytes(image->pixels, 4 * (size_t)image->width * (size_t)image->height);
    digest_text(text, &digest);
    const int size = snprintf(line, sizeof line, "%" PRId64 " %s\n", frame, text);
    sink->written++;
    return file_out_write(&sink->out, line, (size_t)size, diag);
}

static bool finish(Sink *sink, Diag *diag)
{
    return sink_is_complete(&sink->options, sink->written, diag) &&
           file_out_commit(&sink->out, diag);
}

const SinkKind sink_hash = {.name = "hash",
                            .ordered = true,
                            .matches = matches,
                            .create = create,
                            .write = write_picture,
                            .finish = finish,
                            .destroy = destroy};
