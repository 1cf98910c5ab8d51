// SPDX-License-Identifier: MIT
/* subtitles: rectangles drawn by scripts, computed by hand; frames that do not depend on others */

#include <stdio.h>
#include <string.h>

#include "diag_log.h"
#include "font_fixture.h"
#include "typesetting/font_rename.h"
#include "typesetting/subtitles.h"
#include "unit_test.h"

enum { WIDTH = 160, HEIGHT = 90 };

/* No outlines, no shadows; colors as &HAABBGGRR. */
#define HEADER                                                                                     \
    "[Script Info]\nScriptType: v4.00+\nPlayResX: 160\nPlayResY: 90\n[V4+ Styles]\n"               \
    "Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, "            \
    "BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, "             \
    "BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding\n"               \
    "Style: Default,Fixture,20,&H000000FF,&H0000FF00,&H00000000,&H00000000,0,0,0,0,100,100,0,0,1," \
    "0,0,2,0,0,0,1\n"                                                                              \
    "Style: Other,Another Font,20,&H000000FF,&H0000FF00,&H00000000,&H00000000,0,0,0,0,100,100,0,"  \
    "0,1,0,0,2,0,0,0,1\n"                                                                          \
    "Style: Unused,Third Font,20,&H000000FF,&H0000FF00,&H00000000,&H00000000,0,0,0,0,100,100,0,0," \
    "1,0,0,2,0,0,0,1\n"                                                                            \
    "[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
#define EVENT(start, end, text) "Dialogue: 0," start "," end ",Default,,0,0,0,," text "\n"

typedef struct Stage {
    Arena *arena;
    DiagLog log;
    Subtitles subtitles;
    SubtitleRenderer *renderer;
    Image image;
} Stage;

/* Skips the test in a program without libass. */
static void open_stage(Stage *s, const char *script)
{
    if (!subtitles_version())
        skip();
    s->arena = arena_create();
    diag_log_init(&s->log);
    s->subtitles = (Subtitles){.script = script, .family = "Fixture", .scale = 1};
    s->subtitles.fonts = fixture_fonts(s->arena);
    s->renderer = subtitle_renderer_create(&s->subtitles, WIDTH, HEIGHT, &s->log.diag);
    assert_non_null(s->renderer);
    s->image = (Image){WIDTH, HEIGHT, true, arena_alloc(s->arena, 4 * WIDTH * HEIGHT)};
}

static void close_stage(Stage *s)
{
    subtitle_renderer_destroy(s->renderer);
    arena_destroy(s->arena);
}

static void draw(Stage *s, int64_t time_ms)
{
    memset(s->image.pixels, 0, 4 * WIDTH * HEIGHT);
    subtitle_renderer_draw(&s->image, s->renderer, time_ms);
}

typedef struct Box {
    int left, top, right, bottom; /* inclusive; right < left without ink */
} Box;

/* Where there is ink that covers more than half. */
static Box find_ink(const Stage *s)
{
    Box box = {WIDTH, HEIGHT, -1, -1};
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            if (s->image.pixels[4 * (y * WIDTH + x) + 3] > 127) {
                box.left = x < box.left ? x : box.left;
                box.right = x > box.right ? x : box.right;
                box.top = y < box.top ? y : box.top;
                box.bottom = y > box.bottom ? y : box.bottom;
            }
    return box;
}

static void require_box(const Stage *s, const char *what, Box wanted)
{
    const Box got = find_ink(s);
    if (memcmp(&got, &wanted, sizeof got) != 0)
        fail_msg("%s: %d..%d, %d..%d", what, got.left, got.right, got.top, got.bottom);
}

#define NOTHING ((Box){WIDTH, HEIGHT, -1, -1})
#define SQUARE(x, y) "{\\an7\\pos(" #x "," #y ")\\p1}m 0 0 l 10 0 10 20 0 20{\\p0}"

