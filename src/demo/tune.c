// SPDX-License-Identifier: MIT
#include "demo/tune.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "demo/dance.h"
#include "format/midi_write.h"

enum { FRAMES_PER_BEAT = TUNE_RATE / 2, FRAMES = FRAMES_PER_BEAT * DANCE_BEATS, BEAT_US = 500000 };

#define TAU 6.28318530717958648

static const TuneNote MELODY[] = {
    {0, 0.5, 67},    {0.5, 0.5, 72},  {1, 1, 76},      {2, 0.5, 74},    {2.5, 0.5, 72},
    {3, 0.9, 74},    {4, 1, 76},      {5, 0.5, 72},    {5.5, 0.5, 69},  {6, 1.4, 72},
    {8, 0.5, 69},    {8.5, 0.5, 72},  {9, 1, 77},      {10, 0.5, 76},   {10.5, 0.5, 74},
    {11, 0.9, 72},   {12, 1, 74},     {13, 0.5, 71},   {13.5, 0.5, 67}, {14, 0.9, 74},
    {15, 0.5, 79},   {16, 1, 81},     {17, 0.5, 79},   {17.5, 0.5, 77}, {18, 0.5, 76},
    {18.5, 0.5, 77}, {19, 0.9, 79},   {20, 0.5, 71},   {20.5, 0.5, 74}, {21, 1, 79},
    {22, 0.5, 77},   {22.5, 0.5, 76}, {23, 0.9, 74},   {24, 0.5, 76},   {24.5, 0.5, 79},
    {25, 1.4, 83},   {26.5, 0.5, 81}, {27, 0.8, 79},   {28, 0.75, 81},  {29, 0.5, 76},
    {29.5, 0.5, 72}, {30, 0.75, 81},  {31, 0.5, 79},   {31.5, 0.5, 76}, {32, 0.75, 77},
    {33, 0.5, 81},   {33.5, 0.5, 84}, {34, 0.75, 81},  {35, 0.5, 77},   {35.5, 0.5, 79},
    {36, 1, 79},     {37, 0.5, 74},   {37.5, 0.5, 76}, {38, 0.5, 77},   {38.5, 0.5, 76},
    {39, 0.9, 74},   {40, 1, 76},     {41, 0.5, 79},   {41.5, 0.5, 84}, {42, 0.5, 83},
    {42.5, 0.5, 81}, {43, 0.9, 79},   {44, 0.5, 76},   {44.5, 0.5, 74}, {45, 1.4, 72},
    {46.5, 0.5, 67}};

/* A chord a bar: root of the bass, and three notes. */
static const int CHORDS[][4] = {{36, 60, 64, 67}, {33, 60, 64, 69}, {41, 60, 65, 69},
                                {43, 59, 62, 67}, {41, 60, 65, 69}, {43, 59, 62, 67},
                                {40, 59, 64, 67}, {33, 60, 64, 69}, {41, 60, 65, 69},
                                {43, 59, 62, 67}, {36, 60, 64, 67}, {36, 60, 64, 67}};

enum { BARS = sizeof CHORDS / sizeof *CHORDS, BEATS_PER_BAR = 4 };

const TuneNote *tune_melody(size_t *count)
{
    *count = sizeof MELODY / sizeof *MELODY;
    return MELODY;
}

/* ---- voices: a sound `t` seconds after it begins ---- */

static double hertz(int pitch)
{
    return 440.0 * pow(2.0, (pitch - 69) / 12.0);
}

/* Rises in `attack` seconds and falls off before `length` ends. */
static double envelope(double t, double attack, double length, double release)
{
    return fmin(fmin(t / attack, 1.0), fmax((length - t) / release, 0.0));
}

/* A flute with a bell's attack. */
static double lead(double t, double f, double length)
{
    const double vibrato = 0.012 * sin(TAU * 5.5 * t) * fmin(t / 0.25, 1.0);
    const double phase = TAU * f * t + vibrato * f / 5.5;
    const double bell = exp(-6.0 * t);
    const double body = sin(phase + (0.35 + 1.1 * bell) * sin(phase)) + 0.35 * sin(2.0 * phase);

    return (body + 0.3 * bell * sin(4.0 * phase)) * envelope(t, 0.012, length, 0.07);
}

