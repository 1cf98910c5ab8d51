/*
 * model_equal.h - are two models the same, part by part
 *
 * Unused parts of a record (IK of a bone without IK, ...) are left out.
 */
#ifndef SUPPORT_MODEL_EQUAL_H
#define SUPPORT_MODEL_EQUAL_H

#include "format/model/pmx.h"

/* NULL when equal, else what differs first ("bone 3"), in the arena. */
const char *model_difference(const PmxModel *a, const PmxModel *b, Arena *arena);

#endif
