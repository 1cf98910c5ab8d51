// SPDX-License-Identifier: MIT
#include "format/model/pmx_record.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

void pmx_io_fail(PmxIo *io, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (!io->r.failed)
        vsnprintf(io->problem, sizeof io->problem, format, args);
    va_end(args);
    io->r.failed = true;
}

/* ---- values ---- */

/* An integer of 1, 2 or 4 bytes; returns what was read, else `value`.  Only PMX_READ stores it, so
 * that a model that is written may be constant. */
static uint32_t io_integer(PmxIo *io, uint32_t value, unsigned size)
{
    switch (io->mode) {
    case PMX_READ:
        return size == 1 ? read_u8(&io->r) : size == 2 ? read_u16(&io->r) : read_u32(&io->r);
    case PMX_WRITE:
        for (unsigned i = 0; i < size; i++)
            *arena_push(io->arena, &io->bytes) = (uint8_t)(value >> 8 * i & 0xFF);
        return value;
    case PMX_MEASURE:
        io->size += size;
        return value;
    default:
        return value;
    }
}

void pmx_io_u8(PmxIo *io, uint8_t *value)
{
    const uint32_t read = io_integer(io, *value, 1);
    if (io->mode == PMX_READ)
        *value = (uint8_t)read;
}

static void io_u16(PmxIo *io, uint16_t *value)
{
    const uint32_t read = io_integer(io, *value, 2);
    if (io->mode == PMX_READ)
        *value = (uint16_t)read;
}

void pmx_io_i32(PmxIo *io, int32_t *value)
{
    const uint32_t read = io_integer(io, (uint32_t)*value, 4);
    if (io->mode == PMX_READ)
        *value = (int32_t)read;
}

static void io_bool(PmxIo *io, bool *value)
{
    const uint32_t read = io_integer(io, *value, 1);
    if (io->mode == PMX_READ)
        *value = read != 0;
}

static void io_vertex(PmxIo *io, uint32_t *index)
{
    const uint32_t read = io_integer(io, *index, io->index_size[PMX_INDEX_VERTEX]);
    if (io->mode == PMX_READ)
        *index = read;
}

static void io_index(PmxIo *io, int32_t *index, PmxIndexKind kind)
{
    const unsigned size = io->index_size[kind];
    const uint32_t value = io_integer(io, (uint32_t)*index, size);
    if (io->mode == PMX_READ)
        *index = io->r.failed ? PMX_NONE
                 : size == 1  ? (int8_t)value
                 : size == 2  ? (int16_t)value
                              : (int32_t)value;
}

static void io_values(PmxIo *io, float *values, size_t count, float max)
{
    switch (io->mode) {
    case PMX_READ:
        read_floats(values, count, &io->r);
        break;
    case PMX_WRITE:
        for (size_t i = 0; i < count; i++) {
            uint32_t bits;
            memcpy(&bits, &values[i], sizeof bits);
            io_integer(io, bits, 4);
        }
        break;
    case PMX_MEASURE:
        io->size += 4 * count;
        break;
    case PMX_REPAIR:
        for (size_t i = 0; i < count; i++) {
            if (fabsf(values[i]) <= max)
                continue;
            values[i] = isfinite(values[i]) ? copysignf(max, values[i]) : 0.0f;
            io->repaired++;
        }
        break;
    }
}

void pmx_io_floats(PmxIo *io, float *values, size_t count)
{
    io_values(io, values, count, PMX_MAX_VALUE);
}

static void io_forces(PmxIo *io, float *values, size_t count)
{
    io_values(io, values, count, PMX_MAX_FORCE);
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

/* The size precedes the text, but is known only after the text is written. */
static void write_text(PmxIo *io, const char *text)
{
    const size_t size_offset = io->bytes.count;
    io_integer(io, 0, 4);
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        if (io->utf8) {
            io_integer(io, *at++, 1);
            continue;
        }
        const uint32_t code = decode_utf8(&at);
        if (code >= 0x10000) {
            io_integer(io, 0xD800 + (code - 0x10000) / 0x400, 2);
            io_integer(io, 0xDC00 + (code - 0x10000) % 0x400, 2);
        } else {
            io_integer(io, code, 2);
        }
    }
    const size_t end = io->bytes.count;
    io->bytes.count = size_offset;
    io_integer(io, (uint32_t)(end - size_offset - 4), 4);
    io->bytes.count = end;
}

