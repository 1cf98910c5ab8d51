// SPDX-License-Identifier: MIT
/* checkpoint: a frame is complete if ledger and digest confirm it, and after any crash only then */

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "film_fixture.h"
#include "output/sink.h"
#include "run/checkpoint/checkpoint.h"
#include "run/checkpoint/checkpoint_files.h"
#include "run/checkpoint/checkpoint_job.h"
#include "unit_test.h"

/* 70 frames in segments of 30, 30 and 10. */
enum { FRAMES = 70 };
#define JOB                             \
    "version: 1\nmodels: [strip.pmx]\n" \
    "render: { size: [64, 36], fps: 30, frames: \"100-169\" }\n"
#define SEGMENTS "outputs: [ { file: out/film.sha256, gop: 30 } ]\n"
#define STILLS "outputs: [ { file: \"out/%04d.png\" } ]\n"
#define DIRECTORY "out/.film.sha256.odori/"

static const FilmShard whole = {1, 1};

static Checkpoint *open_as(FilmFixture *f, const Film *film, CheckpointMode mode, FilmShard shard)
{
    const CheckpointOptions options = {.mode = mode, .shard = shard};
    return checkpoint_open(film, &options, &f->log.diag);
}

static Checkpoint *open_whole(FilmFixture *f, const Film *film)
{
    Checkpoint *state = open_as(f, film, CHECKPOINT_RESUME, whole);
    if (!state)
        fail_msg("%s", f->log.text);
    return state;
}

