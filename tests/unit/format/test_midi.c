// SPDX-License-Identifier: MIT
/* MIDI files written byte by byte, with times computed by hand; errors report the byte */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asset_check.h"
#include "diag_log.h"
#include "format/midi_write.h"
#include "midi_fixture.h"
#include "shared_data.h"
#include "unit_test.h"

typedef struct Bench {
    Arena *arena;
    DiagLog log;
} Bench;

static int set_up(void **state)
{
    Bench *bench = calloc(1, sizeof *bench);
    bench->arena = arena_create();
    diag_log_init(&bench->log);
    *state = bench;
    return 0;
}

static int tear_down(void **state)
{
    Bench *bench = *state;
    arena_destroy(bench->arena);
    free(bench);
    return 0;
}

static bool load(Bench *bench, MidiSong *song, const ByteList *bytes)
{
    diag_log_init(&bench->log);
    return midi_load(song, (Bytes){bytes->data, bytes->size}, bench->arena, &bench->log.diag) &&
           midi_check(song, &bench->log.diag);
}

/* ---- check ---- */

/* Each value that midi.h excludes is found by midi_check; those at the limits are allowed. */
static void test_check(void **state)
{
    (void)state;
    enum { CASES = 19 };
    for (int i = 0; i <= CASES; i++) {
        MidiNote n[] = {{0, 2, 0, 0, 0, 1}, {1, 2, 1, 15, 127, 127}};
        MidiTempo tempos[] = {{0, 500000}, {1, 400000}};
        MidiTrack tracks[] = {{"a", 1, 1}, {"b", 1, 1u << 15}};
        MidiSong song = {.tracks = tracks,
                         .track_count = 2,
                         .tempos = tempos,
                         .tempo_count = 2,
                         .notes = n,
                         .note_count = 2,
                         .length_s = MIDI_MAX_SECONDS};
        DiagLog log;
        /* clang-format off */
        switch (i) {
        case 0: song.length_s = MIDI_MAX_SECONDS + 1; break;
        case 1: song.length_s = -1; break;
        case 2: n[0].start_s = -1; break;
        case 3: n[0].end_s = -1; break;
        case 4: n[1].end_s = MIDI_MAX_SECONDS + 1; break;
        case 5: n[1].channel = 16; break;
        case 6: n[1].key = 128; break;
        case 7: n[0].velocity = 0; break;
        case 8: n[1].velocity = 128; break;
        case 9: n[1].track = 2; break;
        case 10: n[0].start_s = 1.5; break;
        case 11: n[0] = (MidiNote){1, 2, 1, 15, 127, 128}; break;
        case 12: n[0] = (MidiNote){1, 3, 1, 15, 127, 127}; break;
        case 13: n[1] = (MidiNote){0, 1, 0, 0, 0, 1}; break;
        case 14: tempos[0].start_s = 1; break;
        case 15: tempos[1].start_s = -1; break;
        case 16: tracks[1].name = "\xFF"; break;
        case 17: tracks[1].note_count = 2; break;
        case 18: n[0] = (MidiNote){1, 2, 1, 15, 127, 127}; n[1].key = 126; break;
        default: break;
        }
        /* clang-format on */
        diag_log_init(&log);
        if (midi_check(&song, &log.diag) != (i == CASES))
            fail_msg("case %d: '%s'", i, log.text);
    }
}

/* ---- notes ---- */

typedef struct Row {
    const char *what;
    unsigned division;
    const char *tracks[3]; /* events, with the end of the track */
    size_t sizes[3];
    const char *warning; /* the warning, or "" */
    double length_s;
    struct {
        double start_s, end_s;
        int channel, key, velocity;
    } notes[5]; /* up to the first with velocity 0 */
} Row;

#define END "\0\xFF\x2F\0"
#define TRACK(text)          \
    {text END},              \
    {                        \
        sizeof(text END) - 1 \
    }

