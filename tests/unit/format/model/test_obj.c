// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "asset_check.h"
#include "diag_log.h"
#include "format/model/obj.h"
#include "unit_test.h"

static char library[] = "Kd 9 9 9\nnewmtl glass\n  Kd 0.5 1 0\nd 0.25\nnewmtl wood two\n"
                        "Kd 1 1 1\nKe 0 0 0.5\nmap_Kd -s 2 2 -o 0.5 -clamp on my wood.png\n";

/* "a b.mtl" and "c.mtl" exist, "bad.mtl" cannot be read. */
static bool give(void *user, Bytes *bytes, const char *name, bool optional, Arena *arena,
                 Diag *diag)
{
    (void)arena;
    assert_true(optional);
    *bytes = (Bytes){0};
    if (!strcmp(name, "a b.mtl") || !strcmp(name, "c.mtl"))
        *bytes = (Bytes){user, strlen(user)};
    return strcmp(name, "bad.mtl") != 0 || diag_error(diag, "cannot read '%s'", name);
}

static bool load(PmxModel *model, const char *text, Arena *arena, DiagLog *log)
{
    diag_log_init(log);
    return obj_load(model, (Bytes){(const uint8_t *)text, strlen(text)},
                    &(SideFiles){give, library}, arena, &log->diag);
}

/* A square as a fan of two triangles and a smooth one; z mirrored, 12.5 units in a metre. */
static void test_load(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    PmxModel m;
    DiagLog log;
    assert_true(load(&m,
                     "# room\r\nmtllib a b.mtl\nv 0 0 1\nv 1 0 1 1 0.5 0\nv 1 1 1\nv 0 1 1\n"
                     "vt 0.25 0.25\nvn 0 0 1\nusemtl glass\nf 1 2 3 4\nusemtl wood two\n"
                     "f -4/1/1 2/1/1 -2/-1/-1\nusemtl none\nl 1 2\nf 1 2 3",
                     arena, &log));
    assert_true(pmx_check(&m, &log.diag) && m.accessory);
    assert_int_equal(m.vertex_count, 12);
    assert_int_equal(m.material_count, 3);
    assert_string_equal(m.materials[0].name, "材質1");
    assert_string_equal(m.materials[1].name, "wood two");
    assert_string_equal(m.materials[2].name, "glass"); /* blended: last */
    static const uint32_t glass[] = {0, 2, 1, 3, 5, 4};
    assert_memory_equal(m.indices + m.materials[2].first_index, glass, sizeof glass);
    const PmxVertex *v = &m.vertices[1], *smooth = &m.vertices[6];
    assert_true(v->position[0] == 12.5f && v->position[1] == 0 && v->position[2] == -12.5f);
    assert_true(v->normal[2] == -1 && smooth->normal[2] == -1);
    assert_true(smooth->uv[0] == 0.25f && smooth->uv[1] == 0.75f);
    assert_true(m.extra_uv[0][1][1] == 0.5f && m.extra_uv[0][0][1] == 1);
    /* A color in the light, twice 154 / 255 of diffuse, is that of the file. */
    const PmxMaterial *wood_two = &m.materials[1], *pane = &m.materials[2];
    assert_true(pane->diffuse[3] == 0.25f);
    assert_float_equal(pane->ambient[0] + 2 * 154.0f / 255 * pane->diffuse[0], 0.5f, 1e-5f);
    assert_float_equal(wood_two->ambient[2], 0.2f, 1e-5f);
    /* 0.5 as stored is 0.214041 of light. */
    assert_true(wood_two->maps.used && wood_two->maps.emission[0] == 0 && !pane->maps.used);
    assert_float_equal(wood_two->maps.emission[2], 0.214041f, 1e-5f);
    assert_int_equal(m.texture_count, 1);
    assert_string_equal(m.textures[0], "my wood.png");
    assert_string_equal(m.ignored, "1 points or lines");
    assert_string_equal(m.comment, "room");
    arena_destroy(arena);
}

/* What other programs write, too: marks, joined lines, names in CP932, several libraries, indices
 * of what does not exist. */
