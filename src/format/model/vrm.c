// SPDX-License-Identifier: MIT
#include "format/model/vrm.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/text_stream.h"
#include "base/units.h"
#include "format/model/gltf_mesh.h"
#include "format/model/pmx_repair.h"
#include "format/model/vrm_bones.h"
#include "format/model/vrm_facing.h"
#include "format/model/vrm_morphs.h"
#include "format/model/vrm_mtoon.h"
#include "format/model/vrm_rig.h"
#include "format/model/vrm_springs.h"
#include "math/srgb.h"

/* ---- node constraints ---- */

enum { MAX_CONSTRAINTS = 4096 };

/* A rotation of the file (VRM 1.0) in the space of MMD, which mirrors z. */
static Quat mirrored(Quat q)
{
    return (Quat){-q.x, -q.y, q.z, q.w};
}

/* [node_count] of each node in the world of the file at rest, in the space of MMD. */
static Quat *world_rotations(const VrmFigure *f)
{
    Quat *out = arena_array(f->scratch, Quat, f->file->node_count);
    for (uint32_t i = 0; i < f->bones->order_count; i++) {
        const uint32_t node = f->bones->order[i];
        const int32_t parent = f->file->nodes[node].parent;
        const Quat own = mirrored(f->file->nodes[node].rotation);
        out[node] = parent < 0 ? own : quat_normalize(quat_mul(out[parent], own));
    }
    return out;
}

static Quat turned(const VrmFigure *f, const Quat *world, int32_t node)
{
    const VrmTurn *turn = &f->bones->turn[f->bones->arm_of[node]];
    const Quat arm = quat_from_axis_angle((Vec3){0, 0, 1}, atan2(turn->sine, turn->cosine));
    return quat_mul(arm, world[node]);
}

static VrmNodeRest rest_of(const VrmFigure *f, const Quat *world, int32_t node)
{
    const int32_t parent = f->file->nodes[node].parent;
    VrmNodeRest rest = {.bone = f->bones->bone_of[node],
                        .parent = parent < 0 ? -1 : f->bones->bone_of[parent]};
    quat_store(rest.local, mirrored(f->file->nodes[node].rotation));
    quat_store(rest.world, turned(f, world, node));
    quat_store(rest.parent_world, parent < 0 ? QUAT_IDENTITY : turned(f, world, parent));
    return rest;
}

/* "X" for a roll, "PositiveX" or "NegativeX" for an aim; others are "X" and "PositiveX". */
static void read_axis(float out[3], const JsonValue *name)
{
    const char *text = json_string(name, "X");
    const size_t size = strlen(text);
    const char last = size ? text[size - 1] : 'X';
    const float sign = text[0] == 'N' ? -1 : 1;
    memset(out, 0, 3 * sizeof *out);
    if (last == 'Z')
        out[2] = -sign;
    else
        out[last == 'Y'] = sign;
}

static bool read_constraint(VrmConstraint *out, const VrmFigure *f, const Quat *world,
                            uint32_t node)
{
    static const struct {
        const char *name, *axis;
    } kinds[] = {{"roll", "rollAxis"}, {"aim", "aimAxis"}, {"rotation", ""}};
    const JsonValue *json = json_item(json_member(f->file->root, "nodes"), node), *found = NULL;
    json = json_member(json_member(json, "extensions"), "VRMC_node_constraint");
    json = json_member(json, "constraint");
    for (uint8_t k = VRM_ROLL; k <= VRM_ROTATION && !found; k++) {
        found = json_member(json, kinds[k].name);
        out->kind = k;
    }
    const int32_t source = json_index(json_member(found, "source"));
    const int32_t above = f->file->nodes[node].parent;
    if (above >= 0 && f->bones->bone_of[above] == f->bones->bone_of[node])
        return false; /* a node without a bone of its own */
    if (!found || source < 0 || (uint32_t)source >= f->file->node_count ||
        (uint32_t)source == node || f->bones->bone_of[node] == 0)
        return false;
    out->node = rest_of(f, world, (int32_t)node);
    out->source = rest_of(f, world, source);
    out->weight = (float)fmin(fmax(json_number(json_member(found, "weight"), 1), 0), 1);
    read_axis(out->axis, json_member(found, kinds[out->kind].axis));
    return true;
}

