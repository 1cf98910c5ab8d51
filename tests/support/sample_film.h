/*
 * sample_film.h - a small film whose pictures and sound can be recognised: a second's part of it is
 * made by a sink, read back by libavcodec and compared with what went in
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

/* Three flat fields beside each other; the third changes with the frame.  Valid until the next
 * call. */
Image film_picture(int frame);

/* Fails the running test when a decoded picture is not that of a frame, within a tolerance of
 * 1/255. */
void film_check_picture(const char *what, const AVFrame *frame, int number, double tolerance);

/* As long as the film, silent but for a swept tone that begins at FILM_CHIRP_AT. */
SinkSound film_sound(int rate);

/* All "auto", fine quality, one thread, no sound. */
SinkOptions film_options(const char *file);

/* Any film of frame_count pictures, at once (length 0) or in pieces of `length` pictures, which go
 * again. */
typedef Image FilmPicture(int frame);
bool film_make_of(FilmPicture *picture, const SinkOptions *options, int length, Diag *diag);

/* The film of film_picture, at once. */
bool film_make(const SinkOptions *options, Diag *diag);

/* One piece of it, pictures first to first + count - 1. */
bool film_make_piece(const SinkOptions *film, const char *piece, int first, int count, Diag *diag);

/* What a player hears of a film, first channel alone. */
typedef struct FilmTrack {
    float samples[2 * FILM_RATE];
    long count;
    int rate, channels;
    double start; /* time of the first sample, seconds */
} FilmTrack;

void film_hear(FilmTrack *track, const char *path);
long film_find_chirp(const FilmTrack *track); /* where the tone begins; -1: nowhere near */

#endif
