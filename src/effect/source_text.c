// SPDX-License-Identifier: MIT
#include "effect/source_text.h"

#include <stdbool.h>
#include <string.h>

const char *source_text_path(const char *beside, const char *path, Arena *arena)
{
    const char *slash = strrchr(beside, '/');
    const int directory = slash ? (int)(slash + 1 - beside) : 0;
    char *text = arena_printf(arena, "%.*s%s", directory, beside, path);
    for (char *at = text; *at; at++)
        if (*at == '\\')
            *at = '/';

    /* Each part is moved to the front, unless it and the one before cancel. */
    char *out = text + (*text == '/');
    char *const start = out;
    for (const char *at = out; *at;) {
        const size_t size = strcspn(at, "/");
        const char *next = at + size + (at[size] == '/');
        const bool up = size == 2 && !strncmp(at, "..", 2);
        char *last = out;
        while (last > start && (last == out || last[-1] != '/'))
            last--;
        if (size == 0 || (size == 1 && *at == '.')) {
            at = next;
            continue;
        }
        if (up && last < out && strncmp(last, "../", 3) != 0) {
            out = last;
        } else {
            memmove(out, at, (size_t)(next - at));
            out += next - at;
        }
        at = next;
    }
    *out = '\0';
    return text;
}
