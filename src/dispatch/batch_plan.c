#include "dispatch/batch_plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/path.h"
#include "base/text_stream.h"
#include "pipeline/bake_run.h"
#include "film/resource_estimate.h"
#include "film/film.h"
#include "job/job.h"
#include "job/option_text.h"

enum { MAX_ERRORS = 20, BAKE_DIGITS = 16, MESSAGE_SIZE = 1024 };

/* ---- errors of many jobs that are alike ---- */

typedef struct Told { /* a message that was told */
    Digest digest;
} Told;

typedef struct Ear { /* hands on what is new; errors alike are one */
    DiagSink *sink;
    void *user;
    Arena *arena;
    struct {
        Told *items;
        size_t count, room;
    } told;
    unsigned errors;
} Ear;

static void hear(void *user, DiagLevel level, const char *message)
{
    Ear *ear = user;
    const Digest digest = hash_bytes(message, strlen(message));
    for (size_t i = 0; i < ear->told.count; i++)
        if (!memcmp(&ear->told.items[i].digest, &digest, sizeof digest))
            return;
    *arena_push(ear->arena, &ear->told) = (Told){digest};
    ear->errors += level == DIAG_ERROR;
    ear->sink(ear->user, level, message);
}

/* ---- what a job writes ---- */

static const char *quoted(const char *text, Arena *arena)
{
    TextStream stream;
    Json json = json_init(text_stream_open(&stream, arena));
    json_text(&json, text);
    return text_stream_close(&stream);
}

typedef struct Planner {
    BatchPlan *plan;
    Arena *arena, *scratch; /* of the plan; of the job in hand */
    char here[4096];        /* the current folder with its slash; "" when it is gone */
    Ear ear;
    Diag *diag;
} Planner;

static void add_set(BatchItem *item, const char *set)
{
    item->sets[item->set_count++] = set;
}

/* "out/dance.mp4" and "sheet.png" -> "out/dance-sheet.png": a preview beside the one output */
static const char *beside(const char *output, const char *preview, Arena *arena)
{
    const char *name = path_name(output), *dot = strrchr(name, '.');
    const size_t stem = dot && dot > name ? (size_t)(dot - output) : strlen(output);
    return arena_printf(arena, "%.*s-%s", (int)stem, output, path_name(preview));
}

/* Where a file of the job goes: as the job says, or as the manifest does, by a --set then. */
static const char *place_file(Planner *planner, BatchItem *item, const char *list, size_t index,
                              const char *file)
{
    const char *out = item->job->out;
    const bool folder = out && out[strlen(out) - 1] == '/';
    const bool nowhere = file[strlen(file) - 1] == ':';
    Arena *arena = planner->arena;

    if (nowhere)
        return file;
    const char *placed = folder ? arena_printf(arena, "%s%s", out, path_name(file)) : NULL;
    if (!folder && out && strcmp(out, "null:") != 0)
        placed = beside(out, file, arena);
    if (!placed)
        return batch_normalize_path(path_join(planner->here, file, arena), arena);
    add_set(item, arena_printf(arena, "%s.%zu.file=%s", list, index, quoted(placed, arena)));
    return placed;
}

static void place_files(Planner *planner, BatchItem *item, const Job *job)
{
    const char *out = item->job->out;
    item->outputs =
        arena_array(planner->arena, const char *, job->output_count + job->preview_count);
    if (out && out[strlen(out) - 1] != '/') {
        item->output = out;
        item->outputs[item->output_count++] = out;
    }
    for (size_t i = 0; !item->output && i < job->output_count; i++)
        item->outputs[item->output_count++] =
            place_file(planner, item, "outputs", i, job->outputs[i].file);
    for (size_t i = 0; i < job->preview_count; i++)
        item->outputs[item->output_count++] =
            place_file(planner, item, "previews", i, job->previews[i].file);
}

static size_t count_values(const BatchJob *job)
{
    size_t count = 0;
    for (size_t i = 0; i < job->layer_count; i++)
        count += job->layers[i]->count;
    return count;
}

static void write_sets(Planner *planner, BatchItem *item, const Job *job)
{
    const BatchJob *from = item->job;
    item->sets = arena_array(planner->arena, const char *,
                             count_values(from) + job->output_count + job->preview_count);
    for (size_t i = 0; i < from->layer_count; i++)
        for (const YamlNode *value = from->layers[i]->first; value; value = value->next)
            add_set(item, batch_set_argument(value, planner->arena));
}

static Digest key_of(const BatchItem *item, const char *base)
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

static bool load_job(Job *job, const Planner *planner, const BatchItem *item)
{
    const JobSource source = {.path = planner->plan->batch->base,
                              .layers = item->job->layers,
                              .layer_count = item->job->layer_count,
                              .output = item->output,
                              .needs_output = true};
    return job_load(job, &source, planner->scratch, planner->diag);
}