/* An electric piano's short chord. */
static double keys_voice(double t, double f, double length)
{
    const double phase = TAU * f * t;
    return sin(phase + 0.9 * exp(-7.0 * t) * sin(3.0 * phase)) * exp(-4.0 * t) *
           envelope(t, 0.004, length, 0.06);
}

/* A continuous pad: two slightly detuned strings. */
static double pad(double t, double f, double length)
{
    const double a = TAU * f * 1.003 * t, b = TAU * f * 0.997 * t;
    return 0.5 * (sin(a) + sin(b) + 0.4 * sin(2.0 * a) + 0.25 * sin(3.0 * b)) *
           envelope(t, 0.15, length, 0.25);
}

static double bass(double t, double f, double length)
{
    const double phase = TAU * f * t;
    return tanh(1.6 * sin(phase + 0.8 * exp(-14.0 * t) * sin(phase)) + 0.3 * sin(2.0 * phase)) *
           exp(-2.2 * t) * envelope(t, 0.004, length, 0.03);
}

/* A drum: the pitch falls from high to f. */
static double drum(double t, double f, double length)
{
    const double phase = TAU * (f * t + 3.0 * f / 38.0 * (1.0 - exp(-38.0 * t)));
    return sin(phase) * exp(-9.0 * t) * envelope(t, 0.001, length, 0.05);
}

/* The small brass bell of a festival. */
static double gong(double t, double f, double length)
{
    const double phase = TAU * f * t;
    return sin(phase + 1.8 * exp(-9.0 * t) * sin(1.414 * phase)) * exp(-16.0 * t) *
           envelope(t, 0.001, length, 0.02);
}

typedef double Voice(double t, double f, double length);

static const int BASS_STEPS[] = {0, 0, 12, 0, 7, 0, 12, 7}; /* eighths of a bar */

/* ---- mixing ---- */

typedef struct Mix {
    float *dry;  /* interleaved, FRAMES long, around in a circle: the sound after the end is added
                    at the beginning */
    float *echo; /* input of the echo */
} Mix;

static void mix_sample(float *samples, size_t frame, double value, double pan)
{
    float *at = samples + TUNE_CHANNELS * (frame % FRAMES);
    at[0] += (float)(value * sqrt(0.5 * (1.0 - pan)));
    at[1] += (float)(value * sqrt(0.5 * (1.0 + pan)));
}

/* pan -1 left .. 1 right */
static void play(float *samples, Voice *voice, double beat, double beats, int pitch, double gain,
                 double pan)
{
    const size_t first = (size_t)llrint(beat * FRAMES_PER_BEAT);
    const size_t count = (size_t)llrint(beats * FRAMES_PER_BEAT);
    const double f = hertz(pitch), length = (double)count / TUNE_RATE;

    for (size_t i = 0; i < count; i++)
        mix_sample(samples, first + i, gain * voice((double)i / TUNE_RATE, f, length), pan);
}

/* Decaying noise; `bright` 0..1 removes low frequencies. */
static void hiss(float *samples, double beat, double gain, double decay, double bright, double pan)
{
    const size_t first = (size_t)llrint(beat * FRAMES_PER_BEAT);
    const size_t count = (size_t)(TUNE_RATE * 5.0 / decay);
    uint32_t seed = (uint32_t)first * 2654435761u + 1u;
    double low = 0.0;

    for (size_t i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        const double noise = (double)(seed >> 8) / 8388608.0 - 1.0;
        low += 0.35 * (noise - low);
        mix_sample(samples, first + i,
                   gain * exp(-decay * (double)i / TUNE_RATE) * (noise - bright * low), pan);
    }
}

static void add_melody(const Mix *mix)
{
    for (size_t i = 0; i < sizeof MELODY / sizeof *MELODY; i++) {
        const TuneNote *n = &MELODY[i];
        play(mix->dry, lead, n->beat, n->length, n->pitch, 0.21, 0.05);
        play(mix->echo, lead, n->beat, n->length, n->pitch, 0.09, -0.1);
    }
}

