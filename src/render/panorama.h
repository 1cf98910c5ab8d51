// SPDX-License-Identifier: MIT
/*
 * panorama.h - images that show all around the camera, resampled from square views
 *
 * A panorama is drawn as up to six views of 90 degrees, the faces of a cube around each eye, with a
 * border beyond them so that what is filtered at an edge is the same on both faces.  Directions are
 * x to the right, y up, z ahead in the axes of the camera (render/README.md 3.2).  Pure functions
 * on values; they cannot fail.
 */
#pragma once

#include "base/image.h"
#include "render/render_options.h"
#include "render/view.h"

typedef enum PanoramaFace {
    FACE_RIGHT,
    FACE_LEFT,
    FACE_UP,
    FACE_DOWN,
    FACE_FRONT,
    FACE_BACK,
    PANORAMA_FACES
} PanoramaFace;

typedef struct Panorama {
    PanoramaOptions options;
    int width, height;  /* of the image of an eye, pixels */
    int eyes;           /* 1 or 2 */
    int side;           /* of a face with its border, pixels */
    double half_extent; /* half of that side at distance 1 */
    double pixel_angle; /* side of a pixel of the image, radians; 0: pixels are those of faces */
    bool used[PANORAMA_FACES];
} Panorama;

/* width, height: of the finished image, which has the images of both eyes. */
Panorama panorama_of(const PanoramaOptions *options, int width, int height);

/* Turns a view ahead into that of a face.  scale: samples for a pixel in each direction. */
void panorama_turn(View *view, const Panorama *panorama, int eye, PanoramaFace face, int scale);

/* The direction, not of unit length, of a place in the image of an eye, pixels from its upper left
 * corner: the middle of the first pixel is (0.5, 0.5).  Returns false if nothing is there. */
bool panorama_direction(double out[3], const Panorama *panorama, double x, double y);

/* The face that shows a direction, and the place there, pixels from its upper left corner. */
PanoramaFace panorama_place(double out[2], const Panorama *panorama, const double direction[3]);

/* Sets the part of an eye in the finished image.  faces: [side * side * 4] of each face that is
 * used, straight alpha. */
void panorama_resample(Image *image, const Panorama *panorama, int eye,
                       uint8_t *const faces[PANORAMA_FACES]);
