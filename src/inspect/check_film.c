// SPDX-License-Identifier: MIT
#include "inspect/check_film.h"

#include <math.h>
#include <string.h>

#include "base/path.h"
#include "base/text.h"
#include "effect/effect.h"
#include "film/film.h"
#include "film/film_sound.h"
#include "format/midi.h"
#include "inspect/resource_estimate.h"
#include "media/sound.h"
#include "output/codec.h"

static const double MAX_DIFFERENCE_S = 1; /* between the ends of film and sound */

/* ---- sound ---- */

/* Problems of the file were reported before. */
static bool load_length(double *length_s, const char *file, Arena *arena)
{
    Diag silent = diag_quiet();
    Sound sound;
    const SoundPart end = {(double)INFINITY, (double)INFINITY, 0}; /* only its length is needed */
    MidiSong song;
    Bytes bytes;
    if (audio_is_midi(file)) {
        const bool loaded = file_load(&bytes, file, MIDI_MAX_SIZE, arena, &silent) &&
                            midi_load(&song, bytes, arena, &silent);
        *length_s = loaded ? song.length_s : 0;
        return loaded;
    }
    if (!sound_load_part(&sound, file, &end, arena, &silent))
        return false;
    *length_s = (double)(sound.first + sound.frames) / sound.rate;
    return true;
}

static bool check_sound(const Film *film, Arena *arena, Diag *diag)
{
    const Job *job = film->job;
    double length_s;
    SinkSound sound;
    /* A render to images alone did not load it. */
    if (!film_needs_sound(film) && !film_load_sound(&sound, film, arena, diag))
        return false;
    if (!job->audio || !load_length(&length_s, job->audio->file, arena))
        return true;
    const int64_t end = film->frames.items[film->frames.count - 1].last + 1;
    const double film_s = (double)(end * job->render.fps.den) / job->render.fps.num;
    const double sound_s = job->audio->offset_s + length_s;
    /* A part of the film, or a film that fades the sound out, need not end with it. */
    const bool may_cut = job->render.frames.count || job->audio->fade_out_s > 0;
    const DiagLocation *location = job_location(job, "audio.file", NULL, arena);
    if (sound_s + MAX_DIFFERENCE_S < film_s)
        return diag_warn_at(diag, location, WARN_SOUND_LENGTH,
                            "the sound ends at %.2f s, %.2f s before the film", sound_s,
                            film_s - sound_s);
    if (sound_s > film_s + MAX_DIFFERENCE_S && !may_cut)
        return diag_warn_at(diag, location, WARN_SOUND_LENGTH,
                            "the film ends at %.2f s, %.2f s before the sound", film_s,
                            sound_s - film_s);
    return true;
}

/* ---- models in one place ---- */

static bool equal_motions(const ModelSpec *a, const ModelSpec *b)
{
    if (a->motion_count != b->motion_count)
        return false;
    for (size_t i = 0; i < a->motion_count; i++)
        if (strcmp(a->motions[i].file, b->motions[i].file) != 0 ||
            a->motions[i].offset != b->motions[i].offset ||
            a->motions[i].speed != b->motions[i].speed ||
            a->motions[i].only != b->motions[i].only || a->motions[i].legs != b->motions[i].legs ||
            a->motions[i].clean != b->motions[i].clean)
            return false;
    return true;
}

