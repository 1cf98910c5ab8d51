// SPDX-License-Identifier: MIT
#include "skin_model.h"

#include <string.h>

void skin_model(float (*positions)[3], float (*normals)[3], const Model *model,
                const ModelState *state)
{
    const PmxModel *pmx = &model->pmx;
    for (uint32_t i = 0; i < pmx->vertex_count; i++)
        memcpy(positions[i], pmx->vertices[i].position, sizeof positions[i]);
    for (uint32_t i = 0; i < pmx->morph_count; i++) {
        const PmxMorph *morph = &pmx->morphs[i];
        if (morph->type != PMX_MORPH_VERTEX || state->leaf_weights[i] == 0)
            continue;
        for (uint32_t k = 0; k < morph->count; k++) {
            const PmxVertexOffset *o = &morph->offsets.vertex[k];
            for (int axis = 0; axis < 3; axis++)
                positions[o->vertex][axis] += o->offset[axis] * state->leaf_weights[i];
        }
    }
    for (uint32_t i = 0; i < pmx->vertex_count; i++) {
        Vec3 position = vec3_load(positions[i]), normal = vec3_load(pmx->vertices[i].normal);
        skin_vertex(model, state, &pmx->vertices[i], &position, &normal);
        vec3_store(positions[i], position);
        if (normals)
            vec3_store(normals[i], vec3_normalize(normal));
    }
    for (uint32_t i = 0; i < state->cloth_count; i++) {
        const uint32_t vertex = state->cloth_vertices[i];
        memcpy(positions[vertex], state->cloth[i].position, sizeof positions[vertex]);
        if (normals)
            memcpy(normals[vertex], state->cloth[i].normal, sizeof normals[vertex]);
    }
}
