// SPDX-License-Identifier: MIT
#include "run/pipeline/bake_run.h"

#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/path.h"
#include "evaluate/frame.h"
#include "evaluate/version.h"
#include "film/film_scenes.h"
#include "film/path_conflicts.h"
#include "film/sub_frames.h"
#include "job/job_visit.h"
#include "run/checkpoint/checkpoint_files.h"
#include "run/pipeline/state_cache.h"

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
    static const char scenes[] = "scenes.";
    if (!strncmp(key, scenes, strlen(scenes)))
        key += strlen(scenes) + strcspn(key + strlen(scenes), ".") + 1;
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

static void add_path(Facts *f, const char *path)
{
    Digest digest;
    uint64_t bytes;
    if (file_digest(&digest, &bytes, path, NULL, f->diag))
        hash_add(f->hash, &digest, sizeof digest);
    else
        f->failed = true;
}

static void add_file(void *user, const JobFile *file)
{
    if (file->stage != STAGE_EVALUATION || file->role == ROLE_INPUT_BAKE)
        return;
    add_text(user, file->key);
    add_path(user, file->path);
}

/* The files that those of the job name. */
static void add_found(Facts *f, const Scene *scene)
{
    for (size_t i = 0; i < scene->model_count; i++)
        for (size_t k = 0; k < scene->models[i].model->files.paths.count; k++)
            add_path(f, scene->models[i].model->files.paths.items[k]);
    for (size_t i = 0; i < scene->motion_files.paths.count; i++)
        add_path(f, scene->motion_files.paths.items[i]);
}

static void add_moments(Facts *f, const Job *scene)
{
    const int moments = sub_frames_states(scene);
    hash_add(f->hash, &moments, sizeof moments);
    if (sub_frames_count(scene) > 1)
        hash_add(f->hash, &scene->look.accumulate->shutter_deg, sizeof(double));
}

/* Where physics begins depends on the frames of the job only with physics.preroll_s. */
static void add_start(Facts *f, const Film *film, size_t scene)
{
    const FrameRanges *frames = &film->simulated;
    if (film_start(film, scene, film->scenes[scene].first + OUTPUT_FRAME_MAX) > 0)
        hash_add(f->hash, frames->items, frames->count * sizeof *frames->items);
}

bool bake_info(BakeInfo *info, const Film *film, Diag *diag)
{
    Facts facts = {.hash = hash_create(), .diag = diag};
    const int version = EVALUATE_VERSION;
    hash_add(facts.hash, &version, sizeof version);
    for (size_t i = 0; i < film->scene_count; i++)
        add_moments(&facts, film->scenes[i].job);
    job_visit_keys(film->job, add_key, &facts);
    for (size_t i = 0; i < film->scene_count; i++)
        add_start(&facts, film, i);
    job_visit_files(film->job, add_file, &facts);
    for (size_t i = 0; i < film->scene_count; i++)
        add_found(&facts, &film->scenes[i].scene);
    *info = (BakeInfo){
        .digest = hash_finish(facts.hash),
        .fps = film->job->render.fps,
        .state_bytes = film_state_bytes(film),
        .frames = film->drawn,
    };
    return !facts.failed;
}

/* ---- evaluation of a frame, all of whose states are packed (film/sub_frames.h) ---- */

enum { KEPT = 3 };

/* Physics only goes forward, so the states of whole frames are kept until the frame after them,
 * whose motion vectors need them, was packed. */
