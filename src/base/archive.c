// SPDX-License-Identifier: MIT
#include "base/archive.h"

#include <stdlib.h>
#include <string.h>

#include "base/archive_names.h"
#include "base/encoding.h"
#include "base/memory.h"
#include "base/parser_entry.h"
#include "base/path.h"
#include "base/text.h"

#ifdef HAVE_LIBARCHIVE
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <locale.h>
#include <unistd.h>
#endif

/* The name of the first entry of a zip: u16 size at 26, bytes from 30 on. */
static bool holds_arrays(const uint8_t *head, size_t size)
{
    const size_t name = size >= 30 ? (size_t)head[26] | (size_t)head[27] << 8 : 0;
    return name >= 4 && name <= size - 30 && !memcmp(head + 30 + name - 4, ".npy", 4);
}

bool archive_has_signature(const uint8_t *head, size_t size)
{
    static const struct {
        size_t offset, size;
        const char *bytes;
    } signatures[] = {{0, 4, "PK\x03\x04"},
                      {0, 4, "PK\x05\x06"},
                      {0, 4, "Rar!"},
                      {0, 6, "7z\xBC\xAF\x27\x1C"},
                      {2, 3, "-lh"}};
    for (size_t i = 0; i < sizeof signatures / sizeof *signatures; i++)
        if (size >= signatures[i].offset + signatures[i].size &&
            !memcmp(head + signatures[i].offset, signatures[i].bytes, signatures[i].size))
            return i || !holds_arrays(head, size);
    return false;
}

static int compare_files(const void *a, const void *b)
{
    return strcmp(((const ArchiveFile *)a)->name, ((const ArchiveFile *)b)->name);
}

bool archive_is_text(const ArchiveFile *file)
{
    static const char *const extensions[] = {"txt", "md"};
    static const char *const names[] = {"readme", "license", "licence", "copying"};
    const char *name = path_name(file->name), *extension = path_extension(file->name);
    return !file->problem &&
           (text_find_ignoring_case(TEXT_ARRAY(names), name) >= 0 ||
            (text_find_ignoring_case(TEXT_ARRAY(extensions), extension) >= 0 && *name != '.'));
}

char *archive_text(const ArchiveFile *file, Arena *arena)
{
    enum { MAX_BYTES = 1 << 16 };
    const size_t size = file->size < MAX_BYTES ? file->size : MAX_BYTES;
    return text_is_utf8(file->data, file->size) ? text_from_utf8(file->data, size, arena)
                                                : encoding_decode_text(file->data, size, arena);
}

const ArchiveFile *archive_find(const Archive *archive, const char *name)
{
    const ArchiveFile key = {.name = name};
    return archive->count ? bsearch(&key, archive->files, archive->count, sizeof *archive->files,
                                    compare_files)
                          : NULL;
}

#ifdef HAVE_LIBARCHIVE

bool archive_is_supported(void)
{
    return true;
}

const char *archive_library_version(void)
{
    return archive_version_string() + strlen("libarchive ");
}

typedef struct archive Handle;
typedef struct archive_entry Entry;

static const char LATIN_1[] = "ISO-8859-1";

typedef struct Loader {
    int fd; /* -1: an archive in memory */
    const uint8_t *bytes;
    size_t size;
    Handle *handle;
    ARENA_LIST(ArchiveFile) files;
    size_t omitted;
    bool latin_1;              /* bytes of names come as characters of Latin-1 */
    uint64_t total, max_total; /* bytes of the files */
    uint8_t *buffer;           /* bytes of the file that is being read */
    size_t capacity;
    Arena *arena;
    Diag *diag;
} Loader;

/* ---- names ---- */

/* Replaces the separators of Windows; in CP932 the byte 0x5C may be half of a character, so this
 * follows the decoding. */
static void normalize_separators(char *name)
{
    for (; *name; name++)
        if (*name == '\\')
            *name = '/';
}

