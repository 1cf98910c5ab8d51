// SPDX-License-Identifier: MIT
#include "film/subtitle_load.h"

#include <math.h>
#include <string.h>
#include <utf8proc.h>

#include "base/file.h"
#include "base/text.h"
#include "film/film.h"
#include "typesetting/font_catalog.h"
#include "typesetting/font_rename.h"
#include "typesetting/subtitle_fonts.h"
#include "typesetting/subtitle_wrap.h"
#include "typesetting/text_fonts.h"

/* The name of the fonts of SubRip files, and of many scripts that do not care. */
static const char ANY_FAMILY[] = "sans-serif";

/* The name that libass gets for the family of several fonts. */
static const char COMMON_FAMILY[] = "odori-fallback";

typedef struct Loader {
    Film *film;
    const JobSubtitles *job;
    SubtitleScript script;
    SubtitleFacts facts;
    FontSources used; /* their files, as they are */
    const DiagLocation *location;
    Arena *arena;
    Diag *diag;
} Loader;

static bool scan(Loader *l)
{
    const SubtitleFrame frame = {l->film->render.width, l->film->render.height,
                                 l->film->subtitles.scale};
    diag_file(l->diag, l->job->file);
    const bool good = subtitles_scan(&l->facts, l->script.text, &frame, l->arena, l->diag);
    if (good)
        diag_file(l->diag, NULL);
    return good;
}

/* ---- fonts ---- */

/* Adds a font for libass, unless its file is one of them. */
static void add_font(Loader *l, const FontSource *font)
{
    FontSources *fonts = &l->film->subtitles.fonts;
    if (text_find(TEXT_NAMES(FontSource, path, fonts->items, fonts->count), font->path) >= 0)
        return;
    *arena_push(l->arena, fonts) = *font;
    *arena_push(l->arena, &l->used) = *font;
}

/* The font of a file: for everything whose font is not attached to the script. */
static bool use_file(Loader *l, const char *path)
{
    FontSources file;
    if (!text_fonts_load(&file, &l->film->font_files, path, l->arena, l->diag))
        return false;
    const FontSpec spec = {.sources = file, .size = FONT_BUILT_IN_EM};
    Font *font = font_open(&spec, l->diag);
    l->film->subtitles.family = font ? font_family(font, l->arena) : NULL;
    font_close(font);
    diag_file(l->diag, path);
    if (font && !l->film->subtitles.family)
        return diag_error(l->diag, "the font has no family name");
    diag_file(l->diag, NULL);
    add_font(l, &file.items[0]);
    return font != NULL;
}

static bool warn_unknown_family(Loader *l, const char *family)
{
    const char *used = text_fonts_names(&l->used, l->arena);
    return diag_warn_at(
        l->diag, l->location, WARN_SUBTITLES, "the font '%s' is not installed; %s%s%s is used",
        family, l->used.count ? "'" : "", l->used.count ? used : "none", l->used.count ? "'" : "");
}

/* Fonts attached to a script have names and characters that are known to libass only. */
static bool has_attached_fonts(const Loader *l)
{
    return l->film->subtitles.attached.count != 0;
}

static bool add_families(Loader *l)
{
    FontSources found = {0};
    bool good = true;
    for (size_t i = 0; good && i < l->facts.families.count; i++) {
        const char *family = l->facts.families.items[i];
        FontSource font;
        if (!strcmp(family, ANY_FAMILY))
            continue;
        if (font_catalog_find(&font, family, l->arena))
            *arena_push(l->arena, &found) = font;
        else
            good = has_attached_fonts(l) || warn_unknown_family(l, family);
    }
    for (size_t i = 0; good && i < found.count; i++) {
        FontSources file;
        good = text_fonts_load(&file, &l->film->font_files, found.items[i].path, l->arena, l->diag);
        if (good)
            add_font(l, &file.items[0]);
    }
    return good;
}

/* libass draws outlines only. */
static FontSources outlines_of(const FontSources *fonts, Arena *arena)
{
    FontSources out = {0};
    for (size_t i = 0; i < fonts->count; i++)
        if (fonts->items[i].path && !fonts->items[i].colors)
            *arena_push(arena, &out) = fonts->items[i];
    return out;
}

/* All as one family.  Those that cannot be renamed are skipped; if it is the first, it is the only
 * one. */
