// SPDX-License-Identifier: MIT
/*
 * model_equal.h - compares two models part by part
 *
 * Unused parts of a record (IK of a bone without IK, ...) are ignored.
 */
#ifndef SUPPORT_MODEL_EQUAL_H
#define SUPPORT_MODEL_EQUAL_H

#include "format/model/pmx.h"

/* NULL if equal, else the first different part ("bone 3"), in the arena. */
const char *model_difference(const PmxModel *a, const PmxModel *b, Arena *arena);

#endif
