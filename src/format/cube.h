// SPDX-License-Identifier: MIT
/*
 * cube.h - color lookup tables (.cube), as Adobe's Cube LUT Specification 1.0 describes them
 *
 * A text file: keywords, then one line of three numbers an entry.  In a 3-D table red varies
 * fastest; a 1-D table has a curve for each channel.  Grading programs (Resolve, Premiere, OBS,
 * FFmpeg's lut3d) write and read it.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"

enum { CUBE_MAX_3D = 256, CUBE_MAX_1D = 65536 }; /* entries a side, as the specification limits */

typedef struct Cube {
    bool is_3d;
    size_t size;                        /* entries a side, 2..CUBE_MAX_* */
    float domain_min[3], domain_max[3]; /* inputs of the first and of the last entry; min < max */
    float (*entries)[3];                /* [size] or [size^3], finite, within 1e6 */
} Cube;

/* Keywords that only describe the file (TITLE and unknown ones) are ignored. */
bool cube_load(Cube *cube, Bytes bytes, Arena *arena, Diag *diag);

/* Number of entries: size, or size^3. */
size_t cube_count(const Cube *cube);
