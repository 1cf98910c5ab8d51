/*
 * bvh_motion.h - `odori convert MOTION.bvh`: motion capture as a VMD motion for a model
 */
#ifndef IMPORT_BVH_MOTION_H
#define IMPORT_BVH_MOTION_H

#include <stdbool.h>

#include "base/diag.h"

typedef struct BvhMotionOptions {
    const char *motion, *model, *output; /* .bvh, .pmx or .pmd, .vmd */
    bool overwrite;
} BvhMotionOptions;

bool bvh_motion_run(const BvhMotionOptions *options, Diag *diag);

#endif
