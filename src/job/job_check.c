// SPDX-License-Identifier: MIT
#include "job/job_check.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/image.h"
#include "base/path.h"
#include "base/text.h"
#include "base/units.h"
#include "job/burn_in_text.h"
#include "job/job_options.h"
#include "job/job_scene.h"
#include "job/job_scenes.h"
#include "job/job_visit.h"
#include "picture/passes/pass.h"
#include "record/option_value.h"
#include "render/panorama.h"

typedef struct Check {
    Job *job;             /* or that of one of its scenes */
    const YamlNode *root; /* the tree of the job */
    OptionReader *reader;
    int *size;      /* render.size of the film */
    bool *has_size; /* given, or made by a scene whose camera is reframed */
    bool names_only;
} Check;

/* The node of a dotted key, for messages; what is around it if the job does not have it. */
__attribute__((format(printf, 2, 3))) static const YamlNode *node_of(const Check *check,
                                                                     const char *format, ...)
{
    char key[OPTION_NAME_SIZE];
    bool found;
    va_list args;
    va_start(args, format);
    const int size = snprintf(key, sizeof key, "%s", check->job->prefix);
    vsnprintf(key + size, sizeof key - (size_t)size, format, args);
    va_end(args);
    return job_find(check->root, key, &found, check->reader->arena);
}

/* A message that begins with the dotted key where it is reported. */
__attribute__((format(printf, 2, 3))) static bool fail(const Check *check, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = arena_vprintf(check->reader->arena, format, args);
    va_end(args);
    const YamlNode *node = node_of(check, "%.*s", (int)strcspn(text, ":"), text);
    return option_error(check->reader, node, "%s", text);
}

/* ---- ids of models ---- */

/* Among models of which some may have no id yet; or NULL. */
static const ModelSpec *find_id(const ModelSpec *models, size_t count, const char *id)
{
    for (size_t i = 0; i < count; i++)
        if (models[i].id && !strcmp(models[i].id, id))
            return &models[i];
    return NULL;
}

static const ModelSpec *find_model(const Job *job, const char *id, size_t before)
{
    return find_id(job->models, before, id);
}

static bool is_id(const Job *job, const char *id)
{
    return find_model(job, id, job->model_count) || find_id(job->stage, job->stage_count, id);
}

/* A model without id gets the name of its file, followed by "-2" and so on if that is in use. */
static void name_models(Check *check)
{
    Job *job = check->job;
    Arena *arena = check->reader->arena;

    for (size_t i = 0; i < job->model_count; i++) {
        if (job->models[i].id)
            continue;
        const char *base = path_stem(job->models[i].file, arena), *id = base;
        for (unsigned n = 2; is_id(job, id); n++)
            id = arena_printf(arena, "%s-%u", base, n);
        job->models[i].id = id;
    }
    for (size_t i = 0; i < job->stage_count; i++) {
        const char *base = arena_printf(arena, "stage-%zu", i), *id = base;
        for (unsigned n = 2; !job->stage[i].id && is_id(job, id); n++)
            id = arena_printf(arena, "%s-%u", base, n);
        if (!job->stage[i].id)
            job->stage[i].id = id;
    }
}

static bool check_ids(Check *check)
{
    const Job *job = check->job;
    bool good = true;
    for (size_t i = 1; i < job->model_count; i++)
        if (job->models[i].id && find_model(job, job->models[i].id, i))
            good =
                fail(check, "models.%zu.id: '%s' is the id of another model", i, job->models[i].id);
    for (size_t i = 0; i < job->stage_count; i++) {
        const char *id = job->stage[i].id;
        if (id && (find_model(job, id, job->model_count) || find_id(job->stage, i, id)))
            good = fail(check, "stage.%zu.id: '%s' is the id of another model", i, id);
    }
    return good;
}

/* Follows the parents of a model; a chain longer than the number of models is a cycle. */
static bool has_attachment_cycle(const Job *job, const ModelSpec *model)
{
    size_t steps = 0;
    while (model && model->attach && steps++ <= job->model_count)
        model = find_model(job, model->attach->model, job->model_count);
    return steps > job->model_count;
}

