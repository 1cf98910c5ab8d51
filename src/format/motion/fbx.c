// SPDX-License-Identifier: MIT
#include "format/motion/fbx.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "format/motion/fbx_curve.h"
#include "format/motion/vmd.h"
#include "math/axes.h"

typedef enum Kind { MODEL, CLUSTER, TAKE, LAYER, CURVE_NODE, CURVE, KINDS } Kind;

typedef enum Channel { TRANSLATION, ROTATION, SCALING } Channel;

/* An object of the file and what its connections say; NULL, -1: none. */
typedef struct Object Object;
struct Object {
    int64_t id;
    const FbxNode *node;
    Kind kind;
    Object *parent;    /* of a model; the take of a layer; the layer of a curve node */
    Object *model;     /* of a cluster and a curve node */
    Object *curves[3]; /* of a curve node */
    double rest[3];    /* of a curve node: the values of axes without keys */
    int channel;       /* of a curve node */
    int32_t index;     /* of the joint, or of the layer in the take; of a take: of its last layer */
    bool kept;         /* a model with a name; a take that moves a joint */
    FbxCurve curve;    /* of a curve, when it is loaded */
};

typedef struct Layer {
    bool is_additive; /* else it replaces, in part by its weight, the layers below */
    bool by_channel;  /* rotations are combined as angles */
    double weight;    /* 0..1 */
} Layer;

typedef struct Joint {
    Vec3 local[3];              /* by Channel, of the model; angles in degrees */
    Quat before, after;         /* rotations after and before the one that moves */
    Vec3 pivot, pivot_offset;   /* the point that it turns about; the rest of the pivots */
    Vec3 scale;                 /* factor of its position: product of the scales above it */
    uint8_t order;              /* of the angles: 0 XYZ, x first; XZY YZX YXZ ZXY ZYX */
    const Object *(*tracks)[3]; /* [layer_count] by Channel; NULL: none */
} Joint;

typedef struct Fbx {
    FbxTree tree;
    Object *objects; /* as in the file */
    Object **by_id;
    size_t count;
    double active, order; /* RotationActive and RotationOrder of models that leave them out */
    double second;        /* units of time */
    uint64_t keys;
    Joint *joints;
    Layer layers[FBX_MAX_LAYERS]; /* the base layer first */
    uint32_t layer_count;
    double start_s;
    bool is_left_handed;
    Mocap *mocap;
    Arena *arena;
    Diag *diag;
} Fbx;

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
    return fbx_number(property(object, name), 4, otherwise);
}

static Vec3 vector_of(const FbxNode *object, const char *name, double otherwise)
{
    const FbxNode *p = property(object, name);
    return (Vec3){fbx_number(p, 4, otherwise), fbx_number(p, 5, otherwise),
                  fbx_number(p, 6, otherwise)};
}

/* "Name\0\1Class" in a binary file, "Class::Name" in a text. */
static const char *name_of(const Fbx *f, const Object *object)
{
    const Bytes text = fbx_text(object->node, 1);
    const char *name = text.size ? text_from_utf8(text.data, text.size, f->arena) : "";
    const char *colons = object->node->is_text ? strstr(name, "::") : NULL;
    return colons ? colons + 2 : name;
}

/* ---- objects and connections ---- */

static int compare_ids(const void *a, const void *b)
{
    const int64_t x = (*(Object *const *)a)->id, y = (*(Object *const *)b)->id;
    return (x > y) - (x < y);
}

/* The object of an id, or NULL. */
static Object *find_object(const Fbx *f, int64_t id)
{
    Object key = {.id = id}, *wanted = &key;
    Object **found =
        f->count ? bsearch(&wanted, f->by_id, f->count, sizeof wanted, compare_ids) : NULL;
    return found ? *found : NULL;
}

static void list_objects(Fbx *f)
{
    static const char *const names[KINDS] = {
        "Model",          "Deformer",           "AnimationStack",
        "AnimationLayer", "AnimationCurveNode", "AnimationCurve"};
    const FbxNode *list = fbx_child(&f->tree.root, "Objects");
    ARENA_LIST(Object) found = {0};
    for (const FbxNode *node = list ? list->first : NULL; node; node = node->next) {
        const Kind kind = (Kind)name_index(node->name, names, KINDS);
        if (kind != KINDS)
            *arena_push(f->arena, &found) =
                (Object){.id = fbx_integer(node, 0), .node = node, .kind = kind, .index = -1};
    }
    f->objects = found.items;
    f->count = found.count;
    f->by_id = arena_array(f->arena, Object *, f->count);
    for (size_t i = 0; i < f->count; i++)
        f->by_id[i] = &f->objects[i];
    qsort(f->by_id, f->count, sizeof *f->by_id, compare_ids);
}

