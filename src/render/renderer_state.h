/*
 * renderer_state.h - what a Renderer holds; for the files that implement renderer.h
 */
#ifndef RENDER_RENDERER_STATE_H
#define RENDER_RENDERER_STATE_H

#include "render/emission.h"
#include "render/geometry.h"
#include "render/mirror.h"
#include "render/model/actor.h"
#include "render/outline.h"
#include "render/renderer.h"
#include "render/shadow/ground_fill.h"
#include "render/shadow/ground_map.h"
#include "render/shadow/shadow.h"
#include "render/stage_layer.h"
#include "render/surface.h"
#include "render/target.h"

/* A frame that was drawn on the target, apart from its models, and where the image is. */
typedef struct Drawing {
    bool complete; /* nothing below is valid if not */
    View view;
    ShadowState shadow;
    unsigned background;
    TargetRect area;       /* drawn on */
    const uint8_t *around; /* the image outside of it */
} Drawing;

struct Renderer {
    Arena *arena;
    GlContext *context;
    const GlApi *gl;
    RenderOptions options;
    size_t actor_count;
    Actor *actors; /* in the order of the scene's models */
    Target target;
    DeformPrograms skinning;
    Surfaces surfaces;
    ShadowMap shadow;
    Outlines outlines;
    VisibleLists visible;
    SurfaceLists surface_lists;
    OutlineLists outline_lists;
    GroundMap ground;
    GroundFill ground_fill;
    Geometry geometry[2]; /* for passes and for the look, which want different values */
    Geometry labels;
    Motion motion;
    Emission emission;
    Mirror mirror;
    TargetRect mirrored; /* the part of the image that shows the reflections */
    View view;           /* of the frame that was prepared last, as are the actors */
    TargetRect drawn;    /* the part of the image that they cover */
    StageLayer stage;
    ShadowState shadow_state;
    float ground_color[4]; /* of ground shadows in the prepared frame */
    bool whole;            /* all depths are needed, so that stages are not kept */
    bool has_overlays;     /* overlays are drawn with the picture */
    Image overlays; /* of the prepared frame, if has_read_overlays; red: light, green: lines */
    bool has_read_overlays;
    bool has_depths; /* the target has the depths of the prepared frame, but not its colors */
    GLuint background, background_program; /* 0 without a background image */
    unsigned background_count;             /* background images so far */
    GLuint empty_vertices;                 /* vertex array without attributes */
    bool has_lens;
    RenderLens lens; /* if has_lens */
    Drawing last;
    bool pictured; /* the prepared frame is that of `last` */
    bool timed;
    FrameTimes times;
};

/* Draws the picture of the prepared frame on the target.  Returns false after an error was
 * reported. */
bool renderer_draw(Renderer *renderer, const ShadowState *shadow, Diag *diag);

#endif
