#include "format/model/pmx_write.h"

#include <assert.h>
#include <string.h>

/* The layouts are documented at the readers, in pmx_geometry.c, pmx_rig.c and pmx_dynamics.c. */

typedef struct Writer {
    ARENA_LIST(uint8_t) bytes;
    Arena *arena;
    bool utf8;
    uint8_t vertex_size, texture_size, material_size, bone_size, morph_size, body_size;
} Writer;

/* ---- values ---- */

static void write_u8(Writer *w, unsigned value)
{
    *arena_push(w->arena, &w->bytes) = (uint8_t)value;
}

static void write_u16(Writer *w, unsigned value)
{
    write_u8(w, value & 0xFF);
    write_u8(w, value >> 8 & 0xFF);
}

static void write_u32(Writer *w, uint32_t value)
{
    write_u16(w, value & 0xFFFF);
    write_u16(w, value >> 16);
}

static void write_i32(Writer *w, int32_t value)
{
    write_u32(w, (uint32_t)value);
}

static void write_f32(Writer *w, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    write_u32(w, bits);
}

static void write_floats(Writer *w, const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        write_f32(w, values[i]);
}

static void write_index(Writer *w, uint8_t size, uint32_t index)
{
    if (size == 1)
        write_u8(w, index & 0xFF);
    else if (size == 2)
        write_u16(w, index & 0xFFFF);
    else
        write_u32(w, index);
}

static void write_signed(Writer *w, uint8_t size, int32_t index)
{
    write_index(w, size, (uint32_t)index);
}

/* The next code point of valid UTF-8; advances *at. */
static uint32_t decode_utf8(const unsigned char **at)
{
    const unsigned char first = *(*at)++;
    int trailing = first < 0x80 ? 0 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
    uint32_t code = trailing == 0 ? first : first & (0x3Fu >> trailing);
    while (trailing--)
        code = code << 6 | (*(*at)++ & 0x3Fu);
    return code;
}

static void write_utf16(Writer *w, const char *text)
{
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        const uint32_t code = decode_utf8(&at);
        if (code >= 0x10000) {
            write_u16(w, 0xD800 + (code - 0x10000) / 0x400);
            write_u16(w, 0xDC00 + (code - 0x10000) % 0x400);
        } else {
            write_u16(w, code);
        }
    }
}

static void write_utf8(Writer *w, const char *text)
{
    while (*text)
        write_u8(w, (unsigned char)*text++);
}

/* The size precedes the text, but is known only after the text is written. */
static void write_text(Writer *w, const char *text)
{
    const size_t size_offset = w->bytes.count;
    write_u32(w, 0);
    (w->utf8 ? write_utf8 : write_utf16)(w, text);
    const size_t end = w->bytes.count, size = end - size_offset - 4;
    w->bytes.count = size_offset;
    write_u32(w, (uint32_t)size);
    w->bytes.count = end;
}

/* ---- geometry ---- */

static void write_vertex(Writer *w, const PmxModel *m, uint32_t index)
{
    static const int bones_of_deform[] = {1, 2, 4, 2, 4};
    static const int weights_of_deform[] = {0, 1, 4, 1, 4};
    const PmxVertex *v = &m->vertices[index];
    write_floats(w, v->position, 3);
    write_floats(w, v->normal, 3);
    write_floats(w, v->uv, 2);
    for (uint32_t k = 0; k < m->extra_uv_count; k++)
        write_floats(w, m->extra_uv[k][index], 4);
    write_u8(w, v->deform);
    for (int k = 0; k < bones_of_deform[v->deform]; k++)
        write_signed(w, w->bone_size, v->bones[k]);
    write_floats(w, v->weights, (size_t)weights_of_deform[v->deform]);
    if (v->deform == PMX_SDEF) {
        write_floats(w, v->sdef_c, 3);
        write_floats(w, v->sdef_r0, 3);
        write_floats(w, v->sdef_r1, 3);
    }
    write_f32(w, v->edge_scale);
}