static void add_chords(const Mix *mix)
{
    for (int bar = 0; bar < BARS; bar++) {
        const double start = BEATS_PER_BAR * bar;
        for (int n = 1; n < 4; n++) {
            const double pan = 0.35 * (n - 2);
            play(mix->dry, pad, start, 4.2, CHORDS[bar][n], 0.045, -pan);
            for (int beat = 0; beat < BEATS_PER_BAR; beat++)
                play(mix->dry, keys_voice, start + beat + 0.5, 0.7, CHORDS[bar][n], 0.10, pan);
            play(mix->echo, keys_voice, start + 3.5, 0.7, CHORDS[bar][n] + 12, 0.03, pan);
        }
    }
}

static void add_bass(const Mix *mix)
{
    for (int bar = 0; bar < BARS; bar++)
        for (int n = 0; n < 8; n++)
            play(mix->dry, bass, BEATS_PER_BAR * bar + 0.5 * n, 0.46,
                 CHORDS[bar][0] + BASS_STEPS[n], n % 2 ? 0.14 : 0.18, 0.0);
}

static void add_drums(const Mix *mix)
{
    static const char bell[] = "x..x..x.x.x..x.."; /* sixteenths of a bar */

    for (int beat = 0; beat < DANCE_BEATS; beat++) {
        play(mix->dry, drum, beat, 0.6, 28, 0.55, 0.0);
        if (beat % 2) {
            hiss(mix->dry, beat, 0.20, 22.0, 0.5, 0.1);
            play(mix->dry, drum, beat, 0.4, 50, 0.16, 0.1);
        }
        hiss(mix->dry, beat + 0.5, 0.09, 55.0, 1.0, -0.3);
        hiss(mix->dry, beat + 0.25, 0.035, 90.0, 1.0, 0.35);
        hiss(mix->dry, beat + 0.75, 0.045, 90.0, 1.0, 0.35);
        if (beat % 8 == 0) /* a cymbal */
            hiss(mix->dry, beat, 0.10, 4.0, 1.0, 0.2);
    }
    for (int i = 0; i < 4 * DANCE_BEATS; i++)
        if (bell[i % 16] == 'x')
            play(mix->dry, gong, 0.25 * i, 0.5, i % 16 ? 93 : 98, 0.035, -0.45);
    for (int i = 0; i < 6; i++) /* big drums at the end of each third */
        for (int part = 1; part <= 3; part++)
            play(mix->dry, drum, 16.0 * part - 1.5 + 0.25 * i, 0.6, 40 - i, 0.14 + 0.03 * i,
                 -0.5 + 0.2 * i);
}

/* Three echoes, 3/4 of a beat apart, from side to side. */
static void add_echo(const Mix *mix)
{
    for (size_t i = 0; i < FRAMES; i++)
        for (size_t echo = 0; echo < 4; echo++) {
            const size_t to = (i + echo * (FRAMES_PER_BEAT * 3 / 4)) % FRAMES;
            const float gain = powf(0.5f, (float)echo);
            for (size_t c = 0; c < TUNE_CHANNELS; c++)
                mix->dry[TUNE_CHANNELS * to + (echo % 2 ? 1 - c : c)] +=
                    gain * mix->echo[TUNE_CHANNELS * i + c];
        }
}

/* Soft compression, then normalization to a peak of 0.8 (-2 dB). */
static void master(float *samples)
{
    float peak = 0.0f;

    for (size_t i = 0; i < (size_t)FRAMES * TUNE_CHANNELS; i++) {
        samples[i] = tanhf(0.8f * samples[i]);
        peak = fmaxf(peak, fabsf(samples[i]));
    }
    for (size_t i = 0; i < (size_t)FRAMES * TUNE_CHANNELS; i++)
        samples[i] *= 0.8f / peak;
}

float *tune_make(size_t *frames, Arena *arena)
{
    const size_t count = (size_t)FRAMES * TUNE_CHANNELS;
    const Mix mix = {arena_array(arena, float, count), arena_array(arena, float, count)};

    add_melody(&mix);
    add_chords(&mix);
    add_bass(&mix);
    add_drums(&mix);
    add_echo(&mix);
    master(mix.dry);
    *frames = FRAMES;
    return mix.dry;
}

