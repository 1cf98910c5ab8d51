// SPDX-License-Identifier: MIT
#include "render/magnified.h"

#include <math.h>

#include "render/screen_space.h"

/* Indices of a material that is examined: skies and other far surfaces have few triangles. */
enum { MAX_INDICES = 3 * 4096 };

typedef struct Corner {
    vec3 position;
    float clip[4], uv[2]; /* uv in texels */
} Corner;

/* Where samples are, in model space. */
typedef struct SampleSpace {
    ScreenSpace screen;
    vec3 eye;
    float side; /* of a sample at distance 1 */
} SampleSpace;

/* Whether all corners are outside of one plane of the view. */
static bool is_outside(const Corner corners[3])
{
    for (int axis = 0; axis < 3; axis++) {
        int above = 0, below = 0;

        for (int i = 0; i < 3; i++) {
            above += corners[i].clip[axis] > corners[i].clip[3];
            below += corners[i].clip[axis] < (axis < 2 ? -corners[i].clip[3] : 0.0f);
        }
        if (above == 3 || below == 3)
            return true;
    }
    return false;
}

/*
 * Whether samples beside each other are at most a texel apart wherever the triangle is seen.  A
 * sample at the distance r is at most r * side wide.  On a plane at the distance d from the eye it
 * is at most r / d times as long, and with gradients g and h of the texture coordinates there
 * sqrt(g g + h h) times as many texels.  The triangle's area is a factor of both sides.
 */
static bool is_magnified(Corner corners[3], SampleSpace *samples)
{
    vec3 a, b, normal, to_eye;
    float gradients = 0.0f, farthest = 0.0f;

    glm_vec3_sub(corners[1].position, corners[0].position, a);
    glm_vec3_sub(corners[2].position, corners[0].position, b);
    glm_vec3_cross(a, b, normal);
    if (glm_vec3_norm2(normal) == 0.0f)
        return true; /* without area, not drawn */
    for (int i = 0; i < 3; i++) {
        glm_vec3_sub(samples->eye, corners[i].position, to_eye);
        farthest = fmaxf(farthest, glm_vec3_norm2(to_eye));
    }
    for (int k = 0; k < 2; k++) {
        const float along_a = corners[1].uv[k] - corners[0].uv[k];
        const float along_b = corners[2].uv[k] - corners[0].uv[k];

        gradients += along_a * along_a * glm_vec3_norm2(b) -
                     2.0f * along_a * along_b * glm_vec3_dot(a, b) +
                     along_b * along_b * glm_vec3_norm2(a);
    }
    return sqrtf(fmaxf(gradients, 0.0f)) * farthest * samples->side <=
           fabsf(glm_vec3_dot(normal, to_eye));
}

static bool material_is_magnified(const Actor *actor, uint32_t number, SampleSpace *samples,
                                  const uint32_t *indices, const DeformVertex *vertices)
{
    const MeshMaterial *material = &actor->mesh->materials[number];
    const MaterialTextures *textures = &actor->textures[number];
    const float *uvs = deform_uvs(&actor->deform);
    Corner corners[3];

    for (size_t i = 0; i < material->count; i++) {
        const size_t vertex = indices[material->first + i];
        Corner *corner = &corners[i % 3];

        memcpy(corner->position, vertices[vertex].position, sizeof corner->position);
        screen_clip(corner->clip, &samples->screen, corner->position);
        corner->uv[0] = uvs[2 * vertex] * (float)textures->width;
        corner->uv[1] = uvs[2 * vertex + 1] * (float)textures->height;
        if (i % 3 == 2 && !is_outside(corners) && !is_magnified(corners, samples))
            return false;
    }
    return true;
}

static bool is_candidate(const Actor *actor, uint32_t number)
{
    const MeshMaterial *material = &actor->mesh->materials[number];

    return actor->in_view[number] && actor->textures[number].texture != 0 &&
           material->mode == GL_TRIANGLES && material->count <= MAX_INDICES;
}

void magnified_find(Actor *actor, const DrawContext *context)
{
    const uint32_t end = actor->mesh->pmx->material_count;
    const View *view = &context->view;
    const uint32_t *indices;
    const DeformVertex *vertices;
    bool any = false;

    for (uint32_t i = 0; i < end; i++) {
        actor->magnified[i] = false;
        any |= is_candidate(actor, i);
    }
    if (!any || !actor->entry->spec.stage || !view->reversed_depth)
        return;
    const ModelBlock block = view_for_model(view, &actor->state->placement);
    SampleSpace samples = {.screen = screen_space(&context->target, (const float(*)[4])block.clip),
                           .side = view->pixel_size};
    memcpy(samples.eye, block.eye, sizeof samples.eye);
    if (deform_map(&actor->deform, &indices, &vertices))
        for (uint32_t i = 0; i < end; i++)
            actor->magnified[i] = is_candidate(actor, i) &&
                                  material_is_magnified(actor, i, &samples, indices, vertices);
    deform_unmap(&actor->deform);
}
