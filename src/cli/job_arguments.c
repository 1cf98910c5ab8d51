#include "cli/job_arguments.h"

#include "job/option_read.h"

bool job_source_init(JobSource *source, const Arguments *args, Diag *diag)
{
    const TextList *operands = &args->operands;
    *source = (JobSource){.sets = args->sets.items,
                          .set_count = args->sets.count,
                          .flags = args->keys.items,
                          .flag_count = args->keys.count,
                          .output = args->output};
    if (!operands->count)
        return true;
    if (!job_is_job_name(operands->items[0])) {
        source->files = operands->items;
        source->file_count = operands->count;
        return true;
    }
    source->path = operands->items[0];
    if (operands->count > 1)
        return diag_fail(diag, DIAG_USAGE,
                         "%s takes exactly one job file, '%s'; unexpected argument '%s'",
                         args->verb->name, operands->items[0], operands->items[1]);
    return true;
}

bool set_frames_key(Arguments *args, Arena *arena, Diag *diag)
{
    JobFrames frames;
    if (!args->frames)
        return true;
    if (!option_parse_frames(&frames, args->frames, arena))
        return diag_fail(diag, DIAG_USAGE,
                         "--frames: '%s' is neither 'all' nor ascending ranges such as 0-1799 or "
                         "0-99,400-499",
                         args->frames);
    *arena_push(arena, &args->keys) =
        (JobFlag){"--frames", arena_printf(arena, "render.frames=%s", args->frames)};
    return true;
}

void disable_physics(Job *job)
{
    for (size_t i = 0; i < job->model_count; i++)
        job->models[i].physics = false;
    job->cloth_count = 0;
}
