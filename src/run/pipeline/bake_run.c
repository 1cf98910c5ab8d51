#include "run/pipeline/bake_run.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/path.h"
#include "evaluate/version.h"
#include "film/film.h"
#include "film/path_conflicts.h"
#include "film/sub_frames.h"
#include "job/job_scene.h"
#include "run/checkpoint/checkpoint_files.h"

/* ---- the digest ---- */

typedef struct Facts {
    Hash *hash;
    Diag *diag;
    bool failed;
} Facts;

static void add_bytes(Facts *f, const void *data, size_t size)
{
    const uint64_t length = size; /* separates adjacent values */
    hash_add(f->hash, &length, sizeof length);
    if (size)
        hash_add(f->hash, data, size);
}

static void add_int(Facts *f, int64_t value)
{
    add_bytes(f, &value, sizeof value);
}

static void add_double(Facts *f, double value)
{
    add_bytes(f, &value, sizeof value);
}

static void add_floats(Facts *f, const float *values, size_t count)
{
    add_bytes(f, values, count * sizeof *values);
}

static void add_text(Facts *f, const char *text)
{
    add_int(f, text != NULL);
    if (text)
        add_bytes(f, text, strlen(text));
}

static void add_file(Facts *f, const char *path)
{
    add_int(f, path != NULL);
    if (!path)
        return;
    Arena *arena = arena_create();
    Bytes bytes;
    diag_file(f->diag, path);
    if (file_load(&bytes, path, FILE_MAX_SIZE, arena, f->diag))
        add_bytes(f, bytes.data, bytes.size);
    else
        f->failed = true;
    diag_file(f->diag, NULL);
    arena_destroy(arena);
}

static void add_motion(Facts *f, const MotionSpec *motion)
{
    add_file(f, motion->file);
    add_double(f, motion->time.offset);
    add_double(f, motion->time.speed);
    add_int(f, motion->parts);
    if (motion->rename_count) /* without renames the digest is that of earlier versions */
        add_int(f, (int64_t)motion->rename_count);
    for (size_t i = 0; i < motion->rename_count; i++) {
        add_text(f, motion->renames[i].from);
        add_text(f, motion->renames[i].to);
    }
    if (motion->legs != MOCAP_LEGS_FK) /* the same */
        add_int(f, motion->legs);
}

static void add_doubles(Facts *f, const double *values, size_t count)
{
    add_bytes(f, values, count * sizeof *values);
}

static void add_vector(Facts *f, Vec3 v)
{
    add_doubles(f, (const double[]){v.x, v.y, v.z}, 3);
}

static void add_spline_time(Facts *f, const SplineTime *time)
{
    add_double(f, time->frame);
    add_int(f, time->cut);
    add_int(f, time->velocity_given);
    add_vector(f, time->velocity);
}

static void add_place_path(Facts *f, const PlacementPoint *points, uint32_t count)
{
    add_int(f, count);
    for (uint32_t i = 0; i < count; i++) {
        const Quat q = points[i].rotation;
        add_spline_time(f, &points[i].time);
        add_vector(f, points[i].position);
        add_doubles(f, (const double[]){q.x, q.y, q.z, q.w}, 4);
    }
}

static void add_camera_path(Facts *f, const SceneSpec *spec)
{
    add_int(f, spec->camera_orientation);
    add_int(f, spec->camera_path_count);
    for (uint32_t i = 0; i < spec->camera_path_count; i++) {
        const CameraPoint *point = &spec->camera_path[i];
        add_spline_time(f, &point->time);
        add_vector(f, point->eye);
        add_vector(f, point->target);
        add_vector(f, point->up);
        add_doubles(f, (const double[]){point->roll, point->fov_deg}, 2);
    }
}

static void add_light_path(Facts *f, const LightPoint *points, uint32_t count)
{
    add_int(f, count);
    for (uint32_t i = 0; i < count; i++) {
        add_spline_time(f, &points[i].time);
        add_vector(f, points[i].color);
        add_vector(f, points[i].direction);
    }
}

