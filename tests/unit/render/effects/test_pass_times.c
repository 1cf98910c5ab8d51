// SPDX-License-Identifier: MIT
/* Passes are numbered through the effects that run; a frame that compiles a pass counts apart. */

#include "render/effects/pass_times.h"

#include "effect/effect.h"
#include "unit_test.h"

static const EffectPass ONE[] = {{.name = "Draw"}}, TWO[] = {{.name = "X"}, {.name = "Y"}};
static const EffectTechnique FIRST[] = {{.name = "Main", .passes = ONE, .pass_count = 1},
                                        {.name = "Empty"},
                                        {.name = "Blur", .passes = TWO, .pass_count = 2}};
static const EffectTechnique LAST[] = {{.name = "Main", .passes = ONE, .pass_count = 1}};
static const Effect EFFECTS[] = {{.techniques = FIRST, .technique_count = 3},
                                 {.techniques = LAST, .technique_count = 1}};

static void test_names(void **unused)
{
    static const SceneEffect items[] = {{.file = "a.fx", .effect = &EFFECTS[0]},
                                        {.file = "failed.fx", .state = EFFECT_FAILED},
                                        {.file = "b.fx", .effect = &EFFECTS[1]}};
    static const SceneEffects effects = {.items = items, .count = 3};
    static const char *const expected[] = {"a.fx: Main, pass Draw", "a.fx: Blur, pass X",
                                           "a.fx: Blur, pass Y", "b.fx: Main, pass Draw"};
    Arena *arena = arena_create();
    const char *const *names = fx_pass_names(&effects, arena);
    (void)unused;
    assert_int_equal(fx_pass_count(&effects), 4);
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(names[i], expected[i]);
    arena_destroy(arena);
}

/* Three frames: draws of 1 and 2 s; draws of 4 s, of 8 s which compile another program, and of 16
 * s; one of 32 s. */
static void test_frames(void **unused)
{
    FxPassTime sum = {0}, frames[3] = {{0}};
    (void)unused;
    fx_pass_time_draw(&frames[0], 1, false);
    fx_pass_time_draw(&frames[0], 2, false);
    fx_pass_time_draw(&frames[1], 4, false);
    fx_pass_time_draw(&frames[1], 8, true);
    fx_pass_time_draw(&frames[1], 16, false);
    fx_pass_time_draw(&frames[2], 32, false);
    for (int i = 0; i < 3; i++)
        fx_pass_time_add(&sum, &frames[i]);
    assert_float_equal(sum.s, 35, 0);
    assert_int_equal(sum.frames, 2);
    assert_float_equal(sum.compile_s, 28, 0);
    assert_int_equal(sum.compile_frames, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
