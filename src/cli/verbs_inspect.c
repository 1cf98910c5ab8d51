// SPDX-License-Identifier: MIT
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "cli/session.h"
#include "cli/stop.h"
#include "film/path_conflicts.h"
#include "film/shard.h"
#include "format/file_kind.h"
#include "inspect/check.h"
#include "inspect/compare.h"
#include "inspect/plan.h"
#include "inspect/plot.h"
#include "inspect/pose.h"
#include "inspect/status.h"
#include "inspect/verify.h"
#include "output/chart/chart_file.h"
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

/* CheckOptions.parsed; user: the session */
static bool check_sandbox(void *user, Job *job, Diag *diag)
{
    Session *s = user;
    return sandbox_session_check_job(&s->sandbox, job, diag);
}

static bool check_one(Session *s)
{
    const CheckOptions options = {.format = report_format(s->given),
                                  .junit = s->given->junit,
                                  .parsed = check_sandbox,
                                  .user = s};
    sandbox_session_write(&s->sandbox, options.junit);
    return check_format(s->given, false, s->diag) && session_enter_job(s) &&
           check_job(stdout, &s->source, &options, s->diag);
}

/* Each in a process of its own, which is confined to the files of its job. */
static bool check_each(Session *s)
{
    const TextList jobs = s->args.operands;
    for (size_t i = 0; i < jobs.count; i++) {
        int status = 0;
        fflush(stdout);
        const pid_t child = fork();
        if (child == 0) {
            s->args.operands = (TextList){.items = &jobs.items[i], .count = 1};
            return check_one(s);
        }
        while (child > 0 && waitpid(child, &status, 0) < 0)
            if (errno != EINTR)
                return diag_error(s->diag, "check: %s", strerror(errno));
        if (child < 0)
            return diag_fail(s->diag, DIAG_RESOURCE, "cannot start a process: %s", strerror(errno));
        status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        s->status = status > s->status ? status : s->status;
    }
    return true;
}

bool verb_check(Session *s)
{
    const TextList *operands = &s->args.operands;
    size_t jobs = 0;
    for (size_t i = 0; i < operands->count; i++)
        jobs += file_kind_serves(operands->items[i], FILE_AS_JOB);
    if (jobs < 2 || jobs < operands->count)
        return check_one(s);
    return s->given->junit ? diag_fail(s->diag, DIAG_USAGE, "--junit is the report of one job")
                           : check_each(s);
}

bool verb_pose(Session *s)
{
    const Arguments *args = s->given;
    const PoseOptions options = {args->frames, args->model, args->vertices, args->overwrite,
                                 args->format == FORMAT_OPENPOSE};
    if (!args->frames)
        return diag_fail(
            s->diag, DIAG_USAGE,
            "--frames LIST is required, e.g. 0:300:15 (output frames), m0:300:15 (motion "
            "frames) or 5s");
    s->args.frames = NULL; /* those of the poses, not of the job */
    if (!args->vertices)
        s->needs &= ~(unsigned)VERB_DRAWS;
    sandbox_session_write(&s->sandbox, args->vertices);
    return check_format(args, true, s->diag) && session_load_scene(s) &&
           pose_run(stdout, &s->job, &options, s->diag);
}

static bool plot(Chart *out, const Job *job, const Arguments *args, Arena *arena, Diag *diag)
{
    const PlotBoneOptions bone = {args->bone, args->model, args->fps, args->frames};
    return args->bone ? plot_bone(out, job, &bone, arena, diag)
                      : plot_camera(out, job, arena, diag);
}

