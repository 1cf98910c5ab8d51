/*
 * codec_memory.h - how much memory an encoder will ask for, before it is opened
 *
 * An estimate on the safe side: pictures that the encoder holds back to look ahead and to refer to,
 * measured for each codec and preset (90 pictures, four threads) and a fifth added.
 */
#ifndef OUTPUT_CODEC_MEMORY_H
#define OUTPUT_CODEC_MEMORY_H

#include <stdint.h>

#include "output/sink.h"

/* Bytes of the encoder of a video; 0 where the options make none. */
uint64_t codec_memory(const SinkOptions *options);

#endif