typedef struct FramePacker {
    Arena *arena;
    const Scene *scene;
    const Job *job;
    int64_t start; /* the frame of the film that shows frame 0 of the scene */
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
static FramePacker *frame_packer_create(const FilmScene *film_scene, const CameraState *camera,
                                        Progress *progress, const volatile sig_atomic_t *stop)
{
    Arena *arena = arena_create();
    FramePacker *packer = arena_array(arena, FramePacker, 1);
    const Scene *scene = &film_scene->scene;
    const Job *job = film_scene->job;

    *packer = (FramePacker){.arena = arena,
                            .scene = scene,
                            .job = job,
                            .start = film_scene->start - film_scene->first,
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

/* Continues with another job with the same scene. */
static void frame_packer_continue(FramePacker *packer, const Job *job, Progress *progress,
                                  const volatile sig_atomic_t *stop)
{
    packer->job = job;
    packer->progress = progress;
    film_limit_evaluator(packer->evaluator, job, stop);
}

static void frame_packer_destroy(FramePacker *packer)
{
    if (!packer)
        return;
    evaluator_destroy(packer->evaluator);
    arena_destroy(packer->arena);
}

static bool evaluate(FramePacker *packer, double time, int64_t frame, Diag *diag)
{
    return evaluate_frame(packer->state, packer->evaluator, packer->scene, time) ||
           evaluator_report(packer->evaluator, (double)(packer->start + frame), diag);
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
    const Rational fps = packer->job->render.fps;
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

/* Frames must increase.  start: the motion frame at which physics begins */
static bool frame_packer_pack(void *packed, FramePacker *packer, int64_t frame, double start,
                              Diag *diag)
{
    const size_t size = frame_state_size(packer->scene);
    const int count = sub_frames_count(packer->job);
    const int64_t before = sub_frames_before(frame);
    uint8_t *const state = packed, *const around = state + (size_t)count * size;

    const int64_t started = film_last_frame(packer->job, start);
    evaluator_set_start(packer->evaluator, start);
    packer->last = started > packer->last ? started : packer->last;
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

/* ---- the states of a film ---- */

/* follows: cameras that follow models are evaluated, too, which a bake does not contain. */
static FrameStateSource evaluate_film(const Film *film, bool follows, Progress *progress,
                                      const volatile sig_atomic_t *stop, Arena *arena)
{
    return (FrameStateSource){.packers = arena_array(arena, FramePacker *, film->scene_count),
                              .follows = follows,
                              .film = film,
                              .progress = progress,
                              .stop = stop};
}

static void close_packer(const FrameStateSource *source, size_t scene)
{
    frame_packer_destroy(source->packers[scene]);
    source->packers[scene] = NULL;
}

/* That of an earlier run, which was kept, is used for later frames. */
static FramePacker *packer_of(const FrameStateSource *source, FilmShown shown)
{
    const Film *film = source->film;
    const FilmScene *s = &film->scenes[shown.scene];
    FramePacker **packer = film->states ? state_cache_packer(film->states, shown.frame)
                                        : &source->packers[shown.scene];
    const bool fixed = !source->follows && s->scene.camera_follow.count;
    if (*packer && film->states && (*packer)->last >= shown.frame) {
        frame_packer_destroy(*packer);
        *packer = NULL;
    }
    if (!*packer)
        *packer =
            frame_packer_create(s, fixed ? &s->scene.camera : NULL, source->progress, source->stop);
    else if (film->states)
        frame_packer_continue(*packer, s->job, source->progress, source->stop);
    return *packer;
}

/* Evaluates the scenes of a frame; those before it are not shown again. */
static bool pack_frame(void *packed, const FrameStateSource *source, int64_t frame, Diag *diag)
{
    const Film *film = source->film;
    const FilmMoment moment = film_moment(film, frame);
    uint8_t *at = packed, *const end = at + film_state_bytes(film);
    for (size_t i = 0; i < moment.shown[0].scene; i++)
        close_packer(source, i);
    for (int i = 0; i < moment.count; i++) {
        const FilmShown shown = moment.shown[i];
        const FilmScene *s = &film->scenes[shown.scene];
        if (!frame_packer_pack(at, packer_of(source, shown), shown.frame,
                               film_start(film, shown.scene, shown.frame), diag))
            return false;
        at += sub_frames_bytes(s->job, &s->scene);
    }
    memset(at, 0, (size_t)(end - at)); /* which a bake contains */
    return true;
}

/* ---- writing ---- */

static bool write_states(BakeWriter *writer, FrameStateSource *source, const BakeInfo *info,
                         Progress *progress, const volatile sig_atomic_t *stop, void *packed,
                         Diag *diag)
{
    int64_t done = 0;
    for (size_t r = 0; r < info->frames.count; r++) {
        const FrameRange range = info->frames.items[r];
        for (int64_t frame = range.first; frame <= range.last; frame++) {
            if (!pack_frame(packed, source, frame, diag) || *stop ||
                !bake_write_frame(writer, packed, diag))
                return false;
            progress_frame(progress, frame, 0);
            progress_step(progress, ++done);
        }
    }
    return true;
}

static bool write_bake(const Film *film, const BakeInfo *info, const char *path, Progress *progress,
                       const volatile sig_atomic_t *stop, Arena *arena, Diag *diag)
{
    /* A following camera is not in the digest, see set_follow_cameras. */
    FrameStateSource source = evaluate_film(film, false, progress, stop, arena);
    uint64_t bytes;
    progress_stage(progress, "bake", film_frame_count(&info->frames), 0);
    BakeWriter *writer = bake_create(path, info, diag);
    const bool ok = writer &&
                    write_states(writer, &source, info, progress, stop,
                                 arena_alloc(arena, info->state_bytes), diag) &&
                    bake_finish(writer, &bytes, diag);
    bake_destroy(writer);
    frame_state_source_close(&source);
    if (ok)
        progress_output_file(progress, path);
    return ok;
}

/* The bake that the job names can be replaced. */
static bool check_conflicts(const char *path, const Film *film, Diag *diag)
{
    Job inputs = *film->job;
    Film other = *film;
    Arena *arena = arena_create();
    PathConflicts *conflicts = path_conflicts_create(DIAG_USAGE, arena);
    inputs.physics.bake = NULL;
    other.job = &inputs;
    path_conflicts_add_film(conflicts, &other);
    const bool good = path_conflicts_add_output(conflicts, "--output", path, NULL, diag);
    arena_destroy(arena);
    return good;
}

bool bake_run(const Job *job, const char *path, bool overwrite, Progress *progress,
              const volatile sig_atomic_t *stop, Arena *arena, Diag *diag)
{
    BakeInfo info;
    Film film;

    progress_stage(progress, "load", 0, 0);
    const bool ok = film_load_scenes(&film, job, arena, diag) && bake_info(&info, &film, diag);
    diag_file(diag, NULL);
    return ok && check_conflicts(path, &film, diag) && file_check_new(path, overwrite, diag) &&
           write_bake(&film, &info, path, progress, stop, arena, diag);
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
    if (!bake_info(&info, film, diag))
        return false;
    const char *path = checkpoint_bake_file(checkpoint, &info.digest, arena);
    Bake *old = open_own_bake(path, &info, diag);
    bake_close(old);
    if (!old)
        return !diag->errors && write_bake(film, &info, path, progress, stop, arena, diag);
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
    if (!bake_info(&info, film, diag))
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
    *source = evaluate_film(film, true, progress, stop, arena);
    return open_bake(source, checkpoint, arena, diag);
}

/* Into the states of a scene that a bake contains. */
static void set_follow_cameras(void *packed, const FilmScene *scene, int64_t frame)
{
    const size_t size = frame_state_size(&scene->scene);

    for (int i = 0; scene->scene.camera_follow.count && i < sub_frames_states(scene->job); i++) {
        const CameraState camera =
            follow_at(&scene->scene.camera_follow, sub_frames_time(scene->job, frame, i));
        frame_state_pack_camera((uint8_t *)packed + (size_t)i * size, &camera);
    }
}

bool frame_state_source_read(void *packed, FrameStateSource *source, int64_t frame, Diag *diag)
{
    const Film *film = source->film;
    const FilmMoment moment = film_moment(film, frame);
    if (!source->bake && film->states && state_cache_read(packed, film->states, film, frame))
        return true;
    if (!source->bake) {
        const bool packs = pack_frame(packed, source, frame, diag);
        if (packs && film->states)
            state_cache_keep(film->states, film, frame, packed);
        return packs;
    }
    const void *state = bake_read_frame(source->bake, frame, diag);
    if (!state)
        return false;
    memcpy(packed, state, film_state_bytes(film));
    for (int i = 0; i < moment.count; i++)
        set_follow_cameras((uint8_t *)packed + film_states_offset(film, &moment, i),
                           &film->scenes[moment.shown[i].scene], moment.shown[i].frame);
    return true;
}

void frame_state_source_close(FrameStateSource *source)
{
    for (size_t i = 0; i < source->film->scene_count; i++)
        close_packer(source, i);
    bake_close(source->bake);
}
