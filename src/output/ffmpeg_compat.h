/*
 * ffmpeg_compat.h - one interface for the versions of FFmpeg that differ (5.1 to 9)
 *
 * FFmpeg 7.1 replaced the lists of an AVCodec by avcodec_get_supported_config, and later versions
 * removed them.  All #if on a version of FFmpeg are in ffmpeg_compat.c.  The lists belong to
 * libavcodec and end with AV_PIX_FMT_NONE, AV_SAMPLE_FMT_NONE and 0; NULL means that the codec has
 * no restriction.
 */
#ifndef OUTPUT_FFMPEG_COMPAT_H
#define OUTPUT_FFMPEG_COMPAT_H

#include <libavcodec/avcodec.h>

const enum AVPixelFormat *ffmpeg_pixel_formats(const AVCodec *codec);
const enum AVSampleFormat *ffmpeg_sample_formats(const AVCodec *codec);
const int *ffmpeg_sample_rates(const AVCodec *codec);

#endif
