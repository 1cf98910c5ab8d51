// SPDX-License-Identifier: MIT
#include "base/name_pattern.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/path.h"

enum { NAME_SIZE = 4096, MAX_DIGITS = 18 };

/* The end of a number such as "%05d"; NULL if there is none.  A width without 0 would pad with
 * spaces. */
static const char *skip_number(int *digits, const char *at)
{
    *digits = 0;
    if (*at++ != '%' || (*at != 'd' && *at != '0'))
        return NULL;
    while (*at >= '0' && *at <= '9' && *digits <= MAX_DIGITS)
        *digits = 10 * *digits + (*at++ - '0');
    return *at == 'd' && *digits <= MAX_DIGITS ? at + 1 : NULL;
}

NamePattern name_pattern_parse(const char *path)
{
    const char *name = path_name(path), *end = path + strlen(path);
    NamePattern pattern = {path, name, end, end, 0, 0};
    for (const char *at = name; (at = strchr(at, '%')) != NULL; at++) {
        int digits;
        const char *after = skip_number(&digits, at);
        if (after && !pattern.count++)
            pattern = (NamePattern){path, name, at, after, digits, 1};
    }
    if (pattern.count > 1)
        pattern.number = pattern.after = end;
    return pattern;
}

bool name_pattern_has_number(const char *path)
{
    return name_pattern_parse(path).count == 1;
}

bool name_pattern_file(char *out, size_t size, const char *path, int64_t frame)
{
    const NamePattern p = name_pattern_parse(path);
    const int n = p.count == 1 ? snprintf(out, size, "%.*s%0*" PRId64 "%s", (int)(p.number - path),
                                          path, p.digits, frame, p.after)
                               : snprintf(out, size, "%s", path);
    return n >= 0 && (size_t)n < size;
}

int64_t name_pattern_frame(const char *pattern, const char *path)
{
    const NamePattern p = name_pattern_parse(pattern);
    const size_t start = (size_t)(p.number - pattern);
    char full[NAME_SIZE];
    int64_t frame = 0;
    if (p.count != 1 || strncmp(pattern, path, start) != 0)
        return -1;
    for (size_t i = 0; i < MAX_DIGITS && path[start + i] >= '0' && path[start + i] <= '9'; i++) {
        frame = 10 * frame + (path[start + i] - '0');
        if (name_pattern_file(full, sizeof full, pattern, frame) && !strcmp(full, path))
            return frame;
    }
    return -1;
}

size_t name_pattern_match(const char *pattern, const char *path)
{
    const NamePattern p = name_pattern_parse(pattern);
    const size_t before = (size_t)(p.number - pattern), after = strlen(p.after);
    if (strncmp(path, pattern, before) != 0)
        return 0;
    const size_t digits = p.count == 1 ? strspn(path + before, "0123456789") : 0;
    return (p.count == 1 && !digits) || strncmp(path + before + digits, p.after, after) != 0
               ? 0
               : before + digits + after;
}
