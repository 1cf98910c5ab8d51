// SPDX-License-Identifier: MIT
#include "run/checkpoint/run_record.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "base/text_stream.h"
#include "film/film.h"
#include "film/frame_ranges.h"
#include "record/json_read.h"
#include "run/checkpoint/checkpoint_files.h"

#define FORMAT "odori-runs"
enum { MAX_BYTES = 1 << 20 };

/* ---- pictures ---- */

const char *run_record_picture(const char *directory, size_t index, Arena *arena)
{
    return arena_printf(arena, "%s/changed-%zu.png", directory, index);
}

bool run_record_is_picture(const char *name)
{
    return checkpoint_skip_text(&name, "changed-") && *name >= '0' && *name < '0' + RUN_PICTURES &&
           !strcmp(name + 1, ".png");
}

/* ---- as JSON ---- */

static const ResultField JobChange_fields[] = {
    MEMBER(JobChange, key, "dotted key, or the name of an input"),
    MEMBER(JobChange, file, "file whose contents the values are, as SHA-256", .nullable = true),
    MEMBER(JobChange, before, "earlier value; null if there was none", .nullable = true),
    MEMBER(JobChange, after, "value of this run; null if there is none", .nullable = true),
};
RESULT(JobChange, "a difference between two versions of a job");

static const ResultField FrameChange_fields[] = {
    MEMBER(FrameChange, frame, "number of the frame"),
    MEMBER(FrameChange, pixels, "pixels that differ from those of the frame before"),
};
RESULT(FrameChange, "a drawn frame, compared with the one that it replaces");

static const ResultField RunRecord_fields[] = {
    MEMBER(RunRecord, digest, "fingerprint of the job"),
    MEMBER(RunRecord, tags, "digest of the name, the metadata, the chapters and the credits"),
    MEMBER(RunRecord, frames, "frames of the film"),
    MEMBER(RunRecord, drawn, "frames that the run draws, the others stay from before"),
    MEMBER_NAMED(RunRecord, ranges, "drawn_ranges", "these frames, at most 256 ranges"),
    MEMBER_ITEMS(RunRecord, changes, JobChange,
                 "differences from the job before, at most 16; empty for a first run"),
    MEMBER_NAMED(RunRecord, changes.more, "more_changes", "number of further differences"),
    MEMBER(RunRecord, changed_ranges, "frames that show something else than before"),
    MEMBER(RunRecord, reason, "why all frames are drawn", .nullable = true),
    MEMBER_LIST(RunRecord, compared, compared_count, FrameChange,
                "drawn frames, compared with those that they replace, at most 256"),
    MEMBER(RunRecord, picture_pixels, "pixels of a frame; 0: none is compared"),
    MEMBER_VALUES_NAMED(RunRecord, shown, shown_count, "pictures",
                        "frames that changed-0.png, changed-1.png, ... show, before and after"),
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

static bool read_shown(RunRecord *run, const JsonValue *list, Arena *arena)
{
    const uint32_t count = json_count(list);
    bool good = !list || (list->kind == JSON_LIST && count <= RUN_PICTURES);
    run->shown = arena_array(arena, int64_t, RUN_PICTURES);
    for (uint32_t i = 0; good && i < count; i++)
        good = json_get_integer(&run->shown[i], json_item(list, i)) && run->shown[i] >= 0 &&
               run->shown[i] <= OUTPUT_FRAME_MAX;
    run->shown_count = good ? count : 0;
    return good;
}

/* Absent in the records of earlier versions of the program. */
static bool read_compared(RunRecord *run, const JsonValue *value, Arena *arena)
{
    const JsonValue *list = json_member(value, "compared");
    const uint32_t count = json_count(list);
    FrameChange *items = arena_array(arena, FrameChange, count);
    bool good =
        !list || (list->kind == JSON_LIST && count <= RUN_RECORD_COMPARED &&
                  json_get_integer(&run->picture_pixels, json_member(value, "picture_pixels")) &&
                  run->picture_pixels >= 0);
    for (uint32_t i = 0; good && i < count; i++) {
        const JsonValue *item = json_item(list, i);
        good = item->kind == JSON_OBJECT &&
               json_get_integer(&items[i].frame, json_member(item, "frame")) &&
               json_get_integer(&items[i].pixels, json_member(item, "pixels")) &&
               items[i].frame > (i ? items[i - 1].frame : -1) &&
               items[i].frame <= OUTPUT_FRAME_MAX && items[i].pixels >= 0 &&
               items[i].pixels <= run->picture_pixels;
    }
    run->compared = items;
    run->compared_count = count;
    return good && read_shown(run, json_member(value, "pictures"), arena);
}

static bool read_run(RunRecord *run, const JsonValue *value, Arena *arena)
{
    *run = (RunRecord){.reason = json_string(json_member(value, "reason"), NULL),
                       .seconds = json_number(json_member(value, "seconds"), NAN)};
    const JsonValue *tags = json_member(value, "tags");
    return digest_parse(&run->digest, json_string(json_member(value, "digest"), "")) &&
           (!tags || digest_parse(&run->tags, json_string(tags, ""))) &&
           read_compared(run, value, arena) &&
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

bool run_records_parse(RunRecords *out, Bytes bytes, const Digest *job, Arena *arena)
{
    *out = (RunRecords){.count = 0};
    if (read_file(out, json_read_own(NULL, bytes.data, bytes.size, arena), job, arena))
        return true;
    out->count = 0;
    return false;
}

void run_records_load(RunRecords *out, const char *directory, const Digest *job, Arena *arena,
                      Diag *diag)
{
    const char *file = arena_printf(arena, "%s/" RUN_RECORD_NAME, directory);
    struct stat st;
    Bytes bytes;
    Diag trial = diag_quiet();
    *out = (RunRecords){.count = 0};
    if (stat(file, &st) == 0 && !(checkpoint_load_file(&bytes, file, MAX_BYTES, arena, &trial) &&
                                  run_records_parse(out, bytes, job, arena)))
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

static int by_pixels(const void *a, const void *b)
{
    const FrameChange *left = a, *right = b;
    if (left->pixels != right->pixels)
        return left->pixels > right->pixels ? -1 : 1;
    return (left->frame > right->frame) - (left->frame < right->frame);
}

static double percent(int64_t pixels, int64_t all)
{
    return all ? 100.0 * (double)pixels / (double)all : 0;
}

const char *run_record_pixels_text(const RunRecord *run, Arena *arena)
{
    enum { SHOWN = 3 };
    const size_t count = run->compared_count;
    FrameChange *order = arena_array(arena, FrameChange, count);
    int64_t sum = 0;
    if (!count)
        return "";
    for (size_t i = 0; i < count; i++) {
        order[i] = run->compared[i];
        sum += order[i].pixels;
    }
    qsort(order, count, sizeof *order, by_pixels);
    const char *text =
        arena_printf(arena, "%.2f %% of %s", percent(sum, run->picture_pixels * (int64_t)count),
                     text_frames((int64_t)count).text);
    for (size_t i = 0; i < count && i < SHOWN && count > 1 && order[i].pixels; i++)
        text = arena_printf(arena, "%s%s%" PRId64 " (%.2f %%)", text, i ? ", " : ", most of frame ",
                            order[i].frame, percent(order[i].pixels, run->picture_pixels));
    return text;
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
