/*
 * view.h - camera and light of a frame as matrices and directions
 *
 * World space is MMD's, left-handed; matrices act on columns (cglm).  Clip space is OpenGL's, but
 * the window's origin is the upper left corner (GL_UPPER_LEFT), so pictures come with their top row
 * first and front faces stay clockwise.  Values only: nothing here fails or keeps state.
 */
#ifndef RENDER_VIEW_H
#define RENDER_VIEW_H

#include <cglm/cglm.h>
#include <stdbool.h>

#include "scene/camera.h"
#include "scene/scene.h"

typedef struct View {
    mat4 clip; /* from world */
    CameraAxes axes;
    float target[3];      /* of the camera */
    float half_extent[2]; /* half the picture's width and height, a unit away; orthographic:
                             anywhere */
    float pixel;          /* side of a pixel as drawn, a unit away; orthographic: anywhere */
    float to_light[3];    /* unit */
    float light_color[3];
    float ground;     /* height that ground shadows fall on */
    float edge_width; /* of an outline of size 1, a unit of distance away; 0.001 from fov 30 up */
    float fixed_distance; /* orthographic: the distance that outlines use; 0: the real one */
} View;

/* width, height   of the picture in pixels, as it is drawn */
View view_of(const CameraState *camera, const LightState *light, int width, int height);

/* The uniform block `Model` of the shaders (std140): a View from a placed model's own space. */
typedef struct ModelBlock {
    mat4 clip; /* from model space */
    float light[4], right[4], up[4], eye[4];
} ModelBlock;

ModelBlock view_for_model(const View *view, const Placement *placement);

/* Only `clip`: flattened on the ground along the light.  False when the light does not come from
 * above.
 */
bool view_for_ground(ModelBlock *block, const View *view, const Placement *placement);

/* Width in world units of an outline of size 1, on a model whose second bone is at `center`. */
float view_edge_width(const View *view, const float center[3]);

/* The same in pixels as drawn, at the model's distance. */
float view_edge_pixels(const View *view);

/* From model to world. */
void view_placement(mat4 out, const Placement *placement);
void view_place(float out[3], const Placement *placement, const float point[3]);

#endif
