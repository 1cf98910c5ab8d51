#include <math.h>
#include <string.h>

#include "asset_check.h"
#include "diag_log.h"
#include "format/model/obj.h"
#include "unit_test.h"

static char library[] = "Kd 9 9 9\nnewmtl glass\n  Kd 0.5 1 0\nd 0.25\nnewmtl wood two\n"
                        "Kd 1 1 1\nKe 0 0 0.5\nmap_Kd -s 2 2 -o 0.5 -clamp on my wood.png\n";

static bool give(void *user, Bytes *bytes, const char *name, Arena *arena, Diag *diag)
{
    (void)arena;
    *bytes = (Bytes){user, strlen(user)};
    return !strcmp(name, "a b.mtl") || diag_error(diag, "asked for '%s'", name);
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
    assert_true(m.materials[2].diffuse[3] == 0.25f && m.materials[2].diffuse[0] == 0.5f);
    assert_true(fabsf(m.materials[1].ambient[2] - (0.5f + 101.0f / 255)) < 1e-6f);
    assert_int_equal(m.texture_count, 1);
    assert_string_equal(m.textures[0], "my wood.png");
    assert_string_equal(m.ignored, "1 points or lines");
    arena_destroy(arena);
}

static void test_errors(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"v 0 0\n", "fewer than 3 coordinates"},  {"v 0 0 0\nf 1 1 2\n", "out of range"},
        {"v 0 0 0\nf 1 1 0\n", "out of range"},   {"v 0 0 0\nf 1 1 -2\n", "out of range"},
        {"v 0 0 0\nf 1 1 1/1\n", "out of range"}, {"v 0 0 0\nf 1 1 /1\n", "out of range"},
        {"v 0 0 0\nf 1 1 //\n", "no position"},   {"v 0 0 0\nf 1 1 x\n", "no number"},
        {"mtllib b.mtl\n", "asked for 'b.mtl'"},
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_load), cmocka_unit_test(test_errors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
