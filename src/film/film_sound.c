// SPDX-License-Identifier: MIT
#include "film/film_sound.h"

#include <math.h>
#include <string.h>

#include "film/film.h"
#include "format/file_kind.h"
#include "job/job_visit.h"
#include "media/audio/beep.h"
#include "media/audio/fluidsynth.h"
#include "media/audio/loudness.h"

enum { MIX_RATE = 48000 };

/* One of the sounds of a film. */
typedef struct Track {
    JobAudio audio;     /* its file, and how a song is played */
    SoundCut cut;       /* without the range */
    double in_s, out_s; /* fades of the film */
} Track;

typedef struct Mix {
    const Job *job;
    const FrameRanges *frames;
    Track *tracks;
    size_t track_count;
    Sound *sounds; /* [track_count] cut for the film */
    Arena *arena;  /* of the sounds */
    Diag *diag;
} Mix;

/* Every key has its default. */
static const JobAudio song_defaults = {.synth = SYNTH_BEEP, .voices = 16, .slice_ms = 10};

static void add_audio(Mix *mix, const JobAudio *audio)
{
    mix->tracks[mix->track_count++] =
        (Track){.audio = *audio,
                .cut = {.offset_s = audio->offset_s, .gain_db = audio->gain_db},
                .in_s = audio->fade_in_s,
                .out_s = audio->fade_out_s};
}

/* The start of its range is heard at the offset.  It is played as the other song of the job.
 * start_s: of the scene whose sound it is. */
static void add_sound(Mix *mix, const JobSound *sound, double start_s)
{
    Track track = {.audio = mix->job->audio ? *mix->job->audio : song_defaults,
                   .cut = {.offset_s = start_s + sound->offset_s - sound->range_s[0],
                           .gain_db = sound->gain_db,
                           .from_s = sound->range_s[0],
                           .to_s = sound->range_s[1],
                           .own_in_s = sound->fade_in_s,
                           .own_out_s = sound->fade_out_s}};
    track.audio.file = sound->file;
    mix->tracks[mix->track_count++] = track;
}

static SoundCut cut_of_range(const Mix *mix, const Track *track, size_t range)
{
    const Rational fps = mix->job->render.fps;
    const FrameRange *r = &mix->frames->items[range];
    SoundCut cut = track->cut;
    cut.start_s = (double)(r->first * fps.den) / fps.num;
    cut.length_s = (double)((r->last - r->first + 1) * fps.den) / fps.num;
    cut.fade_in_s = range == 0 ? track->in_s : 0;
    cut.fade_out_s = range + 1 == mix->frames->count ? track->out_s : 0;
    return cut;
}

/* The part of the file that is used; to its end if it fades out there. */
static SoundPart used_part(const Mix *mix, const Track *track)
{
    SoundPart part = {(double)INFINITY, 0, mix->track_count > 1 ? MIX_RATE : 0};
    for (size_t i = 0; i < mix->frames->count; i++) {
        const SoundCut cut = cut_of_range(mix, track, i);
        part.first_s = fmin(part.first_s, cut.start_s - cut.offset_s);
        part.end_s = fmax(part.end_s, cut.start_s + cut.length_s - cut.offset_s);
    }
    if (track->cut.own_out_s > 0 && !(track->cut.to_s > 0))
        part.end_s = (double)INFINITY;
    return part;
}

static bool check_length(const Mix *mix, const Track *track, const SoundPart *part)
{
    const double length_s = part->end_s - fmax(part->first_s, 0);
    diag_file(mix->diag, track->audio.file);
    const bool allowed = !isfinite(length_s) ||
                         limit_check(&mix->job->host.scene.sound_s, length_s, " s", mix->diag);
    diag_file(mix->diag, NULL);
    return allowed;
}

