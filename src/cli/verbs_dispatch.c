// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/path.h"
#include "base/program.h"
#include "base/text.h"
#include "base/text_stream.h"
#include "cli/session.h"
#include "cli/stop.h"
#include "convert/import/pmm_effects.h"
#include "convert/import/pmm_job.h"
#include "dispatch/batch_report.h"
#include "dispatch/k8s.h"
#include "dispatch/openjd.h"
#include "dispatch/slurm.h"
#include "dispatch/starter.h"
#include "dispatch/submit_script.h"
#include "film/film.h"
#include "film/path_conflicts.h"
#include "film/shard.h"
#include "run/checkpoint/checkpoint_files.h"
#include "sandbox/isolated.h"

enum { PATH_SIZE = 4096 };

/* ---- batch ---- */

static void print_batch(const BatchPlan *plan, const BatchResult *results, const Arguments *args)
{
    if (args->json)
        batch_write_json(stdout, plan, results);
    else if (results)
        batch_write_results(stdout, plan, results);
    else
        batch_write_plan(stdout, plan);
}

/* What the host says of all jobs, as words of their commands. */
typedef struct BatchWords {
    TextList render, bake, submit;
    StarterVerb verbs[4];
} BatchWords;

static void add_list(TextList *to, const TextList *from, Arena *arena)
{
    for (size_t i = 0; i < from->count; i++)
        *arena_push(arena, to) = from->items[i];
}

static void fill_words(BatchWords *words, const Arguments *args, Arena *arena)
{
    TextList flags = {0};
    *words = (BatchWords){0};
    if (session_limits_name(args)) {
        *arena_push(arena, &words->bake) = "--limits";
        *arena_push(arena, &words->bake) = session_limits_name(args);
    }
    arguments_forward_warnings(&flags, args, arena);
    if (args->accept_renderer)
        *arena_push(arena, &flags) = "--accept-renderer";
    add_list(&words->render, &words->bake, arena);
    add_list(&words->render, &flags, arena);
    *arena_push(arena, &words->submit) = "--to";
    *arena_push(arena, &words->submit) = "slurm";
    add_list(&words->submit, &words->render, arena);
    if (args->no_clobber)
        *arena_push(arena, &words->render) = "--no-clobber";
    if (args->submit_options) {
        *arena_push(arena, &words->submit) = "--options";
        *arena_push(arena, &words->submit) = args->submit_options;
    }
    *arena_push(arena, &words->render) = NULL;
    *arena_push(arena, &words->bake) = NULL;
    *arena_push(arena, &words->submit) = NULL;
    words->verbs[0] = (StarterVerb){"bake", words->bake.items};
    words->verbs[1] = args->slurm ? (StarterVerb){"submit", words->submit.items}
                                  : (StarterVerb){"render", words->render.items};
}

static bool run_batch(Progress *progress, const BatchPlan *plan, const Arguments *args,
                      const StarterVerb *words, Arena *arena, Diag *diag)
{
    BatchResult *results = arena_array(arena, BatchResult, plan->batch->job_count);
    const BatchOptions options = {
        .overwrite = args->overwrite, .slurm = args->slurm, .verbs = words};
    bool good = batch_run(results, plan, &options, progress, &stop_signal, arena, diag);
    const bool ran = good || stop_signal_number() || diag->kind == DIAG_FAILED;

    progress_clear(progress);
    if (ran)
        print_batch(plan, results, args);
    if (ran && args->summary)
        good &= batch_save_summary(args->summary, plan, results, args->overwrite, diag);
    return good;
}

static bool show_batch_status(const BatchPlan *plan, const Arguments *args, Arena *arena,
                              Diag *diag)
{
    const size_t count = plan->batch->job_count;
    BatchResult *results = arena_array(arena, BatchResult, count);
    size_t done = 0;
    if (!batch_results_update(results, plan, arena, diag))
        return false;
    print_batch(plan, results, args);
    if (args->summary && !batch_save_summary(args->summary, plan, results, args->overwrite, diag))
        return false;
    for (size_t i = 0; i < count; i++)
        done += results[i].state == BATCH_DONE;
    return done == count ||
           diag_fail(diag, DIAG_INCOMPLETE, "%zu of %zu jobs are completed", done, count);
}

typedef enum BatchAction { ACTION_PLAN, ACTION_RUN, ACTION_STATUS, ACTION_COUNT } BatchAction;

