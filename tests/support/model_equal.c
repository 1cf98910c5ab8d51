// SPDX-License-Identifier: MIT
#include "model_equal.h"

#include <inttypes.h>
#include <string.h>

#define SAME_FLOATS(a, b, field) \
    same_floats((a)->field, (b)->field, sizeof(a)->field / sizeof(float))

static bool same_floats(const float *a, const float *b, size_t count)
{
    return !memcmp(a, b, count * sizeof *a);
}

static bool same_text(const char *a, const char *b)
{
    return !strcmp(a, b);
}

static bool same_vertex(const PmxVertex *a, const PmxVertex *b)
{
    return SAME_FLOATS(a, b, position) && SAME_FLOATS(a, b, normal) && SAME_FLOATS(a, b, uv) &&
           a->edge_scale == b->edge_scale && a->deform == b->deform &&
           !memcmp(a->bones, b->bones, sizeof a->bones) && SAME_FLOATS(a, b, weights) &&
           SAME_FLOATS(a, b, sdef_c) && SAME_FLOATS(a, b, sdef_r0) && SAME_FLOATS(a, b, sdef_r1);
}

static bool same_material(const PmxMaterial *a, const PmxMaterial *b)
{
    return same_text(a->name, b->name) && same_text(a->name_en, b->name_en) &&
           same_text(a->memo, b->memo) && SAME_FLOATS(a, b, diffuse) &&
           SAME_FLOATS(a, b, specular) && a->specular_power == b->specular_power &&
           SAME_FLOATS(a, b, ambient) && a->flags == b->flags && SAME_FLOATS(a, b, edge_color) &&
           a->edge_size == b->edge_size && a->texture == b->texture &&
           a->sphere_texture == b->sphere_texture && a->sphere_mode == b->sphere_mode &&
           a->shared_toon == b->shared_toon && a->toon == b->toon &&
           a->first_index == b->first_index && a->index_count == b->index_count;
}

static bool same_ik(const PmxIk *a, const PmxIk *b)
{
    if (a->effector != b->effector || a->loops != b->loops || a->unit_angle != b->unit_angle ||
        a->link_count != b->link_count)
        return false;
    for (uint32_t i = 0; i < a->link_count; i++)
        if (a->links[i].bone != b->links[i].bone || a->links[i].limited != b->links[i].limited ||
            !SAME_FLOATS(&a->links[i], &b->links[i], lower) ||
            !SAME_FLOATS(&a->links[i], &b->links[i], upper))
            return false;
    return true;
}

static bool same_bone(const PmxBone *a, const PmxBone *b)
{
    return same_text(a->name, b->name) && same_text(a->name_en, b->name_en) &&
           SAME_FLOATS(a, b, position) && a->parent == b->parent && a->layer == b->layer &&
           a->flags == b->flags && a->tail_bone == b->tail_bone && SAME_FLOATS(a, b, tail_offset) &&
           a->append_source == b->append_source && a->append_ratio == b->append_ratio &&
           SAME_FLOATS(a, b, fixed_axis) && SAME_FLOATS(a, b, local_x) &&
           SAME_FLOATS(a, b, local_z) && a->external_key == b->external_key &&
           (!(a->flags & PMX_BONE_IK) || same_ik(&a->ik, &b->ik));
}

static bool same_material_offset(const PmxMaterialOffset *a, const PmxMaterialOffset *b)
{
    return a->material == b->material && a->add == b->add && SAME_FLOATS(a, b, diffuse) &&
           SAME_FLOATS(a, b, specular) && a->specular_power == b->specular_power &&
           SAME_FLOATS(a, b, ambient) && SAME_FLOATS(a, b, edge_color) &&
           a->edge_size == b->edge_size && SAME_FLOATS(a, b, texture) &&
           SAME_FLOATS(a, b, sphere) && SAME_FLOATS(a, b, toon);
}