/* Whether no part is "..", and the name is neither absolute nor has a drive letter. */
static bool stays_inside(const char *name)
{
    if (name[0] == '/' || !name[0] || name[1] == ':')
        return false;
    for (const char *part = name; part; part = strchr(part, '/')) {
        part += *part == '/';
        if (!strcmp(part, "..") || !strncmp(part, "../", 3))
            return false;
    }
    return true;
}

/* Without "./", "//" and the like, as paths are compared. */
static char *without_empty_parts(const char *name, Arena *arena)
{
    char *out = arena_alloc(arena, strlen(name) + 1), *end = out;
    while (*name) {
        const size_t size = strcspn(name, "/");
        if (size && !(size == 1 && name[0] == '.')) {
            if (end > out)
                *end++ = '/';
            memcpy(end, name, size);
            end += size;
        }
        name += size;
        name += *name == '/';
    }
    return out;
}

/* The bytes that Latin-1 characters stand for; other text stays. */
static const char *bytes_of_latin_1(const char *utf8, Arena *arena)
{
    char *bytes = arena_strdup(arena, utf8), *end = bytes;
    for (const uint8_t *at = (const uint8_t *)utf8; *at; at++) {
        if (*at >= 0x80 && (*at & 0xFC) != 0xC0)
            return utf8;
        *end++ = (char)(*at < 0x80 ? *at : (*at & 3) << 6 | (at[1] & 0x3F));
        at += *at >= 0x80;
    }
    *end = '\0';
    return bytes;
}

/* The entry's bytes, NULL if it is omitted: libarchive converts the UTF-16 of 7z and rar to the
 * UTF-8 of its locale, and leaves those of a zip as they are. */
static const char *entry_name(const Loader *l, Entry *entry)
{
    const char *raw = archive_entry_pathname(entry);
    if (!raw)
        raw = archive_entry_pathname_utf8(entry);
    if (!raw || strlen(raw) > ARCHIVE_MAX_NAME || !stays_inside(raw))
        return NULL;
    return l->latin_1 ? bytes_of_latin_1(raw, l->arena) : arena_strdup(l->arena, raw);
}

/* The name as text; NULL if the file is omitted. */
static const char *decode_name(const char *bytes, Encoding encoding, Arena *arena)
{
    const size_t size = strlen(bytes);
    char *name = text_is_utf8(bytes, size) ? arena_strdup(arena, bytes)
                                           : encoding_decode(bytes, size, encoding, arena);
    normalize_separators(name);
    if (!stays_inside(name))
        return NULL;
    name = without_empty_parts(name, arena);
    return *name ? name : NULL;
}

/* ---- contents ---- */

static bool damaged(const Loader *l)
{
    const char *reason = archive_error_string(l->handle);
    if (archive_errno(l->handle) == ENOMEM)
        errno = ENOMEM; /* diag reports it as lack of memory */
    return diag_error(l->diag, "the archive is damaged or of an unsupported kind: %s",
                      reason ? reason : "no reason given");
}

static bool check_total(Loader *l, size_t more)
{
    l->total += more;
    return l->total <= l->max_total ||
           diag_error(l->diag,
                      "the files in the archive exceed %ju bytes (%d times its size and %d MiB, "
                      "at most %d MiB)",
                      (uintmax_t)l->max_total, ARCHIVE_MAX_RATIO, ARCHIVE_FREE_BYTES >> 20,
                      ARCHIVE_MAX_BYTES >> 20);
}

static void make_capacity(Loader *l, size_t size)
{
    while (l->capacity < size) {
        l->capacity = l->capacity ? 2 * l->capacity : 1 << 16;
        l->buffer = memory_resize(l->buffer, l->capacity);
    }
}

