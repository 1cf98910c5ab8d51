// SPDX-License-Identifier: MIT
#include "sandbox/file_grants.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sandbox/file_names.h"

enum { DIRECTORY = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC };

/* A name in an open directory. */
typedef struct Place {
    int directory;  /* negative: none */
    bool is_opened; /* for this call: it is closed afterwards; else the directory of a grant */
    char name[NAME_MAX + 1];
} Place;

/* ---- real paths ---- */

/* The real path of a directory, "" for the root; false if it does not exist. */
static bool real_directory(char out[PATH_MAX], const char *path)
{
    if (!realpath(path, out))
        return false;
    if (!strcmp(out, "/"))
        *out = '\0';
    return true;
}

/* The real path of an open directory: the current one for a moment, because /proc may be absent. */
static bool real_open_directory(char out[PATH_MAX], int directory)
{
    const int before = open(".", DIRECTORY);
    const bool found = before >= 0 && fchdir(directory) == 0 && getcwd(out, PATH_MAX);
    if (before >= 0 && fchdir(before) != 0)
        _exit(1); /* relative paths would be others */
    if (before >= 0)
        close(before);
    if (found && !strcmp(out, "/"))
        *out = '\0';
    return found && (!*out || *out == '/'); /* "(unreachable)" is outside of a chroot */
}

/* The real path of the directory of a path; false without one. */
static bool find_directory(char out[PATH_MAX], int directory, const char *path)
{
    char name[FILE_CALL_PATH_SIZE];
    const char *slash = strrchr(path, '/');
    if (directory < 0) {
        snprintf(name, sizeof name, "%.*s.", slash ? (int)(slash + 1 - path) : 0, path);
        return real_directory(out, name);
    }
    return !slash && real_open_directory(out, directory);
}

/* ---- grants ---- */

