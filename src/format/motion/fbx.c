// SPDX-License-Identifier: MIT
#include "format/motion/fbx.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "format/motion/vmd.h"

typedef enum Kind { MODEL, CLUSTER, TAKE, LAYER, CURVE_NODE, CURVE } Kind;

/* An object of the file and what its connections say; indices of objects, -1: none. */
typedef struct Object {
    int64_t id;
    const FbxNode *node;
    Kind kind;
    int32_t parent;    /* of a model; the take of a layer; the layer of a curve node */
    int32_t model;     /* of a cluster and a curve node; a layer if its weight changes */
    int32_t curves[3]; /* of a curve node */
    int32_t channel;   /* of a curve node: 0..2 as FbxTrack */
    int32_t index;     /* of the joint, or of the layer in the take */
    bool kept;         /* a model that becomes a joint */
    FbxCurve curve;    /* of a curve, when it is loaded */
} Object;

typedef struct Builder {
    FbxTree tree;
    Object *objects; /* by id */
    size_t count;
    int32_t *in_order; /* [count] as in the file */
    FbxMotion *motion;
    const FbxNode *template; /* of models */
    double second;           /* units of time */
    uint64_t keys;
    Arena *arena;
    Diag *diag;
} Builder;

/* ---- properties ---- */

/* "P": name, type, label, flags, values */
static const FbxNode *property(const FbxNode *object, const char *name)
{
    const FbxNode *list = fbx_child(object, "Properties70");
    for (const FbxNode *p = list ? list->first : NULL; p; p = p->next)
        if (fbx_is(fbx_text(p, 0), name))
            return p;
    return NULL;
}

static double number_of(const FbxNode *object, const char *name, double otherwise)
{
    const FbxNode *p = property(object, name);
    return p && p->value_count > 4 ? fbx_number(p, 4) : otherwise;
}

static bool vector_of(double out[3], const FbxNode *object, const char *name, double otherwise,
                      Diag *diag)
{
    const FbxNode *p = property(object, name);
    for (uint32_t i = 0; i < 3; i++) {
        out[i] = p && p->value_count > 6 ? fbx_number(p, 4 + i) : otherwise;
        if (fabs(out[i]) > VMD_MAX_VALUE)
            return diag_error(diag, "%s %g exceeds %d", name, out[i], VMD_MAX_VALUE);
    }
    return true;
}

/* "Name\0\1Class" in a binary file, "Class::Name" in a text. */
static const char *name_of(const Builder *b, const FbxNode *object)
{
    const Bytes text = fbx_text(object, 1);
    const char *name = text.size ? text_from_utf8(text.data, text.size, b->arena) : "";
    const char *colons = b->tree.is_text ? strstr(name, "::") : NULL;
    return colons ? colons + 2 : name;
}

/* ---- objects and connections ---- */

/* The names of records lie in the file in their order. */
static int compare_places(const Object *a, const Object *b)
{
    const uint8_t *x = a->node->name.data, *y = b->node->name.data;
    return x < y ? -1 : x > y;
}

static int compare_objects(const void *a, const void *b)
{
    const Object *x = a, *y = b;
    return x->id != y->id ? (x->id < y->id ? -1 : 1) : compare_places(x, y);
}

static int compare_in_file(const void *a, const void *b)
{
    return compare_places(*(const Object *const *)a, *(const Object *const *)b);
}

