// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "cli/serve/serve_scene.h"
#include "cli/session.h"
#include "cli/stop.h"
#include "demo/demo.h"
#include "film/shard.h"
#include "job/job_visit.h"
#include "output/sink.h"
#include "run/checkpoint/checkpoint_files.h"
#include "run/checkpoint/written_files.h"
#include "run/pipeline/bake_run.h"
#include "run/pipeline/preview.h"
#include "run/pipeline/render_job.h"
#include "sandbox/isolated.h"

/* ---- the report of --times ---- */

static void print_stage(FILE *out, const char *mark, const char *name, double seconds,
                        int64_t frames)
{
    fprintf(out, "  %s%-*s %8.2f ms/frame\n", mark, 10 - (int)strlen(mark), name,
            frames ? seconds * 1e3 / (double)frames : 0.0);
}

static void print_pass_time(FILE *out, double seconds, uint32_t frames)
{
    if (frames)
        fprintf(out, "%11.2f", seconds * 1e3 / frames);
    else
        fprintf(out, "%11s", "-");
}

static void print_passes(FILE *out, const RenderReport *report)
{
    bool any = false;
    for (size_t i = 0; i < report->pass_count; i++) {
        const FxPassTime *time = &report->passes[i];
        if (!time->frames && !time->compile_frames)
            continue;
        if (!any)
            fprintf(out, "passes of effects, ms of a frame; of a worker's first, which compiles\n");
        any = true;
        print_pass_time(out, time->s, time->frames);
        print_pass_time(out, time->compile_s, time->compile_frames);
        fprintf(out, "  %s\n", report->pass_names[i]);
    }
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
    print_passes(out, report);
    if (report->respawned)
        fprintf(out, "%d workers died and were replaced\n", report->respawned);
}

/* ---- options of a run ---- */

static bool read_mode(CheckpointMode *mode, const Arguments *args, Diag *diag)
{
    if (args->overwrite && args->no_clobber)
        return diag_fail(diag, DIAG_USAGE, "--overwrite and --no-clobber are mutually exclusive");
    if (args->fresh && (args->overwrite || args->no_clobber || args->shard))
        return diag_fail(diag, DIAG_USAGE, "--fresh and %s are mutually exclusive",
                         args->overwrite    ? "--overwrite"
                         : args->no_clobber ? "--no-clobber"
                                            : "--shard");
    *mode = args->overwrite    ? CHECKPOINT_OVERWRITE
            : args->fresh      ? CHECKPOINT_FRESH
            : args->no_clobber ? CHECKPOINT_NO_CLOBBER
                               : CHECKPOINT_RESUME;
    return true;
}

