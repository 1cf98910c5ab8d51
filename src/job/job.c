#include "job/job.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/image.h"
#include "base/path.h"
#include "base/text.h"
#include "format/file_kind.h"
#include "format/yaml.h"
#include "job/burn_in_text.h"
#include "job/job_archives.h"
#include "job/job_files.h"
#include "job/job_spline.h"
#include "job/option_read.h"
#include "job/option_set.h"
#include "job/option_value.h"

/* Larger than what yaml_load accepts, so that yaml_load reports the size of a large file. */
enum { MAX_READ_SIZE = 64 * YAML_MAX_SIZE };

/* ---- reading ---- */

typedef struct Loader {
    Job *job;
    const JobSource *source;
    YamlNode *root;
    int kept_output; /* index in the job of the output whose settings -o keeps; -1: none */
    OptionReader reader;
    OptionTrace trace;
} Loader;

/* Reports a file that is not YAML text by its kind. */
static bool check_job_file(const char *path, Diag *diag)
{
    if (!file_check_exists(path, NULL, diag))
        return false;
    const FileKind kind = file_kind_of_file(path);
    return kind == FILE_UNKNOWN || diag_fail(diag, DIAG_USAGE, "is %s, not a job file; %s",
                                             file_kinds[kind].name, file_kinds[kind].advice);
}

/* A manifest has a base job or axes, and no models of its own. */
static bool check_is_job(Loader *loader, const char *path)
{
    const YamlNode *root = loader->root, *base = yaml_find(root, "base");
    const YamlNode *key = base ? base : yaml_find(root, "matrix");
    if (!key || !path || yaml_find(root, "models"))
        return true;
    return yaml_error(key->key, loader->reader.diag,
                      "this is a batch manifest, not a job; use 'odori batch plan %s'", path);
}

static bool is_standard_input(const JobSource *source)
{
    return source->path && !strcmp(source->path, "-");
}

const char *job_source_name(const JobSource *source)
{
    return is_standard_input(source) ? JOB_STDIN_NAME
           : source->path            ? source->path
                                     : source->files[0];
}

static bool load_text(Bytes *bytes, const JobSource *source, Arena *arena, Diag *diag)
{
    if (is_standard_input(source))
        return file_load_stdin(bytes, MAX_READ_SIZE, arena, diag);
    if (source->converter && source->converter->matches(source->path)) {
        diag_file(diag, NULL);
        const bool good =
            source->converter->convert(bytes, source->converter->user, source->path, arena, diag);
        diag_file(diag, job_source_name(source));
        return good;
    }
    return check_job_file(source->path, diag) &&
           file_load(bytes, source->path, MAX_READ_SIZE, arena, diag);
}

static bool load_tree(Loader *loader, const JobSource *source)
{
    Arena *arena = loader->reader.arena;
    YamlSource *text = arena_array(arena, YamlSource, 1);

    if (source->path) {
        Bytes bytes;
        const char *name = job_source_name(source);
        diag_file(loader->reader.diag, name);
        if (!load_text(&bytes, source, arena, loader->reader.diag))
            return false;
        *text = (YamlSource){name, (const char *)bytes.data, bytes.size, 0};
    } else {
        char *yaml = job_from_files(source->files, source->file_count, arena, loader->reader.diag);
        if (!yaml)
            return false;
        *text = (YamlSource){JOB_FILES_NAME, yaml, strlen(yaml), 0};
    }
    return yaml_load(&loader->root, text, arena, loader->reader.diag) &&
           check_is_job(loader, source->path);
}

/* ---- values of layers and of the command line ---- */

/* `name`: the origin of the text, for messages. */
static const YamlSource *source_of_set(const char *name, const char *set, Arena *arena)
{
    YamlSource *text = arena_array(arena, YamlSource, 1);
    const char *equals = strchr(set, '=');
    *text = (YamlSource){name, set, strlen(set), equals ? (size_t)(equals - set) + 1 : 0};
    return text;
}

