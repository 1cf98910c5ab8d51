// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "asset_check.h"
#include "diag_log.h"
#include "format/model/xfile.h"
#include "shared_data.h"
#include "unit_test.h"
#include "xfile_fixture.h"

#define HEADER "xof 0303txt 0032\n"

static Bytes bytes_of(const char *text)
{
    return (Bytes){(const uint8_t *)text, strlen(text)};
}

static PmxModel load(Bytes bytes, Arena *arena, DiagLog *log)
{
    PmxModel model;
    diag_log_init(log);
    if (!xfile_load(&model, bytes, arena, &log->diag))
        fail_msg("not loaded: %s", log->text);
    assert_true(pmx_check(&model, &log->diag));
    assert_true(model.accessory);
    return model;
}

static void expect_floats(const char *what, const float *got, const float *expected, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (fabsf(got[i] - expected[i]) > 1e-6f * (1.0f + fabsf(expected[i])))
            fail_msg("%s: value %zu is %g, expected %g", what, i, (double)got[i],
                     (double)expected[i]);
}

static void expect_indices(const PmxModel *m, const uint32_t *expected, uint32_t count)
{
    assert_int_equal(m->index_count, count);
    for (uint32_t i = 0; i < count; i++)
        if (m->indices[i] != expected[i])
            fail_msg("index %u is %u, expected %u", i, m->indices[i], expected[i]);
}

/* ---- the text file of the fixture, computed by hand ---- */

/* The inner frame doubles x and adds 1 to it, the outer adds 5 to z; then all is 10 times as large.
 */
static void test_text_vertices(void **state)
{
    (void)state;
    static const struct {
        float position[3], normal[3], uv[2];
    } expected[] = {
        /* the quad comes first: its material is the Mesh's first; (3, 0, -4) on what is stretched
         * to twice its width becomes (1.5, 0, -4), length sqrt(18.25) */
        {{10, 0, 50}, {0.35112344f, 0, -0.93632918f}, {0, 1}},
        {{10, 10, 50}, {0, 0, -1}, {0, 0}},
        {{30, 10, 50}, {0, 0, -1}, {1, 0}},
        {{30, 0, 50}, {0, 0, -1}, {1, 1}},
        {{10, 0, 50}, {0, 0, -1}, {0, 1}}, /* first corner of the triangle: another normal */
        {{0, 0, 0}, {0, 0, -1}, {0, 0}},   /* the Mesh without normals */
        {{0, 10, 0}, {0, 0, -1}, {0, 0}},
        {{10, 0, 0}, {0, 0, -1}, {0, 0}},
    };
    enum { COUNT = sizeof expected / sizeof *expected };
    Arena *arena = arena_create();
    DiagLog log;
    const PmxModel m = load(bytes_of(xfile_fixture_text), arena, &log);

    assert_string_equal(log.text, "");
    assert_int_equal(m.vertex_count, COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        char what[32];
        snprintf(what, sizeof what, "vertex %u", i);
        expect_floats(what, m.vertices[i].position, expected[i].position, 3);
        expect_floats(what, m.vertices[i].normal, expected[i].normal, 3);
        expect_floats(what, m.vertices[i].uv, expected[i].uv, 2);
        assert_int_equal(m.vertices[i].deform, PMX_BDEF1);
        assert_int_equal(m.vertices[i].bones[0], 0);
    }
    expect_indices(&m, (const uint32_t[]){0, 1, 2, 0, 2, 3, 4, 1, 2, 5, 6, 7}, 12);
    assert_int_equal(m.bone_count, 1);
    assert_string_equal(m.bones[0].name, "センター");
    arena_destroy(arena);
}

