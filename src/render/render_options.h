// SPDX-License-Identifier: MIT
/*
 * render_options.h - how frames are drawn: the same for all frames and processes of a film
 */
#pragma once

#include "base/image.h"
#include "base/projection.h"
#include "record/values.h"
#include "render/gl/gl.h"

#include "record/begin.inc"

#include "render/render.inc"

#include "record/end.inc"

/* Materials that glow, besides those that do by the convention of AutoLuminous. */
typedef struct EmissionOptions {
    const char *const *materials; /* their names, or NULL */
    size_t material_count;
} EmissionOptions;

/* How the pixels of the finished image lie around the camera (render/README.md 3.2). */
typedef struct PanoramaOptions {
    Projection projection;
    float angle; /* PROJECTION_FISHEYE: across the circle, radians */
    Stereo stereo;
    float eye_distance; /* MMD units */
} PanoramaOptions;

typedef struct RenderOptions {
    GlChoice backend;
    int width, height; /* size of the finished image, pixels */
    PanoramaOptions panorama;
    int samples;         /* per pixel: 1 or 4 */
    int supersample;     /* 1..4: drawn this many times larger in each direction, then averaged */
    int anisotropy;      /* maximum anisotropy of texture sampling; up to 1: off */
    float background[4]; /* rgba 0..1; alpha 0 for a transparent image */
    bool alpha;          /* keep alpha; pixels are returned with straight alpha */
    const Image *background_image; /* or NULL */
    ImageFit background_fit;       /* how a background with another aspect ratio is fitted */
    bool split_transparency;       /* draw translucent parts after opaque ones; false: MMD's
                                      order */
    bool ground_shadow;
    float ground_height;     /* height of the plane that receives ground shadows, MMD units */
    float ground_brightness; /* brightness of ground shadows: 0 black, 1 the color of the light */
    float ground_opacity;    /* opacity of ground shadows, 0..1 */
    GroundLightOptions ground_light; /* settings of soft ground shadows */
    int shadow_map;                  /* side of the self-shadow map, texels; 0: no self-shadow */
    float shadow_soft;               /* half the width of a shadow's edge, MMD units; 0: sharp */
    bool edges;
    bool all_triangles;   /* draw hidden ones of outlines and blended surfaces, too, all surfaces in
                             the order of the file, and textures with all mip levels, which costs
                             time: the same pixels */
    MirrorOptions mirror; /* strength 0: there is none */
    EmissionOptions emission; /* materials that glow in any case */
    double frame_s;           /* seconds between frames, for effects */
    const char *shader_dir;   /* NULL: the embedded shaders */
} RenderOptions;
