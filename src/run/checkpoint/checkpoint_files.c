// SPDX-License-Identifier: MIT
#include "run/checkpoint/checkpoint_files.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/archive_path.h"
#include "base/file_calls.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/path.h"
#include "base/text.h"
#include "film/film.h"
#include "run/checkpoint/renderer_record.h"
#include "run/checkpoint/run_record.h"
#include "run/checkpoint/written_files.h"

CheckpointKind checkpoint_kind(const FilmOutput *output)
{
    if (output->kind == &sink_null)
        return CHECKPOINT_NOTHING;
    if (output->kind->segments)
        return CHECKPOINT_SEGMENTS;
    return output->kind->inspect ? CHECKPOINT_STILLS : CHECKPOINT_WHOLE;
}

bool checkpoint_leaves_no_file(const Film *film)
{
    for (size_t i = 0; i < film->output_count; i++)
        if (checkpoint_kind(&film->outputs[i]) != CHECKPOINT_NOTHING)
            return false;
    return true;
}

/* ---- names ---- */

bool checkpoint_read_number(int64_t *out, const char **at, int min_digits)
{
    enum { MAX_DIGITS = 18 };
    const char *digits = *at;
    *out = 0;
    while (**at >= '0' && **at <= '9' && *at - digits < MAX_DIGITS)
        *out = 10 * *out + (*(*at)++ - '0');
    return *at - digits >= min_digits && (*at - digits == min_digits || *digits != '0');
}

bool checkpoint_skip_text(const char **at, const char *text)
{
    const size_t length = strlen(text);
    if (strncmp(*at, text, length) != 0)
        return false;
    *at += length;
    return true;
}

char *checkpoint_segment_path(const char *directory, size_t output, int64_t segment,
                              const char *extension, Arena *arena)
{
    return arena_printf(arena, "%s/segment/%zu-%06" PRId64 ".%s", directory, output, segment,
                        extension);
}

