/* stage_times: times per frame from the frame loop, and as lines in a file */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "diag_log.h"
#include "run/pipeline/stage_times.h"
#include "scratch.h"

static StageTimesList parse(const char *text, Arena *arena)
{
    return stage_times_parse((Bytes){(const uint8_t *)text, strlen(text)}, arena);
}

static void collects_times(void **state)
{
    Arena *arena = arena_create();
    StageTimesLog log;
    SceneModel model = {.physics = false};
    Film film = {.scene = {.models = &model, .model_count = 1}};
    ClothPlan cloth = {0};
    (void)state;
    film.scene.cloths = &cloth;
    film.scene.cloth_count = 1; /* simulated */
    const FrameObserver observer = stage_times_observe(&log, &film, arena);
    observer.evaluated(observer.user, 1, NULL, 0.008);  /* frames 0 and 1 */
    observer.evaluated(observer.user, 11, NULL, 0.050); /* ten frames */
    observer.rendered(observer.user, 11, &(StageSeconds){.draw_s = 0.001, .skin_s = 0.002});
    observer.rendered(observer.user, 1,
                      &(StageSeconds){.draw_s = 0.020,
                                      .write_s = 0.003,
                                      .upload_s = 0.001,
                                      .skin_s = 0.002,
                                      .shadow_s = 0.004,
                                      .surface_s = 0.005,
                                      .edge_s = 0.006,
                                      .look_s = 0.0005});
    observer.rendered(observer.user, 5, &(StageSeconds){.draw_s = 1}); /* of no evaluated frame */
    assert_int_equal(log.list.count, 2);
    const double expected[2][STAGES] = {{4, 3, 4, 5, 6, 0.5, 1.5, 3}, {5, 2}};
    for (size_t i = 0; i < 2; i++)
        for (size_t s = 0; s < STAGES; s++) {
            const double difference = log.list.items[i].ms[s] - expected[i][s];
            if (difference < -1e-9 || difference > 1e-9)
                fail_msg("item %zu, %s: %g", i, stage_time_names[s], log.list.items[i].ms[s]);
        }
    arena_destroy(arena);
}

static void survives_a_file(void **state)
{
    Arena *arena = arena_create();
    Scratch scratch;
    DiagLog log;
    StageTimes items[2] = {{.frame = 7, .ms = {1.5, 0.25, 0, 0, 0, 0, 0, 3}}, {.frame = 2}};
    (void)state;
    scratch_make(&scratch);
    diag_log_init(&log);
    const char *file = arena_strdup(arena, scratch_path(&scratch, "times.jsonl"));
    assert_int_equal(stage_times_load(file, arena).count, 0);
    assert_true(stage_times_append(&(StageTimesList){items, 0, 0}, file, &log.diag));
    assert_int_equal(scratch_count(&scratch), 0);
    assert_true(stage_times_append(&(StageTimesList){items, 2, 2}, file, &log.diag));
    items[0].ms[STAGE_EVALUATE] = 9; /* a later run rendered frame 7 again */
    assert_true(stage_times_append(&(StageTimesList){items, 1, 1}, file, &log.diag));
    const StageTimesList list = stage_times_load(file, arena);
    assert_int_equal(list.count, 2);
    assert_int_equal(list.items[0].frame, 2);
    assert_int_equal(list.items[1].frame, 7);
    assert_true(list.items[1].ms[STAGE_EVALUATE] == 9);
    assert_true(list.items[1].ms[STAGE_SKIN] == 0.25);
    assert_true(list.items[1].ms[STAGE_WRITE] == 3);

    assert_false(stage_times_append(&list, scratch_path(&scratch, "none/times.jsonl"), &log.diag));
    assert_int_equal(log.diag.errors, 1);
    scratch_remove(&scratch);
    arena_destroy(arena);
}

static void ignores_other_lines(void **state)
{
    Arena *arena = arena_create();
    (void)state;
    const StageTimesList list = parse("no JSON\n"
                                      "{\"surface\":1}\n" /* without a frame */
                                      "{\"frame\":-2}\n"
                                      "{\"frame\":3,\"surface\":-1}\n"
                                      "{\"frame\":4,\"other\":[1],\"edge\":1000}\n"
                                      "{\"frame\":5}\0{\"frame\":6}\n"
                                      "{\"frame\":8",
                                      arena);
    assert_int_equal(list.count, 1);
    assert_int_equal(list.items[0].frame, 4);
    assert_true(list.items[0].ms[STAGE_EDGE] == 1);
    assert_int_equal(parse("", arena).count, 0);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(collects_times),
        cmocka_unit_test(survives_a_file),
        cmocka_unit_test(ignores_other_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
