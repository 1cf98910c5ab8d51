/*
 * codec_memory.h - estimates the memory of a video encoder before it is opened
 *
 * Encoders keep frames for look-ahead and as references.  The estimate comes from measurements for
 * each codec and preset (90 frames, four threads) plus a fifth, so it is rarely too small.
 */
#ifndef OUTPUT_CODEC_MEMORY_H
#define OUTPUT_CODEC_MEMORY_H

#include <stdint.h>

#include "output/sink.h"

/* Bytes that the encoder of a video allocates; 0 if the options are invalid. */
uint64_t codec_memory_estimate(const SinkOptions *options);

#endif
