#include "cli/verbs_inspect.h"

#include <sys/stat.h>

#include "base/path.h"
#include "base/text.h"
#include "cli/verbs_render.h"
#include "cli/stop.h"
#include "inspect/compare.h"
#include "inspect/plan.h"
#include "film/shard.h"
#include "checkpoint/checkpoint_read.h"
#include "inspect/status.h"
#include "inspect/verify.h"

bool verb_plan(Progress *progress, const Arguments *given, Arena *arena, Diag *diag)
{
    PlanOptions options = {.json = given->json, .tried = given->tried};
    Arguments args = *given;
    JobSource source;
    Job job;

    if ((args.shards && !shard_read_count(&options.shards, args.shards, diag)) ||
        !use_frames(&args, arena, diag) || !source_find(&source, &args, diag))
        return false;
    source.needs_output = source.path != NULL;
    return job_load(&job, &source, arena, diag) &&
           plan_write(stdout, &job, &options, progress, &stop_signal, diag);
}

/* A state folder stands for its job. */
static bool is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool verb_status(Progress *progress, const Arguments *given, Arena *arena, Diag *diag)
{
    Arguments args = *given;
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

/* Of the files that are named only jobs are YAML. */
static bool is_job(const char *path)
{
    const char *extension = path_extension(path);
    return text_equal_ignoring_case(extension, "yaml") ||
           text_equal_ignoring_case(extension, "yml") ||
           text_equal_ignoring_case(extension, "json");
}

/* A job stands for its state folder. */
static bool verify_job(Verify *verify, const Arguments *given, const char *file, Arena *arena,
                       Diag *diag)
{
    Arguments args = *given;
    JobSource source;
    Job job;
    args.files = (Texts){.items = &file, .count = 1};
    if (!use_frames(&args, arena, diag) || !source_find(&source, &args, diag))
        return false;
    source.needs_output = true;
    if (!job_load(&job, &source, arena, diag))
        return false;
    const char *folder = args.state ? args.state : checkpoint_read_folder_of_job(&job, arena, diag);
    return folder && verify_folder(verify, folder, diag);
}

bool verb_verify(Progress *progress, const Arguments *given, Arena *arena, Diag *diag)
{
    Verify *verify = verify_begin(stdout, given->json, &stop_signal, arena);
    bool good = true;
    (void)progress;
    for (size_t i = 0; i < given->files.count && !stop_signal; i++) {
        const char *file = given->files.items[i];
        if (is_folder(file))
            good &= verify_folder(verify, file, diag);
        else if (is_job(file))
            good &= verify_job(verify, given, file, arena, diag);
        else
            good &= verify_file(verify, file, diag);
    }
    return verify_end(verify, diag) && good;
}

bool verb_compare(Progress *progress, const Arguments *given, Arena *arena, Diag *diag)
{
    const Texts *files = &given->files;
    CompareOptions options = {.a = files->items[0],
                              .b = files->items[1],
                              .least_ssim = 1,
                              .picture = given->output,
                              .json = given->json,
                              .verbose = given->verbose,
                              .stop = &stop_signal};
    (void)progress;
    (void)arena;
    if (files->count > 2)
        return diag_fail(diag, DIAG_USAGE, "%s: two films are enough", files->items[2]);
    if (given->threshold && !compare_threshold(&options, given->threshold))
        return diag_fail(diag, DIAG_USAGE,
                         "--threshold: '%s' is neither an SSIM (0..1) nor like 40dB",
                         given->threshold);
    return compare_write(stdout, &options, diag);
}
