// SPDX-License-Identifier: MIT
/*
 * cloth_options.h - the settings of a cloth, from cloth.inc
 *
 * Lengths in the units of the model.  A shape starts at its offset from the first bone, extends
 * downwards and faces -z, before its rotation.
 */
#pragma once

#include <stdbool.h>

#include "math/rotation.h"
#include "record/values.h"

enum { CLOTH_MAX_SUBSTEPS = 64 }; /* per tick */

#define CLOTH_PIN_BORDER "auto" /* among the bones of a pin: the border of a material */

#include "record/begin.inc"

#include "scene/cloth/cloth.inc"

#include "record/end.inc"
