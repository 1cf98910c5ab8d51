// SPDX-License-Identifier: MIT
/*
 * ssao_surfaces.h - which materials ambient occlusion darkens (README.md 6.1)
 */
#pragma once

#include "base/arena.h"
#include "picture/look/look_options.h"
#include "scene/scene.h"

/* [number of ids of GeometryImage.ids]: by the numbers of the materials of all models, from 1.  In
 * the arena. */
bool *ssao_surfaces_find(const SsaoOptions *options, const Scene *scene, Arena *arena);
