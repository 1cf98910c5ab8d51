// SPDX-License-Identifier: MIT
#include "dispatch/batch_plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/path.h"
#include "base/write_root.h"
#include "dispatch/stages.h"
#include "film/film.h"
#include "film/output_keys.h"
#include "film/path_conflicts.h"
#include "inspect/resource_estimate.h"
#include "job/job_visit.h"
#include "run/pipeline/bake_run.h"
#include "sandbox/isolated.h"

enum { MAX_ERRORS = 20, BAKE_DIGITS = 16, MESSAGE_SIZE = 1024 };

/* Limits of the process that loads a scene, if the host sets none. */
static const double LOAD_MEMORY_MIB = 8192, LOAD_TIMEOUT_S = 300;

/* ---- equal errors of many jobs ---- */

typedef struct MessageFilter { /* forwards each message once */
    DiagSink *sink;
    void *user;
    Arena *arena;
    ARENA_LIST(Digest) seen; /* digests of the forwarded messages */
    unsigned errors;
} MessageFilter;

static void filter_message(void *user, const DiagMessage *message)
{
    MessageFilter *filter = user;
    const Digest digest = hash_bytes(message->shown, strlen(message->shown));
    for (size_t i = 0; i < filter->seen.count; i++)
        if (digest_equal(&filter->seen.items[i], &digest))
            return;
    *arena_push(filter->arena, &filter->seen) = digest;
    filter->errors += message->level == DIAG_ERROR;
    filter->sink(filter->user, message);
}

/* ---- outputs of a job ---- */

typedef struct Planner {
    BatchPlan *plan;
    Arena *arena, *scratch;       /* scratch: of the current job */
    char current_directory[4096]; /* ends with '/'; "" if it does not exist */
    MessageFilter filter;
    PathConflicts *conflicts; /* inputs and outputs of all jobs */
    Diag *diag;
} Planner;

/* The path of an output: that of the job, or that of the manifest, which adds a --set. */
static const char *output_path(Planner *planner, BatchItem *item, const char *list, size_t index,
                               const char *file)
{
    const char *out = item->job->out, *path;
    Arena *arena = planner->arena;
    if (file_is_null(file))
        return file;
    if (!out || file_is_null(out))
        return batch_normalize_path(path_join(planner->current_directory, file, arena), arena);
    if (out[strlen(out) - 1] == '/') {
        path = arena_printf(arena, "%s%s", out, path_name(file));
    } else { /* "out/dance.mp4" and "sheet.png": "out/dance-sheet.png" */
        const char *name = path_name(out), *dot = strrchr(name, '.');
        const size_t stem = dot && dot > name ? (size_t)(dot - out) : strlen(out);
        path = arena_printf(arena, "%.*s-%s", (int)stem, out, path_name(file));
    }
    item->sets[item->set_count++] =
        arena_printf(arena, "%s.%zu.file=%s", list, index, json_quote(path, arena));
    return path;
}

/* The arguments --set for the values of a job, then for its outputs; and its output files. */
static void set_outputs(Planner *planner, BatchItem *item, const Job *job)
{
    const BatchJob *from = item->job;
    Arena *arena = planner->arena;
    const size_t outputs = job->output_count + job->preview_count;
    size_t values = 0;
    for (size_t i = 0; i < from->layer_count; i++)
        values += from->layers[i]->count;
    item->sets = arena_array(arena, const char *, values + outputs);
    item->outputs = arena_array(arena, const char *, outputs);

    for (size_t i = 0; i < from->layer_count; i++)
        for (const YamlNode *value = from->layers[i]->first; value; value = value->next)
            item->sets[item->set_count++] = batch_set_argument(value, arena);
    if (item->output)
        item->outputs[item->output_count++] = item->output;
    for (size_t i = 0; !item->output && i < job->output_count; i++)
        item->outputs[item->output_count++] =
            output_path(planner, item, "outputs", i, job->outputs[i].file);
    for (size_t i = 0; i < job->preview_count; i++)
        item->outputs[item->output_count++] =
            output_path(planner, item, "previews", i, job->previews[i].file);
}

