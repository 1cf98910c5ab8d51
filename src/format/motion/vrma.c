// SPDX-License-Identifier: MIT
#include "format/motion/vrma.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "format/gltf/gltf_read.h"
#include "format/motion/vmd.h"

typedef struct Builder {
    GltfFile *file;
    const JsonValue *animation, *humanoid; /* NULL: none */
    const char **bones;                    /* [node_count] of the file; NULL: no humanoid bone */
    bool *kept;                            /* [node_count] */
    int32_t *index_of;                     /* [node_count] of the result; -1: not placed yet */
    VrmaMotion *motion;
    Arena *arena;
    Diag *diag;
} Builder;

/* ---- which nodes ---- */

static bool ends_with(const char *text, const char *end)
{
    const size_t size = strlen(text), tail = strlen(end);
    return size >= tail && !strcmp(text + size - tail, end);
}

static bool name_bones(Builder *b)
{
    for (uint32_t i = 0; i < json_count(b->humanoid); i++) {
        const JsonValue *bone = json_item(b->humanoid, i);
        const int32_t node = json_index(json_member(bone, "node"));
        if (!bone->key || node < 0 || (uint32_t)node >= b->file->node_count)
            return diag_error(b->diag, "humanoid bone '%s': node %" PRId32 " does not exist",
                              bone->key ? bone->key : "", node);
        b->bones[node] = bone->key;
    }
    return true;
}

/* The bones, what they depend on, and the children of the last bones of fingers. */
static void keep_nodes(Builder *b)
{
    for (uint32_t i = 0; i < b->file->node_count; i++) {
        const int32_t parent = b->file->nodes[i].parent;
        const char *above = parent >= 0 ? b->bones[parent] : NULL;
        if (!b->bones[i] && !(above && ends_with(above, "Distal")))
            continue;
        for (int32_t at = (int32_t)i; at >= 0 && !b->kept[at]; at = b->file->nodes[at].parent)
            b->kept[at] = true;
    }
}

/* ---- tracks ---- */

static bool check_times(VrmaTrack *track, Diag *diag)
{
    for (uint32_t i = 0; i < track->count; i++)
        if (!(track->times[i] >= 0 && track->times[i] <= VRMA_MAX_SECONDS) ||
            (i && track->times[i] < track->times[i - 1]))
            return diag_error(diag, "key %" PRIu32 ": time %g s is out of order or range (0..%d)",
                              i, (double)track->times[i], VRMA_MAX_SECONDS);
    return true;
}

static VrmaInterpolation interpolation_of(const JsonValue *sampler)
{
    const char *name = json_string(json_member(sampler, "interpolation"), "LINEAR");
    return !strcmp(name, "STEP")          ? VRMA_STEP
           : !strcmp(name, "CUBICSPLINE") ? VRMA_CUBIC
                                          : VRMA_LINEAR;
}

static bool load_track(VrmaTrack *out, Builder *b, const JsonValue *channel, uint32_t components)
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
    *out = (VrmaTrack){times.items, values.items, times.count, interpolation_of(sampler)};
    const uint64_t wanted = (uint64_t)times.count * (out->interpolation == VRMA_CUBIC ? 3 : 1);
    if (!times.count || values.count != wanted)
        return diag_error(b->diag, "an animation has %" PRIu32 " times and %" PRIu32 " values",
                          times.count, values.count);
    return check_times(out, b->diag);
}

