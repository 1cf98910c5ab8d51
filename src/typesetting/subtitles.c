// SPDX-License-Identifier: MIT
#include "typesetting/subtitles.h"

#ifdef HAVE_LIBASS

#include <ass/ass.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/parser_entry.h"
#include "base/text.h"
#include "base/text_stream.h"
#include "typesetting/subtitle_memory.h"
#include "typesetting/text_draw.h"

/* Hostile scripts can overlap all of their lines. */
enum { MAX_REPLAYED = 64 };
enum { MAX_CACHED_GLYPHS = 4096, MAX_CACHED_MIB = 64 };

struct SubtitleRenderer {
    Arena *arena;
    ASS_Library *library;
    ASS_Renderer *renderer;
    ASS_Track *track;
    ASS_Event *events; /* all of the script; the track has the shown ones while a frame is drawn */
    int event_count;
    bool *placed;     /* [event_count]: at a position of its own, which collides with nothing */
    ASS_Event *shown; /* [event_count] */
};

const char *subtitles_version(void)
{
    static const char version[] = {'0' + (LIBASS_VERSION >> 28 & 15),
                                   '.',
                                   '0' + (LIBASS_VERSION >> 24 & 15),
                                   '0' + (LIBASS_VERSION >> 20 & 15),
                                   '.',
                                   '0' + (LIBASS_VERSION >> 12 & 15),
                                   '\0'};
    return version;
}

/* ---- reading ---- */

static void ignore_message(int level, const char *format, va_list args, void *user)
{
    (void)level;
    (void)format;
    (void)args;
    (void)user;
}

static bool fail_memory(Diag *diag)
{
    return diag_fail(diag, DIAG_RESOURCE, "out of memory for subtitles");
}

static ASS_Library *open_library(void)
{
    unsetenv("FREETYPE_PROPERTIES"); /* it would change the glyphs */
    ASS_Library *library = ass_library_init();
    if (!library)
        return NULL;
    ass_set_message_cb(library, ignore_message, NULL);
    ass_set_extract_fonts(library, 0); /* add_fonts adds those that were checked */
    return library;
}

/* libass writes into the text. */
static ASS_Track *read_track(ASS_Library *library, const char *script, Arena *arena)
{
    parser_enter("ass");
    char *text = arena_strdup(arena, script);
    return ass_read_memory(library, text, strlen(text), NULL);
}

/* ---- what a script contains ---- */

static void add_family(SubtitleFacts *facts, const char *name, size_t size, Arena *arena)
{
    const bool vertical = size && *name == '@'; /* written from top to bottom */
    name = arena_strndup(arena, name + vertical, size - vertical);
    if (*name &&
        text_find_ignoring_case(TEXT_WORDS(facts->families.items, facts->families.count), name) < 0)
        *arena_push(arena, &facts->families) = name;
}

static void scan_tags(SubtitleFacts *facts, const char *tags, size_t size, Arena *arena)
{
    for (const char *at = tags; (at = memmem(at, size - (size_t)(at - tags), "\\fn", 3)) != NULL;) {
        at += 3;
        const char *end = at;
        while (end < tags + size && *end != '\\' && *end != ')')
            end++;
        add_family(facts, at, (size_t)(end - at), arena);
    }
}

static void scan_text(FILE *out, SubtitleFacts *facts, const char *text, Arena *arena)
{
    while (*text) {
        const char *end = *text == '{' ? strchr(text, '}') : NULL;
        if (end) {
            scan_tags(facts, text, (size_t)(end - text), arena);
            text = end + 1;
        } else if (*text == '\\' && text[1] && strchr("Nnh{}", text[1])) {
            text += 2;
        } else {
            fputc(*text++, out);
        }
    }
}

static void add_style(SubtitleFacts *facts, const ASS_Style *style, Arena *arena)
{
    if (style->FontName)
        add_family(facts, style->FontName, strlen(style->FontName), arena);
}

static void scan_events(SubtitleFacts *facts, const ASS_Track *track, Arena *arena)
{
    TextStream stream;
    FILE *out = text_stream_open(&stream, arena);
    for (int i = 0; i < track->n_events; i++) {
        const ASS_Event *event = &track->events[i];
        const int64_t end = event->Start + event->Duration;
        if (!i || event->Start < facts->first_ms)
            facts->first_ms = event->Start;
        if (!i || end > facts->end_ms)
            facts->end_ms = end;
        /* Styles that no line has do not matter, unless a tag selects one by its name. */
        if (event->Style >= 0 && event->Style < track->n_styles)
            add_style(facts, &track->styles[event->Style], arena);
        for (int k = 1; event->Text && strstr(event->Text, "\\r") && k < track->n_styles; k++)
            add_style(facts, &track->styles[k], arena);
        scan_text(out, facts, event->Text ? event->Text : "", arena);
    }
    facts->event_count = (size_t)track->n_events;
    facts->text = text_stream_close(&stream);
}

