// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "convert/export/avatar_material.h"
#include "convert/export/avatar_springs.h"
#include "convert/export/export_formats.h"
#include "convert/export/gltf_document.h"
#include "format/model/vrm_names.h"

typedef struct Expression {
    uint32_t morph;
    const VrmPreset *preset; /* NULL: a custom one */
} Expression;

typedef struct Writer {
    const PmxModel *from;
    const Model *model;
    AvatarRig rig;
    AvatarSprings springs;
    AvatarMaterial *materials; /* [material_count] */
    ARENA_LIST(Expression) expressions;
    float *weights; /* [morph_count] of the expression that is written */
    Arena *arena;
} Writer;

/* ---- who made it, and what is allowed ---- */

static bool is_colon(const char *at, size_t *size)
{
    static const char *const colons[] = {":", "：", "=", "＝"};
    for (size_t i = 0; i < sizeof colons / sizeof *colons; i++)
        if (!strncmp(at, colons[i], strlen(colons[i]))) {
            *size = strlen(colons[i]);
            return true;
        }
    return false;
}

/* What a line of the comment says after a word for the author. */
static const char *author_in(const char *comment, Arena *arena)
{
    static const char *const words[] = {"author", "作者",       "製作者",     "制作者",
                                        "製作",   "制作",       "モデル製作", "モデル制作",
                                        "作成者", "created by", "modeled by", "model by"};
    for (const char *line = comment; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const char *at = line + strspn(line, " \t\r*");
        size_t size;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            const size_t length = strlen(words[i]);
            if (strncasecmp(at, words[i], length) != 0)
                continue;
            const char *after = at + length + strspn(at + length, " \t");
            if (!is_colon(after, &size))
                continue;
            after += size + strspn(after + size, " \t");
            const char *name = arena_strndup(arena, after, strcspn(after, "\r\n"));
            if (*name)
                return name;
        }
    }
    return NULL;
}

static const char *find_author(const Writer *w)
{
    const char *author = author_in(w->from->comment, w->arena);
    author = author ? author : author_in(w->from->comment_en, w->arena);
    return author ? author : "unknown";
}

/* The strictest values: what the author allows is in the comment, at best. */
static void write_meta(Json *json, const Writer *w)
{
    const char *name = *w->from->name ? w->from->name : "model", *author = find_author(w);
    if (w->rig.version == VRM_0) {
        json_print(json, "meta:{title:%s version:'1' author:%s contactInformation:'' reference:%s",
                   name, author, w->from->comment);
        json_print(json, "texture:%d allowedUserName:'OnlyAuthor' violentUssageName:'Disallow'",
                   -1);
        json_print(json, "sexualUssageName:'Disallow' commercialUssageName:'Disallow'");
        json_print(json, "licenseName:'Redistribution_Prohibited' otherPermissionUrl:'' "
                         "otherLicenseUrl:''}");
        return;
    }
    json_print(json, "meta:{name:%s version:'1' authors:[%s]", name, author);
    if (*w->from->comment)
        json_print(json, "copyrightInformation:%s", w->from->comment);
    json_print(json, "licenseUrl:'https://vrm.dev/licenses/1.0/' avatarPermission:'onlyAuthor'");
    json_print(json, "allowExcessivelyViolentUsage:false allowExcessivelySexualUsage:false "
                     "allowPoliticalOrReligiousUsage:false allowAntisocialOrHateUsage:false");
    json_print(json, "commercialUsage:'personalNonProfit' creditNotation:'required' "
                     "allowRedistribution:false modification:'prohibited'}");
}

/* ---- the humanoid ---- */

static void write_humanoid(Json *json, const Writer *w, const GltfPlaces *places)
{
    const bool older = w->rig.version == VRM_0;
    json_print(json, older ? "humanoid:{humanBones:[" : "humanoid:{humanBones:{");
    for (uint32_t i = 0; i < w->rig.pmx.bone_count; i++) {
        const char *human = w->rig.human[i];
        if (!human)
            continue;
        if (older)
            json_print(json, "{bone:%s node:%d useDefaultValues:true}", human,
                       places->first_bone + (int)i);
        else {
            json_key(json, human);
            json_print(json, "{node:%d}", places->first_bone + (int)i);
        }
    }
    json_print(json, older ? "]}" : "}}");
}

static int32_t node_of_human(const Writer *w, const char *human)
{
    return text_find(TEXT_WORDS(w->rig.human, w->rig.pmx.bone_count), human);
}