static const Row rows[] = {
    /* 96 ticks per beat of 0.5 s */
    {"one note", 96, TRACK("\0\x90\x45\x40\x60\x80\x45\x40"), "", 0.5, {{0, 0.5, 0, 69, 64}}},
    {"running status, and velocity 0 as note off",
     96,
     TRACK("\0\x93\x3C\x40\x60\x3C\0\0\x3E\x41\x30\x3E\0"),
     "",
     0.75,
     {{0, 0.5, 3, 60, 64}, {0.5, 0.75, 3, 62, 65}}},
    /* 81 00 is 128 ticks, 82 80 00 is 32768 */
    {"numbers of two and three bytes",
     128,
     TRACK("\x81\0\x90\x3C\x40\x82\x80\0\x80\x3C\0"),
     "",
     128.5,
     {{0.5, 128.5, 0, 60, 64}}},
    /* 1 s per beat after the first beat: the note lasts 0.5 s + 1 s */
    {"a change of tempo within a note",
     96,
     TRACK("\0\x90\x3C\x40\x60\xFF\x51\3\x0F\x42\x40\x60\x80\x3C\0"),
     "",
     1.5,
     {{0, 1.5, 0, 60, 64}}},
    {"tempo before the first note",
     480,
     TRACK("\0\xFF\x51\3\x03\xD0\x90\x83\x60\x90\x3C\x40\x83\x60\x80\x3C\0"),
     "",
     0.5,
     {{0.25, 0.5, 0, 60, 64}}},
    {"of two tempos at one tick the later counts",
     96,
     TRACK("\0\xFF\x51\3\x0F\x42\x40\0\xFF\x51\3\x03\xD0\x90\0\x90\x3C\x40\x60\x80\x3C\0"),
     "",
     0.25,
     {{0, 0.25, 0, 60, 64}}},
    /* E7 28: 25 frames of 40 ticks, 1 ms each; tempo events have no effect */
    {"SMPTE, 25 frames",
     0xE728,
     TRACK("\0\xFF\x51\3\x0F\x42\x40\x0A\x90\x3C\x40\x64\x80\x3C\0"),
     "",
     0.11,
     {{0.01, 0.11, 0, 60, 64}}},
    /* E3: 29.97 frames; 100 ticks per frame; 3000 ticks are 30 frames of 1001/30000 s */
    {"SMPTE, 30000/1001 frames",
     0xE364,
     TRACK("\0\x90\x3C\x40\x97\x38\x80\x3C\0"),
     "",
     1.001,
     {{0, 1.001, 0, 60, 64}}},
    /* 30 frames of 60 ticks: 1800 ticks; 24 frames of 10: 240 ticks */
    {"SMPTE, 30 frames",
     0xE23C,
     TRACK("\0\x90\x3C\x40\x8E\x08\x80\x3C\0"),
     "",
     1,
     {{0, 1, 0, 60, 64}}},
    {"SMPTE, 24 frames",
     0xE80A,
     TRACK("\0\x90\x3C\x40\x81\x70\x80\x3C\0"),
     "",
     1,
     {{0, 1, 0, 60, 64}}},
    {"the same key twice at a time: first begun, first ended",
     96,
     TRACK("\0\x90\x3C\x40\x30\x3C\x41\x30\x3C\0\x30\x3C\0"),
     "",
     0.75,
     {{0, 0.5, 0, 60, 64}, {0.25, 0.75, 0, 60, 65}}},
    {"one key in two channels",
     96,
     TRACK("\0\x90\x3C\x40\0\x91\x3C\x41\x30\x80\x3C\0\x30\x81\x3C\0"),
     "",
     0.5,
     {{0, 0.25, 0, 60, 64}, {0, 0.5, 1, 60, 65}}},
    {"an end without a note",
     96,
     TRACK("\0\x80\x3C\0\0\x90\x3C\x40\x60\x3C\0"),
     "",
     0.5,
     {{0, 0.5, 0, 60, 64}}},
    {"a note without an end",
     96,
     TRACK("\0\x90\x3C\x40\x60\xB0\x07\x7F"),
     "warning: a.mid: track 0: byte 34: 1 notes have no end; they end with the track\n",
     0.5,
     {{0, 0.5, 0, 60, 64}}},
    {"all events that are ignored",
     96,
     TRACK("\0\xC0\5\0\xD0\1\0\xE0\0\x40\0\xB0\1\2\0\xA0\x3C\1\0\xF0\3\x43\1\xF7\0\xF7\2\1\2"
           "\0\xFF\1\2hi\0\x90\x3C\x40\x60\x80\x3C\0"),
     "",
     0.5,
     {{0, 0.5, 0, 60, 64}}},
    {"running status over a meta event",
     96,
     TRACK("\0\x90\x3C\x40\0\xFF\1\0\x60\x3C\0"),
     "warning: a.mid: track 0: byte 31: running status continues after a meta or exclusive event\n",
     0.5,
     {{0, 0.5, 0, 60, 64}}},
    {"tempo in a track of its own, notes of two tracks merged",
     96,
     {"\x60\xFF\x51\3\x0F\x42\x40" END, "\0\x91\x3C\x40\x81\x40\x81\x3C\0" END,
      "\x60\x90\x3C\x41\x60\x80\x3C\0" END},
     {11, 13, 12},
     "",
     1.5,
     {{0, 1.5, 1, 60, 64}, {0.5, 1.5, 0, 60, 65}}},
    {"a tempo of 0",
     96,
     TRACK("\0\xFF\x51\3\0\0\0\0\x90\x3C\x40\x60\x80\x3C\0"),
     "warning: a.mid: track 0: byte 23: tempo of 0 us per beat is ignored\n",
     0.5,
     {{0, 0.5, 0, 60, 64}}},
    {"no end of track",
     96,
     {"\0\x90\x3C\x40\x60\x80\x3C\0"},
     {8},
     "warning: a.mid: track 0: byte 30: track has no end-of-track event\n",
     0.5,
     {{0, 0.5, 0, 60, 64}}},
    {"more behind the end",
     96,
     {"\0\x90\x3C\x40\x60\x80\x3C\0" END "abc"},
     {15},
     "warning: a.mid: track 0: byte 34: 3 bytes after the end of the track are ignored\n",
     0.5,
     {{0, 0.5, 0, 60, 64}}},
};

