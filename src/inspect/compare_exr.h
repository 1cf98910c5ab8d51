/*
 * compare_exr.h - the part of compare.h that compares OpenEXR files, channel by channel
 */
#ifndef INSPECT_COMPARE_EXR_H
#define INSPECT_COMPARE_EXR_H

#include <stdio.h>

#include "base/arena.h"
#include "inspect/compare.h"
#include "inspect/comparison/frame_source.h"

/*
 * Both sources have OpenEXR files.
 *
 * difference  set to what differs, on one line in the arena; unchanged after an error or a match
 * returns     whether all pairs have the same channels, within options->tolerance
 */
bool compare_exr_write(FILE *out, const CompareOptions *options, FrameSource *a, FrameSource *b,
                       const char **difference, Arena *arena, Diag *diag);

#endif
