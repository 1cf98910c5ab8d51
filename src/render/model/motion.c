#include "render/model/motion.h"

#include <string.h>

enum { BINDING_FIRST = 4 }; /* vertex buffer bindings of the moments, after those of deform.c */

static void create_array(ActorMotion *motion, const Actor *actor, const GlApi *gl)
{
    motion->vertices = deform_vertex_array(&actor->deform, gl);
    for (GLuint i = 0; i < MOTION_MOMENTS; i++) {
        const GLuint location = DEFORM_EXTRA + 1 + i;

        gl->EnableVertexArrayAttrib(motion->vertices, location);
        gl->VertexArrayAttribFormat(motion->vertices, location, 3, GL_FLOAT, GL_FALSE,
                                    offsetof(DeformVertex, position));
        gl->VertexArrayAttribBinding(motion->vertices, location, BINDING_FIRST + i);
    }
}

/* A shape that is neither the own one nor that of the other moment. */
static int free_shape(const Deform *deform, int other)
{
    int index = 0;

    while (index == deform->own || index == other)
        index++;
    return index;
}

/* The shapes of the moments, of which those that are not known yet are skinned. */
static void find_shapes(int shapes[MOTION_MOMENTS], Actor *actor, const GlApi *gl,
                        const DeformPrograms *programs,
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
        deform_skin_other(deform, gl, programs, states[i], shapes[i]);
        skinned = true;
    }
    if (skinned)
        deform_restore(deform, gl, actor->state);
}

static void bind_shapes(const ActorMotion *motion, const GlApi *gl, const Deform *deform,
                        const int shapes[MOTION_MOMENTS])
{
    gl->VertexArrayVertexBuffer(motion->vertices, DEFORM_SKINNED, deform_buffer(deform), 0,
                                sizeof(DeformVertex));
    for (int i = 0; i < MOTION_MOMENTS; i++)
        gl->VertexArrayVertexBuffer(motion->vertices, BINDING_FIRST + (GLuint)i,
                                    deform->shapes[shapes[i]].buffer, 0, sizeof(DeformVertex));
}

static void update_actor(ActorMotion *motion, Actor *actor, const GlApi *gl,
                         const DeformPrograms *programs,
                         const FrameState *const moments[MOTION_MOMENTS], size_t number, int width,
                         int height, const View *own)
{
    const ModelState *states[MOTION_MOMENTS];
    int shapes[MOTION_MOMENTS];

    for (int i = 0; i < MOTION_MOMENTS; i++) {
        const ModelState *other = states[i] = &moments[i]->models[number];
        const View view = view_of(&moments[i]->camera, &moments[i]->light, width, height);
        const ModelBlock block = other->visible ? view_for_model(&view, &other->placement)
                                                : view_for_model(own, &actor->state->placement);

        memcpy(motion->clip[i], block.clip, sizeof block.clip);
    }
    if (motion->vertices == 0)
        create_array(motion, actor, gl);
    find_shapes(shapes, actor, gl, programs, states);
    bind_shapes(motion, gl, &actor->deform, shapes);
}

void motion_update(Motion *motion, const GlApi *gl, Actor *actors, size_t actor_count,
                   const DeformPrograms *programs, const FrameState *const moments[MOTION_MOMENTS],
                   const View *view, int width, int height, Arena *arena)
{
    if (motion->items == NULL)
        motion->items = arena_array(arena, ActorMotion, actor_count);
    for (size_t i = 0; i < actor_count; i++)
        if (actors[i].visible)
            update_actor(&motion->items[i], &actors[i], gl, programs, moments, i, width, height,
                         view);
}