static void save_segment(FilmFixture *f, const Film *film, const Checkpoint *state, int64_t segment)
{
    const FilmSpan places = film_segment(film, segment);
    const char *text = "";
    for (int64_t p = places.first; p < places.end; p++)
        text = arena_printf(f->arena, "%spicture %d\n", text, (int)p);
    const char *file = checkpoint_segment_file(state, 0, segment, f->arena);
    FILE *out = fopen(file, "wb");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

static void add_segment(FilmFixture *f, const Film *film, Checkpoint *state, int64_t segment)
{
    save_segment(f, film, state, segment);
    if (!checkpoint_add_segment(state, 0, segment, &f->log.diag))
        fail_msg("%s", f->log.text);
}

/* "100-129 160-169" */
static const char *missing(FilmFixture *f, const Checkpoint *state)
{
    const FrameRanges frames = checkpoint_missing(state, f->arena);
    const char *text = "";
    for (size_t i = 0; i < frames.count; i++)
        text = arena_printf(f->arena, "%s%s%d-%d", text, i ? " " : "", (int)frames.items[i].first,
                            (int)frames.items[i].last);
    return text;
}

static void expect_missing(FilmFixture *f, const Film *film, const char *expected)
{
    Checkpoint *state = open_whole(f, film);
    assert_string_equal(missing(f, state), expected);
    checkpoint_close(state);
}

static void expect_refused(FilmFixture *f, const Film *film, CheckpointMode mode, FilmShard shard,
                           DiagKind kind, const char *words)
{
    diag_log_init(&f->log);
    assert_null(open_as(f, film, mode, shard));
    if (!strstr(f->log.text, words))
        fail_msg("'%s' does not say '%s'", f->log.text, words);
    assert_int_equal(f->log.diag.kind, kind);
    diag_log_init(&f->log);
}

static void test_segments_go_on(void **unused)
{
    (void)unused;
    FilmFixture f;
    film_fixture_make(&f);
    const Film *film = film_fixture_load(&f, JOB SEGMENTS);
    expect_missing(&f, film, "100-169");

    Checkpoint *state = open_whole(&f, film);
    add_segment(&f, film, state, 1);
    assert_true(checkpoint_has(state, 0, 30) && checkpoint_has(state, 0, 59));
    assert_false(checkpoint_has(state, 0, 29) || checkpoint_has(state, 0, 60));
    save_segment(&f, film, state, 2); /* complete, but the run crashed before it recorded it */
    checkpoint_close(state);
    expect_missing(&f, film, "100-129 160-169");

    state = open_whole(&f, film); /* recorded, but damaged later */
    add_segment(&f, film, state, 0);
    add_segment(&f, film, state, 2);
    checkpoint_close(state);
    expect_missing(&f, film, "");
    film_fixture_save(&f, DIRECTORY "segment/0-000002.txt", "something else\n");
    expect_missing(&f, film, "160-169");
    unlink(film_fixture_path(&f, DIRECTORY "segment/0-000000.txt"));
    expect_missing(&f, film, "100-129 160-169");
    film_fixture_remove(&f);
}

/* ---- stills ---- */

static void save_still(FilmFixture *f, int frame, const char *text)
{
    film_fixture_save(f, arena_printf(f->arena, "out/%04d.png", frame), text);
}

static void add_still(FilmFixture *f, const Film *film, Checkpoint *state, int frame)
{
    SinkRecord record = {.bytes = strlen("still"), .digest = hash_bytes("still", strlen("still"))};
    save_still(f, frame, "still");
    assert_true(checkpoint_add_frame(state, 0, film_index_of(film, frame), &record, &f->log.diag));
}

static void test_stills_go_on(void **unused)
{
    (void)unused;
    FilmFixture f;
    film_fixture_make(&f);
    const Film *film = film_fixture_load(&f, JOB STILLS);
    Checkpoint *state = open_whole(&f, film);
    add_still(&f, film, state, 100);
    add_still(&f, film, state, 103);
    add_still(&f, film, state, 104);
    save_still(&f, 105, "still"); /* exists, but is not recorded */
    assert_string_equal(missing(&f, state), "101-102 105-169");
    checkpoint_close(state);
    expect_refused(&f, film, CHECKPOINT_RESUME, whole, DIAG_CREATE, "0105.png' exists");
    unlink(film_fixture_path(&f, "out/0105.png"));
    save_still(&f, 104, "other"); /* recorded, but replaced later */
    expect_refused(&f, film, CHECKPOINT_RESUME, whole, DIAG_CREATE, "0104.png' exists");
    unlink(film_fixture_path(&f, "out/0104.png"));
    expect_missing(&f, film, "101-102 104-169");
    assert_non_null(checkpoint_directory(film, f.arena));
    assert_string_equal(strrchr(checkpoint_directory(film, f.arena), '/'), "/.%04d.png.odori");
    film_fixture_remove(&f);
}

/* Drawn by two of three shards, then asked for by four, and by one. */
static void test_other_shards_go_on(void **unused)
{
    (void)unused;
    FilmFixture f;
    film_fixture_make(&f);
    const Film *film = film_fixture_load(&f, JOB STILLS);
    for (int i = 1; i < 3; i++) {
        Checkpoint *state = open_as(&f, film, CHECKPOINT_RESUME, (FilmShard){i, 3});
        const FilmSpan places = film_shard_span(film, (FilmShard){i, 3});
        for (int64_t p = places.first; p < places.end; p++)
            add_still(&f, film, state, (int)film_frame_at(film, p));
        assert_string_equal(missing(&f, state), "");
        checkpoint_close(state);
    }
    Checkpoint *last = open_as(&f, film, CHECKPOINT_RESUME, (FilmShard){4, 4});
    assert_string_equal(missing(&f, last), "152-169"); /* 70 * 3 / 4 = 52 */
    checkpoint_close(last);
    expect_missing(&f, film, "146-169"); /* 70 * 2 / 3 = 46 */
    film_fixture_remove(&f);
}

/* ---- two at once ---- */

static void test_lock(void **unused)
{
    (void)unused;
    FilmFixture f;
    film_fixture_make(&f);
    const Film *film = film_fixture_load(&f, JOB SEGMENTS);
    Checkpoint *first = open_as(&f, film, CHECKPOINT_RESUME, (FilmShard){1, 3});
    Checkpoint *second =
        open_as(&f, film, CHECKPOINT_RESUME, (FilmShard){2, 3}); /* segments of another shard */
    assert_non_null(first);
    assert_non_null(second);
    assert_string_equal(missing(&f, second), "130-159");
    checkpoint_close(first);
    checkpoint_close(second);
    expect_missing(&f, film, "100-169");
    film_fixture_remove(&f);
}

/* Two runs find no directory and both start the same job, at any time. */
static void test_two_begin_at_once(void **unused)
{
    (void)unused;
    enum { ROUNDS = 10, BOTH = 4 };
    FilmFixture f;
    film_fixture_make(&f);
    const Film *film = film_fixture_load(&f, JOB STILLS);
    for (int round = 0; round < ROUNDS; round++) {
        const CheckpointOptions options = {
            .directory = arena_printf(f.arena, "%sround%d/", f.scratch.directory, round)};
        pid_t children[BOTH];
        int go[2], status;
        assert_int_equal(pipe(go), 0);
        for (int i = 0; i < BOTH; i++) {
            children[i] = fork();
            if (children[i] == 0) {
                CheckpointOptions mine = options;
                char byte;
                close(go[1]);
                mine.shard = (FilmShard){i + 1, BOTH};
                _exit(read(go[0], &byte, 1) == 0 && checkpoint_open(film, &mine, &f.log.diag) ? 0
                                                                                              : 1);
            }
        }
        close(go[0]);
        close(go[1]); /* all at once */
        for (int i = 0; i < BOTH; i++) {
            assert_int_equal(waitpid(children[i], &status, 0), children[i]);
            assert_int_equal(status, 0);
        }
        CheckpointOptions look = options;
        look.mode = CHECKPOINT_READ_ONLY;
        look.shard = whole;
        Checkpoint *state = checkpoint_open(film, &look, &f.log.diag);
        assert_non_null(state);
        assert_true(options.directory[strlen(options.directory) - 1] == '/');
        assert_true(checkpoint_directory_of(state)[strlen(checkpoint_directory_of(state)) - 1] !=
                    '/');
        checkpoint_close(state);
    }
    film_fixture_remove(&f);
}

/* A killed run whose child is still running: the next run waits for the child. */
static void test_orphan_is_waited_for(void **unused)
{
    (void)unused;
    FilmFixture f;
    film_fixture_make(&f);
    const Film *film = film_fixture_load(&f, JOB SEGMENTS);
    int ready[2];
    char byte;
    assert_int_equal(pipe(ready), 0);
    const pid_t run = fork();
    if (run == 0) {
        if (!open_as(&f, film, CHECKPOINT_RESUME, whole))
            _exit(1);
        if (fork() == 0) {
            nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
            _exit(write(ready[1], "x", 1) == 1 ? 0 : 1);
        }
        raise(SIGKILL);
    }
    waitpid(run, NULL, 0);
    Checkpoint *state = open_whole(&f, film);
    assert_int_equal(fcntl(ready[0], F_SETFL, O_NONBLOCK), 0);
    assert_int_equal(read(ready[0], &byte, 1), 1); /* it had ended before we came in */
    checkpoint_close(state);
    close(ready[0]);
    close(ready[1]);
    film_fixture_remove(&f);
}

/* ---- another job, another version, damage ---- */

static void test_another_job(void **unused)
{
    static const struct {
        const char *job, *words;
    } rows[] = {
        {JOB SEGMENTS "camera: { fixed: { fov_deg: 20 } }\n",
         "belongs to another job (camera.fixed: was null, is now given; "},
        {JOB "outputs: [ { file: out/film.sha256, gop: 31 } ]\n",
         "belongs to another job (outputs.0.gop: was 30, is now 31); --overwrite starts again, "
         "--state "
         "DIR keeps both"},
        {"version: 1\nmodels: [strip.pmx]\nrender: { size: [64, 48], fps: 30, frames: \"100-169\" "
         "}\n" SEGMENTS,
         "(render.size: was [64, 36], is now [64, 48])"},
        {"version: 1\nmodels: [quad.pmx]\nrender: { size: [64, 36], fps: 30, frames: \"100-169\" "
         "}\n" SEGMENTS,
         "(models.0.file: contents of '"},
        {JOB SEGMENTS "audio: song.wav\n", "(audio: was null, is now given; "},
    };
    (void)unused;
    FilmFixture f;
    film_fixture_make(&f);
    const Film *film = film_fixture_load(&f, JOB SEGMENTS);
    Checkpoint *state = open_whole(&f, film);
    add_segment(&f, film, state, 1);
    checkpoint_close(state);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Film *other = film_fixture_load(&f, rows[i].job);
        expect_refused(&f, other, CHECKPOINT_RESUME, (FilmShard){1, 2}, DIAG_CREATE, rows[i].words);
        expect_refused(&f, other, CHECKPOINT_READ_ONLY, whole, DIAG_CREATE, rows[i].words);
        expect_refused(&f, other, CHECKPOINT_NO_CLOBBER, whole, DIAG_CREATE, rows[i].words);
        expect_refused(&f, other, CHECKPOINT_OVERWRITE, (FilmShard){1, 2}, DIAG_USAGE,
                       "does not work with --shard");
    }
    expect_missing(&f, film, "100-129 160-169"); /* unchanged */
    film_fixture_remove(&f);
}

