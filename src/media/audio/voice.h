// SPDX-License-Identifier: MIT
/*
 * voice.h - which vowels a voice sings, over time (media/audio/README.md 6)
 *
 * For a recording of one voice without instruments.  Each moment is compared with the resonances
 * that Japanese vowels have in the vocal tract; how long that of the speaker is, is found from the
 * whole recording.  The result depends on the samples only.
 */
#pragma once

#include "base/arena.h"
#include "media/sound.h"

typedef enum Vowel {
    VOWEL_A,
    VOWEL_I,
    VOWEL_U,
    VOWEL_E,
    VOWEL_O,
    VOWEL_N /* the closed mouth of a nasal consonant */
} Vowel;

enum { VOWELS = VOWEL_N + 1, VOICE_RATE = 60 /* moments per second */ };

typedef struct VoiceMoment {
    float vowels[VOWELS]; /* 0..1 each; their sum is how loud the voice is, 0 to 1 */
} VoiceMoment;

typedef struct Voice {
    VoiceMoment *moments; /* [count] the first one is at the start of the sound's file */
    size_t count;
    double voiced_s;    /* time with a vowel */
    double scale;       /* resonances of the voice / those of the table of men */
    double periodicity; /* 0..1: mean of the loud moments; less with instruments */
    double pauses;      /* part of the time that is quiet */
    bool alone;         /* whether these two are those of one voice without instruments */
} Voice;

Voice voice_analyze(const Sound *sound, Arena *arena);