/* The middle of the eyes, in metres from the head; 6 cm above it where there are none. */
static bool find_eyes(float out[3], const Writer *w)
{
    const PmxBone *bones = w->rig.pmx.bones;
    const int32_t head = node_of_human(w, "head");
    const int32_t left = node_of_human(w, "leftEye"), right = node_of_human(w, "rightEye");
    const bool both = left >= 0 && right >= 0;
    Vec3 at = {0, 0.06 / (double)GLTF_SCALE, 0};
    if (both)
        at = vec3_sub(
            vec3_lerp(vec3_load(bones[left].position), vec3_load(bones[right].position), 0.5),
            vec3_load(bones[head].position));
    vec3_store(out, at);
    gltf_point(out, (float[3]){out[0], out[1], out[2]});
    return both;
}

static void write_look(Json *json, const Writer *w)
{
    static const char *const ranges[] = {"HorizontalInner", "HorizontalOuter", "VerticalDown",
                                         "VerticalUp"};
    const bool older = w->rig.version == VRM_0;
    float eyes[3];
    const bool has_eyes = find_eyes(eyes, w);
    if (!has_eyes && !older)
        return;
    json_print(json, older ? "lookAtTypeName:'Bone'" : "lookAt:{type:'bone'");
    if (!older) {
        json_key(json, "offsetFromHeadBone");
        json_floats(json, eyes, 3);
    }
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        json_key(json, arena_printf(w->arena, older ? "lookAt%s" : "rangeMap%s", ranges[i]));
        json_print(json, older ? "{curve:[0 0 0 1 1 1 1 0] xRange:90 yRange:10}"
                               : "{inputMaxValue:90 outputScale:10}");
    }
    if (!older)
        json_print(json, "}");
}

static void write_first_person(Json *json, const Writer *w, const GltfPlaces *places)
{
    const bool older = w->rig.version == VRM_0;
    json_print(json, "firstPerson:{");
    if (older) {
        float eyes[3];
        find_eyes(eyes, w);
        json_print(json, "firstPersonBone:%d firstPersonBoneOffset:{x:%.9g y:%.9g z:%.9g}",
                   places->first_bone + node_of_human(w, "head"), (double)eyes[0], (double)eyes[1],
                   -(double)eyes[2]); /* places outside of glTF are left-handed in VRM 0.x */
        write_look(json, w);
    }
    json_print(json, "meshAnnotations:[");
    for (size_t i = 0; i < places->meshes->count; i++)
        if (older)
            json_print(json, "{mesh:%d firstPersonFlag:'Auto'}", (int)i);
        else
            json_print(json, "{node:%d type:'auto'}", places->first_mesh + (int)i);
    json_print(json, "]}");
    if (!older)
        write_look(json, w);
}

/* ---- expressions ---- */

typedef struct NamedMorph {
    const char *name;
    uint32_t index;
} NamedMorph;

static int compare_names(const void *a, const void *b)
{
    const NamedMorph *left = a, *right = b;
    const int order = strcmp(left->name, right->name);
    return order ? order : (left->index > right->index) - (left->index < right->index);
}

/* Morphs that move vertices, the first one of each name. */
static void find_expressions(Writer *w, Diag *diag)
{
    const uint32_t count = w->from->morph_count;
    NamedMorph *names = arena_array(w->arena, NamedMorph, count);
    bool *repeated = arena_array(w->arena, bool, count);
    uint32_t omitted = 0;
    for (uint32_t i = 0; i < count; i++)
        names[i] = (NamedMorph){w->from->morphs[i].name, i};
    if (count)
        qsort(names, count, sizeof *names, compare_names);
    for (uint32_t i = 1; i < count; i++)
        repeated[names[i].index] = !strcmp(names[i].name, names[i - 1].name);
    for (uint32_t i = 0; i < count; i++) {
        const PmxMorph *morph = &w->from->morphs[i];
        const bool moves = morph->type == PMX_MORPH_VERTEX || morph->type == PMX_MORPH_GROUP;
        if (moves && !repeated[i] && *morph->name)
            *arena_push(w->arena, &w->expressions) =
                (Expression){i, vrm_preset_of_morph(morph->name)};
        omitted += !moves;
    }
    if (omitted)
        diag_note(diag,
                  "%u morph%s of bones, materials, texture coordinates or bodies, which the "
                  "expressions of a VRM file do not have",
                  omitted, omitted > 1 ? "s" : "");
}

