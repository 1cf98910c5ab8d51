// SPDX-License-Identifier: MIT
#include "film/follow_load.h"

#include <math.h>

#include "base/units.h"
#include "evaluate/follow/follow_path.h"
#include "evaluate/follow/reframe_path.h"
#include "film/film_sound.h"
#include "media/audio/beat.h"

enum { MAX_CUTS = 10000 };
enum { BAR = 4 };                   /* beats */
static const double SHORTEST_S = 3; /* time between two cuts on beats */

typedef ARENA_LIST(double) Cuts; /* motion frames */

/* Cuts after the first frame and before the last one. */
static void add_cut(Cuts *cuts, double frame, const Scene *scene, Arena *arena)
{
    if (frame > 0 && frame < scene->last_frame && cuts->count < MAX_CUTS)
        *arena_push(arena, cuts) = frame;
}

static bool load_song(MidiSong *song, const char *file, Arena *arena, Diag *diag)
{
    Bytes bytes;
    diag_file(diag, file);
    return file_load(&bytes, file, MIDI_MAX_SIZE, arena, diag) &&
           midi_load(song, bytes, arena, diag);
}

/* The beats of the whole sound during the motions, whatever part of it the job renders. */
static bool find_beats(Beats *beats, const Scene *scene, const JobAudio *audio, Arena *arena,
                       Diag *diag)
{
    const SoundPart part = {0, fmax(scene->last_frame / MOTION_FPS - audio->offset_s, 1), 0};
    MidiSong song;
    Sound sound;
    if (audio_is_midi(audio->file)) {
        if (!load_song(&song, audio->file, arena, diag))
            return false;
        *beats = beat_find_song(&song, arena);
        return true;
    }
    if (!audio_load(&sound, audio, &part, arena, diag))
        return false;
    *beats = beat_find(&sound, arena);
    return true;
}

/* On the first beats of bars, so many bars apart that shots are not too short. */
static bool find_beat_cuts(Cuts *cuts, const Scene *scene, const JobAudio *audio, Arena *arena,
                           Diag *diag)
{
    Arena *scratch = arena_create();
    Beats beats;
    const bool ok = find_beats(&beats, scene, audio, scratch, diag);
    diag_file(diag, NULL);
    if (ok) {
        size_t step = BAR;
        while (beats.period_s > 0 && (double)step * beats.period_s < SHORTEST_S)
            step += BAR;
        for (size_t i = beats.downbeat; i < beats.count; i += step)
            add_cut(cuts, round((beats.times_s[i] + audio->offset_s) * MOTION_FPS), scene, arena);
    }
    arena_destroy(scratch);
    return ok;
}

static bool find_cuts(Cuts *cuts, const Scene *scene, const Job *job, Arena *arena, Diag *diag)
{
    const double interval = job->camera.cuts * MOTION_FPS;
    if (interval < 0)
        return find_beat_cuts(cuts, scene, job->audio, arena, diag);
    for (int i = 1; interval > 0 && i <= MAX_CUTS && i * interval < scene->last_frame; i++)
        add_cut(cuts, i * interval, scene, arena);
    return true;
}

void reframe_load(Scene *scene, const Job *job, Arena *arena)
{
    const int *shape = job->camera.reframe;
    if (!shape[0])
        return;
    const ReframeSpec spec = {(double)shape[0] / shape[1], job->camera.reframe_fov_deg};
    reframe_path_create(&scene->camera_reframe, scene, &spec, arena);
}

bool follow_load(Scene *scene, const Job *job, Arena *arena, Diag *diag)
{
    const CameraSpec *camera = &job->camera;
    reframe_load(scene, job, arena);
    if (camera->motion || camera->fixed || camera->path_count)
        return true;
    Cuts cuts = {0};
    if (!find_cuts(&cuts, scene, job, arena, diag))
        return false;
    FollowShot *shots = arena_array(arena, FollowShot, camera->shot_count);
    for (size_t i = 0; i < camera->shot_count; i++)
        shots[i] = (FollowShot)camera->shot[i];
    FollowSpec spec = {.models = camera->follow,
                       .model_count = camera->follow_count,
                       .shots = shots,
                       .shot_count = camera->shot_count,
                       .smooth = camera->smooth_s * MOTION_FPS,
                       .margin = camera->margin,
                       .fov_deg = camera->fov_deg,
                       .aspect = (double)job->render.size[0] / job->render.size[1],
                       .cuts = cuts.items,
                       .cut_count = cuts.count};
    for (int i = 0; i < 3; i++)
        spec.rotation[i] = (float)(camera->rotation_deg[i] * RADIANS);
    follow_path_create(&scene->camera_follow, scene, &spec, arena);
    return true;
}
