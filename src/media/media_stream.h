// SPDX-License-Identifier: MIT
/*
 * media_stream.h - an open file with the decoder of its sound or of its video
 *
 * Shared by sound.h, sound_reader.h, video_source.h and video_reader.h, so that what can be used
 * can be compared.  Containers and codecs are whitelisted; no other file is opened.  With threads
 * it must be opened after a fork, not before.
 */
#pragma once

#include "base/diag.h"
#include "media/libav.h"
#include "media/media_file.h"

typedef struct MediaStream {
    MediaFile media;
    AVCodecContext *codec;
    AVPacket *packet; /* of the file */
    AVFrame *frame;   /* of the decoder */
    int index;        /* of the stream in the file */
} MediaStream;

/* What is decoded; strictly: damage is an error instead of being concealed, all formats that Odori
 * can write are allowed, and packets of other streams are read, too. */
typedef enum MediaKind { MEDIA_SOUND, MEDIA_VIDEO, MEDIA_VIDEO_STRICT } MediaKind;

/* Opens a file and its decoder, and sets the file of `diag`.  threads: of the decoder; 1: none but
 * the caller's.  Errors: DIAG_MISSING, DIAG_DATA, DIAG_RESOURCE. */
bool media_stream_open(MediaStream *stream, const char *file, MediaKind kind, int threads,
                       Diag *diag);
void media_stream_close(MediaStream *stream); /* may be closed already (media.fd is -1) */

/*
 * Sets up *scaler to convert a frame to RGB0 of the given size, in the exact mode of swscale.
 * Frames without a color space are BT.709 from 720 lines on, else BT.601.
 */
bool media_stream_set_scaler(struct SwsContext **scaler, const AVFrame *frame, int width,
                             int height, Diag *diag);
