// SPDX-License-Identifier: MIT
#include "run/sandbox_paths.h"

#include <string.h>
#include <sys/stat.h>

#include "base/archive_path.h"
#include "base/file.h"
#include "base/path.h"
#include "film/film_scenes.h"
#include "job/job_visit.h"

static bool is_special(const char *file)
{
    struct stat st;
    return stat(file, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

void sandbox_paths_add_file(SandboxRules *rules, const char *file, unsigned access, Arena *arena)
{
    if (!file || !*file || file_is_null(file))
        return;
    if (is_special(file)) {
        sandbox_allow(rules, file, access, arena);
        return;
    }
    const char *directory = path_directory(file, arena);
    sandbox_allow_names(rules, *directory ? directory : ".", path_name(file), access, arena);
}

typedef struct FileRules {
    SandboxRules *rules;
    Arena *arena;
} FileRules;

/* Inputs that a worker opens when its renderer exists. */
static void add_late_input(void *user, const JobFile *file)
{
    const FileRules *to = user;
    if (file->role == ROLE_INPUT_VIDEO || file->role == ROLE_INPUT_SHADERS ||
        file->role == ROLE_INPUT_IMAGE)
        sandbox_allow(to->rules, archive_path_container(file->path, to->arena), SANDBOX_READ,
                      to->arena);
}

static void add_output(SandboxRules *rules, const FilmOutput *output, Arena *arena)
{
    sandbox_paths_add_file(rules, output->options.file, SANDBOX_READ | SANDBOX_WRITE, arena);
}

/* Without a checkpoint, each output that is complete is recorded in the directory, or in its parent
 * as long as it does not exist. */
static void add_record_directory(SandboxRules *rules, const Film *film, const char *checkpoint,
                                 Arena *arena)
{
    struct stat st;
    if (checkpoint || !film->record_directory)
        return;
    sandbox_allow(rules, film->record_directory, SANDBOX_READ | SANDBOX_WRITE, arena);
    if (stat(film->record_directory, &st) != 0)
        sandbox_paths_add_file(rules, film->record_directory, SANDBOX_READ | SANDBOX_WRITE, arena);
}

static bool has_unordered_output(const Film *film)
{
    for (size_t i = 0; i < film->output_count; i++)
        if (!film->outputs[i].kind->ordered)
            return true;
    return false;
}

/* Textures that it decodes again, in archives too. */
static void add_textures(SandboxRules *rules, const Scene *scene, Arena *arena)
{
    for (size_t i = 0; i < scene->model_count; i++) {
        const Model *model = scene->models[i].model;
        for (uint32_t k = 0; model->textures && k < model->pmx.texture_count; k++)
            if (model->texture_files[k])
                sandbox_allow(rules, archive_path_container(model->texture_files[k], arena),
                              SANDBOX_READ, arena);
    }
}

void sandbox_paths_add_worker(SandboxRules *rules, const Film *film, const char *checkpoint,
                              Arena *arena)
{
    if (has_unordered_output(film))
        add_record_directory(rules, film, checkpoint, arena);
    job_visit_files(film->job, add_late_input, &(FileRules){rules, arena});
    for (size_t i = 0; i < film->scene_count; i++)
        if (!film_keeps_pixels(film, i))
            add_textures(rules, &film->scenes[i].scene, arena);
    for (size_t i = 0; i < film->output_count; i++)
        if (!film->outputs[i].kind->ordered)
            add_output(rules, &film->outputs[i], arena);
}

void sandbox_paths_add_encoder(SandboxRules *rules, const Film *film, const char *checkpoint,
                               Arena *arena)
{
    sandbox_allow(rules, checkpoint, SANDBOX_READ | SANDBOX_WRITE, arena);
    add_record_directory(rules, film, checkpoint, arena);
    for (size_t i = 0; i < film->output_count; i++) {
        const SinkKind *kind = film->outputs[i].kind;
        if (kind->ordered && !(checkpoint && kind->segments))
            add_output(rules, &film->outputs[i], arena);
    }
}
