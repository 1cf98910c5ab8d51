// SPDX-License-Identifier: MIT
#include "render/visible_lists.h"

bool visible_lists_begin(VisibleLists *lists, const DrawContext *context, const Mesh *mesh,
                         ImageRect area, size_t index_count)
{
    const uint32_t vertex_count = mesh->pmx->vertex_count;

    if (context->target.spec.samples > 1 || !context->view.reversed_depth)
        return false;
    if (vertex_count > lists->vertex_capacity) {
        lists->vertices = arena_array(context->arena, ScreenVertex, vertex_count);
        lists->vertex_capacity = vertex_count;
    }
    if (index_count > lists->index_capacity) {
        lists->indices = arena_array(context->arena, uint32_t, index_count);
        lists->index_capacity = index_count;
    }
    lists->index_count = 0;
    occlusion_read(&lists->occlusion, &context->target, area, context->arena);
    return true;
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
        lists->buffer = gl_buffer(gl, lists->index_capacity * sizeof *lists->indices, NULL,
                                  GL_DYNAMIC_STORAGE_BIT);
        lists->buffer_capacity = lists->index_capacity;
    }
    if (lists->index_count > 0)
        gl->NamedBufferSubData(lists->buffer, 0,
                               (GLsizeiptr)(lists->index_count * sizeof *lists->indices),
                               lists->indices);
}

void visible_lists_draw(const GlApi *gl, VisibleRange range)
{
    if (range.count > 0)
        gl_draw_indices(gl, GL_TRIANGLES, range.first, range.count);
}