/* Without keys the digest is that of earlier versions. */
static void add_attach_keys(Facts *f, const AttachKeySpec *keys, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        add_double(f, keys[i].frame);
        add_text(f, keys[i].own_bone);
        add_text(f, keys[i].model);
        add_text(f, keys[i].bone);
    }
}

static void add_model_keys(Facts *f, const ModelKeys *keys)
{
    for (uint32_t i = 0; i < keys->count; i++) {
        const ModelKey *key = &keys->items[i];
        add_double(f, key->frame);
        add_doubles(f, key->position, 3);
        add_doubles(f, key->rotation, 3);
        add_double(f, key->scale);
        add_double(f, key->opacity);
        add_int(f, key->shadow);
        add_int(f, key->visible);
    }
}

static void add_tint(Facts *f, const ModelSpec *model)
{
    if (model->transparency != 0)
        add_floats(f, &model->transparency, 1);
    if (model->has_edge_color)
        add_floats(f, model->edge_color, 3);
}

static void add_gravity_keys(Facts *f, const PhysicsSpec *p)
{
    if (p->gravity_noise > 0)
        add_floats(f, &p->gravity_noise, 1);
    for (uint32_t i = 0; i < p->gravity_key_count; i++) {
        add_double(f, p->gravity_keys[i].frame);
        add_floats(f, p->gravity_keys[i].gravity, 3);
        add_floats(f, &p->gravity_keys[i].noise, 1);
    }
}

static void add_model(Facts *f, const ModelSpec *model)
{
    add_text(f, model->id);
    add_file(f, model->file);
    add_int(f, (int64_t)model->motion_count);
    for (size_t i = 0; i < model->motion_count; i++)
        add_motion(f, &model->motions[i]);
    add_floats(f, model->placement.position, 3);
    add_floats(f, model->placement.rotation, 4);
    add_floats(f, &model->placement.scale, 1);
    add_place_path(f, model->path, model->path_count);
    add_text(f, model->attach_model);
    add_text(f, model->attach_bone);
    add_model_keys(f, &model->keys);
    add_attach_keys(f, model->attach_keys, model->attach_key_count);
    add_tint(f, model);
    add_int(f, model->physics);
    add_int(f, (int64_t)model->morph_count);
    for (size_t i = 0; i < model->morph_count; i++) {
        add_text(f, model->morphs[i].name);
        add_floats(f, &model->morphs[i].weight, 1);
    }
    add_int(f, (int64_t)model->hide_count);
    for (size_t i = 0; i < model->hide_count; i++)
        add_text(f, model->hide_materials[i]);
}

static void add_camera(Facts *f, const SceneSpec *spec)
{
    const CameraState *c = &spec->camera_fixed;
    add_int(f, spec->camera_kind);
    if (spec->camera_kind == CAMERA_MOTION)
        add_motion(f, &spec->camera_motion);
    add_camera_path(f, spec);
    add_attach_keys(f, spec->camera_attach, spec->camera_attach_count);
    add_floats(f, c->target, 3);
    add_floats(f, c->rotation, 3);
    add_floats(f, &c->distance, 1);
    add_floats(f, &c->fov_deg, 1);
    add_int(f, c->orthographic);
}

static void add_light(Facts *f, const SceneSpec *spec)
{
    add_file(f, spec->light_motion.file);
    add_double(f, spec->light_motion.time.offset);
    add_double(f, spec->light_motion.time.speed);
    add_floats(f, spec->light.color, 3);
    add_floats(f, spec->light.direction, 3);
    add_light_path(f, spec->light_path, spec->light_path_count);
    add_int(f, spec->shadow.mode);
    add_floats(f, &spec->shadow.distance, 1);
}

