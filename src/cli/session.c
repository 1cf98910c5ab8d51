// SPDX-License-Identifier: MIT
#include "cli/session.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <wchar.h>

#include "base/file.h"
#include "base/json.h"
#include "base/path.h"
#include "base/process_memory.h"
#include "base/text.h"
#include "base/write_limit.h"
#include "base/write_root.h"
#include "cli/flags.h"
#include "cli/run_result.h"
#include "cli/stop.h"
#include "convert/import/pmm_job.h"
#include "film/film.h"
#include "format/file_kind.h"
#include "job/job_files.h"
#include "job/job_scenes.h"
#include "job/preset.h"
#include "output/sink.h"
#include "record/option_read.h"

static bool accepts(const Session *s, const char *flag)
{
    return verb_accepts(s->given->verb, flag_find(flag));
}

/* ---- limits ---- */

const char *session_limits_name(const Arguments *args)
{
    const char *variable = getenv("ODORI_LIMITS");
    return args->limits ? args->limits : variable && *variable ? variable : NULL;
}

/* The real path of the directory that holds the job. */
static const char *job_directory(const Session *s)
{
    const char *directory = s->source.path ? path_directory(s->source.path, s->arena) : "";
    char real[PATH_MAX];
    const char *path = *directory ? directory : ".";
    return arena_strdup(s->arena, realpath(path, real) ? real : path);
}

void session_confine_writes(const Session *s, const HostLimits *limits)
{
    write_root_follow(s->given->state);
    const bool confines = limits->paths == HOST_PATHS_JOB_DIRECTORY && s->source.path;
    write_root_set(confines ? job_directory(s) : NULL, limits->paths_source);
}

bool session_load_limits(HostLimits *limits, const Arguments *args, Arena *arena, Diag *diag)
{
    if (!host_limits_load(limits, session_limits_name(args), arena, diag))
        return false;
    if (args->verbose)
        diag_note(diag, "limits: %s", limits->title);
    return true;
}

static const char *origin(const Limit *limit, Arena *arena)
{
    return arena_printf(arena, "%s: %s", limit->name, limit->source);
}

/* No single file can be larger than all together may be, whoever writes it.  SIGXFSZ is ignored. */
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

/* Applies the limits of memory, CPU time, time and output of the host to this process, once. */
static bool host_limits_enter(Session *s)
{
    if (s->host)
        return true;
    HostLimits *limits = arena_array(s->arena, HostLimits, 1);
    if (!session_load_limits(limits, s->given, s->arena, s->diag) ||
        !write_limit_set(&limits->output_mib, s->diag))
        return false;
    if (limits->memory_mib.max > 0)
        process_memory_set_limit((int64_t)limits->memory_mib.max);
    set_file_size_limit(limits->output_mib.max);
    session_confine_writes(s, limits);
    stop_set_cpu_limit(limits->cpu_s.max, origin(&limits->cpu_s, s->arena));
    stop_set_timeout(limits->wall_s.max, origin(&limits->wall_s, s->arena));
    s->host = limits;
    return true;
}

/* ---- the source of the job ---- */

/* Makes a flag a value of the job, "key=value". */
static void add_key(Session *s, const char *flag, const char *set)
{
    *arena_push(s->arena, &s->args.keys) = (JobFlag){flag, set};
}

/* The path as a text of YAML, absolute: relative ones refer to the current directory. */
static const char *quoted_path(const char *path, Arena *arena)
{
    TextStream stream;
    Json json = json_init(text_stream_open(&stream, arena));
    const char *full = path_absolute(path, arena);
    json_text(&json, full ? full : path);
    return text_stream_close(&stream);
}

/* -o and -f are for a part of the film or a copy of it; its previews are those of the whole. */
static bool omits_previews(const Session *s)
{
    const Arguments *args = &s->args;
    for (size_t i = 0; i < args->sets.count; i++)
        if (!strncmp(args->sets.items[i], "previews", strlen("previews")))
            return false;
    return (s->given->output || args->frames) && !args->previews && accepts(s, "previews");
}

/* The value of --start, --to or --duration as a time of --frames: 5 is 5 s.  NULL after an error.
 */
