// SPDX-License-Identifier: MIT
#include "output/sink.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/parser_entry.h"

/* A text file with a line "FRAME SHA256" for each image; the digest covers its pixels. */

static bool open_sink(Sink *sink, Diag *diag)
{
    FileOut *out = arena_array(sink->arena, FileOut, 1);
    if (!file_out_open(out, sink->options.file, diag))
        return false;
    out->approval = sink->options.approval;
    sink->own = out;
    return true;
}

static bool write_image(Sink *sink, const Image *image, int64_t frame, Diag *diag)
{
    char line[32 + DIGEST_TEXT_SIZE], text[DIGEST_TEXT_SIZE];
    const size_t pixel = sink->options.pixels == PIXEL_GREY16 ? 2 : 4;
    const Digest digest =
        hash_bytes(image->pixels, pixel * (size_t)image->width * (size_t)image->height);
    digest_text(text, &digest);
    const int size = snprintf(line, sizeof line, "%" PRId64 " %s\n", frame, text);
    return file_out_write(sink->own, line, (size_t)size, diag);
}

static bool finish(Sink *sink, Diag *diag)
{
    return file_out_commit(sink->own, diag);
}

static void close_sink(Sink *sink)
{
    if (sink->own)
        file_out_abort(sink->own);
}

/* ---- segments: files of such lines ---- */

enum { LINE_SIZE = 128 };

typedef struct Lines {
    FILE *f;
    int64_t frame; /* frame of the last line; -1 before the first */
    size_t size;
    char text[LINE_SIZE];
} Lines;

/* Reads the next line: a number greater than the previous one, a space, 64 digits.  At the end
 * returns true with *more false; false if the line is damaged. */
static bool read_line(Lines *in, bool *more)
{
    parser_enter("sums");
    Digest digest;
    char *end;

    *more = fgets(in->text, LINE_SIZE, in->f) != NULL;
    if (!*more)
        return !ferror(in->f);
    const int64_t previous = in->frame;
    in->size = strlen(in->text);
    in->frame = strtoll(in->text, &end, 10);
    return in->text[0] >= '0' && in->text[0] <= '9' && in->frame > previous && *end == ' ' &&
           digest_parse(&digest, end + 1) && !strcmp(end + 1 + 2 * sizeof digest.bytes, "\n");
}

static bool inspect_lines(SinkRecord *out, size_t count, Lines *in)
{
    bool more;
    for (size_t i = 0; i < count; i++) {
        if (!read_line(in, &more) || !more)
            return false;
        out[i] = (SinkRecord){in->size, hash_bytes(in->text, in->size)};
    }
    return read_line(in, &more) && !more;
}

static bool inspect(SinkRecord *out, size_t count, const char *segment)
{
    Lines in = {.f = fopen(segment, "rbe"), .frame = -1};
    const bool ok = in.f && inspect_lines(out, count, &in);
    if (in.f)
        fclose(in.f);
    return ok;
}

static bool append(FileOut *out, int64_t *written, Lines *in, const char *segment, Diag *diag)
{
    for (bool more;; ++*written) {
        if (!read_line(in, &more))
            return diag_fail(diag, DIAG_INCOMPLETE, "'%s': segment '%s' is damaged", out->path,
                             segment);
        if (!more)
            return true;
        if (!file_out_write(out, in->text, in->size, diag))
            return false;
    }
}

static bool append_all(FileOut *out, int64_t *written, const char *const *segments, size_t count,
                       const volatile sig_atomic_t *stop, Diag *diag)
{
    Lines in = {.frame = -1};
    for (size_t i = 0; i < count; i++) {
        if (*stop)
            return false;
        in.f = fopen(segments[i], "rbe");
        if (!in.f)
            return diag_fail(diag, DIAG_INCOMPLETE, "'%s': segment '%s' is missing", out->path,
                             segments[i]);
        const bool ok = append(out, written, &in, segments[i], diag);
        fclose(in.f);
        if (!ok)
            return false;
    }
    return true;
}

static bool join(const SinkOptions *options, const char *const *segments, size_t count,
                 const volatile sig_atomic_t *stop, Diag *diag)
{
    FileOut out;
    int64_t written = 0;

    if (!file_out_open(&out, options->file, diag))
        return false;
    out.approval = options->approval;
    if (append_all(&out, &written, segments, count, stop, diag) &&
        sink_check_count(options, written, diag))
        return file_out_commit(&out, diag);
    file_out_abort(&out);
    return false;
}

/* Writes the lines of a segment; *left_out: one has another record. */
static bool restore_part(const SinkPart *part, Lines *in, bool *left_out, Diag *diag)
{
    FileOut out;
    bool more, ok = true;
    *left_out = false;
    if (!file_out_open(&out, part->segment, diag))
        return false;
    for (size_t i = 0; ok && !*left_out && i < part->count; i++) {
        *left_out = !read_line(in, &more) || !more || in->size != part->records[i].bytes;
        const Digest digest = hash_bytes(in->text, *left_out ? 0 : in->size);
        *left_out = *left_out || !digest_equal(&digest, &part->records[i].digest);
        ok = *left_out || file_out_write(&out, in->text, in->size, diag);
    }
    if (ok && !*left_out)
        return file_out_commit(&out, diag);
    file_out_abort(&out);
    return ok;
}

static bool restore(const SinkOptions *options, const SinkPart *parts, size_t count,
                    const volatile sig_atomic_t *stop, Diag *diag)
{
    Lines in = {.f = fopen(options->file, "rbe"), .frame = -1};
    int64_t index = 0;
    bool ok = true, more = in.f != NULL, left_out = false;
    for (size_t i = 0; ok && more && !left_out && i < count; i++) {
        for (; more && index < parts[i].first; index++)
            more = read_line(&in, &more) && more;
        ok = !*stop && (!more || restore_part(&parts[i], &in, &left_out, diag));
        index += (int64_t)parts[i].count;
    }
    if (in.f)
        fclose(in.f);
    return ok;
}

static const SinkSegments hash_segments = {.kind = &sink_hash,
                                           .extension = "sha256",
                                           .inspect = inspect,
                                           .join = join,
                                           .restore = restore};

const SinkKind sink_hash = {.name = "hash",
                            .ordered = true,
                            .extension = "sha256",
                            .help = "a SHA-256 per frame",
                            .open = open_sink,
                            .write = write_image,
                            .finish = finish,
                            .close = close_sink,
                            .segments = &hash_segments};

const SinkKind sink_hash_stream = {.name = "hash",
                                   .ordered = true,
                                   .extension = "sha256",
                                   .help = "a SHA-256 per frame",
                                   .open = open_sink,
                                   .write = write_image,
                                   .finish = finish,
                                   .close = close_sink};