/* The first one of an id, or -1. */
static int32_t find_object(const Builder *b, int64_t id)
{
    size_t low = 0, high = b->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (b->objects[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < b->count && b->objects[low].id == id ? (int32_t)low : -1;
}

static bool kind_of(Kind *kind, const FbxNode *node)
{
    static const char *const names[] = {"Model",          "Deformer",           "AnimationStack",
                                        "AnimationLayer", "AnimationCurveNode", "AnimationCurve"};
    for (Kind k = MODEL; k <= CURVE; k++)
        if (fbx_is(node->name, names[k])) {
            *kind = k;
            return k != CLUSTER || fbx_is(fbx_text(node, 2), "Cluster");
        }
    return false;
}

static bool list_objects(Builder *b)
{
    const FbxNode *list = fbx_find(b->tree.first, "Objects");
    ARENA_LIST(Object) found = {0};
    Kind kind;
    for (const FbxNode *node = list ? list->first : NULL; node; node = node->next)
        if (kind_of(&kind, node))
            *arena_push(b->arena, &found) = (Object){.id = fbx_integer(node, 0),
                                                     .node = node,
                                                     .kind = kind,
                                                     .parent = -1,
                                                     .model = -1,
                                                     .curves = {-1, -1, -1},
                                                     .index = -1};
    if (found.count > FBX_MAX_OBJECTS)
        return diag_error(b->diag, "%zu objects are too many (at most %d)", found.count,
                          FBX_MAX_OBJECTS);
    b->objects = found.items;
    b->count = found.count;
    if (b->count)
        qsort(b->objects, b->count, sizeof *b->objects, compare_objects);
    const Object **order = arena_array(b->arena, const Object *, b->count);
    b->in_order = arena_array(b->arena, int32_t, b->count);
    for (size_t i = 0; i < b->count; i++)
        order[i] = &b->objects[i];
    if (b->count)
        qsort(order, b->count, sizeof *order, compare_in_file);
    for (size_t i = 0; i < b->count; i++)
        b->in_order[i] = (int32_t)(order[i] - b->objects);
    return true;
}

/* Of the objects in the order of the file: the next one of a kind after `at`; NULL: none. */
static Object *next_object(const Builder *b, Kind kind, size_t *at)
{
    while (*at < b->count) {
        Object *object = &b->objects[b->in_order[(*at)++]];
        if (object->kind == kind)
            return object;
    }
    return NULL;
}

/* "C": "OO", child, parent; or "OP", child, parent, name of a property of the parent */
static void connect(Builder *b, const FbxNode *c)
{
    static const char *const channels[] = {"Lcl Translation", "Lcl Rotation", "Lcl Scaling"};
    static const char *const axes[] = {"d|X", "d|Y", "d|Z", "d|Weight"};
    const int32_t from = find_object(b, fbx_integer(c, 1)), to = find_object(b, fbx_integer(c, 2));
    if (from < 0 || to < 0)
        return;
    Object *child = &b->objects[from], *parent = &b->objects[to];
    const Bytes name = fbx_text(c, 3);
    if (child->kind == MODEL && parent->kind == CLUSTER) {
        parent->model = from;
    } else if (fbx_is(fbx_text(c, 0), "OO")) {
        if ((child->kind == MODEL && parent->kind == MODEL) ||
            (child->kind == LAYER && parent->kind == TAKE) ||
            (child->kind == CURVE_NODE && parent->kind == LAYER))
            child->parent = to;
        if (child->kind == LAYER && parent->kind == TAKE)
            child->index = parent->index++ + 1;
    } else if (child->kind == CURVE_NODE && parent->kind == LAYER && fbx_is(name, "Weight")) {
        child->model = to;
    } else if (child->kind == CURVE_NODE && parent->kind == MODEL) {
        for (int32_t i = 0; i < 3; i++)
            if (fbx_is(name, channels[i])) {
                child->model = to;
                child->channel = i;
            }
    } else if (child->kind == CURVE && parent->kind == CURVE_NODE) {
        for (int i = 0; i < 4; i++)
            if (fbx_is(name, axes[i]))
                parent->curves[i % 3] = from;
    }
}

/* ---- joints ---- */

static void keep_models(Builder *b)
{
    static const char *const bones[] = {"LimbNode", "Limb", "Root", "Null"};
    const Object *model;
    bool any = false;
    for (int round = 0; round < 2 && !any; round++)
        for (size_t at = 0; (model = next_object(b, MODEL, &at));) {
            bool is_bone = round; /* without any bone, all models are joints */
            for (size_t k = 0; k < sizeof bones / sizeof *bones; k++)
                is_bone |= fbx_is(fbx_text(model->node, 2), bones[k]);
            b->objects[model - b->objects].kept = is_bone;
            any |= is_bone;
            b->motion->meshes += !round && fbx_is(fbx_text(model->node, 2), "Mesh");
        }
}

/* Of angles in degrees, in an order of FBX: XYZ turns about x first. */
static Quat rotation_of(const double degrees[3], uint8_t order)
{
    static const uint8_t axes[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0},
                                      {1, 0, 2}, {2, 0, 1}, {2, 1, 0}};
    Quat q = QUAT_IDENTITY;
    for (int i = 0; i < 3; i++) {
        const uint8_t axis = axes[order][i];
        const Vec3 about = {axis == 0, axis == 1, axis == 2};
        q = quat_mul(quat_from_axis_angle(about, degrees[axis] * RADIANS), q);
    }
    return q;
}

static Vec3 multiplied(Vec3 a, const double b[3])
{
    return (Vec3){a.x * b[0], a.y * b[1], a.z * b[2]};
}

static Vec3 vector(const double v[3])
{
    return (Vec3){v[0], v[1], v[2]};
}

/* Of a translation and angles: Roff + Rp + T and Rpre R Rpost^-1, with the rest of the pivots
 * turned about Rp. */
static void place(Vec3 *position, Quat *rotation, const FbxJoint *joint,
                  const double translation[3], Quat turned)
{
    *rotation = quat_normalize(quat_mul(joint->before, quat_mul(turned, joint->after)));
    const Vec3 moved = vec3_add(vector(translation), joint->pivot);
    const Vec3 local = vec3_add(moved, quat_rotate(*rotation, joint->pivot_offset));
    const double scale[3] = {joint->scale.x, joint->scale.y, joint->scale.z};
    *position = multiplied(local, scale);
}

static bool load_pivots(const Builder *b, FbxJoint *joint, const FbxNode *node)
{
    static const char *const names[] = {"RotationOffset", "RotationPivot", "ScalingOffset",
                                        "ScalingPivot",   "PreRotation",   "PostRotation"};
    double v[6][3];
    for (int i = 0; i < 6; i++)
        if (!vector_of(v[i], node, names[i], 0, b->diag))
            return false;
    /* A value that a model leaves out is that of the template of all models. */
    const double active = number_of(b->template, "RotationActive", 1);
    joint->before = joint->after = QUAT_IDENTITY;
    if (number_of(node, "RotationActive", active) != 0 &&
        number_of(node, "RotationSpaceForLimitOnly", 0) == 0) {
        const double order =
            number_of(node, "RotationOrder", number_of(b->template, "RotationOrder", 0));
        joint->before = rotation_of(v[4], 0);
        joint->after = quat_inverse(rotation_of(v[5], 0));
        joint->order = order > 0 && order < 6 ? (uint8_t)order : 0;
    }
    joint->pivot = vec3_add(vector(v[0]), vector(v[1]));
    const Vec3 scaled = vec3_sub(vector(v[3]), multiplied(vector(v[3]), joint->local[2]));
    joint->pivot_offset = vec3_add(vec3_sub(vector(v[2]), vector(v[1])), scaled);
    return true;
}

static bool add_joint(Builder *b, Object *model)
{
    static const char *const names[] = {"Lcl Translation", "Lcl Rotation", "Lcl Scaling"};
    FbxMotion *motion = b->motion;
    FbxJoint *joint = &motion->joints[motion->joint_count];
    *joint = (FbxJoint){.name = model->kept ? name_of(b, model->node) : "",
                        .parent = model->parent < 0 ? -1 : b->objects[model->parent].index,
                        .scale = {1, 1, 1}};
    diag_item(b->diag, "joint", motion->joint_count);
    for (int i = 0; i < 3; i++)
        if (!vector_of(joint->local[i], model->node, names[i], i == 2, b->diag))
            return false;
    if (!load_pivots(b, joint, model->node))
        return false;
    diag_item(b->diag, NULL, 0);
    model->index = (int32_t)motion->joint_count++;
    return true;
}

/* A model after its ancestors. */
static bool add_with_ancestors(Builder *b, Object *model)
{
    Object *chain[FBX_MAX_JOINTS];
    uint32_t size = 0;
    for (Object *at = model; at && at->index < 0;
         at = at->parent < 0 ? NULL : &b->objects[at->parent]) {
        if (size + b->motion->joint_count == FBX_MAX_JOINTS)
            return diag_error(b->diag,
                              "model '%s' is its own ancestor, or there are more than %d joints",
                              name_of(b, model->node), FBX_MAX_JOINTS);
        chain[size++] = at;
    }
    while (size)
        if (!add_joint(b, chain[--size]))
            return false;
    return true;
}

static bool build_joints(Builder *b)
{
    Object *model;
    keep_models(b);
    b->motion->joints =
        arena_array(b->arena, FbxJoint, b->count < FBX_MAX_JOINTS ? b->count : FBX_MAX_JOINTS);
    for (size_t at = 0; (model = next_object(b, MODEL, &at));)
        if (model->kept && !add_with_ancestors(b, model))
            return false;
    return b->motion->joint_count || diag_error(b->diag, "the file has no models: no joint moves");
}

/* ---- a take ---- */

static void load_layer(FbxLayer *out, const FbxNode *node)
{
    const double mode = number_of(node, "BlendMode", 0), weight = number_of(node, "Weight", 100);
    *out = (FbxLayer){.is_additive = mode == 0,
                      .is_blended = mode == 2,
                      .by_channel = number_of(node, "RotationAccumulationMode", 0) != 0,
                      .weight = fmin(fmax(weight / 100, 0), 1)};
    if (number_of(node, "Mute", 0) != 0)
        *out = (FbxLayer){.is_additive = true};
}

/* Whether a curve node moves a joint in a take. */
static bool moves_joint(const Builder *b, const Object *curve_node, const Object *take)
{
    const int32_t layer = curve_node->parent;
    return layer >= 0 && curve_node->model >= 0 && b->objects[curve_node->model].index >= 0 &&
           b->objects[curve_node->model].kind == MODEL &&
           b->objects[layer].parent == (int32_t)(take - b->objects);
}

/* Which takes move a joint. */
static void mark_takes(Builder *b)
{
    const Object *node;
    for (size_t at = 0; (node = next_object(b, CURVE_NODE, &at));) {
        const int32_t take = node->parent < 0 ? -1 : b->objects[node->parent].parent;
        if (take >= 0 && moves_joint(b, node, &b->objects[take]) &&
            (node->curves[0] >= 0 || node->curves[1] >= 0 || node->curves[2] >= 0))
            b->objects[take].kept = true;
    }
}

/* NULL after an error. */
static const Object *choose_take(Builder *b, const char *wanted)
{
    FbxMotion *motion = b->motion;
    const Object *take, *chosen = NULL;
    motion->takes = arena_array(b->arena, const char *, b->count);
    for (size_t at = 0; (take = next_object(b, TAKE, &at));) {
        const char *name = name_of(b, take->node);
        if (!chosen && (wanted ? !strcmp(name, wanted) : take->kept)) {
            chosen = take;
            motion->take = motion->take_count;
        }
        motion->takes[motion->take_count++] = name;
    }
    if (chosen && chosen->kept)
        return chosen;
    const TextNames names = {motion->takes, motion->take_count, sizeof(char *), 0};
    if (!motion->take_count)
        diag_error(b->diag, "the file has no take: there is no motion");
    else if (!wanted)
        diag_error(b->diag, "no curve of its takes moves a joint: there is no motion");
    else if (chosen)
        diag_error(b->diag, "no curve of take '%s' moves a joint", wanted);
    else
        diag_error(b->diag, "no take '%s'%s", wanted, text_suggestion(wanted, names, b->arena));
    return NULL;
}

static bool load_curve(Builder *b, FbxCurve *out, int32_t index)
{
    Object *curve = &b->objects[index];
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

static int compare_tracks(const void *a, const void *b)
{
    const FbxTrack *x = a, *y = b;
    return x->joint != y->joint   ? (x->joint > y->joint ? 1 : -1)
           : x->layer != y->layer ? (x->layer > y->layer ? 1 : -1)
                                  : (int)x->channel - (int)y->channel;
}

static bool load_tracks(Builder *b, const Object *take)
{
    static const char *const axes[] = {"d|X", "d|Y", "d|Z"};
    ARENA_LIST(FbxTrack) tracks = {0};
    bool *seen =
        arena_array(b->arena, bool, (size_t)b->motion->joint_count * b->motion->layer_count * 3);
    const Object *node;
    for (size_t at = 0; (node = next_object(b, CURVE_NODE, &at));) {
        const Object *moved = node->model < 0 ? NULL : &b->objects[node->model];
        if (moved && moved->kind == LAYER && b->objects + moved->parent == take &&
            node->curves[0] >= 0 && number_of(moved->node, "Mute", 0) == 0 &&
            !load_curve(b, &b->motion->layers[moved->index].weights, node->curves[0]))
            return false;
        if (!moves_joint(b, node, take))
            continue;
        const uint32_t layer = (uint32_t)b->objects[node->parent].index,
                       joint = (uint32_t)b->objects[node->model].index;
        bool *is_there =
            &seen[(joint * b->motion->layer_count + layer) * 3 + (uint32_t)node->channel];
        if (*is_there)
            continue;
        *is_there = true;
        FbxTrack *track = arena_push(b->arena, &tracks);
        *track =
            (FbxTrack){.joint = (int32_t)joint, .channel = (uint8_t)node->channel, .layer = layer};
        const double *rest = b->motion->joints[track->joint].local[track->channel];
        for (int i = 0; i < 3; i++) {
            track->rest[i] = number_of(node->node, axes[i], track->layer ? 0 : rest[i]);
            if (fabs(track->rest[i]) > VMD_MAX_VALUE)
                return diag_error(b->diag, "%s %g of a curve node exceeds %d", axes[i],
                                  track->rest[i], VMD_MAX_VALUE);
            if (node->curves[i] >= 0 && !load_curve(b, &track->curves[i], node->curves[i]))
                return false;
        }
    }
    if (tracks.count)
        qsort(tracks.items, tracks.count, sizeof *tracks.items, compare_tracks);
    for (size_t i = 0; i < tracks.count; i++) {
        FbxJoint *joint = &b->motion->joints[tracks.items[i].joint];
        joint->tracks = joint->track_count ? joint->tracks : &tracks.items[i];
        joint->track_count++;
    }
    return true;
}

/* From the settings of the take, else from its first key to its last one. */
static bool find_times(Builder *b, const Object *take)
{
    FbxMotion *motion = b->motion;
    double start = number_of(take->node, "LocalStart", 0) / b->second,
           stop = number_of(take->node, "LocalStop", 0) / b->second;
    if (!(stop > start)) {
        start = INFINITY;
        stop = -INFINITY;
        for (uint32_t i = 0; i < motion->joint_count; i++)
            for (uint32_t k = 0; k < 3 * motion->joints[i].track_count; k++) {
                const FbxCurve *curve = &motion->joints[i].tracks[k / 3].curves[k % 3];
                if (curve->count) {
                    start = fmin(start, curve->keys[0].time_s);
                    stop = fmax(stop, curve->keys[curve->count - 1].time_s);
                }
            }
    }
    motion->start_s = isfinite(start) ? start : 0;
    motion->duration_s = isfinite(stop) ? stop - motion->start_s : 0;
    return (fabs(motion->start_s) <= FBX_MAX_SECONDS && motion->duration_s <= FBX_MAX_SECONDS) ||
           diag_error(b->diag, "the take lasts from %g to %g s (at most %d)", start, stop,
                      FBX_MAX_SECONDS);
}

/* ---- evaluation ---- */

static void track_value(double out[3], const FbxTrack *track, double time_s)
{
    for (int i = 0; i < 3; i++)
        out[i] =
            track->curves[i].count ? fbx_curve_eval(&track->curves[i], time_s) : track->rest[i];
}

/* A value that a layer adds to the one below it, or replaces it by; `first` has no layer below. */
static void combine(double sum[3], const double value[3], const FbxLayer *layer, double weight,
                    bool first)
{
    for (int i = 0; i < 3; i++)
        sum[i] = first                ? value[i]
                 : layer->is_additive ? sum[i] + weight * value[i]
                                      : sum[i] + weight * (value[i] - sum[i]);
}

static double weight_of(const FbxLayer *layer, double time_s)
{
    if (!layer->is_additive && !layer->is_blended)
        return 1;
    return layer->weights.count ? fmin(fmax(fbx_curve_eval(&layer->weights, time_s) / 100, 0), 1)
                                : layer->weight;
}

/* By layer, rotations are combined as such: angles up to there become a rotation first. */
static void evaluate(double values[3][3], Quat *turned, const FbxMotion *motion,
                     const FbxJoint *joint, double time_s)
{
    bool as_rotation = false;
    memcpy(values, joint->local, sizeof joint->local);
    for (uint32_t i = 0; i < joint->track_count; i++) {
        const FbxTrack *track = &joint->tracks[i];
        const FbxLayer *layer = &motion->layers[track->layer];
        double value[3];
        track_value(value, track, time_s);
        const double weight = weight_of(layer, time_s);
        if (track->channel != 1 || !track->layer || (layer->by_channel && !as_rotation)) {
            combine(values[track->channel], value, layer, weight, !track->layer);
            continue;
        }
        if (!as_rotation)
            *turned = rotation_of(values[1], joint->order);
        as_rotation = true;
        const Quat q = rotation_of(value, joint->order);
        *turned = layer->is_additive ? quat_mul(*turned, quat_slerp(QUAT_IDENTITY, q, weight))
                                     : quat_slerp(*turned, q, weight);
    }
    if (!as_rotation)
        *turned = rotation_of(values[1], joint->order);
}

void fbx_local(Vec3 *position, Quat *rotation, const FbxMotion *motion, double time_s,
               uint32_t index)
{
    const FbxJoint *joint = &motion->joints[index];
    double values[3][3];
    Quat turned;
    evaluate(values, &turned, motion, joint, motion->start_s + time_s);
    place(position, rotation, joint, values[0], turned);
    if (motion->is_left_handed) {
        position->x = -position->x;
        rotation->y = -rotation->y;
        rotation->z = -rotation->z;
    }
}

/* ---- the rest pose ---- */

/* Scales that change over time are those of the start of the take. */
static bool set_scales(Builder *b)
{
    FbxMotion *motion = b->motion;
    for (uint32_t i = 0; i < motion->joint_count; i++) {
        FbxJoint *joint = &motion->joints[i];
        double values[3][3];
        Quat turned;
        evaluate(values, &turned, motion, joint, motion->start_s);
        memcpy(joint->local[2], values[2], sizeof values[2]);
        if (joint->parent >= 0) {
            const FbxJoint *parent = &motion->joints[joint->parent];
            joint->scale = multiplied(parent->scale, parent->local[2]);
        }
        const Vec3 s = joint->scale;
        if (!(fabs(s.x) <= VMD_MAX_VALUE && fabs(s.y) <= VMD_MAX_VALUE &&
              fabs(s.z) <= VMD_MAX_VALUE))
            return diag_error(b->diag, "joint %" PRIu32 ": the scale exceeds %d", i, VMD_MAX_VALUE);
    }
    return true;
}

/* Of three axes as columns, perpendicular and of length 1. */
static Quat rotation_of_axes(Vec3 x, Vec3 y, Vec3 z)
{
    const double w = 1 + x.x + y.y + z.z;
    const Quat candidates[4] = {{y.z - z.y, z.x - x.z, x.y - y.x, w},
                                {1 + x.x - y.y - z.z, x.y + y.x, z.x + x.z, y.z - z.y},
                                {x.y + y.x, 1 + y.y - x.x - z.z, y.z + z.y, z.x - x.z},
                                {z.x + x.z, y.z + z.y, 1 + z.z - x.x - y.y, x.y - y.x}};
    int best = 0;
    for (int i = 1; i < 4; i++)
        if (quat_dot(candidates[i], candidates[i]) > quat_dot(candidates[best], candidates[best]))
            best = i;
    return quat_normalize(candidates[best]);
}

/* The matrix of a joint in the bind pose: columns of x, y, z, translation, each of 4. */
static bool bind_joint(Builder *b, bool *bound, int32_t model, const FbxNode *node,
                       const char *name)
{
    Arena *own = arena_create();
    FbxNumbers m;
    const bool good = fbx_numbers(&m, &b->tree, node, name, own, b->diag);
    const int32_t index = model < 0 ? -1 : b->objects[model].index;
    if (good && m.count == 16 && index >= 0) {
        FbxJoint *joint = &b->motion->joints[index];
        const Vec3 x = vec3_normalize(vector(m.items)), at = vector(m.items + 12);
        const Vec3 z = vec3_normalize(vec3_cross(x, vector(m.items + 4)));
        if (vec3_length(x) > 0 && vec3_length(z) > 0 && vec3_length(at) <= VMD_MAX_VALUE) {
            joint->rest = at;
            joint->rest_rotation = rotation_of_axes(x, vec3_cross(z, x), z);
            bound[index] = true;
        }
    }
    arena_destroy(own);
    return good;
}

static bool load_bind_pose(Builder *b, bool *bound)
{
    const FbxNode *list = fbx_find(b->tree.first, "Objects");
    for (const FbxNode *pose = list ? list->first : NULL; pose; pose = pose->next)
        if (fbx_is(pose->name, "Pose") && fbx_is(fbx_text(pose, 2), "BindPose"))
            for (const FbxNode *node = pose->first; node; node = node->next)
                if (!bind_joint(b, bound, find_object(b, fbx_integer(fbx_child(node, "Node"), 0)),
                                node, "Matrix"))
                    return false;
    const Object *cluster;
    for (size_t at = 0; (cluster = next_object(b, CLUSTER, &at));)
        if (!bind_joint(b, bound, cluster->model, cluster->node, "TransformLink"))
            return false;
    return true;
}

/* The bind pose; a joint that it lacks is placed by its model. */
static bool set_rest(Builder *b)
{
    FbxMotion *motion = b->motion;
    bool *bound = arena_array(b->arena, bool, motion->joint_count);
    if (!load_bind_pose(b, bound))
        return false;
    for (uint32_t i = 0; i < motion->joint_count; i++) {
        FbxJoint *joint = &motion->joints[i];
        if (bound[i] && motion->is_left_handed) {
            joint->rest.x = -joint->rest.x;
            joint->rest_rotation.y = -joint->rest_rotation.y;
            joint->rest_rotation.z = -joint->rest_rotation.z;
        }
        if (bound[i])
            continue;
        FbxMotion still = *motion;
        FbxJoint alone = *joint;
        alone.track_count = 0;
        still.joints = &alone;
        fbx_local(&joint->rest, &joint->rest_rotation, &still, 0, 0);
        if (joint->parent >= 0) {
            const FbxJoint *parent = &motion->joints[joint->parent];
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
    const size_t count = sizeof rates / sizeof *rates;
    return mode > 0 && mode < (double)count ? rates[(size_t)mode] : 30;
}

/* Which axes of the file are up, front and to the right of who looks at the front; right x up is
 * front in right-handed axes. */
static bool is_left_handed(const FbxNode *settings)
{
    const double up = number_of(settings, "UpAxis", 1), front = number_of(settings, "FrontAxis", 2),
                 right = number_of(settings, "CoordAxis", 0);
    const double sign = number_of(settings, "UpAxisSign", 1) *
                        number_of(settings, "FrontAxisSign", 1) *
                        number_of(settings, "CoordAxisSign", 1);
    const bool cyclic = fmod(right + 1, 3) == up && fmod(up + 1, 3) == front;
    const bool valid = up + front + right == 3 && up != front && up != right && front != right;
    return valid && (cyclic ? sign < 0 : sign > 0);
}

static double time_unit(const FbxTree *tree)
{
    const FbxNode *header = fbx_find(tree->first, "FBXHeaderExtension");
    const FbxNode *definition = fbx_child(fbx_child(header, "OtherFlags"), "TCDefinition");
    return definition && fbx_number(fbx_child(header, "FBXHeaderVersion"), 0) >= 1004 &&
                   fbx_number(definition, 0) != 127
               ? 141120000.0
               : 46186158000.0;
}

bool fbx_load(FbxMotion *motion, Bytes bytes, const char *take, Arena *arena, Diag *diag)
{
    Builder b = {.motion = motion, .arena = arena, .diag = diag};
    *motion = (FbxMotion){0};
    if (!fbx_tree_read(&b.tree, bytes, arena, diag))
        return false;
    const FbxNode *settings = fbx_find(b.tree.first, "GlobalSettings");
    const FbxNode *connections = fbx_find(b.tree.first, "Connections");
    const FbxNode *definitions = fbx_find(b.tree.first, "Definitions");
    const FbxNode *type = definitions ? definitions->first : NULL;
    b.second = time_unit(&b.tree);
    motion->fps = frame_rate(settings);
    motion->is_left_handed = is_left_handed(settings);
    if (!list_objects(&b))
        return false;
    for (const FbxNode *c = connections ? connections->first : NULL; c; c = c->next)
        connect(&b, c);
    for (; type; type = type->next)
        if (fbx_is(fbx_text(type, 0), "Model"))
            b.template = fbx_child(type, "PropertyTemplate");
    if (!build_joints(&b))
        return false;
    mark_takes(&b);
    const Object *chosen = choose_take(&b, take), *layer;
    if (!chosen)
        return false;
    motion->layer_count = (uint32_t)(chosen->index + 1);
    if (motion->layer_count > FBX_MAX_LAYERS)
        return diag_error(diag, "%" PRIu32 " layers are too many (at most %d)", motion->layer_count,
                          FBX_MAX_LAYERS);
    motion->layers = arena_array(arena, FbxLayer, motion->layer_count);
    for (size_t at = 0; (layer = next_object(&b, LAYER, &at));)
        if (layer->parent == (int32_t)(chosen - b.objects))
            load_layer(&motion->layers[layer->index], layer->node);
    return load_tracks(&b, chosen) && find_times(&b, chosen) && set_scales(&b) && set_rest(&b);
}