static ByteList *write_row(Bench *bench, const Row *row)
{
    ByteList *bytes = arena_array(bench->arena, ByteList, 1);
    unsigned count = 0;
    while (count < 3 && row->tracks[count])
        count++;
    midi_put_header(bytes, count > 1, count, row->division);
    for (unsigned i = 0; i < count; i++)
        midi_put_track(bytes, row->tracks[i], row->sizes[i]);
    return bytes;
}

static void compare_notes(const Row *row, const MidiSong *song)
{
    size_t count = 0;
    while (count < 5 && row->notes[count].velocity)
        count++;
    if (song->note_count != count || fabs(song->length_s - row->length_s) > 1e-12)
        fail_msg("%s: %zu notes, %g s", row->what, song->note_count, song->length_s);
    for (size_t i = 0; i < count; i++) {
        const MidiNote *n = &song->notes[i];
        if (fabs(n->start_s - row->notes[i].start_s) > 1e-12 ||
            fabs(n->end_s - row->notes[i].end_s) > 1e-12 || n->channel != row->notes[i].channel ||
            n->key != row->notes[i].key || n->velocity != row->notes[i].velocity)
            fail_msg("%s: note %zu is %g..%g, channel %d, key %d, velocity %d", row->what, i,
                     n->start_s, n->end_s, n->channel, n->key, n->velocity);
    }
}

