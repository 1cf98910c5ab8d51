// SPDX-License-Identifier: MIT
#include "convert/export/avatar_rig.h"

#include <string.h>

#include "base/text.h"
#include "format/model/vrm_names.h"
#include "scene/model.h"

/* About the axis z, through a point. */
typedef struct AvatarTurn {
    Vec3 pivot;
    double sine, cosine;
} AvatarTurn;

typedef struct Maker {
    AvatarRig *rig;
    const PmxModel *from;
    const char **human; /* [bone_count] of the model */
    bool *carries;      /* [bone_count] vertices or bodies */
    bool *above;        /* [bone_count] ancestors of the two halves of the body */
    const uint32_t *parents_first;
    Arena *arena;
    Diag *diag;
} Maker;

static int32_t find_bone(const PmxModel *pmx, const char *name)
{
    return text_find(TEXT_NAMES(PmxBone, name, pmx->bones, pmx->bone_count), name);
}

/* ---- which bones are nodes ---- */

static bool find_humans(Maker *m)
{
    static const char *const required[] = {"下半身", "上半身", "頭",     "左腕",   "右腕",
                                           "左ひじ", "右ひじ", "左手首", "右手首", "左足",
                                           "右足",   "左ひざ", "右ひざ", "左足首", "右足首"};
    for (size_t i = 0; i < sizeof required / sizeof *required; i++)
        if (find_bone(m->from, required[i]) < 0)
            return diag_fail(m->diag, DIAG_DATA, "there is no bone '%s', which a VRM requires",
                             required[i]);
    for (uint32_t i = 0; i < m->from->bone_count; i++) {
        const char *name = m->from->bones[i].name;
        const bool older = m->rig->version == VRM_0;
        const char *human = vrm_find_human(name, older, m->arena);
        if (!human || find_bone(m->from, name) != (int32_t)i)
            continue;
        const char *usual = vrm_name_bone(human, older, m->arena);
        if (!strcmp(usual, name) || find_bone(m->from, usual) < 0)
            m->human[i] = human;
    }
    return true;
}

static void find_carriers(Maker *m)
{
    const PmxModel *pmx = m->from;
    for (uint32_t i = 0; i < pmx->vertex_count; i++)
        for (int k = 0; k < PMX_MAX_WEIGHTS; k++)
            if (pmx->vertices[i].weights[k] > 0 && pmx->vertices[i].bones[k] >= 0)
                m->carries[pmx->vertices[i].bones[k]] = true;
    for (uint32_t i = 0; i < pmx->body_count; i++)
        if (pmx->bodies[i].mode != PMX_FOLLOW_BONE && pmx->bodies[i].bone >= 0)
            m->carries[pmx->bodies[i].bone] = true;
    static const char *const halves[] = {"下半身", "上半身"};
    for (size_t i = 0; i < 2; i++)
        for (int32_t at = pmx->bones[find_bone(pmx, halves[i])].parent; at >= 0;
             at = pmx->bones[at].parent)
            m->above[at] = true;
}

/* Whether a bone only repeats the turn of a limb (足D), whose node carries its vertices. */
static bool repeats_source(const Maker *m, const PmxBone *bone)
{
    const int32_t source = bone->append_source;
    return bone->flags & PMX_BONE_APPEND_ROTATION && source >= 0 && bone->append_ratio == 1 &&
           m->human[source] &&
           vec3_length(vec3_sub(vec3_load(bone->position),
                                vec3_load(m->from->bones[source].position))) < 1e-3;
}

/* [bone_count] the bone whose node carries what each one carries.  Parts of limbs that twist
 * belong to the limb, the centers to the hips. */
static int32_t *find_nodes(const Maker *m, int32_t hips)
{
    int32_t *out = arena_array(m->arena, int32_t, m->from->bone_count);
    for (uint32_t i = 0; i < m->from->bone_count; i++) {
        const uint32_t at = m->parents_first[i];
        const PmxBone *bone = &m->from->bones[at];
        if (m->human[at])
            out[at] = (int32_t)at;
        else if (repeats_source(m, bone))
            out[at] = bone->append_source;
        else if (m->carries[at] && !m->above[at] && !strstr(bone->name, "捩"))
            out[at] = (int32_t)at;
        else
            out[at] = bone->parent < 0 ? hips : out[bone->parent];
    }
    return out;
}

/* ---- the T-pose ---- */