/* Sets the weights with which an expression moves morphs of vertices, or to 0 again. */
static void set_weights(const Writer *w, uint32_t expression, bool on)
{
    const PmxMorph *from = &w->from->morphs[expression];
    if (from->type == PMX_MORPH_VERTEX)
        w->weights[expression] = on;
    for (uint32_t i = 0; i < from->count && from->type == PMX_MORPH_GROUP; i++) {
        const int32_t morph = from->offsets.group[i].morph;
        if (morph >= 0)
            w->weights[morph] = on ? w->weights[morph] + from->offsets.group[i].ratio : 0;
    }
}

static void write_binds(Json *json, const Writer *w, const GltfPlaces *places, uint32_t expression)
{
    const bool older = w->rig.version == VRM_0;
    json_print(json, older ? "binds:[" : "morphTargetBinds:[");
    set_weights(w, expression, true);
    for (size_t i = 0; i < places->meshes->count; i++) {
        const GltfMesh *mesh = &places->meshes->items[i];
        for (uint32_t k = 0; k < mesh->morph_count; k++) {
            const double weight = fmin((double)w->weights[mesh->morphs[k]], 1);
            if (weight > 0 && older)
                json_print(json, "{mesh:%d index:%u weight:%.9g}", (int)i, k, 100 * weight);
            else if (weight > 0)
                json_print(json, "{node:%d index:%u weight:%.9g}", places->first_mesh + (int)i, k,
                           weight);
        }
    }
    set_weights(w, expression, false);
    json_print(json, "]");
}

static void write_expressions(Json *json, const Writer *w, const GltfPlaces *places)
{
    json_print(json, "expressions:{");
    for (int custom = 0; custom < 2; custom++) {
        json_print(json, custom ? "custom:{" : "preset:{");
        for (size_t i = 0; i < w->expressions.count; i++) {
            const Expression *e = &w->expressions.items[i];
            if (custom == (e->preset != NULL))
                continue;
            json_key(json, e->preset ? e->preset->name : w->from->morphs[e->morph].name);
            json_print(json, "{");
            write_binds(json, w, places, e->morph);
            json_print(json, "}");
        }
        json_print(json, "}");
    }
    json_print(json, "}");
}

static void write_groups(Json *json, const Writer *w, const GltfPlaces *places)
{
    json_print(json, "blendShapeMaster:{blendShapeGroups:[");
    for (size_t i = 0; i < w->expressions.count; i++) {
        const Expression *e = &w->expressions.items[i];
        const bool known = e->preset && *e->preset->older;
        json_print(json, "{name:%s presetName:%s",
                   known ? e->preset->older : w->from->morphs[e->morph].name,
                   known ? e->preset->older : "unknown");
        write_binds(json, w, places, e->morph);
        json_print(json, "materialValues:[] isBinary:false}");
    }
    json_print(json, "]}");
}

/* ---- spring bones ---- */

static double metres(float units)
{
    return (double)units * (double)GLTF_SCALE;
}

static void write_collider(Json *json, const AvatarCollider *collider, int first_bone)
{
    const float(*e)[3] = collider->ends;
    const bool sphere = e[0][0] == e[1][0] && e[0][1] == e[1][1] && e[0][2] == e[1][2];
    float ends[2][3];
    for (int end = 0; end < 2; end++)
        gltf_point(ends[end], collider->ends[end]);
    json_print(json, "{node:%d shape:{", first_bone + collider->node);
    json_print(json, sphere ? "sphere:{" : "capsule:{");
    json_key(json, "offset");
    json_floats(json, ends[0], 3);
    json_print(json, "radius:%.9g", metres(collider->radius));
    if (!sphere) {
        json_key(json, "tail");
        json_floats(json, ends[1], 3);
    }
    json_print(json, "}}}");
}

