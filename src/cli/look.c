#include "cli/look.h"

#include <sys/stat.h>

#include "cli/draw.h"
#include "job/plan.h"
#include "job/shard.h"
#include "job/status.h"

bool verb_plan(Progress *progress, const Args *given, Arena *arena, Diag *diag)
{
    PlanOptions options = {.json = given->json};
    Args args = *given;
    JobSource source;
    Job job;
    (void)progress;

    if ((args.shards && !shard_read_count(&options.shards, args.shards, diag)) ||
        !use_frames(&args, arena, diag) || !source_find(&source, &args, diag))
        return false;
    source.needs_output = source.path != NULL;
    return job_load(&job, &source, arena, diag) && plan_write(stdout, &job, &options, diag);
}

/* A state folder stands for its job. */
static bool is_folder(const char *path)
{
    struct stat st;
    return !job_is_job_name(path) && stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool verb_status(Progress *progress, const Args *given, Arena *arena, Diag *diag)
{
    Args args = *given;
    JobSource source;
    Job job;
    (void)progress;

    if (args.files.count == 1 && is_folder(args.files.items[0]))
        return status_write(stdout, NULL, args.files.items[0], args.json, diag);
    if (!use_frames(&args, arena, diag) || !source_find(&source, &args, diag))
        return false;
    source.needs_output = true;
    return job_load(&job, &source, arena, diag) &&
           status_write(stdout, &job, args.state, args.json, diag);
}
