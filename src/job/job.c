// SPDX-License-Identifier: MIT
#include "job/job.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/text.h"
#include "format/file_kind.h"
#include "job/job_archives.h"
#include "job/job_check.h"
#include "job/job_files.h"
#include "job/job_options.h"
#include "job/job_scenes.h"
#include "job/job_visit.h"
#include "job/look_preset.h"
#include "job/preset.h"
#include "record/option_read.h"
#include "record/option_set.h"
#include "record/yaml.h"
#include "scene/effects/effect_known.h"

/* ---- the key effects ---- */

typedef struct Mapping {
    YamlNode *root;
    bool good;
    Arena *arena;
    Diag *diag;
} Mapping;

static const YamlNode *find(const YamlNode *map, const char *key)
{
    return map && map->kind == YAML_MAP ? yaml_find(map, key) : NULL;
}

/* A number of an item; wrong values are reported when the job is read. */
static double number(const YamlNode *item, const char *key, double otherwise)
{
    const YamlNode *node = find(item, key);
    double value;
    return node && node->kind == YAML_SCALAR && text_to_double(&value, node->text) && value >= 0
               ? value
               : otherwise;
}

static void set(Mapping *m, const char *key, const char *value)
{
    const char *text = arena_printf(m->arena, "%s=%s", key, value);
    YamlSource *source = arena_array(m->arena, YamlSource, 1);
    *source = (YamlSource){"effects.mode", text, strlen(text), strlen(key) + 1};
    m->good &= option_set(m->root, &option_job, source, m->arena, m->diag);
}

/* file: of the item, or of an effect of it */
static void map_file(Mapping *m, const YamlNode *item, const YamlNode *file)
{
    const KnownEffect *known =
        file && file->kind == YAML_SCALAR ? effect_known_find(file->text, m->arena) : NULL;
    const char *section = known ? effect_known_look(known) : NULL;
    const YamlNode *look = find(m->root, "look");
    const YamlNode *own = section ? find(look, section) : NULL;
    if (!section || (own && !yaml_is_null(own)))
        return;
    const double control =
        number(item, known->control == EFFECT_SI ? "scale" : "opacity", 1) * known->factor;
    set(m, known->key,
        known->control == EFFECT_NO_CONTROL
            ? "{}"
            : arena_printf(m->arena, "{%s: %.10g}", known->strength, fmin(control, known->max)));
}

static void map_item(Mapping *m, const YamlNode *item)
{
    const YamlNode *effects = find(item, "effects");
    map_file(m, item, item->kind == YAML_SCALAR ? item : find(item, "file"));
    map_file(m, item, find(item, "effect"));
    for (const YamlNode *e = effects && effects->kind == YAML_MAP ? effects->first : NULL; e;
         e = e->next)
        map_file(m, item, e);
}

/*
 * If the job maps effects, gives the tree of a job a section of `look` for each model, accessory
 * and effect in it that is known by the name of its file, unless it has that section
 * (scene/effects/README.md 4).  Their strength is that of the scale or the opacity of the
 * accessory.
 */
static bool effect_map_apply(YamlNode *root, Arena *arena, Diag *diag)
{
    static const char *const lists[] = {"stage", "models"};
    Mapping m = {root, true, arena, diag};
    const YamlNode *mode = find(find(root, "effects"), "mode");
    if (!mode || mode->kind != YAML_SCALAR || strcmp(mode->text, "map") != 0)
        return true;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        const YamlNode *list = find(root, lists[i]);
        for (const YamlNode *item = list && list->kind == YAML_LIST ? list->first : NULL;
             item && m.good; item = item->next)
            map_item(&m, item);
    }
    return m.good;
}

/* Larger than what yaml_load accepts, so that yaml_load reports the size of a large file. */
enum { MAX_READ_SIZE = 64 * YAML_MAX_SIZE };

/* ---- reading ---- */

