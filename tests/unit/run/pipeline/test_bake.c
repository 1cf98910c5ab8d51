// SPDX-License-Identifier: MIT
/* bake: states are read back bit for bit; everything else is rejected with a message */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "run/pipeline/bake.h"
#include "unit_test.h"

enum { STATE = 137 }; /* not a multiple of 4 */

static FrameRange ranges[] = {{5, 70}, {100, 131}};
static const FrameRanges all = {ranges, 2};

typedef struct Message {
    char text[512];
} Message;

static void keep_message(void *user, const DiagMessage *message)
{
    snprintf(((Message *)user)->text, sizeof((Message *)user)->text, "%s", message->shown);
}

static BakeInfo info_of(FrameRanges frames)
{
    BakeInfo info = {.fps = {60, 1}, .state_bytes = STATE, .frames = frames};
    memset(info.digest.bytes, 0x5a, sizeof info.digest.bytes);
    return info;
}

/* Half of the bytes change from frame to frame. */
static void fill(uint8_t state[STATE], int64_t frame)
{
    for (int i = 0; i < STATE; i++)
        state[i] = (uint8_t)(i % 2 ? i * 7 : frame * 31 + i * (frame % 5));
}

static char directory[] = "/tmp/odori-test-bake-XXXXXX", path[64];

static int make_directory(void **state)
{
    (void)state;
    if (!mkdtemp(directory))
        return -1;
    snprintf(path, sizeof path, "%s/film.bake", directory);
    return 0;
}

static int remove_directory(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(directory); /* fails if a temporary was left behind */
}

static void write_bake(void)
{
    const BakeInfo info = info_of(all);
    Diag diag;
    diag_init(&diag, NULL, NULL);
    BakeWriter *w = bake_create(path, &info, &diag);
    assert_non_null(w);
    for (size_t r = 0; r < all.count; r++)
        for (int64_t f = ranges[r].first; f <= ranges[r].last; f++) {
            uint8_t state[STATE];
            fill(state, f);
            assert_true(bake_write_frame(w, state, &diag));
        }
    uint64_t bytes;
    assert_true(bake_finish(w, &bytes, &diag));
    bake_destroy(w);
    assert_true(bytes > 0 && bytes < 98 * STATE); /* it is compressed */
}

static void expect_frame(Bake *bake, int64_t frame)
{
    uint8_t expected[STATE];
    Diag diag;
    diag_init(&diag, NULL, NULL);
    fill(expected, frame);
    const void *got = bake_read_frame(bake, frame, &diag);
    assert_non_null(got);
    assert_memory_equal(got, expected, STATE);
}

static void test_round_trip(void **state)
{
    (void)state;
    write_bake();
    Diag diag;
    diag_init(&diag, NULL, NULL);
    FrameRange part = {20, 69};
    const BakeInfo some = info_of((FrameRanges){&part, 1});
    Bake *bake = bake_open(path, &some, &diag);
    assert_non_null(bake);
    for (size_t r = 0; r < all.count; r++)
        for (int64_t f = ranges[r].first; f <= ranges[r].last; f++)
            expect_frame(bake, f);
    expect_frame(bake, 131); /* random access */
    expect_frame(bake, 5);
    expect_frame(bake, 68);
    bake_close(bake);
}

static void expect_rejected(const BakeInfo *info, const char *text)
{
    Message message = {""};
    Diag diag;
    diag_init(&diag, keep_message, &message);
    assert_null(bake_open(path, info, &diag));
    assert_int_equal(diag.kind, DIAG_DATA);
    if (!strstr(message.text, text))
        fail_msg("'%s' does not contain '%s'", message.text, text);
}

static void test_of_another_job(void **state)
{
    (void)state;
    write_bake();
    BakeInfo info = info_of(all);
    info.digest.bytes[31] ^= 1;
    expect_rejected(&info, "other models, motions or settings");
    info = info_of(all);
    info.fps.num = 30;
    expect_rejected(&info, "60/1 frames per second, the job 30/1");
    FrameRange wide = {60, 99};
    info = info_of((FrameRanges){&wide, 1});
    expect_rejected(&info, "frame 71 is not in the bake (5..131)");
}

/* Opens changed bytes and reads all frames: either an error is reported or the states are right. */
static void try_bytes(const uint8_t *bytes, size_t size)
{
    Message message = {""};
    Diag diag;
    diag_init(&diag, keep_message, &message);
    FILE *out = fopen(path, "wb"); /* without sync: this runs often */
    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, size, out), size);
    assert_int_equal(fclose(out), 0);
    const BakeInfo info = info_of(all);
    Bake *bake = bake_open(path, &info, &diag);
    if (!bake) {
        assert_int_not_equal(diag.errors, 0);
        return;
    }
    for (int64_t f = 5; f <= 70; f++)
        if (bake_read_frame(bake, f, &diag))
            expect_frame(bake, f);
        else
            assert_int_not_equal(diag.errors, 0);
    bake_close(bake);
}

static void test_overlapping_ranges(void **state)
{
    (void)state;
    FrameRange overlapping[] = {{5, 70}, {70, 131}};
    const BakeInfo info = info_of((FrameRanges){overlapping, 2});
    Diag diag;
    diag_init(&diag, NULL, NULL);
    BakeWriter *w = bake_create(path, &info, &diag);
    uint64_t bytes;
    assert_true(w && bake_finish(w, &bytes, &diag));
    bake_destroy(w);
    expect_rejected(&info, "frame range 1: 70-131 is out of order");
}

static void test_truncated_and_flipped(void **state)
{
    (void)state;
    write_bake();
    Arena *arena = arena_create();
    Diag diag;
    diag_init(&diag, NULL, NULL);
    Bytes bytes;
    assert_true(file_load(&bytes, path, FILE_MAX_SIZE, arena, &diag));
    uint8_t *copy = arena_copy(arena, bytes.data, bytes.size);
    const size_t step = bytes.size / 60 + 1;
    for (size_t size = 0; size < bytes.size; size += step)
        try_bytes(bytes.data, size);
    for (size_t i = 0; i < bytes.size; i += step) {
        copy[i] ^= 0xff;
        try_bytes(copy, bytes.size);
        copy[i] ^= 0xff;
    }
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_of_another_job),
        cmocka_unit_test(test_overlapping_ranges),
        cmocka_unit_test(test_truncated_and_flipped),
    };
    return cmocka_run_group_tests_name("bake", tests, make_directory, remove_directory);
}