static void test_notes(void **state)
{
    Bench *bench = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        MidiSong song;
        const ByteList *bytes = write_row(bench, &rows[i]);
        diag_log_init(&bench->log);
        diag_file(&bench->log.diag, "a.mid");
        if (!midi_load(&song, (Bytes){bytes->data, bytes->size}, bench->arena, &bench->log.diag) ||
            !midi_check(&song, &bench->log.diag) || strcmp(bench->log.text, rows[i].warning) != 0)
            fail_msg("%s: %s", rows[i].what, bench->log.text);
        compare_notes(&rows[i], &song);
    }
}

/* 1000 beats of 333333 us with a tempo event each: no rounding errors accumulate. */
static void test_tempo_is_exact(void **state)
{
    Bench *bench = *state;
    ByteList *bytes = arena_array(bench->arena, ByteList, 1),
             *track = arena_array(bench->arena, ByteList, 1);
    MidiSong song;

    for (int i = 0; i < 1000; i++) { /* alternating tempos, so that each one is used */
        const unsigned us = i % 2 ? 333332 : 333334;
        bytes_u8(track, i ? 7 : 0); /* 7 ticks per beat */
        midi_put_be(track, 0xFF5103, 3);
        midi_put_be(track, us, 3);
    }
    const char last[] = "\7\x90\x3C\x40\7\x80\x3C\0" END;
    for (size_t i = 0; i < sizeof last - 1; i++)
        bytes_u8(track, (uint8_t)last[i]);
    midi_put_header(bytes, 0, 1, 7);
    midi_put_track(bytes, (const char *)track->data, track->size);
    if (!load(bench, &song, bytes))
        fail_msg("%s", bench->log.text);
    assert_int_equal(song.tempo_count, 1000);
    assert_true(song.notes[0].start_s == 333.333);
    assert_true(song.notes[0].end_s == 333.666332);
}

/* UTF-8 if it is valid, else Latin-1 if bytes from A0 on are alone, else CP932. */
static void test_names(void **state)
{
    static const struct {
        const char *events;
        size_t size;
        const char *name;
    } tracks[] = {
        {"\0\xFF\3\6Fl\xC3\xB6te" END, 14, "Flöte"},
        {"\0\xFF\3\5Fl\xF6te" END, 13, "Flöte"},
        {"\0\xFF\3\6P\xE9 dal" END, 14, "Pé dal"},
        {"\0\xFF\3\4\xCB\xDF\xB1\xC9" END, 12, "ﾋﾟｱﾉ"},
        {"\0\xFF\3\4\x97\x78\x82\xE8" END, 12, "踊り"},
    };
    Bench *bench = *state;

    for (size_t i = 0; i < sizeof tracks / sizeof *tracks; i++) {
        ByteList *bytes = arena_array(bench->arena, ByteList, 1);
        MidiSong song;

        midi_put_header(bytes, 0, 1, 96);
        midi_put_track(bytes, tracks[i].events, tracks[i].size);
        if (!load(bench, &song, bytes))
            fail_msg("row %zu: %s", i, bench->log.text);
        assert_string_equal(song.tracks[0].name, tracks[i].name);
    }
}

static void test_song_properties(void **state)
{
    Bench *bench = *state;
    ByteList *bytes = arena_array(bench->arena, ByteList, 1);
    MidiSong song;
    static const char lead[] =
        "\0\xFF\3\4Lead\0\x90\x3C\x40\0\x99\x24\x40\x60\x80\x3C\0\0\x89\x24\0" END;
    static const char kanji[] =
        "\0\xFF\3\4\x97\x78\x82\xE8\0\xFF\3\1x" END; /* CP932; the first name is used */

    midi_put_header(bytes, 1, 2, 96);
    bytes_text(bytes, "XFIH", 4); /* an unknown chunk */
    midi_put_be(bytes, 3, 4);
    bytes_zeros(bytes, 3);
    midi_put_track(bytes, lead, sizeof lead - 1);
    midi_put_track(bytes, kanji, sizeof kanji - 1);
    if (!load(bench, &song, bytes) || bench->log.used)
        fail_msg("%s", bench->log.text);
    assert_int_equal(song.format, 1);
    assert_int_equal(song.ticks_per_beat, 96);
    assert_int_equal(song.track_count, 2);
    assert_string_equal(song.tracks[0].name, "Lead");
    assert_string_equal(song.tracks[1].name, "踊り");
    assert_int_equal(song.tracks[0].note_count, 2);
    assert_int_equal(song.tracks[1].note_count, 0);
    assert_int_equal(song.tracks[0].channels, 1 | 1 << MIDI_PERCUSSION);
    assert_int_equal(song.tempo_count, 1);
    assert_int_equal(song.tempos[0].beat_us, 500000);
}

