// SPDX-License-Identifier: MIT
/* the beeper: order, pitch and purity of the notes, compared with the theory of square waves */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "diag_log.h"
#include "media/audio/beep.h"
#include "midi_fixture.h"
#include "shared_data.h"
#include "unit_test.h"

static const double PI = 3.14159265358979323846;
static const BeepOptions plain = {.voices = 16, .slice_ms = 10.0};

typedef struct Bench {
    Arena *arena;
    DiagLog log;
} Bench;

static Bench bench_make(void)
{
    return (Bench){.arena = arena_create()};
}

/* A song of notes in order; its length is the last end. */
static MidiSong song_of(MidiNote *notes, size_t count)
{
    MidiSong song = {.notes = notes, .note_count = count};
    for (size_t i = 0; i < count; i++)
        song.length_s = fmax(song.length_s, notes[i].end_s);
    return song;
}

static double hertz(int key)
{
    return 440.0 * pow(2.0, (key - 69) / 12.0);
}

/* The pitch between two samples by its zero crossings, their times interpolated; those next to the
 * ends belong to jumps from note to note.  0: not enough of them. */
static double crossing_rate(const Sound *s, size_t from, size_t to)
{
    double first = 0, last = 0;
    int count = 0;
    for (size_t i = from + 2; i + 3 < to && i + 1 < s->frames; i++) {
        const double a = (double)s->samples[i], b = (double)s->samples[i + 1];
        if ((a < 0) == (b < 0))
            continue;
        last = (double)i + a / (a - b);
        if (!count++)
            first = last;
    }
    return count < 2 ? 0 : 0.5 * BEEP_RATE * (count - 1) / (last - first);
}

static void test_scale(void **state)
{
    (void)state;
    static const uint8_t keys[] = {57, 59, 60, 62, 64, 65, 67, 69, 71, 72, 84, 96, 108, 120, 127};
    Bench bench = bench_make();
    MidiNote notes[sizeof keys];
    for (size_t i = 0; i < sizeof keys; i++)
        notes[i] = (MidiNote){.start_s = 0.1 * (double)i,
                              .end_s = 0.1 * (double)i + 0.1,
                              .key = keys[i],
                              .velocity = 1};
    const MidiSong song = song_of(notes, sizeof keys);
    const Sound sound = beep_play(&song, &plain, 1e9, bench.arena);

    assert_int_equal(sound.rate, 48000);
    assert_int_equal(sound.channels, 1);
    for (size_t i = 0; i < sizeof keys; i++) {
        const double f = crossing_rate(&sound, 4800 * i, 4800 * (i + 1));
        if (fabs(f / hertz(keys[i]) - 1) > 0.001) /* a tenth of the specified tolerance */
            fail_msg("key %d sounds at %g Hz, not %g", keys[i], f, hertz(keys[i]));
    }
    arena_destroy(bench.arena);
}

/* ---- order of notes
 * ------------------------------------------------------------------------------
 */

typedef struct Row {
    const char *what;
    BeepOptions options;
    MidiNote notes[6]; /* velocity 0: none */
    int played[12];    /* key of each slice from 0 on; -1: silence; 0: the test's end */
} Row;

#define NOTE(from, to, on_channel, of_key)                                                        \
    {                                                                                             \
        .start_s = (from), .end_s = (to), .channel = (on_channel), .key = (of_key), .velocity = 9 \
    }

