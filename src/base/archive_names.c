// SPDX-License-Identifier: MIT
#include "base/archive_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/text.h"

enum {
    MAX_TEXTS = 4096,       /* that name files, of all models */
    MAX_EXAMINED = 1 << 16, /* places where such a text may end */
    MAX_TEXT = 512          /* bytes */
};

/* ---- files that models name ---- */

typedef struct Texts {
    ARENA_LIST(const char *) items; /* folded, with '/' */
    size_t examined;
    Arena *arena;
} Texts;

/* Whether bytes are ".png" or the like, of characters of `width` bytes. */
static bool is_image_extension(const uint8_t *at, size_t width)
{
    static const char *const extensions[] = {".png", ".bmp", ".tga", ".jpg", ".spa",
                                             ".sph", ".dds", ".gif", ".jpe"};
    char text[5] = {0};
    for (size_t i = 0; i < 4; i++) {
        if (width == 2 && at[2 * i + 1])
            return false;
        text[i] = (char)at[width * i];
    }
    return text_find_ignoring_case(TEXT_ARRAY(extensions), text) >= 0;
}

static void add_text(Texts *texts, const uint8_t *start, size_t size, size_t width)
{
    const char *utf8 = width == 2 ? text_from_utf16le(start, size, texts->arena)
                                  : text_from_utf8(start, size, texts->arena);
    bool is_ascii = true;
    for (const char *at = utf8; *at; at++)
        is_ascii = is_ascii && (unsigned char)*at < 0x80;
    if (is_ascii)
        return;
    char *folded = text_fold(utf8, texts->arena);
    for (char *at = folded; *at; at++)
        if (*at == '\\')
            *at = '/';
    *arena_push(texts->arena, &texts->items) = folded;
}

/* Adds the text that ends at `end`, if a PMX model has one there: its size is before it. */
static void find_start(Texts *texts, const ArchiveFile *file, size_t end, size_t width)
{
    for (size_t size = 4 * width; size <= MAX_TEXT && size + 4 <= end; size += width) {
        const uint8_t *start = file->data + end - size;
        const uint32_t stored = (uint32_t)start[-4] | (uint32_t)start[-3] << 8 |
                                (uint32_t)start[-2] << 16 | (uint32_t)start[-1] << 24;
        if (stored == size) {
            add_text(texts, start, size, width);
            return;
        }
    }
}

/* The textures of a PMX model, whose texts are Unicode.  It need not be parsed for this. */
static void find_texts(Texts *texts, const ArchiveFile *file)
{
    const uint8_t *end = file->data + file->size;
    for (const uint8_t *at = file->data;
         (at = memchr(at, '.', (size_t)(end - at))) && texts->items.count < MAX_TEXTS &&
         texts->examined < MAX_EXAMINED;
         at++)
        for (size_t width = 1; width <= 2; width++)
            if ((size_t)(end - at) >= 4 * width && is_image_extension(at, width)) {
                texts->examined++;
                find_start(texts, file, (size_t)(at - file->data) + 4 * width, width);
            }
}

/* Sorted. */
static Texts texts_of_models(const ArchiveFile *files, size_t count, Arena *arena)
{
    Texts texts = {.arena = arena};
    for (size_t i = 0; i < count; i++)
        if (text_equal_ignoring_case(path_extension(files[i].name), "pmx") && files[i].data)
            find_texts(&texts, &files[i]);
    if (texts.items.count)
        qsort(texts.items.items, texts.items.count, sizeof *texts.items.items, text_compare);
    return texts;
}

/* ---- the choice ---- */

/* Whether a model names the file, by its name or by that and directories that hold it. */
static bool is_named(const Texts *texts, const char *name)
{
    for (const char *tail = name; tail; tail = strchr(tail, '/')) {
        tail += *tail == '/';
        if (bsearch(&tail, texts->items.items, texts->items.count, sizeof tail, text_compare))
            return true;
    }
    return false;
}

static size_t count_named(const Texts *texts, const ArchiveFile *files, size_t count, Encoding e)
{
    size_t named = 0;
    for (size_t i = 0; texts->items.count && i < count; i++) {
        const size_t size = strlen(files[i].name);
        if (text_is_utf8(files[i].name, size))
            continue;
        Arena *scratch = arena_create();
        char *name = text_fold(encoding_decode(files[i].name, size, e, scratch), scratch);
        for (char *at = name; *at; at++)
            if (*at == '\\')
                *at = '/';
        named += is_named(texts, name);
        arena_destroy(scratch);
    }
    return named;
}

/* A directory counts once if its files follow each other. */
static EncodingScores score_names(const ArchiveFile *files, size_t count)
{
    EncodingScores scores = {0};
    const char *last = "";
    for (size_t i = 0; i < count; i++) {
        const char *name = files[i].name, *file = path_name(name);
        const size_t directory = (size_t)(file - name);
        if (text_is_utf8(name, strlen(name)))
            continue;
        if (strncmp(name, last, directory) != 0 || strchr(last + directory, '/'))
            encoding_score(&scores, name, directory, false);
        encoding_score(&scores, file, strlen(file), false);
        last = name;
    }
    return scores;
}

Encoding archive_names_encoding(const ArchiveFile *files, size_t count)
{
    const EncodingScores scores = score_names(files, count);
    const Encoding likely = encoding_choose(&scores);
    Arena *arena = arena_create();
    const Texts texts = texts_of_models(files, count, arena);
    Encoding best = likely;
    size_t most = count_named(&texts, files, count, likely);
    for (Encoding e = 0; e < ENCODINGS; e++) {
        const size_t named = e == likely ? 0 : count_named(&texts, files, count, e);
        if (named > most) {
            best = e;
            most = named;
        }
    }
    arena_destroy(arena);
    return best;
}
