// SPDX-License-Identifier: MIT
#include "typesetting/font_catalog.h"

#ifdef HAVE_FONTCONFIG

#include <fontconfig/fontconfig.h>
#include <strings.h>
#include <utf8proc.h>

#define VERSION_TEXT(n) #n
#define VERSION_PART(n) VERSION_TEXT(n)

const char *font_catalog_version(void)
{
    return VERSION_PART(FC_MAJOR) "." VERSION_PART(FC_MINOR) "." VERSION_PART(FC_REVISION);
}

void font_catalog_prepare(void)
{
    FcInit();
    FcConfigSetRescanInterval(NULL, 0); /* it would read them again after 30 s */
}

const char **font_catalog_directories(Arena *arena)
{
    ARENA_LIST(const char *) list = {0};
    FcStrList *directories = FcConfigGetFontDirs(NULL);
    for (const FcChar8 *directory; directories && (directory = FcStrListNext(directories)) != NULL;)
        *arena_push(arena, &list) = arena_strdup(arena, (const char *)directory);
    if (directories)
        FcStrListDone(directories);
    *arena_push(arena, &list) = NULL;
    return list.items;
}

static bool has_family(const FcPattern *font, const char *family)
{
    FcChar8 *name;
    for (int i = 0; FcPatternGetString(font, FC_FAMILY, i, &name) == FcResultMatch; i++)
        if (!strcasecmp((const char *)name, family))
            return true;
    for (int i = 0; FcPatternGetString(font, FC_FULLNAME, i, &name) == FcResultMatch; i++)
        if (!strcasecmp((const char *)name, family))
            return true;
    return false;
}

static bool has_flag(const FcPattern *font, const char *name)
{
    FcBool value;
    return FcPatternGetBool(font, name, 0, &value) == FcResultMatch && value == FcTrue;
}

static const FcCharSet *characters(const FcPattern *font)
{
    FcCharSet *set;
    return FcPatternGetCharSet(font, FC_CHARSET, 0, &set) == FcResultMatch ? set : NULL;
}

/* Fonts of one weight, not all weights of a variable font. */
static bool is_usable(const FcPattern *font, bool colors)
{
    return has_flag(font, FC_COLOR) == colors && (colors || has_flag(font, FC_OUTLINE)) &&
           !has_flag(font, FC_VARIABLE) && characters(font);
}

static bool read_font(FontSource *out, const FcPattern *font, Arena *arena)
{
    FcChar8 *path, *name;
    int face = 0;
    if (FcPatternGetString(font, FC_FILE, 0, &path) != FcResultMatch ||
        FcPatternGetString(font, FC_FAMILY, 0, &name) != FcResultMatch)
        return false;
    FcPatternGetInteger(font, FC_INDEX, 0, &face);
    *out = (FontSource){.path = arena_strdup(arena, (const char *)path),
                        .family = arena_strdup(arena, (const char *)name),
                        .face = face,
                        .colors = has_flag(font, FC_COLOR)};
    return true;
}

/* All fonts, the best first.  family: NULL: any. */
static FcFontSet *sorted_fonts(const char *family)
{
    FcPattern *pattern = FcPatternCreate();
    FcResult result;
    if (!pattern)
        return NULL;
    if (family)
        FcPatternAddString(pattern, FC_FAMILY, (const FcChar8 *)family);
    FcPatternAddString(pattern, FC_FAMILY, (const FcChar8 *)"sans-serif");
    FcPatternAddString(pattern, FC_LANG, (const FcChar8 *)"ja");
    FcPatternAddInteger(pattern, FC_WEIGHT, FC_WEIGHT_REGULAR);
    FcPatternAddInteger(pattern, FC_SLANT, FC_SLANT_ROMAN);
    FcConfigSubstitute(NULL, pattern, FcMatchPattern);
    FcDefaultSubstitute(pattern);
    FcFontSet *set = FcFontSort(NULL, pattern, FcFalse, NULL, &result);
    FcPatternDestroy(pattern);
    return set;
}

bool font_catalog_find(FontSource *out, const char *family, Arena *arena)
{
    FcFontSet *set = sorted_fonts(family);
    bool found = false;
    for (int i = 0; set && !found && i < set->nfont; i++)
        found = is_usable(set->fonts[i], false) && has_family(set->fonts[i], family) &&
                read_font(out, set->fonts[i], arena);
    if (set)
        FcFontSetDestroy(set);
    return found;
}

