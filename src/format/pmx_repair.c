#include "format/pmx_repair.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rules named "quirk n" are those of the reference, section 6. */

static bool in_range(int32_t index, uint32_t count)
{
    return index >= 0 && (uint32_t)index < count;
}

/* NaN and infinity become 0 (quirk 18).  Returns how many there were. */
static unsigned fix_floats(float *values, size_t count)
{
    unsigned bad = 0;
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(values[i])) {
            values[i] = 0.0f;
            bad++;
        }
    }
    return bad;
}

static void tell_floats(unsigned bad, const char *item, uint32_t index, Diag *diag)
{
    if (!bad)
        return;
    diag_item(diag, item, index);
    diag_warn(diag, "%u values are not finite: set to 0", bad);
    diag_item(diag, NULL, 0);
}

static float length3(const float v[3])
{
    return (float)sqrt((double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] +
                       (double)v[2] * (double)v[2]);
}

static bool is_zero3(const float v[3])
{
    return v[0] == 0.0f && v[1] == 0.0f && v[2] == 0.0f;
}

/* ---- bones ---- */

/* A reference that may be none; told when it pointed outside. */
static void fix_bone_reference(int32_t *reference, const char *what, uint32_t bone, uint32_t count,
                               Diag *diag)
{
    if (*reference == PMX_NONE || in_range(*reference, count))
        return;
    diag_item(diag, "bone", bone);
    diag_warn(diag, "%s %" PRId32 " out of range (0..%" PRId64 "): taken as none", what, *reference,
              (int64_t)count - 1);
    diag_item(diag, NULL, 0);
    *reference = PMX_NONE;
}

/* The lowest bone of the cycle that `at` is on becomes a root (quirk 7). */
static void break_cycle(PmxBone *bones, int32_t at, Diag *diag)
{
    int32_t lowest = at;
    for (int32_t b = bones[at].parent; b != at; b = bones[b].parent)
        if (b < lowest)
            lowest = b;
    diag_item(diag, "bone", (uint64_t)lowest);
    diag_warn(diag, "is its own ancestor: taken as a root");
    diag_item(diag, NULL, 0);
    bones[lowest].parent = PMX_NONE;
}

void pmx_repair_parents(PmxModel *model, Arena *scratch, Diag *diag)
{
    const uint32_t count = model->bone_count;
    PmxBone *bones = model->bones;
    for (uint32_t i = 0; i < count; i++)
        fix_bone_reference(&bones[i].parent, "parent", i, count, diag);

    /* Each walk towards the root signs the bones it passes; meeting its own sign, it ran in a
     * circle. */
    uint32_t *signs = arena_array(scratch, uint32_t, count);
    for (uint32_t i = 0; i < count; i++) {
        int32_t b = (int32_t)i;
        while (b != PMX_NONE && !signs[b]) {
            signs[b] = i + 1;
            b = bones[b].parent;
        }
        if (b != PMX_NONE && signs[b] == i + 1)
            break_cycle(bones, b, diag);
    }
}

/* Limits in order, per axis (quirk 11). */
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

/* Keeps the links that name a bone other than the effector (quirks 8, 9). */
static unsigned fix_ik_links(PmxIk *ik, uint32_t bone_count, Diag *diag)
{
    unsigned bad = 0;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < ik->link_count; i++) {
        PmxIkLink link = ik->links[i];
        if (!in_range(link.bone, bone_count) || link.bone == ik->effector) {
            diag_warn(diag, "IK link to bone %" PRId32 " left out", link.bone);
            continue;
        }
        bad += fix_floats(link.lower, 3) + fix_floats(link.upper, 3);
        fix_ik_limits(&link);
        ik->links[kept++] = link;
    }
    ik->link_count = kept;
    return bad;
}

