#include "format/model/pmx_repair.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format/model/pmx_record.h"
#include "format/model/pmx_repair_internal.h"

/* Numbers of rules (6.n) are those of format/model/README.md. */

bool pmx_index_in_range(int32_t index, uint32_t count)
{
    return index >= 0 && (uint32_t)index < count;
}

unsigned pmx_repair_floats(float *values, size_t count)
{
    PmxIo io = {.mode = PMX_REPAIR};
    pmx_io_floats(&io, values, count);
    return io.repaired;
}

void pmx_warn_floats(unsigned bad, const char *item, uint32_t index, Diag *diag)
{
    if (!bad)
        return;
    diag_item(diag, item, index);
    diag_warn(diag, WARN_BAD_VALUE, "%u values are not finite or too large; 0 or the limit is used",
              bad);
    diag_item(diag, NULL, 0);
}

static float length3(const float v[3])
{
    return (float)sqrt((double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] +
                       (double)v[2] * (double)v[2]);
}

/* ---- bones ---- */

/* An optional bone index; out of range it becomes -1, with a warning (6.8). */
static void fix_bone_reference(int32_t *reference, const char *what, uint32_t bone, uint32_t count,
                               Diag *diag)
{
    if (*reference == PMX_NONE || pmx_index_in_range(*reference, count))
        return;
    diag_item(diag, "bone", bone);
    diag_warn(diag, WARN_BAD_REFERENCE,
              "%s %" PRId32 " out of range (0..%" PRId64 "); none is used", what, *reference,
              (int64_t)count - 1);
    diag_item(diag, NULL, 0);
    *reference = PMX_NONE;
}

/* The lowest bone of the cycle that contains `at` becomes a root (6.7). */
static void break_cycle(PmxBone *bones, int32_t at, Diag *diag)
{
    int32_t lowest = at;
    for (int32_t b = bones[at].parent; b != at; b = bones[b].parent)
        if (b < lowest)
            lowest = b;
    diag_item(diag, "bone", (uint64_t)lowest);
    diag_warn(diag, WARN_BAD_REFERENCE, "is its own ancestor; its parent is ignored");
    diag_item(diag, NULL, 0);
    bones[lowest].parent = PMX_NONE;
}

void pmx_repair_parents(PmxModel *model, Arena *scratch, Diag *diag)
{
    const uint32_t count = model->bone_count;
    PmxBone *bones = model->bones;
    for (uint32_t i = 0; i < count; i++)
        fix_bone_reference(&bones[i].parent, "parent", i, count, diag);

    /* Each walk towards the root marks the bones it visits; a bone that has the mark of the same
     * walk is part of a cycle. */
    uint32_t *visited_by = arena_array(scratch, uint32_t, count);
    for (uint32_t i = 0; i < count; i++) {
        int32_t b = (int32_t)i;
        while (b != PMX_NONE && !visited_by[b]) {
            visited_by[b] = i + 1;
            b = bones[b].parent;
        }
        if (b != PMX_NONE && visited_by[b] == i + 1)
            break_cycle(bones, b, diag);
    }
}

/* Swaps limits that are in the wrong order, per axis (6.11). */
static void fix_ik_limits(PmxIkLink *link)
{
    for (int k = 0; k < 3; k++) {
        if (link->lower[k] > link->upper[k]) {
            const float lower = link->upper[k];
            link->upper[k] = link->lower[k];
            link->lower[k] = lower;
        }
    }
}

/* Keeps the links to bones other than the effector (6.8, 6.9). */
static unsigned fix_ik_links(PmxIk *ik, uint32_t bone_count, Diag *diag)
{
    unsigned bad = 0;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < ik->link_count; i++) {
        PmxIkLink link = ik->links[i];
        if (!pmx_index_in_range(link.bone, bone_count) || link.bone == ik->effector) {
            diag_warn(diag, WARN_BAD_REFERENCE, "IK link to bone %" PRId32 " is ignored",
                      link.bone);
            continue;
        }
        bad += pmx_repair_floats(link.lower, 3) + pmx_repair_floats(link.upper, 3);
        fix_ik_limits(&link);
        ik->links[kept++] = link;
    }
    ik->link_count = kept;
    return bad;
}

