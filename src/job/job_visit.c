// SPDX-License-Identifier: MIT
#include "job/job_visit.h"

#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/path.h"
#include "base/text_stream.h"
#include "job/job_options.h"
#include "record/help/option_help.h"
#include "record/option_value.h"

enum { NAME_SIZE = 160 };

typedef struct Walk {
    JobRowVisitor *visit;
    void *user;
} Walk;

/* Visits each row of a table, a section or list before the rows in it.  base: the struct */
static void walk_table(const Walk *walk, const char *prefix, const OptionTable *table, void *base)
{
    for (size_t i = 0; i < table->count; i++) {
        const Option *option = &table->rows[i];
        char name[NAME_SIZE], below[NAME_SIZE];
        snprintf(name, sizeof name, "%.100s%s", prefix, option->key);
        walk->visit(walk->user, name, option, base);
        if (!option->table)
            continue;
        const OptionItems items = option_items(option, base);
        for (size_t k = 0; k < items.count; k++) {
            if (option->type == OPTION_LIST)
                snprintf(below, sizeof below, "%.120s.%zu.", name, k);
            else
                snprintf(below, sizeof below, "%.120s.", name);
            walk_table(walk, below, option->table, items.first + k * option->table->size);
        }
    }
}

void job_visit_rows(const Job *job, JobRowVisitor *visit, void *user)
{
    Job copy = *job; /* the walk is that of job_change_files */
    walk_table(&(Walk){visit, user}, "", &option_job, &copy);
}

typedef struct KeyWalk {
    JobKeyVisitor *visit;
    void *user;
    Arena *scratch;
} KeyWalk;

static void visit_key(void *user, const char *name, const Option *option, void *base)
{
    const KeyWalk *walk = user;
    TextStream stream;
    if (option->type == OPTION_SECTION)
        return;
    FILE *out = text_stream_open(&stream, walk->scratch);
    if (option->type == OPTION_LIST)
        fprintf(out, "%zu", option_items(option, base).count);
    else if (option->type == OPTION_OPTIONAL)
        fputs(option_items(option, base).count ? "given" : "null", out);
    else
        option_value_type(option->type)->write(out, option, base);
    walk->visit(walk->user, name, text_stream_close(&stream), option);
}

void job_visit_keys(const Job *job, JobKeyVisitor *visit, void *user)
{
    KeyWalk walk = {visit, user, arena_create()};
    job_visit_rows(job, visit_key, &walk);
    arena_destroy(walk.scratch);
}

typedef struct FileWalk {
    JobFileVisitor *visit;
    void *user;
} FileWalk;

static void visit_field(const FileWalk *walk, const char *name, const Option *option,
                        const char **field)
{
    if (*field && !option_has_choice(option, *field))
        walk->visit(walk->user, &(JobFile){name, *field, option->role, option->stage, field});
}

static void visit_file(void *user, const char *name, const Option *option, void *base)
{
    char below[2 * NAME_SIZE];
    if (option->type == OPTION_PATH)
        visit_field(user, name, option, (const char **)(void *)((char *)base + option->offset));
    if (option->type != OPTION_FILES)
        return;
    NamedFile *files = *(NamedFile **)(void *)((char *)base + option->offset);
    for (size_t i = 0; i < *(size_t *)(void *)((char *)base + option->count_offset); i++) {
        snprintf(below, sizeof below, "%s.%s", name, files[i].name);
        visit_field(user, below, option, &files[i].file);
    }
}

void job_visit_files(const Job *job, JobFileVisitor *visit, void *user)
{
    job_visit_rows(job, visit_file, &(FileWalk){visit, user});
}

void job_change_files(Job *job, JobFileVisitor *visit, void *user)
{
    walk_table(&(Walk){visit_file, &(FileWalk){visit, user}}, "", &option_job, job);
}

typedef struct FileCheck {
    const Job *job;
    OptionStage stage;
    bool all; /* the files of all stages, and of the scene */
    bool good;
    Arena *arena;
    Diag *diag;
} FileCheck;

static void check_file(void *user, const JobFile *file)
{
    FileCheck *check = user;
    const bool of_scene = file->role == ROLE_INPUT_MODEL || file->role == ROLE_INPUT_MOTION ||
                          file->role == ROLE_INPUT_EFFECT || file->role == ROLE_INPUT_TEXTURE;
    if (file->role != ROLE_OUTPUT && (check->all || (!of_scene && file->stage == check->stage)))
        check->good &= file_check_exists(
            file->path, job_location(check->job, file->key, NULL, check->arena), check->diag);
}

