// SPDX-License-Identifier: MIT
/*
 * video_segment.h - segments of a film (video packets in decoding order, in a NUT file), and
 * joining them
 *
 * NUT supports any codec and stores exact times.  A segment is damaged if libavformat reports an
 * error, if a packet is empty or its time is not that of a frame, or if the first packet is not a
 * key frame.  The contents of packets are not decoded: the ledger has their digests.  Not
 * thread-safe.
 */
#pragma once

#include <signal.h>

#include "media/libav.h"
#include "output/sink.h"

const AVOutputFormat *video_segment_container(void);

/*
 * VP8 and VP9 store alpha in side data of a packet, which Matroska supports (BlockAdditional) and
 * NUT does not.  Segments store it after the packet's data, followed by its size in four bytes.
 * pack is false without memory.
 */
bool video_segment_has_side_alpha(const AVCodecContext *codec);
bool video_segment_pack_alpha(AVPacket *packet);

/* As SinkSegments.inspect. */
bool video_segment_inspect(SinkRecord *out, size_t count, const char *file);

/*
 * As SinkSegments.join; options.frame_count must be known.
 *
 * Packets are copied to the film's container without encoding.  A frame keeps its presentation time
 * within its segment.  Decoding times are computed again, as the index of the packet minus the
 * largest reordering delay of all segments, so that they increase by one from packet to packet over
 * the whole film.  The sound is encoded here.  All segments are verified before anything is
 * written. DIAG_INCOMPLETE: a segment is missing, damaged or encoded with other options, or frames
 * are missing or duplicate.
 */
bool video_segment_join(const SinkOptions *options, const char *const *segments, size_t count,
                        const volatile sig_atomic_t *stop, Diag *diag);
