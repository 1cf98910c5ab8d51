// SPDX-License-Identifier: MIT
/*
 * video_restore.h - segments of a video, written again from the packets of the finished file
 *
 * Containers store packets in forms of their own: MP4 and Matroska put lengths in place of the
 * start codes of H.264 and H.265, and leave out the temporal delimiters of AV1.  A packet is
 * changed back until it has the size and the digest that were recorded for its frame; a segment of
 * which one packet has not is left out.  So a restored segment has the packets of the one that was
 * joined, whatever the file.  Not thread-safe.
 */
#pragma once

#include "output/sink.h"

/* As SinkSegments.restore. */
bool video_restore(const SinkOptions *options, const SinkPart *parts, size_t count,
                   const volatile sig_atomic_t *stop, Diag *diag);
