/*
 * video_segment.h - a segment of a film: video packets in decoding order, in a NUT file
 *
 * NUT supports any codec and stores exact times.  A segment is damaged if libavformat reports an
 * error, if a packet is empty or its time is not that of a frame, or if the first packet is not a
 * key frame.  The contents of packets are not decoded: the ledger has their digests.  Not
 * thread-safe.
 */
#pragma once

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <signal.h>

#include "output/sink.h"

const AVOutputFormat *video_segment_container(void);

/*
 * VP8 and VP9 store alpha in side data of a packet, which Matroska supports (BlockAdditional) and
 * NUT does not.  Segments store it after the packet's data, followed by its size in four bytes.
 * pack is false without memory; unpack is false without memory or if the packet is damaged.
 */
bool video_segment_has_side_alpha(const AVCodecContext *codec);
bool video_segment_pack_alpha(AVPacket *packet);
bool video_segment_unpack_alpha(AVPacket *packet);

/* An open segment; its fields are only read by the caller. */
typedef struct VideoSegment {
    const AVCodecParameters *codec; /* id, extradata, width and height; little else is set */
    AVRational fps;
    AVFormatContext *in;
    int64_t start; /* time stamp of the first frame; AV_NOPTS_VALUE before it was read */
} VideoSegment;

/*
 * False if the file is missing or damaged; the segment must not be closed then.
 *
 * stop     when not 0, reading fails soon; NULL: never
 */
bool video_segment_open(VideoSegment *segment, const char *file, const volatile sig_atomic_t *stop);
void video_segment_close(VideoSegment *segment);

/* Reads the next packet, whose pts counts frames from 0 and whose dts is not set.  At the end
 * returns true with *more false; false if the segment is damaged. */
bool video_segment_read(VideoSegment *segment, AVPacket *packet, bool *more);

/* As SinkSegments.inspect. */
bool video_segment_inspect(SinkRecord *out, size_t count, const char *file);