/* False after an error that concerns the archive; a problem of the file alone is kept with it. */
static bool read_data(Loader *l, ArchiveFile *file)
{
    size_t size = 0;
    for (;;) {
        make_capacity(l, size + (1 << 15));
        const la_ssize_t n = archive_read_data(l->handle, l->buffer + size, l->capacity - size);
        if (n == ARCHIVE_RETRY)
            continue;
        if (n == ARCHIVE_FATAL)
            return damaged(l);
        if (n < 0) {
            const char *reason = archive_error_string(l->handle);
            file->problem = arena_strdup(l->arena, reason ? reason : "damaged");
            return true;
        }
        if (!check_total(l, (size_t)n))
            return false;
        if (!n)
            break;
        size += (size_t)n;
    }
    file->data = arena_copy(l->arena, l->buffer, size);
    file->size = size;
    return true;
}

static bool read_entry(Loader *l, Entry *entry)
{
    ArchiveFile file = {0};
    if (archive_entry_filetype(entry) != AE_IFREG || archive_entry_hardlink(entry))
        return true;
    file.name = entry_name(l, entry);
    if (!file.name) {
        l->omitted++;
        return l->omitted <= ARCHIVE_MAX_FILES ||
               diag_error(l->diag, "the archive has more than %d files", ARCHIVE_MAX_FILES);
    }
    if (l->files.count == ARCHIVE_MAX_FILES)
        return diag_error(l->diag, "the archive has more than %d files", ARCHIVE_MAX_FILES);
    if (archive_entry_is_encrypted(entry))
        file.problem = "it is encrypted; unpack the archive with its password";
    else if (!read_data(l, &file))
        return false;
    *arena_push(l->arena, &l->files) = file;
    return true;
}

static bool read_entries(Loader *l)
{
    Entry *entry = NULL;
    size_t headers = 0;
    for (;;) {
        errno = 0; /* libarchive ends the process if a name is invalid and this is ENOMEM */
        const int code = archive_read_next_header(l->handle, &entry);
        if (code == ARCHIVE_EOF)
            return true;
        if (code == ARCHIVE_RETRY && headers++ < ARCHIVE_MAX_FILES)
            continue;
        if (code < ARCHIVE_WARN)
            return damaged(l);
        if (headers++ > 4 * ARCHIVE_MAX_FILES) /* directories and links count, too */
            return diag_error(l->diag, "the archive has more than %d entries",
                              4 * ARCHIVE_MAX_FILES);
        if (!read_entry(l, entry))
            return false;
    }
}

/* In the order of the archive, so that the last of several equal names is kept. */
typedef struct Numbered {
    ArchiveFile file;
    size_t index;
} Numbered;

static int compare_numbered(const void *a, const void *b)
{
    const Numbered *left = a, *right = b;
    const int names = compare_files(&left->file, &right->file);
    return names ? names : (left->index > right->index) - (left->index < right->index);
}

static void sort_files(Archive *archive, const Loader *l)
{
    const Encoding encoding = archive_names_encoding(l->files.items, l->files.count);
    Numbered *list = arena_array(l->arena, Numbered, l->files.count);
    size_t count = 0;
    for (size_t i = 0; i < l->files.count; i++) {
        ArchiveFile file = l->files.items[i];
        file.name = decode_name(file.name, encoding, l->arena);
        if (file.name)
            list[count++] = (Numbered){file, i};
    }
    if (count)
        qsort(list, count, sizeof *list, compare_numbered);
    archive->files = arena_array(l->arena, ArchiveFile, count);
    for (size_t i = 0; i < count; i++)
        if (i + 1 == count || compare_files(&list[i].file, &list[i + 1].file) != 0)
            archive->files[archive->count++] = list[i].file;
    archive->omitted = l->omitted + l->files.count - count;
}

/* The formats that people share models in; nothing that starts a program. */
static Handle *create_handle(void)
{
    Handle *handle = archive_read_new();
    if (!handle)
        memory_exhausted(0);
    archive_read_support_format_zip(handle);
    archive_read_support_format_7zip(handle);
    archive_read_support_format_rar(handle);
    archive_read_support_format_rar5(handle);
    archive_read_support_format_lha(handle);
    return handle;
}

