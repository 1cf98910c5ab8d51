// SPDX-License-Identifier: MIT
#include "format/gltf/gltf_read.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/parser_entry.h"
#include "base/reader.h"
#include "format/gltf/gltf_packed.h"
#include "format/gltf/gltf_values.h"

enum { CHUNK_JSON = 0x4E4F534A, CHUNK_DATA = 0x004E4942, MAGIC = 0x46546C67, MAX_NODES = 1 << 18 };

/* ---- matrices ---- */

GltfMatrix gltf_matrix_mul(GltfMatrix a, GltfMatrix b)
{
    GltfMatrix out;
    for (int c = 0; c < 4; c++)
        for (int r = 0; r < 3; r++)
            out.m[3 * c + r] = a.m[r] * b.m[3 * c] + a.m[3 + r] * b.m[3 * c + 1] +
                               a.m[6 + r] * b.m[3 * c + 2] + (c == 3 ? a.m[9 + r] : 0);
    return out;
}

Vec3 gltf_matrix_apply(const GltfMatrix *m, Vec3 p)
{
    const double *v = m->m;
    return (Vec3){v[0] * p.x + v[3] * p.y + v[6] * p.z + v[9],
                  v[1] * p.x + v[4] * p.y + v[7] * p.z + v[10],
                  v[2] * p.x + v[5] * p.y + v[8] * p.z + v[11]};
}

GltfMatrix gltf_matrix_of(Vec3 translation, Quat rotation, Vec3 scale)
{
    const Vec3 columns[] = {quat_rotate(rotation, (Vec3){scale.x, 0, 0}),
                            quat_rotate(rotation, (Vec3){0, scale.y, 0}),
                            quat_rotate(rotation, (Vec3){0, 0, scale.z}), translation};
    GltfMatrix out;
    for (int c = 0; c < 4; c++)
        for (int r = 0; r < 3; r++)
            out.m[3 * c + r] = vec3_component(columns[c], r);
    return out;
}

GltfMatrix *gltf_world(const GltfFile *file, Arena *arena)
{
    const uint32_t count = file->node_count;
    GltfMatrix *world = arena_array(arena, GltfMatrix, count);
    uint8_t *state = arena_array(arena, uint8_t, count); /* 1: in the chain; 2: done */
    uint32_t *chain = arena_array(arena, uint32_t, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t size = 0;
        for (int32_t at = (int32_t)i; at >= 0 && !state[at]; at = file->nodes[at].parent) {
            state[at] = 1;
            chain[size++] = (uint32_t)at;
        }
        while (size) {
            const uint32_t at = chain[--size];
            const int32_t parent = file->nodes[at].parent;
            world[at] = parent >= 0 && state[parent] == 2
                            ? gltf_matrix_mul(world[parent], file->nodes[at].local)
                            : file->nodes[at].local;
            state[at] = 2;
        }
    }
    return world;
}

/* ---- URIs ---- */

static int digit(char c, const char *digits)
{
    const char *found = c ? strchr(digits, c) : NULL;
    return found ? (int)(found - digits) : -1;
}

const char *gltf_uri_name(const char *uri, Arena *arena)
{
    static const char hex[] = "0123456789abcdef0123456789ABCDEF";
    char *out = arena_strdup(arena, uri), *to = out;
    for (const char *at = uri; *at; at++) {
        const int high = *at == '%' ? digit(at[1], hex) : -1;
        const int low = high < 0 ? -1 : digit(at[2], hex);
        const char byte = (char)((high & 15) << 4 | (low & 15));
        *to++ = low >= 0 && byte ? byte : *at;
        at += low >= 0 && byte ? 2 : 0;
    }
    *to = '\0';
    return text_from_utf8(out, strlen(out), arena);
}

bool gltf_uri_data(Bytes *out, const char *uri, Arena *arena)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *comma = strncmp(uri, "data:", 5) ? NULL : strchr(uri, ',');
    if (!comma || comma - uri < 7 || strncmp(comma - 7, ";base64", 7) != 0)
        return false;
    const char *text = comma + 1;
    size_t size = strlen(text), count = 0;
    uint8_t *bytes = arena_alloc(arena, size / 4 * 3 + 3);
    uint32_t bits = 0;
    while (size && text[size - 1] == '=')
        size--;
    for (size_t i = 0; i < size; i++) {
        const int value = digit(text[i], digits);
        if (value < 0)
            return false;
        bits = bits << 6 | (uint32_t)value;
        if (i % 4)
            bytes[count++] = (uint8_t)(bits >> (6 - 2 * (i % 4)));
    }
    *out = (Bytes){bytes, count};
    return true;
}

