#include "cli/verbs.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/process_memory.h"
#include "base/text.h"
#include "cli/confinement.h"
#include "cli/job_arguments.h"
#include "cli/stop.h"
#include "film/shard.h"
#include "job/option_dump.h"
#include "run/pipeline/bake_run.h"
#include "run/pipeline/demo_run.h"
#include "run/pipeline/preview.h"
#include "run/pipeline/render_job.h"

/* ---- the report of --times ---- */

static void print_stage(FILE *out, const char *mark, const char *name, double seconds,
                        int64_t frames)
{
    fprintf(out, "  %s%-*s %8.2f ms/frame\n", mark, 10 - (int)strlen(mark), name,
            frames ? seconds * 1e3 / (double)frames : 0.0);
}

static void print_times(FILE *out, const RenderReport *report)
{
    const int64_t n = report->frames;
    fprintf(out, "CPU time, %d worker%s; first frame after %.2f s\n", report->workers,
            report->workers == 1 ? "" : "s", report->first_frame_s);
    for (int i = 0; i < FRAME_STAGES; i++) {
        const bool is_part = i >= STAGE_UPLOAD && i <= STAGE_OTHER;
        if (i == STAGE_UPLOAD)
            print_stage(out, "", "draw", frame_times_draw_s(&report->times), n);
        print_stage(out, is_part ? "- " : "", frame_stage_names[i], report->times.s[i], n);
    }
    if (report->respawned)
        fprintf(out, "%d workers died and were replaced\n", report->respawned);
}

/* ---- options of a run ---- */

static bool read_mode(CheckpointMode *mode, const Arguments *args, Diag *diag)
{
    if (args->resume + args->overwrite + args->no_clobber > 1)
        return diag_fail(diag, DIAG_USAGE,
                         "--resume, --overwrite and --no-clobber are mutually exclusive");
    *mode = args->overwrite    ? CHECKPOINT_OVERWRITE
            : args->no_clobber ? CHECKPOINT_NO_CLOBBER
                               : CHECKPOINT_RESUME;
    return true;
}

static bool parse_stalled_runs(int *count, const char *text, Diag *diag)
{
    int64_t value = 0;
    if (text && (!text_to_int64(&value, text) || value < 1 || value > 1000))
        return diag_fail(diag, DIAG_USAGE, "--give-up: '%s' is not a number of runs (1..1000)",
                         text);
    *count = (int)value;
    return true;
}

static bool read_run_options(CheckpointOptions *options, const Arguments *args, Diag *diag)
{
    *options = (CheckpointOptions){.directory = args->state,
                                   .shard = {1, 1},
                                   .accept_renderer = args->accept_renderer,
                                   .stop = &stop_signal};
    return read_mode(&options->mode, args, diag) &&
           parse_stalled_runs(&options->max_stalled_runs, args->max_stalled_runs, diag) &&
           (!args->shard || shard_parse(&options->shard, args->shard, diag));
}

/* ---- the verbs ---- */

/* Loads the job and announces its name and limits. */
static bool load_for_run(Job *job, const JobSource *source, Progress *progress, Arena *arena,
                         Diag *diag)
{
    if (!job_load(job, source, arena, diag))
        return false;
    progress->job = job->name;
    apply_limits(&job->limits);
    return true;
}

/* The files of a job that is rendered: also of its checkpoint, and one of the verb itself. */
static bool confine_run(Confinement *sandbox, Job *job, const Arguments *args, const char *file,
                        Diag *diag)
{
    if (args->state)
        confinement_write_below(sandbox, args->state);
    return confinement_enter_job(sandbox, job, file, true, diag);
}

static bool render_source(Progress *progress, const JobSource *source, const Arguments *args,
                          Arena *arena, Diag *diag)
{
    Job job;
    RenderReport report = {0};
    CheckpointOptions options;
    Confinement sandbox;

    if (!read_run_options(&options, args, diag) ||
        !confinement_begin(&sandbox, args, !args->dump_config, arena, diag) ||
        !load_for_run(&job, source, progress, arena, diag))
        return false;
    if (args->dump_config) {
        option_dump(stdout, &job);
        return true;
    }
    const bool good = confinement_end(
        &sandbox, confine_run(&sandbox, &job, args, NULL, diag) &&
                      render_job(&report, &job, &options, args->times, progress, diag));
    if (good && args->times && progress->mode != PROGRESS_JSON)
        print_times(stderr, &report);
    return good;
}

static bool film_source_init(JobSource *source, Arguments *args, Arena *arena, Diag *diag)
{
    if (!set_keys(args, false, arena, diag) || !job_source_init(source, args, arena, diag))
        return false;
    if (source->file_count && !args->output && !args->dump_config)
        return diag_fail(diag, DIAG_USAGE, "-o FILE is required without a job file");
    source->needs_output = !args->dump_config;
    return true;
}

