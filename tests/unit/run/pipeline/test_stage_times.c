// SPDX-License-Identifier: MIT
/* stage_times: times per frame from the frame loop, and as lines in a file */

#include <stdio.h>
#include <string.h>

#include "diag_log.h"
#include "film/film.h"
#include "run/pipeline/stage_times.h"
#include "scratch.h"
#include "unit_test.h"

static StageTimesList parse(const char *text, Arena *arena)
{
    return stage_times_parse((Bytes){(const uint8_t *)text, strlen(text)}, arena);
}

static void collects_times(void **state)
{
    Arena *arena = arena_create();
    StageTimesLog log;
    SceneModel model = {.spec.physics = false};
    ClothPlan cloth = {0};
    FilmScene scene = {.scene = {.models = &model, .model_count = 1}};
    Film film = {.scenes = &scene, .scene_count = 1};
    (void)state;
    scene.scene.cloths = &cloth;
    scene.scene.cloth_count = 1; /* simulated */
    const FrameObserver observer = stage_times_observe(&log, &film, arena);
    observer.evaluated(observer.user, 1, NULL, 0.008);  /* frames 0 and 1 */
    observer.evaluated(observer.user, 11, NULL, 0.050); /* ten frames */
    observer.rendered(observer.user, 11, &(FrameTimes){.s = {[STAGE_SKIN] = 0.002}});
    const FrameTimes first = {.s = {[STAGE_UPLOAD] = 0.001,
                                    [STAGE_SHADOW] = 0.004,
                                    [STAGE_OTHER] = 0.0005,
                                    [STAGE_WRITE] = 0.003}};
    observer.rendered(observer.user, 1, &first);
    observer.rendered(observer.user, 5, &(FrameTimes){.s = {1}}); /* of no evaluated frame */
    assert_int_equal(log.list.count, 2);
    const double expected[2][FRAME_STAGES] = {{[STAGE_EVALUATE] = 4,
                                               [STAGE_UPLOAD] = 1,
                                               [STAGE_SHADOW] = 4,
                                               [STAGE_OTHER] = 0.5,
                                               [STAGE_WRITE] = 3},
                                              {[STAGE_EVALUATE] = 5, [STAGE_SKIN] = 2}};
    for (size_t i = 0; i < 2; i++)
        for (size_t s = 0; s < FRAME_STAGES; s++) {
            const double difference = 1e3 * log.list.items[i].times.s[s] - expected[i][s];
            if (difference < -1e-9 || difference > 1e-9)
                fail_msg("item %zu, %s: %g s", i, frame_stage_names[s],
                         log.list.items[i].times.s[s]);
        }
    const double draw_s = frame_times_draw_s(&first) - 0.0055; /* without writing */
    assert_true(draw_s > -1e-12 && draw_s < 1e-12);
    arena_destroy(arena);
}

static void survives_a_file(void **state)
{
    Arena *arena = arena_create();
    Scratch scratch;
    DiagLog log;
    StageTimes items[2] = {
        {.frame = 7,
         .times.s = {[STAGE_EVALUATE] = 0.0015, [STAGE_SKIN] = 0.00025, [STAGE_WRITE] = 0.003}},
        {.frame = 2}};
    (void)state;
    scratch_make(&scratch);
    diag_log_init(&log);
    const char *file = arena_strdup(arena, scratch_path(&scratch, "times.jsonl"));
    assert_int_equal(stage_times_load(file, arena).count, 0);
    assert_true(stage_times_append(&(StageTimesList){items, 0, 0}, file, &log.diag));
    assert_int_equal(scratch_count(&scratch), 0);
    assert_true(stage_times_append(&(StageTimesList){items, 2, 2}, file, &log.diag));
    items[0].times.s[STAGE_EVALUATE] = 9; /* a later run rendered frame 7 again */
    assert_true(stage_times_append(&(StageTimesList){items, 1, 1}, file, &log.diag));
    const StageTimesList list = stage_times_load(file, arena);
    assert_int_equal(list.count, 2);
    assert_int_equal(list.items[0].frame, 2);
    assert_int_equal(list.items[1].frame, 7);
    assert_true(list.items[1].times.s[STAGE_EVALUATE] == 9);
    assert_true(list.items[1].times.s[STAGE_SKIN] == 0.00025);
    assert_true(list.items[1].times.s[STAGE_WRITE] == 0.003);

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
                                      "{\"frame\":4,\"unknown\":[1],\"edge\":1000}\n"
                                      "{\"frame\":5}\0{\"frame\":6}\n"
                                      "{\"frame\":8",
                                      arena);
    assert_int_equal(list.count, 1);
    assert_int_equal(list.items[0].frame, 4);
    assert_true(list.items[0].times.s[STAGE_EDGE] == 0.001);
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