static bool plan_job(Planner *planner, BatchItem *item)
{
    const char *out = item->job->out;
    const unsigned before = planner->ear.errors;
    Job job;
    item->output = out && out[strlen(out) - 1] != '/' ? out : NULL;
    if (!load_job(&job, planner, item)) {
        if (planner->ear.errors > before)
            diag_note(planner->diag, "so in job '%s'", item->job->name);
        return false;
    }
    write_sets(planner, item, &job);
    place_files(planner, item, &job);
    item->workers = job.render.workers;
    item->key = key_of(item, planner->plan->batch->base);
    return true;
}

static bool plan_jobs(Planner *planner)
{
    const Batch *batch = planner->plan->batch;
    bool good = true;
    planner->ear =
        (Ear){.sink = planner->diag->sink, .user = planner->diag->user, .arena = planner->arena};
    planner->diag->sink = hear;
    planner->diag->user = &planner->ear;
    for (size_t i = 0; i < batch->job_count && planner->ear.errors < MAX_ERRORS; i++) {
        BatchItem *item = &planner->plan->items[i];
        *item = (BatchItem){.job = &batch->jobs[i], .frames = -1, .bake = -1};
        good &= plan_job(planner, item);
        arena_reset(planner->scratch);
    }
    planner->diag->sink = planner->ear.sink;
    planner->diag->user = planner->ear.user;
    return good;
}

/* ---- two jobs, one file ---- */

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

static bool same_file(const Planner *planner, const Target *a, const Target *b)
{
    const BatchJob *x = a->item->job, *y = b->item->job;
    if (x == y)
        return yaml_error(y->place, planner->diag, "job '%s' writes '%s' twice", x->name, a->file);
    return yaml_error(y->place, planner->diag,
                      "jobs '%s' and '%s' both write '%s'; out can keep them apart by {name}",
                      x->name, y->name, a->file);
}

static bool check_files(Planner *planner)
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
            if (file[strlen(file) - 1] != ':') /* "null:" */
                targets[count++] = (Target){file, &plan->items[i]};
        }
    qsort(targets, count, sizeof *targets, compare_targets);
    unsigned clashes = 0;
    for (size_t i = 1; i < count && clashes < MAX_ERRORS; i++)
        if (!strcmp(targets[i].file, targets[i - 1].file))
            clashes += !same_file(planner, &targets[i - 1], &targets[i]);
    diag_file(planner->diag, NULL);
    arena_reset(planner->scratch);
    return !clashes;
}

/* ---- what is evaluated ---- */

/* A sort of scene: one is loaded for all jobs that evaluate the same. */
typedef struct Dance {
    Digest settings; /* of what a job file says about it */
    size_t largest;  /* the item with the largest pictures: it is the one that is loaded */
    double samples;  /* of a picture of it */
    int64_t frames;  /* -1: it could not be loaded */
    Digest digest;   /* of what a bake depends on, and the frames in it */
    bool shares;     /* something is simulated, and no bake is given */
    int memory_mib, worker_mib;
} Dance;

typedef struct Dances {
    Dance *items;
    size_t count, room;
} Dances;

/* What cannot reach an evaluated frame is left out, so that fewer scenes are loaded. */
static Digest settings_of(const Job *job)
{
    Job bare = *job;
    bare.name = "";
    bare.output_count = bare.preview_count = bare.credit_count = 0;
    bare.audio = NULL;
    bare.burn_in = NULL;
    bare.background = (JobBackground){.color = {1, 1, 1}};
    bare.shadows = (JobShadows){0};
    bare.limits = (JobLimits){0};
    bare.render = (JobRender){.fps = job->render.fps, .frames = job->render.frames};
    Arena *arena = arena_create();
    TextStream stream;
    option_dump(text_stream_open(&stream, arena), &bare);
    const char *text = text_stream_close(&stream);
    const Digest digest = hash_bytes(text, stream.size);
    arena_destroy(arena);
    return digest;
}

static bool simulates(const Scene *scene)
{
    bool found = scene->cloth_count > 0;
    for (size_t i = 0; i < scene->model_count; i++) {
        const SceneModel *model = &scene->models[i];
        found |= model->soft || (model->physics && scene->physics.step_hz > 0 &&
                                 model->model->dynamics.moving_count > 0);
    }
    return found;
}

static Digest digest_of(const BakeInfo *info)
{
    Hash *hash = hash_create();
    hash_add(hash, &info->digest, sizeof info->digest);
    hash_add(hash, &info->fps, sizeof info->fps);
    for (size_t i = 0; i < info->frames.count; i++)
        hash_add(hash, &info->frames.items[i], sizeof info->frames.items[i]);
    return hash_finish(hash);
}

/* A DiagSink that keeps the first error. */
static void keep_first(void *user, DiagLevel level, const char *message)
{
    char *first = user;
    if (level == DIAG_ERROR && !first[0])
        snprintf(first, MESSAGE_SIZE, "%s", message);
}

/* Loads a job again, which worked before; what is told is not told twice. */
static bool load_again(Job *job, const Planner *planner, size_t index)
{
    char first[MESSAGE_SIZE] = "";
    Planner quiet = *planner;
    Diag diag;
    diag_init(&diag, keep_first, first);
    quiet.diag = &diag;
    return load_job(job, &quiet, &planner->plan->items[index]);
}

