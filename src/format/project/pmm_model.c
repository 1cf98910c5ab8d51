// SPDX-License-Identifier: MIT
#include "format/project/pmm_loader.h"

#include <inttypes.h>
#include <string.h>

enum {
    NAME_SIZE = 20,     /* in version 1 */
    BONE_KEY_SIZE = 57, /* in version 1, without the index: base 12, curves 16, vectors 28, flag */
    MORPH_KEY_SIZE = 17,
    BONE_STATE_SIZE = 31,
    BONE_STATE_SIZE_1 = 34,
    PARENT_STATE_SIZE = 16,
    SMALLEST_MODEL = 400,
    SMALLEST_MODEL_1 = 330
};

static bool read_bone_key(void *out, PmmBase *base, PmmLoader *l, bool numbered)
{
    VmdBoneKey *key = out;
    *base = pmm_read_base(l, numbered);
    key->frame = base->frame;
    for (size_t i = 0; i < 4; i++)
        key->curves[i] = pmm_read_curve(l);
    if (!pmm_read_vector(key->translation, 3, l) || !pmm_read_vector(key->rotation, 4, l))
        return false;
    vmd_normalize(key->rotation);
    (void)pmm_read_bool(l); /* selected */
    key->physics = l->version == 2 && pmm_read_bool(l) ? VMD_PHYSICS_OFF : VMD_PHYSICS_ON;
    return true;
}

static bool read_morph_key(void *out, PmmBase *base, PmmLoader *l, bool numbered)
{
    VmdMorphKey *key = out;
    *base = pmm_read_base(l, numbered);
    key->frame = base->frame;
    if (!pmm_read_vector(&key->weight, 1, l))
        return false;
    (void)pmm_read_bool(l);
    return true;
}

/*
 * First keys, one for each object, then a list of others, each with a number; `next` of a key is
 * the number of the following one of its object, or 0.  A damaged chain ends.
 */
typedef struct Chain {
    PmmBase *first, *others; /* [count], [other_count] */
    uint32_t count, other_count;
    uint32_t *of;       /* [other_count] the object of each; UINT32_MAX: none */
    uint32_t *by_index; /* [count + other_count + 1] position in others plus 1; 0: none */
} Chain;

static void follow_chain(Chain *chain, uint32_t object)
{
    const uint32_t numbers = chain->count + chain->other_count;
    uint32_t next = chain->first[object].next;
    while (next && next <= numbers && chain->by_index[next]) {
        const uint32_t at = chain->by_index[next] - 1;
        if (chain->of[at] != UINT32_MAX)
            return;
        chain->of[at] = object;
        next = chain->others[at].next;
    }
}

static void find_objects(Chain *chain, Arena *arena)
{
    const uint32_t numbers = chain->count + chain->other_count;
    chain->of = arena_array(arena, uint32_t, chain->other_count);
    chain->by_index = arena_array(arena, uint32_t, (size_t)numbers + 1);
    for (uint32_t i = 0; i < chain->other_count; i++) {
        chain->of[i] = UINT32_MAX;
        if (chain->others[i].index <= numbers)
            chain->by_index[chain->others[i].index] = i + 1;
    }
    for (uint32_t i = 0; i < chain->count; i++)
        follow_chain(chain, i);
}

/* Keys of the bones or morphs of a model.  Their structs begin with a VmdName. */
typedef struct KeyKind {
    const char *what;
    size_t size; /* of the struct */
    bool (*read)(void *key, PmmBase *base, PmmLoader *l, bool numbered);
} KeyKind;

/*
 * The keys of objects with these names, first the first one of each.  NULL after an error.
 *
 * record_size  of a first key in the file
 */
