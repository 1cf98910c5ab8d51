// SPDX-License-Identifier: MIT
/* fingerprint: the digest depends on everything that can change a frame or the sound, only */

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "film/path_conflicts.h"
#include "film_fixture.h"
#include "mocap_fixture.h"
#include "run/checkpoint/fingerprint.h"
#include "run/pipeline/bake_run.h"
#include "unit_test.h"
#include "xfile_fixture.h"

/* Every kind of input and of value once. */
#define HEAD                                                             \
    "version: 1\n"                                                       \
    "models:\n"                                                          \
    "  - { id: a, file: strip.pmx, motions: [move.vmd] }\n"              \
    "  - { id: b, file: quad.pmx, attach: { model: a, bone: upper } }\n" \
    "stage: [quad.pmx]\n"                                                \
    "camera: { motion: camera.vmd }\n"                                   \
    "background: { image: back.png }\n"                                  \
    "audio: song.wav\n"
#define TAIL                                                 \
    "render: { size: [64, 36], fps: 30, frames: \"0-9\" }\n" \
    "outputs: [ out/film.sha256, \"out/%03d.png\" ]\n"
#define PLAIN HEAD TAIL

static void set_up(FilmFixture *f)
{
    film_fixture_make(f);
    const char *picture = film_fixture_path(f, "back.png");
    assert_int_equal(link(film_fixture_path(f, "quad.png"), picture), 0);
}

static Fingerprint identify(FilmFixture *f, const char *job)
{
    Fingerprint fingerprint;
    diag_log_init(&f->log);
    const Film *film = film_fixture_load(f, job);
    if (!fingerprint_make(&fingerprint, film, NULL, f->arena, &f->log.diag))
        fail_msg("%s", f->log.text);
    return fingerprint;
}

/* The job with one text replaced by another. */
static const char *replaced(FilmFixture *f, const char *from, const char *to)
{
    const char *at = strstr(PLAIN, from);
    if (!at)
        fail_msg("no '%s' in the job", from);
    return arena_printf(f->arena, "%.*s%s%s", (int)(at - PLAIN), PLAIN, to, at + strlen(from));
}

static const FingerprintFact *find_fact(const FingerprintFacts *facts, const char *key)
{
    for (size_t i = 0; i < facts->count; i++)
        if (!strcmp(facts->items[i].key, key))
            return &facts->items[i];
    return NULL;
}

/* The keys of job.json are part of its format; the digest is that of all keys and values. */
static void test_facts(void **state)
{
    static const struct {
        const char *key, *value; /* NULL: any */
    } rows[] = {
        {"render.size", "[64, 36]"},       {"models.0.file", NULL},
        {"models.0.motions.0.file", NULL}, {"camera.motion.file", NULL},
        {"light.motion", "null"},          {"audio.file", NULL},
        {"models.1.attach.to", NULL},      {"frames", "0-9"},
        {"outputs.0.ending", "sha256"},    {"outputs.1.ending", "png"},
        {"frames of a segment", NULL},     {"evaluation version", NULL},
        {"picture version", NULL},         {"FFmpeg", NULL},
    };
    static const char *const others[] = {"models.0.id", "render.workers", "limits.memory_mib",
                                         "name",        "credits.lines",  "outputs.0.file"};
    FilmFixture f;
    (void)state;
    set_up(&f);
    const Fingerprint fingerprint = identify(&f, PLAIN);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const FingerprintFact *fact = find_fact(&fingerprint.facts, rows[i].key);
        if (!fact || (rows[i].value && strcmp(fact->value, rows[i].value) != 0))
            fail_msg("%s: %s", rows[i].key, fact ? fact->value : "missing");
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!find_fact(&fingerprint.other_facts, others[i]))
            fail_msg("%s is missing or affects the digest", others[i]);

    Hash *hash = hash_create();
    for (size_t i = 0; i < fingerprint.facts.count; i++) {
        const FingerprintFact *fact = &fingerprint.facts.items[i];
        hash_add(hash, fact->key, strlen(fact->key) + 1);
        hash_add(hash, fact->value, strlen(fact->value) + 1);
    }
    const Digest digest = hash_finish(hash);
    assert_true(digest_equal(&digest, &fingerprint.digest));
    film_fixture_remove(&f);
}

