// SPDX-License-Identifier: MIT
#include "format/motion/gltf_motion.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "format/gltf/gltf_read.h"
#include "format/motion/vmd.h"
#include "math/axes.h"

typedef struct Builder {
    GltfFile *file;
    const JsonValue *animation;
    bool has_humanoid;
    const char **names; /* [node_count] of the file; NULL: none */
    bool *kept;         /* [node_count] */
    int32_t *index_of;  /* [node_count] of the result; -1: not placed yet */
    uint32_t *skin_of;  /* [node_count] 1 + the last skin that has it as a joint; 0: none */
    GltfMotion *motion;
    Arena *arena;
    Diag *diag;
} Builder;

/* ---- which nodes ---- */

static bool ends_with(const char *text, const char *end)
{
    const size_t size = strlen(text), tail = strlen(end);
    return size >= tail && !strcmp(text + size - tail, end);
}

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

/* Members by the names of bones; in VRM 0.x, a list of names and nodes. */
static bool name_bones(Builder *b, const JsonValue *bones)
{
    b->has_humanoid = true;
    for (uint32_t i = 0; i < json_count(bones); i++) {
        const JsonValue *bone = json_item(bones, i);
        const char *name =
            bone->key ? bone->key : bone_of_vrm_0(json_string(json_member(bone, "bone"), ""));
        const int32_t node = json_index(json_member(bone, "node"));
        if (!*name || node < 0 || (uint32_t)node >= b->file->node_count)
            return diag_error(b->diag, "humanoid bone '%s': node %" PRId32 " does not exist", name,
                              node);
        b->names[node] = name;
    }
    return true;
}

