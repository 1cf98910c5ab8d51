// SPDX-License-Identifier: MIT
#include "format/model/gltf_mesh.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/text_stream.h"
#include "format/gltf/gltf_packed.h"
#include "math/srgb.h"

enum { TRIANGLES = 4, STRIP, FAN };
enum { MAX_MOVED = 1 << 25 }; /* vectors that morph targets at rest move */

typedef struct Corners { /* three for each triangle: indices of the accessors */
    uint32_t *items;
    uint32_t count;
} Corners;

typedef struct Attributes {
    GltfValues position, normal, uv, color, joints, weights; /* count 0: there is none */
    GltfValues map_uv[PMX_MAPS];
    const GltfMatrix *skin; /* [joint_count], or NULL */
    const int32_t *joint_nodes;
    uint32_t joint_count;
    GltfMatrix world;
} Attributes;

typedef struct Skin {
    GltfMatrix *matrices; /* NULL: not read yet */
    int32_t *nodes;
    uint32_t count;
} Skin;

/* Which vertex of the part an index of the accessors became. */
typedef struct Place {
    uint32_t part, vertex; /* part: number of the part + 1 */
} Place;

typedef struct Reader {
    GltfMeshes *out;
    GltfFile *file;
    bool turned, is_scene;
    Skin *skins;
    uint32_t skin_count;
    Place *places;
    uint32_t place_count, part;
    uint64_t moved; /* by morph targets */
    Arena *scratch;
    Diag *diag;
} Reader;

Vec3 gltf_to_mmd(Vec3 p, bool turned)
{
    const double s = MESH_UNITS_PER_METRE;
    return turned ? (Vec3){-s * p.x, s * p.y, s * p.z} : (Vec3){s * p.x, s * p.y, -s * p.z};
}

/* ---- skins ---- */

static bool read_skin(Skin *skin, const Reader *r, int32_t index)
{
    const JsonValue *json = json_item(json_member(r->file->root, "skins"), (uint32_t)index);
    const JsonValue *joints = json_member(json, "joints");
    const JsonValue *inverse = json_member(json, "inverseBindMatrices");
    GltfValues values = {0};
    skin->count = json_count(joints);
    if (inverse && !gltf_values(&values, r->file, json_index(inverse), 16, r->diag))
        return false;
    if (inverse && values.count < skin->count)
        return diag_error(r->diag, "skin %" PRId32 " has fewer matrices than joints", index);
    skin->matrices = arena_array(r->scratch, GltfMatrix, skin->count);
    skin->nodes = arena_array(r->scratch, int32_t, skin->count);
    for (uint32_t i = 0; i < skin->count; i++) {
        const int32_t node = json_index(json_item(joints, i));
        if (node < 0 || (uint32_t)node >= r->file->node_count)
            return diag_error(r->diag, "skin %" PRId32 ": joint %" PRIu32 " does not exist", index,
                              i);
        skin->nodes[i] = node;
        skin->matrices[i] = r->out->world[node];
        if (inverse) {
            GltfMatrix bind;
            for (size_t k = 0; k < 12; k++)
                bind.m[k] = (double)values.items[(size_t)i * 16 + k / 3 * 4 + k % 3];
            skin->matrices[i] = gltf_matrix_mul(skin->matrices[i], bind);
        }
    }
    return true;
}

static bool use_skin(Attributes *a, Reader *r, int32_t index)
{
    if (index < 0 || !a->joints.count)
        return true;
    if ((uint32_t)index >= r->skin_count)
        return diag_error(r->diag, "skin %" PRId32 " does not exist", index);
    Skin *skin = &r->skins[index];
    if (!skin->matrices && !read_skin(skin, r, index))
        return false;
    a->skin = skin->matrices;
    a->joint_nodes = skin->nodes;
    a->joint_count = skin->count;
    return true;
}

/* ---- vertices ---- */