static unsigned fix_ik(PmxBone *bone, uint32_t bone_count, Diag *diag)
{
    enum { MOST_LOOPS = 256 }; /* quirk 10 */
    PmxIk *ik = &bone->ik;
    if (bone->flags & PMX_BONE_IK && !in_range(ik->effector, bone_count)) {
        diag_warn(diag, "IK effector %" PRId32 " out of range (0..%" PRId64 "): IK left out",
                  ik->effector, (int64_t)bone_count - 1);
        bone->flags &= (uint16_t)~PMX_BONE_IK;
    }
    if (!(bone->flags & PMX_BONE_IK)) {
        *ik = (PmxIk){.effector = PMX_NONE};
        return 0;
    }
    ik->loops = ik->loops < 0 ? 0 : ik->loops > MOST_LOOPS ? MOST_LOOPS : ik->loops;
    const unsigned bad = fix_floats(&ik->unit_angle, 1);
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
    unsigned bad = fix_floats(bone->position, 3) + fix_floats(bone->tail_offset, 3) +
                   fix_floats(&bone->append_ratio, 1) + fix_floats(bone->fixed_axis, 3) +
                   fix_floats(bone->local_x, 3) + fix_floats(bone->local_z, 3);
    fix_bone_reference(&bone->tail_bone, "tail", index, count, diag);
    fix_bone_reference(&bone->append_source, "append source", index, count, diag);
    fix_axis(bone);
    diag_item(diag, "bone", index);
    bad += fix_ik(bone, count, diag);
    tell_floats(bad, "bone", index, diag);
    diag_item(diag, NULL, 0);
}

/* Vertices must hang on something; files without any bone exist. */
static void add_missing_bone(PmxModel *model, Arena *arena, Diag *diag)
{
    if (model->bone_count || !model->vertex_count)
        return;
    diag_warn(diag, "no bones: one at the origin moves all vertices");
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

/* ---- vertices ---- */

/* Bones out of range and negative weights count nothing; true when there were such. */
static bool fix_slots(PmxVertex *v, uint32_t bone_count)
{
    bool changed = false;
    for (int k = 0; k < PMX_MAX_WEIGHTS; k++) {
        const bool known = in_range(v->bones[k], bone_count);
        if (v->weights[k] < 0.0f || (!known && v->weights[k] > 0.0f)) {
            v->weights[k] = 0.0f;
            changed = true;
        }
        if (!known)
            v->bones[k] = 0;
    }
    return changed;
}

/* Weights sum to 1; without any, all is on the first slot (quirk 14). */
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
 * SDEF whose centres are all 0, or not finite, is BDEF2.  Only 0: quirk 15 names every C = R0 = R1,
 * but there the formula still turns around C, and other programs draw it so.
 */
static unsigned fix_sdef(PmxVertex *v)
{
    const unsigned bad =
        fix_floats(v->sdef_c, 3) + fix_floats(v->sdef_r0, 3) + fix_floats(v->sdef_r1, 3);
    if (bad || (is_zero3(v->sdef_c) && is_zero3(v->sdef_r0) && is_zero3(v->sdef_r1)))
        v->deform = PMX_BDEF2;
    return bad;
}

/* Returns true when the vertex hung on bones that are not there. */
static bool fix_vertex(PmxVertex *v, uint32_t index, uint32_t bone_count, Diag *diag)
{
    unsigned bad = fix_floats(v->position, 3) + fix_floats(v->normal, 3) + fix_floats(v->uv, 2) +
                   fix_floats(&v->edge_scale, 1) + fix_floats(v->weights, PMX_MAX_WEIGHTS);
    if (v->deform == PMX_SDEF)
        bad += fix_sdef(v);
    tell_floats(bad, "vertex", index, diag);
    const bool changed = fix_slots(v, bone_count);
    const bool stored = v->deform == PMX_BDEF4 || v->deform == PMX_QDEF;
    if (changed || stored || bad)
        normalise_weights(v);
    return changed;
}

static void fix_vertices(PmxModel *model, Diag *diag)
{
    uint32_t loose = 0, flat = 0;
    for (uint32_t i = 0; i < model->vertex_count; i++) {
        PmxVertex *v = &model->vertices[i];
        loose += fix_vertex(v, i, model->bone_count, diag);
        if (is_zero3(v->normal)) { /* quirk 17 */
            v->normal[1] = 1.0f;
            flat++;
        }
    }
    if (loose)
        diag_warn(diag,
                  "%" PRIu32 " vertices hang on missing bones or negative weights: those left out",
                  loose);
    if (flat)
        diag_warn(diag, "%" PRIu32 " vertices have no normal: taken as +y", flat);
    for (uint32_t k = 0; k < model->extra_uv_count && model->vertex_count; k++)
        if (fix_floats(model->extra_uv[k][0], 4 * (size_t)model->vertex_count))
            diag_warn(diag, "extra UV %" PRIu32 " has values that are not finite: set to 0", k + 1);
}

/* ---- faces and materials ---- */

/* Each material takes the next part of the indices; what is announced too much is cut (quirk 5). */
static void fix_ranges(PmxModel *model, Diag *diag)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < model->material_count; i++) {
        PmxMaterial *m = &model->materials[i];
        if (m->index_count > model->index_count - at) {
            diag_item(diag, "material", i);
            diag_warn(diag, "%" PRIu32 " face indices announced, %" PRIu32 " left: cut",
                      m->index_count, model->index_count - at);
            diag_item(diag, NULL, 0);
            m->index_count = model->index_count - at;
        }
        m->first_index = at;
        at += m->index_count;
    }
    if (at < model->index_count)
        diag_warn(diag, "%" PRIu32 " face indices belong to no material: not drawn",
                  model->index_count - at);
}