/* The bones, what they depend on, and the children of the last bones of fingers. */
static void keep_bones(Builder *b)
{
    for (uint32_t i = 0; i < b->file->node_count; i++) {
        const int32_t parent = b->file->nodes[i].parent;
        const char *above = parent >= 0 ? b->names[parent] : NULL;
        if (!b->names[i] && !(above && ends_with(above, "Distal")))
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
        if (!name_bones(b, bones))
            return false;
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
    Takes *takes = &b->motion->takes;
    *takes = (Takes){arena_array(b->arena, const char *, count), arena_array(b->arena, bool, count),
                     count};
    for (uint32_t i = 0; i < count; i++) {
        const JsonValue *animation = json_item(list, i), *channels;
        bool is_rotation;
        takes->names[i] = json_string(json_member(animation, "name"), NULL);
        if (!takes->names[i])
            takes->names[i] = arena_printf(b->arena, "animation %" PRIu32, i + 1);
        channels = json_member(animation, "channels");
        for (uint32_t k = 0; k < json_count(channels) && !takes->moves[i]; k++)
            takes->moves[i] = moved_node(b, json_item(channels, k), &is_rotation) >= 0;
    }
    const int32_t take = takes_choose(takes, wanted, b->arena, b->diag);
    b->motion->take = (uint32_t)take;
    b->animation = take < 0 ? NULL : json_item(list, (uint32_t)take);
    return take >= 0;
}

/* ---- tracks ---- */

static bool check_times(GltfTrack *track, Diag *diag)
{
    for (uint32_t i = 0; i < track->count; i++)
        if (!(track->times[i] >= 0 && track->times[i] <= GLTF_MOTION_MAX_SECONDS) ||
            (i && track->times[i] < track->times[i - 1]))
            return diag_error(diag, "key %" PRIu32 ": time %g s is out of order or range (0..%d)",
                              i, (double)track->times[i], GLTF_MOTION_MAX_SECONDS);
    return true;
}

static GltfInterpolation interpolation_of(const JsonValue *sampler)
{
    const char *name = json_string(json_member(sampler, "interpolation"), "LINEAR");
    return !strcmp(name, "STEP")          ? GLTF_STEP
           : !strcmp(name, "CUBICSPLINE") ? GLTF_CUBIC
                                          : GLTF_LINEAR;
}

static bool load_track(GltfTrack *out, Builder *b, const JsonValue *channel, uint32_t components)
{
    const int32_t index = json_index(json_member(channel, "sampler"));
    const JsonValue *sampler =
        index < 0 ? NULL : json_item(json_member(b->animation, "samplers"), (uint32_t)index);
    GltfValues times, values;
    if (!sampler)
        return diag_error(b->diag, "animation sampler %" PRId32 " does not exist", index);
    if (!gltf_values(&times, b->file, json_index(json_member(sampler, "input")), 1, b->diag) ||
        !gltf_values(&values, b->file, json_index(json_member(sampler, "output")), components,
                     b->diag))
        return false;
    *out = (GltfTrack){times.items, values.items, times.count, interpolation_of(sampler)};
    const uint64_t wanted = (uint64_t)times.count * (out->interpolation == GLTF_CUBIC ? 3 : 1);
    if (!times.count || values.count != wanted)
        return diag_error(b->diag, "an animation has %" PRIu32 " times and %" PRIu32 " values",
                          times.count, values.count);
    return check_times(out, b->diag);
}

static bool load_channel(Builder *b, const JsonValue *channel)
{
    bool is_rotation;
    const int32_t index = moved_node(b, channel, &is_rotation);
    if (index < 0)
        return true;
    GltfMotionNode *node = &b->motion->nodes[b->index_of[index]];
    GltfTrack *track = is_rotation ? &node->rotations : &node->translations;
    if (!load_track(track, b, channel, is_rotation ? 4 : 3))
        return false;
    b->motion->duration_s = fmax(b->motion->duration_s, (double)track->times[track->count - 1]);
    return true;
}

static bool load_channels(Builder *b)
{
    const JsonValue *channels = json_member(b->animation, "channels");
    for (uint32_t i = 0; i < json_count(channels); i++)
        if (!load_channel(b, json_item(channels, i)))
            return false;
    return true;
}

/* ---- nodes ---- */

static Vec3 multiplied(Vec3 a, Vec3 b)
{
    return (Vec3){a.x * b.x, a.y * b.y, a.z * b.z};
}

static bool is_within(Vec3 v)
{
    return fabs(v.x) <= VMD_MAX_VALUE && fabs(v.y) <= VMD_MAX_VALUE && fabs(v.z) <= VMD_MAX_VALUE;
}

static void place_below(GltfMotionNode *node, const GltfMotionNode *parent)
{
    const Vec3 offset = multiplied(node->translation, node->scale);
    node->rest = vec3_add(parent->rest, quat_rotate(parent->rest_rotation, offset));
    node->rest_rotation = quat_normalize(quat_mul(parent->rest_rotation, node->rotation));
}

static bool add_node(Builder *b, uint32_t from)
{
    const GltfNode *source = &b->file->nodes[from];
    GltfMotion *motion = b->motion;
    GltfMotionNode *node = &motion->nodes[motion->node_count];
    const int32_t parent = source->parent < 0 ? -1 : b->index_of[source->parent];
    *node = (GltfMotionNode){.name = b->names[from] ? b->names[from] : "",
                             .parent = parent,
                             .translation = source->translation,
                             .rotation = source->rotation,
                             .scale = {1, 1, 1}};
    if (parent >= 0)
        node->scale = multiplied(motion->nodes[parent].scale, b->file->nodes[source->parent].scale);
    if (!is_within(node->scale))
        return diag_error(b->diag, "node %" PRIu32 ": the scale exceeds %d", from, VMD_MAX_VALUE);
    node->rest = multiplied(node->translation, node->scale);
    node->rest_rotation = node->rotation;
    if (parent >= 0)
        place_below(node, &motion->nodes[parent]);
    b->index_of[from] = (int32_t)motion->node_count++;
    return true;
}

/* A node after its ancestors; a loop of parents cannot be kept, since it has no root. */
static bool add_with_ancestors(Builder *b, uint32_t node)
{
    uint32_t chain[GLTF_MOTION_MAX_NODES], size = 0;
    for (int32_t at = (int32_t)node; at >= 0 && b->index_of[at] < 0;
         at = b->file->nodes[at].parent) {
        if (size == GLTF_MOTION_MAX_NODES)
            return diag_error(b->diag, "node %" PRIu32 " is its own ancestor, or nested too deep",
                              node);
        chain[size++] = (uint32_t)at;
    }
    while (size)
        if (!add_node(b, chain[--size]))
            return false;
    return true;
}

static bool build_nodes(Builder *b)
{
    uint32_t count = 0;
    bool hips = false;
    for (uint32_t i = 0; i < b->file->node_count; i++) {
        count += b->kept[i];
        hips |= b->names[i] && !strcmp(b->names[i], "hips");
        b->index_of[i] = -1;
    }
    if (b->has_humanoid && !hips)
        return diag_error(b->diag, "there is no humanoid bone 'hips'");
    if (count > GLTF_MOTION_MAX_NODES)
        return diag_error(b->diag, "%" PRIu32 " nodes are too many for a motion (at most %d)",
                          count, GLTF_MOTION_MAX_NODES);
    b->motion->nodes = arena_array(b->arena, GltfMotionNode, count);
    for (uint32_t i = 0; i < b->file->node_count; i++)
        if (b->kept[i] && !add_with_ancestors(b, i))
            return false;
    return true;
}

/* ---- the bind pose ---- */

/* A matrix of scales and a rotation: its rotation, and the mean scale; false for any other. */
static bool decompose(Quat *rotation, double *scale, const GltfMatrix *m)
{
    const Vec3 x = {m->m[0], m->m[1], m->m[2]}, y = {m->m[3], m->m[4], m->m[5]},
               z = {m->m[6], m->m[7], m->m[8]};
    const double volume = vec3_dot(vec3_cross(x, y), z);
    if (!(volume > 1e-30 && volume < 1e30))
        return false;
    Axes axes = {.x = vec3_normalize(x), .z = vec3_normalize(vec3_cross(x, y))};
    axes.y = vec3_cross(axes.z, axes.x);
    *rotation = axes_to_quat(&axes);
    *scale = cbrt(volume);
    return fabs(quat_dot(*rotation, *rotation) - 1) < 1e-6;
}

/* The rotation by right angles that is next to another one. */
static Quat snapped(Quat q)
{
    const Axes from = axes_from_quat(q);
    const double *rows[2] = {(double[]){from.x.x, from.x.y, from.x.z},
                             (double[]){from.y.x, from.y.y, from.y.z}};
    double to[2][3] = {{0}};
    int used = -1;
    for (int i = 0; i < 2; i++) {
        int best = -1;
        for (int k = 0; k < 3; k++)
            if (k != used && (best < 0 || fabs(rows[i][k]) > fabs(rows[i][best])))
                best = k;
        to[i][best] = rows[i][best] < 0 ? -1 : 1;
        used = best;
    }
    Axes axes = {.x = {to[0][0], to[0][1], to[0][2]}, .y = {to[1][0], to[1][1], to[1][2]}};
    axes.z = vec3_cross(axes.x, axes.y);
    return axes_to_quat(&axes);
}

/* From the mesh of a skin to the world, as the bind pose was: by right angles, with the scale and
 * the place that the first joint, which has no joint above it, has in the nodes. */
typedef struct Bind {
    Quat rotation;
    double scale;
    Vec3 offset;
} Bind;

/* The place and the rotation of a joint in the bind pose, in the space of the mesh. */
static bool bind_joint(Vec3 *at, Quat *rotation, double *scale, const float *inverse)
{
    GltfMatrix m;
    for (int i = 0; i < 12; i++)
        m.m[i] = (double)inverse[i / 3 * 4 + i % 3];
    Quat back;
    if (!decompose(&back, scale, &m))
        return false;
    const Vec3 x = {m.m[0], m.m[1], m.m[2]}, y = {m.m[3], m.m[4], m.m[5]},
               z = {m.m[6], m.m[7], m.m[8]}, t = {m.m[9], m.m[10], m.m[11]};
    const double volume = vec3_dot(vec3_cross(x, y), z);
    const Vec3 rows[] = {vec3_cross(y, z), vec3_cross(z, x), vec3_cross(x, y)};
    *at = (Vec3){-vec3_dot(rows[0], t) / volume, -vec3_dot(rows[1], t) / volume,
                 -vec3_dot(rows[2], t) / volume};
    *rotation = quat_inverse(back);
    *scale = 1 / *scale;
    return is_within(*at);
}

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
        const int32_t node = json_index(json_item(joints, i));
        const GltfNode *source = &b->file->nodes[node];
        Vec3 at;
        Quat rotation;
        double scale;
        if ((source->parent >= 0 && b->skin_of[source->parent] == skin + 1) ||
            !bind_joint(&at, &rotation, &scale, inverses + 16 * (size_t)i))
            continue;
        const GltfMotionNode *placed = &b->motion->nodes[b->index_of[node]];
        const Vec3 s = multiplied(placed->scale, source->scale);
        out->rotation = snapped(quat_mul(placed->rest_rotation, quat_inverse(rotation)));
        out->scale = cbrt(fabs(s.x * s.y * s.z)) / scale;
        out->offset =
            vec3_sub(placed->rest, quat_rotate(out->rotation, vec3_scale(at, out->scale)));
        return is_within(out->offset) && out->scale > 0;
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
        GltfMotionNode *node = &b->motion->nodes[at];
        Vec3 place;
        Quat rotation;
        double scale;
        if (bound[at] || !bind_joint(&place, &rotation, &scale, values.items + 16 * (size_t)i))
            continue;
        place = vec3_add(bind.offset, quat_rotate(bind.rotation, vec3_scale(place, bind.scale)));
        if (!is_within(place))
            continue;
        node->rest = place;
        node->rest_rotation = quat_normalize(quat_mul(bind.rotation, rotation));
        bound[at] = true;
    }
    return true;
}

