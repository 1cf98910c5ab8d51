// SPDX-License-Identifier: MIT
/*
 * sample_film.h - a short film with recognisable frames and sound, which a test writes by a
 * sink, decodes with libavcodec and compares with the input
 */
#ifndef SUPPORT_SAMPLE_FILM_H
#define SUPPORT_SAMPLE_FILM_H

#include <libavutil/frame.h>
#include <stdbool.h>

#include "base/diag.h"
#include "base/image.h"
#include "output/sink.h"

enum {
    FILM_WIDTH = 96,
    FILM_HEIGHT = 64,
    FILM_FRAMES = 20,
    FILM_FPS = 25,
    FILM_RATE = 48000,
    FILM_SAMPLES = FILM_FRAMES * FILM_RATE / FILM_FPS,
    FILM_CHIRP_AT = 20011 /* sample */
};

/* Three areas of one color side by side; the third changes with the frame.  Valid until the next
 * call. */
Image film_picture(int frame);

/* Fails the running test if a decoded frame differs by more than `tolerance`, in units of 1/255. */
void film_check_picture(const char *what, const AVFrame *frame, int number, double tolerance);

/* As long as the film, silent except for a chirp that starts at FILM_CHIRP_AT. */
SinkSound film_sound(int rate);

/* All "auto", high quality, one thread, no sound. */
SinkOptions film_options(const char *file);

/* Writes a film of frame_count frames, directly (length 0) or joined from segments of `length`
 * frames, which are removed. */
typedef Image FilmPicture(int frame);
bool film_make_of(FilmPicture *picture, const SinkOptions *options, int length, Diag *diag);

/* Writes the film of film_picture directly. */
bool film_make(const SinkOptions *options, Diag *diag);

/* Writes one segment of it, frames first to first + count - 1. */
bool film_make_segment(const SinkOptions *film, const char *segment, int first, int count,
                       Diag *diag);

/* The decoded sound of a film, first channel only. */
typedef struct FilmTrack {
    float samples[2 * FILM_RATE];
    long count;
    int rate, channels;
    double start; /* time of the first sample, seconds */
} FilmTrack;

void film_hear(FilmTrack *track, const char *path);
long film_find_chirp(const FilmTrack *track); /* start of the chirp, or -1 */

#endif
