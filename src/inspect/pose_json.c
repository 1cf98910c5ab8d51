#include "inspect/pose_json.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "evaluate/frame.h"
#include "math/rotation.h"

enum { MAX_FRAMES = 1000000 };

/* ---- writing ---- */

static void write_head(Json *json, const PmxModel *pmx)
{
    json_key(json, "format");
    json_text(json, "mmd-pose-1");
    json_key(json, "model");
    json_open(json, '{');
    json_key(json, "name");
    json_text(json, pmx->name);
    json_close(json, '}');
    json_key(json, "bones");
    json_open(json, '[');
    for (uint32_t i = 0; i < pmx->bone_count; i++) {
        json_open(json, '{');
        json_key(json, "i");
        json_int(json, i);
        json_key(json, "name");
        json_text(json, pmx->bones[i].name);
        json_key(json, "parent");
        json_int(json, pmx->bones[i].parent);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_key(json, "morphs");
    json_open(json, '[');
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
    json_key(json, "bones");
    json_open(json, '[');
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
    json_key(&json, "frames");
    json_open(&json, '[');
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
        return diag_fail(diag, DIAG_IO, "cannot write the pose: %s", strerror(errno));
    return true;
}

/* ---- list of frames ---- */

typedef struct FrameList {
    double *items;
    size_t count, capacity;
} FrameList;

/* Parses one number, or first:last:step, in [text, text + size). */
static bool parse_item(FrameList *list, const char *text, size_t size, Arena *arena, Diag *diag)
{
    double part[3];
    int parts = 0;
    const char *at = text, *end = text + size;
    while (parts < 3) {
        const char *colon = memchr(at, ':', (size_t)(end - at));
        const char *stop = colon ? colon : end;
        if (!text_to_double(&part[parts++], arena_strndup(arena, at, (size_t)(stop - at))))
            goto invalid;
        if (!colon)
            break;
        if (parts == 3)
            goto invalid;
        at = colon + 1;
    }
    if (parts == 1)
        part[1] = part[0], part[2] = 1;
    else if (parts != 3 || !(part[2] > 0) || part[1] < part[0])
        goto invalid;

    /* Multiples of the step, not a sum: the last frame is exact when the step divides the range. */
    const double steps = floor((part[1] - part[0]) / part[2] + 1e-9);
    if (steps >= (double)(MAX_FRAMES - list->count))
        return diag_fail(diag, DIAG_USAGE, "--frames: too many frames (at most %d)", MAX_FRAMES);
    for (double k = 0; k <= steps; k++)
        *arena_push(arena, list) = part[0] + k * part[2];
    return true;

invalid:
    return diag_fail(diag, DIAG_USAGE, "--frames: '%.*s' is neither a frame nor first:last:step",
                     (int)size, text);
}

double *pose_json_parse_frames(const char *text, size_t *count, Arena *arena, Diag *diag)
{
    FrameList list = {0};
    for (const char *at = text;; at++) {
        const size_t size = strcspn(at, ",");
        if (!parse_item(&list, at, size, arena, diag))
            return NULL;
        at += size;
        if (!*at)
            break;
    }
    *count = list.count;
    return list.items;
}
