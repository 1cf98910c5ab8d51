/*
 * video_join.h - pieces of a film -> the film
 *
 * Packets go from the pieces to the film's container as they are.  A picture keeps its time within
 * its piece; the times of decoding are made anew: the number of the packet less the delay that the
 * pieces need, so that they rise without a gap over the whole film.  The sound is encoded here.
 */
#ifndef OUTPUT_VIDEO_JOIN_H
#define OUTPUT_VIDEO_JOIN_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "output/sink.h"

/*
 * As SinkSegments.join; options.frame_count must be known.  All pieces are looked at before
 * anything is written.  DIAG_INCOMPLETE: a piece is not there, damaged, encoded otherwise than the
 * options say, or pictures are missing or too many.
 */
bool video_join(const SinkOptions *options, const char *const *pieces, size_t count,
                const volatile sig_atomic_t *stop, Diag *diag);

#endif
