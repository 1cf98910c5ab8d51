// SPDX-License-Identifier: MIT
#include "scene/effects/effect_rules.h"

#include <string.h>

#include "model_fixture.h"
#include "scene/effects/effect_known.h"
#include "unit_test.h"

static void test_wildcards(void **state)
{
    static const struct {
        const char *pattern, *name;
        bool matches;
    } rows[] = {
        {"*", "", true},
        {"*", "a.x", true},
        {"*.*", "a.x", true},
        {"*.*", "ax", false},
        {"*.pmx", "Miku.PMX", true},
        {"*.pmx", "Miku.pmx.x", false},
        {"sky*box*.*", "Sky with box.pmx", true},
        {"sky*box*.*", "Sky with lighting.pmx", false},
        {"*Light*.pmx", "PointLightIES.pmx", true},
        {"a?c", "abc", true},
        {"a?c", "ac", false},
        {"??.x", "初音.x", true},
        {"?.x", "初音.x", false},
        {"初*.PMX", "初音.pmx", true},
        {"*a*b*c", "aXXbXXbc", true},
        {"*a*b*c", "aXXbXXbd", false},
        {"", "a", false},
        {"", "", true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (effect_rules_match(rows[i].pattern, rows[i].name) != rows[i].matches)
            fail_msg("'%s' and '%s'", rows[i].pattern, rows[i].name);
}

static void test_a_long_pattern_ends(void **state)
{
    char pattern[2001], name[20001];
    (void)state;
    for (size_t i = 0; i < 2000; i++)
        pattern[i] = i % 2 ? 'a' : '*';
    memset(name, 'a', 20000);
    pattern[2000] = name[20000] = '\0';
    pattern[1999] = 'b';
    assert_false(effect_rules_match(pattern, name)); /* exponential if it tried all ways */
}

static void test_materials(void **state)
{
    static const struct {
        const char *names;
        unsigned has; /* bits of materials */
    } rows[] = {
        {"hair", 1},          {"7", 2},  {"2", 4},    {"0,2", 5},
        {"0-1", 3},           {"1-", 6}, {"3", 0},    {"99999999999", 0},
        {"0-99999999999", 7}, {"", 0},   {"x", 0},    {"0x", 0},
        {"0,,1", 0},          {"-1", 0}, {"Hair", 0},
    };
    PmxMaterial materials[] = {fixture_material("hair", 0, 0), fixture_material("7", 0, 0),
                               fixture_material("eyes", 0, 0)};
    const PmxModel pmx = {.materials = materials, .material_count = 3};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (uint32_t m = 0; m < 3; m++)
            if (effect_rules_has_material(rows[i].names, &pmx, m) != (rows[i].has >> m & 1))
                fail_msg("'%s' and material %u", rows[i].names, m);
}

static void test_default_effect(void **state)
{
    Arena *arena = arena_create();
    (void)state;
    const EffectRules rules = effect_rules_parse(
        "self = hide; Mirror*.x =hide;\n no rule; =a.fx; b.x = ;* = ./sub\\main.fx ;", arena);
    assert_int_equal(rules.count, 3);
    assert_string_equal(effect_rules_find(&rules, "a.x", true)->file, "hide");
    assert_string_equal(effect_rules_find(&rules, "self", false)->file, "./sub\\main.fx");
    assert_string_equal(effect_rules_find(&rules, "mirror2.X", false)->file, "hide");
    assert_string_equal(effect_rules_find(&rules, "b.x", false)->file, "./sub\\main.fx");
    const EffectRules none = effect_rules_parse("", arena);
    assert_null(effect_rules_find(&none, "a.x", true));
    arena_destroy(arena);
}

static void test_known(void **state)
{
    static const struct {
        const char *path, *key;
    } rows[] = {
        {"D:\\MME\\Auto_Luminous4.x", "look.glow"},
        {"a/o_Diffusion 7.fx", "look.diffusion"},
        {"fxaa.x", "render.samples"},
        {"ray.x", NULL},
        {"my AutoLuminous.x", NULL},
    };
    Arena *arena = arena_create();
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const KnownEffect *known = effect_known_find(rows[i].path, arena);
        if (!known != !rows[i].key || (known && strcmp(known->key, rows[i].key) != 0))
            fail_msg("%s", rows[i].path);
    }
    assert_null(effect_known_look(effect_known_find("smaa.fx", arena)));
    assert_string_equal(effect_known_look(effect_known_find("ssao.x", arena)), "ssao");
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wildcards), cmocka_unit_test(test_a_long_pattern_ends),
        cmocka_unit_test(test_materials), cmocka_unit_test(test_default_effect),
        cmocka_unit_test(test_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
