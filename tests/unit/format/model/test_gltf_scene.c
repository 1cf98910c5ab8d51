// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "asset_check.h"
#include "base/text_stream.h"
#include "diag_log.h"
#include "format/gltf/gltf_read.h"
#include "format/model/gltf_scene.h"
#include "gltf_fixture.h"
#include "unit_test.h"

static bool load(PmxModel *model, const char *from, const char *to, Arena *arena, DiagLog *log)
{
    diag_log_init(log);
    return gltf_scene_load(model, gltf_fixture(from, to, arena), &(SideFiles){0}, arena,
                           &log->diag);
}

static void expect3(const char *what, const float got[3], float x, float y, float z)
{
    const float expected[3] = {x, y, z};
    for (int k = 0; k < 3; k++)
        if (fabsf(got[k] - expected[k]) > 1e-4f)
            fail_msg("%s: %g %g %g, not %g %g %g", what, (double)got[0], (double)got[1],
                     (double)got[2], (double)x, (double)y, (double)z);
}

/* Worked by hand: 12.5 units in a metre, z mirrored, so the corners of a triangle change sides
 * unless its node mirrors it, too. */
static void test_places(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    PmxModel m;
    DiagLog log;
    assert_true(load(&m, NULL, NULL, arena, &log));
    assert_true(pmx_check(&m, &log.diag) && m.accessory);
    assert_int_equal(m.vertex_count, 9);
    assert_int_equal(m.index_count, 9);
    static const uint32_t indices[] = {0, 2, 1, 3, 4, 5, 6, 8, 7};
    assert_memory_equal(m.indices, indices, sizeof indices);
    expect3("vertex 1", m.vertices[1].position, 25, 25, -37.5f);
    expect3("its normal", m.vertices[1].normal, 0, 0, -1);
    expect3("vertex 4", m.vertices[4].position, 25, 25, -37.5f);
    expect3("the mirrored normal", m.vertices[4].normal, 0, 0, 1);
    expect3("a skinned vertex", m.vertices[6].position, 0, 12.5f, 12.5f);
    expect3("a normal of a face", m.vertices[6].normal, 0, 0, -1);
    expect3("a color", m.extra_uv[0][6], 0, 0, 0);
    expect3("a sparse color", m.extra_uv[0][8], 0, 0, 0);
    expect3("the sparse color", m.extra_uv[0][7], 1, 1, 1);
    assert_true(fabsf(m.vertices[1].uv[0] - 0.5f) < 1e-6f &&
                fabsf(m.vertices[1].uv[1] + 2) < 1e-6f);
    assert_true(fabsf(m.vertices[2].uv[0] - 1.5f) < 1e-6f && fabsf(m.vertices[2].uv[1]) < 1e-6f);
    assert_string_equal(m.ignored, "1 normal map, 1 camera, 2 point or line primitives");
    arena_destroy(arena);
}

static void test_materials(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    PmxModel m;
    DiagLog log;
    assert_true(load(&m, NULL, NULL, arena, &log));
    assert_int_equal(m.material_count, 2);
    const PmxMaterial *wall = &m.materials[0], *glass = &m.materials[1];
    assert_string_equal(wall->name, "wall");
    /* By hand: 0.735357 is 0.5 as stored.  In the light of 154 / 255 it appears as 0.6 of that
     * without light and as itself where it faces it, which adds the diffuse light once more. */
    const float dark = 154.0f / 255 * wall->diffuse[1] + wall->ambient[1];
    assert_float_equal(dark, 0.6f * 0.735357f, 1e-5f);
    assert_float_equal(dark + 154.0f / 255 * wall->diffuse[1], 0.735357f, 1e-5f);
    assert_true(wall->diffuse[2] == 0 && wall->ambient[2] == 0);
    assert_true(wall->diffuse[3] == 1 && glass->diffuse[3] == 0.25f);
    assert_int_equal(wall->flags, PMX_DOUBLE_SIDED | PMX_RECEIVE_SHADOW);
    assert_int_equal(glass->flags, PMX_VERTEX_COLOR | PMX_RECEIVE_SHADOW);
    expect3("an unlit color", glass->ambient, 1, 1, 1);
    expect3("an unlit diffuse color", glass->diffuse, 0, 0, 0);
    assert_int_equal(m.texture_count, 1);
    assert_int_equal(m.texture_sources[0].alpha, PMX_ALPHA_OPAQUE);
    assert_int_equal(m.texture_sources[0].embedded.size, 4);
    assert_memory_equal(m.texture_sources[0].embedded.data, "\x89PNG", 4);
    assert_true(load(&m, "\"doubleSided\":true", "\"alphaMode\":\"MASK\",\"alphaCutoff\":0.25",
                     arena, &log));
    assert_int_equal(m.texture_sources[0].alpha, PMX_ALPHA_MASK);
    assert_true(m.texture_sources[0].cutoff == 0.5f && m.materials[0].diffuse[3] == 1);
    arena_destroy(arena);
}