static bool parse_action(BatchAction *action, const Arguments *args, Diag *diag)
{
    static const char *const names[ACTION_COUNT] = {"plan", "run", "status"};
    const TextList *operands = &args->operands;

    const int32_t found = text_find(TEXT_ARRAY(names), operands->items[0]);

    *action = (BatchAction)found;
    if (found < 0)
        return diag_fail(diag, DIAG_USAGE,
                         "batch: '%s' is not one of plan, run, status (before the manifest)",
                         operands->items[0]);
    if (operands->count > 2)
        return diag_fail(diag, DIAG_USAGE,
                         "batch takes exactly one manifest, '%s'; unexpected argument '%s'",
                         operands->items[1], operands->items[2]);
    return args->overwrite + args->no_clobber + args->slurm <= 1 ||
           diag_fail(diag, DIAG_USAGE,
                     "--overwrite, --no-clobber and --slurm are mutually exclusive");
}

/* IsolatedWork; user: the session.  The base job of the manifest. */
static bool find_base(FILE *out, void *user, Diag *diag)
{
    const Session *s = user;
    Batch batch;
    if (!batch_load(&batch, s->source.path, s->arena, diag))
        return false;
    found_files_write(out, FOUND_JOB, batch.base);
    return true;
}

typedef struct JobFinder {
    FILE *out;
    Arena *arena;
} JobFinder;

/* BatchJobVisitor */
static void write_found_job(void *user, const Job *job, const BatchItem *item)
{
    const JobFinder *finder = user;
    found_files_write_job(finder->out, job, finder->arena);
    for (size_t i = 0; i < item->output_count; i++)
        found_files_write(finder->out, FOUND_OUTPUT, item->outputs[i]);
}

/* IsolatedWork; user: the session.  The files of all jobs. */
static bool find_jobs(FILE *out, void *user, Diag *diag)
{
    const Session *s = user;
    JobFinder finder = {out, s->arena};
    HostLimits limits;
    Batch batch;
    if (!batch_load(&batch, s->source.path, s->arena, diag) ||
        !session_load_limits(&limits, s->given, s->arena, diag))
        return false;
    batch.host = (BatchHost){.limits = &limits, .names_only = true};
    batch_plan_visit(&batch, write_found_job, &finder, s->arena);
    return true;
}

/* Gives up all files but those of the manifest and its jobs.  Only the directory of the batch is
 * written, and the summary. */
static bool enter_batch(Session *s, const char *directory, bool writes)
{
    const char *manifest = s->given->operands.items[1];
    s->source.path = manifest;
    sandbox_session_read_job(&s->sandbox, manifest);
    sandbox_session_write(&s->sandbox, s->given->summary);
    if (writes)
        sandbox_session_write_below(&s->sandbox, directory);
    else
        sandbox_session_read_below(&s->sandbox, directory);
    return session_restrict(s) && session_find_confinement(s) && session_find(s, find_base) &&
           session_find(s, find_jobs) && sandbox_session_enter(&s->sandbox, s->diag);
}

/* By a process that parses, and asks the starter. */
static bool make_batch(Session *s, BatchAction action, const StarterVerb *words)
{
    const Arguments *args = s->given;
    Arena *arena = s->arena;
    Diag *diag = s->diag;
    Batch batch;
    BatchPlan plan;
    HostLimits limits;

    if (!session_load_limits(&limits, args, arena, diag) ||
        !batch_load(&batch, args->operands.items[1], arena, diag))
        return false;
    session_confine_writes(s, &limits);
    batch.host = (BatchHost){.limits = &limits,
                             .limits_name = session_limits_name(args),
                             .stop = &stop_signal,
                             .sandbox = sandbox_session_mode(args)};
    if (!batch_plan(&plan, &batch, action == ACTION_STATUS ? BATCH_JOBS : BATCH_SCENES, arena,
                    diag))
        return false;
    if (action == ACTION_PLAN)
        print_batch(&plan, NULL, args);
    return action == ACTION_PLAN  ? true
           : action == ACTION_RUN ? run_batch(s->progress, &plan, args, words, arena, diag)
                                  : show_batch_status(&plan, args, arena, diag);
}

bool verb_batch(Session *s)
{
    const Arguments *args = s->given;
    BatchAction action;
    BatchWords words;

    if (!parse_action(&action, args, s->diag))
        return false;
    const char *manifest = args->operands.items[1];
    const char *parent = batch_directory(manifest, s->arena);
    const char *directory = batch_record_directory(manifest, parent ? parent : "", s->arena);
    sandbox_session_export_to_children(args);
    if (action != ACTION_RUN)
        s->progress->mode = PROGRESS_NONE;
    fill_words(&words, args, s->arena);
    const StarterRules rules = {.verbs = words.verbs,
                                .overwrite = args->overwrite,
                                .bakes = arena_printf(s->arena, "%sbake/", directory)};
    const bool good = (action == ACTION_PLAN || starter_start(&rules, s->diag)) &&
                      enter_batch(s, directory, action == ACTION_RUN) &&
                      make_batch(s, action, words.verbs);
    starter_stop();
    return good;
}