static void *read_keys(uint32_t *key_count, const KeyKind *kind, size_t record_size,
                       const char *const *names, uint32_t count, PmmLoader *l)
{
    Chain chain = {.count = count};
    if (count > reader_left(&l->r) / record_size) {
        pmm_fail_end(l);
        return NULL;
    }
    uint8_t *first = arena_calloc(l->arena, count, kind->size);
    chain.first = arena_array(l->arena, PmmBase, count);
    for (uint32_t i = 0; i < count; i++)
        if (!kind->read(first + i * kind->size, &chain.first[i], l, false))
            return NULL;
    if (!pmm_read_count(&chain.other_count, l, record_size + 4, kind->what))
        return NULL;
    uint8_t *others = arena_calloc(l->arena, chain.other_count, kind->size);
    chain.others = arena_array(l->arena, PmmBase, chain.other_count);
    for (uint32_t i = 0; i < chain.other_count; i++)
        if (!kind->read(others + i * kind->size, &chain.others[i], l, true))
            return NULL;
    find_objects(&chain, l->arena);
    uint8_t *keys = arena_calloc(l->arena, (size_t)count + chain.other_count, kind->size),
            *at = keys;
    for (uint32_t i = 0; i < count; i++, at += kind->size) {
        const VmdName name = vmd_name_from_utf8(names[i]);
        memcpy(at, first + i * kind->size, kind->size);
        memcpy(at, &name, sizeof name);
    }
    for (uint32_t i = 0; i < chain.other_count; i++)
        if (chain.of[i] != UINT32_MAX) {
            memcpy(at, others + i * kind->size, kind->size);
            memcpy(at, keys + chain.of[i] * kind->size, sizeof(VmdName));
            at += kind->size;
        }
    *key_count = (uint32_t)((size_t)(at - keys) / kind->size);
    return keys;
}

/* ---- models ---- */

/* Texts with their lengths; at least a byte each. */
static bool read_names(const char ***names, uint32_t *count, PmmLoader *l, const char *what)
{
    if (!pmm_read_count(count, l, 1, what))
        return false;
    *names = arena_array(l->arena, const char *, *count);
    for (uint32_t i = 0; i < *count; i++)
        (*names)[i] = pmm_read_text(l);
    return !l->r.failed || pmm_fail_end(l);
}

static bool read_indices(int32_t **indices, uint32_t *count, PmmLoader *l, const char *what)
{
    if (!pmm_read_count(count, l, 4, what))
        return false;
    *indices = arena_array(l->arena, int32_t, *count);
    for (uint32_t i = 0; i < *count; i++)
        (*indices)[i] = read_i32(&l->r);
    return true;
}

/* The bones to which the property keys of a model apply. */
typedef struct Subjects {
    int32_t *ik, *carried; /* bones with IK; bones that another model can carry */
    uint32_t ik_count, carried_count;
} Subjects;

/* The rows of all keys, in the order of the file. */
typedef struct ParentRow {
    uint32_t frame, row;
} ParentRow;

static bool same_parent(PmmParent a, PmmParent b)
{
    return a.model == b.model && a.bone == b.bone;
}

/* Collects the changes from key to key, by frame; nothing is carried before the first key. */
static void collect_parents(PmmModel *model, const Subjects *subjects, const ParentRow *rows,
                            uint32_t row_count, const PmmParent *parents, Arena *arena)
{
    const uint32_t carried = subjects->carried_count;
    uint32_t count = row_count, changes = 0;
    const ParentRow *sorted = pmm_sort_keys(rows, sizeof *rows, &count, arena);
    const PmmParent none = {-1, -1};
    for (int fill = 0; fill < 2; fill++) {
        changes = 0;
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t k = 0; k < carried; k++) {
                const PmmParent now = parents[(size_t)sorted[i].row * carried + k];
                const PmmParent last = i ? parents[(size_t)sorted[i - 1].row * carried + k] : none;
                if (same_parent(now, last))
                    continue;
                if (fill)
                    model->parents[changes] =
                        (PmmParentKey){sorted[i].frame, subjects->carried[k], now};
                changes++;
            }
        if (!fill)
            model->parents = arena_array(arena, PmmParentKey, changes);
    }
    model->parent_count = changes;
}

