// SPDX-License-Identifier: MIT
/* A job from the files of a command line. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "diag_log.h"
#include "format/motion/vmd.h"
#include "job/job.h"
#include "job/job_files.h"
#include "motion_fixture.h"
#include "scene_fixture.h"
#include "scratch.h"
#include "unit_test.h"

enum { MAX_FILES = 8 };

static size_t count_of(const char *const files[MAX_FILES])
{
    size_t count = 0;
    while (count < MAX_FILES && files[count])
        count++;
    return count;
}

#define HEAD "version: 1\nmodels:\n"

static char *from_files(const char *const *files, size_t count, Arena *arena, Diag *diag)
{
    return job_from_files(&(JobSource){.files = files, .file_count = count}, arena, diag);
}

static void test_files_become_a_job(void **state)
{
    (void)state;
    static const struct {
        const char *files[MAX_FILES];
        const char *job; /* NULL: refused */
        const char *words;
    } rows[] = {
        {{"a.pmx"}, HEAD "  - file: \"a.pmx\"\n", NULL},
        {{"a.PMD", "b.vmd", "c.vpd"},
         HEAD "  - file: \"a.PMD\"\n    motions:\n      - \"b.vmd\"\n      - \"c.vpd\"\n",
         NULL},
        {{"b.vmd", "a.pmx"}, HEAD "  - file: \"a.pmx\"\n    motions:\n      - \"b.vmd\"\n", NULL},
        {{"a.pmx", "1.vmd", "b.pmx", "2.vmd"},
         HEAD "  - file: \"a.pmx\"\n    motions:\n      - \"1.vmd\"\n"
              "  - file: \"b.pmx\"\n    motions:\n      - \"2.vmd\"\n",
         NULL},
        /* motions belong to models rather than to accessories */
        {{"a.pmx", "s.x", "1.vmd"},
         HEAD "  - file: \"a.pmx\"\n    motions:\n      - \"1.vmd\"\n  - file: \"s.x\"\n",
         NULL},
        {{"s.x", "t.vac", "1.vmd"},
         HEAD "  - file: \"s.x\"\n  - file: \"t.vac\"\n    motions:\n      - \"1.vmd\"\n",
         NULL},
        {{"s.x", "1.vmd", "a.pmx", "2.vmd"},
         HEAD "  - file: \"s.x\"\n    motions:\n      - \"1.vmd\"\n"
              "  - file: \"a.pmx\"\n    motions:\n      - \"2.vmd\"\n",
         NULL},
        {{"a.pmx", "s.OGG"}, HEAD "  - file: \"a.pmx\"\naudio: \"s.OGG\"\n", NULL},
        {{"\x1f q\"\\\x7f.pmx"}, HEAD "  - file: \"\\x1f q\\\"\\\\\x7f.pmx\"\n", NULL},
        {{"1.vmd"},
         NULL,
         "no model (.pmx, .pmd, .x, .vac, .vrm, .glb, .gltf, .obj) among the files"},
        {{"a.pmx", "s.wav", "t.mid"}, NULL, "t.mid: more than one sound; the first is s.wav"},
        {{"a.pmx", "b.yaml"}, NULL, "b.yaml: unknown kind of file; expected a model"},
        {{"a.pmx", "none"}, NULL, "none: unknown kind of file"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        DiagLog log;
        diag_log_init(&log);
        const char *job = from_files(rows[i].files, count_of(rows[i].files), arena, &log.diag);
        if (rows[i].job) {
            assert_non_null(job);
            assert_string_equal(job, rows[i].job);
        } else if (job || !strstr(log.text, rows[i].words) || log.diag.kind != DIAG_USAGE)
            fail_msg("row %zu: '%s'", i, log.text);
        arena_destroy(arena);
    }
}

static void save(const char *file, VmdMotion motion, Arena *arena)
{
    const Bytes bytes = vmd_write(&motion, arena);
    FILE *out = fopen(file, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(bytes.data, 1, bytes.size, out), bytes.size);
    assert_int_equal(fclose(out), 0);
}

/* A motion with camera keys is that of the camera, unless it has bone or morph keys, too. */
static void test_motions_of_the_camera(void **state)
{
    (void)state;
    Scratch scratch;
    DiagLog log;
    Arena *arena = arena_create();
    scratch_make(&scratch);
    diag_log_init(&log);
    const VmdMotion full = fixture_full_motion(arena);
    VmdMotion camera = full, bones = full, morphs = full, none = full;
    camera.bone_key_count = camera.morph_key_count = 0;
    bones.morph_key_count = 0;
    morphs.bone_key_count = 0;
    none.bone_key_count = none.morph_key_count = none.camera_key_count = 0;
    const struct {
        VmdMotion motion;
        bool is_camera;
    } rows[] = {{camera, true}, {bones, false}, {morphs, false}, {none, false}, {full, false}};
    const char *file = arena_strdup(arena, scratch_path(&scratch, "m.vmd"));
    const char *pose = arena_strdup(arena, scratch_path(&scratch, "m.vpd"));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *const files[] = {"a.pmx", file};
        save(file, rows[i].motion, arena);
        const char *job = from_files(files, 2, arena, &log.diag);
        assert_string_equal(
            job, arena_printf(arena, HEAD "  - file: \"a.pmx\"\n%s\"%s\"\n",
                              rows[i].is_camera ? "camera:\n  motion: " : "    motions:\n      - ",
                              file));
    }
    save(file, camera, arena);
    save(pose, camera, arena); /* the extension of a pose */
    const char *const twice[] = {"a.pmx", file, file};
    assert_null(from_files(twice, 3, arena, &log.diag));
    assert_non_null(strstr(log.text, "more than one camera motion; the first is "));
    const char *const poses[] = {"a.pmx", pose};
    assert_non_null(strstr(from_files(poses, 2, arena, &log.diag), "    motions:\n"));
    arena_destroy(arena);
    scratch_remove(&scratch);
}

static void test_names_of_jobs(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        bool has_extension, is_name;
    } rows[] = {
        {"a.yaml", true, true},  {"a.YML", true, true},   {"a.json", true, true},
        {"job", false, true},    {"a.txt", false, true},  {"a.pmx", false, false},
        {"a.vmd", false, false}, {"a.wav", false, false}, {"a.x", false, false},
        {"a.vpd", false, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (job_has_job_extension(rows[i].path) != rows[i].has_extension ||
            job_is_job_name(rows[i].path) != rows[i].is_name)
            fail_msg("%s", rows[i].path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files_become_a_job),
        cmocka_unit_test(test_motions_of_the_camera),
        cmocka_unit_test(test_names_of_jobs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
