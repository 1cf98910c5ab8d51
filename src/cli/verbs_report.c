#include "cli/verbs.h"

#include <string.h>

#include "cli/confinement.h"
#include "cli/job_arguments.h"
#include "cli/stop.h"
#include "inspect/report/report.h"

enum { EMBED_LIMIT = 20 << 20 }; /* default of --embed-limit, bytes */

/* The job of --base, with the same --set and flags as the job of the report. */
static bool load_base_job(Job *base, ReportOptions *options, const JobSource *report,
                          const char *path, Arena *arena, Diag *diag)
{
    JobSource source = *report;
    options->base = path;
    if (!path || !job_has_job_extension(path))
        return true;
    options->base_job = base;
    source.path = path;
    source.files = NULL;
    source.file_count = 0;
    return job_load(base, &source, arena, diag);
}

static bool read_options(ReportOptions *options, const Arguments *args, Diag *diag)
{
    *options = (ReportOptions){.embed_limit = EMBED_LIMIT, .state = args->state};
    return !args->embed_limit || report_parse_limit(&options->embed_limit, args->embed_limit) ||
           diag_fail(diag, DIAG_USAGE,
                     "--embed-limit: '%s' is not a size such as 20M, 500K or 0 (at most 1G)",
                     args->embed_limit);
}

static bool confine(Confinement *sandbox, Job *job, Job *base, const ReportOptions *options,
                    const char *output, Diag *diag)
{
    confinement_add_scratch(sandbox);
    if (options->state)
        confinement_read(sandbox, arena_printf(sandbox->arena, "%s/job.json", options->state));
    if (options->base_job && !confinement_add_job(sandbox, base, false, diag))
        return false;
    if (options->base && !options->base_job)
        confinement_read(sandbox, options->base);
    return confinement_enter_job(sandbox, job, output, false, diag);
}

bool verb_report(Progress *progress, const Arguments *given, Arena *arena, Diag *diag)
{
    Arguments args = *given;
    JobSource source;
    Job job, base;
    ReportOptions options;
    Confinement sandbox;

    const bool to_stdout = given->output && !strcmp(given->output, FILE_STDOUT);
    const char *output = to_stdout ? NULL : given->output;
    args.output = NULL; /* names the page, not an output of the job */
    if (!read_options(&options, given, diag) || !set_keys(&args, true, arena, diag) ||
        !job_source_init(&source, &args, arena, diag) ||
        !confinement_begin(&sandbox, &args, true, arena, diag))
        return false;
    options.problems = observe_problems(arena, diag);
    if (!job_load(&job, &source, arena, diag) ||
        !load_base_job(&base, &options, &source, given->base, arena, diag))
        return false;
    progress->job = job.name;
    apply_limits(&job.limits);
    if (given->no_physics)
        disable_physics(&job);
    if (given->no_physics && options.base_job)
        disable_physics(&base);
    return confinement_end(
        &sandbox, confine(&sandbox, &job, &base, &options, output, diag) &&
                      (!output || report_check_output(output, &job, given->overwrite, diag)) &&
                      report_write(output, &job, &options, progress, &stop_signal, diag));
}
