// SPDX-License-Identifier: MIT
#include "run/checkpoint/checkpoint_read.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "film/frame_ranges.h"
#include "record/json_read.h"
#include "record/option_read.h"
#include "run/checkpoint/checkpoint_files.h"

/* ---- the film, from its facts ---- */

const char *checkpoint_read_fact(const CheckpointContent *content, const char *key)
{
    for (size_t i = 0; i < content->record.facts.count; i++)
        if (!strcmp(content->record.facts.items[i].key, key))
            return content->record.facts.items[i].value;
    return NULL;
}

/* Facts that are texts are stored as JSON. */
const char *checkpoint_read_text(const CheckpointContent *content, const char *key, Arena *arena)
{
    const char *value = checkpoint_read_fact(content, key);
    return value ? json_string(json_read_own(NULL, value, strlen(value), arena), NULL) : NULL;
}

static bool read_number(int64_t *out, const CheckpointContent *content, const char *key,
                        int64_t min, int64_t max)
{
    const char *value = checkpoint_read_fact(content, key);
    return value && text_to_int64(out, value) && *out >= min && *out <= max;
}

static bool read_outputs(CheckpointContent *content, Arena *arena, Diag *diag)
{
    Film *film = &content->film;
    int64_t count;
    if (!read_number(&count, content, "outputs", 1, JOB_MAX_OUTPUTS))
        return diag_error(diag, "the number of outputs is missing");
    film->output_count = (size_t)count;
    film->outputs = arena_array(arena, FilmOutput, film->output_count);
    for (size_t i = 0; i < film->output_count; i++) {
        FilmOutput *out = &film->outputs[i];
        out->options.file =
            checkpoint_read_text(content, arena_printf(arena, "outputs.%zu.file", i), arena);
        if (!out->options.file)
            return diag_error(diag, "the file of output %zu is missing", i);
        if (content->directory && !file_is_null(out->options.file))
            out->options.file =
                checkpoint_absolute_path(content->directory, out->options.file, arena);
        out->options.format =
            checkpoint_read_text(content, arena_printf(arena, "outputs.%zu.format", i), arena);
        out->kind = sink_find(out->options.file, out->options.format, diag);
        if (!out->kind)
            return false;
        out->options.frame_count = film->frame_count;
    }
    return true;
}

static bool read_film(CheckpointContent *content, Arena *arena, Diag *diag)
{
    Film *film = &content->film;
    const char *frames = checkpoint_read_fact(content, "frames");
    const char *name = checkpoint_read_text(content, "name", arena);
    content->job.name = name ? name : "";
    film->job = &content->job;
    if (!frames || !option_parse_frames(&film->frames, frames, (Rational){30, 1}, arena) ||
        !film->frames.count ||
        !read_number(&film->segment_frames, content, "frames of a segment", 1, OUTPUT_FRAME_MAX))
        return diag_error(diag, "the frames are missing");
    film->frame_count = film_frame_count(&film->frames);
    const char *value = checkpoint_read_fact(content, "credits.lines");
    const JsonValue *lines = value ? json_read_own(NULL, value, strlen(value), arena) : NULL;
    JobCredits *credits = &content->job.credits;
    credits->lines = arena_array(arena, const char *, json_count(lines));
    for (uint32_t i = 0; i < json_count(lines); i++)
        credits->lines[credits->line_count++] = json_string(json_item(lines, i), "");
    return read_outputs(content, arena, diag);
}

/* ---- ledgers ---- */

static void add_entry(void *user, const LedgerEntry *entry)
{
    CheckpointContent *content = user;
    const int64_t index = film_index_of(&content->film, entry->frame);
    if (index >= 0 && entry->output < content->film.output_count)
        completed_set_claim(&content->completed[entry->output], index, &entry->record,
                            &entry->identity);
}

static bool read_ledgers(CheckpointContent *content, Arena *arena, Diag *diag)
{
    LedgerList *shards = &content->shards;
    const bool ok =
        ledger_read_all(shards, content->directory, add_entry, content, NULL, arena, diag);
    if (shards->count)
        qsort(shards->items, shards->count, sizeof *shards->items, text_compare);
    return ok;
}

