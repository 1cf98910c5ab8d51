// SPDX-License-Identifier: MIT
/* font_rename: FreeType reads the copy under its new name; damaged fonts */

#include <stdlib.h>
#include <string.h>

#include "diag_log.h"
#include "font_fixture.h"
#include "typesetting/font_rename.h"
#include "unit_test.h"

static void test_name(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    DiagLog log;
    ShapedText line;
    diag_log_init(&log);
    FontSource source = {.bytes = fixture_font(arena)};
    source.bytes = font_rename(&source, "another family", arena);
    const FontSpec spec = {.sources = {&source, 1, 1}, .size = 20};
    Font *font = font_open(&spec, &log.diag);
    assert_non_null(font);
    assert_string_equal(font_family(font, arena), "another family");
    font_shape(&line, font, "A\u8e0a A", arena);
    assert_int_equal(line.count, 4);
    assert_int_equal(line.advance, 48 * FONT_UNITS_PER_PIXEL);
    assert_int_equal(font_glyph(font, &line.items[0])->width, 10);
    font_close(font);
    arena_destroy(arena);
}

/* The second font of a collection, whose tables are anywhere in the file. */
static void test_collection(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const Bytes font = fixture_font(arena);
    enum { HEADER = 20 };
    uint8_t *file = arena_calloc(arena, HEADER + font.size, 1);
    static const uint8_t header[HEADER] = {'t', 't', 'c', 'f', 0, 1, 0, 0, 0, 0,
                                           0,   2,   0,   0,   0, 0, 0, 0, 0, HEADER};
    memcpy(file, header, HEADER);
    memcpy(file + HEADER, font.data, font.size);
    for (size_t i = 0; i < file[HEADER + 5]; i++) { /* offsets are below 65536 */
        uint8_t *offset = file + HEADER + 12 + 16 * i + 8;
        const unsigned moved = (unsigned)(offset[2] << 8 | offset[3]) + HEADER;
        offset[2] = (uint8_t)(moved >> 8);
        offset[3] = (uint8_t)moved;
    }
    const FontSource single = {.bytes = font};
    const FontSource second = {.bytes = {file, HEADER + font.size}, .face = 1};
    const Bytes expected = font_rename(&single, "x", arena);
    const Bytes got = font_rename(&second, "x", arena);
    assert_int_equal(got.size, expected.size);
    assert_memory_equal(got.data, expected.data, got.size);
    arena_destroy(arena);
}

/* Copied, or refused; no byte outside of the file is read (with sanitizers). */
static void test_damage(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const Bytes whole = fixture_font(arena);
    for (size_t at = 0; at < 2 * whole.size; at++) {
        const size_t size = at < whole.size ? at : whole.size;
        uint8_t *copy = malloc(size + !size);
        memcpy(copy, whole.data, size);
        if (at >= whole.size)
            copy[at - whole.size] ^= 0xFF;
        const FontSource source = {.bytes = {copy, size}};
        const Bytes got = font_rename(&source, "x", arena);
        assert_true(got.size <= 8 * whole.size);
        free(copy);
    }
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_name),
                                       cmocka_unit_test(test_collection),
                                       cmocka_unit_test(test_damage)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