static bool faces_are_right(const PmxModel *model)
{
    for (uint32_t i = 0; i < model->index_count; i++)
        if (model->indices[i] >= model->vertex_count)
            return false;
    for (uint32_t i = 0; i < model->material_count; i++)
        if (model->materials[i].index_count % 3)
            return false;
    return model->index_count % 3 == 0;
}

/* Moves the whole triangles of a range down to `to`; returns where the next one goes. */
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

/* Triangles that name no vertex go, and the ranges close up (quirk 4). */
static void fix_faces(PmxModel *model, Diag *diag)
{
    fix_ranges(model, diag);
    if (faces_are_right(model))
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
    diag_warn(diag,
              "%" PRIu32 " of %" PRIu32 " face indices are out of range (0..%" PRId64
              ") or no whole triangle: left out",
              model->index_count - to, model->index_count, (int64_t)model->vertex_count - 1);
    model->index_count = to;
}

/* Trailing spaces go; a name that is an extension only is none (quirk 40). */
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
    if (in_range(*texture, model->texture_count)) {
        if (!*model->textures[*texture])
            *texture = PMX_NONE;
        return;
    }
    if (*texture != PMX_NONE)
        diag_warn(diag, "%s %" PRId32 " out of range (0..%" PRId64 "): taken as none", what,
                  *texture, (int64_t)model->texture_count - 1);
    *texture = PMX_NONE;
}

static void fix_material(PmxMaterial *m, uint32_t index, const PmxModel *model, Diag *diag)
{
    const unsigned bad = fix_floats(m->diffuse, 4) + fix_floats(m->specular, 3) +
                         fix_floats(&m->specular_power, 1) + fix_floats(m->ambient, 3) +
                         fix_floats(m->edge_color, 4) + fix_floats(&m->edge_size, 1);
    tell_floats(bad, "material", index, diag);
    diag_item(diag, "material", index);
    fix_texture(&m->texture, "texture", model, diag);
    fix_texture(&m->sphere_texture, "sphere texture", model, diag);
    if (m->sphere_mode > PMX_SPHERE_SUB_TEXTURE) /* quirk 16: no warning, 255 is common */
        m->sphere_mode = PMX_SPHERE_OFF;
    if (!m->shared_toon) {
        fix_texture(&m->toon, "toon", model, diag);
    } else if (!in_range(m->toon, 10)) {
        diag_warn(diag, "shared toon %" PRId32 " out of range (0..9): taken as none", m->toon);
        m->shared_toon = false;
        m->toon = PMX_NONE;
    }
    diag_item(diag, NULL, 0);
}

/* ---- morphs: offsets on things that are not there go; the rest moves up ---- */

static unsigned fix_quaternion(float q[4])
{
    const unsigned bad = fix_floats(q, 4);
    double square = 0.0;
    for (int k = 0; k < 4; k++)
        square += (double)q[k] * (double)q[k];
    if (bad || square < 1e-12) {
        q[0] = q[1] = q[2] = 0.0f;
        q[3] = 1.0f;
    } else if (fabs(square - 1.0) > 1e-5) {
        for (int k = 0; k < 4; k++)
            q[k] = (float)((double)q[k] / sqrt(square));
    }
    return bad;
}

static uint32_t fix_group_offsets(PmxMorph *m, const PmxModel *model, unsigned *bad)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < m->count; i++) {
        PmxGroupOffset o = m->offsets.group[i];
        *bad += fix_floats(&o.ratio, 1);
        if (in_range(o.morph, model->morph_count))
            m->offsets.group[kept++] = o;
    }
    return kept;
}

static uint32_t fix_vertex_offsets(PmxMorph *m, const PmxModel *model, unsigned *bad)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < m->count; i++) {
        PmxVertexOffset o = m->offsets.vertex[i];
        *bad += fix_floats(o.offset, 3);
        if (o.vertex < model->vertex_count)
            m->offsets.vertex[kept++] = o;
    }
    return kept;
}

