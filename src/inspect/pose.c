// SPDX-License-Identifier: MIT
#include "inspect/pose.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "evaluate/frame.h"
#include "film/film.h"
#include "film/film_images.h"
#include "film/follow_load.h"
#include "film/path_conflicts.h"
#include "job/job_scene.h"
#include "math/rotation.h"
#include "picture/passes/keypoint_json.h"
#include "record/option_parse.h"
#include "render/renderer.h"

enum { MAX_FRAMES = 1000000 };

/* ---- list of frames ---- */

typedef ARENA_LIST(double) FrameList;

static bool report_item(const char *text, size_t size, Diag *diag)
{
    return diag_fail(diag, DIAG_USAGE,
                     "--frames: '%.*s' is neither a frame, a range nor first:last:step; expected "
                     "output frames such as 60, motion frames such as m30 or seconds such as 1s",
                     (int)size, text);
}

/* Appends the motion frames of first, first + step, ... up to last.  Multiples of the step, not a
 * sum: the last frame is exact when the step divides the range. */
static bool add_steps(FrameList *list, const FrameTime part[3], Rational fps, Arena *arena,
                      Diag *diag)
{
    const double steps = floor((part[1].value - part[0].value) / part[2].value + 1e-9);
    if (steps >= (double)(MAX_FRAMES - list->count))
        return diag_fail(diag, DIAG_USAGE, "--frames: too many frames (at most %d)", MAX_FRAMES);
    for (double k = 0; k <= steps; k++) {
        const FrameTime time = {part[0].value + k * part[2].value, part[0].unit};
        *arena_push(arena, list) = frame_time_motion(time, fps);
    }
    return true;
}

/* Parses one time, a range, or first:last:step, in [text, text + size). */
static bool parse_item(FrameList *list, const char *text, size_t size, Rational fps, Arena *arena,
                       Diag *diag)
{
    FrameTime part[3] = {{0, FRAME_OUTPUT}};
    const char *at = text, *end = text + size;
    int parts = 0;
    if (memchr(text, '-', size)) { /* a range has every output frame in it */
        FrameRanges frames;
        if (!option_parse_frames(&frames, arena_strndup(arena, text, size), fps, arena) ||
            frames.count != 1 || frames.items[0].last == FRAME_RANGE_END)
            return report_item(text, size, diag);
        part[0].value = (double)frames.items[0].first;
        part[1] = (FrameTime){(double)frames.items[0].last, FRAME_OUTPUT};
        part[2] = (FrameTime){1, FRAME_OUTPUT};
        return add_steps(list, part, fps, arena, diag);
    }
    for (const char *stop = text; stop != end && parts < 3; at = stop + 1) {
        const char *colon = memchr(at, ':', (size_t)(end - at));
        stop = colon ? colon : end;
        if (!option_parse_frame_time(&part[parts], at, (size_t)(stop - at), part[0].unit) ||
            part[parts++].unit != part[0].unit || (colon && parts == 3))
            return report_item(text, size, diag);
    }
    if (parts == 1) {
        part[1] = part[0];
        part[2] = (FrameTime){1, part[0].unit};
    } else if (parts != 3 || !(part[2].value > 0) || part[1].value < part[0].value) {
        return report_item(text, size, diag);
    }
    return add_steps(list, part, fps, arena, diag);
}

double *pose_parse_frames(const char *text, size_t *count, Rational fps, Arena *arena, Diag *diag)
{
    FrameList list = {0};
    for (const char *at = text;; at++) {
        const size_t size = strcspn(at, ",");
        if (!parse_item(&list, at, size, fps, arena, diag))
            return NULL;
        at += size;
        if (!*at)
            break;
    }
    *count = list.count;
    return list.items;
}

/* ---- bones as JSON ---- */

typedef struct PoseCamera {
    CameraState state;
    CameraAxes axes;
} PoseCamera;

static const ResultField PoseCamera_fields[] = {
    MEMBER_ARRAY_NAMED(PoseCamera, state.target, "center", "point that it turns about"),
    MEMBER_ARRAY_NAMED(PoseCamera, state.rotation, "rotation", "angles about x, y and z",
                       .unit = "radians"),
    MEMBER_NAMED(PoseCamera, state.distance, "distance", "distance from the center",
                 .unit = "MMD units"),
    MEMBER_NAMED(PoseCamera, state.fov_deg, "fov", "vertical field of view", .unit = "degrees"),
    MEMBER_ARRAY_NAMED(PoseCamera, axes.eye, "eye", "its place"),
    MEMBER_ARRAY_NAMED(PoseCamera, axes.right, "right", "unit vector to the right"),
    MEMBER_ARRAY_NAMED(PoseCamera, axes.up, "up", "unit vector upwards"),
    MEMBER_ARRAY_NAMED(PoseCamera, axes.forward, "forward", "unit vector of the view"),
};
RESULT(PoseCamera, "the camera");

