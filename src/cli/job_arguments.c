#include "cli/job_arguments.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/process_memory.h"
#include "base/text_stream.h"
#include "cli/stop.h"
#include "cli/verbs.h"
#include "convert/import/pmm_job.h"
#include "job/option_read.h"

const char *limits_name(const Arguments *args)
{
    const char *variable = getenv("ODORI_LIMITS");
    return args->limits ? args->limits : variable && *variable ? variable : NULL;
}

static const char *origin(const Limit *limit, Arena *arena)
{
    return arena_printf(arena, "%s: %s", limit->name, limit->source);
}

/* No single file can be larger than all outputs may be.  SIGXFSZ is ignored. */
static void set_file_size_limit(double mib)
{
    struct rlimit limit;
    if (mib <= 0 || mib >= 1e9 || getrlimit(RLIMIT_FSIZE, &limit) != 0)
        return;
    const rlim_t bytes = (rlim_t)(mib * (1 << 20)) + (1 << 20);
    if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > bytes) {
        limit.rlim_cur = bytes;
        setrlimit(RLIMIT_FSIZE, &limit);
    }
}

bool limits_apply(HostLimits *limits, const Arguments *args, Arena *arena, Diag *diag)
{
    if (!host_limits_load(limits, limits_name(args), arena, diag))
        return false;
    if (limits->memory_mib.max > 0)
        process_memory_set_limit((int64_t)limits->memory_mib.max);
    set_file_size_limit(limits->output_mib.max);
    stop_set_cpu_limit(limits->cpu_s.max, origin(&limits->cpu_s, arena));
    stop_set_timeout(limits->wall_s.max, origin(&limits->wall_s, arena));
    return true;
}

/* Standard output has no extension: a container for any codec, with lossless ones by default. */
static const char *output_format(const Arguments *args)
{
    const bool is_stdout = args->output && !strcmp(args->output, FILE_STDOUT);
    return args->output_format ? args->output_format : is_stdout ? "nut" : NULL;
}

/* JobConverter.convert; user: the directory of --assets, or NULL */
static bool convert_project(Bytes *text, void *user, const char *path, Arena *arena, Diag *diag)
{
    return file_check_exists(path, NULL, diag) && pmm_job_text(text, path, user, arena, diag);
}

static const JobConverter *project_converter(const Arguments *args, Arena *arena)
{
    JobConverter *converter = arena_array(arena, JobConverter, 1);
    char *assets = args->assets ? arena_strdup(arena, args->assets) : NULL;
    *converter = (JobConverter){pmm_job_is_project, convert_project, assets};
    return converter;
}

bool assets_check(const Arguments *args, Diag *diag)
{
    struct stat st;
    if (!args->assets)
        return true;
    if (stat(args->assets, &st) != 0)
        return diag_fail(diag, DIAG_MISSING, "--assets: cannot open '%s': %s", args->assets,
                         strerror(errno));
    return S_ISDIR(st.st_mode) ||
           diag_fail(diag, DIAG_MISSING, "--assets: '%s' is not a directory", args->assets);
}

bool job_source_init(JobSource *source, const Arguments *args, Arena *arena, Diag *diag)
{
    const TextList *operands = &args->operands;
    HostLimits *host = arena_array(arena, HostLimits, 1);
    if (args->output_format && !args->output)
        return diag_fail(diag, DIAG_USAGE,
                         "--output-format is the format of -o FILE; outputs of a job have the key "
                         "format");
    if (!limits_apply(host, args, arena, diag))
        return false;
    *source = (JobSource){.sets = args->sets.items,
                          .set_count = args->sets.count,
                          .flags = args->keys.items,
                          .flag_count = args->keys.count,
                          .output = args->output,
                          .output_format = output_format(args),
                          .converter = project_converter(args, arena),
                          .host = host,
                          .stop = &stop_signal};
    if (!operands->count) /* the demo, which creates its assets */
        return true;
    if (!assets_check(args, diag))
        return false;
    if (!job_is_job_name(operands->items[0])) {
        source->files = operands->items;
        source->file_count = operands->count;
        return true;
    }
    source->path = operands->items[0];
    if (operands->count > 1)
        return diag_fail(diag, DIAG_USAGE,
                         "%s takes exactly one job file, '%s'; unexpected argument '%s'",
                         args->verb->name, operands->items[0], operands->items[1]);
    return true;
}

/* Makes a flag a value of the job, "key=value". */
static void add_key(Arguments *args, const char *flag, const char *set, Arena *arena)
{
    *arena_push(arena, &args->keys) = (JobFlag){flag, set};
}

/* The path as a text of YAML, absolute: relative ones refer to the current directory. */
static const char *quoted_path(const char *path, Arena *arena)
{
    char directory[4096];
    TextStream stream;
    Json json = json_init(text_stream_open(&stream, arena));
    const bool relative = path[0] != '/' && getcwd(directory, sizeof directory);
    json_text(&json, relative ? arena_printf(arena, "%s/%s", directory, path) : path);
    return text_stream_close(&stream);
}

/* -o and -f are for a part of the film or a copy of it; its previews are those of the whole. */
static bool leaves_previews(const Arguments *args)
{
    for (size_t i = 0; i < args->sets.count; i++)
        if (!strncmp(args->sets.items[i], "previews", strlen("previews")))
            return false;
    return (args->output || args->frames) && !args->previews;
}

void set_picture_keys(Arguments *args, Arena *arena)
{
    if (args->fps)
        add_key(args, "--fps", arena_printf(arena, "render.fps=%s", args->fps), arena);
    if (args->camera)
        add_key(
            args, "--camera",
            arena_printf(arena, "camera={motion: {file: %s}}", quoted_path(args->camera, arena)),
            arena);
}

bool set_keys(Arguments *args, bool previews, Arena *arena, Diag *diag)
{
    JobFrames frames;
    set_picture_keys(args, arena);
    if (!previews && leaves_previews(args))
        add_key(args, args->output ? "--output" : "--frames", "previews=[]", arena);
    if (!args->frames)
        return true;
    if (!option_parse_frames(&frames, args->frames, (JobRational){30, 1}, arena))
        return diag_fail(diag, DIAG_USAGE,
                         "--frames: '%s' is neither 'all' nor ascending ranges such as 0-1799, "
                         "0-99,400-499, m150-m300 (motion frames) or 5s-10s",
                         args->frames);
    add_key(args, "--frames", arena_printf(arena, "render.frames=%s", args->frames), arena);
    return true;
}

void apply_limits(const JobLimits *limits)
{
    process_memory_set_limit(limits->memory_mib);
    stop_set_timeout(limits->total_timeout_s, limits->total_origin);
}

ProblemList *observe_problems(Arena *arena, Diag *diag)
{
    ProblemList *problems = arena_array(arena, ProblemList, 1);
    problems->arena = arena;
    diag->observer = problem_list_observe;
    diag->observer_user = problems;
    return problems;
}

void disable_physics(Job *job)
{
    for (size_t i = 0; i < job->model_count; i++)
        job->models[i].physics = false;
    job->cloth_count = 0;
}