/* The matrix of a skinned vertex, and its bones; false without any weight. */
static bool blend(GltfMatrix *out, PmxVertex *v, const Attributes *a, uint32_t index)
{
    double sum = 0;
    *out = (GltfMatrix){0};
    for (size_t k = 0; k < 4; k++) {
        const float joint = a->joints.items[(size_t)index * 4 + k];
        const float weight = a->weights.items[(size_t)index * 4 + k];
        if (!(weight > 0) || !(joint >= 0 && joint < (float)a->joint_count))
            continue;
        v->bones[k] = a->joint_nodes[(uint32_t)joint];
        v->weights[k] = weight;
        sum += (double)weight;
        for (int i = 0; i < 12; i++)
            out->m[i] += (double)weight * a->skin[(uint32_t)joint].m[i];
    }
    if (!(sum > 0))
        return false;
    for (int i = 0; i < 12; i++)
        out->m[i] /= sum;
    for (int k = 0; k < 4; k++)
        v->weights[k] = (float)((double)v->weights[k] / sum);
    return true;
}

/* The cofactors of a matrix transform normals; their sign is that of the determinant. */
static Vec3 turn_normal(const GltfMatrix *m, const float n[3], double *determinant)
{
    double c[9];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, k1 = (k + 1) % 3, k2 = (k + 2) % 3;
            c[3 * i + k] =
                m->m[3 * i1 + k1] * m->m[3 * i2 + k2] - m->m[3 * i1 + k2] * m->m[3 * i2 + k1];
        }
    *determinant = m->m[0] * c[0] + m->m[1] * c[1] + m->m[2] * c[2];
    const double sign = *determinant < 0 ? -1 : 1;
    const double x = (double)n[0], y = (double)n[1], z = (double)n[2];
    return vec3_normalize((Vec3){sign * (c[0] * x + c[3] * y + c[6] * z),
                                 sign * (c[1] * x + c[4] * y + c[7] * z),
                                 sign * (c[2] * x + c[5] * y + c[8] * z)});
}

static void set_uv(float out[2], const GltfValues *from, const GltfUv *uv, uint32_t index)
{
    if (!from->count)
        return;
    const double x = (double)from->items[(size_t)index * 2], *m = uv->m;
    const double y = (double)from->items[(size_t)index * 2 + 1];
    out[0] = (float)(m[0] * x + m[1] * y + m[2]);
    out[1] = (float)(m[3] * x + m[4] * y + m[5]);
}

static void add_vertex(Reader *r, const Attributes *a, const GltfMaterial *material, uint32_t index,
                       const float *normal, uint32_t node)
{
    PmxVertex v = {.deform = PMX_BDEF4, .edge_scale = 1};
    GltfMatrix m;
    double determinant;
    if (!a->skin || !blend(&m, &v, a, index)) {
        m = a->skin ? r->out->world[node] : a->world;
        v.bones[0] = (int32_t)node;
        v.weights[0] = 1;
    }
    const Vec3 p = gltf_matrix_apply(&m, vec3_load(a->position.items + (size_t)index * 3));
    vec3_store(v.position, gltf_to_mmd(p, r->turned));
    vec3_store(v.normal,
               vec3_normalize(gltf_to_mmd(turn_normal(&m, normal, &determinant), r->turned)));
    set_uv(v.uv, &a->uv, &material->uv, index);
    float map_uv[2 * PMX_MAPS] = {0};
    for (int k = 0; k < PMX_MAPS; k++)
        set_uv(map_uv + 2 * (size_t)k, &a->map_uv[k], &material->map_uv[k], index);
    float color[4] = {1, 1, 1, 1};
    for (uint32_t k = 0; a->color.count && k < a->color.components; k++) {
        const float value = a->color.items[(size_t)index * a->color.components + k];
        color[k] = k < 3               ? srgb_stored((double)value)
                   : material->blended ? fminf(fmaxf(value, 0), 1)
                                       : (float)(value >= material->shown_from);
    }
    mesh_add_vertex(&r->out->builder, &v, a->color.count ? color : NULL,
                    material->pmx.maps.used ? map_uv : NULL);
}

/* ---- triangles ---- */

static void flat_normal(float out[3], const float *points, const uint32_t corners[3])
{
    Vec3 p[3];
    for (int k = 0; k < 3; k++)
        p[k] = vec3_load(points + (size_t)corners[k] * 3);
    vec3_store(out, vec3_normalize(vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0]))));
}