static void test_times(void **state)
{
    (void)state;
    Stage s;
    open_stage(&s, HEADER EVENT("0:00:01.00", "0:00:02.00", SQUARE(30, 40))
                       EVENT("0:00:01.50", "0:00:03.00", SQUARE(100, 10)));
    const Box first = {30, 40, 39, 59}, second = {100, 10, 109, 29}, both = {30, 10, 109, 59};
    const struct {
        int64_t time_ms;
        Box box;
    } rows[] = {{999, NOTHING}, {1000, first},  {1499, first},     {1500, both},
                {1999, both},   {2000, second}, {2999, second},    {3000, NOTHING},
                {-5, NOTHING},  {1200, first},  {1000000, NOTHING}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        draw(&s, rows[i].time_ms);
        require_box(&s, "squares", rows[i].box);
    }
    close_stage(&s);
}

/* A red of half opacity over clear, over black and over white. */
static void test_colors(void **state)
{
    (void)state;
    Stage s;
    open_stage(&s, HEADER EVENT("0:00:00.00", "0:00:02.00", "{\\1a&H80&}" SQUARE(30, 40)));
    static const uint8_t below[][4] = {{0, 0, 0, 0}, {0, 0, 0, 255}, {255, 255, 255, 255}};
    static const uint8_t wanted[][4] = {{255, 0, 0, 127}, {127, 0, 0, 255}, {255, 128, 128, 255}};
    for (size_t i = 0; i < 3; i++) {
        for (size_t p = 0; p < WIDTH * HEIGHT; p++)
            memcpy(s.image.pixels + 4 * p, below[i], 4);
        subtitle_renderer_draw(&s.image, s.renderer, 1000);
        const uint8_t *inside = s.image.pixels + 4 * (50 * WIDTH + 35);
        for (int c = 0; c < 4; c++)
            assert_true(inside[c] >= wanted[i][c] - 1 && inside[c] <= wanted[i][c] + 1);
        assert_memory_equal(s.image.pixels + 4 * (50 * WIDTH + 45), below[i], 4);
    }
    close_stage(&s);
}

/* Squares of the font at the bottom, in the middle; a font that is not there is replaced. */
static void test_letters(void **state)
{
    (void)state;
    static const char *const scripts[] = {
        HEADER EVENT("0:00:00.00", "0:00:02.00", "AA"),
        HEADER "Dialogue: 0,0:00:00.00,0:00:02.00,Other,,0,0,0,,A\u8e0a\n",
    };
    for (size_t i = 0; i < 2; i++) {
        Stage s;
        open_stage(&s, scripts[i]);
        draw(&s, 500);
        /* Two squares of 10 pixels, 14 apart; the baseline is 4 above the bottom. */
        const Box box = find_ink(&s);
        assert_int_equal(box.right - box.left + 1, 24);
        assert_int_equal(box.bottom - box.top + 1, 10);
        assert_int_equal(box.bottom, HEIGHT - 4 - 1);
        assert_true(box.left >= WIDTH / 2 - 14 && box.left <= WIDTH / 2 - 10);
        close_stage(&s);
    }
}

/* The second line is above the first and stays there when the first has ended, whatever was drawn
 * before; so does a third one above it. */
static void test_collisions(void **state)
{
    (void)state;
    static const char script[] = HEADER EVENT("0:00:01.00", "0:00:03.00", "A")
        EVENT("0:00:02.00", "0:00:05.00", "A") EVENT("0:00:04.00", "0:00:06.00", "A");
    static const struct {
        int64_t time_ms;
        int bottom, top; /* of the letters, in lines from the bottom */
    } rows[] = {{1500, 0, 0}, {2500, 0, 1}, {3500, 1, 1}, {4500, 0, 1}, {5500, 0, 0}};
    enum { COUNT = sizeof rows / sizeof *rows };
    for (size_t first = 0; first < COUNT; first++) {
        Stage s;
        open_stage(&s, script);
        for (size_t i = first; i < first + COUNT; i++) { /* in order, then from the start */
            draw(&s, rows[i % COUNT].time_ms);
            const Box box = find_ink(&s);
            assert_int_equal(box.bottom, HEIGHT - 4 - 1 - 20 * rows[i % COUNT].bottom);
            assert_int_equal(box.top, HEIGHT - 4 - 10 - 20 * rows[i % COUNT].top);
        }
        close_stage(&s);
    }
}

