/* Rig of a PMX file: bones, morphs, display frames. */
#include "format/model/pmx_file.h"

static void read_ik_link(PmxIkLink *link, PmxFile *f)
{
    link->bone = pmx_read_index(f, f->bone_size);
    link->limited = read_u8(&f->r) != 0;
    if (link->limited) {
        read_floats(link->lower, 3, &f->r);
        read_floats(link->upper, 3, &f->r);
    }
}

/* IK: effector, i32 loops, f32 unit angle, i32 link count, links {bone, u8 limited, [lower, upper]}
 */
static void read_ik(PmxIk *ik, PmxFile *f)
{
    ik->effector = pmx_read_index(f, f->bone_size);
    ik->loops = read_i32(&f->r);
    ik->unit_angle = read_f32(&f->r);
    ik->link_count = pmx_read_count(f, f->bone_size + 1u, "IK links");
    if (!ik->link_count)
        return;
    ik->links = arena_array(f->arena, PmxIkLink, ik->link_count);
    for (uint32_t i = 0; i < ik->link_count && !f->r.failed; i++)
        read_ik_link(&ik->links[i], f);
}

/* The fields after the flags, each present only with its flag, in this order. */
static void read_bone_fields(PmxBone *b, PmxFile *f)
{
    Reader *r = &f->r;
    b->tail_bone = b->append_source = b->ik.effector = PMX_NONE;
    if (b->flags & PMX_BONE_TAIL_IS_BONE)
        b->tail_bone = pmx_read_index(f, f->bone_size);
    else
        read_floats(b->tail_offset, 3, r);
    if (b->flags & (PMX_BONE_APPEND_ROTATION | PMX_BONE_APPEND_TRANSLATION)) {
        b->append_source = pmx_read_index(f, f->bone_size);
        b->append_ratio = read_f32(r);
    }
    if (b->flags & PMX_BONE_FIXED_AXIS)
        read_floats(b->fixed_axis, 3, r);
    if (b->flags & PMX_BONE_LOCAL_AXES) {
        read_floats(b->local_x, 3, r);
        read_floats(b->local_z, 3, r);
    }
    if (b->flags & PMX_BONE_EXTERNAL_PARENT)
        b->external_key = read_i32(r);
    if (b->flags & PMX_BONE_IK)
        read_ik(&b->ik, f);
}

/* Bone: text name, English name, f32[3] position, parent, i32 layer, u16 flags, fields by flags */
static void read_bone(PmxFile *f, void *out, uint32_t index)
{
    PmxBone *b = out;
    (void)index;
    b->name = pmx_read_text(f, "name");
    b->name_en = pmx_read_text(f, "English name");
    read_floats(b->position, 3, &f->r);
    b->parent = pmx_read_index(f, f->bone_size);
    b->layer = read_i32(&f->r);
    b->flags = read_u16(&f->r);
    read_bone_fields(b, f);
}

PmxSection pmx_section_bones(const PmxFile *f)
{
    return (PmxSection){"bone", "bones", sizeof(PmxBone), 8 + 12 + 4 + 2 + 2u * f->bone_size,
                        read_bone};
}

/* ---- morphs: a name, and offsets whose layout depends on the type ---- */

static void read_group_offset(PmxFile *f, PmxMorph *m, uint32_t i)
{
    m->offsets.group[i].morph = pmx_read_index(f, f->morph_size);
    m->offsets.group[i].ratio = read_f32(&f->r);
}

static void read_vertex_offset(PmxFile *f, PmxMorph *m, uint32_t i)
{
    m->offsets.vertex[i].vertex = pmx_read_vertex(f);
    read_floats(m->offsets.vertex[i].offset, 3, &f->r);
}

static void read_bone_offset(PmxFile *f, PmxMorph *m, uint32_t i)
{
    m->offsets.bone[i].bone = pmx_read_index(f, f->bone_size);
    read_floats(m->offsets.bone[i].translation, 3, &f->r);
    read_floats(m->offsets.bone[i].rotation, 4, &f->r);
}

static void read_uv_offset(PmxFile *f, PmxMorph *m, uint32_t i)
{
    m->offsets.uv[i].vertex = pmx_read_vertex(f);
    read_floats(m->offsets.uv[i].offset, 4, &f->r);
}

static void read_material_offset(PmxFile *f, PmxMorph *m, uint32_t i)
{
    PmxMaterialOffset *o = &m->offsets.material[i];
    Reader *r = &f->r;
    o->material = pmx_read_index(f, f->material_size);
    o->add = read_u8(r);
    read_floats(o->diffuse, 4, r);
    read_floats(o->specular, 3, r);
    o->specular_power = read_f32(r);
    read_floats(o->ambient, 3, r);
    read_floats(o->edge_color, 4, r);
    o->edge_size = read_f32(r);
    read_floats(o->texture, 4, r);
    read_floats(o->sphere, 4, r);
    read_floats(o->toon, 4, r);
}

