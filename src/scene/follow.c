// SPDX-License-Identifier: MIT
#include "scene/follow.h"

#include <math.h>

#include "math/key_span.h"

/* Before the first and after the last point of a segment these are repeated. */
static const FollowPoint *point_at(const FollowSegment *segment, int64_t index)
{
    const int64_t last = (int64_t)segment->count - 1;
    return &segment->points[index < 0 ? 0 : index > last ? last : index];
}

void follow_weights(double weights[4], double t)
{
    const double s = 1 - t;
    weights[0] = s * s * s / 6;
    weights[1] = (4 - 6 * t * t + 3 * t * t * t) / 6;
    weights[2] = (4 - 6 * s * s + 3 * s * s * s) / 6;
    weights[3] = t * t * t / 6;
}

CameraState follow_at(const FollowTrack *track, double frame)
{
    const FollowSegment *segment =
        &track->segments[key_span_find(track->segments, sizeof *segment, track->count, frame)];
    const double at = fmin(fmax((frame - segment->start) / track->step, 0), segment->count);
    const double left = floor(at);
    double weights[4], distance = 0;
    Vec3 target = {0, 0, 0};

    follow_weights(weights, at - left);
    for (int i = 0; i < 4; i++) {
        const FollowPoint *point = point_at(segment, (int64_t)left - 1 + i);
        target = vec3_add(target, vec3_scale(point->target, weights[i]));
        distance += point->distance * weights[i];
    }
    CameraState camera = {.distance = -(float)distance, .fov_deg = track->fov_deg};
    vec3_store(camera.target, target);
    for (int i = 0; i < 3; i++)
        camera.rotation[i] = segment->rotation[i];
    return camera;
}
