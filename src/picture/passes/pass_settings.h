// SPDX-License-Identifier: MIT
/*
 * pass_settings.h - settings of the passes of a film
 */
#pragma once

#include "picture/passes/keypoint_json.h"
#include "picture/passes/pass.h"
#include "picture/passes/pass_image.h"

/* The same for all frames and processes of a film. */
typedef struct PassSettings {
    DepthRange depth;
    int label_scale;   /* PASS_LABELS has label_scale^2 samples in a pixel */
    size_t label_size; /* bytes of each: geometry_label_size of all materials */
    KeypointFormat keypoints;
    const struct BoneAlias *aliases; /* [alias_count] of the pose */
    size_t alias_count;
} PassSettings;
