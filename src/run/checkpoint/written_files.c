// SPDX-License-Identifier: MIT
#include "run/checkpoint/written_files.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/json.h"
#include "base/text.h"
#include "base/text_stream.h"
#include "film/film.h"
#include "run/checkpoint/checkpoint_files.h"
#include "run/checkpoint/file_record.h"

enum { MAX_BYTES = 1 << 30 };

typedef struct WrittenFile {
    FileRecord record; /* its file relative to the directory; without a digest: any contents */
    size_t line;
} WrittenFile;

struct WrittenFiles {
    const char *directory; /* or NULL */
    bool replace_all;
    const volatile sig_atomic_t *stop;
    Arena *arena;
    ARENA_LIST(WrittenFile)
    files;          /* sorted up to `sorted`, then in the order of written_files_add */
    size_t sorted;  /* by name, then by line */
    size_t flushed; /* lines on disk */
    FileApproval approval, still_approval;
};

/* ---- reading ---- */

static int by_name(const void *a, const void *b)
{
    const WrittenFile *left = a, *right = b;
    const int order = strcmp(left->record.file, right->record.file);
    return order ? order : (left->line > right->line) - (left->line < right->line);
}

static void parse(WrittenFiles *files, Bytes bytes)
{
    const char *at = (const char *)bytes.data, *end = at + bytes.size;
    for (const char *newline; at < end; at = newline + 1) {
        newline = memchr(at, '\n', (size_t)(end - at));
        if (!newline)
            break; /* the incomplete line of a killed run */
        WrittenFile file = {.line = files->files.count};
        const size_t size = (size_t)(newline - at);
        if (file_record_read(&file.record, json_read_own(NULL, at, size, files->arena)) &&
            *file.record.file)
            *arena_push(files->arena, &files->files) = file;
    }
    if (files->files.count)
        qsort(files->files.items, files->files.count, sizeof *files->files.items, by_name);
    files->sorted = files->flushed = files->files.count;
}

static const char *record_name(const char *directory, Arena *arena)
{
    return arena_printf(arena, "%s/" WRITTEN_FILES_NAME, directory);
}

/* ---- questions ---- */

/* A line without a digest is for any contents. */
static bool is_line_of(const FileRecord *line, const FileRecord *file, bool any, bool digest)
{
    return !strcmp(line->file, file->file) &&
           (line->has_digest ? line->bytes == file->bytes &&
                                   (!digest || digest_equal(&line->digest, &file->digest))
                             : any);
}

/* Whether there is a line of a file: of any contents if `any` is set, with its digest if `digest`
 * is set, else with its size. */
static bool has_line(const WrittenFiles *files, const FileRecord *file, bool any, bool digest)
{
    const WrittenFile *lines = files->files.items;
    const TextNames names = TEXT_NAMES(WrittenFile, record.file, lines, files->sorted);
    size_t i = text_lower_bound(names, file->file);
    while (i < files->sorted && !strcmp(lines[i].record.file, file->file))
        if (is_line_of(&lines[i++].record, file, any, digest))
            return true;
    for (i = files->sorted; i < files->files.count; i++)
        if (is_line_of(&lines[i].record, file, any, digest))
            return true;
    return false;
}

/* A FIFO or a device is written to; it has no contents that could be lost.  That a directory cannot
 * be replaced is reported where the file is created. */
static bool is_free(const char *file)
{
    struct stat st;
    return lstat(file, &st) != 0 || S_ISDIR(st.st_mode) || file_is_stream(file);
}

/* Whether a file that exists has a line; digest: NULL if only its size is compared. */
static bool is_recorded(const WrittenFiles *files, const char *file, const Digest *digest)
{
    struct stat st;
    if (!files->directory || stat(file, &st) != 0)
        return false;
    Arena *scratch = arena_create();
    const FileRecord record = {.file = checkpoint_relative_path(files->directory, file, scratch),
                               .bytes = (uint64_t)st.st_size,
                               .digest = digest ? *digest : (Digest){{0}}};
    const bool found = has_line(files, &record, true, digest != NULL);
    arena_destroy(scratch);
    return found;
}

bool written_files_has_size(const WrittenFiles *files, const char *file)
{
    return files->replace_all || is_free(file) || is_recorded(files, file, NULL);
}

bool written_files_may_replace(const WrittenFiles *files, const char *file)
{
    Digest digest;
    uint64_t bytes;
    Diag trial = diag_quiet();
    if (files->replace_all || is_free(file))
        return true;
    if (!is_recorded(files, file, NULL))
        return false;
    if (!file_digest(&digest, &bytes, file, files->stop, &trial))
        digest = (Digest){{0}}; /* only a line without a digest matches */
    return is_recorded(files, file, &digest);
}

bool written_files_check(const WrittenFiles *files, const char *file, Diag *diag)
{
    return written_files_may_replace(files, file) || (files->stop && *files->stop) ||
           file_refuse_existing(file, diag);
}

/* ---- writing ---- */