static bool same_offset(const PmxMorph *a, const PmxMorph *b, uint32_t i)
{
    switch (a->type) {
    case PMX_MORPH_GROUP:
    case PMX_MORPH_FLIP:
        return !memcmp(&a->offsets.group[i], &b->offsets.group[i], sizeof(PmxGroupOffset));
    case PMX_MORPH_VERTEX:
        return !memcmp(&a->offsets.vertex[i], &b->offsets.vertex[i], sizeof(PmxVertexOffset));
    case PMX_MORPH_BONE:
        return !memcmp(&a->offsets.bone[i], &b->offsets.bone[i], sizeof(PmxBoneOffset));
    case PMX_MORPH_MATERIAL:
        return same_material_offset(&a->offsets.material[i], &b->offsets.material[i]);
    case PMX_MORPH_IMPULSE:
        return a->offsets.impulse[i].body == b->offsets.impulse[i].body &&
               a->offsets.impulse[i].local == b->offsets.impulse[i].local &&
               SAME_FLOATS(&a->offsets.impulse[i], &b->offsets.impulse[i], velocity) &&
               SAME_FLOATS(&a->offsets.impulse[i], &b->offsets.impulse[i], torque);
    default:
        return !memcmp(&a->offsets.uv[i], &b->offsets.uv[i], sizeof(PmxUvOffset));
    }
}

