// SPDX-License-Identifier: MIT
#include "render/lens.h"

#include <math.h>

#include "math/rotation.h"
#include "scene/placement.h"

void lens_apply(View *view, const RenderLens *lens, int width, int height)
{
    const bool orthographic = view->fixed_distance > 0.0f;
    const float *axes[2] = {view->axes.right, view->axes.up};
    const float sizes[2] = {(float)width, (float)height}, down[2] = {1.0f, -1.0f};

    for (int i = 0; i < 2; i++) {
        const float offset = orthographic ? 0.0f : lens->offset[i];
        const float scale = 1.0f / view->half_extent[i];
        const float shift =
            scale * offset / lens->focus + 2.0f * lens->pixel[i] * down[i] / sizes[i];

        for (int column = 0; column < 4; column++)
            view->clip[column][i] += shift * view->clip[column][3];
        view->clip[3][i] -= scale * offset;
        for (int k = 0; k < 3; k++)
            view->axes.eye[k] += axes[i][k] * offset;
        view->half_extent[i] *=
            1.0f + fabsf(shift); /* the image is no longer centered on the view */
    }
}

/* The distance of a point along the view. */
static float distance_of(const float point[3], const CameraAxes *axes)
{
    float distance = 0.0f;

    for (int i = 0; i < 3; i++)
        distance += (point[i] - axes->eye[i]) * axes->forward[i];
    return distance;
}

float lens_focus(const FocusOptions *focus, const FrameState *state)
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
    return fmaxf(nearest, LENS_MIN_FOCUS);
}