static void test_other_versions_and_damage(void **unused)
{
    static const struct {
        const char *text, *words;
    } rows[] = {
        {"{\"format\":\"odori-state\",\"version\":1,\"anything\":[{}]}", /* of odori 0.2.0 */
         "job.json: has format version 1, expected 3: finish the film with the version of odori "
         "that "
         "began it, or remove the directory; --overwrite starts again"},
        {"", "job.json: line 1: not a job.json of a checkpoint directory; "},
        {"{\"format\":\"odori-state\",\n\"version\":2,\n\"digest\":", "line 3: not a job.json of"},
        {"{\"version\":2}", "not a job.json"},
        {"{\"format\":\"odori-state\",\"version\":2,\"job\":{\"a\":1}}", "not a job.json"},
        {"{\"format\":\"odori-state\",\"version\":2,\"digest\":\"\",\"job\":{}}", "not a job.json"},
    };
    (void)unused;
    FilmFixture f;
    film_fixture_make(&f);
    const Film *film = film_fixture_load(&f, JOB SEGMENTS);
    checkpoint_close(open_whole(&f, film));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        film_fixture_save(&f, DIRECTORY "job.json", rows[i].text);
        expect_refused(&f, film, CHECKPOINT_RESUME, whole, DIAG_CREATE, rows[i].words);
    }
    /* The segments of format version 1 were in `piece`. */
    assert_int_equal(mkdir(film_fixture_path(&f, DIRECTORY "piece"), 0777), 0);
    film_fixture_save(&f, DIRECTORY "piece/0-000000.txt", "left");
    Checkpoint *state = open_as(&f, film, CHECKPOINT_OVERWRITE, whole);
    assert_non_null(state);
    checkpoint_close(state);
    assert_int_equal(access(film_fixture_path(&f, DIRECTORY "piece"), F_OK), -1);
    expect_missing(&f, film, "100-169");
    film_fixture_remove(&f);
}

/* Cut anywhere, or with a byte changed anywhere: the same job, or refused as damaged or as another
 * one's. */
