#include "dispatch/openjd.h"

#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/text_stream.h"

enum { NOTICE_S = 60, MAX_NAME = 128 /* characters of a job */, MAX_TIMEOUT_S = 86400 };

#define SHARD_PARAMETER "Shard"

/* ---- words of commands ---- */

/* The word with a path that has a parameter replaced.  NULL after an error: a template has no way
 * to write two braces. */
static const char *escape_word(const char *word, const OpenjdJob *job, Arena *arena, Diag *diag)
{
    if (strstr(word, "{{")) {
        diag_fail(diag, DIAG_USAGE,
                  "'%s' contains '{{', which begins a parameter in Open Job Description", word);
        return NULL;
    }
    for (size_t i = 0; i < job->paths.count; i++) {
        const OpenjdPath *item = &job->paths.items[i];
        const char *at = strstr(word, item->path);
        const size_t size = strlen(item->path);
        if (at && (at == word || at[-1] == '=') && (!at[size] || at[size] == '/'))
            return arena_printf(arena, "%.*s{{Param.%s}}%s", (int)(at - word), word,
                                item->parameter, at + size);
    }
    return word;
}

static bool write_arguments(Json *json, const OpenjdJob *job, StageKind kind, Arena *arena,
                            Diag *diag)
{
    const StageCommand command = stages_command(job->stages, kind, arena);
    bool good = true;
    json_pair_open(json, "args", '[');
    for (size_t i = 1; good && i < command.count; i++) {
        const char *word = escape_word(command.items[i], job, arena, diag);
        good = word != NULL;
        json_text(json, word);
    }
    if (kind == STAGE_SHARDS) {
        json_text(json, "--shard");
        json_text(json, arena_printf(arena, "{{Task.Param." SHARD_PARAMETER "}}/%d",
                                     job->stages->shards));
    }
    json_text(json, "--progress");
    json_text(json, "openjd");
    json_close(json, ']');
    return good;
}

/* ---- steps ---- */

static void write_amount(Json *json, const char *name, int amount)
{
    json_open(json, '{');
    json_pair_text(json, "name", name);
    json_pair_int(json, "min", amount);
    json_close(json, '}');
}

/* The resources of a task, and of the shards their numbers. */
static void write_tasks(Json *json, const Stages *stages, StageKind kind, Arena *arena)
{
    json_pair_open(json, "hostRequirements", '{');
    json_pair_open(json, "amounts", '[');
    write_amount(json, "amount.worker.vcpu", stages->resources[kind].cores);
    write_amount(json, "amount.worker.memory", stages->resources[kind].memory_mib);
    json_close(json, ']');
    json_pair_open(json, "attributes", '[');
    json_open(json, '{');
    json_pair_text(json, "name", "attr.worker.os.family");
    json_pair_open(json, "anyOf", '[');
    json_text(json, "linux");
    json_close(json, ']');
    json_close(json, '}');
    json_close(json, ']');
    json_close(json, '}');
    if (kind != STAGE_SHARDS)
        return;
    json_pair_open(json, "parameterSpace", '{');
    json_pair_open(json, "taskParameterDefinitions", '[');
    json_open(json, '{');
    json_pair_text(json, "name", SHARD_PARAMETER);
    json_pair_text(json, "type", "INT");
    json_pair_text(json, "range", arena_printf(arena, "1-%d", stages->shards));
    json_close(json, '}');
    json_close(json, ']');
    json_close(json, '}');
}

static bool write_step(Json *json, const OpenjdJob *job, StageKind kind, Arena *arena, Diag *diag)
{
    const bool limited = job->timeout_s >= 1 && job->timeout_s < MAX_TIMEOUT_S;
    json_newline(json);
    json_open(json, '{');
    json_pair_text(json, "name", stage_names[kind]);
    if (kind == STAGE_JOIN || (kind == STAGE_SHARDS && job->stages->bake)) {
        json_pair_open(json, "dependencies", '[');
        json_open(json, '{');
        json_pair_text(json, "dependsOn", stage_names[kind - 1]);
        json_close(json, '}');
        json_close(json, ']');
    }
    write_tasks(json, job->stages, kind, arena);

    json_pair_open(json, "script", '{');
    json_pair_open(json, "actions", '{');
    json_pair_open(json, "onRun", '{');
    json_pair_text(json, "command", "{{Param.Odori}}");
    const bool good = write_arguments(json, job, kind, arena, diag);
    json_pair_int(json, "timeout", limited ? (int64_t)ceil(job->timeout_s) : MAX_TIMEOUT_S);
    /* The renderer ends after the current frame, and resumes when the task is run again. */
    json_pair_open(json, "cancelation", '{');
    json_pair_text(json, "mode", "NOTIFY_THEN_TERMINATE");
    json_pair_int(json, "notifyPeriodInSeconds", NOTICE_S);
    for (int i = 0; i < 5; i++) /* cancelation, onRun, actions, script, the step */
        json_close(json, '}');
    return good;
}

