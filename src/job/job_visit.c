// SPDX-License-Identifier: MIT
#include "job/job_visit.h"

#include "base/file.h"
#include "base/text_stream.h"
#include "job/job_options.h"
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

static void write_table(FILE *out, const OptionTable *table, void *base, int indent, bool in_list)
{
    for (size_t i = 0; i < table->count; i++) {
        const Option *option = &table->rows[i];
        const bool dash = in_list && i == 0, is_list = option->type == OPTION_LIST;
        fprintf(out, "%*s%s%s:", dash ? indent - 2 : indent, "", dash ? "- " : "", option->key);
        if (option->table) {
            const OptionItems items = option_items(option, base);
            /* A list that is required may be missing, but not empty. */
            fputs(items.count ? "\n" : is_list && option->value ? " []\n" : " null\n", out);
            for (size_t k = 0; k < items.count; k++)
                write_table(out, option->table, items.first + k * option->table->size, indent + 2,
                            is_list);
        } else {
            fputc(' ', out);
            option_value_type(option->type)->write(out, option, base);
            fputc('\n', out);
        }
    }
}

void job_write(FILE *out, const Job *job)
{
    Job copy = *job;
    write_table(out, &option_job, &copy, 0, false);
}
