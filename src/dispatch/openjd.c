// SPDX-License-Identifier: MIT
#include "dispatch/openjd.h"

#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/text_stream.h"

enum { NOTICE_S = 60, MAX_NAME = 128 /* characters of a job */, MAX_TIMEOUT_S = 86400 };

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
    json_print(json, "args:[");
    for (size_t i = 1; good && i < command.count; i++) {
        const char *word = escape_word(command.items[i], job, arena, diag);
        good = word != NULL;
        json_text(json, word);
    }
    if (kind == STAGE_SHARDS)
        json_print(json, "'--shard' %s",
                   arena_printf(arena, "{{Task.Param.Shard}}/%d", job->stages->shards));
    json_print(json, "'--progress' 'openjd']");
    return good;
}

/* ---- steps ---- */

/* The resources of a task, and of the shards their numbers. */
static void write_tasks(Json *json, const Stages *stages, StageKind kind, Arena *arena)
{
    json_print(json,
               "hostRequirements:{amounts:[{name:'amount.worker.vcpu' min:%d}"
               "{name:'amount.worker.memory' min:%d}]"
               "attributes:[{name:'attr.worker.os.family' anyOf:['linux']}]}",
               stages->resources[kind].cores, stages->resources[kind].memory_mib);
    if (kind == STAGE_SHARDS)
        json_print(json,
                   "parameterSpace:{taskParameterDefinitions:[{name:'Shard' type:'INT' range:%s}]}",
                   arena_printf(arena, "1-%d", stages->shards));
}

static bool write_step(Json *json, const OpenjdJob *job, StageKind kind, Arena *arena, Diag *diag)
{
    const bool limited = job->timeout_s >= 1 && job->timeout_s < MAX_TIMEOUT_S;
    json_print(json, "\n{name:%s", stage_names[kind]);
    if (kind == STAGE_JOIN || (kind == STAGE_SHARDS && job->stages->bake))
        json_print(json, "dependencies:[{dependsOn:%s}]", stage_names[kind - 1]);
    write_tasks(json, job->stages, kind, arena);
    json_print(json, "script:{actions:{onRun:{command:'{{Param.Odori}}'");
    const bool good = write_arguments(json, job, kind, arena, diag);
    /* The renderer ends after the current frame, and resumes when the task is run again. */
    json_print(json,
               "timeout:%d cancelation:{mode:'NOTIFY_THEN_TERMINATE' notifyPeriodInSeconds:%d}}}}}",
               limited ? (int)ceil(job->timeout_s) : MAX_TIMEOUT_S, NOTICE_S);
    return good;
}

/* ---- the template ---- */

static void write_parameters(Json *json, const OpenjdJob *job)
{
    const size_t size = job->directory ? strlen(job->directory) : 0;
    json_print(json,
               "parameterDefinitions:[{name:'Odori' type:'STRING' "
               "description:'The program on the workers.' default:%s}",
               job->stages->program);
    for (size_t i = 0; i < job->paths.count; i++) {
        const OpenjdPath *path = &job->paths.items[i];
        json_print(json, "\n{name:%s type:'PATH' objectType:%s dataFlow:%s", path->parameter,
                   path->is_directory ? "DIRECTORY" : "FILE", path->flow);
        if (size && !strncmp(path->path, job->directory, size) && path->path[size])
            json_print(json, "default:%s", path->path + size);
        json_print(json, "}");
    }
    json_print(json, "]");
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
    json_print(&json, "{specificationVersion:'jobtemplate-2023-09' name:%s description:%s",
               job_name(job->stages->name, arena),
               "Generated by 'odori submit'. All workers must see the same files.");
    write_parameters(&json, job);
    json_print(&json, "steps:[");
    for (StageKind kind = job->stages->bake ? STAGE_BAKE : STAGE_SHARDS; kind < STAGE_KINDS; kind++)
        good = good && write_step(&json, job, kind, arena, diag);
    json_print(&json, "]}\n");
    return good;
}

/* ---- bundles ---- */

static bool write_references(FILE *out, const OpenjdJob *job, Arena *arena, Diag *diag)
{
    Json json = json_init(out);
    (void)arena;
    (void)diag;
    json_print(&json, "{assetReferences:{inputs:{filenames:[");
    for (size_t i = 0; i < job->input_count; i++)
        json_print(&json, "\n%s", job->inputs[i]);
    json_print(&json, "]} outputs:{directories:[");
    for (size_t i = 0; i < job->directory_count; i++)
        json_print(&json, "\n%s", job->directories[i]);
    json_print(&json, "]}}}\n");
    return true;
}

static bool write_values(FILE *out, const OpenjdJob *job, Arena *arena, Diag *diag)
{
    Json json = json_init(out);
    (void)arena;
    (void)diag;
    json_print(&json, "{parameterValues:[");
    for (size_t i = 0; i < job->paths.count; i++)
        json_print(&json, "\n{name:%s value:%s}", job->paths.items[i].parameter,
                   job->paths.items[i].path);
    json_print(&json, "]}\n");
    return true;
}

bool openjd_save_bundle(const char *directory, const OpenjdJob *job, bool overwrite,
                        Progress *progress, Arena *arena, Diag *diag)
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
        progress_output_file(progress, path);
    }
    return true;
}
