/*
 * video_reader.h - every picture of a finished video, one after another, strictly
 *
 * Unlike a Clip, which plays on past damage, a Reel tells it: a packet that cannot be decoded, a
 * picture with errors in it, an end that comes too early.  What it has passed stands in its facts,
 * complete when the end was reached.  Sound is measured by its packets and not decoded.
 */
#ifndef MEDIA_VIDEO_READER_H
#define MEDIA_VIDEO_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/image.h"

typedef struct VideoInfo {
    int width, height;
    double fps;        /* as the file says; 0: it does not */
    int64_t frames;    /* passed so far */
    double video_s;    /* from the first to the end of the last */
    double sound_s;    /* the same of the sound; -1: there is none */
    double declared_s; /* of the longer of the two, as the file says at its start; 0: it does not */
} VideoInfo;

typedef struct VideoReader VideoReader;

/* NULL after an error, with the file as its place: DIAG_MISSING, DIAG_DATA. */
VideoReader *video_reader_open(const char *file, int threads, Diag *diag);
void video_reader_close(VideoReader *reader); /* NULL is fine */

/* The next picture, R G B and opaque, valid until the next call; *image NULL: there is no more. */
bool video_reader_read(const Image **image, VideoReader *reader, Diag *diag);

/* The same, without turning it into R G B. */
bool video_reader_advance(bool *more, VideoReader *reader, Diag *diag);

VideoInfo video_reader_info(const VideoReader *reader);

#endif