/* Sets the constraints of the rig, from VRMC_node_constraint of its nodes. */
static bool vrm_constraints_read(VrmRig *rig, const VrmFigure *figure)
{
    ARENA_LIST(VrmConstraint) list = {0};
    if (figure->older)
        return true;
    const Quat *world = world_rotations(figure);
    for (uint32_t i = 0; i < figure->bones->order_count; i++) {
        VrmConstraint constraint;
        if (!read_constraint(&constraint, figure, world, figure->bones->order[i]))
            continue;
        if (list.count >= MAX_CONSTRAINTS)
            return diag_error(figure->diag, "more than %d node constraints", MAX_CONSTRAINTS);
        *arena_push(figure->arena, &list) = constraint;
    }
    rig->constraints = list.items;
    rig->constraint_count = (uint32_t)list.count;
    return true;
}

/* ---- the look ---- */

enum { MAX_OFFSET = 1000 }; /* metres */

/* Whether the figure looks by expressions rather than by bones; then sets where the middle of its
 * eyes is in the space of the head.  extension: VRM or VRMC_vrm */
static bool vrm_looks_by_expressions(Vec3 *eyes, const JsonValue *extension, bool older)
{
    const JsonValue *json = json_member(extension, older ? "firstPerson" : "lookAt");
    const char *type = json_string(json_member(json, older ? "lookAtTypeName" : "type"), "");
    const JsonValue *offset =
        json_member(json, older ? "firstPersonBoneOffset" : "offsetFromHeadBone");
    double v[3] = {0, 0.06, 0};
    for (int k = 0; k < 3 && older; k++)
        v[k] = json_number(json_member(offset, (const char[]){(char)('x' + k), '\0'}), v[k]);
    if (older)
        v[2] = -v[2]; /* counted in the other direction */
    else
        json_numbers(v, 3, offset);
    for (int k = 0; k < 3; k++)
        v[k] = fmin(fmax(v[k], -MAX_OFFSET), MAX_OFFSET);
    *eyes = (Vec3){v[0], v[1], v[2]};
    return !strcmp(type, older ? "BlendShape" : "expression");
}

static int32_t find_bone(const PmxModel *model, const char *name)
{
    return text_find(TEXT_NAMES(PmxBone, name, model->bones, model->bone_count), name);
}

/* Looking to a side has the map of the eye that looks outwards. */
static const struct {
    const char *preset, *older_preset; /* of the expression */
    const char *map, *older_map;
} directions[VRM_DIRECTIONS] = {
    {"lookLeft", "lookleft", "rangeMapHorizontalOuter", "lookAtHorizontalOuter"},
    {"lookRight", "lookright", "rangeMapHorizontalOuter", "lookAtHorizontalOuter"},
    {"lookDown", "lookdown", "rangeMapVerticalDown", "lookAtVerticalDown"},
    {"lookUp", "lookup", "rangeMapVerticalUp", "lookAtVerticalUp"}};

/* The expression of a preset; morphs are in the order of the file. */
static int32_t find_expression(const VrmFigure *f, const char *preset)
{
    const JsonValue *list =
        f->older ? json_member(json_member(f->extension, "blendShapeMaster"), "blendShapeGroups")
                 : json_member(json_member(f->extension, "expressions"), "preset");
    for (uint32_t i = 0; i < json_count(list) && i < f->model->morph_count; i++) {
        const JsonValue *json = json_item(list, i);
        const char *name = f->older ? json_string(json_member(json, "presetName"), "") : json->key;
        if (name && !strcmp(name, preset))
            return (int32_t)i;
    }
    return -1;
}

/* No morphs if it looks by bones. */
static void vrm_look_read(VrmLookAt *look, const VrmFigure *f)
{
    Vec3 eyes;
    const bool on = vrm_looks_by_expressions(&eyes, f->extension, f->older);
    const JsonValue *json = json_member(f->extension, f->older ? "firstPerson" : "lookAt");
    look->both = find_bone(f->model, "両目");
    look->eye[0] = find_bone(f->model, "左目");
    look->eye[1] = find_bone(f->model, "右目");
    for (int k = 0; k < VRM_DIRECTIONS; k++) {
        const JsonValue *map =
            json_member(json, f->older ? directions[k].older_map : directions[k].map);
        const double angle =
            json_number(json_member(map, f->older ? "xRange" : "inputMaxValue"), 90);
        const double most = json_number(json_member(map, f->older ? "yRange" : "outputScale"), 1);
        look->morph[k] =
            on ? find_expression(f, f->older ? directions[k].older_preset : directions[k].preset)
               : -1;
        look->range[k] = (float)(fmin(fmax(angle, 0.01), 180) * RADIANS);
        look->most[k] = (float)fmin(fmax(most, 0), 1);
    }
}

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
    for (uint32_t i = 0; i < model->bone_count; i++) {
        model->bones[i].name = arena_strdup(v->arena, model->bones[i].name);
        model->bones[i].name_en = arena_strdup(v->arena, model->bones[i].name_en);
    }
    gltf_meshes_keep(&v->meshes, v->arena);
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
