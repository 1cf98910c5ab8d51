#include "cli/verbs.h"

#include "cli/confinement.h"
#include "cli/job_arguments.h"
#include "cli/stop.h"
#include "convert/export/export.h"
#include "convert/import/mocap_motion.h"
#include "convert/import/pmm_job.h"

bool verb_export(Progress *progress, const Arguments *given, Arena *arena, Diag *diag)
{
    const ExportOptions options = {given->output, given->model, given->overwrite};
    Arguments args = *given;
    JobSource source;
    Job job;
    Confinement sandbox;
    (void)progress;

    if (!set_keys(&args, true, arena, diag) || !job_source_init(&source, &args, arena, diag))
        return false;
    source.output = NULL; /* -o names the export, not an output of the job */
    if (!confinement_begin(&sandbox, &args, false, arena, diag) ||
        !job_load(&job, &source, arena, diag))
        return false;
    if (given->no_physics)
        disable_physics(&job);
    return confinement_end(&sandbox,
                           confinement_enter_job(&sandbox, &job, given->output, false, diag) &&
                               export_run(&job, &options, diag));
}

bool verb_job(Progress *progress, const Arguments *args, Arena *arena, Diag *diag)
{
    const PmmJobOptions options = {args->operands.items[0], args->output, args->assets,
                                   args->overwrite};
    Confinement sandbox;
    (void)progress;
    if (!args->output)
        return diag_fail(diag, DIAG_USAGE, "-o JOB.yaml is required");
    if (!assets_check(args, diag) || !confinement_begin(&sandbox, args, false, arena, diag))
        return false;
    confinement_read(&sandbox, options.project);
    if (options.assets)
        confinement_read(&sandbox, arena_printf(arena, "%s/.", options.assets));
    confinement_write(&sandbox, options.output);
    confinement_write_below(&sandbox, pmm_job_motions(options.output, arena));
    return confinement_end(&sandbox,
                           confinement_enter(&sandbox, diag) && pmm_job_run(&options, diag));
}

bool verb_convert(Progress *progress, const Arguments *args, Arena *arena, Diag *diag)
{
    const MocapMotionOptions options = {args->operands.items[0], args->model, args->output,
                                        (MocapLegs)args->legs, args->overwrite};
    Confinement sandbox;
    (void)progress;
    if (!args->output || !args->model)
        return diag_fail(diag, DIAG_USAGE, "--model MODEL.pmx and -o MOTION.vmd are required");
    if (!confinement_begin(&sandbox, args, false, arena, diag))
        return false;
    confinement_read(&sandbox, options.motion);
    confinement_read(&sandbox, options.model);
    confinement_write(&sandbox, options.output);
    return confinement_end(&sandbox,
                           confinement_enter(&sandbox, diag) && mocap_motion_run(&options, diag));
}