/* ---- file ---- */

enum { HEADER_SIZE = 44, FRAME_SIZE = 2 * TUNE_CHANNELS, DATA_SIZE = FRAMES * FRAME_SIZE };

static uint8_t *put(uint8_t *at, uint32_t value, int size)
{
    for (int i = 0; i < size; i++)
        *at++ = (uint8_t)(value >> 8 * i);
    return at;
}

/* 16-bit PCM: RIFF, then a format chunk of 16 bytes, then the samples. */
bool tune_save(const char *path, const FileApproval *approval, Arena *arena, Diag *diag)
{
    static const struct {
        uint32_t value;
        int size;
    } format[] = {
        {16, 4},         {1, 2}, {TUNE_CHANNELS, 2}, {TUNE_RATE, 4}, {TUNE_RATE * FRAME_SIZE, 4},
        {FRAME_SIZE, 2}, {16, 2}};
    size_t frames;
    const float *samples = tune_make(&frames, arena);
    uint8_t *bytes = arena_alloc(arena, HEADER_SIZE + DATA_SIZE), *at = bytes + 16;

    memcpy(bytes, "RIFF....WAVEfmt ", 16);
    put(bytes + 4, HEADER_SIZE - 8 + DATA_SIZE, 4);
    for (size_t i = 0; i < sizeof format / sizeof *format; i++)
        at = put(at, format[i].value, format[i].size);
    memcpy(at, "data", 4);
    at = put(at + 4, DATA_SIZE, 4);
    for (size_t i = 0; i < frames * TUNE_CHANNELS; i++)
        at = put(at, (uint32_t)lrintf(32767.0f * samples[i]), 2);
    return file_save_approved(path, bytes, HEADER_SIZE + DATA_SIZE, approval, diag);
}

/* ---- song ---- */

enum { LEAD_CHANNEL = 0, CHORD_CHANNEL = 1, BASS_CHANNEL = 4, MAX_NOTES = 1024 };
enum { KICK = 36, SNARE = 38, HAT = 42 }; /* drums of General MIDI */

typedef struct Score {
    MidiBeatNote *notes; /* MAX_NOTES */
    size_t count;
} Score;

static void write_note(Score *score, double beat, double length, int channel, int key)
{
    assert(score->count < MAX_NOTES);
    score->notes[score->count++] =
        (MidiBeatNote){beat, length, (uint8_t)channel, (uint8_t)key, 100};
}

static void write_bar(Score *score, int bar)
{
    const double start = BEATS_PER_BAR * bar;
    for (int beat = 0; beat < BEATS_PER_BAR; beat++)
        for (int n = 1; n < 4; n++)
            write_note(score, start + beat + 0.5, 0.45, CHORD_CHANNEL + n - 1, CHORDS[bar][n]);
    for (int n = 0; n < 8; n++)
        write_note(score, start + 0.5 * n, 0.46, BASS_CHANNEL, CHORDS[bar][0] + BASS_STEPS[n]);
    for (int beat = 0; beat < BEATS_PER_BAR; beat++) {
        write_note(score, start + beat, 0.1, MIDI_PERCUSSION, beat % 2 ? SNARE : KICK);
        write_note(score, start + beat + 0.5, 0.1, MIDI_PERCUSSION, HAT);
    }
}

bool tune_save_song(const char *path, const FileApproval *approval, Arena *arena, Diag *diag)
{
    Score score = {arena_array(arena, MidiBeatNote, MAX_NOTES), 0};
    for (size_t i = 0; i < sizeof MELODY / sizeof *MELODY; i++)
        write_note(&score, MELODY[i].beat, MELODY[i].length, LEAD_CHANNEL, MELODY[i].pitch);
    for (int bar = 0; bar < BARS; bar++)
        write_bar(&score, bar);
    const Bytes bytes = midi_write(score.notes, score.count, BEAT_US, arena);
    return file_save_approved(path, bytes.data, bytes.size, approval, diag);
}
