// SPDX-License-Identifier: MIT
/*
 * codec.h - selects the container, codecs and pixel format of a video, and opens its encoder
 *
 * libavformat selects the container by the file name.  Codec names are libavcodec's; the usual
 * short ones (h264, h265, vp9, av1, prores, ffv1) select the encoder that suits best (README.md 3).
 * Errors: DIAG_JOB (unknown name, or a codec that the container does not support), DIAG_RESOURCE
 * (the installed libavcodec lacks the encoder).
 */
#pragma once

#include "base/diag.h"
#include "media/libav.h"
#include "output/sink.h"

typedef struct CodecChoice {
    const AVOutputFormat *container;
    const AVCodec *video;
    const AVCodec *audio; /* NULL: no sound */
    enum AVPixelFormat pixels;
} CodecChoice;

enum { CODEC_PRESETS = 10, CODEC_CRF_MAX = 63 /* of all codecs */ };

/* The muxer that a file name, or a format (output/sink.h), selects; NULL if it does not select a
 * video in a single file. */
const AVOutputFormat *codec_container(const char *file, const char *format);

/* Whether packets keep their times.  In AVI, which has none, B-frames would delay the images and
 * the priming of the sound would delay the sound. */
bool codec_container_has_times(const AVOutputFormat *container);

bool codec_choose(CodecChoice *choice, const SinkOptions *options, Diag *diag);

/* Whether this program gives the encoder a constant rate factor, and a preset. */
bool codec_has_crf(const AVCodec *codec);
bool codec_has_presets(const AVCodec *codec);

/*
 * Opens the encoder: constant quality, fixed and closed groups of pictures, no dates or versions in
 * the stream, so that the same images give the same bytes for the same number of threads.  NULL
 * after an error.
 */
AVCodecContext *codec_open_video(const CodecChoice *choice, const SinkOptions *options, Diag *diag);

/* Opens the encoder of a film and closes it, if it is one that needs hardware: it is in libavcodec
 * whether the machine has that hardware or not.  Error: DIAG_RESOURCE.  Not before a fork: drivers
 * do not work in both processes. */
bool codec_check_hardware(const SinkOptions *options, Diag *diag);

/* Closes and clears *codec; NULL is fine.  used: the encoder got at least one frame. */
void codec_close_video(AVCodecContext **codec, bool used);

/* The description of a libav error code. */
typedef struct CodecErrorText {
    char text[AV_ERROR_MAX_STRING_SIZE];
} CodecErrorText;

CodecErrorText codec_error_text(int code);

/* Report an error about a file; both return false.  The second describes a libav error code:
 * DIAG_RESOURCE if there was no memory, else DIAG_INTERNAL. */
bool codec_out_of_memory(const char *file, Diag *diag);
bool codec_fail(const char *file, const char *what, int code, Diag *diag);

/*
 * Bytes that the encoder of a video allocates; 0 if the options are invalid.  Encoders keep frames
 * for look-ahead and as references: measured for each codec and preset (90 frames, four threads)
 * plus a fifth, so it is rarely too small.
 */
uint64_t codec_memory_estimate(const SinkOptions *options);

/* An encoder that this program configures, or one of hardware that is used by its name. */
typedef struct CodecEncoder {
    const char *name, *codec; /* of libavcodec */
    bool available, hardware; /* it is in the installed libavcodec; it needs hardware */
    int crf, crf_max;         /* default and maximum of crf; crf_max 0: it has none */
} CodecEncoder;

typedef ARENA_LIST(CodecEncoder) CodecEncoders;

/* The best first for each codec; those of hardware last, which only their names select. */
CodecEncoders codec_encoders(Arena *arena);

/* Lists the codecs with their encoders here; the containers with their default codecs. */
void codec_write_codecs(FILE *out);
void codec_write_containers(FILE *out);