/* The arms become horizontal by a turn about their first joint (format/model/README.md 9). */
static void find_turns(Maker *m)
{
    static const char *const names[][2] = {{"左腕", "左手首"}, {"右腕", "右手首"}};
    const PmxModel *pmx = m->from;
    m->rig->turns = arena_array(m->arena, AvatarTurn, pmx->bone_count);
    for (uint32_t i = 0; i < pmx->bone_count; i++) {
        const uint32_t at = m->parents_first[i];
        const int32_t parent = pmx->bones[at].parent;
        m->rig->turns[at] = parent < 0 ? (AvatarTurn){.cosine = 1} : m->rig->turns[parent];
        for (size_t side = 0; side < 2; side++) {
            const int32_t hand = find_bone(pmx, names[side][1]);
            if (!m->human[at] || strcmp(pmx->bones[at].name, names[side][0]) != 0)
                continue;
            const Vec3 pivot = vec3_load(pmx->bones[at].position);
            const Vec3 along = vec3_sub(vec3_load(pmx->bones[hand].position), pivot);
            const double angle = atan2(-along.y, fabs(along.x)) * (along.x < 0 ? -1 : 1);
            m->rig->turns[at] = (AvatarTurn){pivot, sin(angle), cos(angle)};
        }
    }
}

Vec3 avatar_rig_direction(const AvatarRig *rig, int32_t bone, Vec3 v)
{
    const AvatarTurn *t = &rig->turns[bone];
    const double x = t->cosine * v.x - t->sine * v.y, y = t->sine * v.x + t->cosine * v.y;
    return rig->version == VRM_0 ? (Vec3){-x, y, -v.z} : (Vec3){x, y, v.z};
}

Vec3 avatar_rig_point(const AvatarRig *rig, int32_t bone, Vec3 point)
{
    const Vec3 p = rig->turns[bone].pivot;
    const Vec3 base = rig->version == VRM_0 ? (Vec3){-p.x, p.y, -p.z} : p;
    return vec3_add(base, avatar_rig_direction(rig, bone, vec3_sub(point, p)));
}

/* ---- nodes ---- */

/* The hips are between the legs and the place about which both halves of the body turn. */
static Vec3 place_of(const Maker *m, int32_t bone)
{
    const PmxModel *pmx = m->from;
    const Vec3 at = vec3_load(pmx->bones[bone].position);
    if (!m->human[bone] || strcmp(m->human[bone], "hips") != 0)
        return at;
    const Vec3 left = vec3_load(pmx->bones[find_bone(pmx, "左足")].position);
    const Vec3 right = vec3_load(pmx->bones[find_bone(pmx, "右足")].position);
    return vec3_lerp(at, vec3_lerp(left, right, 0.5), 0.5);
}

static void add_nodes(Maker *m)
{
    AvatarRig *rig = m->rig;
    const uint32_t count = m->from->bone_count;
    const int32_t hips = find_bone(m->from, "下半身");
    const int32_t *carrier = find_nodes(m, hips);
    int32_t *own = arena_array(m->arena, int32_t, count);
    rig->pmx.bones = arena_array(m->arena, PmxBone, 2 * (size_t)count); /* and ends of chains */
    rig->pmx.bone_count = 0;
    rig->human = arena_array(m->arena, const char *, 2 * (size_t)count);
    rig->bone_of = arena_array(m->arena, int32_t, 2 * (size_t)count);
    rig->node_of = arena_array(m->arena, int32_t, count);
    for (uint32_t i = 0; i < count; i++) {
        own[i] = PMX_NONE;
        if (carrier[i] != (int32_t)i)
            continue;
        const uint32_t node = rig->pmx.bone_count++;
        own[i] = (int32_t)node;
        rig->human[node] = m->human[i];
        rig->bone_of[node] = (int32_t)i;
        PmxBone *bone = &rig->pmx.bones[node];
        *bone = (PmxBone){.name = m->from->bones[i].name,
                          .name_en = m->from->bones[i].name_en,
                          .tail_bone = PMX_NONE,
                          .append_source = PMX_NONE,
                          .ik.effector = PMX_NONE};
        vec3_store(bone->position, avatar_rig_point(rig, (int32_t)i, place_of(m, (int32_t)i)));
    }
    for (uint32_t i = 0; i < count; i++)
        rig->node_of[i] = own[carrier[i]];
    for (uint32_t node = 0; node < rig->pmx.bone_count; node++) {
        const int32_t bone = rig->bone_of[node], parent = m->from->bones[bone].parent;
        const bool spine = m->human[bone] && !strcmp(m->human[bone], "spine");
        rig->pmx.bones[node].parent = bone == hips          ? PMX_NONE
                                      : spine || parent < 0 ? own[hips]
                                                            : rig->node_of[parent];
    }
}