/* ---- nodes ---- */

static bool read_local(GltfNode *node, const JsonValue *json)
{
    double t[3] = {0, 0, 0}, q[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1}, m[16] = {0};
    const JsonValue *matrix = json_member(json, "matrix");
    if (!json_numbers(t, 3, json_member(json, "translation")) ||
        !json_numbers(q, 4, json_member(json, "rotation")) ||
        !json_numbers(s, 3, json_member(json, "scale")) || !json_numbers(m, 16, matrix))
        return false;
    if (matrix) { /* its columns are the rotated axes, scaled */
        const Vec3 x = {m[0], m[1], m[2]}, y = {m[4], m[5], m[6]}, z = {m[8], m[9], m[10]};
        const Vec3 a = vec3_normalize(x), b = vec3_normalize(y), c = vec3_normalize(z);
        t[0] = m[12], t[1] = m[13], t[2] = m[14];
        s[0] = vec3_length(x), s[1] = vec3_length(y), s[2] = vec3_length(z);
        q[0] = copysign(sqrt(fmax(0, 1 + a.x - b.y - c.z)) / 2, b.z - c.y);
        q[1] = copysign(sqrt(fmax(0, 1 - a.x + b.y - c.z)) / 2, c.x - a.z);
        q[2] = copysign(sqrt(fmax(0, 1 - a.x - b.y + c.z)) / 2, a.y - b.x);
        q[3] = sqrt(fmax(0, 1 + a.x + b.y + c.z)) / 2;
    }
    node->translation = (Vec3){t[0], t[1], t[2]};
    node->scale = (Vec3){s[0], s[1], s[2]};
    node->rotation = quat_normalize((Quat){q[0], q[1], q[2], q[3]});
    node->local = gltf_matrix_of(node->translation, node->rotation, node->scale);
    for (int i = 0; matrix && i < 12; i++)
        node->local.m[i] = m[i / 3 * 4 + i % 3];
    for (int i = 0; i < 12; i++)
        if (!(fabs(node->local.m[i]) <= GLTF_MAX_VALUE))
            return false;
    return fabs(quat_dot(node->rotation, node->rotation) - 1) < 1e-6;
}

static bool read_nodes(GltfFile *file, Diag *diag)
{
    const JsonValue *list = json_member(file->root, "nodes");
    file->node_count = json_count(list);
    if (file->node_count > MAX_NODES)
        return diag_error(diag, "%" PRIu32 " nodes (at most %d)", file->node_count, MAX_NODES);
    file->nodes = arena_array(file->arena, GltfNode, file->node_count);
    for (uint32_t i = 0; i < file->node_count; i++) {
        const JsonValue *json = json_item(list, i);
        GltfNode *node = &file->nodes[i];
        *node = (GltfNode){.name = json_string(json_member(json, "name"), ""),
                           .parent = -1,
                           .mesh = json_index(json_member(json, "mesh")),
                           .skin = json_index(json_member(json, "skin"))};
        if (!read_local(node, json))
            return diag_error(diag, "node %" PRIu32 ": a value is out of range", i);
    }
    for (uint32_t i = 0; i < file->node_count; i++) {
        const JsonValue *children = json_member(json_item(list, i), "children");
        for (uint32_t k = 0; k < json_count(children); k++) {
            const int32_t child = json_index(json_item(children, k));
            if (child < 0 || (uint32_t)child >= file->node_count || file->nodes[child].parent >= 0)
                return diag_error(
                    diag, "node %" PRIu32 ": child %" PRId32 " does not exist or has two parents",
                    i, child);
            file->nodes[child].parent = (int32_t)i;
        }
    }
    return true;
}

/* ---- the file ---- */

