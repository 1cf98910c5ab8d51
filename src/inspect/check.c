// SPDX-License-Identifier: MIT
#include "inspect/check.h"

#include <string.h>

#include "base/file.h"
#include "base/path.h"
#include "base/text_escape.h"
#include "base/units.h"
#include "effect/effect.h"
#include "film/film_scenes.h"
#include "inspect/check_film.h"
#include "inspect/check_result.h"
#include "inspect/draw_order.h"
#include "inspect/hidden_frames.h"
#include "job/job_scene.h"
#include "render/effects/kept.h"
#include "render/emission.h"
#include "render/panorama.h"
#include "scene/mocap/clean.h"
#include "scene/motion.h"
#include "typesetting/text_fonts.h"

/* ---- as text ---- */

/* Materials that glow with these options. */
static size_t count_glowing(const Scene *scene, const EmissionOptions *options)
{
    size_t count = 0;
    for (size_t m = 0; m < scene->model_count; m++) {
        const PmxModel *pmx = &scene->models[m].model->pmx;
        for (uint32_t i = 0; i < pmx->material_count; i++) {
            MaterialState state = {.specular_power = pmx->materials[i].specular_power};
            memcpy(state.specular, pmx->materials[i].specular, sizeof state.specular);
            count += emission_strength(&state, pmx->materials[i].name, options) > 0;
        }
    }
    return count;
}

/* "  transparency: 'hair' of dancer hides what is drawn after it; see render.transparency: split"
 */
static void write_draw_order(FILE *out, const SceneModel *model)
{
    Arena *arena = arena_create();
    const PmxModel *pmx = &model->model->pmx;
    bool *hides = arena_array(arena, bool, pmx->material_count);
    const size_t count = draw_order_find(hides, model->model);
    uint32_t first = 0;

    while (count && !hides[first])
        first++;
    if (count) {
        text_printf(out, "  transparency: soft edges of '%s'", pmx->materials[first].name);
        if (count > 1)
            fprintf(out, " and %zu more material%s", count - 1, count > 2 ? "s" : "");
        text_printf(out, " of %s hide what is drawn after them; see render.transparency\n",
                    model->id);
    }
    arena_destroy(arena);
}

/* "  render.size: 1920x1080 is not 2:1, ...": advice to panoramas */
static void write_panorama_shape(FILE *out, const Job *job)
{
    static const char *const shapes[] = {
        [STEREO_NONE] = "1:1", [STEREO_LEFT_RIGHT] = "2:1", [STEREO_TOP_BOTTOM] = "1:2"};
    const int *size = job->render.size;
    const PanoramaOptions options = job_panorama(&job->camera);
    const Panorama panorama = panorama_of(&options, size[0], size[1]);
    const bool whole = options.projection == PROJECTION_EQUIRECT;

    if ((whole || options.projection == PROJECTION_VR180) &&
        panorama.width != panorama.height * (whole ? 2 : 1))
        fprintf(out,
                "  render.size: %dx%d is not %s, so pixels are not square with camera.projection: "
                "%s\n",
                size[0], size[1], whole ? "2:1" : shapes[job->camera.stereo],
                whole ? "equirect" : "vr180");
}

/* "  dance.vmd: 59 of 72 bones and 0 of 12 morphs fit gene; made for 'NAME'"
 * "  dance.vmd: 40 bones and 9 morphs move; 20 bones have one key at frame 0" */
static void write_motions(FILE *out, const SceneModel *model, Arena *arena)
{
    for (size_t i = 0; i < model->motion.fit_count; i++) {
        const MotionFit *fit = &model->motion.fits[i];
        const char *name = path_name(fit->file);
        if (fit->bones || fit->morphs)
            text_printf(out, "  %s: %s fit %s%s%s%s\n", name, motion_fit_text(fit, arena),
                        model->id, *fit->made_for ? "; made for '" : "", fit->made_for,
                        *fit->made_for ? "'" : "");
        text_printf(out, "  %s: %s\n", name, motion_share_text(&fit->share, arena));
    }
}

