// SPDX-License-Identifier: MIT
/*
 * video_encoder.h - encodes images to the packets of one video stream
 *
 * An image is converted to the encoder's pixel format (by yuv.h, or by swscale and, for alpha with
 * YUV colors, alpha_bleed.h) and becomes a packet, usually after some more images.  Time stamps
 * count frames from 0.  The first frame is a key frame, groups of pictures are closed, and a packet
 * contains one frame.  Not thread-safe.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/image.h"
#include "media/libav.h"
#include "output/codec.h"
#include "output/sink.h"

typedef struct VideoEncoder VideoEncoder;

/* NULL after an error.  libavcodec allocates outside the arena: destroy it before the arena. */
VideoEncoder *video_encoder_create(const CodecChoice *choice, const SinkOptions *options,
                                   Arena *arena, Diag *diag);
void video_encoder_destroy(VideoEncoder *encoder); /* NULL is fine */

const AVCodecContext *video_encoder_codec(const VideoEncoder *encoder);

/* Sends the next image, of the size in the options, or NULL at the end.  Read all packets after
 * each call. */
bool video_encoder_send(VideoEncoder *encoder, const Image *image, Diag *diag);

/* Reads the next available packet; if there is none returns true with *more false. */
bool video_encoder_read(VideoEncoder *encoder, AVPacket *packet, bool *more, Diag *diag);