static bool check_model_id(Check *check, const char *id, const YamlNode *node, const char *what,
                           size_t index)
{
    const Job *job = check->job;
    if (is_id(job, id))
        return true;
    const TextNames ids = TEXT_NAMES(ModelSpec, id, job->models, job->model_count);
    return option_error(check->reader, node, "%s.%zu: no model has the id '%s'%s", what, index, id,
                        text_suggestion(id, ids, check->reader->arena));
}

/* "models.0.attach: attachment cycle gene -> glasses -> gene" */
static bool report_attachment_cycle(Check *check, size_t index, const YamlNode *node)
{
    const Job *job = check->job;
    const ModelSpec *first = &job->models[index], *model = first;
    const char *chain = first->id;
    for (size_t i = 0; i < job->model_count && (model != first || i == 0); i++) {
        model = find_model(job, model->attach->model, job->model_count);
        chain = arena_printf(check->reader->arena, "%s -> %s", chain, model->id);
    }
    return option_error(check->reader, node, "models.%zu.attach: attachment cycle %s", index,
                        chain);
}

/* list: of the keys, or what is around it */
static bool check_key_ids(Check *check, const AttachKeySpec *keys, size_t count, const char *what,
                          const YamlNode *list)
{
    bool good = true;
    for (size_t i = 0; i < count; i++) {
        const YamlNode *item = yaml_item(list, i);
        const YamlNode *node = item ? yaml_find(item, "model") : NULL;
        good &= !keys[i].model || check_model_id(check, keys[i].model, node ? node : list, what, i);
    }
    return good;
}

static bool check_attachments(Check *check)
{
    const Job *job = check->job;
    bool good = true;
    for (size_t i = 0; i < job->model_count; i++) {
        const ModelSpec *model = &job->models[i];
        if (!model->attach)
            continue;
        const YamlNode *node = node_of(check, "models.%zu.attach", i);
        if (!check_model_id(check, model->attach->model, node, "models", i))
            good = false;
        else if (has_attachment_cycle(job, model))
            good = report_attachment_cycle(check, i, node);
    }
    for (size_t i = 0; i < job->model_count; i++)
        good &= check_key_ids(check, job->models[i].attach_keys, job->models[i].attach_key_count,
                              arena_printf(check->reader->arena, "models.%zu.attach_keys", i),
                              node_of(check, "models.%zu.attach_keys", i));
    good &= check_key_ids(check, job->camera.attach_keys, job->camera.attach_key_count,
                          "camera.attach_keys", node_of(check, "camera.attach_keys"));
    for (size_t i = 0; i < job->cloth_count; i++)
        good &= check_model_id(check, job->cloth[i].model, node_of(check, "cloth.%zu.model", i),
                               "cloth", i);
    return good;
}

/* ---- sections ---- */

/* The first key of a following camera that is not at its default, or NULL. */
static const char *key_of_following(CameraSpec *camera, Arena *arena)
{
    static const char *const keys[] = {"follow", "shot",         "cuts",   "smooth_s",
                                       "margin", "rotation_deg", "fov_deg"};
    const OptionTable *table = option_at("camera")->table;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (!option_is_default(option_find(table, keys[i]), camera, arena))
            return keys[i];
    return NULL;
}

static bool check_camera(Check *check)
{
    CameraSpec *camera = &check->job->camera;
    const bool follows = !camera->motion && !camera->fixed && !camera->path_count;
    const char *key = follows ? NULL : key_of_following(camera, check->reader->arena);
    return !key || fail(check, "camera.%s: only for a camera that follows models, not with %s", key,
                        camera->motion  ? "motion"
                        : camera->fixed ? "fixed"
                                        : "path");
}

/* Checks the keys of the camera that depend on other sections of the job. */
static bool check_following(Check *check)
{
    const Job *job = check->job;
    const YamlNode *node = node_of(check, "camera.follow");
    bool good = true;
    for (size_t i = 0; i < job->camera.follow_count; i++)
        good &=
            check_model_id(check, job->camera.follow[i],
                           node->kind == YAML_LIST ? yaml_item(node, i) : node, "camera.follow", i);
    if (job->camera.cuts < 0 && !job->audio)
        good = fail(check, "camera.cuts: auto needs a sound; give audio, or a time like 4s");
    return good;
}

