// SPDX-License-Identifier: MIT
/* transition: mixed pixels worked by hand, and laws of mixing */

#include <string.h>

#include "picture/transition.h"
#include "unit_test.h"

enum { WIDTH = 4, HEIGHT = 2, PIXELS = WIDTH * HEIGHT };

typedef uint8_t Pixels[PIXELS][4];

static Image image_of(Pixels pixels, bool alpha)
{
    return (Image){.width = WIDTH, .height = HEIGHT, .has_alpha = alpha, .pixels = pixels[0]};
}

static void fill(Pixels pixels, const uint8_t color[4])
{
    for (int i = 0; i < PIXELS; i++)
        memcpy(pixels[i], color, 4);
}

static void mix(Pixels out, const uint8_t from[4], const uint8_t to[4],
                TransitionOptions transition, TransitionTime time, bool alpha)
{
    Pixels second;
    fill(out, from);
    fill(second, to);
    Image image = image_of(out, alpha), next = image_of(second, alpha);
    transition_mix(&image, &next, &transition, time);
}

/* The middles of the frames: of two 1/4 and 3/4, of one 1/2. */
static void mixes_stored_values(void **state)
{
    static const struct {
        int64_t index, length;
        uint8_t expected;
    } rows[] = {{0, 1, 100}, {0, 2, 50}, {1, 2, 150}, {0, 4, 25}, {3, 4, 175}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Pixels out;
        mix(out, (const uint8_t[4]){0, 200, 7, 255}, (const uint8_t[4]){200, 0, 7, 255},
            (TransitionOptions){.type = TRANSITION_CROSS_FADE},
            (TransitionTime){rows[i].index, rows[i].length}, false);
        for (int k = 0; k < PIXELS; k++) {
            assert_int_equal(out[k][0], rows[i].expected);
            assert_int_equal(out[k][1], 200 - rows[i].expected);
            assert_int_equal(out[k][2], 7);
        }
    }
}

/* A color that is not there does not tint the other one. */
static void mixes_with_alpha(void **state)
{
    Pixels out;
    (void)state;
    mix(out, (const uint8_t[4]){255, 0, 0, 255}, (const uint8_t[4]){0, 99, 200, 0},
        (TransitionOptions){.type = TRANSITION_CROSS_FADE}, (TransitionTime){0, 1}, true);
    assert_memory_equal(out[0], ((const uint8_t[4]){255, 0, 0, 128}), 4);
    /* Three quarters of an opaque one and a quarter of a half transparent one: alpha 255 * 3 / 4 +
     * 128 / 4, colors in proportion 765 to 128. */
    mix(out, (const uint8_t[4]){200, 0, 0, 255}, (const uint8_t[4]){0, 200, 0, 128},
        (TransitionOptions){.type = TRANSITION_CROSS_FADE}, (TransitionTime){0, 2}, true);
    assert_memory_equal(out[0], ((const uint8_t[4]){171, 29, 0, 223}), 4);
}

/* A film that runs backwards has the same frames. */
static void is_symmetric(void **state)
{
    const uint8_t a[4] = {12, 250, 77, 255}, b[4] = {201, 3, 78, 100};
    const TransitionOptions fade = {.type = TRANSITION_CROSS_FADE},
                            dip = {.type = TRANSITION_DIP, .color = {0.2, 1, 0}},
                            left = {.type = TRANSITION_WIPE_LEFT, .soft = 0.7},
                            right = {.type = TRANSITION_WIPE_RIGHT, .soft = 0.7};
    enum { LENGTH = 37 };
    (void)state;
    for (int alpha = 0; alpha < 2; alpha++)
        for (int i = 0; i < LENGTH; i++) {
            Pixels one, two;
            const TransitionTime time = {i, LENGTH}, back = {LENGTH - 1 - i, LENGTH};
            mix(one, a, b, fade, time, alpha);
            mix(two, b, a, fade, back, alpha);
            assert_memory_equal(one, two, alpha ? sizeof one : 3);
            mix(one, a, b, dip, time, alpha);
            mix(two, b, a, dip, back, alpha);
            if (!alpha || one[0][3] || two[0][3]) /* else no color can be seen */
                assert_memory_equal(one, two, alpha ? sizeof one : 3);
            mix(one, a, b, left, time, alpha);
            mix(two, b, a, right, back, alpha);
            for (int k = 0; k < PIXELS; k++)
                for (int c = 0; c < 3 + alpha; c++)
                    assert_in_range(one[k][c] - two[k][c] + 1, 0, 2); /* rounded once more */
        }
}

