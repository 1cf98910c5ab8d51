#include "dispatch/batch_commands.h"

typedef struct Words {
    const char **items;
    size_t count, room;
} Words;

static void add(Words *words, const char *word, Arena *arena)
{
    *arena_push(arena, words) = word;
}

static void add_two(Words *words, const char *flag, const char *value, Arena *arena)
{
    add(words, flag, arena);
    add(words, value, arena);
}

/* "odori VERB --set KEY=VALUE..." */
static Words begin(const BatchItem *item, const char *verb, Arena *arena)
{
    Words words = {0};
    add_two(&words, "odori", verb, arena);
    for (size_t i = 0; i < item->set_count; i++)
        add_two(&words, "--set", item->sets[i], arena);
    return words;
}

static void add_output(Words *words, const BatchItem *item, bool strict, Arena *arena)
{
    if (item->output)
        add_two(words, "-o", item->output, arena);
    if (strict)
        add(words, "--strict", arena);
}

static const char *const *end(Words *words, const BatchPlan *plan, Arena *arena)
{
    add_two(words, "--", plan->batch->base, arena);
    add(words, NULL, arena);
    return words->items;
}

const char *const *batch_render_command(const BatchPlan *plan, const BatchItem *item,
                                        const BatchRenderOptions *how, Arena *arena)
{
    Words words = begin(item, "render", arena);
    if (!item->workers)
        add_two(&words, "--set", arena_printf(arena, "render.workers=%d", how->workers), arena);
    if (how->bake)
        add_two(&words, "--set", how->bake->set, arena);
    add_output(&words, item, how->strict, arena);
    if (how->overwrite || how->no_clobber)
        add(&words, how->overwrite ? "--overwrite" : "--no-clobber", arena);
    add_two(&words, "--progress", "plain", arena);
    return end(&words, plan, arena);
}

const char *const *batch_bake_command(const BatchPlan *plan, const BatchBake *bake, Arena *arena)
{
    Words words = begin(&plan->items[bake->first], "bake", arena);
    add_two(&words, "-o", bake->file, arena);
    add_two(&words, "--progress", "plain", arena);
    return end(&words, plan, arena);
}

const char *const *batch_slurm_command(const BatchPlan *plan, const BatchItem *item,
                                       const char *sbatch, bool strict, Arena *arena)
{
    Words words = begin(item, "slurm", arena);
    add_output(&words, item, strict, arena);
    add_two(&words, "--shards", arena_printf(arena, "%d", plan->batch->rules.shards), arena);
    add(&words, "--submit", arena);
    if (sbatch)
        add_two(&words, "--sbatch", sbatch, arena);
    return end(&words, plan, arena);
}