/* Multisampling and supersampling are alternatives: with one of them set, the other is off.  So
 * jobs that were written before supersampling became the default keep their samples.  The best
 * quality of a picture above 4096 pixels has as many as fit. */
static void choose_samples(JobRender *render, bool accumulates)
{
    static const int factors[] = {[QUALITY_DRAFT] = 1, [QUALITY_GOOD] = 2, [QUALITY_BEST] = 4};

    if (!render->supersample) {
        const int side = render->size[0] > render->size[1] ? render->size[0] : render->size[1];
        int factor = render->samples || accumulates ? 1 : factors[render->quality];
        while (factor > factors[QUALITY_GOOD] && side * factor > IMAGE_MAX_SIDE)
            factor--;
        render->supersample = factor;
    }
    if (!render->samples)
        render->samples = 1;
}

/* The shape for which the camera is reframed is that of the frames; it makes their size if the job
 * does not set it. */
static bool check_reframe(Check *check)
{
    CameraSpec *camera = &check->job->camera;
    int *size = check->size;
    const int *shape = camera->reframe;
    if (!shape[0] && !shape[1])
        return true;
    if (!shape[0] || !shape[1])
        return fail(check, "camera.reframe: %d:%d is no shape; 9:16 is one", shape[0], shape[1]);
    if (!camera->motion && !check->names_only)
        return fail(check, "camera.reframe: only with camera.motion; another camera is set for "
                           "the shape of render.size");
    const double aspect = (double)shape[0] / shape[1];
    if (aspect < 0.1 || aspect > 10)
        return fail(check, "camera.reframe: %d:%d is out of range (1:10..10:1)", shape[0],
                    shape[1]);
    const int even = 2 * (int)round(540 * fmin(fmax(aspect, 1 / aspect), 8192.0 / 1080));
    if (!*check->has_size) {
        *check->has_size = true;
        size[0] = aspect > 1 ? even : 1080;
        size[1] = aspect > 1 ? 1080 : even;
    }
    return fabs((double)size[0] / size[1] / aspect - 1) < 0.02 ||
           fail(check, "camera.reframe: %d:%d is not the shape of render.size, %dx%d", shape[0],
                shape[1], size[0], size[1]);
}

static bool check_size(Check *check)
{
    const JobRender *render = &check->job->render;
    for (size_t i = 0; i < 2; i++)
        if (render->size[i] * render->supersample > IMAGE_MAX_SIDE)
            return fail(check, "render.supersample: %d x %d pixels exceed the limit of %d",
                        render->size[i], render->supersample, IMAGE_MAX_SIDE);
    return true;
}

static bool is_zero(Vec3 v)
{
    return v.x == 0 && v.y == 0 && v.z == 0;
}

static bool check_light(Check *check)
{
    const LightSpec *light = &check->job->light;
    if (is_zero(light->direction))
        return fail(check, "light.direction: must not be the zero vector");
    return true;
}

static bool check_look(Check *check)
{
    const FocusOptions *focus = check->job->look.focus;
    if (!focus)
        return true;
    if (!check->job->model_count)
        return fail(check, "look.focus: there is no model");
    return !focus->model || find_model(check->job, focus->model, check->job->model_count) ||
           option_error(check->reader, node_of(check, "look.focus"),
                        "look.focus.model: no model has the id '%s'", focus->model);
}

static bool check_burn_in(Check *check)
{
    char word[64];
    const JobBurnIn *burn_in = check->job->burn_in;
    return !burn_in || burn_in_text_check(burn_in->text, word, sizeof word) ||
           fail(check,
                "burn_in.text: unknown field '%s'; known are {name}, {frame}, {time}, "
                "and {{ for a brace",
                word);
}

