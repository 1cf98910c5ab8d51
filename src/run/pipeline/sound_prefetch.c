// SPDX-License-Identifier: MIT
#include "run/pipeline/sound_prefetch.h"

#include "film/film.h"
#include "output/sound_track.h"

struct SoundPrefetch {
    const Film *film;
    Arena *arena;
    SoundTrack **tracks; /* [output_count]; NULL: none, or it could not be opened */
    bool opened;
    double until_s;
};

SoundPrefetch *sound_prefetch_create(const Film *film, Arena *arena)
{
    SoundPrefetch *ahead = arena_array(arena, SoundPrefetch, 1);
    *ahead = (SoundPrefetch){.film = film, .arena = arena};
    ahead->tracks = arena_array(arena, SoundTrack *, film->output_count);
    return ahead;
}

void sound_prefetch_destroy(SoundPrefetch *ahead)
{
    for (size_t i = 0; ahead && i < ahead->film->output_count; i++)
        sound_track_destroy(ahead->tracks[i]);
}

/* At the first step, so that child processes have none of it. */
static void open_tracks(SoundPrefetch *ahead)
{
    Diag ignored = diag_quiet();
    for (size_t i = 0; i < ahead->film->output_count; i++) {
        const FilmOutput *output = &ahead->film->outputs[i];
        if (output->kind == &sink_ffmpeg && output->kind->segments)
            ahead->tracks[i] = sound_track_open(&output->options, ahead->arena, &ignored);
    }
    ahead->opened = true;
}

void sound_prefetch_step(SoundPrefetch *ahead, double seconds)
{
    if (!ahead)
        return;
    if (!ahead->opened)
        open_tracks(ahead);
    ahead->until_s += seconds;
    for (size_t i = 0; i < ahead->film->output_count; i++)
        if (ahead->tracks[i])
            sound_track_encode_ahead(ahead->tracks[i], ahead->until_s);
}

SinkOptions sound_prefetch_options(const SoundPrefetch *ahead, const Film *film, size_t output)
{
    SinkOptions options = film->outputs[output].options;
    if (ahead)
        options.contents.sound_track = ahead->tracks[output];
    return options;
}
