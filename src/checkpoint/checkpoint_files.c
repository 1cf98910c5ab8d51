#include "checkpoint/checkpoint_files.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "checkpoint/renderer_record.h"

CheckpointKind checkpoint_kind(const FilmOutput *output)
{
    if (output->kind == &sink_null)
        return CHECKPOINT_NOTHING;
    if (output->kind->segments)
        return CHECKPOINT_SEGMENTS;
    return output->kind->inspect ? CHECKPOINT_STILLS : CHECKPOINT_WHOLE;
}

/* Reads a number of at least `min_digits` digits, with no more leading zeros than that requires. */
static bool read_number(int64_t *out, const char **at, int min_digits)
{
    enum { MAX_DIGITS = 18 };
    const char *digits = *at;
    *out = 0;
    while (**at >= '0' && **at <= '9' && *at - digits < MAX_DIGITS)
        *out = 10 * *out + (*(*at)++ - '0');
    return *at - digits >= min_digits && (*at - digits == min_digits || *digits != '0');
}

static bool skip_text(const char **at, const char *text)
{
    const size_t length = strlen(text);
    if (strncmp(*at, text, length) != 0)
        return false;
    *at += length;
    return true;
}

char *checkpoint_segment_name(size_t output, int64_t segment, const char *extension, Arena *arena)
{
    return arena_printf(arena, "%zu-%06" PRId64 ".%s", output, segment, extension);
}

bool checkpoint_parse_segment_name(size_t *output, int64_t *segment, const char *name)
{
    int64_t number;
    if (!read_number(&number, &name, 1) || !skip_text(&name, "-") ||
        !read_number(segment, &name, 6) || !skip_text(&name, "."))
        return false;
    *output = (size_t)number;
    return *name && !name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789")];
}

bool checkpoint_is_segment_name(const char *name)
{
    size_t output;
    int64_t segment;
    return checkpoint_parse_segment_name(&output, &segment, name);
}

char *checkpoint_ledger_name(FilmShard shard, Arena *arena)
{
    return arena_printf(arena, "%04d-of-%04d.jsonl", shard.index, shard.count);
}

static bool skip_shard(const char **at)
{
    int64_t number;
    return read_number(&number, at, 4) && skip_text(at, "-of-") && read_number(&number, at, 4);
}

bool checkpoint_is_ledger_name(const char *name)
{
    return skip_shard(&name) && !strcmp(name, ".jsonl");
}

bool checkpoint_is_bake_name(const char *name)
{
    Digest digest;
    return digest_parse(&digest, name) && !strcmp(name + DIGEST_TEXT_SIZE - 1, ".bake");
}

bool checkpoint_is_record_name(const char *name)
{
    return !strcmp(name, "report.json") || !strcmp(name, RENDERER_RECORD_NAME) ||
           (skip_text(&name, "job.") && skip_shard(&name) && !strcmp(name, ".json"));
}
