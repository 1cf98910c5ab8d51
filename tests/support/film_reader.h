// SPDX-License-Identifier: MIT
/*
 * film_reader.h - decodes a film frame by frame with libavcodec, as a player does
 */
#ifndef SUPPORT_FILM_READER_H
#define SUPPORT_FILM_READER_H

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct FilmReader {
    AVFormatContext *in;
    AVCodecContext *codec;
    int stream;
} FilmReader;

/* Fails the running test if the file cannot be opened.  decoder: a name, or NULL for the default.
 */
void film_reader_open(FilmReader *film, const char *path, const char *decoder);
void film_reader_close(FilmReader *film);

bool film_reader_next(FilmReader *film, AVFrame *frame);

/* One component of a pixel as stored, scaled to 8 bits. */
double film_reader_component(const AVFrame *frame, int c, int x, int y);

/* RGB (from BT.709 limited range, or as stored) and alpha (255 if absent), not rounded. */
void film_reader_pixel(double rgba[4], const AVFrame *frame, int x, int y);

#endif