/* The chunks of a .glb: JSON, then data, which may be missing. */
static bool read_chunks(Bytes *json, Bytes *data, Bytes bytes, Diag *diag)
{
    Reader r = reader_init(bytes.data, bytes.size);
    const uint32_t magic = read_u32(&r), version = read_u32(&r);
    read_u32(&r);
    if (r.failed || magic != MAGIC || version != 2)
        return diag_error(diag, "not a binary glTF file of version 2");
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

/* A file that several buffers name is read once. */
static bool find_buffer(Bytes *out, const GltfFile *file, uint32_t count, const char *uri)
{
    const JsonValue *list = json_member(file->root, "buffers");
    for (uint32_t i = 0; i < count && strncmp(uri, "data:", 5) != 0; i++)
        if (!strcmp(json_string(json_member(json_item(list, i), "uri"), ""), uri)) {
            *out = file->buffers[i];
            return true;
        }
    return false;
}

static bool read_buffers(GltfFile *file, Bytes chunk, const SideFiles *side, Diag *diag)
{
    const JsonValue *list = json_member(file->root, "buffers");
    file->buffer_count = json_count(list);
    file->buffers = arena_array(file->arena, Bytes, file->buffer_count);
    for (uint32_t i = 0; i < file->buffer_count; i++) {
        const JsonValue *json = json_item(list, i);
        const char *uri = json_string(json_member(json, "uri"), NULL);
        const int32_t size = json_index(json_member(json, "byteLength"));
        Bytes *buffer = &file->buffers[i];
        diag_item(diag, "buffer", i);
        if (!uri && !i)
            *buffer = chunk;
        else if (!uri) /* of what is elsewhere in the file, compressed */
            continue;
        else if (find_buffer(buffer, file, i, uri))
            continue;
        else if (strncmp(uri, "data:", 5) != 0 && side->load) {
            if (!side->load(side->user, buffer, gltf_uri_name(uri, file->arena), false, file->arena,
                            diag))
                return false;
        } else if (!gltf_uri_data(buffer, uri, file->arena))
            return diag_error(diag, "no data that can be read");
        if (size < 0 || (size_t)size > buffer->size)
            return diag_error(diag, "byteLength %" PRId32 " is more than its data (0..%zu bytes)",
                              size, buffer->size);
        file->bytes += buffer->size;
    }
    diag_item(diag, NULL, 0);
    return true;
}

/* What an export has to do without, for an extension that is needed to read the file. */
static const char *advice_for(const char *extension)
{
    if (strstr(extension, "texture"))
        return ": export it with PNG, JPEG or WebP images";
    return "";
}

/* The version, and extensions that are needed to read the file and are not read here, by name. */
static bool check_version(const GltfFile *file, Diag *diag)
{
    static const char *const known[] = {"KHR_materials_",
                                        "KHR_lights_",
                                        "KHR_texture_transform",
                                        "KHR_mesh_quantization",
                                        "VRM",
                                        "EXT_texture_webp",
                                        "EXT_mesh_gpu_instancing",
                                        "EXT_meshopt_compression",
                                        "KHR_meshopt_compression",
                                        "KHR_draco_mesh_compression"};
    const char *version =
        json_string(json_member(json_member(file->root, "asset"), "version"), "2.0");
    if (*version != '2')
        return diag_error(diag, "the file is glTF %s, only 2.0 is supported: export it again",
                          version);
    const JsonValue *list = json_member(file->root, "extensionsRequired");
    for (uint32_t i = 0; i < json_count(list); i++) {
        const char *name = json_string(json_item(list, i), "");
        size_t k = 0;
        while (k < sizeof known / sizeof *known && strncmp(name, known[k], strlen(known[k])) != 0)
            k++;
        if (k == sizeof known / sizeof *known)
            return diag_error(diag, "the file needs the extension '%s', which is not supported%s",
                              name, advice_for(name));
    }
    return true;
}

uint64_t gltf_limit(const GltfFile *file, uint64_t most)
{
    enum { FREE = 1 << 20, PER_BYTE = 64 };
    const uint64_t fair = FREE + PER_BYTE * file->bytes;
    return fair < most ? fair : most;
}

bool gltf_read(GltfFile *file, Bytes bytes, const SideFiles *side, Arena *arena, Diag *diag)
{
    parser_enter("gltf");
    Bytes json = {0}, data = {0};
    unsigned line;
    *file = (GltfFile){.arena = arena};
    if (bytes.size >= 4 && !memcmp(bytes.data, "glTF", 4)) {
        if (!read_chunks(&json, &data, bytes, diag))
            return false;
    } else {
        json = bytes;
    }
    if (json.size >= 3 && !memcmp(json.data, "\xEF\xBB\xBF", 3))
        json = (Bytes){json.data + 3, json.size - 3};
    file->bytes = json.size;
    file->root = json_read(&line, json.data, json.size, arena);
    if (!file->root)
        return diag_error(diag, "line %u of the JSON text: not as glTF describes", line);
    if (file->root->kind != JSON_OBJECT)
        return diag_error(diag, "not a glTF file: its JSON text is no object");
    return check_version(file, diag) && read_nodes(file, diag) &&
           read_buffers(file, data, side, diag) && gltf_packed_views(file, diag) &&
           gltf_values_read(file, diag);
}