static void add_line(WrittenFiles *files, FileRecord record)
{
    /* Without a directory the relative path is the file itself, which the caller may change. */
    record.file = arena_strdup(files->arena, record.file);
    *arena_push(files->arena, &files->files) = (WrittenFile){record, files->files.count};
}

void written_files_add(WrittenFiles *files, const char *file, uint64_t bytes, const Digest *digest)
{
    add_line(files,
             (FileRecord){.file = checkpoint_relative_path(files->directory, file, files->arena),
                          .bytes = bytes,
                          .digest = digest ? *digest : (Digest){{0}},
                          .has_digest = digest != NULL});
}

static void write_line(Json *json, const WrittenFile *file)
{
    file_record_write(json, &file->record);
    json_print(json, "\n");
}

bool written_files_flush(WrittenFiles *files, Diag *diag)
{
    Arena *arena = arena_create();
    TextStream stream;
    Json json = json_init(text_stream_open(&stream, arena));
    for (; files->flushed < files->files.count; files->flushed++)
        write_line(&json, &files->files.items[files->flushed]);
    const char *text = text_stream_close(&stream);
    const char *file = files->directory ? record_name(files->directory, arena) : "";
    const bool ok = !stream.size || (file_make_parent_dirs(file, diag) &&
                                     checkpoint_append_file(file, 0, text, stream.size, diag));
    arena_destroy(arena);
    return ok;
}

/* ---- approval ---- */

static bool approve_replacement(const WrittenFiles *files, const char *temporary, const char *path,
                                Diag *diag)
{
    return written_files_may_replace(files, path) || file_equal(temporary, path) ||
           file_refuse_existing(path, diag);
}

static bool approve_still(void *user, const char *temporary, const char *path, Diag *diag)
{
    return approve_replacement(user, temporary, path, diag);
}

/* Records a file before it is renamed to its name. */
static bool approve_file(void *user, const char *temporary, const char *path, Diag *diag)
{
    WrittenFiles *files = user;
    FileRecord record = {.has_digest = true};
    if (!approve_replacement(files, temporary, path, diag))
        return false;
    if (!files->directory)
        return true;
    if (!file_digest(&record.digest, &record.bytes, temporary, files->stop, diag) ||
        !file_make_parent_dirs(record_name(files->directory, files->arena), diag))
        return false;
    record.file = checkpoint_relative_path(files->directory, path, files->arena);
    if (has_line(files, &record, false, true))
        return true;
    add_line(files, record);
    return written_files_flush(files, diag);
}

const FileApproval *written_files_approval(const WrittenFiles *files)
{
    return &files->approval;
}

void written_files_guard_film(WrittenFiles *files, Film *film)
{
    film->record_directory = files->directory;
    film->note_approval = &files->approval;
    for (size_t i = 0; i < film->output_count; i++) {
        FilmOutput *out = &film->outputs[i];
        out->options.approval =
            checkpoint_kind(out) == CHECKPOINT_STILLS ? &files->still_approval : &files->approval;
    }
    for (size_t i = 0; i < film->preview_count; i++)
        film->previews[i].output.options.approval = &files->approval;
}

WrittenFiles *written_files_load(const char *directory, bool replace_all,
                                 const volatile sig_atomic_t *stop, Arena *arena)
{
    WrittenFiles *files = arena_array(arena, WrittenFiles, 1);
    *files = (WrittenFiles){.directory = directory ? arena_strdup(arena, directory) : NULL,
                            .replace_all = replace_all,
                            .stop = stop,
                            .arena = arena,
                            .approval = {approve_file, files},
                            .still_approval = {approve_still, files}};
    Arena *text = arena_create();
    Bytes bytes;
    Diag trial = diag_quiet();
    if (files->directory &&
        checkpoint_load_file(&bytes, record_name(files->directory, text), MAX_BYTES, text, &trial))
        parse(files, bytes);
    arena_destroy(text);
    return files;
}

/* ---- compaction ---- */

/* The last of several lines of a file counts. */
static bool is_current(const WrittenFiles *files, size_t i, Arena *scratch)
{
    const FileRecord *record = &files->files.items[i].record;
    struct stat st;
    return record->has_digest &&
           (i + 1 == files->files.count ||
            strcmp(record->file, files->files.items[i + 1].record.file) != 0) &&
           stat(checkpoint_absolute_path(files->directory, record->file, scratch), &st) == 0 &&
           record->bytes == (uint64_t)st.st_size;
}

bool written_files_compact(const char *directory, Diag *diag)
{
    Arena *arena = arena_create();
    const WrittenFiles *files = written_files_load(directory, false, NULL, arena);
    TextStream stream;
    FILE *out = text_stream_open(&stream, arena);
    for (size_t i = 0; i < files->files.count; i++)
        if (is_current(files, i, arena)) {
            Json json = json_init(out);
            write_line(&json, &files->files.items[i]);
        }
    const char *text = text_stream_close(&stream);
    const bool ok =
        !files->files.count || file_save(record_name(directory, arena), text, stream.size, diag);
    arena_destroy(arena);
    return ok;
}