/* Equal frames from a renderer that has drawn all frames before, backwards, and from a new one. */
static void test_any_order(void **state)
{
    (void)state;
    static const char script[] =
        HEADER EVENT("0:00:00.00", "0:00:02.00", "{\\k50}A{\\k50}A{\\k50}A")
            EVENT("0:00:00.50", "0:00:02.50", "{\\fad(200,200)\\t(\\fscx200\\frz30)}A\u8e0a")
                EVENT("0:00:01.00", "0:00:01.50", "{\\move(0,0,100,50)\\blur1}A")
                    EVENT("0:00:01.20", "0:00:03.00", "{\\an8}A A");
    enum { FRAMES = 16 };
    static uint8_t frames[FRAMES][4 * WIDTH * HEIGHT];
    Stage s;
    open_stage(&s, script);
    for (int i = 0; i < FRAMES; i++) {
        draw(&s, 200 * i);
        memcpy(frames[i], s.image.pixels, sizeof frames[i]);
    }
    for (int i = FRAMES - 1; i >= 0; i--) {
        draw(&s, 200 * i);
        assert_memory_equal(frames[i], s.image.pixels, sizeof frames[i]);
    }
    close_stage(&s);
    for (int i = 0; i < FRAMES; i += 5) {
        open_stage(&s, script);
        draw(&s, 200 * i);
        assert_memory_equal(frames[i], s.image.pixels, sizeof frames[i]);
        close_stage(&s);
    }
}

static void test_facts(void **state)
{
    (void)state;
    static const char script[] = HEADER EVENT(
        "0:00:01.00", "0:00:02.00", "a{\\fnMine\\b1}b\\Nc") "Dialogue: "
                                                            "0,0:00:00.50,0:00:04.25,Other,,0,0,0,,"
                                                            "{\\fn@mine}\u8e0a{\\fnYours}\\h\n";
    Arena *arena = arena_create();
    DiagLog log;
    SubtitleFacts facts;
    diag_log_init(&log);
    const bool good =
        subtitles_scan(&facts, script, &(SubtitleFrame){WIDTH, HEIGHT, 1}, arena, &log.diag);
    if (!subtitles_version()) {
        assert_false(good);
        assert_int_equal(log.diag.kind, DIAG_RESOURCE);
        arena_destroy(arena);
        skip();
    }
    assert_true(good);
    assert_int_equal(facts.event_count, 2);
    assert_int_equal(facts.first_ms, 500);
    assert_int_equal(facts.end_ms, 4250);
    assert_string_equal(facts.text, "abc\u8e0a");
    static const char *const families[] = {"Fixture", "Mine", "Another Font", "Yours"};
    assert_int_equal(facts.families.count, 4);
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(facts.families.items[i], families[i]);
    arena_destroy(arena);
}

/* Bytes of bitmaps, six for each pixel, one of a drawing that clips: a line of two letters of 20
 * pixels, each 0.75 em wide, has 30 x 20 pixels. */
