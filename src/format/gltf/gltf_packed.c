// SPDX-License-Identifier: MIT
#include "format/gltf/gltf_packed.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#ifdef HAVE_MESHOPTIMIZER
#include <meshoptimizer.h>
#endif

#include "base/parser_entry.h"
#include "format/gltf/draco_mesh.h"
#include "format/gltf/gltf_values.h"

/* What all parts together may become: formats that predict values need almost no bytes for equal
 * ones.  Meshopt needs at least a 64th. */
enum { FREE = 1 << 20, PER_BYTE = 256, MAX_UNPACKED = 1 << 29, MAX_ATTRIBUTES = 32 };

static bool spend(GltfFile *file, uint64_t bytes, Diag *diag)
{
    const uint64_t fair = FREE + PER_BYTE * file->bytes;
    const uint64_t most = fair < MAX_UNPACKED ? fair : MAX_UNPACKED;
    file->unpacked += bytes;
    return file->unpacked <= most ||
           diag_error(diag,
                      "compressed parts have more than %" PRIu64 " bytes, in a file of %" PRIu64,
                      most, file->bytes);
}

/* ---- meshopt ---- */

static const JsonValue *meshopt_of(const JsonValue *json)
{
    const JsonValue *extensions = json_member(json, "extensions");
    const JsonValue *older = json_member(extensions, "EXT_meshopt_compression");
    return older ? older : json_member(extensions, "KHR_meshopt_compression");
}

#ifdef HAVE_MESHOPTIMIZER

/* A view as the extension describes it. */
typedef struct Packed {
    Bytes bytes;
    size_t count, stride;
    const char *mode, *filter;
} Packed;

static bool decode(uint8_t *out, const Packed *p)
{
    const uint8_t *from = p->bytes.data;
    const size_t size = p->bytes.size;
    if (!strcmp(p->mode, "TRIANGLES"))
        return p->count % 3 == 0 && (p->stride == 2 || p->stride == 4) &&
               !meshopt_decodeIndexBuffer(out, p->count, p->stride, from, size);
    if (!strcmp(p->mode, "INDICES"))
        return (p->stride == 2 || p->stride == 4) &&
               !meshopt_decodeIndexSequence(out, p->count, p->stride, from, size);
    return !strcmp(p->mode, "ATTRIBUTES") && p->stride % 4 == 0 && p->stride <= 256 &&
           !meshopt_decodeVertexBuffer(out, p->count, p->stride, from, size);
}

static bool filter(uint8_t *values, const Packed *p)
{
    if (!strcmp(p->filter, "OCTAHEDRAL") && (p->stride == 4 || p->stride == 8))
        meshopt_decodeFilterOct(values, p->count, p->stride);
    else if (!strcmp(p->filter, "QUATERNION") && p->stride == 8)
        meshopt_decodeFilterQuat(values, p->count, p->stride);
    else if (!strcmp(p->filter, "EXPONENTIAL") && p->stride % 4 == 0)
        meshopt_decodeFilterExp(values, p->count, p->stride);
    else
        return !strcmp(p->filter, "NONE");
    return true;
}

static bool unpack_view(GltfFile *file, uint32_t view, const JsonValue *json, Diag *diag)
{
    const int32_t buffer = json_index(json_member(json, "buffer"));
    const JsonValue *start_json = json_member(json, "byteOffset");
    const int32_t start = start_json ? json_index(start_json) : 0;
    const int32_t size = json_index(json_member(json, "byteLength"));
    const int32_t count = json_index(json_member(json, "count"));
    const int32_t stride = json_index(json_member(json, "byteStride"));
    if (buffer < 0 || (uint32_t)buffer >= file->buffer_count || start < 0 || size < 0 ||
        (size_t)start + (size_t)size > file->buffers[buffer].size)
        return diag_error(diag, "buffer view %" PRIu32 ": its compressed bytes exceed their buffer",
                          view);
    if (count < 0 || stride <= 0 || stride > 256)
        return diag_error(diag, "buffer view %" PRIu32 ": count or byteStride is out of range",
                          view);
    const Packed packed = {.bytes = {file->buffers[buffer].data + start, (size_t)size},
                           .count = (size_t)count,
                           .stride = (size_t)stride,
                           .mode = json_string(json_member(json, "mode"), ""),
                           .filter = json_string(json_member(json, "filter"), "NONE")};
    if (!spend(file, (uint64_t)packed.count * packed.stride, diag))
        return false;
    uint8_t *values = arena_alloc(file->arena, packed.count * packed.stride + 1);
    if (!decode(values, &packed) || !filter(values, &packed))
        return diag_error(
            diag, "buffer view %" PRIu32 " is damaged, or compressed by a later meshopt", view);
    file->views[view] = (Bytes){values, packed.count * packed.stride};
    return true;
}

int gltf_packed_meshopt_version(void)
{
    return MESHOPTIMIZER_VERSION;
}

#else