enum { BONE_VALUES = 7 };

typedef struct PoseFrame {
    double f;
    float (*bones)[BONE_VALUES], *morphs;
    size_t bone_count, morph_count;
    PoseCamera camera;
} PoseFrame;

static const ResultField PoseFrame_fields[] = {
    MEMBER(PoseFrame, f, "motion frame, at 30 per second", .exact = true),
    MEMBER_VECTORS(PoseFrame, bones, bone_count,
                   "position in MMD units and rotation as a quaternion x y z w of each bone, in "
                   "world space"),
    MEMBER_VALUES(PoseFrame, morphs, morph_count,
                  "weights of motion and job, before group morphs are expanded"),
    MEMBER_RECORD(PoseFrame, camera, PoseCamera, "the camera"),
};
RESULT(PoseFrame, "an evaluated frame");

typedef struct PoseBone {
    unsigned i;
    const char *name;
    int parent;
} PoseBone;

static const ResultField PoseBone_fields[] = {
    MEMBER(PoseBone, i, "number of the bone, from 0 on"),
    MEMBER(PoseBone, name, "name"),
    MEMBER(PoseBone, parent, "number of the parent; -1 for a root"),
};
RESULT(PoseBone, "a bone of the model");

static const ResultField PmxModel_fields[] = {
    MEMBER(PmxModel, name, "name in the file"),
};
RESULT(PmxModel, "the model");

typedef struct Pose {
    const char *format;
    PmxModel model;
    PoseBone *bones;
    ResultStream frames;
} Pose;

static const ResultField Pose_fields[] = {
    MEMBER(Pose, format, "name of the format, mmd-pose-1"),
    MEMBER_RECORD(Pose, model, PmxModel, "the model"),
    MEMBER_LIST(Pose, bones, model.bone_count, PoseBone, "bones in file order"),
    MEMBER_NAMES(Pose, model.morphs, model.morph_count, PmxMorph, name, "morphs",
                 "names of the morphs in file order"),
    MEMBER_STREAM(Pose, frames, PoseFrame, "the frames of --frames"),
};
const ResultTable pose_result = RESULT_TABLE(Pose, "evaluated frames of a model");

static bool evaluate(FrameState *state, Evaluator *evaluator, const Scene *scene, double frame,
                     Diag *diag)
{
    return evaluate_frame(state, evaluator, scene, frame) ||
           evaluator_report(evaluator, frame, diag);
}

/* The frames that are left, and where each one is evaluated. */
typedef struct PoseWriter {
    Evaluator *evaluator;
    const Scene *scene;
    const double *frames, *end;
    size_t model;
    bool good;
    FrameState *state;
    PoseFrame frame;
    Diag *diag;
} PoseWriter;

static const void *next_frame(void *user)
{
    PoseWriter *writer = user;
    const ModelState *model = &writer->state->models[writer->model];
    PoseFrame *out = &writer->frame;
    if (writer->frames == writer->end)
        return NULL;
    writer->good =
        evaluate(writer->state, writer->evaluator, writer->scene, *writer->frames++, writer->diag);
    for (size_t i = 0; i < out->bone_count; i++) {
        const BonePose *bone = &model->bones[i];
        vec3_store(out->bones[i], placement_point(&model->placement, vec3_load(bone->position)));
        quat_store(out->bones[i] + 3,
                   placement_rotation(&model->placement, quat_load(bone->rotation)));
    }
    out->f = writer->state->frame;
    out->morphs = model->key_weights;
    out->camera = (PoseCamera){writer->state->camera, camera_axes(&writer->state->camera)};
    return writer->good ? out : NULL;
}

static bool flush_pose(FILE *out, Diag *diag)
{
    if (fflush(out) == 0 && !ferror(out))
        return true;
    return errno != EPIPE && diag_fail(diag, DIAG_IO, "cannot write the pose: %s", strerror(errno));
}

