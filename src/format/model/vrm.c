// SPDX-License-Identifier: MIT
#include "format/model/vrm.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/text_stream.h"
#include "format/model/gltf_mesh.h"
#include "format/model/pmx_repair.h"
#include "format/model/vrm_bones.h"
#include "format/model/vrm_constraints.h"
#include "format/model/vrm_facing.h"
#include "format/model/vrm_look.h"
#include "format/model/vrm_morphs.h"
#include "format/model/vrm_mtoon.h"
#include "format/model/vrm_springs.h"
#include "math/srgb.h"

enum {
    TOON_SIZE = 32, /* rows of a toon texture; BMP rows have four bytes for its one pixel */
    BMP_HEADER = 54
};

typedef struct Vrm {
    GltfFile file;
    GltfMeshes meshes;
    VrmBones bones;
    const JsonValue *extension;
    bool older; /* VRM 0.x */
    Arena *arena, *scratch;
    Diag *diag;
} Vrm;

/* ---- who made it, and what is allowed ---- */

static void write_fact(FILE *out, const char *title, const JsonValue *value)
{
    if (json_count(value) && value->kind == JSON_LIST)
        for (uint32_t i = 0; i < value->count; i++)
            write_fact(out, title, json_item(value, i));
    else if (value && value->kind == JSON_BOOL)
        fprintf(out, "%s: %s\n", title, value->number != 0 ? "yes" : "no");
    else if (*json_string(value, ""))
        fprintf(out, "%s: %s\n", title, json_string(value, ""));
}

static void read_meta(PmxModel *model, const Vrm *v)
{
    static const struct {
        const char *title, *key, *older; /* "" where a version has none */
    } facts[] = {{"author", "authors", "author"},
                 {"copyright", "copyrightInformation", ""},
                 {"contact", "contactInformation", "contactInformation"},
                 {"reference", "references", "reference"},
                 {"licence", "licenseUrl", "licenseName"},
                 {"other licence", "otherLicenseUrl", "otherLicenseUrl"},
                 {"other permissions", "thirdPartyLicenses", "otherPermissionUrl"},
                 {"avatar may be used by", "avatarPermission", "allowedUserName"},
                 {"commercial use", "commercialUsage", "commercialUssageName"},
                 {"violent use", "allowExcessivelyViolentUsage", "violentUssageName"},
                 {"sexual use", "allowExcessivelySexualUsage", "sexualUssageName"},
                 {"political or religious use", "allowPoliticalOrReligiousUsage", ""},
                 {"antisocial or hateful use", "allowAntisocialOrHateUsage", ""},
                 {"credit", "creditNotation", ""},
                 {"redistribution", "allowRedistribution", ""},
                 {"modification", "modification", ""}};
    const JsonValue *meta = json_member(v->extension, "meta");
    TextStream stream;
    FILE *out = text_stream_open(&stream, v->arena);
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        write_fact(out, facts[i].title,
                   json_member(meta, v->older ? facts[i].older : facts[i].key));
    model->comment = text_stream_close(&stream);
    model->name =
        arena_strdup(v->arena, json_string(json_member(meta, v->older ? "title" : "name"), ""));
    model->name_en = model->comment_en = "";
}

/* ---- materials ---- */

/* A picture of two colors: white where light falls, the ratio of the shade below; or one where
 * light grows with the cosine of the angle to it. */
static Bytes make_toon(const uint8_t shade[3], bool smooth, Arena *arena)
{
    const uint32_t size = BMP_HEADER + TOON_SIZE * 4;
    uint8_t *bmp = arena_alloc(arena, size);
    const uint32_t fields[][2] = {{2, size},       {10, BMP_HEADER},   {14, 40},           {18, 1},
                                  {22, TOON_SIZE}, {26, 1 | 24 << 16}, {34, TOON_SIZE * 4}};
    memcpy(bmp, "BM", 2);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        for (uint32_t k = 0; k < 4; k++)
            bmp[fields[i][0] + k] = (uint8_t)(fields[i][1] >> (8 * k));
    for (uint32_t row = 0; row < TOON_SIZE; row++) { /* from the bottom; blue first */
        const double cosine = 2.0 * row / (TOON_SIZE - 1) - 1;
        const double lit = cosine < 0 ? 0 : smooth ? cosine : 1;
        for (uint32_t k = 0; k < 3; k++)
            bmp[BMP_HEADER + 4 * row + k] =
                (uint8_t)(shade[2 - k] + (255 - shade[2 - k]) * lit + 0.5);
    }
    return (Bytes){bmp, size};
}

/* MMD's shading: the color of the file in the light, that of the shade by a toon texture.  MToon
 * has it for effects of MMD; others are shaded as scenes are. */
