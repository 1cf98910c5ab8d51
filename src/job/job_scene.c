// SPDX-License-Identifier: MIT
#include "job/job_scene.h"

#include <math.h>
#include <string.h>

#include "base/units.h"
#include "job/job_check.h"

static Vec3 vector_of(const double v[3])
{
    return (Vec3){v[0], v[1], v[2]};
}

static void to_floats(float out[3], const double in[3], double factor)
{
    for (size_t i = 0; i < 3; i++)
        out[i] = (float)(in[i] * factor);
}

/* NaN: not given. */
static double given(double value, double otherwise)
{
    return isnan(value) ? otherwise : value;
}

/* The location of one of the keys below `prefix`. */
static const DiagLocation *location_below(const Job *job, const char *prefix, const char *key,
                                          Arena *arena)
{
    return job_location(job, arena_printf(arena, "%s.%s", prefix, key), NULL, arena);
}

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

/* ---- key points ---- */

/* velocity: per second; NULL if the point has none. */
static SplineTime point_time(double time_s, double frame, bool cut, const double velocity[3])
{
    SplineTime out = {.frame = job_point_frame(time_s, frame), .cut = cut};
    if (velocity && !isnan(velocity[0])) {
        out.velocity_given = true;
        out.velocity = vec3_scale(vector_of(velocity), 1.0 / MOTION_FPS);
    }
    return out;
}

const CameraPoint *job_scene_camera_points(const JobCamera *camera, Arena *arena)
{
    CameraPoint *points = arena_array(arena, CameraPoint, camera->path_count);
    for (size_t i = 0; i < camera->path_count; i++) {
        const JobCameraPoint *point = &camera->path[i];
        points[i] = (CameraPoint){
            .time = point_time(point->time_s, point->frame, point->cut, point->velocity),
            .eye = vector_of(point->eye),
            .target = vector_of(point->target),
            .up = vector_of(point->up),
            .roll = point->roll_deg * RADIANS,
            .fov_deg = point->fov_deg};
    }
    return camera->path_count ? points : NULL;
}

static const LightPoint *light_points(const JobLight *light, Arena *arena)
{
    LightPoint *points = arena_array(arena, LightPoint, light->path_count);
    for (size_t i = 0; i < light->path_count; i++) {
        const JobLightPoint *point = &light->path[i];
        const bool has_color = !isnan(point->color[0]), has_direction = !isnan(point->direction[0]);
        points[i] = (LightPoint){
            .time = point_time(point->time_s, point->frame, point->cut, NULL),
            .color = vector_of(has_color ? point->color : light->color),
            .direction = vector_of(has_direction ? point->direction : light->direction)};
    }
    return light->path_count ? points : NULL;
}

static const PlacementPoint *placement_points(const JobModel *model, Arena *arena)
{
    PlacementPoint *points = arena_array(arena, PlacementPoint, model->path_count);
    for (size_t i = 0; i < model->path_count; i++) {
        const JobPlacementPoint *point = &model->path[i];
        const double *angles = point->rotation_deg;
        points[i] = (PlacementPoint){
            .time = point_time(point->time_s, point->frame, point->cut, point->velocity),
            .position = vector_of(point->position),
            .rotation =
                quat_from_euler_yxz(angles[0] * RADIANS, angles[1] * RADIANS, angles[2] * RADIANS)};
        if (model->attach)
            points[i].position = vec3_add(points[i].position, vector_of(model->attach->offset));
    }
    return model->path_count ? points : NULL;
}

/* ---- keys ---- */

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

static void set_camera_attach(SceneSpec *spec, const Job *job, Arena *arena)
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

static void set_keys(ModelSpec *spec, const Job *job, const JobModel *model, const char *prefix,
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
    spec->casts_shadow = model->casts_shadow;
    spec->flip_v = model->flip_v;
    spec->has_edge_color = !isnan(model->edge_color[0]);
    for (size_t i = 0; spec->has_edge_color && i < 3; i++)
        spec->edge_color[i] = (float)model->edge_color[i];
}

static void set_gravity_keys(PhysicsSpec *spec, const JobPhysics *physics, Arena *arena)
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

/* ---- models ---- */

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

