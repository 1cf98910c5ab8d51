// SPDX-License-Identifier: MIT
/*
 * libav.h - libavformat, libavcodec, libavutil, libswscale and libswresample, opened at first use
 *
 * They load a hundred libraries more, which takes longer than most commands that use none of them.
 * So the program is not linked with them: libav.inc lists the functions that are called, and the
 * Makefile makes a macro of each, so that callers write the name that the manual of libav has.  A
 * function that the list lacks does not link.
 *
 * All headers of libav that the program needs are included here, and nowhere else.
 */
#pragma once

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/audio_fifo.h>
#include <libavutil/avstring.h>
#include <libavutil/channel_layout.h>
#include <libavutil/cpu.h>
#include <libavutil/imgutils.h>
#include <libavutil/intreadwrite.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libavutil/spherical.h>
#include <libavutil/stereo3d.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

/* A pointer to each function. */
typedef struct Libav {
#define FUNCTION(name) __typeof__(name) *name;
#include "media/libav.inc"
#undef FUNCTION
} Libav;

/*
 * Opens the libraries at the first call, in the versions that the program was compiled for. Without
 * one of them the process ends with a message and status 69.  Thread-safe.
 *
 * A confined process must be able to read libraries then.  A worker that draws on the CPU is not:
 * main has loaded or checked before what it will decode, and it inherits the libraries.
 */
const Libav *libav(void);

/* Which release of FFmpeg they are of, such as "5.1.6-0+deb12u1", from libavutil alone, which loads
 * few other libraries. */
const char *libav_release(void);

#include "libav_names.h" /* #define av_free libav()->av_free, and so on */
