// SPDX-License-Identifier: MIT
#include "format/motion/gltf_motion.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "format/gltf/gltf_read.h"
#include "format/model/vrm_bones.h"
#include "format/motion/vmd.h"
#include "math/axes.h"
#include "math/scalar.h"

typedef enum Interpolation { STEP, LINEAR, CUBIC } Interpolation;

typedef struct Track {
    const float *times;  /* [count], s */
    const float *values; /* [count] of 3 or 4 floats; CUBIC: [count][3]: tangents and value */
    uint32_t count;      /* 0: not animated */
    Interpolation interpolation;
} Track;

typedef struct Node {
    const GltfNode *from;
    Vec3 scale; /* factor of translations of this node: product of the scales of its ancestors */
    Track translations, rotations;
} Node;

typedef struct Builder {
    GltfFile *file;
    const JsonValue *animation;
    bool has_humanoid;
    const char **names; /* [node_count] of the file; NULL: none */
    bool *kept;         /* [node_count] */
    int32_t *index_of;  /* [node_count] of the joint; -1: not placed yet */
    uint32_t *skin_of;  /* [node_count] 1 + the last skin that has it as a joint; 0: none */
    Node *nodes;        /* [joint_count] */
    Mocap *mocap;
    Arena *arena;
    Diag *diag;
} Builder;

/* ---- which nodes ---- */

