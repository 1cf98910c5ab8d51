/* Arbitrary bytes as subtitles: an error message, or a script whose frames can be drawn. */
#include "fuzz.h"
#include "typesetting/subtitle_text.h"
#include "typesetting/subtitles.h"

enum { WIDTH = 64, HEIGHT = 36 };

static void draw(const char *script, const SubtitleFacts *facts, Diag *diag)
{
    static uint8_t pixels[4 * WIDTH * HEIGHT];
    static const int64_t times_ms[] = {0, 700, 1200};
    Image image = {WIDTH, HEIGHT, true, pixels};
    const Subtitles subtitles = {.script = script, .family = "Fixture", .scale = 1};
    SubtitleRenderer *renderer = subtitle_renderer_create(&subtitles, WIDTH, HEIGHT, diag);
    fuzz_require(renderer != NULL);
    for (size_t i = 0; i < sizeof times_ms / sizeof *times_ms; i++)
        subtitle_renderer_draw(&image, renderer, times_ms[i]);
    subtitle_renderer_draw(&image, renderer, facts->first_ms);
    subtitle_renderer_destroy(renderer);
}

static bool load(Bytes bytes, Arena *arena, Diag *diag)
{
    const char *script;
    SubtitleFacts facts;
    if (!subtitle_text_read(&script, bytes, arena, diag))
        return false;
    if (!subtitles_version())
        return true;
    if (!subtitles_scan(&facts, script, &(SubtitleFrame){WIDTH, HEIGHT, 1}, arena, diag))
        return false;
    fuzz_require(facts.event_count <= SUBTITLE_MAX_EVENTS + 2);
    draw(script, &facts, diag);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_loader(load, data, size, 64 * size);
}
