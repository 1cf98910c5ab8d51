/*
 * video_join.h - joins the segments of a film
 *
 * Packets are copied from the segments to the film's container without encoding.  A frame keeps its
 * presentation time within its segment.  Decoding times are computed again, as the index of the
 * packet minus the largest reordering delay of all segments, so that they increase by one from
 * packet to packet over the whole film.  The sound is encoded here.
 */
#pragma once

#include <signal.h>

#include "base/diag.h"
#include "output/sink.h"

/*
 * As SinkSegments.join; options.frame_count must be known.  All segments are verified before
 * anything is written.  DIAG_INCOMPLETE: a segment is missing, damaged or encoded with other
 * options, or frames are missing or duplicate.
 */
bool video_join(const SinkOptions *options, const char *const *segments, size_t count,
                const volatile sig_atomic_t *stop, Diag *diag);
