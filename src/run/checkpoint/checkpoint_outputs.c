// SPDX-License-Identifier: MIT
#include "run/checkpoint/checkpoint_outputs.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/name_pattern.h"
#include "base/path.h"
#include "evaluate/version.h"
#include "render/version.h"
#include "run/checkpoint/checkpoint_files.h"
#include "run/checkpoint/checkpoint_read.h"

enum { NAME_SIZE = 4096 };

static bool exists(const char *file)
{
    struct stat st;
    return lstat(file, &st) == 0 && !S_ISDIR(st.st_mode);
}

/* ---- stills that exist ---- */

typedef ARENA_LIST(int64_t) IndexList;

static int ascending(const void *a, const void *b)
{
    const int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

/* The frame indices of an output's stills that exist, ascending.  The directory is listed, because
 * a film can have 100 million frames, few of which exist. */
static IndexList list_stills(const Film *film, const FilmOutput *out, FilmSpan indices,
                             Arena *arena)
{
    const char *pattern = out->options.file, *above = path_directory(pattern, arena);
    const bool numbered = name_pattern_has_number(pattern);
    IndexList list = {0};
    DIR *entries = path_open_directory(*above ? above : ".");
    for (const struct dirent *entry; entries && (entry = readdir(entries)) != NULL;) {
        char name[NAME_SIZE];
        const int size = snprintf(name, sizeof name, "%s%s", above, entry->d_name);
        const int64_t frame = numbered                 ? name_pattern_frame(pattern, name)
                              : !strcmp(name, pattern) ? film_frame_at(film, 0)
                                                       : -1;
        const int64_t index = frame < 0 ? -1 : film_index_of(film, frame);
        if (size < NAME_SIZE && index >= indices.first && index < indices.end &&
            film_output_has_frame(out, frame) && exists(name))
            *arena_push(arena, &list) = index;
    }
    if (entries)
        closedir(entries);
    if (list.count)
        qsort(list.items, list.count, sizeof *list.items, ascending);
    return list;
}

/* ---- checks ---- */

/* An earlier run may have been killed between the rename of a still and its line in the ledger, or
 * its directory was removed: then this one compares the bytes (written_files.h).  Anything else is
 * reported now. */
static bool may_be_unrecorded(const FilmOutput *out, int64_t frame)
{
    Diag trial = diag_quiet();
    return out->kind->verify && out->kind->verify(&out->options, frame, &trial);
}

static bool check_stills(const WrittenFiles *written, const Film *film, size_t output,
                         FilmSpan indices, const OutputRecords *records, Diag *diag)
{
    const FilmOutput *out = &film->outputs[output];
    Arena *arena = arena_create();
    const IndexList stills = list_stills(film, out, indices, arena);
    char name[NAME_SIZE];
    bool ok = true;
    for (size_t i = 0; ok && i < stills.count; i++) {
        const int64_t frame = film_frame_at(film, stills.items[i]);
        const CompletedRecord *record =
            completed_set_find(&records->completed[output], stills.items[i]);
        if ((record && record->verified) ||
            !name_pattern_file(name, sizeof name, out->options.file, frame) ||
            written_files_has_size(written, name))
            continue;
        ok = (!record && may_be_unrecorded(out, frame)) || file_refuse_existing(name, diag);
    }
    arena_destroy(arena);
    return ok;
}

static bool check_file(WrittenFiles *written, const char *file, const FileRecordList *reported,
                       size_t index, Diag *diag)
{
    if (written_files_may_replace(written, file))
        return true;
    if (!reported || index >= reported->count || reported->items[index].frames ||
        !file_record_confirms(&reported->items[index], file, NULL))
        return written_files_check(written, file, diag);
    written_files_add(written, file, reported->items[index].bytes, &reported->items[index].digest);
    return true;
}

bool checkpoint_outputs_check(WrittenFiles *written, const Film *film, FilmSpan indices,
                              const OutputRecords *records, Diag *diag)
{
    const CheckpointReport *report = records->report;
    bool ok = true;
    for (size_t i = 0; ok && i < film->output_count; i++) {
        const CheckpointKind kind = checkpoint_kind(&film->outputs[i]);
        if (kind == CHECKPOINT_STILLS)
            ok = check_stills(written, film, i, indices, records, diag);
        else if (kind != CHECKPOINT_NOTHING)
            ok = check_file(written, film->outputs[i].options.file,
                            report ? &report->outputs : NULL, i, diag);
    }
    for (size_t i = 0; ok && i < film->preview_count; i++)
        ok = check_file(written, film->previews[i].output.options.file,
                        report ? &report->previews : NULL, i, diag);
    return ok;
}

/* ---- permissions ---- */

static void allow(WrittenFiles *written, const char *file)
{
    if (exists(file))
        written_files_add(written, file, 0, NULL);
}

void checkpoint_outputs_allow(WrittenFiles *written, const Film *film)
{
    const FilmSpan all = {0, film->frame_count};
    char name[NAME_SIZE];
    for (size_t i = 0; i < film->output_count; i++) {
        const FilmOutput *out = &film->outputs[i];
        const CheckpointKind kind = checkpoint_kind(out);
        Arena *arena = arena_create();
        const IndexList stills =
            kind == CHECKPOINT_STILLS ? list_stills(film, out, all, arena) : (IndexList){0};
        for (size_t k = 0; k < stills.count; k++)
            if (name_pattern_file(name, sizeof name, out->options.file,
                                  film_frame_at(film, stills.items[k])))
                allow(written, name);
        arena_destroy(arena);
        if (kind != CHECKPOINT_STILLS && kind != CHECKPOINT_NOTHING)
            allow(written, out->options.file);
    }
    for (size_t i = 0; i < film->preview_count; i++)
        allow(written, film->previews[i].output.options.file);
}

/* ---- an edited job ---- */

static void add_stills(WrittenFiles *written, const CheckpointContent *content, size_t output)
{
    const Film *film = &content->film;
    char name[NAME_SIZE];
    for (int64_t p = 0; p < film->frame_count; p++) {
        const CompletedRecord *record = completed_set_find(&content->completed[output], p);
        if (record && name_pattern_file(name, sizeof name, film->outputs[output].options.file,
                                        film_frame_at(film, p)))
            written_files_add(written, name, record->record.bytes, &record->record.digest);
    }
}

/* Whether a directory has records of this version of the program, not of shards, which may be
 * waiting for their turn on other machines. */
static bool may_be_discarded(const CheckpointContent *content, Arena *arena)
{
    const LedgerList *ledgers = &content->shards;
    const char *whole = checkpoint_shard_name((FilmShard){1, 1}, arena);
    for (size_t i = 0; i < ledgers->count; i++)
        if (strcmp(ledgers->items[i].name, whole) != 0)
            return false;
    for (size_t i = 0; i < content->record.covered; i++) {
        const CheckpointFact *fact = &content->record.facts.items[i];
        if ((!strcmp(fact->key, "picture version") && atoi(fact->value) != PICTURE_VERSION) ||
            (!strcmp(fact->key, "evaluation version") && atoi(fact->value) != EVALUATE_VERSION))
            return false;
    }
    return true;
}

bool checkpoint_outputs_take_over(WrittenFiles *written, const char *directory, bool finished,
                                  Arena *arena)
{
    CheckpointContent content;
    Diag trial = diag_quiet();
    if (!checkpoint_read(&content, directory, arena, &trial) ||
        (!content.has_report && (finished || !may_be_discarded(&content, arena))))
        return false;
    for (size_t i = 0; i < content.film.output_count; i++) {
        const FilmOutput *out = &content.film.outputs[i];
        const FileRecord *reported = content.has_report ? &content.report.outputs.items[i] : NULL;
        if (checkpoint_kind(out) == CHECKPOINT_STILLS)
            add_stills(written, &content, i);
        else if (checkpoint_kind(out) != CHECKPOINT_NOTHING && reported && !reported->frames)
            written_files_add(written, out->options.file, reported->bytes, &reported->digest);
    }
    return true;
}
