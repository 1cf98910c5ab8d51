// SPDX-License-Identifier: MIT
#include "job/job_options.h"

#include "base/image.h"
#include "base/projection.h"
#include "base/units.h"
#include "base/warning.h"
#include "picture/passes/keypoint_json.h"
#include "picture/passes/pass.h"
#include "render/gl/gl.h"
#include "scene/scene.h"

_Static_assert(MOTION_BONES == 1 && MOTION_MORPHS == 2 && MOTION_PROPERTIES == 4,
               "the bits of FLAGS are in the order of its words: bones, morphs, properties");

#define KEY_ROWS
#include "job/keys/all.inc"

const Option *option_at(const char *dotted)
{
    return option_at_table(&option_job, dotted);
}
