// SPDX-License-Identifier: MIT
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/archive_path.h"
#include "base/file_calls.h"
#include "base/memory.h"
#include "base/name_pattern.h"
#include "base/path.h"
#include "base/text.h"
#include "base/write_limit.h"
#include "base/write_root.h"

enum { MAX_SUGGESTED = 4096 }; /* names of a directory that are compared */

int file_open_input(const char *path, Diag *diag)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 && errno == ENOTDIR)
        return archive_path_open(path, diag);
    if (fd < 0)
        diag_fail(diag, diag_errno_kind(errno, DIAG_MISSING), "cannot open: %s", strerror(errno));
    return fd;
}

/* As read(), which signals do not interrupt. */
static ssize_t read_some(int fd, void *out, size_t size)
{
    ssize_t n;
    do
        n = read(fd, out, size);
    while (n < 0 && errno == EINTR);
    return n;
}

bool file_load(Bytes *out, const char *path, size_t limit, Arena *arena, Diag *diag)
{
    const int fd = file_open_input(path, diag);
    return fd >= 0 && file_load_open(out, fd, limit, arena, diag);
}

bool file_load_open(Bytes *out, int fd, size_t limit, Arena *arena, Diag *diag)
{
    struct stat st;
    ssize_t n = fstat(fd, &st);
    bool ok = n == 0;
    if (ok && !S_ISREG(st.st_mode))
        ok = diag_fail(diag, DIAG_MISSING, "not a regular file");
    else if (ok && (uintmax_t)st.st_size > limit)
        ok = diag_error(diag, "file of %ju bytes is too large (0..%zu)", (uintmax_t)st.st_size,
                        limit);
    if (ok) {
        uint8_t *data = arena_alloc(arena, (size_t)st.st_size);
        *out = (Bytes){data, 0}; /* fewer bytes than st_size if the file shrank meanwhile */
        while ((n = read_some(fd, data + out->size, (size_t)st.st_size - out->size)) > 0)
            out->size += (size_t)n;
    }
    if (n < 0)
        ok = diag_fail(diag, diag_errno_kind(errno, DIAG_MISSING), "cannot read: %s",
                       strerror(errno));
    close(fd);
    return ok;
}

bool file_load_stdin(Bytes *out, size_t limit, Arena *arena, Diag *diag)
{
    ARENA_LIST(uint8_t) bytes = {0};
    uint8_t block[4096];
    for (;;) {
        const ssize_t n = read_some(STDIN_FILENO, block, sizeof block);
        if (n < 0)
            return diag_fail(diag, DIAG_MISSING, "cannot read: %s", strerror(errno));
        if (n == 0)
            break;
        if ((size_t)n > limit - bytes.count)
            return diag_error(diag, "more than %zu bytes", limit);
        for (ssize_t i = 0; i < n; i++)
            *arena_push(arena, &bytes) = block[i];
    }
    *out = (Bytes){bytes.count ? bytes.items : arena_alloc(arena, 1), bytes.count};
    return true;
}

/* -1 after an error, also if the file is not a regular one. */
static int open_regular(const char *path, Diag *diag)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat st;
    if (fd < 0 && errno == ENOTDIR)
        return archive_path_open(path, diag);
    if (fd < 0 || fstat(fd, &st) != 0)
        diag_fail(diag, diag_errno_kind(errno, DIAG_MISSING), "cannot open '%s': %s", path,
                  strerror(errno));
    else if (!S_ISREG(st.st_mode))
        diag_fail(diag, DIAG_MISSING, "'%s' is not a regular file", path);
    else
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