static bool check_audio(Check *check)
{
    const JobAudio *audio = check->job->audio;
    if (audio && audio->synth == SYNTH_FLUIDSYNTH && !audio->soundfont)
        return fail(check, "audio.synth: fluidsynth needs audio.soundfont");
    for (size_t i = 0; i < check->job->sound_count; i++) {
        const double *range = check->job->sounds[i].range_s;
        if (range[1] > 0 && range[1] <= range[0])
            return fail(check, "sounds.%zu.range_s: the end, %g s, is not after the start, %g s", i,
                        range[1], range[0]);
    }
    return true;
}

static bool check_rate(Check *check, size_t index)
{
    const JobOutput *o = &check->job->outputs[index];
    if (o->max_kbps && o->bitrate_kbps > o->max_kbps)
        return fail(check, "outputs.%zu.bitrate_kbps: is more than max_kbps", index);
    /* They name files, which a job of a stranger must not. */
    const YamlNode *options = node_of(check, "outputs.%zu.encoder_options", index);
    if (o->encoder_option_count && check->reader->confined && !option_is_from_command_line(options))
        return option_error(check->reader, options,
                            "outputs.%zu.encoder_options: accepted on the command line only, as "
                            "--encoder-option (%s)",
                            index, check->reader->confined_by);
    return true;
}

/* A part of a sequence has a place and a speed of its own.  list: "models" or "stage" */
static bool check_motions(Check *check, const ModelSpec *models, size_t count, const char *list)
{
    bool good = true;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < models[i].motion_count; k++) {
            const MotionSpec *m = &models[i].motions[k];
            if (motion_is_part(m) && (m->offset != 0 || m->speed != 1))
                good = fail(check,
                            "%s.%zu.motions.%zu: %s cannot be combined with from, to, "
                            "at, fade, loop or mirror",
                            list, i, k, m->offset != 0 ? "offset" : "speed");
            if (m->to >= 0 && m->to <= m->from)
                good = fail(check, "%s.%zu.motions.%zu.to: %d is not after from, %d", list, i, k,
                            m->to, m->from);
        }
    return good;
}

static bool check_credits(Check *check)
{
    JobCredits *credits = &check->job->credits;
    return credits->show >= 0 || fail(check, "credits.show: expected a time such as 4s, or none");
}

static bool check_chapters(Check *check)
{
    const Job *job = check->job;
    for (size_t i = 1; i < job->chapter_count; i++)
        if (job->chapters[i].time_s <= job->chapters[i - 1].time_s)
            return fail(check, "chapters.%zu.time_s: chapters must be in ascending order", i);
    return true;
}

static bool check_outputs(Check *check)
{
    const Job *job = check->job;
    bool good = true;
    for (size_t i = 0; i < job->output_count; i++)
        good &= check_rate(check, i);
    for (size_t i = 1; i < job->output_count; i++)
        for (size_t k = 0; k < i; k++)
            if (!strcmp(job->outputs[i].file, job->outputs[k].file))
                good = fail(check, "outputs.%zu.file: outputs.%zu has the same file", i, k);
    return good;
}

static bool check_preview_file(Check *check, size_t index)
{
    const Job *job = check->job;
    static const char *const extensions[] = {"png", "png", "webp", "gif"}; /* by JobPreviewType */
    const char *file = job->previews[index].file,
               *extension = extensions[job->previews[index].type];
    bool good = true;

    if (!text_equal_ignoring_case(path_extension(file), extension))
        good = fail(check, "previews.%zu.file: '%s' is not the name of a single .%s file", index,
                    path_name(file), extension);
    for (size_t i = 0; i < job->output_count; i++)
        if (!strcmp(file, job->outputs[i].file))
            good = fail(check, "previews.%zu.file: outputs.%zu has the same file", index, i);
    for (size_t i = 0; i < index; i++)
        if (!strcmp(file, job->previews[i].file))
            good = fail(check, "previews.%zu.file: previews.%zu has the same file", index, i);
    return good;
}

/* Shaders are code for the graphics driver: a job file cannot bring its own. */
static bool check_shader_dir(Check *check)
{
    const YamlNode *node = node_of(check, "render.shader_dir");
    return !check->job->render.shader_dir || option_is_from_command_line(node) ||
           option_error(check->reader, node,
                        "render.shader_dir: accepted on the command line only, as --shader-dir "
                        "or --set");
}

