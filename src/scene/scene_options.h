// SPDX-License-Identifier: MIT
/*
 * scene_options.h - the settings of models, camera, light and physics, from model.inc and scene.inc
 *
 * Frames are 30 a second.  NaN: not given.
 */
#pragma once

#include <stdbool.h>

#include "base/projection.h"
#include "math/rotation.h"
#include "record/values.h"

#include "record/begin.inc"

#include "scene/model.inc"
#include "scene/scene.inc"

#include "record/end.inc"
