// SPDX-License-Identifier: MIT
#include "evaluate/ik/ik_chain.h"

#include <math.h>

static const double SAME_AXIS_COS = 0.999; /* |cosine| of axes that are the same one */

/* ---- creating a chain ---- */

static void set_limits(IkLink *link, const PmxIkLink *file)
{
    int open = 0;
    for (int i = 0; i < 3; i++) {
        link->lower[i] = (double)file->lower[i];
        link->upper[i] = (double)file->upper[i];
        if (link->lower[i] != 0 || link->upper[i] != 0) {
            link->axis_index = i;
            open++;
        }
    }
    link->limited = true;
    link->kind = open == 0 ? IK_RIGID : open == 1 ? IK_HINGE : IK_LIMITED;
    if (open == 1)
        link->axis = (Vec3){link->axis_index == 0, link->axis_index == 1, link->axis_index == 2};
}

static IkLink make_link(const PmxIkLink *file, const PmxBone *bone, uint32_t path_index)
{
    IkLink link = {.bone = (uint32_t)file->bone, .path_index = path_index, .kind = IK_FREE};
    if (file->limited)
        set_limits(&link, file);
    const Vec3 fixed = vec3_normalize(vec3_load(bone->fixed_axis));
    const bool has_axis = (bone->flags & PMX_BONE_FIXED_AXIS) && vec3_dot(fixed, fixed) > 0;
    const bool same_hinge =
        link.kind == IK_HINGE && fabs(vec3_dot(fixed, link.axis)) > SAME_AXIS_COS;
    if (has_axis && !same_hinge && link.kind != IK_RIGID) {
        link.kind = IK_FIXED_AXIS;
        link.axis = fixed;
    }
    return link;
}

/* The bones from the topmost link down to the effector; empty if no link is an ancestor of it. */
static void find_path(IkChain *chain, const PmxModel *pmx, const PmxIk *ik, Arena *arena)
{
    uint32_t length = 0, depth = 0;
    for (int32_t at = ik->effector; at >= 0; at = pmx->bones[at].parent) {
        depth++;
        for (uint32_t i = 0; i < ik->link_count; i++)
            if (ik->links[i].bone == at)
                length = depth;
    }
    chain->path = arena_array(arena, uint32_t, length);
    chain->path_count = length;
    int32_t at = ik->effector;
    for (uint32_t i = length; i-- > 0; at = pmx->bones[at].parent)
        chain->path[i] = (uint32_t)at;
}

static int32_t path_find_bone(const IkChain *chain, int32_t bone)
{
    for (uint32_t i = 0; i < chain->path_count; i++)
        if (chain->path[i] == (uint32_t)bone)
            return (int32_t)i;
    return -1;
}

/* Links that are the effector or not its ancestors have no effect and are ignored. */
static void make_links(IkChain *chain, const PmxModel *pmx, const PmxIk *ik, Arena *arena)
{
    chain->links = arena_array(arena, IkLink, ik->link_count);
    for (uint32_t i = 0; i < ik->link_count; i++) {
        const int32_t bone = ik->links[i].bone;
        const int32_t at = bone < 0 ? -1 : path_find_bone(chain, bone);
        if (at >= 0 && bone != ik->effector)
            chain->links[chain->link_count++] =
                make_link(&ik->links[i], &pmx->bones[bone], (uint32_t)at);
    }
}

/* Descendants of the path that are not on it and precede the goal in the order. */
static void find_below(IkChain *chain, const Model *model, const uint32_t *order_index,
                       Arena *arena)
{
    const PmxModel *pmx = &model->pmx;
    bool *is_below = arena_array(arena, bool, pmx->bone_count);
    chain->below = arena_array(arena, uint32_t, pmx->bone_count);
    for (uint32_t i = 0; i < chain->path_count; i++)
        is_below[chain->path[i]] = true;
    for (uint32_t i = 0; i < pmx->bone_count; i++) {
        const uint32_t bone = model->parents_first[i];
        const int32_t parent = pmx->bones[bone].parent;
        if (is_below[bone] || parent < 0 || !is_below[parent])
            continue;
        is_below[bone] = true;
        if (order_index[bone] <= order_index[chain->goal])
            chain->below[chain->below_count++] = bone;
    }
}

void ik_chain_create(IkChain *chain, const Model *model, uint32_t ik_bone,
                     const uint32_t *order_index, Arena *arena)
{
    const PmxIk *ik = &model->pmx.bones[ik_bone].ik;
    *chain = (IkChain){.goal = ik_bone,
                       .effector = (uint32_t)ik->effector,
                       .unit_angle = (double)ik->unit_angle,
                       .loops = ik->loops};
    find_path(chain, &model->pmx, ik, arena);
    make_links(chain, &model->pmx, ik, arena);
    find_below(chain, model, order_index, arena);
}
