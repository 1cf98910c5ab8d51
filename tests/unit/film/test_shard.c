#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "film/shard.h"
#include "unit_test.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static char reported[1024];

static void listen(void *user, const DiagMessage *message)
{
    (void)user;
    snprintf(reported, sizeof reported, "%s", message->shown);
}

static const char *const variables[] = {
    "SLURM_ARRAY_TASK_ID",  "SLURM_ARRAY_TASK_COUNT",    "SLURM_ARRAY_TASK_MAX",
    "JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX", "AWS_BATCH_JOB_ARRAY_SIZE",
    "ODORI_SHARDS",
};

/* "A=1 B=2"; all other variables are unset. */
static void set_environment(const char *text)
{
    char copy[256];
    for (size_t i = 0; i < COUNT(variables); i++)
        unsetenv(variables[i]);
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
         "array of 4 tasks with the last index 3; use indices from 1 (--array=1-N)"},
        {"Slurm's array with gaps",
         "SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MAX=5", "auto", 0, 0,
         "with the last index 5"},
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
        {"none", "", "auto", 0, 0, "none of SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX"},
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
