// SPDX-License-Identifier: MIT
#include "render/model/motion.h"

#include <string.h>

enum { BINDING_FIRST = 4 }; /* vertex buffer bindings of the moments, after those of deform.c */

/* A shape that is neither the own one nor that of the other moment. */
static int free_shape(const Deform *deform, int other)
{
    int index = 0;

    while (index == deform->own || index == other)
        index++;
    return index;
}

/* The shapes of the moments, of which those that are not known yet are skinned. */
static void find_shapes(int shapes[MOTION_MOMENTS], Actor *actor, const DeformPrograms *programs,
                        const ModelState *const states[MOTION_MOMENTS])
{
    Deform *deform = &actor->deform;
    bool skinned = false;

    for (int i = 0; i < MOTION_MOMENTS; i++)
        shapes[i] = states[i]->visible ? deform_find_shape(deform, states[i]) : deform->own;
    for (int i = 0; i < MOTION_MOMENTS; i++) {
        if (shapes[i] >= 0)
            continue;
        shapes[i] = free_shape(deform, shapes[MOTION_MOMENTS - 1 - i]);
        deform_skin_other(deform, programs, states[i], shapes[i]);
        skinned = true;
    }
    if (skinned)
        deform_restore(deform, actor->state);
}

void motion_update(ActorMotion *motion, Actor *actor, const DeformPrograms *programs,
                   const FrameState *const moments[MOTION_MOMENTS], size_t number, const View *view,
                   int width, int height)
{
    const GlApi *gl = actor->mesh->gl;
    const ModelState *states[MOTION_MOMENTS];
    int shapes[MOTION_MOMENTS];

    for (int i = 0; i < MOTION_MOMENTS; i++) {
        const ModelState *other = states[i] = &moments[i]->models[number];
        const View moment = view_of(&moments[i]->camera, &moments[i]->light, width, height);
        const ModelBlock block = other->visible ? view_for_model(&moment, &other->placement)
                                                : view_for_model(view, &actor->state->placement);

        memcpy(motion->clip[i], block.clip, sizeof block.clip);
    }
    if (motion->vertices == 0) {
        motion->vertices = deform_vertex_array(&actor->deform);
        for (GLuint i = 0; i < MOTION_MOMENTS; i++)
            deform_attribute(gl, motion->vertices, DEFORM_EXTRA + 1 + i, BINDING_FIRST + i, 3,
                             offsetof(DeformVertex, position));
    }
    find_shapes(shapes, actor, programs, states);
    gl->VertexArrayVertexBuffer(motion->vertices, DEFORM_SKINNED, deform_buffer(&actor->deform), 0,
                                sizeof(DeformVertex));
    for (int i = 0; i < MOTION_MOMENTS; i++)
        gl->VertexArrayVertexBuffer(motion->vertices, BINDING_FIRST + (GLuint)i,
                                    actor->deform.shapes[shapes[i]].buffer, 0,
                                    sizeof(DeformVertex));
}
