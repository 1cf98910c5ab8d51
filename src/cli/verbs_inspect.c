#include "cli/verbs.h"

#include <sys/stat.h>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "cli/confinement.h"
#include "cli/job_arguments.h"
#include "cli/stop.h"
#include "film/path_conflicts.h"
#include "film/shard.h"
#include "inspect/check.h"
#include "inspect/compare.h"
#include "inspect/plan.h"
#include "inspect/plot.h"
#include "inspect/pose.h"
#include "inspect/status.h"
#include "inspect/verify.h"
#include "output/chart/chart_file.h"
#include "output/chart/chart_svg.h"
#include "run/checkpoint/checkpoint_read.h"

static ReportFormat report_format(const Arguments *args)
{
    return args->json ? REPORT_JSON : (ReportFormat)args->format;
}

enum { FORMAT_OPENPOSE = 3 }; /* after those of ReportFormat */

/* Reports have no keypoints, and a pose is no report. */
static bool check_format(const Arguments *args, bool pose, Diag *diag)
{
    const bool openpose = args->format == FORMAT_OPENPOSE;
    if (pose ? openpose || args->format == REPORT_JSON || args->format == REPORT_TEXT : !openpose)
        return true;
    return diag_fail(diag, DIAG_USAGE, "--format: expected %s",
                     pose ? "json or openpose" : "text, json or github");
}

/* ---- assets and evaluation ---- */

typedef struct CheckConfinement {
    Confinement sandbox;
    const char *junit;
} CheckConfinement;

static bool confine_check(void *user, Job *job, Diag *diag)
{
    CheckConfinement *c = user;
    return confinement_enter_job(&c->sandbox, job, c->junit, false, diag);
}

bool verb_check(Progress *progress, const Arguments *given, Arena *arena, Diag *diag)
{
    Arguments args = *given;
    JobSource source;
    CheckConfinement confined = {.junit = args.junit};
    const CheckOptions options = {.format = report_format(given),
                                  .junit = args.junit,
                                  .parsed = confine_check,
                                  .user = &confined};
    (void)progress;
    if (!check_format(given, false, diag) || !set_keys(&args, true, arena, diag) ||
        !job_source_init(&source, &args, arena, diag) ||
        !confinement_begin(&confined.sandbox, &args, false, arena, diag))
        return false;
    source.needs_output = source.path != NULL;
    return check_job(stdout, &source, &options, diag);
}

bool verb_pose(Progress *progress, const Arguments *given, Arena *arena, Diag *diag)
{
    const PoseOptions options = {given->frames, given->model, given->vertices, given->overwrite,
                                 given->format == FORMAT_OPENPOSE};
    Arguments args = *given;
    JobSource source;
    Job job;
    Confinement sandbox;
    (void)progress;

    if (!given->frames)
        return diag_fail(
            diag, DIAG_USAGE,
            "--frames LIST is required, e.g. 0:300:15 (output frames), m0:300:15 (motion "
            "frames) or 5s");
    set_picture_keys(&args, arena);
    if (!check_format(given, true, diag) || !job_source_init(&source, &args, arena, diag) ||
        !confinement_begin(&sandbox, &args, args.vertices != NULL, arena, diag) ||
        !job_load(&job, &source, arena, diag))
        return false;
    if (given->no_physics)
        disable_physics(&job);
    return confinement_end(&sandbox,
                           confinement_enter_job(&sandbox, &job, args.vertices, false, diag) &&
                               pose_run(stdout, &job, &options, diag));
}

static bool plot(Chart *out, const Job *job, const Arguments *args, Arena *arena, Diag *diag)
{
    const PlotBoneOptions bone = {args->bone, args->model, args->fps, args->frames};
    return args->bone ? plot_bone(out, job, &bone, arena, diag)
                      : plot_camera(out, job, arena, diag);
}

static bool write_plot(const char *file, const Chart *chart, Diag *diag)
{
    if (file)
        return chart_file_save(file, chart, diag);
    chart_svg_write(stdout, chart);
    return true;
}

static bool check_plot(const char *file, bool overwrite, const Job *job, Diag *diag)
{
    if (!file)
        return true;
    if (!path_conflicts_check_file("--output", file, job, NULL, diag))
        return false;
    if (!chart_file_matches(file))
        return diag_fail(diag, DIAG_USAGE, "--output: '%s' is not the name of an .svg or .png file",
                         file);
    return file_check_new(file, overwrite, diag);
}

bool verb_plot(Progress *progress, const Arguments *args, Arena *arena, Diag *diag)
{
    JobSource source;
    Job job;
    Confinement sandbox;
    (void)progress;

    if (!args->bone && (args->model || args->fps || args->frames))
        return diag_fail(diag, DIAG_USAGE, "--model, --fps and --frames require --bone");
    if (!job_source_init(&source, args, arena, diag))
        return false;
    source.output = NULL; /* -o names the plot, not an output of the job */
    if (!confinement_begin(&sandbox, args, false, arena, diag) ||
        !job_load(&job, &source, arena, diag))
        return false;
    if (args->no_physics)
        disable_physics(&job);
    Chart chart;
    if (args->output)
        confinement_add_fonts(&sandbox);
    return confinement_enter_job(&sandbox, &job, args->output, false, diag) &&
           confinement_end(&sandbox, check_plot(args->output, args->overwrite, &job, diag) &&
                                         plot(&chart, &job, args, arena, diag) &&
                                         write_plot(args->output, &chart, diag));
}

/* ---- plans and results ---- */

