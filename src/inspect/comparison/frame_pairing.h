/*
 * frame_pairing.h - the frames of two sources in pairs
 *
 * Frames are paired by number if the files of both sources are numbered, else by order
 * (frame_source.h).  With numbers, a frame that only one of them has is counted and skipped.
 */
#ifndef INSPECT_COMPARISON_FRAME_PAIRING_H
#define INSPECT_COMPARISON_FRAME_PAIRING_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "inspect/comparison/frame_source.h"

typedef struct FramePairing {
    FrameSource *source_a, *source_b;
    const volatile sig_atomic_t *stop; /* or NULL */
    const Frame *a, *b;                /* the pair; NULL after the last one */
    int64_t only_a, only_b;            /* frames without a partner so far */
    bool next_a, next_b;               /* which are read next */
} FramePairing;

FramePairing frame_pairing_init(FrameSource *a, FrameSource *b, const volatile sig_atomic_t *stop);

/* Reads the next pair.  False after an error, or after *stop became nonzero. */
bool frame_pairing_next(FramePairing *pairing, Diag *diag);

#endif