/* `key`: of the renames in the job. */
static const MotionRename *renames_of(size_t *count, const Job *job, const NamePair *items,
                                      size_t item_count, const char *key, Arena *arena)
{
    MotionRename *renames = arena_array(arena, MotionRename, item_count);
    for (size_t i = 0; i < item_count; i++)
        renames[i] = (MotionRename){items[i].from, items[i].to,
                                    job_location(job, key, items[i].from, arena)};
    *count = item_count;
    return renames;
}

/* `prefix`: its key in the job. */
static MotionSpec motion_spec(const Job *job, const JobMotion *motion, const char *prefix,
                              Arena *arena)
{
    MotionSpec spec = {
        .file = motion->file,
        .time = {motion->offset, motion->speed},
        .parts = motion->only ? motion->only : MOTION_ALL, /* camera motions have no such key */
        .mode = (LayerMode)motion->layer,
        .legs = (MocapLegs)motion->legs,
        .location = location_below(job, prefix, "file", arena),
        .from = motion->from,
        .to = motion->to,
        .at = motion->at,
        .fade = motion->fade,
        .loop = motion->loop,
        .mirror = motion->mirror,
    };
    spec.renames = renames_of(&spec.rename_count, job, motion->rename, motion->rename_count,
                              arena_printf(arena, "%s.rename", prefix), arena);
    return spec;
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

static bool is_part(const JobMotion *m)
{
    return m->from || m->to >= 0 || m->at >= 0 || m->fade || m->loop > 1 || m->mirror;
}

static void set_motions(ModelSpec *spec, const Job *job, const JobModel *model, const char *prefix,
                        Arena *arena)
{
    MotionSpec *motions = arena_array(arena, MotionSpec, model->motion_count);
    for (size_t i = 0; i < model->motion_count; i++)
        motions[i] = motion_spec(job, &model->motions[i],
                                 arena_printf(arena, "%s.motions.%zu", prefix, i), arena);
    /* What `at` and `fade` follow is a part of the sequence, too. */
    for (size_t i = model->motion_count; i-- > 0;) {
        const JobMotion *m = &model->motions[i], *next = m + 1;
        motions[i].in_sequence =
            is_part(m) || (i + 1 < model->motion_count && (next->at >= 0 || next->fade));
    }
    spec->motions = motions;
    spec->motion_count = model->motion_count;
}

static void set_lips(ModelSpec *spec, const Job *job, const JobModel *model, const char *prefix,
                     Arena *arena)
{
    const JobFace *face = model->face;
    if (!face)
        return;
    spec->lips = (LipsSpec){.file = face->sing,
                            .offset_s = face->offset_s,
                            .strength = face->strength,
                            .blinks = face->blinks,
                            .location = location_below(job, prefix, "face.sing", arena)};
    spec->lips.renames = renames_of(&spec->lips.rename_count, job, face->rename, face->rename_count,
                                    arena_printf(arena, "%s.face.rename", prefix), arena);
}

/* target, owner: NULL for the frame; prefix: of the keys `effect` and `effects` */
static void add_effects(EffectAssignment *out, size_t *count, const Job *job, const char *target,
                        const char *owner, const char *file, const NamedFile *files,
                        size_t file_count, const char *prefix, Arena *arena)
{
    const char *key = arena_printf(arena, "%s.effects", prefix);
    if (file)
        out[(*count)++] = (EffectAssignment){target, owner, NULL, file,
                                             location_below(job, prefix, "effect", arena)};
    for (size_t i = 0; i < file_count; i++)
        out[(*count)++] = (EffectAssignment){target, owner, files[i].name, files[i].file,
                                             job_location(job, key, files[i].name, arena)};
}

static void set_effects(ModelSpec *spec, const Job *job, const JobModel *model, const char *prefix,
                        Arena *arena)
{
    size_t count = 1 + model->effect_count;
    for (size_t i = 0; i < model->target_count; i++)
        count += 1 + model->targets[i].effect_count;
    EffectAssignment *out = arena_array(arena, EffectAssignment, count);
    spec->effects = out;
    add_effects(out, &spec->effect_count, job, NULL, NULL, model->effect, model->effects,
                model->effect_count, prefix, arena);
    for (size_t i = 0; i < model->target_count; i++) {
        const JobTargetEffect *target = &model->targets[i];
        add_effects(out, &spec->effect_count, job, target->target, target->owner, target->effect,
                    target->effects, target->effect_count,
                    arena_printf(arena, "%s.targets.%zu", prefix, i), arena);
    }
}

/* `prefix`: "models.0" or "stage.0". */
static ModelSpec model_spec(const Job *job, const JobModel *model, const char *prefix, Arena *arena)
{
    ModelSpec spec = {
        .id = model->id,
        .file = model->file,
        .placement = placement_of(model),
        .path = placement_points(model, arena),
        .path_count = (uint32_t)model->path_count,
        .attach_model = model->attach ? model->attach->model : NULL,
        .attach_bone = model->attach ? model->attach->bone : NULL,
        .physics = model->physics && job->physics.enabled,
        .edge_scale = (float)model->edge_scale,
        .morphs = model->morphs,
        .morph_count = model->morph_count,
        .hide_materials = model->hide_materials,
        .hide_count = model->hide_count,
        .key = prefix,
    };
    set_motions(&spec, job, model, prefix, arena);
    set_lips(&spec, job, model, prefix, arena);
    set_effects(&spec, job, model, prefix, arena);
    set_keys(&spec, job, model, prefix, arena);
    return spec;
}

/* ---- cloth ---- */

static void set_cloth(SceneSpec *spec, const Job *job, Arena *arena)
{
    ClothSpec *cloths = arena_array(arena, ClothSpec, job->cloth_count);
    for (size_t i = 0; i < job->cloth_count; i++) {
        ClothTuning *tuning = &cloths[i].tuning;
        cloths[i] = job->cloth[i];
        cloths[i].key = arena_printf(arena, "cloth.%zu", i);
        tuning->step_hz = job->physics.cloth_hz;
        tuning->gravity = vec3_scale(vector_of(job->physics.gravity), tuning->gravity_scale);
        if (tuning->any_step)
            tuning->stretch = 0;
    }
    spec->cloths = cloths;
    spec->cloth_count = job->cloth_count;
}

/* ---- the scene ---- */

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
        spec->camera_path = job_scene_camera_points(camera, arena);
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

SceneSpec job_scene_spec(const Job *job, bool textures, Arena *arena)
{
    const size_t count = job->stage_count + job->model_count;
    ModelSpec *models = arena_array(arena, ModelSpec, count);

    for (size_t i = 0; i < count; i++) {
        const bool stage = i < job->stage_count;
        const size_t index = stage ? i : i - job->stage_count;
        models[i] =
            model_spec(job, stage ? &job->stage[index] : &job->models[index],
                       arena_printf(arena, "%s.%zu", stage ? "stage" : "models", index), arena);
        models[i].stage = stage;
    }
    Places *places = arena_array(arena, Places, 1);
    *places = (Places){job, arena};
    EffectPackage *packages = arena_array(arena, EffectPackage, job->effects.package_count);
    for (size_t i = 0; i < job->effects.package_count; i++)
        packages[i] = (EffectPackage){
            job->effects.packages[i].file,
            location_below(job, arena_printf(arena, "effects.packages.%zu", i), "file", arena)};
    SceneSpec spec = {
        .models = models,
        .model_count = count,
        .light_motion = {.time = {0, 1}},
        .light_path = light_points(&job->light, arena),
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
        .effects = (EffectsMode)job->effects.mode,
        .effect_packages = packages,
        .effect_package_count = job->effects.package_count,
        .limits = job->host.scene,
        .locator = {find_place, places},
        .stop = job->stop,
    };
    if (job->light.motion)
        spec.light_motion = motion_spec(job, job->light.motion, "light.motion", arena);
    set_cloth(&spec, job, arena);
    set_camera(&spec, job, arena);
    set_camera_attach(&spec, job, arena);
    set_gravity_keys(&spec.physics, &job->physics, arena);
    to_floats(spec.physics.gravity, job->physics.gravity, 1);
    to_floats(spec.light.color, job->light.color, 1);
    to_floats(spec.light.direction, job->light.direction, 1);
    return spec;
}

PanoramaOptions job_panorama(const JobCamera *camera)
{
    return (PanoramaOptions){.projection = (Projection)camera->projection,
                             .angle = (float)(camera->fisheye_deg * RADIANS),
                             .stereo = (Stereo)camera->stereo,
                             .eye_distance = (float)camera->eye_distance};
}
