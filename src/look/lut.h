/*
 * lut.h - the colour that a lookup table gives for another
 */
#ifndef LOOK_LUT_H
#define LOOK_LUT_H

#include "format/cube.h"

/*
 * Interpolated at a colour: linearly in a 1-D table; in a 3-D table between the four corners of the
 * tetrahedron of its cell that contains the colour (look/README.md 2.2).  Colours outside the
 * domain are clamped to it.  out may be in.
 */
void lut_eval(float out[3], const Cube *lut, const float in[3]);

#endif
