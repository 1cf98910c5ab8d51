// SPDX-License-Identifier: MIT
/* report: sizes on the command line, stretched links */

#include <string.h>

#include "inspect/report/link_stretch.h"
#include "inspect/report/report.h"
#include "model_fixture.h"
#include "scene_fixture.h"
#include "unit_test.h"

static const struct {
    const char *text;
    bool good;
    uint64_t bytes;
} sizes[] = {
    {"0", true, 0},       {"512", true, 512},    {"20M", true, 20 << 20}, {"500k", true, 500 << 10},
    {"1.5K", true, 1536}, {"1G", true, 1 << 30}, {"2G", false, 0},        {"", false, 0},
    {"M", false, 0},      {"-1", false, 0},      {"20MB", false, 0},      {"20 M", false, 0},
    {"nan", false, 0},    {"1e999", false, 0},   {"0.5M", true, 1 << 19},
};

static void parses_sizes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint64_t bytes = 0;
        if (report_parse_limit(&bytes, sizes[i].text) != sizes[i].good || bytes != sizes[i].bytes)
            fail_msg("'%s': %llu", sizes[i].text, (unsigned long long)bytes);
    }
}

/* The bones 1 and 2 below bone 0 are moved by bodies; at rest their links are 2 and 0.01 long. */
static Scene *make_scene(Arena *arena)
{
    PmxModel pmx = fixture_empty();
    pmx.bones = arena_array(arena, PmxBone, 4);
    pmx.bone_count = 4;
    pmx.bones[0] = fixture_bone("root", -1, 0, 1, 0);
    pmx.bones[1] = fixture_bone("link", 0, 0, 3, 0);
    pmx.bones[2] = fixture_bone("short", 0, 0.01f, 1, 0);
    pmx.bones[3] = fixture_bone("keyed", 0, 5, 1, 0);
    Scene *scene = fixture_scene(pmx, NULL, COMPAT_DEFAULT, arena);
    Model *model = (Model *)(uintptr_t)scene->models[0].model;
    model->dynamics.mover = arena_array(arena, int32_t, 4);
    model->dynamics.mover[0] = model->dynamics.mover[3] = -1;
    model->dynamics.mover[1] = 0;
    model->dynamics.mover[2] = 1;
    scene->models[0].spec.physics = true;
    return scene;
}

static void add_frame(LinkStretches *links, int64_t frame, float height, Arena *arena)
{
    FrameState *state = frame_state_create(links->scene, arena);
    void *packed = arena_alloc(arena, frame_state_size(links->scene));
    for (size_t i = 0; i < 4; i++)
        state->models[0].bones[i].rotation[3] = 1;
    state->models[0].bones[0].position[0] = 7;
    state->models[0].bones[1].position[0] = 7;
    state->models[0].bones[1].position[1] = height;
    frame_state_pack(packed, state, links->scene);
    link_stretches_add(links, frame, packed);
}

static void measures_links(void **state)
{
    Arena *arena = arena_create();
    LinkStretches links = link_stretches_create(make_scene(arena), arena);
    (void)state;
    assert_int_equal(links.count, 1);
    add_frame(&links, 3, 1, arena);
    add_frame(&links, 8, -3, arena);
    add_frame(&links, 9, 2, arena);
    link_stretches_sort(&links);
    assert_int_equal(links.items[0].bone, 1);
    assert_int_equal(links.items[0].frame, 8);
    assert_true(links.items[0].ratio == 1.5);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parses_sizes),
        cmocka_unit_test(measures_links),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