static void test_values(void **state)
{
    static const struct {
        const char *from, *to;
        bool differs;
    } rows[] = {
        {"version: 1", "version: 1\nname: another", false},
        {"version: 1", "version: 1\ncredits: [somebody]", false},
        {"version: 1", "version: 1\nlimits: { frame_timeout_s: 5 }", false},
        {"version: 1", "version: 1\npreviews: [ { type: still, file: s.png } ]", false},
        {"frames: \"0-9\"", "frames: \"0-9\", workers: 3", false},
        {"{ id: b, file", "{ id: c, file", false},
        {"out/film.sha256", "elsewhere/dance.sha256", false},
        {"\"out/%03d.png\"", "\"out/pictures/%d.png\"", false},
        {"audio: song.wav", "audio: ./song.wav", false},
        {"version: 1", "version: 1\nphysics: { bake: none }", false},

        {"[64, 36]", "[64, 38]", true},
        {"fps: 30", "fps: 60", true},
        {"\"0-9\"", "\"0-8\"", true},
        {"bone: upper", "bone: lower", true},
        {"attach: { model: a, bone: upper }", "position: [0, 0, 0]", true},
        {"motions: [move.vmd]", "motions: []", true},
        {"motions: [move.vmd]", "motions: [ { file: move.vmd, offset: 1 } ]", true},
        {"motions: [move.vmd]", "motions: [move.vmd], morphs: {}, scale: 1.0000001", true},
        {"out/film.sha256,", "", true},
        {"out/film.sha256, \"out/%03d.png\"", "\"out/%03d.png\", out/film.sha256", true},
        {"out/film.sha256", "{ file: out/film.sha256, crf: 20 }", true},
        {"stage: [quad.pmx]", "stage: []", true},
        {"camera: { motion: camera.vmd }", "camera: { fixed: { fov_deg: 30 } }", true},
        {"audio: song.wav", "", true},
        {"audio: song.wav", "audio: { file: song.wav, gain_db: 1 }", true},
        {"{ image: back.png }", "{ color: \"#000000\" }", true},
        {"version: 1", "version: 1\nphysics: { gravity: [0, -90, 0] }", true},
        {"version: 1", "version: 1\nphysics: { gravity_noise: 1 }", true},
        {"attach: { model: a, bone: upper }", "attach_keys: [{frame: 0, model: a, bone: upper}]",
         true},
        {"version: 1", "version: 1\nlook: { grade: { exposure_ev: 1 } }", true},
        {"version: 1", "version: 1\nlook: { ground_shadow: {} }", true},
        {"version: 1", "version: 1\ncompat: { ik: pmxe }", true},
    };
    FilmFixture f;
    (void)state;
    set_up(&f);
    const Fingerprint plain = identify(&f, PLAIN);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Fingerprint other = identify(&f, replaced(&f, rows[i].from, rows[i].to));
        if (digest_equal(&plain.digest, &other.digest) == rows[i].differs)
            fail_msg("%s -> %s: %s", rows[i].from, rows[i].to,
                     rows[i].differs ? "the same digest" : "another digest");
    }
    film_fixture_remove(&f);
}

/* Which models a camera follows counts, not their ids. */
static void test_following(void **state)
{
    static const struct {
        const char *first, *second, *camera;
        bool differs;
    } rows[] = {
        {"a", "b", "follow: [a]", false},
        {"z", "b", "follow: z", false},
        {"b", "a", "follow: a", true},
        {"a", "b", "follow: [a, b]", true},
        {"a", "b", "shot: full", true},
        {"a", "b", "follow: a, shot: bust", true},
        {"a", "b", "follow: a, smooth_s: 2", true},
        {"a", "b", "follow: a, margin: 0.1", true},
        {"a", "b", "follow: a, cuts: 0.5s", true},
        {"a", "b", "follow: a, cuts: auto", true},
    };
    FilmFixture f;
    Digest plain = {{0}};
    (void)state;
    set_up(&f);
    for (size_t i = 0; i <= sizeof rows / sizeof *rows; i++) {
        const bool base = !i;
        const char *job = arena_printf(
            f.arena,
            "version: 1\nmodels:\n  - { id: %s, file: strip.pmx, motions: [move.vmd] }\n"
            "  - { id: %s, file: quad.pmx }\ncamera: { %s }\naudio: song.wav\n%s",
            base ? "a" : rows[i - 1].first, base ? "b" : rows[i - 1].second,
            base ? "follow: a" : rows[i - 1].camera, TAIL);
        const Fingerprint fingerprint = identify(&f, job);
        if (base)
            plain = fingerprint.digest;
        else if (digest_equal(&plain, &fingerprint.digest) == rows[i - 1].differs)
            fail_msg("%s", job);
        const bool on_beats = !base && strstr(rows[i - 1].camera, "auto");
        assert_true(on_beats == (find_fact(&fingerprint.facts, "camera.cuts found") != NULL));
    }
    film_fixture_remove(&f);
}

static void append(FilmFixture *f, const char *name, const char *bytes)
{
    FILE *out = fopen(film_fixture_path(f, name), "ab");
    assert_non_null(out);
    fputs(bytes, out);
    assert_int_equal(fclose(out), 0);
}

/* A byte behind what its reader needs: nothing of the scene changes, and still it is another input.
 */