static void read_property_key(VmdPropertyKey *key, PmmParent *parents, const PmmModel *model,
                              const Subjects *subjects, PmmLoader *l, bool first)
{
    const PmmBase base = pmm_read_base(l, !first);
    *key = (VmdPropertyKey){.frame = base.frame,
                            .visible = pmm_read_bool(l),
                            .ik = arena_array(l->arena, VmdIkSwitch, subjects->ik_count),
                            .ik_count = subjects->ik_count};
    for (uint32_t i = 0; i < subjects->ik_count; i++) {
        const int32_t bone = subjects->ik[i];
        key->ik[i].enabled = pmm_read_bool(l);
        if (bone >= 0 && (uint32_t)bone < model->bone_count)
            key->ik[i].bone = vmd_name_from_utf8(model->bones[bone]);
    }
    /* The parents of one key, a row; see collect_parents. */
    for (uint32_t i = 0; i < subjects->carried_count; i++)
        parents[i] = pmm_read_parent(l);
    (void)pmm_read_bool(l);
}

static bool read_property_keys(PmmModel *model, const Subjects *subjects, PmmLoader *l)
{
    const size_t carried = subjects->carried_count;
    const size_t size = 18 + (size_t)subjects->ik_count + 8 * carried;
    VmdPropertyKey first;
    uint32_t count;
    if (size - 4 > reader_left(&l->r))
        return pmm_fail_end(l);
    PmmParent *first_parents = arena_array(l->arena, PmmParent, carried);
    read_property_key(&first, first_parents, model, subjects, l, true);
    if (!pmm_read_count(&count, l, size, "model key"))
        return false;
    VmdPropertyKey *keys = arena_array(l->arena, VmdPropertyKey, (size_t)count + 1);
    PmmParent *parents = arena_calloc(l->arena, (size_t)count + 1, carried * sizeof *parents);
    ParentRow *rows = arena_array(l->arena, ParentRow, (size_t)count + 1);
    if (carried)
        memcpy(parents, first_parents, carried * sizeof *parents);
    keys[0] = first;
    for (uint32_t i = 1; i <= count; i++) {
        read_property_key(&keys[i], parents + i * carried, model, subjects, l, false);
        rows[i] = (ParentRow){keys[i].frame, i};
    }
    model->motion.property_keys = keys;
    model->motion.property_key_count = count + 1;
    collect_parents(model, subjects, rows, count + 1, parents, l->arena);
    return !l->r.failed || pmm_fail_end(l);
}

/* The editor's state of a model. */
static void skip_editor(PmmLoader *l)
{
    (void)pmm_read_bool(l);      /* visible */
    pmm_skip(l, 5 * 4);          /* selected bone and morphs */
    pmm_skip(l, read_u8(&l->r)); /* rows that are open */
    pmm_skip(l, 2 * 4);          /* scroll, last frame */
}

static bool read_head(PmmModel *model, const char ***morphs, uint32_t *morph_count,
                      Subjects *subjects, PmmLoader *l)
{
    pmm_skip(l, 1); /* its number */
    model->name = pmm_read_text(l);
    (void)pmm_read_text(l); /* English */
    model->path = pmm_read_path(l);
    pmm_skip(l, 1); /* rows of the editor */
    if (!read_names(&model->bones, &model->bone_count, l, "bone") ||
        !read_names(morphs, morph_count, l, "morph") ||
        !read_indices(&subjects->ik, &subjects->ik_count, l, "IK bone") ||
        !read_indices(&subjects->carried, &subjects->carried_count, l, "outside parent"))
        return false;
    /* An own bone that does not exist is the whole model. */
    for (uint32_t i = 0; i < subjects->carried_count; i++)
        if (subjects->carried[i] < 0 || (uint32_t)subjects->carried[i] >= model->bone_count)
            subjects->carried[i] = -1;
    model->draw_order = read_u8(&l->r);
    skip_editor(l);
    return true;
}