/* "  trembles: miku: noise of 0.41 degrees in 14 of 15 bones; ...; see models.motions.clean" */
static void write_tremble(FILE *out, const SceneModel *model, Arena *arena)
{
    const CleanReport report = clean_measure(&model->motion, model->model);
    if (report.traced)
        text_printf(out, "  trembles: %s: %s; see models.motions.clean\n", model->id,
                    clean_report_text(&report, arena));
}

/* "  camera.reframe: a stage is in the way back for 4.2 s: widened to up to 61 degrees"; what
 * camera.reframe_fov_deg leaves out */
static void write_reframe(FILE *out, const ReframeTrack *track, const CameraSpec *camera)
{
    if (track->widened > 0)
        fprintf(out,
                "  camera.reframe: a stage is in the way back for %.1f s: widened to up to %.0f "
                "degrees\n",
                track->widened / MOTION_FPS, track->widest_deg);
    if (track->cropped > 0)
        fprintf(out,
                "  camera.reframe: heads or hands are cut off for %.1f s, with "
                "camera.reframe_fov_deg: %g\n",
                track->cropped / MOTION_FPS, camera->reframe_fov_deg);
}

static void write_scene(FILE *out, const Film *film, size_t number)
{
    const FilmScene *film_scene = &film->scenes[number];
    const Job *job = film_scene->job;
    const Scene *scene = &film_scene->scene;
    const GlowOptions *glow = job->look.glow;
    const EmissionOptions emission =
        glow ? (EmissionOptions){glow->materials, glow->material_count} : (EmissionOptions){0};
    const size_t glowing = count_glowing(scene, &emission);
    Arena *arena = arena_create();

    write_reframe(out, &scene->camera_reframe, &job->camera);

    /* "  glow: 3 materials"; advice to jobs without look.glow */
    if (glowing || glow)
        fprintf(out, "  glow: %zu material%s%s\n", glowing, glowing == 1 ? "" : "s",
                glow ? "" : " would glow; see look.glow");

    for (size_t m = 0; m < scene->model_count && job->render.transparency == TRANSPARENCY_MMD; m++)
        if (!scene->models[m].spec.stage)
            write_draw_order(out, &scene->models[m]);

    /* "  FXAA.fx: mapped for stage-0: look.glow takes its place" */
    for (size_t i = 0; i < scene->effects.count; i++) {
        const SceneEffect *effect = &scene->effects.items[i];
        text_printf(out, "  %s: %s for %s%s%s\n", path_name(effect->file),
                    scene_effect_words[effect->state], effect->used_by, effect->why ? ": " : "",
                    effect->why ? effect->why : "");
    }

    /* "  room.glb: not used: 2 normal maps, 1 light" */
    for (size_t m = 0; m < scene->model_count; m++)
        if (scene->models[m].model->pmx.ignored)
            text_printf(out, "  %s: not used: %s\n", path_name(scene->models[m].model->file),
                        scene->models[m].model->pmx.ignored);

    /* "  vocals.wav: 42.1 s of voice move あ い う え お of gene; 31 blinks" */
    for (size_t m = 0; m < scene->model_count; m++) {
        const Lips *lips = &scene->models[m].lips;
        if (lips->file)
            text_printf(out, "  %s: %.1f s of voice move %s of %s; %u blink%s\n",
                        path_name(lips->file), lips->voiced_s,
                        *lips->morphs ? lips->morphs : "nothing", scene->models[m].id, lips->blinks,
                        lips->blinks == 1 ? "" : "s");
    }

    for (size_t m = 0; m < scene->model_count; m++) {
        write_motions(out, &scene->models[m], arena);
        write_tremble(out, &scene->models[m], arena);
    }

    /* "  gene: hidden by visibility keys in frames 0-99 (100 of 300)" */
    for (size_t m = 0; m < scene->model_count; m++) {
        const HiddenFrames hidden = hidden_frames_find(film, number, m);
        if (hidden.count)
            text_printf(out, "  %s: hidden by visibility keys in %s\n", scene->models[m].id,
                        hidden_frames_text(&hidden, arena));
    }
    arena_destroy(arena);
}

