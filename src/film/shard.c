// SPDX-License-Identifier: MIT
#include "film/shard.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scheduler.h"
#include "base/text.h"

enum { NUMBER_SIZE = 12 };

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
    char names[512] = "";
    for (const Scheduler *row = schedulers; row->name; row++) {
        if (row->index)
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s",
                     *names ? ", " : "", row->index);
        if (!scheduler_has_array(row))
            continue;
        if (found) {
            diag_fail(diag, DIAG_USAGE, "--shard auto: both %s and %s are set; give --shard i/n",
                      found->index, row->index);
            return NULL;
        }
        found = row;
    }
    if (!found)
        diag_fail(diag, DIAG_USAGE,
                  "--shard auto: none of %s is set by an array of tasks; give --shard i/n", names);
    return found;
}

/* Sets *number to `expected` where the scheduler does not have the variable. */
static bool read_optional(int64_t *number, const char *name, int64_t expected, Diag *diag)
{
    *number = expected;
    return !is_set(name) || read_variable(number, name, diag);
}

/* Refuses arrays like 1, 3, 5: their count is 3, so the tasks would render the wrong shards. */
static bool check_array(const Scheduler *s, int64_t count, Diag *diag)
{
    const int64_t last = s->first + count - 1;
    int64_t begin, end, step;
    if (!read_optional(&begin, s->begin, s->first, diag) ||
        !read_optional(&end, s->end, last, diag) || !read_optional(&step, s->step, 1, diag))
        return false;
    if (begin == s->first && end == last && (step == 1 || count == 1))
        return true;
    return diag_fail(diag, DIAG_USAGE,
                     "--shard auto: array of %" PRId64 " tasks with the indices %" PRId64
                     " to %" PRId64 ", in steps of %" PRId64
                     "; use indices from %d without gaps, or set " SHARD_COUNT_VARIABLE,
                     count, begin, end, step, s->first);
}

/* *name: the variable with the count, or with the last index. */
static bool read_count(int64_t *count, const char **name, const Scheduler *s, Diag *diag)
{
    *name = SHARD_COUNT_VARIABLE;
    if (is_set(*name))
        return read_variable(count, *name, diag);
    *name = s->count ? s->count : s->end ? s->end : SHARD_COUNT_VARIABLE;
    if (!is_set(*name))
        return diag_fail(diag, DIAG_USAGE, "--shard auto: %s is set, but %s is not", s->index,
                         *name);
    if (!read_variable(count, *name, diag))
        return false;
    *count += s->count ? 0 : 1 - s->first;
    return check_array(s, *count, diag);
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
