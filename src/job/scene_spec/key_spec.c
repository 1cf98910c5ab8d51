#include "job/scene_spec/key_spec.h"

#include <math.h>

#include "base/units.h"
#include "job/job_spline.h"

static double given(double value, double otherwise)
{
    return isnan(value) ? otherwise : value;
}

/* ---- attachment ---- */

/* prefix: of the list, "models.0.attach_keys" */
static const AttachKeySpec *attach_keys(const Job *job, const JobAttachKey *keys, size_t count,
                                        const char *prefix, Arena *arena)
{
    AttachKeySpec *out = arena_array(arena, AttachKeySpec, count);
    for (size_t i = 0; i < count; i++) {
        const char *item = arena_printf(arena, "%s.%zu", prefix, i);
        out[i] = (AttachKeySpec){
            .frame = job_point_frame(keys[i].time_s, keys[i].frame),
            .own_bone = keys[i].own_bone,
            .model = keys[i].model,
            .bone = keys[i].bone,
            .own_bone_location = job_location(job, item, "own_bone", arena),
            .model_location = job_location(job, item, "model", arena),
            .bone_location = job_location(job, item, "bone", arena),
        };
    }
    return out;
}

void key_spec_camera(SceneSpec *spec, const Job *job, Arena *arena)
{
    const JobCamera *camera = &job->camera;
    spec->camera_attach_count = camera->attach_key_count;
    spec->camera_attach = attach_keys(job, camera->attach_keys, camera->attach_key_count,
                                      "camera.attach_keys", arena);
    if (!camera->attach)
        return;
    AttachKeySpec *only = arena_array(arena, AttachKeySpec, 1);
    *only = (AttachKeySpec){.model = camera->attach->model,
                            .bone = camera->attach->bone,
                            .model_location = job_location(job, "camera.attach.model", NULL, arena),
                            .bone_location = job_location(job, "camera.attach.bone", NULL, arena)};
    spec->camera_attach = only;
    spec->camera_attach_count = 1;
}

/* ---- models ---- */

static ModelKey model_key(const JobModel *model, const JobModelKey *key)
{
    ModelKey out = {.frame = job_point_frame(key->time_s, key->frame),
                    .scale = given(key->scale, model->scale),
                    .opacity = given(key->opacity, model->opacity),
                    .shadow = key->shadow,
                    .visible = key->visible};
    for (size_t i = 0; i < 3; i++) {
        out.position[i] = given(key->position[i], model->position[i]) +
                          (model->attach ? model->attach->offset[i] : 0);
        out.rotation[i] = given(key->rotation_deg[i], model->rotation_deg[i]) * RADIANS;
    }
    return out;
}

void key_spec_model(ModelSpec *spec, const Job *job, const JobModel *model, const char *prefix,
                    Arena *arena)
{
    ModelKey *keys = arena_array(arena, ModelKey, model->key_count);
    for (size_t i = 0; i < model->key_count; i++)
        keys[i] = model_key(model, &model->keys[i]);
    spec->keys = (ModelKeys){keys, (uint32_t)model->key_count};
    spec->attach_keys = attach_keys(job, model->attach_keys, model->attach_key_count,
                                    arena_printf(arena, "%s.attach_keys", prefix), arena);
    spec->attach_key_count = model->attach_key_count;
    spec->transparency = (float)(1 - model->opacity);
    spec->casts_nothing = !model->shadow;
    spec->has_edge_color = !isnan(model->edge_color[0]);
    for (size_t i = 0; spec->has_edge_color && i < 3; i++)
        spec->edge_color[i] = (float)model->edge_color[i];
}

/* ---- gravity ---- */

void key_spec_gravity(PhysicsSpec *spec, const JobPhysics *physics, Arena *arena)
{
    GravityKey *keys = arena_array(arena, GravityKey, physics->gravity_key_count);
    for (size_t i = 0; i < physics->gravity_key_count; i++) {
        const JobGravityKey *key = &physics->gravity_keys[i];
        keys[i].frame = job_point_frame(key->time_s, key->frame);
        keys[i].noise = (float)given(key->noise, physics->gravity_noise);
        for (size_t k = 0; k < 3; k++)
            keys[i].gravity[k] = (float)given(key->gravity[k], physics->gravity[k]);
    }
    spec->gravity_noise = (float)physics->gravity_noise;
    spec->gravity_keys = keys;
    spec->gravity_key_count = (uint32_t)physics->gravity_key_count;
}
