// SPDX-License-Identifier: MIT
/* bitmap_font, sheet, sink_sheet: positions, labels and glyphs computed by hand */

#include <stdlib.h>
#include <string.h>

#include "base/bitmap_font.h"
#include "diag_log.h"
#include "font_fixture.h"
#include "media/picture.h"
#include "output/sink.h"
#include "scratch.h"
#include "unit_test.h"

static const uint8_t *pixel_at(const Image *image, int x, int y)
{
    return image->pixels + 4 * (y * image->width + x);
}

/* ---- glyphs ---- */

static void test_glyphs(void **state)
{
    (void)state;
    static const struct {
        uint32_t codepoint;
        const char *rows[GLYPH_ROWS];
    } cases[] = {
        {'7', {"#####", "....#", "...#.", "..#..", ".#...", ".#...", ".#...", ".....", "....."}},
        {'g', {".....", ".....", ".####", "#...#", "#...#", "#...#", ".####", "....#", ".###."}},
        {0x7f, {"#####", "#...#", "#...#", "#...#", "#...#", "#...#", "#####", ".....", "....."}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const *known = bitmap_font_glyph(cases[i].codepoint);
        for (int y = 0; y < GLYPH_ROWS; y++)
            assert_string_equal((known ? known : bitmap_font_unknown())[y], cases[i].rows[y]);
    }
    assert_int_equal(bitmap_font_width("", 3), 0);
    assert_int_equal(bitmap_font_width("12", 3), 33);
}

/* ---- labels and layout ---- */

static void test_labels(void **state)
{
    (void)state;
    static const struct {
        int64_t frame;
        int num, den, form;
        const char *label;
    } rows[] = {
        {0, 30, 1, 0, "frame 0  0:00.00"},
        {1234, 30, 1, 0, "frame 1234  0:41.13"},
        {1, 60, 1, 1, "1  0:00.02"},
        {14806, 60, 1, 1, "14806  4:06.77"},
        {1000, 30000, 1001, 1, "1000  0:33.37"},
        {14399, 240, 1, 1, "14399  1:00.00"},
        {99999999, 60, 1, 1, "99999999  27777:46.65"},
        {77, 60, 1, 2, "77"},
        {77, 60, 1, 3, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const SheetSpec spec = {.fps_num = rows[i].num, .fps_den = rows[i].den};
        char label[SHEET_LABEL_SIZE];
        sheet_label(label, sizeof label, &spec, rows[i].form, rows[i].frame);
        assert_string_equal(label, rows[i].label);
    }
}

static void test_layout(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        SheetSpec spec;
        bool fits;
        SheetLayout layout; /* width, height, scale, gap, strip, form */
    } rows[] = {
        {"19 letters of 6", {3, 2, 200, 100, 30, 1, 1234}, true, {616, 230, 1, 4, 13, 0}},
        {"large cells", {2, 1, 640, 360, 30, 1, 1234}, true, {1328, 428, 4, 16, 52, 0}},
        {"27 letters are 483 of 480",
         {1, 1, 480, 270, 60, 1, 99999999},
         true,
         {496, 304, 2, 8, 26, 0}},
        {"113 of 113", {1, 1, 113, 10, 30, 1, 1234}, true, {121, 27, 1, 4, 13, 0}},
        {"without the word", {1, 1, 112, 10, 30, 1, 1234}, true, {120, 27, 1, 4, 13, 1}},
        {"the number alone", {1, 1, 30, 10, 30, 1, 1234}, true, {38, 27, 1, 4, 13, 2}},
        {"nothing", {1, 1, 16, 10, 30, 1, 1234}, true, {24, 27, 1, 4, 13, 3}},
        {"without labels", {3, 2, 200, 100, 30, 1, -1}, true, {616, 212, 1, 4, 4, 3}},
        {"too wide", {64, 1, 320, 180, 30, 1, 1234}, false, {0}},
        {"too high", {1, 64, 320, 8000, 30, 1, 1234}, false, {0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SheetLayout got = {0};
        const SheetLayout *want = &rows[i].layout;
        const bool fits = sheet_layout(&got, &rows[i].spec);
        if (fits != rows[i].fits || got.width != want->width || got.height != want->height ||
            got.scale != want->scale || got.gap != want->gap ||
            got.label_height != want->label_height || got.label_form != want->label_form)
            fail_msg("%s: %d x %d, scale %d, gap %d, label_height %d, form %d", rows[i].what,
                     got.width, got.height, got.scale, got.gap, got.label_height, got.label_form);
    }
}

/* ---- the sink ---- */

enum { CELL_WIDTH = 20, CELL_HEIGHT = 10 };

static Image picture_of(uint8_t *pixels, int number)
{
    for (int i = 0; i < CELL_WIDTH * CELL_HEIGHT; i++) {
        const uint8_t rgba[4] = {(uint8_t)(40 * number), (uint8_t)(i % CELL_WIDTH),
                                 (uint8_t)(i / CELL_WIDTH), (uint8_t)i};
        memcpy(pixels + 4 * i, rgba, 4);
    }
    return (Image){CELL_WIDTH, CELL_HEIGHT, false, pixels};
}

static SinkOptions options_for(const char *file)
{
    return (SinkOptions){.file = file,
                         .width = CELL_WIDTH,
                         .height = CELL_HEIGHT,
                         .fps_num = 30,
                         .fps_den = 1,
                         .frame_count = 4,
                         .sheet.columns = 2,
                         .sheet.rows = 2,
                         .sheet.last_frame = 5};
}

static void assert_grey(const Image *sheet, int x, int y, int grey)
{
    const uint8_t *p = pixel_at(sheet, x, y);
    if (p[0] != grey || p[1] != grey || p[2] != grey || p[3] != 255)
        fail_msg("pixel %d, %d is %d %d %d", x, y, p[0], p[1], p[2]);
}

/* Cells of 20 x 10 start at 4 + 24 column, 4 + 23 row.  Only the frame number fits below. */
static void check_sheet(const Image *sheet)
{
    assert_int_equal(sheet->width, 52);
    assert_int_equal(sheet->height, 50);
    for (int cell = 0; cell < 4; cell++) {
        const int left = 4 + 24 * (cell % 2), top = 4 + 23 * (cell / 2);
        for (int y = 0; y < CELL_HEIGHT; y++)
            for (int x = 0; x < CELL_WIDTH; x++) {
                const uint8_t want[4] = {(uint8_t)(40 * (cell + 2)), (uint8_t)x, (uint8_t)y, 255};
                assert_memory_equal(pixel_at(sheet, left + x, top + y), want, 4);
            }
    }
    for (int i = 0; i < 50; i++) { /* between and around the cells */
        assert_grey(sheet, i, 3, 32);
        assert_grey(sheet, 3, i, 32);
        assert_grey(sheet, 24, i, 32);
        assert_grey(sheet, i, 16, 32); /* above the label */
        assert_grey(sheet, i, 24, 32); /* below the label */
    }
    /* Frame 5 in the last cell: letters from 28, 27 + 10 + 3.  "#####", "#....", ..., "....#". */
    for (int x = 0; x < 5; x++)
        assert_grey(sheet, 28 + x, 40, 224);
    assert_grey(sheet, 33, 40, 32);
    assert_grey(sheet, 28, 41, 224);
    assert_grey(sheet, 29, 41, 32);
    assert_grey(sheet, 28, 43, 32);
    assert_grey(sheet, 32, 43, 224);
}

static void test_sink(void **state)
{
    (void)state;
    Scratch scratch;
    DiagLog log;
    uint8_t pixels[4 * CELL_WIDTH * CELL_HEIGHT];
    scratch_make(&scratch);
    diag_log_init(&log);
    const SinkOptions options = options_for(scratch_path(&scratch, "sheet.png"));
    Sink *sink = sink_create(&sink_sheet, &options, &log.diag);
    assert_non_null(sink);
    assert_int_equal(scratch_count(&scratch), 0);
    for (int frame = 2; frame <= 5; frame++) {
        const Image picture = picture_of(pixels, frame);
        assert_true(sink_write(sink, &picture, frame, &log.diag));
    }
    assert_true(sink_finish(sink, &log.diag));
    sink_destroy(sink);

    Arena *arena = arena_create();
    Image sheet;
    Bytes bytes;
    assert_true(file_load(&bytes, options.file, FILE_MAX_SIZE, arena, &log.diag));
    assert_true(picture_load(&sheet, bytes, arena, &log.diag));
    check_sheet(&sheet);
    assert_string_equal(log.text, "");
    arena_destroy(arena);
    scratch_remove(&scratch);
}

static void test_sink_unfinished(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        int pictures;
        bool finish;
        const char *reported;
    } rows[] = {
        {"not finished", 4, false, ""},
        {"one image missing", 3, true, "3 of 4 frames were written"},
        {"one too many", 5, false, "more images than cells"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Scratch scratch;
        DiagLog log;
        uint8_t pixels[4 * CELL_WIDTH * CELL_HEIGHT];
        scratch_make(&scratch);
        diag_log_init(&log);
        const SinkOptions options = options_for(scratch_path(&scratch, "sheet.png"));
        const Image picture = picture_of(pixels, 1);
        Sink *sink = sink_create(&sink_sheet, &options, &log.diag);
        bool good = sink != NULL;
        for (int frame = 0; good && frame < rows[i].pictures; frame++)
            good = sink_write(sink, &picture, frame, &log.diag);
        if (good && rows[i].finish)
            sink_finish(sink, &log.diag);
        sink_destroy(sink);
        if (!strstr(log.text, rows[i].reported) || scratch_count(&scratch))
            fail_msg("%s: %s, %zu files", rows[i].what, log.text, scratch_count(&scratch));
        scratch_remove(&scratch);
    }
}

/* At 20 pixels per em a space of the fixture is 6 pixels wide, one of the built-in font 12; all
 * other characters are boxes of 10 with a distance of 12 in both. */
static void test_fonts(void **state)
{
    static const struct {
        const char *what;
        int cell_width, width; /* of the ink of "77  0:02.57" */
    } rows[] = {
        {"the font fits: 2 * 12 + 2 * 6 + 6 * 12 + 10", 118, 118},
        {"the built-in font where it does not: 10 * 12 + 10", 117, 130},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        DiagLog log;
        diag_log_init(&log);
        const SheetSpec spec = {1, 1, rows[i].cell_width, 10, 30, 1, 77};
        const SheetLayout layout = {
            .width = 200, .height = 50, .scale = 2, .gap = 4, .label_height = 26, .label_form = 1};
        Image sheet = {layout.width, layout.height, false,
                       arena_alloc(arena, 4 * (size_t)layout.width * 50)};
        const Image cell = {rows[i].cell_width, 10, false,
                            arena_calloc(arena, (size_t)rows[i].cell_width * 10, 4)};
        const FontSources fonts = fixture_fonts(arena);
        Font *font = sheet_open_font(&layout, &spec, &fonts, &log.diag);
        assert_non_null(font);
        sheet_clear(&sheet);
        sheet_draw_cell(&sheet, &layout, &spec, 0, &cell, 77, font);
        int first = sheet.width, last = -1;
        for (int y = 14; y < sheet.height; y++)
            for (int x = 0; x < sheet.width; x++)
                if (pixel_at(&sheet, x, y)[0] == 224) {
                    first = x < first ? x : first;
                    last = x > last ? x : last;
                }
        if (first != 4 || last - first + 1 != rows[i].width)
            fail_msg("%s: columns %d to %d", rows[i].what, first, last);
        font_close(font);
        arena_destroy(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_glyphs),          cmocka_unit_test(test_labels),
        cmocka_unit_test(test_layout),          cmocka_unit_test(test_sink),
        cmocka_unit_test(test_sink_unfinished), cmocka_unit_test(test_fonts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
