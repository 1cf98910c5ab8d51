// SPDX-License-Identifier: MIT
/*
 * frame_drawer.h - from the evaluated states of a frame to its finished images
 *
 * Draws the scene that the frame shows, or both scenes of a transition, and titles and pictures.
 * Each scene has an OpenGL context with its meshes and textures, which exists from its first frame
 * on until a frame of a later scene is drawn, so that memory does not grow with the number of
 * scenes.  A frame does not depend on the frames drawn before, unless effects find there what they
 * drew (frame_drawer_continue).  One per worker process; not thread-safe.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/image.h"
#include "film/film_types.h"
#include "render/effects/pass_times.h"
#include "render/frame_stages.h"
#include "render/gl/gl.h"

typedef struct FrameDrawerOptions {
    bool time_stages; /* renderer_time_stages */
    bool time_passes; /* renderer_time_passes */
    bool keep;        /* scenes are not closed: another process, which was forked, shares them */
} FrameDrawerOptions;

typedef struct FrameDrawer FrameDrawer;

/* The film must outlive it; it is in the arena. */
FrameDrawer *frame_drawer_create(const Film *film, Arena *arena);
void frame_drawer_set(FrameDrawer *drawer, FrameDrawerOptions options);
void frame_drawer_destroy(FrameDrawer *drawer); /* NULL is fine */

/* Opens a scene before its first frame.  context: of gl_create, which the drawer owns from then on,
 * also after an error; NULL: one is created. */
bool frame_drawer_open(FrameDrawer *drawer, size_t scene, GlContext *context, Diag *diag);

/* renderer_continue for the frames that follow. */
void frame_drawer_continue(FrameDrawer *drawer, bool on);

/* image->pixels: as for render_frame.  packed: as frame_state_source_read wrote it. */
bool frame_drawer_draw(Image *image, FrameDrawer *drawer, const void *packed, int64_t frame,
                       Diag *diag);

/*
 * Draws the passes of the same frame, all images of the film but the picture, which was drawn
 * before if an output takes it.  In a transition they are those of the scene that is seen more.
 *
 * images  [film->image_count] with pixels; that of the picture is not changed
 */
bool frame_drawer_draw_passes(Image *images, FrameDrawer *drawer, const void *packed, int64_t frame,
                              Diag *diag);

/* The parts of the images of that frame, [film->image_count], that are set: outside of them is
 * nothing. */
void frame_drawer_parts(ImageRect *parts, const FrameDrawer *drawer);

/* CPU times of the last frame.  The current lap began when its picture was finished, or its passes
 * were begun: the caller adds it to STAGE_OTHER. */
FrameTimes *frame_drawer_times(FrameDrawer *drawer);

/* Adds the times of the passes of effects since the last call; [pass_count] of all scenes. */
void frame_drawer_take_pass_times(FxPassTime *sums, const FrameDrawer *drawer);
