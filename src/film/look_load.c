#include "film/look_load.h"

#include "base/file.h"
#include "job/job_place.h"

static bool load_lut(const Cube **out, const Job *job, const char *file, Arena *arena, Diag *diag)
{
    Cube *cube = arena_array(arena, Cube, 1);
    Arena *scratch = arena_create();
    Bytes bytes;

    if (!file_check_exists(file, job_place(job, "look.grade.lut", NULL, arena), diag)) {
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

bool look_load(Film *film, Arena *arena, Diag *diag)
{
    return load_grade(&film->look, film->job, arena, diag);
}
