// SPDX-License-Identifier: MIT
#include "job/job_scene.h"

#include "base/units.h"

/* What the locator of a scene asks. */
typedef struct Places {
    const Job *job;
    Arena *arena;
} Places;

static const DiagLocation *find_place(void *user, const char *key, const char *name)
{
    const Places *places = user;
    return job_location(places->job, key, name, places->arena);
}

static void set_cloth(SceneSpec *spec, const Job *job, Arena *arena)
{
    ClothSpec *cloths = arena_array(arena, ClothSpec, job->cloth_count);
    for (size_t i = 0; i < job->cloth_count; i++) {
        ClothTuning *tuning = &cloths[i].tuning;
        cloths[i] = job->cloth[i];
        cloths[i].key = arena_printf(arena, "cloth.%zu", i);
        tuning->step_hz = job->physics.cloth_hz;
        tuning->gravity = vec3_scale(job->physics.gravity, tuning->gravity_scale);
        if (tuning->any_step)
            tuning->stretch = 0;
    }
    spec->cloths = cloths;
    spec->cloth_count = job->cloth_count;
}

/* `key`: "models.0" or "stage.0". */
static ModelSpec model_spec(const Job *job, const ModelSpec *model, const char *key, bool stage)
{
    ModelSpec spec = *model;
    spec.key = key;
    spec.stage = stage;
    spec.physics &= job->physics.enabled;
    return spec;
}

SceneSpec job_scene_spec(const Job *job, bool textures, Arena *arena)
{
    const size_t count = job->stage_count + job->model_count;
    ModelSpec *models = arena_array(arena, ModelSpec, count);

    for (size_t i = 0; i < job->stage_count; i++)
        models[i] = model_spec(job, &job->stage[i], arena_printf(arena, "stage.%zu", i), true);
    for (size_t i = 0; i < job->model_count; i++)
        models[job->stage_count + i] =
            model_spec(job, &job->models[i], arena_printf(arena, "models.%zu", i), false);
    Places *places = arena_array(arena, Places, 1);
    *places = (Places){job, arena};
    SceneSpec spec = {
        .models = models,
        .model_count = count,
        .camera = job->camera,
        .light = job->light,
        .compat = job->compat,
        .physics = dynamics_physics(&job->physics, arena),
        .effects = job->effects,
        .textures = textures,
        .limits = job->host.scene,
        .locator = {find_place, places},
        .stop = job->stop,
    };
    set_cloth(&spec, job, arena);
    return spec;
}

PanoramaOptions job_panorama(const CameraSpec *camera)
{
    return (PanoramaOptions){.projection = camera->projection,
                             .angle = (float)(camera->fisheye_deg * RADIANS),
                             .stereo = camera->stereo,
                             .eye_distance = (float)camera->eye_distance};
}
