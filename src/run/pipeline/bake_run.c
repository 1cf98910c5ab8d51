#include "run/pipeline/bake_run.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/path.h"
#include "evaluate/frame.h"
#include "evaluate/version.h"
#include "film/film.h"
#include "film/follow_load.h"
#include "film/path_conflicts.h"
#include "film/sub_frames.h"
#include "job/job_scene.h"
#include "job/job_visit.h"
#include "run/checkpoint/checkpoint_files.h"

/* ---- the digest ---- */

typedef struct Facts {
    Hash *hash;
    Diag *diag;
    bool failed;
} Facts;

static void add_text(Facts *f, const char *text)
{
    hash_add(f->hash, text, strlen(text) + 1); /* with the NUL, which separates texts */
}

/* The frames and their rate are compared by themselves; of outputs and the look only the moments
 * that a frame needs count. */
static bool is_apart(const char *key)
{
    static const char *const sections[] = {"render.", "outputs", "look."};
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (!strncmp(key, sections[i], strlen(sections[i])))
            return true;
    return false;
}

static void add_key(void *user, const char *key, const char *value, const Option *option)
{
    const bool is_file = option->role != ROLE_VALUE && option->role != ROLE_MODEL_ID;
    if (option->stage != STAGE_EVALUATION || is_file || is_apart(key))
        return;
    add_text(user, key);
    add_text(user, value);
}

static void add_file(void *user, const JobFile *file)
{
    Facts *f = user;
    Digest digest;
    uint64_t bytes;
    if (file->stage != STAGE_EVALUATION || file->role == ROLE_INPUT_BAKE)
        return;
    add_text(f, file->key);
    if (file_digest(&digest, &bytes, file->path, NULL, f->diag))
        hash_add(f->hash, &digest, sizeof digest);
    else
        f->failed = true;
}

bool bake_info(BakeInfo *info, const Job *job, const Scene *scene, JobFrames frames, Diag *diag)
{
    Facts facts = {.hash = hash_create(), .diag = diag};
    const int version = EVALUATE_VERSION, moments = sub_frames_states(job);
    hash_add(facts.hash, &version, sizeof version);
    hash_add(facts.hash, &moments, sizeof moments);
    if (sub_frames_count(job) > 1)
        hash_add(facts.hash, &job->look.accumulate->shutter_deg, sizeof(double));
    job_visit_keys(job, add_key, &facts);
    job_visit_files(job, add_file, &facts);
    *info = (BakeInfo){
        .digest = hash_finish(facts.hash),
        .fps = job->render.fps,
        .state_bytes = sub_frames_bytes(job, scene),
        .frames = frames,
    };
    return !facts.failed;
}

/* ---- evaluation of a frame, all of whose states are packed (film/sub_frames.h) ---- */

enum { KEPT = 3 };

/* Physics only goes forward, so the states of whole frames are kept until the frame after them,
 * whose motion vectors need them, was packed. */
typedef struct FramePacker {
    const Scene *scene;
    const Job *job;
    const CameraState *camera;
    Progress *progress;
    Evaluator *evaluator;
    FrameState *state;
    bool neighbours; /* the frames before and after are packed, too */
    int64_t last;    /* the frame that was packed last */
    struct {
        int64_t frame; /* -1: none */
        void *packed;
    } kept[KEPT];
} FramePacker;

/* camera: instead of the one of the scene; or NULL.  progress: updated while physics catches up
 * with a frame. */
static FramePacker *frame_packer_create(const Scene *scene, const Job *job,
                                        const CameraState *camera, Progress *progress,
                                        const volatile sig_atomic_t *stop, Arena *arena)
{
    FramePacker *packer = arena_array(arena, FramePacker, 1);

    *packer = (FramePacker){.scene = scene,
                            .job = job,
                            .camera = camera,
                            .progress = progress,
                            .evaluator = film_evaluator(scene, job, stop),
                            .state = frame_state_create(scene, arena),
                            .neighbours = sub_frames_neighbours(job)};
    for (int i = 0; i < KEPT; i++) {
        packer->kept[i].frame = -1;
        if (packer->neighbours)
            packer->kept[i].packed = arena_alloc(arena, frame_state_size(scene));
    }
    return packer;
}

/* Ends its evaluator. */
static void frame_packer_destroy(FramePacker *packer)
{
    if (packer)
        evaluator_destroy(packer->evaluator);
}

static bool evaluate(FramePacker *packer, double time, int64_t frame, Diag *diag)
{
    return evaluate_frame(packer->state, packer->evaluator, packer->scene, time) ||
           evaluator_report(packer->evaluator, (double)frame, diag);
}

static bool pack(void *packed, FramePacker *packer, double time, int64_t frame, Diag *diag)
{
    if (!evaluate(packer, time, frame, diag))
        return false;
    if (packer->camera)
        packer->state->camera = *packer->camera;
    frame_state_pack(packed, packer->state, packer->scene);
    return true;
}

/* Steps physics from the last frame to just before another one, a tenth of a second at a time. */
static bool catch_up(FramePacker *packer, int64_t to, Diag *diag)
{
    const JobRational fps = packer->job->render.fps;
    const int64_t tenth = fps.num / (10 * (int64_t)fps.den), step = tenth > 0 ? tenth : 1;
    for (int64_t frame = packer->last + step; frame < to; frame += step) {
        if (!evaluate(packer, film_time(packer->job, frame), frame, diag))
            return false;
        progress_tick(packer->progress);
    }
    return true;
}

/* Copies the state of a whole frame, which is evaluated unless it was kept. */
static bool copy_whole(void *packed, FramePacker *packer, int64_t frame, Diag *diag)
{
    int kept = 0; /* the one with the frame, or the oldest one */
    for (int i = 1; i < KEPT && packer->kept[kept].frame != frame; i++)
        if (packer->kept[i].frame == frame || packer->kept[i].frame < packer->kept[kept].frame)
            kept = i;
    if (packer->kept[kept].frame != frame) {
        packer->kept[kept].frame = -1;
        if (!pack(packer->kept[kept].packed, packer, film_time(packer->job, frame), frame, diag))
            return false;
        packer->kept[kept].frame = frame;
    }
    memcpy(packed, packer->kept[kept].packed, frame_state_size(packer->scene));
    return true;
}

/* Frames must increase. */
static bool frame_packer_pack(void *packed, FramePacker *packer, int64_t frame, Diag *diag)
{
    const size_t size = frame_state_size(packer->scene);
    const int count = sub_frames_count(packer->job);
    const int64_t before = sub_frames_before(frame);
    uint8_t *const state = packed, *const around = state + (size_t)count * size;

    if (!catch_up(packer, packer->neighbours ? before : frame, diag))
        return false;
    packer->last = frame;
    if (packer->neighbours &&
        (!copy_whole(around, packer, before, diag) || !copy_whole(state, packer, frame, diag)))
        return false;
    for (int i = 0; i < count && !(packer->neighbours && count == 1); i++)
        if (!pack(state + (size_t)i * size, packer, sub_frames_time(packer->job, frame, i), frame,
                  diag))
            return false;
    return !packer->neighbours || copy_whole(around + size, packer, frame + 1, diag);
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
    const bool ok =
        scene_load(&scene, &spec, arena, diag) &&
        bake_info(&info, job, &scene,
                  film_drawn_frames(job, film_frames(job, scene.last_frame, arena), arena), diag);
    diag_file(diag, NULL);
    if (ok)
        reframe_load(&scene, job, arena);
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
    if (!bake_info(&info, film->job, &film->scene, film->drawn, diag))
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
    if (!bake_info(&info, film->job, &film->scene, film->drawn, diag))
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
