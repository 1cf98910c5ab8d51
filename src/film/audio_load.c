// SPDX-License-Identifier: MIT
#include "film/audio_load.h"

#include "format/file_kind.h"
#include "media/audio/beep.h"
#include "media/audio/fluidsynth.h"

bool audio_is_midi(const char *path)
{
    return file_kind_of_name(path) == FILE_MIDI;
}

static bool play(Sound *sound, const JobAudio *audio, Bytes bytes, double max_s, Arena *arena,
                 Diag *diag)
{
    Arena *song_arena = arena_create();
    MidiSong song;
    bool ok = midi_load(&song, bytes, song_arena, diag);

    if (ok && audio->synth == SYNTH_FLUIDSYNTH) {
        const double length_s = song.length_s < max_s ? song.length_s : max_s;
        ok = fluidsynth_play(sound, bytes, audio->soundfont, length_s, arena, diag);
    } else if (ok) {
        const BeepOptions options = {audio->voices, audio->slice_ms, audio->percussion};
        *sound = beep_play(&song, &options, max_s, arena);
    }
    arena_destroy(song_arena);
    return ok;
}

bool audio_load(Sound *sound, const JobAudio *audio, const SoundPart *part, Arena *arena,
                Diag *diag)
{
    diag_file(diag, audio->file);
    if (!audio_is_midi(audio->file))
        return sound_load_part(sound, audio->file, part, arena, diag);
    Arena *file = arena_create();
    Bytes bytes;
    const bool ok = file_load(&bytes, audio->file, MIDI_MAX_SIZE, file, diag) &&
                    play(sound, audio, bytes, part->end_s, arena, diag);
    arena_destroy(file);
    return ok;
}
