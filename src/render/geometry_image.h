/*
 * geometry_image.h - what passes are made of: depth, material and normal of each pixel
 */
#ifndef RENDER_GEOMETRY_IMAGE_H
#define RENDER_GEOMETRY_IMAGE_H

#include <stdint.h>

/* Bits: the values that are wanted. */
enum { GEOMETRY_DEPTH = 1, GEOMETRY_ID = 2, GEOMETRY_NORMAL = 4, GEOMETRY_ALL = 7 };

/* [width * height] each, rows from the top; those that are not wanted may be NULL. */
typedef struct GeometryImage {
    float *depth;  /* distance along the view, MMD units; 0: no surface */
    uint32_t *ids; /* number of the material among all of the scene, from 1; 0: no surface */
    uint8_t (*normals)[4]; /* view space: right, up, towards the eye; 128 is 0; all 0: no surface */
} GeometryImage;

#endif
