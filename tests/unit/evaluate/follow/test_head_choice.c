// SPDX-License-Identifier: MIT
/* Which heads a shot takes in, and beyond which edge it leaves others: rows worked out by hand. */
#include <math.h>

#include "evaluate/follow/head_choice.h"
#include "near.h"
#include "unit_test.h"

/* Slopes of 1 for the usable part of the frame and of 1.25 for what is beyond it; depth is 0
 * everywhere, so at a distance d a head of radius 1 at x is in the frame from x - 1 >= eye - d to x
 * + 1 <= eye + d, and beyond it if x - 1 >= eye + 1.25 d or x + 1 <= eye - 1.25 d. */
enum { COUNT = 40, MAX_HEADS = 3 };

typedef struct Case {
    const char *what;
    double half;             /* what is required: from -half to half in x, from -1 to 1 in y */
    double heads[MAX_HEADS]; /* x; 0: no such head */
    double required[2];      /* expected: right, left */
    double
        barrier[2]; /* of the right and the left edge, negated as in FrameNeeds; -HUGE_VAL: none */
} Case;

static double *constant(double value, Arena *arena)
{
    double *values = arena_array(arena, double, COUNT);
    for (int i = 0; i < COUNT; i++)
        values[i] = value;
    return values;
}

static FrameNeeds needs_of(double half, Arena *arena)
{
    const double required[] = {half, half, 1, 1};
    FrameNeeds needs = {.rest = constant(0.5, arena),
                        .inner = {1, 1},
                        .outer = {1.25, 1.25},
                        .step_s = 0.1,
                        .count = COUNT};
    for (int side = 0; side < FRAME_SIDES; side++) {
        needs.required[side] = constant(required[side], arena);
        needs.barrier[side] = constant(-HUGE_VAL, arena);
    }
    return needs;
}

static HeadBounds head_at(double x, Arena *arena)
{
    const double at[] = {x, -x, 0, 0};
    HeadBounds head;
    for (int side = 0; side < FRAME_SIDES; side++) {
        head.inside[side] = constant(at[side] + 1, arena);
        head.outside[side] = constant(-at[side] + 1, arena);
    }
    return head;
}

static void rows_by_hand(void **state)
{
    (void)state;
    static const Case rows[] = {
        {"far away: beyond the right edge", 2, {9, 0, 0}, {2, 2}, {-8, -HUGE_VAL}},
        {"far away on both sides", 2, {9, -9, 0}, {2, 2}, {-8, -8}},
        /* The frame reaches from -2.5 to 2.5; the head from 2 to 4.  Beyond the right edge: eye
         * + 2.5 <= 2, so the eye at -0.5, but what is required needs the eye at 0.  In the frame:
         * from -2 to 4. */
        {"beside: in the frame", 2, {3, 0, 0}, {4, 2}, {-HUGE_VAL, -HUGE_VAL}},
        {"in the frame already", 5, {2, 0, 0}, {5, 5}, {-HUGE_VAL, -HUGE_VAL}},
        /* Either neighbour in the frame cuts the next one, which is at 3 too. */
        {"beside on both sides", 2, {3, -3, 0}, {4, 4}, {-HUGE_VAL, -HUGE_VAL}},
        /* The nearer one in the frame: from -2 to 4, so d = 3, eye = 1, and 1 + 1.25 * 3 = 4.75
           > 4. */
        {"a row to one side", 2, {3, 5, 0}, {6, 2}, {-HUGE_VAL, -HUGE_VAL}},
        {"a row to one side, with a gap", 2, {3, 20, 0}, {4, 2}, {-19, -HUGE_VAL}},
        {"unsorted", 2, {20, 5, 3}, {6, 2}, {-19, -HUGE_VAL}},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        Arena *arena = arena_create();
        FrameNeeds needs = needs_of(rows[r].half, arena);
        HeadBounds heads[MAX_HEADS];
        uint32_t count = 0;
        while (count < MAX_HEADS && rows[r].heads[count] != 0) {
            heads[count] = head_at(rows[r].heads[count], arena);
            count++;
        }
        head_choose(&needs, heads, count, arena);
        for (int i = 0; i < COUNT; i++)
            for (int side = RIGHT; side <= LEFT; side++)
                if (needs.required[side][i] != rows[r].required[side] ||
                    needs.barrier[side][i] != rows[r].barrier[side])
                    fail_msg("%s: sample %d, side %d: %g, %g", rows[r].what, i, side,
                             needs.required[side][i], needs.barrier[side][i]);
        assert_near(needs.required[TOP][0], 1, 0);
        assert_true(frame_needed_distance(&needs, 0) <= frame_barrier_distance(&needs, 0));
        arena_destroy(arena);
    }
}