bool job_check_files(const Job *job, OptionStage stage, Arena *arena, Diag *diag)
{
    FileCheck check = {job, stage, false, true, arena, diag};
    job_visit_files(job, check_file, &check);
    return check.good;
}

bool job_check_all_files(const Job *job, Arena *arena, Diag *diag)
{
    FileCheck check = {job, STAGE_NONE, true, true, arena, diag};
    job_visit_files(job, check_file, &check);
    return check.good;
}

/* ---- as YAML ---- */

typedef struct JobWriter {
    FILE *out;
    const Job *job;
    const char *directory; /* of a short form, see job_write_short; NULL: the whole job */
    ARENA_LIST(const Option *) described;
    Arena *arena;
} JobWriter;

/* In a short form only what the job or the command line sets, and what contains it. */
static bool is_written(const JobWriter *w, const char *name)
{
    const size_t size = strlen(name);
    bool set = !w->directory;
    for (size_t i = 0; i < w->job->value_count && !set; i++) {
        const char *key = w->job->values[i].key;
        set = !strncmp(key, name, size) && (!key[size] || key[size] == '.');
    }
    return set;
}

enum { COMMENT_WIDTH = 100 };

/* A comment of its own lines, the first time. */
static void describe(JobWriter *w, const Option *option, int indent)
{
    for (size_t i = 0; i < w->described.count; i++)
        if (w->described.items[i] == option)
            return;
    *arena_push(w->arena, &w->described) = option;
    const char *text = option_description(option, w->arena);
    for (size_t column = 0; *text; column = 0) {
        while (*text && (!column || column + strcspn(text, " ") + 1 < COMMENT_WIDTH)) {
            const size_t word = strcspn(text, " ");
            if (!column)
                column = (size_t)fprintf(w->out, "%*s#", indent, "");
            column += (size_t)fprintf(w->out, " %.*s", (int)word, text);
            text += word;
            text += strspn(text, " ");
        }
        fputc('\n', w->out);
    }
}

/* A path below the directory of a short form is relative to it. */
static void write_value(const JobWriter *w, const Option *option, const void *base)
{
    const char *path =
        option->type == OPTION_PATH
            ? *(const char *const *)(const void *)((const char *)base + option->offset)
            : NULL;
    if (!w->directory || !path || option_keeps_path(option, path)) {
        option_value_type(option->type)->write(w->out, option, base);
        return;
    }
    const char *full = path_absolute(path, w->arena);
    const size_t size = strlen(w->directory);
    Json json = json_init(w->out);
    full = full ? full : path;
    json_text(&json, strncmp(full, w->directory, size) != 0 ? full : full + size);
}

/* name: of the section, with a dot at its end */
static void write_table(JobWriter *w, const OptionTable *table, void *base, const char *name,
                        int indent, bool in_list)
{
    for (size_t i = 0, written = 0; i < table->count; i++) {
        const Option *option = &table->rows[i];
        const bool dash = in_list && !written, is_list = option->type == OPTION_LIST;
        const int column = dash ? indent - 2 : indent;
        const char *own = arena_printf(w->arena, "%s%s", name, option->key);
        if (!is_written(w, own))
            continue;
        if (w->directory)
            describe(w, option, column);
        fprintf(w->out, "%*s%s%s:", column, "", dash ? "- " : "", option->key);
        written++;
        if (option->table) {
            const OptionItems items = option_items(option, base);
            /* A list that is required may be missing, but not empty. */
            fputs(items.count ? "\n" : is_list && option->value ? " []\n" : " null\n", w->out);
            for (size_t k = 0; k < items.count; k++)
                write_table(w, option->table, items.first + k * option->table->size,
                            is_list ? arena_printf(w->arena, "%s.%zu.", own, k)
                                    : arena_printf(w->arena, "%s.", own),
                            indent + 2, is_list);
        } else {
            fputc(' ', w->out);
            write_value(w, option, base);
            fputc('\n', w->out);
        }
    }
}

static void write_job(FILE *out, const Job *job, const char *directory)
{
    Job copy = *job;
    JobWriter writer = {.out = out, .job = job, .directory = directory, .arena = arena_create()};
    write_table(&writer, &option_job, &copy, "", 0, false);
    arena_destroy(writer.arena);
}

void job_write(FILE *out, const Job *job)
{
    write_job(out, job, NULL);
}

void job_write_short(FILE *out, const Job *job, const char *directory)
{
    write_job(out, job, directory);
}