static void test_unusual(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    PmxModel m;
    DiagLog log;
    static const char points[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    assert_true(load(&m,
                     arena_printf(arena,
                                  "\xEF\xBB\xBFmtllib none.mtl c.mtl\n%susemtl glass\nf 1 \\\r\n 2 "
                                  "\\\n3\n",
                                  points),
                     arena, &log));
    assert_string_equal(m.materials[0].name, "glass");
    assert_int_equal(m.index_count, 3);
    assert_int_equal(log.diag.warnings, 0);
    assert_true(
        load(&m, arena_printf(arena, "mtllib none.mtl\n%sf 1/7 2/7 3/7\n", points), arena, &log));
    assert_non_null(strstr(log.text, "its file 'none.mtl' is missing"));
    assert_non_null(strstr(log.text, "texture coordinates that do not exist"));
    assert_true(m.materials[0].ambient[0] == 0.2f && m.index_count == 3);
    diag_log_init(&log);
    static char japanese[] = "newmtl \x8F\xB0\nKd 0 1 0\n"; /* 床 */
    const char *text = arena_printf(arena, "mtllib c.mtl\n%susemtl \x8F\xB0\nf 1 2 3\n", points);
    assert_true(obj_load(&m, (Bytes){(const uint8_t *)text, strlen(text)},
                         &(SideFiles){give, japanese}, arena, &log.diag));
    assert_string_equal(m.materials[0].name, "床");
    assert_string_equal(m.comment, "");
    assert_true(load(&m,
                     arena_printf(arena,
                                  "####\n# a scene\n# Created by Metasequoia\n# at noon\n%s# end\n"
                                  "f 1 2 3\n",
                                  points),
                     arena, &log));
    assert_string_equal(m.comment, "Created by Metasequoia");
    arena_destroy(arena);
}

/* Twice the area of each triangle in the plane of x and y, in units, which is negative if it is
 * turned over; 0: with an error.  A fan of a concave polygon has such ones. */
static double area_of(const PmxModel *m)
{
    double sum = 0;
    for (uint32_t i = 0; i < m->index_count; i += 3) {
        const float *p[3];
        for (uint32_t k = 0; k < 3; k++)
            p[k] = m->vertices[m->indices[i + k]].position;
        const double x[] = {(double)(p[1][0] - p[0][0]), (double)(p[2][0] - p[0][0])};
        const double y[] = {(double)(p[1][1] - p[0][1]), (double)(p[2][1] - p[0][1])};
        const double area = y[0] * x[1] - x[0] * y[1];
        if (area < 0)
            return 0;
        sum += area;
    }
    return sum;
}

/* Squares of metres, by hand. */
static void test_polygons(void **state)
{
    (void)state;
    static const struct {
        const char *what, *points, *face;
        double area;
        uint32_t triangles;
    } rows[] = {
        {"a quad with its notch at the first diagonal", "v 0 0 0\nv 4 0 0\nv 1 1 0\nv 0 4 0\n",
         "f 4 1 2 3", 4, 2},
        {"an L", "v 0 0 0\nv 3 0 0\nv 3 1 0\nv 1 1 0\nv 1 3 0\nv 0 3 0\n", "f 2 3 4 5 6 1", 5, 4},
        {"a wall with a window, cut open to it",
         "v 0 0 0\nv 4 0 0\nv 4 4 0\nv 0 4 0\nv 1 1 0\nv 3 1 0\nv 3 3 0\nv 1 3 0\n",
         "f 1 2 3 4 1 5 8 7 6 5", 12, 8},
        {"a comb",
         "v 0 0 0\nv 5 0 0\nv 5 3 0\nv 4 3 0\nv 4 1 0\nv 3 1 0\nv 3 3 0\nv 2 3 0\nv 2 1 0\n"
         "v 1 1 0\nv 1 3 0\nv 0 3 0\n",
         "f 1 2 3 4 5 6 7 8 9 10 11 12", 11, 10},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        PmxModel m;
        DiagLog log;
        const char *text = arena_printf(arena, "%s%s\n", rows[i].points, rows[i].face);
        assert_true(load(&m, text, arena, &log));
        const double area = area_of(&m) / (2 * 12.5 * 12.5);
        if (m.index_count != 3 * rows[i].triangles || fabs(area - rows[i].area) > 1e-4)
            fail_msg("%s: %u triangles of %g", rows[i].what, m.index_count / 3, area);
        arena_destroy(arena);
    }
}

static void test_errors(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"v 0 0\n", "fewer than 3 coordinates"}, {"v 0 0 0\nf 1 1 2\n", "out of range"},
        {"v 0 0 0\nf 1 1 0\n", "out of range"},  {"v 0 0 0\nf 1 1 -2\n", "out of range"},
        {"v 0 0 0\nf 1 1 /1\n", "no position"},  {"v 0 0 0\nf 1 1 //\n", "no position"},
        {"v 0 0 0\nf 1 1 x\n", "no number"},     {"mtllib bad.mtl\n", "cannot read 'bad.mtl'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        PmxModel m;
        DiagLog log;
        if (load(&m, rows[i].text, arena, &log) || !strstr(log.text, rows[i].message))
            fail_msg("%s: %s", rows[i].text, log.text);
        arena_destroy(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_load), cmocka_unit_test(test_unusual),
                                       cmocka_unit_test(test_polygons),
                                       cmocka_unit_test(test_errors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
