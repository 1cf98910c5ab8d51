// SPDX-License-Identifier: MIT
#include "output/sink.h"

/* Discards images, for benchmarks and for checking a job; unordered, so nothing is encoded.
 * Nothing is stored, but a ledger can tell that the frame was drawn. */

static bool matches(const char *file, const char *format)
{
    (void)format;
    return file_is_null(file);
}

static bool write_image(Sink *sink, const Image *image, int64_t frame, Diag *diag)
{
    (void)sink, (void)image, (void)frame, (void)diag;
    return true;
}

const SinkKind sink_null = {
    .name = "null", .matches = matches, .each_frame = true, .write = write_image};
