// SPDX-License-Identifier: MIT
/*
 * scene_drawer.h - from the evaluated state of a scene to a finished image
 *
 * Owns the renderer of a scene with its background video.  Renders the state and applies the look
 * of the scene (picture/look/README.md).  A frame does not depend on the frames drawn before.  Not
 * thread-safe.
 */
#pragma once

#include "base/diag.h"
#include "base/image.h"
#include "film/film_types.h"
#include "picture/passes/pass.h"
#include "render/renderer.h"

typedef struct SceneDrawer SceneDrawer;

/* context: of gl_create, which the drawer owns from then on, also after an error.  The film must
 * outlive it.  NULL after an error. */
SceneDrawer *scene_drawer_open(const Film *film, size_t scene, GlContext *context, Diag *diag);
void scene_drawer_close(SceneDrawer *drawer); /* NULL is fine */

Renderer *scene_drawer_renderer(const SceneDrawer *drawer);

/* What follows needs the context of the renderer to be current, and adds CPU times to `times`,
 * whose current lap it begins. */

/* image->pixels: as for render_frame.  packed: the states of the scene (film/sub_frames.h).  frame:
 * an output frame of the scene. */
bool scene_drawer_draw(Image *image, SceneDrawer *drawer, FrameTimes *times, const void *packed,
                       int64_t frame, Diag *diag);

/*
 * Draws the passes of the same frame, all images of the film but the picture, which was drawn
 * before if an output takes it.
 *
 * images  [film->image_count] with pixels; that of the picture is not changed
 */
bool scene_drawer_draw_passes(Image *images, SceneDrawer *drawer, const void *packed, int64_t frame,
                              Diag *diag);

/* The part of a pass that is set: outside of it is nothing. */
ImageRect scene_drawer_part(const SceneDrawer *drawer, Pass pass);