/* ---- damaged files ---- */

static void test_damage(void **state)
{
    Bench *bench = *state;
    static const struct {
        const char *what, *bytes;
        size_t size;
        const char *warning;
    } broken[] = {
#define HEADER "MThd\0\0\0\6\0\0\0\1\0\x60"
#define FILE_OF(text) text, sizeof(text) - 1
        {"empty", FILE_OF(""), "byte 0: not a MIDI file: it does not start with 'MThd'"},
        {"another kind", FILE_OF("RIFF\0\0\0\0WAVE"),
         "byte 0: not a MIDI file: it does not start with 'MThd'"},
        {"header cut", FILE_OF("MThd\0\0\0\6\0\0\0\1\0"),
         "byte 4: header size 6 out of range (6..5)"},
        {"header short", FILE_OF("MThd\0\0\0\5\0\0\0\1\0\x60"),
         "byte 4: header size 5 out of range (6..6)"},
        {"format 2", FILE_OF("MThd\0\0\0\6\0\2\0\1\0\x60MTrk\0\0\0\0"),
         "byte 8: format 2 is not supported (0, 1)"},
        {"no tracks", FILE_OF("MThd\0\0\0\6\0\1\0\0\0\x60"), "byte 10: the file has no tracks"},
        {"many tracks", FILE_OF("MThd\0\0\0\6\0\1\xFF\xFF\0\x60MTrk\0\0\0\0"),
         "byte 10: number of tracks 65535 out of range (1..1)"},
        {"no ticks", FILE_OF("MThd\0\0\0\6\0\0\0\1\0\0MTrk\0\0\0\0"),
         "byte 12: 0 ticks per beat are out of range (1..32767)"},
        {"frame rate", FILE_OF("MThd\0\0\0\6\0\0\0\1\xEA\1MTrk\0\0\0\0"),
         "byte 12: 22 frames per second are not supported (24, 25, 29, 30)"},
        {"23 frames", FILE_OF("MThd\0\0\0\6\0\0\0\1\xE9\1MTrk\0\0\0\0"),
         "byte 12: 23 frames per second are not supported (24, 25, 29, 30)"},
        {"28 frames", FILE_OF("MThd\0\0\0\6\0\0\0\1\xE4\1MTrk\0\0\0\0"),
         "byte 12: 28 frames per second are not supported (24, 25, 29, 30)"},
        {"31 frames", FILE_OF("MThd\0\0\0\6\0\0\0\1\xE1\1MTrk\0\0\0\0"),
         "byte 12: 31 frames per second are not supported (24, 25, 29, 30)"},
        {"no ticks a frame", FILE_OF("MThd\0\0\0\6\0\0\0\1\xE8\0MTrk\0\0\0\0"),
         "byte 13: 0 ticks per frame are out of range (1..255)"},
        {"track too long", FILE_OF(HEADER "MTrk\0\0\0\5\0\xFF\x2F\0"),
         "track 0: byte 18: chunk of 5 bytes exceeds the 4 left"},
        {"track missing", FILE_OF(HEADER "abcd\0\0\0\4\0\xFF\x2F\0"),
         "track 0: byte 26: file ends before the track"},
        {"number too long", FILE_OF(HEADER "MTrk\0\0\0\5\x81\x81\x81\x81\0"),
         "track 0: byte 22: number has more than 4 bytes"},
        {"number cut", FILE_OF(HEADER "MTrk\0\0\0\1\x81"),
         "track 0: byte 22: track ends inside a number"},
        {"event missing", FILE_OF(HEADER "MTrk\0\0\0\1\0"),
         "track 0: byte 23: track ends before an event"},
        {"event cut", FILE_OF(HEADER "MTrk\0\0\0\3\0\x90\x3C"),
         "track 0: byte 25: track ends inside an event"},
        {"meta cut", FILE_OF(HEADER "MTrk\0\0\0\2\0\xFF"),
         "track 0: byte 23: track ends inside an event"},
        {"data first", FILE_OF(HEADER "MTrk\0\0\0\3\0\x3C\x40"),
         "track 0: byte 23: track starts with data byte 0x3C"},
        {"no data", FILE_OF(HEADER "MTrk\0\0\0\4\0\x90\x3C\x80"),
         "track 0: byte 25: 0x80 is not a data byte (0..0x7F) of event 0x90"},
        {"a clock of a wire", FILE_OF(HEADER "MTrk\0\0\0\2\0\xF8"),
         "track 0: byte 23: 0xF8 is not an event of a MIDI file"},
        {"meta too long", FILE_OF(HEADER "MTrk\0\0\0\5\0\xFF\1\2x"),
         "track 0: byte 25: event of 2 bytes exceeds the 1 left in the track"},
        {"exclusive too long", FILE_OF(HEADER "MTrk\0\0\0\5\0\xF0\x8F\x7F\0"),
         "track 0: byte 24: event of 2047 bytes exceeds the 1 left in the track"},
        {"tempo of two bytes", FILE_OF(HEADER "MTrk\0\0\0\6\0\xFF\x51\2\1\1"),
         "track 0: byte 23: tempo event of 2 bytes (expected 3)"},
        /* 4 hours are 28800 beats, 2764800 ticks: 81 A8 E0 00; and one more */
        {"too long", FILE_OF(HEADER "MTrk\0\0\0\7\x81\xA8\xE0\1\xFF\x2F\0"),
         "byte 29: song is longer than 4 hours"},
    };
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        MidiSong song;
        char warning[256];
        snprintf(warning, sizeof warning, "error: a.mid: %s\n", broken[i].warning);
        diag_log_init(&bench->log);
        diag_file(&bench->log.diag, "a.mid");
        if (midi_load(&song, (Bytes){(const uint8_t *)broken[i].bytes, broken[i].size},
                      bench->arena, &bench->log.diag) ||
            strcmp(bench->log.text, warning) != 0)
            fail_msg("%s: %s", broken[i].what, bench->log.text);
    }
}

