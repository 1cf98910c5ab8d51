// SPDX-License-Identifier: MIT
/*
 * The records beside finished outputs are removed.  Children read jobs and records, as all that a
 * stranger can have written; this process parses nothing, and removes only files with names of this
 * program in directories that are no links (run/checkpoint/checkpoint_clean.h).
 */
#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "base/text_escape.h"
#include "cli/session.h"
#include "cli/stop.h"
#include "inspect/status.h"
#include "run/checkpoint/checkpoint_clean.h"
#include "run/checkpoint/checkpoint_files.h"
#include "run/checkpoint/checkpoint_read.h"

#define RECORD_END ".odori"

/* ---- the results ---- */

typedef enum Removal { REMOVED, WOULD_BE_REMOVED, KEPT_RUNNING, KEPT_UNFINISHED } Removal;

static const char *const removal_words[] = {"removed", "would remove", "running", "unfinished",
                                            NULL};

typedef struct CleanRecord {
    const char *directory;
    Removal state;
    uint64_t bytes;
} CleanRecord;

static const ResultField CleanRecord_fields[] = {
    MEMBER(CleanRecord, directory, "checkpoint directory"),
    MEMBER_WORD(CleanRecord, state, removal_words,
                "what was done; running and unfinished: it was kept"),
    MEMBER(CleanRecord, bytes, "size of its files", .unit = "bytes"),
};
RESULT(CleanRecord, "a checkpoint directory");

typedef struct Clean {
    ARENA_LIST(CleanRecord) records;
    bool dry_run;
    uint64_t bytes;
} Clean;

static const ResultField Clean_fields[] = {
    MEMBER_ITEMS(Clean, records, CleanRecord, "the checkpoint directories that were found"),
    MEMBER(Clean, dry_run, "nothing was removed"),
    MEMBER(Clean, bytes, "size of what was removed, or would be", .unit = "bytes"),
};
const ResultTable clean_result = RESULT_TABLE(Clean, "removed records of finished outputs");

/* ---- records ---- */

typedef struct Search {
    Session *session;
    TextList records, jobs;
} Search;