static const Row rows[] = {
    {"the notes of a chord alternate in the order of channels",
     {16, 10, false},
     {NOTE(0, 0.1, 1, 88), NOTE(0, 0.1, 4, 93), NOTE(0, 0.1, 9, 30), NOTE(0, 0.1, 12, 81)},
     {88, 93, 81, 88, 93, 81, 88, 93, 81, 88, -1}},
    {"percussion is played if enabled",
     {16, 10, true},
     {NOTE(0, 0.1, 1, 88), NOTE(0, 0.1, 9, 84), NOTE(0, 0.1, 12, 81)},
     {88, 84, 81, 88, 84, 81}},
    {"slices of 25 ms",
     {16, 25, false},
     {NOTE(0, 0.2, 0, 88), NOTE(0, 0.2, 1, 81)},
     {88, 81, 88, 81}},
    {"within a channel from high to low",
     {16, 10, false},
     {NOTE(0, 0.1, 0, 84), NOTE(0, 0.1, 0, 88), NOTE(0, 0.1, 0, 91)},
     {91, 88, 84, 91, 88, 84}},
    {"two voices play the first two notes",
     {2, 10, false},
     {NOTE(0, 0.06, 1, 88), NOTE(0, 0.1, 4, 93), NOTE(0, 0.1, 5, 81)},
     {88, 93, 88, 93, 88, 93, /* the first has ended */ 81, 93, 81, 93, -1}},
    {"a new note is played at once, and the turns continue from there",
     {16, 10, false},
     {NOTE(0, 0.1, 1, 88), NOTE(0, 0.1, 4, 93), NOTE(0.04, 0.1, 2, 81)},
     {88, 93, 88, 93, /* new */ 81, 93, 88, 81, 93, 88}},
    {"a note that ends early gives its time to the others until it is struck again",
     {16, 10, false},
     {NOTE(0, 0.02, 1, 88), NOTE(0, 0.05, 4, 93), NOTE(0.05, 0.07, 4, 93), NOTE(0.08, 0.1, 3, 81)},
     {88, 93, 93, 93, 93, 93, 93, -1, 81, 81, -1}},
    {"overlapping notes of a key sound as one until both have ended",
     {16, 10, false},
     {NOTE(0, 0.03, 0, 88), NOTE(0.01, 0.05, 0, 88), NOTE(0.07, 0.07, 0, 93)},
     {88, 88, 88, 88, 88, -1, -1}},
};

static void test_note_order(void **state)
{
    (void)state;
    Bench bench = bench_make();
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        MidiNote notes[6];
        size_t count = 0;
        memcpy(notes, rows[r].notes, sizeof notes);
        while (count < 6 && notes[count].velocity)
            count++;
        const MidiSong song = song_of(notes, count);
        const Sound sound = beep_play(&song, &rows[r].options, 1e9, bench.arena);
        const size_t slice = (size_t)(48 * rows[r].options.slice_ms);
        for (size_t i = 0; rows[r].played[i] && i < 12; i++) {
            const double f = crossing_rate(&sound, slice * i, slice * (i + 1));
            const double wanted = rows[r].played[i] < 0 ? 0 : hertz(rows[r].played[i]);
            if (wanted > 0 ? fabs(f / wanted - 1) > 0.01
                           : slice * i + 100 < sound.frames &&
                                 fabsf(sound.samples[slice * i + 100]) > 1e-4f)
                fail_msg("%s: slice %zu is at %g Hz, not %g", rows[r].what, i, f, wanted);
        }
    }
    arena_destroy(bench.arena);
}

/* In its slices a note of a chord is what it would be alone: its wave ran on meanwhile. */
static void test_waves_run_on(void **state)
{
    (void)state;
    Bench bench = bench_make();
    MidiNote notes[] = {NOTE(0, 1, 0, 70), NOTE(0, 1, 1, 75), NOTE(0.25, 1, 2, 79)};
    const MidiSong song = song_of(notes, 2), alone = song_of(notes, 1);
    const Sound chord = beep_play(&song, &plain, 1e9, bench.arena);
    const Sound one = beep_play(&alone, &plain, 1e9, bench.arena);
    for (size_t i = 0; i < 48000; i++)
        if (i / 480 % 2 == 0 && i % 480 >= 32 && i % 480 < 448 &&
            fabsf(chord.samples[i] - one.samples[i]) > 1e-6f)
            fail_msg("sample %zu is %g, alone %g", i, (double)chord.samples[i],
                     (double)one.samples[i]);
    arena_destroy(bench.arena);
}

/* ---- when --------------------------------------------------------------------------------------
 */