static uint64_t max_total(uint64_t size)
{
    const uint64_t bound = ARCHIVE_FREE_BYTES + ARCHIVE_MAX_RATIO * size;
    return size < ARCHIVE_MAX_BYTES && bound < ARCHIVE_MAX_BYTES ? bound : ARCHIVE_MAX_BYTES;
}

/* lzh_charset: that of the names of an LZH archive; NULL: that of the locale. */
static bool read_all(Loader *l, const char *lzh_charset)
{
    l->handle = create_handle();
    l->files.count = 0;
    l->total = 0;
    l->omitted = 0;
    l->latin_1 = lzh_charset && !strcmp(lzh_charset, LATIN_1);
    if (lzh_charset)
        archive_read_set_option(l->handle, "lha", "hdrcharset", lzh_charset);
    const bool opened = l->fd < 0
                            ? archive_read_open_memory(l->handle, l->bytes, l->size) == ARCHIVE_OK
                            : lseek(l->fd, 0, SEEK_SET) == 0 &&
                                  archive_read_open_fd(l->handle, l->fd, 1 << 16) == ARCHIVE_OK;
    const bool good = opened ? read_entries(l) : damaged(l);
    archive_read_free(l->handle);
    return good;
}

static bool is_lzh(int fd)
{
    char head[7];
    return pread(fd, head, sizeof head, 0) == (ssize_t)sizeof head && !memcmp(head + 2, "-l", 2);
}

/*
 * libarchive refuses an LZH archive if it cannot convert a name.  CP932 is tried before Latin-1, in
 * which each byte is a character, because libarchive then takes a byte 5C for a separator.
 */
static bool read_names(Loader *l, Diag *diag)
{
    Diag quiet = diag_quiet();
    const bool lzh = l->fd >= 0 && is_lzh(l->fd);
    l->diag = lzh ? &quiet : diag;
    const bool good = read_all(l, NULL) || (lzh && read_all(l, "CP932"));
    l->diag = diag;
    return good || (lzh && read_all(l, LATIN_1));
}

/* libarchive converts names to the encoding of the thread's locale.  Only the character type
 * changes, and only here. */
static bool load(Archive *archive, Loader *l, uint64_t size, Diag *diag)
{
    parser_enter("archive");
    const locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    const locale_t before = utf8 ? uselocale(utf8) : (locale_t)0;
    l->max_total = max_total(size);
    *archive = (Archive){0};
    const bool good = read_names(l, diag);
    if (good)
        sort_files(archive, l);
    memory_free(l->buffer);
    if (utf8) {
        uselocale(before);
        freelocale(utf8);
    }
    return good;
}

bool archive_load(Archive *archive, int fd, uint64_t size, Arena *arena, Diag *diag)
{
    Loader l = {.fd = fd, .arena = arena};
    return load(archive, &l, size, diag);
}

bool archive_load_bytes(Archive *archive, const uint8_t *data, size_t size, Arena *arena,
                        Diag *diag)
{
    Loader l = {.fd = -1, .bytes = data, .size = size, .arena = arena};
    return load(archive, &l, size, diag);
}

#else

bool archive_is_supported(void)
{
    return false;
}

const char *archive_library_version(void)
{
    return NULL;
}

static bool refuse(Archive *archive, Diag *diag)
{
    *archive = (Archive){0};
    return diag_fail(diag, DIAG_RESOURCE,
                     "this program was built without libarchive; unpack the archive first");
}

bool archive_load(Archive *archive, int fd, uint64_t size, Arena *arena, Diag *diag)
{
    (void)fd;
    (void)size;
    (void)arena;
    return refuse(archive, diag);
}

bool archive_load_bytes(Archive *archive, const uint8_t *data, size_t size, Arena *arena,
                        Diag *diag)
{
    (void)data;
    (void)size;
    (void)arena;
    return refuse(archive, diag);
}

#endif
