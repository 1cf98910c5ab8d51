// SPDX-License-Identifier: MIT
/* job_scenes: what scenes take from the top level, and mistakes in them */

#include <stdio.h>
#include <string.h>

#include "base/text_stream.h"
#include "diag_log.h"
#include "job/job_scenes.h"
#include "job/job_visit.h"
#include "scratch.h"
#include "unit_test.h"

typedef struct Table {
    Scratch scratch;
    DiagLog log;
    Arena *arena;
    Job job;
} Table;

static bool load(Table *t, const char *text, const char *set)
{
    memset(t, 0, sizeof *t);
    scratch_make(&t->scratch);
    diag_log_init(&t->log);
    t->arena = arena_create();
    const char *path = scratch_path(&t->scratch, "job.yaml");
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    assert_true(fputs(text, out) >= 0);
    assert_int_equal(fclose(out), 0);
    const JobSource source = {
        .path = path, .needs_output = true, .sets = &set, .set_count = set ? 1 : 0};
    return job_load(&t->job, &source, t->arena, &t->log.diag);
}

static void clear(Table *t)
{
    scratch_remove(&t->scratch);
    arena_destroy(t->arena);
}

#define HEAD                                                   \
    "version: 1\n"                                             \
    "models:\n"                                                \
    "  - { id: a, file: a.pmx, motions: [a.vmd], scale: 2 }\n" \
    "  - b.pmx\n"                                              \
    "stage: [s.pmx]\n"                                         \
    "camera: { motion: c.vmd }\n"                              \
    "look: { glow: { strength: 3 } }\n"                        \
    "render: { fps: 50 }\n"                                    \
    "outputs: [o.mp4]\n"

static bool ends_with(const char *text, const char *end)
{
    const size_t size = strlen(text), own = strlen(end);
    return size >= own && !strcmp(text + size - own, end);
}

/* What a scene gives replaces the whole section; a model without file is that of its id. */
static void takes_from_the_top(void **state)
{
    Table t;
    (void)state;
    if (!load(&t,
              HEAD
              "scenes:\n"
              "  - {}\n"
              "  - { stage: [], camera: { fixed: { distance: -9 } }, look: { grade: {} },\n"
              "      models: [ { id: a, motions: [x.vmd, y.vmd] }, { id: b, scale: 3 }, c.pmx ],\n"
              "      frames: 1s-2s, transition: { type: wipe-up, length: m30 } }\n"
              "  - { look: null, transition: cross-fade }\n",
              NULL))
        fail_msg("%s", t.log.text);
    assert_int_equal(job_scene_count(&t.job), 3);
    assert_int_equal(t.job.model_count + t.job.stage_count, 0); /* all of it is in the scenes */
    assert_null(t.job.camera.motion);

    const JobScene *s = t.job.scenes;
    assert_int_equal(s[0].model_count, 2);
    assert_string_equal(s[0].models[1].id, "b");
    assert_int_equal(s[0].stage_count, 1);
    assert_true(ends_with(s[0].camera.motion->file, "/c.vmd"));
    assert_true(s[0].look.glow->strength == 3);
    assert_int_equal(s[0].frames.count, 0);
    assert_int_equal(s[0].transition.type, TRANSITION_CUT);

    assert_int_equal(s[1].stage_count, 0);
    assert_null(s[1].camera.motion);
    assert_true(s[1].camera.fixed->distance == -9);
    assert_null(s[1].look.glow);
    assert_int_equal(s[1].model_count, 3);
    assert_true(ends_with(s[1].models[0].file, "/a.pmx"));
    assert_int_equal(s[1].models[0].motion_count, 2);
    assert_true(s[1].models[0].scale == 2);
    assert_true(ends_with(s[1].models[1].file, "/b.pmx"));
    assert_true(s[1].models[1].scale == 3);
    assert_string_equal(s[1].models[2].id, "c");
    assert_int_equal(s[1].frames.items[0].first, 50);
    assert_int_equal(s[1].frames.items[0].last, 99);
    assert_int_equal(s[1].transition.length, 50);

    assert_null(s[2].look.glow); /* null: the default */
    assert_non_null(s[2].camera.motion);
    assert_int_equal(s[2].transition.length, 50); /* 1 s */
    clear(&t);
}

