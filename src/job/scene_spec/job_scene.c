#include "job/scene_spec/job_scene.h"

#include <math.h>

#include "base/units.h"
#include "job/scene_spec/cloth_spec.h"
#include "job/scene_spec/key_spec.h"
#include "job/scene_spec/point_spec.h"

static void euler_to_quaternion(float out[4], const double degrees[3])
{
    /* About z first, then x, then y: q = qy * qx * qz. */
    const double x = degrees[0] * PI / 360, y = degrees[1] * PI / 360, z = degrees[2] * PI / 360;
    const double cx = cos(x), sx = sin(x), cy = cos(y), sy = sin(y), cz = cos(z), sz = sin(z);
    out[0] = (float)(cy * sx * cz + sy * cx * sz);
    out[1] = (float)(sy * cx * cz - cy * sx * sz);
    out[2] = (float)(cy * cx * sz - sy * sx * cz);
    out[3] = (float)(cy * cx * cz + sy * sx * sz);
}

/* The location of one of the keys below `prefix`. */
static const DiagLocation *location_below(const Job *job, const char *prefix, const char *key,
                                          Arena *arena)
{
    return job_location(job, arena_printf(arena, "%s.%s", prefix, key), NULL, arena);
}

/* `prefix`: its key in the job. */
static MotionSpec motion_spec(const Job *job, const JobMotion *motion, const char *prefix,
                              Arena *arena)
{
    MotionRename *renames = arena_array(arena, MotionRename, motion->rename_count);
    const char *key = arena_printf(arena, "%s.rename", prefix);
    for (size_t i = 0; i < motion->rename_count; i++)
        renames[i] = (MotionRename){motion->rename[i].from, motion->rename[i].to,
                                    job_location(job, key, motion->rename[i].from, arena)};
    return (MotionSpec){
        .file = motion->file,
        .time = {motion->offset, motion->speed},
        .parts = motion->only ? motion->only : MOTION_ALL, /* camera motions have no such key */
        .legs = (MocapLegs)motion->legs,
        .renames = renames,
        .rename_count = motion->rename_count,
        .location = location_below(job, prefix, "file", arena),
    };
}

static Placement placement_of(const JobModel *model)
{
    Placement placement = PLACEMENT_NONE;
    for (size_t i = 0; i < 3; i++)
        placement.position[i] =
            (float)(model->position[i] + (model->attach ? model->attach->offset[i] : 0));
    euler_to_quaternion(placement.rotation, model->rotation_deg);
    placement.scale = (float)model->scale;
    return placement;
}

static void set_motions(ModelSpec *spec, const Job *job, const JobModel *model, const char *prefix,
                        Arena *arena)
{
    MotionSpec *motions = arena_array(arena, MotionSpec, model->motion_count);
    for (size_t i = 0; i < model->motion_count; i++)
        motions[i] = motion_spec(job, &model->motions[i],
                                 arena_printf(arena, "%s.motions.%zu", prefix, i), arena);
    spec->motions = motions;
    spec->motion_count = model->motion_count;
}

static void set_morphs(ModelSpec *spec, const Job *job, const JobModel *model, const char *prefix,
                       Arena *arena)
{
    const char *key = arena_printf(arena, "%s.morphs", prefix);
    MorphSpec *morphs = arena_array(arena, MorphSpec, model->morph_count);
    for (size_t i = 0; i < model->morph_count; i++)
        morphs[i] = (MorphSpec){model->morphs[i].name, (float)model->morphs[i].weight,
                                job_location(job, key, model->morphs[i].name, arena)};
    spec->morphs = morphs;
    spec->morph_count = model->morph_count;
}

static void set_hidden(ModelSpec *spec, const Job *job, const JobModel *model, const char *prefix,
                       Arena *arena)
{
    const DiagLocation **locations = arena_array(arena, const DiagLocation *, model->hide_count);
    for (size_t i = 0; i < model->hide_count; i++)
        locations[i] =
            location_below(job, prefix, arena_printf(arena, "hide_materials.%zu", i), arena);
    spec->hide_materials = model->hide_materials;
    spec->hide_count = model->hide_count;
    spec->hide_locations = locations;
}