typedef struct Side {
    const char *name;
    Bytes bytes;
} Side;

static bool give(void *user, Bytes *bytes, const char *name, bool optional, Arena *arena,
                 Diag *diag)
{
    const Side *side = user;
    (void)arena;
    assert_false(optional);
    *bytes = side->bytes;
    return !strcmp(name, side->name) || diag_error(diag, "asked for '%s'", name);
}

/* A .gltf, whose buffer is another file or a "data:" URI. */
static void test_text(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    PmxModel m;
    DiagLog log;
    diag_log_init(&log);
    Side side = {"a b.bin", gltf_fixture_data(arena)};
    const char *json =
        gltf_fixture_json("\"byteLength\":248", "\"byteLength\":248,\"uri\":\"a%20b.bin\"", arena);
    assert_true(gltf_scene_load(&m, (Bytes){(const uint8_t *)json, strlen(json)},
                                &(SideFiles){give, &side}, arena, &log.diag));
    expect3("vertex 1", m.vertices[1].position, 25, 25, -37.5f);
    assert_false(gltf_scene_load(&m, (Bytes){(const uint8_t *)json, strlen(json)}, &(SideFiles){0},
                                 arena, &log.diag));
    static const struct {
        const char *uri, *expected; /* NULL: refused */
    } rows[] = {{"data:;base64,TWFu", "Man"},  {"data:a/b;base64,TWE=", "Ma"},
                {"data:a/b;base64,TQ==", "M"}, {"data:;base64,", ""},
                {"data:;base64,T%FF", NULL},   {"data:,TWFu", NULL},
                {"other:;base64,TWFu", NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Bytes bytes;
        const bool good = gltf_uri_data(&bytes, rows[i].uri, arena);
        if (good != !!rows[i].expected ||
            (good && (bytes.size != strlen(rows[i].expected) ||
                      memcmp(bytes.data, rows[i].expected, bytes.size) != 0)))
            fail_msg("%s", rows[i].uri);
    }
    arena_destroy(arena);
}

static void test_errors(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to, *message;
    } rows[] = {
        {"\"asset\"", "\"extensionsRequired\":[\"KHR_texture_basisu\"],\"asset\"",
         "needs the extension 'KHR_texture_basisu', which is not supported: export it with PNG"},
        {"\"asset\"", "\"extensionsRequired\":[\"ACME_gizmo\"],\"asset\"",
         "needs the extension 'ACME_gizmo', which is not supported\n"},
        {"\"version\":\"2.0\"", "\"version\":\"1.0\"", "the file is glTF 1.0"},
        {"{\"source\":0}", "{\"extensions\":{\"KHR_texture_basisu\":{\"source\":0}}}", "KTX2"},
        {"{\"source\":0}", "{\"source\":3}", "texture 0 or its image does not exist"},
        {"\"mesh\":1", "\"mesh\":7", "mesh 7 does not exist"},
        {"\"skin\":0", "\"skin\":1", "skin 1 does not exist"},
        {"\"joints\":[3]", "\"joints\":[9]", "joint 0 does not exist"},
        {"\"joints\":[3]", "\"joints\":[3,3]", "fewer matrices than joints"},
        {"\"indices\":3", "\"indices\":8", "accessor 8 does not exist"},
        {"{\"bufferView\":3", "{\"bufferView\":5", "index 1 of a mesh is out of range"},
        {"\"NORMAL\":1", "\"NORMAL\":2", "accessor 2 does not exist, or has another type"},
        {"\"NORMAL\":1", "\"NORMAL\":7", "another type"},
        {"\"JOINTS_0\":4", "\"JOINTS_0\":7", "another type"},
        {"\"byteLength\":248", "\"byteLength\":249",
         "byteLength 249 is more than its data (0..248 bytes)"},
        {"\"byteLength\":248", "\"byteLength\":248,\"uri\":\"a.bin\"", "no data that can be read"},
        {"\"byteOffset\":180", "\"byteOffset\":190", "exceeds its buffer"},
        {"\"sparse\":{\"count\":1", "\"sparse\":{\"count\":4", "more sparse values than places"},
        {"\"byteLength\":16}", "\"byteLength\":8}", "exceeds its buffer view"},
        {"\"children\":[1]", "\"children\":[1,1]", "two parents"},
        {"[0,1,0]}", "[0,1e7,0]}", "node 3: a value is out of range"},
        {"\"count\":3,\"type\":\"VEC3\"}", "\"count\":2000000000,\"type\":\"VEC3\"}",
         "more numbers than the file has bytes"},
        {"\"count\":3,\"type\":\"VEC3\",\"sparse\"",
         "\"count\":2000000,\"type\":\"VEC3\",\"sparse\"",
         "has 2000000 values without data, in a file of "},
        {"{\"asset\"", "[\"asset\"", "JSON"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        PmxModel m;
        DiagLog log;
        if (load(&m, rows[i].from, rows[i].to, arena, &log) || !strstr(log.text, rows[i].message))
            fail_msg("%s: %s", rows[i].to, log.text);
        arena_destroy(arena);
    }
}

/* A node of 3 bytes takes some hundred. */
static void test_many_nodes(void **state)
{
    (void)state;
    enum { MANY = (1 << 18) + 1 };
    Arena *arena = arena_create();
    char *json = arena_alloc(arena, (size_t)MANY * 3 + 16), *end = stpcpy(json, "{\"nodes\":[");
    PmxModel m;
    DiagLog log;
    for (int i = 1; i < MANY; i++)
        end = stpcpy(end, "{},");
    end = stpcpy(end, "{}]}");
    diag_log_init(&log);
    assert_false(gltf_scene_load(&m, (Bytes){(const uint8_t *)json, (size_t)(end - json)},
                                 &(SideFiles){0}, arena, &log.diag));
    assert_non_null(strstr(log.text, "262145 nodes (at most 262144)"));
    arena_destroy(arena);
}

/* The first node shows the targets of its mesh as it says, the others as the mesh does. */
static void test_morphs(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    PmxModel m;
    DiagLog log;
    assert_true(load(&m, "\"mode\":1}]}", "\"mode\":1}],\"weights\":[0.5,0]}", arena, &log));
    expect3("without targets", m.vertices[1].position, 25, 25, -37.5f);
    assert_true(load(&m,
                     "\"indices\":3,\"material\":0},{\"attributes\":{\"POSITION\":0},\"mode\":1}]}",
                     "\"indices\":3,\"material\":0,\"targets\":[{\"NORMAL\":1},{\"POSITION\":0,"
                     "\"NORMAL\":0}]}],\"weights\":[0,0.5]}",
                     arena, &log));
    expect3("half of a target", m.vertices[1].position, 31.25f, 25, -37.5f);
    expect3("its normal", m.vertices[1].normal, 0.447214f, 0, -0.894427f);
    expect3("in another node", m.vertices[3 + 2].position, 12.5f, 43.75f, -37.5f);
    arena_destroy(arena);
}

/* Emission and occlusion have their own sets of coordinates and transforms.  By hand: a turn of 90
 * degrees takes (u, v) to (v, -u). */
static void test_maps(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    PmxModel m;
    DiagLog log;
    assert_true(load(&m, NULL, NULL, arena, &log));
    assert_true(!m.map_uv && !m.materials[0].maps.used);
    assert_true(
        load(&m, "\"doubleSided\":true,",
             "\"emissiveFactor\":[1,0.5,0],\"emissiveTexture\":{\"index\":0,\"texCoord\":2,"
             "\"extensions\":{\"KHR_texture_transform\":{\"texCoord\":0,\"offset\":[0.25,0],"
             "\"scale\":[3,1],\"rotation\":1.5707963267948966}}},"
             "\"occlusionTexture\":{\"index\":0,\"strength\":0.75},"
             "\"extensions\":{\"KHR_materials_emissive_strength\":{\"emissiveStrength\":4}},",
             arena, &log));
    const PmxLightMaps *maps = &m.materials[0].maps;
    assert_true(pmx_check(&m, &log.diag) && maps->used && maps->occlusion == 0.75f);
    expect3("emission", maps->emission, 4, 2, 0);
    assert_true(maps->textures[PMX_MAP_EMISSION] >= 0 &&
                maps->textures[PMX_MAP_EMISSION] == maps->textures[PMX_MAP_OCCLUSION]);
    assert_true(!m.materials[1].maps.used);              /* unlit */
    const float *uv = m.map_uv[1], *other = m.map_uv[2]; /* (1, 0) and (0, 1) */
    assert_true(fabsf(uv[0] - 0.25f) < 1e-6f && fabsf(uv[1] + 3) < 1e-6f);
    assert_true(fabsf(other[0] - 1.25f) < 1e-6f && fabsf(other[1]) < 1e-6f);
    assert_true(uv[2] == 1 && uv[3] == 0 && other[2] == 0 && other[3] == 1);
    assert_true(m.map_uv[6][0] == 0); /* of a material without maps */
    assert_null(strstr(m.ignored, "occlusion"));
    assert_null(strstr(m.ignored, "emission"));
    /* Maps that change nothing are not read. */
    assert_true(load(&m, "\"doubleSided\":true,",
                     "\"emissiveTexture\":{\"index\":0},\"occlusionTexture\":{\"index\":0,"
                     "\"strength\":0},",
                     arena, &log));
    assert_false(m.materials[0].maps.used);
    assert_false(
        load(&m, "\"doubleSided\":true,", "\"occlusionTexture\":{\"index\":5},", arena, &log));
    assert_non_null(strstr(log.text, "texture 5 or its image does not exist"));
    arena_destroy(arena);
}

static void test_wraps(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    PmxModel m;
    DiagLog log;
    assert_true(load(&m, "{\"source\":0}]",
                     "{\"source\":0,\"sampler\":1}],\"samplers\":[{},{\"wrapS\":33071,"
                     "\"wrapT\":33648}]",
                     arena, &log));
    assert_int_equal(m.texture_sources[0].wrap[0], PMX_CLAMP);
    assert_int_equal(m.texture_sources[0].wrap[1], PMX_MIRROR);
    assert_true(load(&m, "{\"source\":0}]",
                     "{\"source\":0,\"sampler\":0}],\"samplers\":[{},{\"wrapS\":33071}]", arena,
                     &log));
    assert_true(!m.texture_sources[0].wrap[0] && !m.texture_sources[0].wrap[1]);
    arena_destroy(arena);
}

/* By hand: of light that half of a surface lets pass, a fifth is scattered, and a tenth reflected:
 * 1 - 0.9 * 0.5 * 0.8. */
static void test_transmission(void **state)
{
    (void)state;
    static const struct {
        const char *pbr;
        float alpha;
    } rows[] = {{"\"roughnessFactor\":0.2,", 0.64f},
                {"", 1}, /* the default is rough */
                {"\"roughnessFactor\":0,", 0.55f},
                {"\"roughnessFactor\":1,\"metallicRoughnessTexture\":{\"index\":0},", 0.775f}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        PmxModel m;
        DiagLog log;
        const char *from = "\"doubleSided\":true,\"pbrMetallicRoughness\":{";
        assert_true(load(&m, from,
                         arena_printf(arena,
                                      "\"extensions\":{\"KHR_materials_transmission\":{"
                                      "\"transmissionFactor\":0.5,\"transmissionTexture\":{}}},"
                                      "\"pbrMetallicRoughness\":{%s",
                                      rows[i].pbr),
                         arena, &log));
        assert_float_equal(m.materials[0].diffuse[3], rows[i].alpha, 1e-6f);
        assert_non_null(strstr(m.ignored, "1 transmission map"));
        arena_destroy(arena);
    }
}

/* The alpha of a color counts as that of the material does. */
static void test_alpha_of_colors(void **state)
{
    (void)state;
    static const char *const modes[] = {"BLEND", "OPAQUE", "MASK"};
    static const float expected[] = {0.5f, 1, 1}, black[] = {0, 1, 0};
    for (size_t i = 0; i < 3; i++) {
        Arena *arena = arena_create();
        PmxModel m;
        DiagLog log;
        /* Colors of four components: joints 0 0 0 0, then (0.5, 0.5, 0.5, 0.5) in bytes. */
        char *json =
            arena_strdup(arena, gltf_fixture_json("\"COLOR_0\":6", "\"COLOR_0\":4", arena));
        char *mode = strstr(json, "\"alphaMode\":\"BLEND\"");
        assert_non_null(mode);
        const char *text = arena_printf(arena, "%.*s\"alphaMode\":\"%s\"%s", (int)(mode - json),
                                        json, modes[i], mode + strlen("\"alphaMode\":\"BLEND\""));
        Bytes data = gltf_fixture_data(arena);
        uint8_t *bytes = arena_copy(arena, data.data, data.size);
        memset(bytes + 104 + 4, 128, 4);
        char *whole = arena_strdup(arena, text);
        char *type = strstr(whole, "\"componentType\":5121");
        assert_non_null(type);
        char *normalized =
            arena_printf(arena, "%.*s\"normalized\":true,%s", (int)(type - whole), whole, type);
        char *factor = strstr(normalized, "[1,1,1,0.25]"); /* which a mask of 0.5 would hide */
        assert_non_null(factor);
        memcpy(factor, "[1,1,1,1.00]", 12);
        diag_log_init(&log);
        assert_true(gltf_scene_load(&m,
                                    gltf_fixture_pack(normalized, (Bytes){bytes, data.size}, arena),
                                    &(SideFiles){0}, arena, &log.diag));
        assert_float_equal(m.extra_uv[0][7][3], expected[i], 0.01f);
        assert_float_equal(m.extra_uv[0][6][3], black[i], 0);
        arena_destroy(arena);
    }
}

/* EXT_mesh_gpu_instancing is the same as nodes below the one that has it. */
static void test_instances(void **state)
{
    (void)state;
    static const struct {
        const char *attributes, *nodes;
    } rows[] = {{"\"TRANSLATION\":0",
                 "{\"mesh\":0,\"translation\":[0,0,0]},{\"mesh\":0,\"translation\":[1,0,0]},"
                 "{\"mesh\":0,\"translation\":[0,1,0]}"},
                {"\"TRANSLATION\":0,\"ROTATION\":5,\"SCALE\":6",
                 "{\"mesh\":0,\"rotation\":[1,0,0,0],\"scale\":[0,0,0]},"
                 "{\"mesh\":0,\"rotation\":[1,0,0,0],\"scale\":[1,1,1],\"translation\":[1,0,0]},"
                 "{\"mesh\":0,\"rotation\":[1,0,0,0],\"scale\":[0,0,0],\"translation\":[0,1,0]}"}};
    static const char from[] = "{\"mesh\":0,\"translation\":[1,2,3],\"children\":[1]},";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        PmxModel m, n;
        DiagLog log;
        assert_true(load(&m, from,
                         arena_printf(arena,
                                      "{\"mesh\":0,\"translation\":[1,2,3],\"children\":[1],"
                                      "\"extensions\":{\"EXT_mesh_gpu_instancing\":{"
                                      "\"attributes\":{%s}}}},",
                                      rows[i].attributes),
                         arena, &log));
        /* Nodes 5 to 7 are the last ones; node 4 is not shown. */
        const char *json =
            gltf_fixture_json(from, "{\"translation\":[1,2,3],\"children\":[5,6,7,1]},", arena);
        const char *end = strstr(json, "{\"mesh\":0}],\"cameras\"");
        assert_non_null(end);
        json = arena_printf(arena, "%.*s{\"mesh\":0},%s%s", (int)(end - json), json, rows[i].nodes,
                            end + strlen("{\"mesh\":0}"));
        diag_log_init(&log);
        assert_true(gltf_scene_load(&n, gltf_fixture_pack(json, gltf_fixture_data(arena), arena),
                                    &(SideFiles){0}, arena, &log.diag));
        assert_int_equal(m.vertex_count, 5 * 3);
        assert_int_equal(n.vertex_count, 5 * 3);
        /* The node itself comes first, its children last. */
        for (uint32_t k = 0; k < 9; k++) {
            expect3("an instance", m.vertices[k].position, n.vertices[6 + k].position[0],
                    n.vertices[6 + k].position[1], n.vertices[6 + k].position[2]);
            expect3("its normal", m.vertices[k].normal, n.vertices[6 + k].normal[0],
                    n.vertices[6 + k].normal[1], n.vertices[6 + k].normal[2]);
        }
        arena_destroy(arena);
    }
    Arena *arena = arena_create();
    PmxModel m;
    DiagLog log;
    assert_false(load(&m, from,
                      "{\"mesh\":0,\"extensions\":{\"EXT_mesh_gpu_instancing\":{\"attributes\":{"
                      "\"TRANSLATION\":0,\"ROTATION\":7}}}},{},",
                      arena, &log));
    assert_non_null(strstr(log.text, "another type"));
    /* 0 0 0 without bytes of their own: as many as the file has. */
    assert_false(load(&m, "\"count\":3,\"type\":\"VEC3\",\"sparse\"",
                      "\"count\":30000,\"type\":\"VEC3\",\"sparse\"", arena, &log));
    arena_destroy(arena);
}

