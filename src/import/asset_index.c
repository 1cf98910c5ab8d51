#include "import/asset_index.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"

typedef struct Asset {
    const char *path;   /* relative to the folder */
    const char *folded; /* for comparison */
} Asset;

struct AssetIndex {
    struct {
        Asset *items;
        size_t count, capacity;
    } files;
    const char *folder;
    Arena *arena;
    Diag *diag;
};

/* Names that an unzip program wrote as CP932 bytes are compared as text. */
static const char *fold(const char *name, Arena *arena)
{
    const size_t size = strlen(name);
    return text_fold(text_is_utf8(name, size) ? name : text_from_cp932(name, size, arena), arena);
}

static bool add_folder(AssetIndex *index, const char *relative, const char *folded, int depth);

static bool add_entry(AssetIndex *index, const char *relative, const char *folded, const char *name,
                      int depth)
{
    struct stat st;
    Arena *arena = index->arena;
    const char *path = arena_printf(arena, "%s%s", relative, name);
    const char *own = arena_printf(arena, "%s%s", folded, fold(name, arena));
    if (lstat(path_join(index->folder, path, arena), &st) != 0)
        return true;
    if (S_ISDIR(st.st_mode))
        return depth == ASSET_INDEX_MAX_DEPTH ||
               add_folder(index, arena_printf(arena, "%s/", path), arena_printf(arena, "%s/", own),
                          depth + 1);
    if (!S_ISREG(st.st_mode))
        return true;
    if (index->files.count == ASSET_INDEX_MAX_FILES)
        return diag_fail(index->diag, DIAG_USAGE, "'%s' has more than %d files", index->folder,
                         ASSET_INDEX_MAX_FILES);
    *arena_push(arena, &index->files) = (Asset){path, own};
    return true;
}

/* Links are not followed, so the recursion ends. */
static bool add_folder(AssetIndex *index, const char *relative, const char *folded, int depth)
{
    const FileNames names =
        file_list_names(path_join(index->folder, relative, index->arena), index->arena);
    for (size_t i = 0; i < names.count; i++)
        if (names.items[i][0] != '.' && !add_entry(index, relative, folded, names.items[i], depth))
            return false;
    return true;
}

bool asset_index_create(AssetIndex **index, const char *folder, Arena *arena, Diag *diag)
{
    const size_t size = strlen(folder);
    *index = arena_array(arena, AssetIndex, 1);
    **index =
        (AssetIndex){.folder = size && folder[size - 1] != '/' ? arena_printf(arena, "%s/", folder)
                                                               : arena_strdup(arena, folder),
                     .arena = arena,
                     .diag = diag};
    return add_folder(*index, "", "", 0);
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

const char *asset_index_find(const AssetIndex *index, const char *windows_path, Arena *arena)
{
    char *wanted = arena_strdup(arena, fold(windows_path, arena));
    const char *found = NULL;
    size_t most = 0;
    for (char *at = wanted; *at; at++)
        if (*at == '\\')
            *at = '/';
    for (size_t i = 0; i < index->files.count; i++) {
        const Asset *asset = &index->files.items[i];
        const size_t parts = equal_parts(asset->folded, wanted);
        if (parts > most || (parts && parts == most && is_better(asset->path, found))) {
            most = parts;
            found = asset->path;
        }
    }
    return found;
}