/* ---- the stages of a film on many machines ---- */

typedef struct Dispatch {
    Session *session;
    const Arguments *args; /* with the keys that flags set */
    const char *directory; /* prefix of relative paths in the commands, ends with '/'; NULL: none */
    Stages stages;
    TextList words;                      /* arguments of every stage */
    TextList inputs, output_directories; /* absolute; for a bundle */
    double timeout_s;
    Arena *arena;
} Dispatch;

static const char *stage_path(const Dispatch *dispatch, const char *path)
{
    return dispatch->directory && path ? path_join(dispatch->directory, path, dispatch->arena)
                                       : path;
}

static void add_word(Dispatch *dispatch, const char *word)
{
    *arena_push(dispatch->arena, &dispatch->words) = word;
}

static void add_flag(Dispatch *dispatch, const char *flag, const char *value)
{
    add_word(dispatch, flag);
    add_word(dispatch, value);
}

/* --sandbox is more than the value of its key (cli/sandbox_session.h). */
static void add_key(Dispatch *dispatch, const JobFlag *key)
{
    if (!strcmp(key->name, "--sandbox"))
        add_flag(dispatch, key->name, strchr(key->set, '=') + 1);
    else
        add_flag(dispatch, "--set", key->set);
}

/* The arguments that every stage receives.  Flags that set keys follow --set, as they override it.
 */
static void forward_arguments(Dispatch *dispatch)
{
    const Arguments *args = dispatch->args;
    for (size_t i = 0; i < args->operands.count; i++)
        add_word(dispatch, stage_path(dispatch, args->operands.items[i]));
    for (size_t i = 0; i < args->sets.count; i++)
        add_flag(dispatch, "--set", args->sets.items[i]);
    for (size_t i = 0; i < args->keys.count; i++)
        add_key(dispatch, &args->keys.items[i]);
    if (args->preset)
        add_flag(dispatch, "--preset", args->preset);
    if (args->assets)
        add_flag(dispatch, "--assets", stage_path(dispatch, args->assets));
    if (args->limits) {
        const bool is_file = host_limits_is_file(args->limits);
        add_flag(dispatch, "--limits", is_file ? stage_path(dispatch, args->limits) : args->limits);
    }
    if (args->previews)
        add_word(dispatch, "--previews");
    arguments_forward_warnings(&dispatch->words, args, dispatch->arena);
    if (args->verbose)
        add_word(dispatch, "--verbose");
    dispatch->stages.arguments = dispatch->words.items;
    dispatch->stages.argument_count = dispatch->words.count;
    dispatch->stages.accept_renderer = args->accept_renderer;
    dispatch->stages.output = stage_path(dispatch, args->output);
}

static void add_unique(TextList *list, const char *path, Arena *arena)
{
    if (text_find(TEXT_WORDS(list->items, list->count), path) < 0)
        *arena_push(arena, list) = arena_strdup(arena, path);
}

/* The effects that a project names beside it. */
static void list_effects(Dispatch *dispatch)
{
    const char *project = dispatch->args->operands.items[0];
    const char *file =
        pmm_job_is_project(project) ? pmm_effects_find_file(project, dispatch->arena) : NULL;
    if (file)
        add_unique(&dispatch->inputs, stage_path(dispatch, file), dispatch->arena);
}

static void list_files(Dispatch *dispatch, const Job *job, const Film *film)
{
    PathConflicts *inputs = path_conflicts_create(DIAG_JOB, dispatch->arena);
    path_conflicts_add_film(inputs, film);
    for (size_t i = 0; i < path_conflicts_input_count(inputs); i++) {
        const char *file = stage_path(dispatch, path_conflicts_input_file(inputs, i));
        if (path_is_file(file))
            add_unique(&dispatch->inputs, file, dispatch->arena);
    }
    list_effects(dispatch);
    for (size_t i = 0; i < film->output_count; i++) {
        const char *file = stage_path(dispatch, film->outputs[i].options.file);
        const char *directory = path_directory(file, dispatch->arena);
        add_unique(&dispatch->output_directories, directory, dispatch->arena);
    }
    add_unique(&dispatch->output_directories, dispatch->stages.checkpoint, dispatch->arena);
    dispatch->timeout_s = job->limits.total_timeout_s;
}

