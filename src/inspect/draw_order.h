// SPDX-License-Identifier: MIT
/*
 * draw_order.h - materials whose soft edges hide what the file draws after them (README.md, rules
 * 7)
 */
#pragma once

#include <stdbool.h>

#include "scene/model.h"

/* Finds the materials that have places, seen from the front, which let shine through what is behind
 * them, but are drawn before it: MMD's order of draws shows the background there instead.
 * out: [material_count].  Returns their number. */
size_t draw_order_find(bool *out, const Model *model);
