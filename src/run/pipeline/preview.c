// SPDX-License-Identifier: MIT
#include "run/pipeline/preview.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/markdown.h"
#include "base/path.h"
#include "base/text.h"
#include "base/text_stream.h"
#include "base/write_root.h"
#include "film/film.h"
#include "film/film_images.h"
#include "film/film_scenes.h"
#include "film/path_conflicts.h"
#include "run/checkpoint/checkpoint_files.h"
#include "run/checkpoint/checkpoint_outputs.h"
#include "run/checkpoint/lock.h"
#include "run/pipeline/film_facts.h"
#include "run/pipeline/frame_loop.h"
#include "run/pipeline/output_set.h"
#include "typesetting/text_fonts.h"

/* ---- the summary ---- */

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

static void write_row(FILE *out, const char *name, const char *text)
{
    fprintf(out, "| %s | ", name);
    markdown_write_text(out, text);
    fputs(" |\n", out);
}

/* ---- the rows ---- */

static size_t count_warnings(const ProblemList *problems)
{
    size_t count = 0;
    for (size_t i = 0; i < problems->count; i++)
        count += problems->items[i].level == DIAG_WARNING;
    return count;
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
        fprintf(out, "| %s | ", m->code);
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
    const FilmFacts facts = film_facts(film, arena);
    for (size_t i = 0; i < facts.count; i++)
        write_row(out, facts.items[i].name, facts.items[i].text);
    for (size_t i = 0; i < film->job->output_count; i++)
        write_row(out, "Output", path_name(film->job->outputs[i].file));
    fputs("| Warnings | ", out);
    fprintf(out, "%zu |\n", count_warnings(problems));
    for (size_t i = 0; i < film->job->credits.line_count; i++)
        write_row(out, "Credit", film->job->credits.lines[i]);
    write_warnings(out, problems, arena);
}

/* Writes the page to `path`; `approval` (or NULL) is asked before a file is replaced.  problems: of
 * the run so far, errors are skipped.  False after an error. */
