// SPDX-License-Identifier: MIT
#include "format/motion/fbx.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "format/motion/vmd.h"

typedef enum Kind { MODEL, CLUSTER, TAKE, LAYER, CURVE_NODE, CURVE, KINDS } Kind;

/* An object of the file and what its connections say; NULL, -1: none. */
typedef struct Object Object;
struct Object {
    int64_t id;
    const FbxNode *node;
    Kind kind;
    Object *parent;    /* of a model; the take of a layer; the layer of a curve node */
    Object *model;     /* of a cluster and a curve node */
    Object *curves[3]; /* of a curve node */
    int channel;       /* of a curve node: 0 translation, 1 rotation, 2 scale */
    int32_t index;     /* of the joint, or of the layer in the take; of a take: of its last layer */
    bool kept;         /* a model with a name; a take that moves a joint */
    FbxCurve curve;    /* of a curve, when it is loaded */
};

typedef struct Builder {
    FbxTree tree;
    Object *objects; /* as in the file */
    Object **by_id;
    size_t count;
    FbxMotion *motion;
    const FbxNode *template; /* of models: the values that they leave out */
    double second;           /* units of time */
    uint64_t keys;
    Arena *arena;
    Diag *diag;
} Builder;

static const char *const properties[] = {"Lcl Translation", "Lcl Rotation", "Lcl Scaling"};
static const char *const axes[] = {"d|X", "d|Y", "d|Z"};

/* The index of a name in a list; or count. */
static int name_index(Bytes name, const char *const *names, int count)
{
    int i = 0;
    while (i < count && !fbx_is(name, names[i]))
        i++;
    return i;
}

/* ---- properties ---- */

/* "P": name, type, label, flags, values */
static const FbxNode *property(const FbxNode *object, const char *name)
{
    const FbxNode *list = fbx_child(object, "Properties70");
    const FbxNode *p = list ? list->first : NULL;
    while (p && !fbx_is(fbx_text(p, 0), name))
        p = p->next;
    return p;
}

static double number_of(const FbxNode *object, const char *name, double otherwise)
{
    const FbxNode *p = property(object, name);
    return p && p->value_count > 4 ? fbx_number(p, 4) : otherwise;
}

static void vector_of(double out[3], const FbxNode *object, const char *name, double otherwise)
{
    const FbxNode *p = property(object, name);
    for (uint32_t i = 0; i < 3; i++)
        out[i] = p && p->value_count > 6 ? fbx_number(p, 4 + i) : otherwise;
}

/* "Name\0\1Class" in a binary file, "Class::Name" in a text. */
static const char *name_of(const Builder *b, const Object *object)
{
    const Bytes text = fbx_text(object->node, 1);
    const char *name = text.size ? text_from_utf8(text.data, text.size, b->arena) : "";
    const char *colons = b->tree.is_text ? strstr(name, "::") : NULL;
    return colons ? colons + 2 : name;
}

/* ---- objects and connections ---- */

static int compare_ids(const void *a, const void *b)
{
    const Object *x = *(Object *const *)a, *y = *(Object *const *)b;
    return x->id != y->id ? (x->id < y->id ? -1 : 1) : x < y ? -1 : 1;
}

