#include "cli/verbs_dispatch.h"

#include <stdio.h>
#include <unistd.h>

#include "base/path.h"
#include "base/text_stream.h"
#include "cli/verbs_render.h"
#include "dispatch/k8s.h"
#include "film/shard.h"
#include "dispatch/slurm.h"
#include "checkpoint/checkpoint.h"

enum { PATH_SIZE = 4096 };

/* Names as the steps find them: from `folder`, which is theirs, or as they are for NULL. */
typedef struct Many {
    Arguments args;
    const char *folder; /* with its slash */
    Stages steps;
    StageCommand words;
    Arena *arena;
} Many;

static const char *place(const Many *many, const char *path)
{
    return many->folder && path ? path_join(many->folder, path, many->arena) : path;
}

static void add_set(Many *many, const char *set)
{
    *arena_push(many->arena, &many->words) = "--set";
    *arena_push(many->arena, &many->words) = set;
}

/* What was given to us, given to each step: files, values (flags count more than --set), --strict.
 */
static void hand_on(Many *many)
{
    const Arguments *args = &many->args;
    for (size_t i = 0; i < args->files.count; i++)
        *arena_push(many->arena, &many->words) = place(many, args->files.items[i]);
    for (size_t i = 0; i < args->sets.count; i++)
        add_set(many, args->sets.items[i]);
    for (size_t i = 0; i < args->keys.count; i++)
        add_set(many, args->keys.items[i].set);
    if (args->strict)
        *arena_push(many->arena, &many->words) = "--strict";
    if (args->verbose)
        *arena_push(many->arena, &many->words) = "--verbose";
    many->steps.words = many->words.items;
    many->steps.word_count = many->words.count;
    many->steps.output = place(many, args->output);
}

/* The job is loaded as a step would, so that what is wrong with it is told here. */
static bool plan_steps(Many *many, Diag *diag)
{
    Arena *arena = arena_create();
    JobSource source;
    Job job;
    Film film;
    bool good = source_find(&source, &many->args, diag);
    source.needs_output = true;
    good =
        good && job_load(&job, &source, many->arena, diag) && film_load(&film, &job, arena, diag);
    if (good) {
        const char *own = checkpoint_folder(&film, many->arena);
        many->steps.state = place(many, many->args.state ? many->args.state : own);
        many->steps.bake = !many->args.no_bake && stages_want_bake(&film);
        stages_fill(&many->steps, &film, arena_bytes(arena), many->arena);
        if (!own)
            good = diag_fail(diag, DIAG_USAGE, "no output of this job can be drawn in shards");
    }
    arena_destroy(arena);
    return good;
}

static bool prepare(Many *many, Diag *diag)
{
    Arguments *args = &many->args;
    if (!args->shards)
        return diag_fail(diag, DIAG_USAGE, "--shards N is needed: how many machines draw at once");
    if (!shard_read_count(&many->steps.shards, args->shards, diag) ||
        !use_frames(args, many->arena, diag) || !plan_steps(many, diag))
        return false;
    hand_on(many);
    return true;
}

/* ---- Slurm ---- */

static bool find_here(Many *many, Diag *diag)
{
    char path[PATH_SIZE];
    const ssize_t size = readlink("/proc/self/exe", path, sizeof path);
    if (size <= 0 || size == sizeof path)
        return diag_fail(diag, DIAG_INTERNAL, "/proc/self/exe does not say where this program is");
    many->steps.program = arena_strndup(many->arena, path, (size_t)size);
    if (!getcwd(path, sizeof path))
        return diag_fail(diag, DIAG_MISSING, "the current folder is gone");
    many->folder = arena_printf(many->arena, "%s/", path);
    return true;
}

bool verb_slurm(Progress *progress, const Arguments *given, Arena *arena, Diag *diag)
{
    Many many = {.args = *given, .arena = arena};
    TextStream stream;
    (void)progress;

    if (!find_here(&many, diag) || !prepare(&many, diag))
        return false;
    const SlurmOptions options = {many.folder, given->sbatch};
    FILE *out = text_stream_open(&stream, arena);
    bool good = slurm_write(out, &many.steps, &options, arena, diag);
    const char *script = text_stream_close(&stream);
    if (good && given->submit)
        good = slurm_submit(script, diag);
    else if (good)
        fputs(script, stdout);
    return good;
}

/* ---- Kubernetes ---- */

bool verb_k8s(Progress *progress, const Arguments *given, Arena *arena, Diag *diag)
{
    Many many = {.args = *given, .arena = arena, .steps.program = "odori"};
    const K8sOptions options = {
        .image = given->image,
        .claim = given->claim ? given->claim : "odori",
        .mount = given->mount ? given->mount : "/data",
    };
    (void)progress;
    if (!given->image)
        return diag_fail(diag, DIAG_USAGE, "--image IMAGE is needed: a container with odori in it");
    return prepare(&many, diag) && k8s_write(stdout, &many.steps, &options, arena, diag);
}
