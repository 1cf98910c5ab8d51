// SPDX-License-Identifier: MIT
#include "run/pipeline/summary.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/markdown.h"
#include "base/path.h"
#include "base/text_stream.h"
#include "film/film.h"
#include "run/pipeline/film_facts.h"

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
    const FilmFacts facts = film_facts(film, arena);
    for (size_t i = 0; i < facts.count; i++)
        write_row(out, facts.items[i].name, facts.items[i].text);
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
