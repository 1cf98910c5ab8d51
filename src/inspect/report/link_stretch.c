// SPDX-License-Identifier: MIT
#include "inspect/report/link_stretch.h"

#include <math.h>
#include <stdlib.h>

static const double MIN_LENGTH = 0.05; /* MMD units; the ratio of a shorter link says nothing */

static double distance(const float a[3], const float b[3])
{
    const double d[3] = {(double)a[0] - (double)b[0], (double)a[1] - (double)b[1],
                         (double)a[2] - (double)b[2]};
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

static double rest_length(const PmxModel *pmx, uint32_t bone)
{
    const int32_t parent = pmx->bones[bone].parent;
    return parent < 0 ? 0 : distance(pmx->bones[bone].position, pmx->bones[parent].position);
}

LinkStretches link_stretches_create(const Scene *scene, Arena *arena)
{
    LinkStretches links = {
        .scene = scene, .state = frame_state_create(scene, arena), .arena = arena};
    for (size_t m = 0; m < scene->model_count; m++) {
        const Model *model = scene->models[m].model;
        for (uint32_t b = 0; scene->models[m].spec.physics && b < model->pmx.bone_count; b++)
            if (model->dynamics.mover[b] >= 0 && rest_length(&model->pmx, b) >= MIN_LENGTH)
                *arena_push(arena, &links) = (LinkStretch){.model = m, .bone = b};
    }
    return links;
}

void link_stretches_add(LinkStretches *links, int64_t frame, const void *packed)
{
    frame_state_unpack(links->state, packed, links->scene);
    for (size_t i = 0; i < links->count; i++) {
        LinkStretch *link = &links->items[i];
        const PmxModel *pmx = &links->scene->models[link->model].model->pmx;
        const BonePose *bones = links->state->models[link->model].bones;
        const double ratio =
            distance(bones[link->bone].position, bones[pmx->bones[link->bone].parent].position) /
            rest_length(pmx, link->bone);
        if (ratio > link->ratio) {
            link->ratio = ratio;
            link->frame = frame;
        }
    }
}

static int compare_links(const void *a, const void *b)
{
    const LinkStretch *x = a, *y = b;
    if (x->ratio != y->ratio)
        return x->ratio > y->ratio ? -1 : 1;
    if (x->model != y->model)
        return x->model < y->model ? -1 : 1;
    return (x->bone > y->bone) - (x->bone < y->bone);
}

void link_stretches_sort(LinkStretches *links)
{
    if (links->count)
        qsort(links->items, links->count, sizeof *links->items, compare_links);
}
