// SPDX-License-Identifier: MIT
#include "base/path.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/encoding.h"
#include "base/memory.h"
#include "base/text.h"

enum { MAX_PARTS = 64, DIRECTORY_SIZE = 4096 };

const char *path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

char *path_directory(const char *path, Arena *arena)
{
    return arena_strndup(arena, path, (size_t)(path_name(path) - path));
}

char *path_stem(const char *path, Arena *arena)
{
    const char *name = path_name(path), *dot = strrchr(name, '.');
    return arena_strndup(arena, name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

const char *path_extension(const char *path)
{
    const char *name = path_name(path), *dot = strrchr(name, '.');
    return dot ? dot + 1 : name + strlen(name);
}

char *path_join(const char *directory, const char *path, Arena *arena)
{
    return arena_printf(arena, "%s%s", path[0] == '/' ? "" : directory, path);
}

const char *path_absolute(const char *path, Arena *arena)
{
    char directory[DIRECTORY_SIZE];
    if (path[0] == '/')
        return path;
    return getcwd(directory, sizeof directory) ? arena_printf(arena, "%s/%s", directory, path)
                                               : NULL;
}

const char *path_relative(const char *path)
{
    char directory[DIRECTORY_SIZE];
    const size_t size = getcwd(directory, sizeof directory) ? strlen(directory) : 0;
    const bool below = size && !strncmp(path, directory, size) && path[size] == '/';
    return below && path[size + 1] ? path + size + 1 : path;
}

bool path_is_file(const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0 && errno == ENOTDIR)
        return archive_path_kind(path) == ARCHIVE_PATH_FILE;
    if (stat(path, &st) != 0) /* after an I/O error, opening the file reports it */
        return diag_errno_kind(errno, DIAG_NONE) != DIAG_NONE;
    return S_ISREG(st.st_mode);
}

static bool is_directory(const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return errno == ENOTDIR && archive_path_kind(path) == ARCHIVE_PATH_DIRECTORY;
    return S_ISDIR(st.st_mode) || archive_path_is_archive(path);
}

/* ---- splitting a reference ---- */

typedef struct Parts {
    const char *names[MAX_PARTS];
    size_t count;
    size_t ups;    /* leading "../" */
    bool absolute; /* "C:\...", "\...", "\\server\..." */
    bool usable;
} Parts;

/* Length of a separator at `at`, or 0: /, \, and the yen signs that Japanese fonts show for
 * 0x5C. */
static size_t separator_length(const char *at)
{
    if (*at == '/' || *at == '\\')
        return 1;
    if (!strncmp(at, "\xC2\xA5", 2)) /* U+00A5 */
        return 2;
    return !strncmp(at, "\xEF\xBF\xA5", 3) ? 3 : 0; /* U+FFE5, full width */
}

static bool add_part(Parts *parts, const char *name, size_t size, Arena *arena)
{
    if (!size || (size == 1 && name[0] == '.'))
        return true;
    if (size == 2 && !memcmp(name, "..", 2)) {
        if (parts->count)
            parts->count--;
        else
            parts->ups++;
        return true;
    }
    if (parts->count == MAX_PARTS || size > NAME_MAX)
        return false;
    parts->names[parts->count++] = arena_strndup(arena, name, size);
    return true;
}

static bool is_drive(const char *text)
{
    return ((text[0] >= 'A' && text[0] <= 'Z') || (text[0] >= 'a' && text[0] <= 'z')) &&
           text[1] == ':';
}

static Parts split(const char *reference, Arena *arena)
{
    Parts parts = {.usable = true};
    const char *at = reference + strspn(reference, " \t");
    size_t size = strlen(at);

    while (size && (at[size - 1] == ' ' || at[size - 1] == '\t'))
        size--;
    at = arena_strndup(arena, at, size);
    parts.absolute = is_drive(at) || separator_length(at);
    if (is_drive(at))
        at += 2;
    while (*at && parts.usable) {
        size = 0;
        while (at[size] && !separator_length(at + size))
            size++;
        parts.usable = add_part(&parts, at, size, arena);
        at += size;
        at += separator_length(at);
    }
    parts.usable = parts.usable && parts.count;
    return parts;
}

/* ---- matching names on disk ---- */

/* Whether a name on disk matches `folded`.  An unzip program may have written the bytes of any of
 * the encodings, or decoded them as CP437; the name that is searched shows which. */
bool path_name_matches(const char *on_disk, const char *folded, Arena *scratch)
{
    const bool is_utf8 = text_is_utf8(on_disk, strlen(on_disk));
    if (is_utf8 && !strcmp(text_fold(on_disk, scratch), folded))
        return true;
    const char *bytes = is_utf8 ? encoding_bytes_of_mojibake(on_disk, scratch) : on_disk;
    for (Encoding e = 0; bytes && e < ENCODINGS; e++) {
        const char *name = encoding_decode(bytes, strlen(bytes), e, scratch);
        if (!strcmp(text_fold(name, scratch), folded))
            return true;
    }
    return false;
}

DIR *path_open_directory(const char *path)
{
    DIR *directory = opendir(path);
    if (!directory && errno == ENOMEM)
        memory_exhausted(0);
    return directory;
}

ArchiveNames path_list_names(const char *directory, Arena *arena)
{
    ArchiveNames names = {0};
    DIR *dir = path_open_directory(*directory ? directory : ".");
    if (!dir) {
        if (errno == ENOTDIR)
            archive_path_list(&names, directory, arena);
        return names;
    }
    for (const struct dirent *entry; (entry = readdir(dir)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            *arena_push(arena, &names) = arena_strdup(arena, entry->d_name);
    closedir(dir);
    return names;
}

/* Sorted, so that the choice between "Tex" and "TEX" does not depend on the file system. */
static ArchiveNames matching_names(const char *directory, const char *name, Arena *scratch)
{
    ArchiveNames names = {0};
    const ArchiveNames all = path_list_names(directory, scratch);
    const char *folded = all.count ? text_fold(name, scratch) : "";
    for (size_t i = 0; i < all.count; i++)
        if (path_name_matches(all.items[i], folded, scratch))
            *arena_push(scratch, &names) = all.items[i];
    if (names.count)
        qsort(names.items, names.count, sizeof *names.items, text_compare);
    return names;
}

/* ---- confinement ---- */

/* realpath, also in archives; false if there is no such file. */
static bool find_real(char out[PATH_MAX], const char *path)
{
    errno = 0;
    if (realpath(path, out))
        return true;
    if (errno == ENOMEM)
        memory_exhausted(0);
    if (errno != ENOTDIR)
        return false;
    Arena *arena = arena_create();
    const char *real = archive_path_real(path, arena);
    const bool found = real && snprintf(out, PATH_MAX, "%s", real) < PATH_MAX;
    arena_destroy(arena);
    return found;
}

/* Whether `path`, with links resolved, is inside `directory`. */
static bool is_inside(const char *path, const char *directory)
{
    char real_path[PATH_MAX], real_directory[PATH_MAX];
    if (!find_real(real_path, path) || !find_real(real_directory, *directory ? directory : "."))
        return false;
    const size_t size = strlen(real_directory);
    return size == 1 || (!strncmp(real_path, real_directory, size) &&
                         (real_path[size] == '/' || real_path[size] == '\0'));
}

bool path_is_below(const char *path, const char *directory)
{
    char parent[PATH_MAX];
    struct stat st;
    if (snprintf(parent, sizeof parent, "%s", path) >= (int)sizeof parent)
        return false;
    while (lstat(*parent ? parent : ".", &st) != 0) {
        const char *name = path_name(parent);
        if ((errno != ENOENT && errno != ENOTDIR) || !strcmp(name, ".."))
            return false;
        size_t end = (size_t)(name - parent);
        while (end > 1 && parent[end - 1] == '/')
            end--;
        parent[end] = '\0';
        if (!end)
            break;
    }
    return is_inside(*parent ? parent : ".", directory);
}

/* ---- searching ---- */

/* Where a search may look: in the directory or, if it is not NULL, the root. */
typedef struct SearchRoots {
    const char *directory, *root;
} SearchRoots;

static bool is_allowed(const SearchRoots *roots, const char *path)
{
    return is_inside(path, roots->directory) || (roots->root && is_inside(path, roots->root));
}

/* Whether names are searched in a directory.  It is asked before the directory is opened, so that a
 * link out of the roots only reads the link.  roots NULL: anywhere */
static bool may_enter(const SearchRoots *roots, const char *path)
{
    return (!roots || is_allowed(roots, path)) && is_directory(path);
}

/* The path of directory/names[0]/names[1]/... as spelled on disk, or NULL. */
static const char *find_below(const char *directory, const char *const *names, size_t count,
                              const SearchRoots *roots, Arena *scratch)
{
    const char *exact = path_join(directory, names[0], scratch);
    if (count == 1 && path_is_file(exact))
        return exact;
    if (count > 1 && may_enter(roots, exact)) {
        const char *found =
            find_below(arena_printf(scratch, "%s/", exact), names + 1, count - 1, roots, scratch);
        if (found)
            return found;
    }
    const ArchiveNames other = matching_names(directory, names[0], scratch);
    for (size_t i = 0; i < other.count; i++) {
        const char *path = path_join(directory, other.items[i], scratch);
        const char *found = NULL;
        if (count == 1)
            found = path_is_file(path) ? path : NULL;
        else if (may_enter(roots, path))
            found = find_below(arena_printf(scratch, "%s/", path), names + 1, count - 1, roots,
                               scratch);
        if (found)
            return found;
    }
    return NULL;
}

const char *path_resolve_input(const char *directory, const char *path, Arena *arena)
{
    struct stat st;
    const char *joined = path_join(directory, path, arena);
    if (stat(joined, &st) == 0 || is_drive(path) || path_is_file(joined))
        return joined;

    Arena *scratch = arena_create();
    const Parts parts = split(path, scratch);
    const char *start = parts.absolute ? "/" : directory;
    for (size_t i = 0; i < parts.ups && i < MAX_PARTS; i++)
        start = arena_printf(scratch, "%s../", start);
    const char *found =
        parts.usable ? find_below(start, parts.names, parts.count, NULL, scratch) : NULL;
    if (found)
        joined = arena_strdup(arena, found);
    arena_destroy(scratch);
    return joined;
}

static const char *find_allowed(SearchRoots roots, size_t ups, const char *const *names,
                                size_t count, Arena *scratch)
{
    const char *start = roots.directory;
    for (size_t i = 0; i < ups; i++)
        start = arena_printf(scratch, "%s../", start);
    if (ups && (!roots.root || !is_inside(*start ? start : ".", roots.root)))
        return NULL;
    const char *found = find_below(start, names, count, &roots, scratch);
    return found && is_allowed(&roots, found) ? found : NULL;
}

/* Tries the path as written, and if it is absolute or has "../", the longest tail of it that exists
 * inside a root. */
static const char *find_parts(PathMatch *match, SearchRoots roots, const Parts *parts,
                              Arena *scratch)
{
    const bool relative = !parts->absolute && parts->ups <= MAX_PARTS;
    const char *found =
        relative ? find_allowed(roots, parts->ups, parts->names, parts->count, scratch) : NULL;
    *match = PATH_FOLDED;
    if (!found && (parts->absolute || parts->ups)) {
        *match = PATH_NAME_ONLY;
        for (size_t i = 0; !found && i < parts->count; i++)
            found = find_allowed(roots, 0, parts->names + i, parts->count - i, scratch);
    }
    return found;
}

static const char *find_other_image(SearchRoots roots, const Parts *parts, Arena *scratch)
{
    static const char *const extensions[] = {"png", "tga", "bmp", "jpg", "jpeg", "dds"};
    Parts other = *parts;
    const char *name = parts->names[parts->count - 1];
    const char *dot = strrchr(name, '.');
    const size_t stem = dot ? (size_t)(dot - name) : strlen(name);
    const char *found = NULL;

    for (size_t i = 0; stem && !found && i < sizeof extensions / sizeof *extensions; i++) {
        PathMatch match;
        other.names[parts->count - 1] =
            arena_printf(scratch, "%.*s.%s", (int)stem, name, extensions[i]);
        found = find_parts(&match, roots, &other, scratch);
    }
    return found;
}

PathMatch path_resolve(const char **found, const char *directory, const char *root,
                       const char *reference, bool images, Arena *arena)
{
    Arena *scratch = arena_create();
    const SearchRoots roots = {directory, root};
    const Parts parts = split(reference, scratch);
    PathMatch match = PATH_MISSING;
    const char *path = parts.usable ? find_parts(&match, roots, &parts, scratch) : NULL;

    if (path && !parts.absolute && !strcmp(path, path_join(directory, reference, scratch)))
        match = PATH_EXACT;
    if (!path && parts.usable && images) {
        match = PATH_OTHER_EXTENSION;
        path = find_other_image(roots, &parts, scratch);
    }
    *found = path ? arena_strdup(arena, path) : NULL;
    arena_destroy(scratch);
    return path ? match : PATH_MISSING;
}

const char *path_reference_name(const char *reference, Arena *arena)
{
    const Parts parts = split(reference, arena);
    return parts.usable ? parts.names[parts.count - 1] : NULL;
}
