#include "format/model/pmx_write.h"

#include <assert.h>
#include <string.h>

/* Layouts stand beside the readers, in pmx_geometry.c, pmx_rig.c and pmx_dynamics.c. */

typedef struct Out {
    struct {
        uint8_t *items;
        size_t count, room;
    } bytes;
    Arena *arena;
    bool utf8;
    uint8_t vertex_size, texture_size, material_size, bone_size, morph_size, body_size;
} Out;

/* ---- values ---- */

static void put_u8(Out *o, unsigned value)
{
    *arena_push(o->arena, &o->bytes) = (uint8_t)value;
}

static void put_u16(Out *o, unsigned value)
{
    put_u8(o, value & 0xFF);
    put_u8(o, value >> 8 & 0xFF);
}

static void put_u32(Out *o, uint32_t value)
{
    put_u16(o, value & 0xFFFF);
    put_u16(o, value >> 16);
}

static void put_i32(Out *o, int32_t value)
{
    put_u32(o, (uint32_t)value);
}

static void put_f32(Out *o, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_u32(o, bits);
}

static void put_floats(Out *o, const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        put_f32(o, values[i]);
}

static void put_index(Out *o, uint8_t size, uint32_t index)
{
    if (size == 1)
        put_u8(o, index & 0xFF);
    else if (size == 2)
        put_u16(o, index & 0xFFFF);
    else
        put_u32(o, index);
}

static void put_signed(Out *o, uint8_t size, int32_t index)
{
    put_index(o, size, (uint32_t)index);
}

/* The next code point of valid UTF-8; *at moves behind it. */
static uint32_t next_code(const unsigned char **at)
{
    const unsigned char first = *(*at)++;
    int more = first < 0x80 ? 0 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
    uint32_t code = more == 0 ? first : first & (0x3Fu >> more);
    while (more--)
        code = code << 6 | (*(*at)++ & 0x3Fu);
    return code;
}

static void put_utf16(Out *o, const char *text)
{
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        const uint32_t code = next_code(&at);
        if (code >= 0x10000) {
            put_u16(o, 0xD800 + (code - 0x10000) / 0x400);
            put_u16(o, 0xDC00 + (code - 0x10000) % 0x400);
        } else {
            put_u16(o, code);
        }
    }
}

static void put_utf8(Out *o, const char *text)
{
    while (*text)
        put_u8(o, (unsigned char)*text++);
}

/* The size in front is known when the text is written. */
static void put_text(Out *o, const char *text)
{
    const size_t size_at = o->bytes.count;
    put_u32(o, 0);
    (o->utf8 ? put_utf8 : put_utf16)(o, text);
    const size_t end = o->bytes.count, size = end - size_at - 4;
    o->bytes.count = size_at;
    put_u32(o, (uint32_t)size);
    o->bytes.count = end;
}

/* ---- geometry ---- */

static void put_vertex(Out *o, const PmxModel *m, uint32_t index)
{
    static const int bones_of_deform[] = {1, 2, 4, 2, 4};
    static const int weights_of_deform[] = {0, 1, 4, 1, 4};
    const PmxVertex *v = &m->vertices[index];
    put_floats(o, v->position, 3);
    put_floats(o, v->normal, 3);
    put_floats(o, v->uv, 2);
    for (uint32_t k = 0; k < m->extra_uv_count; k++)
        put_floats(o, m->extra_uv[k][index], 4);
    put_u8(o, v->deform);
    for (int k = 0; k < bones_of_deform[v->deform]; k++)
        put_signed(o, o->bone_size, v->bones[k]);
    put_floats(o, v->weights, (size_t)weights_of_deform[v->deform]);
    if (v->deform == PMX_SDEF) {
        put_floats(o, v->sdef_c, 3);
        put_floats(o, v->sdef_r0, 3);
        put_floats(o, v->sdef_r1, 3);
    }
    put_f32(o, v->edge_scale);
}

