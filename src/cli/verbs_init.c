// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/embedded_text.h"
#include "base/file.h"
#include "base/path.h"
#include "base/path_tree.h"
#include "base/text.h"
#include "cli/session.h"
#include "format/file_kind.h"
#include "job/job_files.h"
#include "job/job_visit.h"

/* The name of the job in its directory. */
static const char JOB_NAME[] = "job.yaml";

/* ---- the files of a directory ---- */

/* Files by their use in the job; the others are listed in a comment. */
typedef struct Found {
    TextList models, motions, sounds, subtitles, others;
} Found;

static TextList *list_of(Found *found, const char *path)
{
    const unsigned uses = file_kinds[file_kind_of_name(path)].uses;
    return uses & FILE_AS_MODEL                              ? &found->models
           : uses & FILE_AS_ACCESSORY                        ? &found->others
           : uses & (FILE_AS_CAMERA | FILE_AS_CAPTURE)       ? &found->motions
           : uses & FILE_AS_SOUND && !(uses & FILE_AS_VIDEO) ? &found->sounds
           : uses & FILE_AS_SUBTITLES                        ? &found->subtitles
           : uses & (FILE_AS_MOTION | FILE_AS_ARCHIVE)       ? &found->others
                                                             : NULL;
}

/* By names alone: nothing is parsed before this process is confined. */
static bool find_files(Found *found, const char *directory, Arena *arena, Diag *diag)
{
    PathTree tree = path_tree_init(directory, arena);
    path_tree_list(&tree);
    TextList all = {0};
    for (size_t i = 0; i < tree.files.count; i++)
        *arena_push(arena, &all) = tree.files.items[i].path;
    if (all.count)
        qsort(all.items, all.count, sizeof *all.items, text_compare);
    for (size_t i = 0; i < all.count; i++) {
        TextList *list = list_of(found, all.items[i]);
        if (list)
            *arena_push(arena, list) = all.items[i];
    }
    if (tree.is_incomplete)
        return diag_fail(diag, DIAG_USAGE,
                         "'%s': more than %d files; name the directory of a model", directory,
                         PATH_TREE_MAX_ENTRIES);
    return found->models.count || diag_fail(diag, DIAG_MISSING, "no model (%s) in '%s' or below it",
                                            file_kind_extensions(FILE_AS_MODEL, ".", ", ", arena),
                                            *directory ? directory : ".");
}

/* The first model dances; a second one would stand in the same place. */
static void choose(TextList *operands, Found *found, Arena *arena)
{
    const TextList *used[] = {&found->motions, &found->sounds, &found->subtitles};
    *operands = (TextList){0};
    for (size_t i = 0; i < found->models.count; i++)
        *arena_push(arena, i ? &found->others : operands) = found->models.items[i];
    for (size_t k = 0; k < sizeof used / sizeof *used; k++)
        for (size_t i = 0; i < used[k]->count; i++)
            *arena_push(arena, operands) = used[k]->items[i];
}

/* ---- the text ---- */

typedef struct Text {
    const Job *job;
    const char *directory; /* of the job, absolute, with its slash */
    const TextList *others;
    const char *name; /* of the job file */
    Arena *arena;
} Text;

static void write_keys(FILE *out, const void *user)
{
    const Text *text = user;
    job_write_short(out, text->job, text->directory);
}

/* A line break in a name must not end the comment. */
static void write_others(FILE *out, const void *user)
{
    enum { SHOWN = 20 };
    const Text *text = user;
    const size_t count = text->others->count;
    if (count)
        fprintf(out, "# Other files, which the job does not use:\n");
    for (size_t i = 0; i < count && i < SHOWN; i++) {
        fputs("#   ", out);
        for (const char *c = text->others->items[i]; *c; c++)
            fputc((unsigned char)*c < 0x20 ? '?' : *c, out);
        fputc('\n', out);
    }
    if (count > SHOWN)
        fprintf(out, "#   ... (%zu)\n", count);
}

static const char *write_text(const Text *text, size_t *size)
{
    const TextField fields[] = {{"keys", .write = write_keys},
                                {"others", .write = write_others},
                                {"name", .text = text->name},
                                {0}};
    TextStream stream;
    embedded_text_write(text_stream_open(&stream, text->arena),
                        embedded_text_find(embedded_texts, "init.txt"), fields, text);
    const char *written = text_stream_close(&stream);
    *size = stream.size;
    return written;
}

/* The directory of a file, absolute, with its slash. */
static const char *directory_of(const char *file, Arena *arena)
{
    const char *full = path_absolute(file, arena);
    return full ? path_directory(full, arena) : "";
}

void verb_write_job(Session *s)
{
    job_write_short(s->out, &s->job, directory_of(JOB_NAME, s->arena));
}

static bool save_job(Session *s, const char *file, const TextList *others)
{
    size_t size;
    const Text text = {&s->job, directory_of(file, s->arena), others, file, s->arena};
    const char *written = write_text(&text, &size);
    if (!file_check_new(file, s->given->overwrite, s->diag) ||
        !file_save(file, written, size, s->diag))
        return false;
    progress_output_file(s->progress, file);
    diag_note(s->diag, "wrote %s; 'odori render %s' renders it", file, file);
    return true;
}

bool verb_init(Session *s)
{
    const TextList *given = &s->given->operands;
    const char *directory = given->count ? given->items[0] : "";
    Found found = {0};
    struct stat st;
    if (given->count > 1)
        return diag_fail(s->diag, DIAG_USAGE, "init takes one directory; unexpected argument '%s'",
                         given->items[1]);
    if (!strcmp(directory, "."))
        directory = "";
    if (*directory && stat(directory, &st) != 0)
        return diag_fail(s->diag, DIAG_MISSING, "%s: cannot open: %s", directory, strerror(errno));
    if (*directory && !S_ISDIR(st.st_mode))
        return diag_fail(s->diag, DIAG_USAGE,
                         "%s: expected a directory; --print-job writes the job of "
                         "files",
                         directory);
    if (*directory && directory[strlen(directory) - 1] != '/')
        directory = arena_printf(s->arena, "%s/", directory);
    if (!find_files(&found, directory, s->arena, s->diag))
        return false;
    choose(&s->args.operands, &found, s->arena);
    const char *file =
        s->given->output ? s->given->output : arena_printf(s->arena, "%s%s", directory, JOB_NAME);
    s->args.output = job_files_output(s->args.operands.items, 1, "mp4", s->arena);
    s->args.output = arena_printf(s->arena, "%s%s", directory, s->args.output);
    sandbox_session_write(&s->sandbox, file);
    if (!file_check_new(file, s->given->overwrite, s->diag) || !session_parse_job(s))
        return false;
    s->source.takes_first = true;
    return session_load_job(s) && save_job(s, file, &found.others);
}
