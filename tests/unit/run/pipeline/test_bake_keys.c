// SPDX-License-Identifier: MIT
/*
 * The stage of each key against the digest of a bake: with another value of a key, the digest is
 * another one exactly if the key's stage is evaluation.  So a bake is never used for a job whose
 * evaluated frames differ, and jobs of a batch that share a bake have all such keys in common.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "film_fixture.h"
#include "job/job_options.h"
#include "job/job_scene.h"
#include "job/job_scenes.h"
#include "job/job_visit.h"
#include "run/pipeline/bake_run.h"

/* Together they have every key; sections that exclude each other are in different jobs. */
static const char *const JOBS[] = {
    "version: 1\n"
    "models:\n"
    "  - { id: a, file: quad.pmx, motions: [move.vmd, { file: move.vmd, clean: {} }],\n"
    "      attach: { model: b, bone: upper } }\n"
    "  - { id: b, file: strip.pmx, face: { sing: song.wav, offset_s: 1 }, path: [ { frame: 0 }, { "
    "time_s: 1 } ] }\n"
    "  - { id: c, file: quad.pmx, keys: [ { frame: 0 }, { time_s: 1 } ],\n"
    "      attach_keys: [ { time_s: 0, model: a, bone: upper }, { frame: 9, own_bone: x } ] }\n"
    "stage: [ { file: quad.pmx, path: [ { frame: 0 } ] },\n"
    "         { file: quad.pmx, keys: [ { frame: 0 } ] } ]\n"
    "cloth: [ { model: a, material: m, pin: {} }, { model: a, shape: {}, pin: { bone: b } } ]\n"
    "camera: { motion: camera.vmd, attach_keys: [ { time_s: 0, model: a, bone: upper },\n"
    "                                             { frame: 9, model: b, bone: upper } ] }\n"
    "light: { motion: camera.vmd }\n"
    "physics: { gravity_keys: [ { frame: 0 }, { time_s: 1 } ] }\n"
    "look: { accumulate: {}, focus: {}, mirror: {}, ground_shadow: {}, ssao: {}, glow: {},\n"
    "        diffusion: {}, grade: {} }\n"
    "audio: song.wav\n"
    "outputs: [o.png]\n"
    "previews: [ { type: still, file: p.png } ]\n"
    "burn_in: { text: x }\n"
    "subtitles: s.srt\n",
    "version: 1\n"
    "models: [ { id: a, file: quad.pmx }, { id: b, file: strip.pmx } ]\n"
    "camera: { path: [ { frame: 0, eye: [0, 0, 1] }, { time_s: 1, eye: [0, 0, 1] } ],\n"
    "          attach: { model: a, bone: upper } }\n"
    "light: { path: [ { frame: 0 }, { time_s: 1 } ] }\n"
    "outputs: [o.png]\n",
    "version: 1\n"
    "models: [ { id: a, file: quad.pmx } ]\n"
    "camera: { fixed: {} }\n"
    "outputs: [o.png]\n",
    "version: 1\n"
    "models: []\n"
    "scenes:\n"
    "  - models:\n"
    "      - { id: a, file: quad.pmx, motions: [move.vmd], attach: { model: b, bone: upper } }\n"
    "      - { id: b, file: strip.pmx, path: [ { frame: 0 }, { time_s: 1 } ] }\n"
    "      - { id: c, file: quad.pmx, keys: [ { frame: 0 }, { time_s: 1 } ],\n"
    "          attach_keys: [ { time_s: 0, model: a, bone: upper }, { frame: 9, own_bone: x } ] }\n"
    "    camera: { fixed: {} }\n"
    "    look: { accumulate: {}, glow: {} }\n"
    "  - { transition: { type: dip }, models: [ { id: a, file: quad.pmx } ], sounds: [song.wav],\n"
    "      titles: [ { text: a } ], pictures: [ p.png ] }\n"
    "fade: {}\n"
    "titles: [ { text: a } ]\n"
    "pictures: [ p.png ]\n"
    "outputs: [o.png]\n",
    "version: 1\n" /* the camera follows */
    "models: [ { id: a, file: quad.pmx } ]\n"
    "audio: song.wav\n"
    "outputs: [o.png]\n",
};
enum { JOB_COUNT = sizeof JOBS / sizeof *JOBS };

