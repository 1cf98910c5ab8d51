// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diag_log.h"
#include "evaluate/frame.h"
#include "inspect/pose.h"
#include "model_fixture.h"
#include "scene_fixture.h"
#include "unit_test.h"

static void frames_of_a_text(void **state)
{
    (void)state;
    const struct {
        const char *text;
        size_t count; /* 0: rejected */
        double first, last;
    } rows[] = {
        {"10.5", 1, 5.25, 5.25}, /* 60 frames/s are two for each motion frame */
        {"m10.5", 1, 10.5, 10.5},
        {"2s", 1, 60, 60},
        {"0:300:15", 21, 0, 150},
        {"m0:300:15", 21, 0, 300},
        {"m0:m300:m15", 21, 0, 300},
        {"0:10:4", 3, 0, 4},
        {"0s:1s:0.1s", 11, 0, 30},
        {"m0:300:15,10.5", 22, 0, 5.25},
        {"m3,m1,m2", 3, 3, 2},
        {"10-14", 5, 5, 7},
        {"m10-m12", 5, 10, 12},
        {"1s-2s", 60, 30, 59.5},
        {"0:m10:1", 0, 0, 0},
        {"m", 0, 0, 0},
        {"5-1", 0, 0, 0},
        {"-5", 0, 0, 0},
        {"", 0, 0, 0},
        {"a", 0, 0, 0},
        {"0:10", 0, 0, 0},
        {"0:10:0", 0, 0, 0},
        {"10:0:1", 0, 0, 0},
        {"1,,2", 0, 0, 0},
        {"1:2:3:4", 0, 0, 0},
        {"0:1e9:1", 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        DiagLog log;
        diag_log_init(&log);
        size_t count = 0;
        const double *frames =
            pose_parse_frames(rows[i].text, &count, (Rational){60, 1}, arena, &log.diag);
        if (!rows[i].count != !frames || count != rows[i].count)
            fail_msg("'%s': %zu frames", rows[i].text, count);
        if (frames && (frames[0] != rows[i].first || frames[count - 1] != rows[i].last))
            fail_msg("'%s': %g to %g", rows[i].text, frames[0], frames[count - 1]);
        if (!frames && log.diag.kind != DIAG_USAGE)
            fail_msg("'%s': no error was reported", rows[i].text);
        arena_destroy(arena);
    }
}

static void one_object(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    DiagLog log;
    diag_log_init(&log);
    VmdBoneKey keys[] = {fixture_key("センター", 0, 0, 0, 0), fixture_key("センター", 10, 5, 0, 0)};
    const VmdMotion vmd = fixture_motion_of(keys, 2);
    Scene *scene = fixture_scene(fixture_bone_only(arena), &vmd, COMPAT_DEFAULT, arena);
    scene->models[0].placement.position[1] = 2;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    const double frames[] = {0, 2.5};
    Evaluator *evaluator = evaluator_create(scene);
    assert_true(pose_write_json(out, evaluator, scene, 0, frames, 2, &log.diag));
    evaluator_destroy(evaluator);
    fclose(out);
    const char *const parts[] = {
        "{\"format\":\"mmd-pose-1\",\"model\":{",
        "\"bones\":[{\"i\":0,\"name\":\"センター\",\"parent\":-1}]",
        "\"morphs\":[],\"frames\":[",
        "{\"f\":0,\"bones\":[[0,2,0,0,0,0,1]],\"morphs\":[],\"camera\":{\"center\":[0,10,0],"
        "\"rotation\":[0,0,0],\"distance\":-45,\"fov\":30,\"eye\":[0,10,-45],\"right\":[1,0,0],"
        "\"up\":[0,1,0],\"forward\":[0,0,1]}}",
        "{\"f\":2.5,\"bones\":[[1.25,2,0,0,0,0,1]]",
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!strstr(text, parts[i]))
            fail_msg("missing '%s' in:\n%s", parts[i], text);
    free(text);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_of_a_text),
        cmocka_unit_test(one_object),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