static bool read_corners(Corners *out, const Reader *r, const JsonValue *primitive, int32_t mode,
                         uint32_t vertex_count)
{
    const JsonValue *indices = json_member(primitive, "indices");
    GltfValues values = {.count = vertex_count};
    if (indices && !gltf_values(&values, r->file, json_index(indices), 1, r->diag))
        return false;
    const uint32_t faces = mode == TRIANGLES  ? values.count / 3
                           : values.count < 3 ? 0
                                              : values.count - 2;
    if (!mesh_check_size(&r->out->builder, 0, (uint64_t)faces * 3, r->diag))
        return false;
    out->count = faces * 3;
    out->items = arena_array(r->scratch, uint32_t, out->count);
    for (uint32_t i = 0; i < out->count; i++) {
        const uint32_t face = i / 3, k = i % 3, odd = mode == STRIP ? face & 1 : 0;
        const uint32_t turned = k == 0 ? 0 : odd ? 3 - k : k;
        const uint32_t at = mode == TRIANGLES ? i : mode == FAN && k == 0 ? 0 : face + turned;
        const float value = indices ? values.items[at] : (float)at;
        if (!(value >= 0 && value < (float)vertex_count))
            return diag_error(r->diag, "index %" PRIu32 " of a mesh is out of range", at);
        out->items[i] = indices ? (uint32_t)value : at;
    }
    return true;
}

static void grow_places(Reader *r, uint32_t count)
{
    if (count <= r->place_count)
        return;
    r->places = arena_array(r->scratch, Place, count);
    r->place_count = count;
}

typedef ARENA_LIST(uint32_t) Sources;

/* The vertex of a corner; without normals each corner has its own. */
static uint32_t vertex_of(Reader *r, Sources *sources, const Attributes *a,
                          const GltfMaterial *material, uint32_t index, const float *flat,
                          uint32_t node)
{
    assert(index < r->place_count && r->places);
    Place *place = &r->places[index];
    if (!flat && place->part == r->part)
        return place->vertex;
    *place = (Place){r->part, (uint32_t)r->out->builder.vertices.count};
    *arena_push(r->scratch, sources) = index;
    add_vertex(r, a, material, index, flat ? flat : a->normal.items + (size_t)index * 3, node);
    return place->vertex;
}

static bool add_part(Reader *r, const Attributes *a, const Corners *corners, uint32_t material,
                     const JsonValue *primitive, uint32_t node)
{
    MeshBuilder *b = &r->out->builder;
    const uint32_t first = (uint32_t)b->vertices.count;
    const uint32_t most =
        corners->count < a->position.count || !a->normal.count ? corners->count : a->position.count;
    const GltfMatrix *m = a->skin && a->joint_count ? &a->skin[0] : &a->world;
    double determinant;
    Sources sources = {0};
    if (!mesh_check_size(b, most, corners->count, r->diag))
        return false;
    turn_normal(m, (const float[3]){0, 0, 1}, &determinant);
    grow_places(r, a->position.count);
    r->part++;
    for (uint32_t i = 0; i < corners->count; i += 3) {
        const uint32_t *c = corners->items + i;
        uint32_t v[3];
        float flat[3];
        if (!a->normal.count)
            flat_normal(flat, a->position.items, c);
        for (int k = 0; k < 3; k++)
            v[k] = vertex_of(r, &sources, a, &r->out->materials[material], c[k],
                             a->normal.count ? NULL : flat, node);
        /* Counterclockwise in the right-handed space of the file, unless it is mirrored. */
        const bool keep = determinant < 0;
        mesh_add_triangle(b, 2 * material + (a->color.count > 0),
                          (uint32_t[]){v[0], v[keep ? 1 : 2], v[keep ? 2 : 1]});
    }
    *arena_push(r->scratch, &r->out->parts) = (GltfPart){.node = node,
                                                         .primitive = primitive,
                                                         .first_vertex = first,
                                                         .vertex_count = (uint32_t)sources.count,
                                                         .source = sources.items,
                                                         .world = *m};
    return true;
}

/* ---- primitives ---- */

/* An attribute of as many vectors as there are positions, or none. */
static bool read_attribute(GltfValues *out, const Reader *r, const JsonValue *attributes,
                           const char *name, uint32_t components, uint32_t count)
{
    const JsonValue *accessor = json_member(attributes, name);
    if (!accessor)
        return true;
    if (!gltf_values(out, r->file, json_index(accessor), components, r->diag))
        return false;
    return (out->count >= count && (components || out->components == 3 || out->components == 4)) ||
           diag_error(r->diag, "attribute %s of a mesh does not fit its positions", name);
}

static bool read_uv(GltfValues *out, const Reader *r, const JsonValue *attributes, uint32_t set,
                    uint32_t count)
{
    char name[24];
    snprintf(name, sizeof name, "TEXCOORD_%" PRIu32, set);
    return read_attribute(out, r, attributes, name, 2, count);
}

