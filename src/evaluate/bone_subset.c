// SPDX-License-Identifier: MIT
#include "evaluate/bone_subset.h"

#include <string.h>

#include "evaluate/ik/ik_chain.h"
#include "evaluate/vrm/constraints.h"

BoneSubset bone_subset_all(const Model *model)
{
    return (BoneSubset){.parents_first = model->parents_first,
                        .count = model->pmx.bone_count,
                        .order = model->order,
                        .before_physics = model->before_physics};
}

/* ---- what bones depend on ---- */

typedef struct Closure {
    const Pose *pose;
    bool *in;
    uint32_t *stack; /* bones of `in` whose dependencies are not in it yet */
    uint32_t depth;
    uint32_t *first_chain; /* [bone_count + 1] in `chains` */
    uint32_t *chains;      /* the chains whose path contains a bone, grouped by bones */
} Closure;

static void list_chains(Closure *closure, Arena *arena)
{
    const Pose *pose = closure->pose;
    const uint32_t bones = pose->model->model->pmx.bone_count;
    const uint32_t chains = pose->model->model->ik_count;
    uint32_t *first = arena_array(arena, uint32_t, (size_t)bones + 2);

    for (uint32_t c = 0; c < chains; c++)
        for (uint32_t i = 0; i < pose->chains[c].path_count; i++)
            first[pose->chains[c].path[i] + 2]++;
    for (uint32_t b = 0; b < bones; b++)
        first[b + 2] += first[b + 1];
    closure->chains = arena_array(arena, uint32_t, first[bones + 1]);
    for (uint32_t c = 0; c < chains; c++)
        for (uint32_t i = 0; i < pose->chains[c].path_count; i++)
            closure->chains[first[pose->chains[c].path[i] + 1]++] = c;
    closure->first_chain = first;
}

static void add(Closure *closure, int32_t bone)
{
    if (bone < 0 || closure->in[bone])
        return;
    closure->in[bone] = true;
    closure->stack[closure->depth++] = (uint32_t)bone;
}

static uint32_t *select_bones(uint32_t *count, const uint32_t *bones, uint32_t all, const bool *in,
                              Arena *arena)
{
    uint32_t *out = arena_array(arena, uint32_t, all);
    *count = 0;
    for (uint32_t i = 0; i < all; i++)
        if (in[bones[i]])
            out[(*count)++] = bones[i];
    return out;
}

BoneSubset bone_subset_of(const Pose *pose, const bool *wanted, Arena *arena)
{
    const Model *model = pose->model->model;
    const uint32_t bones = model->pmx.bone_count;
    Closure closure = {.pose = pose,
                       .in = arena_array(arena, bool, bones),
                       .stack = arena_array(arena, uint32_t, bones)};
    BoneSubset out;

    list_chains(&closure, arena);
    for (uint32_t b = 0; b < bones; b++)
        if (wanted[b])
            add(&closure, (int32_t)b);
    while (closure.depth > 0) {
        const uint32_t bone = closure.stack[--closure.depth];
        const PmxBone *file = &closure.pose->model->model->pmx.bones[bone];
        add(&closure, file->parent);
        add(&closure, file->append_source);
        if (pose->constraints) {
            const ConstraintSources sources = constraints_sources(pose->constraints, bone);
            for (int i = 0; i < 3; i++)
                add(&closure, sources.bones[i]);
        }
        for (uint32_t i = closure.first_chain[bone]; i < closure.first_chain[bone + 1]; i++) {
            const IkChain *chain = &closure.pose->chains[closure.chains[i]];
            add(&closure, (int32_t)chain->goal);
            add(&closure, (int32_t)chain->effector);
        }
    }
    out.parents_first = select_bones(&out.count, model->parents_first, bones, closure.in, arena);
    out.order =
        select_bones(&out.before_physics, model->order, model->before_physics, closure.in, arena);
    return out;
}

BoneSubset bone_subset_of_bodies(const Pose *pose, Arena *arena)
{
    const Model *model = pose->model->model;
    bool *wanted = arena_array(arena, bool, model->pmx.bone_count);

    for (uint32_t i = 0; i < model->pmx.body_count; i++) {
        const int32_t bone = model->pmx.bodies[i].bone, support = model->dynamics.bodies[i].support;
        if (bone >= 0)
            wanted[bone] = true;
        if (support >= 0)
            wanted[support] = true;
    }
    return bone_subset_of(pose, wanted, arena);
}