static void write_springs(Json *json, const Writer *w, int first_bone)
{
    const AvatarSprings *s = &w->springs;
    int groups[16], group_count = 0; /* number of each group of MMD; -1: without a collider */
    json_print(json, "VRMC_springBone:{specVersion:'1.0'");
    json_print(json, s->colliders.count ? "colliders:[" : "");
    for (size_t i = 0; i < s->colliders.count; i++)
        write_collider(json, &s->colliders.items[i], first_bone);
    json_print(json, s->colliders.count ? "] colliderGroups:[" : "");
    for (int g = 0; g < 16; g++) {
        groups[g] = -1;
        for (size_t i = 0; i < s->colliders.count; i++) {
            if (s->colliders.items[i].group != g)
                continue;
            if (groups[g] < 0) {
                groups[g] = group_count++;
                json_print(json, "{name:%s colliders:[", arena_printf(w->arena, "group %d", g + 1));
            }
            json_int(json, (int64_t)i);
        }
        json_print(json, groups[g] < 0 ? "" : "]}");
    }
    json_print(json, s->colliders.count ? "] springs:[" : "springs:[");
    for (size_t i = 0; i < s->springs.count; i++) {
        const AvatarSpring *spring = &s->springs.items[i];
        bool hits = false;
        json_print(json, "\n{name:%s joints:[", spring->name);
        for (uint32_t k = 0; k < spring->count; k++) {
            const AvatarJoint *joint = &s->joints.items[spring->first + k];
            json_print(json, "{node:%d", first_bone + joint->node);
            if (k + 1 < spring->count)
                json_print(json, "hitRadius:%.9g stiffness:%.9g gravityPower:%.9g dragForce:%.9g",
                           metres(joint->radius), (double)joint->stiffness, (double)joint->gravity,
                           (double)joint->drag);
            json_print(json, "}");
        }
        json_print(json, "]");
        for (int g = 0; g < 16; g++) {
            if (groups[g] < 0 || !(spring->mask >> g & 1))
                continue;
            json_print(json, hits ? "" : "colliderGroups:[");
            hits = true;
            json_int(json, groups[g]);
        }
        json_print(json, hits ? "]}" : "}");
    }
    json_print(json, "]}");
}

/* VRM 0.x knows spheres only: a capsule becomes a row of them, half a radius apart. */
static void write_spheres(Json *json, const AvatarCollider *collider)
{
    enum { MAX_SPHERES = 9 };
    const Vec3 from = vec3_load(collider->ends[0]), to = vec3_load(collider->ends[1]);
    const double length = vec3_length(vec3_sub(to, from)), step = (double)collider->radius / 2;
    const int count = length < step * MAX_SPHERES ? 1 + (int)(length / step) : MAX_SPHERES;
    for (int i = 0; i < count; i++) {
        float at[3];
        vec3_store(at, vec3_lerp(from, to, count > 1 ? (double)i / (count - 1) : 0.5));
        gltf_point(at, (float[3]){at[0], at[1], at[2]});
        json_print(json, "{offset:{x:%.9g y:%.9g z:%.9g} radius:%.9g}", (double)at[0],
                   (double)at[1], -(double)at[2], metres(collider->radius));
    }
}

/* All bones below the first one of a group swing in VRM 0.x, so a branch is no group of its own. */
static bool is_branch(const Writer *w, const AvatarSpring *spring)
{
    const AvatarJoint *joints = w->springs.joints.items;
    const int32_t parent = w->rig.pmx.bones[joints[spring->first].node].parent;
    for (size_t i = 0; i < w->springs.joints.count; i++)
        if (joints[i].node == parent)
            return true;
    return false;
}

static void write_secondary(Json *json, const Writer *w, int first_bone)
{
    const AvatarSprings *s = &w->springs;
    json_print(json, "secondaryAnimation:{boneGroups:[");
    for (size_t i = 0; i < s->springs.count; i++) {
        const AvatarSpring *spring = &s->springs.items[i];
        const AvatarJoint *joint = &s->joints.items[spring->first];
        if (is_branch(w, spring))
            continue;
        json_print(json, "\n{comment:%s stiffiness:%.9g gravityPower:%.9g dragForce:%.9g",
                   spring->name, (double)joint->stiffness, (double)joint->gravity,
                   (double)joint->drag);
        json_print(json, "gravityDir:{x:0 y:%d z:0} center:%d hitRadius:%.9g bones:[%d]", -1, -1,
                   metres(joint->radius), first_bone + joint->node);
        json_print(json, "colliderGroups:[");
        for (size_t k = 0; k < s->colliders.count; k++)
            if (spring->mask >> s->colliders.items[k].group & 1)
                json_int(json, (int64_t)k);
        json_print(json, "]}");
    }
    json_print(json, "] colliderGroups:[");
    for (size_t i = 0; i < s->colliders.count; i++) {
        json_print(json, "{node:%d colliders:[", first_bone + s->colliders.items[i].node);
        write_spheres(json, &s->colliders.items[i]);
        json_print(json, "]}");
    }
    json_print(json, "]}");
}

/* ---- the document ---- */

/* The images of MToon that glTF's own materials do not have. */
static bool add_images(void *user, GltfImages *images)
{
    Writer *w = user;
    for (uint32_t i = 0; i < w->from->material_count; i++) {
        AvatarMaterial *m = &w->materials[i];
        for (size_t k = 0; k < MTOON_TEXTURES; k++)
            if (!gltf_image(&m->images[k], images, m->toon.textures[k]))
                return false;
    }
    return true;
}