/* Keys of evaluation that need not be in the digest. */
static const char *const WITHOUT_EFFECT[] = {
    "version", /* has one value */
    "bake",    /* names a bake, which has a digest of its own */
};

typedef struct Seen { /* a row of the table, and whether it changed the digest of a job */
    const Option *option;
    bool changes;
} Seen;

typedef struct Bench {
    FilmFixture film;
    Arena *scratch; /* of one job */
    const char *job;
    Digest digest; /* of the job as it is */
    Seen seen[512];
    size_t count, wrong;
} Bench;

static bool load(Job *job, const Bench *b, const char *set, Diag *diag)
{
    const char *const sets[] = {set};
    const JobSource source = {.path = b->job, .sets = sets, .set_count = set != NULL};
    return job_load(job, &source, b->scratch, diag);
}

/* Of everything that selects a bake: its inputs, its rate and its frames. */
static Digest digest_of(const Job *job)
{
    FilmScene scenes[2] = {{.job = job}};
    const Film film = {.job = job,
                       .scenes = scenes,
                       .scene_count = job_scene_count(job),
                       .drawn = job->render.frames};
    BakeInfo info;
    DiagLog log;
    Arena *arena = arena_create();
    diag_log_init(&log);
    for (size_t i = 0; i < job->scene_count; i++)
        scenes[i].job = job_of_scene(job, i, 0, arena);
    if (!bake_info(&info, &film, &log.diag))
        fail_msg("%s", log.text);
    arena_destroy(arena);
    Hash *hash = hash_create();
    hash_add(hash, &info.digest, sizeof info.digest);
    hash_add(hash, &info.fps, sizeof info.fps);
    for (size_t i = 0; i < info.frames.count; i++)
        hash_add(hash, &info.frames.items[i], sizeof info.frames.items[i]);
    return hash_finish(hash);
}

/* The last word of a choice, or the first one if that is the value. */
static const char *other_choice(const Option *option, const char *value)
{
    size_t last = 0;
    while (option->choices[last + 1])
        last++;
    return option->choices[strcmp(option->choices[last], value) != 0 ? last : 0];
}

/* A value that differs, in YAML; NULL if there is none. */
static const char *other_value(const Option *option, const char *value, Arena *arena)
{
    const double max = option_is_ranged(option) ? option->max : 1.5;
    const double now = strtod(value, NULL);                       /* 0 for null and auto */
    const double next = fmin(fmax(now, option->min) + 0.25, max); /* times still ascend */
    switch (option->type) {
    case OPTION_BOOL:
        return !strcmp(value, "true") ? "false" : "true";
    case OPTION_INT:
        return option->values
                   ? "4"
                   : arena_printf(arena, "%.0f",
                                  now < option->max ? fmax(now, option->min) + 1 : now - 1);
    case OPTION_NUMBER:
    case OPTION_FLOAT:
        return arena_printf(arena, "%.10g", next != now ? next : now - 0.25);
    case OPTION_INTS:
        return "[64, 64]";
    case OPTION_NUMBERS:
        return arena_printf(arena, option->length == 2 ? "[%g, %g]" : "[%g, %g, %g]", max / 4,
                            max / 2, max / 3);
    case OPTION_COLOR:
        return "[0.1, 0.2, 0.3]";
    case OPTION_TEXT:
        return option->role == ROLE_MODEL_ID ? (strchr(value, 'a') ? "b" : "c") : "lower";
    case OPTION_PATH:
        return option->role == ROLE_OUTPUT          ? "other.png"
               : strstr(value, "strip.pmx") != NULL ? "move.vmd"
                                                    : "strip.pmx";
    case OPTION_CHOICE:
        return other_choice(option, value);
    case OPTION_FLAGS:
        return arena_printf(arena, "[%s]", option->choices[0]);
    case OPTION_RATE:
        return "24";
    case OPTION_FRAMES:
        return "1-2";
    case OPTION_TEXTS:
        return "[x]";
    case OPTION_NAMES:
        return "[a]";
    case OPTION_CHOICES:
        return arena_printf(arena, "[%s]", other_choice(option, ""));
    case OPTION_CUTS:
    case OPTION_LENGTH:
        return "5";
    case OPTION_WEIGHTS:
        return "{ x: 0.5 }";
    case OPTION_FILES:
        return "{ x: strip.pmx }";
    case OPTION_RENAMES:
        return "{ x: y }";
    case OPTION_CAPSULES:
        return "[auto]";
    default:
        return NULL;
    }
}