/* ---- writing ---- */

static void test_written_song_loads(void **state)
{
    Bench *bench = *state;
    static const MidiBeatNote notes[] = {
        {0, 1, 0, 60, 64}, {1, 0.5, 0, 60, 1}, {0.25, 300, 9, 127, 127}, {400, 0.1, 15, 0, 5}};
    static const MidiNote wanted[] = {/* 0.4 s per beat */
                                      {0, 0.4, 0, 0, 60, 64},
                                      {0.1, 120.1, 0, 9, 127, 127},
                                      {0.4, 0.6, 0, 0, 60, 1},
                                      {160, 160.04, 0, 15, 0, 5}};
    MidiSong song;
    diag_log_init(&bench->log);
    const Bytes bytes = midi_write(notes, 4, 400000, bench->arena);
    if (!midi_load(&song, bytes, bench->arena, &bench->log.diag) || bench->log.used)
        fail_msg("%s", bench->log.text);
    assert_int_equal(song.note_count, 4);
    for (size_t i = 0; i < 4; i++) {
        const MidiNote *n = &song.notes[i], *w = &wanted[i];
        if (fabs(n->start_s - w->start_s) > 1e-12 || fabs(n->end_s - w->end_s) > 1e-12 ||
            n->channel != w->channel || n->key != w->key || n->velocity != w->velocity)
            fail_msg("note %zu is %g..%g, key %d", i, n->start_s, n->end_s, n->key);
    }
}

