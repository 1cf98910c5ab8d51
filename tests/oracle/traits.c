// SPDX-License-Identifier: MIT
#include "traits.h"

static unsigned own_traits(const Model *model, uint32_t bone, const uint32_t *place)
{
    const PmxBone *b = &model->pmx.bones[bone];
    unsigned traits = 0;
    if (b->append_source >= 0 &&
        b->flags & (PMX_BONE_APPEND_ROTATION | PMX_BONE_APPEND_TRANSLATION))
        traits |= TRAIT_APPEND;
    if (b->append_source >= 0 && b->flags & PMX_BONE_APPEND_TRANSLATION)
        traits |= TRAIT_APPEND_MOVE;
    if (traits && b->flags & PMX_BONE_APPEND_LOCAL)
        traits |= TRAIT_APPEND_LOCAL;
    if (b->flags & PMX_BONE_FIXED_AXIS)
        traits |= TRAIT_FIXED_AXIS;
    if (b->parent >= 0 && place[b->parent] > place[bone])
        traits |= TRAIT_EARLY;
    return traits;
}

static unsigned link_traits(const Model *model, const PmxIkLink *link)
{
    unsigned traits = TRAIT_IK;
    int open = 0;
    for (int i = 0; i < 3; i++)
        open += link->limited && (link->lower[i] != 0 || link->upper[i] != 0);
    if (open > 1)
        traits |= TRAIT_IK_LIMITED;
    if (open == 1 && model->pmx.bones[link->bone].flags & PMX_BONE_LOCAL_AXES)
        traits |= TRAIT_LOCAL_KNEE;
    return traits;
}

/* All links of a chain share what any of them has: they move together. */
static void mark_chain(Traits *t, const Model *model, uint32_t index)
{
    const PmxIk *ik = &model->pmx.bones[model->ik_bones[index]].ik;
    unsigned traits = ik->link_count == 1 ? TRAIT_IK_FOOT : 0;
    for (uint32_t i = 0; i < ik->link_count; i++)
        if (ik->links[i].bone >= 0)
            traits |= link_traits(model, &ik->links[i]);
    for (uint32_t i = 0; i < ik->link_count; i++)
        if (ik->links[i].bone >= 0) {
            t->of[ik->links[i].bone] |= traits;
            t->chains[ik->links[i].bone] |= index < 64 ? UINT64_C(1) << index : 0;
        }
}

static void mark_morphs(Traits *t, const PmxModel *pmx, Arena *arena)
{
    uint32_t *times = arena_array(arena, uint32_t, pmx->bone_count);
    for (uint32_t m = 0; m < pmx->morph_count; m++)
        for (uint32_t k = 0; pmx->morphs[m].type == PMX_MORPH_BONE && k < pmx->morphs[m].count; k++)
            if (pmx->morphs[m].offsets.bone[k].bone >= 0)
                times[pmx->morphs[m].offsets.bone[k].bone]++;
    for (uint32_t i = 0; i < pmx->bone_count; i++)
        if (times[i] > 1)
            t->of[i] |= TRAIT_MORPHED;
}

static int inherit(Traits *t, uint32_t bone, int32_t from)
{
    if (from < 0)
        return 0;
    const unsigned traits = t->of[bone];
    const uint64_t chains = t->chains[bone];
    t->of[bone] |= t->of[from];
    t->chains[bone] |= t->chains[from];
    return traits != t->of[bone] || chains != t->chains[bone];
}

/* A goal that is a child of a bone makes its chain depend on that bone. */
static int inherit_goal(Traits *t, const PmxModel *pmx, uint32_t goal)
{
    const PmxIk *ik = &pmx->bones[goal].ik;
    int changed = 0;
    for (uint32_t k = 0; k < ik->link_count; k++)
        if (ik->links[k].bone >= 0)
            changed |= inherit(t, (uint32_t)ik->links[k].bone, (int32_t)goal);
    return changed;
}

Traits traits_of(const Model *model, Arena *arena)
{
    const PmxModel *pmx = &model->pmx;
    Traits t = {arena_array(arena, unsigned, pmx->bone_count),
                arena_array(arena, uint64_t, pmx->bone_count)};
    uint32_t *place = arena_array(arena, uint32_t, pmx->bone_count);
    for (uint32_t i = 0; i < pmx->bone_count; i++)
        place[model->order[i]] = i;
    for (uint32_t i = 0; i < pmx->bone_count; i++)
        t.of[i] = own_traits(model, i, place);
    for (uint32_t i = 0; i < model->ik_count; i++)
        mark_chain(&t, model, i);
    mark_morphs(&t, pmx, arena);

    for (int changed = 1; changed;) {
        changed = 0;
        for (uint32_t i = 0; i < pmx->bone_count; i++) {
            changed |= inherit(&t, i, pmx->bones[i].parent);
            if (t.of[i] & TRAIT_APPEND)
                changed |= inherit(&t, i, pmx->bones[i].append_source);
        }
        for (uint32_t i = 0; i < model->ik_count; i++)
            changed |= inherit_goal(&t, pmx, model->ik_bones[i]);
    }
    return t;
}
