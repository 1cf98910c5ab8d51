/*
 * video_source.h - the pictures of a video file, by their time
 *
 * What is shown at a time does not depend on what was asked for before: reading on, going back
 * and jumping to a key frame give the same picture.  (Jumps are made only in files with an index,
 * MP4 and Matroska; the others are read from their init.)  Pictures come in the size asked for,
 * scaled by swscale in its exact mode, alpha of the video is ignored.  One decoder, one thread; a
 * Clip holds two decoded pictures at most.  Open it after a fork, never before.
 */
#ifndef MEDIA_VIDEO_SOURCE_H
#define MEDIA_VIDEO_SOURCE_H

#include <stdbool.h>

#include "base/diag.h"
#include "base/image.h"

typedef struct VideoSourceSpec {
    const char *file;
    int width, height; /* of the pictures that come out */
    ImageFit fit;
    bool loop; /* after its end from its init again; else its last picture stays */
} VideoSourceSpec;

typedef struct VideoSource VideoSource;

/* NULL after an error, with the file as its placement: DIAG_MISSING, DIAG_DATA. */
VideoSource *video_source_open(const VideoSourceSpec *spec, Diag *diag);
void video_source_close(VideoSource *source);

/* The picture shown at a time of the video, 0 being its first picture, which is shown before it,
 * too. Valid until the next call; bars of IMAGE_CONTAIN have alpha 0. */
bool video_source_read(const Image **image, VideoSource *source, double time_s, Diag *diag);

#endif
