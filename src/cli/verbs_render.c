#include "cli/verbs_render.h"

#include <stdio.h>

#include "base/process_memory.h"
#include "base/text.h"
#include "cli/stop.h"
#include "pipeline/bake_run.h"
#include "pipeline/demo_run.h"
#include "pipeline/join.h"
#include "job/option_read.h"
#include "job/option_text.h"
#include "pipeline/preview.h"
#include "pipeline/render_job.h"
#include "film/shard.h"

bool source_find(JobSource *source, const Arguments *args, Diag *diag)
{
    const Texts *files = &args->files;
    *source = (JobSource){.sets = args->sets.items,
                          .set_count = args->sets.count,
                          .flags = args->keys.items,
                          .flag_count = args->keys.count,
                          .output = args->output};
    if (!job_is_job_name(files->items[0])) {
        source->files = files->items;
        source->file_count = files->count;
        return true;
    }
    source->path = files->items[0];
    if (files->count > 1)
        return diag_fail(diag, DIAG_USAGE, "%s: one job file is enough; the first is %s",
                         files->items[1], files->items[0]);
    return true;
}

bool use_frames(Arguments *args, Arena *arena, Diag *diag)
{
    JobFrames frames;
    if (!args->frames)
        return true;
    if (!option_parse_frames(&frames, args->frames, arena))
        return diag_fail(diag, DIAG_USAGE,
                         "--frames: '%s' is not all or rising ranges like 0-1799 or 0-99,400-499",
                         args->frames);
    *arena_push(arena, &args->keys) =
        (JobFlag){"--frames", arena_printf(arena, "render.frames=%s", args->frames)};
    return true;
}

/* What a run may take, from now on. */
static void set_limits(const JobLimits *limits)
{
    process_memory_bound(limits->memory_mib);
    stop_after(limits->total_timeout_s);
}

/* ---- what a run did ---- */

static void put_ms(FILE *out, const char *name, double seconds, int64_t frames)
{
    fprintf(out, "  %-10s %8.2f ms a frame\n", name, frames ? seconds * 1e3 / (double)frames : 0.0);
}

static void put_report(FILE *out, const RenderReport *report)
{
    const int64_t n = report->frames;
    fprintf(out, "CPU time, %d worker%s; first frame after %.2f s\n", report->workers,
            report->workers == 1 ? "" : "s", report->first_frame_s);
    put_ms(out, "evaluate", report->evaluate_s, n);
    put_ms(out, "draw", report->draw_s, n);
    put_ms(out, "- upload", report->upload_s, n);
    put_ms(out, "- skin", report->skin_s, n);
    put_ms(out, "- clear", report->clear_s, n);
    put_ms(out, "- shadow", report->shadow_s, n);
    put_ms(out, "- surface", report->surface_s, n);
    put_ms(out, "- edge", report->edge_s, n);
    put_ms(out, "- resolve", report->resolve_s, n);
    put_ms(out, "- read", report->read_s, n);
    put_ms(out, "write", report->write_s, n);
    put_ms(out, "encode", report->encode_s, n);
    if (report->respawned)
        fprintf(out, "%d workers died and were replaced\n", report->respawned);
}

/* ---- what is done already ---- */

static bool find_mode(CheckpointMode *mode, const Arguments *args, Diag *diag)
{
    if (args->resume + args->overwrite + args->no_clobber > 1)
        return diag_fail(diag, DIAG_USAGE,
                         "--resume, --overwrite and --no-clobber exclude each other");
    *mode = args->overwrite    ? CHECKPOINT_OVERWRITE
            : args->no_clobber ? CHECKPOINT_NO_CLOBBER
                               : CHECKPOINT_RESUME;
    return true;
}

static bool find_give_up(int *count, const char *text, Diag *diag)
{
    int64_t value = 0;
    if (text && (!text_to_int64(&value, text) || value < 1 || value > 1000))
        return diag_fail(diag, DIAG_USAGE, "--give-up: '%s' is not a number of runs (1..1000)",
                         text);
    *count = (int)value;
    return true;
}

static bool find_run_options(RenderJobOptions *options, const Arguments *args, Diag *diag)
{
    *options = (RenderJobOptions){
        .time_stages = args->times, .checkpoint_folder = args->state, .shard = {1, 1}};
    return find_mode(&options->mode, args, diag) &&
           find_give_up(&options->max_stalled_runs, args->max_stalled_runs, diag) &&
           (!args->shard || shard_read(&options->shard, args->shard, diag));
}