static void read_impulse_offset(PmxFile *f, PmxMorph *m, uint32_t i)
{
    PmxImpulseOffset *o = &m->offsets.impulse[i];
    o->body = pmx_read_index(f, f->body_size);
    o->local = read_u8(&f->r);
    read_floats(o->velocity, 3, &f->r);
    read_floats(o->torque, 3, &f->r);
}

typedef void ReadOffset(PmxFile *f, PmxMorph *m, uint32_t i);

/* Allocates `count` offsets of the type of the morph and returns the function that reads one. */
static ReadOffset *allocate_offsets(PmxMorph *m, uint32_t count, Arena *arena)
{
    switch (m->type) {
    case PMX_MORPH_GROUP:
    case PMX_MORPH_FLIP:
        m->offsets.group = arena_array(arena, PmxGroupOffset, count);
        return read_group_offset;
    case PMX_MORPH_VERTEX:
        m->offsets.vertex = arena_array(arena, PmxVertexOffset, count);
        return read_vertex_offset;
    case PMX_MORPH_BONE:
        m->offsets.bone = arena_array(arena, PmxBoneOffset, count);
        return read_bone_offset;
    case PMX_MORPH_MATERIAL:
        m->offsets.material = arena_array(arena, PmxMaterialOffset, count);
        return read_material_offset;
    case PMX_MORPH_IMPULSE:
        m->offsets.impulse = arena_array(arena, PmxImpulseOffset, count);
        return read_impulse_offset;
    default:
        m->offsets.uv = arena_array(arena, PmxUvOffset, count);
        return read_uv_offset;
    }
}

static size_t offset_size(const PmxFile *f, uint8_t type)
{
    switch (type) {
    case PMX_MORPH_GROUP:
    case PMX_MORPH_FLIP:
        return f->morph_size + 4u;
    case PMX_MORPH_VERTEX:
        return f->vertex_size + 12u;
    case PMX_MORPH_BONE:
        return f->bone_size + 28u;
    case PMX_MORPH_MATERIAL:
        return f->material_size + 113u;
    case PMX_MORPH_IMPULSE:
        return f->body_size + 25u;
    default:
        return f->vertex_size + 16u;
    }
}

/* Morph: text name, English name, u8 panel, u8 type, i32 count, offsets */
static void read_morph(PmxFile *f, void *out, uint32_t index)
{
    PmxMorph *m = out;
    (void)index;
    m->name = pmx_read_text(f, "name");
    m->name_en = pmx_read_text(f, "English name");
    m->panel = read_u8(&f->r);
    m->type = read_u8(&f->r);
    if (m->type > PMX_MORPH_IMPULSE) {
        pmx_file_fail(f, "morph type %u out of range (0..%d)", (unsigned)m->type,
                      PMX_MORPH_IMPULSE);
        return;
    }
    m->count = pmx_read_count(f, offset_size(f, m->type), "offsets");
    if (!m->count)
        return;
    ReadOffset *read_offset = allocate_offsets(m, m->count, f->arena);
    for (uint32_t i = 0; i < m->count; i++)
        read_offset(f, m, i);
}

PmxSection pmx_section_morphs(const PmxFile *f)
{
    (void)f;
    return (PmxSection){"morph", "morphs", sizeof(PmxMorph), 14, read_morph};
}

/* Display frame: text name, English name, u8 special, i32 count, items {u8 kind, bone or morph} */
static void read_display_frame(PmxFile *f, void *out, uint32_t index)
{
    PmxDisplayFrame *d = out;
    (void)index;
    d->name = pmx_read_text(f, "name");
    d->name_en = pmx_read_text(f, "English name");
    d->special = read_u8(&f->r) != 0;
    const uint8_t min_index_size = f->bone_size < f->morph_size ? f->bone_size : f->morph_size;
    d->item_count = pmx_read_count(f, 1u + min_index_size, "items");
    if (!d->item_count)
        return;
    d->items = arena_array(f->arena, PmxDisplayItem, d->item_count);
    for (uint32_t i = 0; i < d->item_count; i++) {
        d->items[i].is_morph = read_u8(&f->r) != 0;
        d->items[i].index = pmx_read_index(f, d->items[i].is_morph ? f->morph_size : f->bone_size);
    }
}

PmxSection pmx_section_display_frames(const PmxFile *f)
{
    (void)f;
    return (PmxSection){"display frame", "display frames", sizeof(PmxDisplayFrame), 13,
                        read_display_frame};
}
