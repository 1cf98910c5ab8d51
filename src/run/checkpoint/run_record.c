// SPDX-License-Identifier: MIT
#include "run/checkpoint/run_record.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/text.h"
#include "base/text_stream.h"
#include "film/film.h"
#include "film/frame_ranges.h"
#include "record/json_read.h"
#include "run/checkpoint/checkpoint_files.h"

#define FORMAT "odori-runs"
enum { MAX_BYTES = 1 << 20 };

/* ---- as JSON ---- */

static const ResultField JobChange_fields[] = {
    MEMBER(JobChange, key, "dotted key, or the name of an input"),
    MEMBER(JobChange, file, "file whose contents the values are, as SHA-256", .nullable = true),
    MEMBER(JobChange, before, "earlier value; null if there was none", .nullable = true),
    MEMBER(JobChange, after, "value of this run; null if there is none", .nullable = true),
};
RESULT(JobChange, "a difference between two versions of a job");

static const ResultField RunRecord_fields[] = {
    MEMBER(RunRecord, digest, "fingerprint of the job"),
    MEMBER(RunRecord, frames, "frames of the film"),
    MEMBER(RunRecord, drawn, "frames that the run draws, the others stay from before"),
    MEMBER_NAMED(RunRecord, ranges, "drawn_ranges", "these frames, at most 256 ranges"),
    MEMBER_ITEMS(RunRecord, changes, JobChange,
                 "differences from the job before, at most 16; empty for a first run"),
    MEMBER_NAMED(RunRecord, changes.more, "more_changes", "number of further differences"),
    MEMBER(RunRecord, changed_ranges, "frames that show something else than before"),
    MEMBER(RunRecord, reason, "why all frames are drawn", .nullable = true),
    MEMBER(RunRecord, seconds, "duration, without shards and killed processes", .unit = "seconds",
           .nullable = true),
};
const ResultTable RunRecord_result = RESULT_TABLE(RunRecord, "what a version of the job drew");

typedef struct RunFile {
    const char *format;
    int version;
    const RunRecord *runs;
    size_t count;
} RunFile;

static const ResultField RunFile_fields[] = {
    MEMBER(RunFile, format, "kind of file"),
    MEMBER(RunFile, version, "its version"),
    MEMBER_LIST(RunFile, runs, count, RunRecord, "newest first"),
};
RESULT(RunFile, "runs.json");

bool run_records_save(const char *directory, const RunRecords *records, Diag *diag)
{
    Arena *arena = arena_create();
    const RunFile file = {FORMAT, CHECKPOINT_VERSION, records->items, records->count};
    TextStream stream;
    result_print(text_stream_open(&stream, arena), &RunFile_result, &file);
    const char *text = text_stream_close(&stream);
    const bool ok =
        file_save(arena_printf(arena, "%s/" RUN_RECORD_NAME, directory), text, stream.size, diag);
    arena_destroy(arena);
    return ok;
}

/* ---- reading ---- */

static bool read_ranges(FrameRanges *out, const JsonValue *list, Arena *arena)
{
    const uint32_t count = json_count(list);
    int64_t before = -1;
    if (!list || list->kind != JSON_LIST || count > RUN_RECORD_RANGES)
        return false;
    *out = (FrameRanges){arena_array(arena, FrameRange, count), count};
    for (uint32_t i = 0; i < count; i++) {
        const JsonValue *pair = json_item(list, i);
        FrameRange *range = &out->items[i];
        if (json_count(pair) != 2 || !json_get_integer(&range->first, json_item(pair, 0)) ||
            !json_get_integer(&range->last, json_item(pair, 1)) || range->first <= before ||
            range->last < range->first || range->last > OUTPUT_FRAME_MAX)
            return false;
        before = range->last;
    }
    return true;
}

static bool read_changes(JobChanges *out, const JsonValue *run, Arena *arena)
{
    const JsonValue *list = json_member(run, "changes");
    bool good = list && list->kind == JSON_LIST && json_count(list) <= JOB_CHANGES &&
                json_get_integer(&out->more, json_member(run, "more_changes")) && out->more >= 0;
    for (uint32_t i = 0; good && i < json_count(list); i++) {
        const JsonValue *item = json_item(list, i);
        JobChange *change = arena_push(arena, out);
        *change = (JobChange){
            json_string(json_member(item, "key"), NULL),
            json_string(json_member(item, "file"), NULL),
            json_string(json_member(item, "before"), NULL),
            json_string(json_member(item, "after"), NULL),
        };
        good = change->key != NULL;
    }
    return good;
}