bool pose_write_json(FILE *out, Evaluator *evaluator, const Scene *scene, size_t model,
                     const double *frames, size_t count, Diag *diag)
{
    const PmxModel *pmx = &scene->models[model].model->pmx;
    Arena *arena = arena_create();
    PoseWriter writer = {
        .evaluator = evaluator,
        .scene = scene,
        .frames = frames,
        .end = frames + count,
        .model = model,
        .good = true,
        .state = frame_state_create(scene, arena),
        .frame = {.bones = arena_calloc(arena, pmx->bone_count, sizeof *writer.frame.bones),
                  .bone_count = pmx->bone_count,
                  .morph_count = pmx->morph_count},
        .diag = diag};
    const Pose pose = {
        "mmd-pose-1", *pmx, arena_array(arena, PoseBone, pmx->bone_count), {next_frame, &writer}};
    for (uint32_t i = 0; i < pmx->bone_count; i++)
        pose.bones[i] = (PoseBone){i, pmx->bones[i].name, pmx->bones[i].parent};
    result_print_line(out, &pose_result, &pose);
    arena_destroy(arena);
    return writer.good && flush_pose(out, diag);
}

/* ---- keypoints and vertices ---- */

static bool write_keypoints(FILE *out, Evaluator *evaluator, const Scene *scene, const Job *job,
                            const double *frames, size_t count, Diag *diag)
{
    const int *size = job->render.size;
    Arena *arena = arena_create();
    size_t skeleton_count, alias_count;
    const BoneAlias *aliases = film_bone_aliases(&alias_count, job, arena);
    const Skeleton *skeletons = skeletons_find(&skeleton_count, scene, aliases, alias_count, arena);
    Person *people = arena_array(arena, Person, skeleton_count);
    FrameState *state = frame_state_create(scene, arena);
    bool good = true;
    for (size_t i = 0; good && i < count; i++) {
        size_t visible = 0;
        good = evaluate(state, evaluator, scene, frames[i], diag);
        for (size_t k = 0; good && k < skeleton_count; k++)
            visible += keypoints_project(&people[visible], &skeletons[k], scene, state, size[0],
                                         size[1], NULL);
        if (good)
            keypoint_json_write(out, (KeypointFormat)job->passes.keypoints, people, visible,
                                size[0], size[1]);
    }
    arena_destroy(arena);
    return good && flush_pose(out, diag);
}

static bool write_vertices(const char *path, const Scene *scene, const Job *job, size_t model,
                           double frame, Arena *arena, Diag *diag)
{
    const RenderOptions options = {.backend = {(GlBackend)job->render.gl, job->render.device + 1},
                                   .width = 16,
                                   .height = 16,
                                   .samples = 1,
                                   .supersample = 1,
                                   .shader_dir = job->render.shader_dir};
    const uint32_t count = scene->models[model].model->pmx.vertex_count;
    float(*positions)[3] = arena_calloc(arena, count, sizeof *positions);
    FrameState *state = frame_state_create(scene, arena);
    Evaluator *evaluator = film_evaluator(scene, job, job->stop);
    Renderer *renderer = renderer_create(scene, &options, diag);

    const bool good = renderer && evaluate(state, evaluator, scene, frame, diag) &&
                      renderer_skin_positions(positions, renderer, state, model, diag) &&
                      file_save(path, positions, count * sizeof *positions, diag);
    renderer_destroy(renderer);
    evaluator_destroy(evaluator);
    return good;
}

bool pose_run(FILE *out, const Job *job, const PoseOptions *options, Diag *diag)
{
    Arena *arena = arena_create();
    const SceneSpec spec = job_scene_spec(job, false, arena);
    Scene scene;
    size_t count = 0;
    const double *frames = pose_parse_frames(options->frames, &count, job->render.fps, arena, diag);
    bool good =
        frames && scene_load(&scene, &spec, arena, diag) && follow_load(&scene, job, arena, diag);

    diag_file(diag, NULL);
    if (good && options->vertices)
        good = path_conflicts_check_file("--vertices", options->vertices, job, &scene, diag) &&
               file_check_new(options->vertices, options->overwrite, diag);
    const int32_t found = good ? film_find_model(&scene, job, options->model, arena, diag) : -1;
    const size_t model = (size_t)found;
    good = found >= 0;
    for (size_t i = 0; good && i < count; i++)
        good = film_check_motion_frame(&scene, frames[i], diag);
    if (good) {
        Evaluator *evaluator = film_evaluator(&scene, job, job->stop);
        good = options->openpose
                   ? write_keypoints(out, evaluator, &scene, job, frames, count, diag)
                   : pose_write_json(out, evaluator, &scene, model, frames, count, diag);
        evaluator_destroy(evaluator);
    }
    if (good && options->vertices)
        good =
            write_vertices(options->vertices, &scene, job, model, frames[count - 1], arena, diag);
    arena_destroy(arena);
    return good;
}