static unsigned fix_ik(PmxBone *bone, uint32_t bone_count, Diag *diag)
{
    enum { MAX_LOOPS = 256 }; /* 6.10 */
    PmxIk *ik = &bone->ik;
    if (bone->flags & PMX_BONE_IK && !pmx_index_in_range(ik->effector, bone_count)) {
        diag_warn(diag, WARN_BAD_REFERENCE,
                  "IK effector %" PRId32 " out of range (0..%" PRId64 "); the IK is ignored",
                  ik->effector, (int64_t)bone_count - 1);
        bone->flags &= (uint16_t)~PMX_BONE_IK;
    }
    if (!(bone->flags & PMX_BONE_IK)) {
        *ik = (PmxIk){.effector = PMX_NONE};
        return 0;
    }
    ik->loops = ik->loops < 0 ? 0 : ik->loops > MAX_LOOPS ? MAX_LOOPS : ik->loops;
    const unsigned bad = pmx_repair_floats(&ik->unit_angle, 1);
    ik->unit_angle = fabsf(ik->unit_angle);
    return bad + fix_ik_links(ik, bone_count, diag);
}

static void fix_axis(PmxBone *bone)
{
    const float length = length3(bone->fixed_axis);
    const bool usable = bone->flags & PMX_BONE_FIXED_AXIS && length > 1e-6f && isfinite(length);
    for (int k = 0; k < 3; k++)
        bone->fixed_axis[k] = usable ? bone->fixed_axis[k] / length : 0.0f;
}

static void fix_bone(PmxBone *bone, uint32_t index, uint32_t count, Diag *diag)
{
    PmxIo io = {.mode = PMX_REPAIR};
    pmx_io_bone(&io, bone, index);
    fix_bone_reference(&bone->tail_bone, "tail", index, count, diag);
    fix_bone_reference(&bone->append_source, "append source", index, count, diag);
    fix_axis(bone);
    diag_item(diag, "bone", index);
    pmx_warn_floats(io.repaired + fix_ik(bone, count, diag), "bone", index, diag);
    diag_item(diag, NULL, 0);
}

void pmx_add_center_bone(PmxModel *model, Arena *arena)
{
    model->bones = arena_array(arena, PmxBone, 1);
    model->bone_count = 1;
    model->bones[0] = (PmxBone){.name = "センター",
                                .name_en = "center",
                                .parent = PMX_NONE,
                                .tail_bone = PMX_NONE,
                                .append_source = PMX_NONE,
                                .ik.effector = PMX_NONE,
                                .flags = PMX_BONE_ROTATABLE | PMX_BONE_MOVABLE | PMX_BONE_VISIBLE |
                                         PMX_BONE_OPERABLE};
}

/* Every vertex needs a bone, but files without bones exist. */
static void add_missing_bone(PmxModel *model, Arena *arena, Diag *diag)
{
    if (model->bone_count || !model->vertex_count)
        return;
    diag_warn(diag, WARN_EMPTY_MODEL, "the model has no bones; one is added at the origin");
    pmx_add_center_bone(model, arena);
}

/* ---- morphs: offsets whose index is out of range are removed ---- */

static void fix_quaternion(float q[4], bool repaired)
{
    double square = 0.0;
    for (int k = 0; k < 4; k++)
        square += (double)q[k] * (double)q[k];
    if (repaired || square < 1e-12) {
        q[0] = q[1] = q[2] = 0.0f;
        q[3] = 1.0f;
    } else if (fabs(square - 1.0) > 1e-5) {
        for (int k = 0; k < 4; k++)
            q[k] = (float)((double)q[k] / sqrt(square));
    }
}

static bool offset_is_known(const PmxMorph *m, uint32_t i, const PmxModel *model)
{
    switch (m->type) {
    case PMX_MORPH_GROUP:
    case PMX_MORPH_FLIP:
        return pmx_index_in_range(m->offsets.group[i].morph, model->morph_count);
    case PMX_MORPH_VERTEX:
        return m->offsets.vertex[i].vertex < model->vertex_count;
    case PMX_MORPH_BONE:
        return pmx_index_in_range(m->offsets.bone[i].bone, model->bone_count);
    case PMX_MORPH_MATERIAL:
        return m->offsets.material[i].material == PMX_NONE ||
               pmx_index_in_range(m->offsets.material[i].material, model->material_count);
    case PMX_MORPH_IMPULSE:
        return pmx_index_in_range(m->offsets.impulse[i].body, model->body_count);
    default:
        return m->offsets.uv[i].vertex < model->vertex_count;
    }
}