/* The bind pose is the rest pose of the joints of skins: the nodes may be in any pose.  Others are
 * placed below their parents as the nodes are. */
static bool set_bind_pose(Builder *b)
{
    bool *bound = arena_array(b->arena, bool, b->motion->node_count);
    for (uint32_t i = 0; i < json_count(json_member(b->file->root, "skins")); i++)
        if (!load_skin(b, i, bound))
            return false;
    for (uint32_t i = 0; i < b->motion->node_count; i++) {
        GltfMotionNode *node = &b->motion->nodes[i];
        if (!bound[i] && node->parent >= 0)
            place_below(node, &b->motion->nodes[node->parent]);
    }
    return true;
}

bool gltf_motion_load(GltfMotion *motion, Bytes bytes, const char *take, Arena *arena, Diag *diag)
{
    GltfFile file;
    *motion = (GltfMotion){0};
    if (!gltf_read(&file, bytes, &(SideFiles){0}, arena, diag))
        return false;
    Builder b = {.file = &file,
                 .names = arena_array(arena, const char *, file.node_count),
                 .kept = arena_array(arena, bool, file.node_count),
                 .index_of = arena_array(arena, int32_t, file.node_count),
                 .skin_of = arena_array(arena, uint32_t, file.node_count),
                 .motion = motion,
                 .arena = arena,
                 .diag = diag};
    return find_nodes(&b) && choose_take(&b, take) && build_nodes(&b) && load_channels(&b) &&
           (b.has_humanoid || set_bind_pose(&b));
}