static bool check_previews(Check *check)
{
    bool good = true;
    for (size_t i = 0; i < check->job->preview_count; i++) {
        const JobPreview *p = &check->job->previews[i];
        good &= check_preview_file(check, i);
        if (p->range_s[1] < p->range_s[0])
            good = fail(check, "previews.%zu.range_s: the end %g is before the start %g", i,
                        p->range_s[1], p->range_s[0]);
    }
    return good;
}

/* Of a generated cloth: it has no border on the body, and hangs on bones. */
static bool check_shape_pins(Check *check, const ClothPins *pin, size_t i)
{
    if (text_find(TEXT_WORDS(pin->bones, pin->bone_count), CLOTH_PIN_BORDER) >= 0)
        return fail(check,
                    "cloth.%zu.pin: " CLOTH_PIN_BORDER
                    " is for a material: a cloth with a shape is fixed to bones",
                    i);
    if (!pin->bone && !pin->bone_count)
        return option_error(check->reader, node_of(check, "cloth.%zu", i),
                            "cloth.%zu.pin: a cloth with a shape needs at least one pin bone", i);
    return true;
}

static bool check_cloth(Check *check)
{
    const Job *job = check->job;
    bool good = true;
    for (size_t i = 0; i < job->cloth_count; i++) {
        const ClothSpec *cloth = &job->cloth[i];
        if (!cloth->material == !cloth->shape)
            good = fail(check, "cloth.%zu: exactly one of material and shape must be given", i);
        else if (cloth->shape)
            good &= check_shape_pins(check, &cloth->pin, i);
    }
    return good;
}

/* ---- key points ---- */

/* The rows of the times of a list of key points; time_s NULL: the list is another one. */
typedef struct TimeKeys {
    const Option *time_s, *frame, *cut; /* cut NULL: its points have no such key */
} TimeKeys;

static TimeKeys time_keys_of(const Option *list)
{
    TimeKeys keys = {0};
    if (list->type != OPTION_LIST)
        return keys;
    keys.time_s = option_find(list->table, "time_s");
    keys.frame = option_find(list->table, "frame");
    keys.cut = option_find(list->table, "cut");
    return keys.frame && keys.frame->type == OPTION_NUMBER ? keys : (TimeKeys){0};
}

static double number_of(const Option *option, const char *item)
{
    return *(const double *)(const void *)(item + option->offset);
}

/* The motion frame of a point; NaN, and an error, unless exactly one of its times is given. */
static double frame_of(Check *check, const TimeKeys *keys, const char *item, const char *list,
                       size_t index)
{
    const double time_s = number_of(keys->time_s, item), frame = number_of(keys->frame, item);
    if (isnan(time_s) != isnan(frame))
        return point_frame(time_s, frame);
    fail(check, "%s.%zu: exactly one of time_s and frame must be given", list, index);
    return (double)NAN;
}

/* Times ascend; with `cut`, and among parents, they may be equal. */
static void check_times(void *user, const char *key, const Option *option, void *base)
{
    Check *check = user;
    const TimeKeys keys = time_keys_of(option);
    const OptionItems items = keys.time_s ? option_items(option, base) : (OptionItems){0};
    double before = (double)NAN;
    for (size_t i = 0; i < items.count; i++) {
        const char *item = items.first + i * option->table->size;
        const double now = frame_of(check, &keys, item, key, i);
        const bool cut = keys.cut && *(const bool *)(item + keys.cut->offset);
        const bool equal = cut || !strcmp(option->key, "attach_keys");
        if (now < before || (now == before && !equal))
            option_error(check->reader,
                         node_of(check, "%s.%zu.%s", key, i,
                                 isnan(number_of(keys.frame, item)) ? "time_s" : "frame"),
                         "%s.%zu: time %.10g s is not after that of the previous point (%.10g s)%s",
                         key, i, now / MOTION_FPS, before / MOTION_FPS,
                         now == before && !strcmp(option->key, "path")
                             ? "; equal times need cut: true"
                             : "");
        before = now;
    }
}