/* ---- the template ---- */

static void write_parameters(Json *json, const OpenjdJob *job)
{
    const size_t size = job->directory ? strlen(job->directory) : 0;
    json_pair_open(json, "parameterDefinitions", '[');
    json_open(json, '{');
    json_pair_text(json, "name", "Odori");
    json_pair_text(json, "type", "STRING");
    json_pair_text(json, "description", "The program on the workers.");
    json_pair_text(json, "default", job->stages->program);
    json_close(json, '}');
    for (size_t i = 0; i < job->paths.count; i++) {
        const OpenjdPath *path = &job->paths.items[i];
        json_newline(json);
        json_open(json, '{');
        json_pair_text(json, "name", path->parameter);
        json_pair_text(json, "type", "PATH");
        json_pair_text(json, "objectType", path->is_directory ? "DIRECTORY" : "FILE");
        json_pair_text(json, "dataFlow", path->flow);
        if (size && !strncmp(path->path, job->directory, size) && path->path[size])
            json_pair_text(json, "default", path->path + size);
        json_close(json, '}');
    }
    json_close(json, ']');
}

/* The first characters that a name may have; braces would begin a parameter. */
static const char *job_name(const char *name, Arena *arena)
{
    char *copy = arena_strdup(arena, name), *end = copy;
    for (size_t count = 0; *end && count < MAX_NAME; end++)
        count += ((unsigned char)end[1] & 0xC0) != 0x80;
    *end = '\0';
    for (char *at = copy; *at; at++)
        if (*at == '{')
            *at = '(';
    return *copy ? copy : "film";
}

bool openjd_write(FILE *out, const OpenjdJob *job, Arena *arena, Diag *diag)
{
    Json json = json_init(out);
    bool good = true;
    json_open(&json, '{');
    json_pair_text(&json, "specificationVersion", "jobtemplate-2023-09");
    json_pair_text(&json, "name", job_name(job->stages->name, arena));
    json_pair_text(&json, "description",
                   "Generated by 'odori openjd'. All workers must see the same files.");
    write_parameters(&json, job);
    json_pair_open(&json, "steps", '[');
    for (StageKind kind = job->stages->bake ? STAGE_BAKE : STAGE_SHARDS; kind < STAGE_KINDS; kind++)
        good = good && write_step(&json, job, kind, arena, diag);
    json_close(&json, ']');
    json_close(&json, '}');
    json_newline(&json);
    return good;
}

/* ---- bundles ---- */

static void write_list(Json *json, const char *key, const char *const *items, size_t count)
{
    json_pair_open(json, key, '[');
    for (size_t i = 0; i < count; i++) {
        json_newline(json);
        json_text(json, items[i]);
    }
    json_close(json, ']');
}

static bool write_references(FILE *out, const OpenjdJob *job, Arena *arena, Diag *diag)
{
    Json json = json_init(out);
    (void)arena;
    (void)diag;
    json_open(&json, '{');
    json_pair_open(&json, "assetReferences", '{');
    json_pair_open(&json, "inputs", '{');
    write_list(&json, "filenames", job->inputs, job->input_count);
    json_close(&json, '}');
    json_pair_open(&json, "outputs", '{');
    write_list(&json, "directories", job->directories, job->directory_count);
    json_close(&json, '}');
    json_close(&json, '}');
    json_close(&json, '}');
    json_newline(&json);
    return true;
}

static bool write_values(FILE *out, const OpenjdJob *job, Arena *arena, Diag *diag)
{
    Json json = json_init(out);
    (void)arena;
    (void)diag;
    json_open(&json, '{');
    json_pair_open(&json, "parameterValues", '[');
    for (size_t i = 0; i < job->paths.count; i++) {
        json_newline(&json);
        json_open(&json, '{');
        json_pair_text(&json, "name", job->paths.items[i].parameter);
        json_pair_text(&json, "value", job->paths.items[i].path);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    json_close(&json, '}');
    json_newline(&json);
    return true;
}

bool openjd_save_bundle(const char *directory, const OpenjdJob *job, bool overwrite, Arena *arena,
                        Diag *diag)
{
    static const struct {
        const char *name;
        bool (*write)(FILE *, const OpenjdJob *, Arena *, Diag *);
    } files[] = {{"template.json", openjd_write},
                 {"parameter_values.json", write_values},
                 {"asset_references.json", write_references}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        TextStream stream;
        FILE *out = text_stream_open(&stream, arena);
        const char *path = arena_printf(arena, "%s/%s", directory, files[i].name);
        const bool good = files[i].write(out, job, arena, diag);
        const char *text = text_stream_close(&stream);
        if (!good || !file_check_new(path, overwrite, diag) ||
            !file_save(path, text, stream.size, diag))
            return false;
    }
    return true;
}