static bool apply_set(Loader *loader, const char *name, const char *set)
{
    Arena *arena = loader->reader.arena;
    return option_set(loader->root, source_of_set(name, set, arena), arena, loader->reader.diag);
}

/* The index N of a key "outputs.N.KEY"; -1 for any other key, also "outputs.N". */
static int output_of_key(const char *key)
{
    static const char list[] = "outputs.";
    char *end;
    if (strncmp(key, list, strlen(list)) != 0)
        return -1;
    const char *digits = key + strlen(list);
    const long index = strtol(digits, &end, 10);
    return end > digits && *end == '.' && index >= 0 && index < OPTION_MAX_ITEMS ? (int)index : -1;
}

/* Whether a key is one of the output that -o names, so that it is set after that. */
static bool is_of_named_output(const Loader *loader, const char *key)
{
    return loader->source->output && output_of_key(key) == 0;
}

/* Applies the values that are for the named output, or those that are not. */
static bool apply_values(Loader *loader, bool named_output)
{
    const JobSource *source = loader->source;
    bool good = true;
    for (size_t i = 0; i < source->layer_count; i++)
        for (const YamlNode *value = source->layers[i]->first; value; value = value->next)
            if (is_of_named_output(loader, value->key->text) == named_output)
                good &=
                    option_overlay(loader->root, value, loader->reader.arena, loader->reader.diag);
    for (size_t i = 0; i < source->set_count; i++)
        if (is_of_named_output(loader, source->sets[i]) == named_output)
            good &= apply_set(loader, "--set", source->sets[i]);
    for (size_t i = 0; i < source->flag_count; i++)
        if (is_of_named_output(loader, source->flags[i].set) == named_output)
            good &= apply_set(loader, source->flags[i].name, source->flags[i].set);
    return good;
}

/* node: the place of the key */
static bool check_output_key(const Loader *loader, const YamlNode *node, const char *key)
{
    static const char file[] = "outputs.0.file";
    const int index = output_of_key(key);
    if (index > 0 && index != loader->kept_output)
        return yaml_error(node, loader->reader.diag,
                          "outputs.%d: replaced by --output, whose keys are those of outputs.0",
                          index);
    const size_t size = strlen(file);
    return strncmp(key, file, size) != 0 || (key[size] && key[size] != '=') ||
           yaml_error(node, loader->reader.diag, "outputs.0.file: --output names this file");
}

/* Values for an output that -o replaces would have no effect. */
static bool check_output_keys(const Loader *loader)
{
    const JobSource *source = loader->source;
    bool good = true;
    for (size_t i = 0; i < source->layer_count; i++)
        for (const YamlNode *value = source->layers[i]->first; value; value = value->next)
            good &= check_output_key(loader, value->key, value->key->text);
    for (size_t i = 0; i < source->set_count; i++) {
        const YamlNode node = {.source =
                                   source_of_set("--set", source->sets[i], loader->reader.arena),
                               .line = 1,
                               .column = 1};
        good &= check_output_key(loader, &node, source->sets[i]);
    }
    return good;
}

/* Makes the path of an output absolute; FILE_NULL is not one.  NULL after an error. */
static const char *absolute(const char *path, Arena *arena, Diag *diag)
{
    const char *full = file_is_null(path) ? path : path_absolute(path, arena);
    if (!full)
        diag_fail(diag, DIAG_CREATE, "'%s': cannot get the current directory: %s", path,
                  strerror(errno));
    return full;
}

/* Whether an output of the job file has this extension, or format; not if it is only a name. */
static bool has_extension(const YamlNode *item, const char *extension)
{
    const YamlNode *name = yaml_find(item, "file"), *format = yaml_find(item, "format");
    const bool is_auto = !format || !strcmp(format->text, "auto");
    return name &&
           text_equal_ignoring_case(is_auto ? path_extension(name->text) : format->text, extension);
}

