// SPDX-License-Identifier: MIT
#include "run/checkpoint/renderer_record.h"

#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/file.h"
#include "run/checkpoint/checkpoint_files.h"

enum { MAX_BYTES = 1 << 16, WAIT_MS = 50, MAX_WAITS = 40 };

static bool append_line(const char *file, const char *renderer, int flags, Diag *diag)
{
    char line[512];
    const int size = snprintf(line, sizeof line, "%s\n", renderer);
    assert(size < (int)sizeof line); /* longer than that of a GlProbe */
    return checkpoint_append_file(file, flags, line, (size_t)size, diag);
}

static bool has_line(const char *text, const char *renderer)
{
    const size_t size = strlen(renderer);
    for (const char *end; (end = strchr(text, '\n')) != NULL; text = end + 1)
        if ((size_t)(end - text) == size && !memcmp(text, renderer, size))
            return true;
    return false;
}

/* The text of the file; "" if its creator has not written the first line in two seconds. */
static const char *load_lines(const char *file, Arena *arena, Diag *diag)
{
    const struct timespec pause = {.tv_nsec = WAIT_MS * 1000000L};
    for (int waits = 0;; waits++) {
        Bytes bytes;
        if (!checkpoint_load_file(&bytes, file, MAX_BYTES, arena, diag))
            return NULL;
        const char *text = arena_strndup(arena, (const char *)bytes.data, bytes.size);
        if (strchr(text, '\n') || waits == MAX_WAITS)
            return text;
        nanosleep(&pause, NULL);
    }
}

static bool compare(const char *file, const char *directory, const char *renderer, bool accept,
                    Arena *arena, Diag *diag)
{
    const char *text = load_lines(file, arena, diag);
    if (!text || has_line(text, renderer))
        return text != NULL;
    if (accept || !strchr(text, '\n'))
        return append_line(file, renderer, 0, diag);
    return diag_fail(diag, DIAG_CREATE,
                     "'%s' was drawn by %.*s, and this machine draws with %s; --accept-renderer "
                     "allows both, --overwrite starts again",
                     directory, (int)strcspn(text, "\n"), text, renderer);
}

bool renderer_record_check(const char *directory, const char *renderer, bool accept, Diag *diag)
{
    Arena *arena = arena_create();
    const char *file = arena_printf(arena, "%s/" RENDERER_RECORD_NAME, directory);
    const size_t errors = diag->errors;
    const bool created = append_line(file, renderer, O_EXCL, diag);
    const bool ok = created || (diag->errors == errors &&
                                compare(file, directory, renderer, accept, arena, diag));
    arena_destroy(arena);
    return ok;
}

const char *renderer_record_other(const char *directory, const char *renderer, Arena *arena)
{
    const char *file = arena_printf(arena, "%s/" RENDERER_RECORD_NAME, directory);
    Diag trial = diag_quiet();
    Bytes bytes;
    if (!checkpoint_load_file(&bytes, file, MAX_BYTES, arena, &trial) || !bytes.size)
        return "an unknown driver";
    const char *text = arena_strndup(arena, (const char *)bytes.data, bytes.size);
    for (size_t size; *text; text += size + (text[size] == '\n')) {
        size = strcspn(text, "\n");
        if (size != strlen(renderer) || memcmp(text, renderer, size) != 0)
            return arena_strndup(arena, text, size);
    }
    return NULL;
}