static bool read_attributes(Attributes *a, const Reader *r, const JsonValue *primitive,
                            const GltfMaterial *material)
{
    const JsonValue *list = json_member(primitive, "attributes");
    if (!gltf_values(&a->position, r->file, json_index(json_member(list, "POSITION")), 3, r->diag))
        return false;
    const uint32_t count = a->position.count;
    if (!read_attribute(&a->normal, r, list, "NORMAL", 3, count) ||
        !read_uv(&a->uv, r, list, material->uv.set, count) ||
        !read_attribute(&a->color, r, list, "COLOR_0", 0, count) ||
        !read_attribute(&a->joints, r, list, "JOINTS_0", 4, count) ||
        !read_attribute(&a->weights, r, list, "WEIGHTS_0", 4, count))
        return false;
    for (int k = 0; k < PMX_MAPS; k++)
        if (material->pmx.maps.textures[k] >= 0 &&
            !read_uv(&a->map_uv[k], r, list, material->map_uv[k].set, count))
            return false;
    if (!a->weights.count)
        a->joints.count = 0;
    return true;
}

/* Adds a morph target, as far as it has this attribute. */
static bool move(GltfValues *values, Reader *r, const JsonValue *target, const char *name,
                 float weight)
{
    GltfValues offsets = {0};
    const size_t count = (size_t)values->count * values->components;
    if (!read_attribute(&offsets, r, target, name, 3, values->count))
        return false;
    if (!values->items || !offsets.items)
        return true; /* there is no such attribute */
    r->moved += values->count;
    if (r->moved > gltf_limit(r->file, MAX_MOVED))
        return diag_error(r->diag, "morph targets move more than %" PRIu64 " vectors",
                          gltf_limit(r->file, MAX_MOVED));
    float *sums = arena_array(r->scratch, float, count);
    for (size_t i = 0; i < count; i++)
        sums[i] = values->items[i] + weight * offsets.items[i];
    values->items = sums;
    return true;
}

/* Morph targets as the node shows them at rest.  Those of a VRM avatar follow its expressions. */
static bool move_to_rest(Attributes *a, Reader *r, const JsonValue *primitive, uint32_t node)
{
    const JsonValue *json = json_item(json_member(r->file->root, "nodes"), node);
    const JsonValue *mesh =
        json_item(json_member(r->file->root, "meshes"), (uint32_t)r->file->nodes[node].mesh);
    const JsonValue *own = json_member(json, "weights");
    const JsonValue *weights = own ? own : json_member(mesh, "weights");
    const JsonValue *targets = json_member(primitive, "targets");
    for (uint32_t i = 0; r->is_scene && i < json_count(targets); i++) {
        const float weight = (float)fmin(fmax(json_number(json_item(weights, i), 0), -1e3), 1e3);
        const JsonValue *target = json_item(targets, i);
        if (weight != 0 && (!move(&a->position, r, target, "POSITION", weight) ||
                            !move(&a->normal, r, target, "NORMAL", weight)))
            return false;
    }
    return true;
}

/* Where a node shows its mesh: once, or at each instance of EXT_mesh_gpu_instancing. */
typedef struct Instances {
    const GltfMatrix *world;
    uint32_t count;
} Instances;

static bool add_primitive(Reader *r, uint32_t node, const Instances *at, const JsonValue *primitive)
{
    const JsonValue *mode_json = json_member(primitive, "mode");
    const int32_t mode = mode_json ? json_index(mode_json) : TRIANGLES;
    const uint32_t material_count = json_count(json_member(r->file->root, "materials"));
    const int32_t material = json_index(json_member(primitive, "material"));
    const uint32_t used =
        material >= 0 && (uint32_t)material < material_count ? (uint32_t)material : material_count;
    Attributes a = {.world = r->out->world[node]};
    Corners corners;
    bool good;
    if (mode < TRIANGLES || mode > FAN) {
        r->out->left_out++;
        return true;
    }
    good = gltf_packed_primitive(r->file, primitive, r->diag) &&
           read_attributes(&a, r, primitive, &r->out->materials[used]) &&
           move_to_rest(&a, r, primitive, node) && use_skin(&a, r, r->file->nodes[node].skin) &&
           read_corners(&corners, r, primitive, mode, a.position.count);
    for (uint32_t i = 0; good && corners.count && i < (a.skin ? 1 : at->count); i++) {
        a.world = at->world[i];
        good = add_part(r, &a, &corners, used, primitive, node);
    }
    return good;
}

