// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>

#include "math/spline.h"
#include "unit_test.h"

/* P0, P3, V0, V1: the published table's rows. */
typedef struct Row {
    double p0, p3, v0, v1, weight;
    bool overshoots; /* of necessity: a slope at an end points away from the other end */
} Row;

static const Row table[] = {
    {100, 100, -300, 300, 1.0, true},
    {100, 100, -300, 100, 0.6, true},
    {100, 40, -300, 0, 0.5, false},
    {120, 20, 0, 0, 0.3, false},
};
enum { ROWS = sizeof table / sizeof *table };

static SplineSegment segment_of(const Row *row, double weight)
{
    return (SplineSegment){
        .t1 = 1, .p0 = row->p0, .p3 = row->p3, .v0 = row->v0, .v1 = row->v1, .weight = weight};
}

static void weights_as_published(void **state)
{
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        const Row *r = &table[i];
        const double w = spline_weight(r->p0, r->p3, r->v0, r->v1);
        if (fabs(w - r->weight) > 0.1 + 1e-9)
            fail_msg("row %d: weight %g, published %g", i, w, r->weight);
        /* in other units of length, seen from elsewhere, and upside down the choice stays */
        assert_true(spline_weight(r->p0 * 1e-4, r->p3 * 1e-4, r->v0 * 1e-4, r->v1 * 1e-4) == w);
        assert_true(spline_weight(1000 - r->p0, 1000 - r->p3, -r->v0, -r->v1) == w);
    }
    assert_true(spline_weight(7, 7, 0, 0) == 1);
}

/* The method's law: R(0) = P0, R(1) = P3, R'(0) = V0 and R'(1) = V1 for every weight; by
 * differences. */
static void ends_are_exact_for_every_weight(void **state)
{
    (void)state;
    const double h = 1e-6;
    for (int i = 0; i < ROWS; i++)
        for (int k = 1; k <= 10; k++) {
            const SplineSegment s = segment_of(&table[i], k / 10.0);
            const double start = (spline_value(&s, h).value - spline_value(&s, 0).value) / h;
            const double end = (spline_value(&s, 1).value - spline_value(&s, 1 - h).value) / h;
            assert_true(fabs(spline_value(&s, 0).value - s.p0) < 1e-9);
            assert_true(fabs(spline_value(&s, 1).value - s.p3) < 1e-9);
            if (fabs(start - s.v0) > 0.1 || fabs(end - s.v1) > 0.1)
                fail_msg("row %d, w %g: speeds %g and %g", i, k / 10.0, start, end);
        }
}

/* The derivatives that the weight is chosen by, against differences of the values. */
static void derivatives(void **state)
{
    (void)state;
    const double h = 1e-4;
    for (int i = 0; i < ROWS; i++)
        for (int k = 1; k <= 10; k++)
            for (double t = 0.05; t < 1; t += 0.1) {
                const SplineSegment s = segment_of(&table[i], k / 10.0);
                const SplineValue at = spline_value(&s, t);
                const double before = spline_value(&s, t - h).value;
                const double after = spline_value(&s, t + h).value;
                assert_true(fabs(at.velocity - (after - before) / (2 * h)) < 0.1);
                assert_true(fabs(at.acceleration - (after - 2 * at.value + before) / (h * h)) < 2);
            }
}

/* w = 1 is Hermite's cubic. */
static void weight_one_is_hermite(void **state)
{
    (void)state;
    for (int i = 0; i < ROWS; i++)
        for (double t = 0; t <= 1; t += 0.03125) {
            const SplineSegment s = segment_of(&table[i], 1);
            const double t2 = t * t, t3 = t2 * t;
            const double hermite = (2 * t3 - 3 * t2 + 1) * s.p0 + (t3 - 2 * t2 + t) * s.v0 +
                                   (3 * t2 - 2 * t3) * s.p3 + (t3 - t2) * s.v1;
            assert_true(fabs(spline_value(&s, t).value - hermite) < 1e-9);
        }
}