static void test_memory(void **state)
{
    (void)state;
    enum { AREA = 30 * 20 };
    static const struct {
        const char *script;
        double pixels; /* negative: at least */
    } rows[] = {
        {HEADER EVENT("0:00:00.00", "0:00:02.00", "AA"), AREA},
        {HEADER EVENT("0:00:00.00", "0:00:02.00", "\u8e0a"), 20 * 20},
        {HEADER EVENT("0:00:00.00", "0:00:02.00", "AA\\NA"), 2 * AREA},
        {HEADER EVENT("0:00:00.00", "0:00:02.00", "{\\fs40}AA"), 4 * AREA},
        {HEADER EVENT("0:00:00.00", "0:00:02.00", "{\\ fs(40)}AA"), 4 * AREA},
        {HEADER EVENT("0:00:00.00", "0:00:02.00", "{\\fs+10}AA"), 4 * AREA},
        {HEADER EVENT("0:00:00.00", "0:00:02.00", "{\\fscx200\\fscy150}AA"), 3 * AREA},
        {HEADER EVENT("0:00:00.00", "0:00:02.00", "{\\t(0,100,0.5,\\fs40)}AA"), 4 * AREA},
        {HEADER EVENT("0:00:00.00", "0:00:02.00", "{\\fsp5}AA"), 40 * 20},
        {HEADER EVENT("0:00:00.00", "0:00:02.00", "{\\p1}m 0 0 l 10 0 10 20"), 20 * 20},
        {HEADER EVENT("0:00:00.00", "0:00:02.00", "{\\p2}m 0 0 l 10 0 10 20{\\p0}AA"),
         AREA + 10 * 10},
        {HEADER EVENT("0:00:00.00", "0:00:02.00", "{\\p33}m 0 0 l 10 0 10 20"), 20 * 20},
        {HEADER EVENT("0:00:00.00", "0:00:02.00", "{\\p1 5}m 0 0 l 10 0 10 20"), 20 * 20},
        {HEADER EVENT("0:00:00.00", "0:00:02.00", "{\\p(1,0)}m 0 0 l 10 0 10 20"), 20 * 20},
        {HEADER EVENT("0:00:00.00", "0:00:02.00", "{\\clip(m 0 0 l 60 0 60 60)}AA"), AREA + 600},
        {HEADER EVENT("0:00:00.00", "0:00:02.00", "{\\iclip(m 0 0 l 60 0 60 60)}AA"), AREA + 600},
        {HEADER EVENT("0:00:00.00", "0:00:02.00", "{\\clip(2,m 0 0 l 60 0 60 60)}AA"), AREA + 150},
        {HEADER EVENT("0:00:00.00", "0:00:02.00", "{\\clip(, ,33,m 0 0 l 60 0 60 60)}AA"),
         AREA + 600},
        {HEADER EVENT("0:00:00.00", "0:00:02.00", "{\\clip(m 0 0\\ l 60 0 60 60)}AA"), AREA + 600},
        {HEADER EVENT("0:00:00.00", "0:00:02.00", "{\\clip(0,0,999,999)}AA"), AREA},
        {HEADER EVENT("0:00:00.00", "0:00:02.00", "{\\bord3}AA"), -36 * 26},
        {HEADER EVENT("0:00:00.00", "0:00:02.00", "{\\blur10}AA"), -70 * 60},
        {HEADER EVENT("0:00:00.00", "0:00:02.00", "{\\frz45}AA"), (900 + 400) / 2.0},
        {HEADER EVENT("0:00:00.00", "0:00:02.00", "{\\fry90\\org(-999,0)}AA"), AREA * 256},
        {HEADER EVENT("0:00:00.00", "0:00:02.00", "{\\t(-5,\\fs40)}AA"), -1e12},
        {HEADER EVENT("0:00:00.00", "0:00:02.00", "{\\t(0,1,-5 1,\\fs40)}AA"), -1e12},
        {HEADER EVENT("0:00:00.00", "0:00:02.00", "{\\t(-5,1,1,\\fs40)}AA"), 4 * AREA},
        {HEADER EVENT("0:00:00.00", "0:00:02.00", "{\\fs9999\\bord999}WWWWWWWW"), -6e8},
        {HEADER EVENT("0:00:00.00", "0:00:02.00", "AA") EVENT("0:00:01.99", "0:00:03.00", "AA")
             EVENT("0:00:02.00", "0:00:03.00", "A"),
         2 * AREA},
    };
    if (!subtitles_version())
        skip();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        DiagLog log;
        SubtitleFacts facts;
        diag_log_init(&log);
        assert_true(subtitles_scan(&facts, rows[i].script, &(SubtitleFrame){WIDTH, HEIGHT, 1},
                                   arena, &log.diag));
        const double got = facts.peak.bytes / 6, wanted = rows[i].pixels;
        if (wanted < 0 ? got < -wanted : got < wanted - 0.01 || got > wanted + 0.01)
            fail_msg("row %zu: %f pixels instead of %f", i, got, wanted);
        arena_destroy(arena);
    }
}

/* The scale of the fonts changes letters, not drawings. */
static void test_memory_scale(void **state)
{
    static const char script[] =
        HEADER EVENT("0:00:00.00", "0:00:02.00", "{\\p1}m 0 0 l 10 0 10 20{\\p0}AA");
    (void)state;
    if (!subtitles_version())
        skip();
    Arena *arena = arena_create();
    DiagLog log;
    SubtitleFacts facts;
    diag_log_init(&log);
    assert_true(
        subtitles_scan(&facts, script, &(SubtitleFrame){WIDTH, HEIGHT, 0.5}, arena, &log.diag));
    assert_float_equal(facts.peak.bytes / 6, 20 * 20 + 15 * 10, 0.01);
    arena_destroy(arena);
}

