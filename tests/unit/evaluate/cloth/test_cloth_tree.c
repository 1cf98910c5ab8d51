// SPDX-License-Identifier: MIT
/* The tree finds every mass that meets a box, as a search of all does, and no mass twice. */

#include <stdbool.h>
#include <string.h>

#include "evaluate/cloth/cloth_tree.h"
#include "unit_test.h"

enum { MASSES = 150, BOXES = 60 };

/* 0 to 1, the same numbers in each run */
static double random_part(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (double)(1 << 24);
}

static Vec3 random_point(uint32_t *seed, double size)
{
    const double x = random_part(seed), y = random_part(seed);
    return (Vec3){size * x, size * y, size * random_part(seed)};
}

static bool meets(Vec3 p, double margin, const ClothBox *box)
{
    return p.x - margin <= box->high.x && p.x + margin >= box->low.x &&
           p.y - margin <= box->high.y && p.y + margin >= box->low.y &&
           p.z - margin <= box->high.z && p.z + margin >= box->low.z;
}

static void same_as_a_search_of_all(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    uint32_t seed = 7, list[MASSES], found[MASSES], total = 0;
    Vec3 rest[2 * MASSES], x[2 * MASSES];
    double margins[2 * MASSES];

    for (uint32_t i = 0; i < 2 * MASSES; i++) {
        rest[i] = random_point(&seed, 10);
        x[i] = vec3_add(rest[i], random_point(&seed, 3));
        margins[i] = 0.3 * random_part(&seed);
    }
    for (uint32_t i = 0; i < MASSES; i++)
        list[i] = 2 * i; /* the others are not in the tree */
    ClothTree *tree = cloth_tree_create(list, MASSES, rest, arena);
    cloth_tree_update(tree, rest, margins);
    cloth_tree_update(tree, x, margins);
    for (int b = 0; b < BOXES; b++) {
        ClothBox box = {.low = random_point(&seed, 12)};
        box.high = vec3_add(box.low, random_point(&seed, 2));
        bool seen[2 * MASSES] = {false};
        const uint32_t count = cloth_tree_find(found, tree, &box);
        total += count;
        for (uint32_t i = 0; i < count; i++) {
            assert_true(found[i] % 2 == 0 && !seen[found[i]]);
            seen[found[i]] = true;
        }
        for (uint32_t i = 0; i < MASSES; i++)
            assert_true(seen[list[i]] || !meets(x[list[i]], margins[list[i]], &box));
    }
    assert_true(total < BOXES * MASSES / 4); /* most masses are far from most boxes */
    arena_destroy(arena);
}

static void an_empty_tree_finds_nothing(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    ClothTree *tree = cloth_tree_create(NULL, 0, NULL, arena);
    const ClothBox all = {{-1e9, -1e9, -1e9}, {1e9, 1e9, 1e9}};
    uint32_t found[1];

    cloth_tree_update(tree, NULL, NULL);
    assert_int_equal(cloth_tree_find(found, tree, &all), 0);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_as_a_search_of_all),
                                       cmocka_unit_test(an_empty_tree_finds_nothing)};
    return cmocka_run_group_tests_name("cloth_tree", tests, NULL, NULL);
}
