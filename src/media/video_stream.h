// SPDX-License-Identifier: MIT
/*
 * video_stream.h - an open video file with the decoder of its video stream
 *
 * Shared by video_source.h and video_reader.h.  Containers and codecs are whitelisted; no other
 * file is opened.  Must be opened after a fork, not before.
 */
#pragma once

#include "base/diag.h"
#include "media/libav.h"
#include "media/media_file.h"

typedef struct VideoStream {
    MediaFile media;
    AVCodecContext *codec;
    int index; /* index of the video stream */
} VideoStream;

/*
 * Opens a file and its decoder, and sets the file of `diag`.  Errors: DIAG_MISSING, DIAG_DATA,
 * DIAG_RESOURCE.
 *
 * strict   damage is an error instead of being concealed, and all formats that Odori can write are
 *          allowed
 */
bool video_stream_open(VideoStream *stream, const char *file, int threads, bool strict, Diag *diag);
void video_stream_close(VideoStream *stream); /* may be closed already (media.fd is -1) */

/*
 * Sets up *scaler to convert a frame to RGB0 of the given size, in the exact mode of swscale.
 * Frames without a color space are BT.709 from 720 lines on, else BT.601.
 */
bool video_stream_set_scaler(struct SwsContext **scaler, const AVFrame *frame, int width,
                             int height, Diag *diag);
