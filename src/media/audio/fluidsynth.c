// SPDX-License-Identifier: MIT
#include "media/audio/fluidsynth.h"

#ifdef HAVE_FLUIDSYNTH

#include <errno.h>
#include <fluidsynth.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/parser_entry.h"

enum { RATE = 48000, CHANNELS = 2, BLOCK = 1024 };

typedef struct Player {
    fluid_settings_t *settings;
    fluid_synth_t *synth;
    fluid_player_t *player;
} Player;

static void say_nothing(int level, const char *message, void *data)
{
    (void)level;
    (void)message;
    (void)data;
}

/* No threads, because processes are forked later; time is counted in samples. */
static bool open_player(Player *p, const char *soundfont, Diag *diag)
{
    for (int level = 0; level < LAST_LOG_LEVEL; level++)
        fluid_set_log_function(level, say_nothing, NULL);
    if (access(soundfont, R_OK) != 0)
        return diag_fail(diag, DIAG_MISSING, "soundfont '%s': %s", soundfont, strerror(errno));
    p->settings = new_fluid_settings();
    if (p->settings) {
        fluid_settings_setnum(p->settings, "synth.sample-rate", RATE);
        fluid_settings_setint(p->settings, "synth.cpu-cores", 1);
        fluid_settings_setint(p->settings, "synth.lock-memory", 0);
        fluid_settings_setstr(p->settings, "player.timing-source", "sample");
        p->synth = new_fluid_synth(p->settings);
    }
    if (!p->synth)
        return diag_fail(diag, DIAG_RESOURCE, "cannot start FluidSynth");
    if (fluid_synth_sfload(p->synth, soundfont, 1) == FLUID_FAILED)
        return diag_error(
            diag, "soundfont '%s': not a format that FluidSynth supports (.sf2, .sf3)", soundfont);
    p->player = new_fluid_player(p->synth);
    return p->player || diag_fail(diag, DIAG_RESOURCE, "cannot start FluidSynth");
}

bool fluidsynth_play(Sound *sound, Bytes midi, const char *soundfont, double length_s, Arena *arena,
                     Diag *diag)
{
    parser_enter("soundfont");
    const size_t frames = (size_t)ceil(fmax(length_s + FLUIDSYNTH_TAIL_S, 0.0) * RATE);
    Player p = {0};
    bool ok = open_player(&p, soundfont, diag);

    if (ok && (fluid_player_add_mem(p.player, midi.data, midi.size) != FLUID_OK ||
               fluid_player_play(p.player) != FLUID_OK))
        ok = diag_error(diag, "FluidSynth cannot play the song");
    if (ok) {
        *sound = (Sound){arena_array(arena, float, frames *CHANNELS), frames, CHANNELS, RATE, 0};
        for (size_t at = 0; at < frames; at += BLOCK) {
            const int count = (int)(frames - at < BLOCK ? frames - at : BLOCK);
            float *samples = sound->samples + at * CHANNELS;
            fluid_synth_write_float(p.synth, count, samples, 0, CHANNELS, samples, 1, CHANNELS);
        }
    }
    delete_fluid_player(p.player);
    delete_fluid_synth(p.synth);
    delete_fluid_settings(p.settings);
    return ok;
}

#else

bool fluidsynth_play(Sound *sound, Bytes midi, const char *soundfont, double length_s, Arena *arena,
                     Diag *diag)
{
    (void)sound, (void)midi, (void)soundfont, (void)length_s, (void)arena;
    return diag_fail(diag, DIAG_RESOURCE,
                     "synth 'fluidsynth' is not built in: install libfluidsynth-dev, then make "
                     "clean all");
}

#endif
