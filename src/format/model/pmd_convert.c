// SPDX-License-Identifier: MIT
#include "format/model/pmd_convert.h"

#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "format/model/pmx_repair.h"
#include "format/model/texture_field.h"

/* ---- bones ---- */

static const uint16_t flags_of_type[] = {
    [PMD_ROTATE] = PMX_BONE_ROTATABLE | PMX_BONE_VISIBLE | PMX_BONE_OPERABLE,
    [PMD_ROTATE_MOVE] =
        PMX_BONE_ROTATABLE | PMX_BONE_MOVABLE | PMX_BONE_VISIBLE | PMX_BONE_OPERABLE,
    [PMD_IK_GOAL] = PMX_BONE_ROTATABLE | PMX_BONE_MOVABLE | PMX_BONE_VISIBLE | PMX_BONE_OPERABLE,
    [PMD_UNKNOWN] = PMX_BONE_ROTATABLE,
    [PMD_IK_LINK] = PMX_BONE_ROTATABLE | PMX_BONE_VISIBLE | PMX_BONE_OPERABLE,
    [PMD_APPEND] =
        PMX_BONE_ROTATABLE | PMX_BONE_VISIBLE | PMX_BONE_OPERABLE | PMX_BONE_APPEND_ROTATION,
    [PMD_IK_EFFECTOR] = PMX_BONE_ROTATABLE,
    [PMD_HIDDEN] = PMX_BONE_ROTATABLE,
    [PMD_TWIST] = PMX_BONE_ROTATABLE | PMX_BONE_VISIBLE | PMX_BONE_OPERABLE | PMX_BONE_FIXED_AXIS,
    [PMD_APPEND_RATIO] = PMX_BONE_ROTATABLE | PMX_BONE_APPEND_ROTATION,
};

static void convert_bone(PmxBone *b, const PmdBone *from, const PmxModel *model)
{
    const uint8_t type = from->type <= PMD_APPEND_RATIO ? from->type : PMD_UNKNOWN;
    b->flags = flags_of_type[type];
    b->append_source = b->tail_bone = b->ik.effector = PMX_NONE;
    if (type == PMD_APPEND) {
        b->append_source = from->extra;
        b->append_ratio = 1.0f;
    } else if (type == PMD_APPEND_RATIO) {
        b->append_source = from->tail;
        b->append_ratio = (float)(int16_t)from->extra / 100.0f;
    }
    if (type != PMD_APPEND_RATIO && from->tail != 0 &&
        pmx_index_in_range(from->tail, model->bone_count)) {
        b->flags |= PMX_BONE_TAIL_IS_BONE;
        b->tail_bone = from->tail;
    }
    if (type == PMD_TWIST && b->tail_bone != PMX_NONE)
        for (int k = 0; k < 3; k++) /* pmx_repair normalizes it */
            b->fixed_axis[k] = model->bones[b->tail_bone].position[k] - b->position[k];
}

/* ---- IK: a PMX bone has one IK, so further ones of a bone get a hidden child bone ---- */

static uint32_t count_extra_iks(const Pmd *pmd)
{
    uint8_t *has_ik = arena_array(pmd->scratch, uint8_t, pmd->model->bone_count);
    uint32_t extra = 0;
    for (uint32_t i = 0; i < pmd->ik_count; i++) {
        if (!pmx_index_in_range(pmd->iks[i].bone, pmd->model->bone_count))
            continue;
        extra += has_ik[pmd->iks[i].bone];
        has_ik[pmd->iks[i].bone] = 1;
    }
    return extra;
}

static void reserve_bones(PmxModel *model, uint32_t extra, Arena *arena)
{
    if (!extra)
        return;
    PmxBone *bones = arena_array(arena, PmxBone, (size_t)model->bone_count + extra);
    memcpy(bones, model->bones, model->bone_count * sizeof *bones);
    model->bones = bones;
}