static const char *read_text(PmxIo *io, const char *what)
{
    const int32_t size = read_i32(&io->r);
    if (io->r.failed || size == 0)
        return "";
    if (size < 0 || (size_t)size > reader_left(&io->r)) {
        pmx_io_fail(io, "%s of %" PRId32 " bytes exceeds the %zu bytes left", what, size,
                    reader_left(&io->r));
        return "";
    }
    const uint8_t *bytes = read_bytes(&io->r, (size_t)size);
    if (!io->utf8)
        return text_from_utf16le(bytes, (size_t)size, io->arena);
    const bool marked = size >= 3 && !memcmp(bytes, "\xEF\xBB\xBF", 3);
    const size_t skip = marked ? 3 : 0;
    return text_from_utf8(bytes + skip, (size_t)size - skip, io->arena);
}

/* i32 size in bytes, then the text, without a terminator */
void pmx_io_text(PmxIo *io, const char **text, const char *what)
{
    if (io->mode == PMX_READ)
        *text = read_text(io, what);
    else if (io->mode == PMX_WRITE)
        write_text(io, *text);
    else
        io->size += 4;
}

static void io_names(PmxIo *io, const char **name, const char **name_en)
{
    pmx_io_text(io, name, "name");
    pmx_io_text(io, name_en, "English name");
}

/* i32 count of items of at least `min_size` bytes in the file; PMX_READ allocates them, and fails
 * if they do not fit the file. */
static void *io_items(PmxIo *io, void *items, uint32_t *count, size_t size, size_t min_size,
                      const char *what)
{
    if (io->mode != PMX_READ) {
        io_integer(io, *count, 4);
        return items;
    }
    const int32_t announced = read_i32(&io->r);
    const size_t available = reader_left(&io->r) / min_size;
    if (!io->r.failed && (announced < 0 || (size_t)announced > available))
        pmx_io_fail(io, "number of %s %" PRId32 " out of range (0..%zu)", what, announced,
                    available);
    *count = io->r.failed ? 0 : (uint32_t)announced;
    return *count ? arena_calloc(io->arena, *count, size) : NULL;
}

/* ---- geometry ---- */

static void io_vertex_record(PmxIo *io, void *record, uint32_t index)
{
    static const size_t bones_of_deform[] = {1, 2, 4, 2, 4}; /* BDEF1, BDEF2, BDEF4, SDEF, QDEF */
    static const size_t weights_of_deform[] = {0, 1, 4, 1, 4};
    PmxVertex *v = record;
    pmx_io_floats(io, v->position, 3);
    pmx_io_floats(io, v->normal, 3);
    pmx_io_floats(io, v->uv, 2);
    for (uint32_t k = 0; k < io->model->extra_uv_count; k++)
        pmx_io_floats(io, io->mode == PMX_MEASURE ? NULL : io->model->extra_uv[k][index], 4);
    pmx_io_u8(io, &v->deform);
    if (v->deform > PMX_QDEF) {
        pmx_io_fail(io, "deform type %u out of range (0..%d)", (unsigned)v->deform, PMX_QDEF);
        return;
    }
    for (size_t k = 0; k < bones_of_deform[v->deform]; k++)
        io_index(io, &v->bones[k], PMX_INDEX_BONE);
    pmx_io_floats(io, v->weights, weights_of_deform[v->deform]);
    if (io->mode == PMX_READ && v->deform == PMX_BDEF1)
        v->weights[0] = 1.0f;
    if (io->mode == PMX_READ && (v->deform == PMX_BDEF2 || v->deform == PMX_SDEF))
        v->weights[1] = 1.0f - v->weights[0];
    if (v->deform == PMX_SDEF) {
        pmx_io_floats(io, v->sdef_c, 3);
        pmx_io_floats(io, v->sdef_r0, 3);
        pmx_io_floats(io, v->sdef_r1, 3);
    }
    pmx_io_floats(io, &v->edge_scale, 1);
}

static void io_face_index(PmxIo *io, void *record, uint32_t index)
{
    (void)index;
    io_vertex(io, record);
}

static void io_texture(PmxIo *io, void *record, uint32_t index)
{
    (void)index;
    pmx_io_text(io, record, "path");
}