/* A pipe is written once, in the order of the frames: nothing can be resumed, shared or kept. */
static bool check_standard_output(const Arguments *args, Diag *diag)
{
    const struct {
        bool given;
        const char *flag;
    } refused[] = {{args->shard, "--shard"},
                   {args->state, "--state"},
                   {args->resume, "--resume"},
                   {args->no_clobber, "--no-clobber"},
                   {args->max_stalled_runs, "--give-up"}};
    if (!args->output || strcmp(args->output, FILE_STDOUT) != 0 || args->dump_config)
        return true;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (refused[i].given)
            return diag_fail(diag, DIAG_USAGE,
                             "%s cannot be combined with -o -, which is written once and without a "
                             "checkpoint",
                             refused[i].flag);
    return !isatty(STDOUT_FILENO) ||
           diag_fail(diag, DIAG_USAGE,
                     "-o -: standard output is a terminal; redirect it to a file or to a program");
}

bool verb_render(Progress *progress, const Arguments *given, Arena *arena, Diag *diag)
{
    Arguments args = *given;
    JobSource source;
    return check_standard_output(&args, diag) && film_source_init(&source, &args, arena, diag) &&
           render_source(progress, &source, &args, arena, diag);
}

bool verb_join(Progress *progress, const Arguments *given, Arena *arena, Diag *diag)
{
    Arguments args = *given;
    JobSource source;
    Job job;
    Confinement sandbox;
    CheckpointOptions options = {
        .directory = args.state, .shard = {1, 1}, .max_stalled_runs = -1, .stop = &stop_signal};

    if (args.output && !strcmp(args.output, FILE_STDOUT))
        return diag_fail(diag, DIAG_USAGE, "join cannot write to standard output; render can");
    return read_mode(&options.mode, &args, diag) && film_source_init(&source, &args, arena, diag) &&
           confinement_begin(&sandbox, &args, true, arena, diag) &&
           load_for_run(&job, &source, progress, arena, diag) &&
           confinement_end(&sandbox, confine_run(&sandbox, &job, &args, NULL, diag) &&
                                         render_job_join(&job, &options, progress, diag));
}

bool verb_preview(Progress *progress, const Arguments *given, Arena *arena, Diag *diag)
{
    ProblemList *problems = observe_problems(arena, diag);
    const PreviewOptions options = {.output = given->output,
                                    .summary = given->summary,
                                    .problems = problems,
                                    .overwrite = given->overwrite};
    Arguments args = *given;
    JobSource source;
    Job job;
    Confinement sandbox;

    args.output = NULL; /* keeps the outputs of the job: a contact sheet is written beside them */
    if (!set_keys(&args, true, arena, diag) || !job_source_init(&source, &args, arena, diag) ||
        !confinement_begin(&sandbox, &args, true, arena, diag) ||
        !load_for_run(&job, &source, progress, arena, diag))
        return false;
    if (args.no_physics)
        disable_physics(&job);
    if (!options.output)
        confinement_write(&sandbox, preview_default_file(&job, arena));
    confinement_write(&sandbox, options.output);
    confinement_add_fonts(&sandbox);
    return confinement_end(&sandbox,
                           confine_run(&sandbox, &job, &args, options.summary, diag) &&
                               preview_run(&job, &options, progress, &stop_signal, arena, diag));
}

bool verb_demo(Progress *progress, const Arguments *given, Arena *arena, Diag *diag)
{
    Arguments args = *given;
    JobSource source;
    if (args.operands.count)
        return diag_fail(diag, DIAG_USAGE, "demo takes no operand; unexpected argument '%s'",
                         args.operands.items[0]);
    if (!args.output)
        args.output = args.hall ? "out/hall.mp4" : "out/demo.mp4";
    if (!args.assets && !strcmp(args.output, FILE_STDOUT))
        args.assets = "out/demo";
    if (!check_standard_output(&args, diag) || !set_keys(&args, false, arena, diag) ||
        !job_source_init(&source, &args, arena, diag))
        return false;
    source.needs_output = true;
    return demo_prepare(&source, args.assets, args.hall, args.overwrite, arena, diag) &&
           render_source(progress, &source, &args, arena, diag);
}

bool verb_bake(Progress *progress, const Arguments *given, Arena *arena, Diag *diag)
{
    const CheckpointOptions options = {
        .directory = given->state, .max_stalled_runs = -1, .stop = &stop_signal};
    Arguments args = *given;
    JobSource source;
    Job job;
    Confinement sandbox;

    if (!set_keys(&args, false, arena, diag) || !job_source_init(&source, &args, arena, diag))
        return false;
    source.output = NULL;
    source.needs_output = !args.output;
    if (!confinement_begin(&sandbox, &args, false, arena, diag) ||
        !load_for_run(&job, &source, progress, arena, diag))
        return false;
    bool good = confine_run(&sandbox, &job, &args, args.output, diag);
    if (good && args.output)
        good = bake_run(&job, args.output, args.overwrite, progress, &stop_signal, arena, diag);
    else if (good)
        good = bake_run_checkpoint(&job, &options, progress, &stop_signal, arena, diag);
    return confinement_end(&sandbox, good);
}