/* Where the silence before `from` ends: at half the level of a wave's first half. */
static double onset(const Sound *s, size_t from)
{
    for (size_t i = from; i + 1 < s->frames; i++)
        if (s->samples[i] < 0.125f && s->samples[i + 1] >= 0.125f)
            return (double)i + (0.125 - (double)s->samples[i]) /
                                   ((double)s->samples[i + 1] - (double)s->samples[i]);
    return -1;
}

/* 480 ticks a beat.  A beat of 0.5 s, then beats of 0.3 s (0x0493E0), then of 1/3 s (0x051615 us).
 * Notes begin at ticks 240, 720, 1200: 0.25, 0.5 + 0.15, 0.8 + 0.1666665 s. */
static void test_tempo_moves_notes(void **state)
{
    (void)state;
    static const char events[] = "\x81\x70\x90\x51\x40\x3C\x80\x51\0" /* 240, 300 */
                                 "\x81\x34\xFF\x51\3\x04\x93\xE0"     /* 480 */
                                 "\x81\x70\x90\x51\x40\x3C\x80\x51\0" /* 720, 780 */
                                 "\x81\x34\xFF\x51\3\x05\x16\x15"     /* 960 */
                                 "\x81\x70\x90\x51\x40\x3C\x80\x51\0\0\xFF\x2F\0";
    static const double wanted[] = {0.25, 0.65, 0.9666665};
    Bench bench = bench_make();
    ByteList *bytes = arena_array(bench.arena, ByteList, 1);
    MidiSong song;

    midi_put_header(bytes, 0, 1, 480);
    midi_put_track(bytes, events, sizeof events - 1);
    diag_log_init(&bench.log);
    if (!midi_load(&song, (Bytes){bytes->data, bytes->size}, bench.arena, &bench.log.diag))
        fail_msg("%s", bench.log.text);
    const Sound sound = beep_play(&song, &plain, 1e9, bench.arena);
    for (size_t i = 0; i < 3; i++) {
        const double at = onset(&sound, (size_t)(wanted[i] * 48000) - 2000);
        if (fabs(at - wanted[i] * 48000) > 0.05)
            fail_msg("note %zu begins at sample %.3f, not %.3f", i, at, wanted[i] * 48000);
    }
    arena_destroy(bench.arena);
}

/* The requested length changes only the last samples. */
static void test_cut(void **state)
{
    (void)state;
    Bench bench = bench_make();
    MidiNote notes[] = {NOTE(0, 1, 0, 70), NOTE(0, 0.7, 1, 75), NOTE(0.25, 1, 2, 79)};
    const MidiSong song = song_of(notes, 3);
    const Sound whole = beep_play(&song, &plain, 1e9, bench.arena);
    static const double lengths[] = {0.5, 0.123456, 0.25, 0, -3};

    assert_int_equal(whole.frames, 48000 + 32);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const Sound part = beep_play(&song, &plain, lengths[i], bench.arena);
        const size_t frames = lengths[i] > 0 ? (size_t)ceil(48000 * lengths[i]) : 0;
        assert_true(part.frames >= frames && part.frames <= frames + 32);
        assert_memory_equal(part.samples, whole.samples, frames * sizeof(float));
    }
    arena_destroy(bench.arena);
}

/* ---- how pure ----------------------------------------------------------------------------------
 */

enum { WINDOW = 32768 };

static double bessel_i0(double x)
{
    double sum = 1, term = 1;
    for (int k = 1; k < 80; k++)
        sum += term *= x * x / (4.0 * k * k);
    return sum;
}

/* Its side lobes are at -150 dB; its main lobe is 12 / WINDOW wide. */
static double *make_window(Arena *arena)
{
    double *window = arena_array(arena, double, WINDOW);
    for (int i = 0; i < WINDOW; i++) {
        const double x = (i + 0.5) / (0.5 * WINDOW) - 1;
        window[i] = bessel_i0(19 * sqrt(1 - x * x));
    }
    return window;
}