/* Letters of 'A' and 'B' are in two fonts of one family: the same squares as two of 'A'. */
static void test_family(void **state)
{
    (void)state;
    static const char *const scripts[] = {HEADER EVENT("0:00:00.00", "0:00:02.00", "AA"),
                                          HEADER EVENT("0:00:00.00", "0:00:02.00", "AB")};
    static uint8_t pixels[2][4 * WIDTH * HEIGHT];
    for (int i = 0; i < 2; i++) {
        Stage s;
        open_stage(&s, scripts[i]);
        subtitle_renderer_destroy(s.renderer);
        FontSource fonts[] = {{.bytes = fixture_font(s.arena)},
                              {.bytes = fixture_font_of('B', 0xAC00, s.arena)}};
        for (int k = 0; k < 2; k++) {
            fonts[k].path = "font";
            fonts[k].bytes = font_rename(&fonts[k], "common", s.arena);
        }
        s.subtitles.fonts = (FontSources){fonts, 2, 2};
        s.subtitles.family = "common";
        s.renderer = subtitle_renderer_create(&s.subtitles, WIDTH, HEIGHT, &s.log.diag);
        draw(&s, 0);
        require_box(&s, "two squares", (Box){68, 76, 91, 85});
        memcpy(pixels[i], s.image.pixels, sizeof pixels[i]);
        close_stage(&s);
    }
    assert_memory_equal(pixels[0], pixels[1], sizeof pixels[0]);
}

/* Ten letters are 136 of 160 wide, 12 are 164; a line of 20 is on the frame up to 90. */
static void test_outside(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text;
        size_t count;
    } rows[] = {
        {"10 letters", "AAAAAAAAAA", 0},
        {"12 letters", "AAAAAAAAAAAA", 1},
        {"words, which are broken", "AAAAAA AAAAAAA", 0},
        {"four rows", "A\\NA\\NA\\NA", 0},
        {"six rows", "A\\NA\\NA\\NA\\NA\\NA", 1},
        {"a place of its own", "{\\pos(0,0)}AAAAAAAAAAAA", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Stage s;
        SubtitleOutside outside;
        char script[2048];
        snprintf(script, sizeof script,
                 HEADER EVENT("0:00:00.00", "0:00:01.00", "A")
                     EVENT("0:00:01.00", "0:00:02.00", "%s"),
                 rows[i].text);
        open_stage(&s, script);
        assert_true(subtitles_find_outside(&outside, &s.subtitles, WIDTH, HEIGHT, &s.log.diag));
        if (outside.count != rows[i].count)
            fail_msg("%s: %zu", rows[i].what, outside.count);
        if (outside.count) {
            assert_int_equal(outside.line, 1);
            assert_int_equal(outside.time_ms, 1000);
        }
        close_stage(&s);
    }
}

/* Lines of scripts with a resolution that the program cannot multiply are not measured. */
#define SCRIPT_OF(width)                                                       \
    "[Script Info]\nScriptType: v4.00+\nPlayResX: " width "\nPlayResY: 36\n\n" \
    "[V4+ Styles]\nFormat: Name, Fontname, Fontsize, MarginL\n"                \
    "Style: D,x,20,2147483647\n\n[Events]\n"                                   \
    "Format: Layer, Start, End, Style, MarginR, Text\n"                        \
    "Dialogue: 0,0:00:00.00,0:00:01.00,D,2147483647,A\n"

static void test_huge_script(void **state)
{
    static const char *const scripts[] = {SCRIPT_OF("2147483647"), SCRIPT_OF("-2147483648")};
    (void)state;
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        Stage s;
        SubtitleOutside outside = {.count = 9};
        open_stage(&s, scripts[i]);
        assert_true(subtitles_find_outside(&outside, &s.subtitles, WIDTH, HEIGHT, &s.log.diag));
        assert_int_equal(outside.count, 0);
        close_stage(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_times),       cmocka_unit_test(test_colors),
        cmocka_unit_test(test_letters),     cmocka_unit_test(test_collisions),
        cmocka_unit_test(test_any_order),   cmocka_unit_test(test_facts),
        cmocka_unit_test(test_memory),      cmocka_unit_test(test_memory_scale),
        cmocka_unit_test(test_family),      cmocka_unit_test(test_outside),
        cmocka_unit_test(test_huge_script),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
