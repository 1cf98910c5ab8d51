// SPDX-License-Identifier: MIT
/*
 * ssao_surfaces.h - which materials ambient occlusion darkens (README.md 6.1)
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "scene/scene.h"

typedef struct SsaoSurfaces {
    bool faces;                 /* faces too */
    const char *const *exclude; /* names of materials that are not darkened */
    size_t exclude_count;
} SsaoSurfaces;

/* [number of ids of GeometryImage.ids]: by the numbers of the materials of all models, from 1.  In
 * the arena. */
bool *ssao_surfaces_find(const SsaoSurfaces *surfaces, const Scene *scene, Arena *arena);
