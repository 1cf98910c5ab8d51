// SPDX-License-Identifier: MIT
#include "job/host_limits.h"

#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "job/job.h"
#include "record/option_read.h"
#include "record/yaml.h"

static const char *const profiles[] = {
    [HOST_PROFILE_NONE] = "none", [HOST_PROFILE_UNTRUSTED] = "untrusted", NULL};
static const char *const path_rules[] = {
    [HOST_PATHS_ANY] = "any", [HOST_PATHS_JOB_DIRECTORY] = "job_directory", NULL};

/* clang-format off */
static const Option limit_rows[] = {
    {.key = "profile", .type = OPTION_CHOICE, .offset = offsetof(HostLimits, profile),
     .value = "none", .choices = profiles, .stage = STAGE_NONE,
     .help = "values for all other keys: those below, or values for jobs of strangers"},
    {.key = "paths", .type = OPTION_CHOICE, .offset = offsetof(HostLimits, paths),
     .value = "any", .choices = path_rules, .stage = STAGE_NONE,
     .help = "files that a job may name: any, or, with symbolic links resolved, those below the "
             "directory of the job file"},
#define ROW(name, field, initial, measure, text)                                                  \
    {.key = #name, .type = OPTION_NUMBER, .value = #initial, .max = 1e12, .unit = (measure),      \
     .offset = offsetof(HostLimits, field) + offsetof(Limit, max), .stage = STAGE_NONE,           \
     .help = (text)},
#define LIMIT(name, initial, untrusted, measure, text) ROW(name, name, initial, measure, text)
#define SCENE_LIMIT(name, member, initial, untrusted, measure, text)                              \
    ROW(name, scene.member, initial, measure, text)
#include "job/keys/limits.inc"
};
const OptionTable option_limits = {limit_rows, sizeof limit_rows / sizeof *limit_rows,
                                   sizeof(HostLimits), NULL};

const char host_limits_untrusted[] = "paths: job_directory\n"
#define LIMIT(name, initial, untrusted, measure, text) #name ": " #untrusted "\n"
#define SCENE_LIMIT(name, member, initial, untrusted, measure, text) #name ": " #untrusted "\n"
#include "job/keys/limits.inc"
    ;
/* clang-format on */

/* ---- reading ---- */

static bool load_tree(YamlNode **root, const YamlSource *text, Arena *arena, Diag *diag)
{
    if (!yaml_load(root, text, arena, diag))
        return false;
    return (*root)->kind == YAML_MAP ||
           yaml_error(*root, diag, "expected a map of keys, with lines like 'profile: untrusted'");
}

bool host_limits_is_file(const char *name)
{
    return strpbrk(name, "/.") != NULL;
}

/* The tree of the text "profile: NAME". */
static bool load_profile(YamlNode **root, const char *name, Arena *arena, Diag *diag)
{
    YamlSource *text = arena_array(arena, YamlSource, 1);
    const char *yaml = arena_printf(arena, "profile: %s\n", name);
    *text = (YamlSource){"--limits", yaml, strlen(yaml), 0};
    if (text_find(text_choices(profiles), name) >= 0)
        return load_tree(root, text, arena, diag);
    return diag_fail(
        diag, DIAG_JOB,
        "--limits: '%s' is no profile (none, untrusted); a file is named with a slash, "
        "as './%s'",
        name, name);
}

static bool load_file(YamlNode **root, const char *name, Arena *arena, Diag *diag)
{
    YamlSource *text = arena_array(arena, YamlSource, 1);
    Bytes bytes;
    diag_file(diag, name);
    if (!file_load(&bytes, name, YAML_MAX_SIZE, arena, diag))
        return false;
    *text = (YamlSource){name, (const char *)bytes.data, bytes.size, 0};
    return load_tree(root, text, arena, diag);
}

/* Adds the keys of a profile that the file does not set. */
static bool add_profile(YamlNode *root, Arena *arena, Diag *diag)
{
    const YamlNode *profile = yaml_find(root, "profile");
    YamlSource *text = arena_array(arena, YamlSource, 1);
    YamlNode *values;
    if (!profile || profile->kind != YAML_SCALAR || strcmp(profile->text, "untrusted") != 0)
        return true;
    *text = (YamlSource){"profile untrusted", host_limits_untrusted,
                         sizeof host_limits_untrusted - 1, 0};
    if (!yaml_load(&values, text, arena, diag))
        return false;
    for (YamlNode *value = values->first, *next; value; value = next) {
        const YamlNode *own = yaml_find(root, value->key->text);
        next = value->next;
        if (!own || yaml_is_null(own))
            yaml_append(root, value->key, value);
    }
    return true;
}