static void write_material(Writer *w, const PmxMaterial *m)
{
    write_text(w, m->name);
    write_text(w, m->name_en);
    write_floats(w, m->diffuse, 4);
    write_floats(w, m->specular, 3);
    write_f32(w, m->specular_power);
    write_floats(w, m->ambient, 3);
    write_u8(w, m->flags);
    write_floats(w, m->edge_color, 4);
    write_f32(w, m->edge_size);
    write_signed(w, w->texture_size, m->texture);
    write_signed(w, w->texture_size, m->sphere_texture);
    write_u8(w, m->sphere_mode);
    write_u8(w, m->shared_toon);
    write_signed(w, m->shared_toon ? 1 : w->texture_size, m->toon);
    write_text(w, m->memo);
    write_u32(w, m->index_count);
}

static void write_geometry(Writer *w, const PmxModel *m)
{
    write_u32(w, m->vertex_count);
    for (uint32_t i = 0; i < m->vertex_count; i++)
        write_vertex(w, m, i);
    write_u32(w, m->index_count);
    for (uint32_t i = 0; i < m->index_count; i++)
        write_index(w, w->vertex_size, m->indices[i]);
    write_u32(w, m->texture_count);
    for (uint32_t i = 0; i < m->texture_count; i++)
        write_text(w, m->textures[i]);
    write_u32(w, m->material_count);
    for (uint32_t i = 0; i < m->material_count; i++)
        write_material(w, &m->materials[i]);
}

/* ---- bones ---- */

static void write_ik(Writer *w, const PmxIk *ik)
{
    write_signed(w, w->bone_size, ik->effector);
    write_i32(w, ik->loops);
    write_f32(w, ik->unit_angle);
    write_u32(w, ik->link_count);
    for (uint32_t i = 0; i < ik->link_count; i++) {
        const PmxIkLink *link = &ik->links[i];
        write_signed(w, w->bone_size, link->bone);
        write_u8(w, link->limited);
        if (link->limited) {
            write_floats(w, link->lower, 3);
            write_floats(w, link->upper, 3);
        }
    }
}

static void write_bone(Writer *w, const PmxBone *b)
{
    write_text(w, b->name);
    write_text(w, b->name_en);
    write_floats(w, b->position, 3);
    write_signed(w, w->bone_size, b->parent);
    write_i32(w, b->layer);
    write_u16(w, b->flags);
    if (b->flags & PMX_BONE_TAIL_IS_BONE)
        write_signed(w, w->bone_size, b->tail_bone);
    else
        write_floats(w, b->tail_offset, 3);
    if (b->flags & (PMX_BONE_APPEND_ROTATION | PMX_BONE_APPEND_TRANSLATION)) {
        write_signed(w, w->bone_size, b->append_source);
        write_f32(w, b->append_ratio);
    }
    if (b->flags & PMX_BONE_FIXED_AXIS)
        write_floats(w, b->fixed_axis, 3);
    if (b->flags & PMX_BONE_LOCAL_AXES) {
        write_floats(w, b->local_x, 3);
        write_floats(w, b->local_z, 3);
    }
    if (b->flags & PMX_BONE_EXTERNAL_PARENT)
        write_i32(w, b->external_key);
    if (b->flags & PMX_BONE_IK)
        write_ik(w, &b->ik);
}

/* ---- morphs and display frames ---- */

static void write_material_offset(Writer *w, const PmxMaterialOffset *m)
{
    write_signed(w, w->material_size, m->material);
    write_u8(w, m->add);
    write_floats(w, m->diffuse, 4);
    write_floats(w, m->specular, 3);
    write_f32(w, m->specular_power);
    write_floats(w, m->ambient, 3);
    write_floats(w, m->edge_color, 4);
    write_f32(w, m->edge_size);
    write_floats(w, m->texture, 4);
    write_floats(w, m->sphere, 4);
    write_floats(w, m->toon, 4);
}

