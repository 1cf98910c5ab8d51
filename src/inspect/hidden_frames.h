// SPDX-License-Identifier: MIT
/*
 * hidden_frames.h - the frames of a film in which keys of visibility hide a model
 */
#pragma once

#include "film/film.h"

enum { HIDDEN_RANGES = 3 }; /* that are listed */

typedef struct HiddenFrames {
    int64_t count, shown; /* hidden frames; all frames of the film that show the scene */
    FrameRange ranges[HIDDEN_RANGES]; /* of the film */
    size_t range_count;               /* may be more than are listed */
} HiddenFrames;

/* By keys of its motions and of the job. */
HiddenFrames hidden_frames_find(const Film *film, size_t scene, size_t model);

/* "frames 0-99 and 200-299 (200 of 300)", "all 300 frames", or "" */
const char *hidden_frames_text(const HiddenFrames *hidden, Arena *arena);
