// SPDX-License-Identifier: MIT
/*
 * renderer.h - draws a FrameState into an Image
 *
 * A Renderer owns one GL context with the meshes and textures of the scene.  Create, use and
 * destroy it in one thread.  A frame does not depend on the frames drawn before.
 * Shading follows MMD, on stored sRGB values (render/README.md).
 */
#pragma once

#include "base/diag.h"
#include "base/image.h"
#include "evaluate/frame_state.h"
#include "render/effects/pass_times.h"
#include "render/frame_stages.h"
#include "render/geometry_image.h"
#include "render/render_options.h"
#include "render/view.h"
#include "scene/scene.h"

typedef struct Renderer Renderer;

/* Returns NULL after an error was reported. */
Renderer *renderer_create(const Scene *scene, const RenderOptions *options, Diag *diag);

/* The same in a context of gl_create, which the renderer owns from then on, also after an error:
 * for a process that confines itself between the two. */
Renderer *renderer_create_in(GlContext *context, const Scene *scene, const RenderOptions *options,
                             Diag *diag);
void renderer_destroy(Renderer *renderer);

/* With several renderers in a process: makes the context of this one current.  False after an
 * error. */
bool renderer_use(Renderer *renderer, Diag *diag);

/* Replaces the background image of the following frames; any size. */
void renderer_set_background(Renderer *renderer, const Image *image);

/* Draws the following frames from a place on a lens; NULL: from its middle. */
void renderer_set_lens(Renderer *renderer, const RenderLens *lens);

/* image->pixels has a capacity of width * height * 4 bytes. */
bool render_frame(Image *image, Renderer *renderer, const FrameState *state, Diag *diag);

/* Updates shapes and visibility for a frame whose picture is not drawn.  render_frame does it too.
 */
void render_prepare(Renderer *renderer, const FrameState *state);

/* Depth, materials, normals and motion of the frame that was prepared last.  wanted: GEOMETRY_*
 * bits, the same in every call. */
bool render_geometry(GeometryImage *out, Renderer *renderer, unsigned wanted, Diag *diag);

/*
 * The distance along the view of the nearest surface or outline that each pixel of the frame that
 * render_frame drew last shows, without effects; 0: nothing.  Unlike those of render_geometry they
 * belong to the colors of the picture, and cost little.  Only for perspective views.
 */
bool render_distances(float *out, Renderer *renderer, Diag *diag);

/* The frames before and after the one that was prepared last, for GEOMETRY_MOTION. */
void render_set_moments(Renderer *renderer, const FrameState *before, const FrameState *after);

/* The numbers of the materials, as in GeometryImage.ids, at scale x scale places of each pixel of
 * the frame that was prepared last: [width * height][scale * scale] of `size` bytes, at least
 * geometry_label_size.
 * Only those in `part`, which contains all surfaces, are set. */
bool render_labels(void *out, ImageRect *part, Renderer *renderer, int scale, size_t size,
                   Diag *diag);

/* Grey images in which white is nothing, as large and antialiased as the picture. */
typedef enum RenderOverlay {
    RENDER_LINES,  /* the outlines that the picture shows, in black */
    RENDER_SHADOWS /* ground shadows, and self-shadows on their receivers: black where no light is
                    */
} RenderOverlay;

/* Draws an overlay of the frame that was prepared last, with the depths of its picture, which is
 * drawn first unless render_frame did.  image->pixels as for render_frame. */
bool render_overlay(Image *image, Renderer *renderer, RenderOverlay overlay, Diag *diag);

/*
 * Adds `weight` times the light of the materials that glow, in the frame that render_frame drew
 * last, to `out`: stored values, 1 is white, pixels of half the image's size, rounded up.
 */
bool render_emission(float (*out)[3], float weight, Renderer *renderer, Diag *diag);

/* Enables timing of the stages, each of which a glFinish then ends.  Without it the whole time of a
 * frame is in STAGE_OTHER. */
void renderer_time_stages(Renderer *renderer, bool on);
const FrameTimes *renderer_times(const Renderer *renderer); /* times of the last render_frame */

/* Whether the frames that follow continue those before: effects find on their targets what they
 * drew in the frame before.  Without effects it does nothing. */
void renderer_continue(Renderer *renderer, bool on);

/* Measures the passes of effects, too (render/effects/pass_times.h); take: adds the times since the
 * last call.  Without effects they do nothing. */
void renderer_time_passes(Renderer *renderer);
void renderer_take_pass_times(FxPassTime *sums, Renderer *renderer);

/* Skinned positions of a model as the GL computes them (transform feedback), in model space,
 * [vertex_count][3], in the vertex order of the file.  Draws no image. */
bool renderer_skin_positions(float (*positions)[3], Renderer *renderer, const FrameState *state,
                             size_t model, Diag *diag);
