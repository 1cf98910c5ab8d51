/*
 * frame_drawer.h - draws one output frame: its packed state to a finished image
 *
 * Renders the state and applies the look of the film (render/look/README.md).  A frame does not
 * depend on the frames drawn before, unless effects find there what they drew (renderer_continue).
 * One per worker process; not thread-safe.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/image.h"
#include "film/film_types.h"
#include "render/renderer.h"

typedef struct FrameDrawer FrameDrawer;

/* The film must outlive it. */
FrameDrawer *frame_drawer_create(const Film *film, Arena *arena);

/* image->pixels: as for render_frame.  packed: as frame_state_source_read wrote it. */
bool frame_drawer_draw(Image *image, FrameDrawer *drawer, Renderer *renderer, const void *packed,
                       int64_t frame, Diag *diag);

/*
 * Draws the passes of the same frame, all images of the film but the picture, which was drawn
 * before if an output takes it.
 *
 * images  [film->image_count] with pixels; that of the picture is not changed
 */
bool frame_drawer_draw_passes(Image *images, FrameDrawer *drawer, Renderer *renderer,
                              const void *packed, int64_t frame, Diag *diag);

/* The parts of the images, [film->image_count], that are set: outside of them is nothing. */
void frame_drawer_parts(ImageRect *parts, const FrameDrawer *drawer);

/* CPU times of the last frame.  The current lap began when its picture was finished, or its passes
 * were begun: the caller adds it to STAGE_OTHER. */
FrameTimes *frame_drawer_times(FrameDrawer *drawer);
