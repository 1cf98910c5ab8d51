#include "dispatch/batch_commands.h"

typedef ARENA_LIST(const char *) ArgumentList;

static void add(ArgumentList *list, const char *word, Arena *arena)
{
    *arena_push(arena, list) = word;
}

static void add_pair(ArgumentList *list, const char *flag, const char *value, Arena *arena)
{
    add(list, flag, arena);
    add(list, value, arena);
}

/* "odori VERB --limits FILE --set KEY=VALUE..." */
static ArgumentList begin_command(const BatchPlan *plan, const BatchItem *item, const char *verb,
                                  Arena *arena)
{
    ArgumentList list = {0};
    add_pair(&list, "odori", verb, arena);
    if (plan->batch->host.limits_name)
        add_pair(&list, "--limits", plan->batch->host.limits_name, arena);
    for (size_t i = 0; i < item->set_count; i++)
        add_pair(&list, "--set", item->sets[i], arena);
    return list;
}

static void add_output(ArgumentList *list, const BatchItem *item, const char *const *flags,
                       Arena *arena)
{
    if (item->output) {
        add_pair(list, "-o", item->output, arena);
        add(list, "--previews", arena);
    }
    for (; *flags; flags++)
        add(list, *flags, arena);
}

static const char *const *end_command(ArgumentList *list, const BatchPlan *plan, Arena *arena)
{
    add_pair(list, "--", plan->batch->base, arena);
    add(list, NULL, arena);
    return list->items;
}

const char *const *batch_render_command(const BatchPlan *plan, const BatchItem *item,
                                        const BatchRenderOptions *options, Arena *arena)
{
    ArgumentList list = begin_command(plan, item, "render", arena);
    if (!item->workers)
        add_pair(&list, "--set", arena_printf(arena, "render.workers=%d", options->workers), arena);
    if (options->bake)
        add_pair(&list, "--set", options->bake->set, arena);
    add_output(&list, item, options->flags, arena);
    if (options->overwrite || options->no_clobber)
        add(&list, options->overwrite ? "--overwrite" : "--no-clobber", arena);
    add_pair(&list, "--progress", "plain", arena);
    return end_command(&list, plan, arena);
}

const char *const *batch_bake_command(const BatchPlan *plan, const BatchBake *bake, Arena *arena)
{
    ArgumentList list = begin_command(plan, &plan->items[bake->first], "bake", arena);
    add_pair(&list, "-o", bake->file, arena);
    add(&list, "--overwrite", arena); /* a file in the directory of the batch */
    add_pair(&list, "--progress", "plain", arena);
    return end_command(&list, plan, arena);
}

const char *const *batch_slurm_command(const BatchPlan *plan, const BatchItem *item,
                                       const char *sbatch, const char *const *flags, Arena *arena)
{
    ArgumentList list = begin_command(plan, item, "slurm", arena);
    add_output(&list, item, flags, arena);
    add_pair(&list, "--shards", arena_printf(arena, "%d", plan->batch->rules.shards), arena);
    add(&list, "--submit", arena);
    if (sbatch)
        add_pair(&list, "--sbatch", sbatch, arena);
    return end_command(&list, plan, arena);
}
