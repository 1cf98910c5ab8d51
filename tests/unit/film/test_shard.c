// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scheduler.h"
#include "film/shard.h"
#include "unit_test.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static char reported[1024];

static void listen(void *user, const DiagMessage *message)
{
    (void)user;
    snprintf(reported, sizeof reported, "%s", message->shown);
}

/* "A=1 B=2"; all other variables are unset. */
static void set_environment(const char *text)
{
    char copy[256];
    unsetenv("ODORI_SHARDS");
    for (const Scheduler *row = schedulers; row->name; row++) {
        const char *const variables[] = {row->index, row->count, row->begin, row->end, row->step};
        for (size_t i = 0; i < COUNT(variables); i++)
            if (variables[i])
                unsetenv(variables[i]);
    }
    snprintf(copy, sizeof copy, "%s", text);
    for (char *at = strtok(copy, " "); at; at = strtok(NULL, " ")) {
        char *value = strchr(at, '=');
        *value = 0;
        setenv(at, value + 1, 1);
    }
}

typedef struct Row {
    const char *what, *environment, *text;
    int index, count;    /* 0: an error */
    const char *message; /* part of the message */
} Row;

static void expect_rows(const Row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        FilmShard shard = {0, 0};
        Diag diag;
        reported[0] = 0;
        diag_init(&diag, listen, NULL);
        set_environment(rows[i].environment);
        const bool good = shard_parse(&shard, rows[i].text, &diag);
        if (good != (rows[i].index > 0) || shard.index != rows[i].index ||
            shard.count != rows[i].count)
            fail_msg("%s: %d/%d (%s)", rows[i].what, shard.index, shard.count, reported);
        if (!good && diag.kind != DIAG_USAGE)
            fail_msg("%s: kind %d", rows[i].what, (int)diag.kind);
        if (!strstr(reported, rows[i].message))
            fail_msg("%s: reported '%s'", rows[i].what, reported);
    }
    set_environment("");
}

static void test_numbers(void **state)
{
    (void)state;
    static const Row rows[] = {
        {"all", "", "1/1", 1, 1, ""},
        {"one of some", "", "3/16", 3, 16, ""},
        {"the last of the most", "", "10000/10000", 10000, 10000, ""},
        {"the environment is not asked", "SLURM_ARRAY_TASK_ID=7", "2/3", 2, 3, ""},
        {"from 0", "", "0/4", 0, 0, "out of range (1/1..10000/10000)"},
        {"beyond the end", "", "5/4", 0, 0, "out of range"},
        {"too many", "", "1/10001", 0, 0, "out of range"},
        {"none", "", "0/0", 0, 0, "out of range"},
        {"nothing", "", "", 0, 0, "'' is not i/n, such as 2/16, or auto"},
        {"no count", "", "3", 0, 0, "'3' is not i/n"},
        {"an empty count", "", "3/", 0, 0, "is not i/n"},
        {"an empty index", "", "/3", 0, 0, "is not i/n"},
        {"a sign", "", "+1/4", 0, 0, "is not i/n"},
        {"negative", "", "-1/4", 0, 0, "is not i/n"},
        {"a blank", "", "1 /4", 0, 0, "is not i/n"},
        {"something behind", "", "1/4x", 0, 0, "is not i/n"},
        {"two slashes", "", "1/4/4", 0, 0, "is not i/n"},
        {"hexadecimal", "", "0x1/4", 0, 0, "is not i/n"},
        {"more digits than a number has", "", "1/99999999999999999999", 0, 0, "is not i/n"},
        {"the word in capitals", "", "AUTO", 0, 0, "is not i/n"},
    };
    expect_rows(rows, COUNT(rows));
}

