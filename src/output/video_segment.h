/*
 * video_segment.h - a piece of a film: packets of pictures, in the order of decoding, in a NUT file
 *
 * NUT takes any codec and keeps time exactly.  A piece is damaged when libavformat says so, when a
 * packet is empty or stands at no picture's time, or when the first one is no key frame.  What is
 * within a packet is not looked at: that is what digests are for.
 */
#ifndef OUTPUT_VIDEO_SEGMENT_H
#define OUTPUT_VIDEO_SEGMENT_H

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "output/sink.h"

const AVOutputFormat *video_segment_container(void);

/*
 * VP8 and VP9 have alpha beside their packets, in a place that Matroska gives it (BlockAdditional)
 * and NUT does not.  Pieces have it behind a packet's data, and its size as the last four bytes.
 * False: out of memory; a packet that has not grown by those.
 */
bool video_segment_has_side_alpha(const AVCodecContext *codec);
bool video_segment_pack_alpha(AVPacket *packet);
bool video_segment_unpack_alpha(AVPacket *packet);

/* A piece that is being read. */
typedef struct VideoSegment {
    const AVCodecParameters *codec; /* id, extradata, width and height are known, not much else */
    AVRational fps;
    AVFormatContext *in;
    int64_t start; /* time stamp of the first picture; AV_NOPTS_VALUE before it came */
} VideoSegment;

/*
 * False if it is not there or damaged; the piece need not be closed then.
 *
 * stop     reading fails soon when it is not 0; NULL: never
 */
bool video_segment_open(VideoSegment *piece, const char *file, const volatile sig_atomic_t *stop);
void video_segment_close(VideoSegment *piece);

/* The next packet; its pts counts pictures from 0, it has no dts.  At the end true with *more
 * false; false: damaged. */
bool video_segment_read(VideoSegment *piece, AVPacket *packet, bool *more);

/* As SinkSegments.inspect. */
bool video_segment_inspect(SinkRecord *out, size_t count, const char *file);

#endif