static void test_text_materials(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    DiagLog log;
    const PmxModel m = load(bytes_of(xfile_fixture_text), arena, &log);

    assert_int_equal(m.material_count, 3);
    const PmxMaterial *red = &m.materials[0], *pale = &m.materials[1], *none = &m.materials[2];
    assert_string_equal(red->name, "red");
    expect_floats("diffuse", red->diffuse, (const float[]){1, 0.25f, 0.25f, 1}, 4);
    expect_floats("power", &red->specular_power, (const float[]){5}, 1);
    expect_floats("specular", red->specular, (const float[]){0.5f, 0.5f, 0.5f}, 3);
    expect_floats("emissive", red->ambient, (const float[]){0.125f, 0, 0}, 3);
    assert_int_equal(red->flags, PMX_GROUND_SHADOW | PMX_CAST_SHADOW | PMX_RECEIVE_SHADOW);
    assert_int_equal(red->index_count, 6);
    assert_int_equal(m.texture_count, 2);
    assert_string_equal(m.textures[red->texture], "tex\\\\ソ.bmp");
    assert_string_equal(m.textures[red->sphere_texture], "ボ.spa");
    assert_int_equal(red->sphere_mode, PMX_SPHERE_ADD);
    assert_int_equal(red->toon, PMX_NONE);

    assert_string_equal(pale->name, "材質2");
    assert_true(pale->flags & PMX_DOUBLE_SIDED); /* alpha 0.5 */
    assert_int_equal(pale->index_count, 3);
    assert_int_equal(pale->texture, PMX_NONE);

    expect_floats("no material", none->diffuse, (const float[]){1, 1, 1, 1}, 4);
    assert_int_equal(none->index_count, 3);
    arena_destroy(arena);
}

/* ---- binary and compressed files ---- */

static void expect_quad(const char *what, const PmxModel *m)
{
    static const float positions[4][3] = {{-10, 0, 0}, {-10, 20, 0}, {10, 20, 0}, {10, 0, 0}};
    static const float uvs[4][2] = {{0, 1}, {0, 0}, {1, 0}, {1, 1}};

    assert_int_equal(m->vertex_count, 4);
    for (int i = 0; i < 4; i++) {
        expect_floats(what, m->vertices[i].position, positions[i], 3);
        expect_floats(what, m->vertices[i].normal, (const float[]){0, 0, -1}, 3);
        expect_floats(what, m->vertices[i].uv, uvs[i], 2);
    }
    expect_indices(m, (const uint32_t[]){0, 1, 2, 0, 2, 3}, 6);
    assert_int_equal(m->material_count, 1);
    expect_floats(what, m->materials[0].diffuse, (const float[]){0.5f, 0.25f, 1, 1}, 4);
    expect_floats(what, m->materials[0].ambient, (const float[]){0, 0.125f, 0}, 3);
    assert_string_equal(m->textures[m->materials[0].texture], "a.png");
}

static void test_binary(void **state)
{
    (void)state;
    for (int wide = 0; wide < 2; wide++) {
        Arena *arena = arena_create();
        ByteList *b = arena_array(arena, ByteList, 1);
        DiagLog log;
        xfile_fixture_binary(b, wide);
        const Bytes plain = {b->data, b->size};
        const PmxModel m = load(plain, arena, &log);
        expect_quad(wide ? "floats of 64 bits" : "floats of 32 bits", &m);
        assert_string_equal(log.text, "");
        const PmxModel packed = load(xfile_pack(plain, "bzip", 32768, arena), arena, &log);
        expect_quad("packed", &packed);
        arena_destroy(arena);
    }
}

/* Blocks of 700 bytes refer to blocks before them; with 32768 there is one block. */
static void test_packed_text(void **state)
{
    (void)state;
    static const size_t blocks[] = {700, 32768};
    Arena *arena = arena_create();
    DiagLog log;
    const Bytes text = bytes_of(xfile_fixture_text);
    const PmxModel plain = load(text, arena, &log);
    for (size_t i = 0; i < 2; i++) {
        const PmxModel m = load(xfile_pack(text, "tzip", blocks[i], arena), arena, &log);
        assert_int_equal(m.vertex_count, plain.vertex_count);
        assert_memory_equal(m.vertices, plain.vertices, m.vertex_count * sizeof *m.vertices);
        assert_string_equal(m.materials[0].name, "red");
    }
    arena_destroy(arena);
}