static Dance *find_dance(Dances *dances, const Job *job, size_t index, Arena *arena)
{
    const JobRender *render = &job->render;
    const Digest settings = settings_of(job);
    const double samples = (double)render->size[0] * render->size[1] * render->supersample *
                           render->supersample * render->samples;
    Dance *dance = NULL;
    for (size_t i = 0; i < dances->count && !dance; i++)
        if (!memcmp(&dances->items[i].settings, &settings, sizeof settings))
            dance = &dances->items[i];
    if (!dance) {
        dance = arena_push(arena, dances);
        *dance = (Dance){.settings = settings, .frames = -1};
    }
    if (samples > dance->samples) {
        dance->samples = samples;
        dance->largest = index;
    }
    return dance;
}

/* With one worker, and what each more of them takes (costs.h). */
static void set_memory(Dance *dance, const Film *film, const Arena *loaded)
{
    const MemoryEstimate memory = estimate_memory(film, arena_bytes(loaded), 1);
    dance->memory_mib = (int)(memory.peak >> 20) + 1;
    dance->worker_mib = (int)((memory.worker + memory.ring / 2) >> 20) + 1;
}

static void load_dance(Dance *dance, const Planner *planner)
{
    Arena *arena = planner->scratch;
    char first[MESSAGE_SIZE] = "";
    SceneSpec spec;
    Job job;
    Film film;
    BakeInfo info;
    Diag quiet;

    diag_init(&quiet, keep_first, first);
    arena_reset(arena);
    if (load_again(&job, planner, dance->largest) && film_load(&film, &job, arena, &quiet) &&
        job_scene_spec(&spec, &job, false, arena, &quiet) &&
        bake_info(&info, &job, &spec, &film.scene, film.frames, &quiet)) {
        dance->frames = film.frame_count;
        dance->digest = digest_of(&info);
        dance->shares = simulates(&film.scene) && !strcmp(job.physics.bake, "auto");
        set_memory(dance, &film, arena);
    } else {
        diag_warn(planner->diag, "job '%s': %s", planner->plan->items[dance->largest].job->name,
                  first);
    }
    arena_reset(arena);
}

/* The bake of a digest; a new one if there is none. */
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
    const char *file = arena_printf(planner->arena, "%sbake/%s.bake", plan->folder, name);
    plan->bakes[plan->bake_count] = (BatchBake){
        .file = file,
        .set = arena_printf(planner->arena, "physics.bake=%s", quoted(file, planner->arena)),
        .name = name,
        .first = item,
    };
    return (int)plan->bake_count++;
}

/* Bakes of one job alone are none. */
static void drop_lonely_bakes(BatchPlan *plan)
{
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
}

static void take_dance(Planner *planner, size_t index, const Dance *dance)
{
    BatchPlan *plan = planner->plan;
    BatchItem *item = &plan->items[index];
    item->frames = dance->frames;
    item->memory_mib = dance->memory_mib;
    item->worker_mib = dance->worker_mib;
    if (plan->batch->rules.share_bakes && dance->shares) {
        item->bake = find_bake(planner, &dance->digest, index);
        plan->bakes[item->bake].users++;
    }
}

static void plan_scenes(Planner *planner)
{
    BatchPlan *plan = planner->plan;
    const size_t count = plan->batch->job_count;
    size_t *sorts = arena_array(planner->arena, size_t, count); /* which dance */
    Dances dances = {0};
    Job job;
    for (size_t i = 0; i < count; i++) {
        sorts[i] = SIZE_MAX;
        if (load_again(&job, planner, i))
            sorts[i] = (size_t)(find_dance(&dances, &job, i, planner->arena) - dances.items);
        arena_reset(planner->scratch);
    }
    for (size_t i = 0; i < dances.count; i++)
        load_dance(&dances.items[i], planner);
    plan->bakes = arena_array(planner->arena, BatchBake, count);
    for (size_t i = 0; i < count; i++)
        if (sorts[i] < dances.count)
            take_dance(planner, i, &dances.items[sorts[i]]);
    drop_lonely_bakes(plan);
}

bool batch_plan_job(Job *job, const BatchPlan *plan, const BatchItem *item, Arena *arena,
                    Diag *diag)
{
    const JobSource source = {.path = plan->batch->base,
                              .sets = item->sets,
                              .set_count = item->set_count,
                              .output = item->output,
                              .needs_output = true};
    return job_load(job, &source, arena, diag);
}

bool batch_plan(BatchPlan *plan, const Batch *batch, BatchDepth depth, Arena *arena, Diag *diag)
{
    Planner planner = {.plan = plan, .arena = arena, .scratch = arena_create(), .diag = diag};
    *plan = (BatchPlan){
        .batch = batch,
        .folder = arena_printf(arena, "%s.%s.odori/", batch->folder, path_name(batch->file)),
        .items = arena_array(arena, BatchItem, batch->job_count),
    };
    if (getcwd(planner.here, sizeof planner.here - 1))
        strcat(planner.here, "/");
    const bool good = plan_jobs(&planner) && check_files(&planner);
    if (good && depth == BATCH_SCENES)
        plan_scenes(&planner);
    arena_destroy(planner.scratch);
    return good;
}
