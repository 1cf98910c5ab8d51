#include "job/job_spline.h"

#include <math.h>
#include <string.h>

#include "base/units.h"

/* ---- times ---- */

double job_point_frame(double time_s, double frame)
{
    return isnan(frame) ? round(time_s * MOTION_FPS * 1e6) / 1e6 : frame;
}

typedef struct PointTime { /* one of both is NaN, unless the job is wrong */
    double time_s, frame;
    bool cut;
} PointTime;

/* The time of any kind of key point; only some have `cut`. */
#define TIME_OF(point)                         \
    {                                          \
        (point)->time_s, (point)->frame, false \
    }
#define TIME_AND_CUT_OF(point)                        \
    {                                                 \
        (point)->time_s, (point)->frame, (point)->cut \
    }

static double frame_of(const PointTime *time)
{
    return job_point_frame(time->time_s, time->frame);
}

/* ---- checks ---- */

/* The times of one list of key points. */
typedef struct PointCheck {
    const char *name;     /* "camera.path" */
    const YamlNode *list; /* in the file */
    PointTime *times;
    size_t count;
    bool has_cuts, equal; /* points may have `cut`; times may be equal */
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
    const PointTime *time = &check->times[i];
    if (isnan(time->time_s) == isnan(time->frame))
        return option_error(check->reader, point_node(check, i, NULL),
                            "%s.%zu: exactly one of time_s and frame must be given", check->name,
                            i);
    if (!i || (isnan(time[-1].time_s) && isnan(time[-1].frame)))
        return true;
    const double before = frame_of(time - 1), now = frame_of(time);
    if (now > before || (now == before && (time->cut || check->equal)))
        return true;
    return option_error(check->reader,
                        point_node(check, i, isnan(time->frame) ? "time_s" : "frame"),
                        "%s.%zu: time %.10g s is not after that of the previous point (%.10g s)%s",
                        check->name, i, now / MOTION_FPS, before / MOTION_FPS,
                        now == before && check->has_cuts ? "; equal times need cut: true" : "");
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
        check->times[i] = (PointTime)TIME_AND_CUT_OF(point);
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
        check->times[i] = (PointTime)TIME_AND_CUT_OF(&light->path[i]);
        if (is_zero(light->path[i].direction))
            good = option_error(check->reader, point_node(check, i, "direction"),
                                "%s.%zu.direction: must not be the zero vector", check->name, i);
    }
    return check_times(check) && good;
}

static bool check_placement(const JobModel *model, PointCheck *check)
{
    for (size_t i = 0; i < model->path_count; i++)
        check->times[i] = (PointTime)TIME_AND_CUT_OF(&model->path[i]);
    return check_times(check);
}

/* list: "path" or "keys"; prefix: its owner, "models.0" */
static PointCheck create_check(const char *prefix, const char *list, const YamlNode *owner,
                               size_t count, OptionReader *reader)
{
    return (PointCheck){.name = arena_printf(reader->arena, "%s.%s", prefix, list),
                        .list = owner ? yaml_find(owner, list) : NULL,
                        .times = arena_array(reader->arena, PointTime, count),
                        .count = count,
                        .has_cuts = !strcmp(list, "path"),
                        .reader = reader};
}

/* ---- keys ---- */

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

/* Whether an earlier key of the same bone is on the same frame. */
static bool is_repeated(const JobAttachKey *keys, size_t index)
{
    const double frame = job_point_frame(keys[index].time_s, keys[index].frame);
    for (size_t i = index; i-- > 0 && job_point_frame(keys[i].time_s, keys[i].frame) == frame;)
        if (same_text(keys[i].own_bone, keys[index].own_bone))
            return true;
    return false;
}

static bool check_attach_key(const PointCheck *check, const JobAttachKey *keys, size_t i)
{
    if (!keys[i].model != !keys[i].bone)
        return option_error(check->reader, point_node(check, i, NULL),
                            "%s.%zu: model and bone must be given together", check->name, i);
    return !is_repeated(keys, i) ||
           option_error(check->reader, point_node(check, i, NULL),
                        "%s.%zu: an earlier key has the same time and own_bone", check->name, i);
}

