// SPDX-License-Identifier: MIT
/*
 * render_fixture.h - scenes of models in memory, and their frame at rest
 */
#ifndef SUPPORT_RENDER_FIXTURE_H
#define SUPPORT_RENDER_FIXTURE_H

#include "evaluate/frame.h"
#include "scene/scene.h"

enum { RENDER_FIXTURE_MODELS = 4 };

typedef struct RenderFixture {
    Arena *arena;
    Model models[RENDER_FIXTURE_MODELS];
    SceneModel entries[RENDER_FIXTURE_MODELS];
    Scene scene;
    FrameState *state; /* created by render_fixture_rest */
} RenderFixture;

/* Adds a model at the origin, with edges; `textures` has pmx.texture_count images (or NULLs). */
SceneModel *render_fixture_add(RenderFixture *fixture, PmxModel pmx, const Image **textures);

/* After the last model: a frame with every bone, material and weight as the files have them. */
FrameState *render_fixture_rest(RenderFixture *fixture);

/* An image of one color, and one of four quarters: upper left, upper right, lower left, lower
 * right. */
Image *render_fixture_flat(Arena *arena, const uint8_t rgba[4]);
Image *render_fixture_quarters(Arena *arena, const uint8_t colors[4][4]);

#endif
