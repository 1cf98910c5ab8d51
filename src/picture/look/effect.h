// SPDX-License-Identifier: MIT
/*
 * effect.h - what an effect of a look is: a row of the table in look.c
 *
 * Each effect has a file of its own with its state and its row; its options are in look.inc.
 * Effects change images of straight alpha in place.  The result depends on the image, the options
 * and the LookFrame alone.  Not thread-safe.
 */
#pragma once

#include "base/arena.h"
#include "base/image.h"
#include "evaluate/frame_state.h"
#include "picture/look/light.h"
#include "picture/look/look_options.h"
#include "render/geometry_image.h"
#include "render/view.h"
#include "scene/scene.h"

/* The images that effects are made for, and what they need. */
typedef struct LookSetup {
    int width, height;        /* size of the images */
    const LightTables *light; /* if an effect wants it */
    float (*emission)[3]; /* set by the effect that wants it: the light of materials that glow, for
                             pixels of half the size, rounded up; 1 is white */
} LookSetup;

/* The frame of an image, as effects see it. */
typedef struct LookFrame {
    int64_t number; /* number of the output frame */
    int index;      /* of the image among those of the frame */
    const FrameState *state;
    View view;                     /* view of the finished image */
    const GeometryImage *geometry; /* with what the effect wants */
    const float *distances;        /* render_distances, if the effect wants them */
} LookFrame;

typedef struct LookEffect {
    bool each_image;      /* changes each rendered image; else the mean of those of a frame */
    unsigned geometry;    /* GEOMETRY_* bits that it wants; only for each image */
    bool distances;       /* whether it wants those of LookFrame; only for each image */
    bool light, emission; /* whether it wants those of LookSetup */
    unsigned pixel_bytes; /* memory for each pixel of the image, with its share of the geometry */
    /* Finds what the options name, in the scene and in files; NULL: nothing.  False after an error
     * was reported. */
    bool (*load)(void *options, const Scene *scene, Arena *arena, Diag *diag);
    void *(*create)(const void *options, LookSetup *setup, Arena *arena);
    void (*apply)(Image *image, void *effect, const LookFrame *frame);
} LookEffect;
