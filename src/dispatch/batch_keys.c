#include "dispatch/batch_keys.h"

#include <string.h>

static const char *const failure_policies[] = {"continue", "stop", NULL};

/* clang-format off */

/* A table reads best with the type, default and range of a key on one line, its help below. */

#define TABLE(rows, Struct) {rows, sizeof(rows) / sizeof *(rows), sizeof(Struct), NULL}
#define FIELD(Struct, name) .key = #name, .offset = offsetof(Struct, name)
#define T(name) .type = OPTION_##name
#define RANGE(low, high) .min = (low), .max = (high)

static const Option run_rows[] = {
    {FIELD(BatchRules, jobs), T(INT), .value = "1", RANGE(1, 256), .word = "auto", .word_value = 0,
     .help = "number of jobs that run at the same time; auto: as many as cores and memory allow"},
    {FIELD(BatchRules, on_failure), T(CHOICE), .value = "continue", .choices = failure_policies,
     .help = "action after a job has failed: run the remaining jobs, or start no further ones"},
    {FIELD(BatchRules, retries), T(INT), .value = "2", RANGE(0, 100),
     .help = "number of retries of a job after a temporary failure (exit status 69, 74, 75)"},
    {FIELD(BatchRules, shards), T(INT), .value = "1", RANGE(1, 1000),
     .help = "number of shards of each job on a cluster (batch run --slurm)"},
    {FIELD(BatchRules, share_bakes), T(BOOL), .value = "true",
     .help = "one shared bake for all jobs with the same simulation, which is run only once"},
};
static const OptionTable run_table = TABLE(run_rows, BatchRules);

static const Option include_rows[] = {
    {.key = "name", T(TREE), .value = "null",
     .help = "name of the job; default: the values in with, joined by '-'"},
    {.key = "with", T(TREE), .value = "{}",
     .help = "map from axes of matrix to the names of their values for this job"},
    {.key = "set", T(TREE), .value = "{}",
     .help = "map from keys of the job file to values, which override base and with"},
};
const OptionTable batch_include_keys = TABLE(include_rows, char);

static const Option manifest_rows[] = {
    {FIELD(BatchManifest, version), T(INT), RANGE(1, 1),
     .help = "version of the manifest format"},
    {FIELD(BatchManifest, base), T(PATH),
     .help = "path of the base job file; each job of the batch overrides some of its keys"},
    {.key = "matrix", T(TREE), .value = "{}",
     .help = "axes (at most 16), one job per combination of their values; an axis is a map from "
             "value names to maps of job keys, or, if its name is a key of the job file, a list "
             "of plain values"},
    {.key = "exclude", T(TREE), .value = "[]",
     .help = "list of maps from axes to value names; a combination that has all values of an "
             "item is removed"},
    {.key = "include", T(TREE), .value = "[]",
     .help = "list of additional jobs (at most 10000 jobs in all)"},
    {FIELD(BatchManifest, out), T(TEXT), .value = "null",
     .help = "path of the output file of a job, or of the directory for the outputs of base, "
             "with the placeholders {name} and {AXIS}; default: the outputs of base"},
    {.key = "run", T(SECTION), .offset = offsetof(BatchManifest, rules), .value = "{}",
     .table = &run_table, .help = "execution of the jobs"},
};
const OptionTable batch_keys = TABLE(manifest_rows, BatchManifest);
/* clang-format on */

enum { ROW_COUNT = sizeof manifest_rows / sizeof *manifest_rows };

const OptionTable *batch_keys_reference(Arena *arena)
{
    OptionTable *table = arena_array(arena, OptionTable, 1);
    Option *rows = arena_array(arena, Option, ROW_COUNT);
    memcpy(rows, manifest_rows, sizeof manifest_rows);
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (!strcmp(rows[i].key, "include")) {
            rows[i].type = OPTION_LIST;
            rows[i].table = &batch_include_keys;
            rows[i].max = BATCH_MAX_JOBS;
        }
    *table = (OptionTable){rows, ROW_COUNT, sizeof(BatchManifest), NULL};
    return table;
}
