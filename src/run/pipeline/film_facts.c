// SPDX-License-Identifier: MIT
#include "run/pipeline/film_facts.h"

#include <inttypes.h>

#include "base/path.h"
#include "film/film_scenes.h"

static void add(FilmFacts *facts, const char *name, const char *text, Arena *arena)
{
    *arena_push(arena, facts) = (FilmFact){name, text};
}

/* "1:02.50": integers, so that it is the same on every machine. */
static const char *length_text(const Film *film, Arena *arena)
{
    const Rational fps = film->job->render.fps;
    const int64_t hundredths =
        (2 * film->frame_count * 100 * fps.den + fps.num) / (2 * (int64_t)fps.num);
    return arena_printf(arena, "%" PRId64 ":%02" PRId64 ".%02" PRId64, hundredths / 6000,
                        hundredths / 100 % 60, hundredths % 100);
}

/* A cloth is a model without a file of its own. */
static void add_models(FilmFacts *facts, const Scene *scene, Arena *arena)
{
    for (size_t i = 0; i < scene->model_count; i++) {
        const SceneModel *m = &scene->models[i];
        const PmxModel *pmx = &m->model->pmx;
        if (!m->model->is_cloth)
            add(facts, m->spec.stage ? "Stage" : "Model",
                arena_printf(arena,
                             "%s: %" PRIu32 " vertices, %" PRIu32 " triangles, %" PRIu32
                             " materials, %" PRIu32 " bones",
                             path_name(m->model->file), pmx->vertex_count, pmx->index_count / 3,
                             pmx->material_count, pmx->bone_count),
                arena);
    }
}

static void add_motions(FilmFacts *facts, const ModelSpec *models, size_t count, Arena *arena)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < models[i].motion_count; k++)
            add(facts, "Motion", path_name(models[i].motions[k].file), arena);
}

static void add_scene(FilmFacts *facts, const Film *film, size_t index, Arena *arena)
{
    const Job *job = film->scenes[index].job;
    if (film->scene_count > 1)
        add(facts, arena_printf(arena, "Scene %zu", index + 1), film_scene_text(film, index, arena),
            arena);
    add_models(facts, &film->scenes[index].scene, arena);
    add_motions(facts, job->models, job->model_count, arena);
    add_motions(facts, job->stage, job->stage_count, arena);
    add(facts, "Camera", job_camera_text(&job->camera), arena);
}

FilmFacts film_facts(const Film *film, Arena *arena)
{
    const Job *job = film->job;
    const JobRender *r = &job->render;
    FilmFacts facts = {0};
    add(&facts, "Length", length_text(film, arena), arena);
    add(&facts, "Frames",
        arena_printf(arena, "%" PRId64 " at %.6g per second", film->frame_count,
                     (double)r->fps.num / r->fps.den),
        arena);
    add(&facts, "Size", arena_printf(arena, "%d × %d", r->size[0], r->size[1]), arena);
    add(&facts, "Samples", arena_printf(arena, "%d, %d × supersampled", r->samples, r->supersample),
        arena);
    for (size_t i = 0; i < film->scene_count; i++)
        add_scene(&facts, film, i, arena);
    add(&facts, "Sound", job->audio ? path_name(job->audio->file) : "none", arena);
    return facts;
}