static bool write_plot(Session *s, const Chart *chart)
{
    const char *file = s->given->output;
    if (!file) {
        chart_file_write_svg(s->out, chart);
        return true;
    }
    if (!chart_file_save(file, chart, s->diag))
        return false;
    progress_output_file(s->progress, file);
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

bool verb_plot(Session *s)
{
    const Arguments *args = s->given;
    Chart chart;
    if (!args->bone && (args->model || args->fps || args->frames))
        return diag_fail(s->diag, DIAG_USAGE, "--model, --fps and --frames require --bone");
    s->args.frames = s->args.fps = NULL; /* those of the plot, not of the job */
    if (args->output)
        sandbox_session_add_fonts(&s->sandbox);
    sandbox_session_write(&s->sandbox, args->output);
    return session_load_scene(s) && check_plot(args->output, args->overwrite, &s->job, s->diag) &&
           plot(&chart, &s->job, args, s->arena, s->diag) && write_plot(s, &chart);
}

/* ---- plans and results ---- */

bool verb_plan(Session *s)
{
    PlanOptions options = {.json = s->given->json, .measure = s->given->measure};
    if (!options.measure)
        s->needs &= ~(unsigned)VERB_DRAWS;
    if (s->given->shards && !shard_parse_count(&options.shards, s->given->shards, s->diag))
        return false;
    if (options.measure)
        sandbox_session_add_scratch(&s->sandbox);
    return session_load_job(s) &&
           plan_write(stdout, &s->job, &options, s->progress, &stop_signal, s->diag);
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

/* The checkpoint directory that the operand of a session is, or that its job has; NULL after an
 * error. */
static const char *find_record(Session *s)
{
    const char *operand = s->args.operands.items[0], *state = s->given->state;
    if (is_directory(operand) || state)
        return is_directory(operand) ? operand : state;
    return job_load(&s->job, &s->source, s->arena, s->diag)
               ? checkpoint_read_directory_of_job(&s->job, s->arena, s->diag)
               : NULL;
}

/* IsolatedWork: the files of a checkpoint directory's film; user: the session */
static bool find_recorded(FILE *out, void *user, Diag *diag)
{
    Session *s = user;
    CheckpointContent content;
    s->diag = diag;
    s->source.names_only = true;
    const char *directory = find_record(s);
    if (!directory || !checkpoint_read(&content, directory, s->arena, diag))
        return false;
    for (size_t i = 0; i < content.film.output_count; i++)
        found_files_write(out, FOUND_OUTPUT, content.film.outputs[i].options.file);
    for (size_t i = 0; content.has_report && i < content.report.previews.count; i++)
        found_files_write(out, FOUND_INPUT,
                          checkpoint_read_text(
                              &content, arena_printf(s->arena, "previews.%zu.file", i), s->arena));
    for (size_t i = 0; i < content.record.inputs.count; i++)
        found_files_write(out, FOUND_INPUT, content.record.inputs.items[i].file);
    return true;
}

/* Adds the files of an operand: a checkpoint directory, a job with such a directory, or a file. */
static bool find_inspected(Session *s, const char *operand)
{
    Session own = *s;
    bool good = true;
    own.args.operands = (TextList){.items = &operand, .count = 1};
    own.find_more = find_recorded;
    if (is_directory(operand)) {
        own.source.path = operand;
        sandbox_session_read_below(&own.sandbox, operand);
        good = session_find_confinement(&own) && session_find(&own, find_recorded);
    } else if (is_job_file(operand)) {
        good = session_parse_job(&own) && session_find_job(&own);
    } else {
        sandbox_session_read(&own.sandbox, operand);
    }
    s->sandbox = own.sandbox;
    return good;
}

/* Nothing but `junit` is written. */
static bool enter_inspection(Session *s)
{
    const TextList *operands = &s->given->operands;
    sandbox_session_read_below(&s->sandbox, s->given->state);
    for (size_t i = 0; i < operands->count; i++)
        if (!find_inspected(s, operands->items[i]))
            return false;
    return session_enter(s, s->given->junit);
}

bool verb_status(Session *s)
{
    const Arguments *args = s->given;
    const char *operand = args->operands.items[0];
    if (args->operands.count == 1 && is_directory(operand))
        return session_restrict(s) && enter_inspection(s) &&
               status_write(stdout, NULL, operand, args->json, s->diag);
    sandbox_session_read_below(&s->sandbox, args->state);
    s->find_more = find_recorded;
    return session_load_job(s) && status_write(stdout, &s->job, args->state, args->json, s->diag);
}

/* Verifies the checkpoint directory of a job. */
static bool verify_job(Verify *verify, const Session *s, const char *file)
{
    Session own = *s;
    own.has_entered = true;
    own.args.operands = (TextList){.items = &file, .count = 1};
    if (!session_parse_job(&own))
        return false;
    own.source.host = s->host;
    if (!session_load_job(&own))
        return false;
    const char *state = s->given->state;
    const char *directory =
        state ? state : checkpoint_read_directory_of_job(&own.job, s->arena, s->diag);
    return directory && verify_directory(verify, directory, s->diag);
}

bool verb_verify(Session *s)
{
    const Arguments *args = s->given;
    if (!check_format(args, false, s->diag) || !session_restrict(s) || !enter_inspection(s))
        return false;
    Verify *verify = verify_begin(stdout, report_format(args), &stop_signal, s->arena);
    bool good = true;
    for (size_t i = 0; i < args->operands.count && !stop_signal; i++) {
        const char *file = args->operands.items[i];
        if (is_directory(file))
            good &= verify_directory(verify, file, s->diag);
        else if (is_job_file(file))
            good &= verify_job(verify, s, file);
        else
            good &= verify_file(verify, file, s->diag);
    }
    if (args->junit && !stop_signal)
        good &= verify_save_junit(verify, args->junit, s->diag);
    return verify_end(verify, s->diag) && good;
}

bool verb_compare(Session *s)
{
    const Arguments *args = s->given;
    const TextList *operands = &args->operands;
    Diag *diag = s->diag;
    CompareOptions options = {.a = operands->items[0],
                              .b = operands->items[1],
                              .min_ssim = 1,
                              .difference_file = args->output,
                              .overwrite = args->overwrite,
                              .format = report_format(args),
                              .junit = args->junit,
                              .verbose = args->verbose,
                              .stop = &stop_signal};
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
    sandbox_session_read(&s->sandbox, options.a);
    sandbox_session_read(&s->sandbox, options.b);
    sandbox_session_write(&s->sandbox, options.junit);
    return session_enter(s, options.difference_file) && compare_write(stdout, &options, diag);
}
