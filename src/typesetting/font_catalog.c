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

static bool has_all(const FcCharSet *set, const char *text)
{
    const utf8proc_uint8_t *at = (const utf8proc_uint8_t *)text;
    utf8proc_int32_t character;
    utf8proc_ssize_t size;
    while (*at && (size = utf8proc_iterate(at, -1, &character)) > 0) {
        if (character > ' ' && !FcCharSetHasChar(set, (FcChar32)character))
            return false;
        at += size;
    }
    return true;
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

/* Outlines of one weight: neither bitmaps nor colors, nor all weights of a variable font. */
static bool is_usable(const FcPattern *font)
{
    return has_flag(font, FC_OUTLINE) && !has_flag(font, FC_COLOR) && !has_flag(font, FC_VARIABLE);
}

static bool read_font(FontFile *out, const FcPattern *font, const char *family, const char *text,
                      Arena *arena)
{
    FcChar8 *path, *name;
    FcCharSet *set;
    int face = 0;
    if (!is_usable(font) || FcPatternGetString(font, FC_FILE, 0, &path) != FcResultMatch ||
        FcPatternGetString(font, FC_FAMILY, 0, &name) != FcResultMatch ||
        FcPatternGetCharSet(font, FC_CHARSET, 0, &set) != FcResultMatch)
        return false;
    FcPatternGetInteger(font, FC_INDEX, 0, &face);
    *out = (FontFile){arena_strdup(arena, (const char *)path), face,
                      arena_strdup(arena, (const char *)name), !family || has_family(font, family),
                      has_all(set, text)};
    return true;
}

/* The first of the list that has everything, else the first. */
static bool choose(FontFile *out, const FcFontSet *set, const char *family, const char *text,
                   Arena *arena)
{
    bool found = false;
    for (int i = 0; set && i < set->nfont; i++) {
        FontFile file;
        if (!read_font(&file, set->fonts[i], family, text, arena))
            continue;
        if (!found)
            *out = file;
        found = true;
        if (file.complete && (file.same_family || !out->same_family)) {
            *out = file;
            return true;
        }
    }
    return found;
}

bool font_catalog_find(FontFile *out, const char *family, const char *text, Arena *arena)
{
    FcPattern *pattern = FcPatternCreate();
    FcResult result;
    if (!pattern)
        return false;
    if (family)
        FcPatternAddString(pattern, FC_FAMILY, (const FcChar8 *)family);
    FcPatternAddString(pattern, FC_FAMILY, (const FcChar8 *)"sans-serif");
    FcPatternAddString(pattern, FC_LANG, (const FcChar8 *)"ja");
    FcPatternAddInteger(pattern, FC_WEIGHT, FC_WEIGHT_REGULAR);
    FcPatternAddInteger(pattern, FC_SLANT, FC_SLANT_ROMAN);
    FcConfigSubstitute(NULL, pattern, FcMatchPattern);
    FcDefaultSubstitute(pattern);
    FcFontSet *set = FcFontSort(NULL, pattern, FcFalse, NULL, &result);
    const bool found = choose(out, set, family, text, arena);
    if (set)
        FcFontSetDestroy(set);
    FcPatternDestroy(pattern);
    return found;
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

bool font_catalog_find(FontFile *out, const char *family, const char *text, Arena *arena)
{
    (void)out;
    (void)family;
    (void)text;
    (void)arena;
    return false;
}

#endif
