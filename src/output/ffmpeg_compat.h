// SPDX-License-Identifier: MIT
/*
 * ffmpeg_compat.h - one interface for the versions of FFmpeg that differ (5.1 to 9)
 *
 * All conditions on a version of FFmpeg are here and in ffmpeg_compat.c.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "media/libav.h"

/* The formats that a codec supports; NULL if it has no restriction.  The lists belong to libavcodec
 * and end with AV_PIX_FMT_NONE, AV_SAMPLE_FMT_NONE and 0.  FFmpeg 7.1 deprecated the fields of
 * AVCodec that hold them, and later versions removed them. */
const enum AVPixelFormat *ffmpeg_pixel_formats(const AVCodec *codec);
const enum AVSampleFormat *ffmpeg_sample_formats(const AVCodec *codec);
const int *ffmpeg_sample_rates(const AVCodec *codec);

/* The bytes that a writing function of avio_alloc_context receives. */
#if LIBAVFORMAT_VERSION_MAJOR >= 61
typedef const uint8_t FfmpegWrittenByte;
#else
typedef uint8_t FfmpegWrittenByte;
#endif

/* Whether libavformat's Matroska muxer adds the priming of the sound to its time stamps, as the
 * CodecDelay that it stores requires.  5.1 does not; 7.1 and 9 do. */
bool ffmpeg_matroska_adds_priming(void);

/* Adds side data to a stream before its header is written; takes `data`, which av_malloc returned,
 * or frees it.  Returns false without memory, also for NULL. */
bool ffmpeg_add_side_data(AVStream *stream, enum AVPacketSideDataType type, void *data,
                          size_t size);

/* The places of both eyes in a frame, for ffmpeg_add_side_data; NULL without memory.  FFmpeg 7.1
 * takes a new AVStereo3D for a track that contains both eyes, and then writes a box for them (vexu)
 * to MP4 that does not say where they are; players that know this box ignore the one that does
 * (st3d).  It is not written if the views are unspecified. */
AVStereo3D *ffmpeg_stereo_create(enum AVStereo3DType type);