static void set_format(YamlNode *output, const char *format, const YamlSource *flag, Arena *arena)
{
    YamlNode *node = yaml_find(output, "format");
    if (!node) {
        node = yaml_new_node(YAML_SCALAR, format, output, arena);
        yaml_append(output, yaml_new_node(YAML_SCALAR, "format", output, arena), node);
    }
    node->text = format;
    node->plain = false;
    node->source = flag;
}

/* -o: a single output, with the settings of the job's first output with the same extension. */
static bool replace_outputs(Loader *loader, const char *file, const char *format)
{
    int index = 0;
    Arena *arena = loader->reader.arena;
    static const YamlSource flag = {.name = "--output", .text = ""};
    YamlNode *root = loader->root, *outputs = yaml_find(root, "outputs"), *output = NULL;
    const char *path = absolute(file, arena, loader->reader.diag);
    if (!path)
        return false;

    for (YamlNode *item = outputs ? outputs->first : NULL; item && !output; item = item->next) {
        if (has_extension(item, format ? format : path_extension(file)))
            output = item;
        else
            index++;
    }
    loader->kept_output = output ? index : -1;
    if (!output) {
        output = yaml_new_node(YAML_MAP, "", root, arena);
        yaml_append(output, yaml_new_node(YAML_SCALAR, "file", root, arena),
                    yaml_new_node(YAML_SCALAR, path, root, arena));
    }
    YamlNode *name = yaml_find(output, "file");
    name->text = path;
    name->plain = false;
    name->source = &flag;
    if (format)
        set_format(output, format, &flag, arena);
    if (!outputs) {
        outputs = yaml_new_node(YAML_LIST, "", root, arena);
        yaml_append(root, yaml_new_node(YAML_SCALAR, "outputs", root, arena), outputs);
    }
    outputs->kind = YAML_LIST;
    outputs->first = output;
    outputs->count = 1;
    output->next = NULL;
    output->key = NULL;
    return true;
}

/* ---- rules that concern several keys ---- */

static const YamlNode *node_at(const Loader *loader, const char *list, size_t index,
                               const char *key)
{
    const YamlNode *node = yaml_find(loader->root, list);
    const YamlNode *item = node ? yaml_item(node, index) : NULL;
    const YamlNode *value = item && key ? yaml_find(item, key) : NULL;
    return value ? value : item ? item : node ? node : loader->root;
}

/* The node of a key, for messages; its section or the whole job if the file does not have it. */
static const YamlNode *value_at(const Loader *loader, const char *section, const char *key)
{
    const YamlNode *node = yaml_find(loader->root, section);
    const YamlNode *value = node ? yaml_find(node, key) : NULL;
    return value ? value : node ? node : loader->root;
}

static const JobModel *find_model(const Job *job, const char *id, size_t before)
{
    for (size_t i = 0; i < before; i++)
        if (job->models[i].id && !strcmp(job->models[i].id, id))
            return &job->models[i];
    return NULL;
}