/* Repairs the values of all offsets; returns the number of those that are kept. */
static uint32_t fix_offsets(PmxMorph *m, const PmxModel *model, PmxIo *io)
{
    const size_t size = pmx_offset_struct_size(m->type);
    const bool is_uv = m->type >= PMX_MORPH_UV && m->type <= PMX_MORPH_UV4;
    unsigned char *items = (void *)m->offsets.group;
    uint32_t kept = 0;
    if (is_uv && (uint32_t)(m->type - PMX_MORPH_UV) > model->extra_uv_count)
        return 0;
    for (uint32_t i = 0; i < m->count; i++) {
        if (m->type == PMX_MORPH_BONE) {
            float *rotation = m->offsets.bone[i].rotation;
            const unsigned bad = pmx_repair_floats(rotation, 4);
            fix_quaternion(rotation, bad > 0);
            io->repaired += bad;
        }
        pmx_io_offset(io, m, i);
        if (offset_is_known(m, i, model))
            memmove(items + size * kept++, items + size * i, size);
    }
    return kept;
}

static void fix_morph(PmxMorph *m, uint32_t index, const PmxModel *model, Diag *diag)
{
    enum { LAST_PANEL = 4 };
    PmxIo io = {.mode = PMX_REPAIR};
    const uint32_t kept = fix_offsets(m, model, &io);
    pmx_warn_floats(io.repaired, "morph", index, diag);
    if (m->panel > LAST_PANEL)
        m->panel = LAST_PANEL;
    if (kept == m->count)
        return;
    diag_item(diag, "morph", index);
    diag_warn(diag, WARN_BAD_REFERENCE,
              "%" PRIu32 " of %" PRIu32 " offsets have an index out of range and are ignored",
              m->count - kept, m->count);
    diag_item(diag, NULL, 0);
    m->count = kept;
}

static void fix_display_frame(PmxDisplayFrame *d, const PmxModel *model)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < d->item_count; i++) {
        const PmxDisplayItem item = d->items[i];
        if (pmx_index_in_range(item.index, item.is_morph ? model->morph_count : model->bone_count))
            d->items[kept++] = item;
    }
    d->item_count = kept;
}

/* ---- physics ---- */

static void fix_body(PmxBody *b, uint32_t index, const PmxModel *model, Diag *diag)
{
    enum { GROUP_COUNT = 16 };
    PmxIo io = {.mode = PMX_REPAIR};
    pmx_io_body_values(&io, b);
    pmx_warn_floats(io.repaired, "rigid body", index, diag);
    for (int k = 0; k < 3; k++)
        b->size[k] = fabsf(b->size[k]); /* 6.19 */
    diag_item(diag, "rigid body", index);
    if (b->bone != PMX_NONE && !pmx_index_in_range(b->bone, model->bone_count)) {
        diag_warn(diag, WARN_BAD_REFERENCE,
                  "bone %" PRId32 " out of range (0..%" PRId64 "); none is used", b->bone,
                  (int64_t)model->bone_count - 1);
        b->bone = PMX_NONE;
    }
    if (b->group >= GROUP_COUNT || b->shape > PMX_CAPSULE || b->mode > PMX_PHYSICS_WITH_BONE) {
        diag_warn(diag, WARN_BAD_VALUE,
                  "group %u, shape %u or mode %u out of range (0..15, 0..2, 0..2); 0 is used",
                  (unsigned)b->group, (unsigned)b->shape, (unsigned)b->mode);
        b->group = b->group >= GROUP_COUNT ? 0 : b->group;
        b->shape = b->shape > PMX_CAPSULE ? PMX_SPHERE : b->shape;
        b->mode = b->mode > PMX_PHYSICS_WITH_BONE ? PMX_FOLLOW_BONE : b->mode;
    }
    if (b->mode != PMX_FOLLOW_BONE && !(b->mass > 0.0f)) { /* 6.20 */
        diag_warn(diag, WARN_BAD_VALUE,
                  "mass %g of a dynamic body is not above 0; it follows its bone", (double)b->mass);
        b->mode = PMX_FOLLOW_BONE;
    }
    diag_item(diag, NULL, 0);
}

static void fix_joint(PmxJoint *j, uint32_t index, const PmxModel *model, Diag *diag)
{
    PmxIo io = {.mode = PMX_REPAIR};
    pmx_io_joint_values(&io, j);
    pmx_warn_floats(io.repaired, "joint", index, diag);
    if (j->type > PMX_JOINT_HINGE)
        j->type = PMX_JOINT_SPRING_6DOF;
    if (pmx_index_in_range(j->body_a, model->body_count) &&
        pmx_index_in_range(j->body_b, model->body_count))
        return;
    diag_item(diag, "joint", index);
    diag_warn(diag, WARN_BAD_REFERENCE,
              "rigid bodies %" PRId32 ", %" PRId32 " out of range (0..%" PRId64
              "); the joint is ignored",
              j->body_a, j->body_b, (int64_t)model->body_count - 1);
    diag_item(diag, NULL, 0);
    j->body_a = j->body_b = PMX_NONE; /* 6.21 */
}

