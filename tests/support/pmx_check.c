// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "asset_check.h"
#include "base/text.h"

static bool index_is_in(int32_t index, uint32_t count)
{
    return index >= 0 && (uint32_t)index < count;
}

static bool index_or_none(int32_t index, uint32_t count)
{
    return index == PMX_NONE || index_is_in(index, count);
}

static bool good_floats(const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!(fabsf(values[i]) <= PMX_MAX_VALUE))
            return false;
    return true;
}

static bool good_forces(const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!(fabsf(values[i]) <= PMX_MAX_FORCE))
            return false;
    return true;
}

static bool good_text(const char *text)
{
    return text && text_is_utf8(text, strlen(text));
}

static bool check_texts(const PmxModel *m)
{
    bool good = good_text(m->name) && good_text(m->name_en) && good_text(m->comment) &&
                good_text(m->comment_en);
    for (uint32_t i = 0; i < m->texture_count; i++)
        good = good && good_text(m->textures[i]);
    for (uint32_t i = 0; i < m->material_count; i++)
        good = good && good_text(m->materials[i].name) && good_text(m->materials[i].name_en) &&
               good_text(m->materials[i].memo);
    for (uint32_t i = 0; i < m->bone_count; i++)
        good = good && good_text(m->bones[i].name) && good_text(m->bones[i].name_en);
    for (uint32_t i = 0; i < m->morph_count; i++)
        good = good && good_text(m->morphs[i].name) && good_text(m->morphs[i].name_en);
    for (uint32_t i = 0; i < m->display_frame_count; i++)
        good =
            good && good_text(m->display_frames[i].name) && good_text(m->display_frames[i].name_en);
    for (uint32_t i = 0; i < m->body_count; i++)
        good = good && good_text(m->bodies[i].name) && good_text(m->bodies[i].name_en);
    for (uint32_t i = 0; i < m->joint_count; i++)
        good = good && good_text(m->joints[i].name) && good_text(m->joints[i].name_en);
    for (uint32_t i = 0; i < m->soft_body_count; i++)
        good = good && good_text(m->soft_bodies[i].name) && good_text(m->soft_bodies[i].name_en);
    return good;
}

static bool good_weights(const PmxVertex *v, uint32_t bone_count)
{
    double sum = 0.0;
    for (int k = 0; k < PMX_MAX_WEIGHTS; k++) {
        if (!index_is_in(v->bones[k], bone_count) || !good_floats(&v->weights[k], 1))
            return false;
        sum += (double)v->weights[k];
    }
    return fabs(sum - 1.0) < 1e-5;
}

static bool is_zero(const float v[3])
{
    return v[0] == 0.0f && v[1] == 0.0f && v[2] == 0.0f;
}

/* What is wrong with a vertex, or NULL. */
static const char *vertex_problem(const PmxVertex *v, uint32_t bone_count)
{
    if (v->deform > PMX_QDEF)
        return "deform type is out of range";
    if (!good_weights(v, bone_count))
        return "weights do not sum to 1, or a bone is out of range";
    if (is_zero(v->normal))
        return "normal is zero";
    return good_floats(v->position, 3) && good_floats(v->normal, 3) && good_floats(v->uv, 2) &&
                   good_floats(&v->edge_scale, 1) && good_floats(v->sdef_c, 3) &&
                   good_floats(v->sdef_r0, 3) && good_floats(v->sdef_r1, 3)
               ? NULL
               : "a value is not finite or too large";
}

static bool check_vertices(const PmxModel *m, Diag *diag)
{
    for (uint32_t i = 0; i < m->vertex_count; i++) {
        const char *problem = vertex_problem(&m->vertices[i], m->bone_count);
        if (problem) {
            diag_item(diag, "vertex", i);
            return diag_error(diag, "%s", problem);
        }
    }
    for (uint32_t i = 0; m->map_uv && i < m->vertex_count; i++)
        if (!good_floats(m->map_uv[i], 2 * PMX_MAPS))
            return false;
    for (uint32_t k = 0; k < m->extra_uv_count; k++)
        for (uint32_t i = 0; i < m->vertex_count; i++)
            if (!good_floats(m->extra_uv[k][i], 4))
                return diag_error(
                    diag, "extra UV %" PRIu32 " has values that are not finite or too large",
                    k + 1);
    return true;
}

static bool good_material(const PmxMaterial *m, const PmxModel *model)
{
    return m->first_index <= model->index_count && m->index_count % 3 == 0 &&
           m->first_index % 3 == 0 && m->index_count <= model->index_count - m->first_index &&
           index_or_none(m->texture, model->texture_count) &&
           index_or_none(m->sphere_texture, model->texture_count) &&
           (m->shared_toon ? index_is_in(m->toon, 10)
                           : index_or_none(m->toon, model->texture_count)) &&
           m->sphere_mode <= PMX_SPHERE_SUB_TEXTURE && good_floats(m->diffuse, 4) &&
           good_floats(m->specular, 3) && good_floats(&m->specular_power, 1) &&
           good_floats(m->ambient, 3) && good_floats(m->edge_color, 4) &&
           good_floats(&m->edge_size, 1);
}