static Digest item_key(const BatchItem *item, const char *base)
{
    Hash *hash = hash_create();
    hash_add(hash, base, strlen(base) + 1);
    for (size_t i = 0; i < item->set_count; i++)
        hash_add(hash, item->sets[i], strlen(item->sets[i]) + 1);
    if (item->output)
        hash_add(hash, item->output, strlen(item->output) + 1);
    return hash_finish(hash);
}

/* ---- loading ---- */

static bool load_job(Job *job, const Planner *planner, const BatchItem *item, Diag *diag)
{
    const JobSource source = {.path = planner->plan->batch->base,
                              .layers = item->job->layers,
                              .layer_count = item->job->layer_count,
                              .output = item->output,
                              .needs_output = true,
                              .host = planner->plan->batch->host.limits,
                              .stop = planner->plan->batch->host.stop,
                              .names_only = planner->plan->batch->host.names_only};
    return job_load(job, &source, planner->scratch, diag);
}

static BatchItem new_item(const BatchJob *job)
{
    const bool is_file = job->out && job->out[strlen(job->out) - 1] != '/';
    return (BatchItem){.job = job, .output = is_file ? job->out : NULL, .frames = -1, .bake = -1};
}

static bool plan_item(Planner *planner, BatchItem *item)
{
    const unsigned before = planner->filter.errors;
    Job job;
    if (!load_job(&job, planner, item, planner->diag) ||
        !output_keys_check(&job, planner->scratch, planner->diag)) {
        if (planner->filter.errors > before)
            diag_note(planner->diag, "in job '%s'", item->job->name);
        return false;
    }
    path_conflicts_add_job(planner->conflicts, &job, NULL);
    set_outputs(planner, item, &job);
    item->workers = job.render.workers;
    item->key = item_key(item, planner->plan->batch->base);
    return true;
}

static bool plan_items(Planner *planner)
{
    const Batch *batch = planner->plan->batch;
    bool good = true;
    planner->filter = (MessageFilter){
        .sink = planner->diag->sink, .user = planner->diag->user, .arena = planner->arena};
    planner->diag->sink = filter_message;
    planner->diag->user = &planner->filter;
    for (size_t i = 0; i < batch->job_count && planner->filter.errors < MAX_ERRORS; i++) {
        BatchItem *item = &planner->plan->items[i];
        *item = new_item(&batch->jobs[i]);
        good &= plan_item(planner, item);
        arena_reset(planner->scratch);
    }
    planner->diag->sink = planner->filter.sink;
    planner->diag->user = planner->filter.user;
    return good;
}

/* ---- output files of several jobs ---- */

typedef struct Target {
    const char *file;
    const BatchItem *item;
} Target;

static int compare_targets(const void *a, const void *b)
{
    const Target *x = a, *y = b;
    const int order = strcmp(x->file, y->file);
    return order ? order : (x->item > y->item) - (x->item < y->item);
}

static bool check_output_files(Planner *planner)
{
    const BatchPlan *plan = planner->plan;
    size_t count = 0;
    for (size_t i = 0; i < plan->batch->job_count; i++)
        count += plan->items[i].output_count;
    Target *targets = arena_array(planner->scratch, Target, count);
    count = 0;
    for (size_t i = 0; i < plan->batch->job_count; i++)
        for (size_t k = 0; k < plan->items[i].output_count; k++) {
            const char *file = plan->items[i].outputs[k];
            if (!file_is_null(file))
                targets[count++] = (Target){file, &plan->items[i]};
        }
    qsort(targets, count, sizeof *targets, compare_targets);

    unsigned clashes = 0;
    for (size_t i = 1; i < count && clashes < MAX_ERRORS; i++) {
        const BatchJob *x = targets[i - 1].item->job, *y = targets[i].item->job;
        const char *file = targets[i].file;
        if (strcmp(file, targets[i - 1].file) != 0)
            continue;
        clashes++;
        if (x == y)
            yaml_error(y->location, planner->diag, "job '%s' writes '%s' twice", x->name, file);
        else
            yaml_error(y->location, planner->diag,
                       "jobs '%s' and '%s' both write '%s'; use {name} in out", x->name, y->name,
                       file);
    }
    diag_file(planner->diag, NULL);
    arena_reset(planner->scratch);
    return !clashes;
}

