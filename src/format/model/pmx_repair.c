// SPDX-License-Identifier: MIT
#include "format/model/pmx_repair.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format/model/pmx_record.h"

/* Numbers of rules (6.n) are those of format/model/README.md. */

bool pmx_index_in_range(int32_t index, uint32_t count)
{
    return index >= 0 && (uint32_t)index < count;
}

/* Replaces NaN and infinity with 0, and limits the others to PMX_MAX_VALUE; returns the number of
 * changes (6.18). */
static unsigned repair_floats(float *values, size_t count)
{
    PmxIo io = {.mode = PMX_REPAIR};
    pmx_io_floats(&io, values, count);
    return io.repaired;
}

/* Warns about `bad` replaced values of an item; 0: no warning. */
static void warn_floats(unsigned bad, const char *item, uint32_t index, Diag *diag)
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
        bad += repair_floats(link.lower, 3) + repair_floats(link.upper, 3);
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
    const unsigned bad = repair_floats(&ik->unit_angle, 1);
    ik->unit_angle = fabsf(ik->unit_angle);
    return bad + fix_ik_links(ik, bone_count, diag);
}

static void fix_bone(PmxBone *bone, uint32_t index, uint32_t count, Diag *diag)
{
    PmxIo io = {.mode = PMX_REPAIR};
    pmx_io_bone(&io, bone, index);
    fix_bone_reference(&bone->tail_bone, "tail", index, count, diag);
    fix_bone_reference(&bone->append_source, "append source", index, count, diag);
    const float length = length3(bone->fixed_axis);
    const bool usable = bone->flags & PMX_BONE_FIXED_AXIS && length > 1e-6f && isfinite(length);
    for (int k = 0; k < 3; k++)
        bone->fixed_axis[k] = usable ? bone->fixed_axis[k] / length : 0.0f;
    diag_item(diag, "bone", index);
    warn_floats(io.repaired + fix_ik(bone, count, diag), "bone", index, diag);
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

static bool is_zero3(const float v[3])
{
    return v[0] == 0.0f && v[1] == 0.0f && v[2] == 0.0f;
}

/* ---- vertices ---- */

/* Sets the weights of invalid bones and negative weights to 0; true if there were any. */
static bool fix_weights(PmxVertex *v, uint32_t bone_count)
{
    bool changed = false;
    for (int k = 0; k < PMX_MAX_WEIGHTS; k++) {
        const bool known = pmx_index_in_range(v->bones[k], bone_count);
        if (v->weights[k] < 0.0f || (!known && v->weights[k] > 0.0f)) {
            v->weights[k] = 0.0f;
            changed = true;
        }
        if (!known)
            v->bones[k] = 0;
    }
    return changed;
}

/* Makes the weights sum to 1; if all are 0, the first becomes 1 (6.14). */
static void normalise_weights(PmxVertex *v)
{
    double sum = 0.0;
    for (int k = 0; k < PMX_MAX_WEIGHTS; k++)
        sum += (double)v->weights[k];
    if (sum > 0.0) {
        for (int k = 0; k < PMX_MAX_WEIGHTS; k++)
            v->weights[k] = (float)((double)v->weights[k] / sum);
    } else {
        v->weights[0] = 1.0f;
    }
}

/*
 * SDEF with C = R0 = R1 = 0, or values that are not finite, becomes BDEF2 (6.15).  With other equal
 * points SDEF still rotates around C.
 */
static unsigned fix_sdef(PmxVertex *v)
{
    const unsigned bad =
        repair_floats(v->sdef_c, 3) + repair_floats(v->sdef_r0, 3) + repair_floats(v->sdef_r1, 3);
    if (bad || (is_zero3(v->sdef_c) && is_zero3(v->sdef_r0) && is_zero3(v->sdef_r1)))
        v->deform = PMX_BDEF2;
    return bad;
}

/* Returns true if bones or weights were invalid. */
static bool fix_vertex(PmxVertex *v, uint32_t index, uint32_t bone_count, Diag *diag)
{
    unsigned bad = repair_floats(v->position, 3) + repair_floats(v->normal, 3) +
                   repair_floats(v->uv, 2) + repair_floats(&v->edge_scale, 1) +
                   repair_floats(v->weights, PMX_MAX_WEIGHTS);
    if (v->deform == PMX_SDEF)
        bad += fix_sdef(v);
    warn_floats(bad, "vertex", index, diag);
    const bool changed = fix_weights(v, bone_count);
    const bool has_all_weights = v->deform == PMX_BDEF4 || v->deform == PMX_QDEF;
    if (changed || has_all_weights || bad)
        normalise_weights(v);
    return changed;
}

static void fix_vertices(PmxModel *model, Diag *diag)
{
    uint32_t unbound = 0, without_normal = 0;
    for (uint32_t i = 0; i < model->vertex_count; i++) {
        PmxVertex *v = &model->vertices[i];
        unbound += fix_vertex(v, i, model->bone_count, diag);
        if (is_zero3(v->normal)) { /* 6.17 */
            v->normal[1] = 1.0f;
            without_normal++;
        }
    }
    if (unbound)
        diag_warn(diag, WARN_BAD_REFERENCE,
                  "%" PRIu32
                  " vertices have bones out of range or negative weights, which are ignored",
                  unbound);
    if (without_normal)
        diag_warn(diag, WARN_BAD_VALUE, "%" PRIu32 " vertices have a zero normal; +y is used",
                  without_normal);
    for (uint32_t k = 0; k < model->extra_uv_count && model->vertex_count; k++)
        if (repair_floats(model->extra_uv[k][0], 4 * (size_t)model->vertex_count))
            diag_warn(diag, WARN_BAD_VALUE,
                      "extra UV %" PRIu32
                      " has values that are not finite or too large; 0 or the limit is used",
                      k + 1);
    if (model->map_uv && model->vertex_count)
        repair_floats(model->map_uv[0], 2 * PMX_MAPS * (size_t)model->vertex_count);
}

/* ---- faces and materials ---- */

/* Each material uses the next range of the indices, limited to those that exist (6.5). */
static void fix_ranges(PmxModel *model, Diag *diag)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < model->material_count; i++) {
        PmxMaterial *m = &model->materials[i];
        if (m->index_count > model->index_count - at) {
            diag_item(diag, "material", i);
            diag_warn(diag, WARN_BAD_REFERENCE,
                      "face index count %" PRIu32 " exceeds the %" PRIu32 " left, which are used",
                      m->index_count, model->index_count - at);
            diag_item(diag, NULL, 0);
            m->index_count = model->index_count - at;
        }
        m->first_index = at;
        at += m->index_count;
    }
    if (at < model->index_count)
        diag_warn(diag, WARN_BAD_REFERENCE,
                  "%" PRIu32 " face indices belong to no material and are not drawn",
                  model->index_count - at);
}