/* More than one window of 32 KiB, so that references cross blocks. */
static void test_packed_window(void **state)
{
    (void)state;
    enum { VERTICES = 5000 };
    Arena *arena = arena_create();
    char *text = arena_alloc(arena, 64 * VERTICES), *at = text;
    DiagLog log;
    at += sprintf(at, HEADER "Mesh { %d;\n", VERTICES);
    for (int i = 0; i < VERTICES; i++)
        at += sprintf(at, "%d.500000;%d.000000;0.250000;,\n", i % 977, i % 31);
    at += sprintf(at, "1; 3; 0, 2500, 4999; }");
    const Bytes packed =
        xfile_pack((Bytes){(uint8_t *)text, (size_t)(at - text)}, "tzip", 32768, arena);
    assert_true((size_t)(at - text) > 3 * 32768 && packed.size < (size_t)(at - text) / 2);
    const PmxModel m = load(packed, arena, &log);
    expect_floats("vertex 2500", m.vertices[1].position,
                  (const float[]){(2500 % 977 + 0.5f) * 10, 2500 % 31 * 10, 2.5f}, 3);
    expect_floats("vertex 4999", m.vertices[2].position,
                  (const float[]){(4999 % 977 + 0.5f) * 10, 4999 % 31 * 10, 2.5f}, 3);
    arena_destroy(arena);
}

/* ---- variants written by exporters ---- */

#define TRIANGLE "3; 0;0;0;, 0;1;0;, 1;0;0;; 1; 3;0,1,2;;"
#define WHITE "Material { 1;1;1;1;; 0; 0;0;0;; 0;0;0;; }"