bool checkpoint_parse_segment_name(size_t *output, int64_t *segment, const char *name)
{
    int64_t number;
    if (!checkpoint_read_number(&number, &name, 1) || !checkpoint_skip_text(&name, "-") ||
        !checkpoint_read_number(segment, &name, 6) || !checkpoint_skip_text(&name, "."))
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

char *checkpoint_shard_name(FilmShard shard, Arena *arena)
{
    return arena_printf(arena, "%04d-of-%04d", shard.index, shard.count);
}

char *checkpoint_ledger_path(const char *directory, FilmShard shard, Arena *arena)
{
    return arena_printf(arena, "%s/ledger/%s.jsonl", directory,
                        checkpoint_shard_name(shard, arena));
}

static bool skip_shard(const char **at)
{
    int64_t number;
    return checkpoint_read_number(&number, at, 4) && checkpoint_skip_text(at, "-of-") &&
           checkpoint_read_number(&number, at, 4);
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
           !strcmp(name, CHECKPOINT_TIMES_NAME) || !strcmp(name, RUN_RECORD_NAME) ||
           run_record_is_picture(name) ||
           (checkpoint_skip_text(&name, "job.") && skip_shard(&name) && !strcmp(name, ".json"));
}

/* ---- directories ---- */

const char *checkpoint_without_slash(const char *directory, Arena *arena)
{
    size_t size = strlen(directory);
    while (size > 1 && directory[size - 1] == '/')
        size--;
    return arena_strndup(arena, directory, size);
}

const char *checkpoint_directory_beside(const char *file, Arena *arena)
{
    return arena_printf(arena, "%s.%s.odori", path_directory(file, arena), path_name(file));
}

const char *checkpoint_directory(const Film *film, Arena *arena)
{
    for (size_t i = 0; i < film->output_count; i++) {
        const CheckpointKind kind = checkpoint_kind(&film->outputs[i]);
        if (kind == CHECKPOINT_SEGMENTS || kind == CHECKPOINT_STILLS)
            return checkpoint_directory_beside(film->outputs[i].options.file, arena);
    }
    return NULL;
}

const char *checkpoint_record_directory(const Job *job, Arena *arena)
{
    for (size_t i = 0; i < job->output_count; i++) {
        const char *file = job->outputs[i].file;
        if (*file && !file_is_null(file))
            return checkpoint_directory_beside(file, arena);
    }
    return job->preview_count ? checkpoint_directory_beside(job->previews[0].file, arena) : NULL;
}

/* ---- paths relative to the directory ---- */

static const char *real_path(const char *path, Arena *arena)
{
    char *real = realpath(*path ? path : ".", NULL);
    const char *out = real ? arena_strdup(arena, real) : archive_path_real(path, arena);
    free(real);
    return out;
}

const char *checkpoint_relative_path(const char *directory, const char *file, Arena *arena)
{
    const char *from = real_path(directory, arena);
    const char *to = real_path(path_directory(file, arena), arena), *up = "";
    size_t common = 0;
    if (!from || !to)
        return file;
    for (size_t i = 0;; i++) { /* ends after the last equal component */
        const bool from_ends = !from[i] || from[i] == '/', to_ends = !to[i] || to[i] == '/';
        if (from_ends && to_ends)
            common = i;
        if (!from[i] || from[i] != to[i])
            break;
    }
    if (!common)
        return *file == '/' ? file : arena_printf(arena, "%s/%s", to[1] ? to : "", path_name(file));
    for (const char *at = from + common; *at; at++)
        if (*at == '/')
            up = arena_printf(arena, "%s../", up);
    const char *rest = to + common + (to[common] == '/');
    return arena_printf(arena, "%s%s%s%s", up, rest, *rest ? "/" : "", path_name(file));
}

const char *checkpoint_absolute_path(const char *directory, const char *file, Arena *arena)
{
    const char *from = file[0] == '/' ? NULL : real_path(directory, arena);
    if (!from)
        return file;
    size_t size = strlen(from);
    for (; !strncmp(file, "../", 3); file += 3)
        while (size > 0 && from[--size] != '/')
            ;
    return arena_printf(arena, "%.*s/%s", (int)size, from, file);
}

/* ---- opening ---- */

/* "piece" had the segments of format version 1, which --overwrite removes. */
static const char *const subdirectories[] = {"ledger", "segment", "bake", "piece"};
enum { SUBDIRECTORIES = sizeof subdirectories / sizeof *subdirectories };

static bool is_subdirectory(const char *name)
{
    return text_find(TEXT_ARRAY(subdirectories), name) >= 0;
}

/* Opens the directory that contains `path`.  Only the last name may be a directory of the
 * directory. */
static int open_parent(const char *path)
{
    enum { FLAGS = O_PATH | O_DIRECTORY | O_CLOEXEC };
    char directory[4096];
    const size_t size = (size_t)(path_name(path) - path);
    if (size >= sizeof directory) {
        errno = ENAMETOOLONG;
        return -1;
    }
    snprintf(directory, sizeof directory, "%.*s", (int)size, size ? path : "");
    for (size_t end = size; end > 1 && directory[end - 1] == '/';)
        directory[--end] = '\0';
    const char *name = path_name(directory);
    if (!is_subdirectory(name))
        return open(*directory ? directory : ".", FLAGS);
    const int above = open_parent(directory);
    const int fd = above < 0 ? -1 : openat(above, name, FLAGS | O_NOFOLLOW);
    const int error = errno;
    if (above >= 0)
        close(above);
    errno = error;
    return fd;
}

/* A file that is read as one that is written: a pipe would block, a device never end. */
static int require_regular(int fd, int flags)
{
    struct stat st;
    if (fd < 0 || (flags & O_DIRECTORY) || (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)))
        return fd;
    close(fd);
    errno = EPERM;
    return -1;
}

int checkpoint_open_file(const char *file, int flags)
{
    enum { ADDED = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK };
    const char *name = *path_name(file) ? path_name(file) : ".";
    const int directory = open_parent(file);
    const int fd =
        directory < 0
            ? -1
            : require_regular(file_calls_open(directory, name, flags | ADDED, 0666), flags);
    const int error = errno;
    if (directory >= 0)
        close(directory);
    errno = error;
    return fd;
}

