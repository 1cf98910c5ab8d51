#include "cli/batch.h"

#include <stdio.h>
#include <string.h>

#include "cli/stop.h"
#include "dispatch/batch_status.h"
#include "dispatch/batch_report.h"

static void put(const BatchPlan *plan, const BatchResult *results, const Arguments *args)
{
    if (args->json)
        batch_write_json(stdout, plan, results);
    else if (results)
        batch_write_results(stdout, plan, results);
    else
        batch_write_plan(stdout, plan);
}

static bool run(Progress *progress, const BatchPlan *plan, const Arguments *args, Arena *arena,
                Diag *diag)
{
    BatchResult *results = arena_array(arena, BatchResult, plan->batch->job_count);
    const BatchOptions options = {.strict = args->strict,
                                  .overwrite = args->overwrite,
                                  .no_clobber = args->no_clobber,
                                  .slurm = args->slurm,
                                  .sbatch = args->sbatch};
    bool good = batch_run(results, plan, &options, progress, &stop_signal, arena, diag);
    const bool ran = good || stop_number() || diag->kind == DIAG_FAILED;

    progress_clear(progress);
    if (ran)
        put(plan, results, args);
    if (ran && args->summary)
        good &= batch_save_summary(args->summary, plan, results, diag);
    return good;
}

static bool show(const BatchPlan *plan, const Arguments *args, Arena *arena, Diag *diag)
{
    BatchResult *results = arena_array(arena, BatchResult, plan->batch->job_count);
    size_t done = 0;
    if (!batch_status(results, plan, arena, diag))
        return false;
    put(plan, results, args);
    if (args->summary && !batch_save_summary(args->summary, plan, results, diag))
        return false;
    for (size_t i = 0; i < plan->batch->job_count; i++)
        done += results[i].state == BATCH_DONE;
    return done == plan->batch->job_count ||
           diag_fail(diag, DIAG_INCOMPLETE, "%zu of %zu jobs are done", done,
                     plan->batch->job_count);
}

bool verb_batch(Progress *progress, const Arguments *args, Arena *arena, Diag *diag)
{
    static const char *const actions[] = {"plan", "run", "status"};
    const Texts *files = &args->files;
    size_t action = 0;
    Batch batch;
    BatchPlan plan;

    while (action < 3 && strcmp(files->items[0], actions[action]) != 0)
        action++;
    if (action == 3)
        return diag_fail(diag, DIAG_USAGE, "batch '%s': it is plan, run or status, then a manifest",
                         files->items[0]);
    if (files->count > 2)
        return diag_fail(diag, DIAG_USAGE, "%s: one manifest is enough; the first is %s",
                         files->items[2], files->items[1]);
    if (args->overwrite + args->no_clobber + args->slurm > 1)
        return diag_fail(diag, DIAG_USAGE,
                         "--overwrite, --no-clobber and --slurm exclude each other");
    if (action != 1)
        progress->mode = PROGRESS_NONE; /* nothing is drawn */
    if (!batch_load(&batch, files->items[1], arena, diag) ||
        !batch_plan(&plan, &batch, action == 2 ? BATCH_JOBS : BATCH_SCENES, arena, diag))
        return false;
    if (action == 0)
        put(&plan, NULL, args);
    return action == 0   ? true
           : action == 1 ? run(progress, &plan, args, arena, diag)
                         : show(&plan, args, arena, diag);
}
