#include "format/model/vrm_bones.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "format/model/gltf_mesh.h"
#include "format/model/vrm_names.h"

enum { ROOT, CENTER, GROOVE };

static const double ARM_ANGLE = 38 * 3.14159265358979323846 / 180; /* of MMD's A-pose, downwards */

typedef struct Maker {
    VrmBones *out;
    const GltfFile *file;
    const GltfMatrix *world;
    const JsonValue *humanoid;
    bool older, eyes;
    const char **human; /* [node_count] name of the humanoid bone; NULL: none */
    bool *above_hips;   /* [node_count] */
    ARENA_LIST(PmxBone) bones;
    int32_t hips, spine;
    Arena *arena;
    Diag *diag;
} Maker;

/* ---- places ---- */

static int32_t node_of(const Maker *m, const char *human)
{
    for (uint32_t i = 0; i < m->file->node_count; i++)
        if (m->human[i] && !strcmp(m->human[i], human))
            return (int32_t)i;
    return -1;
}

static int32_t side_node(const Maker *m, int side, const char *part)
{
    char name[32];
    snprintf(name, sizeof name, "%s%s", side ? "right" : "left", part);
    return node_of(m, name);
}

/* In the T-pose of the file. */
static Vec3 rest_of(const Maker *m, int32_t node)
{
    const double *w = m->world[node].m;
    return gltf_to_mmd((Vec3){w[9], w[10], w[11]}, m->older);
}

Vec3 vrm_turn_direction(const VrmBones *bones, int32_t node, Vec3 v)
{
    const VrmTurn *t = &bones->turn[bones->arm_of[node]];
    return (Vec3){t->cosine * v.x - t->sine * v.y, t->sine * v.x + t->cosine * v.y, v.z};
}

Vec3 vrm_turn_point(const VrmBones *bones, int32_t node, Vec3 p)
{
    const Vec3 pivot = bones->turn[bones->arm_of[node]].pivot;
    return vec3_add(pivot, vrm_turn_direction(bones, node, vec3_sub(p, pivot)));
}

static Vec3 place_of(const Maker *m, int32_t node)
{
    return vrm_turn_point(m->out, node, rest_of(m, node));
}

static void find_turn(Maker *m, int side)
{
    VrmTurn *turn = &m->out->turn[side ? VRM_RIGHT_ARM : VRM_LEFT_ARM];
    const int32_t arm = side_node(m, side, "UpperArm"), hand = side_node(m, side, "Hand");
    *turn = (VrmTurn){.cosine = 1};
    if (arm < 0 || hand < 0)
        return;
    const Vec3 along = vec3_sub(rest_of(m, hand), rest_of(m, arm));
    const double down = atan2(-along.y, fabs(along.x));
    const double angle = (ARM_ANGLE - down) * (along.x < 0 ? 1 : -1);
    if (isfinite(angle))
        *turn = (VrmTurn){rest_of(m, arm), sin(angle), cos(angle)};
}

/* ---- bones ---- */

static PmxBone *add_bone(Maker *m, const char *name, const char *name_en, Vec3 at, int32_t parent)
{
    PmxBone *bone = arena_push(m->arena, &m->bones);
    *bone = (PmxBone){.name = name,
                      .name_en = name_en,
                      .parent = parent,
                      .flags = PMX_BONE_ROTATABLE | PMX_BONE_VISIBLE | PMX_BONE_OPERABLE,
                      .tail_bone = PMX_NONE,
                      .append_source = PMX_NONE,
                      .ik.effector = PMX_NONE};
    vec3_store(bone->position, at);
    return bone;
}

static int32_t last_bone(const Maker *m)
{
    return (int32_t)m->bones.count - 1;
}

/* The twist between two joints of an arm, which keys of many motions turn. */
static int32_t add_twist(Maker *m, const char *human, int32_t node, int32_t parent)
{
    const bool lower = strstr(human, "LowerArm") != NULL;
    if (!lower && !(strstr(human, "Hand") && human[strlen(human) - 1] == 'd'))
        return parent;
    const Vec3 from = vec3_load(m->bones.items[parent].position), to = place_of(m, node);
    const char *side = human[0] == 'l' ? "左" : "右";
    const char *name = arena_printf(m->arena, "%s%s捩", side, lower ? "腕" : "手");
    PmxBone *bone = add_bone(m, name, "", vec3_lerp(from, to, 0.6), parent);
    bone->flags |= PMX_BONE_FIXED_AXIS;
    vec3_store(bone->fixed_axis, vec3_normalize(vec3_sub(to, from)));
    return last_bone(m);
}