static const char *seconds_of(Session *s, FrameTime *time, const char *flag, const char *value)
{
    const size_t size = strlen(value);
    if (option_parse_frame_time(time, value, size, FRAME_SECONDS) && time->unit == FRAME_SECONDS)
        return size && !strchr(value, ':') && value[size - 1] != 's'
                   ? arena_printf(s->arena, "%ss", value)
                   : value;
    diag_fail(s->diag, DIAG_USAGE, "%s: '%s' is not a time such as 5, 5s, 0:05 or 1:02:03.5", flag,
              value);
    return NULL;
}

/* Makes --start, --to and --duration a range of --frames. */
static bool add_part(Session *s)
{
    Arguments *args = &s->args;
    const char *start = "0s", *end = "";
    FrameTime from = {0}, until = {0};
    if (!args->start && !args->to && !args->duration)
        return true;
    if (args->frames || (args->to && args->duration))
        return diag_fail(s->diag, DIAG_USAGE, "%s cannot be combined with %s",
                         args->frames ? "--frames" : "--to",
                         args->frames ? "--start, --to and --duration" : "--duration");
    if ((args->start && !(start = seconds_of(s, &from, "--start", args->start))) ||
        (args->to && !(end = seconds_of(s, &until, "--to", args->to))) ||
        (args->duration && !(end = seconds_of(s, &until, "--duration", args->duration))))
        return false;
    if (args->to && until.value <= from.value)
        return diag_fail(s->diag, DIAG_USAGE, "--to: %s is not after the start, %s", args->to,
                         args->start ? args->start : "0");
    if (args->duration && until.value <= 0)
        return diag_fail(s->diag, DIAG_USAGE, "--duration: %s is no time", args->duration);
    args->frames = arena_printf(s->arena, "%s%s%s", start, args->duration ? "+" : "-", end);
    return true;
}

/* Whether --frames is a time alone, which people write where they mean all that follows it. */
static bool is_moment(const char *frames)
{
    return !strpbrk(frames, "-+,") && (strchr(frames, ':') || frames[strlen(frames) - 1] == 's');
}

/* Makes --fps, --camera and --frames values of keys of the job. */
static bool add_keys(Session *s)
{
    const Arguments *args = &s->args;
    FrameRanges frames;
    if (!add_part(s))
        return false;
    if (args->fps)
        add_key(s, "--fps", arena_printf(s->arena, "render.fps=%s", args->fps));
    if (args->camera)
        add_key(s, "--camera",
                arena_printf(s->arena, "camera={motion: {file: %s}}",
                             quoted_path(args->camera, s->arena)));
    if (omits_previews(s))
        add_key(s, args->output ? "--output" : "--frames", "previews=[]");
    if (!args->frames)
        return true;
    if (!option_parse_frames(&frames, args->frames, (Rational){30, 1}, s->arena))
        return diag_fail(s->diag, DIAG_USAGE,
                         "--frames: '%s' is neither 'all' nor ascending ranges such as 0-1799, "
                         "0-99,400-499, m150-m300 (motion frames), 5s-10s, 0:05-0:10 or 5s-",
                         args->frames);
    if (frames.count == 1 && is_moment(args->frames))
        diag_note(s->diag, "--frames %s is one frame; %s- continues to the end of the film",
                  args->frames, args->frames);
    add_key(s, "--frames", arena_printf(s->arena, "render.frames=%s", args->frames));
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

/* JobConverter.convert; user: unused.  Does not read the project. */
static bool outline_project(Bytes *text, void *user, const char *path, Arena *arena, Diag *diag)
{
    (void)user;
    (void)diag;
    *text = pmm_job_outline(path, arena);
    return true;
}

static const JobConverter *project_converter(const Arguments *args, Arena *arena)
{
    JobConverter *converter = arena_array(arena, JobConverter, 1);
    char *assets = args->assets ? arena_strdup(arena, args->assets) : NULL;
    *converter = (JobConverter){pmm_job_is_project, convert_project, assets};
    return converter;
}

/* "; did you mean -o x.mp4?" if the last operand is the name of an output, and no file; else "". */
static const char *suggest_output(const Session *s)
{
    const TextList *operands = &s->args.operands;
    const char *last = operands->items[operands->count - 1];
    Diag silent = diag_quiet();
    const bool is_output = !s->args.output && accepts(s, "output") && !path_is_file(last) &&
                           file_kind_of_name(last) != FILE_SOUND && sink_find(last, NULL, &silent);
    return is_output ? arena_printf(s->arena, "; did you mean -o %s?", last) : "";
}

/* One job file, or models, motions and a sound.  The demo has no operands: it writes its job. */
static bool add_operands(JobSource *source, const Session *s)
{
    const TextList *operands = &s->args.operands;
    if (!operands->count)
        return true;
    if (!job_is_job_name(operands->items[0])) {
        source->files = operands->items;
        source->file_count = operands->count;
        return true;
    }
    source->path = operands->items[0];
    return operands->count == 1 ||
           diag_fail(s->diag, DIAG_USAGE,
                     "%s takes exactly one job file, '%s'; unexpected argument '%s'%s",
                     s->given->verb->name, operands->items[0], operands->items[1],
                     operands->count == 2 ? suggest_output(s) : "");
}

/* The output of a film without a job file that names none. */
static bool add_default_output(Session *s)
{
    const TextList *operands = &s->args.operands;
    if (s->args.output || !operands->count || !(s->given->verb->needs & VERB_OUTPUT) ||
        job_is_job_name(operands->items[0]))
        return true;
    const char *suggestion = suggest_output(s);
    if (*suggestion)
        return diag_fail(s->diag, DIAG_USAGE, "%s: unknown kind of file%s",
                         operands->items[operands->count - 1], suggestion);
    const Preset preset = preset_find(s->args.preset ? s->args.preset : "", s->arena);
    s->args.output = job_files_output(operands->items, operands->count,
                                      preset.name ? preset.extension : "mp4", s->arena);
    return true;
}

/* The file of a preset of the user, or NULL. */
static const char *find_preset(const char *name, Arena *arena)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (!name || name[strspn(name, letters)])
        return NULL;
    if (!config || config[0] != '/')
        config = home ? arena_printf(arena, "%s/.config", home) : "";
    const char *file = arena_printf(arena, "%s/odori/presets/%s.yaml", config, name);
    return path_is_file(file) ? file : NULL;
}