static bool check_attach_keys(const char *prefix, const YamlNode *owner, const JobAttachKey *keys,
                              size_t count, OptionReader *reader)
{
    PointCheck check = create_check(prefix, "attach_keys", owner, count, reader);
    bool good = true;
    check.equal = true;
    for (size_t i = 0; i < count; i++)
        check.times[i] = (PointTime)TIME_OF(&keys[i]);
    good &= check_times(&check);
    for (size_t i = 0; i < count; i++)
        good &= check_attach_key(&check, keys, i);
    return good;
}

static bool check_model_keys(const char *prefix, const YamlNode *owner, const JobModel *model,
                             OptionReader *reader)
{
    PointCheck check = create_check(prefix, "keys", owner, model->key_count, reader);
    for (size_t i = 0; i < model->key_count; i++)
        check.times[i] = (PointTime)TIME_OF(&model->keys[i]);
    return check_times(&check);
}

/* At most one of two keys of a model or of the camera. */
static bool check_one(const char *prefix, const YamlNode *owner, bool a, bool b, const char *names,
                      OptionReader *reader)
{
    return !a || !b ||
           option_error(reader, owner, "%s: at most one of %s can be given", prefix, names);
}

static bool check_gravity(const JobPhysics *physics, const YamlNode *root, OptionReader *reader)
{
    PointCheck check = create_check("physics", "gravity_keys", yaml_find(root, "physics"),
                                    physics->gravity_key_count, reader);
    for (size_t i = 0; i < physics->gravity_key_count; i++)
        check.times[i] = (PointTime)TIME_OF(&physics->gravity_keys[i]);
    return check_times(&check);
}

static bool check_carried_camera(const JobCamera *camera, const YamlNode *root,
                                 OptionReader *reader)
{
    const YamlNode *owner = yaml_find(root, "camera");
    const bool follows = !camera->motion && !camera->fixed && !camera->path_count;
    if (follows && (camera->attach || camera->attach_key_count))
        return option_error(reader, owner,
                            "camera.%s: not for a camera that follows models; give motion, fixed "
                            "or path",
                            camera->attach ? "attach" : "attach_keys");
    return check_one("camera", owner, camera->attach, camera->attach_key_count > 0,
                     "attach and attach_keys", reader) &&
           check_attach_keys("camera", owner, camera->attach_keys, camera->attach_key_count,
                             reader);
}

/* ---- all lists ---- */

static bool check_model(const JobModel *model, const char *prefix, const YamlNode *owner,
                        OptionReader *reader)
{
    PointCheck path = create_check(prefix, "path", owner, model->path_count, reader);
    bool good = check_placement(model, &path);
    good &= check_model_keys(prefix, owner, model, reader);
    good &= check_attach_keys(prefix, owner, model->attach_keys, model->attach_key_count, reader);
    good &= check_one(prefix, owner, model->path_count > 0, model->key_count > 0, "path and keys",
                      reader);
    return check_one(prefix, owner, model->attach, model->attach_key_count > 0,
                     "attach and attach_keys", reader) &&
           good;
}

static bool check_models(const JobModel *models, size_t count, const char *list,
                         const YamlNode *root, OptionReader *reader)
{
    bool good = true;
    for (size_t i = 0; i < count; i++)
        good &= check_model(&models[i], arena_printf(reader->arena, "%s.%zu", list, i),
                            yaml_item(yaml_find(root, list), i), reader);
    return good;
}

bool job_spline_check(const Job *job, const YamlNode *root, OptionReader *reader)
{
    const JobCamera *camera = &job->camera;
    const JobLight *light = &job->light;
    PointCheck eyes =
        create_check("camera", "path", yaml_find(root, "camera"), camera->path_count, reader);
    PointCheck lights =
        create_check("light", "path", yaml_find(root, "light"), light->path_count, reader);
    bool good = check_camera(camera, &eyes);
    good &= check_light(light, &lights);
    good &= check_carried_camera(camera, root, reader);
    good &= check_gravity(&job->physics, root, reader);
    good &= check_models(job->stage, job->stage_count, "stage", root, reader);
    return check_models(job->models, job->model_count, "models", root, reader) && good;
}