/* One of the vectors of each instance; false after an error. */
static bool read_instanced(GltfValues *out, uint32_t *count, const Reader *r,
                           const JsonValue *attributes, const char *name, uint32_t components)
{
    const JsonValue *accessor = json_member(attributes, name);
    if (!accessor)
        return true;
    if (!gltf_values(out, r->file, json_index(accessor), components, r->diag))
        return false;
    if (*count != UINT32_MAX && *count != out->count)
        return diag_error(r->diag, "attribute %s of instances does not fit the others", name);
    *count = out->count;
    return true;
}

static bool read_instances(Instances *out, const Reader *r, uint32_t node)
{
    const JsonValue *json = json_item(json_member(r->file->root, "nodes"), node);
    const JsonValue *extension =
        json_member(json_member(json, "extensions"), "EXT_mesh_gpu_instancing");
    const JsonValue *attributes = json_member(extension, "attributes");
    GltfValues move = {0}, turn = {0}, scale = {0};
    uint32_t count = UINT32_MAX;
    *out = (Instances){&r->out->world[node], 1};
    if (!read_instanced(&move, &count, r, attributes, "TRANSLATION", 3) ||
        !read_instanced(&turn, &count, r, attributes, "ROTATION", 4) ||
        !read_instanced(&scale, &count, r, attributes, "SCALE", 3))
        return false;
    if (count == UINT32_MAX)
        return true;
    GltfMatrix *world = arena_array(r->scratch, GltfMatrix, count);
    for (size_t i = 0; i < count; i++) {
        const float *q = turn.count ? turn.items + 4 * i : (const float[]){0, 0, 0, 1};
        const Vec3 t = move.count ? vec3_load(move.items + 3 * i) : (Vec3){0, 0, 0};
        const Vec3 s = scale.count ? vec3_load(scale.items + 3 * i) : (Vec3){1, 1, 1};
        const Quat turned = {(double)q[0], (double)q[1], (double)q[2], (double)q[3]};
        world[i] =
            gltf_matrix_mul(r->out->world[node], gltf_matrix_of(t, quat_normalize(turned), s));
    }
    *out = (Instances){world, count};
    return true;
}

static bool add_node(Reader *r, uint32_t node)
{
    const int32_t mesh = r->file->nodes[node].mesh;
    if (mesh < 0)
        return true;
    const JsonValue *json = json_item(json_member(r->file->root, "meshes"), (uint32_t)mesh);
    const JsonValue *primitives = json_member(json, "primitives");
    if (!json)
        return diag_error(r->diag, "node %" PRIu32 ": mesh %" PRId32 " does not exist", node, mesh);
    Instances at;
    if (!read_instances(&at, r, node))
        return false;
    for (uint32_t i = 0; i < json_count(primitives); i++)
        if (!add_primitive(r, node, &at, json_item(primitives, i)))
            return false;
    return true;
}

/* ---- the scene ---- */

/* [node_count] which nodes the default scene shows; without scenes all. */
static bool *find_shown(const GltfFile *file, Arena *scratch)
{
    const JsonValue *scenes = json_member(file->root, "scenes");
    const int32_t number = json_index(json_member(file->root, "scene"));
    const JsonValue *roots =
        json_member(json_item(scenes, number < 0 ? 0 : (uint32_t)number), "nodes");
    bool *shown = arena_array(scratch, bool, file->node_count);
    uint32_t *stack = arena_array(scratch, uint32_t, file->node_count);
    uint32_t size = 0;
    for (uint32_t i = 0; i < file->node_count && !json_count(scenes); i++)
        shown[i] = true;
    for (uint32_t i = 0; i < json_count(roots); i++) {
        const int32_t root = json_index(json_item(roots, i));
        if (root < 0 || (uint32_t)root >= file->node_count || shown[root])
            continue;
        shown[root] = true;
        stack[size++] = (uint32_t)root;
        while (size) { /* a node has one parent, so it is on the stack at most once */
            const JsonValue *json = json_item(json_member(file->root, "nodes"), stack[--size]);
            const JsonValue *children = json_member(json, "children");
            for (uint32_t k = 0; k < json_count(children); k++) {
                const int32_t child = json_index(json_item(children, k));
                if (shown[child])
                    continue;
                shown[child] = true;
                stack[size++] = (uint32_t)child;
            }
        }
    }
    return shown;
}