static void test_variants(void **state)
{
    (void)state;
    static const struct {
        const char *what, *body;
        uint32_t vertices, indices, materials;
        const char *expected; /* "" for nothing */
    } rows[] = {
        {"no mesh", "Header { 1; 0; 1; }", 0, 0, 0, "no mesh"},
        {"empty file", "", 0, 0, 0, "no mesh"},
        {"no separators", "Mesh{3 0 0 0 0 1 0 1 0 0 1 3 0 1 2}", 3, 3, 1, ""},
        {"type in capitals", "MESH { " TRIANGLE " }", 3, 3, 1, ""},
        {"CP932: second byte is a brace", "Frame \x83\x7B { Mesh { " TRIANGLE " } }", 3, 3, 1, ""},
        {"CP932: second byte is }", "Frame \x81\x7D { Mesh { " TRIANGLE " } }", 3, 3, 1, ""},
        {"CP932: last lead byte below", "Frame \x9F\x7B { Mesh { " TRIANGLE " } }", 3, 3, 1, ""},
        {"CP932: first lead byte above", "Frame \xE0\x7B { Mesh { " TRIANGLE " } }", 3, 3, 1, ""},
        {"CP932: last lead byte", "Frame \xFC\x7B { Mesh { " TRIANGLE " } }", 3, 3, 1, ""},
        {"CP932: half-width before a brace", "Frame \xB1{ Mesh { " TRIANGLE " } }", 3, 3, 1, ""},
        {"CP932: smallest second byte", "Frame \x83\x40 { Mesh { " TRIANGLE " } }", 3, 3, 1, ""},
        {"names like numbers", "Frame 01 { Mesh 2_b { " TRIANGLE " } }", 3, 3, 1, ""},
        {"a stray brace at the end", "Mesh { " TRIANGLE " } }", 3, 3, 1, ""},
        {"no blanks around braces", "Frame a{Mesh b{" TRIANGLE "}}", 3, 3, 1, ""},
        {"a number of 63 characters",
         "Mesh { 3; 0;0;0;, 0;1;0;, "
         "000000000000000000000000000000000000000000000000000000000000001;0;0;; 1; 3;0,1,2;; }",
         3, 3, 1, ""},
        {"two meshes", "Mesh { " TRIANGLE " } Mesh { " TRIANGLE " }", 6, 6, 2, ""},
        {"a polygon of 5", "Mesh { 5; 0;0;0;, 0;1;0;, 1;2;0;, 2;1;0;, 2;0;0;; 1; 5;0,1,2,3,4;; }",
         5, 9, 1, ""},
        {"points and lines", "Mesh { 2; 0;0;0;, 0;1;0;; 2; 1;0;, 2;0,1;; }", 0, 0, 1, "no mesh"},
        {"a face out of range", "Mesh { 3; 0;0;0;, 0;1;0;, 1;0;0;; 2; 3;0,1,3;, 3;0,1,2;; }", 3, 3,
         1, "1 faces of a mesh have a vertex out of range (0..2) and are ignored"},
        {"a negative corner", "Mesh { 3; 0;0;0;, 0;1;0;, 1;0;0;; 1; 3;0,-1,2;; }", 0, 0, 1,
         "out of range"},
        {"a material out of range", "Mesh { " TRIANGLE " MeshMaterialList { 1; 1; 7; " WHITE " } }",
         3, 3, 1, "1 faces of a mesh have a material out of range"},
        {"an unknown material", "Mesh { " TRIANGLE " MeshMaterialList { 1; 1; 0; {blue} } }", 3, 3,
         1, "unknown material 'blue'"},
        {"normals of another mesh",
         "Mesh { " TRIANGLE " MeshNormals { 1; 0;1;0;; 2; 3;0,0,0;, 3;0,0,0;; } }", 3, 3, 1,
         "do not match"},
        {"a normal out of range", "Mesh { " TRIANGLE " MeshNormals { 1; 0;1;0;; 1; 3;0,0,1;; } }",
         3, 3, 1, "do not match"},
        {"a number that is none", "Mesh { 3; 0;-1.#IND00;0;, 0;1;0;, 1;0;0;; 1; 3;0,1,2;; }", 3, 3,
         1, "not finite"},
        {"a frame that refers", "Frame { { other } Mesh { " TRIANGLE " } }", 3, 3, 1,
         "reference of a frame to 'other' is ignored"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        DiagLog log;
        const PmxModel m =
            load(bytes_of(arena_printf(arena, HEADER "%s", rows[i].body)), arena, &log);
        if (m.vertex_count != rows[i].vertices || m.index_count != rows[i].indices ||
            m.material_count != rows[i].materials)
            fail_msg("%s: %u vertices, %u indices, %u materials", rows[i].what, m.vertex_count,
                     m.index_count, m.material_count);
        if (rows[i].expected[0] ? !strstr(log.text, rows[i].expected) : log.text[0])
            fail_msg("%s: reported '%s'", rows[i].what, log.text);
        arena_destroy(arena);
    }
}

/* A material may be defined anywhere; of two with one name the first is used. */
/* Only TextureFilename names a texture. */
static void test_other_members_of_a_material(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    DiagLog log;
    const PmxModel m = load(bytes_of(HEADER "Mesh { " TRIANGLE " MeshMaterialList { 1; 1; 0; "
                                            "Material { 1;1;1;1;; 0; 0;0;0;; 0;0;0;; "
                                            "EffectFile { \"a.fx\"; } } } }"),
                            arena, &log);
    assert_int_equal(m.material_count, 1);
    assert_int_equal(m.materials[0].texture, PMX_NONE);
    arena_destroy(arena);
}

static void test_material_defined_later(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    DiagLog log;
    const PmxModel m =
        load(bytes_of(HEADER "Mesh { " TRIANGLE " MeshMaterialList { 1; 1; 0; { a } } }"
                             "Material a { 0.25;0;0;1;; 0; 0;0;0;; 0;0;0;; }"
                             "Material a { 0.75;0;0;1;; 0; 0;0;0;; 0;0;0;; }"),
             arena, &log);
    expect_floats("diffuse", m.materials[0].diffuse, (const float[]){0.25f, 0, 0, 1}, 4);
    arena_destroy(arena);
}

/* A single list entry applies to all faces. */
static void test_one_material_index(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    DiagLog log;
    const PmxModel m =
        load(bytes_of(HEADER "Mesh { 3; 0;0;0;, 0;1;0;, 1;0;0;; 2; 3;0,1,2;, 3;2,1,0;;"
                             "MeshMaterialList { 2; 1; 1; " WHITE WHITE " } }"),
             arena, &log);
    assert_int_equal(m.materials[0].index_count, 0);
    assert_int_equal(m.materials[1].index_count, 6);
    arena_destroy(arena);
}

/* A reflection keeps a normal perpendicular to its face: (0, 0.6, -0.8) with z negated. */
static void test_reflection(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    DiagLog log;
    const PmxModel m = load(
        bytes_of(HEADER "Frame { Mesh { " TRIANGLE "MeshNormals { 1; 0;0.6;-0.8;; 1; 3;0,0,0;; } }"
                        "FrameTransformMatrix { 1,0,0,0, 0,1,0,0, 0,0,-1,0, 0,0,0,1;; } }"),
        arena, &log);
    expect_floats("normal", m.vertices[0].normal, (const float[]){0, 0.6f, 0.8f}, 3);
    arena_destroy(arena);
}

/* Rows (1, 2, 0), (0, 1, 3), (4, 0, 1): determinant 25, cofactors (1, 12, -4), (-2, 1, 8),
 * (6, -3, 1); the negated matrix has the same cofactors and determinant -25. */
static void test_normals_of_a_general_matrix(void **state)
{
    (void)state;
    static const char *const matrices[] = {"1,2,0,0, 0,1,3,0, 4,0,1,0, 0,0,0,1",
                                           "-1,-2,0,0, 0,-1,-3,0, -4,0,-1,0, 0,0,0,1"};
    static const float cofactors[3][3] = {{1, 12, -4}, {-2, 1, 8}, {6, -3, 1}};
    for (int negated = 0; negated < 2; negated++) {
        Arena *arena = arena_create();
        DiagLog log;
        const PmxModel m = load(
            bytes_of(arena_printf(arena,
                                  HEADER "Frame { FrameTransformMatrix { %s;; } Mesh { " TRIANGLE
                                         "MeshNormals { 3; 1;0;0;, 0;1;0;, 0;0;1;; 1; 3;0,1,2;; } "
                                         "} }",
                                  matrices[negated])),
            arena, &log);
        for (int i = 0; i < 3; i++) {
            const float *c = cofactors[i];
            const float length =
                (negated ? -1.0f : 1.0f) * sqrtf(c[0] * c[0] + c[1] * c[1] + c[2] * c[2]);
            expect_floats("normal", m.vertices[i].normal,
                          (const float[]){c[0] / length, c[1] / length, c[2] / length}, 3);
        }
        assert_true(m.materials[0].edge_size == 1);
        expect_floats("edge", m.materials[0].edge_color, (const float[]){0, 0, 0, 1}, 4);
        arena_destroy(arena);
    }
}

/* The matrix of a frame moves the meshes of the frame and of frames in it, wherever it stands. */
static void test_matrices_of_frames(void **state)
{
    (void)state;
#define MOVE(x, y, z) "FrameTransformMatrix { 1,0,0,0, 0,1,0,0, 0,0,1,0, " x "," y "," z ",1;; }"
#define AT(x) "Mesh { 3; " x ";0;0;, " x ";1;0;, " x ";0;1;; 1; 3;0,1,2;; }"
    static const char text[] = HEADER AT("1") "Frame { " MOVE("0.5", "0", "0")
        AT("2") " }"
                "Frame { " AT("3") "Frame { " AT("4") MOVE("0", "2", "0") " } " AT("5")
                    MOVE("0", "0", "4") "} " AT("6");
    static const float expected[][3] = {{10, 0, 0},   {25, 0, 0},  {30, 0, 40},
                                        {40, 20, 40}, {50, 0, 40}, {60, 0, 0}};
    Arena *arena = arena_create();
    DiagLog log;
    const PmxModel m = load(bytes_of(text), arena, &log);
    assert_string_equal(log.text, "");
    assert_int_equal(m.vertex_count, 18);
    for (int mesh = 0; mesh < 6; mesh++) {
        bool found = false;
        for (int i = 0; i < 18; i++)
            found |= !memcmp(m.vertices[i].position, expected[mesh], sizeof expected[mesh]);
        if (!found)
            fail_msg("no vertex at %g %g %g", (double)expected[mesh][0], (double)expected[mesh][1],
                     (double)expected[mesh][2]);
    }
    arena_destroy(arena);
}

/* Words that begin like a number but are none: NaN after a sign or a point, or with '#'. */
static void test_words_like_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *word;
        bool number;
    } rows[] = {{"1e0", true},     {"-.5", true},  {"+2", true},  {"1.#INF", true},
                {"-1.#IND", true}, {"-nan", true}, {".x", true},  {"+x", true},
                {"1x", false},     {"x", false},   {"0#0", true}, {"2-", false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        DiagLog log;
        PmxModel m;
        diag_log_init(&log);
        const char *text = arena_printf(
            arena, HEADER "Mesh { 3; 0;%s;0;, 0;1;0;, 1;0;0;; 1; 3;0,1,2;; }", rows[i].word);
        if (xfile_load(&m, bytes_of(text), arena, &log.diag) != rows[i].number)
            fail_msg("%s: %s", rows[i].word, log.text);
        arena_destroy(arena);
    }
}