static void add_rules(Facts *f, const SceneSpec *spec)
{
    const PhysicsSpec *p = &spec->physics;
    add_int(f, spec->compat.curve_halvings);
    add_int(f, spec->compat.ik);
    add_int(f, spec->compat.append_chain_own);
    add_int(f, spec->compat.fixed_axis_keys);
    add_floats(f, p->gravity, 3);
    add_gravity_keys(f, p);
    add_int(f, p->step_hz);
    add_floats(f, &p->warmup_s, 1);
    add_int(f, p->floor);
    add_int(f, p->teleport_reset);
}

static void add_shape(Facts *f, const ClothShapeSpec *s)
{
    const double turn[] = {s->rotation.x, s->rotation.y, s->rotation.z, s->rotation.w};
    add_int(f, s->form);
    add_int(f, s->columns);
    add_int(f, s->rows);
    add_int(f, s->fixed_edge);
    add_doubles(f, s->radius, 2);
    add_doubles(f, s->offset, 3);
    add_doubles(f, turn, 4);
    add_double(f, s->depth);
    add_double(f, s->width);
    add_double(f, s->length);
    add_double(f, s->thickness);
    add_floats(f, s->color, 4); /* part of its material's state */
}

static void add_tuning(Facts *f, const ClothTuning *t)
{
    const double values[] = {
        t->mass,      t->stiffness, t->shear,     t->bend,    t->damping,       t->drag,   t->air,
        t->gravity.x, t->gravity.y, t->gravity.z, t->wind.x,  t->wind.y,        t->wind.z, t->gust,
        t->contact,   t->friction,  t->thickness, t->inertia, t->gravity_scale,
    };
    add_int(f, t->self_collision);
    add_int(f, t->integrator);
    add_int(f, t->step_hz);
    add_int(f, t->substeps);
    add_doubles(f, values, sizeof values / sizeof *values);
}

static void add_cloth(Facts *f, const ClothSpec *cloth)
{
    add_text(f, cloth->model);
    add_text(f, cloth->material);
    add_double(f, cloth->layer_distance);
    add_shape(f, &cloth->shape);
    add_int(f, (int64_t)cloth->pin_count);
    for (size_t i = 0; i < cloth->pin_count; i++)
        add_text(f, cloth->pins[i]);
    add_int(f, (int64_t)cloth->capsule_count);
    for (size_t i = 0; i < cloth->capsule_count; i++) {
        add_text(f, cloth->capsules[i].from);
        add_text(f, cloth->capsules[i].to);
        add_double(f, cloth->capsules[i].radius);
    }
    add_int(f, cloth->fit_capsules);
    add_int(f, cloth->bodies);
    add_int(f, cloth->floor);
    add_tuning(f, &cloth->tuning);
}

/* Without motion blur and motion vectors the digest is that of earlier versions. */
static void add_sub_frames(Facts *f, const Job *job)
{
    if (sub_frames_neighbours(job))
        add_text(f, "neighbours");
    if (sub_frames_count(job) == 1)
        return;
    add_int(f, sub_frames_count(job));
    add_double(f, job->look.accumulate->shutter_deg);
}

bool bake_info(BakeInfo *info, const Job *job, const Scene *scene, JobFrames frames, Diag *diag)
{
    Facts facts = {.hash = hash_create(), .diag = diag};
    Arena *arena = arena_create();
    const SceneSpec made = job_scene_spec(job, false, arena), *spec = &made;
    add_int(&facts, EVALUATE_VERSION);
    add_int(&facts, (int64_t)spec->model_count);
    for (size_t i = 0; i < spec->model_count; i++)
        add_model(&facts, &spec->models[i]);
    add_int(&facts, (int64_t)spec->cloth_count);
    for (size_t i = 0; i < spec->cloth_count; i++)
        add_cloth(&facts, &spec->cloths[i]);
    add_camera(&facts, spec);
    add_light(&facts, spec);
    add_rules(&facts, spec);
    add_sub_frames(&facts, job);
    *info = (BakeInfo){
        .digest = hash_finish(facts.hash),
        .fps = job->render.fps,
        .state_bytes = sub_frames_bytes(job, scene),
        .frames = frames,
    };
    arena_destroy(arena);
    return !facts.failed;
}