static const AvatarMaterial *material_of(const Writer *w, const GltfMesh *mesh)
{
    return &w->materials[mesh->material - w->rig.pmx.materials];
}

static void write_material(Json *json, const void *user, const GltfMesh *mesh)
{
    const Writer *w = user;
    if (w->rig.version == VRM_1)
        avatar_material_write(json, material_of(w, mesh), mesh);
}

/* Bones that follow others in part, as MMD's append transforms; not those of the humanoid. */
static void write_bone(Json *json, const void *user, uint32_t node)
{
    const Writer *w = user;
    const AvatarRig *rig = &w->rig;
    const int32_t bone = rig->bone_of[node];
    if (bone < 0 || rig->human[node] || rig->version == VRM_0)
        return;
    const PmxBone *from = &w->from->bones[bone];
    const int32_t source = from->append_source;
    if (!(from->flags & PMX_BONE_APPEND_ROTATION) || source < 0 || !(from->append_ratio > 0) ||
        from->append_ratio > 1 || rig->bone_of[rig->node_of[source]] != source || source == bone)
        return;
    json_print(json,
               "extensions:{VRMC_node_constraint:{specVersion:'1.0' "
               "constraint:{rotation:{source:%d weight:%.9g}}}}",
               1 + rig->node_of[source], (double)from->append_ratio);
}

static void write_document(Json *json, const void *user, const GltfPlaces *places)
{
    const Writer *w = user;
    const bool older = w->rig.version == VRM_0;
    json_print(json, older ? "VRM:{specVersion:'0.0' exporterVersion:'odori'"
                           : "VRMC_vrm:{specVersion:'1.0'");
    write_meta(json, w);
    write_humanoid(json, w, places);
    write_first_person(json, w, places);
    if (!older) {
        write_expressions(json, w, places);
        json_print(json, "}");
        if (w->springs.springs.count)
            write_springs(json, w, places->first_bone);
        return;
    }
    write_groups(json, w, places);
    write_secondary(json, w, places->first_bone);
    json_print(json, "materialProperties:[");
    for (size_t i = 0; i < places->meshes->count; i++)
        avatar_material_write_older(json, material_of(w, &places->meshes->items[i]),
                                    &places->meshes->items[i]);
    json_print(json, "]}");
}

static void make_materials(Writer *w)
{
    const uint32_t count = w->from->material_count;
    w->rig.pmx.materials =
        arena_copy(w->arena, w->from->materials, count * sizeof *w->from->materials);
    w->materials = arena_array(w->arena, AvatarMaterial, count);
    int queue = 0;
    for (uint32_t i = 0; i < count; i++) {
        w->materials[i].toon = avatar_toon(w->model, i);
        w->materials[i].queue = queue < 9 ? queue++ : queue;
    }
    avatar_toon_light(w->rig.pmx.materials, w->model);
}

bool export_vrm(Bytes *out, const SceneModel *model, VrmVersion version, Arena *arena, Diag *diag)
{
    static const char *const names[] = {"VRMC_vrm", "VRMC_materials_mtoon", "VRMC_springBone",
                                        "VRMC_node_constraint", NULL};
    static const char *const older_names[] = {"VRM", NULL};
    Writer w = {.from = &model->model->pmx, .model = model->model, .arena = arena};
    w.weights = arena_array(arena, float, w.from->morph_count);
    const GltfExtension extension = {version == VRM_1 ? names : older_names,
                                     &w,
                                     add_images,
                                     write_bone,
                                     write_material,
                                     write_document};
    diag_file(diag, model->model->file);
    if (!avatar_rig_make(&w.rig, w.from, version, arena, diag))
        return false;
    avatar_springs_make(&w.springs, &w.rig, arena);
    make_materials(&w);
    find_expressions(&w, diag);
    diag_file(diag, NULL);

    Model rig_model = *model->model;
    SceneModel scene_model = *model;
    Placement placement = PLACEMENT_NONE;
    bool visible = true;
    rig_model.pmx = w.rig.pmx;
    scene_model.model = &rig_model;
    CapturedModel rest = {
        .model = &scene_model,
        .bones = arena_array(arena, LocalPose, w.rig.pmx.bone_count),
        .leaf_weights = arena_array(arena, float, w.from->morph_count),
        .placements = &placement,
        .visible = &visible,
    };
    for (uint32_t i = 0; i < w.rig.pmx.bone_count; i++)
        rest.bones[i].rotation[3] = 1;
    const Capture capture = {.frame_count = 1, .models = &rest, .model_count = 1};
    return gltf_document(out, &capture, w.from->name, &extension, arena, diag);
}
