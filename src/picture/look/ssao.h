// SPDX-License-Identifier: MIT
/*
 * ssao.h - ambient occlusion in screen space: corners and contacts get darker
 *
 * Formula and source: picture/look/README.md 6.  Works on pixels of half the size; alpha is kept.
 */
#pragma once

#include "picture/look/effect.h"

extern const LookEffect SSAO_EFFECT;