static bool read_run(RunRecord *run, const JsonValue *value, Arena *arena)
{
    *run = (RunRecord){.reason = json_string(json_member(value, "reason"), NULL),
                       .seconds = json_number(json_member(value, "seconds"), NAN)};
    return digest_parse(&run->digest, json_string(json_member(value, "digest"), "")) &&
           json_get_integer(&run->frames, json_member(value, "frames")) &&
           json_get_integer(&run->drawn, json_member(value, "drawn")) && run->drawn >= 0 &&
           run->drawn <= run->frames && run->frames <= OUTPUT_FRAME_MAX && !(run->seconds < 0) &&
           read_changes(&run->changes, value, arena) &&
           read_ranges(&run->ranges, json_member(value, "drawn_ranges"), arena) &&
           read_ranges(&run->changed_ranges, json_member(value, "changed_ranges"), arena);
}

static bool read_file(RunRecords *out, const JsonValue *root, const Digest *job, Arena *arena)
{
    const JsonValue *runs = json_member(root, "runs");
    int64_t version = 0;
    bool good = !strcmp(json_string(json_member(root, "format"), ""), FORMAT) &&
                json_get_integer(&version, json_member(root, "version")) &&
                version == CHECKPOINT_VERSION && json_count(runs) <= RUN_RECORDS;
    for (uint32_t i = 0; good && i < json_count(runs); i++) {
        RunRecord *run = &out->items[out->count];
        good = read_run(run, json_item(runs, i), arena);
        out->count += out->count || digest_equal(&run->digest, job);
    }
    return good;
}

void run_records_load(RunRecords *out, const char *directory, const Digest *job, Arena *arena,
                      Diag *diag)
{
    const char *file = arena_printf(arena, "%s/" RUN_RECORD_NAME, directory);
    struct stat st;
    Bytes bytes;
    Diag trial = diag_quiet();
    *out = (RunRecords){.count = 0};
    if (stat(file, &st) != 0 ||
        (checkpoint_load_file(&bytes, file, MAX_BYTES, arena, &trial) &&
         read_file(out, json_read_own(NULL, bytes.data, bytes.size, arena), job, arena)))
        return;
    out->count = 0;
    diag_warn(diag, WARN_CHECKPOINT, "'%s' is damaged or of an unknown version; ignored", file);
}

/* ---- changes ---- */

static FrameRanges first_ranges(FrameRanges ranges)
{
    if (ranges.count > RUN_RECORD_RANGES)
        ranges.count = RUN_RECORD_RANGES;
    return ranges;
}

void run_records_add(RunRecords *records, const RunRecord *run)
{
    records->items[1] = records->items[0];
    records->items[0] = *run;
    records->items[0].changed_ranges = first_ranges(run->changed_ranges);
    records->count += records->count < RUN_RECORDS;
}

void run_record_set_drawn(RunRecord *run, FrameRanges drawn)
{
    run->drawn = film_frame_count(&drawn);
    run->ranges = first_ranges(drawn);
}

/* ---- as text ---- */

const char *run_record_drawn_text(const RunRecord *run, Arena *arena)
{
    const TextCount all = text_frames(run->frames);
    if (run->drawn == run->frames || !run->drawn)
        return arena_printf(arena, "%s %s drawn", run->drawn ? "all" : "none of", all.text);
    return arena_printf(arena, "%" PRId64 " of %s drawn, %s", run->drawn, all.text,
                        frame_ranges_text(&run->ranges, arena));
}

const char *run_record_why_text(const RunRecord *run, Arena *arena)
{
    const char *change = job_changes_text(&run->changes, arena);
    const char *frames = run->changed_ranges.count
                             ? arena_printf(arena, "changed in frames %s",
                                            frame_ranges_text(&run->changed_ranges, arena))
                             : "";
    const char *reason = run->reason ? run->reason : "";
    const char *text =
        arena_printf(arena, "%s%s%s", change, *change && *frames ? "; " : "", frames);
    return arena_printf(arena, "%s%s%s", text, *text && *reason ? "; " : "", reason);
}
