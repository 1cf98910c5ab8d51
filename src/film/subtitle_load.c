// SPDX-License-Identifier: MIT
#include "film/subtitle_load.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <utf8proc.h>

#include "base/file.h"
#include "film/film.h"
#include "typesetting/font_catalog.h"
#include "typesetting/subtitle_text.h"

/* The name of the fonts of SubRip files, and of many scripts that do not care. */
static const char ANY_FAMILY[] = "sans-serif";

typedef struct Loader {
    Film *film;
    const JobSubtitles *job;
    SubtitleFacts facts;
    SubtitleFonts fonts;
    const DiagLocation *location;
    Arena *arena;
    Diag *diag;
} Loader;

/* ---- fonts ---- */

static bool add_font(Loader *l, const char *path)
{
    for (size_t i = 0; i < l->fonts.count; i++)
        if (!strcmp(l->fonts.items[i].path, path))
            return true;
    SubtitleFont font = {.path = path};
    diag_file(l->diag, path);
    if (!file_load(&font.bytes, path, FILE_MAX_SIZE, l->arena, l->diag))
        return false;
    diag_file(l->diag, NULL);
    *arena_push(l->arena, &l->fonts) = font;
    return true;
}

/* A font of a stranger: its largest glyphs count in the estimate of the memory. */
static bool measure_font(Loader *l, const SubtitleFont *font)
{
    double growth = 1;
    if (!subtitle_fonts_measure(&growth, font->bytes, l->diag))
        return false;
    const double bytes = l->facts.peak.bytes * growth;
    l->film->subtitles.peak_bytes = fmax(l->film->subtitles.peak_bytes, bytes);
    return limit_check(&l->film->job->host.subtitles_mib, ceil(bytes / (1 << 20)), " MiB", l->diag);
}

/* The font of a file: for everything whose font is not attached to the script. */
static bool use_file(Loader *l, const char *path)
{
    if (!add_font(l, path))
        return false;
    const FontSpec spec = {.source = {l->fonts.items[0].bytes, 0}, .pixels_per_em = 16};
    diag_file(l->diag, path);
    Font *font = font_open(&spec, l->diag);
    const char *family = font ? font_family(font, l->arena) : NULL;
    font_close(font);
    if (font && !family)
        return diag_error(l->diag, "the font has no family name");
    const bool good = font && measure_font(l, &l->fonts.items[0]);
    diag_file(l->diag, NULL);
    l->film->subtitles.family = family;
    return good;
}

static bool warn_unknown_family(Loader *l, const char *family, const char *used)
{
    return diag_warn_at(l->diag, l->location, WARN_SUBTITLES,
                        "the font '%s' is not installed; %s%s%s is used", family, used ? "'" : "",
                        used ? used : "none", used ? "'" : "");
}

/* Fonts attached to a script have names and characters that are known to libass only. */
static bool has_attached_fonts(const Loader *l)
{
    return l->film->subtitles.attached.count != 0;
}

static bool add_family(Loader *l, const char *family)
{
    FontFile found;
    if (!strcmp(family, ANY_FAMILY))
        return true;
    if (font_catalog_find(&found, family, "", l->arena) && found.same_family)
        return add_font(l, found.path);
    return has_attached_fonts(l) || warn_unknown_family(l, family, l->film->subtitles.family);
}

static size_t count_missing(Font *font, const char *text, uint32_t *first, Arena *arena)
{
    ShapedText line;
    size_t count = 0;
    font_shape(&line, font, text, arena);
    for (size_t i = 0; i < line.count; i++)
        if (line.items[i].missing && line.items[i].character > ' ' && !count++)
            *first = line.items[i].character;
    return count;
}

/* By the font of lines whose own is not there: those of a script often have only some characters.
 */