static void add_eyes(Maker *m, int32_t head, Vec3 at_head)
{
    const int32_t left = side_node(m, 0, "Eye"), right = side_node(m, 1, "Eye");
    const bool both = left >= 0 && right >= 0;
    if (!both && !m->eyes)
        return;
    Vec3 at = both ? vec3_lerp(rest_of(m, left), rest_of(m, right), 0.5) : at_head;
    at.y += 1; /* above them, where MMD shows it */
    add_bone(m, "両目", "eyes", at, head);
}

static void append_eye(Maker *m, PmxBone *eye)
{
    for (size_t i = 0; i < m->bones.count; i++)
        if (!strcmp(m->bones.items[i].name, "両目")) {
            eye->flags |= PMX_BONE_APPEND_ROTATION;
            eye->append_source = (int32_t)i;
            eye->append_ratio = 1;
            return;
        }
}

/* A node that only has a mesh, whose skin places it. */
static bool is_skinned_mesh(const Maker *m, uint32_t node)
{
    const JsonValue *json = json_item(json_member(m->file->root, "nodes"), node);
    return m->file->nodes[node].mesh >= 0 && json_member(json, "skin") &&
           !json_count(json_member(json, "children"));
}

static void add_node(Maker *m, uint32_t node)
{
    VrmBones *out = m->out;
    const int32_t above = m->file->nodes[node].parent;
    const char *human = m->human[node],
               *name = human ? vrm_name_bone(human, m->older, m->arena) : NULL;
    int32_t parent = above < 0 ? ROOT : out->bone_of[above];
    out->arm_of[node] = above < 0 ? VRM_NO_ARM : out->arm_of[above];
    if (m->above_hips[node]) {
        out->bone_of[node] = ROOT;
        return;
    }
    if (!human && is_skinned_mesh(m, node)) {
        out->bone_of[node] = parent;
        return;
    }
    if (human && strstr(human, "UpperArm"))
        out->arm_of[node] = human[0] == 'l' ? VRM_LEFT_ARM : VRM_RIGHT_ARM;
    if ((int32_t)node == m->hips || (int32_t)node == m->spine)
        parent = GROOVE;
    /* The lower half turns about the place where the upper one does. */
    const Vec3 at =
        place_of(m, (int32_t)node == m->hips && m->spine >= 0 ? m->spine : (int32_t)node);
    if (human && name)
        parent = add_twist(m, human, (int32_t)node, parent);
    PmxBone *bone = add_bone(m, name ? name : m->file->nodes[node].name,
                             human ? human : m->file->nodes[node].name, at, parent);
    out->bone_of[node] = last_bone(m);
    if (human && strstr(human, "Eye"))
        append_eye(m, bone);
    if (human && !strcmp(human, "head"))
        add_eyes(m, out->bone_of[node], at);
}

/* Each node after its parent; those in a loop of parents have no bone. */
static void add_nodes(Maker *m)
{
    const uint32_t count = m->file->node_count;
    uint32_t *stack = arena_array(m->arena, uint32_t, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t size = 0;
        if (m->file->nodes[i].parent < 0)
            stack[size++] = i;
        while (size) {
            const uint32_t node = stack[--size];
            const JsonValue *json = json_item(json_member(m->file->root, "nodes"), node);
            const JsonValue *children = json_member(json, "children");
            m->out->order[m->out->order_count++] = node;
            add_node(m, node);
            for (uint32_t k = json_count(children); k-- > 0;)
                stack[size++] = (uint32_t)json_index(json_item(children, k));
        }
    }
}

/* ---- legs ---- */