/* The pixels of a row that are of the second image. */
static void wipes(void **state)
{
    static const struct {
        TransitionType type;
        int64_t index, length;
        const char *rows[HEIGHT];
    } rows[] = {
        {TRANSITION_WIPE_LEFT, 0, 2, {"aaab", "aaab"}},
        {TRANSITION_WIPE_LEFT, 1, 2, {"abbb", "abbb"}},
        {TRANSITION_WIPE_RIGHT, 0, 2, {"baaa", "baaa"}},
        {TRANSITION_WIPE_RIGHT, 0, 1, {"bbaa", "bbaa"}},
        {TRANSITION_WIPE_UP, 0, 1, {"aaaa", "bbbb"}},
        {TRANSITION_WIPE_DOWN, 0, 1, {"bbbb", "aaaa"}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Pixels out;
        mix(out, (const uint8_t[4]){'a', 0, 0, 255}, (const uint8_t[4]){'b', 0, 0, 255},
            (TransitionOptions){.type = rows[i].type},
            (TransitionTime){rows[i].index, rows[i].length}, false);
        for (int k = 0; k < PIXELS; k++)
            if (out[k][0] != (uint8_t)rows[i].rows[k / WIDTH][k % WIDTH])
                fail_msg("row %zu: pixel %d is %c", i, k, out[k][0]);
    }
    /* A soft edge over the whole width, halfway: from 7/8 of the second image to 1/8. */
    Pixels out;
    mix(out, (const uint8_t[4]){0}, (const uint8_t[4]){80},
        (TransitionOptions){.type = TRANSITION_WIPE_RIGHT, .soft = 1}, (TransitionTime){0, 1},
        false);
    for (int x = 0; x < WIDTH; x++)
        assert_int_equal(out[x][0], 70 - 20 * x);
}

/* Half of the time to the color, half from it; only the image that is seen is drawn. */
static void dips(void **state)
{
    static const uint8_t expected[4] = {75, 25, 50, 150}; /* of 4 frames, from 100 and from 200 */
    const TransitionOptions dip = {.type = TRANSITION_DIP};
    (void)state;
    for (int i = 0; i < 4; i++) {
        Pixels out;
        const TransitionTime time = {i, 4};
        mix(out, (const uint8_t[4]){100, 0, 0, 255}, (const uint8_t[4]){200, 0, 0, 255}, dip, time,
            false);
        assert_int_equal(out[0][0], expected[i]);
        assert_int_equal(transition_shows(&dip, time, 0), i < 2);
        assert_int_equal(transition_shows(&dip, time, 1), i >= 2);
        assert_int_equal(transition_is_past_middle(time), i >= 2);
    }
    assert_true(transition_shows(&(TransitionOptions){.type = TRANSITION_WIPE_UP},
                                 (TransitionTime){3, 4}, 0));
}

static void fades(void **state)
{
    const double color[3] = {1, 0.2, 0};
    Pixels out;
    (void)state;
    fill(out, (const uint8_t[4]){55, 51, 40, 255});
    Image image = image_of(out, false);
    transition_fade(&image, color, (TransitionTime){0, 2}); /* a quarter of the image */
    assert_memory_equal(out[5], ((const uint8_t[3]){205, 51, 10}), 3);
    fill(out, (const uint8_t[4]){55, 51, 40, 100});
    image.has_alpha = true;
    transition_fade(&image, color, (TransitionTime){0, 2}); /* becomes transparent */
    assert_memory_equal(out[5], ((const uint8_t[4]){55, 51, 40, 25}), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mixes_stored_values),
        cmocka_unit_test(mixes_with_alpha),
        cmocka_unit_test(is_symmetric),
        cmocka_unit_test(wipes),
        cmocka_unit_test(dips),
        cmocka_unit_test(fades),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
