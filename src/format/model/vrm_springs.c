// SPDX-License-Identifier: MIT
#include "format/model/vrm_springs.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "format/model/gltf_mesh.h"

enum {
    MAX_COLLIDERS = 4096,
    MAX_GROUPS = 1024,   /* of VRM 0.x, each of which is searched for among all nodes */
    MAX_PAIRS = 1 << 16, /* of joints and colliders, in a tick */
    MAX_FORCE = 1000     /* metres a second, of stiffness and gravity */
};

static const double LEAF_LENGTH = 0.07; /* metres, of a bone of VRM 0.x without a child */

typedef struct Group { /* of colliders */
    const uint32_t *items;
    uint32_t count;
} Group;

typedef struct Reader {
    const VrmFigure *figure;
    ARENA_LIST(VrmCollider) colliders;
    Group *groups;
    uint32_t group_count;
    VrmJoint *joints; /* [bone_count] by their bone */
    bool *has_joint;  /* [bone_count] */
    bool *swings;     /* [node_count] in the group that is read */
    uint64_t listed;  /* indices in the lists of colliders */
} Reader;

static float limited(const JsonValue *value, double otherwise, double low, double high)
{
    return (float)fmin(fmax(json_number(value, otherwise), low), high);
}

/* A length or a speed of the file in units. */
static float units(const JsonValue *value, double otherwise)
{
    return limited(value, otherwise, 0, MAX_FORCE) * (float)MESH_UNITS_PER_METRE;
}

/* Of three numbers, or of x, y and z in VRM 0.x. */
static Vec3 read_vector(const JsonValue *value, Vec3 otherwise, bool older)
{
    double v[3] = {otherwise.x, otherwise.y, otherwise.z};
    if (older && value) {
        v[0] = json_number(json_member(value, "x"), 0);
        v[1] = json_number(json_member(value, "y"), 0);
        v[2] = json_number(json_member(value, "z"), 0);
    } else if (!json_numbers(v, 3, value))
        return otherwise;
    for (int k = 0; k < 3; k++)
        v[k] = fmin(fmax(v[k], -MAX_FORCE), MAX_FORCE);
    return (Vec3){v[0], v[1], v[2]};
}

static int32_t bone_of(const VrmFigure *f, const JsonValue *node)
{
    const int32_t index = json_index(node);
    return index >= 0 && (uint32_t)index < f->file->node_count ? f->bones->bone_of[index] : -1;
}

/* ---- colliders ---- */

/* A direction in the space of a node, at rest in the A-pose. */
static Vec3 direction_at_rest(const VrmFigure *f, int32_t node, Vec3 v)
{
    GltfMatrix linear = f->world[node];
    linear.m[9] = linear.m[10] = linear.m[11] = 0;
    return vrm_turn_direction(f->bones, node, gltf_to_mmd(gltf_matrix_apply(&linear, v), f->older));
}

static void store_bounded(float out[3], Vec3 v)
{
    vec3_store(out, v);
    for (int k = 0; k < 3; k++)
        out[k] = fminf(fmaxf(out[k], -PMX_MAX_VALUE), PMX_MAX_VALUE);
}

/* Returns false after an error; a shape that is unknown is omitted. */
static bool add_collider(Reader *r, int32_t node, const JsonValue *shape, bool extended)
{
    const VrmFigure *f = r->figure;
    static const char *const names[] = {"sphere", "capsule", "plane"};
    const Vec3 none = {0, 0, 0}, forward = {0, 0, 1};
    const JsonValue *json = f->older ? shape : NULL;
    VrmCollider c = {.bone = f->bones->bone_of[node]};
    for (uint8_t kind = VRM_SPHERE; !json && kind <= (extended ? VRM_PLANE : VRM_CAPSULE); kind++) {
        json = json_member(shape, names[kind]);
        c.shape = kind;
    }
    if (!json)
        return true;
    if (r->colliders.count >= MAX_COLLIDERS)
        return diag_error(f->diag, "more than %d colliders of spring bones", MAX_COLLIDERS);
    Vec3 offset = read_vector(json_member(json, "offset"), none, f->older);
    if (f->older)
        offset.z = -offset.z; /* in VRM 0.x counted in the other direction */
    const Vec3 at = vrm_turn_point(
        f->bones, node, gltf_to_mmd(gltf_matrix_apply(&f->world[node], offset), f->older));
    store_bounded(c.offset, vec3_sub(at, vec3_load(f->model->bones[c.bone].position)));
    c.radius = units(json_member(json, "radius"), 0);
    c.inside = extended && json_bool(json_member(json, "inside"), false);
    if (c.shape == VRM_CAPSULE) {
        const Vec3 tail = read_vector(json_member(json, "tail"), none, false);
        store_bounded(c.end, direction_at_rest(f, node, vec3_sub(tail, offset)));
    } else if (c.shape == VRM_PLANE) {
        const Vec3 normal = read_vector(json_member(json, "normal"), forward, false);
        vec3_store(c.end, vec3_normalize(direction_at_rest(f, node, normal)));
    }
    *arena_push(f->arena, &r->colliders) = c;
    return true;
}

