/*
 * mirror_options.h - the plane that reflects the figures
 */
#ifndef RENDER_MIRROR_OPTIONS_H
#define RENDER_MIRROR_OPTIONS_H

typedef struct MirrorOptions {
    float strength; /* 0..1; 0: there is no mirror */
    float height;   /* of the plane, MMD units */
    float blur;     /* radius, part of the image's height */
} MirrorOptions;

#endif