/* KHR_mesh_quantization: whole numbers as they are, or as parts of their largest one. */
static void test_quantized(void **state)
{
    (void)state;
    static const char json[] =
        "{\"asset\":{\"version\":\"2.0\"},\"extensionsRequired\":[\"KHR_mesh_quantization\"],"
        "\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,"
        "\"NORMAL\":1,\"TEXCOORD_0\":2}}]}],\"buffers\":[{\"byteLength\":48}],\"bufferViews\":["
        "{\"buffer\":0,\"byteLength\":24,\"byteStride\":8},"
        "{\"buffer\":0,\"byteOffset\":24,\"byteLength\":12,\"byteStride\":4},"
        "{\"buffer\":0,\"byteOffset\":36,\"byteLength\":12,\"byteStride\":4}],\"accessors\":["
        "{\"bufferView\":0,\"componentType\":5122,\"count\":3,\"type\":\"VEC3\"},"
        "{\"bufferView\":1,\"componentType\":5120,\"normalized\":true,\"count\":3,"
        "\"type\":\"VEC3\"},"
        "{\"bufferView\":2,\"componentType\":5123,\"normalized\":true,\"count\":3,"
        "\"type\":\"VEC2\"}]}";
    static const uint8_t data[48] = {0,    0,    0,    0, 0, 0,    0,    0, /* 0 0 0 */
                                     0xFE, 0xFF, 0,    0, 0, 0,    0,    0, /* -2 0 0 */
                                     0,    0,    3,    0, 0, 0,    0,    0, /* 0 3 0 */
                                     127,  0,    0,    0, 0, 0x81, 0,    0,
                                     0,    0,    0x80, 0, 0, 0,    0xFF, 0xFF};
    Arena *arena = arena_create();
    PmxModel m;
    DiagLog log;
    diag_log_init(&log);
    const Bytes bytes = gltf_fixture_pack(json, (Bytes){data, sizeof data}, arena);
    assert_true(gltf_scene_load(&m, bytes, &(SideFiles){0}, arena, &log.diag));
    expect3("signed shorts", m.vertices[1].position, -25, 0, 0);
    expect3("signed bytes", m.vertices[0].normal, 1, 0, 0);
    expect3("of -127", m.vertices[1].normal, 0, -1, 0);
    expect3("and -128, mirrored", m.vertices[2].normal, 0, 0, 1);
    assert_true(m.vertices[0].uv[0] == 0 && m.vertices[0].uv[1] == 1);
    arena_destroy(arena);
}

