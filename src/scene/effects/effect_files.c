// SPDX-License-Identifier: MIT
#include "scene/effects/effect_files.h"

#include <string.h>

#include "base/archive_path.h"
#include "base/path.h"
#include "base/text.h"
#include "effect/effect.h"

enum {
    MAX_FILE = 4 << 20,  /* bytes of one text; comments included */
    MAX_TEXTS = 64 << 20 /* bytes of all texts together */
};

typedef struct ReadText {
    const char *path;
    Bytes bytes;
} ReadText;

/* What a name in a directory means: many targets and models ask for the same ones. */
typedef struct FoundName {
    const char *directory, *name;
    bool tail;
    const char *path; /* NULL: nothing */
} FoundName;

struct EffectFiles {
    EffectFileNames roots; /* directories, with their slash; "" is the current one */
    EffectFileNames names;
    ARENA_LIST(ReadText) texts;
    ARENA_LIST(FoundName) found;
    size_t text_bytes;
    Arena *arena;
};

EffectFiles *effect_files_create(Arena *arena)
{
    EffectFiles *files = arena_array(arena, EffectFiles, 1);
    files->arena = arena;
    return files;
}

const char *effect_files_normalize(const char *path, Arena *arena)
{
    char *out = arena_strdup(arena, path), *end = out + (*path == '/');
    const char *const first = end;
    for (const char *at = path; *at;) {
        at += strspn(at, "/");
        const size_t size = strcspn(at, "/");
        const bool has_slash = at[size] == '/';
        char *last = end; /* the start of the part before */
        while (last > first && last[-1] == '/')
            last--;
        while (last > first && last[-1] != '/')
            last--;
        if (size == 1 && *at == '.') {
            at += size;
        } else if (size == 2 && !strncmp(at, "..", 2) && last < end && strncmp(last, "../", 3)) {
            end = last;
            at += size;
        } else {
            memmove(end, at, size);
            end += size;
            if (has_slash)
                *end++ = '/';
            at += size;
        }
    }
    *end = '\0';
    return out;
}

static void add_name(EffectFileNames *names, const char *name, Arena *arena)
{
    if (text_find(TEXT_WORDS(names->items, names->count), name) < 0)
        *arena_push(arena, names) = arena_strdup(arena, name);
}

void effect_files_allow(EffectFiles *files, const char *file)
{
    const char *path = effect_files_normalize(file, files->arena);
    const char *container = archive_path_container(path, files->arena);
    files->found.count = 0; /* another root may have what was not found */
    add_name(&files->roots, path_directory(path, files->arena), files->arena);
    if (strcmp(container, path) != 0)
        add_name(&files->roots, arena_printf(files->arena, "%s/", container), files->arena);
}

void effect_files_add(EffectFiles *files, const char *path)
{
    add_name(&files->names, path, files->arena);
}

const EffectFileNames *effect_files_names(const EffectFiles *files)
{
    return &files->names;
}

static const char *find_name(EffectFiles *files, const char *directory, const char *name, bool tail)
{
    for (size_t i = 0; i < files->roots.count; i++) {
        const char *found;
        const PathMatch match =
            path_resolve(&found, directory, files->roots.items[i], name, false, files->arena);
        if (match == PATH_EXACT || match == PATH_FOLDED || (tail && match == PATH_NAME_ONLY))
            return effect_files_normalize(found, files->arena);
    }
    return NULL;
}

const char *effect_files_find(EffectFiles *files, const char *directory, const char *name,
                              bool tail)
{
    for (size_t i = 0; i < files->found.count; i++) {
        const FoundName *known = &files->found.items[i];
        if (known->tail == tail && !strcmp(known->name, name) &&
            !strcmp(known->directory, directory))
            return known->path;
    }
    const char *path = find_name(files, directory, name, tail);
    *arena_push(files->arena, &files->found) = (FoundName){
        arena_strdup(files->arena, directory), arena_strdup(files->arena, name), tail, path};
    return path;
}

/* The file of a normalized path, whose letters may have another case. */
static const char *find_path(EffectFiles *files, const char *path)
{
    for (size_t i = 0; i < files->roots.count; i++) {
        const char *root = files->roots.items[i], *found;
        const size_t size = strlen(root);
        if (strncmp(path, root, size) != 0 || (!size && *path == '/'))
            continue;
        const PathMatch match = path_resolve(&found, root, NULL, path + size, false, files->arena);
        if (match == PATH_EXACT || match == PATH_FOLDED)
            return found;
    }
    return NULL;
}

bool effect_files_read(void *user, EffectText *text, const char *path)
{
    EffectFiles *files = user;
    const char *found = find_path(files, path);
    Diag quiet = diag_quiet();
    Bytes bytes;
    if (!found)
        return false;
    for (size_t i = 0; i < files->texts.count; i++)
        if (!strcmp(files->texts.items[i].path, found)) {
            *text =
                (EffectText){files->texts.items[i].bytes.data, files->texts.items[i].bytes.size};
            return true;
        }
    if (!file_load(&bytes, found, MAX_FILE, files->arena, &quiet) ||
        bytes.size > MAX_TEXTS - files->text_bytes)
        return false;
    files->text_bytes += bytes.size;
    *arena_push(files->arena, &files->texts) = (ReadText){found, bytes};
    effect_files_add(files, found);
    *text = (EffectText){bytes.data, bytes.size};
    return true;
}
