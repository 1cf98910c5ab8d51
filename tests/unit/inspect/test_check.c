// SPDX-License-Identifier: MIT
/* check: what each motion contributes, and where keys hide a model */

#include <stdlib.h>
#include <string.h>

#include "film_fixture.h"
#include "inspect/check.h"
#include "scene_fixture.h"
#include "unit_test.h"

static void save_motion(FilmFixture *f, const char *name, const VmdMotion *vmd)
{
    const Bytes bytes = vmd_write(vmd, f->arena);
    assert_true(file_save(film_fixture_path(f, name), bytes.data, bytes.size, &f->log.diag));
}

static const char *check(FilmFixture *f, const char *keys, ReportFormat format)
{
    char *text = NULL;
    size_t size = 0;
    const char *path = film_fixture_path(f, "job.yaml");
    const JobSource source = {.path = path, .needs_output = true};
    film_fixture_save(f, "job.yaml",
                      arena_printf(f->arena,
                                   "version: 1\ncamera: { fixed: {} }\noutputs: [ { file: "
                                   "s.sha256 } ]\n%s",
                                   keys));
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    const bool good = check_job(out, &source, &(CheckOptions){.format = format}, &f->log.diag);
    fclose(out);
    if (!good)
        fail_msg("%s", f->log.text);
    const char *copy = arena_strdup(f->arena, text);
    free(text);
    return copy;
}

static void expect(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' is not in:\n%s", part, text);
}

static void lists_contributions(void **state)
{
    FilmFixture f;
    (void)state;
    film_fixture_make(&f);
    VmdBoneKey key = fixture_key("upper", 0, 0, 0, 0);
    const VmdMotion rest = fixture_motion_of(&key, 1);
    save_motion(&f, "rest.vmd", &rest);
    static const char models[] = "models: [ { id: a, file: strip.pmx, motions: [ move.vmd, "
                                 "{ file: rest.vmd%s } ] } ]\n";
    const char *text = check(&f, arena_printf(f.arena, models, ""), REPORT_TEXT);
    expect(text, "  move.vmd: 1 of 1 bone fit a\n  move.vmd: 1 bone moves\n"
                 "  rest.vmd: 1 bone has one key at frame 0, which replaces that of move.vmd\n");
    text = check(&f, arena_printf(f.arena, models, ", layer: override"), REPORT_TEXT);
    expect(text, "  rest.vmd: 1 bone has one key at frame 0; 1 bone overrides that of move.vmd\n");
    text = check(&f, arena_printf(f.arena, models, ", offset: 7"), REPORT_JSON);
    expect(text, "\"contribution\":\"1 bone has one key at frame 7\"");
    text = check(&f, arena_printf(f.arena, models, ""), REPORT_JSON);
    expect(text, "\"one_key_replacing\":{\"bones\":1,\"morphs\":0,\"switches\":0}");
    expect(text, "\"replaces_keys_of\":[\"move.vmd\"]");
    expect(text, "\"hidden\":[]");
    film_fixture_remove(&f);
}

/* Frames of the film: 0 to 40 at 30 frames/s, and at 60. */
static void lists_hidden_frames(void **state)
{
    FilmFixture f;
    (void)state;
    film_fixture_make(&f);
    VmdPropertyKey keys[] = {{0, false, NULL, 0},
                             {10, true, NULL, 0},
                             {20, false, NULL, 0},
                             {25, true, NULL, 0},
                             {40, true, NULL, 0}};
    VmdMotion motion = fixture_motion_of(NULL, 0);
    motion.property_keys = keys;
    motion.property_key_count = 5;
    save_motion(&f, "blink.vmd", &motion);
    motion.property_key_count = 1;
    save_motion(&f, "never.vmd", &motion);
    static const char job[] = "models: [ { id: a, file: strip.pmx, motions: [ %s ] } ]\n"
                              "render: { fps: %d, frames: %s }\n";
    static const struct {
        const char *motions;
        int fps;
        const char *frames, *expected; /* NULL: nothing */
    } rows[] = {
        {"blink.vmd", 30, "0-40",
         "  a: hidden by visibility keys in frames 0-9, 20-24 (15 of 41)\n"},
        {"blink.vmd", 60, "0-80",
         "  a: hidden by visibility keys in frames 0-19, 40-49 (30 of 81)\n"},
        {"blink.vmd", 30, "\"5-12,22-23\"",
         "  a: hidden by visibility keys in frames 5-9, 22-23 (7 of 10)\n"},
        {"never.vmd", 30, "0-40", "  a: hidden by visibility keys in all 41 frames\n"},
        {"blink.vmd", 30, "25-40", NULL},
        {"move.vmd", 30, "0-40", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *text =
            check(&f, arena_printf(f.arena, job, rows[i].motions, rows[i].fps, rows[i].frames),
                  REPORT_TEXT);
        if (rows[i].expected)
            expect(text, rows[i].expected);
        else if (strstr(text, "hidden"))
            fail_msg("%s", text);
    }
    expect(check(&f, arena_printf(f.arena, job, "blink.vmd", 30, "0-40"), REPORT_JSON),
           "\"hidden\":[{\"model\":\"a\",\"count\":15,\"shown\":41,\"ranges\":[[0,9],[20,24]]}]");
    film_fixture_remove(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_contributions),
        cmocka_unit_test(lists_hidden_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
