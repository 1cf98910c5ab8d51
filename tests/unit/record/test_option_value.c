// SPDX-License-Identifier: MIT
/* option_value: floats are in the unit of their field, and are written as they were given */

#include <math.h>
#include <string.h>

#include "base/text_stream.h"
#include "base/units.h"
#include "diag_log.h"
#include "near.h"
#include "record/option_read.h"
#include "record/option_value.h"
#include "unit_test.h"

typedef struct Sample {
    float length, angle;
} Sample;

static const Option rows[] = {
    {.key = "length",
     .type = OPTION_FLOAT,
     .offset = offsetof(Sample, length),
     .scale = 1,
     .value = "null",
     .min = -1e6,
     .max = 1e6},
    {.key = "angle_deg",
     .type = OPTION_FLOAT,
     .offset = offsetof(Sample, angle),
     .scale = (float)RADIANS,
     .value = "null",
     .min = -1e6,
     .max = 1e6},
};
static const OptionTable table = {.rows = rows, .count = 2, .size = sizeof(Sample)};

static bool read(Sample *out, const char *text, Arena *arena)
{
    DiagLog log;
    YamlNode *root;
    const YamlSource source = {.name = "text", .text = text, .size = strlen(text)};
    diag_log_init(&log);
    OptionReader reader = {.directory = "", .arena = arena, .diag = &log.diag};
    return yaml_load(&root, &source, arena, &log.diag) && option_read(out, &table, root, &reader);
}

static const char *written(const Option *row, const Sample *sample, Arena *arena)
{
    TextStream stream;
    option_value_type(row->type)->write(text_stream_open(&stream, arena), row, sample);
    return text_stream_close(&stream);
}

/* Numbers of up to six digits survive; of more digits the fewest that give the same float. */
static void test_floats_are_written_as_given(void **state)
{
    static const struct {
        const char *given, *written;
    } texts[] = {
        {"0", "0"},
        {"0.3", "0.3"},
        {"-0.15", "-0.15"},
        {"7.3", "7.3"},
        {"60", "60"},
        {"1e6", "1000000"},
        {"99999.9", "99999.9"},
        {"0.000123456", "0.000123456"},
        {"0.1234567890123", "0.12345679"},
        {"null", "null"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Arena *arena = arena_create();
        Sample sample;
        assert_true(read(&sample, arena_printf(arena, "length: %s\n", texts[i].given), arena));
        assert_string_equal(written(&rows[0], &sample, arena), texts[i].written);
        arena_destroy(arena);
    }
}

static void test_angles_are_radians(void **state)
{
    static const char *const texts[] = {"0", "0.1", "6", "7.3", "-45", "360", "123.456", "null"};
    Arena *arena = arena_create();
    Sample sample;
    (void)state;
    assert_true(read(&sample, "angle_deg: 180\n", arena));
    assert_near((double)sample.angle, 3.14159265, 1e-6);
    assert_true(isnan(sample.length));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_true(read(&sample, arena_printf(arena, "angle_deg: %s\n", texts[i]), arena));
        assert_string_equal(written(&rows[1], &sample, arena), texts[i]);
    }
    assert_false(read(&sample, "angle_deg: 1000001\n", arena));
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_floats_are_written_as_given),
                                       cmocka_unit_test(test_angles_are_radians)};
    return cmocka_run_group_tests_name("option_value", tests, NULL, NULL);
}
