// SPDX-License-Identifier: MIT
#include "format/gltf/gltf_values.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/reader.h"

enum {
    BYTE = 5120,
    UNSIGNED_BYTE,
    SHORT,
    UNSIGNED_SHORT,
    UNSIGNED_INT = 5125,
    FLOAT = 5126,
    MAX_ZEROS = 1 << 24 /* numbers that accessors may have in addition to the bytes of the file */
};

struct GltfAccessor {
    const JsonValue *json;
    uint32_t count, components;
    float *values; /* NULL until it is converted */
};

bool gltf_view(Bytes *out, const GltfFile *file, int32_t view, Diag *diag)
{
    const JsonValue *json =
        view < 0 ? NULL : json_item(json_member(file->root, "bufferViews"), (uint32_t)view);
    const int32_t buffer = json_index(json_member(json, "buffer"));
    const JsonValue *start_json = json_member(json, "byteOffset");
    const int32_t start = start_json ? json_index(start_json) : 0;
    const int32_t size = json_index(json_member(json, "byteLength"));
    if (file->views && json && file->views[view].data) {
        *out = file->views[view];
        return true;
    }
    if (buffer < 0 || (uint32_t)buffer >= file->buffer_count || start < 0 || size < 0 ||
        (size_t)start + (size_t)size > file->buffers[buffer].size)
        return diag_error(diag, "buffer view %" PRId32 " does not exist or exceeds its buffer",
                          view);
    *out = (Bytes){file->buffers[buffer].data + start, (size_t)size};
    return true;
}

