// SPDX-License-Identifier: MIT
#include "picture/look/ssao_surfaces.h"

#include <math.h>
#include <string.h>

#include "picture/passes/face.h"
#include "picture/passes/keypoints.h"

enum { PANEL_BROW = 1, PANEL_MOUTH = 3 }; /* of morphs: brows, eyes, mouth */

/* The part of a material's corners that morphs or eyes move, from which on it is a face: a mouth
 * and lids are a tenth of the skin that they are in. */
static const float MOVED_PART = 0.04f;
/* Distance from the middle of the eyes within which parts of the head are of the face, in distances
 * of the eyes: eyes end at 1, hair and ears are farther. */
static const float NEAR = 1.25f;

typedef struct Finder {
    const PmxModel *pmx;
    SkeletonPoint eyes[2];
    int32_t head;    /* bone; -1: none */
    float middle[3]; /* between the eyes */
    float apart;     /* distance of the eyes */
    bool *moved;     /* [vertex_count] by a morph of the face */
} Finder;

static void find_moved(Finder *f)
{
    for (uint32_t m = 0; m < f->pmx->morph_count; m++) {
        const PmxMorph *morph = &f->pmx->morphs[m];
        if (morph->type != PMX_MORPH_VERTEX || morph->panel < PANEL_BROW ||
            morph->panel > PANEL_MOUTH)
            continue;
        for (uint32_t i = 0; i < morph->count; i++)
            f->moved[morph->offsets.vertex[i].vertex] = true;
    }
}

/* Whether a bone is the head or one of an eye, or below one, as those of highlights are. */
static bool is_of_head(const Finder *f, int32_t bone)
{
    while (bone >= 0 && bone != f->head && bone != f->eyes[0].bone && bone != f->eyes[1].bone)
        bone = f->pmx->bones[bone].parent;
    return bone >= 0;
}

static bool is_near(const Finder *f, const float at[3])
{
    float square = 0;

    for (int c = 0; c < 3; c++)
        square += (at[c] - f->middle[c]) * (at[c] - f->middle[c]);
    return square <= NEAR * NEAR * f->apart * f->apart;
}

static bool is_face(const Finder *f, uint32_t first, uint32_t count)
{
    uint32_t moved = 0, near = 0;

    for (uint32_t i = first; i < first + count; i++) {
        const PmxVertex *v = &f->pmx->vertices[f->pmx->indices[i]];
        const int32_t bone = face_main_bone(v);
        if (!is_of_head(f, bone))
            continue;
        moved += f->moved[f->pmx->indices[i]] || bone == f->eyes[0].bone || bone == f->eyes[1].bone;
        near += is_near(f, v->position);
    }
    return count > 0 && (near == count || (float)moved >= MOVED_PART * (float)count);
}

/* Clears what belongs to the face of a model. */
static void spare_face(bool *darkens, const Model *model)
{
    const PmxModel *pmx = &model->pmx;
    Arena *scratch = arena_create();
    Finder f = {.pmx = pmx};

    if (skeleton_find_eyes(f.eyes, model, scratch)) {
        f.head = model_find_bone(model, "頭");
        for (int c = 0; c < 3; c++)
            f.middle[c] = (f.eyes[0].rest[c] + f.eyes[1].rest[c]) / 2;
        f.apart = fabsf(f.eyes[1].rest[0] - f.eyes[0].rest[0]);
        f.moved = arena_array(scratch, bool, pmx->vertex_count);
        find_moved(&f);
        for (uint32_t m = 0, first = 0; m < pmx->material_count; m++) {
            darkens[m] &= !is_face(&f, first, pmx->materials[m].index_count);
            first += pmx->materials[m].index_count;
        }
    }
    arena_destroy(scratch);
}

bool *ssao_surfaces_find(const SsaoOptions *options, const Scene *scene, Arena *arena)
{
    size_t count = 1, id = 1;

    for (size_t i = 0; i < scene->model_count; i++)
        count += scene->models[i].model->pmx.material_count;
    bool *darkens = arena_array(arena, bool, count);
    for (size_t i = 0; i < scene->model_count; i++) {
        const PmxModel *pmx = &scene->models[i].model->pmx;

        for (uint32_t m = 0; m < pmx->material_count; m++) {
            const PmxMaterial *material = &pmx->materials[m];
            darkens[id + m] = material->flags & PMX_RECEIVE_SHADOW;
            for (size_t e = 0; e < options->exclude_count; e++)
                darkens[id + m] &= strcmp(options->exclude[e], material->name) != 0;
        }
        if (!options->faces)
            spare_face(darkens + id, scene->models[i].model);
        id += pmx->material_count;
    }
    return darkens;
}