static void put_material(Out *o, const PmxMaterial *m)
{
    put_text(o, m->name);
    put_text(o, m->name_en);
    put_floats(o, m->diffuse, 4);
    put_floats(o, m->specular, 3);
    put_f32(o, m->specular_power);
    put_floats(o, m->ambient, 3);
    put_u8(o, m->flags);
    put_floats(o, m->edge_color, 4);
    put_f32(o, m->edge_size);
    put_signed(o, o->texture_size, m->texture);
    put_signed(o, o->texture_size, m->sphere_texture);
    put_u8(o, m->sphere_mode);
    put_u8(o, m->shared_toon);
    put_signed(o, m->shared_toon ? 1 : o->texture_size, m->toon);
    put_text(o, m->memo);
    put_u32(o, m->index_count);
}

static void put_geometry(Out *o, const PmxModel *m)
{
    put_u32(o, m->vertex_count);
    for (uint32_t i = 0; i < m->vertex_count; i++)
        put_vertex(o, m, i);
    put_u32(o, m->index_count);
    for (uint32_t i = 0; i < m->index_count; i++)
        put_index(o, o->vertex_size, m->indices[i]);
    put_u32(o, m->texture_count);
    for (uint32_t i = 0; i < m->texture_count; i++)
        put_text(o, m->textures[i]);
    put_u32(o, m->material_count);
    for (uint32_t i = 0; i < m->material_count; i++)
        put_material(o, &m->materials[i]);
}

/* ---- bones ---- */

static void put_ik(Out *o, const PmxIk *ik)
{
    put_signed(o, o->bone_size, ik->effector);
    put_i32(o, ik->loops);
    put_f32(o, ik->unit_angle);
    put_u32(o, ik->link_count);
    for (uint32_t i = 0; i < ik->link_count; i++) {
        const PmxIkLink *link = &ik->links[i];
        put_signed(o, o->bone_size, link->bone);
        put_u8(o, link->limited);
        if (link->limited) {
            put_floats(o, link->lower, 3);
            put_floats(o, link->upper, 3);
        }
    }
}

static void put_bone(Out *o, const PmxBone *b)
{
    put_text(o, b->name);
    put_text(o, b->name_en);
    put_floats(o, b->position, 3);
    put_signed(o, o->bone_size, b->parent);
    put_i32(o, b->layer);
    put_u16(o, b->flags);
    if (b->flags & PMX_BONE_TAIL_IS_BONE)
        put_signed(o, o->bone_size, b->tail_bone);
    else
        put_floats(o, b->tail_offset, 3);
    if (b->flags & (PMX_BONE_APPEND_ROTATION | PMX_BONE_APPEND_TRANSLATION)) {
        put_signed(o, o->bone_size, b->append_source);
        put_f32(o, b->append_ratio);
    }
    if (b->flags & PMX_BONE_FIXED_AXIS)
        put_floats(o, b->fixed_axis, 3);
    if (b->flags & PMX_BONE_LOCAL_AXES) {
        put_floats(o, b->local_x, 3);
        put_floats(o, b->local_z, 3);
    }
    if (b->flags & PMX_BONE_EXTERNAL_PARENT)
        put_i32(o, b->external_key);
    if (b->flags & PMX_BONE_IK)
        put_ik(o, &b->ik);
}

/* ---- morphs and display frames ---- */

static void put_material_offset(Out *o, const PmxMaterialOffset *m)
{
    put_signed(o, o->material_size, m->material);
    put_u8(o, m->add);
    put_floats(o, m->diffuse, 4);
    put_floats(o, m->specular, 3);
    put_f32(o, m->specular_power);
    put_floats(o, m->ambient, 3);
    put_floats(o, m->edge_color, 4);
    put_f32(o, m->edge_size);
    put_floats(o, m->texture, 4);
    put_floats(o, m->sphere, 4);
    put_floats(o, m->toon, 4);
}