static uint32_t component_count(const char *type)
{
    static const struct {
        const char *type;
        uint32_t count;
    } types[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (!strcmp(type, types[i].type))
            return types[i].count;
    return 0;
}

bool gltf_values_read(GltfFile *file, Diag *diag)
{
    const JsonValue *list = json_member(file->root, "accessors");
    file->accessor_count = json_count(list);
    file->accessors = arena_array(file->arena, GltfAccessor, file->accessor_count);
    for (uint32_t i = 0; i < file->accessor_count; i++) {
        const JsonValue *json = json_item(list, i);
        const int32_t count = json_index(json_member(json, "count"));
        if (count < 0)
            return diag_error(diag, "accessor %" PRIu32 " has no count", i);
        file->accessors[i] = (GltfAccessor){
            .json = json,
            .count = (uint32_t)count,
            .components = component_count(json_string(json_member(json, "type"), ""))};
    }
    return true;
}

static uint32_t component_size(int32_t type)
{
    switch (type) {
    case BYTE:
    case UNSIGNED_BYTE:
        return 1;
    case SHORT:
    case UNSIGNED_SHORT:
        return 2;
    case UNSIGNED_INT:
    case FLOAT:
        return 4;
    default:
        return 0;
    }
}

static float read_component(Reader *r, int32_t type, bool normalized)
{
    switch (type) {
    case BYTE:
        return normalized ? fmaxf((float)read_i8(r) / 127, -1) : (float)read_i8(r);
    case UNSIGNED_BYTE:
        return (float)read_u8(r) / (normalized ? 255 : 1);
    case SHORT:
        return normalized ? fmaxf((float)read_i16(r) / 32767, -1) : (float)read_i16(r);
    case UNSIGNED_SHORT:
        return (float)read_u16(r) / (normalized ? 65535 : 1);
    case UNSIGNED_INT:
        return (float)read_u32(r);
    default:
        return read_f32(r);
    }
}

/* `count` vectors that lie in a view, `stride` bytes apart. */
typedef struct Packed {
    const JsonValue *json; /* has bufferView and byteOffset */
    int32_t type;
    bool normalized;
    uint32_t count, components, stride; /* stride 0: without gaps */
} Packed;

static bool read_packed(float *out, const Packed *from, const GltfFile *file, Diag *diag)
{
    const uint64_t each = (uint64_t)component_size(from->type) * from->components;
    const JsonValue *start_json = json_member(from->json, "byteOffset");
    const int64_t start = start_json ? json_index(start_json) : 0;
    const uint64_t stride = from->stride ? from->stride : each;
    Bytes view = {0};
    if (!gltf_view(&view, file, json_index(json_member(from->json, "bufferView")), diag))
        return false;
    if (!each || stride < each || start < 0 ||
        (from->count && (uint64_t)start + stride * (from->count - 1) + each > view.size))
        return diag_error(diag, "exceeds its buffer view, or is of an unknown kind");
    for (uint32_t i = 0; i < from->count; i++) {
        Reader r = reader_init(view.data + start + stride * i, each);
        for (uint32_t k = 0; k < from->components; k++) {
            const float value = read_component(&r, from->type, from->normalized);
            if (from->type == FLOAT && !(fabsf(value) <= (float)GLTF_MAX_VALUE))
                return diag_error(diag, "a value is out of range (at most %d)", GLTF_MAX_VALUE);
            *out++ = value;
        }
    }
    return true;
}

/* Replaces the vectors that a sparse accessor lists. */
static bool read_sparse(GltfAccessor *a, const Packed *base, const GltfFile *file, Diag *diag)
{
    const JsonValue *sparse = json_member(a->json, "sparse");
    const JsonValue *indices = json_member(sparse, "indices");
    const int32_t count = json_index(json_member(sparse, "count"));
    if (count < 0 || (uint32_t)count > a->count)
        return diag_error(diag, "has more sparse values than places");
    Arena *scratch = arena_create();
    float *places = arena_array(scratch, float, (size_t)count);
    float *values = arena_array(scratch, float, (size_t)count * a->components);
    Packed of_places = {.json = indices,
                        .type = json_index(json_member(indices, "componentType")),
                        .count = (uint32_t)count,
                        .components = 1};
    Packed of_values = *base;
    of_values.json = json_member(sparse, "values");
    of_values.count = (uint32_t)count;
    of_values.stride = 0;
    bool good =
        read_packed(places, &of_places, file, diag) && read_packed(values, &of_values, file, diag);
    for (uint32_t i = 0; good && i < (uint32_t)count; i++)
        if (places[i] >= 0 && places[i] < (float)a->count)
            memcpy(a->values + (size_t)places[i] * a->components,
                   values + (size_t)i * a->components, a->components * sizeof *values);
        else
            good = diag_error(diag, "a sparse index is out of range");
    arena_destroy(scratch);
    return good;
}

/*
 * Whether the bytes of the file justify so many numbers.  Sparse accessors of morph targets need no
 * data for the vertices that do not move, of which each has a position elsewhere in the file.
 */
static bool check_size(const GltfAccessor *a, GltfFile *file, Diag *diag)
{
    if (!json_member(a->json, "bufferView") && a->count > file->bytes)
        return diag_error(diag,
                          "has %" PRIu32 " values without data, in a file of %" PRIu64 " bytes",
                          a->count, file->bytes);
    file->loaded += (uint64_t)a->count * a->components;
    return file->loaded <= file->bytes + file->unpacked + gltf_limit(file, MAX_ZEROS) ||
           diag_error(diag, "accessors overlap: they have more numbers than the file has bytes");
}

static bool convert(GltfAccessor *a, GltfFile *file, Diag *diag)
{
    const int32_t view = json_index(json_member(a->json, "bufferView"));
    const JsonValue *view_json =
        view < 0 ? NULL : json_item(json_member(file->root, "bufferViews"), (uint32_t)view);
    const int32_t stride = json_index(json_member(view_json, "byteStride"));
    const Packed packed = {.json = a->json,
                           .type = json_index(json_member(a->json, "componentType")),
                           .normalized = json_bool(json_member(a->json, "normalized"), false),
                           .count = a->count,
                           .components = a->components,
                           .stride = stride > 0 ? (uint32_t)stride : 0};
    if (!check_size(a, file, diag))
        return false;
    a->values = arena_array(file->arena, float, (size_t)a->count * a->components + 1);
    if (json_member(a->json, "bufferView") && !read_packed(a->values, &packed, file, diag))
        return false;
    return !json_member(a->json, "sparse") || read_sparse(a, &packed, file, diag);
}

static GltfAccessor *accessor_of(const GltfFile *file, int32_t accessor)
{
    return accessor >= 0 && (uint32_t)accessor < file->accessor_count ? &file->accessors[accessor]
                                                                      : NULL;
}

bool gltf_values_size(uint32_t *count, uint32_t *components, float *scale, const GltfFile *file,
                      int32_t accessor, Diag *diag)
{
    static const float scales[] = {1.0f / 127, 1.0f / 255, 1.0f / 32767, 1.0f / 65535};
    const GltfAccessor *a = accessor_of(file, accessor);
    if (!a || !a->components)
        return diag_error(diag, "accessor %" PRId32 " does not exist", accessor);
    const int32_t type = json_index(json_member(a->json, "componentType"));
    const bool normalized = json_bool(json_member(a->json, "normalized"), false);
    *count = a->count;
    if (components)
        *components = a->components;
    if (scale)
        *scale = normalized && type >= BYTE && type <= UNSIGNED_SHORT ? scales[type - BYTE] : 0;
    return true;
}

bool gltf_values_are_there(const GltfFile *file, int32_t accessor)
{
    const GltfAccessor *a = accessor_of(file, accessor);
    return a && (a->values || json_member(a->json, "bufferView"));
}

void gltf_values_set(GltfFile *file, int32_t accessor, float *values, uint32_t count)
{
    GltfAccessor *a = accessor_of(file, accessor);
    a->values = values;
    a->count = count;
}

bool gltf_values(GltfValues *out, GltfFile *file, int32_t accessor, uint32_t components, Diag *diag)
{
    GltfAccessor *a = accessor_of(file, accessor);
    if (!a || !a->components || (components && a->components != components))
        return diag_error(
            diag, "accessor %" PRId32 " does not exist, or has another type than is needed here",
            accessor);
    diag_item(diag, "accessor", (uint64_t)accessor);
    const bool good = a->values || convert(a, file, diag);
    diag_item(diag, NULL, 0);
    if (!good) {
        a->components = 0; /* damaged: not converted again */
        return false;
    }
    *out = (GltfValues){a->values, a->count, a->components};
    return true;
}