bool subtitles_scan(SubtitleFacts *out, const char *script, const SubtitleFrame *frame,
                    Arena *arena, Diag *diag)
{
    ASS_Library *library = open_library();
    ASS_Track *track = library ? read_track(library, script, arena) : NULL;
    *out = (SubtitleFacts){.text = ""};
    if (track) {
        scan_events(out, track, arena);
        out->peak = subtitle_memory_peak(track, frame, arena);
        ass_free_track(track);
    }
    if (library)
        ass_library_done(library);
    return track || (library ? diag_error(diag, "not a script of Advanced SubStation Alpha")
                             : fail_memory(diag));
}

/* ---- creating ---- */

static bool is_placed(const ASS_Event *event)
{
    return !event->Text || strstr(event->Text, "\\pos") || strstr(event->Text, "\\move") ||
           (event->Effect && *event->Effect);
}

static void add_fonts(const SubtitleRenderer *r, const FontSources *fonts)
{
    for (size_t i = 0; i < fonts->count; i++)
        ass_add_font(r->library, fonts->items[i].path, (const char *)fonts->items[i].bytes.data,
                     (int)fonts->items[i].bytes.size);
}

static bool open_renderer(SubtitleRenderer *r, const Subtitles *subtitles, int width, int height)
{
    r->library = open_library();
    if (!r->library)
        return false;
    add_fonts(r, &subtitles->fonts);
    add_fonts(r, &subtitles->attached);
    r->track = read_track(r->library, subtitles->script, r->arena);
    r->renderer = r->track ? ass_renderer_init(r->library) : NULL;
    if (!r->renderer)
        return false;
    ass_set_storage_size(r->renderer, width, height);
    ass_set_frame_size(r->renderer, width, height);
    ass_set_pixel_aspect(r->renderer, 1);
    ass_set_hinting(r->renderer, ASS_HINTING_NONE);
    ass_set_font_scale(r->renderer, subtitles->scale);
    ass_set_cache_limits(r->renderer, MAX_CACHED_GLYPHS, MAX_CACHED_MIB);
    ass_set_fonts(r->renderer, NULL, subtitles->family, ASS_FONTPROVIDER_NONE, NULL, 0);
    return true;
}

SubtitleRenderer *subtitle_renderer_create(const Subtitles *subtitles, int width, int height,
                                           Diag *diag)
{
    Arena *arena = arena_create();
    SubtitleRenderer *r = arena_array(arena, SubtitleRenderer, 1);
    r->arena = arena;
    if (open_renderer(r, subtitles, width, height)) {
        r->events = r->track->events;
        r->event_count = r->track->n_events;
        r->placed = arena_array(r->arena, bool, (size_t)r->event_count);
        r->shown = arena_array(r->arena, ASS_Event, (size_t)r->event_count);
        for (int i = 0; i < r->event_count; i++)
            r->placed[i] = is_placed(&r->events[i]);
        return r;
    }
    subtitle_renderer_destroy(r);
    fail_memory(diag);
    return NULL;
}

void subtitle_renderer_destroy(SubtitleRenderer *r)
{
    if (!r)
        return;
    if (r->renderer)
        ass_renderer_done(r->renderer);
    if (r->track)
        ass_free_track(r->track);
    if (r->library)
        ass_library_done(r->library);
    arena_destroy(r->arena);
}

/* ---- the lines of a frame ---- */

static bool is_visible(const ASS_Event *event, int64_t time_ms)
{
    return event->Start <= time_ms && time_ms - event->Start < event->Duration;
}

/* The start of the lines that collided, one after the other, up to those of this time. */
static int64_t find_start(const SubtitleRenderer *r, int64_t time_ms)
{
    int64_t start = time_ms;
    for (bool found = true; found;) {
        found = false;
        for (int i = 0; i < r->event_count; i++)
            if (!r->placed[i] && r->events[i].Start < start && is_visible(&r->events[i], start)) {
                start = r->events[i].Start;
                found = true;
            }
    }
    return start;
}

static int show(SubtitleRenderer *r, int count, int index)
{
    r->shown[count] = r->events[index];
    r->shown[count].render_priv = NULL;
    return count + 1;
}

/* Fills `shown` with the visible lines, and those before them that decide on their places. */
static int choose_shown(SubtitleRenderer *r, int64_t start, int64_t time_ms)
{
    int count = 0;
    for (int i = 0; i < r->event_count; i++) {
        const ASS_Event *event = &r->events[i];
        const bool before = !r->placed[i] && event->Start >= start && event->Start <= time_ms;
        if (before || is_visible(event, time_ms))
            count = show(r, count, i);
    }
    return count;
}