static bool check_glyphs(Loader *l, const SubtitleFont *file, long face)
{
    const FontSpec spec = {.source = {file->bytes, face}, .pixels_per_em = 16};
    Arena *scratch = arena_create();
    utf8proc_uint8_t text[5] = {0};
    uint32_t first = 0;
    diag_file(l->diag, file->path);
    Font *font = font_open(&spec, l->diag);
    diag_file(l->diag, NULL);
    const size_t count = font ? count_missing(font, l->facts.text, &first, scratch) : 0;
    font_close(font);
    arena_destroy(scratch);
    utf8proc_encode_char((utf8proc_int32_t)first, text);
    return font && (!count || has_attached_fonts(l) ||
                    diag_warn_at(l->diag, l->location, WARN_MISSING_GLYPH,
                                 "%zu character%s not in the font '%s', e.g. U+%04" PRIX32
                                 " '%s'; install a font that has them, such as fonts-noto-cjk or "
                                 "fonts-ipafont",
                                 count, count == 1 ? " is" : "s are", l->film->subtitles.family,
                                 first, (const char *)text));
}

static bool use_installed(Loader *l)
{
    FontFile found;
    if (!font_catalog_find(&found, NULL, l->facts.text, l->arena))
        return diag_warn_at(l->diag, l->location, WARN_SUBTITLES,
                            "no font is installed%s: only lines with an attached font are drawn; "
                            "install fonts-noto-cjk or fonts-ipafont, or set subtitles.font",
                            font_catalog_version() ? ""
                                                   : " that fontconfig, which is missing in "
                                                     "this program, could find");
    l->film->subtitles.family = found.family;
    if (!add_font(l, found.path) || !check_glyphs(l, &l->fonts.items[0], found.face))
        return false;
    for (size_t i = 0; i < l->facts.families.count; i++)
        if (!add_family(l, l->facts.families.items[i]))
            return false;
    return true;
}

static bool load_attached(Loader *l)
{
    SubtitleFonts *fonts = &l->film->subtitles.attached;
    subtitle_fonts_add_attached(fonts, l->film->subtitles.script, l->arena);
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

static bool load_fonts(Loader *l)
{
    const char *path = job_subtitle_font(l->film->job);
    if (!load_attached(l) || !(path ? use_file(l, path) : use_installed(l)))
        return false;
    l->film->subtitles.fonts = l->fonts;
    return true;
}

/* ---- times ---- */

int64_t subtitle_time_ms(const Film *film, int64_t frame)
{
    const JobRational fps = film->job->render.fps;
    const int64_t offset_ms = llround(film->job->subtitles->offset_s * 1000);
    return frame * 1000 * fps.den / fps.num - offset_ms;
}

static bool warn_times(const Loader *l)
{
    const JobFrames *frames = &l->film->frames;
    const int64_t end = subtitle_time_ms(l->film, frames->items[frames->count - 1].last + 1);
    if (!l->facts.event_count)
        return diag_warn_at(l->diag, l->location, WARN_SUBTITLES, "the file has no subtitles");
    if (l->film->job->render.frames.count || l->facts.end_ms <= end)
        return true;
    return diag_warn_at(l->diag, l->location, WARN_SUBTITLES,
                        "the last subtitle ends %.2f s after the film",
                        (double)(l->facts.end_ms - end) / 1000);
}

/* ---- loading ---- */

/* The bitmaps of lines are as large as their sizes, scales, borders and blurs make them. */
static bool check_memory(const Loader *l)
{
    const SubtitlePeak *peak = &l->facts.peak;
    l->film->subtitles.peak_bytes = peak->bytes;
    diag_item(l->diag, "subtitle", peak->line);
    const bool good = limit_check(&l->film->job->host.subtitles_mib, ceil(peak->bytes / (1 << 20)),
                                  " MiB", l->diag);
    diag_item(l->diag, NULL, 0);
    return good;
}

static bool load_script(Loader *l)
{
    const SubtitleFrame frame = {l->film->render.width, l->film->render.height,
                                 l->film->subtitles.scale};
    Arena *bytes_arena = arena_create();
    Bytes bytes;
    diag_file(l->diag, l->job->file);
    const bool ok =
        file_load(&bytes, l->job->file, SUBTITLE_MAX_BYTES, bytes_arena, l->diag) &&
        subtitle_text_read(&l->film->subtitles.script, bytes, l->arena, l->diag) &&
        subtitles_scan(&l->facts, l->film->subtitles.script, &frame, l->arena, l->diag) &&
        check_memory(l);
    if (ok)
        diag_file(l->diag, NULL);
    arena_destroy(bytes_arena);
    return ok;
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
    const bool ok = load_script(&l) && load_fonts(&l) && warn_times(&l);
    diag_file(diag, NULL);
    return ok;
}