/* ---- render, join, demo ---- */

static bool render_source(Progress *progress, const JobSource *source, const Arguments *args,
                          Arena *arena, Diag *diag)
{
    Job job;
    RenderReport report;
    RenderJobOptions options;

    if (!find_run_options(&options, args, diag) || !job_load(&job, source, arena, diag))
        return false;
    progress->job = job.name;
    if (args->dump_config) {
        option_dump(stdout, &job);
        return true;
    }
    set_limits(&job.limits);
    const bool good = render_job(&report, &job, &options, progress, &stop_signal, diag);
    if (good && args->times && progress->mode != PROGRESS_JSON)
        put_report(stderr, &report);
    return good;
}

static bool find_film(JobSource *source, Arguments *args, Arena *arena, Diag *diag)
{
    if (!use_frames(args, arena, diag) || !source_find(source, args, diag))
        return false;
    if (source->file_count && !args->output && !args->dump_config)
        return diag_fail(diag, DIAG_USAGE, "-o FILE is needed when there is no job file");
    source->needs_output = !args->dump_config;
    return true;
}

bool verb_render(Progress *progress, const Arguments *given, Arena *arena, Diag *diag)
{
    Arguments args = *given;
    JobSource source;
    return find_film(&source, &args, arena, diag) &&
           render_source(progress, &source, &args, arena, diag);
}

bool verb_join(Progress *progress, const Arguments *given, Arena *arena, Diag *diag)
{
    Arguments args = *given;
    JobSource source;
    Job job;
    CheckpointOptions options = {
        .folder = args.state, .shard = {1, 1}, .max_stalled_runs = -1, .stop = &stop_signal};

    if (!find_mode(&options.mode, &args, diag) || !find_film(&source, &args, arena, diag) ||
        !job_load(&job, &source, arena, diag))
        return false;
    progress->job = job.name;
    set_limits(&job.limits);
    return join_run(&job, &options, progress, &stop_signal, diag);
}

bool verb_preview(Progress *progress, const Arguments *given, Arena *arena, Diag *diag)
{
    const PreviewOptions options = {.output = given->output, .summary = given->summary};
    Arguments args = *given;
    JobSource source;
    Job job;

    args.output = NULL; /* the job's outputs stay as they are: a sheet goes beside them */
    if (!use_frames(&args, arena, diag) || !source_find(&source, &args, diag) ||
        !job_load(&job, &source, arena, diag))
        return false;
    progress->job = job.name;
    for (size_t i = 0; args.no_physics && i < job.model_count; i++)
        job.models[i].physics = false;
    if (args.no_physics)
        job.cloth_count = 0;
    set_limits(&job.limits);
    return preview_run(&job, &options, progress, &stop_signal, arena, diag);
}

bool verb_demo(Progress *progress, const Arguments *given, Arena *arena, Diag *diag)
{
    Arguments args = *given;
    if (!args.resume && !args.no_clobber)
        args.overwrite = true; /* of another version of the program, maybe */
    if (args.files.count)
        return diag_fail(diag, DIAG_USAGE, "demo takes no file ('%s')", args.files.items[0]);
    if (!use_frames(&args, arena, diag))
        return false;
    JobSource source = {.sets = args.sets.items,
                        .set_count = args.sets.count,
                        .flags = args.keys.items,
                        .flag_count = args.keys.count,
                        .output = args.output ? args.output : "out/demo.mp4",
                        .needs_output = true};
    return demo_prepare(&source, args.assets, arena, diag) &&
           render_source(progress, &source, &args, arena, diag);
}

bool verb_bake(Progress *progress, const Arguments *given, Arena *arena, Diag *diag)
{
    const CheckpointOptions options = {
        .folder = given->state, .max_stalled_runs = -1, .stop = &stop_signal};
    Arguments args = *given;
    JobSource source;
    Job job;

    if (!use_frames(&args, arena, diag) || !source_find(&source, &args, diag))
        return false;
    source.output = NULL;
    source.needs_output = !args.output;
    if (!job_load(&job, &source, arena, diag))
        return false;
    progress->job = job.name;
    set_limits(&job.limits);
    return args.output ? bake_run(&job, args.output, progress, &stop_signal, arena, diag)
                       : bake_run_state(&job, &options, progress, &stop_signal, arena, diag);
}