static bool is_directory(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* The records in a directory, without links, or the directory itself, in the order of names. */
static void add_directory(Search *search, const char *directory)
{
    Arena *arena = search->session->arena;
    struct dirent **entries = NULL;
    if (checkpoint_read_is_directory(directory)) {
        *arena_push(arena, &search->records) = checkpoint_without_slash(directory, arena);
        return;
    }
    const int count = scandir(directory, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name, *slash = strcmp(directory, "/") ? "/" : "";
        const size_t size = strlen(name), end = strlen(RECORD_END);
        const char *path =
            !strcmp(directory, ".")
                ? arena_strdup(arena, name)
                : arena_printf(arena, "%s%s%s", checkpoint_without_slash(directory, arena), slash,
                               name);
        struct stat st;
        if (name[0] == '.' && size > end + 1 && !strcmp(name + size - end, RECORD_END) &&
            lstat(path, &st) == 0 && S_ISDIR(st.st_mode) && checkpoint_read_is_directory(path))
            *arena_push(arena, &search->records) = path;
        free(entries[i]);
    }
    free(entries);
}

/* IsolatedWork; user: the Search */
static bool find_jobs(FILE *out, void *user, Diag *diag)
{
    const Search *search = user;
    Arena *arena = search->session->arena;
    for (size_t i = 0; i < search->jobs.count; i++) {
        const JobSource source = {
            .path = search->jobs.items[i], .names_only = true, .needs_output = true};
        Job job;
        const char *directory = job_load(&job, &source, arena, diag)
                                    ? checkpoint_read_directory_of_job(&job, arena, diag)
                                    : NULL;
        if (directory)
            found_files_write(out, FOUND_OUTPUT, directory);
    }
    return true;
}

/* IsolatedWork; user: the Search.  The kind of a file is the state of its record. */
static bool find_states(FILE *out, void *user, Diag *diag)
{
    static const FoundKind kinds[] = {[RECORD_FINISHED] = FOUND_OUTPUT,
                                      [RECORD_RUNNING] = FOUND_INPUT,
                                      [RECORD_UNFINISHED] = FOUND_DIRECTORY};
    const Search *search = user;
    for (size_t i = 0; i < search->records.count; i++) {
        Arena *arena = arena_create();
        RecordState state;
        if (status_find_state(&state, search->records.items[i], arena, diag))
            found_files_write(out, kinds[state], search->records.items[i]);
        arena_destroy(arena);
    }
    return true;
}

static bool run_child(FoundFiles *found, Search *search, IsolatedWork *work)
{
    Session *s = search->session;
    const IsolatedLimits limits = {.sandbox = s->sandbox.mode, .stop = &stop_signal};
    return found_files_run(found, work, search, &s->sandbox.rules, &limits, s->arena, s->diag);
}

/* False after an error. */
static bool find_records(Search *search)
{
    Session *s = search->session;
    const TextList *operands = &s->given->operands;
    FoundFiles found = {0};
    if (operands->count == 0)
        add_directory(search, ".");
    for (size_t i = 0; i < operands->count; i++) {
        const char *operand = operands->items[i];
        struct stat st;
        if (is_directory(operand)) {
            add_directory(search, operand);
        } else if (stat(operand, &st) != 0) {
            return diag_fail(s->diag, DIAG_MISSING, "'%s' does not exist", operand);
        } else {
            *arena_push(s->arena, &search->jobs) = operand;
            sandbox_session_read_job(&s->sandbox, operand);
        }
    }
    if (search->jobs.count && !run_child(&found, search, find_jobs))
        return false;
    if (found.count < search->jobs.count)
        return diag_fail(s->diag, DIAG_JOB, "'%s' is no job whose outputs have a record",
                         search->jobs.items[found.count]);
    for (size_t i = 0; i < found.count; i++)
        if (checkpoint_read_is_directory(found.items[i].path))
            *arena_push(s->arena, &search->records) = found.items[i].path;
    for (size_t i = 0; i < search->records.count; i++)
        sandbox_session_read_below(&s->sandbox, search->records.items[i]);
    return true;
}

/* ---- removal ---- */

static bool clean_record(Clean *clean, const FoundFile *found, bool dry, Session *s)
{
    CleanRecord record = {.directory = found->path,
                          .state = found->kind == FOUND_INPUT ? KEPT_RUNNING
                                   : found->kind == FOUND_OUTPUT
                                       ? (dry ? WOULD_BE_REMOVED : REMOVED)
                                       : KEPT_UNFINISHED};
    const bool kept = record.state == KEPT_RUNNING || record.state == KEPT_UNFINISHED;
    if (!checkpoint_remove(&record.bytes, found->path, dry || kept, s->arena, s->diag))
        return false;
    clean->bytes += kept ? 0 : record.bytes;
    if (!s->given->json)
        text_printf(s->out, "%s%s %s (%" PRIu64 " bytes)\n", kept ? "kept, " : "",
                    removal_words[record.state], record.directory, record.bytes);
    *arena_push(s->arena, &clean->records) = record;
    return true;
}

bool verb_clean(Session *s)
{
    Search search = {.session = s};
    FoundFiles found = {0};
    Clean clean = {.dry_run = s->given->dry_run};
    if (!session_restrict(s) || !find_records(&search) ||
        (search.records.count && !run_child(&found, &search, find_states)))
        return false;
    bool good = true;
    for (size_t i = 0; i < search.records.count && !stop_signal; i++) {
        const FoundFile *state = NULL; /* of a directory that the search found, whatever else */
        for (size_t k = 0; k < found.count && !state; k++)
            if (!strcmp(found.items[k].path, search.records.items[i]))
                state = &found.items[k];
        if (state)
            good &= clean_record(&clean, state, clean.dry_run, s);
        else
            good &= diag_fail(s->diag, DIAG_DATA, "'%s' cannot be read as a record, and is kept",
                              search.records.items[i]);
    }
    if (s->given->json)
        result_print(stdout, &clean_result, &clean);
    return good;
}