typedef struct Loader {
    Job *job;
    const JobSource *source;
    YamlNode *root;
    const YamlNode *preset; /* or NULL */
    int kept_output;        /* index in the job of the output whose settings -o keeps; -1: none */
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

bool job_read_standard_input(Bytes *text, Arena *arena, Diag *diag)
{
    diag_file(diag, JOB_STDIN_NAME);
    const bool good = file_load_stdin(text, MAX_READ_SIZE, arena, diag);
    diag_file(diag, NULL);
    return good;
}

static bool load_text(Bytes *bytes, const JobSource *source, Arena *arena, Diag *diag)
{
    if (is_standard_input(source) && source->text) {
        *bytes = *source->text;
        return true;
    }
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
        char *yaml = job_from_files(source, arena, loader->reader.diag);
        if (!yaml)
            return false;
        *text = (YamlSource){OPTION_COMMAND_LINE, yaml, strlen(yaml), 0};
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
    return option_set(loader->root, &option_job, source_of_set(name, set, arena), arena,
                      loader->reader.diag);
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

/* "outputs+" of a preset: outputs beside a film, the star in whose names is its path without the
 * extension.  Images have none. */
static void add_outputs(Loader *loader, const YamlNode *added)
{
    Arena *arena = loader->reader.arena;
    YamlNode *outputs = yaml_find(loader->root, "outputs");
    const YamlNode *first = outputs ? yaml_item(outputs, 0) : NULL;
    const YamlNode *film = first && first->kind == YAML_MAP ? yaml_find(first, "file") : first;
    if (!film || film->kind != YAML_SCALAR || strchr(film->text, '%') ||
        !*path_extension(film->text)) /* "-" has none, either */
        return;
    const char *path = film->text;
    for (const YamlNode *item = added->first; item; item = item->next) {
        YamlNode *output = yaml_copy(item, arena), *file = yaml_find(output, "file");
        if (file && file->text[0] == '*')
            file->text = arena_printf(arena, "%s%s%s", path_directory(path, arena),
                                      path_stem(path, arena), file->text + 1);
        yaml_append(outputs, NULL, output);
    }
}

/* The values for an output count where there is one. */
static bool apply_preset(Loader *loader, bool named_output)
{
    const YamlNode *outputs = yaml_find(loader->root, "outputs");
    const bool has_output = loader->source->output || (outputs && outputs->count);
    bool good = true;
    for (const YamlNode *value = loader->preset ? loader->preset->first : NULL; value;
         value = value->next)
        if (!strcmp(value->key->text, "outputs+")) {
            if (named_output == (loader->source->output != NULL))
                add_outputs(loader, value);
        } else if (is_of_named_output(loader, value->key->text) == named_output &&
                   (has_output || output_of_key(value->key->text) < 0)) {
            good &= option_overlay(loader->root, &option_job, value, loader->reader.arena,
                                   loader->reader.diag);
        }
    return good;
}

/* Applies the values that are for the named output, or those that are not. */
static bool apply_values(Loader *loader, bool named_output)
{
    const JobSource *source = loader->source;
    bool good = apply_preset(loader, named_output);
    for (size_t i = 0; i < source->layer_count; i++)
        for (const YamlNode *value = source->layers[i]->first; value; value = value->next)
            if (is_of_named_output(loader, value->key->text) == named_output)
                good &= option_overlay(loader->root, &option_job, value, loader->reader.arena,
                                       loader->reader.diag);
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

/* What completes the look of a job, or of each of its scenes. */
static bool complete_looks(YamlNode *root, Arena *arena, Diag *diag)
{
    YamlNode *scenes = yaml_find(root, "scenes");
    bool good = look_preset_apply(root, arena, diag) && effect_map_apply(root, arena, diag);
    for (YamlNode *scene = scenes ? scenes->first : NULL; scene && good; scene = scene->next)
        good = scene->kind != YAML_MAP ||
               (look_preset_apply(scene, arena, diag) && effect_map_apply(scene, arena, diag));
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
                                .optional = source->needs_output ? NULL : "outputs"}};

    HostLimits host;
    if (source->host)
        host = *source->host;
    else if (!host_limits_load(&host, NULL, arena, diag))
        return false;
    if (!load_tree(&loader, source))
        return false;
    if (source->preset &&
        !(loader.preset = preset_load(source->preset, source->preset_file, arena, diag)))
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
    if (source->compares_looks && !look_preset_compare(loader.root, arena, diag))
        return false;
    if (!job_scenes_complete(loader.root, arena, diag) || !complete_looks(loader.root, arena, diag))
        return false;
    loader.reader.trace = &loader.trace;
    if (host.paths == HOST_PATHS_JOB_DIRECTORY && source->path)
        loader.reader.confined = *directory ? directory : ".";
    loader.reader.confined_by = host.paths_source;
    const bool complete = option_read(job, &option_job, loader.root, &loader.reader);
    job->root = loader.root;
    job->prefix = "";
    job->values = loader.trace.items;
    job->value_count = loader.trace.count;
    job->host = host;
    job->stop = source->stop;
    job->file = job_source_name(source);
    job->preset_file = source->preset ? source->preset_file : NULL;
    diag->rules.job_errors = job->warnings.strict;
    diag->rules.job_hidden = job->warnings.hide;
    const bool good = job_check(job, loader.root, complete, source->names_only, &loader.reader);
    diag_file(diag, NULL);
    /* A confined job does not learn which other files exist. */
    if (!good && source->checks_files && !loader.reader.confined)
        job_check_all_files(job, arena, diag);
    return good && (source->names_only || job_open_archives(job, arena, diag)) &&
           host_limits_apply(job, arena, diag);
}

/* ---- places of values ---- */

/* The part of a map or list that a word names, or NULL. */
static const YamlNode *child(const YamlNode *node, const char *word)
{
    if (node->kind == YAML_LIST)
        return yaml_item(node, strtoul(word, NULL, 10));
    return yaml_find(node, word);
}

const YamlNode *job_find(const YamlNode *root, const char *key, bool *found, Arena *arena)
{
    const YamlNode *node = root, *next = node;
    for (const char *at = key; *at && next; at += *at == '.') {
        const size_t size = strcspn(at, ".");
        next = child(node, arena_strndup(arena, at, size));
        node = next ? next : node;
        at += size;
    }
    *found = next != NULL;
    return node;
}

const DiagLocation *job_location(const Job *job, const char *key, const char *name, Arena *arena)
{
    bool found;
    if (!job->root)
        return NULL;
    if (*job->prefix && option_at_table(option_at("scenes")->table, key))
        key = arena_printf(arena, "%s%s", job->prefix, key);
    const YamlNode *node = job_find(job->root, key, &found, arena);
    const YamlNode *named = name && found ? child(node, name) : NULL;
    if (named)
        node = named->key ? named->key : named; /* the name, not its value */
    if (!strcmp(node->source->name, OPTION_COMMAND_LINE))
        return NULL;
    return yaml_location(node, name ? arena_printf(arena, "%s.%s", key, name) : key, arena);
}

/* ---- fonts ---- */

static const char *font_file(const char *font)
{
    return font && strcmp(font, FONT_AUTO) != 0 ? font : NULL;
}

const char *job_camera_text(const CameraSpec *camera)
{
    return camera->motion       ? path_name(camera->motion->file)
           : camera->fixed      ? "fixed"
           : camera->path_count ? "path"
                                : "follows the models";
}

const char *job_burn_in_font(const Job *job)
{
    return font_file(job->burn_in ? job->burn_in->font : NULL);
}

const char *job_subtitle_font(const Job *job)
{
    return font_file(job->subtitles ? job->subtitles->font : NULL);
}

static void find_installed_font(void *user, const char *key, const Option *option, void *base)
{
    const char *const *path = (const void *)((char *)base + option->offset);
    (void)key;
    if (option->type == OPTION_PATH && option->role == ROLE_INPUT_FONT && *path &&
        !strcmp(*path, FONT_AUTO))
        *(bool *)user = true;
}

bool job_uses_installed_fonts(const Job *job)
{
    for (size_t i = 0; i < job->preview_count; i++)
        if (job->previews[i].type == PREVIEW_SHEET && job->previews[i].font == LABELS_AUTO)
            return true;
    bool uses = job->credits.show > 0 && !job_burn_in_font(job);
    job_visit_rows(job, find_installed_font, &uses);
    return uses;
}
