// SPDX-License-Identifier: MIT
/*
 * Each key with a path, set alone in a job that has all sections: it is visited with its role, the
 * sandbox allows what the role needs, and an output cannot replace an input.  A key that is added
 * to job/keys is tested without a change here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/embedded_text.h"
#include "base/text_stream.h"
#include "cli/sandbox_session.h"
#include "diag_log.h"
#include "film/path_conflicts.h"
#include "job/job_options.h"
#include "job/job_visit.h"
#include "scratch.h"

static const char JOB[] =
    "version: 1\n"
    "models: [ { id: a, file: a.pmx, motions: [a.vmd], targets: [{ target: t }] } ]\n"
    "stage: [ { file: s.pmx, targets: [{ target: t }] } ]\n"
    "cloth: [ { model: a, shape: {}, pin: { bone: b } } ]\n"
    "camera: { motion: c.vmd }\n"
    "light: { motion: l.vmd }\n"
    "look: { grade: {} }\n"
    "audio: x.wav\n"
    "outputs: [o.png]\n"
    "previews: [ { type: still, file: p.png } ]\n"
    "burn_in: { text: x }\n"
    "subtitles: s.srt\n";

/* The same with all of it in a scene. */
static const char SCENES[] =
    "version: 1\n"
    "scenes:\n"
    "  - models: [ { id: a, file: a.pmx, motions: [a.vmd], targets: [{ target: t }] } ]\n"
    "    stage: [ { file: s.pmx, targets: [{ target: t }] } ]\n"
    "    cloth: [ { model: a, shape: {}, pin: { bone: b } } ]\n"
    "    camera: { motion: c.vmd }\n"
    "    light: { motion: l.vmd }\n"
    "    look: { grade: {} }\n"
    "    titles: [ { text: a } ]\n"
    "    pictures: [ p.png ]\n"
    "    sounds: [ x.wav ]\n"
    "titles: [ { text: a } ]\n"
    "pictures: [ p.png ]\n"
    "outputs: [o.png]\n";

typedef struct Bench {
    Scratch scratch;
    DiagLog log;
    Arena *arena;
    const char *job, *scenes, *file; /* file: what each key is set to; it exists */
    size_t keys;
    const char *key; /* the one that is tested */
    size_t visits;
    OptionRole role;
} Bench;

static const char *save(Bench *b, const char *name, const char *text)
{
    const char *path = arena_strdup(b->arena, scratch_path(&b->scratch, name));
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
    return path;
}

static void check_visit(void *user, const JobFile *file)
{
    Bench *b = user;
    if (strcmp(file->path, b->file) != 0)
        return;
    b->visits++;
    assert_string_equal(file->key, b->key);
    assert_int_equal(file->role, b->role);
}

static bool has_rule(const SandboxRules *rules, const char *path, unsigned access)
{
    for (size_t i = 0; i < rules->count; i++)
        if (!strcmp(rules->items[i].path, path) && rules->items[i].access == access)
            return true;
    return false;
}

static bool has_write(const SandboxSession *session, const char *path)
{
    for (size_t i = 0; i < session->writes.count; i++)
        if (!strcmp(session->writes.items[i].path, path))
            return true;
    return false;
}

static void check_sandbox(Bench *b, const Job *job, bool written)
{
    SandboxSession session = {.arena = b->arena};
    const SandboxRules *rules = &session.rules;
    FoundFiles found = {0};
    TextStream stream;
    found_files_write_job(text_stream_open(&stream, b->arena), job, b->arena);
    const char *records = text_stream_close(&stream);
    found_files_read(&found, (Bytes){(const uint8_t *)records, stream.size}, b->arena);
    sandbox_session_add_found(&session, &found, true);
    if (has_rule(rules, b->file, SANDBOX_READ) == written)
        fail_msg("%s: the sandbox %s", b->key, written ? "lets it be read" : "does not allow it");
    if (has_write(&session, b->file) != written)
        fail_msg("%s: the sandbox %s", b->key,
                 written ? "does not allow it" : "lets it be written");
    if (b->role == ROLE_INPUT_MODEL && !has_rule(rules, b->scratch.directory, SANDBOX_READ))
        fail_msg("%s: the sandbox does not allow its textures", b->key);
}

static void check_conflict(Bench *b, const Job *job, bool written)
{
    PathConflicts *conflicts = path_conflicts_create(DIAG_JOB, b->arena);
    const char *file = b->role == ROLE_INPUT_SHADERS /* a directory, whose files are inputs */
                           ? arena_printf(b->arena, "%s/%s", b->file, embedded_shaders[0].name)
                           : b->file;
    path_conflicts_add_job(conflicts, job, NULL);
    if (path_conflicts_add_output(conflicts, "-o", file, NULL, &b->log.diag) != written)
        fail_msg("%s: an output may %sreplace it", b->key, written ? "not " : "");
}

static void check_key(Bench *b, const char *key, const Option *option)
{
    const bool written = option->role == ROLE_OUTPUT;
    const char *const sets[] = {arena_printf(b->arena, "%s=%s", key, b->file)};
    const bool drawn_over = !strncmp(key, "titles", 6) || !strncmp(key, "pictures", 8);
    const bool of_scene = drawn_over || !strncmp(key, "scenes", 6);
    const JobSource source = {.path = of_scene ? b->scenes : b->job, .sets = sets, .set_count = 1};
    Job job;
    diag_log_init(&b->log);
    if (!job_load(&job, &source, b->arena, &b->log.diag))
        fail_msg("%s: %s", key, b->log.text);
    b->key = key;
    b->visits = 0;
    b->role = option->role;
    job_visit_files(&job, check_visit, b);
    if (b->visits != 1)
        fail_msg("%s: visited %zu times", key, b->visits);
    check_sandbox(b, &job, written);
    check_conflict(b, &job, written);
    b->keys++;
}

/* Items of lists are item 0. */
static void check_table(Bench *b, const OptionTable *table, const char *prefix)
{
    for (size_t i = 0; i < table->count; i++) {
        const Option *row = &table->rows[i];
        const char *key = arena_printf(b->arena, "%s%s", prefix, row->key);
        const bool is_files = row->type == OPTION_FILES;
        if ((row->type == OPTION_PATH || is_files) !=
            (row->role != ROLE_VALUE && row->role != ROLE_MODEL_ID))
            fail_msg("%s: a path has a role of files, and nothing else has", key);
        if (row->type == OPTION_PATH)
            check_key(b, key, row);
        else if (!strcmp(key, "scenes.0.physics"))
            continue; /* its bake is that of the film */
        else if (is_files)
            check_key(b, arena_printf(b->arena, "%s.hair", key), row);
        else if (row->table)
            check_table(
                b, row->table,
                arena_printf(b->arena, "%s%s", key, row->type == OPTION_LIST ? ".0." : "."));
    }
}

static void test_each_path(void **state)
{
    (void)state;
    Bench b = {.arena = arena_create()};
    scratch_make(&b.scratch);
    b.job = save(&b, "job.yaml", JOB);
    b.scenes = save(&b, "scenes.yaml", SCENES);
    b.file = save(&b, "named.png", "");
    check_table(&b, &option_job, "");
    assert_true(b.keys >= 18);
    scratch_remove(&b.scratch);
    arena_destroy(b.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_path)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
