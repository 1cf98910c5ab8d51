// SPDX-License-Identifier: MIT
/*
 * credit_roll.h - lines in the middle of frames, which they darken
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/image.h"
#include "typesetting/font.h"

typedef struct CreditRollSpec {
    const char *const *lines;
    size_t count; /* those that do not fit in the smallest font are left out */
    FontSources fonts;
    int width, height; /* of the frames, pixels */
} CreditRollSpec;

typedef struct CreditRoll CreditRoll;

/* In the arena; NULL after an error: a font cannot be loaded (typesetting/font.h). */
CreditRoll *credit_roll_create(const CreditRollSpec *spec, Arena *arena, Diag *diag);
void credit_roll_destroy(CreditRoll *roll); /* NULL is fine */

/* seen: how much of it, 1..256. */
void credit_roll_draw(Image *image, CreditRoll *roll, int seen);
