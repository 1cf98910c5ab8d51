// SPDX-License-Identifier: MIT
/*
 * projection.h - how the pixels of a film lie around the camera
 */
#pragma once

typedef enum Projection {
    PROJECTION_PERSPECTIVE,
    PROJECTION_EQUIRECT, /* 360 x 180 degrees: longitudes from left to right */
    PROJECTION_VR180,    /* the half of it in front of the camera */
    PROJECTION_FISHEYE,  /* a circle: the distance from its center is the angle from the view */
    PROJECTION_CUBE      /* right, left, up above down, front, back: squares of 90 degrees */
} Projection;

/* Where the images of the two eyes are; the left eye comes first. */
typedef enum Stereo { STEREO_NONE, STEREO_LEFT_RIGHT, STEREO_TOP_BOTTOM } Stereo;
