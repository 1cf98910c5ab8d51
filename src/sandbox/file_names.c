// SPDX-License-Identifier: MIT
#include "sandbox/file_names.h"

#include <string.h>

#include "base/name_pattern.h"

static size_t component(const char *path)
{
    return strcspn(path, "/");
}

/* The number of characters at the start of a name that are the file name, or that of a frame; 0 if
 * it begins otherwise. */
static size_t match_start(const char *name, const char *file)
{
    const size_t size = strlen(file);
    return strncmp(name, file, size) ? name_pattern_match(file, name) : size;
}

static bool is_parent(const char *name, size_t size)
{
    return (size == 1 && *name == '.') || (size == 2 && !strncmp(name, "..", 2));
}

static bool has_parent(const char *path)
{
    for (; *path; path += component(path)) {
        path += strspn(path, "/");
        if (is_parent(path, component(path)))
            return true;
    }
    return false;
}

bool file_names_match(const char *file, const char *path)
{
    const size_t size = component(path);
    if (!*path)
        return true;
    if (!size || is_parent(path, size))
        return false;
    const size_t hidden = *path == '.' ? match_start(path + 1, file) : 0;
    if (hidden && path[1 + hidden] == '.')
        return !has_parent(path + size);
    if (match_start(path, file) != size)
        return false;
    return !path[size] || (*path == '.' && !has_parent(path + size));
}