/* d >= 2 for the width; with the right edge at most at 4, 2 - d <= 4 - 1.25 d gives d <= 8; with
 * the left edge at -3, too, 2.5 d <= 7. */
static void distances_by_hand(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    FrameNeeds needs = needs_of(2, arena);
    assert_near(frame_needed_distance(&needs, 3), 2, 0);
    assert_true(isinf(frame_barrier_distance(&needs, 3)));
    needs.barrier[RIGHT][3] = -4;
    assert_near(frame_barrier_distance(&needs, 3), 8, 1e-12);
    needs.barrier[LEFT][3] = -3;
    assert_near(frame_barrier_distance(&needs, 3), 2.8, 1e-12);
    needs.required[TOP][3] = 9; /* (9 + 1) / 2 */
    assert_near(frame_needed_distance(&needs, 3), 5, 0);
    arena_destroy(arena);
}

/* A head that stays far away for a second and a half, and then comes: the choice changes once,
 * where it must. */
static void a_head_that_comes(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    FrameNeeds needs = needs_of(2, arena);
    HeadBounds head = head_at(1000, arena);
    const HeadBounds near = head_at(2.5, arena);
    for (int i = COUNT / 2; i < COUNT; i++)
        for (int side = 0; side < FRAME_SIDES; side++) {
            head.inside[side][i] = near.inside[side][i];
            head.outside[side][i] = near.outside[side][i];
        }
    head_choose(&needs, &head, 1, arena);
    for (int i = 0; i < COUNT; i++) {
        assert_near(needs.required[RIGHT][i], i < COUNT / 2 ? 2 : 3.5, 0);
        assert_true(needs.barrier[RIGHT][i] == (i < COUNT / 2 ? -999 : -HUGE_VAL));
    }
    arena_destroy(arena);
}

/* One that is away only for a moment stays in the frame: a change costs more than the zoom. */
static void a_head_that_leaves_for_a_moment(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    FrameNeeds needs = needs_of(2, arena);
    HeadBounds head = head_at(2.5, arena);
    const HeadBounds away = head_at(9, arena);
    for (int side = 0; side < FRAME_SIDES; side++) {
        head.inside[side][20] = away.inside[side][20];
        head.outside[side][20] = away.outside[side][20];
    }
    head_choose(&needs, &head, 1, arena);
    assert_near(needs.required[RIGHT][20], 10, 0);
    assert_true(needs.barrier[RIGHT][20] == -HUGE_VAL);
    arena_destroy(arena);
}

/* A head that is not visible is neither required nor kept out. */
static void an_invisible_head(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    FrameNeeds needs = needs_of(2, arena);
    HeadBounds head;
    for (int side = 0; side < FRAME_SIDES; side++)
        head.inside[side] = head.outside[side] = constant(-HUGE_VAL, arena);
    head_choose(&needs, &head, 1, arena);
    for (int side = 0; side < FRAME_SIDES; side++) {
        assert_near(needs.required[side][0], side < TOP ? 2 : 1, 0);
        assert_true(needs.barrier[side][0] == -HUGE_VAL);
    }
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_by_hand),      cmocka_unit_test(distances_by_hand),
        cmocka_unit_test(a_head_that_comes), cmocka_unit_test(a_head_that_leaves_for_a_moment),
        cmocka_unit_test(an_invisible_head),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
