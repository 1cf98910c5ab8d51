/* Any bytes: refused with a message, or a song that keeps the promises of midi.h and can be played.
 */
#include <math.h>
#include <stdlib.h>

#include "audio/beep.h"
#include "format/midi.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ignore(void *user, DiagLevel level, const char *message)
{
    (void)user, (void)level, (void)message;
}

/* All of it under a coarse slice; the samples of the first moment only. */
static void play(const MidiSong *song)
{
    const BeepOptions options = {.voices = 3, .slice_ms = 10, .percussion = true};
    Arena *arena = arena_create();
    const Sound sound = beep_play(song, &options, 0.2, arena);
    for (size_t i = 0; i < sound.frames; i++)
        if (!(fabsf(sound.samples[i]) < 1.0f))
            abort();
    arena_destroy(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MOST_PER_BYTE = 32, MOST_MORE = 256 * 1024 };
    Arena *arena = arena_create();
    Diag diag;
    diag_init(&diag, ignore, NULL);
    MidiSong song;
    const bool loaded = midi_load(&song, (Bytes){data, size}, arena, &diag);
    if (loaded ? !midi_check(&song, &diag) : diag.errors == 0)
        abort();
    if (arena_bytes(arena) > MOST_PER_BYTE * size + MOST_MORE)
        abort();
    if (loaded)
        play(&song);
    arena_destroy(arena);
    return 0;
}