/* Compares the files themselves, also with the inputs of all jobs. */
static bool check_path_conflicts(const Planner *planner)
{
    const BatchPlan *plan = planner->plan;
    unsigned clashes = 0;
    for (size_t i = 0; i < plan->batch->job_count; i++) {
        const BatchItem *item = &plan->items[i];
        const char *label = arena_printf(planner->arena, "job '%s'", item->job->name);
        for (size_t k = 0; k < item->output_count && clashes < MAX_ERRORS; k++)
            clashes += !path_conflicts_add_output(
                planner->conflicts, label, item->outputs[k],
                sink_is_sequence(item->outputs[k], NULL) ? &(FrameRanges){0} : NULL, planner->diag);
    }
    return !clashes;
}

/* ---- groups of jobs that evaluate the same frames ---- */

/* Jobs with equal evaluated frames; the scene of only one of them is loaded. */
typedef struct SceneGroup {
    Digest settings; /* digest of the keys that affect evaluation */
    size_t largest;  /* the item with the largest frames, which is loaded */
    double samples;  /* per frame of that item; times the images that its effects need */
    int64_t frames;  /* -1 if it could not be loaded */
    Digest digest;   /* digest of a bake's inputs and frames */
    bool can_share;  /* has physics or cloth, and physics.bake is auto */
    int memory_mib, worker_mib;
} SceneGroup;

typedef ARENA_LIST(SceneGroup) SceneGroups;

static void add_key(void *user, const char *key, const char *value, const Option *option)
{
    Hash *hash = user;
    if (option->stage != STAGE_EVALUATION)
        return;
    hash_add(hash, key, strlen(key) + 1);
    hash_add(hash, value, strlen(value) + 1);
}

static Digest bake_digest(const BakeInfo *info)
{
    Hash *hash = hash_create();
    hash_add(hash, &info->digest, sizeof info->digest);
    hash_add(hash, &info->fps, sizeof info->fps);
    for (size_t i = 0; i < info->frames.count; i++)
        hash_add(hash, &info->frames.items[i], sizeof info->frames.items[i]);
    return hash_finish(hash);
}

/* A DiagSink that keeps the first error. */
static void keep_first_error(void *user, const DiagMessage *message)
{
    char *first = user;
    if (message->level == DIAG_ERROR && !first[0])
        snprintf(first, MESSAGE_SIZE, "%s", message->shown);
}

static SceneGroup *find_group(SceneGroups *groups, const Job *job, size_t index, Arena *arena)
{
    const JobRender *render = &job->render;
    Hash *hash = hash_create();
    job_visit_keys(job, add_key, hash);
    const Digest settings = hash_finish(hash);
    const LookOptions *look = &job->look;
    const int effects = !!look->focus + !!look->ssao + !!look->glow + !!look->diffusion;
    const double samples = (double)render->size[0] * render->size[1] * render->supersample *
                           render->supersample * render->samples * (1 + effects);
    SceneGroup *group = NULL;
    for (size_t i = 0; i < groups->count && !group; i++)
        if (!memcmp(&groups->items[i].settings, &settings, sizeof settings))
            group = &groups->items[i];
    if (!group) {
        group = arena_push(arena, groups);
        *group = (SceneGroup){.settings = settings, .frames = -1};
    }
    if (samples > group->samples) {
        group->samples = samples;
        group->largest = index;
    }
    return group;
}

/* ---- loading of a scene, in a child process ---- */

typedef struct GroupLoad {
    SceneGroup *group;
    const Planner *planner;
} GroupLoad;

/* Writes the complete group, then the inputs. */
static bool measure_group(FILE *out, void *user, Diag *diag)
{
    const GroupLoad *load = user;
    Arena *arena = load->planner->scratch;
    SceneGroup group = *load->group;
    Job job;
    Film film;
    BakeInfo info;

    if (!load_job(&job, load->planner, &load->planner->plan->items[group.largest], diag) ||
        !film_load(&film, &job, arena, diag) || !bake_info(&info, &film, diag))
        return false;
    group.frames = film.frame_count;
    group.digest = bake_digest(&info);
    group.can_share = stages_need_bake(&film);
    const MemoryEstimate one = estimate_memory(&film, arena_bytes(arena), 1),
                         two = estimate_memory(&film, arena_bytes(arena), 2);
    group.memory_mib = (int)(one.peak >> 20) + 1;
    group.worker_mib = (int)((two.worker + one.ring / 2) >> 20) + 1; /* each additional one */
    fwrite(&group, sizeof group, 1, out);
    /* The files of a film, which the outputs of all jobs are compared with. */
    PathConflicts *inputs = path_conflicts_create(DIAG_JOB, arena);
    path_conflicts_add_film(inputs, &film);
    for (size_t i = 0; i < path_conflicts_input_count(inputs); i++) {
        fputs(path_conflicts_input_label(inputs, i), out);
        fputc('\0', out);
        fputs(path_conflicts_input_file(inputs, i), out);
        fputc('\0', out);
    }
    return true;
}

