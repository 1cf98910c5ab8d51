// SPDX-License-Identifier: MIT
/*
 * pass_painter.h - draws the passes of a frame that a renderer has prepared
 *
 * One per worker process.  The geometry of a frame is drawn once for all of its passes.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "picture/passes/pass_settings.h"
#include "render/renderer.h"
#include "scene/scene.h"

/* Bytes for the text of a frame (PIXEL_TEXT). */
size_t pass_text_size(const Scene *scene);

typedef struct PassPainter PassPainter;

/* The labels of the masks that other scenes have before those of a scene. */
typedef struct PassLabels {
    size_t models, materials;
} PassLabels;

/*
 * passes         [count] those that will be painted, without PASS_BEAUTY
 * width, height  of the finished images, as in the RenderOptions
 * The scene must outlive the painter, which is in the arena.
 */
PassPainter *pass_painter_create(const PassSettings *settings, const Scene *scene,
                                 PassLabels before, const Pass *passes, size_t count, int width,
                                 int height, Arena *arena);

/* The image that pass_painter_begin draws some passes into, which need no conversion; it is called
 * before with the image of every pass. */
void pass_painter_use(PassPainter *painter, Pass pass, const Image *image);

/* Draws the geometry of the frame that `renderer` has drawn or prepared, of this state.  Returns
 * false after an error was reported. */
bool pass_painter_begin(PassPainter *painter, Renderer *renderer, const FrameState *state,
                        Diag *diag);

/* Draws a pass of that frame; image->pixels has width * height pixels of pass_format(pass), or
 * pass_text_size bytes.  Returns false after an
 * error was reported. */
bool pass_painter_paint(Image *image, PassPainter *painter, Renderer *renderer, Pass pass,
                        Diag *diag);

/* The part of that image that is set; outside of it there is nothing.  All of it for passes that
 * other files than those of layers take. */
ImageRect pass_painter_part(const PassPainter *painter, Pass pass);