/* The job of a scene has its keys, and locations in its part of the file. */
static void is_a_job_of_its_own(void **state)
{
    Table t;
    (void)state;
    if (!load(&t, HEAD "scenes:\n  - {}\n  - { stage: [z.pmx], frames: 3-7 }\n", NULL))
        fail_msg("%s", t.log.text);
    const Job *own = job_of_scene(&t.job, 1, 0, t.arena);
    assert_int_equal(own->model_count, 2);
    assert_true(ends_with(own->stage[0].file, "/z.pmx"));
    assert_non_null(own->camera.motion);
    assert_int_equal(own->compat.curve_halvings, 12);
    assert_int_equal(own->render.fps.num, 50);
    assert_int_equal(own->render.frames.items[0].first, 3);
    assert_int_equal(job_scene_count(own), 1);
    assert_int_equal(job_location(own, "stage.0.file", NULL, t.arena)->line, 12);
    assert_int_equal(job_location(own, "models.0.file", NULL, t.arena)->line, 3);
    assert_int_equal(job_location(own, "render.fps", NULL, t.arena)->line, 8);
    clear(&t);
}

/* A job without scenes has no fact about them that its checkpoint or bake would depend on. */
static void visit(void *user, const char *key, const char *value, const Option *option)
{
    (void)user, (void)value;
    if ((!strcmp(key, "scenes") || !strcmp(key, "titles") || !strcmp(key, "pictures") ||
         !strcmp(key, "fade")) &&
        option_affects_film(option))
        fail_msg("%s is covered", key);
}

typedef struct Count {
    size_t models, motions;
} Count;

static void count_file(void *user, const JobFile *file)
{
    Count *count = user;
    count->models += file->role == ROLE_INPUT_MODEL;
    count->motions += file->role == ROLE_INPUT_MOTION;
}

static void visits_all_files(void **state)
{
    Table t;
    Count count = {0, 0};
    (void)state;
    if (!load(&t, HEAD "scenes:\n  - {}\n  - { models: [ { id: a } ] }\n", NULL))
        fail_msg("%s", t.log.text);
    job_visit_files(&t.job, count_file, &count);
    assert_int_equal(count.models, 3 + 2);
    assert_int_equal(count.motions, 2 + 2); /* with the cameras */
    clear(&t);
    assert_true(load(&t, HEAD, NULL));
    job_visit_keys(&t.job, visit, NULL);
    clear(&t);
}

/* A dump has all of it, and is the same job. */
static void is_dumped(void **state)
{
    Table t, again;
    TextStream one, two;
    (void)state;
    if (!load(&t,
              HEAD "physics: { bake: film.bake }\nbackground: { alpha: true }\nscenes:\n  - {}\n"
                   "  - { stage: [z.pmx], frames: 3-7, transition: { type: dip, length: 2 } }\n"
                   "fade: { in: 1s, color: \"#ff0000\" }\n"
                   "titles: [ { text: \"a\\nb\", frames: 1-2, place: top } ]\n",
              NULL))
        fail_msg("%s", t.log.text);
    job_write(text_stream_open(&one, t.arena), &t.job);
    const char *text = text_stream_close(&one);
    if (!load(&again, text, NULL))
        fail_msg("%s\n%s", again.log.text, text);
    job_write(text_stream_open(&two, again.arena), &again.job);
    assert_string_equal(text, text_stream_close(&two));
    assert_true(again.job.background.alpha);
    assert_int_equal(again.job.fade->in, 50);
    clear(&again);
    clear(&t);
}

/* A camera for frames of another shape gives the film that shape, whichever scene has it. */
static void reframes_the_film(void **state)
{
    Table t;
    (void)state;
    if (!load(&t, HEAD "scenes: [ {}, { camera: { motion: c.vmd, reframe: \"9:16\" } } ]\n", NULL))
        fail_msg("%s", t.log.text);
    assert_int_equal(t.job.render.size[0], 1080);
    assert_int_equal(t.job.render.size[1], 1920);
    assert_int_equal(job_of_scene(&t.job, 0, 0, t.arena)->render.size[1], 1920);
    clear(&t);
}

static void sets_values(void **state)
{
    Table t;
    (void)state;
    if (!load(&t, HEAD "scenes: [ {}, { camera: {} } ]\n", "camera.motion.speed=2"))
        fail_msg("%s", t.log.text);
    assert_true(t.job.scenes[0].camera.motion->speed == 2); /* of the top level */
    assert_null(t.job.scenes[1].camera.motion);
    clear(&t);
    if (!load(&t, HEAD "scenes: [ {}, {} ]\n", "scenes.1.look.glow.strength=7"))
        fail_msg("%s", t.log.text);
    assert_true(t.job.scenes[0].look.glow->strength == 3);
    assert_true(t.job.scenes[1].look.glow->strength == 7);
    clear(&t);
}

