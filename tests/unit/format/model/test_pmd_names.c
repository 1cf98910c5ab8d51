// SPDX-License-Identifier: MIT
#include <string.h>

#include "diag_log.h"
#include "format/model/pmd.h"
#include "pmd_fixture.h"
#include "unit_test.h"

/* The names of the fixture, in the order of the file: bones as its conversion has them first, IK in
 * the order of its list, morphs with the base morph. */
static void names_in_the_order_of_the_file(void **state)
{
    Arena *arena = arena_create();
    ByteList *list = arena_array(arena, ByteList, 1);
    PmmModelBones names;
    PmxModel model;
    DiagLog log;
    (void)state;
    diag_log_init(&log);
    pmd_put_all(list);
    const Bytes bytes = {list->data, list->size};
    assert_true(pmd_load_names(&names, bytes, arena, &log.diag));
    assert_true(pmd_load(&model, bytes, arena, &log.diag));
    assert_int_equal(names.bone_count, PMD_BONES);
    for (uint32_t i = 0; i < names.bone_count; i++)
        assert_string_equal(names.bones[i], model.bones[i].name);
    assert_int_equal(names.ik_count, 2);
    assert_int_equal(names.ik[0], PMD_GOAL);
    assert_int_equal(names.morph_count, model.morph_count + 1);
    assert_string_equal(names.morphs[0], "base");
    assert_string_equal(names.morphs[1], model.morphs[0].name);
    arena_destroy(arena);
}

static void damage_is_reported(void **state)
{
    Arena *arena = arena_create();
    ByteList *list = arena_array(arena, ByteList, 1);
    PmmModelBones names;
    (void)state;
    pmd_put_geometry(list);
    pmd_put_bones(list);
    for (size_t i = 0; i < list->size; i++) {
        Arena *own = arena_create();
        DiagLog log;
        diag_log_init(&log);
        assert_false(pmd_load_names(&names, (Bytes){list->data, i}, own, &log.diag));
        assert_int_equal(log.diag.errors, 1);
        arena_destroy(own);
    }
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names_in_the_order_of_the_file),
                                       cmocka_unit_test(damage_is_reported)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