static bool is_equal(Vec3 a, Vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool in_same_place(const ModelSpec *a, const ModelSpec *b)
{
    const AttachSpec *p = a->attach, *q = b->attach;
    const bool attached_alike =
        (!p && !q) || (p && q && !strcmp(p->model, q->model) && !strcmp(p->bone, q->bone) &&
                       is_equal(p->offset, q->offset));
    return !strcmp(a->file, b->file) && !a->path_count && !b->path_count && !a->key_count &&
           !b->key_count && !a->attach_key_count && !b->attach_key_count &&
           is_equal(a->position, b->position) && is_equal(a->rotation_deg, b->rotation_deg) &&
           a->scale == b->scale && attached_alike && equal_motions(a, b);
}

static bool check_places(const char *list, const ModelSpec *models, size_t count, const Job *job,
                         Arena *arena, Diag *diag)
{
    bool good = true;
    for (size_t i = 1; i < count; i++)
        for (size_t k = 0; k < i; k++)
            if (in_same_place(&models[k], &models[i])) {
                const char *key = arena_printf(arena, "%s.%zu", list, i);
                good &= diag_warn_at(diag, job_location(job, key, NULL, arena), WARN_SAME_PLACE,
                                     "'%s' is also %s.%zu, in the same place with the same motions",
                                     path_name(models[i].file), list, k);
                break;
            }
    return good;
}

/* ---- effects ---- */

/* Whether an effect draws the frame as a whole, not only models. */
static bool is_post_effect(const Effect *effect)
{
    for (size_t i = 0; i < effect->parameter_count; i++) {
        const EffectParameter *p = &effect->parameters[i];
        const EffectAnnotation *class =
            effect_find_annotation(p->annotations, p->annotation_count, "ScriptClass");
        if (text_equal_ignoring_case(p->semantic, "STANDARDSGLOBAL") && class && class->text)
            return !text_equal_ignoring_case(class->text, "object");
    }
    return false;
}

static void find_effects(bool *post, bool *of_models, const Scene *scene)
{
    *post = *of_models = false;
    for (size_t m = 0; m < scene->model_count; m++)
        for (uint32_t i = 0; i < scene->models[m].model->pmx.material_count; i++) {
            const int index = scene_effect_of(scene->effects.draws, m, i);
            const bool is_post = index >= 0 && is_post_effect(scene->effects.items[index].effect);
            *post |= is_post;
            *of_models |= index != EFFECT_STANDARD && !is_post;
        }
}

static bool check_effects(const Film *film, const FilmScene *scene, Arena *arena, Diag *diag)
{
    bool post, of_models, good = true;
    find_effects(&post, &of_models, &scene->scene);
    if (post && scene->job->background.alpha)
        good &= diag_warn_at(diag, job_location(scene->job, "background.alpha", NULL, arena),
                             WARN_EFFECT,
                             "the alpha of the film is what its post effects write, often 1");
    for (size_t i = 0; of_models && i < film->output_count; i++)
        if (film->outputs[i].pass != PASS_BEAUTY)
            good &= diag_warn_at(
                diag,
                job_location(film->job, arena_printf(arena, "outputs.%zu.pass", i), NULL, arena),
                WARN_EFFECT, "passes are those of the models without their effects");
    return good;
}

/* What differs from the same frames of a film that is simulated from frame 0 on. */
static void note_preroll(const Film *film, size_t scene, Diag *diag)
{
    const Scene *assets = &film->scenes[scene].scene;
    const FilmScene *s = &film->scenes[scene];
    size_t bodies = 0;
    if (!(film_start(film, scene, s->first + s->count - 1) > 0))
        return;
    for (size_t i = 0; i < assets->model_count; i++)
        bodies +=
            assets->models[i].spec.physics ? assets->models[i].model->dynamics.moving_count : 0;
    if (scene_is_simulated(assets))
        diag_note(diag,
                  "%sphysics.preroll_s: physics begins %g s before the first frame: %zu bodies and "
                  "%zu cloths are not where a film of all frames has them",
                  s->job->prefix, film_preroll_s(film, scene), bodies, assets->cloth_count);
}

bool check_film(const Film *film, Diag *diag)
{
    const FrameEstimate frame = estimate_frame(film);
    Arena *arena = arena_create();
    bool good = check_sound(film, arena, diag) && estimate_warn(film, &frame, diag);
    for (size_t i = 0; i < film->scene_count; i++) {
        const Job *scene = film->scenes[i].job;
        good &= check_places("models", scene->models, scene->model_count, scene, arena, diag);
        good &= check_places("stage", scene->stage, scene->stage_count, scene, arena, diag);
        good &= check_effects(film, &film->scenes[i], arena, diag);
        note_preroll(film, i, diag);
    }
    for (size_t i = 0; i < film->output_count; i++)
        if (sink_is_video(film->outputs[i].kind))
            good &= codec_check_hardware(&film->outputs[i].options, diag);
    arena_destroy(arena);
    return good;
}