/* ---- evaluation ---- */

/* The last key at or before the time, or the first one. */
static uint32_t find_key(const GltfTrack *track, double time_s)
{
    uint32_t low = 0, high = track->count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if ((double)track->times[middle] <= time_s)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* One component of a cubic spline as glTF defines it: in-tangent, value, out-tangent of a key. */
static double cubic(const float *a, const float *b, uint32_t n, double t, double span)
{
    const double t2 = t * t, t3 = t2 * t;
    return (2 * t3 - 3 * t2 + 1) * (double)a[n] + span * (t3 - 2 * t2 + t) * (double)a[2 * n] +
           (-2 * t3 + 3 * t2) * (double)b[n] + span * (t3 - t2) * (double)b[0];
}

static void sample(double out[4], const GltfTrack *track, uint32_t n, double time_s)
{
    const uint32_t i = find_key(track, time_s),
                   stride = n * (track->interpolation == GLTF_CUBIC ? 3 : 1);
    const float *a = track->values + (size_t)i * stride;
    const double start = (double)track->times[i];
    const float *own = a + (track->interpolation == GLTF_CUBIC ? n : 0);
    for (uint32_t k = 0; k < n; k++)
        out[k] = (double)own[k];
    if (track->interpolation == GLTF_STEP || i + 1 == track->count || time_s <= start)
        return;
    const double span = (double)track->times[i + 1] - start, t = (time_s - start) / span;
    const float *b = a + stride;
    if (track->interpolation == GLTF_CUBIC) {
        for (uint32_t k = 0; k < n; k++)
            out[k] = cubic(a + k, b + k, n, t, span);
    } else if (n == 3) {
        for (uint32_t k = 0; k < n; k++)
            out[k] += t * ((double)b[k] - out[k]);
    } else {
        const Quat q = quat_slerp(quat_normalize(quat_load(a)), quat_normalize(quat_load(b)), t);
        memcpy(out, &(double[4]){q.x, q.y, q.z, q.w}, 4 * sizeof *out);
    }
}

void gltf_motion_local(Vec3 *position, Quat *rotation, const GltfMotion *motion, double time_s,
                       uint32_t node)
{
    const GltfMotionNode *n = &motion->nodes[node];
    double v[4] = {n->translation.x, n->translation.y, n->translation.z};
    if (n->translations.count)
        sample(v, &n->translations, 3, time_s);
    *position = multiplied((Vec3){v[0], v[1], v[2]}, n->scale);
    *rotation = n->rotation;
    if (n->rotations.count) {
        sample(v, &n->rotations, 4, time_s);
        *rotation = quat_normalize((Quat){v[0], v[1], v[2], v[3]});
    }
}