static void put_offset(Out *o, const PmxMorph *m, uint32_t i)
{
    switch (m->type) {
    case PMX_MORPH_GROUP:
    case PMX_MORPH_FLIP:
        put_signed(o, o->morph_size, m->offsets.group[i].morph);
        put_f32(o, m->offsets.group[i].ratio);
        break;
    case PMX_MORPH_VERTEX:
        put_index(o, o->vertex_size, m->offsets.vertex[i].vertex);
        put_floats(o, m->offsets.vertex[i].offset, 3);
        break;
    case PMX_MORPH_BONE:
        put_signed(o, o->bone_size, m->offsets.bone[i].bone);
        put_floats(o, m->offsets.bone[i].translation, 3);
        put_floats(o, m->offsets.bone[i].rotation, 4);
        break;
    case PMX_MORPH_MATERIAL:
        put_material_offset(o, &m->offsets.material[i]);
        break;
    case PMX_MORPH_IMPULSE:
        put_signed(o, o->body_size, m->offsets.impulse[i].body);
        put_u8(o, m->offsets.impulse[i].local);
        put_floats(o, m->offsets.impulse[i].velocity, 3);
        put_floats(o, m->offsets.impulse[i].torque, 3);
        break;
    default:
        put_index(o, o->vertex_size, m->offsets.uv[i].vertex);
        put_floats(o, m->offsets.uv[i].offset, 4);
    }
}

static void put_morph(Out *o, const PmxMorph *m)
{
    put_text(o, m->name);
    put_text(o, m->name_en);
    put_u8(o, m->panel);
    put_u8(o, m->type);
    put_u32(o, m->count);
    for (uint32_t i = 0; i < m->count; i++)
        put_offset(o, m, i);
}

static void put_display_frame(Out *o, const PmxDisplayFrame *d)
{
    put_text(o, d->name);
    put_text(o, d->name_en);
    put_u8(o, d->special);
    put_u32(o, d->item_count);
    for (uint32_t i = 0; i < d->item_count; i++) {
        put_u8(o, d->items[i].is_morph);
        put_signed(o, d->items[i].is_morph ? o->morph_size : o->bone_size, d->items[i].index);
    }
}

static void put_rig(Out *o, const PmxModel *m)
{
    put_u32(o, m->bone_count);
    for (uint32_t i = 0; i < m->bone_count; i++)
        put_bone(o, &m->bones[i]);
    put_u32(o, m->morph_count);
    for (uint32_t i = 0; i < m->morph_count; i++)
        put_morph(o, &m->morphs[i]);
    put_u32(o, m->display_frame_count);
    for (uint32_t i = 0; i < m->display_frame_count; i++)
        put_display_frame(o, &m->display_frames[i]);
}

/* ---- physics ---- */

static void put_body(Out *o, const PmxBody *b)
{
    put_text(o, b->name);
    put_text(o, b->name_en);
    put_signed(o, o->bone_size, b->bone);
    put_u8(o, b->group);
    put_u16(o, b->mask);
    put_u8(o, b->shape);
    put_floats(o, b->size, 3);
    put_floats(o, b->position, 3);
    put_floats(o, b->rotation, 3);
    put_f32(o, b->mass);
    put_f32(o, b->linear_damping);
    put_f32(o, b->angular_damping);
    put_f32(o, b->restitution);
    put_f32(o, b->friction);
    put_u8(o, b->mode);
}

static void put_joint(Out *o, const PmxJoint *j)
{
    put_text(o, j->name);
    put_text(o, j->name_en);
    put_u8(o, j->type);
    put_signed(o, o->body_size, j->body_a);
    put_signed(o, o->body_size, j->body_b);
    put_floats(o, j->position, 3);
    put_floats(o, j->rotation, 3);
    put_floats(o, j->linear_lower, 3);
    put_floats(o, j->linear_upper, 3);
    put_floats(o, j->angular_lower, 3);
    put_floats(o, j->angular_upper, 3);
    put_floats(o, j->linear_spring, 3);
    put_floats(o, j->angular_spring, 3);
}

