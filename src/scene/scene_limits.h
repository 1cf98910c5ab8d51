/*
 * scene_limits.h - limits of what a scene may contain and of the work of evaluating it
 *
 * All zero: no limit but those of the defaults in complexity.h.
 */
#ifndef SCENE_SCENE_LIMITS_H
#define SCENE_SCENE_LIMITS_H

#include "base/limit.h"

typedef struct SceneLimits {
    Limit models;   /* models, accessories and generated cloth */
    Limit vertices; /* of all models */
    Limit bodies;   /* rigid bodies, vertices of soft bodies and masses of cloth */
    Limit textures; /* MiB of decoded images, four bytes a pixel */
    Limit pairs;    /* overlapping rigid bodies */
    Limit ik;       /* bones that IK updates in a frame */
    Limit soft;     /* links, faces and anchors solved in a tick */
    Limit cloth;    /* springs evaluated in a tick */
} SceneLimits;

#endif
