// SPDX-License-Identifier: MIT
/* Colliders of cloth: contacts, velocities and bounds, worked by hand (evaluate/cloth/README.md).
 */
#include <float.h>
#include <math.h>

#include "evaluate/cloth/cloth_body.h"
#include "unit_test.h"

/* A capsule of radius 1 from (0, 0, 0) to (4, 0, 0), and a box, worked by hand. */
static void contacts_by_hand(void **state)
{
    (void)state;
    const ClothBody capsule = {.shape = CLOTH_CAPSULE, .a = {0, 0, 0}, .b = {4, 0, 0}, .radius = 1};
    const ClothBody sphere = {.shape = CLOTH_CAPSULE, .a = {0, 2, 0}, .b = {0, 2, 0}, .radius = 2};
    const ClothBody box = {
        .shape = CLOTH_BOX,
        .a = {0, 0, 0},
        .half = {1, 2, 3},
        .rotation = {0, 0, 0.70710678118654752, 0.70710678118654752}}; /* x to y */
    const ClothBody cube = {
        .shape = CLOTH_BOX, .a = {10, 20, 30}, .half = {2, 2, 2}, .rotation = QUAT_IDENTITY};
    const ClothBody along_x = {
        .shape = CLOTH_CAPSULE, .a = {-1, 0, 0}, .b = {1, 0, 0}, .radius = 2};
    const ClothBody short_x = {
        .shape = CLOTH_CAPSULE, .a = {-0.25, 0, 0}, .b = {0.25, 0, 0}, .radius = 2};
    const ClothBody along_y = {
        .shape = CLOTH_CAPSULE, .a = {0, -1, 0}, .b = {0, 1, 0}, .radius = 2};
    const ClothBody along_z = {
        .shape = CLOTH_CAPSULE, .a = {0, 0, -1}, .b = {0, 0, 1}, .radius = 2};
    const ClothBody floor = {.shape = CLOTH_FLOOR, .a = {0, 1, 0}};
    const struct {
        const char *what;
        const ClothBody *body;
        Vec3 point;
        double thickness;
        bool meets;
        Vec3 normal;
        double depth;
    } rows[] = {
        {"over the middle", &capsule, {2, 0.75, 0}, 0, true, {0, 1, 0}, 0.25},
        {"beside the middle", &capsule, {1, 0, -0.5}, 0, true, {0, 0, -1}, 0.5},
        {"over the middle, just out", &capsule, {2, 1.0001, 0}, 0, false, {0, 0, 0}, 0},
        {"thicker by a sphere", &capsule, {2, 1.25, 0}, 0.5, true, {0, 1, 0}, 0.25},
        {"before the end, in its sphere", &capsule, {-0.3, 0.4, 0}, 0, true, {-0.6, 0.8, 0}, 0.5},
        {"beyond the end, in its sphere", &capsule, {4.6, 0, 0}, 0, true, {1, 0, 0}, 0.4},
        {"before the end, outside", &capsule, {-0.8, 0.8, 0}, 0, false, {0, 0, 0}, 0},
        {"on the axis", &capsule, {2, 0, 0}, 0, true, {0, 0, 1}, 1},
        {"sphere", &sphere, {0, 0.5, 0}, 0, true, {0, -1, 0}, 0.5},
        {"box, out of its rotated x side", &box, {0, 0.875, 0}, 0, true, {0, 1, 0}, 0.125},
        {"box, out of its rotated y side", &box, {-1.75, 0, 0}, 0, true, {-1, 0, 0}, 0.25},
        {"box, lower x side", &cube, {8.5, 20, 30}, 0, true, {-1, 0, 0}, 0.5},
        {"box, upper x side", &cube, {11.5, 20.75, 30.75}, 0, true, {1, 0, 0}, 0.5},
        {"box, lower y side", &cube, {10.75, 18.5, 30.75}, 0, true, {0, -1, 0}, 0.5},
        {"box, upper y side", &cube, {10.75, 21.5, 29.25}, 0, true, {0, 1, 0}, 0.5},
        {"box, lower z side", &cube, {10.75, 20.75, 28.5}, 0, true, {0, 0, -1}, 0.5},
        {"box, upper z side", &cube, {9.25, 19.25, 31.5}, 0, true, {0, 0, 1}, 0.5},
        {"box, within its thickness in x", &cube, {12.5, 20, 30}, 1, true, {1, 0, 0}, 0.5},
        {"box, within its thickness in y", &cube, {10, 17.5, 30}, 1, true, {0, -1, 0}, 0.5},
        {"box, within its thickness in z", &cube, {10, 20, 32.5}, 1, true, {0, 0, 1}, 0.5},
        {"box, on its x side", &cube, {12, 20, 30}, 0, false, {0, 0, 0}, 0},
        {"box, on its y side", &cube, {10, 22, 30}, 0, false, {0, 0, 0}, 0},
        {"box, on its z side", &cube, {10, 20, 32}, 0, false, {0, 0, 0}, 0},
        {"on the surface of a sphere", &sphere, {0, 4, 0}, 0, false, {0, 0, 0}, 0},
        {"in the center of a sphere", &sphere, {0, 2, 0}, 0, true, {0, 1, 0}, 2},
        {"on an axis along x", &along_x, {0.5, 0, 0}, 0, true, {0, 0, 1}, 2},
        {"on a short axis", &short_x, {0.125, 0, 0}, 0, true, {0, 0, 1}, 2},
        {"on an axis along y", &along_y, {0, 0.5, 0}, 0, true, {0, 0, -1}, 2},
        {"on an axis along z", &along_z, {0, 0, 0.5}, 0, true, {-1, 0, 0}, 2},
        {"on the floor", &floor, {5, 1, 5}, 0, false, {0, 0, 0}, 0},
        {"box, outside", &box, {0, 1.125, 0}, 0, false, {0, 0, 0}, 0},
        {"floor", &floor, {5, 0.75, 5}, 0.25, true, {0, 1, 0}, 0.5},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const ClothBody now = cloth_body_between(rows[i].body, rows[i].body, 0.5, 1);
        ClothContact c = {{0, 0, 0}, 0, {0, 0, 0}};
        const bool meets = cloth_body_meets(&c, &now, rows[i].point, rows[i].thickness);
        if (meets != rows[i].meets || fabs(c.depth - rows[i].depth) > 1e-12 ||
            vec3_length(vec3_sub(c.normal, rows[i].normal)) > 1e-12)
            fail_msg("%s: %s, depth %g, normal (%g %g %g)", rows[i].what, meets ? "in" : "out",
                     c.depth, c.normal.x, c.normal.y, c.normal.z);
    }
}

