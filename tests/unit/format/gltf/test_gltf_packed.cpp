// SPDX-License-Identifier: MIT
/* What the encoders of meshopt and Draco packed is the same scene as without them.  Skipped, each,
 * where its library is missing. */
#include <math.h>
#include <string.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#ifdef HAVE_DRACO
#include <draco/compression/encode.h>
#include <draco/mesh/mesh.h>
#endif
#ifdef HAVE_MESHOPTIMIZER
#include <meshoptimizer.h>
#endif

#define _Noreturn [[noreturn]]
extern "C" {
#include "diag_log.h"
#include "format/gltf/draco_mesh.h"
#include "format/gltf/gltf_packed.h"
#include "format/model/gltf_scene.h"
#include "gltf_fixture.h"
}
#include "unit_test.h"

namespace
{

enum { SIDE = 12, POINTS = SIDE * SIDE, INDICES = 6 * (SIDE - 1) * (SIDE - 1) };

// A curved square of a grid: positions, normals, 16-bit indices.
struct Grid {
    float positions[POINTS][3];
    int8_t normals[POINTS][4];
    uint32_t indices[INDICES];
};

Grid make_grid()
{
    Grid g = {};
    size_t count = 0;
    for (int i = 0; i < POINTS; i++) {
        const int x = i % SIDE, y = i / SIDE;
        const float at[] = {float(x), float(y), 0.125f * float((x * x + 3 * y) % 7)};
        memcpy(g.positions[i], at, sizeof at);
        g.normals[i][x % 3] = 127;
        g.normals[i][3] = 0;
    }
    for (uint32_t y = 0; y + 1 < SIDE; y++)
        for (uint32_t x = 0; x + 1 < SIDE; x++) {
            const uint32_t a = y * SIDE + x, b = a + SIDE;
            for (const uint32_t corner : {a, a + 1, b, b, a + 1, b + 1})
                g.indices[count++] = corner;
        }
    return g;
}

using Data = std::vector<uint8_t>;

void append(Data &data, const void *bytes, size_t size)
{
    data.insert(data.end(), static_cast<const uint8_t *>(bytes),
                static_cast<const uint8_t *>(bytes) + size);
    data.resize((data.size() + 3) / 4 * 4);
}

std::string number(size_t value)
{
    return std::to_string(value);
}

const std::string head = "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0}],";
const std::string mesh =
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":1},"
    "\"indices\":2";

// The three accessors; view: whether they have buffer views.
std::string accessors(bool view, const char *index_type)
{
    const std::string start[] = {view ? "\"bufferView\":0," : "", view ? "\"bufferView\":1," : "",
                                 view ? "\"bufferView\":2," : ""};
    return "\"accessors\":[{" + start[0] +
           "\"componentType\":5126,\"type\":\"VEC3\",\"count\":" + number(POINTS) + "},{" +
           start[1] + "\"componentType\":5120,\"normalized\":true,\"type\":\"VEC3\",\"count\":" +
           number(POINTS) + "},{" + start[2] + "\"componentType\":" + index_type +
           ",\"type\":\"SCALAR\",\"count\":" + number(INDICES) + "}]}";
}

bool load(PmxModel *model, const std::string &json, const Data &data, Arena *arena, DiagLog *log)
{
    const SideFiles none = {};
    diag_log_init(log);
    return gltf_scene_load(model,
                           gltf_fixture_pack(json.c_str(), Bytes{data.data(), data.size()}, arena),
                           &none, arena, &log->diag);
}

// The same grid without compression.
PmxModel load_plain(const Grid &g, Arena *arena)
{
    Data data;
    PmxModel model;
    DiagLog log;
    std::string views;
    const struct {
        const void *bytes;
        size_t size;
    } parts[] = {{g.positions, sizeof g.positions},
                 {g.normals, sizeof g.normals},
                 {g.indices, sizeof g.indices}};
    for (const auto &part : parts) {
        views += (views.empty() ? "" : ",") +
                 ("{\"buffer\":0,\"byteOffset\":" + number(data.size())) +
                 ",\"byteLength\":" + number(part.size) +
                 (part.bytes == g.normals ? ",\"byteStride\":4}" : "}");
        append(data, part.bytes, part.size);
    }
    const bool good =
        load(&model,
             head + mesh + "}]}],\"buffers\":[{\"byteLength\":" + number(data.size()) +
                 "}],\"bufferViews\":[" + views + "]," + accessors(true, "5125"),
             data, arena, &log);
    if (!good)
        fail_msg("%s", log.text);
    return model;
}

bool same_vertices(const PmxModel &a, const PmxModel &b)
{
    if (a.vertex_count != b.vertex_count || a.index_count != b.index_count)
        return false;
    for (uint32_t i = 0; i < a.index_count; i++) {
        const PmxVertex &v = a.vertices[a.indices[i]], &w = b.vertices[b.indices[i]];
        if (memcmp(v.position, w.position, sizeof v.position) != 0 ||
            memcmp(v.normal, w.normal, sizeof v.normal) != 0)
            return false;
    }
    return true;
}

/* ---- meshopt ---- */

#ifdef HAVE_MESHOPTIMIZER
// A view of the placeholder buffer 1, with its packed bytes in buffer 0.
std::string packed_view(Data &data, size_t *fallback, const Data &bytes, size_t stride,
                        size_t count, const char *rest)
{
    const std::string json = "{\"buffer\":1,\"byteOffset\":" + number(*fallback) +
                             ",\"byteLength\":" + number(stride * count) +
                             ",\"extensions\":{\"EXT_meshopt_compression\":{\"buffer\":0,"
                             "\"byteOffset\":" +
                             number(data.size()) + ",\"byteLength\":" + number(bytes.size()) +
                             ",\"byteStride\":" + number(stride) + ",\"count\":" + number(count) +
                             "," + rest + "}}" +
                             (stride == 4 && count == POINTS ? ",\"byteStride\":4}" : "}");
    append(data, bytes.data(), bytes.size());
    *fallback += stride * count;
    return json;
}

Data pack_vertices(const void *values, size_t stride)
{
    Data out(meshopt_encodeVertexBufferBound(POINTS, stride));
    meshopt_encodeVertexVersion(0);
    out.resize(meshopt_encodeVertexBuffer(out.data(), out.size(), values, POINTS, stride));
    return out;
}

std::string pack(Data &data, const Grid &g, const char *mode, const char *count)
{
    const bool triangles = !strcmp(mode, "TRIANGLES");
    size_t fallback = 0;
    Data indices(triangles ? meshopt_encodeIndexBufferBound(INDICES, POINTS)
                           : meshopt_encodeIndexSequenceBound(INDICES, POINTS));
    meshopt_encodeIndexVersion(1);
    indices.resize(
        triangles
            ? meshopt_encodeIndexBuffer(indices.data(), indices.size(), g.indices, INDICES)
            : meshopt_encodeIndexSequence(indices.data(), indices.size(), g.indices, INDICES));
    std::string views = packed_view(data, &fallback, pack_vertices(g.positions, 12), 12, POINTS,
                                    "\"mode\":\"ATTRIBUTES\"") +
                        "," +
                        packed_view(data, &fallback, pack_vertices(g.normals, 4), 4, POINTS,
                                    "\"mode\":\"ATTRIBUTES\",\"filter\":\"NONE\"") +
                        "," +
                        packed_view(data, &fallback, indices, 2, INDICES,
                                    ("\"mode\":\"" + std::string(mode) + "\"").c_str());
    const std::string declared = "\"count\":" + number(INDICES);
    if (count)
        views.replace(views.find(declared), declared.size(), "\"count\":" + std::string(count));
    return head +
           "\"extensionsRequired\":[\"EXT_meshopt_compression\",\"KHR_mesh_quantization\"]," +
           mesh + "}]}],\"buffers\":[{\"byteLength\":" + number(data.size()) +
           "},{\"byteLength\":" + number(fallback) + "}],\"bufferViews\":[" + views + "]," +
           accessors(true, "5123");
}
#endif

void test_meshopt(void **)
{
#ifdef HAVE_MESHOPTIMIZER
    const Grid g = make_grid();
    Arena *arena = arena_create();
    const PmxModel plain = load_plain(g, arena);
    for (const char *mode : {"TRIANGLES", "INDICES"}) {
        Data data;
        PmxModel model;
        DiagLog log;
        const std::string json = pack(data, g, mode, nullptr);
        if (!load(&model, json, data, arena, &log))
            fail_msg("%s: %s", mode, log.text);
        // The first format may turn the corners of a triangle, which leaves it the same.
        assert_int_equal(model.vertex_count, plain.vertex_count);
        assert_true(data.size() < sizeof g / 2);
        if (!strcmp(mode, "INDICES"))
            assert_true(same_vertices(model, plain));
        // Damaged bytes: an error, or another scene.
        for (size_t i = 0; i < data.size(); i += 7) {
            Data damaged = data;
            damaged[i] ^= 0x55;
            load(&model, json, damaged, arena, &log);
        }
    }
    static const struct {
        const char *mode, *count, *message;
    } rows[] = {{"TRIANGLES", "2000000000", "compressed parts have more than"},
                {"TRIANGLES", "725", "damaged, or compressed by a later meshopt"},
                {"NONE", nullptr, "damaged, or compressed by a later meshopt"}};
    for (const auto &row : rows) {
        Data data;
        PmxModel model;
        DiagLog log;
        const std::string json = pack(data, g, row.mode, row.count);
        if (load(&model, json, data, arena, &log) || !strstr(log.text, row.message))
            fail_msg("%s %s: %s", row.mode, row.count ? row.count : "", log.text);
    }
    arena_destroy(arena);
#else
    skip();
#endif
}

// By hand, from the specification: one group of three elements of 4 bytes whose deltas are 0, so
// all are the last four bytes of the tail.
void test_meshopt_by_hand(void **)
{
    const uint8_t stream[] = {0xa0, 0, 0, 0, 0, /* tail */ 0,
                              0,    0, 0, 0, 0, 0,
                              0,    0, 0, 0, 0, 0,
                              0,    0, 0, 0, 0, 0,
                              0,    0, 0, 0, 0, 0,
                              0,    0, 0, 1, 2, 3,
                              4};
    const std::string json = head +
                             "\"buffers\":[{\"byteLength\":37}],\"bufferViews\":[{\"buffer\":0,"
                             "\"byteLength\":12,\"extensions\":{\"EXT_meshopt_compression\":{"
                             "\"buffer\":0,\"byteLength\":37,\"byteStride\":4,\"count\":3,"
                             "\"mode\":\"ATTRIBUTES\"}}}],\"meshes\":[{}]}";
    Arena *arena = arena_create();
    const Bytes bytes = gltf_fixture_pack(json.c_str(), Bytes{stream, sizeof stream}, arena);
    const SideFiles none = {};
    GltfFile file;
    DiagLog log;
    Bytes view;
    diag_log_init(&log);
    if (!gltf_packed_meshopt_version())
        skip();
    if (!gltf_read(&file, bytes, &none, arena, &log.diag) || !gltf_view(&view, &file, 0, &log.diag))
        fail_msg("%s", log.text);
    static const uint8_t expected[] = {1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4};
    assert_int_equal(view.size, sizeof expected);
    assert_memory_equal(view.data, expected, sizeof expected);
    arena_destroy(arena);
}

/* ---- Draco ---- */

#ifdef HAVE_DRACO
template <typename T>
int add_attribute(draco::Mesh &to, draco::GeometryAttribute::Type type, draco::DataType kind,
                  int8_t components, const T *values, size_t step)
{
    draco::GeometryAttribute attribute;
    attribute.Init(type, nullptr, uint8_t(components), kind, kind != draco::DT_FLOAT32,
                   int64_t(sizeof(T)) * components, 0);
    const int id = to.AddAttribute(attribute, true, POINTS);
    for (uint32_t i = 0; i < POINTS; i++)
        to.attribute(id)->SetAttributeValue(draco::AttributeValueIndex(i), values + i * step);
    return id;
}

Data pack_draco(const Grid &g, bool sequential, int more)
{
    draco::Mesh out;
    draco::Encoder encoder;
    draco::EncoderBuffer buffer;
    out.SetNumFaces(INDICES / 3);
    out.set_num_points(POINTS);
    for (uint32_t i = 0; i < INDICES / 3; i++)
        out.SetFace(draco::FaceIndex(i),
                    {{draco::PointIndex(g.indices[3 * i]), draco::PointIndex(g.indices[3 * i + 1]),
                      draco::PointIndex(g.indices[3 * i + 2])}});
    add_attribute(out, draco::GeometryAttribute::POSITION, draco::DT_FLOAT32, 3, g.positions[0], 3);
    add_attribute(out, draco::GeometryAttribute::GENERIC, draco::DT_INT8, 3, g.normals[0], 4);
    for (int i = 0; i < more; i++)
        add_attribute(out, draco::GeometryAttribute::GENERIC, draco::DT_FLOAT32, 3, g.positions[0],
                      3);
    encoder.SetEncodingMethod(sequential ? draco::MESH_SEQUENTIAL_ENCODING
                                         : draco::MESH_EDGEBREAKER_ENCODING);
    assert_true(encoder.EncodeMeshToBuffer(out, &buffer).ok());
    const uint8_t *bytes = reinterpret_cast<const uint8_t *>(buffer.data());
    return Data(bytes, bytes + buffer.size());
}

std::string draco_json(size_t size)
{
    return head + "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]," + mesh +
           ",\"extensions\":{\"KHR_draco_mesh_compression\":{\"bufferView\":0,\"attributes\":{"
           "\"POSITION\":0,\"NORMAL\":1}}}}]}],\"buffers\":[{\"byteLength\":" +
           number(size) + "}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":" + number(size) +
           "}]," + accessors(false, "5125");
}

// The corners of all triangles, each from its smallest one on, sorted.
std::vector<std::array<float, 18>> triangles(const PmxModel &m)
{
    std::vector<std::array<float, 18>> out;
    for (uint32_t i = 0; i < m.index_count; i += 3) {
        std::array<std::array<float, 6>, 3> t;
        for (size_t k = 0; k < 3; k++) {
            const PmxVertex &v = m.vertices[m.indices[i + k]];
            std::copy_n(v.position, 3, t[k].begin());
            std::copy_n(v.normal, 3, t[k].begin() + 3);
        }
        std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
        std::array<float, 18> all;
        for (size_t k = 0; k < 18; k++)
            all[k] = t[k / 6][k % 6];
        out.push_back(all);
    }
    std::sort(out.begin(), out.end());
    return out;
}
#endif

void test_draco(void **)
{
#ifdef HAVE_DRACO
    const Grid g = make_grid();
    Arena *arena = arena_create();
    const PmxModel plain = load_plain(g, arena);
    for (const bool sequential : {true, false}) {
        const Data data = pack_draco(g, sequential, 0);
        PmxModel model;
        DiagLog log;
        if (!load(&model, draco_json(data.size()), data, arena, &log))
            fail_msg("%s", log.text);
        assert_true(triangles(model) == triangles(plain));
        for (size_t size = 0; size < data.size(); size += 11) {
            Data cut(data.begin(), data.begin() + ptrdiff_t(size));
            if (load(&model, draco_json(cut.size()), cut, arena, &log))
                fail_msg("cut to %zu bytes", size);
        }
        for (size_t i = 0; i < data.size(); i += 5) {
            Data damaged = data;
            damaged[i] ^= 0x41;
            load(&model, draco_json(damaged.size()), damaged, arena, &log);
        }
        // 2 + 3 and 15 times 3 components are more than a mesh of glTF has.
        const Data large = pack_draco(g, sequential, 16);
        assert_false(load(&model, draco_json(large.size()), large, arena, &log));
        if (!strstr(log.text, sequential ? "by Draco is damaged" : "has more attributes"))
            fail_msg("%s", log.text);
        // Declared sizes that the file does not justify, and those that others do not.
        const char *wrong[] = {"\"count\":726", "\"count\":144"};
        const char *values[] = {"\"count\":2000000001", "\"count\":143"};
        const char *messages[] = {"compressed parts have more than", "does not fit its positions"};
        for (int i = 0; i < 2; i++) {
            std::string json = draco_json(data.size());
            json.replace(json.find(wrong[i]), strlen(wrong[i]), values[i]);
            assert_false(load(&model, json, data, arena, &log));
            if (!strstr(log.text, messages[i]))
                fail_msg("%s: %s", values[i], log.text);
        }
    }
    arena_destroy(arena);
#else
    skip();
#endif
}

// A header that promises more triangles than there are bytes is refused before it is decoded.
void test_draco_promises(void **)
{
    if (!draco_mesh_version())
        skip();
    const uint8_t stream[] = {'D', 'R', 'A', 'C', 'O', 2, 2, 1, 0, 0, 0, 0x80, 0x89, 0x7a, 3, 0};
    DracoMesh all = {};
    all.index_count = 6000000;
    all.point_count = 3;
    const char *wrong = draco_mesh_read(&all, Bytes{stream, sizeof stream});
    assert_true(wrong && strstr(wrong, "more triangles than so few bytes"));
}

} // namespace

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_meshopt), cmocka_unit_test(test_meshopt_by_hand),
        cmocka_unit_test(test_draco), cmocka_unit_test(test_draco_promises)};
    return cmocka_run_group_tests_name("gltf_packed", tests, NULL, NULL);
}
