#include "film/look_load.h"

#include <math.h>

#include "base/file.h"
#include "base/text.h"
#include "film/film.h"

static bool load_lut(const Cube **out, const Job *job, const char *file, Arena *arena, Diag *diag)
{
    Cube *cube = arena_array(arena, Cube, 1);
    Arena *scratch = arena_create();
    Bytes bytes;

    if (!file_check_exists(file, job_location(job, "look.grade.lut", NULL, arena), diag)) {
        arena_destroy(scratch);
        return false;
    }
    diag_file(diag, file);
    const bool ok = file_load(&bytes, file, FILE_MAX_SIZE, scratch, diag) &&
                    cube_load(cube, bytes, arena, diag);
    diag_file(diag, NULL);
    arena_destroy(scratch);
    *out = cube;
    return ok;
}

static void load_effects(FilmLook *look, const JobLook *job)
{
    const JobGlow *glow = job->glow;
    const JobDiffusion *diffusion = job->diffusion;

    look->has_ssao = job->ssao != NULL;
    if (job->ssao)
        look->ssao = (SsaoOptions){(float)job->ssao->strength, (float)job->ssao->radius};
    look->has_glow = glow != NULL;
    if (glow)
        look->glow = (GlowOptions){(float)glow->strength, (float)glow->size};
    look->has_diffusion = diffusion != NULL;
    if (diffusion)
        look->diffusion = (DiffusionOptions){(DiffusionBlend)diffusion->blend,
                                             (float)diffusion->strength, (float)diffusion->size};
}

static bool load_grade(FilmLook *look, const Job *job, Arena *arena, Diag *diag)
{
    const JobGrade *grade = job->look.grade;

    if (!grade)
        return true;
    look->has_grade = true;
    look->grade = (GradeOptions){
        .exposure_ev = (float)grade->exposure_ev,
        .temperature = (float)grade->temperature,
        .contrast = (float)grade->contrast,
        .saturation = (float)grade->saturation,
        .lut_strength = (float)grade->lut_strength,
        .vignette = (float)grade->vignette,
        .grain = (float)grade->grain,
    };
    return !grade->lut || load_lut(&look->grade.lut, job, grade->lut, arena, diag);
}

/* What a photographer focuses on; -1 if the model has no standard names. */
static int32_t find_face(const Model *model)
{
    const int32_t eye = model_find_bone(model, "左目");
    return eye >= 0 ? eye : model_find_bone(model, "頭");
}

bool look_load_focus(Film *film, Arena *arena, Diag *diag)
{
    const Job *job = film->job;
    const JobFocus *focus = job->look.focus;
    FocusOptions *out = &film->look->focus;

    if (!focus)
        return true;
    out->aperture = (float)focus->aperture;
    out->distance = isnan(focus->distance) ? 0.0f : (float)focus->distance;
    out->model = focus->model ? (uint32_t)scene_find_model(&film->scene, focus->model)
                              : (uint32_t)job->stage_count; /* stages come first */
    const Model *model = film->scene.models[out->model].model;
    if (!focus->bone) {
        out->bone = find_face(model);
        return true;
    }
    out->bone = model_require_bone(model, focus->bone,
                                   job_location(job, "look.focus.bone", NULL, arena), diag);
    return out->bone >= 0;
}

bool look_load(Film *film, Arena *arena, Diag *diag)
{
    film->look = arena_array(arena, FilmLook, 1);
    load_effects(film->look, &film->job->look);
    return load_grade(film->look, film->job, arena, diag);
}