static Seen *find_seen(Bench *b, const Option *option)
{
    for (size_t i = 0; i < b->count; i++)
        if (b->seen[i].option == option)
            return &b->seen[i];
    assert_true(b->count < sizeof b->seen / sizeof *b->seen);
    b->seen[b->count] = (Seen){option, false};
    return &b->seen[b->count++];
}

/* Values that contradict other keys of the job are refused; another job has that key, too. */
static void try_key(void *user, const char *key, const char *value, const Option *option)
{
    Bench *b = user;
    Job job;
    DiagLog log;
    const char *other = other_value(option, value, b->film.arena);
    if (!other)
        return;
    diag_log_init(&log);
    const char *set = arena_printf(b->film.arena, "%s=%s", key, other);
    if (load(&job, b, set, &log.diag)) {
        Seen *seen = find_seen(b, option);
        const Digest digest = digest_of(&job);
        const bool differs = !digest_equal(&digest, &b->digest);
        if (differs && option->stage != STAGE_EVALUATION) {
            print_error("%s: its stage is not evaluation, but a bake depends on it\n", set);
            b->wrong++;
        }
        seen->changes |= differs;
    }
    arena_reset(b->scratch);
}

static bool is_listed(const char *key)
{
    for (size_t i = 0; i < sizeof WITHOUT_EFFECT / sizeof *WITHOUT_EFFECT; i++)
        if (!strcmp(WITHOUT_EFFECT[i], key))
            return true;
    return false;
}

static void check_table(Bench *b, const OptionTable *table, const char *prefix)
{
    for (size_t i = 0; i < table->count; i++) {
        const Option *row = &table->rows[i];
        const char *key = arena_printf(b->film.arena, "%s%s", prefix, row->key);
        if (row->table)
            check_table(b, row->table, arena_printf(b->film.arena, "%s.", key));
        else if (row->stage == STAGE_EVALUATION && !is_listed(row->key) &&
                 !find_seen(b, row)->changes) {
            print_error("%s: its stage is evaluation, but no bake depends on it\n", key);
            b->wrong++;
        }
    }
}

static void test_stages(void **state)
{
    Bench *b = calloc(1, sizeof *b);
    (void)state;
    assert_non_null(b);
    film_fixture_make(&b->film);
    b->scratch = arena_create();
    for (size_t i = 0; i < JOB_COUNT; i++) {
        Job job;
        diag_log_init(&b->film.log);
        film_fixture_save(&b->film, "keys.yaml", JOBS[i]);
        b->job = film_fixture_path(&b->film, "keys.yaml");
        if (!load(&job, b, NULL, &b->film.log.diag))
            fail_msg("%s", b->film.log.text);
        b->digest = digest_of(&job);
        Arena *kept = b->scratch; /* of the job that is visited */
        b->scratch = arena_create();
        job_visit_keys(&job, try_key, b);
        arena_destroy(b->scratch);
        b->scratch = kept;
        arena_reset(b->scratch);
    }
    check_table(b, &option_job, "");
    assert_int_equal(b->wrong, 0);
    arena_destroy(b->scratch);
    film_fixture_remove(&b->film);
    free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stages)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
