// SPDX-License-Identifier: MIT
/*
 * sheet_fixture.h - a sheet of cloth as a PMX 2.1 model with one soft body
 */
#ifndef SUPPORT_SHEET_FIXTURE_H
#define SUPPORT_SHEET_FIXTURE_H

#include "format/model/pmx.h"

typedef struct SheetSpec {
    uint32_t columns, rows;
    float width, length,
        top;     /* extends from y = top to top - length, x = -width / 2 .. width / 2, z = 0 */
    bool layers; /* twice at the same positions: facing -z and +z */
} SheetSpec;

/*
 * Vertex row * columns + column, from the upper left; the second layer follows.  Bones: 0 "middle"
 * at the origin, 1 "left" and 2 "right" at the upper corners, to which the first and the last
 * column are attached; no bodies.  One material, "sheet".  The soft body has the defaults of
 * Bullet, links that do not stretch, mass 1 and no pins.
 */
PmxModel fixture_sheet(SheetSpec spec, Arena *arena);

/* Adds a pin, an anchor. */
void fixture_pin(PmxModel *model, uint32_t vertex);
void fixture_anchor(PmxModel *model, uint32_t vertex, int32_t body);

#endif