static void read_inputs(PathConflicts *conflicts, Bytes bytes, Arena *arena)
{
    const char *at = (const char *)bytes.data, *end = at + bytes.size;
    while (at < end) {
        const char *label = at, *file = label + strnlen(label, (size_t)(end - label)) + 1;
        if (file >= end || !memchr(file, 0, (size_t)(end - file)))
            return;
        path_conflicts_add_input(conflicts, arena_strdup(arena, label), file);
        at = file + strlen(file) + 1;
    }
}

/* A job whose files crash or exhaust the loader costs only itself. */
static bool load_group(SceneGroup *group, const Planner *planner)
{
    const BatchHost *host = &planner->plan->batch->host;
    const double memory = host->limits ? host->limits->memory_mib.max : 0;
    const double wall = host->limits ? host->limits->wall_s.max : 0;
    const IsolatedLimits limits = {.memory_mib = memory > 0 ? memory : LOAD_MEMORY_MIB,
                                   .wall_s =
                                       wall > 0 && wall < LOAD_TIMEOUT_S ? wall : LOAD_TIMEOUT_S,
                                   .stop = host->stop,
                                   .sandbox = host->sandbox};
    GroupLoad load = {group, planner};
    char first[MESSAGE_SIZE] = "";
    Bytes bytes;
    Diag silent;

    diag_init(&silent, keep_first_error, first);
    arena_reset(planner->scratch);
    if (isolated_run(&bytes, measure_group, &load, &limits, planner->scratch, &silent) &&
        bytes.size >= sizeof *group) {
        memcpy(group, bytes.data, sizeof *group);
        read_inputs(planner->conflicts,
                    (Bytes){bytes.data + sizeof *group, bytes.size - sizeof *group},
                    planner->scratch);
    } else if (silent.kind != DIAG_NONE) {
        diag_warn(planner->diag, WARN_JOB, "job '%s': %s",
                  planner->plan->items[group->largest].job->name, first);
    }
    arena_reset(planner->scratch);
    return !limits.stop || !*limits.stop;
}

/* Index of the bake with a digest, which is added if necessary. */
static int find_bake(Planner *planner, const Digest *digest, size_t item)
{
    BatchPlan *plan = planner->plan;
    char text[DIGEST_TEXT_SIZE];
    digest_text(text, digest);
    text[BAKE_DIGITS] = '\0';
    for (size_t i = 0; i < plan->bake_count; i++)
        if (!strcmp(plan->bakes[i].name, text))
            return (int)i;
    const char *name = arena_strdup(planner->arena, text);
    const char *file = arena_printf(planner->arena, "%sbake/%s.bake", plan->directory, name);
    plan->bakes[plan->bake_count] = (BatchBake){
        .file = file,
        .set = arena_printf(planner->arena, "physics.bake=%s", json_quote(file, planner->arena)),
        .name = name,
        .first = item,
    };
    return (int)plan->bake_count++;
}