/* The place of each value, for messages. */
static void set_sources(HostLimits *limits, const OptionTrace *trace)
{
    for (size_t i = 0; i < option_limits.count; i++) {
        const Option *row = &limit_rows[i];
        const char *source = "default";
        for (size_t k = 0; trace && k < trace->count; k++)
            if (!strcmp(trace->items[k].key, row->key))
                source = trace->items[k].source;
        if (!strncmp(source, "profile ", strlen("profile ")))
            source = "profile untrusted";
        if (row->type == OPTION_NUMBER) {
            Limit *limit = (void *)((char *)limits + row->offset - offsetof(Limit, max));
            limit->name = row->key;
            limit->source = source;
        } else if (!strcmp(row->key, "paths")) {
            limits->paths_source = source;
        }
    }
}

bool host_limits_load(HostLimits *limits, const char *name, Arena *arena, Diag *diag)
{
    OptionTrace trace = {0};
    OptionReader reader = {
        .directory = "", .arena = arena, .diag = diag, .whole = &option_limits, .trace = &trace};
    YamlSource *empty = arena_array(arena, YamlSource, 1);
    YamlNode *root = NULL;
    *empty = (YamlSource){"--limits", "{}", 2, 0};
    const bool given = name && *name, is_file = given && host_limits_is_file(name);
    const bool loaded = is_file ? load_file(&root, name, arena, diag)
                        : given ? load_profile(&root, name, arena, diag)
                                : load_tree(&root, empty, arena, diag);
    const bool good = loaded && add_profile(root, arena, diag) &&
                      option_read(limits, &option_limits, root, &reader);
    diag_file(diag, NULL);
    if (!good)
        return false;
    set_sources(limits, &trace);
    const char *profile = arena_printf(arena, "profile %s", profiles[limits->profile]);
    limits->title = !given     ? "none"
                    : !is_file ? profile
                               : arena_printf(arena, "%s, %s", name, profile);
    return true;
}

/* ---- checks ---- */

bool host_limits_check_frames(const HostLimits *limits, double frames, Diag *diag)
{
    return limit_check(&limits->frames, frames, "", diag);
}

bool host_limits_check_image(const HostLimits *limits, double width, double height, Diag *diag)
{
    const double side = width > height ? width : height;
    return limit_check(&limits->frame_side, side, " pixels", diag) &&
           limit_check(&limits->frame_pixels, width * height, " pixels", diag);
}

static double count_frames(const FrameRanges *frames)
{
    double count = 0;
    for (size_t i = 0; i < frames->count; i++)
        if (frames->items[i].last != FRAME_RANGE_END) /* else the film says it, when it is loaded */
            count += (double)frames->items[i].last - (double)frames->items[i].first + 1;
    return count;
}

/* The lower of the two limits, and which one that is. */
static double lower(const char **origin, const Limit *host, double own, const char *name,
                    Arena *arena)
{
    const double lowest = limit_lower(host, own);
    *origin = host->max > 0 && lowest == host->max
                  ? arena_printf(arena, "%s: %s", host->name, host->source)
                  : name;
    return lowest;
}

static void lower_limits(Job *job, Arena *arena)
{
    const HostLimits *host = &job->host;
    JobLimits *own = &job->limits;
    own->frame_timeout_s = lower(&own->frame_origin, &host->frame_s, own->frame_timeout_s,
                                 "limits.frame_timeout_s", arena);
    own->total_timeout_s = lower(&own->total_origin, &host->wall_s, own->total_timeout_s,
                                 "limits.total_timeout_s", arena);
    own->memory_mib = (int)lower(&own->memory_origin, &host->memory_mib, own->memory_mib,
                                 "limits.memory_mib", arena);
    if (limit_exceeded(&host->workers, job->render.workers))
        job->render.workers = (int)host->workers.max;
}

bool host_limits_apply(Job *job, Arena *arena, Diag *diag)
{
    const HostLimits *host = &job->host;
    const JobRender *render = &job->render;
    const double samples = (double)render->samples * render->supersample * render->supersample;
    size_t models = job->model_count + job->stage_count + job->cloth_count;
    for (size_t i = 0; i < job->scene_count; i++) {
        const JobScene *scene = &job->scenes[i];
        models += scene->model_count + scene->stage_count + scene->cloth_count;
    }
    bool good = host_limits_check_image(host, render->size[0], render->size[1], diag);
    good &= limit_check(&host->samples, samples, "", diag);
    good &= limit_check(&host->scene.models, (double)models, "", diag);
    good &= host_limits_check_frames(host, count_frames(&render->frames), diag);
    lower_limits(job, arena);
    return good;
}
