/*
 * retarget.h - motion capture to the standard bones of a model
 *
 * Limbs get the world directions of the source at every frame; the legs are moved by rotations
 * (FK), and all IK of the model is switched off.  Method: import/README.md 2.
 */
#ifndef IMPORT_RETARGET_H
#define IMPORT_RETARGET_H

#include <stdbool.h>

#include "format/model/pmx.h"
#include "format/motion/bvh.h"
#include "format/motion/vmd.h"

/* Keys at 30 frames a second, in the arena.  False after an error: the skeleton has no hips and
 * legs that are known by name, or the model lacks the standard bones. */
bool retarget_bvh(VmdMotion *out, const BvhMotion *source, const PmxModel *model, Arena *arena,
                  Diag *diag);

#endif