bool session_parse_job(Session *s)
{
    const Arguments *args = &s->args;
    if (!add_default_output(s) || !add_keys(s))
        return false;
    if (args->output_format && !args->output)
        return diag_fail(s->diag, DIAG_USAGE,
                         "--output-format is the format of -o FILE; outputs of a job have the key "
                         "format");
    s->source = (JobSource){.sets = args->sets.items,
                            .set_count = args->sets.count,
                            .flags = args->keys.items,
                            .flag_count = args->keys.count,
                            .output = s->needs & VERB_OWN_OUTPUT ? NULL : args->output,
                            .output_format = output_format(args),
                            .needs_output = (s->needs & VERB_OUTPUT) != 0,
                            .preset = args->preset,
                            .preset_file = find_preset(args->preset, s->arena),
                            .converter = project_converter(args, s->arena),
                            .compares_looks = args->looks,
                            .stop = &stop_signal};
    if (!add_operands(&s->source, s))
        return false;
    if (s->needs & VERB_OUTPUT_OF_FILE)
        s->source.needs_output = s->source.path != NULL;
    s->has_source = true;
    return true;
}

/* ---- the steps of a verb ---- */

void session_begin(Session *s, const Arguments *args, ProblemList *problems, Progress *progress,
                   Arena *arena, Diag *diag)
{
    *s = (Session){.given = args,
                   .args = *args,
                   .needs = args->verb->needs,
                   .problems = problems,
                   .out = stdout,
                   .progress = progress,
                   .arena = arena,
                   .diag = diag};
    if (problems && !args->verb->schema)
        s->out = text_stream_open(&s->text, arena);
    sandbox_session_init(&s->sandbox, args, arena);
}

/* --assets is an input, also of a job that does not use it. */
static bool check_assets(const Session *s)
{
    const char *assets = s->given->assets;
    struct stat st;
    if (!assets)
        return true;
    if (stat(assets, &st) != 0)
        return diag_fail(s->diag, DIAG_MISSING, "--assets: cannot open '%s': %s", assets,
                         strerror(errno));
    return S_ISDIR(st.st_mode) ||
           diag_fail(s->diag, DIAG_MISSING, "--assets: '%s' is not a directory", assets);
}

bool session_restrict(Session *s)
{
    s->is_restricted = true;
    return check_assets(s) && sandbox_session_begin(&s->sandbox, s->needs & VERB_DRAWS, s->diag);
}

/* ---- the files of the job ---- */

