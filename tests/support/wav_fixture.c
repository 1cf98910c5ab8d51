// SPDX-License-Identifier: MIT
#include "wav_fixture.h"

#include <math.h>
#include <string.h>

#include "base/file.h"

bool sound_load_all(Sound *sound, const char *path, Arena *arena, Diag *diag)
{
    return sound_load_part(sound, path, &(SoundPart){0, (double)INFINITY, 0}, arena, diag);
}

static uint8_t *put(uint8_t *at, uint32_t value, int size)
{
    for (int i = 0; i < size; i++)
        *at++ = (uint8_t)(value >> 8 * i);
    return at;
}

bool wav_fixture_save(const Sound *sound, const char *path, Diag *diag)
{
    enum { HEADER = 44 };
    const uint32_t frame = 2 * (uint32_t)sound->channels, rate = (uint32_t)sound->rate;
    const size_t count = sound->frames * (size_t)sound->channels;
    const uint32_t bytes = (uint32_t)(2 * count);
    Arena *arena = arena_create();
    uint8_t *file = arena_alloc(arena, HEADER + bytes), *at = file;

    memcpy(file, "RIFF....WAVEfmt ", 16);
    put(file + 4, HEADER - 8 + bytes, 4);
    at = put(file + 16, 16, 4);
    at = put(at, 1, 2); /* PCM */
    at = put(at, (uint32_t)sound->channels, 2);
    at = put(at, rate, 4);
    at = put(at, rate * frame, 4);
    at = put(at, frame, 2);
    at = put(at, 16, 2);
    memcpy(at, "data", 4);
    at = put(at + 4, bytes, 4);
    for (size_t i = 0; i < count; i++) {
        const float scaled = roundf(sound->samples[i] * 32768.0f);
        at = put(at, (uint32_t)(int32_t)fmaxf(-32768.0f, fminf(scaled, 32767.0f)), 2);
    }
    const bool saved = file_save(path, file, HEADER + bytes, diag);
    arena_destroy(arena);
    return saved;
}
