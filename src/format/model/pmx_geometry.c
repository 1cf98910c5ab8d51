/* Geometry of a PMX file: vertices, indices, textures, materials. */
#include "format/model/pmx_file.h"

#include <string.h>

static const int slots_of_deform[] = {1, 2, 4, 2, 4}; /* bones of BDEF1, BDEF2, BDEF4, SDEF, QDEF */

/* BDEF1 stores no weight, BDEF2 and SDEF store the first of two. */
static void read_weights(PmxVertex *v, Reader *r)
{
    switch (v->deform) {
    case PMX_BDEF1:
        v->weights[0] = 1.0f;
        break;
    case PMX_BDEF2:
    case PMX_SDEF:
        v->weights[0] = read_f32(r);
        v->weights[1] = 1.0f - v->weights[0];
        break;
    default:
        read_floats(v->weights, 4, r);
    }
}

/*
 * Vertex: f32[3] position, f32[3] normal, f32[2] uv, extra UV count x f32[4], u8 deform, bones and
 * weights by deform (SDEF: then f32[3] C, R0, R1), f32 edge scale.
 */
static void read_vertex(PmxFile *f, void *out, uint32_t index)
{
    PmxVertex *v = out;
    Reader *r = &f->r;
    read_floats(v->position, 3, r);
    read_floats(v->normal, 3, r);
    read_floats(v->uv, 2, r);
    for (uint32_t k = 0; k < f->model->extra_uv_count; k++)
        read_floats(f->model->extra_uv[k][index], 4, r);
    v->deform = read_u8(r);
    if (v->deform > PMX_QDEF) {
        pmx_file_fail(f, "deform type %u out of range (0..%d)", (unsigned)v->deform, PMX_QDEF);
        return;
    }
    for (int k = 0; k < slots_of_deform[v->deform]; k++)
        v->bones[k] = pmx_read_index(f, f->bone_size);
    read_weights(v, r);
    if (v->deform == PMX_SDEF) {
        read_floats(v->sdef_c, 3, r);
        read_floats(v->sdef_r0, 3, r);
        read_floats(v->sdef_r1, 3, r);
    }
    v->edge_scale = read_f32(r);
}

PmxSection pmx_section_vertices(const PmxFile *f)
{
    const size_t min_size = 32 + 16u * f->model->extra_uv_count + 1 + f->bone_size + 4;
    return (PmxSection){"vertex", "vertices", sizeof(PmxVertex), min_size, read_vertex};
}

static void read_vertex_index(PmxFile *f, void *out, uint32_t index)
{
    (void)index;
    *(uint32_t *)out = pmx_read_vertex(f);
}

PmxSection pmx_section_indices(const PmxFile *f)
{
    return (PmxSection){"face index", "face indices", sizeof(uint32_t), f->vertex_size,
                        read_vertex_index};
}

static void read_texture(PmxFile *f, void *out, uint32_t index)
{
    (void)index;
    *(const char **)out = pmx_read_text(f, "path");
}

PmxSection pmx_section_textures(const PmxFile *f)
{
    (void)f;
    return (PmxSection){"texture", "textures", sizeof(const char *), 4, read_texture};
}

/*
 * Material: text name, English name, f32[4] diffuse, f32[3] specular, f32 power, f32[3] ambient,
 * u8 flags, f32[4] edge color, f32 edge size, texture, sphere texture, u8 sphere mode, u8 toon
 * kind, toon (kind 1: u8 shared toon, else texture), text memo, i32 index count.
 */
static void read_material(PmxFile *f, void *out, uint32_t index)
{
    PmxMaterial *m = out;
    Reader *r = &f->r;
    (void)index;
    m->name = pmx_read_text(f, "name");
    m->name_en = pmx_read_text(f, "English name");
    read_floats(m->diffuse, 4, r);
    read_floats(m->specular, 3, r);
    m->specular_power = read_f32(r);
    read_floats(m->ambient, 3, r);
    m->flags = read_u8(r);
    read_floats(m->edge_color, 4, r);
    m->edge_size = read_f32(r);
    m->texture = pmx_read_index(f, f->texture_size);
    m->sphere_texture = pmx_read_index(f, f->texture_size);
    m->sphere_mode = read_u8(r);
    m->shared_toon = read_u8(r) == 1;
    m->toon = m->shared_toon ? read_u8(r) : pmx_read_index(f, f->texture_size);
    m->memo = pmx_read_text(f, "memo");
    const int32_t count = read_i32(r);
    m->index_count = count < 0 ? 0 : (uint32_t)count;
}

PmxSection pmx_section_materials(const PmxFile *f)
{
    return (PmxSection){"material", "materials", sizeof(PmxMaterial),
                        8 + 44 + 1 + 20 + 2u * f->texture_size + 3 + 4 + 4, read_material};
}
