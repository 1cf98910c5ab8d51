#include "job/job_visit.h"

#include "base/file.h"
#include "base/text_stream.h"
#include "job/option_value.h"

enum { NAME_SIZE = 160 };

typedef struct Walk {
    void (*visit)(const struct Walk *walk, const char *name, const Option *option, void *base);
    JobKeyVisitor *key_visitor;
    JobFileVisitor *file_visitor;
    void *user;
    Arena *scratch; /* of key_visitor */
} Walk;

/* Visits each row of a table, a section or list before the rows in it.  base: the struct */
static void walk_table(const Walk *walk, const char *prefix, const OptionTable *table, void *base)
{
    for (size_t i = 0; i < table->count; i++) {
        const Option *option = &table->rows[i];
        char name[NAME_SIZE], below[NAME_SIZE];
        snprintf(name, sizeof name, "%.100s%s", prefix, option->key);
        walk->visit(walk, name, option, base);
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

static void visit_key(const Walk *walk, const char *name, const Option *option, void *base)
{
    TextStream stream;
    FILE *out = text_stream_open(&stream, walk->scratch);
    if (option->type == OPTION_LIST)
        fprintf(out, "%zu", option_items(option, base).count);
    else if (option->type == OPTION_OPTIONAL)
        fputs(option_items(option, base).count ? "given" : "null", out);
    else if (option->type != OPTION_SECTION)
        option_value_type(option->type)->write(out, option, base);
    const char *value = text_stream_close(&stream);
    if (option->type != OPTION_SECTION)
        walk->key_visitor(walk->user, name, value, option);
}

void job_visit_keys(const Job *job, JobKeyVisitor *visit, void *user)
{
    Job copy = *job; /* the walk is that of job_change_files */
    const Walk walk = {
        .visit = visit_key, .key_visitor = visit, .user = user, .scratch = arena_create()};
    walk_table(&walk, "", &option_job, &copy);
    arena_destroy(walk.scratch);
}

static void visit_file(const Walk *walk, const char *name, const Option *option, void *base)
{
    if (option->type != OPTION_PATH)
        return;
    const char **field = (const char **)(void *)((char *)base + option->offset);
    if (*field && !option_has_choice(option, *field))
        walk->file_visitor(walk->user,
                           &(JobFile){name, *field, option->role, option->stage, field});
}

void job_change_files(Job *job, JobFileVisitor *visit, void *user)
{
    const Walk walk = {.visit = visit_file, .file_visitor = visit, .user = user};
    walk_table(&walk, "", &option_job, job);
}

void job_visit_files(const Job *job, JobFileVisitor *visit, void *user)
{
    Job copy = *job;
    job_change_files(&copy, visit, user);
}

typedef struct FileCheck {
    const Job *job;
    OptionStage stage;
    bool good;
    Arena *arena;
    Diag *diag;
} FileCheck;

static void check_file(void *user, const JobFile *file)
{
    FileCheck *check = user;
    const bool of_scene = file->role == ROLE_INPUT_MODEL || file->role == ROLE_INPUT_MOTION ||
                          file->role == ROLE_INPUT_TEXTURE;
    if (!of_scene && file->role != ROLE_OUTPUT && file->stage == check->stage)
        check->good &= file_check_exists(
            file->path, job_location(check->job, file->key, NULL, check->arena), check->diag);
}

bool job_check_files(const Job *job, OptionStage stage, Arena *arena, Diag *diag)
{
    FileCheck check = {job, stage, true, arena, diag};
    job_visit_files(job, check_file, &check);
    return check.good;
}
