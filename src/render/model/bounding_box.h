// SPDX-License-Identifier: MIT
/*
 * bounding_box.h - boxes around parts of a model, parallel to the axes
 */
#pragma once

#include <float.h>

typedef struct BoundingBox {
    float low[3], high[3]; /* empty: low > high */
} BoundingBox;

static const BoundingBox BOX_EMPTY = {{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};

static inline void box_add(BoundingBox *box, const float low[3], const float high[3])
{
    for (int k = 0; k < 3; k++) {
        box->low[k] = low[k] < box->low[k] ? low[k] : box->low[k];
        box->high[k] = high[k] > box->high[k] ? high[k] : box->high[k];
    }
}

/* One of the eight corners, number 0 to 7. */
static inline void box_corner(float out[3], const BoundingBox *box, int number)
{
    for (int k = 0; k < 3; k++)
        out[k] = number >> k & 1 ? box->high[k] : box->low[k];
}