static void io_material(PmxIo *io, void *record, uint32_t index)
{
    PmxMaterial *m = record;
    (void)index;
    io_names(io, &m->name, &m->name_en);
    pmx_io_floats(io, m->diffuse, 4);
    pmx_io_floats(io, m->specular, 3);
    pmx_io_floats(io, &m->specular_power, 1);
    pmx_io_floats(io, m->ambient, 3);
    pmx_io_u8(io, &m->flags);
    pmx_io_floats(io, m->edge_color, 4);
    pmx_io_floats(io, &m->edge_size, 1);
    io_index(io, &m->texture, PMX_INDEX_TEXTURE);
    io_index(io, &m->sphere_texture, PMX_INDEX_TEXTURE);
    pmx_io_u8(io, &m->sphere_mode);
    m->shared_toon = io_integer(io, m->shared_toon, 1) == 1;
    if (m->shared_toon || io->mode == PMX_MEASURE)
        m->toon = (int32_t)io_integer(io, (uint32_t)m->toon, 1);
    else
        io_index(io, &m->toon, PMX_INDEX_TEXTURE);
    pmx_io_text(io, &m->memo, "memo");
    const uint32_t count = io_integer(io, m->index_count, 4);
    m->index_count = count > INT32_MAX ? 0 : count;
}

/* ---- rig ---- */

static void io_ik(PmxIo *io, PmxIk *ik)
{
    io_index(io, &ik->effector, PMX_INDEX_BONE);
    pmx_io_i32(io, &ik->loops);
    pmx_io_floats(io, &ik->unit_angle, 1);
    ik->links = io_items(io, ik->links, &ik->link_count, sizeof *ik->links,
                         io->index_size[PMX_INDEX_BONE] + 1u, "IK links");
    for (uint32_t i = 0; i < ik->link_count && !io->r.failed; i++) {
        PmxIkLink *link = &ik->links[i];
        io_index(io, &link->bone, PMX_INDEX_BONE);
        io_bool(io, &link->limited);
        if (link->limited) {
            pmx_io_floats(io, link->lower, 3);
            pmx_io_floats(io, link->upper, 3);
        }
    }
}

/* The fields after the flags are present only with their flags. */
void pmx_io_bone(PmxIo *io, void *record, uint32_t index)
{
    PmxBone *b = record;
    (void)index;
    io_names(io, &b->name, &b->name_en);
    pmx_io_floats(io, b->position, 3);
    io_index(io, &b->parent, PMX_INDEX_BONE);
    pmx_io_i32(io, &b->layer);
    io_u16(io, &b->flags);
    if (io->mode == PMX_READ)
        b->tail_bone = b->append_source = b->ik.effector = PMX_NONE;
    if (b->flags & PMX_BONE_TAIL_IS_BONE || io->mode == PMX_MEASURE)
        io_index(io, &b->tail_bone, PMX_INDEX_BONE);
    else
        pmx_io_floats(io, b->tail_offset, 3);
    if (b->flags & (PMX_BONE_APPEND_ROTATION | PMX_BONE_APPEND_TRANSLATION)) {
        io_index(io, &b->append_source, PMX_INDEX_BONE);
        pmx_io_floats(io, &b->append_ratio, 1);
    }
    if (b->flags & PMX_BONE_FIXED_AXIS)
        pmx_io_floats(io, b->fixed_axis, 3);
    if (b->flags & PMX_BONE_LOCAL_AXES) {
        pmx_io_floats(io, b->local_x, 3);
        pmx_io_floats(io, b->local_z, 3);
    }
    if (b->flags & PMX_BONE_EXTERNAL_PARENT)
        pmx_io_i32(io, &b->external_key);
    if (b->flags & PMX_BONE_IK && io->mode != PMX_REPAIR)
        io_ik(io, &b->ik);
}

static void io_material_offset(PmxIo *io, PmxMaterialOffset *o)
{
    io_index(io, &o->material, PMX_INDEX_MATERIAL);
    pmx_io_u8(io, &o->add);
    pmx_io_floats(io, o->diffuse, 4);
    pmx_io_floats(io, o->specular, 3);
    pmx_io_floats(io, &o->specular_power, 1);
    pmx_io_floats(io, o->ambient, 3);
    pmx_io_floats(io, o->edge_color, 4);
    pmx_io_floats(io, &o->edge_size, 1);
    pmx_io_floats(io, o->texture, 4);
    pmx_io_floats(io, o->sphere, 4);
    pmx_io_floats(io, o->toon, 4);
}

