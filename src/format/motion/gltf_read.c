#include "format/motion/gltf_read.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/json_read.h"
#include "base/parser_entry.h"
#include "base/reader.h"
#include "format/motion/vmd.h"

enum {
    HEADER_SIZE = 12,
    CHUNK_JSON = 0x4E4F534A,
    CHUNK_DATA = 0x004E4942,
    NO_INDEX = UINT32_MAX,
    BYTE = 5120,
    UNSIGNED_BYTE,
    SHORT,
    UNSIGNED_SHORT,
    FLOAT = 5126
};

struct GltfAccessor {
    uint32_t view, type, count, components;
    uint64_t offset;
    bool normalized, sparse;
    float *values; /* NULL until it is converted */
};

struct GltfView {
    uint32_t buffer, stride; /* stride 0: without gaps */
    uint64_t offset, size;
};

typedef struct Edge {
    uint32_t parent, child;
} Edge;

typedef struct Parser {
    JsonReader json;
    ARENA_LIST(GltfNode) nodes;
    ARENA_LIST(Edge) edges;
    ARENA_LIST(GltfSampler) samplers;
    ARENA_LIST(GltfChannel) channels;
    ARENA_LIST(GltfBone) bones;
    ARENA_LIST(GltfAccessor) accessors;
    ARENA_LIST(GltfView) views;
    Arena *arena;
} Parser;

static bool is(const char *key, const char *name)
{
    return !strcmp(key, name);
}

/* An index or a count; NO_INDEX if it is out of range. */
static uint32_t read_index(JsonReader *r)
{
    const int64_t value = json_read_int(r);
    return value < 0 || value >= INT32_MAX ? NO_INDEX : (uint32_t)value;
}