static bool check_faces(const PmxModel *m, Diag *diag)
{
    if (m->index_count % 3)
        return diag_error(diag, "number of face indices %" PRIu32 " is not a multiple of 3",
                          m->index_count);
    for (uint32_t i = 0; i < m->index_count; i++)
        if (m->indices[i] >= m->vertex_count)
            return diag_error(
                diag, "face index %" PRIu32 " refers to vertex %" PRIu32 ", which is out of range",
                i, m->indices[i]);
    for (uint32_t i = 0; i < m->material_count; i++) {
        if (!good_material(&m->materials[i], m)) {
            diag_item(diag, "material", i);
            return diag_error(diag, "index range, texture or a value is invalid");
        }
    }
    return true;
}

static bool good_ik(const PmxIk *ik, uint32_t bone_count)
{
    if (!index_is_in(ik->effector, bone_count) || ik->loops < 0 || ik->loops > 256 ||
        !good_floats(&ik->unit_angle, 1))
        return false;
    for (uint32_t i = 0; i < ik->link_count; i++) {
        const PmxIkLink *l = &ik->links[i];
        if (!index_is_in(l->bone, bone_count) || l->bone == ik->effector)
            return false;
        for (int k = 0; k < 3; k++)
            if (!good_floats(&l->lower[k], 1) || !good_floats(&l->upper[k], 1) ||
                l->lower[k] > l->upper[k])
                return false;
    }
    return true;
}

static bool good_axis(const float a[3])
{
    const double square =
        (double)a[0] * (double)a[0] + (double)a[1] * (double)a[1] + (double)a[2] * (double)a[2];
    return square == 0.0 || fabs(square - 1.0) < 1e-4;
}

/* Follows at most bone_count parents; stops at a bone that is known to reach a root. */
static bool reaches_root(const PmxModel *m, uint32_t bone, bool *known)
{
    uint32_t steps = 0;
    for (int32_t at = (int32_t)bone; at != PMX_NONE && !known[at]; at = m->bones[at].parent)
        if (steps++ == m->bone_count)
            return false;
    for (int32_t at = (int32_t)bone; at != PMX_NONE && !known[at]; at = m->bones[at].parent)
        known[at] = true;
    return true;
}

static bool good_bone(const PmxBone *b, uint32_t count)
{
    return index_or_none(b->parent, count) && index_or_none(b->tail_bone, count) &&
           index_or_none(b->append_source, count) && good_floats(b->position, 3) &&
           good_floats(b->tail_offset, 3) && good_floats(&b->append_ratio, 1) &&
           good_axis(b->fixed_axis) && good_floats(b->local_x, 3) && good_floats(b->local_z, 3) &&
           (b->flags & PMX_BONE_IK ? good_ik(&b->ik, count) : b->ik.link_count == 0);
}

static bool check_bones(const PmxModel *m, Diag *diag)
{
    for (uint32_t i = 0; i < m->bone_count; i++) {
        if (!good_bone(&m->bones[i], m->bone_count)) {
            diag_item(diag, "bone", i);
            return diag_error(diag, "an index, the IK or a value is invalid");
        }
    }
    Arena *scratch = arena_create();
    bool *known = arena_array(scratch, bool, m->bone_count);
    bool good = true;
    for (uint32_t i = 0; i < m->bone_count && good; i++) {
        diag_item(diag, "bone", i);
        good = reaches_root(m, i, known) || diag_error(diag, "is its own ancestor");
    }
    diag_item(diag, NULL, 0);
    arena_destroy(scratch);
    return good;
}

static bool good_material_offset(const PmxMaterialOffset *o, uint32_t material_count)
{
    return index_or_none(o->material, material_count) && good_floats(o->diffuse, 4) &&
           good_floats(o->specular, 3) && good_floats(&o->specular_power, 1) &&
           good_floats(o->ambient, 3) && good_floats(o->edge_color, 4) &&
           good_floats(&o->edge_size, 1) && good_floats(o->texture, 4) &&
           good_floats(o->sphere, 4) && good_floats(o->toon, 4);
}

static bool good_offset(const PmxMorph *morph, uint32_t i, const PmxModel *m)
{
    switch (morph->type) {
    case PMX_MORPH_GROUP:
    case PMX_MORPH_FLIP:
        return index_is_in(morph->offsets.group[i].morph, m->morph_count) &&
               good_floats(&morph->offsets.group[i].ratio, 1);
    case PMX_MORPH_VERTEX:
        return morph->offsets.vertex[i].vertex < m->vertex_count &&
               good_floats(morph->offsets.vertex[i].offset, 3);
    case PMX_MORPH_BONE:
        return index_is_in(morph->offsets.bone[i].bone, m->bone_count) &&
               good_floats(morph->offsets.bone[i].translation, 3) &&
               good_floats(morph->offsets.bone[i].rotation, 4);
    case PMX_MORPH_MATERIAL:
        return good_material_offset(&morph->offsets.material[i], m->material_count);
    case PMX_MORPH_IMPULSE:
        return index_is_in(morph->offsets.impulse[i].body, m->body_count) &&
               good_forces(morph->offsets.impulse[i].velocity, 3) &&
               good_forces(morph->offsets.impulse[i].torque, 3);
    default:
        return (uint32_t)(morph->type - PMX_MORPH_UV) <= m->extra_uv_count &&
               morph->offsets.uv[i].vertex < m->vertex_count &&
               good_floats(morph->offsets.uv[i].offset, 4);
    }
}

