// SPDX-License-Identifier: MIT
#include "format/model/vrm_bones.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "format/model/gltf_mesh.h"
#include "format/model/vrm_names.h"

enum { ROOT, CENTER, GROOVE, WAIST };

/* Bones of the chain that leg IK turns. */
enum { LEG, KNEE, ANKLE, LEG_PARTS };

enum { MAX_HUMANOID = 128 };

enum { IK_LAYER = 1, FOLLOWER_LAYER }; /* of evaluation; bones below have that of their parent */

static const double ARM_ANGLE = 38 * RADIANS; /* of MMD's A-pose, downwards */

typedef struct Maker {
    VrmBones *out;
    const GltfFile *file;
    const GltfMatrix *world;
    bool older;
    const Vec3 *eyes;         /* NULL: only those of the file */
    const char *const *human; /* [node_count] name of the humanoid bone; NULL: none */
    bool *above_hips;         /* [node_count] */
    ARENA_LIST(PmxBone) bones;
    int32_t hips, spine;
    int32_t legs[2][LEG_PARTS]; /* bones by side; -1: missing */
    Arena *arena;
    Diag *diag;
} Maker;

/* ---- places ---- */

static int32_t node_of(const Maker *m, const char *human)
{
    return text_find(TEXT_WORDS(m->human, m->file->node_count), human);
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
    const int32_t layer = parent < 0 ? 0 : m->bones.items[parent].layer;
    PmxBone *bone = arena_push(m->arena, &m->bones);
    *bone = (PmxBone){.name = name,
                      .name_en = name_en,
                      .parent = parent,
                      .layer = layer,
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

static int32_t find_bone(const Maker *m, const char *name)
{
    return text_find(TEXT_NAMES(PmxBone, name, m->bones.items, m->bones.count), name);
}

static void append_rotation(Maker *m, int32_t bone, int32_t source, float ratio)
{
    PmxBone *to = &m->bones.items[bone];
    if (source < 0)
        return;
    to->flags |= PMX_BONE_APPEND_ROTATION;
    to->append_source = source;
    to->append_ratio = ratio;
}

/* A bone that follows the rotation of another one. */
static int32_t add_follower(Maker *m, const char *name, Vec3 at, int32_t parent, int32_t source,
                            float ratio)
{
    add_bone(m, name, "", at, parent);
    append_rotation(m, last_bone(m), source, ratio);
    return last_bone(m);
}

/* The twist between two joints of an arm, which keys of many motions turn, and the bones that share
 * it out along the arm. */
static int32_t add_twist(Maker *m, const char *name, int32_t node, int32_t parent)
{
    const Vec3 from = vec3_load(m->bones.items[parent].position), to = place_of(m, node);
    PmxBone *bone = add_bone(m, name, "", vec3_lerp(from, to, 0.6), parent);
    bone->flags |= PMX_BONE_FIXED_AXIS;
    vec3_store(bone->fixed_axis, vec3_normalize(vec3_sub(to, from)));
    const int32_t twist = last_bone(m);
    for (int i = 1; i < VRM_TWIST_PARTS; i++) {
        const double part = (double)i / VRM_TWIST_PARTS;
        add_follower(m, arena_printf(m->arena, "%s%d", name, i), vec3_lerp(from, to, part), parent,
                     twist, (float)part);
    }
    if (m->out->twist_count < VRM_MAX_TWISTS)
        m->out->twists[m->out->twist_count++] = (VrmTwist){parent, twist, from, to};
    return twist;
}

/* "UpperArm" of "leftUpperArm"; "" for bones without a side.  right: 0 or 1 */
static const char *part_of(const char *human, int *right)
{
    *right = !strncmp(human, "right", 5);
    return *right ? human + 5 : !strncmp(human, "left", 4) ? human + 4 : "";
}

/* Adds what MMD has between a bone of an arm or a leg and the bone above it; returns the parent. */
static int32_t add_between(Maker *m, const char *human, int32_t node, int32_t parent)
{
    int right;
    const char *part = part_of(human, &right), *side = right ? "右" : "左";
    const Vec3 at = place_of(m, node);
    if (!strcmp(part, "Shoulder"))
        return add_follower(m, arena_printf(m->arena, "%s肩P", side), at, parent, -1, 0);
    if (!strcmp(part, "UpperArm")) {
        const int32_t turned = find_bone(m, arena_printf(m->arena, "%s肩P", side));
        const char *name = arena_printf(m->arena, "%s肩C", side);
        return turned < 0 ? parent : add_follower(m, name, at, parent, turned, -1);
    }
    if (!strcmp(part, "LowerArm") || !strcmp(part, "Hand")) {
        const char *name = arena_printf(m->arena, "%s%s捩", side, *part == 'H' ? "手" : "腕");
        return add_twist(m, name, node, parent);
    }
    if (!strcmp(part, "UpperLeg"))
        return add_follower(m, arena_printf(m->arena, "腰キャンセル%s", side), at, parent, WAIST,
                            -1);
    return parent;
}

/* Leg IK turns a chain without vertices; the bone of the node (足D) follows it and has keys of its
 * own.  Returns -1 for a bone that is none of a leg. */
static int32_t add_leg(Maker *m, const char *human, const char *name, Vec3 at, int32_t parent)
{
    static const char *const parts[] = {"UpperLeg", "LowerLeg", "Foot"};
    int right;
    const char *part = part_of(human, &right);
    int32_t *chain = m->legs[right];
    const int32_t k = text_find(TEXT_ARRAY(parts), part);
    if (k < 0)
        return -1;
    add_bone(m, name, human, at, k && chain[k - 1] >= 0 ? chain[k - 1] : parent);
    chain[k] = last_bone(m);
    const char *follower = arena_printf(m->arena, "%sD", name);
    const int32_t bone = add_follower(m, follower, at, parent, chain[k], 1);
    m->bones.items[bone].layer = FOLLOWER_LAYER;
    return bone;
}

/* The bone of both eyes.  Expressions that look also follow those of each eye, which are 6 cm apart
 * where the file has none. */
static void add_eyes(Maker *m, uint32_t node)
{
    const int32_t eyes[] = {side_node(m, 0, "Eye"), side_node(m, 1, "Eye")};
    const int32_t head = m->out->bone_of[node];
    Vec3 places[2];
    if ((eyes[0] < 0 || eyes[1] < 0) && !m->eyes)
        return;
    for (int i = 0; i < 2; i++) {
        if (eyes[i] >= 0) {
            places[i] = rest_of(m, eyes[i]);
            continue;
        }
        places[i] = gltf_to_mmd(gltf_matrix_apply(&m->world[node], *m->eyes), m->older);
        places[i].x += (i ? -0.03 : 0.03) * MESH_UNITS_PER_METRE;
    }
    Vec3 at = vec3_lerp(places[0], places[1], 0.5);
    at.y += 1; /* above them, where MMD shows it */
    add_bone(m, "両目", "eyes", at, head);
    const int32_t both = last_bone(m);
    for (int i = 0; i < 2; i++)
        if (eyes[i] < 0)
            add_follower(m, i ? "右目" : "左目", places[i], head, both, 1);
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
        parent = WAIST;
    /* The lower half turns about the place where the upper one does. */
    const Vec3 at =
        place_of(m, (int32_t)node == m->hips && m->spine >= 0 ? m->spine : (int32_t)node);
    if (human && name) {
        parent = add_between(m, human, (int32_t)node, parent);
        out->bone_of[node] = add_leg(m, human, name, at, parent);
        if (out->bone_of[node] >= 0)
            return;
    }
    add_bone(m, name ? name : m->file->nodes[node].name, human ? human : m->file->nodes[node].name,
             at, parent);
    out->bone_of[node] = last_bone(m);
    if (human && strstr(human, "Eye"))
        append_rotation(m, last_bone(m), find_bone(m, "両目"), 1);
    if (human && !strcmp(human, "head"))
        add_eyes(m, node);
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
    const int32_t *chain = m->legs[side], toes = side_node(m, side, "Toes");
    const char *prefix = side ? "右" : "左";
    if (chain[LEG] < 0 || chain[KNEE] < 0 || chain[ANKLE] < 0)
        return;
    const Vec3 foot = vec3_load(m->bones.items[chain[ANKLE]].position);
    const Vec3 ground = {foot.x, 0, foot.z};
    /* Without a bone there: of a foot of 12 cm. */
    const Vec3 tip = toes < 0 ? (Vec3){foot.x, 0, foot.z - 1.5} : rest_of(m, toes);
    add_bone(m, arena_printf(m->arena, "%sつま先", prefix), "", tip, chain[ANKLE]);
    const int32_t toe = last_bone(m);
    PmxIkLink *links = arena_array(m->arena, PmxIkLink, 3);
    links[0] = (PmxIkLink){.bone = chain[KNEE],
                           .limited = true,
                           .lower = {-(float)PI, 0, 0},
                           .upper = {-0.0087266f, 0, 0}};
    links[1] = (PmxIkLink){.bone = chain[LEG]};
    links[2] = (PmxIkLink){.bone = chain[ANKLE]};
    add_bone(m, arena_printf(m->arena, "%s足IK親", prefix), "", ground, ROOT)->flags |=
        PMX_BONE_MOVABLE;
    PmxBone *ik =
        add_bone(m, arena_printf(m->arena, "%s足ＩＫ", prefix), "leg IK", foot, last_bone(m));
    ik->flags |= PMX_BONE_IK | PMX_BONE_MOVABLE;
    ik->layer = IK_LAYER;
    ik->ik = (PmxIk){chain[ANKLE], 40, 2, links, 2};
    PmxBone *toe_ik =
        add_bone(m, arena_printf(m->arena, "%sつま先ＩＫ", prefix), "toe IK", tip, last_bone(m));
    toe_ik->flags |= PMX_BONE_IK | PMX_BONE_MOVABLE;
    toe_ik->ik = (PmxIk){toe, 3, 4, links + 2, 1};
}

/* ---- the humanoid ---- */

const char **vrm_bones_name_nodes(const GltfFile *file, const JsonValue *humanoid, bool older,
                                  Arena *arena, Diag *diag)
{
    const char **human = arena_array(arena, const char *, file->node_count);
    if (json_count(humanoid) > MAX_HUMANOID) {
        diag_error(diag, "%" PRIu32 " humanoid bones (at most %d)", json_count(humanoid),
                   MAX_HUMANOID);
        return NULL;
    }
    for (uint32_t i = 0; i < json_count(humanoid); i++) {
        const JsonValue *bone = json_item(humanoid, i);
        const char *name = older ? json_string(json_member(bone, "bone"), "") : bone->key;
        const int32_t node = json_index(json_member(bone, "node"));
        if (!name || node < 0 || (uint32_t)node >= file->node_count) {
            diag_error(diag, "humanoid bone '%s': node %" PRId32 " does not exist",
                       name ? name : "", node);
            return NULL;
        }
        human[node] = name;
    }
    return human;
}

static bool find_hips(Maker *m)
{
    m->hips = node_of(m, "hips");
    m->spine = node_of(m, "spine");
    if (m->hips < 0)
        return diag_error(m->diag, "there is no humanoid bone 'hips'");
    for (int32_t at = m->file->nodes[m->hips].parent; at >= 0 && !m->above_hips[at];
         at = m->file->nodes[at].parent)
        m->above_hips[at] = true;
    return true;
}

bool vrm_bones_make(PmxModel *model, VrmBones *out, const GltfFile *file, const GltfMatrix *world,
                    const char *const *human, bool older, const Vec3 *eyes, Arena *arena,
                    Diag *diag)
{
    const uint32_t count = file->node_count;
    *out = (VrmBones){.order = arena_array(arena, uint32_t, count),
                      .bone_of = arena_array(arena, int32_t, count),
                      .arm_of = arena_array(arena, uint8_t, count),
                      .turn[VRM_NO_ARM].cosine = 1};
    Maker m = {.out = out,
               .file = file,
               .world = world,
               .older = older,
               .eyes = eyes,
               .human = human,
               .above_hips = arena_array(arena, bool, count),
               .legs = {{-1, -1, -1}, {-1, -1, -1}},
               .arena = arena,
               .diag = diag};
    if (!find_hips(&m))
        return false;
    const double height = rest_of(&m, m.hips).y;
    for (int side = 0; side < 2; side++)
        find_turn(&m, side);
    add_bone(&m, "全ての親", "root", (Vec3){0, 0, 0}, PMX_NONE)->flags |= PMX_BONE_MOVABLE;
    add_bone(&m, "センター", "center", (Vec3){0, 0.7 * height, 0}, ROOT)->flags |= PMX_BONE_MOVABLE;
    add_bone(&m, "グルーブ", "groove", (Vec3){0, 0.72 * height, 0}, CENTER)->flags |=
        PMX_BONE_MOVABLE;
    add_bone(&m, "腰", "waist", rest_of(&m, m.hips), GROOVE);
    add_nodes(&m);
    for (int side = 0; side < 2; side++)
        add_leg_ik(&m, side);
    model->bones = m.bones.items;
    model->bone_count = (uint32_t)m.bones.count;
    return true;
}
