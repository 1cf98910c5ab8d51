// SPDX-License-Identifier: MIT
/*
 * Arbitrary bytes as subtitles: an error message, or a script whose frames can be drawn.  Attached
 * fonts are measured as for a film, and what needs more memory than MAX_BYTES is not drawn: with
 * -malloc_limit_mb libFuzzer finds scripts that need more than was estimated.
 */
#include "fuzz.h"
#include "typesetting/subtitle_fonts.h"
#include "typesetting/subtitle_wrap.h"
#include "typesetting/subtitles.h"

enum { WIDTH = 64, HEIGHT = 36, MAX_BYTES = 32 << 20 };

/* Whether all fonts are good, and the script is small with them. */
static bool add_fonts(Subtitles *subtitles, Arena *arena, Diag *diag)
{
    double growth = 1;
    subtitle_fonts_add_attached(&subtitles->attached, subtitles->script, arena);
    for (size_t i = 0; i < subtitles->attached.count; i++)
        if (!subtitle_fonts_measure(&growth, subtitles->attached.items[i].bytes, diag))
            return false;
    return subtitles->peak_bytes * growth <= MAX_BYTES;
}

static void draw(const Subtitles *subtitles, const SubtitleFacts *facts, Diag *diag)
{
    static uint8_t pixels[4 * WIDTH * HEIGHT];
    static const int64_t times_ms[] = {0, 700, 1200};
    Image image = {WIDTH, HEIGHT, true, pixels};
    SubtitleRenderer *renderer = subtitle_renderer_create(subtitles, WIDTH, HEIGHT, diag);
    fuzz_require(renderer != NULL);
    for (size_t i = 0; i < sizeof times_ms / sizeof *times_ms; i++)
        subtitle_renderer_draw(&image, renderer, times_ms[i]);
    subtitle_renderer_draw(&image, renderer, facts->first_ms);
    subtitle_renderer_destroy(renderer);
    SubtitleOutside outside;
    fuzz_require(subtitles_find_outside(&outside, subtitles, WIDTH, HEIGHT, diag));
}

static bool load(Bytes bytes, Arena *arena, Diag *diag)
{
    SubtitleScript script;
    SubtitleFacts facts;
    if (!subtitle_text_read(&script, bytes, HEIGHT, WIDTH, arena, diag))
        return false;
    const SubtitleWrap wrap = {.width = HEIGHT, .height = WIDTH, .scale = 1};
    if (script.layout.width) /* in the built-in font */
        fuzz_require(subtitle_wrap(&script, &wrap, arena, diag));
    if (!subtitles_version())
        return true;
    if (!subtitles_scan(&facts, script.text, &(SubtitleFrame){WIDTH, HEIGHT, 1}, arena, diag))
        return false;
    fuzz_require(facts.event_count <= SUBTITLE_MAX_EVENTS + 2);
    Subtitles subtitles = {
        .script = script.text, .family = "Fixture", .scale = 1, .peak_bytes = facts.peak.bytes};
    if (add_fonts(&subtitles, arena, diag))
        draw(&subtitles, &facts, diag);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_loader(load, data, size, 64 * size);
}