static void write_text(FILE *out, const Film *film)
{
    const Job *job = film->job;
    const Rational fps = job->render.fps;
    const size_t models = check_count_models(film);
    Arena *arena = arena_create();
    text_printf(out, "%s: ok, %zu model%s, %s of %dx%d, %.2f s\n", job->file, models,
                models == 1 ? "" : "s", text_frames(film->frame_count).text, job->render.size[0],
                job->render.size[1], (double)film->frame_count * fps.den / fps.num);
    if (strcmp(job->host.title, "none") != 0)
        text_printf(out, "  limits: %s\n", job->host.title);
    write_panorama_shape(out, job);
    for (size_t i = 0; i < film->fonts.count;
         i++) /* "  fonts of burn_in: VL Gothic, DejaVu Sans" */
        if (film->fonts.items[i].fonts.count)
            text_printf(out, "  fonts of %s: %s\n", film->fonts.items[i].key,
                        text_fonts_names(&film->fonts.items[i].fonts, arena));
    for (size_t i = 0; i < film->scene_count; i++) {
        if (film->scene_count > 1)
            fprintf(out, "  scene %zu: %s\n", i + 1, film_scene_text(film, i, arena));
        write_scene(out, film, i);
    }
    arena_destroy(arena);
}

/* Warns of effects that need what they drew in the frame before. */
static void warn_of_effects(const FilmScene *scene, Diag *diag)
{
    const SceneEffects *effects = &scene->scene.effects;
    Arena *arena = arena_create();

    for (size_t i = 0; i < effects->count && !scene->job->effects.history; i++) {
        const SceneEffect *effect = &effects->items[i];
        const char *name =
            effect->state == EFFECT_RUN ? fx_kept_target(effect->effect, arena) : NULL;

        diag_file(diag, effect->file);
        if (name)
            diag_warn(diag, WARN_EFFECT,
                      "the target '%s' is read before it is drawn on, and is empty at the start of "
                      "each frame; with effects.history it has what was drawn in frames before",
                      name);
    }
    diag_file(diag, NULL);
    arena_destroy(arena);
}

bool check_job(FILE *out, const JobSource *source, const CheckOptions *options, Diag *diag)
{
    Arena *arena = arena_create();
    ProblemList problems = {.arena = arena};
    const char *name = job_source_name(source);
    Job job;
    Film film;

    /* Messages go to the list, and in text form to the sink too. */
    DiagSink *const sink = diag->sink;
    void *const user = diag->user;
    diag->observer = problem_list_add;
    diag->observer_user = &problems;
    if (options->format != REPORT_TEXT)
        diag->sink = diag_ignore;
    JobSource all = *source;
    all.checks_files = true;
    bool good = job_load(&job, &all, arena, diag) &&
                (!options->parsed || options->parsed(options->user, &job, diag)) &&
                film_load(&film, &job, arena, diag) && check_film(&film, diag);
    if (good)
        for (size_t i = 0; i < film.scene_count; i++)
            warn_of_effects(&film.scenes[i], diag);
    diag_flush(diag);
    diag->sink = sink;
    diag->user = user;
    diag->observer = NULL;

    if (options->format == REPORT_JSON)
        check_write_json(out, name, good ? &film : NULL, &problems);
    if (options->format == REPORT_GITHUB)
        problem_list_write_github(out, &problems);
    if (options->format != REPORT_JSON && good)
        write_text(out, &film);
    const JunitReport junit = {"check", &name, 1, !good};
    if (options->junit)
        good &= problem_list_save_junit(options->junit, &problems, &junit, diag);
    arena_destroy(arena);
    return good;
}
