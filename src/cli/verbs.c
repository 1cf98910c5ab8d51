#include "cli/verbs.h"

#include <string.h>

#include "base/path.h"
#include "base/text.h"
#include "cli/help.h"
#include "cli/stop.h"
#include "job/check.h"
#include "job/demo_run.h"
#include "job/info.h"
#include "job/job.h"
#include "job/option_read.h"
#include "job/option_text.h"
#include "job/options.h"
#include "job/pose_run.h"
#include "job/run.h"
#include "job/version.h"

/* ---- what a verb works on ---- */

/* One job file, or models, motions and a sound instead. */
static bool find_source(JobSource *source, const Args *args, Diag *diag)
{
    const Texts *files = &args->files;
    *source = (JobSource){
        .sets = args->sets.items, .set_count = args->sets.count, .output = args->output};
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

/* --frames of a render is a key of the job; it is looked at first, for a message of its own. */
static bool use_frames(Args *args, Arena *arena, Diag *diag)
{
    JobFrames frames;
    if (!args->frames)
        return true;
    if (!option_parse_frames(&frames, args->frames, arena))
        return diag_fail(diag, DIAG_USAGE,
                         "--frames: '%s' is not all or rising ranges like 0-1799 or 0-99,400-499",
                         args->frames);
    *arena_push(arena, &args->sets) = arena_printf(arena, "render.frames=%s", args->frames);
    return true;
}

/* ---- render, demo ---- */

static void put_ms(FILE *out, const char *name, double seconds, int64_t frames)
{
    fprintf(out, "  %-10s %8.2f ms a frame\n", name, frames ? seconds * 1e3 / (double)frames : 0.0);
}

static void put_report(FILE *out, const RunReport *report)
{
    const int64_t n = report->frames;
    fprintf(out, "CPU time, %d worker%s; first frame after %.2f s\n", report->workers,
            report->workers == 1 ? "" : "s", report->first_frame_s);
    put_ms(out, "evaluate", report->evaluate_s, n);
    put_ms(out, "draw", report->draw_s, n);
    put_ms(out, "- upload", report->upload_s, n);
    put_ms(out, "- skin", report->skin_s, n);
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

static bool render_source(Progress *progress, const JobSource *source, const Args *args,
                          Arena *arena, Diag *diag)
{
    Job job;
    RunReport report;
    const RunOptions options = {.time_stages = args->times};

    if (!job_load(&job, source, arena, diag))
        return false;
    progress->job = job.name;
    if (args->dump_config) {
        option_dump(stdout, &job);
        return true;
    }
    const bool good = run_render(&report, &job, &options, progress, &stop_signal, diag);
    if (good && args->times && progress->mode != PROGRESS_JSON)
        put_report(stderr, &report);
    return good;
}

static bool run_render_verb(Progress *progress, const Args *given, Arena *arena, Diag *diag)
{
    Args args = *given;
    JobSource source;
    bool good = use_frames(&args, arena, diag) && find_source(&source, &args, diag);

    if (good && source.file_count && !args.output && !args.dump_config)
        good = diag_fail(diag, DIAG_USAGE, "-o FILE is needed when there is no job file");
    source.needs_output = !args.dump_config;
    good = good && render_source(progress, &source, &args, arena, diag);
    return good;
}

static bool run_demo(Progress *progress, const Args *given, Arena *arena, Diag *diag)
{
    Args args = *given;
    if (args.files.count)
        return diag_fail(diag, DIAG_USAGE, "demo takes no file ('%s')", args.files.items[0]);
    if (!use_frames(&args, arena, diag))
        return false;
    JobSource source = {.sets = args.sets.items,
                        .set_count = args.sets.count,
                        .output = args.output ? args.output : "out/demo.mp4",
                        .needs_output = true};
    return demo_prepare(&source, args.assets, arena, diag) &&
           render_source(progress, &source, &args, arena, diag);
}

/* ---- check, pose, info ---- */

static bool run_check(Progress *progress, const Args *args, Arena *arena, Diag *diag)
{
    JobSource source;
    (void)progress;
    (void)arena;
    if (!find_source(&source, args, diag))
        return false;
    source.needs_output = source.path != NULL;
    return check_job(stdout, &source, args->json, diag);
}

static bool run_pose(Progress *progress, const Args *args, Arena *arena, Diag *diag)
{
    const PoseOptions options = {args->frames, args->model, args->vertices};
    JobSource source;
    Job job;
    (void)progress;

    if (!args->frames)
        return diag_fail(diag, DIAG_USAGE, "--frames is needed, like 0:300:15,10.5");
    if (!find_source(&source, args, diag))
        return false;
    bool good = job_load(&job, &source, arena, diag);
    for (size_t i = 0; good && args->no_physics && i < job.model_count; i++)
        job.models[i].physics = false;
    good = good && pose_run(stdout, &job, &options, diag);
    return good;
}

static bool run_info(Progress *progress, const Args *args, Arena *arena, Diag *diag)
{
    const InfoOptions options = {.json = args->json, .names = args->names};
    bool good = true;
    (void)progress;
    (void)arena;
    for (size_t i = 0; i < args->files.count; i++)
        good &= info_write(stdout, args->files.items[i], &options, diag);
    return good;
}

/* ---- schema, help, version ---- */

static bool run_schema(Progress *progress, const Args *args, Arena *arena, Diag *diag)
{
    (void)args;
    (void)progress;
    (void)arena;
    (void)diag;
    option_schema(stdout);
    return true;
}

static bool run_help(Progress *progress, const Args *args, Arena *arena, Diag *diag)
{
    const char *topic = args->files.count ? args->files.items[0] : NULL;
    const Verb *verb = topic ? verb_find(verbs, topic) : NULL;
    (void)progress;
    (void)arena;
    if (args->markdown)
        option_markdown(stdout);
    else if (args->man)
        help_put_manual(stdout, verbs);
    else if (!topic)
        help_put_usage(stdout, verbs);
    else if (verb)
        help_put_verb(stdout, verb);
    else if (!option_help(stdout, topic))
        return diag_fail(diag, DIAG_USAGE, "'%s' is neither a verb nor a key of a job", topic);
    return true;
}

static bool run_version(Progress *progress, const Args *args, Arena *arena, Diag *diag)
{
    (void)progress;
    (void)arena;
    (void)diag;
    version_put(stdout, args->json);
    return true;
}

#define JOB_OR_FILES "JOB | MODEL MOTION... [SOUND]"
#define FILES_HELP                                                                                 \
    "\nInstead of a job file there may be models (.pmx, .pmd), each followed by its motions and\n" \
    "poses (.vmd, .vpd), a camera motion and a sound (.wav, .flac, .ogg, .mp3, .m4a).\n"
#define RENDER_FLAGS \
    "output set frames workers gl shader-dir progress verbose strict times dump-config"

const Verb verbs[] = {
    {"render", JOB_OR_FILES " [-o FILE] [--set KEY=VALUE]...", "draw the whole job", FILES_HELP, 1,
     RENDER_FLAGS, true, run_render_verb},
    {"check", JOB_OR_FILES " [--json]", "open every asset, report every problem, draw nothing",
     FILES_HELP, 1, "output set strict json gl", false, run_check},
    {"info", "FILE... [--json]", "facts about models, motions, poses, pictures and sounds", "", 1,
     "json names strict", false, run_info},
    {"pose", JOB_OR_FILES " --frames LIST", "evaluated frames as JSON: bones, morphs, camera",
     FILES_HELP, 1, "frames model no-physics vertices set strict gl", false, run_pose},
    {"demo", "[-o out/demo.mp4] [--assets DIR]",
     "make the built-in figure, dance and tune, and draw them",
     "\nThe model, motions, tune and job file are left in DIR, which is out/demo for "
     "out/demo.mp4.\n",
     0, "assets " RENDER_FLAGS, true, run_demo},
    {"schema", "", "JSON Schema of the job file, for editors", "", 0, "", false, run_schema},
    {"help", "[VERB | KEY | job] [--markdown] [--man]",
     "help about a verb or a key of the job file", "", 0, "markdown man", false, run_help},
    {"version", "[--json]", "version of the program and its libraries", "", 0, "json", false,
     run_version},
    {0},
};