/* ---- writing ---- */

static bool write_states(BakeWriter *writer, FramePacker *packer, const BakeInfo *info,
                         Progress *progress, const volatile sig_atomic_t *stop, void *packed,
                         Diag *diag)
{
    int64_t done = 0;
    for (size_t r = 0; r < info->frames.count; r++) {
        const JobRange range = info->frames.items[r];
        for (int64_t frame = range.first; frame <= range.last; frame++) {
            if (!frame_packer_pack(packed, packer, frame, diag) || *stop ||
                !bake_write_frame(writer, packed, diag))
                return false;
            progress_frame(progress, frame, 0);
            progress_step(progress, ++done);
        }
    }
    return true;
}

static bool write_bake(const Job *job, const Scene *scene, const BakeInfo *info, const char *path,
                       Progress *progress, const volatile sig_atomic_t *stop, Arena *arena,
                       Diag *diag)
{
    /* A following camera is not in the digest, see set_follow_cameras. */
    const CameraState *camera = scene->camera_follow.count ? &scene->camera : NULL;
    FramePacker *packer = frame_packer_create(scene, job, camera, progress, stop, arena);
    uint64_t bytes;
    progress_stage(progress, "bake", film_frame_count(&info->frames), 0);
    BakeWriter *writer = bake_create(path, info, diag);
    const bool ok = writer &&
                    write_states(writer, packer, info, progress, stop,
                                 arena_alloc(arena, info->state_bytes), diag) &&
                    bake_finish(writer, &bytes, diag);
    bake_destroy(writer);
    frame_packer_destroy(packer);
    if (ok)
        progress_output(progress, path, (int64_t)bytes);
    return ok;
}

bool bake_run(const Job *job, const char *path, bool overwrite, Progress *progress,
              const volatile sig_atomic_t *stop, Arena *arena, Diag *diag)
{
    const SceneSpec spec = job_scene_spec(job, false, arena);
    Scene scene;
    BakeInfo info;
    Job inputs = *job;

    progress_stage(progress, "load", 0, 0);
    inputs.physics.bake = NULL; /* the bake that the job names can be replaced */
    const bool ok = scene_load(&scene, &spec, arena, diag) &&
                    bake_info(&info, job, &scene, film_frames(job, scene.last_frame, arena), diag);
    diag_file(diag, NULL);
    return ok && path_conflicts_check_file("--output", path, &inputs, &scene, diag) &&
           file_check_new(path, overwrite, diag) &&
           write_bake(job, &scene, &info, path, progress, stop, arena, diag);
}

/* Opens a bake of a checkpoint directory and reads all of it; NULL if it is missing or damaged,
 * with a warning, because its frames can be evaluated again. */
static Bake *open_own_bake(const char *path, const BakeInfo *info, Diag *diag)
{
    Diag trial = diag_quiet();
    Bake *bake = path_is_file(path) ? bake_open(path, info, &trial) : NULL;
    bool ok = bake != NULL;
    for (size_t i = 0; ok && i < info->frames.count; i++)
        for (int64_t f = info->frames.items[i].first; ok && f <= info->frames.items[i].last; f++)
            ok = bake_read_frame(bake, f, &trial) != NULL;
    if (ok || trial.kind == DIAG_NONE)
        return bake;
    bake_close(bake);
    diag_warn(diag, WARN_CHECKPOINT, "'%s' is damaged; its frames are evaluated again", path);
    return NULL;
}

/* Writes the bake to an open checkpoint directory, unless it exists. */
static bool bake_into(const Checkpoint *checkpoint, const Film *film, Progress *progress,
                      const volatile sig_atomic_t *stop, Arena *arena, Diag *diag)
{
    BakeInfo info;
    if (!bake_info(&info, film->job, &film->scene, film->frames, diag))
        return false;
    const char *path = checkpoint_bake_file(checkpoint, &info.digest, arena);
    Bake *old = open_own_bake(path, &info, diag);
    bake_close(old);
    if (!old)
        return !diag->errors &&
               write_bake(film->job, &film->scene, &info, path, progress, stop, arena, diag);
    diag_note(diag, "'%s' already exists", path);
    return true;
}

