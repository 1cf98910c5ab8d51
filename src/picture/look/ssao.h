// SPDX-License-Identifier: MIT
/*
 * ssao.h - ambient occlusion in screen space: corners and contacts get darker
 *
 * Formula and source: picture/look/README.md 6.  Works on pixels of half the size; alpha is kept.
 */
#pragma once

#include "base/arena.h"
#include "picture/look/effect.h"
#include "picture/look/look_options.h"
#include "scene/scene.h"

extern const LookEffect SSAO_EFFECT;

/* ---- surfaces ---- */

/* [number of ids of GeometryImage.ids]: by the numbers of the materials of all models, from 1.  In
 * the arena. */
bool *ssao_surfaces_find(const SsaoOptions *options, const Scene *scene, Arena *arena);
