#include "job/job_spline.h"

#include <math.h>

static const double RADIANS = 3.14159265358979323846 / 180;
static const double FPS = 30; /* of motions */

/* ---- moments ---- */

/* To a millionth of a frame, so that 0.1 s is frame 3 and not a hair later. */
static double frame_of(const JobMoment *moment)
{
    return isnan(moment->frame) ? round(moment->time_s * FPS * 1e6) / 1e6 : moment->frame;
}

static Vec3 vector_of(const double v[3])
{
    return (Vec3){v[0], v[1], v[2]};
}

/* velocity: per second, or NULL for what has none. */
static SplineMoment moment_of(const JobMoment *moment, const double velocity[3])
{
    SplineMoment out = {.frame = frame_of(moment), .cut = moment->cut};
    if (velocity && !isnan(velocity[0])) {
        out.velocity_given = true;
        out.velocity = vec3_scale(vector_of(velocity), 1 / FPS);
    }
    return out;
}

/* ---- checks ---- */

/* One path, by what its points have in common. */
typedef struct PathCheck {
    const char *name;     /* "camera.path" */
    const YamlNode *list; /* its place in the file */
    const JobMoment **moments;
    size_t count;
    OptionReader *reader;
} PathCheck;

static const YamlNode *point_node(const PathCheck *check, size_t i, const char *key)
{
    const YamlNode *point = yaml_item(check->list, i);
    const YamlNode *value = point && key ? yaml_find(point, key) : NULL;
    return value ? value : point ? point : check->list;
}

static bool check_moment(const PathCheck *check, size_t i)
{
    const JobMoment *moment = check->moments[i];
    if (isnan(moment->time_s) == isnan(moment->frame))
        return option_error(check->reader, point_node(check, i, NULL),
                            "%s.%zu: %s of time_s and frame says when", check->name, i,
                            isnan(moment->frame) ? "one" : "only one");
    if (!i || (isnan(check->moments[i - 1]->time_s) && isnan(check->moments[i - 1]->frame)))
        return true;
    const double before = frame_of(check->moments[i - 1]), now = frame_of(moment);
    if (now > before || (now == before && moment->cut))
        return true;
    return option_error(check->reader,
                        point_node(check, i, isnan(moment->frame) ? "time_s" : "frame"),
                        "%s.%zu: %.10g s is not after the point before it (%.10g s)%s", check->name,
                        i, now / FPS, before / FPS, now == before ? "; a cut may be there" : "");
}

static bool check_moments(const PathCheck *check)
{
    bool good = true;
    for (size_t i = 0; i < check->count; i++)
        good &= check_moment(check, i);
    return good;
}

static bool is_zero(const double v[3])
{
    return v[0] == 0 && v[1] == 0 && v[2] == 0;
}

static bool check_camera(const JobCamera *camera, PathCheck *check)
{
    bool good = true;
    for (size_t i = 0; i < camera->path_count; i++) {
        const JobCameraPoint *point = &camera->path[i];
        const double *eye = point->eye, *target = point->target;
        check->moments[i] = &point->moment;
        if (eye[0] == target[0] && eye[1] == target[1] && eye[2] == target[2])
            good = option_error(check->reader, point_node(check, i, "eye"),
                                "%s.%zu: eye and target are the same", check->name, i);
        if (is_zero(point->up))
            good = option_error(check->reader, point_node(check, i, "up"),
                                "%s.%zu.up: [0, 0, 0] leads nowhere", check->name, i);
    }
    return check_moments(check) && good;
}

static bool check_light(const JobLight *light, PathCheck *check)
{
    bool good = true;
    for (size_t i = 0; i < light->path_count; i++) {
        check->moments[i] = &light->path[i].moment;
        if (is_zero(light->path[i].direction))
            good = option_error(check->reader, point_node(check, i, "direction"),
                                "%s.%zu.direction: [0, 0, 0] leads nowhere", check->name, i);
    }
    return check_moments(check) && good;
}

static bool check_place(const JobModel *model, PathCheck *check)
{
    for (size_t i = 0; i < model->path_count; i++)
        check->moments[i] = &model->path[i].moment;
    return check_moments(check);
}

static PathCheck begin(const char *name, const YamlNode *owner, size_t count, OptionReader *reader)
{
    return (PathCheck){.name = name,
                       .list = owner ? yaml_find(owner, "path") : NULL,
                       .moments = arena_array(reader->arena, const JobMoment *, count),
                       .count = count,
                       .reader = reader};
}

static bool check_places(const JobModel *models, size_t count, const char *list,
                         const YamlNode *root, OptionReader *reader)
{
    bool good = true;
    for (size_t i = 0; i < count; i++) {
        if (!models[i].path_count)
            continue;
        const YamlNode *owner = yaml_item(yaml_find(root, list), i);
        PathCheck check = begin(arena_printf(reader->arena, "%s.%zu.path", list, i), owner,
                                models[i].path_count, reader);
        good &= check_place(&models[i], &check);
    }
    return good;
}

bool job_spline_check(const Job *job, const YamlNode *root, OptionReader *reader)
{
    bool good = true;
    if (job->camera.path_count) {
        PathCheck check =
            begin("camera.path", yaml_find(root, "camera"), job->camera.path_count, reader);
        good &= check_camera(&job->camera, &check);
    }
    if (job->light.path_count) {
        PathCheck check =
            begin("light.path", yaml_find(root, "light"), job->light.path_count, reader);
        good &= check_light(&job->light, &check);
    }
    good &= check_places(job->stage, job->stage_count, "stage", root, reader);
    return check_places(job->models, job->model_count, "models", root, reader) && good;
}

/* ---- for scene_load ---- */

const CameraPoint *job_spline_camera(const JobCamera *camera, Arena *arena)
{
    CameraPoint *points = arena_array(arena, CameraPoint, camera->path_count);
    for (size_t i = 0; i < camera->path_count; i++) {
        const JobCameraPoint *point = &camera->path[i];
        points[i] = (CameraPoint){.moment = moment_of(&point->moment, point->velocity),
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
        const bool own_color = !isnan(point->color[0]), own_way = !isnan(point->direction[0]);
        points[i] =
            (LightPoint){.moment = moment_of(&point->moment, NULL),
                         .color = vector_of(own_color ? point->color : light->color),
                         .direction = vector_of(own_way ? point->direction : light->direction)};
    }
    return light->path_count ? points : NULL;
}

const PlacementPoint *job_spline_place(const JobModel *model, Arena *arena)
{
    PlacementPoint *points = arena_array(arena, PlacementPoint, model->path_count);
    for (size_t i = 0; i < model->path_count; i++) {
        const JobPlacePoint *point = &model->path[i];
        const double *turn = point->rotation_deg;
        points[i] = (PlacementPoint){.moment = moment_of(&point->moment, point->velocity),
                                     .position = vector_of(point->position),
                                     .rotation = quat_from_euler_yxz(
                                         turn[0] * RADIANS, turn[1] * RADIANS, turn[2] * RADIANS)};
        if (model->attach)
            points[i].position = vec3_add(points[i].position, vector_of(model->attach->offset));
    }
    return model->path_count ? points : NULL;
}