static void add_fallback(Loader *l, const FontSources *fonts)
{
    Subtitles *subtitles = &l->film->subtitles;
    subtitles->family = COMMON_FAMILY;
    for (size_t i = 0; i < fonts->count; i++) {
        FontSource renamed = fonts->items[i];
        renamed.bytes = font_rename(&fonts->items[i], COMMON_FAMILY, l->arena);
        renamed.path = arena_printf(l->arena, "%s %zu", COMMON_FAMILY, i);
        if (!renamed.bytes.data && !i) {
            subtitles->family = fonts->items[0].family;
            add_font(l, &fonts->items[0]);
            return;
        }
        if (!renamed.bytes.data)
            continue;
        *arena_push(l->arena, &subtitles->fonts) = renamed;
        *arena_push(l->arena, &l->used) = fonts->items[i];
    }
}

/* ---- characters ---- */

/* Removes what libass would draw as boxes: characters that only fonts with colors have, and
 * selectors and joiners that are in no font. */
static bool remove_pictures(Loader *l, const FontSources *fonts, const FontSources *outlines)
{
    const FontSpec all_spec = {.sources = *fonts, .size = FONT_BUILT_IN_EM};
    const FontSpec outline_spec = {.sources = *outlines, .size = FONT_BUILT_IN_EM};
    Font *all = font_open(&all_spec, l->diag), *outline = font_open(&outline_spec, l->diag);
    const utf8proc_uint8_t *at = (const utf8proc_uint8_t *)l->script.text;
    char *text = arena_strdup(l->arena, l->script.text), *to = text;
    const char *first = NULL;
    size_t count = 0;
    for (utf8proc_int32_t c; all && outline && *at;) {
        const utf8proc_ssize_t size = utf8proc_iterate(at, -1, &c), bytes = size > 0 ? size : 1;
        const bool missing = size > 0 && c > 0x7F && !font_has(outline, (uint32_t)c);
        if (missing && font_has(all, (uint32_t)c)) {
            first = count++ ? first : arena_strndup(l->arena, (const char *)at, (size_t)size);
        } else if (!missing || !utf8proc_get_property(c)->ignorable) {
            memcpy(to, at, (size_t)bytes);
            to += bytes;
        }
        at += bytes;
    }
    const bool good = all && outline;
    font_close(all);
    font_close(outline);
    *to = '\0';
    l->script.text = text;
    if (!good || !count)
        return good;
    return scan(l) &&
           diag_warn_at(l->diag, l->location, WARN_MISSING_GLYPH,
                        "%zu character%s only in fonts with colors, e.g. '%s': left out; install a "
                        "font that has outlines of them, such as fonts-symbola",
                        count, count == 1 ? " is" : "s are", first);
}

static bool check_glyphs(Loader *l, const FontSources *fonts)
{
    const char *font = l->job->font ? l->job->font : FONT_AUTO;
    return has_attached_fonts(l) ||
           film_fonts_check(l->film, "subtitles", fonts, font, l->facts.text, l->arena, l->diag);
}

static bool use_installed(Loader *l)
{
    const FontSources fonts = text_fonts_find(&l->film->font_files, l->facts.text, l->arena);
    const FontSources outlines = outlines_of(&fonts, l->arena);
    if (!outlines.count)
        return diag_warn_at(l->diag, l->location, WARN_SUBTITLES,
                            "no font is installed%s: only lines with an attached font are drawn; "
                            "install fonts-noto-cjk or fonts-ipafont, or set subtitles.font",
                            font_catalog_version() ? ""
                                                   : " that fontconfig, which is missing in "
                                                     "this program, could find");
    add_fallback(l, &outlines);
    return (has_attached_fonts(l) || remove_pictures(l, &fonts, &outlines)) && add_families(l);
}

static bool load_fonts(Loader *l)
{
    const char *path = job_subtitle_font(l->film->job);
    subtitle_fonts_add_attached(&l->film->subtitles.attached, l->script.text, l->arena);
    if (!(path ? use_file(l, path) : use_installed(l)))
        return false;
    film_fonts_add(l->film, "subtitles", l->used, l->arena);
    return !l->used.count || check_glyphs(l, &l->used);
}

/* ---- times ---- */

int64_t subtitle_time_ms(const Film *film, int64_t frame)
{
    const Rational fps = film->job->render.fps;
    const int64_t offset_ms = llround(film->job->subtitles->offset_s * 1000);
    return frame * 1000 * fps.den / fps.num - offset_ms;
}