/* A damaged model can have a limb below a bone that repeats it: such a node is moved to the hips.
 */
static void cut_loops(Maker *m)
{
    PmxModel *pmx = &m->rig->pmx;
    const int32_t hips = m->rig->node_of[find_bone(m->from, "下半身")];
    uint32_t *walk = arena_array(m->arena, uint32_t, pmx->bone_count); /* that met a node, from 1 */
    for (uint32_t i = 0; i < pmx->bone_count; i++) {
        int32_t at = (int32_t)i;
        while (at >= 0 && !walk[at]) {
            const int32_t parent = pmx->bones[at].parent;
            walk[at] = i + 1;
            if (parent >= 0 && walk[parent] == i + 1)
                pmx->bones[at].parent = at == hips ? PMX_NONE : hips;
            at = pmx->bones[at].parent;
        }
    }
}

/* ---- vertices and morphs ---- */

static void move_vertices(Maker *m)
{
    const PmxModel *from = m->from;
    PmxVertex *vertices = arena_array(m->arena, PmxVertex, from->vertex_count);
    for (uint32_t i = 0; i < from->vertex_count; i++) {
        const PmxVertex *v = &from->vertices[i];
        const Vec3 p = vec3_load(v->position), n = vec3_load(v->normal);
        Vec3 position = {0, 0, 0}, normal = {0, 0, 0};
        vertices[i] = *v;
        vertices[i].deform = PMX_BDEF4;
        for (int k = 0; k < PMX_MAX_WEIGHTS; k++) {
            const double weight = (double)v->weights[k];
            if (!(weight > 0) || v->bones[k] < 0)
                continue;
            position =
                vec3_add(position, vec3_scale(avatar_rig_point(m->rig, v->bones[k], p), weight));
            normal =
                vec3_add(normal, vec3_scale(avatar_rig_direction(m->rig, v->bones[k], n), weight));
            vertices[i].bones[k] = m->rig->node_of[v->bones[k]];
        }
        vec3_store(vertices[i].position, position);
        vec3_store(vertices[i].normal, vec3_normalize(normal));
    }
    m->rig->pmx.vertices = vertices;
}

static Vec3 moved_offset(const Maker *m, const PmxVertexOffset *offset)
{
    const PmxVertex *v = &m->from->vertices[offset->vertex];
    Vec3 out = {0, 0, 0};
    for (int k = 0; k < PMX_MAX_WEIGHTS; k++)
        if (v->weights[k] > 0 && v->bones[k] >= 0)
            out = vec3_add(out, vec3_scale(avatar_rig_direction(m->rig, v->bones[k],
                                                                vec3_load(offset->offset)),
                                           (double)v->weights[k]));
    return out;
}

static void move_morphs(Maker *m)
{
    const PmxModel *from = m->from;
    PmxMorph *morphs = arena_array(m->arena, PmxMorph, from->morph_count);
    for (uint32_t i = 0; i < from->morph_count; i++) {
        morphs[i] = from->morphs[i];
        if (morphs[i].type != PMX_MORPH_VERTEX)
            continue;
        const PmxVertexOffset *offsets = morphs[i].offsets.vertex;
        morphs[i].offsets.vertex = arena_array(m->arena, PmxVertexOffset, morphs[i].count);
        for (uint32_t k = 0; k < morphs[i].count; k++) {
            morphs[i].offsets.vertex[k].vertex = offsets[k].vertex;
            vec3_store(morphs[i].offsets.vertex[k].offset, moved_offset(m, &offsets[k]));
        }
    }
    m->rig->pmx.morphs = morphs;
}

bool avatar_rig_make(AvatarRig *rig, const PmxModel *from, VrmVersion version, Arena *arena,
                     Diag *diag)
{
    Maker m = {.rig = rig,
               .from = from,
               .human = arena_array(arena, const char *, from->bone_count),
               .carries = arena_array(arena, bool, from->bone_count),
               .above = arena_array(arena, bool, from->bone_count),
               .parents_first = model_order_parents_first(from, arena),
               .arena = arena,
               .diag = diag};
    *rig = (AvatarRig){.pmx = *from, .from = from, .version = version};
    rig->pmx.body_count = rig->pmx.joint_count = rig->pmx.soft_body_count = 0;
    if (!find_humans(&m))
        return false;
    find_carriers(&m);
    find_turns(&m);
    add_nodes(&m);
    cut_loops(&m);
    move_vertices(&m);
    move_morphs(&m);
    return true;
}