static bool same_morph(const PmxMorph *a, const PmxMorph *b)
{
    if (!same_text(a->name, b->name) || !same_text(a->name_en, b->name_en) ||
        a->panel != b->panel || a->type != b->type || a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (!same_offset(a, b, i))
            return false;
    return true;
}

static bool same_display_frame(const PmxDisplayFrame *a, const PmxDisplayFrame *b)
{
    if (!same_text(a->name, b->name) || !same_text(a->name_en, b->name_en) ||
        a->special != b->special || a->item_count != b->item_count)
        return false;
    for (uint32_t i = 0; i < a->item_count; i++)
        if (a->items[i].is_morph != b->items[i].is_morph || a->items[i].index != b->items[i].index)
            return false;
    return true;
}

static bool same_body(const PmxBody *a, const PmxBody *b)
{
    return same_text(a->name, b->name) && same_text(a->name_en, b->name_en) && a->bone == b->bone &&
           a->group == b->group && a->mask == b->mask && a->shape == b->shape &&
           SAME_FLOATS(a, b, size) && SAME_FLOATS(a, b, position) && SAME_FLOATS(a, b, rotation) &&
           a->mass == b->mass && a->linear_damping == b->linear_damping &&
           a->angular_damping == b->angular_damping && a->restitution == b->restitution &&
           a->friction == b->friction && a->mode == b->mode;
}

static bool same_joint(const PmxJoint *a, const PmxJoint *b)
{
    return same_text(a->name, b->name) && same_text(a->name_en, b->name_en) && a->type == b->type &&
           a->body_a == b->body_a && a->body_b == b->body_b && SAME_FLOATS(a, b, position) &&
           SAME_FLOATS(a, b, rotation) && SAME_FLOATS(a, b, linear_lower) &&
           SAME_FLOATS(a, b, linear_upper) && SAME_FLOATS(a, b, angular_lower) &&
           SAME_FLOATS(a, b, angular_upper) && SAME_FLOATS(a, b, linear_spring) &&
           SAME_FLOATS(a, b, angular_spring);
}

static bool same_soft_body(const PmxSoftBody *a, const PmxSoftBody *b)
{
    if (a->anchor_count != b->anchor_count || a->pin_count != b->pin_count)
        return false;
    for (uint32_t i = 0; i < a->anchor_count; i++)
        if (a->anchors[i].body != b->anchors[i].body ||
            a->anchors[i].vertex != b->anchors[i].vertex ||
            a->anchors[i].near_mode != b->anchors[i].near_mode)
            return false;
    for (uint32_t i = 0; i < a->pin_count; i++)
        if (a->pins[i] != b->pins[i])
            return false;
    return same_text(a->name, b->name) && same_text(a->name_en, b->name_en) &&
           a->shape == b->shape && a->material == b->material && a->group == b->group &&
           a->mask == b->mask && a->flags == b->flags && a->b_link_distance == b->b_link_distance &&
           a->cluster_count == b->cluster_count && a->mass == b->mass && a->margin == b->margin &&
           a->aero_model == b->aero_model && SAME_FLOATS(a, b, config) &&
           SAME_FLOATS(a, b, cluster) &&
           !memcmp(a->iterations, b->iterations, sizeof a->iterations) &&
           SAME_FLOATS(a, b, stiffness);
}

static const char *geometry_difference(const PmxModel *a, const PmxModel *b, Arena *arena)
{
    if (a->vertex_count != b->vertex_count || a->index_count != b->index_count ||
        a->texture_count != b->texture_count || a->material_count != b->material_count ||
        a->extra_uv_count != b->extra_uv_count)
        return "a count of vertices, extra UVs, indices, textures or materials";
    for (uint32_t i = 0; i < a->vertex_count; i++)
        if (!same_vertex(&a->vertices[i], &b->vertices[i]))
            return arena_printf(arena, "vertex %" PRIu32, i);
    for (uint32_t k = 0; k < a->extra_uv_count; k++)
        if (!same_floats(a->extra_uv[k][0], b->extra_uv[k][0], 4 * (size_t)a->vertex_count))
            return arena_printf(arena, "extra UV %" PRIu32, k);
    for (uint32_t i = 0; i < a->index_count; i++)
        if (a->indices[i] != b->indices[i])
            return arena_printf(arena, "face index %" PRIu32, i);
    for (uint32_t i = 0; i < a->texture_count; i++)
        if (!same_text(a->textures[i], b->textures[i]))
            return arena_printf(arena, "texture %" PRIu32, i);
    for (uint32_t i = 0; i < a->material_count; i++)
        if (!same_material(&a->materials[i], &b->materials[i]))
            return arena_printf(arena, "material %" PRIu32, i);
    return NULL;
}

static const char *rig_difference(const PmxModel *a, const PmxModel *b, Arena *arena)
{
    if (a->bone_count != b->bone_count || a->morph_count != b->morph_count ||
        a->display_frame_count != b->display_frame_count)
        return "a count of bones, morphs or display frames";
    for (uint32_t i = 0; i < a->bone_count; i++)
        if (!same_bone(&a->bones[i], &b->bones[i]))
            return arena_printf(arena, "bone %" PRIu32, i);
    for (uint32_t i = 0; i < a->morph_count; i++)
        if (!same_morph(&a->morphs[i], &b->morphs[i]))
            return arena_printf(arena, "morph %" PRIu32, i);
    for (uint32_t i = 0; i < a->display_frame_count; i++)
        if (!same_display_frame(&a->display_frames[i], &b->display_frames[i]))
            return arena_printf(arena, "display frame %" PRIu32, i);
    return NULL;
}

static const char *dynamics_difference(const PmxModel *a, const PmxModel *b, Arena *arena)
{
    if (a->body_count != b->body_count || a->joint_count != b->joint_count ||
        a->soft_body_count != b->soft_body_count)
        return "a count of rigid bodies, joints or soft bodies";
    for (uint32_t i = 0; i < a->body_count; i++)
        if (!same_body(&a->bodies[i], &b->bodies[i]))
            return arena_printf(arena, "rigid body %" PRIu32, i);
    for (uint32_t i = 0; i < a->joint_count; i++)
        if (!same_joint(&a->joints[i], &b->joints[i]))
            return arena_printf(arena, "joint %" PRIu32, i);
    for (uint32_t i = 0; i < a->soft_body_count; i++)
        if (!same_soft_body(&a->soft_bodies[i], &b->soft_bodies[i]))
            return arena_printf(arena, "soft body %" PRIu32, i);
    return NULL;
}

const char *model_difference(const PmxModel *a, const PmxModel *b, Arena *arena)
{
    if (!same_text(a->name, b->name) || !same_text(a->name_en, b->name_en) ||
        !same_text(a->comment, b->comment) || !same_text(a->comment_en, b->comment_en))
        return "name or comment";
    const char *difference = geometry_difference(a, b, arena);
    if (!difference)
        difference = rig_difference(a, b, arena);
    return difference ? difference : dynamics_difference(a, b, arena);
}
