/*
 * frame_look.h - the look of a film, applied to the images of one frame
 *
 * Creates what the effects of look/ need and calls them in their order: on each rendered image
 * ambient occlusion and fast depth of field; on the finished frame glow, diffusion and grading
 * (render/look/README.md 1).  Not thread-safe.
 */
#ifndef RUN_PIPELINE_FRAME_LOOK_H
#define RUN_PIPELINE_FRAME_LOOK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/image.h"
#include "film/look_load.h"
#include "render/renderer.h"

typedef struct FrameLook FrameLook;

/* The film must outlive it. */
FrameLook *frame_look_create(const Film *film, Arena *arena);

/* Before the first image of a frame. */
void frame_look_begin(FrameLook *look);

/* After render_frame drew `state` into the image, one of `count` of the frame. */
bool frame_look_image(Image *image, FrameLook *look, Renderer *renderer, const FrameState *state,
                      int count, Diag *diag);

/* The frame, or the mean of its images. */
void frame_look_finish(Image *image, FrameLook *look, int64_t frame);

/* What is in focus, by the options of the film. */
float frame_look_focus(const FocusOptions *focus, const FrameState *state);

#endif