static void check_paths(Check *check)
{
    const CameraSpec *camera = &check->job->camera;
    const LightSpec *light = &check->job->light;
    for (size_t i = 0; i < camera->path_count; i++) {
        const CameraPoint *point = &camera->path[i];
        if (is_zero(vec3_sub(point->target, point->eye)))
            option_error(check->reader, node_of(check, "camera.path.%zu.eye", i),
                         "camera.path.%zu: eye and target must differ", i);
        if (is_zero(point->up))
            fail(check, "camera.path.%zu.up: must not be the zero vector", i);
    }
    for (size_t i = 0; i < light->path_count; i++)
        if (is_zero(light->path[i].direction))
            fail(check, "light.path.%zu.direction: must not be the zero vector", i);
}

/* Whether an earlier key of the same bone is on the same frame. */
static bool is_repeated(const AttachKeySpec *keys, size_t index)
{
    const AttachKeySpec *key = &keys[index];
    const double frame = point_frame(key->time_s, key->frame);
    for (size_t i = index; i-- > 0 && point_frame(keys[i].time_s, keys[i].frame) == frame;)
        if (!strcmp(keys[i].own_bone ? keys[i].own_bone : "", key->own_bone ? key->own_bone : ""))
            return true;
    return false;
}

/* owner: "models.0" */
static void check_attach_keys(Check *check, const char *owner, const AttachKeySpec *keys,
                              size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!keys[i].model != !keys[i].bone)
            fail(check, "%s.attach_keys.%zu: model and bone must be given together", owner, i);
        else if (is_repeated(keys, i))
            fail(check, "%s.attach_keys.%zu: an earlier key has the same time and own_bone", owner,
                 i);
    }
}

static void check_model_keys(Check *check, const ModelSpec *models, size_t count, const char *list)
{
    for (size_t i = 0; i < count; i++) {
        const ModelSpec *model = &models[i];
        const char *owner = arena_printf(check->reader->arena, "%s.%zu", list, i);
        check_attach_keys(check, owner, model->attach_keys, model->attach_key_count);
    }
}

static bool check_points(Check *check)
{
    const Job *job = check->job;
    const CameraSpec *camera = &job->camera;
    const unsigned errors = check->reader->errors;
    const bool follows =
        !camera->motion && !camera->fixed && !camera->path_count && !check->names_only;
    check_paths(check);
    if (follows && (camera->attach || camera->attach_key_count))
        option_error(check->reader, node_of(check, "camera"),
                     "camera.%s: not for a camera that follows models; give motion, fixed or path",
                     camera->attach ? "attach" : "attach_keys");
    else
        check_attach_keys(check, "camera", camera->attach_keys, camera->attach_key_count);
    check_model_keys(check, job->stage, job->stage_count, "stage");
    check_model_keys(check, job->models, job->model_count, "models");
    return check->reader->errors == errors;
}

/* ---- projections other than that of a flat view ---- */

typedef struct Conflict {
    bool wrong;
    const char *key, *problem;
} Conflict;

/* Reports the first of several conflicts. */
static bool check_conflicts(Check *check, const Conflict *items, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (items[i].wrong)
            return fail(check, "%s: %s", items[i].key, items[i].problem);
    return true;
}

static bool check_eyes(Check *check)
{
    const CameraSpec *camera = &check->job->camera;
    const bool fisheye = camera->projection == PROJECTION_FISHEYE;
    const Conflict items[] = {
        {camera->projection != PROJECTION_VR180 && !fisheye, "camera.stereo",
         "needs projection vr180 or fisheye: two eyes that look ahead see nothing of the rest of "
         "360 degrees in 3D"},
        {fisheye && camera->fisheye_deg > 180, "camera.stereo",
         "needs fisheye_deg of at most 180: behind that the eyes would be exchanged"},
    };
    return camera->stereo == STEREO_NONE ||
           check_conflicts(check, items, sizeof items / sizeof *items);
}