/* "C": "OO", child, parent; or "OP", child, parent, name of a property of the parent */
static void connect(const Fbx *f, const FbxNode *c)
{
    Object *child = find_object(f, fbx_integer(c, 1)), *parent = find_object(f, fbx_integer(c, 2));
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
static Quat rotation_of(Vec3 degrees, uint8_t order)
{
    static const char orders[][4] = {"xyz", "xzy", "yzx", "yxz", "zxy", "zyx"};
    Quat q = QUAT_IDENTITY;
    for (int i = 0; i < 3; i++) {
        const char axis = orders[order][i];
        const Vec3 about = {axis == 'x', axis == 'y', axis == 'z'};
        q = quat_mul(quat_from_axis_angle(about, vec3_component(degrees, axis - 'x') * RADIANS), q);
    }
    return q;
}

static bool load_joint(const Fbx *f, Joint *joint, const FbxNode *node)
{
    static const char *const names[] = {"RotationOffset", "RotationPivot", "ScalingOffset",
                                        "ScalingPivot",   "PreRotation",   "PostRotation"};
    Vec3 v[6];
    *joint = (Joint){.before = QUAT_IDENTITY, .after = QUAT_IDENTITY, .scale = {1, 1, 1}};
    for (int i = 0; i < 3; i++)
        joint->local[i] = vector_of(node, properties[i], i == SCALING);
    for (int i = 0; i < 6; i++) {
        v[i] = vector_of(node, names[i], 0);
        if (!mocap_in_range(v[i]) || !mocap_in_range(joint->local[i % 3]))
            return diag_error(f->diag, "%s or %s exceeds %d", properties[i % 3], names[i],
                              VMD_MAX_VALUE);
    }
    if (number_of(node, "RotationActive", f->active) != 0 &&
        number_of(node, "RotationSpaceForLimitOnly", 0) == 0) {
        const double order = number_of(node, "RotationOrder", f->order);
        joint->before = rotation_of(v[4], 0);
        joint->after = quat_inverse(rotation_of(v[5], 0));
        joint->order = order > 0 && order < 6 ? (uint8_t)order : 0;
    }
    joint->pivot = vec3_add(v[0], v[1]);
    joint->pivot_offset =
        vec3_add(vec3_sub(v[2], v[1]), vec3_sub(v[3], mocap_scaled(v[3], joint->local[SCALING])));
    return true;
}

/* A model after its ancestors. */
static bool add_joint(Fbx *f, Object *model, unsigned depth)
{
    Mocap *mocap = f->mocap;
    if (depth + mocap->joint_count >= MOCAP_MAX_JOINTS)
        return diag_error(f->diag,
                          "model '%s' is its own ancestor, or there are more than %d joints",
                          name_of(f, model), MOCAP_MAX_JOINTS);
    if (model->parent && model->parent->index < 0 && !add_joint(f, model->parent, depth + 1))
        return false;
    model->index = (int32_t)mocap->joint_count++;
    mocap->joints[model->index] = (MocapJoint){.name = model->kept ? name_of(f, model) : "",
                                               .parent = model->parent ? model->parent->index : -1};
    diag_item(f->diag, "joint", (uint64_t)model->index);
    const bool good = load_joint(f, &f->joints[model->index], model->node);
    if (good)
        diag_item(f->diag, NULL, 0);
    return good;
}

static bool build_joints(Fbx *f)
{
    static const char *const bones[] = {"LimbNode", "Limb", "Root", "Null"};
    const size_t most = f->count < MOCAP_MAX_JOINTS ? f->count : MOCAP_MAX_JOINTS;
    bool any = false;
    for (size_t i = 0; i < f->count; i++) {
        Object *model = &f->objects[i];
        const Bytes type = fbx_text(model->node, 2);
        model->kept = model->kind == MODEL && name_index(type, bones, 4) < 4;
        any |= model->kept;
        f->mocap->meshes += model->kind == MODEL && fbx_is(type, "Mesh");
    }
    f->mocap->joints = arena_array(f->arena, MocapJoint, most);
    f->joints = arena_array(f->arena, Joint, most);
    for (size_t i = 0; i < f->count; i++) {
        Object *model = &f->objects[i];
        model->kept |= !any && model->kind == MODEL;
        if (model->kept && model->index < 0 && !add_joint(f, model, 0))
            return false;
    }
    return f->mocap->joint_count || diag_error(f->diag, "the file has no models: no joint moves");
}

/* ---- a take ---- */

/* Of a curve node that moves a joint; or NULL. */
static Object *take_of(const Object *node)
{
    return node->kind == CURVE_NODE && node->parent && node->model && node->model->index >= 0
               ? node->parent->parent
               : NULL;
}

/* NULL after an error. */
static const Object *choose_take(Fbx *f, const char *wanted)
{
    const Object **takes = arena_array(f->arena, const Object *, f->count);
    bool *moves = arena_array(f->arena, bool, f->count);
    Mocap *mocap = f->mocap;
    mocap->takes = arena_array(f->arena, const char *, f->count);
    for (size_t i = 0; i < f->count; i++) {
        const Object *node = &f->objects[i];
        if (take_of(node) && (node->curves[0] || node->curves[1] || node->curves[2]))
            take_of(node)->kept = true;
    }
    for (size_t i = 0; i < f->count; i++)
        if (f->objects[i].kind == TAKE) {
            takes[mocap->take_count] = &f->objects[i];
            moves[mocap->take_count] = f->objects[i].kept;
            mocap->takes[mocap->take_count++] = name_of(f, &f->objects[i]);
        }
    return mocap_choose_take(mocap, moves, wanted, f->arena, f->diag) ? takes[mocap->take] : NULL;
}

static bool load_layers(Fbx *f, const Object *take)
{
    f->layer_count = (uint32_t)(take->index + 1);
    if (f->layer_count > FBX_MAX_LAYERS)
        return diag_error(f->diag, "%" PRIu32 " layers are too many (at most %d)", f->layer_count,
                          FBX_MAX_LAYERS);
    for (size_t i = 0; i < f->count; i++) {
        const Object *layer = &f->objects[i];
        if (layer->kind != LAYER || layer->parent != take)
            continue;
        const double mode = number_of(layer->node, "BlendMode", 0);
        const double weight = mode == 1 ? 1 : number_of(layer->node, "Weight", 100) / 100;
        const bool muted = number_of(layer->node, "Mute", 0) != 0;
        f->layers[layer->index] =
            (Layer){mode == 0, number_of(layer->node, "RotationAccumulationMode", 0) != 0,
                    muted ? 0 : fmin(fmax(weight, 0), 1)};
    }
    f->layers[0] = (Layer){.by_channel = true, .weight = 1};
    return true;
}

/* The first and the last key extend a span of time. */
static bool load_curve(Fbx *f, Object *curve, double *start, double *stop)
{
    FbxCurve *c = &curve->curve;
    if (!c->keys) {
        diag_item(f->diag, "curve", (uint64_t)curve->id);
        if (!fbx_curve_load(c, &f->tree, curve->node, f->second, f->arena, f->diag))
            return false;
        f->keys += c->count;
        if (f->keys > FBX_MAX_KEYS)
            return diag_error(f->diag, "the curves have more than %d keys", FBX_MAX_KEYS);
        diag_item(f->diag, NULL, 0);
    }
    if (c->count) {
        *start = fmin(*start, c->keys[0].time_s);
        *stop = fmax(*stop, c->keys[c->count - 1].time_s);
    }
    return true;
}

static bool load_track(Fbx *f, Object *node, double *start, double *stop)
{
    Joint *joint = &f->joints[node->model->index];
    const int32_t layer = node->parent->index;
    if (!joint->tracks)
        joint->tracks = arena_calloc(f->arena, f->layer_count, sizeof *joint->tracks);
    if (joint->tracks[layer][node->channel])
        return true;
    joint->tracks[layer][node->channel] = node;
    for (int i = 0; i < 3; i++) {
        node->rest[i] = number_of(node->node, axes[i],
                                  layer ? 0 : vec3_component(joint->local[node->channel], i));
        if (fabs(node->rest[i]) > VMD_MAX_VALUE)
            return diag_error(f->diag, "%s %g of a curve node exceeds %d", axes[i], node->rest[i],
                              VMD_MAX_VALUE);
        if (node->curves[i] && !load_curve(f, node->curves[i], start, stop))
            return false;
    }
    return true;
}

/* Its tracks; its times are those of its settings, else from its first key to its last one. */
static bool load_take(Fbx *f, const Object *take)
{
    double start = INFINITY, stop = -INFINITY;
    for (size_t i = 0; i < f->count; i++)
        if (take_of(&f->objects[i]) == take && !load_track(f, &f->objects[i], &start, &stop))
            return false;
    const double local_start = number_of(take->node, "LocalStart", 0) / f->second,
                 local_stop = number_of(take->node, "LocalStop", 0) / f->second;
    if (local_stop > local_start) {
        start = local_start;
        stop = local_stop;
    }
    f->start_s = isfinite(start) ? start : 0;
    f->mocap->duration_s = isfinite(stop) ? stop - f->start_s : 0;
    return (fabs(f->start_s) <= MOCAP_MAX_SECONDS && f->mocap->duration_s <= MOCAP_MAX_SECONDS) ||
           diag_error(f->diag, "the take lasts from %g to %g s (at most %d)", start, stop,
                      MOCAP_MAX_SECONDS);
}

/* ---- evaluation ---- */

static Vec3 track_at(const Object *track, double time_s)
{
    double v[3];
    for (int i = 0; i < 3; i++)
        v[i] = track->curves[i] && track->curves[i]->curve.count
                   ? fbx_curve_eval(&track->curves[i]->curve, time_s)
                   : track->rest[i];
    return (Vec3){v[0], v[1], v[2]};
}

/* By Channel, and the rotation: those of layers that are not combined by channel are combined as
 * rotations, after angles up to there have become one.  Without a time, those of the model. */
static void evaluate(Vec3 values[3], Quat *turned, const Fbx *f, const Joint *joint,
                     const double *time_s)
{
    bool as_rotation = false;
    memcpy(values, joint->local, sizeof joint->local);
    for (uint32_t i = 0; time_s && joint->tracks && i < 3 * f->layer_count; i++) {
        const Object *track = joint->tracks[i / 3][i % 3];
        const Layer *layer = &f->layers[i / 3];
        if (!track)
            continue;
        Vec3 *sum = &values[i % 3];
        const Vec3 value = track_at(track, *time_s);
        if (i % 3 != ROTATION || (layer->by_channel && !as_rotation)) {
            *sum = layer->is_additive ? vec3_add(*sum, vec3_scale(value, layer->weight))
                                      : vec3_lerp(*sum, value, layer->weight);
            continue;
        }
        if (!as_rotation)
            *turned = rotation_of(*sum, joint->order);
        as_rotation = true;
        const Quat q = rotation_of(value, joint->order);
        *turned = layer->is_additive
                      ? quat_mul(*turned, quat_slerp(QUAT_IDENTITY, q, layer->weight))
                      : quat_slerp(*turned, q, layer->weight);
    }
    if (!as_rotation)
        *turned = rotation_of(values[ROTATION], joint->order);
}

static void mirror(Vec3 *position, Quat *rotation)
{
    position->x = -position->x;
    rotation->y = -rotation->y;
    rotation->z = -rotation->z;
}

/* Roff + Rp + T and Rpre R Rpost^-1, with the rest of the pivots turned about Rp. */
static void place(Vec3 *position, Quat *rotation, const Fbx *f, uint32_t index,
                  const double *time_s)
{
    const Joint *joint = &f->joints[index];
    Vec3 values[3];
    Quat turned;
    evaluate(values, &turned, f, joint, time_s);
    *rotation = quat_normalize(quat_mul(joint->before, quat_mul(turned, joint->after)));
    const Vec3 moved = vec3_add(values[TRANSLATION], joint->pivot);
    *position =
        mocap_scaled(vec3_add(moved, quat_rotate(*rotation, joint->pivot_offset)), joint->scale);
    if (f->is_left_handed)
        mirror(position, rotation);
}

static void local(Vec3 *position, Quat *rotation, const void *source, double time_s, uint32_t joint)
{
    const Fbx *f = source;
    time_s += f->start_s;
    place(position, rotation, f, joint, &time_s);
}

/* ---- the rest pose ---- */

/* The matrix of a joint in the bind pose: columns of x, y, z, translation, each of 4. */
static bool bind_joint(const Fbx *f, bool *bound, const Object *model, const FbxNode *node,
                       const char *name)
{
    Arena *own = arena_create();
    FbxNumbers m;
    const bool good = fbx_numbers(&m, node, name, own, f->diag);
    if (good && m.count == 16 && model && model->kind == MODEL && model->index >= 0) {
        MocapJoint *joint = &f->mocap->joints[model->index];
        Vec3 v[4];
        Quat q;
        for (int i = 0; i < 4; i++)
            v[i] = (Vec3){m.items[4 * i], m.items[4 * i + 1], m.items[4 * i + 2]};
        if (axes_rotation(&q, v[0], v[1]) && vec3_length(v[3]) <= VMD_MAX_VALUE) {
            joint->rest = v[3];
            joint->rest_rotation = q;
            if (f->is_left_handed)
                mirror(&joint->rest, &joint->rest_rotation);
            bound[model->index] = true;
        }
    }
    arena_destroy(own);
    return good;
}

static bool load_bind_pose(const Fbx *f, bool *bound)
{
    const FbxNode *list = fbx_child(&f->tree.root, "Objects");
    for (const FbxNode *pose = list->first; pose; pose = pose->next)
        if (fbx_is(pose->name, "Pose") && fbx_is(fbx_text(pose, 2), "BindPose"))
            for (const FbxNode *node = pose->first; node; node = node->next)
                if (!bind_joint(f, bound, find_object(f, fbx_integer(fbx_child(node, "Node"), 0)),
                                node, "Matrix"))
                    return false;
    for (size_t i = 0; i < f->count; i++)
        if (f->objects[i].kind == CLUSTER && f->objects[i].model &&
            !bind_joint(f, bound, f->objects[i].model, f->objects[i].node, "TransformLink"))
            return false;
    return true;
}

/* Scales, those of the start of the take; the bind pose; a joint that it lacks is placed by its
 * model. */
static bool set_rest(const Fbx *f)
{
    Mocap *mocap = f->mocap;
    bool *bound = arena_array(f->arena, bool, mocap->joint_count);
    if (!load_bind_pose(f, bound))
        return false;
    for (uint32_t i = 0; i < mocap->joint_count; i++) {
        Joint *joint = &f->joints[i];
        const int32_t parent = mocap->joints[i].parent;
        Vec3 values[3], position;
        Quat rotation;
        evaluate(values, &rotation, f, joint, &f->start_s);
        joint->local[SCALING] = values[SCALING];
        if (parent >= 0)
            joint->scale = mocap_scaled(f->joints[parent].scale, f->joints[parent].local[SCALING]);
        if (!mocap_in_range(joint->scale))
            return diag_error(f->diag, "joint %" PRIu32 ": the scale exceeds %d", i, VMD_MAX_VALUE);
        place(&position, &rotation, f, i, NULL);
        if (!bound[i])
            mocap_place_rest(mocap, i, position, rotation);
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

static double units_of_second(const FbxNode *root)
{
    const FbxNode *header = fbx_child(root, "FBXHeaderExtension");
    const FbxNode *unit = fbx_child(fbx_child(header, "OtherFlags"), "TCDefinition");
    return fbx_number(fbx_child(header, "FBXHeaderVersion"), 0, 0) >= 1004 &&
                   fbx_number(unit, 0, 127) != 127
               ? 141120000.0
               : 46186158000.0;
}

bool fbx_load(Mocap *mocap, Bytes bytes, const char *take, Arena *arena, Diag *diag)
{
    Fbx *f = arena_array(arena, Fbx, 1);
    *f = (Fbx){.mocap = mocap, .arena = arena, .diag = diag};
    if (!fbx_tree_read(&f->tree, bytes, arena, diag))
        return false;
    const FbxNode *root = &f->tree.root, *settings = fbx_child(root, "GlobalSettings");
    const FbxNode *connections = fbx_child(root, "Connections"),
                  *types = fbx_child(root, "Definitions"), *type = types ? types->first : NULL;
    *mocap = (Mocap){.fps = frame_rate(settings), .local = local, .source = f};
    f->second = units_of_second(root);
    f->is_left_handed = is_left_handed(settings);
    list_objects(f);
    for (const FbxNode *c = connections ? connections->first : NULL; c; c = c->next)
        connect(f, c);
    while (type && !fbx_is(fbx_text(type, 0), "Model"))
        type = type->next;
    f->active = number_of(fbx_child(type, "PropertyTemplate"), "RotationActive", 1);
    f->order = number_of(fbx_child(type, "PropertyTemplate"), "RotationOrder", 0);
    if (!build_joints(f))
        return false;
    const Object *chosen = choose_take(f, take);
    return chosen && load_layers(f, chosen) && load_take(f, chosen) && set_rest(f);
}
