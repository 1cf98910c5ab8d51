// SPDX-License-Identifier: MIT
/* Arbitrary bytes as a sound file: an error message, or samples of the whole file and of a part. */
#include "media/sound.h"

#include <math.h>

#include "fuzz.h"
#include "fuzz_memory_file.h"

static void check(const Sound *sound)
{
    fuzz_require(sound->channels == 1 || sound->channels == 2);
    fuzz_require(sound->rate == 44100 || sound->rate == 48000);
    for (size_t i = 0; i < sound->frames * (size_t)sound->channels; i++)
        fuzz_require(isfinite(sound->samples[i]));
}

static void load(const char *path, const SoundPart *part)
{
    Arena *arena = arena_create();
    Diag diag = fuzz_diag();
    Sound sound;
    const bool loaded = sound_load_part(&sound, path, part, arena, &diag);
    fuzz_require(loaded == (diag.errors == 0));
    if (loaded)
        check(&sound);
    arena_destroy(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    MemoryFile file;
    memory_file_open(&file, data, size);
    load(file.path, &(SoundPart){0, 20, 0});
    load(file.path, &(SoundPart){0.001, 0.002, 48000});
    memory_file_close(&file);
    return 0;
}
