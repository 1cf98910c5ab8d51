#include "film/sandbox_paths.h"

#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/path.h"
#include "film/film.h"

/* The directory of a file; of a pattern, the part before the first component with a frame number.
 */
static const char *directory_of(const char *file, Arena *arena)
{
    const char *directory = path_directory(arena_strndup(arena, file, strcspn(file, "%")), arena);
    return *directory ? directory : ".";
}

/* The rest of a pattern. */
static const char *names_below(const char *file)
{
    const char *start = file;
    for (const char *at = file; *at && *at != '%'; at++)
        if (*at == '/')
            start = at + 1;
    return start;
}

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
    const char *directory = directory_of(file, arena), *name = path_name(file);
    const char *names = names_below(file);
    sandbox_allow_names(rules, directory, names, access, arena);
    if (strcmp(names, name) != 0) /* its checkpoint directory */
        sandbox_allow_names(rules, directory, name, access, arena);
}

static void add_model(SandboxRules *rules, const char *file, Arena *arena)
{
    sandbox_allow(rules, file, SANDBOX_READ, arena); /* perhaps a link to another directory */
    if (file)
        sandbox_allow(rules, directory_of(file, arena), SANDBOX_READ, arena);
}

static void add_models(SandboxRules *rules, const JobModel *models, size_t count, Arena *arena)
{
    for (size_t i = 0; i < count; i++) {
        add_model(rules, models[i].file, arena);
        for (size_t k = 0; k < models[i].motion_count; k++)
            sandbox_allow(rules, models[i].motions[k].file, SANDBOX_READ, arena);
    }
}

static void add_cloth(SandboxRules *rules, const Job *job, Arena *arena)
{
    for (size_t i = 0; i < job->cloth_count; i++)
        if (job->cloth[i].shape)
            sandbox_allow(rules, job->cloth[i].shape->texture, SANDBOX_READ, arena);
}

void sandbox_paths_add_inputs(SandboxRules *rules, const Job *job, Arena *arena)
{
    const char *const files[] = {
        job->file,
        job->camera.motion ? job->camera.motion->file : NULL,
        job->light.motion ? job->light.motion->file : NULL,
        job->background.image,
        job->background.video,
        job->audio ? job->audio->file : NULL,
        job->audio ? job->audio->soundfont : NULL,
        job_burn_in_font(job),
        job->subtitles ? job->subtitles->file : NULL,
        job_subtitle_font(job),
        job->look.grade ? job->look.grade->lut : NULL,
        job->render.shader_dir,
        job->physics.bake, /* "auto" and "none" do not exist */
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        sandbox_allow(rules, files[i], SANDBOX_READ, arena);
    add_models(rules, job->stage, job->stage_count, arena);
    add_models(rules, job->models, job->model_count, arena);
    add_cloth(rules, job, arena);
}

void sandbox_paths_add_outputs(SandboxRules *rules, const Job *job, unsigned access, Arena *arena)
{
    for (size_t i = 0; i < job->output_count; i++)
        sandbox_paths_add_file(rules, job->outputs[i].file, access, arena);
    for (size_t i = 0; i < job->preview_count; i++)
        sandbox_paths_add_file(rules, job->previews[i].file, access, arena);
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

void sandbox_paths_add_worker(SandboxRules *rules, const Film *film, const char *checkpoint,
                              Arena *arena)
{
    if (has_unordered_output(film))
        add_record_directory(rules, film, checkpoint, arena);
    sandbox_allow(rules, film->job->background.video, SANDBOX_READ, arena);
    sandbox_allow(rules, film->job->render.shader_dir, SANDBOX_READ, arena);
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
