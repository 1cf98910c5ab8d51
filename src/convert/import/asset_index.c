// SPDX-License-Identifier: MIT
#include "convert/import/asset_index.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

#include "base/encoding.h"
#include "base/file.h"
#include "base/path.h"
#include "base/text.h"

typedef struct Asset {
    const char *path;   /* relative to the directory, in UTF-8: path_resolve_input finds it */
    const char *folded; /* for comparison */
    const char
        *repaired; /* the same with names that were decoded as CP437, if that differs; else NULL */
} Asset;

struct AssetIndex {
    ARENA_LIST(Asset) files;
    const char *directory;
    Arena *arena;
    Diag *diag;
};

/* Names that an unzip program wrote as bytes of such an encoding are compared as text. */
static const char *decode(const char *name, Encoding encoding, Arena *arena)
{
    const size_t size = strlen(name);
    return text_is_utf8(name, size) ? name : encoding_decode(name, size, encoding, arena);
}

/* The bytes that were meant by a name that was decoded as CP437; NULL if it is what it seems to be.
 */
static const char *bytes_of(const char *name, Arena *arena)
{
    const char *bytes =
        text_is_utf8(name, strlen(name)) ? encoding_bytes_of_mojibake(name, arena) : NULL;
    return bytes && text_is_utf8(bytes, strlen(bytes)) ? NULL : bytes;
}

/* The encoding of the names in a directory. */
static Encoding encoding_of(const ArchiveNames *names, Arena *arena)
{
    EncodingScores scores = {0};
    for (size_t i = 0; i < names->count; i++) {
        const char *name = names->items[i], *bytes = bytes_of(name, arena);
        if (!text_is_utf8(name, strlen(name)))
            bytes = name;
        if (bytes)
            encoding_score(&scores, bytes, strlen(bytes), false);
    }
    return encoding_choose(&scores);
}

/* A directory that is listed. */
typedef struct Directory {
    const char *disk;                         /* bytes of the name */
    const char *relative, *folded, *repaired; /* with their slash; as in Asset */
    int depth;
} Directory;

static bool add_directory(AssetIndex *index, const Directory *directory);

static bool add_entry(AssetIndex *index, const Directory *directory, const char *name,
                      Encoding encoding)
{
    struct stat st;
    Arena *arena = index->arena;
    const char *disk = arena_printf(arena, "%s%s", directory->disk, name);
    const char *text = decode(name, encoding, arena), *bytes = bytes_of(name, arena);
    const char *path = arena_printf(arena, "%s%s", directory->relative, text);
    const char *own = text_fold(text, arena);
    const char *fixed = bytes ? text_fold(decode(bytes, encoding, arena), arena) : NULL;
    Asset asset = {path, arena_printf(arena, "%s%s", directory->folded, own), NULL};
    if (fixed || directory->repaired)
        asset.repaired = arena_printf(arena, "%s%s",
                                      directory->repaired ? directory->repaired : directory->folded,
                                      fixed ? fixed : own);
    if (lstat(path_join(index->directory, disk, arena), &st) != 0)
        return true;
    if (S_ISDIR(st.st_mode)) {
        const Directory below = {arena_printf(arena, "%s/", disk), arena_printf(arena, "%s/", path),
                                 arena_printf(arena, "%s/", asset.folded),
                                 asset.repaired ? arena_printf(arena, "%s/", asset.repaired) : NULL,
                                 directory->depth + 1};
        return directory->depth == ASSET_INDEX_MAX_DEPTH || add_directory(index, &below);
    }
    if (!S_ISREG(st.st_mode))
        return true;
    if (index->files.count == ASSET_INDEX_MAX_FILES)
        return diag_fail(index->diag, DIAG_USAGE,
                         "'%s' has more than %d files; use --assets DIRECTORY with fewer",
                         index->directory, ASSET_INDEX_MAX_FILES);
    *arena_push(arena, &index->files) = asset;
    return true;
}

/* Links are not followed, so the recursion ends. */
static bool add_directory(AssetIndex *index, const Directory *directory)
{
    const ArchiveNames names =
        path_list_names(path_join(index->directory, directory->disk, index->arena), index->arena);
    const Encoding encoding = encoding_of(&names, index->arena);
    for (size_t i = 0; i < names.count; i++)
        if (names.items[i][0] != '.' && !add_entry(index, directory, names.items[i], encoding))
            return false;
    return true;
}

bool asset_index_create(AssetIndex **index, const char *directory, Arena *arena, Diag *diag)
{
    const size_t size = strlen(directory);
    *index = arena_array(arena, AssetIndex, 1);
    **index = (AssetIndex){.directory = size && directory[size - 1] != '/'
                                            ? arena_printf(arena, "%s/", directory)
                                            : arena_strdup(arena, directory),
                           .arena = arena,
                           .diag = diag};
    const Directory root = {"", "", "", NULL, 0};
    return add_directory(*index, &root);
}

/* Number of equal parts from the end. */
static size_t equal_parts(const char *a, const char *b)
{
    size_t i = strlen(a), k = strlen(b), parts = 0;
    for (;;) {
        while (i && k && a[i - 1] == b[k - 1] && a[i - 1] != '/') {
            i--;
            k--;
        }
        const bool ends = (!i || a[i - 1] == '/') && (!k || b[k - 1] == '/');
        parts += ends;
        if (!ends || !i || !k)
            return parts;
        i--;
        k--;
    }
}

static bool is_better(const char *path, const char *than)
{
    const size_t size = strlen(path), other = strlen(than);
    return size != other ? size < other : strcmp(path, than) < 0;
}

/* The path in the form in which names below the directory are compared. */
static char *wanted_path(const char *windows_path, Arena *arena)
{
    char *wanted = arena_strdup(arena, text_fold(windows_path, arena));
    for (char *at = wanted; *at; at++)
        if (*at == '\\')
            *at = '/';
    return wanted;
}

const char *asset_index_find(const AssetIndex *index, const char *windows_path, Arena *arena)
{
    const char *wanted = wanted_path(windows_path, arena), *found = NULL;
    size_t best_parts = 0;
    for (size_t i = 0; i < index->files.count; i++) {
        const Asset *asset = &index->files.items[i];
        size_t parts = equal_parts(asset->folded, wanted);
        if (asset->repaired && equal_parts(asset->repaired, wanted) > parts)
            parts = equal_parts(asset->repaired, wanted);
        if (parts > best_parts || (parts && parts == best_parts && is_better(asset->path, found))) {
            best_parts = parts;
            found = asset->path;
        }
    }
    return found;
}

enum { MAX_TRIED = 4 };

const char *asset_index_tried(const char *windows_path, Arena *arena)
{
    const char *path = wanted_path(windows_path, arena), *ends[MAX_TRIED], *text = "";
    size_t count = 0;
    for (const char *at = path + strlen(path); count < MAX_TRIED && at >= path; at--)
        if ((at == path || at[-1] == '/') && *at && *at != '/' && !strchr(at, ':'))
            ends[count++] = at;
    while (count-- > 0)
        text = arena_printf(arena, "%s%s'%s'", text, *text ? ", " : "", ends[count]);
    return text;
}