/* ---- the fonts of a text ---- */

/* The characters of a text that need a glyph and have none yet, in its order; 0 where words end
 * or a character has one. */
typedef ARENA_LIST(FcChar32) CharacterList;

static CharacterList needed_characters(const char *text, Arena *arena)
{
    const utf8proc_uint8_t *at = (const utf8proc_uint8_t *)text;
    CharacterList list = {0};
    utf8proc_int32_t c;
    utf8proc_ssize_t size;
    for (; *at && (size = utf8proc_iterate(at, -1, &c)) > 0; at += size)
        if (!utf8proc_get_property(c)->ignorable)
            *arena_push(arena, &list) = c > ' ' ? (FcChar32)c : 0;
    return list;
}

static size_t count_needed(const CharacterList *list)
{
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++)
        count += list->items[i] != 0;
    return count;
}

static size_t first_needed(const CharacterList *list)
{
    size_t first = 0;
    while (first < list->count && !list->items[first])
        first++;
    return first;
}

/* How many characters from the first needed one on a font has, up to one that is not needed. */
static size_t count_had(const CharacterList *list, const FcPattern *font)
{
    const size_t first = first_needed(list);
    size_t end = first;
    while (end < list->count && list->items[end] &&
           FcCharSetHasChar(characters(font), list->items[end]))
        end++;
    return end - first;
}

static size_t count_missing(const CharacterList *list, const FcPattern *font)
{
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++)
        count += list->items[i] && !FcCharSetHasChar(characters(font), list->items[i]);
    return count;
}

static void remove_had(CharacterList *list, const FcPattern *font)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i] && FcCharSetHasChar(characters(font), list->items[i]))
            list->items[i] = 0;
}

/* The first font that has everything, else the first that has something, else the first; NULL:
 * there is none. */
static const FcPattern *choose_first(const FcFontSet *set, const CharacterList *list)
{
    const FcPattern *some = NULL, *any = NULL;
    const size_t needed = count_needed(list);
    for (int i = 0; i < set->nfont; i++) {
        if (!is_usable(set->fonts[i], false))
            continue;
        const size_t missing = count_missing(list, set->fonts[i]);
        if (!missing)
            return set->fonts[i];
        any = any ? any : set->fonts[i];
        if (!some && missing < needed)
            some = set->fonts[i];
    }
    return some ? some : any;
}

/* NULL: no font has the first needed character. */
static const FcPattern *choose_next(const FcFontSet *set, const CharacterList *list)
{
    const FcPattern *best = NULL;
    size_t most = 0;
    for (int colors = 0; colors < 2 && !best; colors++)
        for (int i = 0; i < set->nfont; i++) {
            const size_t count =
                is_usable(set->fonts[i], colors) ? count_had(list, set->fonts[i]) : 0;
            if (count > most) {
                best = set->fonts[i];
                most = count;
            }
        }
    return best;
}

/* Returns false, without the first needed character, if font is NULL. */
static bool add_font(FontSources *out, CharacterList *list, const FcPattern *font, Arena *arena)
{
    FontSource source;
    if (font && read_font(&source, font, arena))
        *arena_push(arena, out) = source;
    if (font)
        remove_had(list, font);
    else
        list->items[first_needed(list)] = 0;
    return font != NULL;
}

bool font_catalog_choose(FontSources *out, const char *text, Arena *arena)
{
    CharacterList list = needed_characters(text, arena);
    FcFontSet *set = sorted_fonts(NULL);
    bool complete = set != NULL;
    if (!set)
        return false;
    const FcPattern *first = choose_first(set, &list);
    if (first)
        add_font(out, &list, first, arena);
    while (first_needed(&list) < list.count && out->count < FONT_CATALOG_MAX)
        complete &= add_font(out, &list, choose_next(set, &list), arena);
    FcFontSetDestroy(set);
    return complete && first_needed(&list) == list.count;
}

#else

const char *font_catalog_version(void)
{
    return NULL;
}

void font_catalog_prepare(void)
{
}

const char **font_catalog_directories(Arena *arena)
{
    return arena_array(arena, const char *, 1);
}

bool font_catalog_choose(FontSources *out, const char *text, Arena *arena)
{
    (void)out;
    (void)text;
    (void)arena;
    return false;
}

bool font_catalog_find(FontSource *out, const char *family, Arena *arena)
{
    (void)out;
    (void)family;
    (void)arena;
    return false;
}

#endif
