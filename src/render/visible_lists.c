#include "render/visible_lists.h"

bool visible_lists_possible(const Target *target, const View *view)
{
    return target->spec.samples <= 1 && view->reversed_depth;
}

void visible_lists_begin(VisibleLists *lists, const Mesh *mesh, size_t index_count, Arena *arena)
{
    const uint32_t vertex_count = mesh->pmx->vertex_count;

    if (vertex_count > lists->vertex_capacity) {
        lists->vertices = arena_array(arena, ScreenVertex, vertex_count);
        lists->vertex_capacity = vertex_count;
    }
    if (index_count > lists->index_capacity) {
        lists->indices = arena_array(arena, uint32_t, index_count);
        lists->index_capacity = index_count;
    }
    lists->index_count = 0;
}

VisibleRange visible_lists_add(VisibleLists *lists, OcclusionFaces faces, const uint32_t *indices,
                               size_t count)
{
    const size_t first = lists->index_count;
    const size_t kept = occlusion_keep(lists->indices + first, &lists->occlusion, faces,
                                       lists->vertices, indices, count);

    lists->index_count += kept;
    return (VisibleRange){first, kept};
}

void visible_lists_upload(VisibleLists *lists, const GlApi *gl)
{
    if (lists->index_count > lists->buffer_capacity) {
        gl->DeleteBuffers(1, &lists->buffer);
        lists->buffer = mesh_buffer(gl, lists->index_capacity * sizeof *lists->indices, NULL,
                                    GL_DYNAMIC_STORAGE_BIT);
        lists->buffer_capacity = lists->index_capacity;
    }
    if (lists->index_count > 0)
        gl->NamedBufferSubData(lists->buffer, 0,
                               (GLsizeiptr)(lists->index_count * sizeof *lists->indices),
                               lists->indices);
}
