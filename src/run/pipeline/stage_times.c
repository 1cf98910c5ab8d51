// SPDX-License-Identifier: MIT
#include "run/pipeline/stage_times.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "base/text_stream.h"
#include "evaluate/frame_state.h"
#include "film/film_scenes.h"
#include "record/json_read.h"
#include "run/checkpoint/checkpoint_files.h"

/* ---- from the frame loop ---- */

static void evaluated(void *user, int64_t frame, const void *packed, double cpu_s)
{
    StageTimesLog *log = user;
    const int64_t steps = log->simulated && frame > log->before ? frame - log->before : 1;
    StageTimes *item = arena_push(log->arena, &log->list);
    (void)packed;
    *item = (StageTimes){.frame = frame, .times.s[STAGE_EVALUATE] = cpu_s / (double)steps};
    log->before = frame;
}

static void rendered(void *user, int64_t frame, const FrameTimes *times)
{
    const StageTimesLog *log = user;
    for (size_t i = log->list.count; i-- > 0;)
        if (log->list.items[i].frame == frame) {
            frame_times_add(&log->list.items[i].times, times);
            return;
        }
}

FrameObserver stage_times_observe(StageTimesLog *log, const Film *film, Arena *arena)
{
    *log = (StageTimesLog){.arena = arena, .simulated = film_is_simulated(film), .before = -1};
    return (FrameObserver){.user = log, .evaluated = evaluated, .rendered = rendered};
}

/* ---- the file: {"frame":0,"evaluate":812,...} in microseconds, a line for each frame ---- */

static void write_line(Json *json, const StageTimes *item)
{
    json_print(json, "{frame:%jd", item->frame);
    for (int i = 0; i < STAGE_ENCODE; i++) {
        json_key(json, frame_stage_names[i]);
        json_int(json, llround(item->times.s[i] * 1e6));
    }
    json_print(json, "}\n");
}

bool stage_times_append(const StageTimesList *list, const char *file, Diag *diag)
{
    if (!list->count)
        return true;
    Arena *arena = arena_create();
    TextStream stream;
    Json json = json_init(text_stream_open(&stream, arena));
    for (size_t i = 0; i < list->count; i++)
        write_line(&json, &list->items[i]);
    const char *text = text_stream_close(&stream);
    const bool ok = checkpoint_append_file(file, 0, text, stream.size, diag);
    arena_destroy(arena);
    return ok;
}

static bool read_line(StageTimes *item, const char *line, size_t size, Arena *scratch)
{
    const JsonValue *root = json_read(NULL, line, size, scratch);
    *item = (StageTimes){.frame = -1};
    bool good = json_get_integer(&item->frame, json_member(root, "frame")) && item->frame >= 0;
    for (uint32_t i = 0; i < json_count(root); i++) {
        const int stage =
            text_find(TEXT_WORDS(frame_stage_names, STAGE_ENCODE), root->items[i]->key);
        int64_t microseconds = 0;
        if (stage >= 0) {
            good &= json_get_integer(&microseconds, root->items[i]) && microseconds >= 0;
            item->times.s[stage] = (double)microseconds / 1e6;
        }
    }
    return good;
}

typedef struct Line {
    StageTimes times;
    size_t order;
} Line;

static int compare_lines(const void *a, const void *b)
{
    const Line *x = a, *y = b;
    if (x->times.frame != y->times.frame)
        return x->times.frame < y->times.frame ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

StageTimesList stage_times_parse(Bytes bytes, Arena *arena)
{
    ARENA_LIST(Line) lines = {0};
    StageTimesList list = {0};
    Arena *scratch = arena_create();
    for (size_t at = 0; at < bytes.size;) {
        const char *line = (const char *)bytes.data + at,
                   *end = memchr(line, '\n', bytes.size - at);
        const size_t size = end ? (size_t)(end - line) : bytes.size - at;
        StageTimes item;
        arena_reset(scratch);
        if (end && read_line(&item, line, size, scratch))
            *arena_push(arena, &lines) = (Line){item, lines.count};
        at += size + 1;
    }
    arena_destroy(scratch);
    if (lines.count)
        qsort(lines.items, lines.count, sizeof *lines.items, compare_lines);
    for (size_t i = 0; i < lines.count; i++)
        if (i + 1 == lines.count || lines.items[i].times.frame != lines.items[i + 1].times.frame)
            *arena_push(arena, &list) = lines.items[i].times;
    return list;
}

StageTimesList stage_times_load(const char *file, Arena *arena)
{
    Diag silent = diag_quiet();
    Bytes bytes;
    if (!checkpoint_load_file(&bytes, file, FILE_MAX_SIZE, arena, &silent))
        return (StageTimesList){0};
    return stage_times_parse(bytes, arena);
}