/* (1, 2, 4) x (4, 1, 1) = (-2, 15, -7), of length sqrt(278). */
static void test_computed_normal(void **state)
{
    (void)state;
    static const float expected[] = {-2, 15, -7};
    Arena *arena = arena_create();
    DiagLog log;
    PmxModel m;
    diag_log_init(&log);
    const char *text = HEADER "Mesh { 3; 1;2;3;, 2;4;7;, 5;3;4;; 1; 3;0,1,2;; }";
    assert_true(xfile_load(&m, bytes_of(text), arena, &log.diag));
    assert_int_equal(m.vertex_count, 3);
    for (int i = 0; i < 9; i++)
        assert_float_equal(m.vertices[i / 3].normal[i % 3], expected[i % 3] / sqrtf(278), 1e-6f);
    arena_destroy(arena);
}

static void test_utf8_names(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    DiagLog log;
    const PmxModel m = load(bytes_of(HEADER "Mesh { " TRIANGLE
                                            " MeshMaterialList { 1; 1; 0; Material あ{ 1;1;1;1;; 0;"
                                            " 0;0;0;; 0;0;0;; TextureFilename{\"表.png\";} } } }"),
                            arena, &log);
    assert_string_equal(m.materials[0].name, "あ");
    assert_string_equal(m.textures[0], "表.png");
    arena_destroy(arena);
}

