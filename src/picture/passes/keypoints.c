// SPDX-License-Identifier: MIT
#include "picture/passes/keypoints.h"

#include <math.h>

#include "math/rotation.h"
#include "render/view.h"
#include "scene/placement.h"

static Vec3 world_point(const SkeletonPoint *point, const Model *model, const ModelState *state)
{
    const BonePose *pose = &state->bones[point->bone];
    const Vec3 rest = vec3_load(model->pmx.bones[point->bone].position);
    Vec3 offset = vec3_sub(vec3_load(point->rest), rest);

    for (size_t i = 0; i < point->morph_count; i++) {
        const SkeletonMorph *m = &point->morphs[i];
        const double weight = (double)state->leaf_weights[m->morph];
        offset = vec3_add(offset, vec3_scale(vec3_load(m->offset), weight));
    }
    const Vec3 at =
        vec3_add(quat_rotate(quat_load(pose->rotation), offset), vec3_load(pose->position));

    return placement_point(&state->placement, at);
}

/* Where a point of the world is in the image; false if it is not in it. */
static bool project(Keypoint *out, Vec3 at, const View *view, bool orthographic, int width,
                    int height)
{
    const CameraAxes *axes = &view->axes;
    const Vec3 offset = vec3_sub(at, vec3_load(axes->eye));
    const double z = vec3_dot(offset, vec3_load(axes->forward));
    const double scale = orthographic ? 1 : z;
    const double x =
        vec3_dot(offset, vec3_load(axes->right)) / (scale * (double)view->half_extent[0]);
    const double y = vec3_dot(offset, vec3_load(axes->up)) / (scale * (double)view->half_extent[1]);

    if (!(z > 0 && fabs(x) < 1 && fabs(y) < 1))
        return false;
    *out = (Keypoint){.x = (float)((0.5 + 0.5 * x) * width),
                      .y = (float)((0.5 - 0.5 * y) * height),
                      .depth = (float)z,
                      .confidence = 1};
    return true;
}

static bool is_hidden(const Keypoint *point, float tolerance, int width, int height,
                      const float *depth)
{
    const int x = (int)point->x, y = (int)point->y;

    if (!depth || x < 0 || y < 0 || x >= width || y >= height)
        return false;
    const float surface = depth[(size_t)y * (size_t)width + (size_t)x];
    return surface > 0 && surface < point->depth - tolerance;
}

bool keypoints_project(Person *out, const Skeleton *skeleton, const Scene *scene,
                       const FrameState *state, int width, int height, const float *depth)
{
    const ModelState *model = &state->models[skeleton->model];
    const View view = view_of(&state->camera, &state->light, width, height);

    if (!model->visible)
        return false;
    for (int i = 0; i < KEYPOINT_COUNT; i++) {
        const SkeletonPoint *point = &skeleton->points[i];
        Keypoint *to = &out->points[i];

        *to = (Keypoint){0};
        if (point->bone < 0)
            continue;
        const Vec3 at = world_point(point, scene->models[skeleton->model].model, model);
        if (!project(to, at, &view, state->camera.orthographic, width, height))
            continue;
        if (is_hidden(to, point->tolerance * model->placement.scale, width, height, depth)) {
            /* Detectors conclude from the face whether a dancer is seen from the front. */
            const bool is_face = i == KEYPOINT_NOSE || (i >= KEYPOINT_FACE && i < KEYPOINT_FEET) ||
                                 (i >= KEYPOINT_R_EYE && i <= KEYPOINT_L_EAR);
            to->confidence = 0.5f;
            if (is_face)
                *to = (Keypoint){0};
        }
    }
    return true;
}

bool keypoints_bounds(float low[2], float high[2], const Keypoint *points, int count)
{
    low[0] = low[1] = INFINITY;
    high[0] = high[1] = -INFINITY;
    for (int i = 0; i < count; i++) {
        const float at[2] = {points[i].x, points[i].y};

        for (int k = 0; k < 2 && points[i].confidence > 0; k++) {
            low[k] = fminf(low[k], at[k]);
            high[k] = fmaxf(high[k], at[k]);
        }
    }
    return low[0] <= high[0];
}