/* In half a second: end a moves by 1, end b by 3; a box rotates by 90 degrees about z and moves by
 * 2.  A contact moves with the point of the body below it. */
static void contacts_move_with_the_body(void **state)
{
    (void)state;
    static const double spin = M_PI; /* radians a second */
    const ClothBody capsule = {.shape = CLOTH_CAPSULE, .b = {4, 0, 0}, .radius = 1};
    const ClothBody box = {.shape = CLOTH_BOX, .rotation = QUAT_IDENTITY, .half = {2, 2, 2}};
    const ClothBody floor = {.shape = CLOTH_FLOOR};
    ClothBody lifted = capsule, turned = box, negated = box, back = box, risen = floor;
    lifted.a.y = 1;
    lifted.b.y = 3;
    turned.a.z = back.a.z = negated.a.z = 2;
    turned.rotation = (Quat){0, 0, sqrt(0.5), sqrt(0.5)};
    negated.rotation = (Quat){0, 0, -sqrt(0.5), -sqrt(0.5)};
    back.rotation = (Quat){0, 0, sqrt(0.5), -sqrt(0.5)};
    risen.a = (Vec3){1, 2, 3};
    const struct {
        const char *what;
        const ClothBody *from, *to;
        double part;
        Vec3 point, velocity, normal;
    } rows[] = {
        {"start of a capsule", &capsule, &lifted, 0, {-0.5, 0, 0}, {0, 2, 0}, {-1, 0, 0}},
        {"end of a capsule", &capsule, &lifted, 0, {4.5, 0, 0}, {0, 6, 0}, {1, 0, 0}},
        {"quarter of a capsule", &capsule, &lifted, 0, {1, -0.5, 0}, {0, 3, 0}, {0, -1, 0}},
        {"lifted end", &capsule, &lifted, 1, {4.4, 3.2, 0}, {0, 6, 0}, {2, 1, 0}},
        {"half-lifted end", &capsule, &lifted, 0.5, {4.4, 1.7, 0}, {0, 6, 0}, {2, 1, 0}},
        {"half-lifted start", &capsule, &lifted, 0.5, {-0.4, 0.3, 0}, {0, 2, 0}, {-2, -1, 0}},
        {"box at rest", &box, &box, 0.5, {1, 0, 0}, {0, 0, 0}, {1, 0, 0}},
        {"box", &box, &turned, 0, {1, 0, 0}, {0, spin, 4}, {1, 0, 0}},
        {"box, other point", &box, &turned, 0, {0, -1, 0}, {spin, 0, 4}, {0, -1, 0}},
        {"box, half-way", &box, &turned, 0.5, {1, 1.1, 1}, {-1.1 * spin, spin, 4}, {1, 1, 0}},
        {"box, end", &box, &turned, 1, {1, 0, 2}, {0, spin, 4}, {1, 0, 0}},
        {"box, the same rotation negated", &box, &negated, 0, {1, 0, 0}, {0, spin, 4}, {1, 0, 0}},
        {"box, backwards", &box, &back, 0, {1, 0, 0}, {0, -spin, 4}, {1, 0, 0}},
        {"floor", &floor, &risen, 0.5, {9, 0.5, 9}, {2, 4, 6}, {0, 1, 0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const ClothBody now = cloth_body_between(rows[i].from, rows[i].to, rows[i].part, 0.5);
        ClothContact c;
        if (!cloth_body_meets(&c, &now, rows[i].point, 0))
            fail_msg("%s: no contact", rows[i].what);
        if (vec3_length(vec3_sub(c.velocity, rows[i].velocity)) > 1e-9 ||
            vec3_length(vec3_sub(c.normal, vec3_normalize(rows[i].normal))) > 1e-9)
            fail_msg("%s: velocity (%g %g %g), normal (%g %g %g)", rows[i].what, c.velocity.x,
                     c.velocity.y, c.velocity.z, c.normal.x, c.normal.y, c.normal.z);
    }
}

static void bounds_enclose_the_body(void **state)
{
    (void)state;
    static const double d = DBL_MAX;
    const struct {
        const char *what;
        ClothBody body;
        Vec3 low, high;
    } rows[] = {
        {"capsule",
         {.shape = CLOTH_CAPSULE, .a = {1, 7, 3}, .b = {4, 2, 8}, .radius = 0.5},
         {0.5, 1.5, 2.5},
         {4.5, 7.5, 8.5}},
        {"capsule, reversed",
         {.shape = CLOTH_CAPSULE, .a = {4, 2, 8}, .b = {1, 7, 3}, .radius = 0.5},
         {0.5, 1.5, 2.5},
         {4.5, 7.5, 8.5}},
        {"box: the sphere around it, for any rotation",
         {.shape = CLOTH_BOX, .a = {1, 2, 3}, .b = {9, 9, 9}, .half = {2, 3, 6}},
         {-6, -5, -4},
         {8, 9, 10}},
        {"floor", {.shape = CLOTH_FLOOR, .a = {5, 3, 5}}, {-d, -d, -d}, {d, 3, d}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Vec3 low, high;
        const Vec3 *l = &rows[i].low, *h = &rows[i].high;
        cloth_body_bounds(&low, &high, &rows[i].body);
        if (low.x != l->x || low.y != l->y || low.z != l->z || high.x != h->x || high.y != h->y ||
            high.z != h->z)
            fail_msg("%s: (%g %g %g) to (%g %g %g)", rows[i].what, low.x, low.y, low.z, high.x,
                     high.y, high.z);
    }
}

/* A capsule of radius 1 along x, which a point went through; or did not. */
static void points_leave_where_they_came_from(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        Vec3 point, before;
        double from_y; /* of the axis at the start; it ends at 0 */
        Vec3 normal;
        double depth;
    } rows[] = {
        {"on its side", {2, -0.25, 0}, {2, -3, 0}, 0, {0, -1, 0}, 0.75},
        {"a quarter around", {2, -0.25, 0}, {2, 0, 2}, 0, {0, -1, 0}, 0.75},
        {"through the axis", {2, -0.25, 0}, {2, 3, 0}, 0, {0, 1, 0}, 1.25},
        {"the capsule came over it", {2, -0.25, 0}, {2, -3, 0}, -5, {0, 1, 0}, 1.25},
        {"through and aside", {2, -0.25, 0.6}, {2, 3, 0}, 0, {0, 1, 0}, 1.05},
        {"through the end",
         {-0.5, -0.25, 0},
         {-3, 0, 0},
         0,
         {-0.89442719, -0.4472136, 0},
         0.4409830},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const ClothBody to = {.shape = CLOTH_CAPSULE, .a = {0, 0, 0}, .b = {4, 0, 0}, .radius = 1};
        ClothBody from = to;
        ClothContact c;
        from.a.y = from.b.y = rows[i].from_y;
        const ClothPast past = {.before = rows[i].before, .from = &from};
        assert_true(cloth_body_meets(&c, &to, rows[i].point, 0));
        cloth_body_keep_side(&c, &to, rows[i].point, &past);
        if (vec3_length(vec3_sub(c.normal, rows[i].normal)) > 1e-6 ||
            fabs(c.depth - rows[i].depth) > 1e-6)
            fail_msg("%s: normal %g %g %g, depth %g", rows[i].what, c.normal.x, c.normal.y,
                     c.normal.z, c.depth);
    }
}

/* The same capsule, from which a point is outside before and after. */
static void points_that_passed_are_led_back(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        Vec3 point, before;
        double from_y;
        bool passes;
        Vec3 normal;
        double depth;
    } rows[] = {
        {"through the middle", {2, -3, 0}, {2, 3, 0}, 0, true, {0, 1, 0}, 4},
        {"the capsule moved", {2, 0, 0}, {2, 0, 0}, -2, false, {0, 0, 0}, 0},
        {"through the side",
         {2, -3, 0.5},
         {2, 3, 0.5},
         0,
         true,
         {0, 0.98639392, 0.16439899},
         3.0413813},
        {"beside it", {2, -3, 1.5}, {2, 3, 1.5}, 0, false, {0, 0, 0}, 0},
        {"to the other end", {9, 0, 0}, {2, 3, 0}, 0, false, {0, 0, 0}, 0},
        {"on its side", {2, -3, 0}, {2, -2, 0}, 0, false, {0, 0, 0}, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const ClothBody to = {.shape = CLOTH_CAPSULE, .a = {0, 0, 0}, .b = {4, 0, 0}, .radius = 1};
        ClothBody from = to;
        ClothContact c;
        from.a.y = from.b.y = rows[i].from_y;
        const ClothPast past = {.before = rows[i].before, .from = &from};
        const bool passes = cloth_body_passes(&c, &to, rows[i].point, &past, 0);
        if (passes != rows[i].passes)
            fail_msg("%s: %d", rows[i].what, passes);
        if (passes && (vec3_length(vec3_sub(c.normal, rows[i].normal)) > 1e-6 ||
                       fabs(c.depth - rows[i].depth) > 1e-4))
            fail_msg("%s: normal %g %g %g, depth %g", rows[i].what, c.normal.x, c.normal.y,
                     c.normal.z, c.depth);
    }
}

/* The same capsule as a limb, which pointed down from (1, 5, 0) at rest and has turned about z
 * since. What was at a greater x then belongs above it now, wherever it was at the start of the
 * tick. */
static void limbs_have_sides(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        Vec3 rest, point;
        bool central;
        double depth; /* of the contact that leads up; 0: there is none */
    } rows[] = {
        {"in the lower half", {2, 4, 0}, {1, -0.5, 0}, true, 1.5},
        {"in the upper half", {2, 4, 0}, {1, 0.5, 0}, true, 0.5},
        {"below it", {2, 4, 0}, {1, -1.5, 0}, true, 2.5},
        {"far below it", {2, 4, 0}, {1, -9, 0}, true, 10},
        {"below it and aside", {2, 4, 0}, {1, -1.5, 0.6}, true, 2.3},
        {"beside it", {2, 4, 0}, {1, -1.5, 1.2}, true, 0},
        {"it belongs below", {0, 4, 0}, {1, -1.5, 0}, true, 0},
        {"above the limb at rest", {2, 9, 0}, {1, -1.5, 0}, true, 2.5},
        {"of a leg", {2, 4, 0}, {1, -1.5, 0}, false, 2.5},
        {"of a leg, above it at rest", {2, 9, 0}, {1, -1.5, 0}, false, 0},
        {"of a leg, beyond its range", {2, -1, 0}, {1, -1.5, 0}, false, 0},
        {"of a leg, behind the joint", {2, 4, 0}, {-0.25, -1.2, 0}, false, 0},
    };
    static const double half = 0.70710678118654752;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const ClothBody body = {.shape = CLOTH_CAPSULE,
                                .a = {0, 0, 0},
                                .b = {4, 0, 0},
                                .radius = 1,
                                .limb = {.known = true,
                                         .central = rows[i].central,
                                         .range = {-1, 5},
                                         .rest = {1, 5, 0},
                                         .axis = {0, -1, 0},
                                         .turn = {0, 0, half, half}}};
        const ClothPast past = {rows[i].rest, rows[i].point, &body};
        ClothContact c = {.normal = {0, 0, 0}};
        const bool meets = cloth_body_meets(&c, &body, rows[i].point, 0);
        if (cloth_body_misleads(&c, &body, rows[i].point, &past) != (meets && rows[i].point.y < 0))
            fail_msg("%s: a contact misleads, or does not", rows[i].what);
        if (meets)
            cloth_body_keep_side(&c, &body, rows[i].point, &past);
        const bool found = meets || cloth_body_passes(&c, &body, rows[i].point, &past, 0);
        if (found != (rows[i].depth > 0))
            fail_msg("%s: %d", rows[i].what, found);
        if (found && (vec3_length(vec3_sub(c.normal, (Vec3){0, 1, 0})) > 1e-9 ||
                      fabs(c.depth - rows[i].depth) > 1e-9))
            fail_msg("%s: normal %g %g %g, depth %g", rows[i].what, c.normal.x, c.normal.y,
                     c.normal.z, c.depth);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_by_hand),
        cmocka_unit_test(contacts_move_with_the_body),
        cmocka_unit_test(bounds_enclose_the_body),
        cmocka_unit_test(points_leave_where_they_came_from),
        cmocka_unit_test(points_that_passed_are_led_back),
        cmocka_unit_test(limbs_have_sides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
