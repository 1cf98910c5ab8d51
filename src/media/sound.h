// SPDX-License-Identifier: MIT
/*
 * sound.h - decodes sound files to samples, and cuts the part that belongs to a film
 *
 * WAV, FLAC, OGG/Opus, MP3, AAC/M4A and AIFF, read by libav (whitelisted demuxers and decoders, no
 * other files), as 32-bit float, interleaved, with one or two channels.  Memory is in the arena
 * given. sound_load_part changes global limits of libav while it runs and must not run in two
 * threads at once.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"

typedef struct Sound {
    float *samples; /* frames * channels */
    size_t frames;
    int channels; /* 1 or 2 */
    int rate;     /* Hz: 44100 if the file has that rate, else 48000 */
    size_t first; /* frames of the file before samples[0] */
} Sound;

typedef struct SoundPart {
    double first_s, end_s; /* seconds from the start of the file; end_s may be INFINITY */
    int rate;              /* Hz of the samples, 48000; 0: as described at Sound.rate */
} SoundPart;

/* Decodes a file up to the end of a part, at most 4 hours, and keeps at least the part: memory and
 * time depend on the film rather than on the file.  Damage after the part is not found.  Errors:
 * DIAG_MISSING, DIAG_DATA, DIAG_RESOURCE. */
bool sound_load_part(Sound *sound, const char *path, const SoundPart *part, Arena *arena,
                     Diag *diag);

/* The part of a sound that belongs to a film. */
typedef struct SoundCut {
    double start_s;  /* motion time of the first frame, seconds */
    double length_s; /* duration of the film, seconds */
    double offset_s; /* motion time of sample 0, seconds; may be negative */
    double gain_db;
    double fade_in_s, fade_out_s; /* at both ends of the film, linear in amplitude */
    double from_s, to_s;          /* part of the file that is heard; to_s 0: to its end */
    double own_in_s, own_out_s;   /* fades at both ends of that part, linear in amplitude */
} SoundCut;

/* A new sound of exactly round(length_s * rate) frames; silent outside the given sound. */
Sound sound_cut(const Sound *sound, const SoundCut *cut, Arena *arena);
