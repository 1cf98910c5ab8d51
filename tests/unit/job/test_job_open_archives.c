// SPDX-License-Identifier: MIT
/* A job that names an archive uses the only file in it that can play the role. */
#include <stdio.h>
#include <string.h>

#include "base/archive.h"
#include "base/archive_path.h"
#include "diag_log.h"
#include "job/job.h"
#include "job/job_files.h"
#include "scratch.h"
#include "unit_test.h"
#include "zip_fixture.h"

/* Without fsync, since it is called often. */
static void save(Scratch *scratch, const char *name, const void *data, size_t size)
{
    FILE *out = fopen(scratch_path(scratch, name), "w");
    assert_non_null(out);
    assert_int_equal(fwrite(data, 1, size, out), size);
    assert_int_equal(fclose(out), 0);
}

static void save_zip(Scratch *scratch, const char *name, const char *const *files, Arena *arena)
{
    ZipEntry entries[20] = {{0}};
    size_t count = 0;
    for (; files[count]; count++)
        entries[count] = (ZipEntry){.name = files[count], .data = "x", .size = 1};
    const Bytes zip = zip_fixture(entries, count, arena);
    save(scratch, name, zip.data, zip.size);
}

static void save_archives(Scratch *scratch, Arena *arena)
{
    static const char *const model[] = {"d/a.pmx", "d/t.png", NULL};
    static const char *const motion[] = {"m.vmd", "readme.txt", NULL};
    static const char *const sound[] = {"s.ogg", "image.png", NULL};
    static const char *const both[] = {"m.vmd", "s.ogg", "b.pmx", NULL};
    static const char *const two[] = {"a.pmx", "b.pmx", "1.vmd", "2.vmd", "1.png", NULL};
    static const char *const many[] = {"01.pmx", "02.pmx", "03.pmx", "04.pmx", "05.pmx",
                                       "06.pmx", "07.pmx", "08.pmx", "09.pmx", "10.pmx",
                                       "11.pmx", "12.pmx", "13.pmx", "14.pmx", NULL};
    static const char *const text[] = {"readme.txt", NULL};
    static const char *const video[] = {"v.mp4", NULL};
    scratch_make(scratch);
    save_zip(scratch, "model.zip", model, arena);
    save_zip(scratch, "motion.zip", motion, arena);
    save_zip(scratch, "sound.zip", sound, arena);
    save_zip(scratch, "both.zip", both, arena);
    save_zip(scratch, "two.zip", two, arena);
    save_zip(scratch, "many.zip", many, arena);
    save_zip(scratch, "twelve.zip", many + 2, arena);
    save_zip(scratch, "text.zip", text, arena);
    save_zip(scratch, "video.zip", video, arena);
    save(scratch, "damaged.zip", "PK\3\4 and no more", 16);
}

static bool load(Job *job, Scratch *scratch, const char *text, Arena *arena, DiagLog *log)
{
    const char *path = arena_strdup(arena, scratch_path(scratch, "job.yaml"));
    diag_log_init(log);
    save(scratch, "job.yaml", text, strlen(text));
    return job_load(job, &(JobSource){.path = path, .needs_output = true}, arena, &log->diag);
}

static void expect_end(const char *path, const char *end)
{
    const size_t size = path ? strlen(path) : 0;
    if (size < strlen(end) || strcmp(path + size - strlen(end), end) != 0)
        fail_msg("'%s' does not end with '%s'", path ? path : "NULL", end);
}

static void each_role(void **state)
{
    (void)state;
    if (!archive_is_supported())
        skip();
    Arena *arena = arena_create();
    Scratch scratch;
    DiagLog log;
    Job job;
    save_archives(&scratch, arena);
    if (!load(&job, &scratch,
              "version: 1\nmodels: [plain.pmx, { file: both.zip, motions: [plain.vmd, motion.zip, "
              "both.zip] }]\nstage: [{ file: model.zip }, text.x]\ncamera: { motion: motion.zip "
              "}\nlight: { motion: both.zip }\naudio: sound.zip\nbackground: { image: two.zip "
              "}\noutputs: [o.mp4]\n",
              arena, &log))
        fail_msg("%s", log.text);
    expect_end(job.models[0].file, "/plain.pmx");
    expect_end(job.models[1].file, "/both.zip/b.pmx");
    expect_end(job.models[1].motions[0].file, "/plain.vmd");
    expect_end(job.models[1].motions[1].file, "/motion.zip/m.vmd");
    expect_end(job.models[1].motions[2].file, "/both.zip/m.vmd");
    expect_end(job.stage[0].file, "/model.zip/d/a.pmx");
    expect_end(job.stage[1].file, "/text.x");
    expect_end(job.camera.motion->file, "/motion.zip/m.vmd");
    expect_end(job.light.motion->file, "/both.zip/m.vmd");
    expect_end(job.audio->file, "/sound.zip/s.ogg");
    expect_end(job.background.image, "/two.zip/1.png");
    if (!load(&job, &scratch,
              "version: 1\nmodels: [a.pmx]\nbackground: { video: video.zip }\noutputs: [o.mp4]\n",
              arena, &log))
        fail_msg("%s", log.text);
    expect_end(job.background.video, "/video.zip/v.mp4");
    archive_path_clear();
    scratch_remove(&scratch);
    arena_destroy(arena);
}