static void set_style(PmxMaterial *m, const GltfMaterial *from, Vrm *v)
{
    uint8_t shade[3];
    m->flags |= PMX_GROUND_SHADOW | PMX_CAST_SHADOW;
    if (!m->mtoon && from->is_unlit)
        return;
    for (int k = 0; k < 3; k++) {
        const double lit = m->mtoon ? (double)m->diffuse[k] : 1;
        const double dark = m->mtoon ? (double)srgb_stored((double)m->mtoon->shade[k]) : 0.6;
        shade[k] = (uint8_t)(255 * fmin(fmax(lit > 0.01 ? dark / lit : 1, 0), 1) + 0.5);
    }
    m->toon = mesh_add_texture(&v->meshes.builder,
                               (PmxTexture){.name = arena_printf(v->scratch, "shade %d %d %d",
                                                                 shade[0], shade[1], shade[2]),
                                            .embedded = make_toon(shade, !m->mtoon, v->scratch)});
}

static bool set_materials(Vrm *v)
{
    MeshBuilder *b = &v->meshes.builder;
    const JsonValue *older = json_member(v->extension, "materialProperties");
    for (uint32_t i = 0; i + 1 < b->material_count; i += 2) {
        MeshMaterial *material = &b->materials[i];
        if (!vrm_mtoon_set(material, &v->file, b, i / 2, v->older ? json_item(older, i / 2) : NULL,
                           v->arena, v->diag))
            return false;
        set_style(&material->pmx, &v->meshes.materials[i / 2], v);
        const uint8_t flags = material->pmx.flags;
        b->materials[i + 1].pmx = material->pmx;
        b->materials[i + 1].order = material->order;
        b->materials[i + 1].pmx.flags = flags | PMX_VERTEX_COLOR;
    }
    return true;
}

/* ---- meshes ---- */

/* [node_count] the nodes whose meshes only the wearer of a headset sees. */
static bool *find_hidden(const Vrm *v)
{
    const GltfFile *file = &v->file;
    const JsonValue *list =
        json_member(json_member(v->extension, "firstPerson"), "meshAnnotations");
    bool *hidden = arena_array(v->scratch, bool, file->node_count);
    const uint32_t mesh_count = json_count(json_member(file->root, "meshes"));
    bool *meshes = arena_array(v->scratch, bool, mesh_count);
    for (uint32_t i = 0; i < json_count(list); i++) {
        const JsonValue *item = json_item(list, i);
        const char *type =
            json_string(json_member(item, v->older ? "firstPersonFlag" : "type"), "");
        const int32_t index = json_index(json_member(item, v->older ? "mesh" : "node"));
        if (!text_equal_ignoring_case(type, "firstPersonOnly") || index < 0)
            continue;
        if (v->older && (uint32_t)index < mesh_count)
            meshes[index] = true;
        if (!v->older && (uint32_t)index < file->node_count)
            hidden[index] = true;
    }
    for (uint32_t i = 0; i < file->node_count; i++) {
        const int32_t mesh = file->nodes[i].mesh;
        hidden[i] |= mesh >= 0 && (uint32_t)mesh < mesh_count && meshes[mesh];
    }
    return hidden;
}

/* Moves a weight of an arm to the bones that have their part of its twist. */
static void share_twist(PmxVertex *v, int k, const VrmTwist *t)
{
    const Vec3 along = vec3_sub(t->to, t->from);
    const double square = vec3_dot(along, along);
    const double part = vec3_dot(vec3_sub(vec3_load(v->position), t->from), along);
    const double place = VRM_TWIST_PARTS * fmin(fmax(square > 0 ? part / square : 0, 0), 1);
    const int first = (int)place;
    const int32_t bones[] = {t->arm, t->twist + 1, t->twist + 2, t->twist + 3, t->twist, t->twist};
    int other = 0;
    while (other < PMX_MAX_WEIGHTS && v->weights[other] > 0)
        other++;
    if (other == PMX_MAX_WEIGHTS) {
        v->bones[k] = bones[(int)(place + 0.5)];
        return;
    }
    v->bones[k] = bones[first];
    v->bones[other] = bones[first + 1];
    v->weights[other] = v->weights[k] * (float)(place - first);
    v->weights[k] -= v->weights[other];
}

