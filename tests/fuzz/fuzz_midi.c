// SPDX-License-Identifier: MIT
/* Arbitrary bytes: an error message, or a song that satisfies midi.h and can be synthesized. */
#include <math.h>

#include "asset_check.h"
#include "format/midi.h"
#include "fuzz.h"
#include "media/audio/beep.h"

/* Processes all notes in coarse time slices, but renders only the first 0.2 s of samples. */
static void play(const MidiSong *song)
{
    const BeepOptions options = {.voices = 3, .slice_ms = 10, .percussion = true};
    Arena *arena = arena_create();
    const Sound sound = beep_play(song, &options, 0.2, arena);
    for (size_t i = 0; i < sound.frames; i++)
        fuzz_require(fabsf(sound.samples[i]) < 1.0f);
    arena_destroy(arena);
}

static bool load(Bytes bytes, Arena *arena, Diag *diag)
{
    MidiSong song;
    if (!midi_load(&song, bytes, arena, diag))
        return false;
    fuzz_require(midi_check(&song, diag));
    play(&song);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_loader(load, data, size, 32 * size);
}
