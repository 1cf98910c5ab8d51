#include "format/model/pmx_write.h"

#include <assert.h>
#include <string.h>

#include "format/model/pmx_record.h"

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

static void write_header(PmxIo *io, const PmxModel *m)
{
    float version = needs_2_1(m) ? 2.1f : 2.0f;
    uint8_t globals[] = {8, io->utf8, (uint8_t)m->extra_uv_count};
    const char *texts[] = {m->name, m->name_en, m->comment, m->comment_en};
    for (const char *c = "PMX "; *c; c++)
        pmx_io_u8(io, &(uint8_t){(uint8_t)*c});
    pmx_io_floats(io, &version, 1);
    for (size_t i = 0; i < sizeof globals; i++)
        pmx_io_u8(io, &globals[i]);
    for (int i = 0; i < PMX_INDEX_KINDS; i++)
        pmx_io_u8(io, &io->index_size[i]);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        pmx_io_text(io, &texts[i], NULL);
}

static void write_section(PmxIo *io, PmxModel *model, const PmxSection *s)
{
    unsigned char *base = (unsigned char *)model, *at;
    int32_t count;
    memcpy(&count, base + s->count_offset, sizeof count);
    memcpy(&at, base + s->records_offset, sizeof at);
    pmx_io_i32(io, &count);
    for (int32_t i = 0; i < count; i++)
        s->record(io, at + (size_t)i * s->size, (uint32_t)i);
}

Bytes pmx_write(const PmxModel *model, PmxWriteOptions options, Arena *arena)
{
    const int size = options.index_size;
    assert(size == 0 || size == 1 || size == 2 || size == 4);
    PmxModel copy = *model;
    PmxIo io = {.mode = PMX_WRITE,
                .utf8 = options.utf8,
                .model = &copy,
                .arena = arena,
                .index_size = {index_size(model->vertex_count, false, size),
                               index_size(model->texture_count, true, size),
                               index_size(model->material_count, true, size),
                               index_size(model->bone_count, true, size),
                               index_size(model->morph_count, true, size),
                               index_size(model->body_count, true, size)}};
    write_header(&io, model);
    const int sections = model->soft_body_count ? PMX_SECTIONS : PMX_SECTIONS_2_0;
    for (int i = 0; i < sections; i++)
        write_section(&io, &copy, &pmx_sections[i]);
    return (Bytes){io.bytes.items, io.bytes.count};
}