static void test_damage_anywhere(void **unused)
{
    (void)unused;
    FilmFixture f;
    Bytes bytes;
    Fingerprint fingerprint;
    bool there;
    film_fixture_make(&f);
    const Film *film = film_fixture_load(&f, JOB SEGMENTS);
    const char *directory =
        arena_printf(f.arena, "%s%.*s", f.scratch.directory, (int)sizeof DIRECTORY - 2, DIRECTORY);
    checkpoint_close(open_whole(&f, film));
    assert_true(fingerprint_make(&fingerprint, film, NULL, f.arena, &f.log.diag));
    const char *file = film_fixture_path(&f, DIRECTORY "job.json");
    assert_true(file_load(&bytes, file, FILE_MAX_SIZE, f.arena, &f.log.diag));
    char *text = arena_strndup(f.arena, (const char *)bytes.data, bytes.size);
    for (size_t i = 0; i + 1 < bytes.size; i += 31) { /* the last newline may be missing */
        diag_log_init(&f.log);
        text[i] = (char)(text[i] ^ 1 << i % 7);
        film_fixture_save(&f, DIRECTORY "job.json", text);
        if (!checkpoint_job_check(&there, directory, &fingerprint, &f.log.diag))
            assert_int_equal(f.log.diag.kind, DIAG_CREATE);
        text[i] = '\0';
        film_fixture_save(&f, DIRECTORY "job.json", text);
        assert_false(checkpoint_job_check(&there, directory, &fingerprint, &f.log.diag));
        assert_true(there);
        text[i] = (char)bytes.data[i];
    }
    film_fixture_save(&f, DIRECTORY "job.json", text);
    assert_true(checkpoint_job_check(&there, directory, &fingerprint, &f.log.diag));
    film_fixture_remove(&f);
}

static void test_cannot_be_made(void **unused)
{
    (void)unused;
    FilmFixture f;
    film_fixture_make(&f);
    const Film *film = film_fixture_load(&f, JOB SEGMENTS);
    film_fixture_save(&f, "out", "a file where the directory should be");
    expect_refused(&f, film, CHECKPOINT_RESUME, whole, DIAG_CREATE, "cannot create");
    Checkpoint *state =
        open_as(&f, film, CHECKPOINT_READ_ONLY, whole); /* empty, and nothing is created */
    assert_non_null(state);
    assert_string_equal(missing(&f, state), "100-169");
    checkpoint_close(state);
    film_fixture_remove(&f);
}

/* ---- removed files ---- */

static void make_directory(FilmFixture *f, const char *name)
{
    assert_int_equal(mkdir(film_fixture_path(f, name), 0777), 0);
}

static bool is_there(FilmFixture *f, const char *name)
{
    struct stat st;
    return stat(film_fixture_path(f, name), &st) == 0;
}

static void expect_gone(FilmFixture *f, const char *const *names, size_t count, bool gone)
{
    for (size_t i = 0; i < count; i++)
        if (is_there(f, names[i]) == gone)
            fail_msg("%s is %s", names[i], gone ? "still exists" : "is missing");
}

#define COUNT(list) (sizeof(list) / sizeof *(list))

static void test_temporaries_of_segments(void **unused)
{
    static const char *const mine[] = {DIRECTORY "segment/.0-000001.txt.77.tmp"};
    static const char *const others[] = {DIRECTORY "segment/.0-000000.txt.77.tmp",
                                         DIRECTORY "segment/.0-000002.txt.4711.tmp",
                                         DIRECTORY ".report.json.5.tmp", "out/.film.sha256.77.tmp"};
    static const char *const foreign[] = {DIRECTORY "segment/.0-000001.txt.77.tmp.bak",
                                          DIRECTORY "segment/.0-0001.txt.77.tmp",
                                          DIRECTORY "segment/.note.77.tmp",
                                          "out/.film.sha256.x.tmp",
                                          "out/.film.sha256.old.77.tmp",
                                          "out/.other.sha256.77.tmp",
                                          "out/film.sha256.77.tmp",
                                          DIRECTORY "bake/.b.bake.7.tmp"};
    (void)unused;
    FilmFixture f;
    film_fixture_make(&f);
    const Film *film = film_fixture_load(&f, JOB SEGMENTS);
    checkpoint_close(open_whole(&f, film));
    make_directory(&f, DIRECTORY "bake");
    for (size_t i = 0; i < COUNT(mine); i++)
        film_fixture_save(&f, mine[i], "");
    for (size_t i = 0; i < COUNT(others); i++)
        film_fixture_save(&f, others[i], "");
    for (size_t i = 0; i < COUNT(foreign); i++)
        film_fixture_save(&f, foreign[i], "");
    checkpoint_close(open_as(&f, film, CHECKPOINT_READ_ONLY, whole));
    expect_gone(&f, mine, COUNT(mine), false);
    checkpoint_close(open_as(&f, film, CHECKPOINT_RESUME, (FilmShard){2, 3}));
    expect_gone(&f, mine, COUNT(mine), true);
    expect_gone(&f, others, COUNT(others), false);
    checkpoint_close(open_whole(&f, film));
    expect_gone(&f, others, COUNT(others), true);
    expect_gone(&f, foreign, COUNT(foreign), false);
    film_fixture_remove(&f);
}