static void names_that_are_needed(void **state)
{
    (void)state;
    static const struct {
        const char *text, *messages[3];
    } rows[] = {
        {"models: [two.zip]\n",
         {"job.yaml:2:", "two.zip' contains 2 models; name one: '", "/two.zip/b.pmx'\n"}},
        {"models: [many.zip]\n",
         {"contains 14 models; name one: ", "/many.zip/12.pmx', and 2 more\n",
          "/many.zip/01.pmx', '"}},
        {"models: [twelve.zip]\n", {"contains 12 models", "/twelve.zip/14.pmx'\n", "/03.pmx', "}},
        {"models: [text.zip]\n", {"text.zip' contains no model", "", ""}},
        {"models: [damaged.zip]\n", {"damaged.zip: ", "", ""}},
        {"models: [{ file: a.pmx, motions: [a.vmd, two.zip] }]\n",
         {"two.zip' contains 2 motions", "1.vmd", "2.vmd"}},
        {"models: [a.pmx]\nstage: [b.x, text.zip]\n",
         {"text.zip' contains no model", "job.yaml:3:", ""}},
        {"models: [a.pmx]\naudio: model.zip\n",
         {"model.zip' contains no sound", "job.yaml:3:", ""}},
        {"models: [a.pmx]\ncamera: { motion: model.zip }\n",
         {"contains no motion", "job.yaml:3:", ""}},
        {"models: [a.pmx]\nlight: { motion: model.zip }\n",
         {"contains no motion", "job.yaml:3:", ""}},
        {"models: [a.pmx]\nbackground: { image: text.zip }\n",
         {"contains no image", "job.yaml:3:", ""}},
        {"models: [a.pmx]\nbackground: { video: text.zip }\n",
         {"contains no video", "job.yaml:3:", ""}},
        /* all of them are reported */
        {"models: [text.zip, two.zip]\naudio: text.zip\n",
         {"contains no model", "contains 2 models", "contains no sound"}},
    };
    if (!archive_is_supported())
        skip();
    Arena *arena = arena_create();
    Scratch scratch;
    save_archives(&scratch, arena);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        DiagLog log;
        Job job;
        const char *text = arena_printf(arena, "version: 1\n%soutputs: [o.mp4]\n", rows[i].text);
        if (load(&job, &scratch, text, arena, &log))
            fail_msg("%s: accepted", rows[i].text);
        for (int k = 0; k < 3; k++)
            if (!strstr(log.text, rows[i].messages[k]))
                fail_msg("%s: no '%s' in %s", rows[i].text, rows[i].messages[k], log.text);
    }
    archive_path_clear();
    scratch_remove(&scratch);
    arena_destroy(arena);
}

/* On a command line, an archive is a model, else a motion, else a sound. */
static void files_of_a_command_line(void **state)
{
    (void)state;
    static const struct {
        const char *files[3];
        const char *words[4]; /* in this order; NULL: the end */
        bool good;
    } rows[] = {
        {{"model.zip"}, {"  - file: \"", "/model.zip/d/a.pmx\"\n"}, true},
        {{"both.zip", "motion.zip", "sound.zip"},
         {"/both.zip/b.pmx\"\n    motions:\n", "/motion.zip/m.vmd\"\n", "audio: \"",
          "/sound.zip/s.ogg\"\n"},
         true},
        {{"sound.zip", "model.zip"},
         {"/model.zip/d/a.pmx\"\n", "audio: \"", "/sound.zip/s.ogg"},
         true},
        /* the job reports the names */
        {{"two.zip"}, {"  - file: \"", "/two.zip\"\n"}, true},
        {{"text.zip", "model.zip"},
         {"text.zip: the archive contains neither a model, a motion nor a sound"},
         false},
        {{"model.zip", "missing.zip"}, {"missing.zip: cannot open"}, false},
    };
    if (!archive_is_supported())
        skip();
    Arena *arena = arena_create();
    Scratch scratch;
    save_archives(&scratch, arena);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *paths[3];
        size_t count = 0;
        DiagLog log;
        for (; count < 3 && rows[i].files[count]; count++)
            paths[count] = arena_strdup(arena, scratch_path(&scratch, rows[i].files[count]));
        diag_log_init(&log);
        const char *job =
            job_from_files(&(JobSource){.files = paths, .file_count = count}, arena, &log.diag);
        const char *at = job ? job : log.text;
        if (!job == rows[i].good)
            fail_msg("row %zu: %s", i, at);
        for (int k = 0; k < 4 && rows[i].words[k]; k++) {
            const char *found = strstr(at, rows[i].words[k]);
            if (!found)
                fail_msg("row %zu: no '%s' in %s", i, rows[i].words[k], at);
            at = found + strlen(rows[i].words[k]);
        }
    }
    archive_path_clear();
    scratch_remove(&scratch);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_role),
        cmocka_unit_test(names_that_are_needed),
        cmocka_unit_test(files_of_a_command_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