/* VRM 0.x: a group is a node with spheres. */
static bool read_older_groups(Reader *r, const JsonValue *list)
{
    const VrmFigure *f = r->figure;
    r->group_count = json_count(list);
    r->groups = arena_array(f->scratch, Group, r->group_count);
    for (uint32_t i = 0; i < r->group_count; i++) {
        const JsonValue *group = json_item(list, i), *spheres = json_member(group, "colliders");
        const int32_t node = json_index(json_member(group, "node"));
        const uint32_t first = (uint32_t)r->colliders.count;
        if (node < 0 || (uint32_t)node >= f->file->node_count)
            continue;
        for (uint32_t k = 0; k < json_count(spheres); k++)
            if (!add_collider(r, node, json_item(spheres, k), false))
                return false;
        const uint32_t count = (uint32_t)r->colliders.count - first;
        uint32_t *items = arena_array(f->scratch, uint32_t, count);
        for (uint32_t k = 0; k < count; k++)
            items[k] = first + k;
        r->groups[i] = (Group){items, count};
    }
    return true;
}

static bool count_listed(Reader *r, uint64_t count)
{
    r->listed += count;
    return r->listed <= MAX_PAIRS ||
           diag_error(r->figure->diag, "more than %d pairs of spring bones and colliders",
                      MAX_PAIRS);
}

/* VRM 1.0: groups refer to colliders of one list, each of which has a node. */
static bool read_groups(Reader *r, const JsonValue *springs)
{
    const VrmFigure *f = r->figure;
    const JsonValue *list = json_member(springs, "colliders");
    const uint32_t count = json_count(list);
    int32_t *index_of = arena_array(f->scratch, int32_t, count);
    for (uint32_t i = 0; i < count; i++) {
        const JsonValue *json = json_item(list, i);
        const JsonValue *extension =
            json_member(json_member(json, "extensions"), "VRMC_springBone_extended_collider");
        const JsonValue *shape = json_member(extension ? extension : json, "shape");
        const int32_t node = json_index(json_member(json, "node"));
        const uint32_t before = (uint32_t)r->colliders.count;
        index_of[i] = -1;
        if (node < 0 || (uint32_t)node >= f->file->node_count)
            continue;
        if (!add_collider(r, node, shape, extension != NULL))
            return false;
        if (r->colliders.count > before)
            index_of[i] = (int32_t)before;
    }
    list = json_member(springs, "colliderGroups");
    r->group_count = json_count(list);
    r->groups = arena_array(f->scratch, Group, r->group_count);
    for (uint32_t i = 0; i < r->group_count; i++) {
        const JsonValue *members = json_member(json_item(list, i), "colliders");
        if (!count_listed(r, json_count(members)))
            return false;
        uint32_t *items = arena_array(f->scratch, uint32_t, json_count(members)), used = 0;
        for (uint32_t k = 0; k < json_count(members); k++) {
            const int32_t member = json_index(json_item(members, k));
            if (member >= 0 && (uint32_t)member < count && index_of[member] >= 0)
                items[used++] = (uint32_t)index_of[member];
        }
        r->groups[i] = (Group){items, used};
    }
    return true;
}

/* The colliders of all groups that a spring names, one after the other. */
static bool list_colliders(VrmJoint *joint, Reader *r, const JsonValue *groups)
{
    uint64_t count = 0;
    for (int pass = 0; pass < 2; pass++) {
        uint32_t *items = pass ? arena_array(r->figure->arena, uint32_t, (size_t)count) : NULL;
        if (pass && !count_listed(r, count))
            return false;
        for (uint32_t i = 0; i < json_count(groups); i++) {
            const int32_t index = json_index(json_item(groups, i));
            if (index < 0 || (uint32_t)index >= r->group_count)
                continue;
            const Group *group = &r->groups[index];
            count += pass ? 0 : group->count;
            for (uint32_t k = 0; pass && k < group->count; k++)
                items[joint->collider_count++] = group->items[k];
        }
        joint->colliders = items;
        if (count > MAX_PAIRS)
            return count_listed(r, count);
    }
    return true;
}

/* ---- joints ---- */

/* Settings of a group of VRM 0.x or of a joint of 1.0.  "stiffiness" is how 0.x spells it. */
static void read_settings(VrmJoint *joint, const VrmFigure *f, const JsonValue *json)
{
    const JsonValue *stiffness = json_member(json, f->older ? "stiffiness" : "stiffness");
    const double power =
        (double)limited(json_member(json, "gravityPower"), 0, -MAX_FORCE, MAX_FORCE);
    const Vec3 down = read_vector(json_member(json, "gravityDir"), (Vec3){0, -1, 0}, f->older);
    joint->radius = units(json_member(json, "hitRadius"), 0);
    joint->stiffness = units(stiffness, 1);
    joint->drag = limited(json_member(json, "dragForce"), f->older ? 0.4 : 0.5, 0, 1);
    store_bounded(joint->gravity, vec3_scale(gltf_to_mmd(down, f->older), power));
}

/* A joint whose end is `tail` away from its bone at rest.  That of a bone which has one already
 * replaces it. */
