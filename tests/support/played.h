/*
 * played.h - a film as a player sees it: decoded by libavcodec, picture by picture
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

/* Fails the running test when the file cannot be opened.  decoder: by name, or NULL for the usual.
 */
void played_open(Played *film, const char *path, const char *decoder);
void played_close(Played *film);

bool played_next(Played *film, AVFrame *frame);

/* One component of a pixel as stored, in steps of 8 bits. */
double played_component(const AVFrame *frame, int c, int x, int y);

/* R G B (by BT.709 in limited range, or as stored) and alpha (255 without), not rounded. */
void played_pixel(double rgba[4], const AVFrame *frame, int x, int y);

#endif