static void test_temporaries_of_stills(void **unused)
{
    /* 70 frames in shards of 35: the second has frames 135 to 169 */
    static const char *const mine[] = {"out/.0135.png.9.tmp", "out/.0169.png.123456.tmp"};
    static const char *const others[] = {"out/.0134.png.9.tmp", "out/.0100.png.9.tmp"};
    static const char *const foreign[] = {"out/.0170.png.9.tmp", "out/.135.png.9.tmp",
                                          "out/.0135.jpg.9.tmp", "out/.00135.png.9.tmp",
                                          "out/.0135.png.tmp"};
    (void)unused;
    FilmFixture f;
    film_fixture_make(&f);
    const Film *film = film_fixture_load(&f, JOB STILLS);
    make_directory(&f, "out");
    for (size_t i = 0; i < COUNT(mine); i++)
        film_fixture_save(&f, mine[i], "");
    for (size_t i = 0; i < COUNT(others); i++)
        film_fixture_save(&f, others[i], "");
    for (size_t i = 0; i < COUNT(foreign); i++)
        film_fixture_save(&f, foreign[i], "");
    checkpoint_close(open_as(&f, film, CHECKPOINT_RESUME, (FilmShard){2, 2}));
    expect_gone(&f, mine, COUNT(mine), true);
    expect_gone(&f, others, COUNT(others), false);
    checkpoint_close(open_whole(&f, film));
    expect_gone(&f, others, COUNT(others), true);
    expect_gone(&f, foreign, COUNT(foreign), false);
    film_fixture_remove(&f);
}

static void test_overwrite(void **unused)
{
    static const char *const foreign[] = {DIRECTORY "notes.txt", DIRECTORY "segment/mine.txt",
                                          DIRECTORY "ledger/copy-of-0001-of-0001.jsonl"};
    (void)unused;
    FilmFixture f;
    film_fixture_make(&f);
    const Film *film = film_fixture_load(&f, JOB SEGMENTS);
    Checkpoint *state = open_whole(&f, film);
    add_segment(&f, film, state, 0);
    add_segment(&f, film, state, 2);
    checkpoint_close(state);
    for (size_t i = 0; i < COUNT(foreign); i++)
        film_fixture_save(&f, foreign[i], "keep me");
    const Film *other = film_fixture_load(&f, JOB SEGMENTS "camera: { fixed: { fov_deg: 20 } }\n");
    state = open_as(&f, other, CHECKPOINT_OVERWRITE, whole);
    assert_non_null(state);
    assert_string_equal(missing(&f, state), "100-169");
    add_segment(&f, other, state, 1);
    checkpoint_close(state);
    expect_gone(&f, foreign, COUNT(foreign), false);
    assert_false(is_there(&f, DIRECTORY "segment/0-000000.txt"));
    expect_missing(&f, other, "100-129 160-169");
    expect_refused(&f, film, CHECKPOINT_NO_CLOBBER, whole, DIAG_CREATE,
                   "camera.fixed: was given, is now null");
    state = open_as(&f, other, CHECKPOINT_OVERWRITE,
                    (FilmShard){2, 3}); /* the same job: as if resumed */
    assert_string_equal(missing(&f, state), "");
    checkpoint_close(state);
    film_fixture_remove(&f);
}

/* ---- files of others, and of earlier runs ---- */

static bool approve(Film *film, size_t output, const char *temporary, const char *file, Diag *diag)
{
    const FileApproval *approval = film->outputs[output].options.approval;
    return approval->approve(approval->user, temporary, file, diag);
}

static void test_files_of_others(void **unused)
{
    (void)unused;
    FilmFixture f;
    film_fixture_make(&f);
    const Film *film = film_fixture_load(&f, JOB SEGMENTS);
    make_directory(&f, "out");
    film_fixture_save(&f, "out/film.sha256", "precious");
    for (CheckpointMode mode = CHECKPOINT_RESUME; mode <= CHECKPOINT_NO_CLOBBER; mode++)
        if (mode != CHECKPOINT_OVERWRITE)
            expect_refused(&f, film, mode, whole, DIAG_CREATE,
                           "film.sha256' exists and was not written by this job");
    assert_false(is_there(&f, DIRECTORY)); /* and nothing was created */
    unlink(film_fixture_path(&f, "out/film.sha256"));
    checkpoint_close(open_whole(&f, film));
    film_fixture_save(&f, "out/film.sha256", "saved there since");
    expect_refused(&f, film, CHECKPOINT_RESUME, whole, DIAG_CREATE, "film.sha256' exists");

    film = film_fixture_load(&f, JOB STILLS);
    save_still(&f, 120, "precious");
    expect_refused(&f, film, CHECKPOINT_RESUME, whole, DIAG_CREATE, "0120.png' exists");
    expect_refused(&f, film, CHECKPOINT_RESUME, (FilmShard){1, 2}, DIAG_CREATE, "0120.png' exists");
    Checkpoint *state = open_as(&f, film, CHECKPOINT_RESUME, (FilmShard){2, 2});
    assert_non_null(state);
    add_still(&f, film, state, 169);
    checkpoint_close(state);
    expect_refused(&f, film, CHECKPOINT_RESUME, whole, DIAG_CREATE, "0120.png' exists");
    state = open_as(&f, film, CHECKPOINT_OVERWRITE, whole);
    assert_non_null(state);
    checkpoint_close(state);
    expect_missing(&f, film, "100-169"); /* killed there, it is resumed without --overwrite */
    film_fixture_remove(&f);
}

