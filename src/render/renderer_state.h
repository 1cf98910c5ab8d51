// SPDX-License-Identifier: MIT
/*
 * renderer_state.h - what a Renderer holds; for renderer.c and its tests
 */
#pragma once

#include "render/depth_first.h"
#include "render/draw_context.h"
#include "render/effects/effects.h"
#include "render/emission.h"
#include "render/geometry.h"
#include "render/mirror.h"
#include "render/outline.h"
#include "render/panorama.h"
#include "render/renderer.h"
#include "render/shadow/ground_fill.h"
#include "render/shadow/ground_map.h"
#include "render/shadow/shadow.h"
#include "render/stage_layer.h"
#include "render/surface.h"

/* A frame that was drawn on the target, apart from its models, and where the image is. */
typedef struct Drawing {
    bool complete; /* nothing of the following is valid if not */
    FrameKey key;
    ImageRect area;                   /* drawn on */
    const uint8_t *background_pixels; /* the image outside of it; NULL: the background color */
} Drawing;

struct Renderer {
    Arena *arena;
    GlContext *context;
    RenderOptions options;
    DrawContext draw;
    DeformPrograms skinning;
    Surfaces surfaces;
    DepthFirst depth_first;
    Outlines outlines;
    VisibleLists visible;
    ShadowMap shadow;
    GroundMap ground;
    GroundFill ground_fill;
    Geometry geometry[2]; /* for passes and for the look, which want different values */
    Geometry labels;
    ActorMotion *motion; /* [actor_count]; NULL before the first frame with motion */
    Emission emission;
    Mirror mirror;
    StageLayer stage;
    Effects *effects; /* NULL: no effect runs */
    float effect_color[4];
    Image effect_scene;        /* what post-effects change; pixels NULL before the first */
    Image effect_background;   /* the background behind a wide scene: pixels of the target */
    unsigned background_count; /* background images so far */
    Panorama panorama; /* if options.panorama has a projection; options.width and height: a face */
    uint8_t *faces[PANORAMA_FACES]; /* what they show: [side * side * 4] of those in use */
    int eye;                        /* of the face that is drawn */
    PanoramaFace face;
    bool has_lens;
    RenderLens lens; /* if has_lens */

    /* the frame that was prepared last */
    ImageRect mirrored; /* the part of the image that shows the reflections */
    ImageRect drawn;    /* the part of the image that the actors cover */
    ShadowState shadow_state;
    float ground_color[4];
    bool empty;      /* no color was drawn on the target after it was cleared */
    bool frame_read; /* its picture was read: it is that of `last` */
    bool has_depths; /* the target has its depths, but not its colors */
    Image overlays;  /* if has_read_overlays; red: light, green: lines */
    bool has_read_overlays;

    bool has_shadows;     /* what surfaces look up was drawn */
    bool has_all_shadows; /* for all faces of a panorama */
    bool wide;            /* colors of the picture do not end at 1, as post-effects want it */
    bool plain;           /* the frame is drawn without effects, for its depths or overlays */
    bool full_frame;      /* all depths are needed, so that stages are not kept */
    bool has_overlays;    /* overlays are drawn with the picture */
    Drawing last;
    bool timed;
    FrameTimes times;
};