static bool warn_times(const Loader *l)
{
    const FrameRanges *frames = &l->film->frames;
    const int64_t end = subtitle_time_ms(l->film, frames->items[frames->count - 1].last + 1);
    if (!l->facts.event_count)
        return diag_warn_at(l->diag, l->location, WARN_SUBTITLES, "the file has no subtitles");
    if (l->film->job->render.frames.count || l->facts.end_ms <= end)
        return true;
    return diag_warn_at(l->diag, l->location, WARN_SUBTITLES,
                        "the last subtitle ends %.2f s after the film",
                        (double)(l->facts.end_ms - end) / 1000);
}

/* ---- sizes ---- */

/* A font of a stranger: its largest glyphs count in the estimate of the memory. */
static bool measure_font(Loader *l, const FontSource *font)
{
    double growth = 1;
    if (!subtitle_fonts_measure(&growth, font->bytes, l->diag))
        return false;
    const double bytes = l->facts.peak.bytes * growth;
    l->film->subtitles.peak_bytes = fmax(l->film->subtitles.peak_bytes, bytes);
    return limit_check(&l->film->job->host.subtitles_mib, ceil(bytes / (1 << 20)), " MiB", l->diag);
}

static bool measure_fonts(Loader *l)
{
    const FontSources *fonts = &l->film->subtitles.attached;
    const char *path = job_subtitle_font(l->film->job);
    diag_file(l->diag, path);
    if (path && !measure_font(l, &l->used.items[0]))
        return false;
    diag_file(l->diag, l->job->file);
    for (size_t i = 0; i < fonts->count; i++) {
        diag_item(l->diag, "attached font", (uint32_t)i);
        if (!measure_font(l, &fonts->items[i]))
            return false;
    }
    diag_item(l->diag, NULL, 0);
    diag_file(l->diag, NULL);
    return true;
}

/* The bitmaps of lines are as large as their sizes, scales, borders and blurs make them. */
static bool check_memory(const Loader *l)
{
    const SubtitlePeak *peak = &l->facts.peak;
    l->film->subtitles.peak_bytes = peak->bytes;
    diag_file(l->diag, l->job->file);
    diag_item(l->diag, "subtitle", peak->line);
    const bool good = limit_check(&l->film->job->host.subtitles_mib, ceil(peak->bytes / (1 << 20)),
                                  " MiB", l->diag);
    diag_item(l->diag, NULL, 0);
    return good;
}

static bool warn_outside(const Loader *l)
{
    const RenderOptions *r = &l->film->render;
    SubtitleOutside outside;
    if (!subtitles_find_outside(&outside, &l->film->subtitles, r->width, r->height, l->diag))
        return false;
    return !outside.count ||
           diag_warn_at(l->diag, l->location, WARN_SUBTITLES,
                        "%zu line%s out of the frame, first at %.2f s (subtitle %zu: %.0f%% of the "
                        "frame's width, %.0f%% of its height): break it or lower subtitles.scale",
                        outside.count, outside.count == 1 ? " reaches" : "s reach",
                        (double)outside.time_ms / 1000, outside.line, 100 * outside.width,
                        100 * outside.height);
}

/* ---- loading ---- */

static bool load_script(Loader *l)
{
    Arena *bytes_arena = arena_create();
    Bytes bytes;
    diag_file(l->diag, l->job->file);
    const bool ok = file_load(&bytes, l->job->file, SUBTITLE_MAX_BYTES, bytes_arena, l->diag) &&
                    subtitle_text_read(&l->script, bytes, l->film->render.width,
                                       l->film->render.height, l->arena, l->diag) &&
                    scan(l) && check_memory(l);
    arena_destroy(bytes_arena);
    return ok;
}

/* Scripts have layouts of their own. */
static bool wrap(Loader *l)
{
    const SubtitleWrap settings = {l->used, l->film->render.width, l->film->render.height,
                                   l->job->scale};
    if (!l->script.layout.width || !l->used.count)
        return true;
    return subtitle_wrap(&l->script, &settings, l->arena, l->diag) && scan(l) && check_memory(l);
}

bool subtitle_load(Film *film, Arena *arena, Diag *diag)
{
    const JobSubtitles *job = film->job->subtitles;
    if (!job)
        return true;
    Loader l = {.film = film,
                .job = job,
                .location = job_location(film->job, "subtitles.file", NULL, arena),
                .arena = arena,
                .diag = diag};
    film->subtitles = (Subtitles){.scale = job->scale};
    bool ok = load_script(&l) && load_fonts(&l) && wrap(&l) && measure_fonts(&l);
    film->subtitles.script = l.script.text;
    ok = ok && warn_outside(&l) && warn_times(&l);
    diag_file(diag, NULL);
    return ok;
}