/* The record of an output is written before its rename, so that a kill in between is no problem. */
static void test_own_outputs(void **unused)
{
    (void)unused;
    FilmFixture f;
    film_fixture_make(&f);
    Film *film = (Film *)(uintptr_t)film_fixture_load(&f, JOB SEGMENTS);
    const char *file = film->outputs[0].options.file;
    Checkpoint *state = open_whole(&f, film);
    written_files_guard_film(checkpoint_written(state), film);
    film_fixture_save(&f, "out/temporary", "joined");
    assert_true(approve(film, 0, film_fixture_path(&f, "out/temporary"), file, &f.log.diag));
    checkpoint_close(state);
    assert_int_equal(rename(film_fixture_path(&f, "out/temporary"), file), 0);
    checkpoint_close(open_whole(&f, film));
    film_fixture_save(&f, "out/film.sha256", "jained");
    expect_refused(&f, film, CHECKPOINT_RESUME, whole, DIAG_CREATE, "film.sha256' exists");
    unlink(file);

    /* a file that appears while the film is rendered */
    state = open_whole(&f, film);
    written_files_guard_film(checkpoint_written(state), film);
    film_fixture_save(&f, "out/film.sha256", "precious");
    film_fixture_save(&f, "out/temporary", "other");
    assert_false(approve(film, 0, film_fixture_path(&f, "out/temporary"), file, &f.log.diag));
    film_fixture_save(&f, "out/temporary", "precious"); /* nothing is lost */
    assert_true(approve(film, 0, film_fixture_path(&f, "out/temporary"), file, &f.log.diag));
    checkpoint_close(state);
    film_fixture_remove(&f);
}

/* ---- giving up ---- */

static Checkpoint *open_counting(FilmFixture *f, const Film *film, int max_stalled_runs)
{
    const CheckpointOptions options = {.shard = {1, 2}, .max_stalled_runs = max_stalled_runs};
    return checkpoint_open(film, &options, &f->log.diag);
}

static void test_give_up(void **unused)
{
    (void)unused;
    FilmFixture f;
    film_fixture_make(&f);
    const Film *film = film_fixture_load(&f, JOB SEGMENTS);
    for (int i = 0; i < 2; i++)
        checkpoint_close(open_counting(&f, film, 3));
    Checkpoint *state = open_counting(&f, film, 3); /* the third brings something */
    assert_non_null(state);
    const FilmSpan segments = film_shard_segments(film, (FilmShard){1, 2});
    assert_int_equal(segments.end, 1);
    checkpoint_close(state);
    diag_log_init(&f.log);
    assert_null(open_counting(&f, film, 3));
    assert_int_equal(f.log.diag.kind, DIAG_INTERNAL);
    assert_non_null(strstr(f.log.text, "3 runs in a row completed no new frame; '"));
    checkpoint_close(open_counting(&f, film, -1)); /* no run: does not count */
    state = open_counting(&f, film, 4);
    assert_non_null(state);
    add_segment(&f, film, state, 0);
    checkpoint_close(state);
    for (int i = 0; i < 5; i++) { /* done: nothing to give up */
        state = open_counting(&f, film, 3);
        assert_non_null(state);
        checkpoint_close(state);
    }
    film_fixture_remove(&f);
}

/* ---- the end ---- */

static void finish(FilmFixture *f, const Film *film)
{
    Checkpoint *state = open_whole(f, film);
    for (int segment = 0; segment < 3; segment++)
        add_segment(f, film, state, segment);
    assert_false(checkpoint_is_finished(state));
    film_fixture_save(f, "out/film.sha256", "joined");
    if (!checkpoint_finish(state, &f->log.diag))
        fail_msg("%s", f->log.text);
    assert_true(checkpoint_is_finished(state));
    checkpoint_close(state);
}

static bool is_finished(FilmFixture *f, const Film *film)
{
    Checkpoint *state = open_as(f, film, CHECKPOINT_READ_ONLY, whole);
    if (!state)
        fail_msg("%s", f->log.text);
    const bool finished = checkpoint_is_finished(state);
    assert_string_equal(missing(f, state), finished ? "" : "100-169");
    checkpoint_close(state);
    return finished;
}

