#include "cli/job_arguments.h"

#include <stdlib.h>
#include <sys/resource.h>

#include "base/process_memory.h"
#include "cli/stop.h"
#include "job/option_read.h"

const char *limits_name(const Arguments *args)
{
    const char *variable = getenv("ODORI_LIMITS");
    return args->limits ? args->limits : variable && *variable ? variable : NULL;
}

static const char *origin(const Limit *limit, Arena *arena)
{
    return arena_printf(arena, "%s: %s", limit->name, limit->source);
}

/* No single file can be larger than all outputs may be.  SIGXFSZ is ignored. */
static void set_file_size_limit(double mib)
{
    struct rlimit limit;
    if (mib <= 0 || mib >= 1e9 || getrlimit(RLIMIT_FSIZE, &limit) != 0)
        return;
    const rlim_t bytes = (rlim_t)(mib * (1 << 20)) + (1 << 20);
    if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > bytes) {
        limit.rlim_cur = bytes;
        setrlimit(RLIMIT_FSIZE, &limit);
    }
}

bool limits_apply(HostLimits *limits, const Arguments *args, Arena *arena, Diag *diag)
{
    if (!host_limits_load(limits, limits_name(args), arena, diag))
        return false;
    if (limits->memory_mib.max > 0)
        process_memory_set_limit((int64_t)limits->memory_mib.max);
    set_file_size_limit(limits->output_mib.max);
    stop_set_cpu_limit(limits->cpu_s.max, origin(&limits->cpu_s, arena));
    stop_set_timeout(limits->wall_s.max, origin(&limits->wall_s, arena));
    return true;
}

bool job_source_init(JobSource *source, const Arguments *args, Arena *arena, Diag *diag)
{
    const TextList *operands = &args->operands;
    HostLimits *host = arena_array(arena, HostLimits, 1);
    if (!limits_apply(host, args, arena, diag))
        return false;
    *source = (JobSource){.sets = args->sets.items,
                          .set_count = args->sets.count,
                          .flags = args->keys.items,
                          .flag_count = args->keys.count,
                          .output = args->output,
                          .host = host,
                          .stop = &stop_signal};
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
    if (!option_parse_frames(&frames, args->frames, (JobRational){30, 1}, arena))
        return diag_fail(diag, DIAG_USAGE,
                         "--frames: '%s' is neither 'all' nor ascending ranges such as 0-1799, "
                         "0-99,400-499, m150-m300 (motion frames) or 5s-10s",
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
