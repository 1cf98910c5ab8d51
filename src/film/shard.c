#include "film/shard.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

typedef struct Scheduler {
    const char *index, *count, *last; /* variables; NULL: not provided */
    int first;                        /* index of the first shard */
} Scheduler;

static const Scheduler schedulers[] = {
    {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MAX", 1},
    {"JOB_COMPLETION_INDEX", NULL, NULL, 0},
    {"AWS_BATCH_JOB_ARRAY_INDEX", "AWS_BATCH_JOB_ARRAY_SIZE", NULL, 0},
};

enum { SCHEDULERS = sizeof schedulers / sizeof schedulers[0], NUMBER_SIZE = 12 };

/* Accepts digits only, and so few that sums cannot overflow. */
static bool read_number(int64_t *number, const char *text, size_t size)
{
    char digits[NUMBER_SIZE] = {0};
    if (size == 0 || size >= sizeof digits)
        return false;
    memcpy(digits, text, size);
    return strspn(digits, "0123456789") == size && text_to_int64(number, digits);
}

static bool read_variable(int64_t *number, const char *name, Diag *diag)
{
    const char *text = getenv(name);
    assert(text);
    if (read_number(number, text, strlen(text)))
        return true;
    return diag_fail(diag, DIAG_USAGE, "--shard auto: %s is '%s', not a number", name, text);
}

static bool is_set(const char *name)
{
    return name && getenv(name);
}

/* The scheduler that runs this process; NULL after an error. */
static const Scheduler *find_scheduler(Diag *diag)
{
    const Scheduler *found = NULL;
    for (size_t i = 0; i < SCHEDULERS; i++) {
        if (!is_set(schedulers[i].index))
            continue;
        if (found) {
            diag_fail(diag, DIAG_USAGE, "--shard auto: both %s and %s are set; give --shard i/n",
                      found->index, schedulers[i].index);
            return NULL;
        }
        found = &schedulers[i];
    }
    if (!found)
        diag_fail(diag, DIAG_USAGE, "--shard auto: none of %s, %s, %s is set; give --shard i/n",
                  schedulers[0].index, schedulers[1].index, schedulers[2].index);
    return found;
}

/* Refuses arrays like 1, 3, 5: their count is 3, so the tasks would render the wrong shards. */
static bool check_array(const Scheduler *s, int64_t count, Diag *diag)
{
    int64_t last;
    if (!is_set(s->last))
        return true;
    if (!read_variable(&last, s->last, diag))
        return false;
    if (last == count)
        return true;
    return diag_fail(diag, DIAG_USAGE,
                     "--shard auto: array of %" PRId64 " tasks with the last index %" PRId64
                     "; use indices from 1 (--array=1-N), or set " SHARD_COUNT_VARIABLE,
                     count, last);
}

/* *name: the variable with the count. */
static bool read_count(int64_t *count, const char **name, const Scheduler *s, Diag *diag)
{
    *name = SHARD_COUNT_VARIABLE;
    if (is_set(*name))
        return read_variable(count, *name, diag);
    if (!is_set(s->count))
        return diag_fail(diag, DIAG_USAGE, "--shard auto: %s is set, but %s is not", s->index,
                         s->count ? s->count : SHARD_COUNT_VARIABLE);
    *name = s->count;
    return read_variable(count, *name, diag) && check_array(s, *count, diag);
}

static bool parse_auto(FilmShard *shard, Diag *diag)
{
    int64_t index = 0, count = 0;
    const char *name;
    const Scheduler *s = find_scheduler(diag);

    if (!s || !read_variable(&index, s->index, diag) || !read_count(&count, &name, s, diag))
        return false;
    if (count < 1 || count > SHARD_MAX_COUNT)
        return diag_fail(diag, DIAG_USAGE, "--shard auto: %s is %" PRId64 " (1..%d)", name, count,
                         SHARD_MAX_COUNT);
    if (index < s->first || index - s->first >= count)
        return diag_fail(diag, DIAG_USAGE, "--shard auto: %s is %" PRId64 " (%d..%" PRId64 ")",
                         s->index, index, s->first, count - 1 + s->first);
    *shard = (FilmShard){(int)(index - s->first) + 1, (int)count};
    diag_note(diag, "shard %d of %d: %s is %" PRId64 ", %s is %" PRId64, shard->index, shard->count,
              s->index, index, name, count);
    return true;
}

bool shard_parse(FilmShard *shard, const char *text, Diag *diag)
{
    int64_t index, count;
    const char *slash = strchr(text, '/');

    if (!strcmp(text, "auto"))
        return parse_auto(shard, diag);
    if (!slash || !read_number(&index, text, (size_t)(slash - text)) ||
        !read_number(&count, slash + 1, strlen(slash + 1)))
        return diag_fail(diag, DIAG_USAGE, "--shard: '%s' is not i/n, such as 2/16, or auto", text);
    if (count < 1 || count > SHARD_MAX_COUNT || index < 1 || index > count)
        return diag_fail(diag, DIAG_USAGE, "--shard: '%s' is out of range (1/1..%d/%d)", text,
                         SHARD_MAX_COUNT, SHARD_MAX_COUNT);
    *shard = (FilmShard){(int)index, (int)count};
    return true;
}

bool shard_parse_count(int *count, const char *text, Diag *diag)
{
    int64_t number;
    if (!read_number(&number, text, strlen(text)) || number < 1 || number > SHARD_MAX_COUNT)
        return diag_fail(diag, DIAG_USAGE, "--shards: '%s' is not a whole number (1..%d)", text,
                         SHARD_MAX_COUNT);
    *count = (int)number;
    return true;
}
