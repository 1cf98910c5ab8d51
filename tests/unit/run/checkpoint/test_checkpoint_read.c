// SPDX-License-Identifier: MIT
/* checkpoint_read: the contents of a checkpoint directory, and reports of damage */

#include <stdio.h>
#include <string.h>

#include "film_fixture.h"
#include "run/checkpoint/checkpoint.h"
#include "run/checkpoint/checkpoint_read.h"
#include "unit_test.h"

/* Frames 100-149 and 300-319: 70 frames in segments of 30. */
#define JOB                                                              \
    "version: 1\nname: two parts\nmodels: [strip.pmx]\n"                 \
    "render: { size: [64, 36], fps: 30, frames: \"100-149,300-319\" }\n" \
    "outputs: [ { file: out/film.sha256, gop: 30 } ]\ncredits: [ \"a \\\"b\\\"\", \"c\" ]\n"
#define DIRECTORY "out/.film.sha256.odori"

static Checkpoint *open_shard(FilmFixture *f, const Film *film, FilmShard shard)
{
    const CheckpointOptions options = {.mode = CHECKPOINT_RESUME, .shard = shard};
    Checkpoint *state = checkpoint_open(film, &options, &f->log.diag);
    if (!state)
        fail_msg("%s", f->log.text);
    return state;
}

/* A segment of `count` frames, one line each. */
static void add_segment(FilmFixture *f, Checkpoint *state, int64_t segment, int count)
{
    FILE *out = fopen(checkpoint_segment_file(state, 0, segment, f->arena), "wb");
    assert_non_null(out);
    for (int i = 0; i < count; i++)
        fprintf(out, "picture %d\n", i);
    fclose(out);
    if (!checkpoint_add_segment(state, 0, segment, &f->log.diag))
        fail_msg("%s", f->log.text);
}

static void look_at(CheckpointContent *content, FilmFixture *f)
{
    if (!checkpoint_read(content, film_fixture_path(f, DIRECTORY "/"), f->arena, &f->log.diag))
        fail_msg("%s", f->log.text);
}

static void test_says_all(void **unused)
{
    (void)unused;
    FilmFixture f;
    film_fixture_make(&f);
    const Film *film = film_fixture_load(&f, JOB);
    Checkpoint *state =
        open_shard(&f, film, (FilmShard){2, 2}); /* segments 1 and 2: from frame 130 */
    add_segment(&f, state, 2, 10);

    CheckpointContent content;
    look_at(&content, &f);
    assert_string_equal(content.directory, film_fixture_path(&f, DIRECTORY));
    assert_string_equal(content.job.name, "two parts");
    assert_int_equal(content.job.credits.line_count, 2);
    assert_string_equal(content.job.credits.lines[0], "a \"b\"");
    Fingerprint fingerprint;
    assert_true(fingerprint_make(&fingerprint, film, NULL, f.arena, &f.log.diag));
    assert_true(digest_equal(&content.record.digest, &fingerprint.digest));
    assert_int_equal(content.film.frame_count, 70);
    assert_int_equal(content.film.frames.count, 2);
    assert_int_equal(content.film.segment_frames, 30);
    assert_int_equal(content.film.output_count, 1);
    assert_string_equal(content.film.outputs[0].options.file, film->outputs[0].options.file);
    assert_null(completed_set_find(&content.completed[0], 59));
    assert_non_null(completed_set_find(&content.completed[0], 60)); /* frame 310 */
    assert_int_equal(completed_set_find(&content.completed[0], 69)->record.bytes,
                     strlen("picture 9\n"));
    assert_int_equal(content.shards.count, 1);
    assert_string_equal(content.shards.items[0].name, "0002-of-0002");
    assert_int_equal(content.shards.items[0].tail.frames, 10);
    assert_int_equal(content.record.inputs.count, 1); /* strip.pmx */
    assert_false(content.has_report);

    /* A shard locks its own segments and no others. */
    assert_int_equal(content.locked.count, 2);
    assert_int_equal(content.locked.items[0].first, 130);
    assert_int_equal(content.locked.items[0].last, 149);
    assert_int_equal(content.locked.items[1].first, 300);
    assert_int_equal(content.locked.items[1].last, 319);
    checkpoint_close(state);
    look_at(&content, &f);
    assert_int_equal(content.locked.count, 0);
    film_fixture_remove(&f);
}