static void put_soft_body(Out *o, const PmxSoftBody *s)
{
    put_text(o, s->name);
    put_text(o, s->name_en);
    put_u8(o, s->shape);
    put_signed(o, o->material_size, s->material);
    put_u8(o, s->group);
    put_u16(o, s->mask);
    put_u8(o, s->flags);
    put_i32(o, s->b_link_distance);
    put_i32(o, s->cluster_count);
    put_f32(o, s->mass);
    put_f32(o, s->margin);
    put_i32(o, s->aero_model);
    put_floats(o, s->config, 12);
    put_floats(o, s->cluster, 6);
    for (int k = 0; k < 4; k++)
        put_i32(o, s->iterations[k]);
    put_floats(o, s->stiffness, 3);
    put_u32(o, s->anchor_count);
    for (uint32_t i = 0; i < s->anchor_count; i++) {
        put_signed(o, o->body_size, s->anchors[i].body);
        put_index(o, o->vertex_size, s->anchors[i].vertex);
        put_u8(o, s->anchors[i].near_mode);
    }
    put_u32(o, s->pin_count);
    for (uint32_t i = 0; i < s->pin_count; i++)
        put_index(o, o->vertex_size, s->pins[i]);
}

static void put_dynamics(Out *o, const PmxModel *m)
{
    put_u32(o, m->body_count);
    for (uint32_t i = 0; i < m->body_count; i++)
        put_body(o, &m->bodies[i]);
    put_u32(o, m->joint_count);
    for (uint32_t i = 0; i < m->joint_count; i++)
        put_joint(o, &m->joints[i]);
    if (m->soft_body_count)
        put_u32(o, m->soft_body_count);
    for (uint32_t i = 0; i < m->soft_body_count; i++)
        put_soft_body(o, &m->soft_bodies[i]);
}

/* ---- header ---- */

/* What only 2.1 knows. */
static bool needs_2_1(const PmxModel *m)
{
    enum { FLAGS_OF_2_1 = PMX_VERTEX_COLOR | PMX_POINTS | PMX_LINES };
    bool needs = m->soft_body_count > 0;
    for (uint32_t i = 0; i < m->vertex_count && !needs; i++)
        needs = m->vertices[i].deform == PMX_QDEF;
    for (uint32_t i = 0; i < m->material_count && !needs; i++)
        needs = (m->materials[i].flags & FLAGS_OF_2_1) != 0;
    for (uint32_t i = 0; i < m->morph_count && !needs; i++)
        needs = m->morphs[i].type >= PMX_MORPH_FLIP;
    for (uint32_t i = 0; i < m->joint_count && !needs; i++)
        needs = m->joints[i].type != PMX_JOINT_SPRING_6DOF;
    return needs;
}

/* Vertex indices have no sign below 4 bytes; all others keep one for "none". */
static uint8_t size_for(uint32_t count, bool is_signed, int asked)
{
    const uint32_t one = is_signed ? 0x80 : 0x100, two = is_signed ? 0x8000 : 0x10000;
    const int least = count <= one ? 1 : count <= two ? 2 : 4;
    return (uint8_t)(asked > least ? asked : least);
}

static void put_header(Out *o, const PmxModel *m)
{
    put_utf8(o, "PMX ");
    put_f32(o, needs_2_1(m) ? 2.1f : 2.0f);
    put_u8(o, 8);
    put_u8(o, o->utf8);
    put_u8(o, m->extra_uv_count);
    put_u8(o, o->vertex_size);
    put_u8(o, o->texture_size);
    put_u8(o, o->material_size);
    put_u8(o, o->bone_size);
    put_u8(o, o->morph_size);
    put_u8(o, o->body_size);
    put_text(o, m->name);
    put_text(o, m->name_en);
    put_text(o, m->comment);
    put_text(o, m->comment_en);
}

Bytes pmx_write(const PmxModel *model, PmxWriteOptions options, Arena *arena)
{
    const int size = options.index_size;
    assert(size == 0 || size == 1 || size == 2 || size == 4);
    Out o = {.arena = arena,
             .utf8 = options.utf8,
             .vertex_size = size_for(model->vertex_count, false, size),
             .texture_size = size_for(model->texture_count, true, size),
             .material_size = size_for(model->material_count, true, size),
             .bone_size = size_for(model->bone_count, true, size),
             .morph_size = size_for(model->morph_count, true, size),
             .body_size = size_for(model->body_count, true, size)};
    put_header(&o, model);
    put_geometry(&o, model);
    put_rig(&o, model);
    put_dynamics(&o, model);
    return (Bytes){o.bytes.items, o.bytes.count};
}
