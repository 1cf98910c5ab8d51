// SPDX-License-Identifier: MIT
/*
 * frame_source.h - frames of a video, a directory, a pattern (out/%05d.png), an image or .exr file,
 * one after another or in pairs with those of another source
 *
 * Frames are read one after another, by ascending number.  The frames of a video are numbered from
 * 0, image files by the last digits of their names.  A single image, and files of which at least
 * one name has no number or two have the same, are numbered from 0 in the order of their names.
 */
#pragma once

#include <signal.h>

#include "base/diag.h"
#include "base/image.h"
#include "media/exr/exr_file.h"
#include "media/video_reader.h"

typedef struct FrameSource FrameSource;

/* NULL after an error was reported (DIAG_MISSING, DIAG_DATA). */
FrameSource *frame_source_open(const char *name, Diag *diag);
void frame_source_close(FrameSource *source); /* NULL is fine */

bool frame_source_is_numbered(const FrameSource *source); /* by file names */

bool frame_source_is_exr(const FrameSource *source); /* the frames are OpenEXR files */

/* The facts of a video, complete when its frames are; NULL for image files. */
const VideoInfo *frame_source_video(FrameSource *source);

typedef struct Frame {
    int64_t number;
    Image image;           /* 8 bits a channel; without pixels for an OpenEXR file */
    const uint16_t *words; /* R G B A of an image of 16 bits a channel; NULL for others */
    const ExrImage *exr;   /* image of an OpenEXR file, else NULL */
} Frame;

/* Its image and its number.  Error: OpenEXR files have no image (DIAG_USAGE). */
bool frame_source_read(const Image **image, int64_t *number, FrameSource *source, Diag *diag);

/*
 * The frames of two sources in pairs: by number if the files of both sources are numbered, else by
 * order.  With numbers, a frame that only one of them has is counted and skipped.
 */
typedef struct FramePairs {
    FrameSource *source_a, *source_b;
    const volatile sig_atomic_t *stop; /* or NULL */
    const Frame *a, *b;                /* the pair; NULL after the last one */
    int64_t only_a, only_b;            /* frames without a partner so far */
    bool next_a, next_b;               /* which are read next */
} FramePairs;

FramePairs frame_source_pair(FrameSource *a, FrameSource *b, const volatile sig_atomic_t *stop);

/* Reads the next pair.  False after an error, or after *stop became nonzero. */
bool frame_source_next_pair(FramePairs *pairs, Diag *diag);
