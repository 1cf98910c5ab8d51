// SPDX-License-Identifier: MIT
/*
 * transition.h - two images of a film as one, and images that fade to a color
 *
 * Mixes stored values, as editors and the filters of FFmpeg do; of images with alpha a color counts
 * in proportion to its alpha.  Integers only: the same pixels everywhere.
 */
#pragma once

#include "base/image.h"
#include "picture/picture_options.h"

/* A place in a transition or a fade: frame `index` of `length`, 0 <= index < length. */
typedef struct TransitionTime {
    int64_t index, length;
} TransitionTime;

/* Whether the scene that ends (0) or that begins (1) can be seen. */
bool transition_shows(const TransitionOptions *transition, TransitionTime time, int scene);

/* Whether the scene that begins is seen more. */
bool transition_is_past_middle(TransitionTime time);

/* image: of the scene that ends, becomes that of the film; next: of the scene that begins.  An
 * image that is not shown is not read. */
void transition_mix(Image *image, const Image *next, const TransitionOptions *transition,
                    TransitionTime time);

/* Changes an image by a fade-in at `time`; a fade-out runs backwards.  With alpha it becomes
 * transparent instead. */
void transition_fade(Image *image, const double color[3], TransitionTime time);