/* A face may be larger than the frame. */
static bool check_panorama_size(Check *check)
{
    const JobRender *render = &check->job->render;
    const int *size = render->size;
    const PanoramaOptions options = job_panorama(&check->job->camera);
    const int side = panorama_of(&options, size[0], size[1]).side;
    if (options.projection == PROJECTION_CUBE && (size[0] % 3 || size[0] / 3 * 2 != size[1]))
        return fail(check,
                    "render.size: %dx%d is not 3 x 2 squares, as camera.projection: cube "
                    "needs; 1920x1280 is",
                    size[0], size[1]);
    return side <= IMAGE_MAX_SIDE / render->supersample ||
           fail(check,
                "render.size: camera.projection needs views of %d x %d pixels for it, which "
                "exceed the limit of %d",
                side, render->supersample, IMAGE_MAX_SIDE);
}

static const char flat[] =
    "works on a flat view, not with camera.projection: equirect, vr180, fisheye or cube";

/* What works on a flat image, or shows one view only. */
static bool check_projection(Check *check)
{
    const Job *job = check->job;
    const LookOptions *look = &job->look;
    const Conflict items[] = {
        {job->camera.reframe[0] != 0, "camera.reframe", flat},
        {job->camera.fixed && job->camera.fixed->orthographic, "camera.fixed.orthographic", flat},
        {look->focus != NULL, "look.focus", flat},
        {look->mirror != NULL, "look.mirror", flat},
        {look->ssao != NULL, "look.ssao", flat},
        {look->glow != NULL, "look.glow", flat},
        {look->diffusion != NULL, "look.diffusion", flat},
        {look->grade && look->grade->vignette > 0, "look.grade.vignette", flat},
        {job->background.image != NULL, "background.image", flat},
        {job->background.video != NULL, "background.video", flat},
    };
    return check_eyes(check) && (job->camera.projection == PROJECTION_PERSPECTIVE ||
                                 check_conflicts(check, items, sizeof items / sizeof *items));
}

/* The same for what the film draws over its scenes, and for its outputs. */
static bool check_projection_of_film(Check *check)
{
    const Job *job = check->job;
    const Conflict items[] = {
        {job->title_count > 0, "titles", flat},        {job->picture_count > 0, "pictures", flat},
        {job->burn_in != NULL, "burn_in", flat},       {job->subtitles != NULL, "subtitles", flat},
        {job->credits.show > 0, "credits.show", flat},
    };
    if (job->camera.projection == PROJECTION_PERSPECTIVE)
        return true;
    bool good =
        check_panorama_size(check) && check_conflicts(check, items, sizeof items / sizeof *items);
    for (size_t i = 0; good && i < job->scene_count; i++)
        if (job->scenes[i].title_count + job->scenes[i].picture_count)
            good = fail(check, "scenes.%zu: titles and pictures: %s", i, flat);
    for (size_t i = 0; good && i < job->output_count; i++) {
        const JobOutput *o = &job->outputs[i];
        const bool packed = o->alpha == ALPHA_SIDE_BY_SIDE;
        const char *key = packed ? "alpha" : o->pass_count ? "passes" : "pass";
        if (packed || o->pass != PASS_BEAUTY || o->pass_count)
            good = fail(check, "outputs.%zu.%s: %s", i, key, flat);
    }
    return good;
}

/* ---- scenes ---- */

static bool check_history(Check *check)
{
    const Job *job = check->job;
    if (!job->effects.history || (!job->look.accumulate && !*job->prefix))
        return true;
    return fail(check, "effects.history: does not go together with %s",
                *job->prefix ? "scenes" : "look.accumulate");
}

static bool check_scene(Check *check)
{
    bool good = check_ids(check);
    name_models(check);
    good &= check_attachments(check);
    good &= check_following(check);
    good &= check_cloth(check);
    /* A voice belongs to the sound of the film, unless it says otherwise. */
    for (size_t i = 0; i < check->job->model_count; i++) {
        LipsSpec *face = check->job->models[i].face;
        if (face && isnan(face->offset_s))
            face->offset_s = check->job->audio ? check->job->audio->offset_s : 0;
    }
    good &= check_reframe(check);
    good &= check_light(check);
    good &= check_points(check);
    good &= check_motions(check, check->job->stage, check->job->stage_count, "stage");
    good &= check_motions(check, check->job->models, check->job->model_count, "models");
    good &= check_look(check);
    good &= check_projection(check);
    good &= check_history(check);
    return good;
}