static void test_finish(void **unused)
{
    (void)unused;
    FilmFixture f;
    film_fixture_make(&f);
    const Film *film = film_fixture_load(&f, JOB SEGMENTS "credits: [ \"M\\u00f6del: A\" ]\n");
    finish(&f, film);
    assert_false(is_there(&f, DIRECTORY "segment"));
    assert_true(is_there(&f, DIRECTORY "ledger/0001-of-0001.jsonl"));
    assert_true(is_finished(&f, film));
    Checkpoint *shard = open_as(&f, film, CHECKPOINT_RESUME, (FilmShard){2, 5});
    assert_true(checkpoint_is_finished(shard));
    checkpoint_close(shard);
    assert_false(is_there(&f, DIRECTORY "ledger/0002-of-0005.jsonl"));

    /* The segments of a run that crashed after its report are removed by the next run with all
     * locks. */
    film_fixture_save(&f, DIRECTORY "segment/0-000000.txt", "left");
    checkpoint_close(open_as(&f, film, CHECKPOINT_RESUME, (FilmShard){2, 5}));
    assert_true(is_there(&f, DIRECTORY "segment/0-000000.txt"));
    checkpoint_close(open_whole(&f, film));
    assert_false(is_there(&f, DIRECTORY "segment/0-000000.txt"));

    char *report = f.log.text; /* large enough */
    FILE *in = fopen(film_fixture_path(&f, DIRECTORY "report.json"), "rb");
    assert_non_null(in);
    report[fread(report, 1, sizeof f.log.text - 1, in)] = '\0';
    fclose(in);
    assert_non_null(strstr(report, "\"name\":\"job\""));
    assert_non_null(strstr(report, "\"frames\":70"));
    /* printf joined | sha256sum */
    assert_non_null(strstr(report,
                           "\"bytes\":6,\"sha256\":"
                           "\"6b963cc1c2d7d3a4efdc2aac4ae38a8ecbc4535ae84b6dc1440d4abadcd97956\""));
    assert_non_null(strstr(report, "\"credits\":[\"M\xC3\xB6"
                                   "del: A\"]"));

    film_fixture_save(&f, "out/film.sha256", "jained");
    diag_log_init(&f.log);
    assert_false(is_finished(&f, film));
    unlink(film_fixture_path(&f, "out/film.sha256"));
    assert_false(is_finished(&f, film));
    film_fixture_save(&f, "out/film.sha256", "joined");
    assert_true(is_finished(&f, film));
    film_fixture_save(&f, DIRECTORY "report.json", "{\"format\":\"odori-report\",\"version\":9}");
    assert_false(is_finished(&f, film));
    assert_non_null(strstr(f.log.text, "report.json' is damaged or of an unknown version"));
    film_fixture_remove(&f);
}

/* What a single process of this version has begun is discarded when the job is edited. */
static void test_edited_job_that_was_stopped(void **unused)
{
    (void)unused;
    FilmFixture f;
    film_fixture_make(&f);
    const Film *film = film_fixture_load(&f, JOB STILLS);
    const Film *edited = film_fixture_load(&f, JOB STILLS "camera: { fixed: { fov_deg: 20 } }\n");
    Checkpoint *state = open_whole(&f, film);
    add_still(&f, film, state, 100);
    checkpoint_close(state);
    state = open_whole(&f, edited);
    assert_non_null(strstr(f.log.text, "rendered by an earlier version of this job (camera.fixed"));
    assert_string_equal(missing(&f, state), "100-169");
    checkpoint_close(state);
    save_still(&f, 100, "changed by hand");
    expect_refused(&f, film, CHECKPOINT_RESUME, whole, DIAG_CREATE, "0100.png' exists");
    unlink(film_fixture_path(&f, "out/0100.png"));

    state = open_as(&f, edited, CHECKPOINT_RESUME, (FilmShard){1, 2});
    add_still(&f, edited, state, 101);
    checkpoint_close(state);
    expect_refused(&f, film, CHECKPOINT_RESUME, whole, DIAG_CREATE, "belongs to another job (");
    film_fixture_remove(&f);
}

static void test_edited_job_of_another_version(void **unused)
{
    (void)unused;
    FilmFixture f;
    Bytes bytes;
    film_fixture_make(&f);
    const Film *film = film_fixture_load(&f, JOB SEGMENTS);
    const Film *edited = film_fixture_load(&f, JOB SEGMENTS "camera: { fixed: { fov_deg: 20 } }\n");
    checkpoint_close(open_whole(&f, film));
    assert_true(file_load(&bytes, film_fixture_path(&f, DIRECTORY "job.json"), 1 << 20, f.arena,
                          &f.log.diag));
    char *text = arena_strndup(f.arena, (const char *)bytes.data, bytes.size);
    char *version = strstr(text, "\"picture version\":\"");
    assert_non_null(version);
    version[strlen("\"picture version\":\"")] = '0';
    film_fixture_save(&f, DIRECTORY "job.json", text);
    expect_refused(&f, edited, CHECKPOINT_RESUME, whole, DIAG_CREATE, "belongs to another job (");
    film_fixture_remove(&f);
}

/* A still that no directory records may be one of a run whose directory was removed. */
static void test_removed_directory(void **unused)
{
    static uint8_t pixels[64 * 36 * 4];
    const Image image = {.width = 64, .height = 36, .pixels = pixels};
    (void)unused;
    FilmFixture f;
    film_fixture_make(&f);
    const Film *film = film_fixture_load(&f, JOB STILLS);
    SinkKind kind = *film->outputs[0].kind;
    const char *still = film_fixture_path(&f, "out/0100.png");
    kind.verify = sink_png.verify;
    film->outputs[0].kind = &kind;
    assert_true(sink_png_save_image(still, &image, NULL, &f.log.diag));
    expect_missing(&f, film, "100-169");
    save_still(&f, 101, "others");
    expect_refused(&f, film, CHECKPOINT_RESUME, whole, DIAG_CREATE, "0101.png' exists");
    film_fixture_remove(&f);
}