/* ---- refused ---- */

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text, *expected;
    } rows[] = {
        {"not such a file", "PMX ", "does not start with 'xof '"},
        {"truncated header", "xof 0303txt", "inside its header"},
        {"unknown format", "xof 0303com 0032", "unknown DirectX format"},
        {"truncated mesh", HEADER "Mesh { 3; 0.0;0.0;0.0;, 0.0;1",
         "x.x:2:30: file ends inside a block"},
        {"truncated frame", HEADER "Frame a {\n", "x.x:3:1: file ends inside a block"},
        {"truncated unknown block", HEADER "Foo { { }", "file ends inside a block"},
        {"too many vertices", HEADER "Mesh { 1000000; 0;0;0; }",
         "x.x:2:8: number of vertices 1000000 out of range (0..2)"},
        {"error in the first line", "xof 0303txt 0032Mesh { 1; 0;zero;0; }",
         "x.x:1:29: expected a number"},
        /* A number needs a digit and a separator; "; }" leaves 1 + 4 / 2, "; } " 1 + 5 / 2. */
        {"most faces, odd", HEADER "Mesh { 0; 99; }", "number of faces 99 out of range (0..3)"},
        {"most faces, even", HEADER "Mesh { 0; 99; } ", "number of faces 99 out of range (0..3)"},
        {"most corners", HEADER "Mesh { 0; 1; 99; } ", "a face 99 out of range (0..3)"},
        {"most coordinates", HEADER "Mesh { 0; 0; MeshTextureCoords { 99; }    ",
         "number of texture coordinates 99 out of range (0..2)"},
        {"most slots", HEADER "Mesh { 0; 0; MeshMaterialList { 1; 99; } ",
         "number of faces with a material 99 out of range (0..3)"},
        {"most normals", HEADER "Mesh { 0; 0; MeshNormals { 99; }         ",
         "number of normals 99 out of range (0..2)"},
        {"too many faces", HEADER "Mesh { 1; 0;0;0; 99; }", "number of faces 99 out of range"},
        {"a polygon of -1", HEADER "Mesh { 1; 0;0;0; 1; -1; }",
         "number of corners of a face -1 out of range"},
        {"a name among numbers", HEADER "Mesh { 1; 0;zero;0;\n\n\n}",
         "x.x:2:13: expected a number"},
        {"no brace", HEADER "Mesh ; ; \"a\"", "expected '{'"},
        {"incomplete material", HEADER "Material a { 1;1;1; }", "expected a number"},
        {"incomplete matrix", HEADER "Frame { FrameTransformMatrix { 1,0,0 } }",
         "expected a number"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        DiagLog log;
        PmxModel m;
        diag_log_init(&log);
        diag_file(&log.diag, "x.x");
        if (xfile_load(&m, bytes_of(rows[i].text), arena, &log.diag) ||
            !strstr(log.text, rows[i].expected))
            fail_msg("%s: reported '%s', expected '%s'", rows[i].what, log.text, rows[i].expected);
        arena_destroy(arena);
    }
}