/* Calls `visit` for each scene, with its own job.  Models that it names are those of the job. */
static bool each_scene(const Check *check, bool (*visit)(Check *))
{
    bool good = true;
    for (size_t i = 0; i < job_scene_count(check->job); i++) {
        Check scene = *check;
        if (check->job->scene_count)
            scene.job = job_of_scene(check->job, i, 0, check->reader->arena);
        check->reader->prefix = scene.job->prefix;
        good &= visit(&scene);
    }
    check->reader->prefix = NULL;
    return good;
}

static bool is_same_projection(const CameraSpec *a, const CameraSpec *b)
{
    return a->projection == b->projection && a->fisheye_deg == b->fisheye_deg &&
           a->stereo == b->stereo && a->eye_distance == b->eye_distance;
}

/* The film has one background of one kind, one projection and one bake. */
static bool check_common(Check *check, size_t index)
{
    Job *job = check->job;
    JobScene *scene = &job->scenes[index];
    const char *bake = scene->physics.bake, *own = job->physics.bake;
    if (scene->background.alpha != job->scenes[0].background.alpha)
        return fail(check, "scenes.%zu.background.alpha: must be the same in all scenes", index);
    if (!is_same_projection(&scene->camera, &job->scenes[0].camera))
        return fail(check,
                    "scenes.%zu.camera: projection, fisheye_deg, stereo and eye_distance "
                    "must be the same in all scenes",
                    index);
    if (strcmp(bake, "auto") != 0 && strcmp(bake, own) != 0)
        return fail(check,
                    "scenes.%zu.physics.bake: a bake is one of the whole film; give "
                    "physics.bake",
                    index);
    scene->physics.bake = "auto"; /* it is not an input of the scene */
    return true;
}

static bool check_scenes(Check *check)
{
    Job *job = check->job;
    bool good = true;
    for (size_t i = 0; i < job->scene_count; i++) {
        const JobScene *scene = &job->scenes[i];
        good &= check_common(check, i);
        if (i == 0 && scene->transition.type != TRANSITION_CUT)
            good = fail(check, "scenes.0.transition: no scene is before this one; fade has the "
                               "fade-in of the film");
        if (scene->frames.count > 1)
            good = fail(check, "scenes.%zu.frames: expected one range", i);
    }
    if (job->scene_count) {
        const CameraSpec *camera = &job->scenes[0].camera;
        job->background.alpha = job->scenes[0].background.alpha;
        job->camera.projection = camera->projection;
        job->camera.fisheye_deg = camera->fisheye_deg;
        job->camera.stereo = camera->stereo;
        job->camera.eye_distance = camera->eye_distance;
    }
    return good;
}

/* Whether every scene averages several images of a frame. */
static bool accumulates(const Job *job)
{
    bool all = true;
    for (size_t i = 0; i < job->scene_count; i++)
        all &= job->scenes[i].look.accumulate != NULL;
    return job->scene_count ? all : job->look.accumulate != NULL;
}

/* Of all scenes. */
static bool check_all_times(Check *check)
{
    const unsigned errors = check->reader->errors;
    job_visit_rows(check->job, check_times, check);
    return check->reader->errors == errors;
}

bool job_check(Job *job, const YamlNode *root, bool complete, bool names_only, OptionReader *reader)
{
    bool has_size;
    Check state = {job, root, reader, job->render.size, &has_size, names_only}, *check = &state;
    job_find(root, "render.size", &has_size, reader->arena);
    if (!job->name)
        job->name =
            !strcmp(job->file, JOB_STDIN_NAME) ? "stdin" : path_stem(job->file, reader->arena);
    bool good = each_scene(check, check_camera);
    if (!complete)
        return false;
    good &= each_scene(check, check_scene);
    good &= check_scenes(check);
    good &= check_all_times(check);
    choose_samples(&check->job->render, accumulates(job));
    good &= check_size(check);
    good &= check_projection_of_film(check);
    good &= check_audio(check);
    good &= check_outputs(check);
    good &= check_chapters(check);
    good &= check_credits(check);
    good &= check_previews(check);
    good &= check_burn_in(check);
    good &= check_shader_dir(check);
    return good;
}