/* "models/gene/Gene_light.pmx" -> "Gene_light" */
static const char *stem(const char *path, Arena *arena)
{
    const char *name = path_name(path), *dot = strrchr(name, '.');
    return arena_strndup(arena, name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

/* A model without id gets the name of its file, followed by "-2" and so on if that is in use. */
static void name_models(Loader *loader)
{
    Job *job = loader->job;
    Arena *arena = loader->reader.arena;

    for (size_t i = 0; i < job->model_count; i++) {
        if (job->models[i].id)
            continue;
        const char *base = stem(job->models[i].file, arena), *id = base;
        for (unsigned n = 2; find_model(job, id, job->model_count); n++)
            id = arena_printf(arena, "%s-%u", base, n);
        job->models[i].id = id;
    }
    for (size_t i = 0; i < job->stage_count; i++)
        job->stage[i].id = arena_printf(arena, "stage-%zu", i);
}

static bool check_ids(Loader *loader)
{
    const Job *job = loader->job;
    bool good = true;
    for (size_t i = 1; i < job->model_count; i++)
        if (job->models[i].id && find_model(job, job->models[i].id, i))
            good = option_error(&loader->reader, node_at(loader, "models", i, "id"),
                                "models.%zu.id: '%s' is the id of another model", i,
                                job->models[i].id);
    return good;
}

/* Follows the parents of a model; a chain longer than the number of models is a cycle. */
static bool has_attachment_cycle(const Job *job, const JobModel *model)
{
    size_t steps = 0;
    while (model && model->attach && steps++ <= job->model_count)
        model = find_model(job, model->attach->model, job->model_count);
    return steps > job->model_count;
}

static bool check_model_id(Loader *loader, const char *id, const YamlNode *node, const char *what,
                           size_t index)
{
    const Job *job = loader->job;
    if (find_model(job, id, job->model_count))
        return true;
    const TextNames ids = TEXT_NAMES(JobModel, id, job->models, job->model_count);
    return option_error(&loader->reader, node, "%s.%zu: no model has the id '%s'%s", what, index,
                        id, text_suggestion(id, ids, loader->reader.arena));
}

/* "models.0.attach: attachment cycle gene -> glasses -> gene" */
static bool report_attachment_cycle(Loader *loader, size_t index, const YamlNode *node)
{
    const Job *job = loader->job;
    const JobModel *first = &job->models[index], *model = first;
    const char *chain = first->id;
    for (size_t i = 0; i < job->model_count && (model != first || i == 0); i++) {
        model = find_model(job, model->attach->model, job->model_count);
        chain = arena_printf(loader->reader.arena, "%s -> %s", chain, model->id);
    }
    return option_error(&loader->reader, node, "models.%zu.attach: attachment cycle %s", index,
                        chain);
}

/* list: of the keys, or what is around it */
static bool check_key_ids(Loader *loader, const JobAttachKey *keys, size_t count, const char *what,
                          const YamlNode *list)
{
    bool good = true;
    for (size_t i = 0; i < count; i++) {
        const YamlNode *item = yaml_item(list, i);
        const YamlNode *node = item ? yaml_find(item, "model") : NULL;
        good &=
            !keys[i].model || check_model_id(loader, keys[i].model, node ? node : list, what, i);
    }
    return good;
}

static bool check_attachments(Loader *loader)
{
    const Job *job = loader->job;
    bool good = true;
    for (size_t i = 0; i < job->model_count; i++) {
        const JobModel *model = &job->models[i];
        if (!model->attach)
            continue;
        const YamlNode *node = node_at(loader, "models", i, "attach");
        if (!check_model_id(loader, model->attach->model, node, "models", i))
            good = false;
        else if (has_attachment_cycle(job, model))
            good = report_attachment_cycle(loader, i, node);
    }
    for (size_t i = 0; i < job->model_count; i++)
        good &= check_key_ids(loader, job->models[i].attach_keys, job->models[i].attach_key_count,
                              arena_printf(loader->reader.arena, "models.%zu.attach_keys", i),
                              node_at(loader, "models", i, "attach_keys"));
    good &= check_key_ids(loader, job->camera.attach_keys, job->camera.attach_key_count,
                          "camera.attach_keys", value_at(loader, "camera", "attach_keys"));
    for (size_t i = 0; i < job->cloth_count; i++)
        good &= check_model_id(loader, job->cloth[i].model, node_at(loader, "cloth", i, "model"),
                               "cloth", i);
    return good;
}

/* The first key of a following camera that is not at its default, or NULL. */
static const char *key_of_following(JobCamera *camera, Arena *arena)
{
    static const char *const keys[] = {"follow", "shot",         "cuts",   "smooth_s",
                                       "margin", "rotation_deg", "fov_deg"};
    const OptionTable *table = option_at("camera")->table;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (!option_is_default(option_find(table, keys[i]), camera, arena))
            return keys[i];
    return NULL;
}

static bool check_camera(Loader *loader)
{
    JobCamera *camera = &loader->job->camera;
    const int kinds = !!camera->motion + !!camera->fixed + !!camera->path_count;
    const char *key = kinds ? key_of_following(camera, loader->reader.arena) : NULL;
    if (kinds > 1)
        return option_error(&loader->reader, value_at(loader, "camera", ""),
                            "camera: at most one of motion, fixed and path can be given");
    return !key ||
           option_error(&loader->reader, value_at(loader, "camera", key),
                        "camera.%s: only for a camera that follows models, not with %s", key,
                        camera->motion  ? "motion"
                        : camera->fixed ? "fixed"
                                        : "path");
}

/* What needs other sections of the job. */
static bool check_following(Loader *loader)
{
    const Job *job = loader->job;
    const YamlNode *node = value_at(loader, "camera", "follow");
    bool good = true;
    for (size_t i = 0; i < job->camera.follow_count; i++)
        good &=
            check_model_id(loader, job->camera.follow[i],
                           node->kind == YAML_LIST ? yaml_item(node, i) : node, "camera.follow", i);
    if (job->camera.cuts < 0 && !job->audio)
        good = option_error(&loader->reader, value_at(loader, "camera", "cuts"),
                            "camera.cuts: auto needs a sound; give audio, or a time like 4s");
    return good;
}

/* Multisampling and supersampling are alternatives: with one of them set, the other is off.  So
 * jobs that were written before supersampling became the default keep their samples. */
static void choose_samples(JobRender *render, bool accumulates)
{
    static const int factors[] = {[QUALITY_DRAFT] = 1, [QUALITY_GOOD] = 2, [QUALITY_BEST] = 3};

    if (!render->supersample)
        render->supersample = render->samples || accumulates ? 1 : factors[render->quality];
    if (!render->samples)
        render->samples = 1;
}

static bool check_size(Loader *loader)
{
    const JobRender *render = &loader->job->render;
    for (size_t i = 0; i < 2; i++)
        if (render->size[i] * render->supersample > IMAGE_MAX_SIDE)
            return option_error(&loader->reader, value_at(loader, "render", "supersample"),
                                "render.supersample: %d x %d pixels exceed the limit of %d",
                                render->size[i], render->supersample, IMAGE_MAX_SIDE);
    return true;
}

static bool check_light(Loader *loader)
{
    const JobLight *light = &loader->job->light;
    const double *d = light->direction;
    if (light->motion && light->path_count)
        return option_error(&loader->reader, value_at(loader, "light", "path"),
                            "light: at most one of motion and path can be given");
    if (d[0] == 0 && d[1] == 0 && d[2] == 0)
        return option_error(&loader->reader, value_at(loader, "light", "direction"),
                            "light.direction: must not be the zero vector");
    return true;
}

static bool check_background(Loader *loader)
{
    const JobBackground *background = &loader->job->background;
    return !background->image || !background->video ||
           option_error(&loader->reader, value_at(loader, "background", "video"),
                        "background: at most one of image and video can be given");
}

static bool check_look(Loader *loader)
{
    const JobFocus *focus = loader->job->look.focus;
    if (!focus)
        return true;
    const YamlNode *node = value_at(loader, "look", "focus");
    return !focus->model || find_model(loader->job, focus->model, loader->job->model_count) ||
           option_error(&loader->reader, node, "look.focus.model: no model has the id '%s'",
                        focus->model);
}

static bool check_burn_in(Loader *loader)
{
    char word[64];
    const JobBurnIn *burn_in = loader->job->burn_in;
    return !burn_in || burn_in_text_check(burn_in->text, word, sizeof word) ||
           option_error(&loader->reader, value_at(loader, "burn_in", "text"),
                        "burn_in.text: unknown field '%s'; known are {name}, {frame}, {time}, "
                        "and {{ for a brace",
                        word);
}

static bool check_audio(Loader *loader)
{
    const JobAudio *audio = loader->job->audio;
    if (audio && audio->synth == SYNTH_FLUIDSYNTH && !audio->soundfont)
        return option_error(&loader->reader, value_at(loader, "audio", "synth"),
                            "audio.synth: fluidsynth needs audio.soundfont");
    return true;
}

static bool check_outputs(Loader *loader)
{
    const Job *job = loader->job;
    bool good = true;
    for (size_t i = 1; i < job->output_count; i++)
        for (size_t k = 0; k < i; k++)
            if (!strcmp(job->outputs[i].file, job->outputs[k].file))
                good = option_error(&loader->reader, node_at(loader, "outputs", i, "file"),
                                    "outputs.%zu.file: outputs.%zu has the same file", i, k);
    return good;
}

static bool check_preview_file(Loader *loader, size_t index)
{
    const Job *job = loader->job;
    static const char *const extensions[] = {"png", "png", "webp", "gif"}; /* by JobPreviewType */
    const char *file = job->previews[index].file,
               *extension = extensions[job->previews[index].type];
    const YamlNode *node = node_at(loader, "previews", index, "file");
    OptionReader *reader = &loader->reader;
    bool good = true;

    if (!text_equal_ignoring_case(path_extension(file), extension) || strchr(file, '%'))
        good = option_error(reader, node,
                            "previews.%zu.file: '%s' is not the name of a single .%s file", index,
                            path_name(file), extension);
    for (size_t i = 0; i < job->output_count; i++)
        if (!strcmp(file, job->outputs[i].file))
            good = option_error(reader, node, "previews.%zu.file: outputs.%zu has the same file",
                                index, i);
    for (size_t i = 0; i < index; i++)
        if (!strcmp(file, job->previews[i].file))
            good = option_error(reader, node, "previews.%zu.file: previews.%zu has the same file",
                                index, i);
    return good;
}

/* Shaders are code for the graphics driver: a job file cannot bring its own. */
static bool check_shader_dir(Loader *loader)
{
    const YamlNode *node = value_at(loader, "render", "shader_dir");
    return !loader->job->render.shader_dir || option_is_from_command_line(node) ||
           option_error(&loader->reader, node,
                        "render.shader_dir: accepted on the command line only, as --shader-dir "
                        "or --set");
}

static bool check_previews(Loader *loader)
{
    bool good = true;
    for (size_t i = 0; i < loader->job->preview_count; i++) {
        const JobPreview *p = &loader->job->previews[i];
        good &= check_preview_file(loader, i);
        if (p->frame >= 0 && p->time_s > 0)
            good = option_error(&loader->reader, node_at(loader, "previews", i, "time_s"),
                                "previews.%zu: at most one of frame and time_s can be given", i);
        if (p->range_s[1] < p->range_s[0])
            good = option_error(&loader->reader, node_at(loader, "previews", i, "range_s"),
                                "previews.%zu.range_s: the end %g is before the start %g", i,
                                p->range_s[1], p->range_s[0]);
    }
    return good;
}

static bool check_cloth(Loader *loader)
{
    const Job *job = loader->job;
    bool good = true;
    for (size_t i = 0; i < job->cloth_count; i++) {
        const JobCloth *cloth = &job->cloth[i];
        if (!cloth->material == !cloth->shape)
            good = option_error(&loader->reader, node_at(loader, "cloth", i, NULL),
                                "cloth.%zu: exactly one of material and shape must be given", i);
        else if (cloth->shape && !cloth->pin.bone && !cloth->pin.bone_count)
            good =
                option_error(&loader->reader, node_at(loader, "cloth", i, NULL),
                             "cloth.%zu.pin: a cloth with a shape needs at least one pin bone", i);
    }
    return good;
}

/* `complete`: reading by the table found no error, so that everything has a value. */
static bool check_job(Loader *loader, bool complete)
{
    bool good = check_camera(loader);
    if (!complete)
        return false;
    good &= check_ids(loader);
    name_models(loader);
    good &= check_attachments(loader);
    good &= check_following(loader);
    good &= check_cloth(loader);
    choose_samples(&loader->job->render, loader->job->look.accumulate != NULL);
    good &= check_size(loader);
    good &= check_light(loader);
    good &= check_background(loader);
    good &= check_audio(loader);
    good &= job_spline_check(loader->job, loader->root, &loader->reader);
    good &= check_outputs(loader);
    good &= check_previews(loader);
    good &= check_look(loader);
    good &= check_burn_in(loader);
    good &= check_shader_dir(loader);
    return good;
}

bool job_load(Job *job, const JobSource *source, Arena *arena, Diag *diag)
{
    const char *directory = source->path ? path_directory(source->path, arena) : "";
    Loader loader = {.job = job,
                     .source = source,
                     .reader = {.directory = directory,
                                .arena = arena,
                                .diag = diag,
                                .optional_outputs = !source->needs_output}};

    HostLimits host;
    if (source->host)
        host = *source->host;
    else if (!host_limits_load(&host, NULL, arena, diag))
        return false;
    if (!load_tree(&loader, source))
        return false;
    if (!apply_values(&loader, false))
        return false;
    if (source->output && loader.root->kind == YAML_MAP &&
        !(replace_outputs(&loader, source->output, source->output_format) &&
          check_output_keys(&loader) && apply_values(&loader, true)))
        return false;
    if (loader.root->kind != YAML_MAP)
        return yaml_error(loader.root, diag,
                          "expected a map of keys, with lines like 'version: 1'");
    loader.reader.trace = &loader.trace;
    if (host.paths == HOST_PATHS_JOB_DIRECTORY && source->path)
        loader.reader.confined = *directory ? directory : ".";
    loader.reader.confined_by = host.paths_source;
    const bool complete = option_read(job, &option_job, loader.root, &loader.reader);
    job->root = loader.root;
    job->values = loader.trace.items;
    job->value_count = loader.trace.count;
    job->host = host;
    job->stop = source->stop;
    job->file = job_source_name(source);
    if (!job->name)
        job->name = is_standard_input(source) ? "stdin" : stem(job->file, arena);
    diag->rules.job_errors = job->warnings.strict;
    diag->rules.job_hidden = job->warnings.hide;
    const bool good = check_job(&loader, complete);
    diag_file(diag, NULL);
    return good && job_open_archives(job, arena, diag) && host_limits_apply(job, arena, diag);
}

/* ---- places of values ---- */

/* The part of a map or list that a word names, or NULL. */
static const YamlNode *child(const YamlNode *node, const char *word)
{
    if (node->kind == YAML_LIST)
        return yaml_item(node, strtoul(word, NULL, 10));
    return yaml_find(node, word);
}

const DiagLocation *job_location(const Job *job, const char *key, const char *name, Arena *arena)
{
    const YamlNode *node = job->root, *next = node;
    if (!node)
        return NULL;
    for (const char *at = key; *at && next; at += *at == '.') {
        const size_t size = strcspn(at, ".");
        next = child(node, arena_strndup(arena, at, size));
        node = next ? next : node;
        at += size;
    }
    if (name && next && (next = child(node, name)) != NULL)
        node = next->key ? next->key : next; /* the name, not its value */
    if (!strcmp(node->source->name, JOB_FILES_NAME))
        return NULL;
    return yaml_location(node, name ? arena_printf(arena, "%s.%s", key, name) : key, arena);
}

/* ---- fonts ---- */

static const char *font_file(const char *font)
{
    return font && strcmp(font, FONT_AUTO) != 0 ? font : NULL;
}

const char *job_burn_in_font(const Job *job)
{
    return font_file(job->burn_in ? job->burn_in->font : NULL);
}

const char *job_subtitle_font(const Job *job)
{
    return font_file(job->subtitles ? job->subtitles->font : NULL);
}

bool job_uses_installed_fonts(const Job *job)
{
    for (size_t i = 0; i < job->preview_count; i++)
        if (job->previews[i].type == PREVIEW_SHEET && job->previews[i].font == LABELS_AUTO)
            return true;
    return (job->burn_in && job->burn_in->font && !job_burn_in_font(job)) ||
           (job->subtitles && !job_subtitle_font(job));
}
