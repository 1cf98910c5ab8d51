/*
 * surface_lists.h - the triangles of blended surfaces that may be seen
 *
 * llvmpipe rejects hidden groups of samples early where nothing is blended, but executes the
 * blending of all of them if the shader can discard pixels.  Clothes are often drawn so, in layers
 * of which most triangles are hidden behind the body.  The pixels are the same without them.
 */
#ifndef RENDER_SURFACE_LISTS_H
#define RENDER_SURFACE_LISTS_H

#include "render/model/actor.h"
#include "render/visible_lists.h"

/* Zero-initialise.  Memory is kept for later frames. */
typedef struct SurfaceLists {
    bool *listed;         /* [material_count]: drawn from its list */
    VisibleRange *ranges; /* [material_count] of the indices of `visible` */
    VisibleLists *visible;
    size_t material_capacity;
} SurfaceLists;

/* Reserves memory for a model; no material is listed. */
void surface_lists_begin(SurfaceLists *lists, VisibleLists *visible, const Actor *actor,
                         Arena *arena);

/* Makes the lists of the materials that are `listed`, behind what has been drawn on the target.
 * Returns false if that is not possible. */
bool surface_lists_make(SurfaceLists *lists, const GlApi *gl, const Target *target,
                        const Actor *actor, const View *view, Arena *arena);

#endif
