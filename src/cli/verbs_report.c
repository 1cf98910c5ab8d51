// SPDX-License-Identifier: MIT
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
    const JobSource source = session_base_source(s);
    options->base_job = base;
    if (!job_load(base, &source, s->arena, s->diag))
        return false;
    if (s->given->no_physics)
        session_disable_physics(base);
    return sandbox_session_check_job(&s->sandbox, base, s->diag);
}

bool verb_report(Session *s)
{
    const Arguments *args = s->given;
    const bool to_stdout = args->output && !strcmp(args->output, FILE_STDOUT);
    const char *output = to_stdout ? NULL : args->output;
    ReportOptions options;
    Job base;

    if (!read_options(&options, args, s->diag))
        return false;
    const bool has_base_job = options.base && job_has_job_extension(options.base);
    sandbox_session_add_scratch(&s->sandbox);
    sandbox_session_write(&s->sandbox, output);
    sandbox_session_read_below(&s->sandbox, options.state);
    if (has_base_job)
        s->base = options.base;
    else
        sandbox_session_read(&s->sandbox, options.base);
    if (!session_load_job(s) || (has_base_job && !load_base_job(&base, &options, s)))
        return false;
    options.problems = s->problems;
    return (!output || report_check_output(output, &s->job, args->overwrite, s->diag)) &&
           report_write(output, s->out, &s->job, &options, s->progress, &stop_signal, s->diag);
}
