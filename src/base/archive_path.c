// SPDX-License-Identifier: MIT
#include "base/archive_path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"

enum { MAX_KEPT = 8, MAX_PARTS = 64 };

/* ---- archives that were read ---- */

typedef struct Kept {
    struct stat st; /* a changed file is read again */
    Archive archive;
    Arena *arena;
} Kept;

/*
 * The mutable globals of the program besides the stop signal.  Files are named by paths in every
 * directory of the source, and a path carries no context: like the page cache of the system, which
 * has the same task, this belongs to the process.
 */
static struct {
    Kept items[MAX_KEPT];
    size_t count;
} kept;

/* The same for archives of archive_path_add. */
static struct {
    Kept items[ARCHIVE_PATH_MAX_ADDED];
    size_t count;
} added;

void archive_path_clear(void)
{
    for (size_t i = 0; i < kept.count; i++)
        arena_destroy(kept.items[i].arena);
    kept.count = 0;
}

static bool same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static const Archive *find_added(const struct stat *st)
{
    for (size_t i = 0; i < added.count; i++)
        if (same_file(&added.items[i].st, st))
            return &added.items[i].archive;
    return NULL;
}

static const Archive *find_kept(const struct stat *st)
{
    const Archive *archive = find_added(st);
    if (archive)
        return archive;
    for (size_t i = 0; i < kept.count; i++)
        if (same_file(&kept.items[i].st, st))
            return &kept.items[i].archive;
    return NULL;
}

static size_t kept_bytes(void)
{
    size_t total = 0;
    for (size_t i = 0; i < kept.count; i++)
        total += arena_bytes(kept.items[i].arena);
    return total;
}

static const Archive *keep(int fd, const struct stat *st, Diag *diag)
{
    if (kept.count == MAX_KEPT || kept_bytes() > ARCHIVE_MAX_BYTES / 2)
        archive_path_clear();
    Kept *item = &kept.items[kept.count];
    *item = (Kept){.st = *st, .arena = arena_create()};
    if (!archive_load(&item->archive, fd, (uint64_t)st->st_size, item->arena, diag)) {
        arena_destroy(item->arena);
        return NULL;
    }
    kept.count++;
    return &item->archive;
}

const Archive *archive_path_load(const char *path, Diag *diag)
{
    struct stat st;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &st) != 0) {
        diag_fail(diag, diag_errno_kind(errno, DIAG_MISSING), "cannot open '%s': %s", path,
                  strerror(errno));
        if (fd >= 0)
            close(fd);
        return NULL;
    }
    const Archive *archive = find_kept(&st);
    if (!archive && !S_ISREG(st.st_mode))
        diag_fail(diag, DIAG_MISSING, "'%s' is not a regular file", path);
    else if (!archive)
        archive = keep(fd, &st, diag);
    close(fd);
    return archive;
}

bool archive_path_add(const char *path, const Archive *archive, Diag *diag)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return diag_fail(diag, diag_errno_kind(errno, DIAG_MISSING), "cannot open '%s': %s", path,
                         strerror(errno));
    size_t i = 0;
    while (i < added.count && !same_file(&added.items[i].st, &st))
        i++;
    if (i == ARCHIVE_PATH_MAX_ADDED)
        return diag_fail(diag, DIAG_USAGE, "more than %d projects", ARCHIVE_PATH_MAX_ADDED);
    added.count += i == added.count;
    added.items[i] = (Kept){.st = st, .archive = *archive};
    return true;
}

bool archive_path_is_archive(const char *path)
{
    uint8_t head[ARCHIVE_HEAD];
    struct stat st;
    if (added.count && stat(path, &st) == 0 && find_added(&st))
        return true;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const ssize_t size =
        fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? read(fd, head, sizeof head) : -1;
    if (fd >= 0)
        close(fd);
    return size > 0 && archive_has_signature(head, (size_t)size);
}

/* ---- paths ---- */

/* A path in two parts: the file on disk, and the name in it, normalized; "" is the root. */
typedef struct Parts {
    const char *container;
    const char *name; /* NULL: ".." leads out of the archive */
} Parts;

/* "a//b/../c/" -> "a/c"; NULL if it leads out. */
static const char *normalize(const char *name, Arena *arena)
{
    char *out = arena_alloc(arena, strlen(name) + 2);
    size_t starts[MAX_PARTS], count = 0, end = 0;
    while (*name) {
        const size_t size = strcspn(name, "/");
        const bool up = size == 2 && !memcmp(name, "..", 2);
        if (up && !count)
            return NULL;
        if (up) {
            end = starts[--count];
        } else if (size && !(size == 1 && *name == '.')) {
            if (count == MAX_PARTS)
                return NULL;
            starts[count++] = end;
            if (end)
                out[end++] = '/';
            memcpy(out + end, name, size);
            end += size;
        }
        name += size;
        name += *name == '/';
    }
    out[end] = '\0';
    return out;
}