static void add_leg_ik(Maker *m, int side)
{
    const int32_t leg = side_node(m, side, "UpperLeg"), knee = side_node(m, side, "LowerLeg");
    const int32_t ankle = side_node(m, side, "Foot"), toes = side_node(m, side, "Toes");
    const char *prefix = side ? "右" : "左";
    if (leg < 0 || knee < 0 || ankle < 0)
        return;
    const int32_t *bone_of = m->out->bone_of;
    const Vec3 foot = rest_of(m, ankle);
    Vec3 tip = {foot.x, 0, foot.z - 1.5}; /* of a foot of 12 cm, without a bone there */
    int32_t toe = toes < 0 ? PMX_NONE : bone_of[toes];
    if (toes >= 0)
        tip = rest_of(m, toes);
    else {
        add_bone(m, arena_printf(m->arena, "%sつま先", prefix), "", tip, bone_of[ankle]);
        toe = last_bone(m);
    }
    PmxIkLink *links = arena_array(m->arena, PmxIkLink, 3);
    links[0] = (PmxIkLink){.bone = bone_of[knee],
                           .limited = true,
                           .lower = {-3.1415927f, 0, 0},
                           .upper = {-0.0087266f, 0, 0}};
    links[1] = (PmxIkLink){.bone = bone_of[leg]};
    links[2] = (PmxIkLink){.bone = bone_of[ankle]};
    PmxBone *ik = add_bone(m, arena_printf(m->arena, "%s足ＩＫ", prefix), "leg IK", foot, ROOT);
    ik->flags |= PMX_BONE_IK | PMX_BONE_MOVABLE;
    ik->layer = 1;
    ik->ik = (PmxIk){bone_of[ankle], 40, 2, links, 2};
    PmxBone *toe_ik =
        add_bone(m, arena_printf(m->arena, "%sつま先ＩＫ", prefix), "toe IK", tip, last_bone(m));
    toe_ik->flags |= PMX_BONE_IK | PMX_BONE_MOVABLE;
    toe_ik->layer = 1;
    toe_ik->ik = (PmxIk){toe, 3, 4, links + 2, 1};
}

/* ---- the humanoid ---- */

static bool name_nodes(Maker *m)
{
    for (uint32_t i = 0; i < json_count(m->humanoid); i++) {
        const JsonValue *bone = json_item(m->humanoid, i);
        const char *name = m->older ? json_string(json_member(bone, "bone"), "") : bone->key;
        const int32_t node = json_index(json_member(bone, "node"));
        if (!name || node < 0 || (uint32_t)node >= m->file->node_count)
            return diag_error(m->diag, "humanoid bone '%s': node %" PRId32 " does not exist",
                              name ? name : "", node);
        m->human[node] = name;
    }
    m->hips = node_of(m, "hips");
    m->spine = node_of(m, "spine");
    if (m->hips < 0)
        return diag_error(m->diag, "there is no humanoid bone 'hips'");
    uint32_t steps = 0;
    for (int32_t at = m->file->nodes[m->hips].parent; at >= 0 && !m->above_hips[at];
         at = m->file->nodes[at].parent, steps++)
        m->above_hips[at] = true;
    return true;
}

bool vrm_bones_make(PmxModel *model, VrmBones *out, const GltfFile *file, const GltfMatrix *world,
                    const JsonValue *humanoid, bool older, bool eyes, Arena *arena, Diag *diag)
{
    const uint32_t count = file->node_count;
    *out = (VrmBones){.order = arena_array(arena, uint32_t, count),
                      .bone_of = arena_array(arena, int32_t, count),
                      .arm_of = arena_array(arena, uint8_t, count),
                      .turn[VRM_NO_ARM].cosine = 1};
    Maker m = {.out = out,
               .file = file,
               .world = world,
               .humanoid = humanoid,
               .older = older,
               .eyes = eyes,
               .human = arena_array(arena, const char *, count),
               .above_hips = arena_array(arena, bool, count),
               .arena = arena,
               .diag = diag};
    if (!name_nodes(&m))
        return false;
    const double height = rest_of(&m, m.hips).y;
    for (int side = 0; side < 2; side++)
        find_turn(&m, side);
    add_bone(&m, "全ての親", "root", (Vec3){0, 0, 0}, PMX_NONE)->flags |= PMX_BONE_MOVABLE;
    add_bone(&m, "センター", "center", (Vec3){0, 0.7 * height, 0}, ROOT)->flags |= PMX_BONE_MOVABLE;
    add_bone(&m, "グルーブ", "groove", (Vec3){0, 0.72 * height, 0}, CENTER)->flags |=
        PMX_BONE_MOVABLE;
    add_nodes(&m);
    for (int side = 0; side < 2; side++)
        add_leg_ik(&m, side);
    model->bones = m.bones.items;
    model->bone_count = (uint32_t)m.bones.count;
    return true;
}