static uint32_t fix_bone_offsets(PmxMorph *m, const PmxModel *model, unsigned *bad)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < m->count; i++) {
        PmxBoneOffset o = m->offsets.bone[i];
        *bad += fix_floats(o.translation, 3) + fix_quaternion(o.rotation);
        if (in_range(o.bone, model->bone_count))
            m->offsets.bone[kept++] = o;
    }
    return kept;
}

static uint32_t fix_uv_offsets(PmxMorph *m, const PmxModel *model, unsigned *bad)
{
    uint32_t kept = 0;
    if ((uint32_t)(m->type - PMX_MORPH_UV) > model->extra_uv_count)
        return 0;
    for (uint32_t i = 0; i < m->count; i++) {
        PmxUvOffset o = m->offsets.uv[i];
        *bad += fix_floats(o.offset, 4);
        if (o.vertex < model->vertex_count)
            m->offsets.uv[kept++] = o;
    }
    return kept;
}

static uint32_t fix_material_offsets(PmxMorph *m, const PmxModel *model, unsigned *bad)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < m->count; i++) {
        PmxMaterialOffset o = m->offsets.material[i];
        *bad += fix_floats(o.diffuse, 4) + fix_floats(o.specular, 3) +
                fix_floats(&o.specular_power, 1) + fix_floats(o.ambient, 3) +
                fix_floats(o.edge_color, 4) + fix_floats(&o.edge_size, 1) +
                fix_floats(o.texture, 4) + fix_floats(o.sphere, 4) + fix_floats(o.toon, 4);
        if (o.material == PMX_NONE || in_range(o.material, model->material_count))
            m->offsets.material[kept++] = o;
    }
    return kept;
}

static uint32_t fix_impulse_offsets(PmxMorph *m, const PmxModel *model, unsigned *bad)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < m->count; i++) {
        PmxImpulseOffset o = m->offsets.impulse[i];
        *bad += fix_floats(o.velocity, 3) + fix_floats(o.torque, 3);
        if (in_range(o.body, model->body_count))
            m->offsets.impulse[kept++] = o;
    }
    return kept;
}

typedef uint32_t FixOffsets(PmxMorph *m, const PmxModel *model, unsigned *bad);

static FixOffsets *const fix_offsets[] = {
    [PMX_MORPH_GROUP] = fix_group_offsets,
    [PMX_MORPH_VERTEX] = fix_vertex_offsets,
    [PMX_MORPH_BONE] = fix_bone_offsets,
    [PMX_MORPH_UV] = fix_uv_offsets,
    [PMX_MORPH_UV1] = fix_uv_offsets,
    [PMX_MORPH_UV2] = fix_uv_offsets,
    [PMX_MORPH_UV3] = fix_uv_offsets,
    [PMX_MORPH_UV4] = fix_uv_offsets,
    [PMX_MORPH_MATERIAL] = fix_material_offsets,
    [PMX_MORPH_FLIP] = fix_group_offsets,
    [PMX_MORPH_IMPULSE] = fix_impulse_offsets,
};

static void fix_morph(PmxMorph *m, uint32_t index, const PmxModel *model, Diag *diag)
{
    enum { LAST_PANEL = 4 };
    unsigned bad = 0;
    const uint32_t kept = fix_offsets[m->type](m, model, &bad);
    tell_floats(bad, "morph", index, diag);
    if (m->panel > LAST_PANEL)
        m->panel = LAST_PANEL;
    if (kept == m->count)
        return;
    diag_item(diag, "morph", index);
    diag_warn(diag, "%" PRIu32 " of %" PRIu32 " offsets name what is not there: left out",
              m->count - kept, m->count);
    diag_item(diag, NULL, 0);
    m->count = kept;
}

static void fix_display_frame(PmxDisplayFrame *d, const PmxModel *model)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < d->item_count; i++) {
        const PmxDisplayItem item = d->items[i];
        if (in_range(item.index, item.is_morph ? model->morph_count : model->bone_count))
            d->items[kept++] = item;
    }
    d->item_count = kept;
}

/* ---- physics ---- */

static unsigned fix_body_floats(PmxBody *b)
{
    const unsigned bad = fix_floats(b->size, 3) + fix_floats(b->position, 3) +
                         fix_floats(b->rotation, 3) + fix_floats(&b->mass, 1) +
                         fix_floats(&b->linear_damping, 1) + fix_floats(&b->angular_damping, 1) +
                         fix_floats(&b->restitution, 1) + fix_floats(&b->friction, 1);
    for (int k = 0; k < 3; k++)
        b->size[k] = fabsf(b->size[k]); /* quirk 19 */
    return bad;
}

