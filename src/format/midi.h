/*
 * midi.h - standard MIDI files: the notes of a song, in seconds
 *
 * Formats 0 and 1; division by beats (with the tempo map of all tracks) or by SMPTE frames.  The
 * tracks are laid over each other into one list of notes; of all else, only tempo and the tracks'
 * names are kept.
 *
 * Times are counted in integers, so that each is the double nearest to its exact value, however
 * many changes of tempo lie before it.
 *
 * A note off ends the oldest open note of its track, channel and key; a note on of velocity 0 is a
 * note off.  Notes without an end last until the end of their track, with a warning.
 *
 * Errors and warnings name the byte, counted from 0 at the start of the file.
 */
#ifndef FORMAT_MIDI_H
#define FORMAT_MIDI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"

enum {
    MIDI_CHANNELS = 16,
    MIDI_KEYS = 128,
    MIDI_PERCUSSION = 9, /* the channel that people call 10: its keys are drums */
    MIDI_MAX_SECONDS = 4 * 3600,
    MIDI_MAX_SIZE = 16 << 20 /* bytes of a file that are worth reading */
};

typedef struct MidiNote {
    double start_s, end_s; /* from the song's start; end >= start */
    uint16_t track;
    uint8_t channel;  /* 0..15 */
    uint8_t key;      /* 0..127; 69 is 440 Hz, 12 are an octave */
    uint8_t velocity; /* 1..127 */
} MidiNote;

typedef struct MidiTempo {
    double start_s;
    uint32_t beat_us; /* microseconds a quarter note: 60e6 / beat_us beats a minute */
} MidiTempo;

typedef struct MidiTrack {
    const char *name; /* UTF-8, "" for none; bytes that are not UTF-8 are taken for CP932 */
    uint32_t note_count;
    uint16_t channels; /* bit c: it has notes on channel c */
} MidiTrack;

typedef struct MidiSong {
    int format;                             /* 0, 1 */
    unsigned ticks_per_beat;                /* 0 under SMPTE, which has no beats; then: */
    unsigned frames_per_s, ticks_per_frame; /* 24, 25, 29 (that is 30000/1001) or 30 */
    MidiTrack *tracks;
    size_t track_count;
    MidiTempo *tempos; /* rising; the first at 0; each differs from the last; none under SMPTE */
    size_t tempo_count;
    MidiNote *notes; /* by start, channel, key, track, end, velocity */
    size_t note_count;
    double length_s; /* end of the longest track, at most MIDI_MAX_SECONDS */
} MidiSong;

bool midi_load(MidiSong *song, Bytes bytes, Arena *arena, Diag *diag);

/* Does a song keep what is said above?  Tells the first thing that it does not.  For tests. */
bool midi_check(const MidiSong *song, Diag *diag);

#endif