static bool load_channel(Builder *b, const JsonValue *channel)
{
    const JsonValue *target = json_member(channel, "target");
    const int32_t index = json_index(json_member(target, "node"));
    const char *path = json_string(json_member(target, "path"), "");
    if (index < 0 || (uint32_t)index >= b->file->node_count || !b->kept[index])
        return true;
    VrmaNode *node = &b->motion->nodes[b->index_of[index]];
    const bool is_rotation = !strcmp(path, "rotation");
    VrmaTrack *track = is_rotation ? &node->rotations : &node->translations;
    if (!is_rotation && strcmp(path, "translation") != 0)
        return true;
    if (!load_track(track, b, channel, is_rotation ? 4 : 3))
        return false;
    b->motion->duration_s = fmax(b->motion->duration_s, (double)track->times[track->count - 1]);
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

static bool add_node(Builder *b, uint32_t from)
{
    const GltfNode *source = &b->file->nodes[from];
    VrmaMotion *motion = b->motion;
    VrmaNode *node = &motion->nodes[motion->node_count];
    const int32_t parent = source->parent < 0 ? -1 : b->index_of[source->parent];
    *node = (VrmaNode){.bone = b->bones[from] ? b->bones[from] : "",
                       .parent = parent,
                       .translation = source->translation,
                       .rotation = source->rotation,
                       .scale = {1, 1, 1}};
    if (parent >= 0)
        node->scale = multiplied(motion->nodes[parent].scale, b->file->nodes[source->parent].scale);
    if (!is_within(node->scale))
        return diag_error(b->diag, "node %" PRIu32 ": the scale exceeds %d", from, VMD_MAX_VALUE);
    b->index_of[from] = (int32_t)motion->node_count++;
    return true;
}

/* A node after its ancestors; a loop of parents cannot be kept, since it has no root. */
static bool add_with_ancestors(Builder *b, uint32_t node)
{
    uint32_t chain[VRMA_MAX_NODES], size = 0;
    for (int32_t at = (int32_t)node; at >= 0 && b->index_of[at] < 0;
         at = b->file->nodes[at].parent) {
        if (size == VRMA_MAX_NODES)
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
        hips |= b->bones[i] && !strcmp(b->bones[i], "hips");
        b->index_of[i] = -1;
    }
    if (!hips)
        return diag_error(b->diag, "there is no humanoid bone 'hips'");
    if (count > VRMA_MAX_NODES)
        return diag_error(b->diag, "more than %d nodes move the bones", VRMA_MAX_NODES);
    b->motion->nodes = arena_array(b->arena, VrmaNode, count);
    for (uint32_t i = 0; i < b->file->node_count; i++)
        if (b->kept[i] && !add_with_ancestors(b, i))
            return false;
    return true;
}

bool vrma_load(VrmaMotion *motion, Bytes bytes, Arena *arena, Diag *diag)
{
    GltfFile file;
    *motion = (VrmaMotion){0};
    if (!gltf_read(&file, bytes, &(SideFiles){0}, arena, diag))
        return false;
    const JsonValue *extension =
        json_member(json_member(file.root, "extensions"), "VRMC_vrm_animation");
    const JsonValue *humanoid = json_member(json_member(extension, "humanoid"), "humanBones");
    /* Only the first animation counts (VRMC_vrm_animation). */
    const JsonValue *animation = json_item(json_member(file.root, "animations"), 0);
    if (!json_count(humanoid))
        return diag_error(diag, "the file has no VRMC_vrm_animation: it is no VRM animation");
    Builder b = {.file = &file,
                 .animation = animation,
                 .humanoid = humanoid,
                 .bones = arena_array(arena, const char *, file.node_count),
                 .kept = arena_array(arena, bool, file.node_count),
                 .index_of = arena_array(arena, int32_t, file.node_count),
                 .motion = motion,
                 .arena = arena,
                 .diag = diag};
    if (!name_bones(&b))
        return false;
    keep_nodes(&b);
    if (!build_nodes(&b))
        return false;
    const JsonValue *channels = json_member(animation, "channels");
    for (uint32_t i = 0; i < json_count(channels); i++)
        if (!load_channel(&b, json_item(channels, i)))
            return false;
    return true;
}

/* ---- evaluation ---- */

void vrma_rest(Vec3 *position, Quat *rotation, const VrmaMotion *motion, uint32_t node)
{
    const VrmaNode *n = &motion->nodes[node];
    *position = multiplied(n->translation, n->scale);
    *rotation = n->rotation;
}

/* The last key at or before the time, or the first one. */
static uint32_t find_key(const VrmaTrack *track, double time_s)
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

static void sample(double out[4], const VrmaTrack *track, uint32_t n, double time_s)
{
    const uint32_t i = find_key(track, time_s),
                   stride = n * (track->interpolation == VRMA_CUBIC ? 3 : 1);
    const float *a = track->values + (size_t)i * stride;
    const double start = (double)track->times[i];
    const float *own = a + (track->interpolation == VRMA_CUBIC ? n : 0);
    for (uint32_t k = 0; k < n; k++)
        out[k] = (double)own[k];
    if (track->interpolation == VRMA_STEP || i + 1 == track->count || time_s <= start)
        return;
    const double span = (double)track->times[i + 1] - start, t = (time_s - start) / span;
    const float *b = a + stride;
    if (track->interpolation == VRMA_CUBIC) {
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

void vrma_local(Vec3 *position, Quat *rotation, const VrmaMotion *motion, double time_s,
                uint32_t node)
{
    const VrmaNode *n = &motion->nodes[node];
    double v[4];
    vrma_rest(position, rotation, motion, node);
    if (n->translations.count) {
        sample(v, &n->translations, 3, time_s);
        *position = multiplied((Vec3){v[0], v[1], v[2]}, n->scale);
    }
    if (n->rotations.count) {
        sample(v, &n->rotations, 4, time_s);
        *rotation = quat_normalize((Quat){v[0], v[1], v[2], v[3]});
    }
}