static PmxBone *add_hidden_child(PmxModel *model, uint32_t parent, Arena *arena)
{
    const PmxBone *p = &model->bones[parent];
    PmxBone *b = &model->bones[model->bone_count++];
    *b = (PmxBone){.name = arena_printf(arena, "%s+", p->name),
                   .name_en = "",
                   .parent = (int32_t)parent,
                   .tail_bone = PMX_NONE,
                   .append_source = PMX_NONE,
                   .flags = PMX_BONE_ROTATABLE | PMX_BONE_MOVABLE};
    memcpy(b->position, p->position, sizeof b->position);
    return b;
}

/* MMD recognizes knees by their names and limits them (format/model/README.md 1.6). */
static void limit_knee(PmxIkLink *link, const PmxModel *model)
{
    if (!pmx_index_in_range(link->bone, model->bone_count) ||
        !strstr(model->bones[link->bone].name, "ひざ"))
        return;
    link->limited = true;
    link->lower[0] = -(float)PI;
    link->upper[0] = -(float)RADIANS / 2;
}

static void convert_ik(PmxBone *bone, const PmdIk *from, const PmxModel *model, Arena *arena)
{
    bone->flags |= PMX_BONE_IK;
    bone->ik = (PmxIk){.effector = from->effector,
                       .loops = from->loops,
                       .unit_angle = from->weight * 4.0f,
                       .links = arena_array(arena, PmxIkLink, from->link_count),
                       .link_count = from->link_count};
    for (uint32_t i = 0; i < from->link_count; i++) {
        bone->ik.links[i].bone = from->links[2 * i] | from->links[2 * i + 1] << 8;
        limit_knee(&bone->ik.links[i], model);
    }
}

/*
 * Layers that produce the evaluation order of PMD: all bones, parents first; then the IKs in file
 * order; then the bones with an append rotation (format/model/README.md 1.9).  Bones of one layer
 * are evaluated by index, so a bone that depends on a later one gets a higher layer.  Most models
 * get layers 0, 1 and 2, as other converters write them.
 */
typedef struct Layers {
    PmxModel *model;
    uint32_t *order; /* all bones, parents before children */
} Layers;

static void sort_by_parents(Layers *layers, Arena *scratch)
{
    const PmxModel *m = layers->model;
    uint8_t *visited = arena_array(scratch, uint8_t, m->bone_count);
    uint32_t *chain = arena_array(scratch, uint32_t, m->bone_count), count = 0;
    layers->order = arena_array(scratch, uint32_t, m->bone_count);
    for (uint32_t i = 0; i < m->bone_count; i++) {
        uint32_t depth = 0;
        for (int32_t b = (int32_t)i; b != PMX_NONE && !visited[b]; b = m->bones[b].parent) {
            visited[b] = 1;
            chain[depth++] = (uint32_t)b;
        }
        while (depth)
            layers->order[count++] = chain[--depth];
    }
}

/* The lowest layer in which bone `after` is evaluated after bone `before`. */
static int32_t min_layer_after(const PmxModel *m, uint32_t after, int32_t before)
{
    if (!pmx_index_in_range(before, m->bone_count))
        return 0;
    return m->bones[before].layer + ((uint32_t)before > after);
}

/* Raises bones that would be evaluated before their parents.  Returns the highest layer. */
static int32_t raise_children(Layers *layers)
{
    PmxBone *bones = layers->model->bones;
    int32_t highest = 0;
    for (uint32_t i = 0; i < layers->model->bone_count; i++) {
        const uint32_t at = layers->order[i];
        const int32_t parent = bones[at].parent;
        const int32_t min_layer = min_layer_after(layers->model, at, parent);
        if (bones[at].layer < min_layer)
            bones[at].layer = min_layer;
        if (bones[at].layer > highest)
            highest = bones[at].layer;
    }
    return highest;
}

/* Raises IK bones that would be evaluated before one of their links. */
static void raise_iks(PmxModel *m)
{
    for (uint32_t i = 0; i < m->bone_count; i++) {
        const PmxIk *ik = &m->bones[i].ik;
        for (uint32_t k = 0; k < ik->link_count; k++) {
            const int32_t min_layer = min_layer_after(m, i, ik->links[k].bone);
            if (m->bones[i].layer < min_layer)
                m->bones[i].layer = min_layer;
        }
    }
}

