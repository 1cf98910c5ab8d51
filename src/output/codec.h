/*
 * codec.h - which container, codecs and pixel format a video gets, and its encoder
 *
 * The container is guessed from the file name by libavformat; codec names are libavcodec's, with
 * the usual short ones (h264, h265, vp9, av1, prores, ffv1) led to the encoder that serves us best.
 * Errors: DIAG_JOB (unknown name, or what the container cannot hold), DIAG_RESOURCE (the installed
 * libavcodec lacks the encoder).
 */
#ifndef OUTPUT_CODEC_H
#define OUTPUT_CODEC_H

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <stdbool.h>

#include "base/diag.h"
#include "output/sink.h"

typedef struct CodecChoice {
    const AVOutputFormat *container;
    const AVCodec *video;
    const AVCodec *audio; /* NULL: no sound */
    enum AVPixelFormat pixels;
} CodecChoice;

/* A muxer for one file that holds video, or NULL. */
const AVOutputFormat *codec_container(const char *file);

bool codec_choose(CodecChoice *choice, const SinkOptions *options, Diag *diag);

/*
 * The encoder, opened: constant quality, fixed and closed groups of pictures, no dates or versions
 * in the stream, so that the same pictures give the same bytes for the same number of threads.
 */
AVCodecContext *codec_open_video(const CodecChoice *choice, const SinkOptions *options, Diag *diag);
void codec_close_video(AVCodecContext **codec); /* NULL is fine, and is what stays */

/* What a libav error code means; never NULL. */
typedef struct CodecText {
    char text[AV_ERROR_MAX_STRING_SIZE];
} CodecText;

CodecText codec_error_text(int code);

#endif