/* The bytes by the Standard MIDI File: at one tick, ends come first, then low keys; a status that
 * repeats is not written again. */
static void test_written_bytes(void **state)
{
    Bench *bench = *state;
    static const MidiBeatNote notes[] = {
        {1, 1, 0, 62, 10}, {0, 1, 0, 60, 100}, {1, 1, 0, 61, 90}, {2, 300, 9, 35, 127}};
    /* clang-format off */
    static const uint8_t expected[] = {
        'M', 'T', 'h', 'd', 0, 0, 0, 6, 0, 0, 0, 1, 480 >> 8, 480 & 0xFF,
        'M', 'T', 'r', 'k', 0, 0, 0, 41,
        0, 0xFF, 0x51, 3, 0x07, 0xA1, 0x20, /* 500000 us */
        0, 0x90, 60, 100,
        0x83, 0x60, 60, 0,                  /* 480 = 3 * 128 + 96 */
        0, 61, 90,
        0, 62, 10,
        0x83, 0x60, 61, 0,
        0, 62, 0,
        0, 0x99, 35, 127,
        0x88, 0xE5, 0x00, 35, 0,            /* 144000 = 8 * 128^2 + 101 * 128 */
        0, 0xFF, 0x2F, 0,
    };
    /* clang-format on */
    const Bytes bytes = midi_write(notes, 4, 500000, bench->arena);
    assert_int_equal(bytes.size, sizeof expected);
    assert_memory_equal(bytes.data, expected, sizeof expected);
}

/* ---- real songs ---- */

/* Values computed by an independent program with exact fractions.  (One of the 18 tempo events
 * repeats the tempo before.) */
static void test_real_songs(void **state)
{
    Bench *bench = *state;
    static const struct {
        const char *file;
        size_t tracks, notes, tempos;
        double length_s, starts_s, ends_s; /* sums over all notes */
        unsigned keys;
    } songs[] = {
        {"audio-midi/be_sharp_bw_redfarn.mid", 5, 3701, 17, 139.3594051796875, 258775.70281219142,
         259494.7849989492, 189625},
        {"audio-midi/coconut_run2.mid", 6, 843, 1, 67.999932, 27154.4728455, 27329.1393375, 48128},
    };
    for (size_t i = 0; i < sizeof songs / sizeof *songs; i++) {
        MidiSong song;
        Bytes bytes;
        double starts = 0, ends = 0;
        unsigned keys = 0;
        if (!shared_data_load(&bytes, songs[i].file, bench->arena))
            skip();
        diag_log_init(&bench->log);
        if (!midi_load(&song, bytes, bench->arena, &bench->log.diag) || bench->log.used ||
            !midi_check(&song, &bench->log.diag))
            fail_msg("%s: %s", songs[i].file, bench->log.text);
        for (size_t n = 0; n < song.note_count; n++) {
            starts += song.notes[n].start_s;
            ends += song.notes[n].end_s;
            keys += song.notes[n].key;
        }
        assert_int_equal(song.track_count, songs[i].tracks);
        assert_int_equal(song.note_count, songs[i].notes);
        assert_int_equal(song.tempo_count, songs[i].tempos);
        assert_int_equal(keys, songs[i].keys);
        if (song.length_s != songs[i].length_s || fabs(starts - songs[i].starts_s) > 1e-6 ||
            fabs(ends - songs[i].ends_s) > 1e-6)
            fail_msg("%s: %.10f s, %.6f, %.6f", songs[i].file, song.length_s, starts, ends);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_check),
        cmocka_unit_test_setup_teardown(test_notes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_tempo_is_exact, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_names, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_song_properties, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_damage, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_written_song_loads, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_written_bytes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_real_songs, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
