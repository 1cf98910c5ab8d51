// SPDX-License-Identifier: MIT
#include "sandbox/file_names.h"

#include <string.h>

/* Skips a conversion such as "%05d"; NULL if there is none. */
static const char *skip_conversion(const char *at)
{
    if (*at++ != '%')
        return NULL;
    at += strspn(at, "0123456789");
    return *at == 'd' ? at + 1 : NULL;
}

/* The number of characters of a name that a component of a pattern stands for; 0 if it begins
 * otherwise. */
static size_t match_start(const char *name, const char *pattern, size_t size)
{
    const char *start = name, *end = pattern + size;
    while (pattern < end) {
        const char *next = skip_conversion(pattern);
        const size_t digits = next ? strspn(name, "0123456789") : 0;
        if (next ? !digits : *name != *pattern)
            return 0;
        name += next ? digits : 1;
        pattern = next ? next : pattern + 1;
    }
    return (size_t)(name - start);
}

/* The same for a hidden name, without its dot: a conversion also stands for itself. */
static size_t match_hidden(const char *name, const char *pattern, size_t size)
{
    return strncmp(name, pattern, size) ? match_start(name, pattern, size) : size;
}

static size_t component(const char *path)
{
    return strcspn(path, "/");
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

bool file_names_match(const char *pattern, const char *path)
{
    while (*path) {
        const size_t size = component(path), expected = component(pattern);
        if (!size || !expected || is_parent(path, size))
            return false;
        const size_t hidden = *path == '.' ? match_hidden(path + 1, pattern, expected) : 0;
        if (hidden && path[1 + hidden] == '.')
            return !has_parent(path + size);
        if (match_start(path, pattern, expected) != size)
            return false;
        pattern += expected + (pattern[expected] == '/');
        if (*path == '.' && !*pattern)
            return !has_parent(path + size);
        path += size + (path[size] == '/');
    }
    return true;
}