/* The first one of an id, or NULL. */
static Object *find_object(const Builder *b, int64_t id)
{
    size_t low = 0, high = b->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (b->by_id[middle]->id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < b->count && b->by_id[low]->id == id ? b->by_id[low] : NULL;
}

static void list_objects(Builder *b)
{
    static const char *const names[KINDS] = {
        "Model",          "Deformer",           "AnimationStack",
        "AnimationLayer", "AnimationCurveNode", "AnimationCurve"};
    const FbxNode *list = fbx_child(&b->tree.root, "Objects");
    ARENA_LIST(Object) found = {0};
    for (const FbxNode *node = list ? list->first : NULL; node; node = node->next) {
        const Kind kind = (Kind)name_index(node->name, names, KINDS);
        if (kind != KINDS)
            *arena_push(b->arena, &found) =
                (Object){.id = fbx_integer(node, 0), .node = node, .kind = kind, .index = -1};
    }
    b->objects = found.items;
    b->count = found.count;
    b->by_id = arena_array(b->arena, Object *, b->count);
    for (size_t i = 0; i < b->count; i++)
        b->by_id[i] = &b->objects[i];
    qsort(b->by_id, b->count, sizeof(Object *), compare_ids);
}

/* "C": "OO", child, parent; or "OP", child, parent, name of a property of the parent */
static void connect(Builder *b, const FbxNode *c)
{
    Object *child = find_object(b, fbx_integer(c, 1)), *parent = find_object(b, fbx_integer(c, 2));
    const Bytes name = fbx_text(c, 3);
    if (!child || !parent)
        return;
    const int channel = name_index(name, properties, 3), axis = name_index(name, axes, 3);
    if (child->kind == MODEL && parent->kind == CLUSTER) {
        parent->model = child;
    } else if (!name.size && ((child->kind == MODEL && parent->kind == MODEL) ||
                              (child->kind == LAYER && parent->kind == TAKE) ||
                              (child->kind == CURVE_NODE && parent->kind == LAYER))) {
        child->parent = parent;
        if (child->kind == LAYER)
            child->index = ++parent->index;
    } else if (child->kind == CURVE_NODE && parent->kind == MODEL && channel < 3) {
        child->model = parent;
        child->channel = channel;
    } else if (child->kind == CURVE && parent->kind == CURVE_NODE && axis < 3) {
        parent->curves[axis] = child;
    }
}

/* ---- joints ---- */

/* Of angles in degrees, in an order of FBX: XYZ turns about x first. */
static Quat rotation_of(const double degrees[3], uint8_t order)
{
    static const char orders[][4] = {"xyz", "xzy", "yzx", "yxz", "zxy", "zyx"};
    Quat q = QUAT_IDENTITY;
    for (int i = 0; i < 3; i++) {
        const char axis = orders[order][i];
        const Vec3 about = {axis == 'x', axis == 'y', axis == 'z'};
        q = quat_mul(quat_from_axis_angle(about, degrees[axis - 'x'] * RADIANS), q);
    }
    return q;
}

static Vec3 vector(const double v[3])
{
    return (Vec3){v[0], v[1], v[2]};
}

static Vec3 multiplied(Vec3 a, Vec3 b)
{
    return (Vec3){a.x * b.x, a.y * b.y, a.z * b.z};
}

static bool in_range(Vec3 v)
{
    return fmax(fmax(fabs(v.x), fabs(v.y)), fabs(v.z)) <= VMD_MAX_VALUE;
}

static bool load_joint(const Builder *b, FbxJoint *joint, const FbxNode *node)
{
    static const char *const names[] = {"RotationOffset", "RotationPivot", "ScalingOffset",
                                        "ScalingPivot",   "PreRotation",   "PostRotation"};
    double v[6][3];
    for (int i = 0; i < 3; i++)
        vector_of(joint->local[i], node, properties[i], i == 2);
    for (int i = 0; i < 6; i++) {
        vector_of(v[i], node, names[i], 0);
        if (!in_range(vector(v[i])) || !in_range(vector(joint->local[i % 3])))
            return diag_error(b->diag, "%s or %s exceeds %d", properties[i % 3], names[i],
                              VMD_MAX_VALUE);
    }
    joint->before = joint->after = QUAT_IDENTITY;
    if (number_of(node, "RotationActive", number_of(b->template, "RotationActive", 1)) != 0 &&
        number_of(node, "RotationSpaceForLimitOnly", 0) == 0) {
        const double order =
            number_of(node, "RotationOrder", number_of(b->template, "RotationOrder", 0));
        joint->before = rotation_of(v[4], 0);
        joint->after = quat_inverse(rotation_of(v[5], 0));
        joint->order = order > 0 && order < 6 ? (uint8_t)order : 0;
    }
    joint->pivot = vec3_add(vector(v[0]), vector(v[1]));
    const Vec3 scaled = multiplied(vector(v[3]), vector(joint->local[2]));
    joint->pivot_offset =
        vec3_add(vec3_sub(vector(v[2]), vector(v[1])), vec3_sub(vector(v[3]), scaled));
    return true;
}

/* A model after its ancestors. */
static bool add_joint(Builder *b, Object *model, unsigned depth)
{
    FbxMotion *motion = b->motion;
    if (depth + motion->joint_count >= FBX_MAX_JOINTS)
        return diag_error(b->diag,
                          "model '%s' is its own ancestor, or there are more than %d joints",
                          name_of(b, model), FBX_MAX_JOINTS);
    if (model->parent && model->parent->index < 0 && !add_joint(b, model->parent, depth + 1))
        return false;
    FbxJoint *joint = &motion->joints[motion->joint_count];
    *joint = (FbxJoint){.name = model->kept ? name_of(b, model) : "",
                        .parent = model->parent ? model->parent->index : -1,
                        .scale = {1, 1, 1}};
    diag_item(b->diag, "joint", motion->joint_count);
    if (!load_joint(b, joint, model->node))
        return false;
    diag_item(b->diag, NULL, 0);
    model->index = (int32_t)motion->joint_count++;
    return true;
}

static bool build_joints(Builder *b)
{
    static const char *const bones[] = {"LimbNode", "Limb", "Root", "Null"};
    bool any = false;
    for (size_t i = 0; i < b->count; i++) {
        Object *model = &b->objects[i];
        const Bytes type = fbx_text(model->node, 2);
        model->kept = model->kind == MODEL && name_index(type, bones, 4) < 4;
        any |= model->kept;
        b->motion->meshes += model->kind == MODEL && fbx_is(type, "Mesh");
    }
    b->motion->joints =
        arena_array(b->arena, FbxJoint, b->count < FBX_MAX_JOINTS ? b->count : FBX_MAX_JOINTS);
    for (size_t i = 0; i < b->count; i++) {
        Object *model = &b->objects[i];
        model->kept |= !any && model->kind == MODEL;
        if (model->kept && model->index < 0 && !add_joint(b, model, 0))
            return false;
    }
    return b->motion->joint_count || diag_error(b->diag, "the file has no models: no joint moves");
}

/* ---- a take ---- */

static Object *take_of(const Object *curve_node)
{
    return curve_node->parent ? curve_node->parent->parent : NULL;
}

/* NULL after an error. */
static const Object *choose_take(Builder *b, const char *wanted)
{
    Takes *takes = &b->motion->takes;
    const Object **objects = arena_array(b->arena, const Object *, b->count);
    for (size_t i = 0; i < b->count; i++) {
        const Object *node = &b->objects[i];
        if (node->kind == CURVE_NODE && take_of(node) && node->model && node->model->index >= 0 &&
            (node->curves[0] || node->curves[1] || node->curves[2]))
            take_of(node)->kept = true;
    }
    *takes = (Takes){arena_array(b->arena, const char *, b->count),
                     arena_array(b->arena, bool, b->count), 0};
    for (size_t i = 0; i < b->count; i++) {
        const Object *take = &b->objects[i];
        if (take->kind != TAKE)
            continue;
        objects[takes->count] = take;
        takes->moves[takes->count] = take->kept;
        takes->names[takes->count++] = name_of(b, take);
    }
    const int32_t chosen = takes_choose(takes, wanted, b->arena, b->diag);
    b->motion->take = (uint32_t)chosen;
    return chosen < 0 ? NULL : objects[chosen];
}

static bool load_layers(Builder *b, const Object *take)
{
    FbxMotion *motion = b->motion;
    motion->layer_count = (uint32_t)(take->index + 1);
    if (motion->layer_count > FBX_MAX_LAYERS)
        return diag_error(b->diag, "%" PRIu32 " layers are too many (at most %d)",
                          motion->layer_count, FBX_MAX_LAYERS);
    for (size_t i = 0; i < b->count; i++) {
        const FbxNode *node = b->objects[i].node;
        if (b->objects[i].kind != LAYER || b->objects[i].parent != take)
            continue;
        const bool muted = number_of(node, "Mute", 0) != 0;
        const double mode = muted ? 0 : number_of(node, "BlendMode", 0),
                     weight = muted ? 0 : number_of(node, "Weight", 100) / 100;
        motion->layers[b->objects[i].index] =
            (FbxLayer){mode == 0, number_of(node, "RotationAccumulationMode", 0) != 0,
                       mode == 1 ? 1 : fmin(fmax(weight, 0), 1)};
    }
    return true;
}

static bool load_curve(Builder *b, FbxCurve *out, Object *curve)
{
    if (!curve->curve.keys) {
        diag_item(b->diag, "curve", (uint64_t)curve->id);
        if (!fbx_curve_load(&curve->curve, &b->tree, curve->node, b->second, b->arena, b->diag))
            return false;
        b->keys += curve->curve.count;
        if (b->keys > FBX_MAX_KEYS)
            return diag_error(b->diag, "the curves have more than %d keys", FBX_MAX_KEYS);
        diag_item(b->diag, NULL, 0);
    }
    *out = curve->curve;
    return true;
}

static bool load_track(Builder *b, const Object *node)
{
    FbxJoint *joint = &b->motion->joints[node->model->index];
    const int32_t layer = node->parent->index;
    if (!joint->tracks)
        joint->tracks = arena_calloc(b->arena, b->motion->layer_count, sizeof *joint->tracks);
    FbxTrack *track = &joint->tracks[layer][node->channel];
    if (track->exists)
        return true;
    track->exists = true;
    for (int i = 0; i < 3; i++) {
        track->rest[i] = number_of(node->node, axes[i], layer ? 0 : joint->local[node->channel][i]);
        if (fabs(track->rest[i]) > VMD_MAX_VALUE)
            return diag_error(b->diag, "%s %g of a curve node exceeds %d", axes[i], track->rest[i],
                              VMD_MAX_VALUE);
        if (node->curves[i] && !load_curve(b, &track->curves[i], node->curves[i]))
            return false;
    }
    return true;
}

/* Its tracks; its times are those of its settings, else from its first key to its last one. */
static bool load_take(Builder *b, const Object *take)
{
    FbxMotion *motion = b->motion;
    double start = INFINITY, stop = -INFINITY;
    for (size_t i = 0; i < b->count; i++) {
        const Object *node = &b->objects[i];
        if (node->kind != CURVE_NODE || take_of(node) != take || !node->model ||
            node->model->index < 0)
            continue;
        if (!load_track(b, node))
            return false;
        for (int k = 0; k < 3; k++)
            if (node->curves[k] && node->curves[k]->curve.count) {
                const FbxCurve *curve = &node->curves[k]->curve;
                start = fmin(start, curve->keys[0].time_s);
                stop = fmax(stop, curve->keys[curve->count - 1].time_s);
            }
    }
    const double local_start = number_of(take->node, "LocalStart", 0) / b->second,
                 local_stop = number_of(take->node, "LocalStop", 0) / b->second;
    if (local_stop > local_start) {
        start = local_start;
        stop = local_stop;
    }
    motion->start_s = isfinite(start) ? start : 0;
    motion->duration_s = isfinite(stop) ? stop - motion->start_s : 0;
    return (fabs(motion->start_s) <= FBX_MAX_SECONDS && motion->duration_s <= FBX_MAX_SECONDS) ||
           diag_error(b->diag, "the take lasts from %g to %g s (at most %d)", start, stop,
                      FBX_MAX_SECONDS);
}

/* ---- evaluation ---- */

/* Translation, angles and scale, and the rotation: those of layers that are not combined by channel
 * are combined as rotations, after angles up to there have become one.  Without a time, those of
 * the model. */
static void evaluate(double values[3][3], Quat *turned, const FbxMotion *motion,
                     const FbxJoint *joint, const double *time_s)
{
    bool as_rotation = false;
    memcpy(values, joint->local, sizeof joint->local);
    for (uint32_t i = 0; time_s && joint->tracks && i < 3 * motion->layer_count; i++) {
        const FbxTrack *track = &joint->tracks[i / 3][i % 3];
        const FbxLayer *layer = &motion->layers[i / 3];
        double value[3];
        if (!track->exists)
            continue;
        for (int k = 0; k < 3; k++)
            value[k] = track->curves[k].count ? fbx_curve_eval(&track->curves[k], *time_s)
                                              : track->rest[k];
        if (i < 3) {
            memcpy(values[i], value, sizeof value);
        } else if (i % 3 != 1 || (layer->by_channel && !as_rotation)) {
            for (int k = 0; k < 3; k++)
                values[i % 3][k] +=
                    layer->weight * (value[k] - (layer->is_additive ? 0 : values[i % 3][k]));
        } else {
            if (!as_rotation)
                *turned = rotation_of(values[1], joint->order);
            as_rotation = true;
            const Quat q = rotation_of(value, joint->order);
            *turned = layer->is_additive
                          ? quat_mul(*turned, quat_slerp(QUAT_IDENTITY, q, layer->weight))
                          : quat_slerp(*turned, q, layer->weight);
        }
    }
    if (!as_rotation)
        *turned = rotation_of(values[1], joint->order);
}

static void mirror(Vec3 *position, Quat *rotation)
{
    position->x = -position->x;
    rotation->y = -rotation->y;
    rotation->z = -rotation->z;
}

/* Roff + Rp + T and Rpre R Rpost^-1, with the rest of the pivots turned about Rp. */
static void place(Vec3 *position, Quat *rotation, const FbxMotion *motion, const FbxJoint *joint,
                  const double *time_s)
{
    double values[3][3];
    Quat turned;
    evaluate(values, &turned, motion, joint, time_s);
    *rotation = quat_normalize(quat_mul(joint->before, quat_mul(turned, joint->after)));
    const Vec3 moved = vec3_add(vector(values[0]), joint->pivot);
    *position =
        multiplied(vec3_add(moved, quat_rotate(*rotation, joint->pivot_offset)), joint->scale);
    if (motion->is_left_handed)
        mirror(position, rotation);
}

void fbx_local(Vec3 *position, Quat *rotation, const FbxMotion *motion, double time_s,
               uint32_t index)
{
    time_s += motion->start_s;
    place(position, rotation, motion, &motion->joints[index], &time_s);
}

/* ---- the rest pose ---- */

/* The matrix of a joint in the bind pose: columns of x, y, z, translation, each of 4. */
static bool bind_joint(Builder *b, bool *bound, const Object *model, const FbxNode *node,
                       const char *name)
{
    Arena *own = arena_create();
    FbxNumbers m;
    const bool good = fbx_numbers(&m, node, name, own, b->diag);
    if (good && m.count == 16 && model && model->kind == MODEL && model->index >= 0) {
        FbxJoint *joint = &b->motion->joints[model->index];
        const Vec3 x = vec3_normalize(vector(m.items)), at = vector(m.items + 12);
        const Vec3 z = vec3_normalize(vec3_cross(x, vector(m.items + 4)));
        if (vec3_length(x) > 0 && vec3_length(z) > 0 && vec3_length(at) <= VMD_MAX_VALUE) {
            const Quat q = quat_between((Vec3){1, 0, 0}, x);
            const Vec3 from = quat_rotate(q, (Vec3){0, 0, 1});
            const double angle = atan2(vec3_dot(vec3_cross(from, z), x), vec3_dot(from, z));
            joint->rest = at;
            joint->rest_rotation = quat_normalize(quat_mul(quat_from_axis_angle(x, angle), q));
            if (b->motion->is_left_handed)
                mirror(&joint->rest, &joint->rest_rotation);
            bound[model->index] = true;
        }
    }
    arena_destroy(own);
    return good;
}

static bool load_bind_pose(Builder *b, bool *bound)
{
    const FbxNode *list = fbx_child(&b->tree.root, "Objects");
    for (const FbxNode *pose = list->first; pose; pose = pose->next)
        if (fbx_is(pose->name, "Pose") && fbx_is(fbx_text(pose, 2), "BindPose"))
            for (const FbxNode *node = pose->first; node; node = node->next)
                if (!bind_joint(b, bound, find_object(b, fbx_integer(fbx_child(node, "Node"), 0)),
                                node, "Matrix"))
                    return false;
    for (size_t i = 0; i < b->count; i++)
        if (b->objects[i].kind == CLUSTER && b->objects[i].model &&
            !bind_joint(b, bound, b->objects[i].model, b->objects[i].node, "TransformLink"))
            return false;
    return true;
}

/* Scales, those of the start of the take; the bind pose; a joint that it lacks is placed by its
 * model. */
static bool set_rest(Builder *b)
{
    FbxMotion *motion = b->motion;
    bool *bound = arena_array(b->arena, bool, motion->joint_count);
    if (!load_bind_pose(b, bound))
        return false;
    for (uint32_t i = 0; i < motion->joint_count; i++) {
        FbxJoint *joint = &motion->joints[i];
        const FbxJoint *parent = joint->parent < 0 ? NULL : &motion->joints[joint->parent];
        double values[3][3];
        Quat turned;
        evaluate(values, &turned, motion, joint, &motion->start_s);
        memcpy(joint->local[2], values[2], sizeof values[2]);
        if (parent)
            joint->scale = multiplied(parent->scale, vector(parent->local[2]));
        if (!in_range(joint->scale))
            return diag_error(b->diag, "joint %" PRIu32 ": the scale exceeds %d", i, VMD_MAX_VALUE);
        if (bound[i])
            continue;
        place(&joint->rest, &joint->rest_rotation, motion, joint, NULL);
        if (parent) {
            joint->rest = vec3_add(parent->rest, quat_rotate(parent->rest_rotation, joint->rest));
            joint->rest_rotation =
                quat_normalize(quat_mul(parent->rest_rotation, joint->rest_rotation));
        }
    }
    return true;
}

/* ---- settings ---- */

/* TimeMode; 14 is CustomFrameRate. */
static double frame_rate(const FbxNode *settings)
{
    static const double rates[] = {30,    120, 100, 60,   50,     48, 30, 30, 29.97,
                                   29.97, 25,  24,  1000, 23.976, 0,  96, 72, 59.94};
    const double mode = number_of(settings, "TimeMode", 0),
                 custom = number_of(settings, "CustomFrameRate", 0);
    if (mode == 14)
        return custom > 0 && custom <= 1000 ? custom : 24;
    return mode > 0 && mode < 18 ? rates[(size_t)mode] : 30;
}

/* Which axes of the file are up, front and to the right of who looks at the front; right x up is
 * front in right-handed axes. */
static bool is_left_handed(const FbxNode *settings)
{
    const double up = number_of(settings, "UpAxis", 1), front = number_of(settings, "FrontAxis", 2),
                 right = number_of(settings, "CoordAxis", 0);
    const double turn = (up - right) * (front - up) * (right - front); /* -2 or 2: x y z, ... */
    return turn * number_of(settings, "UpAxisSign", 1) * number_of(settings, "FrontAxisSign", 1) *
               number_of(settings, "CoordAxisSign", 1) >
           0;
}

bool fbx_load(FbxMotion *motion, Bytes bytes, const char *take, Arena *arena, Diag *diag)
{
    Builder b = {.motion = motion, .arena = arena, .diag = diag};
    *motion = (FbxMotion){0};
    if (!fbx_tree_read(&b.tree, bytes, arena, diag))
        return false;
    const FbxNode *root = &b.tree.root, *settings = fbx_child(root, "GlobalSettings");
    const FbxNode *header = fbx_child(root, "FBXHeaderExtension");
    const FbxNode *unit = fbx_child(fbx_child(header, "OtherFlags"), "TCDefinition");
    const FbxNode *connections = fbx_child(root, "Connections"),
                  *types = fbx_child(root, "Definitions");
    b.second = unit && fbx_number(fbx_child(header, "FBXHeaderVersion"), 0) >= 1004 &&
                       fbx_number(unit, 0) != 127
                   ? 141120000.0
                   : 46186158000.0;
    motion->fps = frame_rate(settings);
    motion->is_left_handed = is_left_handed(settings);
    list_objects(&b);
    for (const FbxNode *c = connections ? connections->first : NULL; c; c = c->next)
        connect(&b, c);
    for (const FbxNode *type = types ? types->first : NULL; type; type = type->next)
        if (fbx_is(fbx_text(type, 0), "Model"))
            b.template = fbx_child(type, "PropertyTemplate");
    if (!build_joints(&b))
        return false;
    const Object *chosen = choose_take(&b, take);
    return chosen && load_layers(&b, chosen) && load_take(&b, chosen) && set_rest(&b);
}