static void write_offset(Writer *w, const PmxMorph *m, uint32_t i)
{
    switch (m->type) {
    case PMX_MORPH_GROUP:
    case PMX_MORPH_FLIP:
        write_signed(w, w->morph_size, m->offsets.group[i].morph);
        write_f32(w, m->offsets.group[i].ratio);
        break;
    case PMX_MORPH_VERTEX:
        write_index(w, w->vertex_size, m->offsets.vertex[i].vertex);
        write_floats(w, m->offsets.vertex[i].offset, 3);
        break;
    case PMX_MORPH_BONE:
        write_signed(w, w->bone_size, m->offsets.bone[i].bone);
        write_floats(w, m->offsets.bone[i].translation, 3);
        write_floats(w, m->offsets.bone[i].rotation, 4);
        break;
    case PMX_MORPH_MATERIAL:
        write_material_offset(w, &m->offsets.material[i]);
        break;
    case PMX_MORPH_IMPULSE:
        write_signed(w, w->body_size, m->offsets.impulse[i].body);
        write_u8(w, m->offsets.impulse[i].local);
        write_floats(w, m->offsets.impulse[i].velocity, 3);
        write_floats(w, m->offsets.impulse[i].torque, 3);
        break;
    default:
        write_index(w, w->vertex_size, m->offsets.uv[i].vertex);
        write_floats(w, m->offsets.uv[i].offset, 4);
    }
}

static void write_morph(Writer *w, const PmxMorph *m)
{
    write_text(w, m->name);
    write_text(w, m->name_en);
    write_u8(w, m->panel);
    write_u8(w, m->type);
    write_u32(w, m->count);
    for (uint32_t i = 0; i < m->count; i++)
        write_offset(w, m, i);
}

static void write_display_frame(Writer *w, const PmxDisplayFrame *d)
{
    write_text(w, d->name);
    write_text(w, d->name_en);
    write_u8(w, d->special);
    write_u32(w, d->item_count);
    for (uint32_t i = 0; i < d->item_count; i++) {
        write_u8(w, d->items[i].is_morph);
        write_signed(w, d->items[i].is_morph ? w->morph_size : w->bone_size, d->items[i].index);
    }
}

static void write_rig(Writer *w, const PmxModel *m)
{
    write_u32(w, m->bone_count);
    for (uint32_t i = 0; i < m->bone_count; i++)
        write_bone(w, &m->bones[i]);
    write_u32(w, m->morph_count);
    for (uint32_t i = 0; i < m->morph_count; i++)
        write_morph(w, &m->morphs[i]);
    write_u32(w, m->display_frame_count);
    for (uint32_t i = 0; i < m->display_frame_count; i++)
        write_display_frame(w, &m->display_frames[i]);
}

/* ---- physics ---- */

static void write_body(Writer *w, const PmxBody *b)
{
    write_text(w, b->name);
    write_text(w, b->name_en);
    write_signed(w, w->bone_size, b->bone);
    write_u8(w, b->group);
    write_u16(w, b->mask);
    write_u8(w, b->shape);
    write_floats(w, b->size, 3);
    write_floats(w, b->position, 3);
    write_floats(w, b->rotation, 3);
    write_f32(w, b->mass);
    write_f32(w, b->linear_damping);
    write_f32(w, b->angular_damping);
    write_f32(w, b->restitution);
    write_f32(w, b->friction);
    write_u8(w, b->mode);
}

static void write_joint(Writer *w, const PmxJoint *j)
{
    write_text(w, j->name);
    write_text(w, j->name_en);
    write_u8(w, j->type);
    write_signed(w, w->body_size, j->body_a);
    write_signed(w, w->body_size, j->body_b);
    write_floats(w, j->position, 3);
    write_floats(w, j->rotation, 3);
    write_floats(w, j->linear_lower, 3);
    write_floats(w, j->linear_upper, 3);
    write_floats(w, j->angular_lower, 3);
    write_floats(w, j->angular_upper, 3);
    write_floats(w, j->linear_spring, 3);
    write_floats(w, j->angular_spring, 3);
}

