#include "run/checkpoint/written_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json.h"
#include "base/json_read.h"
#include "base/text.h"
#include "base/text_stream.h"
#include "film/film.h"
#include "run/checkpoint/checkpoint_files.h"

enum { MAX_BYTES = 1 << 30 };

typedef struct WrittenFile {
    const char *file; /* relative to the directory */
    bool any;         /* whatever its contents */
    uint64_t bytes;
    Digest digest;
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

static bool read_line(WrittenFile *file, const char *text, size_t size, Arena *arena)
{
    JsonReader r = json_read_init_own(text, size, arena);
    *file = (WrittenFile){.file = "", .any = true};
    json_read_open(&r, '{');
    for (const char *key; json_read_key(&key, &r);)
        if (!strcmp(key, "file"))
            file->file = json_read_text(&r);
        else if (!strcmp(key, "bytes"))
            file->bytes = (uint64_t)json_read_int(&r);
        else if (!strcmp(key, "sha256"))
            file->any = !digest_parse(&file->digest, json_read_text(&r));
        else
            json_read_skip(&r);
    return !json_read_failed(&r) && *file->file;
}

static int by_name(const void *a, const void *b)
{
    const WrittenFile *left = a, *right = b;
    const int order = strcmp(left->file, right->file);
    return order ? order : (left->line > right->line) - (left->line < right->line);
}

static void parse(WrittenFiles *files, Bytes bytes)
{
    const char *at = (const char *)bytes.data, *end = at + bytes.size;
    for (const char *newline; at < end; at = newline + 1) {
        WrittenFile file;
        newline = memchr(at, '\n', (size_t)(end - at));
        if (!newline)
            break; /* the incomplete line of a killed run */
        if (read_line(&file, at, (size_t)(newline - at), files->arena)) {
            file.line = files->files.count;
            *arena_push(files->arena, &files->files) = file;
        }
    }
    if (files->files.count)
        qsort(files->files.items, files->files.count, sizeof *files->files.items, by_name);
    files->sorted = files->flushed = files->files.count;
}

static const char *record_name(const char *directory, Arena *arena)
{
    return arena_printf(arena, "%s/" WRITTEN_FILES_NAME, directory);
}

static void load(WrittenFiles *files)
{
    Arena *text = arena_create();
    Bytes bytes;
    Diag trial = diag_quiet();
    if (files->directory &&
        checkpoint_load_file(&bytes, record_name(files->directory, text), MAX_BYTES, text, &trial))
        parse(files, bytes);
    arena_destroy(text);
}

/* ---- questions ---- */

typedef bool Matches(const WrittenFile *line, const struct stat *st, const Digest *digest);

/* Whether a line of this name matches; `digest` is that of the file. */
static bool any_line(const WrittenFiles *files, const char *name, Matches *matches,
                     const struct stat *st, const Digest *digest)
{
    const TextNames names = TEXT_NAMES(WrittenFile, file, files->files.items, files->sorted);
    for (size_t i = text_lower_bound(names, name); i < files->sorted; i++) {
        const WrittenFile *line = &files->files.items[i];
        if (strcmp(line->file, name) != 0)
            break;
        if (matches(line, st, digest))
            return true;
    }
    for (size_t i = files->sorted; i < files->files.count; i++)
        if (!strcmp(files->files.items[i].file, name) &&
            matches(&files->files.items[i], st, digest))
            return true;
    return false;
}

static bool has_size(const WrittenFile *line, const struct stat *st, const Digest *digest)
{
    (void)digest;
    return line->any || line->bytes == (uint64_t)st->st_size;
}

static bool has_contents(const WrittenFile *line, const struct stat *st, const Digest *digest)
{
    return line->any ||
           (line->bytes == (uint64_t)st->st_size && digest_equal(&line->digest, digest));
}

static bool is_written(const WrittenFile *line, const struct stat *st, const Digest *digest)
{
    return !line->any && has_contents(line, st, digest);
}

/* A FIFO or a device is written to; it has no contents that could be lost.  That a directory cannot
 * be replaced is reported where the file is created. */
static bool is_free(const char *file)
{
    struct stat st;
    return lstat(file, &st) != 0 || S_ISDIR(st.st_mode) || file_is_stream(file);
}

bool written_files_has_size(const WrittenFiles *files, const char *file)
{
    struct stat st;
    if (files->replace_all || is_free(file))
        return true;
    if (!files->directory || stat(file, &st) != 0)
        return false;
    Arena *scratch = arena_create();
    const char *name = checkpoint_relative_path(files->directory, file, scratch);
    const bool found = any_line(files, name, has_size, &st, NULL);
    arena_destroy(scratch);
    return found;
}

bool written_files_may_replace(const WrittenFiles *files, const char *file)
{
    struct stat st;
    Digest digest = {{0}};
    uint64_t bytes;
    Diag trial = diag_quiet();
    if (files->replace_all || is_free(file))
        return true;
    if (!written_files_has_size(files, file) || stat(file, &st) != 0)
        return false;
    if (!file_digest(&digest, &bytes, file, files->stop, &trial))
        digest = (Digest){{0}}; /* only a line without a digest matches */
    Arena *scratch = arena_create();
    const char *name = checkpoint_relative_path(files->directory, file, scratch);
    const bool found = any_line(files, name, has_contents, &st, &digest);
    arena_destroy(scratch);
    return found;
}

bool written_files_check(const WrittenFiles *files, const char *file, Diag *diag)
{
    return written_files_may_replace(files, file) || (files->stop && *files->stop) ||
           file_refuse_existing(file, diag);
}

/* ---- writing ---- */

void written_files_add(WrittenFiles *files, const char *file, uint64_t bytes, const Digest *digest)
{
    /* Without a directory the relative path is `file` itself, which the caller may change. */
    const char *name = checkpoint_relative_path(files->directory, file, files->arena);
    *arena_push(files->arena, &files->files) =
        (WrittenFile){.file = arena_strdup(files->arena, name),
                      .any = !digest,
                      .bytes = bytes,
                      .digest = digest ? *digest : (Digest){{0}},
                      .line = files->files.count};
}

static void write_line(Json *json, const WrittenFile *file)
{
    char digest[DIGEST_TEXT_SIZE];
    json_open(json, '{');
    json_pair_text(json, "file", file->file);
    if (!file->any) {
        digest_text(digest, &file->digest);
        json_pair_int(json, "bytes", (int64_t)file->bytes);
        json_pair_text(json, "sha256", digest);
    }
    json_close(json, '}');
    json_newline(json);
}

/* Appends with one write, so that the lines of two processes do not mix. */
static bool append(const char *name, const char *text, size_t size, Diag *diag)
{
    if (!file_make_parent_dirs(name, diag))
        return false;
    const int fd = checkpoint_open_file(name, O_WRONLY | O_CREAT | O_APPEND);
    if (fd < 0)
        return diag_fail(diag, file_error_kind(errno, DIAG_CREATE), "cannot create '%s': %s", name,
                         strerror(errno));
    const bool ok = file_write_synced(fd, text, size) ||
                    diag_fail(diag, DIAG_IO, "cannot write '%s': %s", name, strerror(errno));
    close(fd);
    return ok;
}

bool written_files_flush(WrittenFiles *files, Diag *diag)
{
    Arena *arena = arena_create();
    TextStream stream;
    Json json = json_init(text_stream_open(&stream, arena));
    for (; files->flushed < files->files.count; files->flushed++)
        write_line(&json, &files->files.items[files->flushed]);
    const char *text = text_stream_close(&stream);
    const bool ok =
        !stream.size || append(record_name(files->directory, arena), text, stream.size, diag);
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

static bool add_once(WrittenFiles *files, const char *file, uint64_t bytes, const Digest *digest,
                     Diag *diag)
{
    const struct stat size = {.st_size = (off_t)bytes};
    const char *name = checkpoint_relative_path(files->directory, file, files->arena);
    if (any_line(files, name, is_written, &size, digest))
        return true;
    written_files_add(files, file, bytes, digest);
    return written_files_flush(files, diag);
}

static bool approve_file(void *user, const char *temporary, const char *path, Diag *diag)
{
    WrittenFiles *files = user;
    Digest digest;
    uint64_t bytes;
    if (!approve_replacement(files, temporary, path, diag))
        return false;
    if (!files->directory)
        return true;
    if (!file_digest(&digest, &bytes, temporary, files->stop, diag) ||
        !file_make_parent_dirs(record_name(files->directory, files->arena), diag))
        return false;
    return add_once(files, path, bytes, &digest, diag);
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
    load(files);
    return files;
}

/* ---- compaction ---- */

static bool is_current(const WrittenFiles *files, size_t i, Arena *scratch)
{
    const WrittenFile *line = &files->files.items[i];
    struct stat st;
    if (line->any || (i + 1 < files->files.count &&
                      !strcmp(line->file, line[1].file))) /* sorted: a later line follows */
        return false;
    return stat(checkpoint_absolute_path(files->directory, line->file, scratch), &st) == 0 &&
           line->bytes == (uint64_t)st.st_size;
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
