// SPDX-License-Identifier: MIT
#include "scene/reframe.h"

#include <math.h>

#include "base/units.h"
#include "math/key_span.h"
#include "scene/follow.h"

static const double MIN_WIDEN = 1e-9; /* more than the weights round off */

double reframe_widen(double fov_deg, double widen)
{
    return 2 / RADIANS * atan(widen * tan(fov_deg * RADIANS / 2));
}

CameraState reframe_at(const ReframeTrack *track, const CameraState *given, double frame)
{
    const ReframeSegment *segment =
        &track->segments[key_span_find(track->segments, sizeof *segment, track->count, frame)];
    const double at = fmin(fmax((frame - segment->start) / track->step, 0), segment->count);
    const double left = floor(at), last = segment->count - 1.0;
    double weights[4];
    ReframePoint sum = {0, 0, 0};
    CameraState camera = *given;
    if (given->orthographic)
        return camera;

    follow_weights(weights, at - left);
    for (int i = 0; i < 4; i++) {
        const double index = fmin(fmax(left - 1 + i, 0), last);
        sum.turn += weights[i] * segment->points[(size_t)index].turn;
        sum.back += weights[i] * segment->points[(size_t)index].back;
        sum.widen += weights[i] * segment->points[(size_t)index].widen;
    }
    /* Moved back as the given camera looks, then turned about the eye. */
    const CameraAxes from = camera_axes(given);
    const Vec3 eye = vec3_sub(vec3_load(from.eye), vec3_scale(vec3_load(from.forward), sum.back));
    camera.rotation[1] -= (float)sum.turn;
    camera.distance -= (float)sum.back;
    if (sum.widen > 1 + MIN_WIDEN)
        camera.fov_deg = (float)reframe_widen((double)camera.fov_deg, sum.widen);
    const CameraAxes to = camera_axes(&camera);
    vec3_store(camera.target,
               vec3_sub(eye, vec3_scale(vec3_load(to.forward), (double)camera.distance)));
    return camera;
}