static bool summary_write(const char *path, const Film *film, const ProblemList *problems,
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

/* ---- a film for all previews with equal render options ---- */

static bool same_render(const RenderOptions *a, const RenderOptions *b)
{
    return a->width == b->width && a->height == b->height && a->supersample == b->supersample &&
           a->alpha == b->alpha;
}

static int by_frame(const void *a, const void *b)
{
    const int64_t x = ((const FrameRange *)a)->first, y = ((const FrameRange *)b)->first;
    return (x > y) - (x < y);
}

/* The previews from index `first` on that have the render options of the first.  fonts: of
 * the labels of sheets that have installed ones. */
static Film film_of_render(const Film *film, size_t first, FontSources fonts, Arena *arena)
{
    const RenderOptions *render = &film->previews[first].render;
    FilmOutput *outputs = arena_array(arena, FilmOutput, film->preview_count);
    size_t capacity = 0, count = 0;
    for (size_t i = first; i < film->preview_count; i++)
        capacity += film->previews[i].output.frames.count;
    FrameRanges frames = {arena_array(arena, FrameRange, capacity), 0};
    for (size_t i = first; i < film->preview_count; i++) {
        const FilmOutput *output = &film->previews[i].output;
        if (!same_render(&film->previews[i].render, render))
            continue;
        outputs[count] = *output;
        if (film->previews[i].installed_font)
            outputs[count].options.sheet.fonts = fonts;
        count++;
        memcpy(frames.items + frames.count, output->frames.items,
               output->frames.count * sizeof(FrameRange));
        frames.count += output->frames.count;
    }
    /* Sorts one-frame ranges and removes duplicates. */
    size_t kept = 0;
    qsort(frames.items, frames.count, sizeof *frames.items, by_frame);
    for (size_t i = 0; i < frames.count; i++)
        if (!kept || frames.items[kept - 1].first != frames.items[i].first)
            frames.items[kept++] = frames.items[i];
    frames.count = kept;
    return film_part(film, render, frames, outputs, count);
}

/* Whether no earlier preview has the same render options. */
static bool is_first_of_render(const Film *film, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (same_render(&film->previews[i].render, &film->previews[index].render))
            return false;
    return true;
}

/* In the arena; the built-in font if no sheet has another one. */
static bool load_label_fonts(FontSources *out, const Film *film, Arena *arena, Diag *diag)
{
    *out = (FontSources){0};
    for (size_t i = 0; i < film->preview_count; i++)
        if (film->previews[i].installed_font)
            return text_fonts_find_for_labels(out, "frame 0123456789:.", arena, diag);
    return true;
}

/* Says once that physics of a frame does not begin at frame 0. */
static void note_preroll(bool *noted, const Film *part, Diag *diag)
{
    const int64_t last = part->frames.items[part->frames.count - 1].last;
    const FilmMoment moment = film_moment(part, last);
    const FilmShown shown = moment.shown[moment.count - 1];
    if (*noted || !scene_is_simulated(&part->scenes[shown.scene].scene) ||
        !(film_start(part, shown.scene, shown.frame) > 0))
        return;
    *noted = true;
    diag_note(diag,
              "physics begins %g s before each frame, so that hair differs a little from that of "
              "the film; --preroll 0 simulates all frames before them",
              film_preroll_s(part, shown.scene));
}

bool preview_render(const Film *film, bool auxiliary, Progress *progress,
                    const volatile sig_atomic_t *stop, Diag *diag)
{
    const FrameLoopOptions options = {.auxiliary = auxiliary};
    Arena *arena = arena_create();
    FontSources fonts;
    bool noted = false;
    bool ok = load_label_fonts(&fonts, film, arena, diag);
    for (size_t i = 0; ok && i < film->preview_count; i++) {
        RenderReport report;
        if (!is_first_of_render(film, i))
            continue;
        Film part = film_of_render(film, i, fonts, arena);
        if (!auxiliary) {
            film_part_alone(&part);
            note_preroll(&noted, &part, diag);
        }
        ok = frame_loop_run(&report, &part, NULL, (FilmSpan){0, part.frame_count}, &options,
                            progress, stop, diag);
        if (ok)
            output_set_report_files(&part, progress);
    }
    arena_destroy(arena);
    return ok;
}

/* ---- the verb ---- */

/* A summary must replace neither an input nor a preview. */
static bool check_summary(const char *file, const Film *film, Diag *diag)
{
    Arena *arena = arena_create();
    PathConflicts *conflicts = path_conflicts_create(DIAG_USAGE, arena);
    path_conflicts_add_film(conflicts, film);
    for (size_t i = 0; i < film->preview_count; i++)
        path_conflicts_add_input(conflicts, arena_printf(arena, "previews.%zu.file", i),
                                 film->previews[i].output.options.file);
    for (size_t i = 0; i < film->job->output_count; i++)
        path_conflicts_add_input(conflicts, arena_printf(arena, "outputs.%zu.file", i),
                                 film->job->outputs[i].file);
    const bool good = path_conflicts_add_output(conflicts, "--summary", file, NULL, diag);
    arena_destroy(arena);
    return good;
}

/* The files that exist must have been written by an earlier run. */
static bool check_existing(WrittenFiles *written, const PreviewOptions *options, const Film *film,
                           Diag *diag)
{
    const OutputRecords none = {0};
    return checkpoint_outputs_check(written, film, (FilmSpan){0, 0}, &none, diag) &&
           (!options->summary || written_files_check(written, options->summary, diag));
}

static const JobPreview *find_preview(const Job *job, bool sheet_only)
{
    for (size_t i = 0; i < job->preview_count; i++)
        if (job->previews[i].type == PREVIEW_SHEET || !sheet_only)
            return &job->previews[i];
    return NULL;
}

/* The job's name as part of a file name: without slashes. */
static const char *file_beside_outputs(const Job *job, const char *suffix, Arena *arena)
{
    const char *directory = job->output_count ? path_directory(job->outputs[0].file, arena) : "";
    char *name = arena_strdup(arena, job->name);
    for (char *c = name; *c; c++)
        if (*c == '/')
            *c = '-';
    return arena_printf(arena, "%s%s-%s.png", directory, name, suffix);
}

const char *preview_default_file(const Job *job, Arena *arena)
{
    return file_beside_outputs(job, "sheet", arena);
}

const char *preview_looks_file(const Job *job, Arena *arena)
{
    return file_beside_outputs(job, "looks", arena);
}

/* In three columns. */
static void use_sheet_of_scenes(Job *job, const char *file, Arena *arena)
{
    enum { COLUMNS = 3, WIDTH = 480 };
    const int rows = ((int)job->scene_count + COLUMNS - 1) / COLUMNS;
    JobPreview *sheet = arena_array(arena, JobPreview, 1);
    *sheet = (JobPreview){.type = PREVIEW_SHEET,
                          .file = file,
                          .cells = {COLUMNS, rows},
                          .width = WIDTH,
                          .frame = -1,
                          .by_scene = true};
    job->previews = sheet;
    job->preview_count = 1;
}

static void use_one_sheet(Job *job, const char *file, Arena *arena)
{
    const JobPreview *model = find_preview(job, true);
    JobPreview *sheet = arena_array(arena, JobPreview, 1);
    *sheet = model ? *model : (JobPreview){.type = PREVIEW_SHEET, .cells = {6, 4}, .frame = -1};
    sheet->file = file;
    job->previews = sheet;
    job->preview_count = 1;
}

static bool choose_previews(Job *job, const PreviewOptions *options, Arena *arena, Diag *diag)
{
    const char *output = options->output;
    if (output && !text_equal_ignoring_case(path_extension(output), "png"))
        return diag_fail(diag, DIAG_USAGE, "-o: '%s' is not the name of a single .png file",
                         output);
    if (options->by_scene)
        use_sheet_of_scenes(job, output ? output : preview_looks_file(job, arena), arena);
    else if (output || !find_preview(job, false))
        use_one_sheet(job, output ? output : preview_default_file(job, arena), arena);
    return true;
}

static int64_t frame_count(const Film *film, Arena *arena)
{
    int64_t count = 0;
    for (size_t i = 0; i < film->preview_count; i++)
        if (is_first_of_render(film, i))
            count += film_of_render(film, i, (FontSources){0}, arena).frame_count;
    return count;
}

bool preview_run(const Job *given, const PreviewOptions *options, Progress *progress,
                 const volatile sig_atomic_t *stop, Arena *arena, Diag *diag)
{
    Job job = *given;
    Film film;
    if (!choose_previews(&job, options, arena, diag))
        return false;
    progress_stage(progress, "load", 0, 0);
    if (!film_load_previews(&film, &job, arena, diag) ||
        (options->summary && !check_summary(options->summary, &film, diag)))
        return false;
    const char *directory = checkpoint_record_directory(&job, arena);
    if (!write_root_check_beside(directory, diag))
        return false;
    WrittenFiles *written = written_files_load(directory, options->overwrite, stop, arena);
    if (!check_existing(written, options, &film, diag))
        return false;
    written_files_guard_film(written, &film);
    OutputLocks *locks = output_locks_acquire(&film, (FilmSpan){0, LOCK_TO_END}, stop, arena, diag);
    if (!locks)
        return false;
    progress_start(progress, job.name, frame_count(&film, arena), film.frames.items[0].first,
                   film.frames.items[film.frames.count - 1].last);
    const bool ok = preview_render(&film, false, progress, stop, diag) &&
                    (!options->summary || summary_write(options->summary, &film, options->problems,
                                                        written_files_approval(written), diag));
    output_locks_release(locks);
    return ok;
}