/* Nodes that are their own ancestors have no place in a scene; they end no loop. */
static void test_loop(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    PmxModel m;
    DiagLog log;
    assert_true(load(&m, "\"scale\":[1,1,-2]}", "\"children\":[0]}", arena, &log));
    assert_int_equal(m.vertex_count, 9);
    arena_destroy(arena);
}

/* Every prefix is an error, and nothing is read past its end (asan). */
static void test_truncated(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const Bytes whole = gltf_fixture(NULL, NULL, arena);
    for (size_t size = 0; size < whole.size; size += 3) {
        PmxModel m;
        DiagLog log;
        diag_log_init(&log);
        assert_false(gltf_scene_load(&m, (Bytes){arena_copy(arena, whole.data, size), size},
                                     &(SideFiles){0}, arena, &log.diag));
        assert_true(log.diag.errors > 0);
    }
    arena_destroy(arena);
}

/* 200 nodes with a mesh of 100 parts of 63 vertices each: 1.3 million from 5 kilobytes. */
static void test_repeated_meshes(void **state)
{
    enum { NODES = 200, PARTS = 100, BYTES = 63 * 12 };
    (void)state;
    Arena *arena = arena_create();
    PmxModel m;
    DiagLog log;
    TextStream stream;
    FILE *out = text_stream_open(&stream, arena);
    diag_log_init(&log);
    fprintf(
        out,
        "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":%d,\"uri\":\"data:;base64,",
        BYTES);
    for (int i = 0; i < BYTES / 3; i++)
        fputs("AAAA", out);
    fprintf(
        out,
        "\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":%d}],\"accessors\":[{\"bufferView\":0,"
        "\"componentType\":5126,\"count\":63,\"type\":\"VEC3\"}],\"nodes\":[",
        BYTES);
    for (int i = 0; i < NODES; i++)
        fprintf(out, "%s{\"mesh\":0}", i ? "," : "");
    fputs("],\"meshes\":[{\"primitives\":[", out);
    for (int i = 0; i < PARTS; i++)
        fprintf(out, "%s{\"attributes\":{\"POSITION\":0}}", i ? "," : "");
    fputs("]}]}", out);
    const char *text = text_stream_close(&stream);
    const Bytes bytes = {(const uint8_t *)text, stream.size};
    assert_false(gltf_scene_load(&m, bytes, &(SideFiles){0}, arena, &log.diag));
    assert_non_null(strstr(log.text, "which the size of the file limits"));
    arena_destroy(arena);
}