static void set_materials(GltfMeshes *out, uint32_t count, Arena *scratch)
{
    MeshBuilder *b = &out->builder;
    b->material_count = 2 * (count + 1);
    b->materials = arena_array(scratch, MeshMaterial, b->material_count);
    for (uint32_t i = 0; i < b->material_count; i++) {
        b->materials[i].pmx = out->materials[i / 2].pmx;
        b->materials[i].order = out->materials[i / 2].blended;
        if (i % 2)
            b->materials[i].pmx.flags |= PMX_VERTEX_COLOR;
    }
}

bool gltf_meshes_read(GltfMeshes *out, GltfFile *file, bool turned, const bool *hidden,
                      Arena *scratch, Diag *diag)
{
    *out = (GltfMeshes){.builder = {.bytes = file->bytes, .scratch = scratch},
                        .world = gltf_world(file, scratch)};
    Reader r = {.out = out,
                .file = file,
                .turned = turned,
                .is_scene = !hidden,
                .skin_count = json_count(json_member(file->root, "skins")),
                .scratch = scratch,
                .diag = diag};
    r.skins = arena_array(scratch, Skin, r.skin_count);
    out->materials =
        gltf_materials(file, &out->builder, r.is_scene ? MESH_LAMBERT : MESH_TOON, diag);
    if (!out->materials)
        return false;
    set_materials(out, json_count(json_member(file->root, "materials")), scratch);
    const bool *shown = find_shown(file, scratch);
    for (uint32_t i = 0; i < file->node_count; i++)
        if (shown[i] && !(hidden && hidden[i]) && !add_node(&r, i))
            return false;
    return true;
}

void gltf_meshes_keep(GltfMeshes *meshes, Arena *arena)
{
    MeshBuilder *b = &meshes->builder;
    for (size_t i = 0; i < b->textures.count; i++) {
        PmxTexture *texture = &b->textures.items[i];
        texture->name = arena_strdup(arena, texture->name);
        if (texture->embedded.data)
            texture->embedded.data =
                arena_copy(arena, texture->embedded.data, texture->embedded.size);
    }
    for (uint32_t i = 0; i < b->material_count; i++)
        b->materials[i].pmx.name = arena_strdup(arena, b->materials[i].pmx.name);
}

/* ---- what is not used ---- */

static void write_ignored(FILE *out, const char **separator, uint32_t count, const char *what)
{
    if (!count)
        return;
    fprintf(out, "%s%" PRIu32 " %s%s", *separator, count, what, count > 1 ? "s" : "");
    *separator = ", ";
}

static uint32_t count_members(const JsonValue *list, const char *section, const char *key)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < json_count(list); i++) {
        const JsonValue *item = json_item(list, i);
        count += json_member(section ? json_member(item, section) : item, key) != NULL;
    }
    return count;
}

const char *gltf_ignored(const GltfFile *file, const GltfMeshes *meshes, Arena *arena)
{
    const JsonValue *root = file->root, *materials = json_member(root, "materials");
    const JsonValue *lights =
        json_member(json_member(json_member(root, "extensions"), "KHR_lights_punctual"), "lights");
    TextStream stream;
    const char *separator = "";
    uint32_t transmission = 0;
    FILE *out = text_stream_open(&stream, arena);
    write_ignored(out, &separator, count_members(materials, NULL, "normalTexture"), "normal map");
    write_ignored(out, &separator,
                  count_members(materials, "pbrMetallicRoughness", "metallicRoughnessTexture"),
                  "roughness map");
    for (uint32_t i = 0; i < json_count(materials); i++)
        transmission += json_member(json_member(json_member(json_item(materials, i), "extensions"),
                                                "KHR_materials_transmission"),
                                    "transmissionTexture") != NULL;
    write_ignored(out, &separator, transmission, "transmission map");
    write_ignored(out, &separator, json_count(lights), "light");
    write_ignored(out, &separator, json_count(json_member(root, "cameras")), "camera");
    write_ignored(out, &separator, json_count(json_member(root, "animations")), "animation");
    write_ignored(out, &separator, meshes->left_out, "point or line primitive");
    const char *text = text_stream_close(&stream);
    return *text ? text : NULL;
}