/* The sound of all ranges of frames, one after another. */
static bool load_track(Sound *out, const Mix *mix, const Track *track)
{
    const SoundPart part = used_part(mix, track);
    Arena *whole = arena_create();
    Sound sound;
    const bool ok = check_length(mix, track, &part) &&
                    audio_load(&sound, &track->audio, &part, whole, mix->diag);
    diag_file(mix->diag, NULL);
    if (ok) {
        Sound *cuts = arena_array(whole, Sound, mix->frames->count);
        size_t total = 0;
        for (size_t i = 0; i < mix->frames->count; i++) {
            const SoundCut cut = cut_of_range(mix, track, i);
            cuts[i] = sound_cut(&sound, &cut, whole);
            total += cuts[i].frames;
        }
        const size_t channels = (size_t)sound.channels;
        float *samples = arena_calloc(mix->arena, total * channels, sizeof *samples);
        *out = (Sound){samples, total, sound.channels, sound.rate, 0};
        for (size_t i = 0; i < mix->frames->count; i++) {
            memcpy(samples, cuts[i].samples, cuts[i].frames * channels * sizeof *samples);
            samples += cuts[i].frames * channels;
        }
    }
    arena_destroy(whole);
    return ok;
}

/* The sum; a sound of one channel is in both of a film with two. */
static void add_samples(const SinkSound *to, float *samples, const Sound *from)
{
    for (size_t i = 0; i < to->frames && i < from->frames; i++)
        for (int c = 0; c < to->channels; c++)
            samples[i * (size_t)to->channels + (size_t)c] +=
                from->samples[i * (size_t)from->channels + (size_t)(from->channels == 2 ? c : 0)];
}

/* Peaks are limited where sounds were added or a loudness was asked for, not in a single sound. */
static void mix_tracks(SinkSound *out, const Mix *mix, Arena *arena)
{
    const Job *job = mix->job;
    int channels = 1;
    for (size_t i = 0; i < mix->track_count; i++)
        channels = mix->sounds[i].channels > channels ? mix->sounds[i].channels : channels;
    *out = (SinkSound){NULL, mix->sounds[0].frames, channels, mix->sounds[0].rate};
    float *samples = arena_calloc(arena, out->frames * (size_t)channels, sizeof *samples);
    out->samples = samples;
    for (size_t i = 0; i < mix->track_count; i++)
        add_samples(out, samples, &mix->sounds[i]);
    if (!isnan(job->loudness_lufs))
        loudness_set(samples, out->frames, channels, out->rate, job->loudness_lufs, mix->arena);
    else if (mix->track_count > 1)
        loudness_limit(samples, out->frames, channels, out->rate, LOUDNESS_PEAK);
}

static void add_tracks(Mix *mix, const Film *film)
{
    const Job *job = film->job;
    if (job->audio)
        add_audio(mix, job->audio);
    for (size_t i = 0; i < job->sound_count; i++)
        add_sound(mix, &job->sounds[i], 0);
    for (size_t i = 0; i < job->scene_count; i++)
        for (size_t k = 0; k < job->scenes[i].sound_count; k++)
            add_sound(mix, &job->scenes[i].sounds[k],
                      (double)(film->scenes[i].start * job->render.fps.den) / job->render.fps.num);
}

bool film_needs_sound(const Film *film)
{
    Diag silent = diag_quiet();
    for (size_t i = 0; i < film->job->output_count; i++) {
        const JobOutput *o = &film->job->outputs[i];
        const SinkKind *kind =
            o->pass == PASS_BEAUTY ? sink_find(o->file, o->format, &silent) : NULL;
        if (kind && sink_is_video(kind))
            return true;
    }
    for (size_t i = 0; i < film->scene_count; i++)
        if (film->scenes[i].job->camera.cuts < 0)
            return true;
    return false;
}

bool film_load_sound(SinkSound *out, const Film *film, Arena *arena, Diag *diag)
{
    const Job *job = film->job;
    size_t count = job->sound_count + (job->audio != NULL);
    for (size_t i = 0; i < job->scene_count; i++)
        count += job->scenes[i].sound_count;
    *out = (SinkSound){0};
    if (!count)
        return true;
    Mix mix = {.job = job, .frames = &film->frames, .arena = arena_create(), .diag = diag};
    mix.tracks = arena_array(mix.arena, Track, count);
    mix.sounds = arena_array(mix.arena, Sound, count);
    add_tracks(&mix, film);
    bool ok = true;
    for (size_t i = 0; ok && i < mix.track_count; i++)
        ok = load_track(&mix.sounds[i], &mix, &mix.tracks[i]);
    if (ok)
        mix_tracks(out, &mix, arena);
    arena_destroy(mix.arena);
    return ok;
}

/* ---- loading a sound ---- */

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