/* ik_bones: bone of each IK record, in the order of the file, or -1 */
static void assign_layers(Pmd *pmd, const int32_t *ik_bones)
{
    PmxModel *m = pmd->model;
    Layers layers = {.model = m};
    sort_by_parents(&layers, pmd->scratch);
    int32_t layer = raise_children(&layers) + 1;
    int32_t last = PMX_NONE;
    for (uint32_t i = 0; i < pmd->ik_count; i++) {
        if (ik_bones[i] == PMX_NONE)
            continue;
        layer += ik_bones[i] < last;
        last = ik_bones[i];
        m->bones[last].layer = layer;
    }
    for (uint32_t i = 0; i < m->bone_count; i++)
        if (m->bones[i].flags & PMX_BONE_APPEND_ROTATION)
            m->bones[i].layer = layer + 1;
    raise_children(&layers);
    raise_iks(m);
    raise_children(&layers);
}

static void convert_bones(Pmd *pmd)
{
    PmxModel *m = pmd->model;
    for (uint32_t i = 0; i < m->bone_count; i++)
        convert_bone(&m->bones[i], &pmd->bones[i], m);
    const uint32_t file_bones = m->bone_count;
    int32_t *ik_bones = arena_array(pmd->scratch, int32_t, pmd->ik_count);
    reserve_bones(m, count_extra_iks(pmd), pmd->arena);
    for (uint32_t i = 0; i < pmd->ik_count; i++) {
        const PmdIk *ik = &pmd->iks[i];
        ik_bones[i] = PMX_NONE;
        if (!pmx_index_in_range(ik->bone, file_bones)) {
            diag_warn(pmd->diag, WARN_BAD_REFERENCE,
                      "IK of bone %u is ignored: the model has %u bones", (unsigned)ik->bone,
                      (unsigned)file_bones);
            continue;
        }
        PmxBone *bone = &m->bones[ik->bone];
        if (bone->flags & PMX_BONE_IK)
            bone = add_hidden_child(m, ik->bone, pmd->arena);
        convert_ik(bone, ik, m, pmd->arena);
        ik_bones[i] = (int32_t)(bone - m->bones);
    }
    pmx_repair_parents(m, pmd->scratch, pmd->diag);
    assign_layers(pmd, ik_bones);
}

/* ---- morphs ---- */

/* Converts indices in the base to vertices; pmx_repair removes those that are out of range. */
static void convert_morphs(Pmd *pmd)
{
    for (uint32_t i = 0; i < pmd->model->morph_count; i++) {
        PmxMorph *m = &pmd->model->morphs[i];
        for (uint32_t k = 0; k < m->count; k++) {
            uint32_t *vertex = &m->offsets.vertex[k].vertex;
            *vertex = *vertex < pmd->base_count ? pmd->base[*vertex] : UINT32_MAX;
        }
    }
}

/* ---- textures and toons ---- */

/* The number NN of a toonNN.bmp that is part of MMD, 0..10; else -1. */
static int shared_toon_number(const char *name)
{
    enum { TENS = 4, ONES = 5, END = 6 };
    if (strlen(name) != strlen("toonNN.bmp") || !text_equal_ignoring_case(name + END, ".bmp"))
        return -1;
    const char stem[] = {name[0], name[1], name[2], name[3], '\0'};
    const int tens = name[TENS] - '0', ones = name[ONES] - '0';
    const bool number = (tens == 0 && ones >= 0 && ones <= 9) || (tens == 1 && ones == 0);
    return number && text_equal_ignoring_case(stem, "toon") ? 10 * tens + ones : -1;
}

static void convert_toon(PmxMaterial *m, const int32_t toon_textures[PMD_TOONS], const char *name,
                         uint8_t toon)
{
    const int number = name ? shared_toon_number(name) : toon + 1;
    m->shared_toon = number > 0;
    m->toon = number > 0 ? number - 1 : number == 0 ? PMX_NONE : toon_textures[toon];
}