static bool is_same_file(int a, int b)
{
    struct stat first, second;
    return fstat(a, &first) == 0 && fstat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

/* The open directory of another grant, or a new one; `path` becomes its real path. */
static int open_granted(char path[PATH_MAX], const FileGrants *grants, const SandboxRule *rule)
{
    struct stat st;
    const int fd = sandbox_open(path, rule->path, rule->within);
    if (fd < 0)
        return -1;
    if (fstat(fd, &st) != 0 || !S_ISDIR(st.st_mode)) {
        close(fd);
        errno = ENOTDIR;
        return -1;
    }
    if (!strcmp(path, "/"))
        *path = '\0';
    for (size_t i = 0; i < grants->count; i++)
        if (!strcmp(grants->items[i].path, path) && is_same_file(grants->items[i].directory, fd)) {
            close(fd);
            return grants->items[i].directory;
        }
    return fd;
}

bool file_grants_add(FileGrants *grants, const SandboxRule *rule)
{
    errno = E2BIG;
    if (grants->count == FILE_GRANTS_MAX)
        return false;
    FileGrant *grant = &grants->items[grants->count];
    grant->directory = open_granted(grant->path, grants, rule);
    if (grant->directory < 0)
        return errno != EMFILE && errno != ENFILE;
    grant->access = rule->access;
    grant->within = rule->within;
    grant->names = rule->names ? rule->names : "";
    grants->count++;
    return true;
}

/* The grant that allows to change a real path, and the part of the path below its directory; NULL
 * if none does. */
static const FileGrant *find_grant(const char **below, const FileGrants *grants, unsigned access,
                                   const char *real)
{
    for (size_t i = 0; i < grants->count; i++) {
        const FileGrant *grant = &grants->items[i];
        const size_t size = strlen(grant->path);
        *below = real + size + 1;
        if ((grant->access & access) && !strncmp(real, grant->path, size) && real[size] == '/' &&
            (!*grant->names || file_names_match(grant->names, *below)))
            return grant;
    }
    return NULL;
}

static bool is_granted_above(const FileGrants *grants, unsigned access, const char *real)
{
    const char *below;
    for (const FileGrants *above = grants->above; above; above = above->above)
        if (!find_grant(&below, above, access, real))
            return false;
    return true;
}

/* ---- places ---- */

static void close_place(const Place *place)
{
    if (place->is_opened)
        close(place->directory);
}

/* Goes to the directory of a path below the place's directory; no component is a link or "..". What
 * lies in the directory itself needs no further descriptor: a temporary file can be removed
 * although none is left.  0 or an errno. */
static int open_below(Place *place, const char *path)
{
    for (const char *slash; (slash = strchr(path, '/')) != NULL; path = slash + 1) {
        char name[NAME_MAX + 1];
        const Place above = *place;
        const int size = snprintf(name, sizeof name, "%.*s", (int)(slash - path), path);
        errno = ENAMETOOLONG;
        place->directory = size < (int)sizeof name ? openat(above.directory, name, DIRECTORY) : -1;
        place->is_opened = place->directory >= 0;
        const int error = errno;
        close_place(&above);
        if (!place->is_opened)
            return error;
    }
    return 0;
}

/* The place of a path that a grant allows to change; 0 or an errno. */
static int open_place(Place *place, const FileGrants *grants, unsigned access, int directory,
                      const char *path)
{
    char real[PATH_MAX + FILE_CALL_PATH_SIZE];
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *below;
    if (!*name || !strcmp(name, ".") || !strcmp(name, "..") ||
        !find_directory(real, directory, path))
        return EACCES;
    snprintf(real + strlen(real), FILE_CALL_PATH_SIZE, "/%s", name);
    const FileGrant *grant = find_grant(&below, grants, access, real);
    if (!grant || !is_granted_above(grants, access, real))
        return EACCES;
    if (strlen(name) > NAME_MAX)
        return ENAMETOOLONG;
    strcpy(place->name, name);
    place->directory = grant->directory;
    const int error = open_below(place, below);
    if (error)
        return error;
    return directory < 0 || is_same_file(place->directory, directory) ? 0 : EACCES;
}

/* ---- calls ---- */

static bool is_text(const char text[FILE_CALL_PATH_SIZE])
{
    return memchr(text, '\0', FILE_CALL_PATH_SIZE) != NULL;
}

static unsigned access_of(FileCallKind kind)
{
    return kind == FILE_CALL_RMDIR ? FILE_GRANTS_WRITES : SANDBOX_WRITE;
}

static int act(const FileCall *call, const Place *at, const Place *to, int *opened)
{
    int rc = -1;
    switch ((FileCallKind)call->kind) {
    case FILE_CALL_OPEN:
        rc = file_calls_open_regular(at->directory, at->name, call->flags, call->mode & 0666);
        *opened = rc;
        break;
    case FILE_CALL_UNLINK:
        rc = unlinkat(at->directory, at->name, 0);
        break;
    case FILE_CALL_RENAME:
        rc = file_calls_rename_at(at->directory, at->name, to->directory, to->name, call->flags);
        break;
    case FILE_CALL_MKDIR:
        rc = mkdirat(at->directory, at->name, call->mode & 0777);
        break;
    case FILE_CALL_RMDIR:
        rc = unlinkat(at->directory, at->name, AT_REMOVEDIR);
        break;
    case FILE_CALL_JOIN:
    default:
        errno = EINVAL;
    }
    return rc >= 0 ? 0 : errno;
}

int file_grants_call(const FileGrants *grants, const FileCall *call, int directory, int *opened)
{
    const FileCallKind kind = (FileCallKind)call->kind;
    Place at = {.directory = -1}, to = {.directory = -1};
    if (!is_text(call->path) || !is_text(call->to))
        return EINVAL;
    int error = open_place(&at, grants, access_of(kind), directory, call->path);
    if (!error && kind == FILE_CALL_RENAME)
        error = open_place(&to, grants, SANDBOX_WRITE, directory, call->to);
    if (!error)
        error = act(call, &at, &to, opened);
    close_place(&at);
    close_place(&to);
    return error;
}
