// SPDX-License-Identifier: MIT
#include "film/look_load.h"

#include <math.h>

#include "base/file.h"
#include "base/text.h"
#include "film/film.h"
#include "film/sub_frames.h"
#include "render/look/pattern.h"
#include "render/look/ssao_surfaces.h"
#include "render/passes/keypoints.h"

static bool load_lut(const Cube **out, const char *file, Arena *arena, Diag *diag)
{
    Cube *cube = arena_array(arena, Cube, 1);
    Arena *scratch = arena_create();
    Bytes bytes;

    diag_file(diag, file);
    const bool ok = file_load(&bytes, file, FILE_MAX_SIZE, scratch, diag) &&
                    cube_load(cube, bytes, arena, diag);
    diag_file(diag, NULL);
    arena_destroy(scratch);
    *out = cube;
    return ok;
}

/* Not after an error in the scene, although the rest of the job is then checked, too. */
static bool has_models(const Scene *scene)
{
    size_t loaded = 0;
    while (loaded < scene->model_count && scene->models[loaded].model)
        loaded++;
    return loaded == scene->model_count;
}

bool look_load(FilmScene *scene, Arena *arena, Diag *diag)
{
    const JobLook *job = &scene->job->look;
    LookOptions *look = scene->look = arena_array(arena, LookOptions, 1);
    if (job->ssao && has_models(&scene->scene)) {
        const SsaoSurfaces surfaces = {job->ssao->faces, job->ssao->exclude,
                                       job->ssao->exclude_count};
        const SsaoOptions ssao = {(float)job->ssao->strength, (float)job->ssao->radius,
                                  ssao_surfaces_find(&surfaces, &scene->scene, arena)};
        look->ssao = arena_copy(arena, &ssao, sizeof ssao);
    }
    if (job->glow) {
        const GlowOptions glow = {(float)job->glow->strength, (float)job->glow->size};
        look->glow = arena_copy(arena, &glow, sizeof glow);
    }
    if (job->diffusion) {
        const DiffusionOptions diffusion = {(DiffusionBlend)job->diffusion->blend,
                                            (float)job->diffusion->strength,
                                            (float)job->diffusion->size};
        look->diffusion = arena_copy(arena, &diffusion, sizeof diffusion);
    }
    if (job->grade) {
        GradeOptions grade = {
            .exposure_ev = (float)job->grade->exposure_ev,
            .temperature = (float)job->grade->temperature,
            .contrast = (float)job->grade->contrast,
            .saturation = (float)job->grade->saturation,
            .lut_strength = (float)job->grade->lut_strength,
            .vignette = (float)job->grade->vignette,
            .grain = (float)job->grade->grain,
        };
        if (job->grade->lut && !load_lut(&grade.lut, job->grade->lut, arena, diag))
            return false;
        look->grade = arena_copy(arena, &grade, sizeof grade);
    }
    return true;
}

/* What a photographer focuses on: the eyes, else the head; nothing if the model has no standard
 * names. */
static void focus_on_face(FocusOptions *out, const Model *model, Arena *arena)
{
    SkeletonPoint eyes[FOCUS_POINTS];

    if (!skeleton_find_eyes(eyes, model, arena)) {
        out->points[0] = (FocusPoint){.bone = model_find_bone(model, "頭")};
        out->point_count = out->points[0].bone >= 0;
        return;
    }
    out->point_count = FOCUS_POINTS;
    for (int i = 0; i < FOCUS_POINTS; i++) {
        out->points[i].bone = eyes[i].bone;
        for (int c = 0; c < 3; c++)
            out->points[i].offset[c] = eyes[i].rest[c] - model->pmx.bones[eyes[i].bone].position[c];
    }
}

bool look_load_focus(FilmScene *scene, Arena *arena, Diag *diag)
{
    const Job *job = scene->job;
    const JobFocus *focus = job->look.focus;
    FocusOptions *out = &scene->look->focus;

    if (!focus)
        return true;
    const DefocusOptions defocus = {out, pattern_lens_part(sub_frames_samples(job))};
    if (focus->aperture > 0 && defocus.part > 0)
        scene->look->defocus = arena_copy(arena, &defocus, sizeof defocus);
    out->aperture = (float)focus->aperture;
    out->distance = isnan(focus->distance) ? 0.0f : (float)focus->distance;
    out->model = focus->model ? (uint32_t)scene_find_model(&scene->scene, focus->model)
                              : (uint32_t)job->stage_count; /* stages come first */
    const Model *model = scene->scene.models[out->model].model;
    if (!focus->bone) {
        focus_on_face(out, model, arena);
        return true;
    }
    out->points[0] = (FocusPoint){
        .bone = model_require_bone(model, focus->bone,
                                   job_location(job, "look.focus.bone", NULL, arena), diag)};
    out->point_count = 1;
    return out->points[0].bone >= 0;
}