static bool read_bool(JsonReader *r)
{
    const char *at = r->at;
    json_read_skip(r);
    while (at < r->at && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r'))
        at++;
    return !r->failed && r->at - at == 4 && !memcmp(at, "true", 4);
}

/* Up to `count` numbers of a list. */
static void read_vector(double *out, size_t count, JsonReader *r)
{
    size_t i = 0;
    json_read_open(r, '[');
    for (; json_read_item(r); i++) {
        const double value = json_read_number(r);
        if (i < count)
            out[i] = value;
    }
    r->failed |= i != count;
}

/* Calls `read` for each item of a list. */
static void read_list(Parser *p, void (*read)(Parser *p))
{
    json_read_open(&p->json, '[');
    while (json_read_item(&p->json))
        read(p);
}

/* ---- nodes ---- */

static void read_children(Parser *p)
{
    json_read_open(&p->json, '[');
    while (json_read_item(&p->json))
        *arena_push(p->arena, &p->edges) = (Edge){(uint32_t)p->nodes.count, read_index(&p->json)};
}

/* The columns of a matrix are the rotated axes, scaled. */
static void set_matrix(GltfNode *node, const double m[16])
{
    const Vec3 x = {m[0], m[1], m[2]}, y = {m[4], m[5], m[6]}, z = {m[8], m[9], m[10]};
    const Vec3 a = vec3_normalize(x), b = vec3_normalize(y), c = vec3_normalize(z);
    node->translation = (Vec3){m[12], m[13], m[14]};
    node->scale = (Vec3){vec3_length(x), vec3_length(y), vec3_length(z)};
    const double w = sqrt(fmax(0, 1 + a.x + b.y + c.z)) / 2;
    const double i = copysign(sqrt(fmax(0, 1 + a.x - b.y - c.z)) / 2, b.z - c.y);
    const double j = copysign(sqrt(fmax(0, 1 - a.x + b.y - c.z)) / 2, c.x - a.z);
    const double k = copysign(sqrt(fmax(0, 1 - a.x - b.y + c.z)) / 2, a.y - b.x);
    node->rotation = (Quat){i, j, k, w};
}

static void read_node(Parser *p)
{
    const char *key;
    double t[3] = {0, 0, 0}, q[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1}, m[16];
    bool has_matrix = false;
    JsonReader *r = &p->json;
    json_read_open(r, '{');
    while (json_read_key(&key, r))
        if (is(key, "translation"))
            read_vector(t, 3, r);
        else if (is(key, "rotation"))
            read_vector(q, 4, r);
        else if (is(key, "scale"))
            read_vector(s, 3, r);
        else if (is(key, "matrix")) {
            read_vector(m, 16, r);
            has_matrix = true;
        } else if (is(key, "children"))
            read_children(p);
        else
            json_read_skip(r);
    GltfNode *node = arena_push(p->arena, &p->nodes);
    *node = (GltfNode){-1, {t[0], t[1], t[2]}, {s[0], s[1], s[2]}, {q[0], q[1], q[2], q[3]}};
    if (has_matrix && !r->failed)
        set_matrix(node, m);
    node->rotation = quat_normalize(node->rotation);
}

static bool is_small(Vec3 v)
{
    return fabs(v.x) <= VMD_MAX_VALUE && fabs(v.y) <= VMD_MAX_VALUE && fabs(v.z) <= VMD_MAX_VALUE;
}

static bool link_nodes(Parser *p, Diag *diag)
{
    for (size_t i = 0; i < p->nodes.count; i++) {
        const GltfNode *n = &p->nodes.items[i];
        if (!is_small(n->translation) || !is_small(n->scale) ||
            !(fabs(quat_dot(n->rotation, n->rotation) - 1) < 1e-6))
            return diag_error(diag, "node %zu: a value is out of range", i);
    }
    for (size_t i = 0; i < p->edges.count; i++) {
        const Edge *edge = &p->edges.items[i];
        if (edge->child >= p->nodes.count || p->nodes.items[edge->child].parent >= 0)
            return diag_error(
                diag, "node %" PRIu32 ": child %" PRIu32 " does not exist or has two parents",
                edge->parent, edge->child);
        p->nodes.items[edge->child].parent = (int32_t)edge->parent;
    }
    return true;
}

/* ---- the animation ---- */

static void read_sampler(Parser *p)
{
    const char *key, *mode = "LINEAR";
    GltfSampler sampler = {NO_INDEX, NO_INDEX, GLTF_LINEAR};
    json_read_open(&p->json, '{');
    while (json_read_key(&key, &p->json))
        if (is(key, "input"))
            sampler.input = read_index(&p->json);
        else if (is(key, "output"))
            sampler.output = read_index(&p->json);
        else if (is(key, "interpolation"))
            mode = json_read_text(&p->json);
        else
            json_read_skip(&p->json);
    sampler.interpolation = is(mode, "STEP")          ? GLTF_STEP
                            : is(mode, "CUBICSPLINE") ? GLTF_CUBIC
                                                      : GLTF_LINEAR;
    *arena_push(p->arena, &p->samplers) = sampler;
}

static void read_target(GltfChannel *channel, JsonReader *r)
{
    const char *key;
    json_read_open(r, '{');
    while (json_read_key(&key, r))
        if (is(key, "node")) {
            channel->node = read_index(r);
        } else if (is(key, "path")) {
            const char *path = json_read_text(r);
            channel->path = is(path, "translation") ? GLTF_TRANSLATION
                            : is(path, "rotation")  ? GLTF_ROTATION
                                                    : GLTF_OTHER;
        } else {
            json_read_skip(r);
        }
}

static void read_channel(Parser *p)
{
    const char *key;
    GltfChannel channel = {NO_INDEX, NO_INDEX, GLTF_OTHER};
    json_read_open(&p->json, '{');
    while (json_read_key(&key, &p->json))
        if (is(key, "sampler"))
            channel.sampler = read_index(&p->json);
        else if (is(key, "target"))
            read_target(&channel, &p->json);
        else
            json_read_skip(&p->json);
    *arena_push(p->arena, &p->channels) = channel;
}

/* Only the first animation counts (VRMC_vrm_animation). */
static void read_animation(Parser *p)
{
    const char *key;
    if (p->channels.count) {
        json_read_skip(&p->json);
        return;
    }
    json_read_open(&p->json, '{');
    while (json_read_key(&key, &p->json))
        if (is(key, "samplers"))
            read_list(p, read_sampler);
        else if (is(key, "channels"))
            read_list(p, read_channel);
        else
            json_read_skip(&p->json);
}

/* ---- the extension ---- */

static void read_bones(Parser *p)
{
    const char *name, *key;
    json_read_open(&p->json, '{');
    while (json_read_key(&name, &p->json)) {
        uint32_t node = NO_INDEX;
        json_read_open(&p->json, '{');
        while (json_read_key(&key, &p->json))
            if (is(key, "node"))
                node = read_index(&p->json);
            else
                json_read_skip(&p->json);
        *arena_push(p->arena, &p->bones) = (GltfBone){name, node};
    }
}

/* Calls `read` for the member of an object with this name, and skips the others. */
static void read_member(Parser *p, const char *name, void (*read)(Parser *p))
{
    const char *key;
    json_read_open(&p->json, '{');
    while (json_read_key(&key, &p->json))
        if (is(key, name))
            read(p);
        else
            json_read_skip(&p->json);
}

static void read_humanoid(Parser *p)
{
    read_member(p, "humanBones", read_bones);
}

static void read_vrm_animation(Parser *p)
{
    read_member(p, "humanoid", read_humanoid);
}

/* ---- data ---- */

static void read_view(Parser *p)
{
    const char *key;
    GltfView view = {0};
    JsonReader *r = &p->json;
    json_read_open(r, '{');
    while (json_read_key(&key, r))
        if (is(key, "buffer"))
            view.buffer = read_index(r);
        else if (is(key, "byteOffset"))
            view.offset = read_index(r);
        else if (is(key, "byteLength"))
            view.size = read_index(r);
        else if (is(key, "byteStride"))
            view.stride = read_index(r);
        else
            json_read_skip(r);
    *arena_push(p->arena, &p->views) = view;
}

static uint32_t component_count(const char *type)
{
    return is(type, "SCALAR") ? 1 : is(type, "VEC3") ? 3 : is(type, "VEC4") ? 4 : 0;
}

static void read_accessor(Parser *p)
{
    const char *key;
    GltfAccessor a = {.view = NO_INDEX};
    JsonReader *r = &p->json;
    json_read_open(r, '{');
    while (json_read_key(&key, r))
        if (is(key, "bufferView"))
            a.view = read_index(r);
        else if (is(key, "byteOffset"))
            a.offset = read_index(r);
        else if (is(key, "componentType"))
            a.type = read_index(r);
        else if (is(key, "normalized"))
            a.normalized = read_bool(r);
        else if (is(key, "count"))
            a.count = read_index(r);
        else if (is(key, "type"))
            a.components = component_count(json_read_text(r));
        else {
            a.sparse |= is(key, "sparse");
            json_read_skip(r);
        }
    *arena_push(p->arena, &p->accessors) = a;
}

static uint32_t component_size(uint32_t type)
{
    switch (type) {
    case BYTE:
    case UNSIGNED_BYTE:
        return 1;
    case SHORT:
    case UNSIGNED_SHORT:
        return 2;
    case FLOAT:
        return 4;
    default:
        return 0;
    }
}

static float read_component(Reader *r, uint32_t type)
{
    switch (type) {
    case BYTE:
        return fmaxf((float)read_i8(r) / 127, -1);
    case UNSIGNED_BYTE:
        return (float)read_u8(r) / 255;
    case SHORT:
        return fmaxf((float)read_i16(r) / 32767, -1);
    case UNSIGNED_SHORT:
        return (float)read_u16(r) / 65535;
    default:
        return read_f32(r);
    }
}

/* Where the vectors of an accessor are in the binary chunk; false if they are not inside. */
static bool locate(uint64_t *start, uint64_t *stride, const GltfFile *file, const GltfAccessor *a)
{
    const uint64_t each = (uint64_t)component_size(a->type) * a->components;
    const GltfView *view = a->view < file->view_count ? &file->views[a->view] : NULL;
    if (!view || view->buffer || !each || a->sparse || (a->type != FLOAT && !a->normalized))
        return false;
    *stride = view->stride ? view->stride : each;
    *start = view->offset + a->offset;
    return *stride >= each && view->offset + view->size <= file->data.size &&
           (!a->count || a->offset + *stride * (a->count - 1) + each <= view->size);
}

static bool convert(GltfAccessor *a, const GltfFile *file)
{
    uint64_t start, stride;
    if (!locate(&start, &stride, file, a))
        return false;
    *file->loaded += (uint64_t)a->count * a->components;
    if (*file->loaded > file->data.size) /* accessors that overlap */
        return false;
    a->values = arena_array(file->arena, float, (size_t)a->count * a->components + 1);
    for (uint32_t i = 0; i < a->count; i++) {
        Reader r = reader_init(file->data.data + start + stride * i, (size_t)stride);
        if (i + 1 == a->count)
            r.size = (size_t)component_size(a->type) * a->components;
        for (uint32_t k = 0; k < a->components; k++) {
            const float value = read_component(&r, a->type);
            if (!(fabsf(value) <= VMD_MAX_VALUE))
                return false;
            a->values[(size_t)i * a->components + k] = value;
        }
    }
    return true;
}

bool gltf_values(GltfValues *out, const GltfFile *file, uint32_t accessor, uint32_t components,
                 Diag *diag)
{
    GltfAccessor *a = accessor < file->accessor_count ? &file->accessors[accessor] : NULL;
    if (!a || a->components != components || (!a->values && !convert(a, file)))
        return diag_error(
            diag, "accessor %" PRIu32 " is damaged, or of a kind that animations do not have",
            accessor);
    *out = (GltfValues){a->values, a->count};
    return true;
}

/* ---- the file ---- */

static void read_extensions(Parser *p)
{
    read_member(p, "VRMC_vrm_animation", read_vrm_animation);
}

static bool read_json(Parser *p)
{
    static const struct {
        const char *key;
        void (*read)(Parser *p);
    } lists[] = {{"nodes", read_node},
                 {"animations", read_animation},
                 {"bufferViews", read_view},
                 {"accessors", read_accessor}};
    const char *key;
    json_read_open(&p->json, '{');
    while (json_read_key(&key, &p->json)) {
        size_t i = 0;
        while (i < sizeof lists / sizeof *lists && !is(key, lists[i].key))
            i++;
        if (i < sizeof lists / sizeof *lists)
            read_list(p, lists[i].read);
        else if (is(key, "extensions"))
            read_extensions(p);
        else
            json_read_skip(&p->json);
    }
    return !json_read_failed(&p->json);
}

/* The chunks of the file: JSON, then data, which may be missing. */
static bool read_chunks(Bytes *json, Bytes *data, Bytes bytes, Diag *diag)
{
    Reader r = reader_init(bytes.data, bytes.size);
    const uint32_t magic = read_u32(&r), version = read_u32(&r);
    read_u32(&r);
    if (r.failed || magic != 0x46546C67 || version != 2)
        return diag_error(diag, "not a binary glTF file of version 2");
    *json = *data = (Bytes){0};
    while (reader_left(&r)) {
        const uint32_t size = read_u32(&r), kind = read_u32(&r);
        Bytes *chunk = kind == CHUNK_JSON ? json : kind == CHUNK_DATA ? data : NULL;
        const uint8_t *content = read_bytes(&r, size);
        if (r.failed)
            return diag_error(diag, "the file ends inside a chunk");
        if (chunk && !chunk->data)
            *chunk = (Bytes){content, size};
    }
    return json->data || diag_error(diag, "the file has no JSON chunk");
}

bool gltf_read(GltfFile *file, Bytes bytes, Arena *arena, Diag *diag)
{
    parser_enter("gltf");
    Bytes json = {0}, data = {0};
    if (!read_chunks(&json, &data, bytes, diag))
        return false;
    Parser p = {.json = json_read_init(json.data, json.size, arena), .arena = arena};
    if (!read_json(&p))
        return diag_error(diag, "line %u of the JSON text: not as glTF describes",
                          json_read_line(&p.json));
    if (!link_nodes(&p, diag))
        return false;
    *file = (GltfFile){.nodes = p.nodes.items,
                       .node_count = (uint32_t)p.nodes.count,
                       .samplers = p.samplers.items,
                       .sampler_count = p.samplers.count,
                       .channels = p.channels.items,
                       .channel_count = p.channels.count,
                       .bones = p.bones.items,
                       .bone_count = p.bones.count,
                       .accessors = p.accessors.items,
                       .accessor_count = p.accessors.count,
                       .views = p.views.items,
                       .view_count = p.views.count,
                       .data = data,
                       .loaded = arena_array(arena, uint64_t, 1),
                       .arena = arena};
    return true;
}