static void fix_body(PmxBody *b, uint32_t index, const PmxModel *model, Diag *diag)
{
    enum { GROUPS = 16 };
    tell_floats(fix_body_floats(b), "rigid body", index, diag);
    diag_item(diag, "rigid body", index);
    if (b->bone != PMX_NONE && !in_range(b->bone, model->bone_count)) {
        diag_warn(diag, "bone %" PRId32 " out of range (0..%" PRId64 "): taken as none", b->bone,
                  (int64_t)model->bone_count - 1);
        b->bone = PMX_NONE;
    }
    if (b->group >= GROUPS || b->shape > PMX_CAPSULE || b->mode > PMX_PHYSICS_WITH_BONE) {
        diag_warn(diag,
                  "group %u, shape %u or mode %u out of range (0..15, 0..2, 0..2): taken as 0",
                  (unsigned)b->group, (unsigned)b->shape, (unsigned)b->mode);
        b->group = b->group >= GROUPS ? 0 : b->group;
        b->shape = b->shape > PMX_CAPSULE ? PMX_SPHERE : b->shape;
        b->mode = b->mode > PMX_PHYSICS_WITH_BONE ? PMX_FOLLOW_BONE : b->mode;
    }
    if (b->mode != PMX_FOLLOW_BONE && !(b->mass > 0.0f)) { /* quirk 20 */
        diag_warn(diag, "moves freely but has mass %g: follows its bone", (double)b->mass);
        b->mode = PMX_FOLLOW_BONE;
    }
    diag_item(diag, NULL, 0);
}

static void fix_joint(PmxJoint *j, uint32_t index, const PmxModel *model, Diag *diag)
{
    const unsigned bad = fix_floats(j->position, 3) + fix_floats(j->rotation, 3) +
                         fix_floats(j->linear_lower, 3) + fix_floats(j->linear_upper, 3) +
                         fix_floats(j->angular_lower, 3) + fix_floats(j->angular_upper, 3) +
                         fix_floats(j->linear_spring, 3) + fix_floats(j->angular_spring, 3);
    tell_floats(bad, "joint", index, diag);
    if (j->type > PMX_JOINT_HINGE)
        j->type = PMX_JOINT_SPRING_6DOF;
    if (in_range(j->body_a, model->body_count) && in_range(j->body_b, model->body_count))
        return;
    diag_item(diag, "joint", index);
    diag_warn(diag, "rigid bodies %" PRId32 ", %" PRId32 " out of range (0..%" PRId64 "): left out",
              j->body_a, j->body_b, (int64_t)model->body_count - 1);
    diag_item(diag, NULL, 0);
    j->body_a = j->body_b = PMX_NONE; /* quirk 21 */
}

static void fix_soft_body(PmxSoftBody *s, uint32_t index, const PmxModel *model, Diag *diag)
{
    tell_floats(fix_floats(&s->mass, 1) + fix_floats(&s->margin, 1) + fix_floats(s->config, 12) +
                    fix_floats(s->cluster, 6) + fix_floats(s->stiffness, 3),
                "soft body", index, diag);
    if (!in_range(s->material, model->material_count))
        s->material = PMX_NONE;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->anchor_count; i++)
        if (in_range(s->anchors[i].body, model->body_count) &&
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

/* Quirk 12: nothing is changed; motions find the first bone, and all the morphs. */
static void tell_same_names(const char *const *names, uint32_t count, const char *items,
                            Arena *scratch, Diag *diag)
{
    uint32_t *first = arena_array(scratch, uint32_t, count), same = 0, example = 0;
    pmx_find_first_names(first, names, count, scratch);
    for (uint32_t i = 0; i < count; i++) {
        if (first[i] != i && *names[i]) {
            same++;
            example = i;
        }
    }
    if (same)
        diag_warn(diag, "%" PRIu32 " %s bear the name of an earlier one, e.g. '%s'", same, items,
                  names[example]);
}

static void tell_all_same_names(const PmxModel *model, Arena *scratch, Diag *diag)
{
    const char **bones = arena_array(scratch, const char *, model->bone_count);
    for (uint32_t i = 0; i < model->bone_count; i++)
        bones[i] = model->bones[i].name;
    tell_same_names(bones, model->bone_count, "bones", scratch, diag);
    const char **morphs = arena_array(scratch, const char *, model->morph_count);
    for (uint32_t i = 0; i < model->morph_count; i++)
        morphs[i] = model->morphs[i].name;
    tell_same_names(morphs, model->morph_count, "morphs", scratch, diag);
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
    tell_all_same_names(model, scratch, diag);
    arena_destroy(scratch);
}
