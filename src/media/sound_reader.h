// SPDX-License-Identifier: MIT
/*
 * sound_reader.h - reads the sound of a finished video in order and reports any damage
 *
 * Samples are 32-bit float, interleaved, with the rate and the channels of the file.  Those before
 * the first frame of the video, which are the priming of some encoders, are skipped.  Not
 * thread-safe.
 */
#ifndef MEDIA_SOUND_READER_H
#define MEDIA_SOUND_READER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"

typedef struct SoundReader SoundReader;

typedef struct SoundFormat {
    int rate, channels;
    double start_s; /* time of the first sample from the first frame of the video on; 0 or more */
} SoundFormat;

/* NULL after an error, with the file as its position: DIAG_MISSING, DIAG_DATA. */
SoundReader *sound_reader_open(const char *file, Diag *diag);
void sound_reader_close(SoundReader *reader); /* may be NULL */

SoundFormat sound_reader_format(const SoundReader *reader);

/* The next samples, valid until the next call; *frames is 0 at the end. */
bool sound_reader_read(const float **samples, size_t *frames, SoundReader *reader, Diag *diag);

#endif