/* The outputs of a finished film are replaced by those of the edited job. */
static void test_edited_job(void **unused)
{
    (void)unused;
    FilmFixture f;
    film_fixture_make(&f);
    const Film *film = film_fixture_load(&f, JOB SEGMENTS);
    const Film *edited = film_fixture_load(&f, JOB SEGMENTS "camera: { fixed: { fov_deg: 20 } }\n");
    finish(&f, film);
    expect_refused(&f, edited, CHECKPOINT_NO_CLOBBER, whole, DIAG_CREATE,
                   "belongs to another job (");
    film_fixture_save(&f, "out/film.sha256", "jained"); /* changed by hand */
    expect_refused(&f, edited, CHECKPOINT_RESUME, whole, DIAG_CREATE, "film.sha256' exists");
    film_fixture_save(&f, "out/film.sha256", "joined");
    expect_missing(&f, edited, "100-169");
    film_fixture_save(&f, "out/film.sha256", "jained");
    expect_refused(&f, edited, CHECKPOINT_RESUME, whole, DIAG_CREATE, "film.sha256' exists");
    film_fixture_save(&f, "out/film.sha256", "joined"); /* ours still, after a kill */
    expect_missing(&f, edited, "100-169");
    film_fixture_remove(&f);
}

/* The first shard takes the directory of a finished film over for all; none that of another one. */
static void test_edited_job_in_shards(void **unused)
{
    (void)unused;
    FilmFixture f;
    film_fixture_make(&f);
    const Film *film = film_fixture_load(&f, JOB SEGMENTS);
    const Film *edited = film_fixture_load(&f, JOB SEGMENTS "camera: { fixed: { fov_deg: 20 } }\n");
    finish(&f, film);
    Checkpoint *first = open_as(&f, edited, CHECKPOINT_RESUME, (FilmShard){2, 3});
    assert_non_null(first);
    Checkpoint *second = open_as(&f, edited, CHECKPOINT_RESUME, (FilmShard){1, 3});
    assert_non_null(second);
    checkpoint_close(second);
    checkpoint_close(first);
    expect_refused(&f, film, CHECKPOINT_RESUME, (FilmShard){1, 2}, DIAG_CREATE,
                   "belongs to another job (");
    film_fixture_remove(&f);
}

static void test_finish_of_stills(void **unused)
{
    (void)unused;
    FilmFixture f;
    film_fixture_make(&f);
    const Film *film =
        film_fixture_load(&f, JOB STILLS "previews: [ { type: still, file: s.png } ]\n");
    Checkpoint *state = open_whole(&f, film);
    for (int frame = 100; frame < 170; frame++)
        add_still(&f, film, state, frame);
    assert_false(checkpoint_has_previews(state));
    film_fixture_save(&f, "s.png", "preview");
    assert_true(checkpoint_finish(state, &f.log.diag));
    checkpoint_close(state);
    assert_true(is_finished(&f, film));
    state = open_whole(&f, film);
    assert_true(checkpoint_has_previews(state));
    checkpoint_close(state);
    unlink(film_fixture_path(&f, "out/0133.png"));
    expect_missing(&f, film, "133-133");

    const Film *wide =
        film_fixture_load(&f, JOB STILLS "previews: [ { type: still, file: s.png, width: 32 } ]\n");
    state = open_whole(&f, wide);
    assert_false(checkpoint_has_previews(state));
    checkpoint_close(state);
    film_fixture_remove(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_segments_go_on),
        cmocka_unit_test(test_stills_go_on),
        cmocka_unit_test(test_other_shards_go_on),
        cmocka_unit_test(test_lock),
        cmocka_unit_test(test_two_begin_at_once),
        cmocka_unit_test(test_orphan_is_waited_for),
        cmocka_unit_test(test_another_job),
        cmocka_unit_test(test_other_versions_and_damage),
        cmocka_unit_test(test_damage_anywhere),
        cmocka_unit_test(test_cannot_be_made),
        cmocka_unit_test(test_temporaries_of_segments),
        cmocka_unit_test(test_temporaries_of_stills),
        cmocka_unit_test(test_overwrite),
        cmocka_unit_test(test_files_of_others),
        cmocka_unit_test(test_own_outputs),
        cmocka_unit_test(test_edited_job),
        cmocka_unit_test(test_edited_job_in_shards),
        cmocka_unit_test(test_edited_job_that_was_stopped),
        cmocka_unit_test(test_edited_job_of_another_version),
        cmocka_unit_test(test_removed_directory),
        cmocka_unit_test(test_give_up),
        cmocka_unit_test(test_finish),
        cmocka_unit_test(test_finish_of_stills),
    };
    return cmocka_run_group_tests_name("state", tests, NULL, NULL);
}