static void reports_mistakes(void **state)
{
    static const struct {
        const char *rest, *message;
    } rows[] = {
        {"scenes: {}\n", "scenes: expected a list"},
        {"scenes: [ a.pmx ]\n", "scenes.0: 'a.pmx' is not a map"},
        {"scenes: [ { stages: [] } ]\n", "unknown key 'scenes.0.stages'; did you mean 'stage'?"},
        {"scenes: [ {}, { models: [ { id: c } ] } ]\n",
         ":10:33: no model of the top level has the id 'c'"},
        {"scenes: [ { models: [ { scale: 2 } ] } ]\n",
         "a model of a scene needs a file, or the id of one of the top level"},
        {"scenes: [ { transition: dip } ]\n", "scenes.0.transition: no scene is before this one"},
        {"scenes: [ {}, { transition: fade } ]\n",
         "scenes.1.transition.type: 'fade' is not one of cut, cross-fade, dip, wipe-left"},
        {"scenes: [ {}, { transition: { type: dip, length: 0 } } ]\n",
         "scenes.1.transition.length: 0 is out of range (1..1000000)"},
        {"scenes: [ {}, { transition: { type: dip, length: 1.5 } } ]\n",
         "scenes.1.transition.length: '1.5' is not a number of frames, m15 (motion frames) or a "
         "time like 0.5s"},
        {"scenes: [ { frames: \"1-2,4-5\" } ]\n", "scenes.0.frames: expected one range"},
        {"scenes: [ {}, { background: { alpha: true } } ]\n",
         "scenes.1.background.alpha: must be the same in all scenes"},
        {"scenes: [ { physics: { bake: x.bake } } ]\n",
         "scenes.0.physics.bake: a bake is one of the whole film; give physics.bake"},
        {"scenes: [ { camera: { fixed: {}, motion: c.vmd } } ]\n",
         "scenes.0.camera: at most one of motion, fixed and path can be given"},
        {"scenes: [ { models: [ { id: b, attach: { model: q, bone: x } } ] } ]\n",
         "scenes.0.models.0: no model has the id 'q'"},
        {"scenes: [ { models: [], look: { focus: {} } } ]\n",
         "scenes.0.look.focus: there is no model"},
        {"scenes: [ { render: { fps: 30 } } ]\n", "unknown key 'scenes.0.render'"},
        {"scenes: [ {}, { effects: { history: 3 } } ]\n",
         "scenes.1.effects.history: does not go together with scenes"},
        {"scenes: [ { camera: { motion: c.vmd, reframe: \"9:16\" } },\n"
         "          { camera: { motion: c.vmd, reframe: \"1:1\" } } ]\n",
         "scenes.1.camera.reframe: 1:1 is not the shape of render.size, 1080x1920"},
        {"scenes: [ { camera: { motion: c.vmd, reframe: \"16:9\" } },\n"
         "          { camera: { motion: c.vmd, reframe: \"9:16\" } } ]\n",
         "scenes.1.camera.reframe: 9:16 is not the shape of render.size, 1920x1080"},
        {"titles: [ {} ]\n", "titles.0.text is missing"},
        {"titles: [ { text: a, place: middle } ]\n", "titles.0.place: 'middle' is not one of"},
        {"pictures: [ { file: a.png, opacity: 2 } ]\n",
         "pictures.0.opacity: 2 is out of range (0..1)"},
        {"fade: { in: soon }\n", "fade.in: 'soon' is not a number of frames"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Table t;
        char text[1000];
        snprintf(text, sizeof text, "%s%s", HEAD, rows[i].rest);
        if (load(&t, text, NULL) || !strstr(t.log.text, rows[i].message))
            fail_msg("%s\n%s", rows[i].rest, t.log.text);
        clear(&t);
    }
}

/* A small file cannot ask for gigabytes. */
static void limits_copies(void **state)
{
    Table t;
    TextStream stream;
    Arena *arena = arena_create();
    FILE *out = text_stream_open(&stream, arena);
    (void)state;
    fputs("version: 1\nmodels: [ { id: a, file: a.pmx, morphs: { ", out);
    for (int i = 0; i < 900; i++)
        fprintf(out, "m%d: 1, ", i);
    fputs("} } ]\noutputs: [o.mp4]\nscenes:\n", out);
    for (int i = 0; i < 150; i++)
        fputs("  - {}\n", out);
    assert_false(load(&t, text_stream_close(&stream), NULL));
    assert_non_null(strstr(t.log.text, "what they take from the top level is more than 100000"));
    clear(&t);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_from_the_top), cmocka_unit_test(is_a_job_of_its_own),
        cmocka_unit_test(visits_all_files),   cmocka_unit_test(is_dumped),
        cmocka_unit_test(sets_values),        cmocka_unit_test(reports_mistakes),
        cmocka_unit_test(limits_copies),      cmocka_unit_test(reframes_the_film),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