/* Whether the text of a flag or of --set contains a path as a whole value. */
static bool is_value_in(const char *text, const char *path)
{
    const size_t size = strlen(path);
    for (const char *at = strstr(text, path); at && size; at = strstr(at + 1, path))
        if (at > text && strchr("= \"'[,:{", at[-1]) && strchr(" \"'],}", at[size]))
            return true;
    return false;
}

/* Paths of the command line are not confined. */
static bool is_given(const Session *s, const char *path)
{
    const Arguments *args = &s->args;
    const char *output = args->output ? path_absolute(args->output, s->arena) : NULL;
    bool given = output && !strcmp(path, output);
    for (size_t i = 0; i < args->sets.count; i++)
        given |= is_value_in(args->sets.items[i], path);
    for (size_t i = 0; i < args->keys.count; i++)
        given |= is_value_in(args->keys.items[i].set, path);
    return given;
}

/* A child that was taken over could name others than the job may. */
static bool is_allowed(const Session *s, const FoundFile *file)
{
    return !*file->path || !s->confined || path_is_below(file->path, s->confined) ||
           is_given(s, file->path);
}

/* What is found in a project is below its directory or that of --assets, or on the command line,
 * where relative paths refer to the first. */
static bool is_of_project(const Session *s, const FoundFile *file)
{
    const char *directory = path_directory(s->source.path, s->arena), *assets = s->given->assets;
    const size_t size = strlen(directory);
    const char *given = strncmp(file->path, directory, size) ? file->path : file->path + size;
    return file->kind != FOUND_OUTPUT && is_allowed(s, file) &&
           (!*file->path || path_is_below(file->path, *directory ? directory : ".") ||
            (assets && path_is_below(file->path, assets)) || is_given(s, file->path) ||
            is_given(s, given));
}

static bool is_output(const Session *s, const FoundFile *file)
{
    return file->kind == FOUND_OUTPUT && is_allowed(s, file);
}

static bool run_finder(FoundFiles *found, Session *s, IsolatedWork *work)
{
    const IsolatedLimits limits = {.sandbox = s->sandbox.mode, .stop = &stop_signal};
    return found_files_run(found, work, s, &s->sandbox.rules, &limits, s->arena, s->diag);
}

static bool find_and_keep(Session *s, IsolatedWork *work,
                          bool (*keep)(const Session *, const FoundFile *))
{
    FoundFiles found = {0}, kept = {0};
    if (!sandbox_session_restricts_files(&s->sandbox))
        return true;
    if (!run_finder(&found, s, work))
        return false;
    for (size_t i = 0; i < found.count; i++)
        if (keep(s, &found.items[i])) {
            FoundFile *file = arena_push(s->arena, &kept);
            *file = found.items[i];
            file->within = *file->path && !is_given(s, file->path) ? s->confined : NULL;
        }
    sandbox_session_add_found(&s->sandbox, &kept, (s->needs & VERB_WRITES) != 0);
    return true;
}

bool session_find(Session *s, IsolatedWork *work)
{
    return find_and_keep(s, work, is_allowed);
}

/* IsolatedWork; user: the session */
static bool find_limits(FILE *out, void *user, Diag *diag)
{
    const Session *s = user;
    HostLimits limits;
    if (host_limits_load(&limits, session_limits_name(s->given), s->arena, diag) &&
        limits.paths == HOST_PATHS_JOB_DIRECTORY)
        found_files_write(out, FOUND_CONFINED, "");
    return true;
}

/* What the host says of paths is known before a job is parsed: a child that was taken over by one
 * cannot say otherwise. */
bool session_find_confinement(Session *s)
{
    const char *name = accepts(s, "limits") ? session_limits_name(s->given) : NULL;
    const char *path = s->source.path;
    FoundFiles found = {0};
    if (!name)
        return true;
    if (host_limits_is_file(name))
        sandbox_session_read(&s->sandbox, name);
    if (!sandbox_session_restricts_files(&s->sandbox) || !path)
        return true;
    if (!run_finder(&found, s, find_limits))
        return false;
    for (size_t i = 0; i < found.count; i++)
        if (found.items[i].kind == FOUND_CONFINED)
            s->confined = job_directory(s);
    write_root_set(s->confined, NULL);
    return true;
}

