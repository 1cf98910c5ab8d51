// SPDX-License-Identifier: MIT
#include "scene/attach.h"

#include "base/text.h"
#include "math/key_span.h"
#include "scene/key_spline.h"
#include "scene/scene.h"

/* ---- binding ---- */

/* Finds a model and its bone, in *out.  key: "models.0.attach_keys.0".  False after an error; for a
 * model that failed to load it was reported before. */
static bool find_parent(AttachKey *out, const char *model, const char *bone, const char *key,
                        const Scene *scene, Diag *diag)
{
    out->model = scene_find_model(scene, model);
    if (out->model < 0)
        return diag_fail_at(diag, diag_key(diag, "%s.model", key), DIAG_JOB,
                            "no model has the id '%s'", model);
    const Model *target = scene->models[out->model].model;
    if (target)
        out->bone = model_require_bone(target, bone, diag_key(diag, "%s.bone", key), diag);
    return out->bone >= 0;
}

/* The model and bone of a key, in *out, and the bone that it attaches, or -1, in *own_bone. */
static bool bind_key(AttachKey *out, int32_t *own_bone, const AttachKeySpec *spec, const char *key,
                     const Scene *scene, int32_t own, Diag *diag)
{
    *out = (AttachKey){point_frame(spec->time_s, spec->frame), -1, -1};
    *own_bone = -1;
    bool good = !spec->model || find_parent(out, spec->model, spec->bone, key, scene, diag);
    if (spec->own_bone && own >= 0) {
        const Model *model = scene->models[own].model;
        if (model)
            *own_bone =
                model_require_bone(model, spec->own_bone, diag_key(diag, "%s.own_bone", key), diag);
        good &= *own_bone >= 0;
    }
    return good;
}

/* The keys of one own bone, in their order. */
static AttachTrack make_track(int32_t own_bone, const AttachKey *keys, const int32_t *bones,
                              size_t count, Arena *arena)
{
    AttachKey *own = arena_array(arena, AttachKey, count);
    AttachTrack track = {.own_bone = own_bone, .keys = own};
    for (size_t i = 0; i < count; i++)
        if (bones[i] == own_bone)
            own[track.key_count++] = keys[i];
    return track;
}

static bool has_track(const AttachTrack *tracks, uint32_t count, int32_t own_bone)
{
    for (uint32_t i = 0; i < count; i++)
        if (tracks[i].own_bone == own_bone)
            return true;
    return false;
}

bool attach_bind(const AttachTrack **tracks, uint32_t *track_count, const AttachKeySpec *specs,
                 size_t spec_count, const char *list, const Scene *scene, int32_t own, Arena *arena,
                 Diag *diag)
{
    AttachKey *keys = arena_array(arena, AttachKey, spec_count);
    int32_t *bones = arena_array(arena, int32_t, spec_count);
    AttachTrack *out = arena_array(arena, AttachTrack, spec_count);
    bool good = true;

    for (size_t i = 0; i < spec_count; i++)
        good &= bind_key(&keys[i], &bones[i], &specs[i], arena_printf(arena, "%s.%zu", list, i),
                         scene, own, diag);
    *tracks = out;
    *track_count = 0;
    for (size_t i = 0; good && i < spec_count; i++)
        if (!has_track(out, *track_count, bones[i]))
            out[(*track_count)++] = make_track(bones[i], keys, bones, spec_count, arena);
    return good;
}

bool attach_bind_camera(const AttachTrack **track, const AttachSpec *spec, const Scene *scene,
                        Arena *arena, Diag *diag)
{
    AttachKey *key = arena_array(arena, AttachKey, 1);
    AttachTrack *only = arena_array(arena, AttachTrack, 1);
    *key = (AttachKey){0, -1, -1};
    *only = (AttachTrack){.own_bone = -1, .keys = key, .key_count = 1};
    *track = only;
    return find_parent(key, spec->model, spec->bone, "camera.attach", scene, diag);
}

/* ---- evaluation ---- */

AttachKey attach_at(const AttachTrack *track, double frame)
{
    return track->keys[key_span_find(track->keys, sizeof *track->keys, track->key_count, frame)];
}

static bool is_placed(const bool *placed, int32_t model)
{
    return model < 0 || placed[model];
}

/* Whether all models that a model is attached to at a frame are in the order. */
static bool are_parents_placed(const SceneModel *model, const bool *placed, double frame)
{
    if (!is_placed(placed, model->attach_model))
        return false;
    for (uint32_t i = 0; i < model->attach_count; i++)
        if (!is_placed(placed, attach_at(&model->attach[i], frame).model))
            return false;
    return true;
}

/* Appends models whose parents are in the order, in rounds; at most as many as there are models. */
int32_t attach_order_at(uint32_t *order, const Scene *scene, double frame)
{
    bool placed_few[256] = {false};
    Arena *arena = scene->model_count > sizeof placed_few ? arena_create() : NULL;
    bool *placed = arena ? arena_array(arena, bool, scene->model_count) : placed_few;
    size_t count = 0, before;
    int32_t cycle = -1;
    do {
        before = count;
        for (uint32_t i = 0; i < scene->model_count; i++)
            if (!placed[i] && are_parents_placed(&scene->models[i], placed, frame)) {
                placed[i] = true;
                order[count++] = i;
            }
    } while (count > before);
    for (size_t i = scene->model_count; i-- > 0;)
        if (!placed[i])
            cycle = (int32_t)i;
    arena_destroy(arena);
    return cycle;
}

static bool check_at(uint32_t *order, const Scene *scene, double frame, Diag *diag)
{
    const int32_t model = attach_order_at(order, scene, frame);
    return model < 0 ||
           diag_fail(diag, DIAG_JOB, "model '%s' is part of an attachment cycle at frame %.10g",
                     scene->models[model].id, frame);
}

/* Attachments change at keys only, and do not before the first key. */
bool attach_check(const Scene *scene, Arena *arena, Diag *diag)
{
    uint32_t *order = arena_array(arena, uint32_t, scene->model_count);
    if (!check_at(order, scene, 0, diag))
        return false;
    for (size_t m = 0; m < scene->model_count; m++)
        for (uint32_t t = 0; t < scene->models[m].attach_count; t++) {
            const AttachTrack *track = &scene->models[m].attach[t];
            for (uint32_t k = 0; k < track->key_count; k++)
                if (!check_at(order, scene, track->keys[k].frame, diag))
                    return false;
        }
    return true;
}

void attach_mark(bool *marked, const Scene *scene, size_t index)
{
    const SceneModel *model = &scene->models[index];
    if (marked[index])
        return;
    marked[index] = true;
    if (model->attach_model >= 0)
        attach_mark(marked, scene, (size_t)model->attach_model);
    for (uint32_t t = 0; t < model->attach_count; t++)
        for (uint32_t k = 0; k < model->attach[t].key_count; k++)
            if (model->attach[t].keys[k].model >= 0)
                attach_mark(marked, scene, (size_t)model->attach[t].keys[k].model);
}
