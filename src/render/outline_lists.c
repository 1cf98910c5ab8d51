#include "render/outline_lists.h"

#include <math.h>
#include <string.h>

#include "render/outline.h"
#include "render/screen_space.h"

enum { LEAST_INDICES = 6000 }; /* of outlines that pay for reading depths */

/* What moves a vertex to the surface, in model space. */
typedef struct HullSpace {
    ScreenSpace screen;
    float eye[3];
    float width, pixel; /* as u_width and u_pixel of edge.vert */
    const DeformVertex *vertices;
    const float *edge_scales;
} HullSpace;

/* ---- vertices, as edge.vert moves them ---- */

static inline float w_of(const HullSpace *space, const float p[3])
{
    const float(*m)[4] = space->screen.clip;

    return m[0][3] * p[0] + m[1][3] * p[1] + m[2][3] * p[2] + m[3][3];
}

static ScreenVertex hull_vertex(const HullSpace *space, uint32_t index)
{
    const DeformVertex *vertex = &space->vertices[index];
    const float width = space->width * space->edge_scales[index];
    const float pixel = space->pixel * w_of(space, vertex->position);
    const float drawn = width == 0.0f ? 0.0f : copysignf(fmaxf(fabsf(width), pixel), width);
    float moved[3];

    for (int i = 0; i < 3; i++)
        moved[i] = vertex->position[i] + vertex->normal[i] * drawn;
    return occlusion_vertex(&space->screen, moved);
}

/* Moved along the ray from the eye, to its nearer end: which of the two the shader takes depends on
 * the normal. */
static ScreenVertex interior_vertex(const HullSpace *space, uint32_t index)
{
    const DeformVertex *vertex = &space->vertices[index];
    const float width = fabsf(space->width * space->edge_scales[index]);
    float ray[3], moved[3], length = 0.0f;

    for (int i = 0; i < 3; i++) {
        ray[i] = vertex->position[i] - space->eye[i];
        length += ray[i] * ray[i];
    }
    const float step = width / sqrtf(length);
    for (int i = 0; i < 3; i++)
        moved[i] = vertex->position[i] - step * ray[i];
    return occlusion_vertex(&space->screen, moved);
}

static void move_vertices(OutlineLists *lists, const HullSpace *space, const MeshMaterial *mesh,
                          ScreenVertex (*move)(const HullSpace *, uint32_t))
{
    for (int d = 0; d < MESH_DEFORMS; d++)
        for (uint32_t i = mesh->ranges[d].begin; i < mesh->ranges[d].end; i++)
            lists->visible->vertices[i] = move(space, i);
}

/* ---- lists ---- */

static void reserve(OutlineLists *lists, const Mesh *mesh, size_t index_count, Arena *arena)
{
    const PmxModel *pmx = mesh->pmx;

    visible_lists_begin(lists->visible, mesh, index_count, arena);
    if (pmx->material_count > lists->material_capacity) {
        lists->interior = arena_array(arena, VisibleRange, pmx->material_count);
        lists->hull = arena_array(arena, VisibleRange, pmx->material_count);
        lists->material_capacity = pmx->material_count;
    }
}

static VisibleRange add_indices(OutlineLists *lists, const uint32_t *indices, uint32_t first,
                                uint32_t count)
{
    return visible_lists_add(lists->visible, OCCLUSION_BACK_FACES, indices + first, count);
}

static void add_interior(OutlineLists *lists, const HullSpace *space, const Actor *actor,
                         uint32_t number, const uint32_t *indices)
{
    const MeshMaterial *mesh = &actor->mesh->materials[number];
    VisibleRange *range = &lists->interior[number];

    *range = (VisibleRange){lists->visible->index_count, 0};
    if (!outline_has_interior(actor, number))
        return;
    move_vertices(lists, space, mesh, interior_vertex);
    for (uint32_t i = 0; i < mesh->run_count; i++)
        if (!outline_hides_interior(actor, number, &mesh->runs[i]))
            range->count +=
                add_indices(lists, indices, mesh->runs[i].first, mesh->runs[i].count).count;
}

static void add_hull(OutlineLists *lists, const HullSpace *space, const Actor *actor,
                     uint32_t number, const uint32_t *indices)
{
    const MeshMaterial *mesh = &actor->mesh->materials[number];

    move_vertices(lists, space, mesh, hull_vertex);
    lists->hull[number] = add_indices(lists, indices, mesh->first, mesh->count);
}

static void add_materials(OutlineLists *lists, HullSpace *space, const Actor *actor,
                          const uint32_t *indices)
{
    for (uint32_t i = 0; i < actor->mesh->pmx->material_count; i++) {
        if (!outline_is_drawn(actor, i))
            continue;
        space->width = actor->edge_width * actor->state->materials[i].edge_size;
        add_interior(lists, space, actor, i, indices);
        add_hull(lists, space, actor, i, indices);
    }
}

/* The largest number of indices that the lists may have. */
static size_t count_indices(const Actor *actor)
{
    size_t count = 0;

    for (uint32_t i = 0; i < actor->mesh->pmx->material_count; i++)
        if (outline_is_drawn(actor, i))
            count += actor->mesh->materials[i].count * (outline_has_interior(actor, i) ? 2 : 1);
    return count;
}

static HullSpace hull_space(const Target *target, const Actor *actor, const View *view)
{
    const ModelBlock block = view_for_model(view, &actor->state->placement);

    return (HullSpace){.screen = screen_space(target, (const float(*)[4])block.clip),
                       .eye = {block.eye[0], block.eye[1], block.eye[2]},
                       .pixel = actor->pixel_size};
}

bool outline_lists_make(OutlineLists *lists, VisibleLists *visible, const GlApi *gl,
                        const Target *target, const Actor *actor, const View *view, Arena *arena)
{
    const Mesh *mesh = actor->mesh;
    const size_t largest = actor->edge_width != 0.0f ? count_indices(actor) : 0;
    HullSpace space = hull_space(target, actor, view);

    if (!visible_lists_possible(target, view) || largest < LEAST_INDICES)
        return false;
    lists->visible = visible;
    reserve(lists, mesh, largest, arena);
    occlusion_read(&visible->occlusion, target, gl, actor->area, arena);

    const size_t vertex_count = mesh->pmx->vertex_count;
    const uint32_t *indices = mesh_map(gl, mesh->indices, mesh->index_count * sizeof *indices);
    space.vertices =
        mesh_map(gl, deform_buffer(&actor->deform), vertex_count * sizeof *space.vertices);
    space.edge_scales = mesh_map(gl, mesh->edge_scales, vertex_count * sizeof *space.edge_scales);
    const bool mapped = indices != NULL && space.vertices != NULL && space.edge_scales != NULL;
    if (mapped)
        add_materials(lists, &space, actor, indices);
    gl->UnmapNamedBuffer(mesh->edge_scales);
    gl->UnmapNamedBuffer(deform_buffer(&actor->deform));
    gl->UnmapNamedBuffer(mesh->indices);
    if (mapped)
        visible_lists_upload(visible, gl);
    return mapped;
}