/* Loads the job as a stage would, so that its errors are reported before anything is submitted. */
static bool load_stages(Dispatch *dispatch, Diag *diag)
{
    Session *s = dispatch->session;
    Film film;
    if (dispatch->args->bundle)
        sandbox_session_write_below(&s->sandbox, dispatch->args->bundle);
    if (!session_load_job(s))
        return false;
    Arena *arena = arena_create();
    bool good = film_load(&film, &s->job, arena, diag);
    if (good) {
        const char *own = checkpoint_directory(&film, dispatch->arena);
        const char *state = dispatch->args->state;
        /* Without a directory, paths are those on another machine, in its current directory. */
        dispatch->stages.checkpoint =
            stage_path(dispatch, state                         ? state
                                 : own && !dispatch->directory ? path_relative(own)
                                                               : own);
        dispatch->stages.bake = !dispatch->args->no_bake && stages_need_bake(&film);
        stages_fill(&dispatch->stages, &film, arena_bytes(arena), dispatch->arena);
        if (own)
            list_files(dispatch, &s->job, &film);
        else
            good = diag_fail(diag, DIAG_USAGE, "no output of this job can be rendered in shards");
    }
    arena_destroy(arena);
    return good;
}

/* `user` is the dispatch, whose session reports to the Diag of main: the child has its own. */
static bool load_in_child(FILE *out, void *user, Diag *diag)
{
    Dispatch *dispatch = user;
    dispatch->session->diag = diag;
    if (!load_stages(dispatch, diag))
        return false;
    stages_write(out, &dispatch->stages);
    return true;
}

/* Submitting runs another program, so this process is not confined and must not load assets. */
static bool load_isolated(Dispatch *dispatch, Diag *diag)
{
    const IsolatedLimits limits = {.stop = &stop_signal, .sandbox = SANDBOX_OFF};
    Bytes bytes;
    return isolated_run(&bytes, load_in_child, dispatch, &limits, dispatch->arena, diag) &&
           stages_load(&dispatch->stages, bytes, dispatch->arena, diag);
}

static bool prepare_stages(Dispatch *dispatch, Diag *diag)
{
    const Arguments *args = dispatch->args;
    const JobSource *source = &dispatch->session->source;
    if (!args->shards)
        return diag_fail(diag, DIAG_USAGE, "--shards N is required: the number of shards (1..%d)",
                         SHARD_MAX_COUNT);
    if (!shard_parse_count(&dispatch->stages.shards, args->shards, diag) ||
        !session_parse_job(dispatch->session))
        return false;
    if (source->path && !strcmp(source->path, "-"))
        return diag_fail(diag, DIAG_USAGE,
                         "the stages read the job themselves: expected a file instead of -");
    if (!(args->submit ? load_isolated(dispatch, diag) : load_stages(dispatch, diag)))
        return false;
    forward_arguments(dispatch);
    return true;
}

/* ---- scripts that submit to a scheduler ---- */

static bool locate_directory(Dispatch *dispatch, Diag *diag)
{
    char path[PATH_SIZE];
    if (!getcwd(path, sizeof path))
        return diag_fail(diag, DIAG_MISSING, "the current directory does not exist any more");
    dispatch->directory = arena_printf(dispatch->arena, "%s/", path);
    return true;
}

/* The stages run this program in the current directory. */
static bool locate_program(Dispatch *dispatch, Diag *diag)
{
    char path[PROGRAM_PATH_SIZE];
    if (!program_path(path))
        return diag_fail(diag, DIAG_INTERNAL, "/proc/self/exe: cannot read the program's path");
    dispatch->stages.program = arena_strdup(dispatch->arena, path);
    return locate_directory(dispatch, diag);
}

static bool submit_to(const Scheduler *scheduler, Session *s)
{
    const Arguments *args = s->given;
    Arena *arena = s->arena;
    Diag *diag = s->diag;
    Dispatch dispatch = {.session = s, .args = &s->args, .arena = arena};

    if (!strcmp(scheduler->name, "slurm")) /* before this process is confined */
        dispatch.stages.node_cores = slurm_node_cores(args->submit_options, arena);
    if (!locate_program(&dispatch, diag) || !prepare_stages(&dispatch, diag))
        return false;
    const SubmitOptions options = {dispatch.directory, args->submit_options};
    TextStream stream;
    FILE *out = text_stream_open(&stream, arena);
    bool good = submit_script_write(out, scheduler, &dispatch.stages, &options, arena, diag);
    const char *script = text_stream_close(&stream);
    if (good && args->submit)
        good = submit_script_run(s->out, script, arena, diag);
    else if (good)
        fputs(script, s->out);
    return good;
}