/* The shortest start of the path, before a slash, that is a regular file. */
static bool split(Parts *parts, const char *path, Arena *arena)
{
    struct stat st;
    for (const char *slash = strchr(path + (*path == '/'), '/'); slash;
         slash = strchr(slash + 1, '/')) {
        const char *start = arena_strndup(arena, path, (size_t)(slash - path));
        if (stat(start, &st) != 0)
            return false;
        if (S_ISREG(st.st_mode)) {
            *parts = (Parts){start, normalize(slash, arena)};
            return archive_path_is_archive(start);
        }
    }
    return false;
}

const char *archive_path_container(const char *path, Arena *arena)
{
    Parts parts;
    return split(&parts, path, arena) ? parts.container : path;
}

const char *archive_path_real(const char *path, Arena *arena)
{
    char container[PATH_MAX];
    Parts parts;
    if (!split(&parts, path, arena) || !parts.name || !realpath(parts.container, container))
        return NULL;
    return arena_printf(arena, "%s%s%s", container, *parts.name ? "/" : "", parts.name);
}

/* The first file at or after a name, in their order. */
/* Index of the first name that is not before this one. */
static size_t first_of(const Archive *archive, const char *name)
{
    return text_lower_bound(TEXT_NAMES(ArchiveFile, name, archive->files, archive->count), name);
}

/* The name of a directory with its slash, which begins the names of its files. */
static const char *prefix_of(const char *name, Arena *arena)
{
    return *name ? arena_printf(arena, "%s/", name) : "";
}

static bool has_prefix(const Archive *archive, size_t index, const char *prefix)
{
    return index < archive->count && !strncmp(archive->files[index].name, prefix, strlen(prefix));
}

static ArchivePathKind kind_in(const Archive *archive, const char *name, Arena *arena)
{
    if (archive_find(archive, name))
        return ARCHIVE_PATH_FILE;
    const char *prefix = prefix_of(name, arena);
    return !*name || has_prefix(archive, first_of(archive, prefix), prefix) ? ARCHIVE_PATH_DIRECTORY
                                                                            : ARCHIVE_PATH_NONE;
}

ArchivePathKind archive_path_kind(const char *path)
{
    Arena *arena = arena_create();
    ArchivePathKind kind = ARCHIVE_PATH_NONE;
    Parts parts;
    Diag quiet = diag_quiet();
    if (split(&parts, path, arena) && parts.name) {
        const Archive *archive = archive_path_load(parts.container, &quiet);
        kind = archive ? kind_in(archive, parts.name, arena) : ARCHIVE_PATH_FILE;
    }
    arena_destroy(arena);
    errno = 0;
    return kind;
}

void archive_path_list(ArchiveNames *names, const char *path, Arena *arena)
{
    Parts parts;
    Diag quiet = diag_quiet();
    const Archive *archive = split(&parts, path, arena) && parts.name
                                 ? archive_path_load(parts.container, &quiet)
                                 : NULL;
    const char *last = NULL;
    errno = 0;
    if (!archive)
        return;
    const char *prefix = prefix_of(parts.name, arena);
    for (size_t i = first_of(archive, prefix); has_prefix(archive, i, prefix); i++) {
        const char *rest = archive->files[i].name + strlen(prefix);
        const char *name = arena_strndup(arena, rest, strcspn(rest, "/"));
        if (!last || strcmp(last, name) != 0) /* files of a directory follow each other */
            *arena_push(arena, names) = last = name;
    }
}

/* ---- bytes ---- */

/* -1 with errno set. */
static int memory_file(const uint8_t *data, size_t size)
{
    const int fd = memfd_create("odori-archive", MFD_CLOEXEC);
    size_t at = 0;
    while (fd >= 0 && at < size) {
        const ssize_t n = write(fd, data + at, size - at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            const int error = errno;
            close(fd);
            errno = error;
            return -1;
        }
        at += (size_t)n;
    }
    if (fd >= 0)
        lseek(fd, 0, SEEK_SET);
    return fd;
}

static int open_file(const ArchiveFile *file, const char *path, Diag *diag)
{
    if (file->problem) {
        diag_error(diag, "cannot read '%s' in the archive: %s", path, file->problem);
        return -1;
    }
    const int fd = memory_file(file->data, file->size);
    if (fd < 0)
        diag_fail(diag, diag_errno_kind(errno, DIAG_RESOURCE), "cannot read '%s': %s", path,
                  strerror(errno));
    return fd;
}

int archive_path_open(const char *path, Diag *diag)
{
    Arena *arena = arena_create();
    Parts parts;
    int fd = -1;
    if (!split(&parts, path, arena)) {
        diag_fail(diag, DIAG_MISSING, "cannot open '%s': %s", path, strerror(ENOTDIR));
        goto done;
    }
    const Archive *archive = archive_path_load(parts.container, diag);
    const ArchiveFile *file = archive && parts.name ? archive_find(archive, parts.name) : NULL;
    if (file)
        fd = open_file(file, path, diag);
    else if (archive)
        diag_fail(diag, DIAG_MISSING, "cannot open '%s': the archive has no such file", path);
done:
    arena_destroy(arena);
    return fd;
}