/* A file name without its extension. */
static const char *name_stem(const char *name, Arena *arena)
{
    const char *dot = strrchr(name, '.');
    return arena_strndup(arena, name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

/* Equal extensions alone do not make two names similar. */
static bool is_similar(const char *wanted, const char *name, Arena *arena)
{
    const char *stem = name_stem(name, arena);
    return text_nearest(name_stem(wanted, arena), &stem, 1) != NULL;
}

/* "; did you mean 'name'?" for a similar name in the directory of a path, or "". */
static const char *suggest_name(const char *path, Arena *arena)
{
    const ArchiveNames all = path_list_names(path_directory(path, arena), arena);
    ArchiveNames names = {0};
    for (size_t i = 0; i < all.count && i < MAX_SUGGESTED; i++) {
        const char *name = all.items[i];
        if (name[0] != '.' && text_is_utf8(name, strlen(name)) &&
            is_similar(path_name(path), name, arena))
            *arena_push(arena, &names) = name;
    }
    if (names.count > 1)
        qsort(names.items, names.count, sizeof *names.items,
              text_compare); /* not in the directory's order */
    return text_suggestion(path_name(path),
                           (TextNames){names.items, names.count, sizeof *names.items, 0}, arena);
}

bool file_check_exists(const char *path, const DiagLocation *location, Diag *diag)
{
    struct stat st;
    if (stat(path, &st) == 0 || (errno != ENOENT && errno != ENOTDIR))
        return true;
    const char *reason = strerror(errno);
    if (errno == ENOTDIR && archive_path_kind(path) != ARCHIVE_PATH_NONE)
        return true;
    Arena *arena = arena_create();
    if (archive_path_container(path, arena) != path)
        reason = "the archive has no such file";
    const char *suggestion = suggest_name(path, arena);
    const DiagLocation here = {.file = path, .excerpt = ""};
    errno = 0;
    location = diag_locate(diag, location);
    if (location)
        diag_fail_at(diag, location, DIAG_MISSING, "cannot open '%s': %s%s", path, reason,
                     suggestion);
    else
        diag_fail_at(diag, &here, DIAG_MISSING, "cannot open: %s%s", reason, suggestion);
    arena_destroy(arena);
    return false;
}

bool file_hash(Hash *hash, uint64_t *bytes, const char *path, const volatile sig_atomic_t *stop,
               Diag *diag)
{
    uint8_t block[1 << 16];
    ssize_t n = -1;
    const int fd = open_regular(path, diag);
    if (fd < 0)
        return false;
    while (!(stop && *stop) && (n = read_some(fd, block, sizeof block)) > 0) {
        hash_add(hash, block, (size_t)n);
        *bytes += (uint64_t)n;
    }
    if (n < 0 && !(stop && *stop))
        diag_fail(diag, diag_errno_kind(errno, DIAG_MISSING), "cannot read '%s': %s", path,
                  strerror(errno));
    close(fd);
    return n == 0;
}

bool file_digest(Digest *digest, uint64_t *bytes, const char *path,
                 const volatile sig_atomic_t *stop, Diag *diag)
{
    Hash *hash = hash_create();
    *bytes = 0;
    const bool ok = file_hash(hash, bytes, path, stop, diag);
    *digest = hash_finish(hash);
    return ok;
}

bool file_equal(const char *a, const char *b)
{
    Digest first, second;
    uint64_t sizes[2];
    struct stat left, right;
    Diag trial = diag_quiet();
    return stat(a, &left) == 0 && stat(b, &right) == 0 && left.st_size == right.st_size &&
           file_digest(&first, &sizes[0], a, NULL, &trial) &&
           file_digest(&second, &sizes[1], b, NULL, &trial) && digest_equal(&first, &second);
}

bool file_temporary_name(char *out, size_t size, const char *path)
{
    const char *name = path_name(path);
    const int n =
        snprintf(out, size, "%.*s.%s.%ld.tmp", (int)(name - path), path, name, (long)getpid());
    return n > 0 && (size_t)n < size;
}

void file_remove_temporaries(const char *path, long pid)
{
    const char *name = path_name(path);
    char directory[4096], start[300], end[40];
    snprintf(directory, sizeof directory, "%.*s.", (int)(name - path), path);
    const int start_size =
        snprintf(start, sizeof start, ".%.*s", (int)(name_pattern_parse(path).number - name), name);
    const int end_size = snprintf(end, sizeof end, ".%ld.tmp", pid);
    DIR *list = start_size < (int)sizeof start ? path_open_directory(directory) : NULL;
    if (!list)
        return;
    for (const struct dirent *entry; (entry = readdir(list)) != NULL;) {
        const size_t size = strlen(entry->d_name);
        if (size >= (size_t)start_size + (size_t)end_size &&
            !strncmp(entry->d_name, start, (size_t)start_size) &&
            !strcmp(entry->d_name + size - (size_t)end_size, end))
            file_calls_unlink(dirfd(list), entry->d_name);
    }
    closedir(list);
}

/* /dev/shm and its like hold ordinary files. */
static bool is_special_directory(const char *path)
{
    char directory[4096];
    snprintf(directory, sizeof directory, "%.*s.", (int)(path_name(path) - path), path);
    char *real = realpath(directory, NULL);
    const bool special = real && (!strcmp(real, "/dev") || !strncmp(real, "/proc/", 6));
    free(real);
    return special;
}

/* The descriptor that "/dev/stdout", "/dev/fd/3" or the like names; -1 for any other path. */
static int named_descriptor(const char *path)
{
    static const char *const directories[] = {"/dev/fd/", "/proc/self/fd/"};
    if (!strcmp(path, "/dev/stdout") || !strcmp(path, "/dev/stderr"))
        return !strcmp(path, "/dev/stdout") ? STDOUT_FILENO : STDERR_FILENO;
    for (size_t i = 0; i < sizeof directories / sizeof *directories; i++) {
        const size_t size = strlen(directories[i]);
        if (strncmp(path, directories[i], size) != 0)
            continue;
        const size_t digits = strspn(path + size, "0123456789");
        if (digits && digits < 6 && !path[size + digits])
            return atoi(path + size);
    }
    return -1;
}

bool file_is_null(const char *path)
{
    return !strcmp(path, FILE_NULL);
}

bool file_is_stream(const char *path)
{
    struct stat st;
    if (named_descriptor(path) >= 0)
        return true;
    if (stat(path, &st) == 0 && (S_ISFIFO(st.st_mode) || S_ISCHR(st.st_mode)))
        return true;
    return lstat(path, &st) == 0 && is_special_directory(path);
}

/* A named descriptor is duplicated: it may be a file that the sandbox does not let us open. */
int file_open_stream(const char *path)
{
    const int named = named_descriptor(path);
    return named >= 0 ? fcntl(named, F_DUPFD_CLOEXEC, 0) : open(path, O_WRONLY | O_CLOEXEC);
}

bool file_refuse_existing(const char *path, Diag *diag)
{
    return diag_fail(
        diag, DIAG_CREATE,
        "'%s' exists and was not written by this job, or was changed since, or its record beside "
        "it is gone; move it, or replace it with --overwrite (-y)",
        path);
}

bool file_check_new(const char *path, bool overwrite, Diag *diag)
{
    struct stat st;
    return overwrite || lstat(path, &st) != 0 || S_ISDIR(st.st_mode) || file_is_stream(path) ||
           file_refuse_existing(path, diag);
}

bool file_make_parent_dirs(const char *path, Diag *diag)
{
    char directory[4096];
    struct stat st;
    const size_t length = (size_t)(path_name(path) - path);
    if (length >= sizeof directory)
        return diag_fail(diag, DIAG_CREATE, "'%s': the path is too long", path);
    memcpy(directory, path, length);
    directory[length] = '\0';
    for (char *p = directory + 1; length && *p; p++) {
        if (*p != '/')
            continue;
        *p = '\0';
        if (stat(directory, &st) != 0 && file_calls_mkdir(directory, 0777) != 0 && errno != EEXIST)
            return diag_fail(diag, diag_errno_kind(errno, DIAG_CREATE),
                             "cannot create directory '%s': %s", directory, strerror(errno));
        *p = '/';
    }
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) /* the rename would fail after hours */
        return diag_fail(diag, DIAG_CREATE, "cannot create '%s': %s", path, strerror(EISDIR));
    return true;
}

static bool open_stream(FileOut *out, Diag *diag)
{
    out->is_stream = true;
    out->fd = file_open_stream(out->path);
    return out->fd >= 0 || diag_fail(diag, diag_errno_kind(errno, DIAG_CREATE),
                                     "cannot open '%s': %s", out->path, strerror(errno));
}

bool file_out_open(FileOut *out, const char *path, Diag *diag)
{
    memset(out, 0, sizeof *out);
    out->fd = -1;
    if (strlen(path) >= sizeof out->path ||
        !file_temporary_name(out->temporary, sizeof out->temporary, path))
        return diag_fail(diag, DIAG_CREATE, "'%s': the path is too long", path);
    snprintf(out->path, sizeof out->path, "%s", path);
    if (!write_root_check(path, diag))
        return false;
    if (file_is_stream(path))
        return open_stream(out, diag);
    if (!file_make_parent_dirs(path, diag))
        return false;
    out->fd = file_calls_open(AT_FDCWD, out->temporary,
                              O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (out->fd < 0)
        return diag_fail(diag, diag_errno_kind(errno, DIAG_CREATE), "cannot create '%s': %s", path,
                         strerror(errno));
    return true;
}

/* Also after interruptions and short writes; false with errno set. */
static bool write_all(int fd, const void *data, size_t size)
{
    const uint8_t *at = data;
    while (size) {
        const ssize_t n = write(fd, at, size);
        if (n < 0 && errno != EINTR)
            return false;
        at += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

bool file_out_write(FileOut *out, const void *data, size_t size, Diag *diag)
{
    if ((out->is_stream || write_limit_add((int64_t)size)) && write_all(out->fd, data, size))
        return true;
    const int error = errno;
    if (write_limit_check(diag))
        diag_fail(diag, DIAG_IO, "cannot write '%s': %s", out->path, strerror(error));
    file_out_abort(out);
    return false;
}

void file_out_abort(FileOut *out)
{
    if (out->fd < 0)
        return;
    close(out->fd);
    out->fd = -1;
    if (!out->is_stream)
        file_calls_unlink(AT_FDCWD, out->temporary);
}

static bool fail_commit(const char *what, const char *temporary, const char *path, Diag *diag)
{
    const bool missing = errno == ENOSYS || errno == EOPNOTSUPP;
    diag_fail(diag, DIAG_IO, "cannot %s '%s': %s%s", what, path, strerror(errno),
              missing ? "; the file system cannot rename files, like object stores that are "
                        "mounted: render to a disk, and copy the results"
                      : "");
    file_calls_unlink(AT_FDCWD, temporary);
    return false;
}

static int sync_retrying(int fd)
{
    int rc;
    do
        rc = fsync(fd);
    while (rc != 0 && errno == EINTR);
    return rc != 0 && errno != EINVAL && errno != EROFS ? -1 : 0; /* pipes cannot be synced */
}

bool file_write_synced(int fd, const void *data, size_t size)
{
    return write_all(fd, data, size) && sync_retrying(fd) == 0;
}

/* Without it a crash of the machine may undo the rename.  Directories that cannot be opened or
 * synced (some file systems, no permission to read) are skipped. */
static bool sync_directory_of(const char *path, Diag *diag)
{
    char directory[4096];
    snprintf(directory, sizeof directory, "%.*s.", (int)(path_name(path) - path), path);
    const int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool ok =
        (fd < 0 ? diag_errno_kind(errno, DIAG_NONE) == DIAG_NONE : sync_retrying(fd) == 0) ||
        diag_fail(diag, DIAG_IO, "cannot sync the directory of '%s': %s", path, strerror(errno));
    if (fd >= 0)
        close(fd);
    return ok;
}

static bool approve(const FileApproval *approval, const char *temporary, const char *path,
                    Diag *diag)
{
    if (!approval || approval->approve(approval->user, temporary, path, diag))
        return true;
    file_calls_unlink(AT_FDCWD, temporary);
    return false;
}

/* Closes a complete file and gives it its name; after an error it is removed.  A file that appears
 * under a free name after the approval needs one, too. */
static bool commit(int fd, const char *temporary, const char *path, const FileApproval *approval,
                   Diag *diag)
{
    struct stat st;
    const bool is_new = approval && lstat(path, &st) != 0;
    const bool good = approve(approval, temporary, path, diag) &&
                      (sync_retrying(fd) == 0 || fail_commit("sync", temporary, path, diag));
    const int rc = close(fd);
    if (good && rc != 0 && errno != EINTR)
        return fail_commit("close", temporary, path, diag);
    if (!good || (is_new && file_calls_rename_new(temporary, path) == 0))
        return good && sync_directory_of(path, diag);
    if (is_new && errno != EEXIST)
        return fail_commit("rename to", temporary, path, diag);
    if (is_new && !approve(approval, temporary, path, diag))
        return false;
    return file_calls_rename(temporary, path) == 0
               ? sync_directory_of(path, diag)
               : fail_commit("rename to", temporary, path, diag);
}

static bool close_stream(FileOut *out, Diag *diag)
{
    const int rc = close(out->fd);
    out->fd = -1;
    return rc == 0 || errno == EINTR ||
           diag_fail(diag, DIAG_IO, "cannot close '%s': %s", out->path, strerror(errno));
}

bool file_out_commit(FileOut *out, Diag *diag)
{
    if (out->is_stream)
        return close_stream(out, diag);
    const int fd = out->fd;
    out->fd = -1;
    return commit(fd, out->temporary, out->path, out->approval, diag);
}

bool file_save_approved(const char *path, const void *data, size_t size,
                        const FileApproval *approval, Diag *diag)
{
    FileOut out;
    if (!file_out_open(&out, path, diag))
        return false;
    out.approval = approval;
    return file_out_write(&out, data, size, diag) && file_out_commit(&out, diag);
}

bool file_save(const char *path, const void *data, size_t size, Diag *diag)
{
    return file_save_approved(path, data, size, NULL, diag);
}

bool file_check_renames(const char *path, Diag *diag)
{
    char from[4096], to[4096 + 8];
    if (file_is_null(path) || file_is_stream(path) || !file_temporary_name(from, sizeof from, path))
        return true;
    snprintf(to, sizeof to, "%s" FILE_RENAMED, from);
    if (!file_make_parent_dirs(path, diag))
        return false;
    const int fd =
        file_calls_open(AT_FDCWD, from, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (fd < 0)
        return true; /* reported when the file is created */
    close(fd);
    if (file_calls_rename(from, to) != 0)
        return fail_commit("rename to", from, path, diag);
    file_calls_unlink(AT_FDCWD, to);
    return true;
}

bool file_rename_synced(const char *temporary, const char *path, const FileApproval *approval,
                        Diag *diag)
{
    const int fd = open(temporary, O_RDONLY | O_CLOEXEC);
    return fd < 0 ? fail_commit("open", temporary, path, diag)
                  : commit(fd, temporary, path, approval, diag);
}
