#include "inspect/pose_json.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "evaluate/frame.h"
#include "job/option_parse.h"
#include "math/rotation.h"

enum { MAX_FRAMES = 1000000 };

/* ---- writing ---- */

static void write_head(Json *json, const PmxModel *pmx)
{
    json_pair_text(json, "format", "mmd-pose-1");
    json_pair_open(json, "model", '{');
    json_pair_text(json, "name", pmx->name);
    json_close(json, '}');
    json_pair_open(json, "bones", '[');
    for (uint32_t i = 0; i < pmx->bone_count; i++) {
        json_open(json, '{');
        json_pair_int(json, "i", i);
        json_pair_text(json, "name", pmx->bones[i].name);
        json_pair_int(json, "parent", pmx->bones[i].parent);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_pair_open(json, "morphs", '[');
    for (uint32_t i = 0; i < pmx->morph_count; i++)
        json_text(json, pmx->morphs[i].name);
    json_close(json, ']');
}

static void write_bone(Json *json, const Placement *placement, const BonePose *bone)
{
    float values[7];
    vec3_store(values, placement_point(placement, vec3_load(bone->position)));
    quat_store(values + 3, placement_rotation(placement, quat_load(bone->rotation)));
    json_floats(json, values, 7);
}

static void write_camera(Json *json, const CameraState *camera)
{
    const CameraAxes axes = camera_axes(camera);
    json_open(json, '{');
    json_key(json, "center");
    json_floats(json, camera->target, 3);
    json_key(json, "rotation");
    json_floats(json, camera->rotation, 3);
    json_key(json, "distance");
    json_float(json, camera->distance);
    json_key(json, "fov");
    json_float(json, camera->fov_deg);
    json_key(json, "eye");
    json_floats(json, axes.eye, 3);
    json_key(json, "right");
    json_floats(json, axes.right, 3);
    json_key(json, "up");
    json_floats(json, axes.up, 3);
    json_key(json, "forward");
    json_floats(json, axes.forward, 3);
    json_close(json, '}');
}

static void write_frame(Json *json, const FrameState *state, const ModelState *model,
                        const PmxModel *pmx)
{
    json_newline(json);
    json_open(json, '{');
    json_key(json, "f");
    json_double(json, state->frame);
    json_pair_open(json, "bones", '[');
    for (uint32_t i = 0; i < pmx->bone_count; i++)
        write_bone(json, &model->placement, &model->bones[i]);
    json_close(json, ']');
    json_key(json, "morphs");
    json_floats(json, model->key_weights, pmx->morph_count);
    json_key(json, "camera");
    write_camera(json, &state->camera);
    json_close(json, '}');
}

bool pose_json_write(FILE *out, Evaluator *evaluator, const Scene *scene, size_t model,
                     const double *frames, size_t count, Diag *diag)
{
    const PmxModel *pmx = &scene->models[model].model->pmx;
    Arena *arena = arena_create();
    FrameState *state = frame_state_create(scene, arena);
    bool good = true;
    Json json = json_init(out);

    json_open(&json, '{');
    write_head(&json, pmx);
    json_pair_open(&json, "frames", '[');
    for (size_t i = 0; good && i < count; i++) {
        good = evaluate_frame(state, evaluator, scene, frames[i]) ||
               evaluator_report(evaluator, frames[i], diag);
        if (good)
            write_frame(&json, state, &state->models[model], pmx);
    }
    json_close(&json, ']');
    json_close(&json, '}');
    json_newline(&json);

    arena_destroy(arena);
    if (!good)
        return false;
    if (fflush(out) != 0 || ferror(out))
        return errno != EPIPE &&
               diag_fail(diag, DIAG_IO, "cannot write the pose: %s", strerror(errno));
    return true;
}

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
static bool add_steps(FrameList *list, const FrameTime part[3], JobRational fps, Arena *arena,
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

/* A range "first-last" has every output frame in it. */
static bool add_range(FrameList *list, const char *text, size_t size, JobRational fps, Arena *arena,
                      Diag *diag)
{
    JobFrames frames;
    const FrameTime one = {1, FRAME_OUTPUT};
    if (!option_parse_frames(&frames, arena_strndup(arena, text, size), fps, arena) ||
        frames.count != 1)
        return report_item(text, size, diag);
    const FrameTime part[] = {{(double)frames.items[0].first, FRAME_OUTPUT},
                              {(double)frames.items[0].last, FRAME_OUTPUT},
                              one};
    return add_steps(list, part, fps, arena, diag);
}

/* Parses one time, a range, or first:last:step, in [text, text + size). */
static bool parse_item(FrameList *list, const char *text, size_t size, JobRational fps,
                       Arena *arena, Diag *diag)
{
    FrameTime part[3] = {{0, FRAME_OUTPUT}};
    const char *at = text, *end = text + size;
    int parts = 0;
    if (memchr(text, '-', size))
        return add_range(list, text, size, fps, arena, diag);
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

double *pose_json_parse_frames(const char *text, size_t *count, JobRational fps, Arena *arena,
                               Diag *diag)
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