bool bake_run_checkpoint(const Job *job, const CheckpointOptions *options, Progress *progress,
                         const volatile sig_atomic_t *stop, Arena *arena, Diag *diag)
{
    Film film;
    progress_stage(progress, "load", 0, 0);
    if (!film_load(&film, job, arena, diag))
        return false;
    if (!options->directory && !checkpoint_directory(&film, arena))
        return diag_fail(diag, DIAG_USAGE,
                         "-o FILE is required: this job has no checkpoint directory");
    Checkpoint *checkpoint = checkpoint_open(&film, options, diag);
    const bool ok = checkpoint && bake_into(checkpoint, &film, progress, stop, arena, diag);
    checkpoint_close(checkpoint);
    return ok;
}

/* ---- reading ---- */

static bool is_named(const char *bake)
{
    return strcmp(bake, "auto") != 0 && strcmp(bake, "none") != 0;
}

/* Whether the checkpoint has any bake; a cheap test, because the digest reads every model. */
static bool may_have_bake(const Checkpoint *checkpoint, const char *bake, Arena *arena)
{
    static const Digest none;
    struct stat st;
    return checkpoint && strcmp(bake, "none") != 0 &&
           stat(path_directory(checkpoint_bake_file(checkpoint, &none, arena), arena), &st) == 0;
}

/* Opens the bake that the job names, or that of the checkpoint; source->bake stays NULL if there is
 * no bake. */
static bool open_bake(FrameStateSource *source, const Checkpoint *checkpoint, Arena *arena,
                      Diag *diag)
{
    const Film *film = source->film;
    const char *bake = film->job->physics.bake;
    BakeInfo info;
    if (!is_named(bake) && !may_have_bake(checkpoint, bake, arena))
        return true;
    if (!bake_info(&info, film->job, &film->scene, film->frames, diag))
        return false;
    const char *path =
        is_named(bake) ? bake : checkpoint_bake_file(checkpoint, &info.digest, arena);
    if (!is_named(bake) && !path_is_file(path))
        return true;
    source->bake = is_named(bake) ? bake_open(path, &info, diag) : open_own_bake(path, &info, diag);
    return source->bake || !is_named(bake);
}

bool frame_state_source_open(FrameStateSource *source, const Film *film,
                             const Checkpoint *checkpoint, Progress *progress,
                             const volatile sig_atomic_t *stop, Arena *arena, Diag *diag)
{
    *source = (FrameStateSource){.film = film};
    if (!open_bake(source, checkpoint, arena, diag))
        return false;
    if (!source->bake)
        source->packer = frame_packer_create(&film->scene, film->job, NULL, progress, stop, arena);
    return true;
}

/* Into the states of a bake. */
static void set_follow_cameras(void *packed, const Film *film, int64_t frame)
{
    const size_t size = frame_state_size(&film->scene);

    for (int i = 0; i < sub_frames_states(film->job); i++) {
        const CameraState camera =
            follow_at(&film->scene.camera_follow, sub_frames_time(film->job, frame, i));
        frame_state_pack_camera((uint8_t *)packed + (size_t)i * size, &camera);
    }
}

bool frame_state_source_read(void *packed, FrameStateSource *source, int64_t frame, Diag *diag)
{
    const Film *film = source->film;
    if (!source->bake)
        return frame_packer_pack(packed, source->packer, frame, diag);
    const void *state = bake_read_frame(source->bake, frame, diag);
    if (state)
        memcpy(packed, state, sub_frames_bytes(film->job, &film->scene));
    if (state && film->scene.camera_follow.count)
        set_follow_cameras(packed, film, frame);
    return state != NULL;
}

void frame_state_source_close(FrameStateSource *source)
{
    frame_packer_destroy(source->packer);
    bake_close(source->bake);
}