static void expect_refused(const char *what, Bytes bytes, const char *expected)
{
    Arena *arena = arena_create();
    DiagLog log;
    PmxModel m;
    diag_log_init(&log);
    diag_file(&log.diag, "x.x");
    if (xfile_load(&m, bytes, arena, &log.diag) || !strstr(log.text, expected))
        fail_msg("%s: reported '%s', expected '%s'", what, log.text, expected);
    arena_destroy(arena);
}

static void test_refused_binary(void **state)
{
    (void)state;
    static ByteList b;
    static const uint16_t unknown[] = {0, 53, 999}; /* 52 is the last of the specification */
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        b.size = 0;
        xfile_header(&b, "bin ", false);
        bytes_u16(&b, unknown[i]);
        expect_refused("unknown code", (Bytes){b.data, b.size}, "unknown token code");
    }
    b.size = 0;
    xfile_header(&b, "bin ", false);
    xfile_open(&b, "Mesh");
    xfile_integers(&b, (const uint32_t[]){0x10000000}, 1);
    expect_refused("too many vertices", (Bytes){b.data, b.size},
                   "number of vertices 268435456 out of range (0..0)");

    b.size = 0;
    xfile_header(&b, "bin ", false);
    bytes_u16(&b, 1);
    bytes_u32(&b, UINT32_MAX);
    expect_refused("a name beyond the end", (Bytes){b.data, b.size}, "ends inside a block");
}

static void test_refused_packed(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const Bytes good = xfile_pack(bytes_of(xfile_fixture_text), "tzip", 700, arena);
    uint8_t *bad = arena_copy(arena, good.data, good.size);

    expect_refused("last block cut", (Bytes){bad, good.size - 1}, "compressed block");
    expect_refused("no block", (Bytes){bad, 20}, "inflated size 1159 does not fit 4 bytes");
    bad[24] = 'X';
    expect_refused("no CK", (Bytes){bad, good.size}, "compressed block 0");
    bad[24] = 'C';
    bad[19] = 0x40; /* declares 1 GiB */
    expect_refused("a decompression bomb", (Bytes){bad, good.size},
                   "does not fit 580 bytes of compressed data");
    arena_destroy(arena);
}

static char *nested_frames(unsigned depth, Arena *arena)
{
    char *text = arena_alloc(arena, 64 + 8 * (size_t)depth), *at = text;
    at += sprintf(at, HEADER);
    for (unsigned i = 0; i < depth; i++)
        at += sprintf(at, "Frame{");
    for (unsigned i = 0; i < depth; i++)
        *at++ = '}';
    return text;
}