static void fix_soft_body(PmxSoftBody *s, uint32_t index, const PmxModel *model, Diag *diag)
{
    PmxIo io = {.mode = PMX_REPAIR};
    pmx_sections[PMX_SECTION_SOFT_BODIES].record(&io, s, index);
    pmx_warn_floats(io.repaired, "soft body", index, diag);
    if (!pmx_index_in_range(s->material, model->material_count))
        s->material = PMX_NONE;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->anchor_count; i++)
        if (pmx_index_in_range(s->anchors[i].body, model->body_count) &&
            s->anchors[i].vertex < model->vertex_count)
            s->anchors[kept++] = s->anchors[i];
    s->anchor_count = kept;
    kept = 0;
    for (uint32_t i = 0; i < s->pin_count; i++)
        if (s->pins[i] < model->vertex_count)
            s->pins[kept++] = s->pins[i];
    s->pin_count = kept;
}

/* ---- names ---- */

typedef struct Name {
    const char *text;
    uint32_t index;
} Name;

static int compare_names(const void *a, const void *b)
{
    const Name *x = a, *y = b;
    const int order = strcmp(x->text, y->text);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

void pmx_find_first_names(uint32_t *first, const char *const *names, uint32_t count, Arena *scratch)
{
    Name *sorted = arena_array(scratch, Name, count);
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = (Name){names[i], i};
    qsort(sorted, count, sizeof *sorted, compare_names);
    uint32_t start = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(sorted[i].text, sorted[start].text) != 0)
            start = i;
        first[sorted[i].index] = sorted[start].index;
    }
}

/* Nothing is changed: a motion moves the first bone of a name, but all its morphs (6.12). */
static void warn_duplicate_names(const char *const *names, uint32_t count, const char *items,
                                 Arena *scratch, Diag *diag)
{
    uint32_t *first = arena_array(scratch, uint32_t, count), duplicates = 0, example = 0;
    pmx_find_first_names(first, names, count, scratch);
    for (uint32_t i = 0; i < count; i++) {
        if (first[i] != i && *names[i]) {
            duplicates++;
            example = i;
        }
    }
    if (duplicates)
        diag_warn(diag, WARN_DUPLICATE_NAME,
                  "%" PRIu32 " %s have the name of an earlier one, e.g. '%s'", duplicates, items,
                  names[example]);
}

static void warn_all_duplicate_names(const PmxModel *model, Arena *scratch, Diag *diag)
{
    const char **bones = arena_array(scratch, const char *, model->bone_count);
    for (uint32_t i = 0; i < model->bone_count; i++)
        bones[i] = model->bones[i].name;
    warn_duplicate_names(bones, model->bone_count, "bones", scratch, diag);
    const char **morphs = arena_array(scratch, const char *, model->morph_count);
    for (uint32_t i = 0; i < model->morph_count; i++)
        morphs[i] = model->morphs[i].name;
    warn_duplicate_names(morphs, model->morph_count, "morphs", scratch, diag);
}

void pmx_repair(PmxModel *model, Arena *arena, Diag *diag)
{
    Arena *scratch = arena_create();
    add_missing_bone(model, arena, diag);
    pmx_repair_parents(model, scratch, diag);
    for (uint32_t i = 0; i < model->bone_count; i++)
        fix_bone(&model->bones[i], i, model->bone_count, diag);
    pmx_repair_geometry(model, arena, diag);
    for (uint32_t i = 0; i < model->morph_count; i++)
        fix_morph(&model->morphs[i], i, model, diag);
    for (uint32_t i = 0; i < model->display_frame_count; i++)
        fix_display_frame(&model->display_frames[i], model);
    for (uint32_t i = 0; i < model->body_count; i++)
        fix_body(&model->bodies[i], i, model, diag);
    for (uint32_t i = 0; i < model->joint_count; i++)
        fix_joint(&model->joints[i], i, model, diag);
    for (uint32_t i = 0; i < model->soft_body_count; i++)
        fix_soft_body(&model->soft_bodies[i], i, model, diag);
    warn_all_duplicate_names(model, scratch, diag);
    arena_destroy(scratch);
}