/* Version 1: the names are those of the model's file. */
static bool read_head_1(PmmModel *model, const char ***morphs, uint32_t *morph_count,
                        Subjects *subjects, PmmLoader *l)
{
    PmmModelBones bones = {0};
    pmm_skip(l, 1);
    model->name = pmm_read_fixed(l, NAME_SIZE);
    model->path = pmm_read_path(l);
    model->draw_order = read_u8(&l->r);
    skip_editor(l);
    if (l->r.failed)
        return pmm_fail_end(l);
    if (!l->names->read(&bones, l->names->user, model->path, l->arena, l->diag))
        return false;
    model->bones = bones.bones;
    model->bone_count = bones.bone_count;
    *morphs = bones.morphs;
    *morph_count = bones.morph_count;
    subjects->ik = bones.ik;
    subjects->ik_count = bones.ik_count;
    return true;
}

/* The values that were not recorded as keys. */
static void skip_state(const PmmModel *model, uint32_t morph_count, const Subjects *subjects,
                       PmmLoader *l)
{
    pmm_skip(l,
             (size_t)model->bone_count * (l->version == 2 ? BONE_STATE_SIZE : BONE_STATE_SIZE_1));
    pmm_skip(l, (size_t)morph_count * 4);
    pmm_skip(l, subjects->ik_count);
    pmm_skip(l, (size_t)subjects->carried_count * PARENT_STATE_SIZE);
}

static bool read_bone_and_morph_keys(PmmModel *model, const char *const *morphs,
                                     uint32_t morph_count, PmmLoader *l)
{
    static const KeyKind bone = {"bone key", sizeof(VmdBoneKey), read_bone_key};
    static const KeyKind morph = {"morph key", sizeof(VmdMorphKey), read_morph_key};
    VmdMotion *motion = &model->motion;
    motion->bone_keys = read_keys(&motion->bone_key_count, &bone, BONE_KEY_SIZE + (l->version == 2),
                                  model->bones, model->bone_count, l);
    if (motion->bone_keys)
        motion->morph_keys =
            read_keys(&motion->morph_key_count, &morph, MORPH_KEY_SIZE, morphs, morph_count, l);
    return motion->morph_keys != NULL;
}

static bool read_model(PmmModel *model, PmmLoader *l)
{
    const char **morphs = NULL;
    uint32_t morph_count = 0;
    Subjects subjects = {0};
    if (!(l->version == 2 ? read_head : read_head_1)(model, &morphs, &morph_count, &subjects, l) ||
        !read_bone_and_morph_keys(model, morphs, morph_count, l) ||
        !read_property_keys(model, &subjects, l))
        return false;
    skip_state(model, morph_count, &subjects, l);
    model->motion.model_name = model->name;
    model->edge_width = 1;
    if (l->version == 2) {
        (void)pmm_read_bool(l); /* additive */
        read_floats(&model->edge_width, 1, &l->r);
        pmm_skip(l, 2); /* self-shadow, transform order */
    }
    return l->r.failed ? pmm_fail_end(l) : pmm_check_floats(&model->edge_width, 1, l);
}

bool pmm_read_models(PmmLoader *l)
{
    PmmProject *p = l->project;
    pmm_skip(l, 1); /* the selected one */
    const uint32_t count = read_u8(&l->r);
    if (count > reader_left(&l->r) / (l->version == 2 ? SMALLEST_MODEL : SMALLEST_MODEL_1))
        return diag_error(l->diag, "model count %" PRIu32 " exceeds the file size", count);
    if (l->version == 1)
        pmm_skip(l, (size_t)count * NAME_SIZE);
    p->models = arena_array(l->arena, PmmModel, count);
    p->model_count = count;
    for (uint32_t i = 0; i < count; i++) {
        diag_item(l->diag, "model", i);
        if (!read_model(&p->models[i], l))
            return false;
    }
    diag_item(l->diag, NULL, 0);
    return true;
}