/* The next start of a line after `after`; INT64_MAX if there is none. */
static int64_t next_start(const SubtitleRenderer *r, int count, int64_t after)
{
    int64_t next = INT64_MAX;
    for (int i = 0; i < count; i++)
        if (r->shown[i].Start > after && r->shown[i].Start < next)
            next = r->shown[i].Start;
    return next;
}

/* libass keeps a line where it was first drawn; so the moments at which lines appear come first. */
static const ASS_Image *render(const SubtitleRenderer *r, int count, int64_t start, int64_t time_ms)
{
    if (count > 1 && count <= MAX_REPLAYED)
        for (int64_t at = next_start(r, count, start - 1); at < time_ms;
             at = next_start(r, count, at))
            ass_render_frame(r->renderer, r->track, at, NULL);
    return ass_render_frame(r->renderer, r->track, time_ms, NULL);
}

/* ---- drawing ---- */

static void draw_image(Image *image, const ASS_Image *part)
{
    const uint8_t color[3] = {(uint8_t)(part->color >> 24), (uint8_t)(part->color >> 16),
                              (uint8_t)(part->color >> 8)};
    const unsigned opacity = 255 - (part->color & 255);
    for (int y = 0; y < part->h; y++)
        for (int x = 0; x < part->w; x++) {
            const int to_x = part->dst_x + x, to_y = part->dst_y + y;
            if (to_x < 0 || to_y < 0 || to_x >= image->width || to_y >= image->height)
                continue;
            const unsigned cover = part->bitmap[(ptrdiff_t)y * part->stride + x];
            text_blend(image->pixels + 4 * ((size_t)to_y * (size_t)image->width + (size_t)to_x),
                       color, (cover * opacity + 127) / 255);
        }
}

static bool has_visible(const SubtitleRenderer *r, int64_t time_ms)
{
    for (int i = 0; i < r->event_count; i++)
        if (is_visible(&r->events[i], time_ms))
            return true;
    return false;
}

void subtitle_renderer_draw(Image *image, SubtitleRenderer *r, int64_t time_ms)
{
    if (!has_visible(r, time_ms))
        return;
    const int64_t start = find_start(r, time_ms);
    const int count = choose_shown(r, start, time_ms);
    r->track->events = r->shown;
    r->track->n_events = count;
    for (const ASS_Image *part = render(r, count, start, time_ms); part; part = part->next)
        draw_image(image, part);
    for (int i = 0; i < count; i++)
        memory_free(r->shown[i].render_priv);
    r->track->events = r->events;
    r->track->n_events = r->event_count;
}

/* ---- lines that do not fit ---- */

/* The side of the frame in which lines are measured: its layout does not depend on its size. */
enum { MAX_MEASURED = 2000, MEASURED_SIDE = 240, TOLERANCE = MEASURED_SIDE / 100 };
enum { MAX_SCRIPT_SIDE = 1 << 20 }; /* of a script whose lines are measured */

static bool is_measured(int side)
{
    return side >= 0 && side <= MAX_SCRIPT_SIDE; /* 0: libass chooses it */
}

/* libass clips lines to the frame.  So the frame and the script become three times as wide and as
 * high, and lines keep their place in the middle by their margins.  False if it is out of range. */
static bool enlarge_script(const SubtitleRenderer *r)
{
    ass_render_frame(r->renderer, r->track, -1, NULL); /* it sets a resolution that is not given */
    if (!is_measured(r->track->PlayResX) || !is_measured(r->track->PlayResY))
        return false;
#if LIBASS_VERSION >= 0x01700000
    if (!is_measured(r->track->LayoutResX) || !is_measured(r->track->LayoutResY))
        return false;
#endif
    r->track->PlayResX *= 3;
    r->track->PlayResY *= 3;
#if LIBASS_VERSION >= 0x01700000
    r->track->LayoutResX *= 3;
    r->track->LayoutResY *= 3;
#endif
    return true;
}

static int widen_margin(int own, int of_style, int side)
{
    const int margin = own ? own : of_style;
    return side / 3 + (margin < MAX_SCRIPT_SIDE ? margin : MAX_SCRIPT_SIDE);
}

static void add_margins(ASS_Event *event, const ASS_Track *track)
{
    const ASS_Style *style =
        &track->styles[event->Style >= 0 && event->Style < track->n_styles ? event->Style : 0];
    event->MarginL = widen_margin(event->MarginL, style->MarginL, track->PlayResX);
    event->MarginR = widen_margin(event->MarginR, style->MarginR, track->PlayResX);
    event->MarginV = widen_margin(event->MarginV, style->MarginV, track->PlayResY);
}