static bool unpack_view(GltfFile *file, uint32_t view, const JsonValue *json, Diag *diag)
{
    const JsonValue *plain = json_item(json_member(file->root, "bufferViews"), view);
    const int32_t buffer = json_index(json_member(plain, "buffer"));
    (void)json;
    return (buffer >= 0 && (uint32_t)buffer < file->buffer_count && file->buffers[buffer].size) ||
           diag_error(diag,
                      "buffer view %" PRIu32
                      " is compressed by meshopt: this program was built without meshoptimizer; "
                      "export without compression",
                      view);
}

int gltf_packed_meshopt_version(void)
{
    return 0;
}

#endif

bool gltf_packed_views(GltfFile *file, Diag *diag)
{
    const JsonValue *list = json_member(file->root, "bufferViews");
    const uint32_t count = json_count(list);
    for (uint32_t i = 0; i < count; i++) {
        const JsonValue *json = meshopt_of(json_item(list, i));
        if (!json)
            continue;
        parser_enter("meshopt");
        if (!file->views)
            file->views = arena_array(file->arena, Bytes, count);
        if (!unpack_view(file, i, json, diag))
            return false;
    }
    return true;
}

/* ---- Draco ---- */

/* The accessors of a primitive that a Draco mesh fills. */
typedef struct Fill {
    GltfFile *file;
    DracoMesh mesh;
    DracoAttribute attributes[MAX_ATTRIBUTES];
    int32_t accessors[MAX_ATTRIBUTES], indices;
} Fill;

static bool prepare(Fill *f, const JsonValue *primitive, const JsonValue *draco, Diag *diag)
{
    const JsonValue *named = json_member(draco, "attributes");
    const JsonValue *accessors = json_member(primitive, "attributes");
    const int32_t position = json_index(json_member(accessors, "POSITION"));
    f->indices = json_index(json_member(primitive, "indices"));
    f->mesh.attributes = f->attributes;
    if (!gltf_values_size(&f->mesh.point_count, NULL, NULL, f->file, position, diag) ||
        !gltf_values_size(&f->mesh.index_count, NULL, NULL, f->file, f->indices, diag))
        return false;
    if (f->mesh.index_count % 3 || json_count(named) > MAX_ATTRIBUTES ||
        (named && named->kind != JSON_OBJECT))
        return diag_error(diag, "%" PRIu32 " indices and %" PRIu32 " attributes",
                          f->mesh.index_count, json_count(named));
    if (!spend(f->file, (uint64_t)f->mesh.index_count * sizeof(float), diag))
        return false;
    f->mesh.indices = arena_array(f->file->arena, float, (size_t)f->mesh.index_count + 1);
    for (uint32_t i = 0; i < json_count(named); i++) {
        DracoAttribute *to = &f->attributes[f->mesh.attribute_count];
        const char *name = json_item(named, i)->key;
        const int32_t id = json_index(json_item(named, i));
        const int32_t accessor = json_index(json_member(accessors, name));
        uint32_t count;
        if (accessor < 0)
            continue;
        if (!gltf_values_size(&count, &to->components, &to->scale, f->file, accessor, diag))
            return false;
        if (count != f->mesh.point_count || id < 0 || to->components > 4)
            return diag_error(diag, "attribute %s of a mesh does not fit its positions", name);
        if (!spend(f->file, (uint64_t)count * to->components * sizeof(float), diag))
            return false;
        to->id = (uint32_t)id;
        to->values = arena_array(f->file->arena, float, (size_t)count * to->components + 1);
        f->accessors[f->mesh.attribute_count++] = accessor;
    }
    return true;
}

bool gltf_packed_primitive(GltfFile *file, const JsonValue *primitive, Diag *diag)
{
    const JsonValue *draco =
        json_member(json_member(primitive, "extensions"), "KHR_draco_mesh_compression");
    const int32_t position =
        json_index(json_member(json_member(primitive, "attributes"), "POSITION"));
    Fill f = {.file = file};
    Bytes bytes;
    if (!draco || gltf_values_are_there(file, position))
        return true;
    parser_enter("draco");
    if (!gltf_view(&bytes, file, json_index(json_member(draco, "bufferView")), diag) ||
        !prepare(&f, primitive, draco, diag))
        return false;
    const char *wrong = draco_mesh_read(&f.mesh, bytes);
    if (wrong)
        return diag_error(diag, "a mesh that is compressed by Draco %s", wrong);
    for (uint32_t i = 0; i < f.mesh.attribute_count; i++) {
        const DracoAttribute *a = &f.attributes[i];
        for (size_t k = 0; k < (size_t)f.mesh.point_count * a->components; k++)
            if (!(fabsf(a->values[k]) <= (float)GLTF_MAX_VALUE))
                return diag_error(diag, "a value is out of range (at most %d)", GLTF_MAX_VALUE);
        gltf_values_set(file, f.accessors[i], a->values, f.mesh.point_count);
    }
    gltf_values_set(file, f.indices, f.mesh.indices, f.mesh.index_count);
    return true;
}