/* How far a curve leaves the range between its ends. */
static double overshoot(const SplineSegment *s)
{
    const double low = fmin(s->p0, s->p3), high = fmax(s->p0, s->p3);
    double most = 0;
    for (int i = 0; i <= 1000; i++) {
        const double r = spline_value(s, i / 1000.0).value;
        most = fmax(most, fmax(low - r, r - high));
    }
    return most;
}

static void chosen_weights_do_not_overshoot(void **state)
{
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        const Row *r = &table[i];
        const SplineSegment cubic = segment_of(r, 1);
        const SplineSegment chosen = segment_of(r, spline_weight(r->p0, r->p3, r->v0, r->v1));
        const double by_cubic = overshoot(&cubic), by_chosen = overshoot(&chosen);
        assert_true(by_chosen <= by_cubic);
        if (!r->overshoots && by_chosen > 1e-9)
            fail_msg("row %d: %g too far", i, by_chosen);
    }
    /* (100, 40, -300, 0): -180 t^3 + 420 t^2 - 300 t + 100 is least at t = 5/9, 640/81 below 40 */
    const SplineSegment cubic = segment_of(&table[2], 1);
    assert_true(fabs(overshoot(&cubic) - 640.0 / 81) < 1e-3);
}

/* ---- many keys ---- */

static void slopes_of_inner_points(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const SplineKey keys[] = {
        {.time = 0, .value = 0},   {.time = 10, .value = 20},
        {.time = 30, .value = 30}, {.time = 40, .value = 0, .slope = -5, .slope_given = true},
        {.time = 50, .value = 1},
    };
    const Spline spline = spline_create(keys, 5, arena);
    /* chords 2, 0.5, -3, 0.1: inner slopes 1.25 and -1.25; at the ends 0; times the segment's
     * length */
    const double starts[] = {0, 25, -12.5, -50}, ends[] = {12.5, -25, -50, 0};
    for (int i = 0; i < 4; i++) {
        assert_true(fabs(spline.segments[i].v0 - starts[i]) < 1e-12);
        assert_true(fabs(spline.segments[i].v1 - ends[i]) < 1e-12);
        assert_true(spline.segments[i].weight == spline_weight(spline.segments[i].p0,
                                                               spline.segments[i].p3, starts[i],
                                                               ends[i]));
    }
    for (int i = 0; i < 5; i++)
        assert_true(fabs(spline_at(&spline, keys[i].time) - keys[i].value) < 1e-12);
    assert_true(spline_at(&spline, -5) == 0 && spline_at(&spline, 99) == 1);

    const Spline cubic = spline_cubic(&spline, arena);
    assert_true(cubic.segments[1].weight == 1 && cubic.segments[1].v0 == 25);
    assert_true(spline.segments[3].weight < 1);
    arena_destroy(arena);
}

static void cuts(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const SplineKey keys[] = {
        {.time = 0, .value = 1},
        {.time = 10, .value = 2},
        {.time = 10, .value = 50, .cut = true}, /* at once */
        {.time = 20, .value = 60},
        {.time = 30, .value = 9, .cut = true}, /* 60 is held for ten */
    };
    const Spline spline = spline_create(keys, 5, arena);
    const struct {
        const char *what;
        double time, value;
    } rows[] = {
        {"start", 0, 1},           {"middle", 5, 1.5},  {"on the cut", 10, 50},
        {"in the second", 15, 55}, {"its end", 20, 60}, {"held", 29.999, 60},
        {"jumped", 30, 9},         {"after", 31, 9},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double value = spline_at(&spline, rows[i].time);
        if (fabs(value - rows[i].value) > 1e-9)
            fail_msg("%s: %g", rows[i].what, value);
    }
    assert_true(spline_at(&spline, 9.999) < 2 + 1e-9);

    const Spline lone = spline_create(keys, 1, arena);
    assert_true(spline_at(&lone, -1) == 1 && spline_at(&lone, 0) == 1 && spline_at(&lone, 1) == 1);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_as_published),
        cmocka_unit_test(ends_are_exact_for_every_weight),
        cmocka_unit_test(derivatives),
        cmocka_unit_test(weight_one_is_hermite),
        cmocka_unit_test(chosen_weights_do_not_overshoot),
        cmocka_unit_test(slopes_of_inner_points),
        cmocka_unit_test(cuts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
