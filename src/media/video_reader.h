// SPDX-License-Identifier: MIT
/*
 * video_reader.h - reads all frames of a finished video in order and reports any damage
 *
 * Unlike a VideoSource, which conceals damage, a VideoReader reports it: packets that cannot be
 * decoded, frames with errors, an early end.  VideoInfo describes the part that was read, and is
 * complete at the end.  Sound is not decoded; its duration comes from its packets.  Not
 * thread-safe.
 */
#pragma once

#include "base/diag.h"
#include "base/image.h"

typedef struct VideoInfo {
    int width, height;
    double fps;        /* as declared by the file, or 0 */
    int64_t frames;    /* read so far */
    double video_s;    /* duration from the first frame read to the end of the last, seconds */
    double sound_s;    /* the same of the sound; -1 without sound */
    double declared_s; /* duration of the longer of both, as declared in the file header, or 0 */
} VideoInfo;

typedef struct VideoReader VideoReader;

/* NULL after an error, with the file as its position: DIAG_MISSING, DIAG_DATA. */
VideoReader *video_reader_open(const char *file, int threads, Diag *diag);
void video_reader_close(VideoReader *reader); /* may be NULL */

/* The next frame as opaque RGB, valid until the next call; *image is NULL at the end. */
bool video_reader_read(const Image **image, VideoReader *reader, Diag *diag);

/* The same without conversion to RGB; *more is false at the end. */
bool video_reader_advance(bool *more, VideoReader *reader, Diag *diag);

VideoInfo video_reader_info(const VideoReader *reader);
