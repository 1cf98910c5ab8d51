// SPDX-License-Identifier: MIT
/*
 * video_options.h - the settings of an encoder, from video.inc
 *
 * All zero selects the defaults, except of crf; a text that is NULL is "auto".
 */
#pragma once

#include <stdbool.h>

#include "record/values.h"

#include "record/begin.inc"

#include "output/video.inc"

#include "record/end.inc"
