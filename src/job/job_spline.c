#include "job/job_spline.h"

#include <math.h>

static const double RADIANS = 3.14159265358979323846 / 180;
static const double FPS = 30; /* of motions */

/* ---- times ---- */

/* Rounded to a millionth of a frame, so that 0.1 s is exactly frame 3. */
static double frame_of(const JobPointTime *time)
{
    return isnan(time->frame) ? round(time->time_s * FPS * 1e6) / 1e6 : time->frame;
}

static Vec3 vector_of(const double v[3])
{
    return (Vec3){v[0], v[1], v[2]};
}

/* velocity: per second; NULL if the point has none. */
static SplineTime point_time(const JobPointTime *time, const double velocity[3])
{
    SplineTime out = {.frame = frame_of(time), .cut = time->cut};
    if (velocity && !isnan(velocity[0])) {
        out.velocity_given = true;
        out.velocity = vec3_scale(vector_of(velocity), 1 / FPS);
    }
    return out;
}

/* ---- checks ---- */

/* The times of one list of key points. */
typedef struct PointCheck {
    const char *name;     /* "camera.path" */
    const YamlNode *list; /* in the file */
    const JobPointTime **times;
    size_t count;
    OptionReader *reader;
} PointCheck;

static const YamlNode *point_node(const PointCheck *check, size_t i, const char *key)
{
    const YamlNode *point = yaml_item(check->list, i);
    const YamlNode *value = point && key ? yaml_find(point, key) : NULL;
    return value ? value : point ? point : check->list;
}

static bool check_time(const PointCheck *check, size_t i)
{
    const JobPointTime *time = check->times[i];
    if (isnan(time->time_s) == isnan(time->frame))
        return option_error(check->reader, point_node(check, i, NULL),
                            "%s.%zu: exactly one of time_s and frame must be given", check->name,
                            i);
    if (!i || (isnan(check->times[i - 1]->time_s) && isnan(check->times[i - 1]->frame)))
        return true;
    const double before = frame_of(check->times[i - 1]), now = frame_of(time);
    if (now > before || (now == before && time->cut))
        return true;
    return option_error(
        check->reader, point_node(check, i, isnan(time->frame) ? "time_s" : "frame"),
        "%s.%zu: time %.10g s is not after that of the previous point (%.10g s)%s", check->name, i,
        now / FPS, before / FPS, now == before ? "; equal times need cut: true" : "");
}

static bool check_times(const PointCheck *check)
{
    bool good = true;
    for (size_t i = 0; i < check->count; i++)
        good &= check_time(check, i);
    return good;
}

static bool is_zero(const double v[3])
{
    return v[0] == 0 && v[1] == 0 && v[2] == 0;
}

static bool check_camera(const JobCamera *camera, PointCheck *check)
{
    bool good = true;
    for (size_t i = 0; i < camera->path_count; i++) {
        const JobCameraPoint *point = &camera->path[i];
        const double *eye = point->eye, *target = point->target;
        check->times[i] = &point->time;
        if (eye[0] == target[0] && eye[1] == target[1] && eye[2] == target[2])
            good = option_error(check->reader, point_node(check, i, "eye"),
                                "%s.%zu: eye and target must differ", check->name, i);
        if (is_zero(point->up))
            good = option_error(check->reader, point_node(check, i, "up"),
                                "%s.%zu.up: must not be the zero vector", check->name, i);
    }
    return check_times(check) && good;
}

static bool check_light(const JobLight *light, PointCheck *check)
{
    bool good = true;
    for (size_t i = 0; i < light->path_count; i++) {
        check->times[i] = &light->path[i].time;
        if (is_zero(light->path[i].direction))
            good = option_error(check->reader, point_node(check, i, "direction"),
                                "%s.%zu.direction: must not be the zero vector", check->name, i);
    }
    return check_times(check) && good;
}

static bool check_placement(const JobModel *model, PointCheck *check)
{
    for (size_t i = 0; i < model->path_count; i++)
        check->times[i] = &model->path[i].time;
    return check_times(check);
}

static PointCheck create_check(const char *name, const YamlNode *owner, size_t count,
                               OptionReader *reader)
{
    return (PointCheck){.name = name,
                        .list = owner ? yaml_find(owner, "path") : NULL,
                        .times = arena_array(reader->arena, const JobPointTime *, count),
                        .count = count,
                        .reader = reader};
}

static bool check_placements(const JobModel *models, size_t count, const char *list,
                             const YamlNode *root, OptionReader *reader)
{
    bool good = true;
    for (size_t i = 0; i < count; i++) {
        if (!models[i].path_count)
            continue;
        const YamlNode *owner = yaml_item(yaml_find(root, list), i);
        PointCheck check = create_check(arena_printf(reader->arena, "%s.%zu.path", list, i), owner,
                                        models[i].path_count, reader);
        good &= check_placement(&models[i], &check);
    }
    return good;
}

bool job_spline_check(const Job *job, const YamlNode *root, OptionReader *reader)
{
    bool good = true;
    if (job->camera.path_count) {
        PointCheck check =
            create_check("camera.path", yaml_find(root, "camera"), job->camera.path_count, reader);
        good &= check_camera(&job->camera, &check);
    }
    if (job->light.path_count) {
        PointCheck check =
            create_check("light.path", yaml_find(root, "light"), job->light.path_count, reader);
        good &= check_light(&job->light, &check);
    }
    good &= check_placements(job->stage, job->stage_count, "stage", root, reader);
    return check_placements(job->models, job->model_count, "models", root, reader) && good;
}

/* ---- the scene ---- */

const CameraPoint *job_spline_camera(const JobCamera *camera, Arena *arena)
{
    CameraPoint *points = arena_array(arena, CameraPoint, camera->path_count);
    for (size_t i = 0; i < camera->path_count; i++) {
        const JobCameraPoint *point = &camera->path[i];
        points[i] = (CameraPoint){.time = point_time(&point->time, point->velocity),
                                  .eye = vector_of(point->eye),
                                  .target = vector_of(point->target),
                                  .up = vector_of(point->up),
                                  .roll = point->roll_deg * RADIANS,
                                  .fov_deg = point->fov_deg};
    }
    return camera->path_count ? points : NULL;
}

const LightPoint *job_spline_light(const JobLight *light, Arena *arena)
{
    LightPoint *points = arena_array(arena, LightPoint, light->path_count);
    for (size_t i = 0; i < light->path_count; i++) {
        const JobLightPoint *point = &light->path[i];
        const bool has_color = !isnan(point->color[0]), has_direction = !isnan(point->direction[0]);
        points[i] = (LightPoint){
            .time = point_time(&point->time, NULL),
            .color = vector_of(has_color ? point->color : light->color),
            .direction = vector_of(has_direction ? point->direction : light->direction)};
    }
    return light->path_count ? points : NULL;
}

const PlacementPoint *job_spline_placement(const JobModel *model, Arena *arena)
{
    PlacementPoint *points = arena_array(arena, PlacementPoint, model->path_count);
    for (size_t i = 0; i < model->path_count; i++) {
        const JobPlacementPoint *point = &model->path[i];
        const double *angles = point->rotation_deg;
        points[i] =
            (PlacementPoint){.time = point_time(&point->time, point->velocity),
                             .position = vector_of(point->position),
                             .rotation = quat_from_euler_yxz(
                                 angles[0] * RADIANS, angles[1] * RADIANS, angles[2] * RADIANS)};
        if (model->attach)
            points[i].position = vec3_add(points[i].position, vector_of(model->attach->offset));
    }
    return model->path_count ? points : NULL;
}