/* ---- Kubernetes ---- */

static bool submit_to_k8s(Session *s)
{
    const Arguments *args = s->given;
    Arena *arena = s->arena;
    Diag *diag = s->diag;
    Dispatch dispatch = {.session = s, .args = &s->args, .arena = arena, .stages.program = "odori"};
    const K8sOptions options = {
        .image = args->image,
        .claim = args->claim ? args->claim : "odori",
        .mount = args->mount ? args->mount : "/data",
    };
    if (!args->image)
        return diag_fail(diag, DIAG_USAGE,
                         "--image IMAGE is required: a container image that contains odori");
    return prepare_stages(&dispatch, diag) &&
           k8s_write(s->out, &dispatch.stages, &options, arena, diag);
}

/* ---- Open Job Description ---- */

/* The paths that a farm may map: the operands, -o, the checkpoint directory, and --assets after
 * all that may be below it. */
static OpenjdPaths list_paths(const Dispatch *dispatch)
{
    Arena *arena = dispatch->arena;
    const TextList *operands = &dispatch->args->operands;
    OpenjdPaths paths = {0};
    for (size_t i = 0; i < operands->count; i++)
        *arena_push(arena, &paths) =
            (OpenjdPath){operands->count == 1 ? "JobFile" : arena_printf(arena, "Input%zu", i + 1),
                         stage_path(dispatch, operands->items[i]), false, "IN"};
    if (dispatch->stages.output)
        *arena_push(arena, &paths) = (OpenjdPath){"Output", dispatch->stages.output, false, "OUT"};
    *arena_push(arena, &paths) =
        (OpenjdPath){"Checkpoint", dispatch->stages.checkpoint, true, "INOUT"};
    if (dispatch->args->assets)
        *arena_push(arena, &paths) =
            (OpenjdPath){"Assets", stage_path(dispatch, dispatch->args->assets), true, "IN"};
    return paths;
}

static bool submit_to_openjd(Session *s)
{
    const Arguments *args = s->given;
    Arena *arena = s->arena;
    Diag *diag = s->diag;
    Dispatch dispatch = {.session = s, .args = &s->args, .arena = arena, .stages.program = "odori"};
    TextStream stream;
    if (!locate_directory(&dispatch, diag) || !prepare_stages(&dispatch, diag))
        return false;
    const OpenjdJob job = {.stages = &dispatch.stages,
                           .paths = list_paths(&dispatch),
                           .directory = args->bundle ? NULL : dispatch.directory,
                           .timeout_s = dispatch.timeout_s,
                           .inputs = dispatch.inputs.items,
                           .input_count = dispatch.inputs.count,
                           .directories = dispatch.output_directories.items,
                           .directory_count = dispatch.output_directories.count};
    if (args->bundle)
        return openjd_save_bundle(args->bundle, &job, args->overwrite, s->progress, arena, diag);
    const bool good = openjd_write(text_stream_open(&stream, arena), &job, arena, diag);
    const char *text = text_stream_close(&stream);
    if (good)
        fputs(text, s->out);
    return good;
}

/* ---- any of them ---- */

/* The flags that only some of them have. */
static bool check_scheduler_flags(const Arguments *args, Diag *diag)
{
    const struct {
        bool given;
        const char *flags, *to; /* NULL: the schedulers with a script */
    } rows[] = {
        {args->submit || args->submit_options, "--submit and --options", NULL},
        {args->image || args->claim || args->mount, "--image, --claim and --mount", "k8s"},
        {args->bundle || args->overwrite, "--bundle and --overwrite", "openjd"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const bool fits = rows[i].to ? !strcmp(args->scheduler, rows[i].to)
                                     : scheduler_find(args->scheduler)->command != NULL;
        if (rows[i].given && !fits)
            return diag_fail(diag, DIAG_USAGE, "%s do not go with --to %s", rows[i].flags,
                             args->scheduler);
    }
    return true;
}

bool verb_submit(Session *s)
{
    const Arguments *args = s->given;
    if (!args->scheduler)
        return diag_fail(s->diag, DIAG_USAGE,
                         "--to SCHEDULER is required: %s ...; see 'odori help submit'",
                         scheduler_names[0]);
    if (!check_scheduler_flags(args, s->diag))
        return false;
    const Scheduler *scheduler = scheduler_find(args->scheduler);
    return scheduler->command                ? submit_to(scheduler, s)
           : !strcmp(args->scheduler, "k8s") ? submit_to_k8s(s)
                                             : submit_to_openjd(s);
}