/* Extends a rectangle by the ink of a bitmap. */
static void add_ink(ImageRect *all, const ASS_Image *part)
{
    for (int y = 0; y < part->h; y++)
        for (int x = 0; x < part->w; x++) {
            const int at_x = part->dst_x + x, at_y = part->dst_y + y;
            if (part->bitmap[(ptrdiff_t)y * part->stride + x] < 128)
                continue;
            if (all->right <= all->left)
                *all = (ImageRect){at_x, at_y, at_x + 1, at_y + 1};
            all->left = at_x < all->left ? at_x : all->left;
            all->top = at_y < all->top ? at_y : all->top;
            all->right = at_x >= all->right ? at_x + 1 : all->right;
            all->bottom = at_y >= all->bottom ? at_y + 1 : all->bottom;
        }
}

/* What the letters of a line cover, without borders and shadows. */
static ImageRect measure_event(SubtitleRenderer *r, int index)
{
    const ASS_Event *event = &r->events[index];
    ImageRect all = {0};
    show(r, 0, index);
    add_margins(&r->shown[0], r->track);
    r->track->events = r->shown;
    r->track->n_events = 1;
    const ASS_Image *part =
        ass_render_frame(r->renderer, r->track, event->Start + event->Duration / 2, NULL);
    for (; part; part = part->next)
        if (part->type == IMAGE_TYPE_CHARACTER)
            add_ink(&all, part);
    memory_free(r->shown[0].render_priv);
    r->track->events = r->events;
    r->track->n_events = r->event_count;
    return all;
}

static bool is_outside(const ImageRect *rect, int width, int height)
{
    return rect->left < width - TOLERANCE || rect->right > 2 * width + TOLERANCE ||
           rect->top < height - TOLERANCE || rect->bottom > 2 * height + TOLERANCE;
}

static void find_outside(SubtitleOutside *out, SubtitleRenderer *r, int width, int height)
{
    for (int i = 0; i < r->event_count && i < MAX_MEASURED; i++) {
        if (r->placed[i] || r->events[i].Duration <= 0)
            continue;
        const ImageRect rect = measure_event(r, i);
        if (rect.right <= rect.left || !is_outside(&rect, width, height) || out->count++)
            continue;
        out->line = (size_t)i;
        out->time_ms = r->events[i].Start;
        out->width = (double)(rect.right - rect.left) / width;
        out->height = (double)(rect.bottom - rect.top) / height;
    }
}

bool subtitles_find_outside(SubtitleOutside *out, const Subtitles *subtitles, int width, int height,
                            Diag *diag)
{
    const double factor = (double)MEASURED_SIDE / (width < height ? width : height);
    const int own_width = (int)lround(width * factor), own_height = (int)lround(height * factor);
    SubtitleRenderer *r = subtitle_renderer_create(subtitles, own_width, own_height, diag);
    *out = (SubtitleOutside){0};
    if (!r)
        return false;
    ass_set_storage_size(r->renderer, 3 * own_width, 3 * own_height);
    ass_set_frame_size(r->renderer, 3 * own_width, 3 * own_height);
    if (enlarge_script(r))
        find_outside(out, r, own_width, own_height);
    subtitle_renderer_destroy(r);
    return true;
}

#else

const char *subtitles_version(void)
{
    return NULL;
}

bool subtitles_scan(SubtitleFacts *out, const char *script, const SubtitleFrame *frame,
                    Arena *arena, Diag *diag)
{
    (void)out;
    (void)script;
    (void)frame;
    (void)arena;
    return diag_fail(diag, DIAG_RESOURCE,
                     "subtitles need libass; this program was built without it");
}

bool subtitles_find_outside(SubtitleOutside *out, const Subtitles *subtitles, int width, int height,
                            Diag *diag)
{
    (void)subtitles;
    (void)width;
    (void)height;
    (void)diag;
    *out = (SubtitleOutside){0};
    return true;
}

SubtitleRenderer *subtitle_renderer_create(const Subtitles *subtitles, int width, int height,
                                           Diag *diag)
{
    (void)subtitles;
    (void)width;
    (void)height;
    diag_fail(diag, DIAG_RESOURCE, "subtitles need libass; this program was built without it");
    return NULL;
}

void subtitle_renderer_destroy(SubtitleRenderer *renderer)
{
    (void)renderer;
}

void subtitle_renderer_draw(Image *image, SubtitleRenderer *renderer, int64_t time_ms)
{
    (void)image;
    (void)renderer;
    (void)time_ms;
}

#endif