static void test_bytes_of_inputs(void **state)
{
    static const char *const files[] = {"strip.pmx", "quad.pmx",   "quad.png",
                                        "move.vmd",  "camera.vmd", "song.wav"};
    FilmFixture f;
    (void)state;
    set_up(&f);
    Fingerprint before = identify(&f, PLAIN);
    assert_int_equal(before.input_count,
                     7); /* and back.png; the stage's quad.pmx is known already */
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        append(&f, files[i], "x");
        const Fingerprint after = identify(&f, PLAIN);
        if (digest_equal(&before.digest, &after.digest))
            fail_msg("%s: the same digest", files[i]);
        before = after;
    }
    append(&f, "unused.vmd", "x");
    const Fingerprint after = identify(&f, PLAIN);
    assert_true(digest_equal(&before.digest, &after.digest));
    film_fixture_remove(&f);
}

/* A .vac and the .x that it names, the texture of a cloth, shaders from a directory. */
static void test_inputs_of_inputs(void **state)
{
    static const char job[] =
        "version: 1\nmodels: [strip.pmx, worn.vac]\n"
        "cloth: [ { model: strip, shape: { columns: 4, rows: 3, texture: quad.png }, "
        "pin: { bone: upper } } ]\n" TAIL;
    static const char *const files[] = {"worn.vac", "worn.x", "quad.png"};
    FilmFixture f;
    (void)state;
    set_up(&f);
    film_fixture_save(&f, "worn.x", xfile_fixture_text);
    film_fixture_save(&f, "worn.vac", "worn\nworn.x\n1\n0,0,0\n0,0,0\n\n");
    Fingerprint before = identify(&f, job);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        append(&f, files[i], "\n");
        const Fingerprint after = identify(&f, job);
        if (digest_equal(&before.digest, &after.digest))
            fail_msg("%s: the same digest", files[i]);
        before = after;
    }
    assert_int_equal(mkdir(film_fixture_path(&f, "shaders"), 0777), 0);
    f.set = arena_printf(f.arena, "render.shader_dir=%s", film_fixture_path(&f, "shaders"));
    before = identify(&f, job);
    film_fixture_save(&f, "shaders/surface.frag", "void main() {}\n");
    const Fingerprint after = identify(&f, job);
    assert_false(digest_equal(&before.digest, &after.digest));
    film_fixture_remove(&f);
}

/* Hips that rise by 1 m in 2 s; the two times and the two places are in another file. */
static const char gltf[] =
    "{'asset':{'version':'2.0'},'buffers':[{'uri':'rise.bin','byteLength':32}],"
    "'bufferViews':[{'buffer':0,'byteLength':8},{'buffer':0,'byteOffset':8,'byteLength':24}],"
    "'accessors':[{'bufferView':0,'componentType':5126,'count':2,'type':'SCALAR'},"
    "{'bufferView':1,'componentType':5126,'count':2,'type':'VEC3'}],'nodes':["
    "{'name':'Hips','translation':[0,1,0],'children':[1,4]},"
    "{'name':'LeftUpLeg','translation':[0.1,0,0],'children':[2]},"
    "{'name':'LeftLeg','translation':[0,-0.5,0],'children':[3]},"
    "{'name':'LeftFoot','translation':[0,-0.5,0]},"
    "{'name':'RightUpLeg','translation':[-0.1,0,0],'children':[5]},"
    "{'name':'RightLeg','translation':[0,-0.5,0],'children':[6]},"
    "{'name':'RightFoot','translation':[0,-0.5,0]}],'animations':[{'samplers':[{'input':0,"
    "'output':1}],'channels':[{'sampler':0,'target':{'node':0,'path':'translation'}}]}]}";

/* The buffer of a .gltf, as a motion, is an input of a job, of a bake, and no name of an output. */
static void test_buffers_of_motions(void **state)
{
    static const char job[] =
        "version: 1\nmodels: [ { file: body.pmx, motions: [rise.gltf] } ]\n" TAIL;
    static const float values[] = {0, 2, 0, 1, 0, 0, 2, 0};
    FilmFixture f;
    PmxModel body;
    BakeInfo before, after;
    (void)state;
    set_up(&f);
    bones_create_standard(&body, f.arena);
    const Bytes bytes = pmx_write(&body, (PmxWriteOptions){0}, f.arena);
    assert_true(file_save(film_fixture_path(&f, "body.pmx"), bytes.data, bytes.size, &f.log.diag));
    assert_true(file_save(film_fixture_path(&f, "rise.bin"), values, sizeof values, &f.log.diag));
    char *text = arena_strdup(f.arena, gltf);
    for (char *at = text; *at; at++)
        *at = *at == '\'' ? '"' : *at;
    film_fixture_save(&f, "rise.gltf", text);
    const Fingerprint first = identify(&f, job);
    const Film *film = film_fixture_load(&f, job);
    assert_true(bake_info(&before, film, &f.log.diag));
    const FingerprintFact *fact = find_fact(&first.facts, "motions.0.file");
    assert_non_null(fact);
    assert_string_equal(fact->input->file, film_fixture_path(&f, "rise.bin"));
    PathConflicts *conflicts = path_conflicts_create(DIAG_JOB, f.arena);
    path_conflicts_add_film(conflicts, film);
    assert_false(path_conflicts_add_output(conflicts, "-o", film_fixture_path(&f, "rise.bin"), NULL,
                                           &f.log.diag));
    append(&f, "rise.bin", "x");
    diag_log_init(&f.log);
    assert_true(bake_info(&after, film, &f.log.diag));
    assert_false(digest_equal(&before.digest, &after.digest));
    const Fingerprint second = identify(&f, job);
    assert_false(digest_equal(&first.digest, &second.digest));
    film_fixture_remove(&f);
}

