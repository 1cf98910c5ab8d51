/*
 * played.h - decodes a film frame by frame with libavcodec, as a player does
 */
#ifndef SUPPORT_PLAYED_H
#define SUPPORT_PLAYED_H

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct Played {
    AVFormatContext *in;
    AVCodecContext *codec;
    int stream;
} Played;

/* Fails the running test if the file cannot be opened.  decoder: a name, or NULL for the default.
 */
void played_open(Played *film, const char *path, const char *decoder);
void played_close(Played *film);

bool played_next(Played *film, AVFrame *frame);

/* One component of a pixel as stored, scaled to 8 bits. */
double played_component(const AVFrame *frame, int c, int x, int y);

/* RGB (from BT.709 limited range, or as stored) and alpha (255 if absent), not rounded. */
void played_pixel(double rgba[4], const AVFrame *frame, int x, int y);

#endif
