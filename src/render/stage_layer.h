// SPDX-License-Identifier: MIT
/*
 * stage_layer.h - the picture of the still parts of the stage, kept while neither they nor the view
 * change
 *
 * Stage models are drawn before everything else.  From the third frame with equal keys on their
 * color, depth and stencil are copied instead of drawn, and only where the frame draws on them;
 * the rest of the image is copied from the finished picture of the stage.  What is copied is what
 * would be drawn, so the pixels do not depend on which frames a process has drawn before.  Only for
 * surfaces with one sample per pixel.
 *
 * A stage with self-shadows is kept with those of the stages alone.  It is drawn again where other
 * shadows are: where the surfaces look up texels that differ between the two maps.
 *
 * What moves is not in the picture.  Inside of rectangles around it, it is drawn on a copy, with
 * the still parts after it, or all of the stage is drawn again: so blending, outlines and equal
 * depths are those of a frame that is drawn as a whole.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "evaluate/frame_state.h"
#include "render/shadow/shadow_tiles.h"
#include "render/target.h"
#include "render/view.h"

/* All that decides the pixels of a frame besides its models, compared as bytes: what is added here
 * is compared, so that nothing that is kept outlives a change of it. */
typedef struct FrameKey {
    View view;
    ShadowState shadow;
    float ground_color[4]; /* color and opacity of ground shadows */
    unsigned background;   /* changes with the background image, and with its color */
} FrameKey;

typedef struct StageLayerKey {
    FrameKey frame;
    ImageRect window;
    size_t actors; /* the visible stage models among the first `actors` ones belong to it */
    unsigned sets; /* DrawContext.kept_sets: which of their materials */
    bool shadows;  /* they have shadows: those that ShadowMap.has_stages is about */
} StageLayerKey;

typedef struct StageLayer {
    StageLayerKey key; /* key of the last frame */
    bool has_key;
    bool valid;        /* the layer has the picture of `key` */
    int width, height; /* size of its buffers */
    GLuint framebuffer, buffers[2];
    uint8_t *image; /* finished, premultiplied; NULL before the first one */
    float *depths;  /* of the finished size; NULL before the first ones */
    bool has_depths;
    ShadowTiles tiles; /* of `key`, if it has shadows */
} StageLayer;

typedef enum StageLayerUse {
    STAGE_LAYER_NONE, /* draw the stage */
    STAGE_LAYER_SAVE, /* draw the stage, then call stage_layer_save */
    STAGE_LAYER_KEPT  /* call stage_layer_restore instead */
} StageLayerUse;

/* Call it for each frame; what belongs to the picture is that of the frame before.
 * key  NULL: there are none */
StageLayerUse stage_layer_next(StageLayer *layer, const StageLayerKey *key);

/* Copies the target, on which the stage was just drawn.  Returns false after an error was reported.
 */
bool stage_layer_save(StageLayer *layer, const Target *target, Arena *arena, Diag *diag);

/* The depths of the finished picture of the stage (target_read_depths); 0: nothing. */
const float *stage_layer_depths(StageLayer *layer, Target *target, Arena *arena);

/* Copies the rectangle `area` of the image back to the target. */
void stage_layer_restore(const StageLayer *layer, const Target *target, ImageRect area);