/* The same bytes under other names, in another directory, are the same job; exchanged ones are not.
 */
static void test_names_and_places(void **state)
{
    FilmFixture f;
    (void)state;
    set_up(&f);
    const Fingerprint plain = identify(&f, PLAIN);
    assert_int_equal(mkdir(film_fixture_path(&f, "moved"), 0777), 0);
    assert_int_equal(
        link(film_fixture_path(&f, "strip.pmx"), film_fixture_path(&f, "moved/other.pmx")), 0);
    Fingerprint other = identify(&f, replaced(&f, "file: strip.pmx", "file: moved/other.pmx"));
    assert_true(digest_equal(&plain.digest, &other.digest));

    const char *exchanged = "  - { id: a, file: quad.pmx }\n  - { id: b, file: strip.pmx }\n" TAIL;
    const char *straight = "  - { id: a, file: strip.pmx }\n  - { id: b, file: quad.pmx }\n" TAIL;
    const Fingerprint one =
        identify(&f, arena_printf(f.arena, "version: 1\nmodels:\n%s", straight));
    other = identify(&f, arena_printf(f.arena, "version: 1\nmodels:\n%s", exchanged));
    assert_false(digest_equal(&one.digest, &other.digest));
    film_fixture_remove(&f);
}

/* Ids do not count, but whom they name does. */
static void test_who_carries(void **state)
{
    static const char models[] =
        "version: 1\nmodels:\n  - { id: %s, file: strip.pmx }\n"
        "  - { id: %s, file: strip.pmx, position: [9, 0, 0] }\n"
        "  - { id: %s, file: quad.pmx, attach: { model: %s, bone: upper } }\n" TAIL;
    FilmFixture f;
    (void)state;
    set_up(&f);
    static const char *const ids[][4] = {
        {"a", "b", "c", "a"}, {"x", "y", "z", "x"}, {"b", "a", "c", "a"}};
    Digest digests[3];
    for (size_t i = 0; i < 3; i++) {
        char job[1024];
        size_t used = 0, word = 0;
        for (const char *at = models; *at; at++) /* "%03d" of the outputs stays */
            if (at[0] == '%' && at[1] == 's')
                used += (size_t)snprintf(job + used, sizeof job - used, "%s", ids[i][word++]), at++;
            else
                job[used++] = *at;
        job[used] = '\0';
        digests[i] = identify(&f, job).digest;
    }
    assert_true(digest_equal(&digests[0], &digests[1]));
    assert_false(digest_equal(&digests[0], &digests[2]));
    film_fixture_remove(&f);
}

static void test_unreadable_and_stopped(void **state)
{
    static const volatile sig_atomic_t stop = 1;
    FilmFixture f;
    Fingerprint fingerprint;
    (void)state;
    set_up(&f);
    const Film *film = film_fixture_load(&f, PLAIN);
    assert_false(fingerprint_make(&fingerprint, film, &stop, f.arena, &f.log.diag));
    assert_int_equal(f.log.diag.errors, 0);
    unlink(film_fixture_path(&f, "move.vmd"));
    assert_false(fingerprint_make(&fingerprint, film, NULL, f.arena, &f.log.diag));
    assert_int_equal(f.log.diag.kind, DIAG_MISSING);
    assert_int_equal(f.log.diag.errors, 1);
    assert_non_null(strstr(f.log.text, "move.vmd': No such file or directory"));
    film_fixture_remove(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_facts),
        cmocka_unit_test(test_following),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_bytes_of_inputs),
        cmocka_unit_test(test_inputs_of_inputs),
        cmocka_unit_test(test_buffers_of_motions),
        cmocka_unit_test(test_names_and_places),
        cmocka_unit_test(test_who_carries),
        cmocka_unit_test(test_unreadable_and_stopped),
    };
    return cmocka_run_group_tests_name("identity", tests, NULL, NULL);
}