/* ---- locks ---- */

/* The next locked span of segments from `first` on; false if there is none. */
static bool next_locked(FilmSpan *locked, int fd, int64_t first, int64_t segments)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = first, .l_len = 0};
    if (first >= segments || fcntl(fd, F_OFD_GETLK, &lock) != 0 || lock.l_type == F_UNLCK)
        return false;
    locked->first = lock.l_start > first ? lock.l_start : first;
    locked->end =
        lock.l_len && lock.l_start + lock.l_len < segments ? lock.l_start + lock.l_len : segments;
    return locked->first < locked->end;
}

static void read_locks(CheckpointContent *content, Arena *arena)
{
    const Film *film = &content->film;
    const int fd =
        checkpoint_open_file(arena_printf(arena, "%s/lock", content->directory), O_RDONLY);
    FrameRangeList set = {0};
    FilmSpan locked = {0, 0};
    while (fd >= 0 && next_locked(&locked, fd, locked.end, film_segment_count(film))) {
        const FilmSpan indices = {film_segment(film, locked.first).first,
                                  film_segment(film, locked.end - 1).end};
        const FrameRanges frames = frame_ranges_of_span(film, indices, arena);
        for (size_t i = 0; i < frames.count; i++)
            frame_ranges_add(&set, frames.items[i], arena);
    }
    if (fd >= 0)
        close(fd);
    content->locked = (FrameRanges){set.items, set.count};
}

/* ---- the directory ---- */

bool checkpoint_read_is_directory(const char *directory)
{
    char file[4096];
    struct stat st;
    return snprintf(file, sizeof file, "%s/job.json", directory) < (int)sizeof file &&
           stat(file, &st) == 0 && S_ISREG(st.st_mode);
}

bool checkpoint_read_parse(CheckpointContent *content, Bytes bytes, Arena *arena, Diag *diag)
{
    return checkpoint_job_parse(&content->record, bytes, arena, diag) &&
           read_film(content, arena, diag);
}

bool checkpoint_read(CheckpointContent *content, const char *directory, Arena *arena, Diag *diag)
{
    *content = (CheckpointContent){.directory = checkpoint_without_slash(directory, arena)};
    if (!checkpoint_check_links(content->directory, diag) ||
        !checkpoint_job_load(&content->record, content->directory, arena, diag))
        return false;
    diag_file(diag, arena_printf(arena, "%s/job.json", content->directory));
    if (!read_film(content, arena, diag))
        return false;
    diag_file(diag, NULL);
    content->completed = arena_array(arena, CompletedSet, content->film.output_count);
    for (size_t i = 0; i < content->film.output_count; i++)
        content->completed[i] = completed_set_init(content->film.frame_count, arena);
    for (size_t i = 0; i < content->record.inputs.count; i++) {
        const char **file = &content->record.inputs.items[i].file;
        *file = checkpoint_absolute_path(content->directory, *file, arena);
    }
    if (!read_ledgers(content, arena, diag))
        return false;
    read_locks(content, arena);
    content->has_report =
        checkpoint_report_load(&content->report, content->directory, &content->film, arena, diag) &&
        digest_equal(&content->report.digest, &content->record.digest) &&
        content->report.outputs.count == content->film.output_count;
    run_records_load(&content->runs, content->directory, &content->record.digest, arena, diag);
    return true;
}

const char *checkpoint_read_directory_of_job(const Job *job, Arena *arena, Diag *diag)
{
    Film film = {.job = job, .output_count = job->output_count};
    film.outputs = arena_array(arena, FilmOutput, job->output_count);
    for (size_t i = 0; i < job->output_count; i++) {
        film.outputs[i].options.file = job->outputs[i].file;
        film.outputs[i].kind = sink_find(job->outputs[i].file, job->outputs[i].format, diag);
        if (!film.outputs[i].kind)
            return NULL;
    }
    const char *directory = checkpoint_directory(&film, arena);
    if (!directory)
        diag_fail(diag, DIAG_USAGE,
                  "none of the outputs can be resumed, so the job has no checkpoint directory");
    return directory;
}
