#include <string.h>

#include "cli/session.h"
#include "cli/stop.h"
#include "inspect/report/report.h"

enum { EMBED_LIMIT = 20 << 20 }; /* default of --embed-limit, bytes */

static bool read_options(ReportOptions *options, const Arguments *args, Diag *diag)
{
    *options =
        (ReportOptions){.base = args->base, .embed_limit = EMBED_LIMIT, .state = args->state};
    return !args->embed_limit || report_parse_limit(&options->embed_limit, args->embed_limit) ||
           diag_fail(diag, DIAG_USAGE,
                     "--embed-limit: '%s' is not a size such as 20M, 500K or 0 (at most 1G)",
                     args->embed_limit);
}

/* The job of --base, with the same --set and flags as the job of the report. */
static bool load_base_job(Job *base, ReportOptions *options, Session *s)
{
    JobSource source = s->source;
    options->base_job = base;
    source.path = options->base;
    source.files = NULL;
    source.file_count = 0;
    if (!job_load(base, &source, s->arena, s->diag))
        return false;
    if (s->given->no_physics)
        session_disable_physics(base);
    return sandbox_session_add_job(&s->sandbox, base, false, s->diag);
}

bool verb_report(Session *s)
{
    const Arguments *args = s->given;
    const bool to_stdout = args->output && !strcmp(args->output, FILE_STDOUT);
    const char *output = to_stdout ? NULL : args->output;
    ReportOptions options;
    Job base;

    if (!read_options(&options, args, s->diag) || !session_load_job(s))
        return false;
    options.problems = s->problems;
    sandbox_session_add_scratch(&s->sandbox);
    if (options.state)
        sandbox_session_read(&s->sandbox, arena_printf(s->arena, "%s/job.json", options.state));
    if (options.base && !job_has_job_extension(options.base))
        sandbox_session_read(&s->sandbox, options.base);
    else if (options.base && !load_base_job(&base, &options, s))
        return false;
    return session_enter(s, &s->job, output) &&
           (!output || report_check_output(output, &s->job, args->overwrite, s->diag)) &&
           report_write(output, &s->job, &options, s->progress, &stop_signal, s->diag);
}
