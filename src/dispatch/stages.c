#include "dispatch/stages.h"

#include <string.h>

#include <utf8proc.h>

#include "film/resource_estimate.h"

const char *const stage_names[STAGE_KINDS] = {"bake", "shards", "join"};

enum { DEFAULT_CORES = 4 }; /* of a shard, when the job leaves the number of workers open */

bool stages_need_bake(const Film *film)
{
    if (strcmp(film->job->physics.bake, "auto") != 0) /* done before, or not wanted */
        return false;
    if (film->scene.cloth_count)
        return true;
    for (size_t i = 0; i < film->scene.model_count; i++) {
        const SceneModel *m = &film->scene.models[i];
        if (m->physics && (m->model->dynamics.moving_count || m->model->soft.count))
            return true;
    }
    return false;
}

/* A text for one line of a shell script or of YAML, where Unicode's line ends count too. */
static const char *one_line(const char *text, Arena *arena)
{
    char *copy = arena_strdup(arena, text), *out = copy;
    const utf8proc_uint8_t *at = (const utf8proc_uint8_t *)text;
    utf8proc_int32_t code;
    utf8proc_ssize_t n;
    for (; *at && (n = utf8proc_iterate(at, -1, &code)) > 0; at += n) {
        const utf8proc_category_t sort = utf8proc_category(code);
        if (sort == UTF8PROC_CATEGORY_CC || sort == UTF8PROC_CATEGORY_ZL ||
            sort == UTF8PROC_CATEGORY_ZP)
            *out++ = '_';
        else
            out += utf8proc_encode_char(code, (utf8proc_uint8_t *)out);
    }
    *out = 0;
    return copy;
}

enum { ROOM_MIB = 32 }; /* for the shell around it, and what is not ours */

static int to_mib(uint64_t bytes)
{
    return (int)(bytes / 10 * 11 >> 20) + ROOM_MIB;
}

void stages_fill(Stages *stages, const Film *film, size_t loaded, Arena *arena)
{
    const int asked = film->job->render.workers;
    const int cores = asked > 0 ? asked : DEFAULT_CORES;
    const int joining = film->preview_count ? cores : 1; /* previews are drawn then */
    const MemoryEstimate cost = estimate_memory(film, loaded, cores);

    stages->name = one_line(film->job->name, arena);
    stages->resources[STAGE_BAKE] = (StageResources){1, to_mib(cost.main)};
    stages->resources[STAGE_SHARDS] = (StageResources){cores, to_mib(cost.peak)};
    stages->resources[STAGE_JOIN] =
        (StageResources){joining, to_mib(film->preview_count ? cost.peak : cost.main)};
}

static void add(StageCommand *list, const char *word, Arena *arena)
{
    *arena_push(arena, list) = word;
}

/*
 * A bake goes to the state folder and is found there.  But -o of a bake is the bake's file, so
 * where the film has an -o that reaches the state's digest (another codec), the bake is named to
 * all.
 */
static void add_output(StageCommand *list, const Stages *stages, StageKind kind, Arena *arena)
{
    const char *bake = arena_printf(arena, "%s/bake/film.bake", stages->state);
    if (kind == STAGE_BAKE) {
        add(list, "--output", arena);
        add(list, bake, arena);
        return;
    }
    add(list, "--output", arena);
    add(list, stages->output, arena);
    if (stages->bake) {
        add(list, "--set", arena);
        add(list, arena_printf(arena, "physics.bake=%s", bake), arena);
    }
}

StageCommand stages_command(const Stages *stages, StageKind kind, Arena *arena)
{
    static const char *const verbs[STAGE_KINDS] = {"bake", "render", "join"};
    StageCommand list = {0};
    add(&list, stages->program, arena);
    add(&list, verbs[kind], arena);
    for (size_t i = 0; i < stages->argument_count; i++)
        add(&list, stages->arguments[i], arena);
    if (stages->output)
        add_output(&list, stages, kind, arena);
    if (kind != STAGE_BAKE || !stages->output) {
        add(&list, "--state", arena);
        add(&list, stages->state, arena);
    }
    return list;
}
