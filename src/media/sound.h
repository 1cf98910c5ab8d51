/*
 * sound.h - sound files to samples, laid under a range of frames
 *
 * Any file of the kinds WAV, FLAC, OGG/Opus, MP3, AAC/M4A that libav reads (whitelisted demuxers,
 * no other protocol than the file), as 32-bit float, interleaved, at most two channels.
 */
#ifndef MEDIA_SOUND_H
#define MEDIA_SOUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"

typedef struct Sound {
    float *samples; /* frames * channels */
    size_t frames;
    int channels; /* 1 or 2 */
    int rate;     /* Hz, 48000 unless the file says 44100 */
} Sound;

/* The whole file, decoded.  Errors DIAG_MISSING, DIAG_DATA. At most 4 h of sound. */
bool sound_load(Sound *sound, const char *path, Arena *arena, Diag *diag);

/* What of the sound belongs to a film. */
typedef struct SoundCut {
    double start_s;  /* time of the first picture, seconds of motion time */
    double length_s; /* length of the film */
    double offset_s; /* sound's sample 0 is heard at this motion time; may be negative */
    double gain_db;
    double fade_in_s, fade_out_s; /* at the film's ends, linear in amplitude */
} SoundCut;

/* A new sound of exactly round(length_s * rate) frames: silence where the file has none. */
Sound sound_cut(const Sound *sound, const SoundCut *cut, Arena *arena);

/* 16-bit PCM WAV to a file, for the demo and fixtures. */
bool sound_save_wav(const Sound *sound, const char *path, Diag *diag);

#endif
