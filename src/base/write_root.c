// SPDX-License-Identifier: MIT
#include "base/write_root.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/path.h"

static struct {
    char directory[PATH_MAX]; /* "": none */
    const char *source, *followed;
} root;

void write_root_set(const char *directory, const char *source)
{
    snprintf(root.directory, sizeof root.directory, "%s", directory ? directory : "");
    root.source = source ? source : "job_directory";
}

void write_root_follow(const char *directory)
{
    root.followed = directory;
}

static bool is_followed(const char *path)
{
    const size_t size = root.followed ? strlen(root.followed) : 0;
    return size && !strncmp(path, root.followed, size) &&
           (root.followed[size - 1] == '/' || path[size] == '/');
}

/* Whether the first `size` bytes of a path lead into the root; none: where the path starts. */
static bool leads_inside(const char *path, size_t size)
{
    char start[PATH_MAX], real[PATH_MAX];
    const size_t length = strlen(root.directory);
    if (size >= sizeof start)
        return false;
    snprintf(start, sizeof start, "%.*s", (int)size, path);
    if (!realpath(size ? start : *path == '/' ? "/" : ".", real))
        return false;
    return length == 1 || (!strncmp(real, root.directory, length) &&
                           (real[length] == '/' || real[length] == '\0'));
}

const char *write_root_of(const char *path)
{
    if (!*root.directory || is_followed(path))
        return NULL;
    bool entered = leads_inside(path, 0), inside = entered;
    for (const char *at = path; *at;) {
        at += strspn(at, "/");
        const size_t size = strcspn(at, "/");
        const bool leaves = size == 2 && !strncmp(at, "..", 2);
        const bool was_inside = inside;
        at += size;
        if (!size || (!*at && !leaves))
            break;
        inside = leads_inside(path, (size_t)(at - path));
        entered = leaves && was_inside ? inside : entered || inside;
    }
    return entered ? root.directory : NULL;
}

bool write_root_beside(char out[PATH_MAX], const char *directory)
{
    char path[PATH_MAX];
    size_t size = strlen(directory);
    while (size > 1 && directory[size - 1] == '/')
        size--;
    if (!*root.directory || snprintf(path, sizeof path, "%.*s", (int)size, directory) >= PATH_MAX)
        return false;
    if (write_root_of(path)) {
        strcpy(out, root.directory);
        return true;
    }
    path[path_name(path) - path] = '\0';
    return realpath(*path ? path : ".", out) != NULL;
}

static bool fail(const char *path, const char *what, Diag *diag)
{
    return diag_fail(diag, DIAG_CREATE, "'%s' %s (paths: %s)", path, what, root.source);
}

static bool fail_outside(const char *path, Diag *diag)
{
    return fail(path, "leads out of the directory of the job file", diag);
}

/* A path; of a pattern, whose last name has a number, its directory. */
static bool copy_start(char out[PATH_MAX], const char *path)
{
    const char *name = path_name(path);
    const size_t size = strchr(name, '%') ? (size_t)(name - path) : strlen(path);
    return snprintf(out, PATH_MAX, "%.*s", (int)size, path) < PATH_MAX;
}

bool write_root_check(const char *path, Diag *diag)
{
    char start[PATH_MAX];
    struct stat st;
    const char *within = copy_start(start, path) ? write_root_of(start) : NULL;
    if (!within)
        return true;
    if (!path_is_below(start, within))
        return fail_outside(path, diag);
    return stat(path, &st) != 0 || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode) ||
           fail(path, "is not a regular file", diag);
}

bool write_root_check_beside(const char *directory, Diag *diag)
{
    char within[PATH_MAX];
    struct stat st;
    return !directory || !write_root_beside(within, directory) || lstat(directory, &st) != 0 ||
           path_is_below(directory, within) || fail_outside(directory, diag);
}