void pmx_io_offset(PmxIo *io, PmxMorph *m, uint32_t i)
{
    switch (m->type) {
    case PMX_MORPH_GROUP:
    case PMX_MORPH_FLIP:
        io_index(io, &m->offsets.group[i].morph, PMX_INDEX_MORPH);
        pmx_io_floats(io, &m->offsets.group[i].ratio, 1);
        break;
    case PMX_MORPH_VERTEX:
        io_vertex(io, &m->offsets.vertex[i].vertex);
        pmx_io_floats(io, m->offsets.vertex[i].offset, 3);
        break;
    case PMX_MORPH_BONE:
        io_index(io, &m->offsets.bone[i].bone, PMX_INDEX_BONE);
        pmx_io_floats(io, m->offsets.bone[i].translation, 3);
        pmx_io_floats(io, m->offsets.bone[i].rotation, 4);
        break;
    case PMX_MORPH_MATERIAL:
        io_material_offset(io, &m->offsets.material[i]);
        break;
    case PMX_MORPH_IMPULSE:
        io_index(io, &m->offsets.impulse[i].body, PMX_INDEX_BODY);
        pmx_io_u8(io, &m->offsets.impulse[i].local);
        io_forces(io, m->offsets.impulse[i].velocity, 3);
        io_forces(io, m->offsets.impulse[i].torque, 3);
        break;
    default: /* the five UV kinds */
        io_vertex(io, &m->offsets.uv[i].vertex);
        pmx_io_floats(io, m->offsets.uv[i].offset, 4);
    }
}

size_t pmx_offset_struct_size(uint8_t type)
{
    switch (type) {
    case PMX_MORPH_GROUP:
    case PMX_MORPH_FLIP:
        return sizeof(PmxGroupOffset);
    case PMX_MORPH_VERTEX:
        return sizeof(PmxVertexOffset);
    case PMX_MORPH_BONE:
        return sizeof(PmxBoneOffset);
    case PMX_MORPH_MATERIAL:
        return sizeof(PmxMaterialOffset);
    case PMX_MORPH_IMPULSE:
        return sizeof(PmxImpulseOffset);
    default:
        return sizeof(PmxUvOffset);
    }
}

static void io_morph(PmxIo *io, void *record, uint32_t index)
{
    PmxMorph *m = record;
    (void)index;
    io_names(io, &m->name, &m->name_en);
    pmx_io_u8(io, &m->panel);
    pmx_io_u8(io, &m->type);
    if (m->type > PMX_MORPH_IMPULSE) {
        pmx_io_fail(io, "morph type %u out of range (0..%d)", (unsigned)m->type, PMX_MORPH_IMPULSE);
        return;
    }
    PmxIo measure = {.mode = PMX_MEASURE};
    PmxMaterialOffset largest = {0};
    PmxMorph one = {.type = m->type, .offsets.material = &largest};
    memcpy(measure.index_size, io->index_size, sizeof measure.index_size);
    pmx_io_offset(&measure, &one, 0);
    m->offsets.material = io_items(io, m->offsets.material, &m->count,
                                   pmx_offset_struct_size(m->type), measure.size, "offsets");
    for (uint32_t i = 0; i < m->count; i++)
        pmx_io_offset(io, m, i);
}

static void io_display_frame(PmxIo *io, void *record, uint32_t index)
{
    PmxDisplayFrame *d = record;
    const uint8_t bone = io->index_size[PMX_INDEX_BONE], morph = io->index_size[PMX_INDEX_MORPH];
    (void)index;
    io_names(io, &d->name, &d->name_en);
    io_bool(io, &d->special);
    d->items = io_items(io, d->items, &d->item_count, sizeof *d->items,
                        1u + (bone < morph ? bone : morph), "items");
    for (uint32_t i = 0; i < d->item_count; i++) {
        io_bool(io, &d->items[i].is_morph);
        io_index(io, &d->items[i].index, d->items[i].is_morph ? PMX_INDEX_MORPH : PMX_INDEX_BONE);
    }
}

/* ---- dynamics ---- */

void pmx_io_body_values(PmxIo *io, PmxBody *b)
{
    pmx_io_u8(io, &b->group);
    io_u16(io, &b->mask);
    pmx_io_u8(io, &b->shape);
    pmx_io_floats(io, b->size, 3);
    pmx_io_floats(io, b->position, 3);
    pmx_io_floats(io, b->rotation, 3);
    io_forces(io, &b->mass, 1);
    pmx_io_floats(io, &b->linear_damping, 1);
    pmx_io_floats(io, &b->angular_damping, 1);
    pmx_io_floats(io, &b->restitution, 1);
    pmx_io_floats(io, &b->friction, 1);
    pmx_io_u8(io, &b->mode);
}

static void io_body(PmxIo *io, void *record, uint32_t index)
{
    PmxBody *b = record;
    (void)index;
    io_names(io, &b->name, &b->name_en);
    io_index(io, &b->bone, PMX_INDEX_BONE);
    pmx_io_body_values(io, b);
}

