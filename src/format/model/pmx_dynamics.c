/* Physics of a PMX file: rigid bodies, joints, soft bodies. */
#include "format/model/pmx_file.h"

void pmx_read_body_fields(PmxBody *b, Reader *r)
{
    b->group = read_u8(r);
    b->mask = read_u16(r);
    b->shape = read_u8(r);
    read_floats(b->size, 3, r);
    read_floats(b->position, 3, r);
    read_floats(b->rotation, 3, r);
    b->mass = read_f32(r);
    b->linear_damping = read_f32(r);
    b->angular_damping = read_f32(r);
    b->restitution = read_f32(r);
    b->friction = read_f32(r);
    b->mode = read_u8(r);
}

/* Rigid body: text name, English name, bone, then see pmx_read_body_fields */
static void read_body(PmxFile *f, void *out, uint32_t index)
{
    PmxBody *b = out;
    (void)index;
    b->name = pmx_read_text(f, "name");
    b->name_en = pmx_read_text(f, "English name");
    b->bone = pmx_read_index(f, f->bone_size);
    pmx_read_body_fields(b, &f->r);
}

PmxSection pmx_section_bodies(const PmxFile *f)
{
    return (PmxSection){"rigid body", "rigid bodies", sizeof(PmxBody),
                        8u + f->bone_size + 4 + 36 + 21, read_body};
}

void pmx_read_joint_fields(PmxJoint *j, Reader *r)
{
    read_floats(j->position, 3, r);
    read_floats(j->rotation, 3, r);
    read_floats(j->linear_lower, 3, r);
    read_floats(j->linear_upper, 3, r);
    read_floats(j->angular_lower, 3, r);
    read_floats(j->angular_upper, 3, r);
    read_floats(j->linear_spring, 3, r);
    read_floats(j->angular_spring, 3, r);
}

/* Joint: text name, English name, u8 type, body A, body B, then see pmx_read_joint_fields */
static void read_joint(PmxFile *f, void *out, uint32_t index)
{
    PmxJoint *j = out;
    (void)index;
    j->name = pmx_read_text(f, "name");
    j->name_en = pmx_read_text(f, "English name");
    j->type = read_u8(&f->r);
    j->body_a = pmx_read_index(f, f->body_size);
    j->body_b = pmx_read_index(f, f->body_size);
    pmx_read_joint_fields(j, &f->r);
}

PmxSection pmx_section_joints(const PmxFile *f)
{
    return (PmxSection){"joint", "joints", sizeof(PmxJoint), 9 + 2u * f->body_size + 96,
                        read_joint};
}

/* i32 count, then {body, vertex, u8 near mode}; i32 count, then vertex */
static void read_anchors_and_pins(PmxSoftBody *s, PmxFile *f)
{
    s->anchor_count = pmx_read_count(f, f->body_size + f->vertex_size + 1u, "anchors");
    if (s->anchor_count)
        s->anchors = arena_array(f->arena, PmxSoftAnchor, s->anchor_count);
    for (uint32_t i = 0; i < s->anchor_count; i++) {
        s->anchors[i].body = pmx_read_index(f, f->body_size);
        s->anchors[i].vertex = pmx_read_vertex(f);
        s->anchors[i].near_mode = read_u8(&f->r);
    }
    s->pin_count = pmx_read_count(f, f->vertex_size, "pins");
    if (s->pin_count)
        s->pins = arena_array(f->arena, uint32_t, s->pin_count);
    for (uint32_t i = 0; i < s->pin_count; i++)
        s->pins[i] = pmx_read_vertex(f);
}

/*
 * Soft body (2.1): text name, English name, u8 shape, material, u8 group, u16 mask, u8 flags,
 * i32 B-link distance, i32 clusters, f32 mass, f32 margin, i32 aero model, f32[12] config,
 * f32[6] cluster, i32[4] iterations, f32[3] stiffness, anchors, pins
 */
static void read_soft_body(PmxFile *f, void *out, uint32_t index)
{
    PmxSoftBody *s = out;
    Reader *r = &f->r;
    (void)index;
    s->name = pmx_read_text(f, "name");
    s->name_en = pmx_read_text(f, "English name");
    s->shape = read_u8(r);
    s->material = pmx_read_index(f, f->material_size);
    s->group = read_u8(r);
    s->mask = read_u16(r);
    s->flags = read_u8(r);
    s->b_link_distance = read_i32(r);
    s->cluster_count = read_i32(r);
    s->mass = read_f32(r);
    s->margin = read_f32(r);
    s->aero_model = read_i32(r);
    read_floats(s->config, 12, r);
    read_floats(s->cluster, 6, r);
    for (int i = 0; i < 4; i++)
        s->iterations[i] = read_i32(r);
    read_floats(s->stiffness, 3, r);
    read_anchors_and_pins(s, f);
}

PmxSection pmx_section_soft_bodies(const PmxFile *f)
{
    return (PmxSection){"soft body", "soft bodies", sizeof(PmxSoftBody),
                        8 + 1u + f->material_size + 4 + 20 + 48 + 24 + 16 + 12 + 8, read_soft_body};
}
