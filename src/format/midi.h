// SPDX-License-Identifier: MIT
/*
 * midi.h - standard MIDI files: the notes of a song, in seconds
 *
 * Formats 0 and 1; division by beats (with the tempo changes of all tracks) or by SMPTE frames. The
 * notes of all tracks are merged into one list; of the other events only tempo and track names are
 * kept.
 *
 * Times are computed in integers, so that each is the double nearest to its exact value,
 * independent of the number of tempo changes before it.
 *
 * A note off ends the oldest open note of its track, channel and key; a note on of velocity 0 is a
 * note off.  Notes without an end last until the end of their track, with a warning.
 *
 * Errors and warnings name the byte, counted from 0 at the start of the file.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"

enum {
    MIDI_CHANNELS = 16,
    MIDI_KEYS = 128,
    MIDI_PERCUSSION = 9, /* channel 10 when counted from 1: its keys are drums */
    MIDI_MAX_SECONDS = 4 * 3600,
    MIDI_MAX_SIZE = 16 << 20 /* bytes of a file */
};

typedef struct MidiNote {
    double start_s, end_s; /* from the song's start; end >= start */
    uint16_t track;
    uint8_t channel;  /* 0..15 */
    uint8_t key;      /* 0..127; 69 is 440 Hz, 12 keys are an octave */
    uint8_t velocity; /* 1..127 */
} MidiNote;

typedef struct MidiTempo {
    double start_s;
    uint32_t beat_us; /* microseconds per quarter note: 60e6 / beat_us beats per minute */
} MidiTempo;

typedef struct MidiTrack {
    const char *name; /* UTF-8, "" if there is none; other bytes are read as CP932 */
    uint32_t note_count;
    uint16_t channels; /* bit c: the track has notes on channel c */
} MidiTrack;

typedef struct MidiSong {
    int format;              /* 0, 1 */
    unsigned ticks_per_beat; /* 0 under SMPTE, which has no beats; then the next two: */
    unsigned frames_per_s, ticks_per_frame; /* 24, 25, 29 (that is 30000/1001) or 30 */
    MidiTrack *tracks;
    size_t track_count;
    MidiTempo *tempos; /* by time, first at 0; neighbors differ; none under SMPTE */
    size_t tempo_count;
    MidiNote *notes; /* sorted by start, channel, key, track, end, velocity */
    size_t note_count;
    double length_s; /* end of the longest track, at most MIDI_MAX_SECONDS */
} MidiSong;

/* `bytes` may be freed afterwards; the song is in the arena. */
bool midi_load(MidiSong *song, Bytes bytes, Arena *arena, Diag *diag);