/* A file that a hundred buffers name is asked for once. */
static bool count_loads(void *user, Bytes *out, const char *name, bool optional, Arena *arena,
                        Diag *diag)
{
    static const uint8_t byte;
    (void)name, (void)optional, (void)arena, (void)diag;
    ++*(int *)user;
    *out = (Bytes){&byte, 1};
    return true;
}

static void test_buffers_of_one_file(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    GltfFile file;
    DiagLog log;
    TextStream stream;
    FILE *out = text_stream_open(&stream, arena);
    int loads = 0;
    diag_log_init(&log);
    fputs("{\"buffers\":[", out);
    for (int i = 0; i < 100; i++)
        fprintf(out, "%s{\"byteLength\":1,\"uri\":\"%c.bin\"}", i ? "," : "", i == 50 ? 'b' : 'a');
    fputs("]}", out);
    const char *text = text_stream_close(&stream);
    assert_true(gltf_read(&file, (Bytes){(const uint8_t *)text, stream.size},
                          &(SideFiles){count_loads, &loads}, arena, &log.diag));
    assert_int_equal(loads, 2);
    assert_int_equal(file.buffer_count, 100);
    assert_int_equal(file.bytes, stream.size + 2);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_places),
                                       cmocka_unit_test(test_materials),
                                       cmocka_unit_test(test_text),
                                       cmocka_unit_test(test_errors),
                                       cmocka_unit_test(test_many_nodes),
                                       cmocka_unit_test(test_morphs),
                                       cmocka_unit_test(test_maps),
                                       cmocka_unit_test(test_wraps),
                                       cmocka_unit_test(test_transmission),
                                       cmocka_unit_test(test_alpha_of_colors),
                                       cmocka_unit_test(test_instances),
                                       cmocka_unit_test(test_quantized),
                                       cmocka_unit_test(test_loop),
                                       cmocka_unit_test(test_truncated),
                                       cmocka_unit_test(test_repeated_meshes),
                                       cmocka_unit_test(test_buffers_of_one_file)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
