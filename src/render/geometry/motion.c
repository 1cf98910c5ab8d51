#include "render/geometry/motion.h"

#include <string.h>

enum { BINDING_FIRST = 4 }; /* vertex buffer bindings of the moments, after those of deform.c */

static GLuint positions_of(ActorMotion *motion, int moment, Actor *actor, const GlApi *gl,
                           const DeformPrograms *programs, const ModelState *state)
{
    GLuint *buffer = &motion->buffers[moment];

    if (*buffer == 0)
        *buffer = mesh_buffer(gl, actor->mesh->pmx->vertex_count * sizeof(DeformVertex), NULL,
                              GL_MAP_READ_BIT | GL_MAP_WRITE_BIT);
    deform_skin_other(&actor->deform, gl, programs, state, *buffer);
    return *buffer;
}

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

static void update_actor(ActorMotion *motion, Actor *actor, const GlApi *gl,
                         const DeformPrograms *programs,
                         const FrameState *const moments[MOTION_MOMENTS], size_t number, int width,
                         int height, const View *own)
{
    const ModelState *state = actor->state;
    bool same[MOTION_MOMENTS];

    for (int i = 0; i < MOTION_MOMENTS; i++) { /* before another shape is uploaded */
        const ModelState *other = &moments[i]->models[number];
        const View view = view_of(&moments[i]->camera, &moments[i]->light, width, height);
        const ModelBlock block = other->visible ? view_for_model(&view, &other->placement)
                                                : view_for_model(own, &state->placement);

        memcpy(motion->clip[i], block.clip, sizeof block.clip);
        same[i] = !other->visible || deform_has_shape(&actor->deform, other);
    }
    if (motion->vertices == 0)
        create_array(motion, actor, gl);
    for (int i = 0; i < MOTION_MOMENTS; i++) {
        const GLuint buffer =
            same[i] ? actor->deform.skinned
                    : positions_of(motion, i, actor, gl, programs, &moments[i]->models[number]);
        gl->VertexArrayVertexBuffer(motion->vertices, BINDING_FIRST + (GLuint)i, buffer, 0,
                                    sizeof(DeformVertex));
    }
    if (!same[MOTION_BEFORE] || !same[MOTION_AFTER])
        deform_restore(&actor->deform, gl, state);
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