static void convert_toons(Pmd *pmd)
{
    PmxModel *m = pmd->model;
    int32_t textures[PMD_TOONS];
    for (int i = 0; i < PMD_TOONS; i++) {
        textures[i] = PMX_NONE;
        if (pmd->toons[i] && *pmd->toons[i] && shared_toon_number(pmd->toons[i]) < 0) {
            textures[i] = (int32_t)m->texture_count;
            m->textures[m->texture_count++] = pmd->toons[i];
        }
    }
    for (uint32_t i = 0; i < m->material_count; i++) {
        const uint8_t toon = pmd->material_toons[i];
        if (toon < PMD_TOONS)
            convert_toon(&m->materials[i], textures, pmd->toons[toon], toon);
    }
}

/* ---- display frames: Root and 表情 come first, as in files of PmxEditor ---- */

static void count_items(Pmd *pmd, PmxDisplayFrame *frames, uint32_t frame_count)
{
    frames[0].item_count = 1;
    frames[1].item_count = pmd->display_morph_count;
    for (uint32_t i = 0; i < pmd->display_bone_count; i++) {
        const uint32_t group = pmd->display_bones[i].group;
        if (group && group + 1 < frame_count)
            frames[group + 1].item_count++;
    }
    for (uint32_t i = 0; i < frame_count; i++) {
        frames[i].items = arena_array(pmd->arena, PmxDisplayItem, frames[i].item_count);
        frames[i].item_count = 0;
    }
}

static void add_item(PmxDisplayFrame *frame, bool is_morph, int32_t index)
{
    frame->items[frame->item_count++] = (PmxDisplayItem){is_morph, index};
}

static void convert_display(Pmd *pmd)
{
    const uint32_t count = 2 + pmd->group_count;
    PmxDisplayFrame *frames = arena_array(pmd->arena, PmxDisplayFrame, count);
    frames[0] = (PmxDisplayFrame){.name = "Root", .name_en = "Root", .special = true};
    frames[1] = (PmxDisplayFrame){.name = "表情", .name_en = "Exp", .special = true};
    for (uint32_t i = 0; i < pmd->group_count; i++) {
        frames[2 + i].name = pmd->groups[i];
        frames[2 + i].name_en = pmd->groups_en[i];
    }
    count_items(pmd, frames, count);
    add_item(&frames[0], false, 0);
    for (uint32_t i = 0; i < pmd->display_morph_count; i++) {
        const uint16_t morph = pmd->display_morphs[i].index;
        add_item(&frames[1], true,
                 morph < pmd->file_morph_count ? pmd->morph_index[morph] : PMX_NONE);
    }
    for (uint32_t i = 0; i < pmd->display_bone_count; i++) {
        const uint32_t group = pmd->display_bones[i].group;
        if (group && group + 1 < count)
            add_item(&frames[group + 1], false, pmd->display_bones[i].index);
    }
    pmd->model->display_frames = frames;
    pmd->model->display_frame_count = count;
}

/* ---- rigid bodies ---- */

/* Makes positions absolute.  A body without a bone is placed from the first one, as in MMD; a
 * kinematic one follows it, but a simulated one does not move it: models have such weights on
 * belts and hems, and would be carried away by them. */
static void convert_bodies(Pmd *pmd)
{
    PmxModel *m = pmd->model;
    for (uint32_t i = 0; i < m->body_count; i++) {
        PmxBody *b = &m->bodies[i];
        const int32_t place = b->bone == PMX_NONE && m->bone_count ? 0 : b->bone;
        for (int k = 0; k < 3 && pmx_index_in_range(place, m->bone_count); k++)
            b->position[k] += m->bones[place].position[k];
        if (b->mode == PMX_FOLLOW_BONE)
            b->bone = place;
    }
}

void pmd_convert(Pmd *pmd)
{
    convert_bones(pmd);
    convert_morphs(pmd);
    convert_toons(pmd);
    texture_field_merge(pmd->model, pmd->scratch);
    convert_display(pmd);
    convert_bodies(pmd);
}
