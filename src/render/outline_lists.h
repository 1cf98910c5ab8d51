/*
 * outline_lists.h - the triangles of outlines that may be seen
 *
 * Almost all of a hull is hidden behind the surface that it surrounds.  After the surfaces of a
 * model were drawn, its outlines are drawn from index lists of the frame, without the triangles
 * that cover no sample or that the depth test rejects completely (occlusion.h), which costs the
 * driver more than the CPU needs to find them.  The pixels are the same.
 */
#ifndef RENDER_OUTLINE_LISTS_H
#define RENDER_OUTLINE_LISTS_H

#include "render/model/actor.h"
#include "render/visible_lists.h"

/* Zero-initialise.  Memory is kept for later frames. */
typedef struct OutlineLists {
    VisibleLists *visible;
    VisibleRange *interior, *hull; /* by material */
    size_t material_capacity;
} OutlineLists;

/*
 * Makes the lists of a model whose surfaces have been drawn on the target.  Returns false if that
 * is not possible, or not worth it: multisampling, orthographic views, small models.  visible:
 * holds the indices until something else uses it.
 */
bool outline_lists_make(OutlineLists *lists, VisibleLists *visible, const GlApi *gl,
                        const Target *target, const Actor *actor, const View *view, Arena *arena);

#endif
