/* state: what ledgers and digests confirm is done, whoever died when; nothing else is */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

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
#include "job/state.h"

/* 70 places in pieces of 30: two whole ones, one of 10. */
enum { FRAMES = 70 };
#define JOB                                                                                        \
    "version: 1\nmodels: [strip.pmx]\n"                                                            \
    "render: { size: [64, 36], fps: 30, frames: \"100-169\" }\n"
#define PIECES "outputs: [ { file: out/film.sha256, gop: 30 } ]\n"
#define STILLS "outputs: [ { file: \"out/%04d.png\" } ]\n"
#define FOLDER "out/.film.sha256.odori/"

static const FilmShard whole = {1, 1};

static State *open_as(FilmFixture *f, const Film *film, StateMode mode, FilmShard shard)
{
    const StateOptions options = {.mode = mode, .shard = shard};
    return state_open(film, &options, &f->heard.diag);
}

static State *open_whole(FilmFixture *f, const Film *film)
{
    State *state = open_as(f, film, STATE_RESUME, whole);
    if (!state)
        fail_msg("%s", f->heard.text);
    return state;
}

static void save_piece(FilmFixture *f, const Film *film, const State *state, int64_t piece)
{
    const FilmSpan places = film_piece(film, piece);
    const char *text = "";
    for (int64_t p = places.first; p < places.end; p++)
        text = arena_printf(f->arena, "%spicture %d\n", text, (int)p);
    const char *file = state_piece_file(state, 0, piece, f->arena);
    FILE *out = fopen(file, "wb");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

static void add_piece(FilmFixture *f, const Film *film, State *state, int64_t piece)
{
    save_piece(f, film, state, piece);
    if (!state_add_piece(state, 0, piece, &f->heard.diag))
        fail_msg("%s", f->heard.text);
}

/* "100-129 160-169" */
static const char *missing(FilmFixture *f, const State *state)
{
    const JobFrames frames = state_missing(state, f->arena);
    const char *text = "";
    for (size_t i = 0; i < frames.count; i++)
        text = arena_printf(f->arena, "%s%s%d-%d", text, i ? " " : "", (int)frames.items[i].first,
                            (int)frames.items[i].last);
    return text;
}

static void expect_missing(FilmFixture *f, const Film *film, const char *expected)
{
    State *state = open_whole(f, film);
    assert_string_equal(missing(f, state), expected);
    state_close(state);
}

static void expect_refused(FilmFixture *f, const Film *film, StateMode mode, FilmShard shard,
                           DiagKind kind, const char *words)
{
    heard_init(&f->heard);
    assert_null(open_as(f, film, mode, shard));
    if (!strstr(f->heard.text, words))
        fail_msg("'%s' does not say '%s'", f->heard.text, words);
    assert_int_equal(f->heard.diag.kind, kind);
    heard_init(&f->heard);
}

static void test_pieces_go_on(void **unused)
{
    (void)unused;
    FilmFixture f;
    film_fixture_make(&f);
    const Film *film = film_fixture_load(&f, JOB PIECES);
    expect_missing(&f, film, "100-169");

    State *state = open_whole(&f, film);
    add_piece(&f, film, state, 1);
    assert_true(state_has(state, 0, 30) && state_has(state, 0, 59));
    assert_false(state_has(state, 0, 29) || state_has(state, 0, 60));
    save_piece(&f, film, state, 2); /* whole, but the run died before it said so */
    state_close(state);
    expect_missing(&f, film, "100-129 160-169");

    state = open_whole(&f, film); /* said, but damaged since */
    add_piece(&f, film, state, 0);
    add_piece(&f, film, state, 2);
    state_close(state);
    expect_missing(&f, film, "");
    film_fixture_save(&f, FOLDER "piece/0-000002.txt", "something else\n");
    expect_missing(&f, film, "160-169");
    unlink(film_fixture_path(&f, FOLDER "piece/0-000000.txt"));
    expect_missing(&f, film, "100-129 160-169");
    film_fixture_remove(&f);
}

static void test_lock(void **unused)
{
    (void)unused;
    FilmFixture f;
    film_fixture_make(&f);
    const Film *film = film_fixture_load(&f, JOB PIECES);
    State *first = open_as(&f, film, STATE_RESUME, (FilmShard){1, 3});
    State *second = open_as(&f, film, STATE_RESUME, (FilmShard){2, 3}); /* another's pieces */
    assert_non_null(first);
    assert_non_null(second);
    assert_string_equal(missing(&f, second), "130-159");
    state_close(first);
    state_close(second);
    expect_missing(&f, film, "100-169");
    film_fixture_remove(&f);
}

static void test_another_job(void **unused)
{
    (void)unused;
    FilmFixture f;
    film_fixture_make(&f);
    const Film *film = film_fixture_load(&f, JOB PIECES);
    State *state = open_whole(&f, film);
    add_piece(&f, film, state, 1);
    state_close(state);
    const Film *other = film_fixture_load(&f, JOB PIECES "camera: { fixed: { fov_deg: 20 } }\n");
    expect_refused(&f, other, STATE_RESUME, whole, DIAG_CREATE,
                   "belongs to another job (camera.fixed: null there, given here; ");
    expect_refused(&f, other, STATE_OVERWRITE, (FilmShard){1, 2}, DIAG_USAGE, "takes no shard");
    film_fixture_remove(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces_go_on),
        cmocka_unit_test(test_lock),
        cmocka_unit_test(test_another_job),
    };
    return cmocka_run_group_tests_name("state", tests, NULL, NULL);
}