void pmx_io_joint_values(PmxIo *io, PmxJoint *j)
{
    pmx_io_floats(io, j->position, 3);
    pmx_io_floats(io, j->rotation, 3);
    pmx_io_floats(io, j->linear_lower, 3);
    pmx_io_floats(io, j->linear_upper, 3);
    pmx_io_floats(io, j->angular_lower, 3);
    pmx_io_floats(io, j->angular_upper, 3);
    io_forces(io, j->linear_spring, 3);
    io_forces(io, j->angular_spring, 3);
}

static void io_joint(PmxIo *io, void *record, uint32_t index)
{
    PmxJoint *j = record;
    (void)index;
    io_names(io, &j->name, &j->name_en);
    pmx_io_u8(io, &j->type);
    io_index(io, &j->body_a, PMX_INDEX_BODY);
    io_index(io, &j->body_b, PMX_INDEX_BODY);
    pmx_io_joint_values(io, j);
}

static void io_soft_body(PmxIo *io, void *record, uint32_t index)
{
    PmxSoftBody *s = record;
    const unsigned vertex = io->index_size[PMX_INDEX_VERTEX];
    (void)index;
    io_names(io, &s->name, &s->name_en);
    pmx_io_u8(io, &s->shape);
    io_index(io, &s->material, PMX_INDEX_MATERIAL);
    pmx_io_u8(io, &s->group);
    io_u16(io, &s->mask);
    pmx_io_u8(io, &s->flags);
    pmx_io_i32(io, &s->b_link_distance);
    pmx_io_i32(io, &s->cluster_count);
    io_forces(io, &s->mass, 1);
    pmx_io_floats(io, &s->margin, 1);
    pmx_io_i32(io, &s->aero_model);
    pmx_io_floats(io, s->config, 12);
    pmx_io_floats(io, s->cluster, 6);
    for (int i = 0; i < 4; i++)
        pmx_io_i32(io, &s->iterations[i]);
    pmx_io_floats(io, s->stiffness, 3);
    s->anchors = io_items(io, s->anchors, &s->anchor_count, sizeof *s->anchors,
                          io->index_size[PMX_INDEX_BODY] + vertex + 1, "anchors");
    for (uint32_t i = 0; i < s->anchor_count; i++) {
        io_index(io, &s->anchors[i].body, PMX_INDEX_BODY);
        io_vertex(io, &s->anchors[i].vertex);
        pmx_io_u8(io, &s->anchors[i].near_mode);
    }
    s->pins = io_items(io, s->pins, &s->pin_count, sizeof *s->pins, vertex, "pins");
    for (uint32_t i = 0; i < s->pin_count; i++)
        io_vertex(io, &s->pins[i]);
}

/* ---- sections, in the order of the file ---- */

#define RECORDS(Struct, field, number) \
    sizeof(Struct), offsetof(PmxModel, field), offsetof(PmxModel, number)

const PmxSection pmx_sections[PMX_SECTIONS] = {
    {"vertex", "vertices", RECORDS(PmxVertex, vertices, vertex_count), io_vertex_record},
    {"face index", "face indices", RECORDS(uint32_t, indices, index_count), io_face_index},
    {"texture", "textures", RECORDS(const char *, textures, texture_count), io_texture},
    {"material", "materials", RECORDS(PmxMaterial, materials, material_count), io_material},
    {"bone", "bones", RECORDS(PmxBone, bones, bone_count), pmx_io_bone},
    {"morph", "morphs", RECORDS(PmxMorph, morphs, morph_count), io_morph},
    {"display frame", "display frames",
     RECORDS(PmxDisplayFrame, display_frames, display_frame_count), io_display_frame},
    {"rigid body", "rigid bodies", RECORDS(PmxBody, bodies, body_count), io_body},
    {"joint", "joints", RECORDS(PmxJoint, joints, joint_count), io_joint},
    {"soft body", "soft bodies", RECORDS(PmxSoftBody, soft_bodies, soft_body_count), io_soft_body},
};

size_t pmx_section_min_size(const PmxIo *io, const PmxSection *section)
{
    union {
        PmxVertex vertex;
        PmxMaterial material;
        PmxBone bone;
        PmxMorph morph;
        PmxBody body;
        PmxJoint joint;
        PmxSoftBody soft_body;
    } zero;
    PmxIo measure = {.mode = PMX_MEASURE, .model = io->model};
    memset(&zero, 0, sizeof zero);
    memcpy(measure.index_size, io->index_size, sizeof measure.index_size);
    section->record(&measure, &zero, 0);
    return measure.size;
}
