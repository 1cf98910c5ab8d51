/*
 * video_stream.h - a video file opened, with the decoder of its pictures
 *
 * For clip.h and reel.h, which say how it is read.  Containers and codecs are whitelisted; no other
 * file is opened.  Open it after a fork, never before.
 */
#ifndef MEDIA_VIDEO_STREAM_H
#define MEDIA_VIDEO_STREAM_H

#include <libavcodec/avcodec.h>
#include <stdbool.h>

#include "base/diag.h"
#include "media/media_file.h"

typedef struct VideoStream {
    MediaFile media;
    AVCodecContext *codec;
    int index; /* of the stream with the pictures */
} VideoStream;

/*
 * strict   the decoder fails at damage instead of hiding it, and a few kinds more are read, which
 * we write
 *
 * The place of what is told is set to the file.  Errors: DIAG_MISSING, DIAG_DATA, DIAG_RESOURCE.
 */
bool video_stream_open(VideoStream *stream, const char *file, int threads, bool strict, Diag *diag);
void video_stream_close(VideoStream *stream); /* closed already: fine, where media.fd is -1 */

/* swscale's matrix for a picture; those that do not say which are BT.709 from 720 lines on, else
 * BT.601. */
int video_stream_matrix(const AVFrame *frame);

#endif
