// SPDX-License-Identifier: MIT
#include "run/pipeline/summary.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/markdown.h"
#include "base/path.h"
#include "base/text_stream.h"
#include "film/film_scenes.h"

static void write_link(FILE *out, const char *path)
{
    for (; *path; path++) {
        const unsigned char c = (unsigned char)*path;
        if (c > 0x20 && c < 0x7F && !strchr("()<>%\\#?\"", c))
            fputc(c, out);
        else
            fprintf(out, "%%%02X", c);
    }
}

static void begin_row(FILE *out, const char *name)
{
    fprintf(out, "| %s | ", name);
}

static void write_row(FILE *out, const char *name, const char *text)
{
    begin_row(out, name);
    markdown_write_text(out, text);
    fputs(" |\n", out);
}

/* ---- the rows ---- */

static void write_length(FILE *out, const Film *film)
{
    const Rational fps = film->job->render.fps;
    const int64_t tenths =
        (2 * film->frame_count * 10 * fps.den + fps.num) / (2 * (int64_t)fps.num);
    begin_row(out, "Length");
    fprintf(out, "%" PRId64 ":%02" PRId64 ".%" PRId64 ", %s, %.6g frames/s |\n", tenths / 600,
            tenths / 10 % 60, tenths % 10, text_frames(film->frame_count).text,
            (double)fps.num / fps.den);
}

static void write_size(FILE *out, const JobRender *render)
{
    begin_row(out, "Size");
    fprintf(out, "%d x %d, %d sample%s", render->size[0], render->size[1], render->samples,
            render->samples == 1 ? "" : "s");
    if (render->supersample > 1)
        fprintf(out, ", supersample %d", render->supersample);
    fputs(" |\n", out);
}

static void write_models(FILE *out, const Scene *scene)
{
    for (size_t i = 0; i < scene->model_count; i++) {
        const SceneModel *m = &scene->models[i];
        const PmxModel *pmx = &m->model->pmx;
        begin_row(out, m->stage ? "Stage" : "Model");
        markdown_write_text(out, path_name(m->model->file));
        fprintf(out,
                ": %" PRIu32 " vertices, %" PRIu32 " triangles, %" PRIu32 " materials, %" PRIu32
                " bones |\n",
                pmx->vertex_count, pmx->index_count / 3, pmx->material_count, pmx->bone_count);
    }
}

static void write_motions(FILE *out, const Job *job)
{
    for (size_t i = 0; i < job->model_count; i++)
        for (size_t k = 0; k < job->models[i].motion_count; k++)
            write_row(out, "Motion", path_name(job->models[i].motions[k].file));
    write_row(out, "Camera", job_camera_text(&job->camera));
}

static size_t count_warnings(const ProblemList *problems)
{
    size_t count = 0;
    for (size_t i = 0; i < problems->count; i++)
        count += problems->items[i].level == DIAG_WARNING;
    return count;
}

static void write_outputs(FILE *out, const Job *job, const ProblemList *problems)
{
    for (size_t i = 0; i < job->output_count; i++)
        write_row(out, "Output", path_name(job->outputs[i].file));
    begin_row(out, "Warnings");
    fprintf(out, "%zu |\n", count_warnings(problems));
    for (size_t i = 0; i < job->credits.line_count; i++)
        write_row(out, "Credit", job->credits.lines[i]);
}

/* Relative to the page if the path is in its directory or below, otherwise unchanged. */
static const char *relative_to(const char *page, const char *path, Arena *arena)
{
    const char *directory = path_directory(page, arena);
    const size_t size = strlen(directory);
    return strncmp(path, directory, size) ? path : path + size;
}

static void write_image(FILE *out, const char *page, const char *image, Arena *arena)
{
    fputs("![", out);
    markdown_write_text(out, path_name(image));
    fputs("](", out);
    write_link(out, relative_to(page, image, arena));
    fputs(")\n\n", out);
}

static void write_warnings(FILE *out, const ProblemList *problems, Arena *arena)
{
    if (!count_warnings(problems))
        return;
    fputs("\n## Warnings\n\n| Class | Place | Message |\n|---|---|---|\n", out);
    for (size_t i = 0; i < problems->count; i++) {
        const DiagMessage *m = &problems->items[i];
        if (m->level != DIAG_WARNING)
            continue;
        begin_row(out, m->code);
        markdown_write_text(out, problem_location(m, "", arena));
        fputs(" | ", out);
        markdown_write_text(out, problem_text(m, arena));
        fputs(" |\n", out);
    }
}

static void write_page(FILE *out, const char *path, const Film *film, const ProblemList *problems,
                       Arena *arena)
{
    fputs("# ", out);
    markdown_write_text(out, film->job->name);
    fputs("\n\n", out);
    for (size_t i = 0; i < film->preview_count; i++)
        write_image(out, path, film->previews[i].output.options.file, arena);
    fputs("| | |\n|---|---|\n", out);
    write_length(out, film);
    write_size(out, &film->job->render);
    for (size_t i = 0; i < film->scene_count; i++) {
        if (film->scene_count > 1)
            write_row(out, "Scene", film_scene_text(film, i, arena));
        write_models(out, &film->scenes[i].scene);
        write_motions(out, film->scenes[i].job);
    }
    write_row(out, "Sound", film->job->audio ? path_name(film->job->audio->file) : "none");
    write_outputs(out, film->job, problems);
    write_warnings(out, problems, arena);
}

bool summary_write(const char *path, const Film *film, const ProblemList *problems,
                   const FileApproval *approval, Diag *diag)
{
    TextStream stream;
    Arena *arena = arena_create();
    write_page(text_stream_open(&stream, arena), path, film, problems, arena);
    const char *text = text_stream_close(&stream);
    const bool ok = file_save_approved(path, text, stream.size, approval, diag);
    arena_destroy(arena);
    return ok;
}
