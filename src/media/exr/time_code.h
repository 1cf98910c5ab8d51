// SPDX-License-Identifier: MIT
/*
 * time_code.h - time codes of SMPTE ST 12-1 for frames of a film
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * The time code of a frame in the packing of OpenEXR for television at 60 fields (TV60).  Frame 0
 * has 00:00:00:00; after 24 hours they begin anew.  Rates of 30000/1001 and 60000/1001 drop frame
 * numbers.  Above 30 frames a second a number stands for two frames, of which the second one has
 * the field flag.
 *
 * returns  false if frames of this rate have no time codes: it is not a whole number, or 1000/1001
 *          of one, or greater than 60, or odd and greater than 30
 */
bool time_code_of(uint32_t *out, int64_t frame, int fps_num, int fps_den);