DIR *checkpoint_open_list(const char *directory)
{
    const bool below = is_subdirectory(path_name(directory));
    if (!below)
        return path_open_directory(directory);
    const int fd = checkpoint_open_file(directory, O_RDONLY | O_DIRECTORY);
    DIR *list = fd < 0 ? NULL : fdopendir(fd);
    if (!list && errno == ENOMEM)
        memory_exhausted(0);
    if (!list && fd >= 0)
        close(fd);
    return list;
}

bool checkpoint_load_file(Bytes *out, const char *file, size_t limit, Arena *arena, Diag *diag)
{
    const int fd = checkpoint_open_file(file, O_RDONLY);
    if (fd < 0)
        return diag_fail(diag, diag_errno_kind(errno, DIAG_MISSING), "cannot open: %s",
                         strerror(errno));
    return file_load_open(out, fd, limit, arena, diag);
}

bool checkpoint_append_file(const char *file, int flags, const char *text, size_t size, Diag *diag)
{
    const int fd = checkpoint_open_file(file, O_WRONLY | O_APPEND | O_CREAT | flags);
    if (fd < 0 && errno == EEXIST && (flags & O_EXCL))
        return false;
    if (fd < 0)
        return diag_fail(diag, diag_errno_kind(errno, DIAG_CREATE), "cannot create '%s': %s", file,
                         strerror(errno));
    const bool written = file_write_synced(fd, text, size);
    const int error = errno;
    const bool closed = close(fd) == 0 || errno == EINTR;
    return (written && closed) ||
           diag_fail(diag, diag_errno_kind(written ? errno : error, DIAG_IO),
                     "cannot write '%s': %s", file, strerror(written ? errno : error));
}

/* ---- links ---- */

/* Ledgers, locks and the records of renderers and times are changed in place; other files are
 * replaced. */
static bool is_changed_in_place(const char *name)
{
    return checkpoint_is_ledger_name(name) || !strcmp(name, "lock") ||
           !strcmp(name, WRITTEN_FILES_NAME) || !strcmp(name, RENDERER_RECORD_NAME) ||
           !strcmp(name, CHECKPOINT_TIMES_NAME);
}

static bool check_entry(int fd, const char *directory, const char *name, Diag *diag)
{
    struct stat st;
    if (fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
        return true; /* removed meanwhile */
    if (S_ISLNK(st.st_mode))
        return diag_fail(diag, DIAG_CREATE,
                         "'%s/%s' is a symbolic link, which a checkpoint directory cannot contain",
                         directory, name);
    if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
        return diag_fail(diag, DIAG_CREATE,
                         "'%s/%s' is a pipe, device or socket, which a checkpoint directory cannot "
                         "contain",
                         directory, name);
    return !(S_ISREG(st.st_mode) && st.st_nlink > 1 && is_changed_in_place(name)) ||
           diag_fail(diag, DIAG_CREATE,
                     "'%s/%s' is a hard link, which cannot be a ledger, lock or record", directory,
                     name);
}

static bool check_entries(const char *directory, Diag *diag)
{
    DIR *list = path_open_directory(directory);
    bool ok = true;
    if (!list)
        return true; /* missing, or reported when it is used */
    for (const struct dirent *entry; ok && (entry = readdir(list)) != NULL;)
        ok = check_entry(dirfd(list), directory, entry->d_name, diag);
    closedir(list);
    return ok;
}

bool checkpoint_check_links(const char *directory, Diag *diag)
{
    char path[4096];
    bool ok = check_entries(directory, diag);
    for (size_t i = 0; ok && i < SUBDIRECTORIES; i++)
        ok = snprintf(path, sizeof path, "%s/%s", directory, subdirectories[i]) >=
                 (int)sizeof path ||
             check_entries(path, diag);
    return ok;
}
