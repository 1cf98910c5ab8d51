/*
 * video_encoder.h - pictures to the packets of one stream of video
 *
 * A picture becomes the encoder's pixels (yuv.h, or swscale and, for alpha in coarse colours,
 * bleed.h) and then, some pictures later, a packet.  Time stamps count pictures from 0.  The first
 * picture is a key frame, groups of pictures are closed, and one packet holds one picture.
 */
#ifndef OUTPUT_VIDEO_ENCODER_H
#define OUTPUT_VIDEO_ENCODER_H

#include <libavcodec/avcodec.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/image.h"
#include "output/codec.h"
#include "output/sink.h"

typedef struct VideoEncoder VideoEncoder;

/* NULL after an error.  The encoder itself lies outside the arena: destroy it before that. */
VideoEncoder *video_encoder_create(const CodecChoice *choice, const SinkOptions *options,
                                   Arena *arena, Diag *diag);
void video_encoder_destroy(VideoEncoder *encoder); /* NULL is fine */

const AVCodecContext *video_encoder_codec(const VideoEncoder *encoder);
int64_t video_encoder_count(const VideoEncoder *encoder); /* pictures that it took */

/* The next picture, of the agreed size; NULL: the end.  Read all that is ready after each. */
bool video_encoder_send(VideoEncoder *encoder, const Image *image, Diag *diag);

/* The next packet that is ready; without one true with *more false. */
bool video_encoder_read(VideoEncoder *encoder, AVPacket *packet, bool *more, Diag *diag);

#endif
