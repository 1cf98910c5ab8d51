/*
 * renderer.h - a FrameState becomes a picture
 *
 * A Renderer holds one GL context and the scene's meshes and textures on it.  One per process; it
 * must be created, used and destroyed in one thread.  Nothing of the last frame reaches the next.
 * Shading: reference, section 4, in sRGB space as MMD does.
 */
#ifndef RENDER_RENDERER_H
#define RENDER_RENDERER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "base/image.h"
#include "evaluate/frame_state.h"
#include "render/gl.h"
#include "scene/scene.h"

typedef struct RenderOptions {
    GlBackend backend;
    int width, height;             /* of the finished picture */
    int samples;                   /* 1 or 4 */
    int supersample;               /* 1..4: drawn so many times larger each way, then averaged */
    int anisotropy;                /* of textures seen at a slant; up to 1: off */
    float background[4];           /* rgba 0..1; alpha 0 for a transparent picture */
    bool alpha;                    /* keep alpha; pixels leave un-premultiplied */
    const Image *background_image; /* or NULL */
    ImageFit background_fit;       /* of a picture of another shape */
    bool split_transparency; /* draw what is transparent last, hiding nothing; else MMD's order */
    bool ground_shadow;
    float ground_height; /* of the ground that they fall on */
    int shadow_map;      /* side of the map of self-shadows; 0: no self-shadow */
    float shadow_soft;   /* half the width of their edges, MMD units; 0: sharp */
    bool edges;
    const char *shader_dir; /* NULL: the embedded shaders */
} RenderOptions;

/* CPU milliseconds (thread clock) of the last frame, stage by stage; glFinish after each when
 * timed. */
typedef struct RenderTimes {
    double upload, skin, clear, shadow, surface, edge, resolve, read, total;
} RenderTimes;

typedef struct Renderer Renderer;

/* NULL: told. */
Renderer *renderer_create(const Scene *scene, const RenderOptions *options, Diag *diag);
void renderer_destroy(Renderer *renderer);

/* A picture of any size behind the frames from now on, in place of the one before. */
bool renderer_set_background(Renderer *renderer, const Image *image, Diag *diag);

/* image->pixels has room for width * height * 4 bytes. */
bool render_frame(Image *image, Renderer *renderer, const FrameState *state, Diag *diag);

/* Switches stage timing on (it costs glFinish calls) and reads the last frame's. */
void renderer_time_stages(Renderer *renderer, bool on);
RenderTimes renderer_times(const Renderer *renderer);

/* Skinned positions of a model as the GPU computes them for a frame (transform feedback), in model
 * space, [vertex_count][3].  Needs no picture. */
bool renderer_skin_positions(float (*positions)[3], Renderer *renderer, const FrameState *state,
                             size_t model, Diag *diag);

const char *renderer_describe(const Renderer *renderer);

#endif