/* VRM 0.x names the bones of the thumb as those of the other fingers. */
static const char *bone_of_vrm_0(const char *bone)
{
    static const char *const names[][2] = {{"leftThumbProximal", "leftThumbMetacarpal"},
                                           {"leftThumbIntermediate", "leftThumbProximal"},
                                           {"rightThumbProximal", "rightThumbMetacarpal"},
                                           {"rightThumbIntermediate", "rightThumbProximal"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(bone, names[i][0]))
            return names[i][1];
    return bone;
}

/* The bones, what they depend on, and the children of the last bones of fingers. */
static void keep_bones(Builder *b)
{
    for (uint32_t i = 0; i < b->file->node_count; i++) {
        const int32_t parent = b->file->nodes[i].parent;
        const char *above = parent >= 0 ? b->names[parent] : NULL;
        if (!b->names[i] && !(above && strstr(above, "Distal")))
            continue;
        for (int32_t at = (int32_t)i; at >= 0 && !b->kept[at]; at = b->file->nodes[at].parent)
            b->kept[at] = true;
    }
}

/* All nodes.  One with a mesh is no joint, and often named as the part of the body that it is. */
static void keep_all(Builder *b)
{
    for (uint32_t i = 0; i < b->file->node_count; i++) {
        b->kept[i] = true;
        b->names[i] = b->file->nodes[i].mesh < 0 ? b->file->nodes[i].name : NULL;
    }
}

static bool find_nodes(Builder *b)
{
    const JsonValue *extensions = json_member(b->file->root, "extensions");
    static const char *const names[] = {"VRMC_vrm_animation", "VRMC_vrm", "VRM"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const JsonValue *humanoid = json_member(json_member(extensions, names[i]), "humanoid");
        const JsonValue *bones = json_member(humanoid, "humanBones");
        if (!json_count(bones))
            continue;
        const bool is_older = !strcmp(names[i], "VRM");
        b->names = vrm_bones_name_nodes(b->file, bones, is_older, b->arena, b->diag);
        if (!b->names)
            return false;
        for (uint32_t k = 0; is_older && k < b->file->node_count; k++)
            if (b->names[k])
                b->names[k] = bone_of_vrm_0(b->names[k]);
        b->has_humanoid = true;
        keep_bones(b);
        return true;
    }
    keep_all(b);
    return true;
}

/* ---- takes ---- */

/* The node that a channel moves, or -1. */
static int32_t moved_node(const Builder *b, const JsonValue *channel, bool *is_rotation)
{
    const JsonValue *target = json_member(channel, "target");
    const int32_t node = json_index(json_member(target, "node"));
    const char *path = json_string(json_member(target, "path"), "");
    *is_rotation = !strcmp(path, "rotation");
    return node >= 0 && (uint32_t)node < b->file->node_count && b->kept[node] &&
                   (*is_rotation || !strcmp(path, "translation"))
               ? node
               : -1;
}

static bool choose_take(Builder *b, const char *wanted)
{
    const JsonValue *list = json_member(b->file->root, "animations");
    const uint32_t count = json_count(list);
    bool *moves = arena_array(b->arena, bool, count);
    b->mocap->takes = arena_array(b->arena, const char *, count);
    b->mocap->take_count = count;
    for (uint32_t i = 0; i < count; i++) {
        const JsonValue *animation = json_item(list, i);
        const JsonValue *channels = json_member(animation, "channels");
        const char *name = json_string(json_member(animation, "name"), NULL);
        bool is_rotation;
        b->mocap->takes[i] = name ? name : arena_printf(b->arena, "animation %" PRIu32, i + 1);
        for (uint32_t k = 0; k < json_count(channels) && !moves[i]; k++)
            moves[i] = moved_node(b, json_item(channels, k), &is_rotation) >= 0;
    }
    if (!mocap_choose_take(b->mocap, moves, wanted, b->arena, b->diag))
        return false;
    b->animation = json_item(list, b->mocap->take);
    return true;
}

/* ---- tracks ---- */

static bool load_track(Track *out, Builder *b, const JsonValue *channel, uint32_t components)
{
    const int32_t index = json_index(json_member(channel, "sampler"));
    const JsonValue *sampler =
        index < 0 ? NULL : json_item(json_member(b->animation, "samplers"), (uint32_t)index);
    const char *name = json_string(json_member(sampler, "interpolation"), "LINEAR");
    GltfValues times, values;
    if (!sampler)
        return diag_error(b->diag, "animation sampler %" PRId32 " does not exist", index);
    if (!gltf_values(&times, b->file, json_index(json_member(sampler, "input")), 1, b->diag) ||
        !gltf_values(&values, b->file, json_index(json_member(sampler, "output")), components,
                     b->diag))
        return false;
    *out = (Track){times.items, values.items, times.count,
                   !strcmp(name, "STEP")          ? STEP
                   : !strcmp(name, "CUBICSPLINE") ? CUBIC
                                                  : LINEAR};
    if (!times.count ||
        values.count != (uint64_t)times.count * (out->interpolation == CUBIC ? 3 : 1))
        return diag_error(b->diag, "an animation has %" PRIu32 " times and %" PRIu32 " values",
                          times.count, values.count);
    for (uint32_t i = 0; i < times.count; i++)
        if (!(out->times[i] >= 0 && out->times[i] <= MOCAP_MAX_SECONDS) ||
            (i && out->times[i] < out->times[i - 1]))
            return diag_error(b->diag,
                              "key %" PRIu32 ": time %g s is out of order or range (0..%d)", i,
                              (double)out->times[i], MOCAP_MAX_SECONDS);
    b->mocap->duration_s = fmax(b->mocap->duration_s, (double)out->times[times.count - 1]);
    return true;
}

static bool load_channels(Builder *b)
{
    const JsonValue *channels = json_member(b->animation, "channels");
    for (uint32_t i = 0; i < json_count(channels); i++) {
        bool is_rotation;
        const int32_t index = moved_node(b, json_item(channels, i), &is_rotation);
        Node *node = index < 0 ? NULL : &b->nodes[b->index_of[index]];
        if (node && !load_track(is_rotation ? &node->rotations : &node->translations, b,
                                json_item(channels, i), is_rotation ? 4 : 3))
            return false;
    }
    return true;
}

/* ---- nodes ---- */

static void place_rest(const Builder *b, uint32_t joint)
{
    const Node *node = &b->nodes[joint];
    mocap_place_rest(b->mocap, joint, mocap_scaled(node->from->translation, node->scale),
                     node->from->rotation);
}

/* A node after its ancestors. */
static bool add_node(Builder *b, uint32_t from, unsigned depth)
{
    const GltfNode *source = &b->file->nodes[from];
    Mocap *mocap = b->mocap;
    Vec3 scale = {1, 1, 1};
    int32_t parent = -1;
    if (depth + mocap->joint_count >= MOCAP_MAX_JOINTS)
        return diag_error(b->diag,
                          "node %" PRIu32 " is its own ancestor, or there are more than %d nodes",
                          from, MOCAP_MAX_JOINTS);
    if (source->parent >= 0) {
        if (b->index_of[source->parent] < 0 && !add_node(b, (uint32_t)source->parent, depth + 1))
            return false;
        parent = b->index_of[source->parent];
        scale = mocap_scaled(b->nodes[parent].scale, b->nodes[parent].from->scale);
    }
    if (!mocap_in_range(scale))
        return diag_error(b->diag, "node %" PRIu32 ": the scale exceeds %d", from, VMD_MAX_VALUE);
    const uint32_t joint = mocap->joint_count++;
    b->index_of[from] = (int32_t)joint;
    b->nodes[joint] = (Node){.from = source, .scale = scale};
    mocap->joints[joint] =
        (MocapJoint){.name = b->names[from] ? b->names[from] : "", .parent = parent};
    place_rest(b, joint);
    return true;
}

static bool build_nodes(Builder *b)
{
    const uint32_t count = b->file->node_count,
                   most = count < MOCAP_MAX_JOINTS ? count : MOCAP_MAX_JOINTS;
    bool hips = false;
    b->mocap->joints = arena_array(b->arena, MocapJoint, most);
    b->nodes = arena_array(b->arena, Node, most);
    b->mocap->source = b->nodes;
    for (uint32_t i = 0; i < count; i++) {
        hips |= b->names[i] && !strcmp(b->names[i], "hips");
        b->index_of[i] = -1;
    }
    if (b->has_humanoid && !hips)
        return diag_error(b->diag, "there is no humanoid bone 'hips'");
    for (uint32_t i = 0; i < count; i++)
        if (b->kept[i] && b->index_of[i] < 0 && !add_node(b, i, 0))
            return false;
    return true;
}

/* ---- the bind pose ---- */

/* The rotation by right angles that is next to another one. */
static Quat snapped(Quat q)
{
    Quat best = QUAT_IDENTITY;
    for (int i = 0; i < 64; i++) {
        const int x = i % 4, y = i / 4 % 4, z = i / 16;
        const Quat turn = quat_from_euler_yxz(x * PI / 2, y * PI / 2, z * PI / 2);
        if (fabs(quat_dot(turn, q)) > fabs(quat_dot(best, q)) + 1e-9)
            best = turn;
    }
    return best;
}

/* Turned, scaled and moved. */
typedef struct Bind {
    Quat rotation;
    double scale;
    Vec3 offset;
} Bind;

/* A joint in the bind pose, in the space of the mesh; false for a matrix with other parts. */
static bool bind_joint(Bind *out, const float *inverse)
{
    const Vec3 x = vec3_load(inverse), y = vec3_load(inverse + 4), z = vec3_load(inverse + 8),
               t = vec3_load(inverse + 12);
    const double volume = vec3_dot(vec3_cross(x, y), z);
    Quat back;
    if (!(volume > 1e-30 && volume < 1e30) || !axes_rotation(&back, x, y))
        return false;
    const Vec3 at = {vec3_dot(vec3_cross(y, z), t), vec3_dot(vec3_cross(z, x), t),
                     vec3_dot(vec3_cross(x, y), t)};
    *out = (Bind){quat_inverse(back), 1 / cbrt(volume), vec3_scale(at, -1 / volume)};
    return mocap_in_range(out->offset);
}

/* From the mesh of a skin to the world, as the bind pose was: by right angles, with the scale and
 * the place that the first joint, which has no joint above it, has in the nodes. */
static bool find_bind(Bind *out, const Builder *b, const JsonValue *joints, uint32_t skin,
                      const float *inverses)
{
    for (uint32_t i = 0; i < json_count(joints); i++) {
        const int32_t node = json_index(json_item(joints, i));
        if (node < 0 || (uint32_t)node >= b->file->node_count)
            return false;
        b->skin_of[node] = skin + 1;
    }
    for (uint32_t i = 0; i < json_count(joints); i++) {
        const int32_t at = b->index_of[json_index(json_item(joints, i))];
        const GltfNode *from = b->nodes[at].from;
        Bind own;
        if ((from->parent >= 0 && b->skin_of[from->parent] == skin + 1) ||
            !bind_joint(&own, inverses + 16 * (size_t)i))
            continue;
        const MocapJoint *placed = &b->mocap->joints[at];
        const Vec3 s = mocap_scaled(b->nodes[at].scale, from->scale);
        out->rotation = snapped(quat_mul(placed->rest_rotation, quat_inverse(own.rotation)));
        out->scale = cbrt(fabs(s.x * s.y * s.z)) / own.scale;
        out->offset =
            vec3_sub(placed->rest, quat_rotate(out->rotation, vec3_scale(own.offset, out->scale)));
        return mocap_in_range(out->offset) && out->scale > 0;
    }
    return false;
}

static bool load_skin(Builder *b, uint32_t index, bool *bound)
{
    const JsonValue *skin = json_item(json_member(b->file->root, "skins"), index);
    const JsonValue *joints = json_member(skin, "joints");
    const JsonValue *inverse = json_member(skin, "inverseBindMatrices");
    GltfValues values;
    Bind bind;
    if (!inverse)
        return true;
    if (!gltf_values(&values, b->file, json_index(inverse), 16, b->diag))
        return false;
    if (values.count < json_count(joints) || !find_bind(&bind, b, joints, index, values.items))
        return true;
    for (uint32_t i = 0; i < json_count(joints); i++) {
        const int32_t at = b->index_of[json_index(json_item(joints, i))];
        Bind joint;
        if (bound[at] || !bind_joint(&joint, values.items + 16 * (size_t)i))
            continue;
        const Vec3 place = quat_rotate(bind.rotation, vec3_scale(joint.offset, bind.scale));
        b->mocap->joints[at].rest = vec3_add(bind.offset, place);
        b->mocap->joints[at].rest_rotation =
            quat_normalize(quat_mul(bind.rotation, joint.rotation));
        bound[at] = mocap_in_range(b->mocap->joints[at].rest);
    }
    return true;
}

/* The bind pose is the rest pose of the joints of skins: the nodes may be in any pose.  Others are
 * placed below their parents as the nodes are. */
static bool set_bind_pose(Builder *b)
{
    bool *bound = arena_array(b->arena, bool, b->mocap->joint_count);
    for (uint32_t i = 0; i < json_count(json_member(b->file->root, "skins")); i++)
        if (!load_skin(b, i, bound))
            return false;
    for (uint32_t i = 0; i < b->mocap->joint_count; i++)
        if (!bound[i] && b->mocap->joints[i].parent >= 0)
            place_rest(b, i);
    return true;
}

/* ---- evaluation ---- */

/* One component of a cubic spline as glTF defines it: in-tangent, value, out-tangent of a key. */
static double cubic(const float *a, const float *b, uint32_t n, double t, double span)
{
    const double t2 = t * t, t3 = t2 * t;
    return (2 * t3 - 3 * t2 + 1) * (double)a[n] + span * (t3 - 2 * t2 + t) * (double)a[2 * n] +
           (-2 * t3 + 3 * t2) * (double)b[n] + span * (t3 - t2) * (double)b[0];
}

/* The value at a time, of n numbers; before the first key and after the last one theirs. */
static void sample(double out[4], const Track *track, uint32_t n, double time_s)
{
    const bool is_cubic = track->interpolation == CUBIC;
    uint32_t i = 0, after = track->count;
    while (after - i > 1) {
        const uint32_t middle = i + (after - i) / 2;
        if ((double)track->times[middle] <= time_s)
            i = middle;
        else
            after = middle;
    }
    const float *a = track->values + (size_t)i * n * (is_cubic ? 3 : 1),
                *own = a + (is_cubic ? n : 0);
    const double start = (double)track->times[i];
    for (uint32_t k = 0; k < n; k++)
        out[k] = (double)own[k];
    if (track->interpolation == STEP || after == track->count || time_s <= start)
        return;
    const double span = (double)track->times[after] - start, t = (time_s - start) / span;
    const float *b = a + n * (is_cubic ? 3 : 1);
    for (uint32_t k = 0; k < n; k++)
        out[k] = is_cubic ? cubic(a + k, b + k, n, t, span) : scalar_lerp(out[k], (double)b[k], t);
    if (n == 4 && !is_cubic) {
        const Quat q = quat_slerp(quat_normalize(quat_load(a)), quat_normalize(quat_load(b)), t);
        memcpy(out, &(double[4]){q.x, q.y, q.z, q.w}, 4 * sizeof *out);
    }
}

static void local(Vec3 *position, Quat *rotation, const void *source, double time_s, uint32_t joint)
{
    const Node *node = (const Node *)source + joint;
    double v[4];
    *position = node->from->translation;
    *rotation = node->from->rotation;
    if (node->translations.count) {
        sample(v, &node->translations, 3, time_s);
        *position = (Vec3){v[0], v[1], v[2]};
    }
    if (node->rotations.count) {
        sample(v, &node->rotations, 4, time_s);
        *rotation = quat_normalize((Quat){v[0], v[1], v[2], v[3]});
    }
    *position = mocap_scaled(*position, node->scale);
}

bool gltf_motion_load(Mocap *mocap, Bytes bytes, const char *take, const SideFiles *side,
                      Arena *arena, Diag *diag)
{
    GltfFile *file = arena_array(arena, GltfFile, 1);
    *mocap = (Mocap){.local = local};
    if (!gltf_read(file, bytes, side, arena, diag))
        return false;
    Builder b = {.file = file,
                 .names = arena_array(arena, const char *, file->node_count),
                 .kept = arena_array(arena, bool, file->node_count),
                 .index_of = arena_array(arena, int32_t, file->node_count),
                 .skin_of = arena_array(arena, uint32_t, file->node_count),
                 .mocap = mocap,
                 .arena = arena,
                 .diag = diag};
    return find_nodes(&b) && choose_take(&b, take) && build_nodes(&b) && load_channels(&b) &&
           (b.has_humanoid || set_bind_pose(&b));
}