static bool faces_are_valid(const PmxModel *model)
{
    for (uint32_t i = 0; i < model->index_count; i++)
        if (model->indices[i] >= model->vertex_count)
            return false;
    for (uint32_t i = 0; i < model->material_count; i++)
        if (model->materials[i].index_count % 3)
            return false;
    return model->index_count % 3 == 0;
}

/* Moves the valid triangles of a range to `to`; returns the index behind them. */
static uint32_t move_triangles(PmxModel *model, uint32_t from, uint32_t count, uint32_t to)
{
    for (uint32_t i = 0; i + 3 <= count; i += 3) {
        const uint32_t *t = &model->indices[from + i];
        const uint32_t a = t[0], b = t[1], c = t[2];
        if (a >= model->vertex_count || b >= model->vertex_count || c >= model->vertex_count)
            continue;
        model->indices[to++] = a;
        model->indices[to++] = b;
        model->indices[to++] = c;
    }
    return to;
}

/* Removes triangles with an index out of range and incomplete ones (6.4). */
static void fix_faces(PmxModel *model, Diag *diag)
{
    fix_ranges(model, diag);
    if (faces_are_valid(model))
        return;
    uint32_t from = 0, to = 0;
    for (uint32_t i = 0; i < model->material_count; i++) {
        PmxMaterial *m = &model->materials[i];
        const uint32_t end = move_triangles(model, m->first_index, m->index_count, to);
        from = m->first_index + m->index_count;
        m->first_index = to;
        m->index_count = end - to;
        to = end;
    }
    to = move_triangles(model, from, model->index_count - from, to);
    diag_warn(diag, WARN_BAD_REFERENCE,
              "%" PRIu32 " of %" PRIu32 " face indices are out of range (0..%" PRId64
              ") or not a complete triangle and are ignored",
              model->index_count - to, model->index_count, (int64_t)model->vertex_count - 1);
    model->index_count = to;
}