static void find_in_job(FILE *out, Session *s, const JobSource *source, Diag *diag)
{
    Job job;
    if (!job_load(&job, source, s->arena, diag))
        return;
    found_files_write_job(out, &job, s->arena);
    if (s->own_output)
        found_files_write(out, FOUND_OUTPUT, s->own_output(&job, s->arena));
}

JobSource session_base_source(const Session *s)
{
    JobSource source = s->source;
    source.path = s->base;
    source.files = NULL;
    source.file_count = 0;
    return source;
}

/* IsolatedWork; user: the session */
static bool find_job(FILE *out, void *user, Diag *diag)
{
    Session *s = user;
    s->diag = diag;
    if (!host_limits_enter(s))
        return false;
    s->source.host = s->host;
    s->source.names_only = true;
    find_in_job(out, s, &s->source, diag);
    if (s->base) {
        const JobSource base = session_base_source(s);
        find_in_job(out, s, &base, diag);
    }
    return true;
}

/* IsolatedWork; user: the session.  The outputs of a project follow from its name and the command
 * line: no process that reads it is believed. */
static bool find_outputs_of_project(FILE *out, void *user, Diag *diag)
{
    static const JobConverter outline = {pmm_job_is_project, outline_project, NULL};
    Session *s = user;
    TextList sets = {0};
    for (size_t i = 0; i < s->source.set_count; i++)
        if (strncmp(s->source.sets[i], "models.", strlen("models.")) != 0)
            *arena_push(s->arena, &sets) = s->source.sets[i];
    s->source.converter = &outline;
    s->source.sets = sets.items;
    s->source.set_count = sets.count;
    return find_job(out, s, diag);
}

static bool find_files_of_job(Session *s)
{
    const char *path = s->source.path;
    if (!path || !pmm_job_is_project(path))
        return session_find(s, find_job);
    return find_and_keep(s, find_outputs_of_project, is_output) &&
           find_and_keep(s, find_job, is_of_project);
}

bool session_find_job(Session *s)
{
    const JobSource *source = &s->source;
    if (source->path && strcmp(source->path, "-") != 0)
        sandbox_session_read_job(&s->sandbox, source->path);
    if (source->preset_file)
        sandbox_session_read(&s->sandbox, source->preset_file);
    for (size_t i = 0; i < source->file_count; i++)
        sandbox_session_read(&s->sandbox, source->files[i]);
    if (s->base)
        sandbox_session_read_job(&s->sandbox, s->base);
    if (s->given->assets)
        sandbox_session_read_below(&s->sandbox, s->given->assets);
    return session_find_confinement(s) && find_files_of_job(s) &&
           (!s->find_more || session_find(s, s->find_more));
}

/* ---- entering ---- */

bool session_enter(Session *s, const char *file)
{
    if (!s->is_restricted && !session_restrict(s))
        return false;
    sandbox_session_write(&s->sandbox, file);
    if (!s->has_source && !session_find_confinement(s))
        return false;
    return sandbox_session_enter(&s->sandbox, s->diag) &&
           (!accepts(s, "limits") || host_limits_enter(s));
}

/* Standard input is read once, and parsed twice. */
static bool read_standard_input(Session *s)
{
    Bytes *text = arena_array(s->arena, Bytes, 1);
    if (!s->source.path || strcmp(s->source.path, "-") != 0)
        return true;
    s->source.text = text;
    return job_read_standard_input(text, s->arena, s->diag);
}

bool session_enter_job(Session *s)
{
    if (s->has_entered)
        return true;
    if ((!s->has_source && !session_parse_job(s)) || (!s->is_restricted && !session_restrict(s)) ||
        !read_standard_input(s))
        return false;
    if (s->needs & VERB_WRITES && s->given->state)
        sandbox_session_write_state(&s->sandbox, s->given->state);
    if (!session_find_job(s) || !session_enter(s, NULL) || !host_limits_enter(s))
        return false;
    s->source.host = s->host;
    s->has_entered = true;
    return true;
}

bool session_load_job(Session *s)
{
    if (!session_enter_job(s))
        return false;
    if (s->needs & VERB_PROBLEMS && !s->problems) {
        s->problems = arena_array(s->arena, ProblemList, 1);
        s->problems->arena = s->arena;
        s->diag->observer = problem_list_add;
        s->diag->observer_user = s->problems;
    }
    if (!job_load(&s->job, &s->source, s->arena, s->diag) ||
        !sandbox_session_check_job(&s->sandbox, &s->job, s->diag))
        return false;
    if (s->needs & VERB_PROGRESS) {
        s->progress->job = s->job.name;
        process_memory_set_limit(s->job.limits.memory_mib);
        stop_set_timeout(s->job.limits.total_timeout_s, s->job.limits.total_origin);
    }
    if (s->given->no_physics)
        session_disable_physics(&s->job);
    return true;
}

