// SPDX-License-Identifier: MIT
/*
 * view.h - camera and light of a frame as matrices and directions
 *
 * World space is MMD's, left-handed; matrices act on column vectors (cglm).  Clip space is OpenGL's
 * with the window origin in the upper left corner (GL_UPPER_LEFT), so images have their top row
 * first and front faces remain clockwise, and with depths from 0 to 1 (GL_ZERO_TO_ONE).  Pure
 * functions on values; they cannot fail.
 */
#pragma once

#include <cglm/cglm.h>

#include "base/image.h"
#include "scene/camera.h"
#include "scene/scene.h"

typedef struct View {
    mat4 clip;           /* from world space */
    bool reversed_depth; /* nearer points have greater depths: perspective; else smaller ones */
    bool surrounds; /* one of several views that meet: but for what it shows, it is as the others */
    CameraAxes axes;
    float target[3];      /* point that the camera looks at */
    float half_extent[2]; /* half the image's width and height at distance 1; orthographic: at any
                             distance */
    float pixel_size;     /* side of a drawn pixel at distance 1; orthographic: at any distance */
    float to_light[3];    /* unit vector */
    float light_color[3];
    float ground;        /* height of the plane that receives ground shadows */
    bool soft_ground;    /* ground shadows are soft */
    float ground_spread; /* half the width of their edges for each unit of height */
    float edge_width;    /* width of an outline of size 1 at distance 1; 0.001 from a field of view
                            of 30 degrees */
    float
        fixed_distance; /* orthographic: the distance used for outlines; 0: use the real distance */
} View;

/* width, height   of the drawn image, pixels */
View view_of(const CameraState *camera, const LightState *light, int width, int height);

/*
 * Makes a view one of several that meet, from a place beside the eye: a square of `side` drawn
 * pixels.  Axes, with which surfaces are shaded, remain those of the camera.
 *
 * turn         right, up and forward of the square in the axes of the camera
 * shift        of the eye to the right, MMD units
 * half_extent  half of the square's side at distance 1
 */
void view_surround(View *view, const float turn[3][3], float shift, float half_extent, int side);

/* Turns depths of a drawn image into distances along the view; 0, where nothing is, stays 0.  Only
 * for views with reversed depths. */
void view_distances(float *depths, size_t count);

/* The camera as other programs read it. */
ImageCamera view_image_camera(const View *view);

/* The uniform block `Model` of the shaders (std140): a View in the space of a placed model. */
typedef struct ModelBlock {
    mat4 clip; /* from model space */
    float light[4], right[4], up[4], eye[4];
} ModelBlock;

ModelBlock view_for_model(const View *view, const Placement *placement);

/* Sets only `clip`: flattened on the ground along the light.  Returns false if the light does not
 * come from above. */
bool view_for_ground(ModelBlock *block, const View *view, const Placement *placement);

/* Width, in MMD units, of an outline of size 1 on a model whose second bone is at `center`. */
float view_edge_width(const View *view, const float center[3]);

/* The same width in drawn pixels, at the model's distance. */
float view_edge_pixels(const View *view);

/* Matrix from model to world space. */
void view_placement(mat4 out, const Placement *placement);
void view_place(float out[3], const Placement *placement, const float point[3]);

/* ---- a place on the lens and within a pixel from which a frame is drawn.  The eye moves on the
 * lens, the plane at the distance of focus keeps its place in the image, and the image moves by
 * part of a pixel (render/README.md 3.1). ---- */

typedef struct RenderLens {
    float offset[2]; /* the eye's shift to the right and up, MMD units; ignored if orthographic */
    float focus;     /* distance along the view, > 0 */
    float pixel[2];  /* the picture's shift to the right and down, finished pixels; -0.5..0.5 */
} RenderLens;

/* width, height: of the finished image. */
void lens_apply(View *view, const RenderLens *lens, int width, int height);
