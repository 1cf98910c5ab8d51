// SPDX-License-Identifier: MIT
#include "picture/look/focus.h"

#include <math.h>

#include "math/rotation.h"
#include "picture/look/pattern.h"
#include "picture/passes/keypoints.h"
#include "scene/placement.h"

/* What a photographer focuses on: the eyes, else the head; nothing if the model has no standard
 * names. */
static void focus_on_face(FocusOptions *out, const Model *model, Arena *arena)
{
    SkeletonPoint eyes[FOCUS_POINTS];

    if (!skeleton_find_eyes(eyes, model, arena)) {
        out->points[0] = (FocusPoint){.bone = model_find_bone(model, "頭")};
        out->point_count = out->points[0].bone >= 0;
        return;
    }
    out->point_count = FOCUS_POINTS;
    for (int i = 0; i < FOCUS_POINTS; i++) {
        out->points[i].bone = eyes[i].bone;
        for (int c = 0; c < 3; c++)
            out->points[i].offset[c] = eyes[i].rest[c] - model->pmx.bones[eyes[i].bone].position[c];
    }
}

bool focus_find(LookOptions *look, const Scene *scene, uint32_t first_model, int samples,
                const DiagLocation *location, Arena *arena, Diag *diag)
{
    FocusOptions *focus = arena_copy(arena, look->focus, sizeof *look->focus);

    look->focus = focus;
    focus->lens_part = pattern_lens_part(samples);
    if (focus->aperture > 0 && focus->lens_part > 0)
        look->defocus = focus;
    focus->model_index =
        focus->model ? (uint32_t)scene_find_model(scene, focus->model) : first_model;
    const Model *model = scene->models[focus->model_index].model;
    if (!focus->bone) {
        focus_on_face(focus, model, arena);
        return true;
    }
    focus->points[0] = (FocusPoint){.bone = model_require_bone(model, focus->bone, location, diag)};
    focus->point_count = 1;
    return focus->points[0].bone >= 0;
}

/* ---- the distance of a frame ---- */

/* The distance of a point along the view. */
static float distance_of(const float point[3], const CameraAxes *axes)
{
    float distance = 0.0f;

    for (int i = 0; i < 3; i++)
        distance += (point[i] - axes->eye[i]) * axes->forward[i];
    return distance;
}

float focus_distance(const FocusOptions *focus, const FrameState *state)
{
    const CameraAxes axes = camera_axes(&state->camera);
    float nearest = HUGE_VALF;

    if (focus->distance > 0)
        return focus->distance;
    for (int i = 0; i < focus->point_count; i++) {
        const FocusPoint *p = &focus->points[i];
        const ModelState *m = &state->models[focus->model_index];
        const BonePose *bone = &m->bones[p->bone];
        float point[3];
        vec3_store(point,
                   placement_point(&m->placement, vec3_add(vec3_load(bone->position),
                                                           quat_rotate(quat_load(bone->rotation),
                                                                       vec3_load(p->offset)))));
        nearest = fminf(nearest, distance_of(point, &axes));
    }
    if (focus->point_count == 0)
        nearest = distance_of(state->camera.target, &axes);
    return fmaxf(nearest, FOCUS_MIN_DISTANCE);
}