/* `prefix`: "models.0" or "stage.0". */
static ModelSpec model_spec(const Job *job, const JobModel *model, const char *prefix, Arena *arena)
{
    ModelSpec spec = {
        .id = model->id,
        .file = model->file,
        .placement = placement_of(model),
        .path = point_spec_placement(model, arena),
        .path_count = (uint32_t)model->path_count,
        .attach_model = model->attach ? model->attach->model : NULL,
        .attach_bone = model->attach ? model->attach->bone : NULL,
        .physics = model->physics && job->physics.enabled,
        .edge_scale = (float)model->edge_scale,
        .location = location_below(job, prefix, "file", arena),
        .attach_model_location = location_below(job, prefix, "attach.model", arena),
        .attach_bone_location = location_below(job, prefix, "attach.bone", arena),
    };
    set_motions(&spec, job, model, prefix, arena);
    set_morphs(&spec, job, model, prefix, arena);
    set_hidden(&spec, job, model, prefix, arena);
    key_spec_model(&spec, job, model, prefix, arena);
    return spec;
}

static void to_floats(float out[3], const double in[3], double factor)
{
    for (size_t i = 0; i < 3; i++)
        out[i] = (float)(in[i] * factor);
}

static void set_camera(SceneSpec *spec, const Job *job, Arena *arena)
{
    const JobCamera *camera = &job->camera;
    const JobCameraFixed *fixed = camera->fixed;
    spec->camera_fixed = CAMERA_DEFAULT;
    if (camera->motion) {
        spec->camera_kind = CAMERA_MOTION;
        spec->camera_motion = motion_spec(job, camera->motion, "camera.motion", arena);
    } else if (camera->path_count) {
        spec->camera_kind = CAMERA_PATH;
        spec->camera_path = point_spec_camera(camera, arena);
        spec->camera_path_count = (uint32_t)camera->path_count;
        spec->camera_orientation = (SplineOrientation)camera->orientation;
    } else if (fixed) {
        spec->camera_kind = CAMERA_FIXED;
        to_floats(spec->camera_fixed.target, fixed->target, 1);
        to_floats(spec->camera_fixed.rotation, fixed->rotation_deg, RADIANS);
        spec->camera_fixed.distance = (float)fixed->distance;
        spec->camera_fixed.fov_deg = (float)fixed->fov_deg;
        spec->camera_fixed.orthographic = fixed->orthographic;
    }
}

bool job_scene_spec(SceneSpec *spec, const Job *job, bool textures, Arena *arena, Diag *diag)
{
    const size_t count = job->stage_count + job->model_count;
    ModelSpec *models = arena_array(arena, ModelSpec, count);
    (void)diag;

    for (size_t i = 0; i < count; i++) {
        const bool stage = i < job->stage_count;
        const size_t index = stage ? i : i - job->stage_count;
        models[i] =
            model_spec(job, stage ? &job->stage[index] : &job->models[index],
                       arena_printf(arena, "%s.%zu", stage ? "stage" : "models", index), arena);
        models[i].stage = stage;
    }
    *spec = (SceneSpec){
        .models = models,
        .model_count = count,
        .light_motion = {.time = {0, 1}},
        .light_path = point_spec_light(&job->light, arena),
        .light_path_count = (uint32_t)job->light.path_count,
        .shadow = SHADOW_DEFAULT,
        .compat = {.curve_halvings = job->compat.curve_halvings,
                   .ik = (IkFamily)job->compat.ik,
                   .append_chain_own = job->compat.append_chain == APPEND_OWN,
                   .fixed_axis_keys = job->compat.fixed_axis == FIXED_AXIS_KEYS},
        .physics = {.step_hz = job->physics.step_hz,
                    .warmup_s = (float)job->physics.warmup_s,
                    .floor = job->physics.floor,
                    .teleport_reset = job->physics.teleport_reset},
        .textures = textures,
        .limits = job->host.scene,
        .stop = job->stop,
    };
    if (job->light.motion)
        spec->light_motion = motion_spec(job, job->light.motion, "light.motion", arena);
    cloth_spec_set(spec, job, arena);
    set_camera(spec, job, arena);
    key_spec_camera(spec, job, arena);
    key_spec_gravity(&spec->physics, &job->physics, arena);
    to_floats(spec->physics.gravity, job->physics.gravity, 1);
    to_floats(spec->light.color, job->light.color, 1);
    to_floats(spec->light.direction, job->light.direction, 1);
    return true;
}
