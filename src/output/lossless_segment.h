// SPDX-License-Identifier: MIT
/*
 * lossless_segment.h - segments without loss, of outputs that are encoded as a whole when they are
 * joined: one palette (GIF), or bits that are distributed over the film (sink_rated)
 *
 * RGB with 8 bits per channel, opaque, as FFV1.
 */
#pragma once

#include "output/sink.h"

/* SinkSegments.kind; inspect is video_segment_inspect. */
extern const SinkKind lossless_segment;

/* A buffer for lossless_rgba, for an image of a sink. */
uint8_t *lossless_buffer(const Sink *sink);

/* An image with 8 bits per channel, in `pixels` if it has another format. */
Image lossless_rgba(const SinkOptions *options, const Image *image, uint8_t *pixels);

/* The parameters of SinkSegments.join. */
typedef struct LosslessFilm {
    const SinkOptions *options;
    const char *const *segments;
    size_t count;
    const volatile sig_atomic_t *stop;
} LosslessFilm;

/* Is called with each image of a film, in order; index: from 0. */
typedef bool LosslessHandler(void *user, const Image *image, int64_t index, Diag *diag);

/* False after an error, or when it was stopped.  DIAG_INCOMPLETE: frames are missing. */
bool lossless_segment_each(const LosslessFilm *film, LosslessHandler *handle, void *user,
                           Diag *diag);
