// SPDX-License-Identifier: MIT
/*
 * toon.h - the ten shared toon ramps of MMD, computed (render/texture/README.md 2)
 */
#pragma once

#include <stdint.h>

enum { TOON_ROWS = 32, TOON_COUNT = 10 };

/* RGBA rows of toon01 (index 0) to toon10 (index 9), lit side first. */
void toon_ramp(uint8_t rows[TOON_ROWS][4], int index);
