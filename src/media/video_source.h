// SPDX-License-Identifier: MIT
/*
 * video_source.h - frames of a video file, by time
 *
 * The frame shown at a time does not depend on earlier calls: sequential reading, going back and
 * seeking to a key frame give the same result.  (Only files with an index, MP4 and Matroska, are
 * seeked; others are read from the start.)  Frames are scaled to the requested size by the exact
 * mode of swscale; alpha of the video is ignored.  One decoder with one thread; at most two decoded
 * frames are kept.  Not thread-safe; must be opened after a fork, not before.
 */
#pragma once

#include "base/diag.h"
#include "base/image.h"

typedef struct VideoSourceSpec {
    const char *file;
    int width, height; /* size of the frames returned, pixels */
    ImageFit fit;
    bool loop; /* repeat the video; else its last frame stays */
} VideoSourceSpec;

typedef struct VideoSource VideoSource;

/* NULL after an error, with the file as its position: DIAG_MISSING, DIAG_DATA. */
VideoSource *video_source_open(const VideoSourceSpec *spec, Diag *diag);
void video_source_close(VideoSource *source);

/* The frame shown at a time of the video, where 0 is that of its first frame, which is also shown
 * before it.  Valid until the next call; the bars of IMAGE_CONTAIN have alpha 0. */
bool video_source_read(const Image **image, VideoSource *source, double time_s, Diag *diag);