static void test_refuses(void **unused)
{
    static const struct {
        const char *what, *text, *message;
    } rows[] = {
        {"no JSON", "{", "line 1: not a job.json of a checkpoint directory"},
        {"another file", "{\"format\":\"odori-report\",\"version\":1}",
         "not a job.json of a checkpoint directory"},
        {"an earlier version", "{\"format\":\"odori-state\",\"version\":1}",
         "format version 1, expected 3: finish the film with the version of odori that began it"},
        {"no digest", "{\"format\":\"odori-state\",\"version\":2}",
         "not a job.json of a checkpoint directory"},
#define HEAD                                                \
    "{\"format\":\"odori-state\",\"version\":2,\"digest\":" \
    "\"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\",\"job\":{"
        {"an input without a digest",
         HEAD "},\"inputs\":[{\"file\":\"a\",\"bytes\":1,\"new\":[],\"sha256\":\"00\"}]}",
         "not a job.json of a checkpoint directory"},
        {"inputs that are no list", HEAD "},\"inputs\":7}",
         "not a job.json of a checkpoint directory"},
        {"a job that is no map", HEAD "},\"apart\":[]}",
         "not a job.json of a checkpoint directory"},
        {"no format",
         "{\"version\":2,\"digest\":"
         "\"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\",\"job\":{}}",
         "not a job.json of a checkpoint directory"},
        {"no frames", HEAD "}}", "the frames are missing"},
        {"keys that are not known, and no frames",
         HEAD "},\"new\":{\"a\":[]},\"apart\":{\"b\":\"c\"},\"inputs\":[]}",
         "the frames are missing"},
        {"descending frames", HEAD "\"frames\":\"9-0\",\"frames of a segment\":\"30\"}}",
         "the frames are missing"},
        {"frames that are no number", HEAD "\"frames\":\"0-9\",\"frames of a segment\":\"many\"}}",
         "the frames are missing"},
        {"too many frames", HEAD "\"frames\":\"0-999999999\",\"frames of a segment\":\"30\"}}",
         "the frames are missing"},
        {"empty segments", HEAD "\"frames\":\"0-9\",\"frames of a segment\":\"0\"}}",
         "the frames are missing"},
        {"no outputs", HEAD "\"frames\":\"0-9\",\"frames of a segment\":\"30\"}}",
         "the number of outputs is missing"},
        {"too many outputs",
         HEAD "\"frames\":\"0-9\",\"frames of a segment\":\"30\",\"outputs\":\"17\"}}",
         "the number of outputs is missing"},
        {"an output without a name",
         HEAD "\"frames\":\"0-9\",\"frames of a segment\":\"30\",\"outputs\":\"1\"}}",
         "the file of output 0 is missing"},
        {"an output whose name is no text",
         HEAD "\"frames\":\"0-9\",\"frames of a segment\":\"30\",\"outputs\":\"1\","
              "\"outputs.0.file\":\"7\"}}",
         "the file of output 0 is missing"},
        {"an output whose name is incomplete",
         HEAD "\"frames\":\"0-9\",\"frames of a segment\":\"30\",\"outputs\":\"1\","
              "\"outputs.0.file\":\"\\\"a\"}}",
         "the file of output 0 is missing"},
    };
    (void)unused;
    FilmFixture f;
    film_fixture_make(&f);
    checkpoint_close(open_shard(&f, film_fixture_load(&f, JOB), (FilmShard){1, 1}));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CheckpointContent content;
        film_fixture_save(&f, DIRECTORY "/job.json", rows[i].text);
        diag_log_init(&f.log);
        if (checkpoint_read(&content, film_fixture_path(&f, DIRECTORY), f.arena, &f.log.diag))
            fail_msg("%s is accepted", rows[i].what);
        if (!strstr(f.log.text, rows[i].message))
            fail_msg("%s: '%s' is not in '%s'", rows[i].what, rows[i].message, f.log.text);
        assert_int_equal(f.log.diag.kind, DIAG_DATA);
    }
    diag_log_init(&f.log);
    CheckpointContent content;
    assert_false(checkpoint_read(&content, film_fixture_path(&f, "nowhere"), f.arena, &f.log.diag));
    assert_int_equal(f.log.diag.kind, DIAG_MISSING);
    film_fixture_remove(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_says_all),
        cmocka_unit_test(test_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