static void write_soft_body(Writer *w, const PmxSoftBody *s)
{
    write_text(w, s->name);
    write_text(w, s->name_en);
    write_u8(w, s->shape);
    write_signed(w, w->material_size, s->material);
    write_u8(w, s->group);
    write_u16(w, s->mask);
    write_u8(w, s->flags);
    write_i32(w, s->b_link_distance);
    write_i32(w, s->cluster_count);
    write_f32(w, s->mass);
    write_f32(w, s->margin);
    write_i32(w, s->aero_model);
    write_floats(w, s->config, 12);
    write_floats(w, s->cluster, 6);
    for (int k = 0; k < 4; k++)
        write_i32(w, s->iterations[k]);
    write_floats(w, s->stiffness, 3);
    write_u32(w, s->anchor_count);
    for (uint32_t i = 0; i < s->anchor_count; i++) {
        write_signed(w, w->body_size, s->anchors[i].body);
        write_index(w, w->vertex_size, s->anchors[i].vertex);
        write_u8(w, s->anchors[i].near_mode);
    }
    write_u32(w, s->pin_count);
    for (uint32_t i = 0; i < s->pin_count; i++)
        write_index(w, w->vertex_size, s->pins[i]);
}

static void write_dynamics(Writer *w, const PmxModel *m)
{
    write_u32(w, m->body_count);
    for (uint32_t i = 0; i < m->body_count; i++)
        write_body(w, &m->bodies[i]);
    write_u32(w, m->joint_count);
    for (uint32_t i = 0; i < m->joint_count; i++)
        write_joint(w, &m->joints[i]);
    if (m->soft_body_count)
        write_u32(w, m->soft_body_count);
    for (uint32_t i = 0; i < m->soft_body_count; i++)
        write_soft_body(w, &m->soft_bodies[i]);
}

/* ---- header ---- */

/* True if the model uses a feature of PMX 2.1. */
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

/* Vertex indices are unsigned below 4 bytes; all others are signed, with -1 for "none". */
static uint8_t index_size(uint32_t count, bool is_signed, int requested)
{
    const uint32_t max1 = is_signed ? 0x80 : 0x100, max2 = is_signed ? 0x8000 : 0x10000;
    const int min = count <= max1 ? 1 : count <= max2 ? 2 : 4;
    return (uint8_t)(requested > min ? requested : min);
}

static void write_header(Writer *w, const PmxModel *m)
{
    write_utf8(w, "PMX ");
    write_f32(w, needs_2_1(m) ? 2.1f : 2.0f);
    write_u8(w, 8);
    write_u8(w, w->utf8);
    write_u8(w, m->extra_uv_count);
    write_u8(w, w->vertex_size);
    write_u8(w, w->texture_size);
    write_u8(w, w->material_size);
    write_u8(w, w->bone_size);
    write_u8(w, w->morph_size);
    write_u8(w, w->body_size);
    write_text(w, m->name);
    write_text(w, m->name_en);
    write_text(w, m->comment);
    write_text(w, m->comment_en);
}

Bytes pmx_write(const PmxModel *model, PmxWriteOptions options, Arena *arena)
{
    const int size = options.index_size;
    assert(size == 0 || size == 1 || size == 2 || size == 4);
    Writer w = {.arena = arena,
                .utf8 = options.utf8,
                .vertex_size = index_size(model->vertex_count, false, size),
                .texture_size = index_size(model->texture_count, true, size),
                .material_size = index_size(model->material_count, true, size),
                .bone_size = index_size(model->bone_count, true, size),
                .morph_size = index_size(model->morph_count, true, size),
                .body_size = index_size(model->body_count, true, size)};
    write_header(&w, model);
    write_geometry(&w, model);
    write_rig(&w, model);
    write_dynamics(&w, model);
    return (Bytes){w.bytes.items, w.bytes.count};
}