static void add_joint(Reader *r, VrmJoint joint, Vec3 tail)
{
    store_bounded(joint.tail, tail);
    if (joint.bone <= 0 || !(vec3_length(vec3_load(joint.tail)) > 1e-4))
        return;
    r->joints[joint.bone] = joint;
    r->has_joint[joint.bone] = true;
}

static Vec3 place(const VrmFigure *f, int32_t bone)
{
    return vec3_load(f->model->bones[bone].position);
}

static bool read_spring(Reader *r, const JsonValue *spring)
{
    const VrmFigure *f = r->figure;
    const JsonValue *joints = json_member(spring, "joints");
    VrmJoint joint = {.center = bone_of(f, json_member(spring, "center"))};
    if (!list_colliders(&joint, r, json_member(spring, "colliderGroups")))
        return false;
    for (uint32_t i = 0; i + 1 < json_count(joints); i++) {
        const int32_t next = bone_of(f, json_member(json_item(joints, i + 1), "node"));
        joint.bone = bone_of(f, json_member(json_item(joints, i), "node"));
        read_settings(&joint, f, json_item(joints, i));
        if (joint.bone >= 0 && next >= 0)
            add_joint(r, joint, vec3_sub(place(f, next), place(f, joint.bone)));
    }
    return true;
}

/* VRM 0.x: all nodes below those that the group names swing, each towards its first child. */
static bool read_bone_group(Reader *r, const JsonValue *json)
{
    const VrmFigure *f = r->figure;
    const JsonValue *roots = json_member(json, "bones"),
                    *nodes = json_member(f->file->root, "nodes");
    bool *swings = r->swings;
    memset(swings, 0, f->file->node_count * sizeof *swings);
    VrmJoint joint = {.center = bone_of(f, json_member(json, "center"))};
    read_settings(&joint, f, json);
    if (!list_colliders(&joint, r, json_member(json, "colliderGroups")))
        return false;
    for (uint32_t i = 0; i < json_count(roots); i++) {
        const int32_t root = json_index(json_item(roots, i));
        if (root >= 0 && (uint32_t)root < f->file->node_count)
            swings[root] = true;
    }
    for (uint32_t i = 0; i < f->bones->order_count; i++) {
        const uint32_t node = f->bones->order[i];
        const int32_t above = f->file->nodes[node].parent;
        swings[node] |= above >= 0 && swings[above];
        if (!swings[node] || (above >= 0 && f->bones->bone_of[above] == f->bones->bone_of[node]))
            continue;
        const int32_t child =
            json_index(json_item(json_member(json_item(nodes, node), "children"), 0));
        joint.bone = f->bones->bone_of[node];
        const Vec3 along = vec3_normalize(f->file->nodes[node].translation);
        const Vec3 tail = child >= 0
                              ? vec3_sub(place(f, f->bones->bone_of[child]), place(f, joint.bone))
                              : direction_at_rest(f, (int32_t)node, vec3_scale(along, LEAF_LENGTH));
        add_joint(r, joint, tail);
    }
    return true;
}

/* ---- public functions ---- */

static bool keep_joints(VrmRig *rig, Reader *r)
{
    const uint32_t bone_count = r->figure->model->bone_count;
    uint64_t pairs = 0;
    for (uint32_t i = 0; i < bone_count; i++) {
        pairs += r->has_joint[i] ? r->joints[i].collider_count : 0;
        rig->joint_count += r->has_joint[i];
    }
    if (pairs > MAX_PAIRS)
        return count_listed(r, pairs);
    VrmJoint *joints = arena_array(r->figure->arena, VrmJoint, rig->joint_count);
    uint32_t used = 0;
    for (uint32_t i = 0; i < bone_count; i++)
        if (r->has_joint[i])
            joints[used++] = r->joints[i];
    rig->joints = joints;
    rig->colliders = r->colliders.items;
    rig->collider_count = (uint32_t)r->colliders.count;
    return true;
}

bool vrm_springs_read(VrmRig *rig, const VrmFigure *figure)
{
    Reader r = {.figure = figure,
                .joints = arena_array(figure->scratch, VrmJoint, figure->model->bone_count),
                .has_joint = arena_array(figure->scratch, bool, figure->model->bone_count),
                .swings = arena_array(figure->scratch, bool, figure->file->node_count)};
    const JsonValue *older = json_member(figure->extension, "secondaryAnimation");
    const JsonValue *newer =
        json_member(json_member(figure->file->root, "extensions"), "VRMC_springBone");
    const JsonValue *list =
        figure->older ? json_member(older, "boneGroups") : json_member(newer, "springs");
    if (figure->older && json_count(list) > MAX_GROUPS)
        return diag_error(figure->diag, "%" PRIu32 " groups of spring bones (at most %d)",
                          json_count(list), MAX_GROUPS);
    if (!(figure->older ? read_older_groups(&r, json_member(older, "colliderGroups"))
                        : read_groups(&r, newer)))
        return false;
    for (uint32_t i = 0; i < json_count(list); i++)
        if (!(figure->older ? read_bone_group : read_spring)(&r, json_item(list, i)))
            return false;
    return keep_joints(rig, &r);
}
