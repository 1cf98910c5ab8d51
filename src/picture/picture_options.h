// SPDX-License-Identifier: MIT
/*
 * picture_options.h - the settings of what is drawn over frames and between them, from picture.inc
 */
#pragma once

#include "record/values.h"

#include "record/begin.inc"

#include "picture/picture.inc"

#include "record/end.inc"