bool verb_plan(Progress *progress, const Arguments *given, Arena *arena, Diag *diag)
{
    PlanOptions options = {.json = given->json, .measure = given->measure};
    Arguments args = *given;
    JobSource source;
    Job job;
    Confinement sandbox;

    if ((args.shards && !shard_parse_count(&options.shards, args.shards, diag)) ||
        !set_keys(&args, false, arena, diag) || !job_source_init(&source, &args, arena, diag))
        return false;
    source.needs_output = source.path != NULL;
    if (!confinement_begin(&sandbox, &args, options.measure, arena, diag) ||
        !job_load(&job, &source, arena, diag))
        return false;
    if (options.measure)
        confinement_add_scratch(&sandbox);
    return confinement_end(&sandbox,
                           confinement_enter_job(&sandbox, &job, NULL, false, diag) &&
                               plan_write(stdout, &job, &options, progress, &stop_signal, diag));
}

/* A checkpoint directory can be given in place of its job. */
static bool is_directory(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Operands of verify can be of any kind; only these are job files. */
static bool is_job_file(const char *path)
{
    const char *extension = path_extension(path);
    return text_equal_ignoring_case(extension, "yaml") ||
           text_equal_ignoring_case(extension, "yml") ||
           text_equal_ignoring_case(extension, "json");
}

/* Loads the job whose outputs are inspected. */
static bool load_rendered_job(Job *job, const Arguments *given, Arena *arena, Diag *diag)
{
    Arguments args = *given;
    JobSource source;
    if (!set_keys(&args, false, arena, diag) || !job_source_init(&source, &args, arena, diag))
        return false;
    source.needs_output = true;
    return job_load(job, &source, arena, diag);
}

/* A record may name files anywhere, so all can be read; nothing is written. */
static bool confine_inspection(const Arguments *args, Arena *arena, Diag *diag)
{
    Confinement sandbox;
    if (!confinement_begin(&sandbox, args, false, arena, diag))
        return false;
    confinement_read(&sandbox, "/");
    confinement_write(&sandbox, args->junit);
    return confinement_enter(&sandbox, diag);
}

bool verb_status(Progress *progress, const Arguments *args, Arena *arena, Diag *diag)
{
    Job job;
    (void)progress;

    if (!confine_inspection(args, arena, diag))
        return false;
    if (args->operands.count == 1 && is_directory(args->operands.items[0]))
        return status_write(stdout, NULL, args->operands.items[0], args->json, diag);
    return load_rendered_job(&job, args, arena, diag) &&
           status_write(stdout, &job, args->state, args->json, diag);
}

/* Verifies the checkpoint directory of a job. */
static bool verify_job(Verify *verify, const Arguments *given, const char *file, Arena *arena,
                       Diag *diag)
{
    Arguments args = *given;
    Job job;
    args.operands = (TextList){.items = &file, .count = 1};
    if (!load_rendered_job(&job, &args, arena, diag))
        return false;
    const char *directory =
        args.state ? args.state : checkpoint_read_directory_of_job(&job, arena, diag);
    return directory && verify_directory(verify, directory, diag);
}

bool verb_verify(Progress *progress, const Arguments *args, Arena *arena, Diag *diag)
{
    if (!check_format(args, false, diag) || !confine_inspection(args, arena, diag))
        return false;
    Verify *verify = verify_begin(stdout, report_format(args), &stop_signal, arena);
    bool good = true;
    (void)progress;
    for (size_t i = 0; i < args->operands.count && !stop_signal; i++) {
        const char *file = args->operands.items[i];
        if (is_directory(file))
            good &= verify_directory(verify, file, diag);
        else if (is_job_file(file))
            good &= verify_job(verify, args, file, arena, diag);
        else
            good &= verify_file(verify, file, diag);
    }
    if (args->junit && !stop_signal)
        good &= verify_save_junit(verify, args->junit, diag);
    return verify_end(verify, diag) && good;
}

bool verb_compare(Progress *progress, const Arguments *args, Arena *arena, Diag *diag)
{
    const TextList *operands = &args->operands;
    CompareOptions options = {.a = operands->items[0],
                              .b = operands->items[1],
                              .min_ssim = 1,
                              .difference_file = args->output,
                              .overwrite = args->overwrite,
                              .format = report_format(args),
                              .junit = args->junit,
                              .verbose = args->verbose,
                              .stop = &stop_signal};
    Confinement sandbox;
    (void)progress;
    if (operands->count > 2)
        return diag_fail(diag, DIAG_USAGE,
                         "compare takes exactly two inputs; unexpected argument '%s'",
                         operands->items[2]);
    if (args->threshold && !compare_parse_threshold(&options, args->threshold))
        return diag_fail(diag, DIAG_USAGE,
                         "--threshold: '%s' is neither an SSIM (0..1) nor a PSNR such as 40dB",
                         args->threshold);
    if (args->tolerance && !compare_parse_tolerance(&options, args->tolerance))
        return diag_fail(diag, DIAG_USAGE, "--tolerance: '%s' is not a number of 0 or more",
                         args->tolerance);
    if (!confinement_begin(&sandbox, args, false, arena, diag))
        return false;
    confinement_read(&sandbox, options.a);
    confinement_read(&sandbox, options.b);
    confinement_write(&sandbox, options.difference_file);
    confinement_write(&sandbox, options.junit);
    return confinement_end(&sandbox, confinement_enter(&sandbox, diag) &&
                                         compare_write(stdout, &options, diag));
}