/* Removes trailing spaces; a name that is only an extension becomes "" (6.26). */
static const char *clean_path(const char *path, Arena *arena)
{
    size_t size = strlen(path);
    while (size && path[size - 1] == ' ')
        size--;
    size_t name = size;
    while (name && path[name - 1] != '/' && path[name - 1] != '\\')
        name--;
    if (name == size || (path[name] == '.' && !memchr(path + name + 1, '.', size - name - 1)))
        return "";
    return path[size] ? arena_strndup(arena, path, size) : path;
}

static void fix_texture(int32_t *texture, const char *what, const PmxModel *model, Diag *diag)
{
    if (pmx_index_in_range(*texture, model->texture_count)) {
        if (!*model->textures[*texture])
            *texture = PMX_NONE;
        return;
    }
    if (*texture != PMX_NONE)
        diag_warn(diag, WARN_BAD_REFERENCE,
                  "%s %" PRId32 " out of range (0..%" PRId64 "); none is used", what, *texture,
                  (int64_t)model->texture_count - 1);
    *texture = PMX_NONE;
}

static void fix_material(PmxMaterial *m, uint32_t index, const PmxModel *model, Diag *diag)
{
    PmxIo io = {.mode = PMX_REPAIR};
    pmx_sections[PMX_SECTION_MATERIALS].record(&io, m, index);
    warn_floats(io.repaired, "material", index, diag);
    diag_item(diag, "material", index);
    fix_texture(&m->texture, "texture", model, diag);
    fix_texture(&m->sphere_texture, "sphere texture", model, diag);
    if (m->sphere_mode > PMX_SPHERE_SUB_TEXTURE) /* 6.16; no warning, 255 is common */
        m->sphere_mode = PMX_SPHERE_OFF;
    if (!m->shared_toon) {
        fix_texture(&m->toon, "toon", model, diag);
    } else if (!pmx_index_in_range(m->toon, 10)) {
        diag_warn(diag, WARN_BAD_REFERENCE,
                  "shared toon %" PRId32 " out of range (0..9); none is used", m->toon);
        m->shared_toon = false;
        m->toon = PMX_NONE;
    }
    diag_item(diag, NULL, 0);
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
            const unsigned bad = repair_floats(rotation, 4);
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
    warn_floats(io.repaired, "morph", index, diag);
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
    warn_floats(io.repaired, "rigid body", index, diag);
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
    warn_floats(io.repaired, "joint", index, diag);
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
    warn_floats(io.repaired, "soft body", index, diag);
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
    fix_vertices(model, diag);
    fix_faces(model, diag);
    for (uint32_t i = 0; i < model->texture_count; i++)
        model->textures[i] = clean_path(model->textures[i], arena);
    for (uint32_t i = 0; i < model->material_count; i++)
        fix_material(&model->materials[i], i, model, diag);
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
