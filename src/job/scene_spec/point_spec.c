#include "job/scene_spec/point_spec.h"

#include <math.h>

#include "base/units.h"
#include "job/job_spline.h"

static Vec3 vector_of(const double v[3])
{
    return (Vec3){v[0], v[1], v[2]};
}

/* velocity: per second; NULL if the point has none. */
static SplineTime point_time(double time_s, double frame, bool cut, const double velocity[3])
{
    SplineTime out = {.frame = job_point_frame(time_s, frame), .cut = cut};
    if (velocity && !isnan(velocity[0])) {
        out.velocity_given = true;
        out.velocity = vec3_scale(vector_of(velocity), 1.0 / MOTION_FPS);
    }
    return out;
}

const CameraPoint *point_spec_camera(const JobCamera *camera, Arena *arena)
{
    CameraPoint *points = arena_array(arena, CameraPoint, camera->path_count);
    for (size_t i = 0; i < camera->path_count; i++) {
        const JobCameraPoint *point = &camera->path[i];
        points[i] = (CameraPoint){
            .time = point_time(point->time_s, point->frame, point->cut, point->velocity),
            .eye = vector_of(point->eye),
            .target = vector_of(point->target),
            .up = vector_of(point->up),
            .roll = point->roll_deg * RADIANS,
            .fov_deg = point->fov_deg};
    }
    return camera->path_count ? points : NULL;
}

const LightPoint *point_spec_light(const JobLight *light, Arena *arena)
{
    LightPoint *points = arena_array(arena, LightPoint, light->path_count);
    for (size_t i = 0; i < light->path_count; i++) {
        const JobLightPoint *point = &light->path[i];
        const bool has_color = !isnan(point->color[0]), has_direction = !isnan(point->direction[0]);
        points[i] = (LightPoint){
            .time = point_time(point->time_s, point->frame, point->cut, NULL),
            .color = vector_of(has_color ? point->color : light->color),
            .direction = vector_of(has_direction ? point->direction : light->direction)};
    }
    return light->path_count ? points : NULL;
}

const PlacementPoint *point_spec_placement(const JobModel *model, Arena *arena)
{
    PlacementPoint *points = arena_array(arena, PlacementPoint, model->path_count);
    for (size_t i = 0; i < model->path_count; i++) {
        const JobPlacementPoint *point = &model->path[i];
        const double *angles = point->rotation_deg;
        points[i] = (PlacementPoint){
            .time = point_time(point->time_s, point->frame, point->cut, point->velocity),
            .position = vector_of(point->position),
            .rotation =
                quat_from_euler_yxz(angles[0] * RADIANS, angles[1] * RADIANS, angles[2] * RADIANS)};
        if (model->attach)
            points[i].position = vec3_add(points[i].position, vector_of(model->attach->offset));
    }
    return model->path_count ? points : NULL;
}
