// SPDX-License-Identifier: MIT
#include "base/text.h"
#include "cli/session.h"
#include "convert/export/export.h"
#include "convert/import/mocap_motion.h"
#include "convert/import/pmm_job.h"

enum { CONVERT_CLEAN_ALWAYS = 2 }; /* of --clean none|auto|always */

static const double CONVERT_TOLERANCE = 0.1; /* MMD units by which keys may be off */

static bool report_output(Session *s)
{
    progress_output_file(s->progress, s->given->output);
    return true;
}

bool verb_export(Session *s)
{
    const ExportOptions options = {s->given->output, s->given->model,
                                   (VrmVersion)s->given->vrm_version, s->given->overwrite};
    sandbox_session_write(&s->sandbox, s->given->output);
    return session_load_scene(s) && export_run(&s->job, &options, s->diag) && report_output(s);
}

bool verb_job(Session *s)
{
    const Arguments *args = s->given;
    const PmmJobOptions options = {args->operands.items[0], args->output, args->assets,
                                   args->overwrite};
    if (!args->output)
        return diag_fail(s->diag, DIAG_USAGE, "-o JOB.yaml is required");
    sandbox_session_read(&s->sandbox, options.project);
    sandbox_session_read_below(&s->sandbox, options.assets);
    sandbox_session_write_below(&s->sandbox, pmm_job_motions(options.output, s->arena));
    return session_enter(s, options.output) && pmm_job_run(&options, s->diag) && report_output(s);
}

bool verb_convert(Session *s)
{
    const Arguments *args = s->given;
    MocapMotionOptions options = {
        .motion = args->operands.items[0],
        .model = args->model,
        .output = args->output,
        .capture = {.take = args->take, .up = (MocapUp)args->up, .legs = (MocapLegs)args->legs},
        .overwrite = args->overwrite,
        .clean = {.when = args->clean == CONVERT_CLEAN_ALWAYS ? CLEAN_ALWAYS : CLEAN_AUTO,
                  .smooth = 1,
                  .feet = true,
                  .hands = true,
                  .keys = CONVERT_TOLERANCE},
        .clean_capture = args->clean != 0};
    if (args->tolerance && (!text_to_double(&options.clean.keys, args->tolerance) ||
                            !(options.clean.keys >= 0 && options.clean.keys <= 10)))
        return diag_fail(s->diag, DIAG_USAGE, "--tolerance: '%s' is not a number (0..10)",
                         args->tolerance);
    if (!args->output || !args->model)
        return diag_fail(s->diag, DIAG_USAGE, "--model MODEL.pmx and -o MOTION.vmd are required");
    sandbox_session_read(&s->sandbox, options.motion);
    sandbox_session_read(&s->sandbox, options.model);
    return session_enter(s, options.output) && mocap_motion_run(&options, s->diag) &&
           report_output(s);
}