static bool parse_stalled_runs(int *count, const char *text, Diag *diag)
{
    int64_t value = 0;
    if (text && (!text_to_int64(&value, text) || value < 1 || value > 1000))
        return diag_fail(diag, DIAG_USAGE,
                         "--max-stalled-runs: '%s' is not a number of runs (1..1000)", text);
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

static bool prints_job(const Arguments *args)
{
    return args->dump_config || args->print_job;
}

/* A pipe is written once, in the order of the frames: nothing can be resumed, shared or kept. */
static bool check_standard_output(const Arguments *args, Diag *diag)
{
    const struct {
        bool given;
        const char *flag;
    } refused[] = {{args->shard, "--shard"},
                   {args->state, "--state"},
                   {args->no_clobber, "--no-clobber"},
                   {args->max_stalled_runs, "--max-stalled-runs"}};
    if (!args->output || strcmp(args->output, FILE_STDOUT) != 0 || prints_job(args))
        return true;
    if (args->json)
        return diag_fail(diag, DIAG_USAGE,
                         "--json cannot be combined with -o -, which writes the film to standard "
                         "output; --progress json writes to standard error");
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

/* Renders the job that the session describes; with --dump-config or --print-job prints it. */
static bool render(Session *s)
{
    const Arguments *args = s->given;
    const int server = serve_scene_take_socket();
    CheckpointOptions options;

    if (prints_job(args))
        s->needs &= ~(unsigned)(VERB_DRAWS | VERB_OUTPUT | VERB_WRITES);
    if (!read_run_options(&options, args, s->diag) || !session_load_job(s))
        return false;
    if (args->dump_config)
        job_write(s->out, &s->job);
    else if (args->print_job)
        verb_write_job(s);
    if (prints_job(args))
        return true;
    if (server >= 0)
        return serve_scene(s, &options, server);
    if (!render_job(&s->report, &s->job, &options, args->times ? s->arena : NULL, s->progress,
                    s->diag))
        return false;
    if (args->times && s->progress->mode != PROGRESS_JSON)
        print_times(stderr, &s->report);
    return true;
}

bool render_loaded(Session *s, WarmFilm *warm, const CheckpointOptions *options)
{
    if (warm_film_is_still(warm))
        session_limit_frame(s);
    return render_job_warm(&s->report, warm, options, s->progress, s->diag);
}

bool render_warm(Session *s, const Session *entered, WarmFilm *warm, int32_t *unfit)
{
    CheckpointOptions options;
    FilmView view;
    bool kept;
    *unfit = 0;
    if (!read_run_options(&options, s->given, s->diag) || !session_continue(s, entered))
        return false;
    if (!warm_film_fits(&view, warm, &s->job, &stop_signal)) {
        *unfit = SCENE_MISFIT;
        return false;
    }
    const bool changed = warm_film_change(warm, &kept, &s->job, view, s->arena, s->diag);
    if (changed && !kept)
        *unfit = SCENE_PLAIN;
    return changed && kept && render_loaded(s, warm, &options);
}

bool verb_render(Session *s)
{
    return check_standard_output(s->given, s->diag) && render(s);
}

/* "out/demo" beside "out/demo.mp4" */
static const char *demo_directory_beside(const char *output, Arena *arena)
{
    const char *name = path_name(output), *dot = strrchr(name, '.');
    if (!dot || dot == name)
        return arena_printf(arena, "%s-assets", output);
    return arena_strndup(arena, output, (size_t)(dot - output));
}

/* IsolatedWork; user: the session.  The record of files that were written before is parsed, so this
 * process can write in the directory of the demo only.  Nothing is generated for a job that cannot
 * be loaded, which main reports. */
static bool write_confined(FILE *out, void *user, Diag *diag)
{
    Session *s = user;
    const char *directory = path_directory(s->source.path, s->arena);
    (void)out;
    sandbox_session_write_below(&s->sandbox, directory);
    if (!sandbox_session_enter(&s->sandbox, diag))
        return false;
    const WrittenFiles *written = written_files_load(
        checkpoint_directory_beside(s->source.path, s->arena), s->args.overwrite, NULL, s->arena);
    const FileApproval *approval = written_files_approval(written);
    Diag trial = diag_quiet();
    const bool good = demo_write_job(directory, approval, s->arena, diag) &&
                      (!job_load(&s->job, &s->source, s->arena, &trial) ||
                       demo_write(directory, approval, s->arena, diag));
    sandbox_session_end(&s->sandbox);
    return good;
}

/* Writes the demo's model, motions, tune and job, and selects that job. */
static bool write_demo(Session *s, const char *directory)
{
    const IsolatedLimits limits = {.stop = &stop_signal, .sandbox = SANDBOX_OFF};
    Bytes none;
    if (!directory)
        directory = demo_directory_beside(s->source.output, s->arena);
    s->source.path = arena_printf(s->arena, "%s/" DEMO_JOB, directory);
    return session_restrict(s) &&
           isolated_run(&none, write_confined, s, &limits, s->arena, s->diag);
}

/* Unknown formats, and files of others, here those without any record, are refused before the demo
 * is generated. */
static bool check_new_film(const Session *s)
{
    const Arguments *args = s->given;
    const char *file = s->source.output;
    struct stat st;
    if (prints_job(args))
        return true;
    return sink_find(file, s->source.output_format, s->diag) &&
           (args->state || stat(checkpoint_directory_beside(file, s->arena), &st) == 0 ||
            file_check_new(file, args->overwrite, s->diag));
}

bool verb_demo(Session *s)
{
    Arguments *args = &s->args;
    CheckpointOptions options;
    const char *directory = args->demo_dir;
    if (args->operands.count)
        return diag_fail(s->diag, DIAG_USAGE, "demo takes no operand; unexpected argument '%s'",
                         args->operands.items[0]);
    if (!args->output)
        args->output = "out/demo.mp4";
    if (!directory && !strcmp(args->output, FILE_STDOUT))
        directory = "out/demo";
    return check_standard_output(args, s->diag) && read_run_options(&options, args, s->diag) &&
           session_parse_job(s) && check_new_film(s) && write_demo(s, directory) && render(s);
}

bool verb_join(Session *s)
{
    const Arguments *args = s->given;
    CheckpointOptions options = {
        .directory = args->state, .shard = {1, 1}, .max_stalled_runs = -1, .stop = &stop_signal};

    if (args->output && !strcmp(args->output, FILE_STDOUT))
        return diag_fail(s->diag, DIAG_USAGE, "join cannot write to standard output; render can");
    return read_mode(&options.mode, args, s->diag) && session_load_job(s) &&
           render_job_join(&s->job, &options, s->progress, s->diag);
}

bool verb_preview(Session *s)
{
    const Arguments *args = s->given;
    PreviewOptions options = {.output = args->output,
                              .summary = args->summary,
                              .by_scene = args->looks,
                              .overwrite = args->overwrite};
    sandbox_session_write(&s->sandbox, options.output);
    sandbox_session_write(&s->sandbox, options.summary);
    sandbox_session_add_fonts(&s->sandbox);
    if (!options.output)
        s->own_output = args->looks ? preview_looks_file : preview_default_file;
    if (!session_load_job(s))
        return false;
    options.problems = s->problems;
    return preview_run(&s->job, &options, s->progress, &stop_signal, s->arena, s->diag);
}

bool verb_bake(Session *s)
{
    const Arguments *args = s->given;
    const CheckpointOptions options = {
        .directory = args->state, .max_stalled_runs = -1, .stop = &stop_signal};

    if (args->output)
        s->needs &= ~(unsigned)VERB_OUTPUT;
    sandbox_session_write(&s->sandbox, args->output);
    if (!session_load_job(s))
        return false;
    return args->output ? bake_run(&s->job, args->output, args->overwrite, s->progress,
                                   &stop_signal, s->arena, s->diag)
                        : bake_run_checkpoint(&s->job, &options, s->progress, &stop_signal,
                                              s->arena, s->diag);
}