bool session_restart_limits(const Session *s)
{
    write_limit_clear();
    stop_clear_timeout();
    stop_restart_cpu_limit(s->host->cpu_s.max);
    stop_set_timeout(s->host->wall_s.max, origin(&s->host->wall_s, s->arena));
    stop_set_timeout(s->job.limits.total_timeout_s, s->job.limits.total_origin);
    return write_limit_set(&s->host->output_mib, s->diag);
}

void session_limit_frame(const Session *s)
{
    const JobLimits *limits = &s->job.limits;
    stop_set_timeout(limits->frame_timeout_s,
                     limits->frame_origin ? limits->frame_origin : "limits.frame_timeout_s");
}

bool session_continue(Session *s, const Session *entered)
{
    const HostLimits *host = s->host = entered->host;
    s->sandbox = entered->sandbox;
    s->sandbox.created.count = 0;
    if (!session_parse_job(s) || !read_standard_input(s))
        return false;
    s->source.host = host;
    s->is_restricted = s->has_entered = true;
    return session_restart_limits(s) && session_load_job(s);
}

bool session_load_scene(Session *s)
{
    const char *text = s->given->scene;
    int64_t number = 0;
    if (!session_load_job(s))
        return false;
    const size_t count = job_scene_count(&s->job);
    if (!text && !s->job.scene_count)
        return true;
    if (!text)
        return diag_fail(s->diag, DIAG_USAGE, "--scene N is required: the job has %zu scenes",
                         count);
    if (!text_to_int64(&number, text) || number < 1 || number > (int64_t)count)
        return diag_fail(s->diag, DIAG_USAGE, "--scene: '%s' is not the number of a scene (1..%zu)",
                         text, count);
    if (!s->job.scene_count)
        return true;
    Film film; /* says when the scene begins */
    Job *job = arena_copy(s->arena, &s->job, sizeof *job);
    if (!film_load_scenes(&film, job, s->arena, s->diag))
        return false;
    s->job = *film.scenes[number - 1].job;
    return true;
}

void session_disable_physics(Job *job)
{
    for (size_t i = 0; i < job->model_count; i++)
        job->models[i].physics = false;
    job->cloth_count = 0;
    for (size_t s = 0; s < job->scene_count; s++) {
        for (size_t i = 0; i < job->scenes[s].model_count; i++)
            job->scenes[s].models[i].physics = false;
        job->scenes[s].cloth_count = 0;
    }
}

void session_end(const Session *s)
{
    sandbox_session_end(&s->sandbox);
}

void session_write_result(Session *s, int status, FILE *out)
{
    const Verb *verb = s->given->verb;
    const char *text = s->out == stdout ? NULL : text_stream_close(&s->text);
    run_result_print(out,
                     &(RunFacts){.verb = verb->name,
                                 .job = s->job.name,
                                 .text = text && *text ? text : NULL,
                                 .status = status,
                                 .warnings = s->diag->warnings,
                                 .report = &s->report,
                                 .problems = s->problems,
                                 .progress = s->progress},
                     s->arena);
}

/* An object of the verb has made standard output a stream of bytes; one of `check` with several
 * jobs was printed by another process. */
void session_print_result(Session *s, int status)
{
    if (s->given->json && !fwide(stdout, 0) && !(s->given->verb->schema && status == s->status))
        session_write_result(s, status, stdout);
}

int session_exit_status(DiagKind kind)
{
    switch (kind) {
    case DIAG_NONE:
        return 0;
    case DIAG_FAILED:
        return 1;
    case DIAG_USAGE:
        return 2;
    case DIAG_DATA:
        return 65;
    case DIAG_MISSING:
        return 66;
    case DIAG_RESOURCE:
        return 69;
    case DIAG_INTERNAL:
        return 70;
    case DIAG_CREATE:
        return 73;
    case DIAG_IO:
        return 74;
    case DIAG_INCOMPLETE:
        return 75;
    case DIAG_JOB:
        return 78;
    }
    return 70;
}