/* Amplitude of the line at `f` cycles a sample, by Goertzel's recursion. */
static double line(const float *samples, const double *window, double f)
{
    const double k = 2 * cos(2 * PI * f);
    double a = 0, b = 0, sum = 0;
    for (size_t i = 0; i < WINDOW; i++) {
        const double next = window[i] * (double)samples[i] + k * a - b;
        b = a;
        a = next;
        sum += window[i];
    }
    return 2 * sqrt(fmax(a * a + b * b - k * a * b, 0)) / sum;
}

/* A square wave has its odd harmonics at 4 / (pi n), and nothing else. */
static void test_purity(void **state)
{
    (void)state;
    static const uint8_t keys[] = {127, 121, 115, 108, 100, 93};
    Bench bench = bench_make();
    const double *window = make_window(bench.arena);

    for (size_t i = 0; i < sizeof keys; i++) {
        MidiNote note = NOTE(0, 1, 0, keys[i]);
        const MidiSong song = song_of(&note, 1);
        const Sound sound = beep_play(&song, &plain, 1e9, bench.arena);
        const float *samples = sound.samples + 4800;
        const double f = hertz(keys[i]) / BEEP_RATE;
        for (int n = 1; n < 60; n += 2) {
            const double folded = fabs(n * f - round(n * f));
            const double level = 20 * log10(line(samples, window, folded) / (4 / PI * 0.25));
            const double near = fmod(folded / f, 2); /* of a true harmonic: 1 */
            if (n * f < 0.41 && fabs(level + 20 * log10(n)) > 0.1)
                fail_msg("key %d: harmonic %d is at %.2f dB", keys[i], n, level);
            if (n * f > 0.5 && level > -90 && fabs(near - 1) * f > 20.0 / WINDOW)
                fail_msg("key %d: harmonic %d comes back at %.0f Hz with %.1f dB", keys[i], n,
                         folded * BEEP_RATE, level);
        }
    }
    arena_destroy(bench.arena);
}

/* A chord keeps the spectral lines of its notes, at a third of the height: each note is played for
 * a third of the time. */
static void test_chord_lines(void **state)
{
    (void)state;
    static const uint8_t keys[] = {76, 80, 83};
    Bench bench = bench_make();
    const double *window = make_window(bench.arena);
    MidiNote notes[] = {NOTE(0, 1, 0, keys[0]), NOTE(0, 1, 1, keys[1]), NOTE(0, 1, 2, keys[2])};
    const MidiSong song = song_of(notes, 3);
    const Sound sound = beep_play(&song, &plain, 1e9, bench.arena);

    for (size_t i = 0; i < 3; i++) {
        const double f = hertz(keys[i]) / BEEP_RATE;
        const double level = line(sound.samples + 4800, window, f) / (4 / PI * 0.25);
        if (fabs(level - 1.0 / 3) > 0.03)
            fail_msg("key %d has %.3f of its level, not a third", keys[i], level);
    }
    arena_destroy(bench.arena);
}

static void test_real_song(void **state)
{
    (void)state;
    Bench bench = bench_make();
    MidiSong song;
    Bytes bytes;
    diag_log_init(&bench.log);
    if (!shared_data_load(&bytes, "audio-midi/be_sharp_bw_redfarn.mid", bench.arena)) {
        arena_destroy(bench.arena);
        skip();
    }
    if (!midi_load(&song, bytes, bench.arena, &bench.log.diag))
        fail_msg("%s", bench.log.text);
    const Sound sound = beep_play(&song, &plain, 1e9, bench.arena);
    float most = 0;
    for (size_t i = 0; i < sound.frames; i++)
        most = fmaxf(most, fabsf(sound.samples[i]));
    assert_true(most > 0.25f && most < 0.5f); /* two jumps by 0.5 beside each other ring most */
    arena_destroy(bench.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scale),        cmocka_unit_test(test_note_order),
        cmocka_unit_test(test_waves_run_on), cmocka_unit_test(test_tempo_moves_notes),
        cmocka_unit_test(test_cut),          cmocka_unit_test(test_purity),
        cmocka_unit_test(test_chord_lines),  cmocka_unit_test(test_real_song),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