static void test_depth(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    DiagLog log;
    load(bytes_of(nested_frames(XFILE_MAX_DEPTH, arena)), arena, &log);
    expect_refused("one too deep", bytes_of(nested_frames(XFILE_MAX_DEPTH + 1, arena)), "too deep");
    expect_refused("a million deep", bytes_of(nested_frames(1000000, arena)), "too deep");
    arena_destroy(arena);
}

/* Files with large ratios: memory stays within the multiple stated in xfile.c. */
static void test_memory(void **state)
{
    (void)state;
    enum { TIMES = 20000, MOST_PER_BYTE = 64, MOST_MORE = 256 * 1024 };
    static const struct {
        const char *what, *before, *again, *after;
    } rows[] = {
        {"references",
         "Material a{1 1 1 1 0 0 0 0 0 0 0 TextureFilename{\"b*c.spa\"}}"
         "Mesh{3 0 0 0 0 0 0 0 0 0 1 3 0 1 2 MeshMaterialList{1 1 0 ",
         "{a}", "}}"},
        {"references to nothing", "Mesh{0 0 MeshMaterialList{0 0 ", "{a}", "}}"},
        {"empty meshes", "", "Mesh{0 0}", ""},
        {"materials", "", "Material{1 1 1 1 0 0 0 0 0 0 0 TextureFilename{\"b\"}}", ""},
        {"one great polygon", "Mesh{3 0 0 0 0 1 0 1 0 0 1 20000 ", "0 ", "}"},
        {"small meshes", "", "Mesh{1 0 0 0 1 3 0 0 0}", ""},
        {"references of a frame", "Frame{", "{a}", "}"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *text_arena = arena_create(), *arena = arena_create();
        char *text = arena_alloc(text_arena, 256 + TIMES * strlen(rows[i].again)), *at = text;
        DiagLog log;
        at += sprintf(at, HEADER "%s", rows[i].before);
        for (int k = 0; k < TIMES; k++)
            at += sprintf(at, "%s", rows[i].again);
        at += sprintf(at, "%s", rows[i].after);
        load(bytes_of(text), arena, &log);
        if (arena_bytes(arena) > (size_t)MOST_PER_BYTE * (size_t)(at - text) + MOST_MORE)
            fail_msg("%s: %zu bytes of memory for %zu", rows[i].what, arena_bytes(arena),
                     (size_t)(at - text));
        arena_destroy(arena);
        arena_destroy(text_arena);
    }
}

/* ---- a published file ---- */

static void test_real_quad(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    DiagLog log;
    Bytes bytes;
    if (!shared_data_load(&bytes, "yohawing-fixtures/accessory/test_quad_accessory.x", arena)) {
        arena_destroy(arena);
        skip();
    }
    const PmxModel m = load(bytes, arena, &log);
    assert_string_equal(log.text, "");
    assert_int_equal(m.vertex_count, 4);
    expect_floats("corner", m.vertices[2].position, (const float[]){10, 10, 0}, 3);
    expect_floats("normal", m.vertices[2].normal, (const float[]){0, 0, 1}, 3);
    expect_indices(&m, (const uint32_t[]){0, 1, 2, 0, 2, 3}, 6);
    expect_floats("diffuse", m.materials[0].diffuse, (const float[]){0.8f, 0.8f, 0.8f, 1}, 4);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matrices_of_frames),
        cmocka_unit_test(test_words_like_numbers),
        cmocka_unit_test(test_computed_normal),
        cmocka_unit_test(test_normals_of_a_general_matrix),
        cmocka_unit_test(test_text_vertices),
        cmocka_unit_test(test_text_materials),
        cmocka_unit_test(test_binary),
        cmocka_unit_test(test_packed_text),
        cmocka_unit_test(test_packed_window),
        cmocka_unit_test(test_variants),
        cmocka_unit_test(test_other_members_of_a_material),
        cmocka_unit_test(test_material_defined_later),
        cmocka_unit_test(test_one_material_index),
        cmocka_unit_test(test_reflection),
        cmocka_unit_test(test_utf8_names),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_refused_binary),
        cmocka_unit_test(test_refused_packed),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_real_quad),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