/* The vertex in the A-pose, with bones instead of nodes. */
static void turn_vertex(PmxVertex *vertex, const VrmBones *bones)
{
    const Vec3 p = vec3_load(vertex->position), n = vec3_load(vertex->normal);
    Vec3 position = {0, 0, 0}, normal = {0, 0, 0};
    for (int k = 0; k < PMX_MAX_WEIGHTS; k++) {
        const double weight = (double)vertex->weights[k];
        const int32_t node = vertex->bones[k];
        if (!(weight > 0))
            continue;
        position = vec3_add(position, vec3_scale(vrm_turn_point(bones, node, p), weight));
        normal = vec3_add(normal, vec3_scale(vrm_turn_direction(bones, node, n), weight));
        vertex->bones[k] = bones->bone_of[node];
    }
    vec3_store(vertex->position, position);
    vec3_store(vertex->normal, vec3_normalize(normal));
    for (uint32_t i = 0; i < bones->twist_count; i++)
        for (int k = 0; k < PMX_MAX_WEIGHTS; k++)
            if (vertex->weights[k] > 0 && vertex->bones[k] == bones->twists[i].arm) {
                share_twist(vertex, k, &bones->twists[i]);
                break;
            }
}

static void keep_texts(PmxModel *model, Vrm *v)
{
    for (uint32_t i = 0; i < model->bone_count; i++) {
        model->bones[i].name = arena_strdup(v->arena, model->bones[i].name);
        model->bones[i].name_en = arena_strdup(v->arena, model->bones[i].name_en);
    }
    gltf_meshes_keep(&v->meshes, v->arena);
}

static void add_ignored(PmxModel *model, const Vrm *v, uint32_t expressions)
{
    const char *first = gltf_ignored(&v->file, &v->meshes, v->arena);
    const char *text = first ? first : "";
    if (expressions)
        text = arena_printf(v->arena, "%s%smaterials in %" PRIu32 " expression%s", text,
                            *text ? ", " : "", expressions, expressions > 1 ? "s" : "");
    model->ignored = *text ? text : NULL;
}

static bool read_rig(PmxModel *model, VrmRig *rig, const Vrm *v)
{
    const VrmFigure figure = {.file = &v->file,
                              .world = v->meshes.world,
                              .bones = &v->bones,
                              .model = model,
                              .extension = v->extension,
                              .older = v->older,
                              .arena = v->arena,
                              .scratch = v->scratch,
                              .diag = v->diag};
    model->rig = rig;
    vrm_look_read(&rig->look_at, &figure);
    return vrm_springs_read(rig, &figure) && vrm_constraints_read(rig, &figure);
}

static bool load(PmxModel *model, Vrm *v, Bytes bytes, const SideFiles *side)
{
    VrmRig *rig = arena_array(v->arena, VrmRig, 1);
    uint32_t expressions;
    Vec3 eyes;
    if (!gltf_read(&v->file, bytes, side, v->scratch, v->diag))
        return false;
    const JsonValue *extensions = json_member(v->file.root, "extensions");
    const JsonValue *newer = json_member(extensions, "VRMC_vrm");
    v->older = !newer;
    v->extension = newer ? newer : json_member(extensions, "VRM");
    const JsonValue *humanoid = json_member(json_member(v->extension, "humanoid"), "humanBones");
    if (!v->extension)
        return diag_error(v->diag, "the file has neither VRMC_vrm nor VRM: it is no avatar");
    const char **human = vrm_bones_name_nodes(&v->file, humanoid, v->older, v->arena, v->diag);
    if (!human)
        return false;
    vrm_facing_correct(&v->file, human, v->older, v->scratch, v->diag);
    if (!gltf_meshes_read(&v->meshes, &v->file, v->older, find_hidden(v), v->scratch, v->diag))
        return false;
    *model = (PmxModel){.version = 2.0f};
    read_meta(model, v);
    if (!set_materials(v) ||
        !vrm_bones_make(model, &v->bones, &v->file, v->meshes.world, human, v->older,
                        vrm_looks_by_expressions(&eyes, v->extension, v->older) ? &eyes : NULL,
                        v->arena, v->diag) ||
        !vrm_morphs_make(model, rig, &expressions, &v->file, &v->meshes, &v->bones, v->extension,
                         v->older, v->arena, v->diag) ||
        !read_rig(model, rig, v))
        return false;
    for (size_t i = 0; i < v->meshes.builder.vertices.count; i++)
        turn_vertex(&v->meshes.builder.vertices.items[i], &v->bones);
    keep_texts(model, v);
    mesh_finish(model, &v->meshes.builder, v->arena);
    add_ignored(model, v, expressions);
    pmx_repair(model, v->arena, v->diag);
    return true;
}

bool vrm_load(PmxModel *model, Bytes bytes, const SideFiles *side, Arena *arena, Diag *diag)
{
    Vrm v = {.arena = arena, .scratch = arena_create(), .diag = diag};
    const bool good = load(model, &v, bytes, side);
    arena_destroy(v.scratch);
    return good;
}