static bool check_morphs(const PmxModel *m, Diag *diag)
{
    for (uint32_t i = 0; i < m->morph_count; i++) {
        diag_item(diag, "morph", i);
        if (m->morphs[i].type > PMX_MORPH_IMPULSE || m->morphs[i].panel > 4)
            return diag_error(diag, "type or panel out of range");
        for (uint32_t k = 0; k < m->morphs[i].count; k++)
            if (!good_offset(&m->morphs[i], k, m))
                return diag_error(diag, "offset %" PRIu32 " is invalid", k);
    }
    for (uint32_t i = 0; i < m->display_frame_count; i++) {
        const PmxDisplayFrame *d = &m->display_frames[i];
        diag_item(diag, "display frame", i);
        for (uint32_t k = 0; k < d->item_count; k++)
            if (!index_is_in(d->items[k].index,
                             d->items[k].is_morph ? m->morph_count : m->bone_count))
                return diag_error(diag, "item %" PRIu32 " out of range", k);
    }
    diag_item(diag, NULL, 0);
    return true;
}

static bool good_body(const PmxBody *b, uint32_t bone_count)
{
    return index_or_none(b->bone, bone_count) && b->group < 16 && b->shape <= PMX_CAPSULE &&
           b->mode <= PMX_PHYSICS_WITH_BONE && good_floats(b->size, 3) && b->size[0] >= 0.0f &&
           b->size[1] >= 0.0f && b->size[2] >= 0.0f && good_floats(b->position, 3) &&
           good_floats(b->rotation, 3) && good_forces(&b->mass, 1) &&
           (b->mode == PMX_FOLLOW_BONE || b->mass > 0.0f) && good_floats(&b->linear_damping, 1) &&
           good_floats(&b->angular_damping, 1) && good_floats(&b->restitution, 1) &&
           good_floats(&b->friction, 1);
}

static bool good_joint(const PmxJoint *j, uint32_t body_count)
{
    const bool whole = index_is_in(j->body_a, body_count) && index_is_in(j->body_b, body_count);
    const bool broken = j->body_a == PMX_NONE && j->body_b == PMX_NONE;
    return (whole || broken) && j->type <= PMX_JOINT_HINGE && good_floats(j->position, 3) &&
           good_floats(j->rotation, 3) && good_floats(j->linear_lower, 3) &&
           good_floats(j->linear_upper, 3) && good_floats(j->angular_lower, 3) &&
           good_floats(j->angular_upper, 3) && good_forces(j->linear_spring, 3) &&
           good_forces(j->angular_spring, 3);
}

static bool good_soft_body(const PmxSoftBody *s, const PmxModel *m)
{
    for (uint32_t i = 0; i < s->anchor_count; i++)
        if (!index_is_in(s->anchors[i].body, m->body_count) ||
            s->anchors[i].vertex >= m->vertex_count)
            return false;
    for (uint32_t i = 0; i < s->pin_count; i++)
        if (s->pins[i] >= m->vertex_count)
            return false;
    return index_or_none(s->material, m->material_count) && good_forces(&s->mass, 1) &&
           good_floats(&s->margin, 1) && good_floats(s->config, 12) && good_floats(s->cluster, 6) &&
           good_floats(s->stiffness, 3);
}

static bool check_dynamics(const PmxModel *m, Diag *diag)
{
    for (uint32_t i = 0; i < m->body_count; i++) {
        diag_item(diag, "rigid body", i);
        if (!good_body(&m->bodies[i], m->bone_count))
            return diag_error(diag, "bone, mode, shape or a value is invalid");
    }
    for (uint32_t i = 0; i < m->joint_count; i++) {
        diag_item(diag, "joint", i);
        if (!good_joint(&m->joints[i], m->body_count))
            return diag_error(diag, "a rigid body, the type or a value is invalid");
    }
    for (uint32_t i = 0; i < m->soft_body_count; i++) {
        diag_item(diag, "soft body", i);
        if (!good_soft_body(&m->soft_bodies[i], m))
            return diag_error(diag, "an anchor, a pin or a value is invalid");
    }
    diag_item(diag, NULL, 0);
    return true;
}

bool pmx_check(const PmxModel *model, Diag *diag)
{
    diag_item(diag, NULL, 0);
    if (!check_texts(model))
        return diag_error(diag, "a text is not UTF-8");
    return check_vertices(model, diag) && check_faces(model, diag) && check_bones(model, diag) &&
           check_morphs(model, diag) && check_dynamics(model, diag);
}