static void test_auto(void **state)
{
    (void)state;
    static const Row rows[] = {
        {"Slurm", "SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_COUNT=4 SLURM_ARRAY_TASK_MAX=4", "auto",
         3, 4, "shard 3 of 4: SLURM_ARRAY_TASK_ID is 3, SLURM_ARRAY_TASK_COUNT is 4"},
        {"Slurm, one task again", "SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_COUNT=1 ODORI_SHARDS=4",
         "auto", 3, 4, "ODORI_SHARDS is 4"},
        {"Slurm's array from 0",
         "SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_COUNT=4 SLURM_ARRAY_TASK_MAX=3", "auto", 0, 0,
         "array of 4 tasks with the indices 1 to 3, in steps of 1; use indices from 1 without "
         "gaps"},
        {"Slurm's array with gaps",
         "SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MAX=5", "auto", 0, 0,
         "array of 3 tasks with the indices 1 to 5"},
        {"Slurm's task 0", "SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_COUNT=4", "auto", 0, 0,
         "SLURM_ARRAY_TASK_ID is 0 (1..4)"},
        {"Slurm without a count", "SLURM_ARRAY_TASK_ID=1", "auto", 0, 0,
         "SLURM_ARRAY_TASK_ID is set, but SLURM_ARRAY_TASK_COUNT is not"},
        {"Kubernetes, the first", "JOB_COMPLETION_INDEX=0 ODORI_SHARDS=8", "auto", 1, 8,
         "shard 1 of 8: JOB_COMPLETION_INDEX is 0, ODORI_SHARDS is 8"},
        {"Kubernetes, the last", "JOB_COMPLETION_INDEX=7 ODORI_SHARDS=8", "auto", 8, 8,
         "shard 8 of 8"},
        {"Kubernetes, too far", "JOB_COMPLETION_INDEX=8 ODORI_SHARDS=8", "auto", 0, 0,
         "is 8 (0..7)"},
        {"Kubernetes without a count", "JOB_COMPLETION_INDEX=0", "auto", 0, 0,
         "JOB_COMPLETION_INDEX is set, but ODORI_SHARDS is not"},
        {"AWS", "AWS_BATCH_JOB_ARRAY_INDEX=1 AWS_BATCH_JOB_ARRAY_SIZE=2", "auto", 2, 2,
         "shard 2 of 2"},
        {"Grid Engine, qsub -t 1-4",
         "SGE_TASK_ID=4 SGE_TASK_FIRST=1 SGE_TASK_LAST=4 SGE_TASK_STEPSIZE=1", "auto", 4, 4,
         "shard 4 of 4: SGE_TASK_ID is 4, SGE_TASK_LAST is 4"},
        {"Grid Engine, qsub -t 2-4",
         "SGE_TASK_ID=2 SGE_TASK_FIRST=2 SGE_TASK_LAST=4 SGE_TASK_STEPSIZE=1", "auto", 0, 0,
         "with the indices 2 to 4"},
        {"Grid Engine, qsub -t 1-7:2",
         "SGE_TASK_ID=3 SGE_TASK_FIRST=1 SGE_TASK_LAST=7 SGE_TASK_STEPSIZE=2", "auto", 0, 0,
         "in steps of 2"},
        {"Grid Engine, no array", "SGE_TASK_ID=undefined SGE_TASK_LAST=undefined", "auto", 0, 0,
         "none of"},
        {"OpenPBS", "PBS_ARRAY_INDEX=3 ODORI_SHARDS=3", "auto", 3, 3, "PBS_ARRAY_INDEX is 3"},
        {"OpenPBS, from 0", "PBS_ARRAY_INDEX=0 ODORI_SHARDS=3", "auto", 0, 0, "is 0 (1..3)"},
        {"OpenPBS without a count", "PBS_ARRAY_INDEX=3", "auto", 0, 0, "but ODORI_SHARDS is not"},
        {"Torque", "PBS_ARRAYID=1 ODORI_SHARDS=3", "auto", 1, 3, "PBS_ARRAYID is 1"},
        {"HTCondor, $(Process)", "ODORI_PROCESS=0 ODORI_SHARDS=3", "auto", 1, 3,
         "ODORI_PROCESS is 0"},
        {"LSF, name[1-5]", "LSB_JOBINDEX=5 LSB_JOBINDEX_END=5 LSB_JOBINDEX_STEP=1", "auto", 5, 5,
         "LSB_JOBINDEX_END is 5"},
        {"LSF, name[1-5:2]", "LSB_JOBINDEX=5 LSB_JOBINDEX_END=5 LSB_JOBINDEX_STEP=2", "auto", 0, 0,
         "in steps of 2"},
        {"LSF, no array", "LSB_JOBINDEX=0 LSB_JOBINDEX_END=0", "auto", 0, 0, "none of"},
        {"OAR, every job is an array", "OAR_ARRAY_INDEX=1 ODORI_SHARDS=2", "auto", 1, 2,
         "shard 1 of 2"},
        {"none", "", "auto", 0, 0, "none of SLURM_ARRAY_TASK_ID, SGE_TASK_ID, PBS_ARRAY_INDEX"},
        {"a count alone", "ODORI_SHARDS=3", "auto", 0, 0, "none of"},
        {"two", "SLURM_ARRAY_TASK_ID=1 JOB_COMPLETION_INDEX=0 ODORI_SHARDS=3", "auto", 0, 0,
         "both SLURM_ARRAY_TASK_ID and JOB_COMPLETION_INDEX are set"},
        {"no number", "JOB_COMPLETION_INDEX=one ODORI_SHARDS=3", "auto", 0, 0,
         "JOB_COMPLETION_INDEX is 'one', not a number"},
        {"an empty one", "JOB_COMPLETION_INDEX= ODORI_SHARDS=3", "auto", 0, 0,
         "is '', not a number"},
        {"too many", "JOB_COMPLETION_INDEX=0 ODORI_SHARDS=10001", "auto", 0, 0,
         "ODORI_SHARDS is 10001 (1..10000)"},
        {"no shards", "JOB_COMPLETION_INDEX=0 ODORI_SHARDS=0", "auto", 0, 0, "(1..10000)"},
    };
    expect_rows(rows, COUNT(rows));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers), cmocka_unit_test(test_auto)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