/* False after a stop. */
static bool plan_scenes(Planner *planner)
{
    BatchPlan *plan = planner->plan;
    const size_t count = plan->batch->job_count;
    size_t *group_of = arena_array(planner->arena, size_t, count); /* index, or SIZE_MAX */
    SceneGroups groups = {0};
    Job job;
    for (size_t i = 0; i < count; i++) {
        group_of[i] = SIZE_MAX;
        Diag silent = diag_quiet(); /* its messages were reported when it was loaded first */
        if (load_job(&job, planner, &plan->items[i], &silent))
            group_of[i] = (size_t)(find_group(&groups, &job, i, planner->arena) - groups.items);
        arena_reset(planner->scratch);
    }
    for (size_t i = 0; i < groups.count; i++)
        if (!load_group(&groups.items[i], planner))
            return false;
    plan->bakes = arena_array(planner->arena, BatchBake, count);
    for (size_t i = 0; i < count; i++) {
        const SceneGroup *group = group_of[i] < groups.count ? &groups.items[group_of[i]] : NULL;
        BatchItem *item = &plan->items[i];
        if (!group)
            continue;
        item->frames = group->frames;
        item->memory_mib = group->memory_mib;
        item->worker_mib = group->worker_mib;
        if (plan->batch->rules.share_bakes && group->can_share) {
            item->bake = find_bake(planner, &group->digest, i);
            plan->bakes[item->bake].users++;
        }
    }
    /* Removes bakes that only one job uses. */
    size_t kept = 0;
    for (size_t b = 0; b < plan->bake_count; b++) {
        const bool shared = plan->bakes[b].users > 1;
        for (size_t i = plan->bakes[b].first; i < plan->batch->job_count; i++)
            if (plan->items[i].bake == (int)b)
                plan->items[i].bake = shared ? (int)kept : -1;
        if (shared)
            plan->bakes[kept++] = plan->bakes[b];
    }
    plan->bake_count = kept;
    return true;
}

bool batch_plan_job(Job *job, const BatchPlan *plan, const BatchItem *item, Arena *arena,
                    Diag *diag)
{
    const JobSource source = {.path = plan->batch->base,
                              .sets = item->sets,
                              .set_count = item->set_count,
                              .output = item->output,
                              .needs_output = true,
                              .host = plan->batch->host.limits};
    return job_load(job, &source, arena, diag);
}

/* With paths confined, the base job and the outputs must be below the directory of the manifest. */
static bool check_base(const Batch *batch, Diag *diag)
{
    const HostLimits *limits = batch->host.limits;
    bool good = true;
    if (!limits || limits->paths != HOST_PATHS_JOB_DIRECTORY)
        return true;
    if (!path_is_below(batch->base, batch->directory))
        good = diag_fail(diag, DIAG_JOB,
                         "base: '%s' is not below the directory of the manifest (paths: %s)",
                         batch->base, limits->paths_source);
    for (size_t i = 0; good && i < batch->job_count; i++) {
        const char *out = batch->jobs[i].out;
        if (out && !path_is_below(out, batch->directory))
            good = diag_fail(diag, DIAG_JOB,
                             "out: '%s' is not below the directory of the manifest (paths: %s)",
                             out, limits->paths_source);
    }
    return good;
}

static void find_current_directory(Planner *planner)
{
    if (getcwd(planner->current_directory, sizeof planner->current_directory - 1))
        strcat(planner->current_directory, "/");
}

void batch_plan_visit(const Batch *batch, BatchJobVisitor *visit, void *user, Arena *arena)
{
    BatchPlan plan = {.batch = batch};
    Planner planner = {.plan = &plan, .arena = arena, .scratch = arena_create()};
    find_current_directory(&planner);
    for (size_t i = 0; i < batch->job_count; i++) {
        BatchItem item = new_item(&batch->jobs[i]);
        Diag quiet = diag_quiet();
        Job job;
        if (load_job(&job, &planner, &item, &quiet)) {
            set_outputs(&planner, &item, &job);
            visit(user, &job, &item);
        }
        arena_reset(planner.scratch);
    }
    arena_destroy(planner.scratch);
}

bool batch_plan(BatchPlan *plan, const Batch *batch, BatchDepth depth, Arena *arena, Diag *diag)
{
    Planner planner = {.plan = plan, .arena = arena, .scratch = arena_create(), .diag = diag};
    *plan = (BatchPlan){
        .batch = batch,
        .directory = batch_record_directory(batch->file, batch->directory, arena),
        .items = arena_array(arena, BatchItem, batch->job_count),
    };
    find_current_directory(&planner);
    planner.conflicts = path_conflicts_create(DIAG_JOB, arena);
    path_conflicts_add_input(planner.conflicts, "the manifest", batch->file);
    bool good = check_base(batch, diag) && write_root_check_beside(plan->directory, diag) &&
                plan_items(&planner) && check_output_files(&planner);
    if (good && depth == BATCH_SCENES)
        good = plan_scenes(&planner);
    good = good && check_path_conflicts(&planner);
    arena_destroy(planner.scratch);
    return good;
}
